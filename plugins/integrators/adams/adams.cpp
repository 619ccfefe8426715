// Plugin `adams`: Adams-Bashforth predictors and Adams-Bashforth-Moulton PECE: `adams`, and `ampc`, `mampc` with the
// names of Wu, Chiou and Lin.
//
//   ampc  of order m   predictor of order m, corrector of order m: AMPC_m
//   mampc of order m   the weighted mean of both, W1/(W1+W2) y^p + W2/(W1+W2) y^c, which by Theorem 1 is the
//                      corrector of order m + 1 with the same f^p_{n+1}: MAMPC_m is the PECE of order m of `adams`
#include "controlled.h"
#include "equidistant.h"
#include "trammel/error.h"
#include "trammel/sdk/plugin.h"

namespace trammel {

class Adams final : public Integrator {
 public:
  enum class Mode : std::int32_t { predictor, pece };
  enum class Control : std::int32_t { fixed, haug };

  struct Parameters {
    std::int64_t order;
    Mode mode;
    adams::Start start;
    double h_start;
    Control control;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, order, "1",
                    "Order k of the predictor; the corrector of pece has order k + 1. With control haug the highest, "
                    "at most 11.")
          .at_least(1)
          .at_most(12),
      TRAMMEL_FIELD(Parameters, mode, "1", "Predictor only, or predict, evaluate, correct, evaluate.")
          .choices("predictor|pece")
          .otherwise("\"pece\""),
      TRAMMEL_FIELD(Parameters, start, "1",
                    "Rising orders (total order at most 2, pece 3), short Runge-Kutta steps, rising orders with steps "
                    "h_start, or order k at once with missing differences taken as zero.")
          .choices("ramp|runge_kutta|small_steps|zero_differences")
          .otherwise("\"ramp\""),
      TRAMMEL_FIELD(Parameters, h_start, "s", "Longest step of start small_steps, which makes equal parts of the step.")
          .above(0)
          .optional(),
      TRAMMEL_FIELD(Parameters, control, "1", "Fixed order and step, or both controlled by the error.")
          .choices("fixed|haug")
          .otherwise("\"fixed\""));

  explicit Adams(const Parameters& p)
      : equidistant_({{static_cast<int>(p.order), p.mode == Mode::pece ? static_cast<int>(p.order) + 1 : 0},
                      p.start,
                      given(p.h_start) ? p.h_start : 0,
                      0}),
        controlled_(static_cast<int>(p.order)),
        method_(p.control == Control::haug ? static_cast<const Integrator&>(controlled_) : equidistant_) {
    using adams::Start;
    if ((p.start == Start::small_steps) != given(p.h_start)) {
      throw Error::parameter("h_start", given(p.h_start) ? "\"h_start\" is for \"start\": \"small_steps\" only"
                                                         : "\"start\": \"small_steps\" needs \"h_start\", their size");
    }
    if (p.control == Control::fixed) return;
    if (p.mode == Mode::predictor) {
      throw Error::parameter("mode", "\"control\": \"haug\" needs the estimate of the corrector: \"mode\" is \"pece\"");
    }
    if (p.start != Start::ramp) {
      throw Error::parameter("start", "\"control\": \"haug\" starts by itself with order 1 and a small step");
    }
    if (p.order > adams::Controlled::highest_order) {
      throw Error::parameter("order", "\"control\": \"haug\" goes to order 11 at most");
    }
  }

  IntegratorTraits traits() const override { return method_.traits(); }
  MemorySize memory(const ProblemSize& size) const override { return method_.memory(size); }
  Status start(const Problem& problem, const ConstStateView& state, const Memory& memory) const override {
    return method_.start(problem, state, memory);
  }
  StepResult attempt(const Problem& problem, const ConstStateView& state, double h, const StateView& next,
                     VectorView error, const Memory& memory) const override {
    return method_.attempt(problem, state, h, next, error, memory);
  }
  void accept(const Problem& problem, const ConstStateView& state, bool changed, const Memory& memory) const override {
    method_.accept(problem, state, changed, memory);
  }
  void reject(const Memory& memory) const override { method_.reject(memory); }
  Status interpolate(const Problem& problem, const ConstStateView& from, const ConstStateView& to, double t,
                     const StateView& out, const Memory& memory) const override {
    return method_.interpolate(problem, from, to, t, out, memory);
  }
  const void* extension(const char* id) const override { return method_.extension(id); }

 private:
  adams::Equidistant equidistant_;
  adams::Controlled controlled_;
  const Integrator& method_;
};

/// AMPC_m, and MAMPC_m, whose corrector is of one order more.
template <int raise>
class WuMethod final : public adams::Equidistant {
 public:
  struct Parameters {
    std::int64_t order;
    double start_error;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, order, "1", "Order m of the predictor.").at_least(1).at_most(12),
      TRAMMEL_FIELD(Parameters, start_error, "1",
                    "Absolute local error of the Runge-Kutta-Fehlberg steps that make the first m - 1 steps; for large "
                    "components a few of their roundings instead.")
          .above(0)
          .otherwise("1e-15"));

  explicit WuMethod(const Parameters& p)
      : Equidistant({{static_cast<int>(p.order), static_cast<int>(p.order) + raise},
                     adams::Start::fehlberg,
                     0,
                     p.start_error}) {}
};

}  // namespace trammel

TRAMMEL_PLUGIN(
    "adams", "1.1.0", "BSD-3-Clause",
    component<Adams>(Host::any, "adams",
                     "Adams-Bashforth of order 1 to 12, alone or as predictor of Adams-Bashforth-Moulton PECE.",
                     "Haug, Computer Aided Kinematics and Dynamics, 7.4"),
    component<WuMethod<0>>(Host::any, "ampc",
                           "Adams-Bashforth-Moulton PECE, predictor and corrector of the same order (AMPC_m).",
                           "Wu, Chiou, Lin, Mech. Struct. Mach. 28 (2000) 201-218"),
    component<WuMethod<1>>(Host::any, "mampc",
                           "Modified Adams-Moulton PECE: the weighted mean of predictor and corrector (MAMPC_m).",
                           "Wu, Chiou, Lin, Mech. Struct. Mach. 28 (2000) 201-218"));
