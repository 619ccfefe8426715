/* Part of c_plugin.h. Written by scripts/c_header from body_motion.h, body_reduction.h, body_output.h, system.h, extensions/all_bodies.h, extensions/system_extensions.h, extensions/system_constraints.h, extensions/body_frames.h, kkt_solver.h, extensions/least_solver_cost.h, extensions/factor_services.h. */
/* clang-format off */
#pragma once

/* --- body_motion.h */

typedef struct trammel_body_motion_table {
  void (*kinematics)(const trammel_body_motion* self, trammel_const_vector_view q, trammel_const_vector_view v, void* states);
  trammel_status (*force)(const trammel_body_motion* self, double t, const void* states, trammel_vector_view Q);
  trammel_status (*force_gradients)(const trammel_body_motion* self, double t, const void* states, double* Q_q, double* Q_v);
  void (*mass_blocks)(const trammel_body_motion* self, const void* states, double* M);
  void (*apply_mass)(const trammel_body_motion* self, const void* states, trammel_const_vector_view x, trammel_vector_view out);
  void (*mass_gradient)(const trammel_body_motion* self, const void* states, trammel_const_vector_view x, double* out);
  double (*kinetic_energy)(const trammel_body_motion* self, const void* states);
  double (*potential_energy)(const trammel_body_motion* self, double t, const void* states);
} trammel_body_motion_table;
struct trammel_body_motion {
  const trammel_body_motion_table* table;
};

/* --- body_reduction.h */

typedef struct trammel_reduction_block {
  int32_t body;
  int32_t rows;
  const double* full;
  double* reduced;
} trammel_reduction_block;
TRAMMEL_ASSERT_SIZE(trammel_reduction_block, 24);

typedef struct trammel_body_reduction_table {
  int32_t (*reduced_coordinates)(const trammel_body_reduction* self);
  void (*reduce)(const trammel_body_reduction* self, const void* states, const trammel_reduction_block* blocks, int32_t count);
  void (*reduce_force)(const trammel_body_reduction* self, const void* states, trammel_const_vector_view Q, trammel_vector_view w);
  void (*expand)(const trammel_body_reduction* self, const void* states, trammel_const_vector_view w, trammel_const_vector_view g, trammel_vector_view x);
  void (*intrinsic_multipliers)(const trammel_body_reduction* self, const void* states, trammel_const_vector_view R, trammel_vector_view mu);
} trammel_body_reduction_table;
struct trammel_body_reduction {
  const trammel_body_reduction_table* table;
};

/* --- body_output.h */

typedef struct trammel_body_output_table {
  int32_t (*column_count)(const trammel_body_output* self);
  const char* (*column_name)(const trammel_body_output* self, int32_t k);
  void (*column_values)(const trammel_body_output* self, const void* state, trammel_vector_view out);
  void (*point)(const trammel_body_output* self, const void* state, const double* local, trammel_const_vector_view a, double* position, double* velocity, double* acceleration);
  void (*wrench)(const trammel_body_output* self, const void* state, trammel_const_vector_view Q, double* force, double* torque);
  int32_t (*acceleration_column_count)(const trammel_body_output* self);
  const char* (*acceleration_column_name)(const trammel_body_output* self, int32_t k);
  void (*acceleration_values)(const trammel_body_output* self, const void* state, trammel_const_vector_view a, trammel_vector_view out);
} trammel_body_output_table;
struct trammel_body_output {
  const trammel_body_output_table* table;
};

/* --- system.h */

enum {
  trammel_body_kind_rigid, trammel_body_kind_point_mass
};
typedef int32_t trammel_body_kind;

typedef struct trammel_body_shape {
  trammel_body_kind kind;
  int32_t coordinates;
  int32_t reduced_coordinates;
  bool intrinsic;
  const int32_t* columns;
  int32_t column_count;
  const int32_t* acceleration_columns;
  int32_t acceleration_column_count;
} trammel_body_shape;
TRAMMEL_ASSERT_SIZE(trammel_body_shape, 48);

typedef struct trammel_body_system_table {
  int32_t (*coordinates)(const trammel_body_system* self);
  const char* (*coordinate_name)(const trammel_body_system* self, int32_t k);
  const char* (*coordinate_unit)(const trammel_body_system* self, int32_t k);
  const trammel_constraint* (*intrinsic)(const trammel_body_system* self);
  void (*describe)(const trammel_body_system* self, int32_t body, trammel_body_shape* shape);
  double (*mass)(const trammel_body_system* self, int32_t body);
  void (*initial)(const trammel_body_system* self, int32_t body, trammel_vector_view q, trammel_vector_view v);
  int32_t (*state_bytes)(const trammel_body_system* self);
  void (*ground_state)(const trammel_body_system* self, void* state);
  const trammel_body_motion* (*motion)(const trammel_body_system* self);
  const trammel_body_output* (*output)(const trammel_body_system* self);
  const trammel_body_reduction* (*reduction)(const trammel_body_system* self);
} trammel_body_system_table;
struct trammel_body_system {
  const trammel_body_system_table* table;
};

#define TRAMMEL_SYSTEM_ID "trammel.system/1"

typedef struct trammel_system_table {
  const void* (*extension)(const trammel_system* self, const char* id);
  const trammel_body_system* (*bodies)(const trammel_system* self);
  trammel_ode_system* (*ode)(trammel_system* self);
  trammel_second_order_system* (*second_order)(trammel_system* self);
  const char* (*coordinate_name)(const trammel_system* self, int32_t i);
  const char* (*coordinate_unit)(const trammel_system* self, int32_t i);
  void (*initial)(const trammel_system* self, trammel_vector_view x, trammel_vector_view x_dot);
  bool (*energy)(const trammel_system* self, double t, trammel_const_vector_view x, trammel_const_vector_view x_dot, double* kinetic, double* potential);
} trammel_system_table;
struct trammel_system {
  const trammel_system_table* table;
};

/* --- extensions/all_bodies.h */

typedef struct trammel_all_bodies_output {
  double* Phi;
  double* Phi_q;
  double* nu;
  double* gamma;
} trammel_all_bodies_output;
TRAMMEL_ASSERT_SIZE(trammel_all_bodies_output, 32);

#define TRAMMEL_ALL_BODIES_ID "trammel.all_bodies/1"

typedef struct trammel_all_bodies_table {
  void (*evaluate_all)(const trammel_all_bodies* self, const void* states, int32_t rows, const trammel_all_bodies_output* out);
} trammel_all_bodies_table;
struct trammel_all_bodies {
  const trammel_all_bodies_table* table;
};

/* --- extensions/system_extensions.h */

typedef struct trammel_body_slice {
  const char* name;
  trammel_body_kind kind;
  int32_t first, count;
} trammel_body_slice;
TRAMMEL_ASSERT_SIZE(trammel_body_slice, 24);

#define TRAMMEL_BODY_LAYOUT_ID "trammel.body_layout/1"

typedef struct trammel_body_layout_table {
  int32_t (*dimensions)(const trammel_body_layout* self);
  int32_t (*bodies)(const trammel_body_layout* self);
  trammel_body_slice (*body)(const trammel_body_layout* self, int32_t body);
} trammel_body_layout_table;
struct trammel_body_layout {
  const trammel_body_layout_table* table;
};

#define TRAMMEL_ROW_CHOICE_ID "trammel.row_choice/1"

typedef struct trammel_row_choice_table {
  int32_t (*redundant)(const trammel_row_choice* self);
  bool (*is_redundant)(const trammel_row_choice* self, int32_t row);
} trammel_row_choice_table;
struct trammel_row_choice {
  const trammel_row_choice_table* table;
};

#define TRAMMEL_COORDINATE_SIZES_ID "trammel.coordinate_sizes/1"

typedef struct trammel_coordinate_sizes_table {
  double (*largest_coordinate)(const trammel_coordinate_sizes* self, trammel_const_vector_view dq);
  double (*largest_row)(const trammel_coordinate_sizes* self, trammel_const_vector_view Phi);
} trammel_coordinate_sizes_table;
struct trammel_coordinate_sizes {
  const trammel_coordinate_sizes_table* table;
};

#define TRAMMEL_BLOCK_SOLVE_ID "trammel.block_solve/1"

typedef struct trammel_block_solve_table {
  void (*solve_block)(trammel_block_solve* self, double* unknowns, int32_t columns);
} trammel_block_solve_table;
struct trammel_block_solve {
  const trammel_block_solve_table* table;
};

#define TRAMMEL_PARTITION_SOLVE_ID "trammel.partition_solve/1"

typedef struct trammel_partition_solve_table {
  trammel_status (*choose_partition)(trammel_partition_solve* self, trammel_const_vector_view forced, trammel_vector_view independent);
  trammel_status (*factorize_dependent)(trammel_partition_solve* self, trammel_const_vector_view independent);
  void (*solve_dependent)(trammel_partition_solve* self, trammel_const_vector_view r, trammel_vector_view x);
  void (*solve_dependent_transpose)(trammel_partition_solve* self, trammel_const_vector_view f, trammel_vector_view y);
  double (*dependent_condition)(trammel_partition_solve* self, trammel_vector_view guess);
} trammel_partition_solve_table;
struct trammel_partition_solve {
  const trammel_partition_solve_table* table;
};

#define TRAMMEL_PARTITION_QUALITY_ID "trammel.partition_quality/1"

typedef struct trammel_partition_quality_table {
  void (*scales)(const trammel_partition_quality* self, trammel_vector_view scale);
  trammel_status (*choose_scaled)(trammel_partition_quality* self, trammel_const_vector_view scale, trammel_const_vector_view forced, trammel_vector_view independent);
  double (*amplification)(trammel_partition_quality* self, trammel_const_vector_view scale, trammel_const_vector_view independent, trammel_vector_view probe);
} trammel_partition_quality_table;
struct trammel_partition_quality {
  const trammel_partition_quality_table* table;
};

#define TRAMMEL_STATE_SPACE_DERIVATIVES_ID "trammel.state_space_derivatives/1"

typedef struct trammel_state_space_derivatives_table {
  void (*make_room)(trammel_state_space_derivatives* self, int32_t d);
  trammel_status (*reduce)(trammel_state_space_derivatives* self, trammel_const_vector_view independent, trammel_const_vector_view a, trammel_const_vector_view lambda, trammel_matrix_view M, trammel_matrix_view MJ1, trammel_matrix_view MJ2, trammel_vector_view MJt);
} trammel_state_space_derivatives_table;
struct trammel_state_space_derivatives {
  const trammel_state_space_derivatives_table* table;
};

#define TRAMMEL_FREQUENCY_BOUND_ID "trammel.frequency_bound/1"

typedef struct trammel_frequency_bound_table {
  double (*highest_frequency)(const trammel_frequency_bound* self);
} trammel_frequency_bound_table;
struct trammel_frequency_bound {
  const trammel_frequency_bound_table* table;
};

#define TRAMMEL_BODY_COLUMN_UNITS_ID "trammel.body_column_units/1"

typedef struct trammel_body_column_units_table {
  const char* (*column_unit)(const trammel_body_column_units* self, int32_t k);
  const char* (*acceleration_column_unit)(const trammel_body_column_units* self, int32_t k);
} trammel_body_column_units_table;
struct trammel_body_column_units {
  const trammel_body_column_units_table* table;
};

/* --- extensions/system_constraints.h */

typedef struct trammel_constraint_place {
  const char* name;
  const trammel_constraint* element;
  int32_t first_row, rows;
  int32_t velocity_rows;
} trammel_constraint_place;
TRAMMEL_ASSERT_SIZE(trammel_constraint_place, 32);

#define TRAMMEL_SYSTEM_CONSTRAINTS_ID "trammel.system_constraints/1"

typedef struct trammel_system_constraints_table {
  int32_t (*constraint_count)(const trammel_system_constraints* self);
  trammel_constraint_place (*constraint)(const trammel_system_constraints* self, int32_t i);
  int32_t (*intrinsic_row)(const trammel_system_constraints* self, int32_t body);
  const void* (*body_state)(const trammel_system_constraints* self, int32_t body);
  const double* (*jacobian_block)(const trammel_system_constraints* self, int32_t i, int32_t attached);
  const double* (*intrinsic_jacobian)(const trammel_system_constraints* self, int32_t body);
} trammel_system_constraints_table;
struct trammel_system_constraints {
  const trammel_system_constraints_table* table;
};

/* --- extensions/body_frames.h */

#define TRAMMEL_BODY_FRAMES_ID "trammel.body_frames/1"

typedef struct trammel_body_frames_table {
  bool (*has_frame)(const trammel_body_frames* self, int32_t body, const double* local);
  void (*frame)(const trammel_body_frames* self, int32_t body, const double* local, const void* state, void* frame);
  void (*jacobian)(const trammel_body_frames* self, int32_t body, const double* local, const void* state, double* J, double* kappa);
  void (*jacobian_gradient)(const trammel_body_frames* self, int32_t body, const double* local, const void* state, const double* x, double* out);
  void (*transpose_gradient)(const trammel_body_frames* self, int32_t body, const double* local, const void* state, const double* y, double* out);
  void (*kappa_gradient)(const trammel_body_frames* self, int32_t body, const double* local, const void* state, double* out_q, double* out_v);
} trammel_body_frames_table;
struct trammel_body_frames {
  const trammel_body_frames_table* table;
};

/* --- kkt_solver.h */

typedef struct trammel_jacobian_block {
  int32_t element;
  int32_t body;
  int32_t first_row;
  int32_t rows;
  int32_t offset;
  int32_t reduced_offset;
  int32_t column;
  int32_t columns;
  int32_t reduced_column, reduced_columns;
} trammel_jacobian_block;
TRAMMEL_ASSERT_SIZE(trammel_jacobian_block, 40);

typedef struct trammel_kkt_matrix {
  int32_t bodies;
  int32_t coordinates;
  int32_t reduced_coordinates;
  bool mixed;
  const int32_t* first;
  const int32_t* reduced_first;
  int32_t rows;
  int32_t intrinsic_rows;
  const int32_t* intrinsic_first;
  const trammel_jacobian_block* blocks;
  int32_t block_count;
  int32_t state_bytes;
  const double* Phi_q;
  const double* reduced;
  const double* intrinsic;
  const double* weight;
  unsigned char* dropped;
  const trammel_body_reduction* reduction;
  const void* states;
} trammel_kkt_matrix;
TRAMMEL_ASSERT_SIZE(trammel_kkt_matrix, 120);

typedef struct trammel_rank_watch {
  double smallest_kept;
  int32_t smallest_kept_row;
  double largest_dropped;
  int32_t largest_dropped_row;
  int32_t weak;
  int32_t weak_row;
} trammel_rank_watch;
TRAMMEL_ASSERT_SIZE(trammel_rank_watch, 40);

typedef struct trammel_linear_solver_traits {
  bool regular_inertia;
  bool reduced_blocks;
  bool equal_bodies;
} trammel_linear_solver_traits;
TRAMMEL_ASSERT_SIZE(trammel_linear_solver_traits, 3);

#define TRAMMEL_KKT_SOLVER_ID "trammel.linear_solver/1"

typedef struct trammel_kkt_solver_table {
  const void* (*extension)(const trammel_kkt_solver* self, const char* id);
  trammel_linear_solver_traits (*traits)(const trammel_kkt_solver* self);
  trammel_status (*analyse)(trammel_kkt_solver* self, const trammel_kkt_matrix* matrix);
  trammel_status (*factorize)(trammel_kkt_solver* self, const trammel_kkt_matrix* matrix);
  trammel_status (*solve)(trammel_kkt_solver* self, const trammel_kkt_matrix* matrix, trammel_const_vector_view f, trammel_const_vector_view g, trammel_vector_view x, trammel_vector_view lambda);
  const trammel_rank_watch* (*watch)(const trammel_kkt_solver* self);
} trammel_kkt_solver_table;
struct trammel_kkt_solver {
  const trammel_kkt_solver_table* table;
};

#define TRAMMEL_LINEAR_SOLVER_COST_ID "trammel.linear_solver_cost/1"

typedef struct trammel_linear_solver_cost_table {
  double (*cost)(const trammel_linear_solver_cost* self);
} trammel_linear_solver_cost_table;
struct trammel_linear_solver_cost {
  const trammel_linear_solver_cost_table* table;
};

#define TRAMMEL_KEEPS_ROWS_TO_ROUNDING_ID "trammel.keeps_rows_to_rounding/1"

typedef struct trammel_keeps_rows_to_rounding_table {
  trammel_status (*factorize_to_rounding)(trammel_keeps_rows_to_rounding* self, const trammel_kkt_matrix* matrix);
} trammel_keeps_rows_to_rounding_table;
struct trammel_keeps_rows_to_rounding {
  const trammel_keeps_rows_to_rounding_table* table;
};

/* --- extensions/least_solver_cost.h */

#define TRAMMEL_LEAST_SOLVER_COST_ID "trammel.least_solver_cost/1"

typedef struct trammel_least_solver_cost_table {
  double (*least_cost)(const trammel_least_solver_cost* self, const trammel_kkt_matrix* matrix);
} trammel_least_solver_cost_table;
struct trammel_least_solver_cost {
  const trammel_least_solver_cost_table* table;
};

/* --- extensions/factor_services.h */

typedef struct trammel_block_factor_table {
  trammel_status (*factorize)(trammel_block_factor* self, const trammel_kkt_matrix* matrix);
  trammel_status (*factorize_to_rounding)(trammel_block_factor* self, const trammel_kkt_matrix* matrix);
  void (*solve)(const trammel_block_factor* self, trammel_vector_view x);
  const trammel_rank_watch* (*watch)(const trammel_block_factor* self);
  double (*cost)(const trammel_block_factor* self);
} trammel_block_factor_table;
struct trammel_block_factor {
  const trammel_block_factor_table* table;
};

#define TRAMMEL_BLOCK_FACTORS_ID "trammel.block_factors/1"

typedef struct trammel_block_factors_table {
  trammel_block_factor* (*make_block_factor)(const trammel_block_factors* self, const trammel_kkt_matrix* matrix, trammel_refusal* refusal);
  void (*end_block_factor)(const trammel_block_factors* self, trammel_block_factor* factor);
  void (*add_products)(const trammel_block_factors* self, const trammel_kkt_matrix* matrix, bool reduced, const double* x, double* out);
  void (*subtract_transposed)(const trammel_block_factors* self, const trammel_kkt_matrix* matrix, bool reduced, const double* y, double* out);
} trammel_block_factors_table;
struct trammel_block_factors {
  const trammel_block_factors_table* table;
};

typedef struct trammel_sparse_factor_table {
  double* (*values)(trammel_sparse_factor* self);
  trammel_status (*factorize)(trammel_sparse_factor* self);
  void (*solve)(trammel_sparse_factor* self, double* x);
  double (*work)(trammel_sparse_factor* self);
} trammel_sparse_factor_table;
struct trammel_sparse_factor {
  const trammel_sparse_factor_table* table;
};

#define TRAMMEL_SPARSE_FACTORS_ID "trammel.sparse_factors/1"

typedef struct trammel_sparse_factors_table {
  trammel_sparse_factor* (*make_sparse_factor)(const trammel_sparse_factors* self, int32_t size, const int32_t* rows, const int32_t* columns, int32_t entries, trammel_refusal* refusal);
  void (*end_sparse_factor)(const trammel_sparse_factors* self, trammel_sparse_factor* factor);
} trammel_sparse_factors_table;
struct trammel_sparse_factors {
  const trammel_sparse_factors_table* table;
};
