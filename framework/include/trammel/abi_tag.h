// The ABI tag: everything that must agree between kernel and plugin, as text, so that a refusal can name the field.
#pragma once

#include <cstddef>

#include "trammel/body_state.h"
#include "trammel/constraint.h"
#include "trammel/force.h"
#include "trammel/formulation.h"
#include "trammel/integrator.h"
#include "trammel/linalg.h"
#include "trammel/plugin.h"
#include "trammel/status.h"

#define TRAMMEL_TEXT_(x) #x
#define TRAMMEL_TEXT(x) TRAMMEL_TEXT_(x)

#if defined(_GLIBCXX_USE_CXX11_ABI)
#define TRAMMEL_ABI_STDLIB "stdlib=libstdc++\ncxx11_abi=" TRAMMEL_TEXT(_GLIBCXX_USE_CXX11_ABI) "\n"
#else
#define TRAMMEL_ABI_STDLIB "stdlib=other\ncxx11_abi=none\n"
#endif

// Either takes NaN away, with which elements say that a number is missing.
#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#define TRAMMEL_ABI_FAST_MATH "fast_math=1\n"
#else
#define TRAMMEL_ABI_FAST_MATH "fast_math=0\n"
#endif

/// Lines "field=value", compared one by one. What macros know; `abi_tag` below adds what the compiler laid out.
#define TRAMMEL_ABI_TAG \
  TRAMMEL_ABI_STDLIB    \
  "eigen=" TRAMMEL_TEXT(EIGEN_WORLD_VERSION) "." TRAMMEL_TEXT(EIGEN_MAJOR_VERSION) "." TRAMMEL_TEXT(             \
      EIGEN_MINOR_VERSION) "\n"                                                                                 \
  "eigen_max_align_bytes=" TRAMMEL_TEXT(EIGEN_MAX_ALIGN_BYTES) "\n"                                             \
  "eigen_malloc_already_aligned=" TRAMMEL_TEXT(EIGEN_MALLOC_ALREADY_ALIGNED) "\n"                               \
  "pointer_bytes=" TRAMMEL_TEXT(__SIZEOF_POINTER__) "\n"                                                        \
  "byte_order=" TRAMMEL_TEXT(__BYTE_ORDER__) "\n" TRAMMEL_ABI_FAST_MATH

namespace trammel {

/// Zero-terminated text of fixed capacity that can be put together at compile time.
struct AbiText {
  char data[1024] = {};
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
      .probe<Eigen::Vector3d>("vector3")
      .probe<Eigen::Vector4d>("vector4")
      .probe<ParameterRecord>("parameter_record")
      .probe<ParameterTable>("parameter_table")
      .probe<ComponentRecord>("component_record")
      .probe<PointRef>("point_ref")
      .probe<BodyRefs>("body_refs")
      .probe<PlanarBodyState>("planar_body_state")
      .probe<SpatialBodyState>("spatial_body_state")
      .probe<ElementState>("element_state")
      .probe<ConstraintOutput>("constraint_output")
      .probe<Problem>("problem")
      .probe<StepResult>("step_result")
      .probe<IntegratorTraits>("integrator_traits")
      .probe<FormulationTraits>("formulation_traits");
}

/// The tag of whoever includes this header: plugins put it in their descriptor, the kernel compares it with its own.
inline constexpr AbiText abi_tag = make_abi_tag();

}  // namespace trammel
