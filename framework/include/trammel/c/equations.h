/* Part of c_plugin.h. Written by scripts/c_header from ode_system.h, second_order_system.h, constrained_layout.h, constrained_equations.h, constrained_solve.h, constrained_linearization.h, implicit_solve.h, constrained_system.h. */
/* clang-format off */
#pragma once

/* --- ode_system.h */

typedef struct trammel_ode_system_table {
  const void* (*extension)(const trammel_ode_system* self, const char* id);
  int32_t (*size)(const trammel_ode_system* self);
  trammel_status (*rhs)(trammel_ode_system* self, double t, trammel_const_vector_view y, trammel_vector_view f);
  trammel_status (*jacobian)(trammel_ode_system* self, double t, trammel_const_vector_view y, trammel_matrix_view f_y);
  trammel_status (*time_gradient)(trammel_ode_system* self, double t, trammel_const_vector_view y, trammel_vector_view f_t);
  trammel_const_vector_view (*mask)(const trammel_ode_system* self);
} trammel_ode_system_table;
struct trammel_ode_system {
  const trammel_ode_system_table* table;
};

/* --- second_order_system.h */

typedef struct trammel_second_order_system_table {
  const void* (*extension)(const trammel_second_order_system* self, const char* id);
  int32_t (*size)(const trammel_second_order_system* self);
  trammel_status (*acceleration)(trammel_second_order_system* self, double t, trammel_const_vector_view x, trammel_const_vector_view x_dot, trammel_vector_view a);
  trammel_status (*apply_mass)(trammel_second_order_system* self, trammel_const_vector_view y, trammel_vector_view out);
  trammel_status (*linearize)(trammel_second_order_system* self, double t, trammel_const_vector_view x, trammel_const_vector_view x_dot);
  trammel_status (*apply_J1)(trammel_second_order_system* self, trammel_const_vector_view y, trammel_vector_view out);
  trammel_status (*apply_J2)(trammel_second_order_system* self, trammel_const_vector_view y, trammel_vector_view out);
  trammel_status (*time_gradient)(trammel_second_order_system* self, trammel_vector_view out);
  trammel_status (*prepare)(trammel_second_order_system* self, int32_t first, const trammel_shift* shifts, int32_t count);
  trammel_status (*solve)(trammel_second_order_system* self, int32_t handle, trammel_const_vector_view r, trammel_vector_view z);
  trammel_status (*solve_complex)(trammel_second_order_system* self, int32_t handle, trammel_const_complex_view r, trammel_complex_view z);
  trammel_const_vector_view (*mask)(const trammel_second_order_system* self);
} trammel_second_order_system_table;
struct trammel_second_order_system {
  const trammel_second_order_system_table* table;
};

/* --- constrained_layout.h */

typedef struct trammel_constrained_layout_table {
  const void* (*extension)(const trammel_constrained_layout* self, const char* id);
  int32_t (*coordinates)(const trammel_constrained_layout* self);
  int32_t (*constraints)(const trammel_constrained_layout* self);
  int32_t (*internal_states)(const trammel_constrained_layout* self);
  const char* (*coordinate_name)(const trammel_constrained_layout* self, int32_t i);
  const char* (*row_name)(const trammel_constrained_layout* self, int32_t i);
  bool (*rheonomic)(const trammel_constrained_layout* self);
  trammel_const_vector_view (*mask)(const trammel_constrained_layout* self);
} trammel_constrained_layout_table;
struct trammel_constrained_layout {
  const trammel_constrained_layout_table* table;
};

/* --- constrained_equations.h */

enum {
  trammel_evaluation_part_evaluate_Phi = 1u, trammel_evaluation_part_evaluate_jacobian = 2u,
  trammel_evaluation_part_evaluate_nu = 4u, trammel_evaluation_part_evaluate_gamma = 8u,
  trammel_evaluation_part_evaluate_force = 16u, trammel_evaluation_part_evaluate_solve = 32u,
  trammel_evaluation_part_evaluate_dynamics = trammel_evaluation_part_evaluate_solve |
  trammel_evaluation_part_evaluate_gamma | trammel_evaluation_part_evaluate_force
};
typedef unsigned trammel_evaluation_part;

typedef struct trammel_constrained_equations_table {
  const void* (*extension)(const trammel_constrained_equations* self, const char* id);
  int32_t (*coordinates)(const trammel_constrained_equations* self);
  int32_t (*constraints)(const trammel_constrained_equations* self);
  int32_t (*internal_states)(const trammel_constrained_equations* self);
  const char* (*coordinate_name)(const trammel_constrained_equations* self, int32_t i);
  const char* (*row_name)(const trammel_constrained_equations* self, int32_t i);
  bool (*rheonomic)(const trammel_constrained_equations* self);
  trammel_const_vector_view (*mask)(const trammel_constrained_equations* self);
  trammel_status (*evaluate)(trammel_constrained_equations* self, double t, trammel_const_vector_view q, trammel_const_vector_view v, trammel_const_vector_view z, unsigned parts);
  trammel_const_vector_view (*Phi)(const trammel_constrained_equations* self);
  trammel_const_vector_view (*nu)(const trammel_constrained_equations* self);
  trammel_const_vector_view (*gamma)(const trammel_constrained_equations* self);
  trammel_const_vector_view (*Q)(const trammel_constrained_equations* self);
  trammel_const_vector_view (*z_rate)(const trammel_constrained_equations* self);
  void (*apply_jacobian)(const trammel_constrained_equations* self, trammel_const_vector_view x, trammel_vector_view out);
  void (*apply_jacobian_transpose)(const trammel_constrained_equations* self, trammel_const_vector_view y, trammel_vector_view out);
  void (*apply_mass)(const trammel_constrained_equations* self, trammel_const_vector_view x, trammel_vector_view out);
} trammel_constrained_equations_table;
struct trammel_constrained_equations {
  const trammel_constrained_equations_table* table;
};

/* --- constrained_solve.h */

enum {
  trammel_projection_weights_mass, trammel_projection_weights_identity
};
typedef int32_t trammel_projection_weights;

typedef struct trammel_constrained_solve_table {
  const void* (*extension)(const trammel_constrained_solve* self, const char* id);
  int32_t (*coordinates)(const trammel_constrained_solve* self);
  int32_t (*constraints)(const trammel_constrained_solve* self);
  int32_t (*internal_states)(const trammel_constrained_solve* self);
  const char* (*coordinate_name)(const trammel_constrained_solve* self, int32_t i);
  const char* (*row_name)(const trammel_constrained_solve* self, int32_t i);
  bool (*rheonomic)(const trammel_constrained_solve* self);
  trammel_const_vector_view (*mask)(const trammel_constrained_solve* self);
  trammel_status (*evaluate)(trammel_constrained_solve* self, double t, trammel_const_vector_view q, trammel_const_vector_view v, trammel_const_vector_view z, unsigned parts);
  trammel_const_vector_view (*Phi)(const trammel_constrained_solve* self);
  trammel_const_vector_view (*nu)(const trammel_constrained_solve* self);
  trammel_const_vector_view (*gamma)(const trammel_constrained_solve* self);
  trammel_const_vector_view (*Q)(const trammel_constrained_solve* self);
  trammel_const_vector_view (*z_rate)(const trammel_constrained_solve* self);
  void (*apply_jacobian)(const trammel_constrained_solve* self, trammel_const_vector_view x, trammel_vector_view out);
  void (*apply_jacobian_transpose)(const trammel_constrained_solve* self, trammel_const_vector_view y, trammel_vector_view out);
  void (*apply_mass)(const trammel_constrained_solve* self, trammel_const_vector_view x, trammel_vector_view out);
  trammel_status (*factorize)(trammel_constrained_solve* self, trammel_projection_weights weights);
  trammel_status (*solve)(trammel_constrained_solve* self, trammel_const_vector_view f, trammel_const_vector_view g, trammel_vector_view x, trammel_vector_view lambda);
} trammel_constrained_solve_table;
struct trammel_constrained_solve {
  const trammel_constrained_solve_table* table;
};

/* --- constrained_linearization.h */

typedef struct trammel_constrained_linearization_table {
  trammel_status (*linearize)(trammel_constrained_linearization* self, trammel_const_vector_view a, trammel_const_vector_view lambda);
  trammel_status (*apply_linearization)(trammel_constrained_linearization* self, trammel_const_vector_view dq, trammel_const_vector_view dv, trammel_vector_view f, trammel_vector_view g);
  trammel_status (*apply_jacobian_gradient)(trammel_constrained_linearization* self, trammel_const_vector_view x, trammel_const_vector_view y, trammel_vector_view out);
  trammel_status (*apply_time_jacobian)(trammel_constrained_linearization* self, trammel_const_vector_view y, trammel_vector_view out);
  trammel_status (*time_gradients)(trammel_constrained_linearization* self, trammel_const_vector_view a, trammel_vector_view Q_t, trammel_vector_view Phi_tt, trammel_vector_view acceleration_t);
} trammel_constrained_linearization_table;
struct trammel_constrained_linearization {
  const trammel_constrained_linearization_table* table;
};

typedef struct trammel_internal_state_linearization_table {
  trammel_status (*apply_internal_linearization)(trammel_internal_state_linearization* self, trammel_const_vector_view dq, trammel_const_vector_view dv, trammel_const_vector_view dz, trammel_vector_view f, trammel_vector_view r);
  trammel_status (*internal_time_gradient)(trammel_internal_state_linearization* self, trammel_vector_view r);
} trammel_internal_state_linearization_table;
struct trammel_internal_state_linearization {
  const trammel_internal_state_linearization_table* table;
};

/* --- implicit_solve.h */

typedef struct trammel_implicit_solve_table {
  trammel_status (*prepare)(trammel_implicit_solve* self, int32_t first, const trammel_shift* shifts, int32_t count);
  trammel_status (*solve_implicit)(trammel_implicit_solve* self, int32_t handle, trammel_const_vector_view f, trammel_const_vector_view g, trammel_vector_view x, trammel_vector_view lambda);
  trammel_status (*solve_implicit_complex)(trammel_implicit_solve* self, int32_t handle, trammel_const_complex_view f, trammel_const_complex_view g, trammel_complex_view x, trammel_complex_view lambda);
} trammel_implicit_solve_table;
struct trammel_implicit_solve {
  const trammel_implicit_solve_table* table;
};

/* --- constrained_system.h */

typedef struct trammel_projection_report {
  int32_t iterations;
  double correction;
  double violation;
} trammel_projection_report;
TRAMMEL_ASSERT_SIZE(trammel_projection_report, 24);

typedef struct trammel_constrained_system_table {
  const void* (*extension)(const trammel_constrained_system* self, const char* id);
  int32_t (*coordinates)(const trammel_constrained_system* self);
  int32_t (*constraints)(const trammel_constrained_system* self);
  int32_t (*internal_states)(const trammel_constrained_system* self);
  const char* (*coordinate_name)(const trammel_constrained_system* self, int32_t i);
  const char* (*row_name)(const trammel_constrained_system* self, int32_t i);
  bool (*rheonomic)(const trammel_constrained_system* self);
  trammel_const_vector_view (*mask)(const trammel_constrained_system* self);
  trammel_status (*evaluate)(trammel_constrained_system* self, double t, trammel_const_vector_view q, trammel_const_vector_view v, trammel_const_vector_view z, unsigned parts);
  trammel_const_vector_view (*Phi)(const trammel_constrained_system* self);
  trammel_const_vector_view (*nu)(const trammel_constrained_system* self);
  trammel_const_vector_view (*gamma)(const trammel_constrained_system* self);
  trammel_const_vector_view (*Q)(const trammel_constrained_system* self);
  trammel_const_vector_view (*z_rate)(const trammel_constrained_system* self);
  void (*apply_jacobian)(const trammel_constrained_system* self, trammel_const_vector_view x, trammel_vector_view out);
  void (*apply_jacobian_transpose)(const trammel_constrained_system* self, trammel_const_vector_view y, trammel_vector_view out);
  void (*apply_mass)(const trammel_constrained_system* self, trammel_const_vector_view x, trammel_vector_view out);
  trammel_status (*factorize)(trammel_constrained_system* self, trammel_projection_weights weights);
  trammel_status (*solve)(trammel_constrained_system* self, trammel_const_vector_view f, trammel_const_vector_view g, trammel_vector_view x, trammel_vector_view lambda);
  trammel_status (*project_positions)(trammel_constrained_system* self, double t, trammel_vector_view q, trammel_projection_weights weights, double tolerance, trammel_projection_report* report);
  trammel_status (*project_velocities)(trammel_constrained_system* self, double t, trammel_const_vector_view q, trammel_vector_view v, trammel_projection_weights weights, trammel_projection_report* report);
  trammel_status (*project_tangent)(trammel_constrained_system* self, trammel_vector_view dq);
  trammel_constrained_linearization* (*linearization)(trammel_constrained_system* self);
  trammel_implicit_solve* (*implicit_solve)(trammel_constrained_system* self);
  trammel_internal_state_linearization* (*internal_linearization)(trammel_constrained_system* self);
} trammel_constrained_system_table;
struct trammel_constrained_system {
  const trammel_constrained_system_table* table;
};
