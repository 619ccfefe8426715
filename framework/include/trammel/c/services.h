/* Part of c_plugin.h. Written by scripts/c_header from extensions/parameter_derivatives.h, extensions/accepted_step.h, extensions/velocity_rows.h, extensions/host_services.h. */
/* clang-format off */
#pragma once

/* --- extensions/parameter_derivatives.h */

typedef struct trammel_row_derivatives {
  trammel_vector_view Phi;
  trammel_vector_view velocity;
  trammel_vector_view acceleration;
  const trammel_vector_view* force;
} trammel_row_derivatives;
TRAMMEL_ASSERT_SIZE(trammel_row_derivatives, 56);

#define TRAMMEL_CONSTRAINT_PARAMETER_DERIVATIVES_ID "trammel.constraint_parameter_derivatives/1"

typedef struct trammel_constraint_parameter_derivatives_table {
  int32_t (*parameter_count)(const trammel_constraint_parameter_derivatives* self);
  const char* (*parameter_name)(const trammel_constraint_parameter_derivatives* self, int32_t i);
  trammel_status (*parameter_derivatives)(const trammel_constraint_parameter_derivatives* self, int32_t i, const trammel_element_state* s, const trammel_const_vector_view* a, trammel_const_vector_view lambda, const trammel_row_derivatives* out);
} trammel_constraint_parameter_derivatives_table;
struct trammel_constraint_parameter_derivatives {
  const trammel_constraint_parameter_derivatives_table* table;
};

typedef struct trammel_force_derivatives {
  const trammel_vector_view* Q;
  trammel_vector_view z_rate;
  double* potential;
} trammel_force_derivatives;
TRAMMEL_ASSERT_SIZE(trammel_force_derivatives, 32);

#define TRAMMEL_FORCE_PARAMETER_DERIVATIVES_ID "trammel.force_parameter_derivatives/1"

typedef struct trammel_force_parameter_derivatives_table {
  int32_t (*parameter_count)(const trammel_force_parameter_derivatives* self);
  const char* (*parameter_name)(const trammel_force_parameter_derivatives* self, int32_t i);
  trammel_status (*parameter_derivatives)(const trammel_force_parameter_derivatives* self, int32_t i, const trammel_element_state* s, const trammel_force_derivatives* out);
} trammel_force_parameter_derivatives_table;
struct trammel_force_parameter_derivatives {
  const trammel_force_parameter_derivatives_table* table;
};

typedef struct trammel_body_derivatives {
  trammel_vector_view residual;
  double* kinetic;
  double* potential;
} trammel_body_derivatives;
TRAMMEL_ASSERT_SIZE(trammel_body_derivatives, 32);

#define TRAMMEL_BODY_PARAMETER_DERIVATIVES_ID "trammel.body_parameter_derivatives/1"

typedef struct trammel_body_parameter_derivatives_table {
  int32_t (*parameter_count)(const trammel_body_parameter_derivatives* self, int32_t body);
  const char* (*parameter_name)(const trammel_body_parameter_derivatives* self, int32_t body, int32_t i);
  trammel_status (*parameter_derivatives)(const trammel_body_parameter_derivatives* self, int32_t body, int32_t i, double t, const void* state, trammel_const_vector_view a, const trammel_body_derivatives* out);
} trammel_body_parameter_derivatives_table;
struct trammel_body_parameter_derivatives {
  const trammel_body_parameter_derivatives_table* table;
};

/* --- extensions/accepted_step.h */

#define TRAMMEL_ACCEPTED_MEMORY_ID "trammel.accepted_memory/1"

typedef struct trammel_accepted_memory_table {
  int32_t (*memory_size)(const trammel_accepted_memory* self);
  trammel_status (*initial_memory)(const trammel_accepted_memory* self, const trammel_element_state* s, trammel_vector_view memory);
  trammel_status (*accepted)(const trammel_accepted_memory* self, const trammel_element_state* s, trammel_vector_view memory);
} trammel_accepted_memory_table;
struct trammel_accepted_memory {
  const trammel_accepted_memory_table* table;
};

typedef struct trammel_accepted_step {
  double t;
  const double* const* a;
  const double* const* lambda;
} trammel_accepted_step;
TRAMMEL_ASSERT_SIZE(trammel_accepted_step, 24);

#define TRAMMEL_SEES_ACCEPTED_STEP_ID "trammel.sees_accepted_step/1"

typedef struct trammel_sees_accepted_step_table {
  int32_t (*seen_count)(const trammel_sees_accepted_step* self);
  trammel_element_ref (*seen)(const trammel_sees_accepted_step* self, int32_t i);
} trammel_sees_accepted_step_table;
struct trammel_sees_accepted_step {
  const trammel_sees_accepted_step_table* table;
};

/* --- extensions/velocity_rows.h */

typedef struct trammel_velocity_row_output {
  const trammel_matrix_view* B;
  trammel_vector_view b;
  trammel_vector_view gamma;
} trammel_velocity_row_output;
TRAMMEL_ASSERT_SIZE(trammel_velocity_row_output, 40);

typedef struct trammel_velocity_row_time_derivatives {
  const trammel_matrix_view* b_q;
  trammel_vector_view drift;
  trammel_vector_view acceleration_t;
} trammel_velocity_row_time_derivatives;
TRAMMEL_ASSERT_SIZE(trammel_velocity_row_time_derivatives, 40);

#define TRAMMEL_VELOCITY_ROWS_ID "trammel.velocity_rows/1"

typedef struct trammel_velocity_rows_table {
  int32_t (*velocity_row_count)(const trammel_velocity_rows* self);
  bool (*velocity_rows_driven)(const trammel_velocity_rows* self);
  trammel_status (*velocity_rows)(const trammel_velocity_rows* self, const trammel_element_state* s, const trammel_velocity_row_output* out);
  trammel_status (*velocity_row_gradient)(const trammel_velocity_rows* self, const trammel_element_state* s, const trammel_const_vector_view* x, const trammel_matrix_view* out);
  trammel_status (*velocity_multiplier_gradient)(const trammel_velocity_rows* self, const trammel_element_state* s, trammel_const_vector_view lambda, const trammel_matrix_view* out);
  trammel_status (*velocity_acceleration_gradient)(const trammel_velocity_rows* self, const trammel_element_state* s, const trammel_const_vector_view* a, const trammel_matrix_view* out_q, const trammel_matrix_view* out_v);
  trammel_status (*velocity_time_derivatives)(const trammel_velocity_rows* self, const trammel_element_state* s, const trammel_const_vector_view* a, const trammel_velocity_row_time_derivatives* out);
} trammel_velocity_rows_table;
struct trammel_velocity_rows {
  const trammel_velocity_rows_table* table;
};

/* --- extensions/host_services.h */

#define TRAMMEL_RUN_LOG_ID "trammel.run_log/1"

typedef struct trammel_run_log_table {
  void (*warn)(const trammel_run_log* self, const char* text);
  void (*note)(const trammel_run_log* self, const char* text);
} trammel_run_log_table;
struct trammel_run_log {
  const trammel_run_log_table* table;
};

#define TRAMMEL_RUN_CLOCK_ID "trammel.run_clock/1"

typedef struct trammel_run_clock_table {
  double (*time)(const trammel_run_clock* self);
  double (*step)(const trammel_run_clock* self);
  int64_t (*steps)(const trammel_run_clock* self);
} trammel_run_clock_table;
struct trammel_run_clock {
  const trammel_run_clock_table* table;
};

#define TRAMMEL_CHANNEL_VALUES_ID "trammel.channel_values/1"

typedef struct trammel_channel_values_table {
  int32_t (*find_channel)(const trammel_channel_values* self, const char* name);
  double (*channel_value)(const trammel_channel_values* self, int32_t channel);
} trammel_channel_values_table;
struct trammel_channel_values {
  const trammel_channel_values_table* table;
};

#define TRAMMEL_FUNCTION_MAKER_ID "trammel.function_maker/1"

typedef struct trammel_function_maker_table {
  const trammel_function* (*make_function)(const trammel_function_maker* self, const char* json, trammel_refusal* refusal);
} trammel_function_maker_table;
struct trammel_function_maker {
  const trammel_function_maker_table* table;
};

#define TRAMMEL_WORKERS_ID "trammel.workers/1"

typedef struct trammel_workers_table {
  int32_t (*worker_count)(const trammel_workers* self);
} trammel_workers_table;
struct trammel_workers {
  const trammel_workers_table* table;
};
