// Plugin `exponential`: x' = rate x, whose solution is initial e^(rate t). The test equation of integration methods.
#include "trammel/sdk/plugin.h"
#include "trammel/system.h"

namespace trammel {

class Exponential final : public System {
 public:
  struct Parameters {
    double rate;
    double initial;
  };
  static constexpr auto parameters =
      sdk::table<Parameters>(TRAMMEL_FIELD(Parameters, rate, "1/s", "Growth rate.").otherwise("1"),
                             TRAMMEL_FIELD(Parameters, initial, "1", "x at t = 0.").otherwise("1"));

  explicit Exponential(const Parameters& p) : equation_(p.rate), initial_(p.initial) {}

  OdeSystem* ode() override { return &equation_; }
  const char* coordinate_name(Index) const override { return "x"; }
  void initial(VectorView x, VectorView) const override { x[0] = initial_; }

 private:
  class Equation final : public OdeSystem {
   public:
    explicit Equation(double rate) : rate_(rate) {}
    Index size() const override { return 1; }
    Status rhs(double, ConstVectorView y, VectorView f) override {
      f[0] = rate_ * y[0];
      return Status::success();
    }
    Status jacobian(double, ConstVectorView, MatrixView f_y) override {
      f_y(0, 0) = rate_;
      return Status::success();
    }
    Status time_gradient(double, ConstVectorView, VectorView f_t) override {
      f_t[0] = 0;
      return Status::success();
    }
    ConstVectorView mask() const override { return {&counted_, 1}; }

   private:
    double rate_;
    double counted_ = 1;
  };

  Equation equation_;
  double initial_;
};

}  // namespace trammel

TRAMMEL_PLUGIN("exponential", "1.0.0", "BSD-3-Clause",
               component<Exponential>(Host::any, "exponential", "The equation x' = rate x.",
                                      "Haug, Computer Aided Kinematics and Dynamics, Example 7.4.3"));
