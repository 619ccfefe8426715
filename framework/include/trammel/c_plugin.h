/* C header of Trammel's plugin interfaces. Written by scripts/c_header from the C++ headers beside it, whose comments are
 * the contract of every function: what it gets, what it writes, when it is called. An object begins with a pointer to its
 * table, and a table with that of its base: where a trammel_constrained_layout is wanted, a trammel_constrained_system does,
 * its pointer cast. All entries of a table have to be there; c_defaults.h has those of functions with a default. */
/* clang-format off */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TRAMMEL_INTERFACE_EPOCH 2
#define TRAMMEL_SDK_MINOR 0
#define TRAMMEL_DESCRIPTOR_MAGIC 0x314c454d4d415254ull
/* Of PluginDescriptor, for sizes that the compiler confirms below. */
#define TRAMMEL_C_ABI_TAG \
  "pointer_bytes=8\n" \
  "byte_order=1234\n" \
  "fast_math=0\n" \
  "index=4/4\n" \
  "status=24/8\n" \
  "vector_view=16/8\n" \
  "matrix_view=24/8\n" \
  "const_vector_view=16/8\n" \
  "shift=32/8\n" \
  "complex_view=32/8\n" \
  "const_complex_view=32/8\n" \
  "refusal=32/8\n" \
  "plugin_descriptor=64/8\n" \
  "parameter_record=88/8\n" \
  "parameter_table=24/8\n" \
  "component_record=104/8\n" \
  "text=16/8\n" \
  "texts=16/8\n" \
  "numbers=16/8\n" \
  "body_ref=4/4\n" \
  "element_ref=4/4\n" \
  "function_refs=16/8\n" \
  "point_ref=32/8\n" \
  "body_refs=16/8\n" \
  "planar_body_state=64/8\n" \
  "spatial_body_state=192/8\n" \
  "element_state=48/8\n" \
  "constraint_output=56/8\n" \
  "constraint_time_derivatives=40/8\n" \
  "velocity_row_output=40/8\n" \
  "velocity_row_time_derivatives=40/8\n" \
  "row_derivatives=56/8\n" \
  "force_derivatives=32/8\n" \
  "body_derivatives=32/8\n" \
  "accepted_step=24/8\n" \
  "force_energy=24/8\n" \
  "internal_gradients=64/8\n" \
  "memory=24/8\n" \
  "memory_size=12/4\n" \
  "metric_sample=32/8\n" \
  "problem_size=12/4\n" \
  "const_state_view=72/8\n" \
  "state_view=72/8\n" \
  "tolerances=40/8\n" \
  "correction=32/8\n" \
  "projection_report=24/8\n" \
  "reduction_block=24/8\n" \
  "all_bodies_output=32/8\n" \
  "law_box=48/8\n" \
  "body_shape=48/8\n" \
  "body_slice=24/8\n" \
  "constraint_place=32/8\n" \
  "jacobian_block=40/4\n" \
  "kkt_matrix=120/8\n" \
  "rank_watch=40/8\n" \
  "linear_solver_traits=3/1\n" \
  "writer_column=16/8\n" \
  "writer_note=16/8\n" \
  "writer_run=40/8\n" \
  "analysis_traits=8/4\n" \
  "analysis_result=24/8\n" \
  "problem=64/8\n" \
  "step_result=56/8\n" \
  "integrator_traits=24/4\n" \
  "formulation_traits=16/8\n"

#ifdef __cplusplus
#define TRAMMEL_ASSERT_SIZE(type, bytes) static_assert(sizeof(type) == (bytes), #type)
extern "C" {
#else
#define TRAMMEL_ASSERT_SIZE(type, bytes) _Static_assert(sizeof(type) == (bytes), #type)
#endif

typedef struct trammel_extensible trammel_extensible;
typedef struct trammel_model_info trammel_model_info;
typedef struct trammel_model_info trammel_model_info;
typedef struct trammel_accepted_step trammel_accepted_step;
typedef struct trammel_refusal trammel_refusal;
typedef struct trammel_function trammel_function;
typedef struct trammel_function_switches trammel_function_switches;
typedef struct trammel_function_integral trammel_function_integral;
typedef struct trammel_constraint trammel_constraint;
typedef struct trammel_force_element trammel_force_element;
typedef struct trammel_metric trammel_metric;
typedef struct trammel_writer trammel_writer;
typedef struct trammel_row_reader trammel_row_reader;
typedef struct trammel_constraint trammel_constraint;
typedef struct trammel_function trammel_function;
typedef struct trammel_counted_angles trammel_counted_angles;
typedef struct trammel_element_channels trammel_element_channels;
typedef struct trammel_joint_coordinates trammel_joint_coordinates;
typedef struct trammel_reaction_point trammel_reaction_point;
typedef struct trammel_state_functions trammel_state_functions;
typedef struct trammel_state_laws trammel_state_laws;
typedef struct trammel_law_switches trammel_law_switches;
typedef struct trammel_driver_effort trammel_driver_effort;
typedef struct trammel_event_source trammel_event_source;
typedef struct trammel_unilateral_contact trammel_unilateral_contact;
typedef struct trammel_sketch trammel_sketch;
typedef struct trammel_drawing trammel_drawing;
typedef struct trammel_force_claims trammel_force_claims;
typedef struct trammel_function_bounds trammel_function_bounds;
typedef struct trammel_constraint_parameter_derivatives trammel_constraint_parameter_derivatives;
typedef struct trammel_force_parameter_derivatives trammel_force_parameter_derivatives;
typedef struct trammel_body_parameter_derivatives trammel_body_parameter_derivatives;
typedef struct trammel_accepted_memory trammel_accepted_memory;
typedef struct trammel_sees_accepted_step trammel_sees_accepted_step;
typedef struct trammel_velocity_rows trammel_velocity_rows;
typedef struct trammel_run_log trammel_run_log;
typedef struct trammel_run_clock trammel_run_clock;
typedef struct trammel_channel_values trammel_channel_values;
typedef struct trammel_function_maker trammel_function_maker;
typedef struct trammel_workers trammel_workers;
typedef struct trammel_ode_system trammel_ode_system;
typedef struct trammel_second_order_system trammel_second_order_system;
typedef struct trammel_constrained_layout trammel_constrained_layout;
typedef struct trammel_constrained_equations trammel_constrained_equations;
typedef struct trammel_constrained_solve trammel_constrained_solve;
typedef struct trammel_constrained_linearization trammel_constrained_linearization;
typedef struct trammel_internal_state_linearization trammel_internal_state_linearization;
typedef struct trammel_implicit_solve trammel_implicit_solve;
typedef struct trammel_constrained_system trammel_constrained_system;
typedef struct trammel_integrator trammel_integrator;
typedef struct trammel_formulation trammel_formulation;
typedef struct trammel_analysis_host trammel_analysis_host;
typedef struct trammel_analysis trammel_analysis;
typedef struct trammel_integrator_fit trammel_integrator_fit;
typedef struct trammel_chooses_start trammel_chooses_start;
typedef struct trammel_linear_stability trammel_linear_stability;
typedef struct trammel_integrator_channels trammel_integrator_channels;
typedef struct trammel_integrator_notes trammel_integrator_notes;
typedef struct trammel_integrator_advice trammel_integrator_advice;
typedef struct trammel_own_step_rule trammel_own_step_rule;
typedef struct trammel_method_family trammel_method_family;
typedef struct trammel_evaluates_at_ends trammel_evaluates_at_ends;
typedef struct trammel_exact_jacobians trammel_exact_jacobians;
typedef struct trammel_formulation_fit trammel_formulation_fit;
typedef struct trammel_embeds_by_system trammel_embeds_by_system;
typedef struct trammel_formulation_counters trammel_formulation_counters;
typedef struct trammel_formulation_notes trammel_formulation_notes;
typedef struct trammel_attempt_observer trammel_attempt_observer;
typedef struct trammel_chart_change trammel_chart_change;
typedef struct trammel_tolerance_follower trammel_tolerance_follower;
typedef struct trammel_constraint_feedback trammel_constraint_feedback;
typedef struct trammel_stepwise_feedback trammel_stepwise_feedback;
typedef struct trammel_carries_velocity_rows trammel_carries_velocity_rows;
typedef struct trammel_equilibrium_finder trammel_equilibrium_finder;
typedef struct trammel_body_motion trammel_body_motion;
typedef struct trammel_body_reduction trammel_body_reduction;
typedef struct trammel_body_output trammel_body_output;
typedef struct trammel_body_system trammel_body_system;
typedef struct trammel_system trammel_system;
typedef struct trammel_all_bodies trammel_all_bodies;
typedef struct trammel_body_layout trammel_body_layout;
typedef struct trammel_row_choice trammel_row_choice;
typedef struct trammel_coordinate_sizes trammel_coordinate_sizes;
typedef struct trammel_block_solve trammel_block_solve;
typedef struct trammel_partition_solve trammel_partition_solve;
typedef struct trammel_partition_quality trammel_partition_quality;
typedef struct trammel_state_space_derivatives trammel_state_space_derivatives;
typedef struct trammel_frequency_bound trammel_frequency_bound;
typedef struct trammel_body_column_units trammel_body_column_units;
typedef struct trammel_system_constraints trammel_system_constraints;
typedef struct trammel_body_frames trammel_body_frames;
typedef struct trammel_kkt_solver trammel_kkt_solver;
typedef struct trammel_linear_solver_cost trammel_linear_solver_cost;
typedef struct trammel_keeps_rows_to_rounding trammel_keeps_rows_to_rounding;
typedef struct trammel_least_solver_cost trammel_least_solver_cost;
typedef struct trammel_block_factor trammel_block_factor;
typedef struct trammel_block_factors trammel_block_factors;
typedef struct trammel_sparse_factor trammel_sparse_factor;
typedef struct trammel_sparse_factors trammel_sparse_factors;

#include "trammel/c/records.h"

#include "trammel/c/elements.h"
#include "trammel/c/services.h"
#include "trammel/c/equations.h"
#include "trammel/c/methods.h"
#include "trammel/c/systems.h"

#ifdef __cplusplus
}
#endif
