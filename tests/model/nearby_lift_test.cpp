// States inside the last step for integrals over it: how near they are to those that are solved for, and what they cost.
#include "trammel/extensions/nearby_lift.h"

#include "model_in_motion.h"
#include "trammel/math/cubic.h"

using namespace trammel;

namespace {

/// A step of length h by the accelerations at its start, taken by the formulation, and the cubic of w through its ends.
struct OneStep {
  OneStep(InMotion& motion, double h) : s(motion), h(h), w(s.d), w_dot(s.d), to(s.d), to_dot(s.d) {
    const Vector a = s.acceleration(s.t, s.w, s.w_dot);
    to = s.w + h * s.w_dot + h * h / 2 * a, to_dot = s.w_dot + h * a;
    Vector end = to, end_dot = to_dot;
    const Correction correction =
        s.reduction.correct_second_order(s.whole.system(), s.t + h, view(end), view(end_dot), memory());
    REQUIRE(correction.status);
    keeps_chart = !correction.changed;
  }
  Memory memory() { return {s.state.data(), s.scratch.data()}; }
  void place(double share) {
    cubic({view(s.w), view(s.w_dot)}, {view(to), view(to_dot)}, h, share, view(w));
    cubic_rate({view(s.w), view(s.w_dot)}, {view(to), view(to_dot)}, h, share, view(w_dot));
  }

  InMotion& s;
  double h;
  Vector w, w_dot, to, to_dot;
  bool keeps_chart = false;
};

}  // namespace

TEST_CASE("nearby lifts agree with full ones to a small part of what the step moves, for one Jacobian and no factors") {
  for (const char* name : {"configs/papers/sandu/hmmwv.json", "configs/benchmarks/a02_revolutes_2.json"}) {
    CAPTURE(name);
    InMotion s(std::filesystem::path(TRAMMEL_SOURCE_DIR) / name);
    REQUIRE(s.moves);
    const NearbyLift* nearby = find_extension<NearbyLift>(s.formulation);
    REQUIRE(nearby != nullptr);
    const Index n = s.whole.system().coordinates();
    Vector q(n), v(n), q_full(n), v_full(n), q_0(n), v_0(n);
    REQUIRE(s.reduction.lift_second_order(s.whole.system(), s.t, view(s.w), view(s.w_dot),
                                          {s.state.data(), s.scratch.data()}, view(q_0), view(v_0)));
    OneStep step(s, 1e-4);
    REQUIRE(step.keeps_chart);
    const double shares[] = {0.11, 0.5, 0.89};
    std::vector<Vector> found;
    for (const double share : shares) {
      step.place(share);
      const long before = s.model.point().jacobians;
      REQUIRE(nearby->lift_nearby(s.whole.system(), s.t + share * step.h, view(step.w), view(step.w_dot), step.memory(),
                                  view(q), view(v)));
      CHECK(s.model.point().jacobians - before == 1);
      found.push_back(q), found.push_back(v);
    }
    for (std::size_t i = 0; i < 3; ++i) {
      step.place(shares[i]);
      REQUIRE(s.reduction.lift_second_order(s.whole.system(), s.t + shares[i] * step.h, view(step.w), view(step.w_dot),
                                            step.memory(), view(q_full), view(v_full)));
      CHECK((found[2 * i] - q_full).norm() <= 1e-6 * (q_full - q_0).norm());
      CHECK((found[2 * i + 1] - v_full).norm() <= 1e-4 * (v_full - v_0).norm());
    }
  }
}

TEST_CASE("where the ends of a step tell too little, a nearby lift is a full one") {
  InMotion s(std::filesystem::path(TRAMMEL_SOURCE_DIR) / "configs/benchmarks/a02_revolutes_2.json");
  REQUIRE(s.moves);
  const NearbyLift* nearby = find_extension<NearbyLift>(s.formulation);
  REQUIRE(nearby != nullptr);
  const Index n = s.whole.system().coordinates();
  Vector q(n), v(n), q_full(n), v_full(n);
  OneStep step(s, 1e-3);
  step.place(0.5);
  step.w[0] += 0.01;  // not on the way of the step
  const double t = s.t + 0.5 * step.h;
  REQUIRE(nearby->lift_nearby(s.whole.system(), t, view(step.w), view(step.w_dot), step.memory(), view(q), view(v)));
  REQUIRE(s.reduction.lift_second_order(s.whole.system(), t, view(step.w), view(step.w_dot), step.memory(),
                                        view(q_full), view(v_full)));
  CHECK((q - q_full).norm() <= 1e-12);
  CHECK((v - v_full).norm() <= 1e-11 * v_full.norm());
}
