// Going around.
#include "check/closed_path.h"

#include <Eigen/LU>
#include <cmath>
#include <numbers>

#include "trammel/extensions/accepted_step.h"

namespace trammel::conformance {
namespace {

constexpr Index most_states = 12;

/// z after h, by the linearly implicit Euler method: stiff states are what friction and tyres have, and what it loses it
/// takes from the force.
class InternalMotion {
 public:
  InternalMotion(ElementPoint& point, const ForceElement& force) : point_(point), force_(force) {}

  /// From z, at the place that the point has when it is `placed` with given internal states.
  template <class Place>
  bool step(double h, VectorXd& z, const Place& placed) const {
    const auto n = static_cast<Index>(z.size());
    VectorXd f(n), moved(n);
    if (!rate(z, placed, f)) return false;
    MatrixXd J(n, n);
    for (Index k = 0; k < n; ++k) {
      const double e = 1e-7 * std::max(1e-3, std::abs(z[k]));
      VectorXd other = z;
      other[k] += e;
      if (!rate(other, placed, moved)) return false;
      J.col(k) = (moved - f) / e;
    }
    z += (MatrixXd::Identity(n, n) / h - J).partialPivLu().solve(f);
    return z.allFinite();
  }

 private:
  template <class Place>
  bool rate(const VectorXd& z, const Place& placed, VectorXd& f) const {
    placed(z);
    return force_.internal_rate(point_.at(), {f.data(), static_cast<Index>(f.size())}).ok() && f.allFinite();
  }
  ElementPoint& point_;
  const ForceElement& force_;
};

/// What an element with a memory keeps on the way; nothing for the others.
class KeptMemory {
 public:
  explicit KeptMemory(const ForceElement& force) : memory_(find_extension<AcceptedMemory>(force)) {
    if (memory_ != nullptr && memory_->memory_size() > 0)
      now_.resize(static_cast<std::size_t>(memory_->memory_size())), next_ = now_;
  }
  bool any() const { return !now_.empty(); }
  bool begin(ElementState s) {
    s.memory = nullptr;
    return !any() || memory_->initial_memory(s, {now_.data(), static_cast<Index>(now_.size())}).ok();
  }
  ElementState show(ElementState s) const {
    if (any()) s.memory = now_.data();
    return s;
  }
  bool accept(const ElementState& s) {
    if (!any()) return true;
    const bool ok = memory_->accepted(s, {next_.data(), static_cast<Index>(next_.size())}).ok();
    now_.swap(next_);
    return ok;
  }

 private:
  const AcceptedMemory* memory_;
  std::vector<double> now_, next_;
};

}  // namespace

ClosedPath::ClosedPath(const ElementPoint& point, Random& random, double size, double period, double shift)
    : begin_(point.coordinates()), along_(point.local(random)), across_(point.local(random)), period_(period) {
  along_ *= size / 2, across_ *= size / 2;  // entries of `local` are up to 2
  for (Index b = 0; b < point.bodies(); ++b) {
    const Index place = b * point.width(), dimension = point.spatial() ? 3 : 2;
    along_.segment(place, dimension) *= shift, across_.segment(place, dimension) *= shift;
  }
}

void ClosedPath::go(ElementPoint& point, double phase, int direction, const VectorXd& z) const {
  const double turn = 2 * std::numbers::pi, s = std::sin(turn * phase), c = std::cos(turn * phase);
  VectorXd q = begin_ + s * along_ + (1 - c) * across_;
  VectorXd v = direction * turn / period_ * (c * along_ + s * across_);
  for (Index b = 0; b < point.bodies() && point.spatial(); ++b) {  // Euler parameters stay on their sphere
    auto p = q.segment(b * point.width() + 3, 4);
    auto rate = v.segment(b * point.width() + 3, 4);
    const double length = p.norm();
    p /= length;
    rate = (rate - p.dot(rate) * p) / length;
  }
  point.move(q - point.coordinates(), v - point.velocity(), 0, z - point.first_internal());
}

RoundTrip go_around(const ClosedPath& path, ElementPoint& point, const ForceElement& force, int exact_steps) {
  RoundTrip trip;
  KeptMemory memory(force);
  const Index nz = point.internal_states();
  trip.exact = nz == 0 && !memory.any();
  if (nz > most_states) return {.possible = false};
  // States go round until they repeat; those that forget too slowly for that tell nothing.
  const int steps = trip.exact ? exact_steps : 400, least_rounds = trip.exact ? 1 : 4,
            most_rounds = trip.exact ? 1 : 40;
  const double h = path.period() / steps;
  const InternalMotion motion(point, force);
  VectorXd Q(point.size());
  for (const int direction : {1, -1}) {
    VectorXd z = point.first_internal();
    path.go(point, 0, direction, z);
    if (!memory.begin(point.at())) return {.possible = false};
    RoundTrip round;
    bool repeats = false;
    for (int n = 0; n < most_rounds && !repeats; ++n) {
      const VectorXd begin = z;
      double reach = 0;
      round = {};
      for (int i = 0; i < steps; ++i) {
        const double phase = direction * static_cast<double>((i + 1) % steps) / steps;
        const auto placed = [&](const VectorXd& at) { path.go(point, phase, direction, at); };
        if (nz > 0 && !motion.step(h, z, placed)) return {.possible = false};
        placed(z);
        reach = std::max(reach, nz > 0 ? (z - begin).cwiseAbs().maxCoeff() : 0.0);
        const ElementState s = memory.show(point.at());
        if (!memory.accept(s)) return {.possible = false};
        Q.setZero();
        if (!force.force(s, point.segments(Q).data()) || !Q.allFinite()) return {.possible = false};
        const double power = Q.dot(point.velocity_here());
        round.work += h * power, round.gross += h * std::abs(power);
        ForceEnergy energy;
        trip.keeps_account = force.energy(s, energy).ok();
        if (!trip.keeps_account) continue;
        // A potential that depends on time changes at rest as well: that part of the work belongs to time, which stands
        // still. What wind does to a body at rest is lost there at once.
        ForceEnergy at_rest;
        path.rest(point, phase, z);
        if (!force.energy(memory.show(point.at()), at_rest)) return {.possible = false};
        const double work = energy.work - (at_rest.work - at_rest.dissipation);
        round.declared += h * work;
        round.balance += h * (power + energy.dissipation - work);
      }
      repeats = n + 1 >= least_rounds && (nz == 0 || (z - begin).cwiseAbs().maxCoeff() <= 1e-3 * reach);
    }
    if (!repeats) return {.possible = false};
    trip.work += round.work, trip.gross += round.gross;
    trip.declared += round.declared, trip.balance += round.balance;
  }
  point.back();
  return trip;
}

}  // namespace trammel::conformance
