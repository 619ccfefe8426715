// A view that remembers where it was evaluated, to see whether a method looks at the state it was given.
#pragma once

#include <cmath>
#include <vector>

#include "trammel/ode_system.h"

namespace trammel::conformance {

struct Visits {
  std::vector<std::vector<double>> points;  ///< t, then x

  void note(double t, ConstVectorView x) {
    points.push_back({t});
    points.back().insert(points.back().end(), x.data, x.data + x.size);
  }
  bool includes(double t, ConstVectorView x) const {
    for (const std::vector<double>& point : points) {
      bool same = std::abs(point[0] - t) < 1e-12;
      for (Index i = 0; i < x.size; ++i) same = same && point[static_cast<std::size_t>(i) + 1] == x[i];
      if (same) return true;
    }
    return false;
  }
};

class RecordedOde final : public OdeSystem {
 public:
  RecordedOde(OdeSystem& inner, Visits& visits) : inner_(inner), visits_(visits) {}
  Index size() const override { return inner_.size(); }
  Status rhs(double t, ConstVectorView y, VectorView f) override {
    visits_.note(t, y);
    return inner_.rhs(t, y, f);
  }
  Status jacobian(double t, ConstVectorView y, MatrixView f_y) override { return inner_.jacobian(t, y, f_y); }
  Status time_gradient(double t, ConstVectorView y, VectorView f_t) override { return inner_.time_gradient(t, y, f_t); }
  ConstVectorView mask() const override { return inner_.mask(); }

 private:
  OdeSystem& inner_;
  Visits& visits_;
};

}  // namespace trammel::conformance
