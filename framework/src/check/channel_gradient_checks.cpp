// Level 3 of forces: channels that signals of other forces may follow have the gradients that they give.
#include <algorithm>
#include <cmath>

#include "check/element_channels.h"
#include "check/element_point.h"
#include "trammel/extensions/accepted_step.h"
#include "trammel/extensions/channel_gradients.h"
#include "trammel/extensions/element_extensions.h"

namespace trammel::conformance {
namespace {

/// Tables have kinks in their higher derivatives, which differences feel; a wrong term is off by far more.
constexpr double gradient_tolerance = 1e-6;

/// As signals ask: forces whose channels follow from their own bodies at this moment, two at most.
bool is_asked(const ForceElement& force) {
  const auto* angles = find_extension<CountedAngles>(force);
  return force.internal_states() == 0 && find_extension<AcceptedMemory>(force) == nullptr &&
         find_extension<SeesAcceptedStep>(force) == nullptr && force.body_count() <= 2 &&
         (angles == nullptr || angles->angle_count() <= 1);
}

struct Gradient {
  double value = std::nan(""), by_t = 0;
  VectorXd by_q, by_v;
};

/// What is added to something that is there, which the signal has from other channels.
Gradient gradient_of(const ChannelGradients& gradients, Index i, const ElementPoint& point, Random& random) {
  Gradient g;
  const VectorXd there_q = point.local(random), there_v = point.local(random);
  const double there_t = uniform(random);
  g.by_q = there_q, g.by_v = there_v, g.by_t = there_t;
  const Status status = gradients.channel_gradient(i, point.at(), &g.value, point.segments(g.by_q).data(),
                                                   point.segments(g.by_v).data(), &g.by_t);
  require_ok(status, "channel_gradient");
  g.by_q -= there_q, g.by_v -= there_v, g.by_t -= there_t;
  return g;
}

void require_gradient(ElementPoint& point, const ForceElement& force, Index i, Random& random) {
  const auto& gradients = *find_extension<ChannelGradients>(force);
  const SeenChannels seen = see_channels(force, point.at());
  const std::string& name = seen.names[static_cast<std::size_t>(i)];
  const Gradient g = gradient_of(gradients, i, point, random);
  require(std::abs(g.value - seen.values[i]) <= 1e-10 * std::max(1.0, std::abs(seen.values[i])),
          "channel_gradient writes the value {:g} of channel '{}', channel_values {:g}", g.value, name, seen.values[i]);
  const auto judge = [&](double said, const std::string& by, const VectorXd& dq, const VectorXd& dv, double dt) {
    const auto times = [](const VectorXd& x, double e) { return x.size() > 0 ? VectorXd(e * x) : x; };
    const double error = difference_error(VectorXd::Constant(1, said), [&](double e) {
      point.move(times(dq, e), times(dv, e), e * dt, {});
      const VectorXd value = VectorXd::Constant(1, see_channels(force, point.at()).values[i]);
      point.back();
      return value;
    });
    require(error < gradient_tolerance,
            "the derivative of channel '{}' by {} differs from differences of the channel by {:.1e} (relative)", name,
            by, error);
  };
  for (Index k = 0; k < point.size(); ++k) {
    const Index body = k / point.width();
    if (!point.free(body)) continue;
    const VectorXd unit = VectorXd::Unit(point.size(), k);
    const std::string which = fmt::format("{} {} of body {}", "coordinate", k % point.width(), body + 1);
    judge(g.by_q[k], which, unit, {}, 0);
    judge(g.by_v[k], "the rate of " + which, {}, unit, 0);
  }
  judge(g.by_t, "t", {}, {}, 1);
  // Its rate is taken to be its gradient along the velocities; a channel with a part of its own has another one.
  const bool alone = g.by_v.cwiseAbs().maxCoeff() == 0 && g.by_t == 0;
  require(gradients.channel_grade(i) != ChannelGrade::coordinate || alone,
          "channel '{}' follows from coordinates alone, as channel_grade says, and has derivatives by velocities or t",
          name);
  // Bodies that nobody asks for.
  std::vector<VectorView> nobody(static_cast<std::size_t>(point.bodies()));
  double value = std::nan(""), by_t = 0;
  require_ok(gradients.channel_gradient(i, point.at(), &value, nobody.data(), nobody.data(), &by_t),
             "channel_gradient without vectors");
  require(std::abs(value - g.value) <= 1e-12 * std::max(1.0, std::abs(g.value)),
          "channel '{}' is {:g} with vectors for its derivatives and {:g} without", name, g.value, value);
}

void channel_gradients(Subject& subject) {
  bool applies = false;
  for_each_force(subject, [&](CaseModel& model, const ForceSlot& slot) {
    const auto* gradients = find_extension<ChannelGradients>(*slot.force);
    if (gradients == nullptr) return;
    const auto* channels = find_extension<ElementChannels>(*slot.force);
    if (channels == nullptr)
      fail("{}: gradients of channels, and no channels (ElementChannels)", place_of(model, slot));
    if (!is_asked(*slot.force)) return;
    for (int look = 0; look < 4; ++look) {
      ElementPoint point(model, slot, slot.force);
      point.set_time(uniform(subject.random, 0.1, 0.9) * model.run.analysis.duration);
      point.disturb(subject.random, 0.05, 1);
      try {
        for (Index i = 0; i < channels->channel_count(); ++i) {
          if (gradients->channel_grade(i) == ChannelGrade::unknown) continue;
          applies = true;
          require_gradient(point, *slot.force, i, subject.random);
        }
      } catch (const Failed& failure) {
        fail("{}: {}", place_of(model, slot), failure.what());
      }
    }
  });
  if (!applies) skip("no channels with gradients");
}

}  // namespace

void add_channel_gradient_checks(std::vector<Check>& checks) {
  checks.push_back(
      {"math.channel_gradients", Level::mathematics,
       "gradients of channels agree with differences, values with the channels",
       "a forgotten factor, a sign, a channel of another number, or a gradient that is written and not added",
       channel_gradients, "math.channels"});
}

}  // namespace trammel::conformance
