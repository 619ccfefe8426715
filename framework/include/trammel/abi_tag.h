// The ABI tag: everything that must agree between kernel and plugin, as text, so that a refusal can name the field.
#pragma once

#include <cstddef>

#include "trammel/analysis.h"
#include "trammel/body_state.h"
#include "trammel/constrained_system.h"
#include "trammel/constraint.h"
#include "trammel/extensions/accepted_step.h"
#include "trammel/extensions/all_bodies.h"
#include "trammel/extensions/element_extensions.h"
#include "trammel/extensions/parameter_derivatives.h"
#include "trammel/extensions/system_constraints.h"
#include "trammel/extensions/system_extensions.h"
#include "trammel/extensions/velocity_rows.h"
#include "trammel/force.h"
#include "trammel/formulation.h"
#include "trammel/integrator.h"
#include "trammel/kkt_solver.h"
#include "trammel/linalg.h"
#include "trammel/metric.h"
#include "trammel/plugin.h"
#include "trammel/refusal.h"
#include "trammel/shift.h"
#include "trammel/status.h"
#include "trammel/system.h"
#include "trammel/writer.h"

#define TRAMMEL_TEXT_(x) #x
#define TRAMMEL_TEXT(x) TRAMMEL_TEXT_(x)

// Either takes NaN away, with which elements say that a number is missing.
#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#define TRAMMEL_ABI_FAST_MATH "fast_math=1\n"
#else
#define TRAMMEL_ABI_FAST_MATH "fast_math=0\n"
#endif

/// Lines "field=value", compared one by one. What macros know; `abi_tag` below adds what the compiler laid out.
#define TRAMMEL_ABI_TAG \
  "pointer_bytes=" TRAMMEL_TEXT(__SIZEOF_POINTER__) "\n" \
  "byte_order=" TRAMMEL_TEXT(__BYTE_ORDER__) "\n" TRAMMEL_ABI_FAST_MATH

namespace trammel {

/// Zero-terminated text of fixed capacity that can be put together at compile time.
struct AbiText {
  char data[4096] = {};
  std::size_t size = 0;

  constexpr AbiText& add(const char* text) {
    while (*text != 0) data[size++] = *text++;
    return *this;
  }
  constexpr AbiText& add(std::size_t number) {
    char digits[24] = {};
    std::size_t count = 0;
    do digits[count++] = static_cast<char>('0' + number % 10);
    while ((number /= 10) != 0);
    while (count != 0) data[size++] = digits[--count];
    return *this;
  }
  /// "name=size/alignment" of a type that crosses the boundary.
  template <class T>
  constexpr AbiText& probe(const char* name) {
    return add(name).add("=").add(sizeof(T)).add("/").add(alignof(T)).add("\n");
  }
};

constexpr AbiText make_abi_tag() {
  return AbiText()
      .add(TRAMMEL_ABI_TAG)
      .probe<Index>("index")
      .probe<Status>("status")
      .probe<VectorView>("vector_view")
      .probe<MatrixView>("matrix_view")
      .probe<ConstVectorView>("const_vector_view")
      .probe<Shift>("shift")
      .probe<ComplexView>("complex_view")
      .probe<ConstComplexView>("const_complex_view")
      .probe<Refusal>("refusal")
      .probe<PluginDescriptor>("plugin_descriptor")
      .probe<ParameterRecord>("parameter_record")
      .probe<ParameterTable>("parameter_table")
      .probe<ComponentRecord>("component_record")
      .probe<Text>("text")
      .probe<Texts>("texts")
      .probe<Numbers>("numbers")
      .probe<BodyRef>("body_ref")
      .probe<ElementRef>("element_ref")
      .probe<FunctionRefs>("function_refs")
      .probe<PointRef>("point_ref")
      .probe<BodyRefs>("body_refs")
      .probe<PlanarBodyState>("planar_body_state")
      .probe<SpatialBodyState>("spatial_body_state")
      .probe<ElementState>("element_state")
      .probe<ConstraintOutput>("constraint_output")
      .probe<ConstraintTimeDerivatives>("constraint_time_derivatives")
      .probe<VelocityRowOutput>("velocity_row_output")
      .probe<VelocityRowTimeDerivatives>("velocity_row_time_derivatives")
      .probe<RowDerivatives>("row_derivatives")
      .probe<ForceDerivatives>("force_derivatives")
      .probe<BodyDerivatives>("body_derivatives")
      .probe<AcceptedStep>("accepted_step")
      .probe<ForceEnergy>("force_energy")
      .probe<InternalGradients>("internal_gradients")
      .probe<Memory>("memory")
      .probe<MemorySize>("memory_size")
      .probe<MetricSample>("metric_sample")
      .probe<ProblemSize>("problem_size")
      .probe<ConstStateView>("const_state_view")
      .probe<StateView>("state_view")
      .probe<Tolerances>("tolerances")
      .probe<Correction>("correction")
      .probe<ProjectionReport>("projection_report")
      .probe<ReductionBlock>("reduction_block")
      .probe<AllBodiesOutput>("all_bodies_output")
      .probe<StateLaws::Box>("law_box")
      .probe<BodyShape>("body_shape")
      .probe<BodySlice>("body_slice")
      .probe<ConstraintPlace>("constraint_place")
      .probe<JacobianBlock>("jacobian_block")
      .probe<KktMatrix>("kkt_matrix")
      .probe<RankWatch>("rank_watch")
      .probe<LinearSolverTraits>("linear_solver_traits")
      .probe<WriterColumn>("writer_column")
      .probe<WriterNote>("writer_note")
      .probe<WriterRun>("writer_run")
      .probe<AnalysisTraits>("analysis_traits")
      .probe<AnalysisResult>("analysis_result")
      .probe<Problem>("problem")
      .probe<StepResult>("step_result")
      .probe<IntegratorTraits>("integrator_traits")
      .probe<FormulationTraits>("formulation_traits");
}

/// The tag of whoever includes this header: plugins put it in their descriptor, the kernel compares it with its own.
inline constexpr AbiText abi_tag = make_abi_tag();

}  // namespace trammel
