// Level 3 of formulations: that lift, rhs, jacobian, correct and the second-order view say the same of one motion.
#include <Eigen/Cholesky>
#include <cmath>

#include "check/reduced_view.h"
#include "check/second_order_derivatives.h"
#include "check/treated.h"
#include "trammel/extensions/formulation_extensions.h"
#include "trammel/extensions/nearby_lift.h"

namespace trammel::conformance {
namespace {

// Lifts that iterate leave 1e-10 of coordinates, which differences divide by their steps.
constexpr double iterated_tolerance = 1e-6;
// Penalties and feedback as fast as the step leave more of the accelerations.
constexpr double followed_tolerance = 1e-4;

const std::vector<std::string>& moving_models() {
  static const std::vector<std::string> models = {parallelogram(true), spatial_linkage,  parted_blocks(),
                                                  driven_block(),      lagging_carriage, redundant_pendulum};
  return models;
}

VectorXd joined(std::initializer_list<VectorXd> parts) {
  VectorXd all(0);
  for (const VectorXd& part : parts) {
    const Eigen::Index before = all.size();
    all.conservativeResize(before + part.size());
    all.tail(part.size()) = part;
  }
  return all;
}

/// At the start, with velocities at random, and behind some steps, when a formulation does what it does between steps.
void at_two_places(Subject& subject, const TreatedModel& model, const std::function<void(Treated&)>& look) {
  const auto treated = model.make();
  if (model.file.empty()) treated->begin_moving(subject.random);
  look(*treated);
  treated->run_to(0.05, 20);
  look(*treated);
}

void rates(Subject& subject) {
  on_models(subject, moving_models(), true, [&](const TreatedModel& model) {
    at_two_places(subject, model, [](Treated& treated) {
      const double t = treated.t;
      const VectorXd y = treated.y, f = treated.rhs(t, y);
      treated.lift();
      VectorXd z_rate;
      const VectorXd v = treated.v, a = treated.acceleration(z_rate);
      const auto lifted = [&](double e) {
        treated.lift_at(t + e, y + e * f);
        return joined({treated.q, treated.v, treated.z});
      };
      const double error = difference_error(joined({v, a, z_rate}), lifted);
      require(error < followed_tolerance,
              "at t = {:g}, where y moves as rhs says, the lifted q, v and z do not move with v, the accelerations of "
              "the equations of motion and the rates of z: they differ by {:.1e} (relative)",
              t, error);
    });
  });
}

void exact_jacobian(Subject& subject) {
  bool looked = false;
  on_models(subject, moving_models(), true, [&](const TreatedModel& model) {
    at_two_places(subject, model, [&](Treated& treated) {
      for (VectorXd::value_type& x : treated.y) x += uniform(subject.random, -0.02, 0.02);  // off the constraints
      const std::optional<MatrixXd> J = treated.jacobian();
      if (!J) return;
      looked = true;
      const double t = treated.t;
      const VectorXd y = treated.y;
      for (Eigen::Index k = 0; k < y.size(); ++k) {
        const double error =
            difference_error(J->col(k), [&](double e) { return treated.rhs(t, y + e * VectorXd::Unit(y.size(), k)); });
        require(error < iterated_tolerance,
                "column {} of f_y at t = {:g} differs from differences by {:.1e} (relative)", k, t, error);
      }
      treated.correct();
    });
  });
  if (!looked) skip("it gives no Jacobian; methods take differences");
}

/// Phi'' + 2 alpha Phi' + beta^2 Phi = 0, behind steps of one length where alpha and beta follow them.
void feedback(Subject& subject) {
  constexpr double h = 0.01;
  bool looked = false, seen = false;
  on_models(subject, {parallelogram(true), spatial_linkage, parted_blocks()}, false, [&](const TreatedModel& model) {
    const auto treated = model.make();
    const auto* declared = find_extension<ConstraintFeedback>(treated->formulation());
    if (declared == nullptr) return;
    looked = true;
    bool in_some = false, by_steps = false;
    double alpha = declared->alpha(), beta = declared->beta();
    if (const auto* by_step = find_extension<StepwiseFeedback>(treated->formulation())) {
      const double most = by_step->largest_alpha_h() / h, larger = std::max(alpha, beta);
      if (by_step->alpha_h() > 0)
        alpha = beta = by_step->alpha_h() / h;
      else if (most > 0 && larger > most)
        alpha *= most / larger, beta *= most / larger;
      in_some = most > 0;  // steps that a formulation corrects otherwise need none
      by_steps = in_some || by_step->alpha_h() > 0;
    }
    // At the start alpha and beta are those of the run file, whatever a formulation makes of them later.
    for (int i = 0; by_steps && i < 20; ++i) treated->step(h);
    const VectorXd y =
        treated->y + VectorXd::NullaryExpr(treated->y.size(), [&] { return uniform(subject.random, -0.01, 0.01); });
    const VectorXd f = treated->rhs(treated->t, y);
    treated->lift_at(treated->t + 1e-6, y + 1e-6 * f);
    VectorXd a = treated->v;
    treated->lift_at(treated->t - 1e-6, y - 1e-6 * f);
    a = (a - treated->v) / 2e-6;
    treated->lift_at(treated->t, y);
    const VectorXd of_v = treated->rows_of(treated->v), of_a = treated->rows_of(a);  // evaluated there from here on
    const VectorXd rate = of_v - treated->nu(), left = of_a - treated->gamma(),
                   expected = -2 * alpha * rate - beta * beta * treated->Phi();
    const double error = (left - expected).norm() / (1 + expected.norm());
    if (in_some && left.norm() < 1e-5 * (1 + expected.norm())) return;
    seen = true;
    require(
        error < 1e-5,
        "with steps of {} s violations obey Phi'' = -2 alpha Phi' - beta^2 Phi with alpha = {:g}, beta = {:g} up to "
        "{:.1e} only",
        h, alpha, beta, error);
  });
  if (!looked) skip("it feeds no violation back");
  require(seen, "it declares feedback of violations, and there is none");
}

/// What is left of an estimate has to be the error of the corrected state.
class JudgedError {
 public:
  JudgedError(Treated& treated, Random& random) : treated_(treated), mask_(treated.mask()) {
    treated.correct();
    y_ = treated.y;
    at_ = treated.corrected(y_);
    const auto nz = static_cast<Index>(treated.z.size());
    half_ = static_cast<Index>((y_.size() - nz) / 2);
    whole_ = mask_.head(half_).sum() == half_;
    const double counted = mask_.head(half_).sum();
    const bool by_coordinates = 2 * treated.q.size() + nz == y_.size();
    require(whole_ || !by_coordinates || counted == treated.freedoms(),
            "mask: {} positions rule the step; the constraints leave {} free", counted, treated.freedoms());
    for (const Index first : {Index{0}, half_}) {
      VectorXd error = VectorXd::Zero(y_.size());
      for (Index i = first; i < first + half_; ++i) error[i] = uniform(random, -size, size);
      judge(error, first > 0);
    }
  }

 private:
  static constexpr double size = 1e-5;

  void judge(const VectorXd& error, bool of_velocities) {
    const VectorXd moved = treated_.corrected(y_ + error);
    VectorXd left = error;
    treated_.y = y_;
    treated_.correct(left);
    treated_.y = y_;
    const char* level = of_velocities ? "velocities" : "positions";
    if (treated_.freedoms() == 0) {
      const double share = mask_.cwiseProduct(left).norm() / error.norm();
      require(share < 1.01, "all motion is driven, and {:.1e} of an error of {} rules the step", share, level);
      return;
    }
    const VectorXd difference = whole_ ? lifted(y_ + left, of_velocities) - lifted(moved, of_velocities) +
                                             lifted(at_, of_velocities) - lifted(y_, of_velocities)
                                       : masked(left - (moved - at_), of_velocities);
    require(difference.norm() < 0.01 * error.norm(),
            "an error of {} that the correction of the state takes away, or leaves, is treated otherwise: by {:.1e} of "
            "its length",
            level, difference.norm() / error.norm());
  }
  VectorXd lifted(const VectorXd& y, bool of_velocities) {
    treated_.lift_at(treated_.t, y);
    return of_velocities ? treated_.v : treated_.q;
  }
  VectorXd masked(const VectorXd& y, bool of_velocities) const {
    return mask_.cwiseProduct(y).segment(of_velocities ? half_ : 0, half_);
  }

  Treated& treated_;
  VectorXd mask_, y_, at_;
  Index half_ = 0;
  bool whole_ = false;
};

void error_estimate(Subject& subject) {
  const std::vector<std::string> models = {parallelogram(true), spatial_linkage, parted_blocks(),   parted_blocks(true),
                                           redundant_pendulum,  driven_block(),  driven_block(true)};
  on_models(subject, models, true, [&](const TreatedModel& model) {
    const auto treated = model.make();
    treated->run_to(0.02, 2);
    JudgedError(*treated, subject.random);
  });
}

/// A point mass on two rods goes round and round: in turn two of its coordinates tell where it is.
void turning(Subject& subject) {
  const char* const system = R"({ "type": "spatial", "gravity": [0, 0, -9.81],
    "bodies": { "ball": { "type": "point_mass", "mass": 2, "position": [0, 1, 0], "velocity": [0, 0, 6] } },
    "constraints": { "left": { "type": "distance", "bodies": ["ground", "ball"], "point_i": [-1, 0, 0] },
                     "right": { "type": "distance", "bodies": ["ground", "ball"], "point_i": [1, 0, 0] } } })";
  constexpr double end = 3;
  on_models(subject, {system}, false, [&](const TreatedModel& model) {
    const auto treated = model.make();
    treated->run_to(end, 1500);
    double phi = 0, omega = 6;  // phi'' = -g cos(phi), by steps whose error is 1e-12
    const int steps = 20000;
    for (int i = 0; i < steps; ++i) {
      constexpr double h = end / steps, g = 9.81;
      const double k1 = -g * std::cos(phi), k2 = -g * std::cos(phi + h / 2 * omega),
                   k3 = -g * std::cos(phi + h / 2 * omega + h * h / 4 * k1),
                   k4 = -g * std::cos(phi + h * omega + h * h / 2 * k2);
      phi += h * omega + h * h / 6 * (k1 + k2 + k3);
      omega += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    const double error = std::hypot(treated->q[1] - std::cos(phi), treated->q[2] - std::sin(phi));
    require(error < 1e-4, "a point mass that goes round on rods, to {:.2g} rad, is off by {:.1e} m at t = {}", phi,
            error, end);
  });
}

// --- The second-order view -----------------------------------------------------------------------------------------

void on_reduced(Subject& subject, const std::function<void(Treated&, ReducedView&)>& look) {
  bool looked = false;
  const std::vector<std::string> models = {parallelogram(true), spatial_linkage, parted_blocks(), redundant_pendulum};
  on_models(subject, models, true, [&](const TreatedModel& model) {
    const auto treated = model.make();
    const auto* formulation = find_extension<SecondOrderFormulation>(treated->formulation());
    if (formulation == nullptr || treated->z.size() > 0) return;
    looked = true;
    if (model.file.empty()) treated->begin_moving(subject.random);
    ReducedView reduced(*treated, *formulation);
    look(*treated, reduced);
    for (int i = 0; i < 5; ++i) reduced.step(0.01);
    reduced.lift(treated->t, reduced.w, reduced.rate);
    look(*treated, reduced);
  });
  if (!looked) skip("it has no second-order view");
}

void second_order(Subject& subject) {
  on_reduced(subject, [](Treated& treated, ReducedView& reduced) {
    const double t = treated.t;
    const VectorXd q = treated.q, v = treated.v, w = reduced.w, rate = reduced.rate;
    reduced.lift(t, w, rate);
    const double away = (treated.q - q).norm() + (treated.v - v).norm();
    require(away < 1e-8, "embed_second_order and lift_second_order bring a state back {:.1e} away", away);
    const VectorXd reduced_a = reduced.acceleration(t, w, rate);
    VectorXd z_rate;
    const VectorXd a = treated.acceleration(z_rate);
    const double error = difference_error(joined({v, a}), [&](double e) {
      reduced.lift(t + e, w + e * rate + e * e / 2 * reduced_a, rate + e * reduced_a);
      return joined({treated.q, treated.v});
    });
    require(error < iterated_tolerance,
            "where w moves as `acceleration` says, the lifted q and v do not move with v and the accelerations of the "
            "equations of motion: they differ by {:.1e} (relative)",
            error);
    treated.move_to(q, v);
  });
}

void second_order_jacobian(Subject& subject) {
  bool looked = false;
  on_reduced(subject, [&](Treated& treated, ReducedView& reduced) {
    SecondOrderSystem& problem = reduced.problem();
    if (!second_order_derivatives(problem, treated.t, reduced.w, reduced.rate, iterated_tolerance)) return;
    looked = true;
    const MatrixXd M = mass_of(problem);
    require((M - M.transpose()).norm() < 1e-9 * M.norm(), "M^ is not symmetric");
    require(Eigen::LLT<MatrixXd>(M).info() == Eigen::Success, "M^ is not positive");
    const ConstVectorView mask = problem.mask();
    require(mask.size == 2 * problem.size(), "mask() has {} entries; 2 size() = {} were expected", mask.size,
            2 * problem.size());
  });
  if (!looked) skip("it gives no Jacobians");
}

/// Far along the motion, and back inside the last step, lifts find the branch of the motion.
void branch(Subject& subject) {
  on_reduced(subject, [](Treated& treated, ReducedView& reduced) {
    const auto* nearby = find_extension<NearbyLift>(treated.formulation());
    // The motion by small steps of the same view, each of which begins where the last one ended.
    constexpr int count = 60;
    constexpr double h = 2e-3;
    const double t = treated.t;
    std::vector<VectorXd> q = {treated.q}, v = {treated.v}, w = {reduced.w}, rate = {reduced.rate};
    const VectorXd before_q = treated.q, before_v = treated.v;
    reduced.begin();
    const VectorXd begin_w = reduced.w, begin_rate = reduced.rate;
    for (int i = 0; i < count; ++i) {
      reduced.step(h);
      reduced.lift(treated.t, reduced.w, reduced.rate);
      q.push_back(treated.q), v.push_back(treated.v), w.push_back(reduced.w), rate.push_back(reduced.rate);
    }
    const double way = (q.back() - q.front()).norm() + 1e-3;
    const auto judge = [&](int i, const char* what, double limit) {
      const auto at = static_cast<std::size_t>(i);
      const double off = (treated.q - q[at]).norm() + (treated.v - v[at]).norm() * h * count;
      require(off < limit * way, "{} is off the motion by {:.1e} m (or rad) of {:.1e}", what, off, way);
    };
    treated.t = t, treated.move_to(before_q, before_v);
    reduced.begin();
    if ((reduced.w - begin_w).norm() > 1e-9 || w.back().size() != begin_w.size()) return;  // another chart
    for (const int i : {count / 4, count / 2}) {
      const auto at = static_cast<std::size_t>(i);
      reduced.acceleration(t, begin_w, begin_rate);
      reduced.lift(t + i * h, w[at], rate[at]);
      judge(i, "a lift far ahead", 1e-6);
    }
    const auto last = static_cast<std::size_t>(count / 2);
    VectorXd to = w[last], going = rate[last];
    const double length = h * (count / 2);
    reduced.step(length);
    for (const int i : {count / 8, count / 4, 3 * count / 8}) {
      const auto at = static_cast<std::size_t>(i);
      if (nearby != nullptr) {
        reduced.lift_nearby(*nearby, t + i * h, w[at], rate[at]);
        judge(i, "a nearby lift inside the last step", 1e-4);
      }
      reduced.lift(t + i * h, w[at], rate[at]);
      judge(i, "a lift inside the last step", 1e-6);
    }
    treated.t = t, treated.move_to(before_q, before_v);
    reduced.begin();
  });
}

}  // namespace

void add_formulation_motion_checks(std::vector<Check>& checks) {
  const auto add = [&](const char* id, const char* what, const char* cause, auto run,
                       const char* needs = "math.rates") {
    checks.push_back({id, Level::mathematics, what, cause, run, needs});
  };
  add("math.rates", "where y moves as rhs says, the lifted state moves as the equations of motion say",
      "rates of dependent coordinates, or of constraints that depend on time, left out", rates, "math.redundant");
  add("math.exact_jacobian", "f_y is the derivative of rhs, on and off the constraints",
      "a feedback term, or the accelerations of constraints, left out", exact_jacobian, "math.rates");
  add("math.feedback", "violations obey the equation with the alpha and beta that it declares",
      "alpha for 2 alpha, or beta for beta^2", feedback, "math.rates");
  add("math.error", "what is left of an error estimate is the error of the corrected state",
      "an estimate that is projected in part, or in other weights than the state", error_estimate, "math.rates");
  add("math.turning", "a motion that no set of independent coordinates describes for long is followed",
      "a partition that is kept, or a memory of the old one", turning);
  add("math.second_order", "accelerations of the second-order view are those of the equations of motion",
      "terms of dependent velocities left out", second_order);
  add("math.second_order_jacobian", "its Jacobians are derivatives, and its implicit solves solve",
      "M J1 given as J1, or a handle that is lost", second_order_jacobian, "math.second_order");
  add("math.branch", "lifts far ahead and inside the last step find the branch of the motion",
      "a prediction of the dependent coordinates of the wrong sign", branch, "math.second_order");
}

}  // namespace trammel::conformance
