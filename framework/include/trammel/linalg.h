// The plain views of vectors and matrices that cross the plugin boundary, and Eigen's maps of them. Eigen's own types do
// not cross: each side uses its own Eigen.
#pragma once

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
