/* Part of c_plugin.h. Written by scripts/c_header from linalg.h, shift.h, status.h, refusal.h, extension.h, parameters.h, body_state.h, memory.h, plugin.h, model_info.h. */
/* clang-format off */
#pragma once

/* --- linalg.h */

typedef struct trammel_const_vector_view {
  const double* data;
  int32_t size;
} trammel_const_vector_view;
TRAMMEL_ASSERT_SIZE(trammel_const_vector_view, 16);

typedef struct trammel_vector_view {
  double* data;
  int32_t size;
} trammel_vector_view;
TRAMMEL_ASSERT_SIZE(trammel_vector_view, 16);

typedef struct trammel_matrix_view {
  double* data;
  int32_t rows;
  int32_t cols;
  int32_t stride;
} trammel_matrix_view;
TRAMMEL_ASSERT_SIZE(trammel_matrix_view, 24);

/* --- shift.h */

typedef struct trammel_shift {
  double c0, c1;
  double c0_imag, c1_imag;
} trammel_shift;
TRAMMEL_ASSERT_SIZE(trammel_shift, 32);

typedef struct trammel_complex_view {
  trammel_vector_view re, im;
} trammel_complex_view;
TRAMMEL_ASSERT_SIZE(trammel_complex_view, 32);

typedef struct trammel_const_complex_view {
  trammel_const_vector_view re, im;
} trammel_const_complex_view;
TRAMMEL_ASSERT_SIZE(trammel_const_complex_view, 32);

/* --- status.h */

enum {
  trammel_status_code_ok = 0, trammel_status_code_not_finite, trammel_status_code_singular,
  trammel_status_code_not_converged, trammel_status_code_out_of_domain, trammel_status_code_step_too_small,
  trammel_status_code_unsupported, trammel_status_code_failed
};
typedef int32_t trammel_status_code;

typedef struct trammel_status {
  trammel_status_code code;
  int32_t subject;
  double value;
  const char* what;
} trammel_status;
TRAMMEL_ASSERT_SIZE(trammel_status, 24);

/* --- refusal.h */

enum {
  trammel_error_kind_usage = 1, trammel_error_kind_input = 2, trammel_error_kind_plugin = 3,
  trammel_error_kind_compute = 4
};
typedef int32_t trammel_error_kind;

typedef struct trammel_refusal {
  uint32_t struct_size;
  trammel_error_kind kind;
  char* key;
  uint32_t key_capacity;
  uint32_t text_capacity;
  char* text;
} trammel_refusal;
TRAMMEL_ASSERT_SIZE(trammel_refusal, 32);

/* --- extension.h */

typedef struct trammel_extensible_table {
  const void* (*extension)(const trammel_extensible* self, const char* id);
} trammel_extensible_table;
struct trammel_extensible {
  const trammel_extensible_table* table;
};

/* --- parameters.h */

typedef struct trammel_text {
  const char* data;
  int64_t size;
} trammel_text;
TRAMMEL_ASSERT_SIZE(trammel_text, 16);

typedef struct trammel_texts {
  const trammel_text* data;
  int64_t size;
} trammel_texts;
TRAMMEL_ASSERT_SIZE(trammel_texts, 16);

typedef struct trammel_numbers {
  const double* data;
  int64_t size;
} trammel_numbers;
TRAMMEL_ASSERT_SIZE(trammel_numbers, 16);

typedef struct trammel_body_ref {
  int32_t index;
} trammel_body_ref;
TRAMMEL_ASSERT_SIZE(trammel_body_ref, 4);

typedef struct trammel_body_refs {
  const trammel_body_ref* data;
  int64_t size;
} trammel_body_refs;
TRAMMEL_ASSERT_SIZE(trammel_body_refs, 16);

typedef struct trammel_point_ref {
  trammel_body_ref body;
  double local[3];
} trammel_point_ref;
TRAMMEL_ASSERT_SIZE(trammel_point_ref, 32);

typedef struct trammel_element_ref {
  int32_t index;
} trammel_element_ref;
TRAMMEL_ASSERT_SIZE(trammel_element_ref, 4);

typedef struct trammel_function_refs {
  const trammel_function** data;
  int64_t size;
} trammel_function_refs;
TRAMMEL_ASSERT_SIZE(trammel_function_refs, 16);

enum {
  trammel_parameter_type_number, trammel_parameter_type_integer, trammel_parameter_type_boolean,
  trammel_parameter_type_choice, trammel_parameter_type_text, trammel_parameter_type_vector,
  trammel_parameter_type_rotation, trammel_parameter_type_numbers, trammel_parameter_type_body,
  trammel_parameter_type_bodies, trammel_parameter_type_point, trammel_parameter_type_element,
  trammel_parameter_type_function, trammel_parameter_type_functions, trammel_parameter_type_expression,
  trammel_parameter_type_file, trammel_parameter_type_texts, trammel_parameter_type_direction,
  trammel_parameter_type_body_point
};
typedef int32_t trammel_parameter_type;

enum {
  trammel_vector_length_host, trammel_vector_length_two, trammel_vector_length_three
};
typedef int32_t trammel_vector_length;

typedef struct trammel_parameter_record {
  const char* name;
  trammel_parameter_type type;
  uint32_t offset;
  const char* unit;
  const char* description;
  const char* default_json;
  double minimum;
  double maximum;
  bool exclusive_minimum;
  bool exclusive_maximum;
  bool optional;
  const char* choices;
  int32_t count_min;
  int32_t count_max;
  trammel_vector_length length;
} trammel_parameter_record;
TRAMMEL_ASSERT_SIZE(trammel_parameter_record, 88);

typedef struct trammel_parameter_table {
  const trammel_parameter_record* records;
  int32_t count;
  uint32_t struct_size;
  uint32_t struct_align;
} trammel_parameter_table;
TRAMMEL_ASSERT_SIZE(trammel_parameter_table, 24);

/* --- body_state.h */

typedef struct trammel_planar_body_state {
  double r[2];
  double phi;
  double rdot[2];
  double omega;
  double c;
  double s;
} trammel_planar_body_state;
TRAMMEL_ASSERT_SIZE(trammel_planar_body_state, 64);

typedef struct trammel_spatial_body_state {
  double r[3];
  double p[4];
  double rdot[3];
  double pdot[4];
  double A[9];
  double pp;
} trammel_spatial_body_state;
TRAMMEL_ASSERT_SIZE(trammel_spatial_body_state, 192);

typedef struct trammel_element_state {
  double t;
  const void* const* bodies;
  const double* angle_references;
  const double* z;
  const double* memory;
  const trammel_accepted_step* last;
} trammel_element_state;
TRAMMEL_ASSERT_SIZE(trammel_element_state, 48);

/* --- memory.h */

typedef struct trammel_memory_size {
  int32_t state;
  int32_t scratch;
  int32_t cache;
} trammel_memory_size;
TRAMMEL_ASSERT_SIZE(trammel_memory_size, 12);

typedef struct trammel_memory {
  double* state;
  double* scratch;
  double* cache;
} trammel_memory;
TRAMMEL_ASSERT_SIZE(trammel_memory, 24);

/* --- plugin.h */

enum {
  trammel_host_any, trammel_host_planar, trammel_host_spatial
};
typedef int32_t trammel_host;

typedef struct trammel_component_record {
  uint32_t struct_size;
  trammel_host host;
  const char* kind;
  const char* type;
  const char* summary;
  const char* citation;
  trammel_parameter_table parameters;
  trammel_parameter_table body_parameters;
  void* (*create)(const void* parameters, const trammel_model_info* model, trammel_refusal* refusal);
  void (*destroy)(void* component);
} trammel_component_record;
TRAMMEL_ASSERT_SIZE(trammel_component_record, 104);

typedef struct trammel_plugin_descriptor {
  uint64_t magic;
  uint32_t struct_size;
  uint32_t interface_epoch;
  uint32_t sdk_minor;
  uint32_t component_count;
  const char* abi_tag;
  const char* id;
  const char* version;
  const char* licence;
  const trammel_component_record* components;
} trammel_plugin_descriptor;
TRAMMEL_ASSERT_SIZE(trammel_plugin_descriptor, 64);

/* --- model_info.h */

typedef struct trammel_model_info_table {
  const void* (*extension)(const trammel_model_info* self, const char* id);
  trammel_host (*host)(const trammel_model_info* self);
  int32_t (*body_count)(const trammel_model_info* self);
  const char* (*body_name)(const trammel_model_info* self, int32_t body);
  const void* (*body_parameters)(const trammel_model_info* self, int32_t body);
  double (*body_mass)(const trammel_model_info* self, int32_t body);
  const void* (*initial_state)(const trammel_model_info* self, trammel_body_ref body);
  const trammel_constraint* (*constraint)(const trammel_model_info* self, trammel_element_ref element);
} trammel_model_info_table;
struct trammel_model_info {
  const trammel_model_info_table* table;
};
