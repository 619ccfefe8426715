// Level 3 of forces that say where their law switches: along straight paths the force has kinks and jumps nowhere else but at
// break points of functions of time.
#include <algorithm>
#include <cmath>

#include "check/element_point.h"
#include "check/roughness.h"
#include "trammel/extensions/element_extensions.h"
#include "trammel/extensions/event.h"
#include "trammel/force.h"

namespace trammel::conformance {
namespace {

std::vector<double> break_points_of(const Function& function) {
  std::vector<double> points(static_cast<std::size_t>(function.break_points(nullptr, 0)));
  function.break_points(points.data(), static_cast<Index>(points.size()));
  return points;
}

/// The functions whose zeros a force tells: of its law, and of its events, at which steps end as well; and its functions of
/// lengths and rates, at whose break points they do, too.
struct Switches {
  explicit Switches(const ForceElement& force)
      : laws(find_extension<LawSwitches>(force)),
        events(find_extension<EventSource>(force)),
        functions(find_extension<StateFunctions>(force)) {}
  Index function_count() const { return functions != nullptr ? functions->state_function_count() : 0; }
  /// Empty: they are not told.
  VectorXd arguments(const ElementState& s, VectorXd& rate) const {
    VectorXd value = VectorXd::Constant(function_count(), std::nan(""));
    rate = value;
    const Status status = functions->state_function_arguments(s, view_of(value), view_of(rate));
    if (status.code == StatusCode::unsupported) return {};
    require_ok(status, "state_function_arguments");
    return value;
  }
  /// Whether an argument passes a break point between two places, or it cannot be told.
  bool passes_break(const VectorXd& a, const VectorXd& b) const {
    if (a.size() == 0) return function_count() > 0;
    for (Index i = 0; i < a.size(); ++i) {
      const Function* function = functions->state_function(i);
      if (function == nullptr) continue;
      for (const double point : break_points_of(*function)) {
        if ((a[i] - point) * (b[i] - point) <= 0) return true;
      }
    }
    return false;
  }
  Index laws_count() const { return laws != nullptr ? laws->switch_count() : 0; }
  Index count() const { return laws_count() + (events != nullptr ? events->event_count() : 0); }
  VectorXd values(const ElementState& s) const {
    VectorXd out = VectorXd::Constant(count(), std::nan(""));
    const Index first = laws_count();
    if (first > 0) require_ok(laws->switch_values(s, {out.data(), first}), "switch_values");
    if (count() > first) require_ok(events->event_values(s, {out.data() + first, count() - first}), "event_values");
    return out;
  }
  const LawSwitches* laws;
  const EventSource* events;
  const StateFunctions* functions;
};

/// A force along s -> (q + s dq, v + s dv, t + s dt), -1 <= s <= 1, as one number: a mix of its generalized forces.
class StraightPath {
 public:
  /// `dt`: s; negative before the start of a run never is.
  StraightPath(ElementPoint& point, const ForceElement& force, const Switches& switches, double dt, Random& random)
      : point_(point),
        force_(force),
        switches_(switches),
        dq_(point.size()),
        dv_(point.size()),
        mix_(point.size()),
        dt_(std::min(dt, point.time())) {
    const double far = std::pow(10, uniform(random, -3, -0.5)), fast = std::pow(10, uniform(random, -1, 1.5));
    for (Index k = 0; k < point.size(); ++k) {
      const double free = point.free(k / point.width()) ? 1 : 0;
      dq_[k] = free * far * uniform(random), dv_[k] = free * fast * uniform(random);
      mix_[k] = free * uniform(random);
    }
  }
  /// NaN where the force has no value.
  double operator()(double s) {
    point_.move(s * dq_, s * dv_, s * dt_, {});
    VectorXd Q = VectorXd::Zero(point_.size());
    const Status status = force_.force(point_.at(), point_.segments(Q).data());
    point_.back();
    return status ? mix_.dot(Q) : std::nan("");
  }
  double time(double s) const { return point_.time() + s * dt_; }
  double dt() const { return dt_; }
  /// Whether a switching function passes zero, or comes to matter, between two places.
  bool switches(double from, double to) {
    const VectorXd a = switch_values(from), b = switch_values(to);
    for (Index i = 0; i < a.size(); ++i) {
      if (std::isnan(a[i]) != std::isnan(b[i]) || a[i] * b[i] <= 0) return true;
    }
    return switches_.function_count() > 0 && switches_.passes_break(arguments(from), arguments(to));
  }

 private:
  VectorXd switch_values(double s) {
    point_.move(s * dq_, s * dv_, s * dt_, {});
    const VectorXd out = switches_.values(point_.at());
    point_.back();
    return out;
  }

  VectorXd arguments(double s) {
    point_.move(s * dq_, s * dv_, s * dt_, {});
    VectorXd rate;
    const VectorXd out = switches_.arguments(point_.at(), rate);
    point_.back();
    return out;
  }

  ElementPoint& point_;
  const ForceElement& force_;
  const Switches& switches_;
  VectorXd dq_, dv_, mix_;
  double dt_;
};

/// Whether a function of time of the model has a break point beside a time.
bool breaks_beside(const Model& model, double t, double within) {
  for (const Function* function : model.functions_of_time()) {
    for (const double point : break_points_of(*function)) {
      if (std::abs(point - t) <= within) return true;
    }
  }
  return false;
}

void switches_told(Subject& subject) {
  constexpr int paths = 12;
  bool applies = false;
  for_each_force(subject, [&](CaseModel& model, const ForceSlot& slot) {
    const Switches switches(*slot.force);
    if (switches.count() + switches.function_count() == 0) return;
    applies = true;
    const auto look = [&](ElementPoint& point) {
      for (int k = 0; k < paths; ++k) {
        const double dt = k % 2 == 0 ? 0 : uniform(subject.random, 0, 0.2) * model.run.analysis.duration;
        StraightPath path(point, *slot.force, switches, dt, subject.random);
        double scale = 0;
        for (int i = -20; i <= 20; ++i) scale = std::max(scale, std::abs(path(i / 20.0)));
        if (!(scale > 0) || !std::isfinite(scale)) continue;
        const double s = roughest([&](double at) { return path(at); }, scale);
        constexpr double beside = 4 * roughness_width;
        if (std::isnan(s) || path.switches(s - beside, s + beside)) continue;
        if (path.dt() > 0 && breaks_beside(model.model, path.time(s), beside * path.dt())) continue;
        fail(
            "the force has a kink or a jump where none of its {} switching functions passes zero, and none of its {} "
            "functions of the state a break point: no step ends there",
            switches.count(), switches.function_count());
      }
    };
    look_at_force(subject, model, slot, 1, look);
  });
  if (!applies) skip("it tells of no switches of its law, and has neither events nor functions of its state");
}

/// Values and rates at a point; empty: not told.
using Arguments = std::function<VectorXd(const ElementState& s, VectorXd& rate)>;

/// Rates that are told, but for 0, are those of the values along the motion.
void require_rates(ElementPoint& point, const Arguments& arguments, const char* what) {
  VectorXd rate, unused;
  const VectorXd value = arguments(point.at(), rate), v = point.velocity();
  for (Index i = 0; i < static_cast<Index>(value.size()); ++i) {
    require(!std::isnan(value[i]), "{} {} is no number", what, i);
    if (std::isnan(rate[i]) || rate[i] == 0) continue;
    const double error = difference_error(VectorXd::Constant(1, rate[i]), [&](double e) {
      point.move(e * v, {}, e, {});
      const VectorXd there = arguments(point.at(), unused);
      point.back();
      return VectorXd::Constant(1, there[i]);
    });
    require(error < derivative_tolerance, "the rate of {} {} differs from differences of it by {:.1e} (relative)", what,
            i, error);
  }
}

/// Where the arguments of functions of lengths and rates, and of laws, go along the motion: steps are made to end at break
/// points of the former, and narrow places of the latter are searched for.
void state_arguments(Subject& subject) {
  bool applies = false;
  for_each_force(subject, [&](CaseModel& model, const ForceSlot& slot) {
    const Switches switches(*slot.force);
    const auto* laws = find_extension<StateLaws>(*slot.force);
    const Index count = laws != nullptr ? laws->law_argument_count() : 0;
    const auto of_laws = [&](const ElementState& s, VectorXd& rate) {
      VectorXd value = VectorXd::Constant(count, std::nan(""));
      rate = value;
      require_ok(laws->law_places(s, view_of(value), view_of(rate)), "law_places");
      return value;
    };
    if (switches.function_count() == 0 && count == 0) return;
    look_at_force(subject, model, slot, 1, [&](ElementPoint& point) {
      if (switches.function_count() > 0) {
        VectorXd rate;
        const VectorXd value = switches.arguments(point.at(), rate);
        applies = applies || value.size() > 0;
        require(value.size() == 0 || !rate.hasNaN(), "the rate of an argument is no number");
        require_rates(
            point, [&](const ElementState& s, VectorXd& r) { return switches.arguments(s, r); }, "argument");
      }
      if (count == 0) return;
      applies = true;
      require_rates(point, of_laws, "argument of its laws");
    });
  });
  if (!applies)
    skip("it tells of no laws and no functions of its state (StateLaws, StateFunctions), or not of their arguments");
}

}  // namespace

void add_switch_check(std::vector<Check>& checks) {
  checks.push_back({"math.state_arguments", Level::mathematics,
                    "the rates of arguments of laws and of functions of the state are their rates along the motion",
                    "argument and rate exchanged, or the rate of another body", state_arguments,
                    "contract.repeatable"});
  checks.push_back({"math.switches", Level::mathematics, "its law switches only where its switching functions say so",
                    "a switching function with another sign or constant than the law", switches_told,
                    "contract.repeatable"});
}

}  // namespace trammel::conformance
