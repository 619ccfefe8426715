// Eigen with the settings the plugin boundary relies on, and the plain views that cross it.
#pragma once

// Interface definitions set by the Trammel and SDK CMake targets. Both are needed: with the first alone, libraries
// built for SSE and for AVX2 still disagree on whether malloc'ed blocks carry Eigen's hand-made alignment header.
#if !defined(EIGEN_MAX_ALIGN_BYTES) || !defined(EIGEN_MALLOC_ALREADY_ALIGNED)
#error "build against the CMake target trammel::sdk (trammel_add_plugin does): it pins Eigen's alignment"
#endif
static_assert(EIGEN_MAX_ALIGN_BYTES == 16, "Trammel's plugin boundary needs EIGEN_MAX_ALIGN_BYTES=16");
static_assert(EIGEN_MALLOC_ALREADY_ALIGNED == 0, "Trammel's plugin boundary needs EIGEN_MALLOC_ALREADY_ALIGNED=0");

#include <Eigen/Core>
#include <cstdint>

namespace trammel {

using Index = std::int32_t;

/// Read-only vector: `size` doubles at `data`, owned by the caller, valid during the call.
struct ConstVectorView {
  const double* data = nullptr;
  Index size = 0;

  double operator[](Index i) const { return data[i]; }
  Eigen::Map<const Eigen::VectorXd> map() const { return {data, size}; }
  ConstVectorView segment(Index start, Index count) const { return {data + start, count}; }
};

/// Pre-sized output vector, owned by the caller. The callee writes every entry, every time.
struct VectorView {
  double* data = nullptr;
  Index size = 0;

  double& operator[](Index i) const { return data[i]; }
  Eigen::Map<Eigen::VectorXd> map() const { return {data, size}; }
  VectorView segment(Index start, Index count) const { return {data + start, count}; }
  operator ConstVectorView() const { return {data, size}; }
};

/// Pre-sized output matrix, column by column, `stride` doubles from one column to the next.
/// An empty view (data == nullptr) means: not wanted, or the body is ground; skip it.
struct MatrixView {
  using Stride = Eigen::OuterStride<Eigen::Dynamic>;

  double* data = nullptr;
  Index rows = 0;
  Index cols = 0;
  Index stride = 0;

  explicit operator bool() const { return data != nullptr; }
  double& operator()(Index i, Index j) const { return data[i + static_cast<std::ptrdiff_t>(j) * stride]; }
  Eigen::Map<Eigen::MatrixXd, 0, Stride> map() const { return {data, rows, cols, Stride(stride)}; }
};

}  // namespace trammel
