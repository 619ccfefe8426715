/* Plugin acme.centre_spring, in C: a spring that pulls the mass centre of a body to a fixed place, in planar and spatial
 * models alike. Q_r = -k (r - place), potential k |r - place|^2 / 2. */
#include <stdlib.h>

#include "trammel/c_defaults.h"

typedef struct parameters {
  trammel_body_ref body;
  double place[3];
  double stiffness;
} parameters;

typedef struct spring {
  trammel_force_element base; /* first: the object begins with its table */
  parameters p;
  int dimensions;
} spring;

static const spring* of(const trammel_force_element* self) { return (const spring*)self; }
/* Both kinds of body states begin with the position. */
static double away(const spring* me, const trammel_element_state* s, int i) {
  return ((const trammel_planar_body_state*)s->bodies[0])->r[i] - me->p.place[i];
}

static int32_t body_count(const trammel_force_element* self) {
  (void)self;
  return 1;
}
static trammel_body_ref body(const trammel_force_element* self, int32_t i) {
  (void)i;
  return of(self)->p.body;
}
static trammel_status force(const trammel_force_element* self, const trammel_element_state* s,
                            const trammel_vector_view* Q) {
  const spring* me = of(self);
  for (int i = 0; i < me->dimensions; ++i) Q[0].data[i] -= me->p.stiffness * away(me, s, i);
  return trammel_ok();
}
static trammel_status gradients(const trammel_force_element* self, const trammel_element_state* s,
                                const trammel_matrix_view* Q_q, const trammel_matrix_view* Q_v) {
  const spring* me = of(self);
  (void)s, (void)Q_v;
  for (int i = 0; Q_q != NULL && i < me->dimensions; ++i) Q_q[0].data[i + i * Q_q[0].stride] -= me->p.stiffness;
  return trammel_ok();
}
static trammel_status energy(const trammel_force_element* self, const trammel_element_state* s,
                             trammel_force_energy* out) {
  const spring* me = of(self);
  for (int i = 0; i < me->dimensions; ++i) out->potential += me->p.stiffness * away(me, s, i) * away(me, s, i) / 2;
  return trammel_ok();
}

static const trammel_force_element_table table = {
    .extension = trammel_default_force_element_extension,
    .body_count = body_count,
    .body = body,
    .force = force,
    .gradients = gradients,
    .time_gradient = trammel_default_force_element_time_gradient,
    .energy = energy,
    .internal_states = trammel_default_force_element_internal_states,
    .initial_internal_states = trammel_default_force_element_initial_internal_states,
    .internal_rate = trammel_default_force_element_internal_rate,
    .internal_gradients = trammel_default_force_element_internal_gradients,
};

static void* create(const void* given, const trammel_model_info* model, trammel_refusal* refusal) {
  const parameters* p = (const parameters*)given;
  if (p->body.index < 0) return trammel_refuse(refusal, "body", "ground is held already");
  spring* made = (spring*)malloc(sizeof(spring));
  if (made == NULL) return trammel_refuse(refusal, "", "no memory is left");
  made->base.table = &table;
  made->p = *p;
  made->dimensions = model->table->host(model) == trammel_host_planar ? 2 : 3;
  return made;
}
static void destroy(void* component) { free(component); }

static const trammel_parameter_record records[] = {
    TRAMMEL_PARAMETER(parameters, body, trammel_parameter_type_body, "1", "Body that is pulled.", NULL),
    TRAMMEL_PARAMETER(parameters, place, trammel_parameter_type_vector, "m", "Where to.", NULL),
    TRAMMEL_PARAMETER(parameters, stiffness, trammel_parameter_type_number, "N/m", "Stiffness.", NULL),
};
#define TABLE \
  { records, 3, sizeof(parameters), _Alignof(parameters) }
#define COMPONENT(host)                                                                                            \
  {                                                                                                                \
    sizeof(trammel_component_record), host, TRAMMEL_FORCE_ELEMENT_ID, "acme.centre_spring",                        \
        "Spring between the mass centre of a body and a fixed place.", "", TABLE, {NULL, 0, 0, 1}, create, destroy \
  }
static const trammel_component_record components[] = {COMPONENT(trammel_host_planar), COMPONENT(trammel_host_spatial)};

__attribute__((visibility("default")))
const trammel_plugin_descriptor trammel_plugin = {TRAMMEL_DESCRIPTOR_MAGIC,
                                                  sizeof(trammel_plugin_descriptor),
                                                  TRAMMEL_INTERFACE_EPOCH,
                                                  TRAMMEL_SDK_MINOR,
                                                  2,
                                                  TRAMMEL_C_ABI_TAG,
                                                  "acme.centre_spring",
                                                  "1.0.0",
                                                  "BSD-3-Clause",
                                                  components};
