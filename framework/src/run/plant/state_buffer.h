// StateBuffer: one state of the integrated view in one block, so that x and v can be read as one vector.
#pragma once

#include <algorithm>
#include <vector>

#include "linalg/fence.h"
#include "trammel/integrator.h"

namespace trammel {

class StateBuffer {
 public:
  StateBuffer(const ProblemSize& size, ViewKind kind) {
    const Index parts = kind == ViewKind::ode ? 1 : kind == ViewKind::second_order ? 2 : 3;
    data_.assign(static_cast<std::size_t>(parts * size.n + (kind == ViewKind::constrained ? size.m : 0)), 0.0);
    build_fence(data_);
    double* at = data_.data();
    view.x = {at, size.n};
    if (parts > 1) view.v = {at + size.n, size.n};
    if (parts > 2) view.a = {at + 2 * size.n, size.n}, view.lambda = {at + 3 * size.n, size.m};
  }
  StateBuffer(const StateBuffer&) = delete;
  StateBuffer& operator=(const StateBuffer&) = delete;
  StateBuffer(StateBuffer&&) = default;  // the heap block keeps its address
  StateBuffer& operator=(StateBuffer&&) = default;

  void copy_from(const StateBuffer& other) {
    view.t = other.view.t;
    std::copy(other.data_.begin(), other.data_.end(), data_.begin());
  }
  /// x (ode), or x and v: what error control looks at.
  ConstVectorView controlled() const { return {data_.data(), view.x.size + view.v.size}; }

  /// Everything but the time, which stands in the view.
  std::vector<double>& data() { return data_; }

  /// Nobody wrote behind it.
  bool intact() const { return fence_stands(data_); }

  StateView view;

 private:
  std::vector<double> data_;
};

}  // namespace trammel
