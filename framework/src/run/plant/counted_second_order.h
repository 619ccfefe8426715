// Second-order views as the run hands them to integrators: counted, named for crashes, checked for finite results.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "plugin/marked.h"
#include "run/plant/plant.h"
#include "trammel/ode_system.h"
#include "trammel/second_order_system.h"

namespace trammel {

class CountedSecondOrder final : public SecondOrderSystem {
 public:
  /// `plugin` owns `view`; all four outlive this object. The last `states` components are coordinates whose rates are
  /// internal states (model/extended_model.h), which themselves do not count.
  CountedSecondOrder(SecondOrderSystem& view, PlantCounters& counters, ImplicitMatrix& matrix,
                     const std::string& plugin, Index states = 0)
      : view_(view), counters_(counters), matrix_(matrix), plugin_(plugin), states_(states) {}

  Index size() const override { return view_.size(); }
  ConstVectorView mask() const override {
    const ConstVectorView all = view_.mask();
    if (states_ == 0) return all;
    mask_.assign(all.data, all.data + all.size);
    std::fill_n(mask_.begin() + size() - states_, states_, 0.0);
    return {mask_.data(), all.size};
  }
  Status acceleration(double t, ConstVectorView x, ConstVectorView x_dot, VectorView a) override {
    counters_.see(t);
    const Status status = marked(plugin_.c_str(), "", [&] { return view_.acceleration(t, x, x_dot, a); });
    if (!status || a.map().allFinite()) return status;
    for (Index i = 0; i < a.size; ++i) {
      if (!std::isfinite(a[i])) return Status::failure(StatusCode::not_finite, "acceleration", i, a[i]);
    }
    return status;
  }
  Status linearize(double t, ConstVectorView x, ConstVectorView x_dot) override {
    ++counters_.jacobians;
    return marked(plugin_.c_str(), "", [&] { return view_.linearize(t, x, x_dot); });
  }
  Status prepare(Index first, const Shift* shifts, Index count) override {
    counters_.factorizations += count;
    const Status status = view_.prepare(first, shifts, count);
    matrix_ = ImplicitMatrix::of(status, first, shifts, count);
    return status;
  }
  Status apply_mass(ConstVectorView y, VectorView out) override { return view_.apply_mass(y, out); }
  Status apply_J1(ConstVectorView y, VectorView out) override { return view_.apply_J1(y, out); }
  Status apply_J2(ConstVectorView y, VectorView out) override { return view_.apply_J2(y, out); }
  Status time_gradient(VectorView out) override { return view_.time_gradient(out); }
  Status solve(Index handle, ConstVectorView r, VectorView z) override { return view_.solve(handle, r, z); }
  Status solve_complex(Index handle, ConstComplexView r, ComplexView z) override {
    return view_.solve_complex(handle, r, z);
  }

 private:
  SecondOrderSystem& view_;
  PlantCounters& counters_;
  ImplicitMatrix& matrix_;
  const std::string& plugin_;
  Index states_;
  mutable std::vector<double> mask_;
};

/// (x, x')' = (x', a): a second-order view for what works on first-order ones.
class FirstOrderForm final : public OdeSystem {
 public:
  explicit FirstOrderForm(SecondOrderSystem& view) : view_(view) {}
  Index size() const override { return 2 * view_.size(); }
  Status rhs(double t, ConstVectorView y, VectorView f) override {
    const Index n = view_.size();
    f.segment(0, n).map() = y.segment(n, n).map();
    return view_.acceleration(t, y.segment(0, n), y.segment(n, n), f.segment(n, n));
  }
  ConstVectorView mask() const override { return view_.mask(); }

 private:
  SecondOrderSystem& view_;
};

}  // namespace trammel
