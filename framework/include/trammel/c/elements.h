/* Part of c_plugin.h. Written by scripts/c_header from function.h, constraint.h, force.h, metric.h, writer.h, extensions/element_extensions.h, extensions/event.h, extensions/contact.h, extensions/drawing.h, extensions/force_claims.h, extensions/function_bounds.h. */
/* clang-format off */
#pragma once

/* --- function.h */

#define TRAMMEL_FUNCTION_ID "trammel.function/1"

typedef struct trammel_function_table {
  const void* (*extension)(const trammel_function* self, const char* id);
  trammel_status (*evaluate)(const trammel_function* self, double x, int order, double* value);
  int (*max_order)(const trammel_function* self);
  int32_t (*break_points)(const trammel_function* self, double* x, int32_t capacity);
} trammel_function_table;
struct trammel_function {
  const trammel_function_table* table;
};

#define TRAMMEL_FUNCTION_SWITCHES_ID "trammel.function_switches/1"

typedef struct trammel_function_switches_table {
  int32_t (*switch_count)(const trammel_function_switches* self);
  void (*switch_values)(const trammel_function_switches* self, double x, double* out);
} trammel_function_switches_table;
struct trammel_function_switches {
  const trammel_function_switches_table* table;
};

#define TRAMMEL_FUNCTION_INTEGRAL_ID "trammel.function_integral/1"

typedef struct trammel_function_integral_table {
  trammel_status (*antiderivative)(const trammel_function_integral* self, double x, double* value);
} trammel_function_integral_table;
struct trammel_function_integral {
  const trammel_function_integral_table* table;
};

/* --- constraint.h */

typedef struct trammel_constraint_output {
  trammel_vector_view Phi;
  const trammel_matrix_view* Phi_q;
  trammel_vector_view nu;
  trammel_vector_view gamma;
} trammel_constraint_output;
TRAMMEL_ASSERT_SIZE(trammel_constraint_output, 56);

typedef struct trammel_constraint_time_derivatives {
  const trammel_matrix_view* Phi_tq;
  trammel_vector_view Phi_tt;
  trammel_vector_view acceleration_t;
} trammel_constraint_time_derivatives;
TRAMMEL_ASSERT_SIZE(trammel_constraint_time_derivatives, 40);

#define TRAMMEL_CONSTRAINT_ID "trammel.constraint/1"

typedef struct trammel_constraint_table {
  const void* (*extension)(const trammel_constraint* self, const char* id);
  int32_t (*rows)(const trammel_constraint* self);
  int32_t (*body_count)(const trammel_constraint* self);
  trammel_body_ref (*body)(const trammel_constraint* self, int32_t i);
  trammel_status (*evaluate)(const trammel_constraint* self, const trammel_element_state* s, const trammel_constraint_output* out);
  trammel_status (*jacobian_gradient)(const trammel_constraint* self, const trammel_element_state* s, const trammel_const_vector_view* x, const trammel_matrix_view* out);
  trammel_status (*multiplier_gradient)(const trammel_constraint* self, const trammel_element_state* s, trammel_const_vector_view lambda, const trammel_matrix_view* out);
  trammel_status (*acceleration_gradient)(const trammel_constraint* self, const trammel_element_state* s, const trammel_const_vector_view* a, const trammel_matrix_view* out_q, const trammel_matrix_view* out_v);
  trammel_status (*time_derivatives)(const trammel_constraint* self, const trammel_element_state* s, const trammel_const_vector_view* a, const trammel_constraint_time_derivatives* out);
  bool (*rheonomic)(const trammel_constraint* self);
} trammel_constraint_table;
struct trammel_constraint {
  const trammel_constraint_table* table;
};

/* --- force.h */

typedef struct trammel_force_energy {
  double potential;
  double dissipation;
  double work;
} trammel_force_energy;
TRAMMEL_ASSERT_SIZE(trammel_force_energy, 24);

typedef struct trammel_internal_gradients {
  const trammel_matrix_view* Q_z;
  const trammel_matrix_view* rate_q;
  const trammel_matrix_view* rate_v;
  trammel_matrix_view rate_z;
  trammel_vector_view rate_t;
} trammel_internal_gradients;
TRAMMEL_ASSERT_SIZE(trammel_internal_gradients, 64);

#define TRAMMEL_FORCE_ELEMENT_ID "trammel.force/1"

typedef struct trammel_force_element_table {
  const void* (*extension)(const trammel_force_element* self, const char* id);
  int32_t (*body_count)(const trammel_force_element* self);
  trammel_body_ref (*body)(const trammel_force_element* self, int32_t i);
  trammel_status (*force)(const trammel_force_element* self, const trammel_element_state* s, const trammel_vector_view* Q);
  trammel_status (*gradients)(const trammel_force_element* self, const trammel_element_state* s, const trammel_matrix_view* Q_q, const trammel_matrix_view* Q_v);
  trammel_status (*time_gradient)(const trammel_force_element* self, const trammel_element_state* s, const trammel_vector_view* Q_t);
  trammel_status (*energy)(const trammel_force_element* self, const trammel_element_state* s, trammel_force_energy* energy);
  int32_t (*internal_states)(const trammel_force_element* self);
  void (*initial_internal_states)(const trammel_force_element* self, trammel_vector_view z);
  trammel_status (*internal_rate)(const trammel_force_element* self, const trammel_element_state* s, trammel_vector_view z_rate);
  trammel_status (*internal_gradients)(const trammel_force_element* self, const trammel_element_state* s, const trammel_internal_gradients* out);
} trammel_force_element_table;
struct trammel_force_element {
  const trammel_force_element_table* table;
};

/* --- metric.h */

typedef struct trammel_metric_sample {
  double t;
  double h;
  trammel_const_vector_view values;
} trammel_metric_sample;
TRAMMEL_ASSERT_SIZE(trammel_metric_sample, 32);

#define TRAMMEL_METRIC_ID "trammel.metric/1"

typedef struct trammel_metric_table {
  const void* (*extension)(const trammel_metric* self, const char* id);
  int32_t (*channel_count)(const trammel_metric* self);
  const char* (*channel)(const trammel_metric* self, int32_t i);
  trammel_memory_size (*memory)(const trammel_metric* self);
  trammel_status (*accumulate)(const trammel_metric* self, const trammel_metric_sample* sample, const trammel_memory* memory);
  int32_t (*result_count)(const trammel_metric* self);
  const char* (*result_name)(const trammel_metric* self, int32_t i);
  double (*result)(const trammel_metric* self, int32_t i, const trammel_memory* memory);
} trammel_metric_table;
struct trammel_metric {
  const trammel_metric_table* table;
};

/* --- writer.h */

typedef struct trammel_writer_column {
  const char* name;
  const char* unit;
} trammel_writer_column;
TRAMMEL_ASSERT_SIZE(trammel_writer_column, 16);

typedef struct trammel_writer_note {
  const char* key;
  const char* text;
} trammel_writer_note;
TRAMMEL_ASSERT_SIZE(trammel_writer_note, 16);

typedef struct trammel_writer_run {
  uint32_t struct_size;
  int32_t column_count;
  int32_t note_count;
  const char* file;
  const trammel_writer_column* columns;
  const trammel_writer_note* notes;
} trammel_writer_run;
TRAMMEL_ASSERT_SIZE(trammel_writer_run, 40);

#define TRAMMEL_WRITER_ID "trammel.writer/1"

typedef struct trammel_writer_table {
  const void* (*extension)(const trammel_writer* self, const char* id);
  const char* (*file_extension)(const trammel_writer* self);
  bool (*begin)(trammel_writer* self, const trammel_writer_run* run, trammel_refusal* refusal);
  bool (*resume)(trammel_writer* self, const trammel_writer_run* run, int64_t mark, trammel_refusal* refusal);
  bool (*row)(trammel_writer* self, trammel_const_vector_view values, trammel_refusal* refusal);
  bool (*sync)(trammel_writer* self, int64_t* mark, trammel_refusal* refusal);
  bool (*close)(trammel_writer* self, const trammel_writer_note* notes, int32_t note_count, trammel_refusal* refusal);
} trammel_writer_table;
struct trammel_writer {
  const trammel_writer_table* table;
};

#define TRAMMEL_ROW_READER_ID "trammel.row_reader/1"

typedef struct trammel_row_reader_table {
  bool (*open)(trammel_row_reader* self, const char* file, trammel_refusal* refusal);
  int32_t (*column_count)(const trammel_row_reader* self);
  int64_t (*row_count)(const trammel_row_reader* self);
  trammel_writer_column (*column)(const trammel_row_reader* self, int32_t column);
  bool (*read)(trammel_row_reader* self, int32_t column, int64_t first, int64_t count, double* values, trammel_refusal* refusal);
} trammel_row_reader_table;
struct trammel_row_reader {
  const trammel_row_reader_table* table;
};

/* --- extensions/element_extensions.h */

#define TRAMMEL_COUNTED_ANGLES_ID "trammel.counted_angles/1"

typedef struct trammel_counted_angles_table {
  int32_t (*angle_count)(const trammel_counted_angles* self);
  void (*initial_angles)(const trammel_counted_angles* self, trammel_vector_view angle);
  void (*angles)(const trammel_counted_angles* self, const trammel_element_state* s, trammel_vector_view angle);
} trammel_counted_angles_table;
struct trammel_counted_angles {
  const trammel_counted_angles_table* table;
};

#define TRAMMEL_ELEMENT_CHANNELS_ID "trammel.channels/1"

typedef struct trammel_element_channels_table {
  int32_t (*channel_count)(const trammel_element_channels* self);
  const char* (*channel_name)(const trammel_element_channels* self, int32_t i);
  const char* (*channel_unit)(const trammel_element_channels* self, int32_t i);
  trammel_status (*channel_values)(const trammel_element_channels* self, const trammel_element_state* s, trammel_vector_view out);
} trammel_element_channels_table;
struct trammel_element_channels {
  const trammel_element_channels_table* table;
};

#define TRAMMEL_JOINT_COORDINATES_ID "trammel.joint_coordinates/1"

typedef struct trammel_joint_coordinates_table {
  int32_t (*coordinate_count)(const trammel_joint_coordinates* self);
  const char* (*coordinate_name)(const trammel_joint_coordinates* self, int32_t i);
  const trammel_constraint* (*coordinate)(const trammel_joint_coordinates* self, int32_t i);
} trammel_joint_coordinates_table;
struct trammel_joint_coordinates {
  const trammel_joint_coordinates_table* table;
};

#define TRAMMEL_REACTION_POINT_ID "trammel.reaction_point/1"

typedef struct trammel_reaction_point_table {
  int32_t (*reaction_body)(const trammel_reaction_point* self);
  void (*reaction_point)(const trammel_reaction_point* self, const trammel_element_state* s, double* point);
} trammel_reaction_point_table;
struct trammel_reaction_point {
  const trammel_reaction_point_table* table;
};

#define TRAMMEL_STATE_FUNCTIONS_ID "trammel.state_functions/1"

typedef struct trammel_state_functions_table {
  int32_t (*state_function_count)(const trammel_state_functions* self);
  const trammel_function* (*state_function)(const trammel_state_functions* self, int32_t i);
  trammel_status (*state_function_arguments)(const trammel_state_functions* self, const trammel_element_state* s, trammel_vector_view value, trammel_vector_view rate);
} trammel_state_functions_table;
struct trammel_state_functions {
  const trammel_state_functions_table* table;
};

typedef struct trammel_box {
  const double* x[2];
  const double* rate[2];
  double t[2];
} trammel_box;
TRAMMEL_ASSERT_SIZE(trammel_box, 48);

#define TRAMMEL_STATE_LAWS_ID "trammel.state_laws/1"

typedef struct trammel_state_laws_table {
  int32_t (*law_count)(const trammel_state_laws* self);
  int32_t (*law_argument_count)(const trammel_state_laws* self);
  trammel_status (*law_places)(const trammel_state_laws* self, const trammel_element_state* s, trammel_vector_view x, trammel_vector_view rate);
  trammel_status (*law)(const trammel_state_laws* self, int32_t i, const double* x, const double* rate, double t, double* force);
  trammel_status (*law_bounds)(const trammel_state_laws* self, int32_t i, const trammel_box* box, double* force);
} trammel_state_laws_table;
struct trammel_state_laws {
  const trammel_state_laws_table* table;
};

#define TRAMMEL_LAW_SWITCHES_ID "trammel.law_switches/1"

typedef struct trammel_law_switches_table {
  int32_t (*switch_count)(const trammel_law_switches* self);
  const char* (*switch_name)(const trammel_law_switches* self, int32_t i);
  trammel_status (*switch_values)(const trammel_law_switches* self, const trammel_element_state* s, trammel_vector_view out);
} trammel_law_switches_table;
struct trammel_law_switches {
  const trammel_law_switches_table* table;
};

#define TRAMMEL_DRIVER_EFFORT_ID "trammel.driver_effort/1"

typedef struct trammel_driver_effort_table {
  double (*effort_sign)(const trammel_driver_effort* self);
} trammel_driver_effort_table;
struct trammel_driver_effort {
  const trammel_driver_effort_table* table;
};

/* --- extensions/event.h */

enum {
  trammel_event_direction_both = 0, trammel_event_direction_rising = 1, trammel_event_direction_falling = -1
};
typedef int32_t trammel_event_direction;

enum {
  trammel_event_action_record, trammel_event_action_stop, trammel_event_action_restart
};
typedef int32_t trammel_event_action;

#define TRAMMEL_EVENT_SOURCE_ID "trammel.events/1"

typedef struct trammel_event_source_table {
  int32_t (*event_count)(const trammel_event_source* self);
  const char* (*event_name)(const trammel_event_source* self, int32_t i);
  trammel_event_direction (*event_direction)(const trammel_event_source* self, int32_t i);
  trammel_event_action (*event_action)(const trammel_event_source* self, int32_t i);
  trammel_status (*event_values)(const trammel_event_source* self, const trammel_element_state* s, trammel_vector_view out);
} trammel_event_source_table;
struct trammel_event_source {
  const trammel_event_source_table* table;
};

/* --- extensions/contact.h */

#define TRAMMEL_UNILATERAL_CONTACT_ID "trammel.unilateral_contact/1"

typedef struct trammel_unilateral_contact_table {
  const trammel_constraint* (*gap)(const trammel_unilateral_contact* self);
  double (*restitution)(const trammel_unilateral_contact* self, double approach_speed);
  double (*rest_speed)(const trammel_unilateral_contact* self);
} trammel_unilateral_contact_table;
struct trammel_unilateral_contact {
  const trammel_unilateral_contact_table* table;
};

/* --- extensions/drawing.h */

enum {
  trammel_symbol_nothing, trammel_symbol_point, trammel_symbol_hinge, trammel_symbol_slider,
  trammel_symbol_hinge_slider, trammel_symbol_rod, trammel_symbol_spring, trammel_symbol_damper,
  trammel_symbol_spring_damper, trammel_symbol_actuator, trammel_symbol_curve
};
typedef int32_t trammel_symbol;

typedef struct trammel_sketch_table {
  const void* (*extension)(const trammel_sketch* self, const char* id);
  void (*symbol)(trammel_sketch* self, trammel_symbol symbol);
  void (*point)(trammel_sketch* self, int32_t body, const double* xyz);
  void (*axis)(trammel_sketch* self, int32_t body, const double* xyz);
  void (*curve_point)(trammel_sketch* self, const double* xyz);
} trammel_sketch_table;
struct trammel_sketch {
  const trammel_sketch_table* table;
};

#define TRAMMEL_DRAWING_ID "trammel.drawing/1"

typedef struct trammel_drawing_table {
  void (*draw)(const trammel_drawing* self, trammel_sketch* sketch);
} trammel_drawing_table;
struct trammel_drawing {
  const trammel_drawing_table* table;
};

/* --- extensions/force_claims.h */

#define TRAMMEL_FORCE_CLAIMS_ID "trammel.force_claims/1"

typedef struct trammel_force_claims_table {
  bool (*objective)(const trammel_force_claims* self);
  bool (*turns_about_gravity)(const trammel_force_claims* self);
  bool (*passive)(const trammel_force_claims* self);
} trammel_force_claims_table;
struct trammel_force_claims {
  const trammel_force_claims_table* table;
};

/* --- extensions/function_bounds.h */

#define TRAMMEL_FUNCTION_BOUNDS_ID "trammel.function_bounds/1"

typedef struct trammel_function_bounds_table {
  trammel_status (*bounds)(const trammel_function_bounds* self, double from, double to, double* range);
} trammel_function_bounds_table;
struct trammel_function_bounds {
  const trammel_function_bounds_table* table;
};
