// ReducedView: the second-order view of a formulation on a model, driven without the engine.
#pragma once

#include "check/treated.h"
#include "trammel/extensions/nearby_lift.h"

namespace trammel::conformance {

/// A formulation's second-order view of a model.
class ReducedView {
 public:
  ReducedView(Treated& treated, const SecondOrderFormulation& formulation)
      : treated_(treated), formulation_(formulation), view_(*formulation.bind(treated.numbers(), treated.memory())) {
    w.setZero(view_.size()), rate = w;
    begin();
  }

  /// At (t, q, v) of the model.
  void begin() {
    require_ok(treated_.formulation().start(treated_.numbers(), treated_.t, view_of(treated_.q), view_of(treated_.v),
                                            treated_.memory()),
               "start");
    require_ok(formulation_.embed_second_order(treated_.numbers(), treated_.t, view_of(treated_.q), view_of(treated_.v),
                                               treated_.memory(), view_of(w), view_of(rate)),
               "embed_second_order");
    treated_.spoil();
  }
  /// Leaves (q, v) of the place in the model.
  void lift(double t, const VectorXd& at, const VectorXd& going) {
    VectorXd q(treated_.q.size()), v(treated_.v.size());
    require_ok(formulation_.lift_second_order(treated_.numbers(), t, view_of(at), view_of(going), treated_.memory(),
                                              view_of(q), view_of(v)),
               "lift_second_order");
    treated_.spoil();
    treated_.move_to(q, v);
  }
  void lift_nearby(const NearbyLift& nearby, double t, const VectorXd& at, const VectorXd& going) {
    VectorXd q(treated_.q.size()), v(treated_.v.size());
    require_ok(nearby.lift_nearby(treated_.numbers(), t, view_of(at), view_of(going), treated_.memory(), view_of(q),
                                  view_of(v)),
               "lift_nearby");
    treated_.spoil();
    treated_.move_to(q, v);
  }
  VectorXd acceleration(double t, const VectorXd& at, const VectorXd& going) {
    VectorXd a = VectorXd::Constant(at.size(), std::nan(""));
    require_ok(view_.acceleration(t, view_of(at), view_of(going), view_of(a)), "acceleration");
    require(a.allFinite(), "acceleration leaves entries unwritten, or writes numbers that are not finite");
    treated_.spoil();
    return a;
  }
  /// A Runge-Kutta step, and what is done behind it.
  void step(double h) {
    const double t = treated_.t;
    const VectorXd k1 = acceleration(t, w, rate), v2 = rate + h / 2 * k1,
                   k2 = acceleration(t + h / 2, w + h / 2 * rate, v2), v3 = rate + h / 2 * k2,
                   k3 = acceleration(t + h / 2, w + h / 2 * v2, v3), v4 = rate + h * k3,
                   k4 = acceleration(t + h, w + h * v3, v4);
    w += h / 6 * (rate + 2 * v2 + 2 * v3 + v4), rate += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    treated_.t += h;
    const Correction correction =
        formulation_.correct_second_order(treated_.numbers(), treated_.t, view_of(w), view_of(rate), treated_.memory());
    require_ok(correction.status, "correct_second_order");
    treated_.spoil();
    treated_.formulation().accepted(treated_.memory());
    if (!correction.restart) return;
    lift(treated_.t, w, rate);
    begin();
  }
  SecondOrderSystem& problem() { return view_; }

  VectorXd w, rate;

 private:
  Treated& treated_;
  const SecondOrderFormulation& formulation_;
  SecondOrderSystem& view_;
};

}  // namespace trammel::conformance
