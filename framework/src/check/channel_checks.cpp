// Level 3 of constraints and forces: channels are written completely, rates are derivatives, and forces have the power that
// their signs say.
#include <algorithm>
#include <cmath>
#include <set>

#include "check/element_channels.h"
#include "check/element_point.h"
#include "trammel/extensions/element_extensions.h"

namespace trammel::conformance {

Index SeenChannels::find(const std::string& name) const {
  const auto at = std::find(names.begin(), names.end(), name);
  return at == names.end() ? -1 : static_cast<Index>(at - names.begin());
}

SeenChannels see_channels(const Extensible& element, const ElementState& s) {
  SeenChannels seen;
  const auto* channels = find_extension<ElementChannels>(element);
  if (channels == nullptr) return seen;
  const Index n = channels->channel_count();
  require(n >= 0 && n <= 1000, "channel_count() is {}", n);
  std::vector<double> guarded(static_cast<std::size_t>(n) + 2, canary);
  std::fill_n(guarded.begin() + 1, n, std::nan(""));
  require_ok(channels->channel_values(s, {guarded.data() + 1, n}), "channel_values");
  require(guarded.front() == canary && guarded.back() == canary, "channel_values writes beyond its {} channels", n);
  seen.values = Eigen::Map<const VectorXd>(guarded.data() + 1, n);
  for (Index i = 0; i < n; ++i) {
    const char* name = channels->channel_name(i);
    require(name != nullptr && *name != 0, "channel {} has no name", i);
    require(channels->channel_unit(i) != nullptr && *channels->channel_unit(i) != 0,
            "channel '{}' has no unit; write \"1\" for none", name);
    seen.names.emplace_back(name);
    require(std::isfinite(seen.values[i]), "channel '{}' is left unwritten, or not finite", name);
  }
  return seen;
}

void require_same_channels(const SeenChannels& before, const SeenChannels& after, const Eigen::Matrix3d& turn,
                           const char* done, double tolerance) {
  const auto n = static_cast<Index>(before.values.size());
  for (Index i = 0; i < n; ++i) {
    const std::string& name = before.names[static_cast<std::size_t>(i)];
    const double scale = std::max(1.0, std::abs(before.values[i]));
    if (std::abs(after.values[i] - before.values[i]) < tolerance * scale) continue;
    const std::string stem = name.size() > 2 ? name.substr(0, name.size() - 2) : "";
    const Index x = before.find(stem + ".x"), y = before.find(stem + ".y"), z = before.find(stem + ".z");
    const bool vector = !stem.empty() && x >= 0 && y >= 0;
    const auto of = [&](const VectorXd& values) {
      return Eigen::Vector3d(values[x], values[y], z >= 0 ? values[z] : 0);
    };
    require(vector && (of(after.values) - turn * of(before.values)).norm() < tolerance * (1 + of(before.values).norm()),
            "{} changes channel '{}' from {:g} to {:g}", done, name, before.values[i], after.values[i]);
  }
}

namespace {

/// Whether a channel is the rate of the one in front of it; behind a force or a torque, "rate" is that of the motion.
bool is_rate_of(const std::string& rate, const std::string& value) {
  const bool of_coordinate = value != "force" && value != "torque";
  return rate == value + "_rate" || (rate == "rate" && of_coordinate) || (rate == "speed" && value == "displacement");
}

void require_good_names(const SeenChannels& seen) {
  std::set<std::string> known;
  for (const std::string& name : seen.names) {
    const bool plain = std::all_of(name.begin(), name.end(),
                                   [](char c) { return std::islower(c) || std::isdigit(c) || c == '_' || c == '.'; });
    require(plain, "channel name '{}' is not snake_case", name);
    require(known.insert(name).second, "two channels are called '{}'", name);
  }
}

/// Of a rate from differences: curves from tables have kinks in their higher derivatives, which differences feel. A rate of
/// something else is off by far more.
constexpr double rate_tolerance = 1e-6;

/// z' and v move the point on; `element` is asked on the way.
void require_rates(ElementPoint& point, const Extensible& element, const VectorXd& z_rate) {
  const SeenChannels seen = see_channels(element, point.at());
  const VectorXd v = point.velocity();
  for (std::size_t i = 1; i < seen.names.size(); ++i) {
    if (!is_rate_of(seen.names[i], seen.names[i - 1])) continue;
    const auto at = static_cast<Index>(i);
    const VectorXd said = VectorXd::Constant(1, seen.values[at]);
    const double error = difference_error(said, [&](double e) {
      point.move(e * v, {}, e, z_rate.size() > 0 ? VectorXd(e * z_rate) : z_rate);
      const VectorXd value = VectorXd::Constant(1, see_channels(element, point.at()).values[at - 1]);
      point.back();
      return value;
    });
    require(error < rate_tolerance, "channel '{}' differs from the derivative of '{}' by {:.1e} (relative)",
            seen.names[i], seen.names[i - 1], error);
  }
}

/// Sign of force x rate against the power of the force, the same everywhere.
class PowerSign {
 public:
  /// `power`: Q.v; `inner`: without the work from outside.
  void see(double product, double power, double inner, const std::string& names, bool tension) {
    const double scale = std::max({1.0, std::abs(product), std::abs(power)});
    const auto same = [&](double sign) {
      return std::min(std::abs(product - sign * power), std::abs(product - sign * inner)) < 1e-9 * scale;
    };
    if (std::abs(product) < 1e-9 * scale && same(1)) return;
    require(same(1) || same(-1), "{} is {:g} W, the power of the force is {:g} W", names, product, power);
    const int sign = same(-1) ? -1 : 1;
    require(!tension || sign == -1, "{} is {:g} W and the power {:g} W: a force along a length is positive in tension",
            names, product, power);
    require(sign_ == 0 || sign_ == sign, "{} has the sign of the power in one place and the opposite one in another",
            names);
    sign_ = sign;
  }

 private:
  int sign_ = 0;
};

void force_channels(Subject& subject) {
  bool applies = false;
  for_each_force(subject, [&](CaseModel& model, const ForceSlot& slot) {
    const auto* channels = find_extension<ElementChannels>(*slot.force);
    if (channels == nullptr || channels->channel_count() == 0) return;
    applies = true;
    PowerSign sign;
    const auto look_at = [&](ElementPoint& point, bool far) {
      VectorXd z_rate = VectorXd::Zero(point.internal_states()), Q = VectorXd::Zero(point.size());
      // Far from its case a law may have no value; nothing is said there.
      if (far && !slot.force->force(point.at(), point.segments(Q).data())) return;
      Q.setZero();
      if (z_rate.size() > 0)
        require_ok(slot.force->internal_rate(point.at(), {z_rate.data(), point.internal_states()}), "internal_rate");
      const SeenChannels seen = see_channels(*slot.force, point.at());
      require_good_names(seen);
      if (!far) require_rates(point, *slot.force, z_rate);
      require_ok(slot.force->force(point.at(), point.segments(Q).data()), "force");
      ForceEnergy energy;
      if (!slot.force->energy(point.at(), energy)) energy = {};
      const double power = Q.dot(point.velocity());
      const Index rate = seen.find("rate"), along = std::max(seen.find("force"), seen.find("torque"));
      if (rate > 0 && along >= 0) {
        const std::string names = fmt::format("'{}' x 'rate'", seen.names[static_cast<std::size_t>(along)]);
        sign.see(seen.values[rate] * seen.values[along], power, power - energy.work, names, seen.find("length") >= 0);
      }
      if (const Index said = seen.find("power"); said >= 0) {
        require(std::abs(seen.values[said] - power) < 1e-9 * std::max(1.0, std::abs(power)),
                "channel 'power' is {:g} W, the power of the force is {:g} W", seen.values[said], power);
      }
    };
    try {
      for (int look = 0; look < 8; ++look) {
        ElementPoint point(model, slot, slot.force);
        point.set_time(uniform(subject.random, 0.1, 0.9) * model.run.analysis.duration);
        point.disturb(subject.random, look % 2 == 0 ? 0.05 : 0.3, 1);
        look_at(point, look % 2 != 0);
      }
      along_motion(subject, model, slot, [&](ElementPoint& point) { look_at(point, false); });
    } catch (const Failed& failure) {
      fail("{}: {}", place_of(model, slot), failure.what());
    }
  });
  if (!applies) skip("no channels");
}

void constraint_channels(Subject& subject) {
  bool applies = false;
  for_each_constraint(subject, [&](CaseModel& model, const ConstraintSlot& slot) {
    const auto* channels = find_extension<ElementChannels>(*slot.constraint);
    if (channels == nullptr || channels->channel_count() == 0) return;
    applies = true;
    for (int look = 0; look < 4; ++look) {
      ElementPoint point(model, slot);
      point.set_time(uniform(subject.random, 0.1, 0.9) * model.run.analysis.duration);
      point.disturb(subject.random, 0.03, 1);
      try {
        require_good_names(see_channels(*slot.constraint, point.at()));
        require_rates(point, *slot.constraint, {});
      } catch (const Failed& failure) {
        fail("{}: {}", place_of(model, slot), failure.what());
      }
    }
  });
  if (!applies) skip("no channels");
}

}  // namespace

void add_channel_checks(ComponentKind kind, std::vector<Check>& checks) {
  const auto add = [&](const char* what, auto run) {
    checks.push_back({"math.channels", Level::mathematics, what,
                      "a rate of something else, a sign, or a value that is written under another name", run,
                      "contract.repeatable"});
  };
  if (kind == ComponentKind::constraint) add("channels are written, and rates are derivatives", constraint_channels);
  if (kind == ComponentKind::force)
    add("channels are written, rates are derivatives, and forces along them have the power of the element",
        force_channels);
}

}  // namespace trammel::conformance
