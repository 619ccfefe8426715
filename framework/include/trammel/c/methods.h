/* Part of c_plugin.h. Written by scripts/c_header from integrator.h, formulation.h, analysis.h, extensions/integrator_extensions.h, extensions/formulation_extensions.h, extensions/carries_velocity_rows.h, extensions/equilibrium_finder.h. */
/* clang-format off */
#pragma once

/* --- integrator.h */

enum {
  trammel_view_kind_ode, trammel_view_kind_second_order, trammel_view_kind_constrained
};
typedef int32_t trammel_view_kind;

typedef struct trammel_integrator_traits {
  trammel_view_kind view;
  bool also_constrained;
  bool also_first_order;
  int order;
  int error_order;
  int interpolation_order;
  bool variable_step;
  bool self_controlled;
  bool restart_only;
  bool implicit;
} trammel_integrator_traits;
TRAMMEL_ASSERT_SIZE(trammel_integrator_traits, 24);

typedef struct trammel_problem_size {
  int32_t n;
  int32_t m;
  trammel_view_kind view;
} trammel_problem_size;
TRAMMEL_ASSERT_SIZE(trammel_problem_size, 12);

typedef struct trammel_const_state_view {
  double t;
  trammel_const_vector_view x, v, a, lambda;
} trammel_const_state_view;
TRAMMEL_ASSERT_SIZE(trammel_const_state_view, 72);

typedef struct trammel_state_view {
  double t;
  trammel_vector_view x, v, a, lambda;
} trammel_state_view;
TRAMMEL_ASSERT_SIZE(trammel_state_view, 72);

typedef struct trammel_tolerances {
  trammel_const_vector_view rtol, atol;
  bool max_norm;
  bool fixed_steps;
} trammel_tolerances;
TRAMMEL_ASSERT_SIZE(trammel_tolerances, 40);

typedef struct trammel_problem {
  trammel_ode_system* ode;
  trammel_second_order_system* second_order;
  trammel_constrained_system* constrained;
  trammel_tolerances tolerances;
} trammel_problem;
TRAMMEL_ASSERT_SIZE(trammel_problem, 64);

typedef struct trammel_step_result {
  trammel_status status;
  double h;
  double h_next;
  int order;
  int newton_iterations;
  bool rejected;
} trammel_step_result;
TRAMMEL_ASSERT_SIZE(trammel_step_result, 56);

#define TRAMMEL_INTEGRATOR_ID "trammel.integrator/1"

typedef struct trammel_integrator_table {
  const void* (*extension)(const trammel_integrator* self, const char* id);
  trammel_integrator_traits (*traits)(const trammel_integrator* self);
  trammel_memory_size (*memory)(const trammel_integrator* self, const trammel_problem_size* size);
  trammel_status (*start)(const trammel_integrator* self, const trammel_problem* problem, const trammel_const_state_view* state, const trammel_memory* memory);
  trammel_step_result (*attempt)(const trammel_integrator* self, const trammel_problem* problem, const trammel_const_state_view* state, double h, const trammel_state_view* next, trammel_vector_view error, const trammel_memory* memory);
  void (*accept)(const trammel_integrator* self, const trammel_problem* problem, const trammel_const_state_view* state, bool changed, const trammel_memory* memory);
  void (*reject)(const trammel_integrator* self, const trammel_memory* memory);
  trammel_status (*interpolate)(const trammel_integrator* self, const trammel_problem* problem, const trammel_const_state_view* from, const trammel_const_state_view* to, double t, const trammel_state_view* out, const trammel_memory* memory);
} trammel_integrator_table;
struct trammel_integrator {
  const trammel_integrator_table* table;
};

/* --- formulation.h */

typedef struct trammel_formulation_traits {
  double raint_limit;
  bool corrects_output;
} trammel_formulation_traits;
TRAMMEL_ASSERT_SIZE(trammel_formulation_traits, 16);

typedef struct trammel_correction {
  trammel_status status;
  bool changed;
  bool restart;
  bool mask_changed;
} trammel_correction;
TRAMMEL_ASSERT_SIZE(trammel_correction, 32);

#define TRAMMEL_FORMULATION_ID "trammel.formulation/1"

typedef struct trammel_formulation_table {
  const void* (*extension)(const trammel_formulation* self, const char* id);
  trammel_formulation_traits (*traits)(const trammel_formulation* self);
  trammel_memory_size (*memory)(const trammel_formulation* self, const trammel_constrained_layout* system);
  int32_t (*ode_size)(const trammel_formulation* self, const trammel_constrained_layout* system);
  trammel_status (*start)(const trammel_formulation* self, trammel_constrained_system* system, double t, trammel_const_vector_view q, trammel_const_vector_view v, const trammel_memory* memory);
  void (*embed)(const trammel_formulation* self, trammel_const_vector_view q, trammel_const_vector_view v, trammel_const_vector_view z, const trammel_memory* memory, trammel_vector_view y);
  trammel_status (*lift)(const trammel_formulation* self, trammel_constrained_system* system, double t, trammel_const_vector_view y, const trammel_memory* memory, trammel_vector_view q, trammel_vector_view v, trammel_vector_view z);
  trammel_status (*rhs)(const trammel_formulation* self, trammel_constrained_system* system, double t, trammel_const_vector_view y, const trammel_memory* memory, trammel_vector_view f);
  trammel_status (*jacobian)(const trammel_formulation* self, trammel_constrained_system* system, double t, trammel_const_vector_view y, const trammel_memory* memory, trammel_matrix_view f_y);
  void (*mask)(const trammel_formulation* self, const trammel_constrained_layout* system, const trammel_memory* memory, trammel_vector_view weights);
  trammel_correction (*correct)(const trammel_formulation* self, trammel_constrained_system* system, double t, trammel_vector_view y, trammel_vector_view error, const trammel_memory* memory);
  void (*accepted)(const trammel_formulation* self, const trammel_memory* memory);
} trammel_formulation_table;
struct trammel_formulation {
  const trammel_formulation_table* table;
};

/* --- analysis.h */

typedef struct trammel_analysis_traits {
  uint32_t struct_size;
  bool over_time;
  bool at_rest;
  bool internal_states;
  bool velocity_rows;
} trammel_analysis_traits;
TRAMMEL_ASSERT_SIZE(trammel_analysis_traits, 8);

typedef struct trammel_analysis_host_table {
  const void* (*extension)(const trammel_analysis_host* self, const char* id);
  trammel_constrained_system* (*system)(trammel_analysis_host* self);
  double (*duration)(const trammel_analysis_host* self);
  trammel_const_vector_view (*q)(const trammel_analysis_host* self);
  trammel_const_vector_view (*v)(const trammel_analysis_host* self);
  trammel_const_vector_view (*a)(const trammel_analysis_host* self);
  trammel_const_vector_view (*lambda)(const trammel_analysis_host* self);
  trammel_status (*show)(trammel_analysis_host* self, double t, trammel_const_vector_view q, trammel_const_vector_view v);
  bool (*goes_on)(trammel_analysis_host* self, int32_t iterations, double left);
} trammel_analysis_host_table;
struct trammel_analysis_host {
  const trammel_analysis_host_table* table;
};

typedef struct trammel_analysis_result {
  const char* name;
  const char* unit;
  double value;
} trammel_analysis_result;
TRAMMEL_ASSERT_SIZE(trammel_analysis_result, 24);

#define TRAMMEL_ANALYSIS_ID "trammel.analysis/1"

typedef struct trammel_analysis_table {
  const void* (*extension)(const trammel_analysis* self, const char* id);
  trammel_analysis_traits (*traits)(const trammel_analysis* self);
  bool (*begin)(trammel_analysis* self, trammel_analysis_host* host, trammel_refusal* refusal);
  const trammel_integrator* (*motion)(const trammel_analysis* self);
  double (*longest_step)(const trammel_analysis* self);
  trammel_status (*search)(trammel_analysis* self);
  int32_t (*result_count)(const trammel_analysis* self);
  trammel_analysis_result (*result)(const trammel_analysis* self, int32_t i);
  bool (*write)(const trammel_analysis* self, const char* folder, trammel_refusal* refusal);
} trammel_analysis_table;
struct trammel_analysis {
  const trammel_analysis_table* table;
};

/* --- extensions/integrator_extensions.h */

#define TRAMMEL_INTEGRATOR_FIT_ID "trammel.integrator_fit/1"

typedef struct trammel_integrator_fit_table {
  bool (*fits)(const trammel_integrator_fit* self, const trammel_problem* problem, const trammel_const_state_view* state, trammel_refusal* refusal);
} trammel_integrator_fit_table;
struct trammel_integrator_fit {
  const trammel_integrator_fit_table* table;
};

#define TRAMMEL_CHOOSES_START_ID "trammel.chooses_start/1"

typedef struct trammel_chooses_start_table {
  trammel_status (*choose_start)(const trammel_chooses_start* self, const trammel_problem* problem, const trammel_state_view* state, const trammel_memory* memory);
} trammel_chooses_start_table;
struct trammel_chooses_start {
  const trammel_chooses_start_table* table;
};

#define TRAMMEL_LINEAR_STABILITY_ID "trammel.linear_stability/1"

typedef struct trammel_linear_stability_table {
  double (*spectral_radius)(const trammel_linear_stability* self, double re, double im);
} trammel_linear_stability_table;
struct trammel_linear_stability {
  const trammel_linear_stability_table* table;
};

#define TRAMMEL_INTEGRATOR_CHANNELS_ID "trammel.integrator_channels/1"

typedef struct trammel_integrator_channels_table {
  int32_t (*channel_count)(const trammel_integrator_channels* self);
  const char* (*channel_name)(const trammel_integrator_channels* self, int32_t i);
  double (*channel)(const trammel_integrator_channels* self, int32_t i, const trammel_memory* memory);
} trammel_integrator_channels_table;
struct trammel_integrator_channels {
  const trammel_integrator_channels_table* table;
};

#define TRAMMEL_INTEGRATOR_NOTES_ID "trammel.integrator_notes/1"

typedef struct trammel_integrator_notes_table {
  void (*note)(const trammel_integrator_notes* self, const trammel_memory* memory, char* text, int32_t capacity);
} trammel_integrator_notes_table;
struct trammel_integrator_notes {
  const trammel_integrator_notes_table* table;
};

#define TRAMMEL_INTEGRATOR_ADVICE_ID "trammel.integrator_advice/1"

typedef struct trammel_integrator_advice_table {
  const char* (*advice)(const trammel_integrator_advice* self, const trammel_memory* memory);
} trammel_integrator_advice_table;
struct trammel_integrator_advice {
  const trammel_integrator_advice_table* table;
};

#define TRAMMEL_OWN_STEP_RULE_ID "trammel.own_step_rule/1"

typedef struct trammel_own_step_rule_table {
  const char* (*rule)(const trammel_own_step_rule* self);
} trammel_own_step_rule_table;
struct trammel_own_step_rule {
  const trammel_own_step_rule_table* table;
};

#define TRAMMEL_METHOD_FAMILY_ID "trammel.method_family/1"

typedef struct trammel_method_family_table {
  const char* (*family)(const trammel_method_family* self);
} trammel_method_family_table;
struct trammel_method_family {
  const trammel_method_family_table* table;
};

#define TRAMMEL_EVALUATES_AT_ENDS_ID "trammel.evaluates_at_ends/1"

typedef struct trammel_evaluates_at_ends_table {
  bool (*at_ends_only)(const trammel_evaluates_at_ends* self);
} trammel_evaluates_at_ends_table;
struct trammel_evaluates_at_ends {
  const trammel_evaluates_at_ends_table* table;
};

#define TRAMMEL_EXACT_JACOBIANS_ID "trammel.exact_jacobians/1"

typedef struct trammel_exact_jacobians_table {
  const char* (*otherwise)(const trammel_exact_jacobians* self);
} trammel_exact_jacobians_table;
struct trammel_exact_jacobians {
  const trammel_exact_jacobians_table* table;
};

/* --- extensions/formulation_extensions.h */

#define TRAMMEL_FORMULATION_FIT_ID "trammel.formulation_fit/1"

typedef struct trammel_formulation_fit_table {
  bool (*fits)(const trammel_formulation_fit* self, trammel_constrained_system* system, double t, trammel_const_vector_view q, trammel_const_vector_view v, const trammel_memory* memory, trammel_refusal* refusal);
} trammel_formulation_fit_table;
struct trammel_formulation_fit {
  const trammel_formulation_fit_table* table;
};

#define TRAMMEL_EMBEDS_BY_SYSTEM_ID "trammel.embeds_by_system/1"

typedef struct trammel_embeds_by_system_table {
  trammel_status (*embed_by_system)(const trammel_embeds_by_system* self, trammel_constrained_system* system, double t, trammel_const_vector_view q, trammel_const_vector_view v, trammel_const_vector_view z, const trammel_memory* memory, trammel_vector_view y);
} trammel_embeds_by_system_table;
struct trammel_embeds_by_system {
  const trammel_embeds_by_system_table* table;
};

#define TRAMMEL_FORMULATION_COUNTERS_ID "trammel.formulation_counters/1"

typedef struct trammel_formulation_counters_table {
  int32_t (*counter_count)(const trammel_formulation_counters* self);
  const char* (*counter_name)(const trammel_formulation_counters* self, int32_t i);
  double (*counter)(const trammel_formulation_counters* self, int32_t i, const trammel_memory* memory);
} trammel_formulation_counters_table;
struct trammel_formulation_counters {
  const trammel_formulation_counters_table* table;
};

#define TRAMMEL_FORMULATION_NOTES_ID "trammel.formulation_notes/1"

typedef struct trammel_formulation_notes_table {
  void (*note)(const trammel_formulation_notes* self, const trammel_constrained_layout* system, const trammel_memory* memory, char* text, int32_t capacity);
} trammel_formulation_notes_table;
struct trammel_formulation_notes {
  const trammel_formulation_notes_table* table;
};

#define TRAMMEL_ATTEMPT_OBSERVER_ID "trammel.attempt_observer/1"

typedef struct trammel_attempt_observer_table {
  bool (*repeated)(const trammel_attempt_observer* self, trammel_constrained_system* system, double t, trammel_const_vector_view q, trammel_const_vector_view v, int32_t attempts, const trammel_memory* memory);
} trammel_attempt_observer_table;
struct trammel_attempt_observer {
  const trammel_attempt_observer_table* table;
};

#define TRAMMEL_CHART_CHANGE_ID "trammel.chart_change/1"

typedef struct trammel_chart_change_table {
  trammel_status (*change_chart)(const trammel_chart_change* self, trammel_constrained_system* system, double t, trammel_vector_view y, const trammel_memory* memory);
} trammel_chart_change_table;
struct trammel_chart_change {
  const trammel_chart_change_table* table;
};

#define TRAMMEL_TOLERANCE_FOLLOWER_ID "trammel.tolerance_follower/1"

typedef struct trammel_tolerance_follower_table {
  void (*follow)(const trammel_tolerance_follower* self, double rtol, const trammel_memory* memory);
} trammel_tolerance_follower_table;
struct trammel_tolerance_follower {
  const trammel_tolerance_follower_table* table;
};

#define TRAMMEL_CONSTRAINT_FEEDBACK_ID "trammel.constraint_feedback/1"

typedef struct trammel_constraint_feedback_table {
  double (*alpha)(const trammel_constraint_feedback* self);
  double (*beta)(const trammel_constraint_feedback* self);
} trammel_constraint_feedback_table;
struct trammel_constraint_feedback {
  const trammel_constraint_feedback_table* table;
};

#define TRAMMEL_STEPWISE_FEEDBACK_ID "trammel.stepwise_feedback/1"

typedef struct trammel_stepwise_feedback_table {
  double (*alpha_h)(const trammel_stepwise_feedback* self);
  double (*largest_alpha_h)(const trammel_stepwise_feedback* self);
} trammel_stepwise_feedback_table;
struct trammel_stepwise_feedback {
  const trammel_stepwise_feedback_table* table;
};

/* --- extensions/carries_velocity_rows.h */

#define TRAMMEL_CARRIES_VELOCITY_ROWS_ID "trammel.carries_velocity_rows/1"

typedef struct trammel_carries_velocity_rows_table {
  bool (*carries_velocity_rows)(const trammel_carries_velocity_rows* self, trammel_view_kind view);
} trammel_carries_velocity_rows_table;
struct trammel_carries_velocity_rows {
  const trammel_carries_velocity_rows_table* table;
};

/* --- extensions/equilibrium_finder.h */

#define TRAMMEL_EQUILIBRIUM_FINDER_ID "trammel.equilibrium_finder/1"

typedef struct trammel_equilibrium_finder_table {
  trammel_status (*find_equilibrium)(trammel_equilibrium_finder* self, trammel_vector_view q);
} trammel_equilibrium_finder_table;
struct trammel_equilibrium_finder {
  const trammel_equilibrium_finder_table* table;
};
