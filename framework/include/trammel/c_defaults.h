/* For c_plugin.h: what functions with a default do, to be put into tables, and small helpers. Names are those of the
 * entries behind trammel_default_<interface>_: .extension = trammel_default_function_extension. */
#pragma once

#include <math.h>
#include <string.h>

#include "trammel/c_plugin.h"

/* A row of a parameter table without bounds; default_json NULL: the parameter has to be given. */
#define TRAMMEL_PARAMETER(type_of_struct, field, kind, unit, description, default_json)                           \
  {                                                                                                               \
#field, kind, offsetof(type_of_struct, field), unit, description, default_json, -INFINITY, INFINITY, 0, 0, 0, \
        NULL, 0, INT32_MAX, trammel_vector_length_host                                                            \
  }

static inline trammel_status trammel_ok(void) {
  const trammel_status status = {trammel_status_code_ok, -1, 0, ""};
  return status;
}
/* `what` is a literal. */
static inline trammel_status trammel_failure(trammel_status_code code, const char* what) {
  const trammel_status status = {code, -1, 0, what};
  return status;
}
static inline trammel_status trammel_unsupported(void) {
  return trammel_failure(trammel_status_code_unsupported, "not offered");
}
/* Why a component cannot be created: for `create`, which then returns NULL. `key`: the parameter, or "". */
static inline void* trammel_refuse(trammel_refusal* refusal, const char* key, const char* text) {
  strncpy(refusal->key, key, refusal->key_capacity - 1);
  refusal->key[refusal->key_capacity - 1] = 0;
  strncpy(refusal->text, text, refusal->text_capacity - 1);
  refusal->text[refusal->text_capacity - 1] = 0;
  return NULL;
}

#define TRAMMEL_NO_EXTENSION_(interface)                                                                               \
  static inline const void* trammel_default_##interface##_extension(const trammel_##interface* self, const char* id) { \
    (void)self, (void)id;                                                                                              \
    return NULL;                                                                                                       \
  }
TRAMMEL_NO_EXTENSION_(function)
TRAMMEL_NO_EXTENSION_(constraint)
TRAMMEL_NO_EXTENSION_(force_element)
TRAMMEL_NO_EXTENSION_(metric)
TRAMMEL_NO_EXTENSION_(integrator)
TRAMMEL_NO_EXTENSION_(formulation)
TRAMMEL_NO_EXTENSION_(system)
TRAMMEL_NO_EXTENSION_(ode_system)
TRAMMEL_NO_EXTENSION_(second_order_system)

/* Functions: three derivatives, no break points. */
static inline int trammel_default_function_max_order(const trammel_function* self) {
  (void)self;
  return 3;
}
static inline int32_t trammel_default_function_break_points(const trammel_function* self, double* x, int32_t capacity) {
  (void)self, (void)x, (void)capacity;
  return 0;
}

/* Constraints that do not depend on time. */
static inline bool trammel_default_constraint_rheonomic(const trammel_constraint* self) {
  (void)self;
  return false;
}
static inline trammel_status trammel_default_constraint_time_derivatives(
    const trammel_constraint* self, const trammel_element_state* s, const trammel_const_vector_view* a,
    const trammel_constraint_time_derivatives* out) {
  (void)s, (void)a;
  for (int32_t k = 0; out->Phi_tq != NULL && k < self->table->body_count(self); ++k) {
    const trammel_matrix_view block = out->Phi_tq[k];
    for (int32_t j = 0; block.data != NULL && j < block.cols; ++j)
      memset(block.data + (ptrdiff_t)j * block.stride, 0, sizeof(double) * (size_t)block.rows);
  }
  if (out->Phi_tt.data != NULL) memset(out->Phi_tt.data, 0, sizeof(double) * (size_t)out->Phi_tt.size);
  if (out->acceleration_t.data != NULL)
    memset(out->acceleration_t.data, 0, sizeof(double) * (size_t)out->acceleration_t.size);
  return trammel_ok();
}

/* Forces that do not depend on time and have no internal states; without exact gradients the kernel takes differences. */
static inline trammel_status trammel_default_force_element_gradients(const trammel_force_element* self,
                                                                     const trammel_element_state* s,
                                                                     const trammel_matrix_view* Q_q,
                                                                     const trammel_matrix_view* Q_v) {
  (void)self, (void)s, (void)Q_q, (void)Q_v;
  return trammel_unsupported();
}
static inline trammel_status trammel_default_force_element_time_gradient(const trammel_force_element* self,
                                                                         const trammel_element_state* s,
                                                                         const trammel_vector_view* Q_t) {
  (void)self, (void)s, (void)Q_t;
  return trammel_ok();
}
static inline trammel_status trammel_default_force_element_energy(const trammel_force_element* self,
                                                                  const trammel_element_state* s,
                                                                  trammel_force_energy* energy) {
  (void)self, (void)s, (void)energy;
  return trammel_unsupported();
}
static inline int32_t trammel_default_force_element_internal_states(const trammel_force_element* self) {
  (void)self;
  return 0;
}
static inline void trammel_default_force_element_initial_internal_states(const trammel_force_element* self,
                                                                         trammel_vector_view z) {
  (void)self, (void)z;
}
static inline trammel_status trammel_default_force_element_internal_rate(const trammel_force_element* self,
                                                                         const trammel_element_state* s,
                                                                         trammel_vector_view z_rate) {
  (void)self, (void)s, (void)z_rate;
  return trammel_ok();
}
static inline trammel_status trammel_default_force_element_internal_gradients(const trammel_force_element* self,
                                                                              const trammel_element_state* s,
                                                                              const trammel_internal_gradients* out) {
  (void)self, (void)s, (void)out;
  return trammel_unsupported();
}

/* Metrics of one number. */
static inline int32_t trammel_default_metric_result_count(const trammel_metric* self) {
  (void)self;
  return 1;
}
static inline const char* trammel_default_metric_result_name(const trammel_metric* self, int32_t i) {
  (void)self, (void)i;
  return "";
}

/* Integrators that keep nothing from step to step; the kernel interpolates. */
static inline void trammel_default_integrator_accept(const trammel_integrator* self, const trammel_problem* problem,
                                                     const trammel_state_view* state, bool changed,
                                                     const trammel_memory* memory) {
  (void)self, (void)problem, (void)state, (void)changed, (void)memory;
}
static inline void trammel_default_integrator_reject(const trammel_integrator* self, const trammel_memory* memory) {
  (void)self, (void)memory;
}
static inline trammel_status trammel_default_integrator_interpolate(
    const trammel_integrator* self, const trammel_problem* problem, const trammel_state_view* from,
    const trammel_state_view* to, double t, const trammel_state_view* out, const trammel_memory* memory) {
  (void)self, (void)problem, (void)from, (void)to, (void)t, (void)out, (void)memory;
  return trammel_unsupported();
}
