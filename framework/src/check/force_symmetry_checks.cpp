// Level 3 of forces: what holds whatever the law is. Forces between bodies know nothing of space, and no force gives energy
// around a closed path unless it says that it is driven.
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "check/closed_path.h"
#include "check/element_channels.h"
#include "check/element_point.h"
#include "trammel/extensions/accepted_step.h"
#include "trammel/extensions/force_claims.h"

namespace trammel::conformance {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

/// What a force gives at a point: vectors of the global frame, and numbers that no turn changes.
struct ForceSeen {
  std::vector<Vector3d> vectors;  ///< force and torque about the centre of mass, per free body
  VectorXd numbers;               ///< rates of the internal states, energies
  SeenChannels channels;
};

ForceSeen see(const CaseModel& model, const ForceSlot& slot, const ElementPoint& point) {
  ForceSeen seen;
  VectorXd Q = VectorXd::Zero(point.size());
  require_ok(slot.force->force(point.at(), point.segments(Q, true).data()), "force");
  for (Index b = 0; b < point.bodies(); ++b) {
    if (!point.free(b)) continue;
    double force[3] = {0, 0, 0}, torque[3] = {0, 0, 0};
    const ConstVectorView part{Q.data() + b * point.width(), point.width()};
    model.numbers->assembly().output.wrench(point.state(b), part, force, torque);
    seen.vectors.emplace_back(force), seen.vectors.emplace_back(torque);
  }
  const Index nz = point.internal_states();
  seen.numbers.setZero(nz + 3);
  if (nz > 0) require_ok(slot.force->internal_rate(point.at(), {seen.numbers.data(), nz}), "internal_rate");
  ForceEnergy energy;
  const Status status = slot.force->energy(point.at(), energy);
  if (status) seen.numbers.tail(3) << energy.potential, energy.dissipation, energy.work;
  if (!status && status.code != StatusCode::unsupported) require_ok(status, "energy");
  seen.channels = see_channels(*slot.force, point.at());
  return seen;
}

constexpr double same_force = 1e-7;  // of stiff elements rounding of positions is seen

/// `turn`: what became of directions.
void compare(const ForceSeen& before, const ForceSeen& after, const Matrix3d& turn, const char* done) {
  double scale = 1, change = 0;
  for (std::size_t i = 0; i < before.vectors.size(); ++i) {
    scale = std::max(scale, before.vectors[i].norm());
    change = std::max(change, (after.vectors[i] - turn * before.vectors[i]).norm());
  }
  require(change < same_force * scale, "{} changes the forces on them by {:.1e} (relative)", done, change / scale);
  for (Index k = 0; k < before.numbers.size(); ++k) {
    const double size = std::max(1.0, std::abs(before.numbers[k]));
    const Index z = static_cast<Index>(before.numbers.size()) - 3;
    constexpr const char* names[] = {"the potential", "the dissipation", "the work"};
    require(std::abs(after.numbers[k] - before.numbers[k]) < same_force * size, "{} changes {} from {:g} to {:g}", done,
            k < z ? fmt::format("the rate of internal state {}", k) : names[k - z], before.numbers[k],
            after.numbers[k]);
  }
  require_same_channels(before.channels, after.channels, turn, done, same_force);
}

/// Accelerations of a last step stay those that they were: forces that see them are left out.
bool sees_accelerations(const ForceElement& element) {
  const auto* sees = find_extension<SeesAcceptedStep>(element);
  return sees != nullptr && sees->seen_count() == 0;
}

void objectivity(Subject& subject) {
  bool applies = false, claimed = false;
  for_each_force(subject, [&](CaseModel& model, const ForceSlot& slot) {
    if (slot.bodies.size() < 2 || sees_accelerations(*slot.force)) return;
    if (!claims_of(*slot.force).objective()) {
      claimed = true;
      return;
    }
    applies = true;
    const auto look_at = [&](ElementPoint& point) {
      bool ground = false;
      for (Index b = 0; b < point.bodies(); ++b) ground = ground || !point.free(b);
      const ForceSeen before = see(model, slot, point);
      const Matrix3d turn = point.move_rigidly(subject.random);
      compare(before, see(model, slot, point), turn, "moving all its bodies as one");
      if (ground) return;  // which rests
      point.add_rigid_velocity(subject.random);
      compare(before, see(model, slot, point), turn, "letting all its bodies fly and turn as one");
    };
    look_at_force(subject, model, slot, 4, look_at);
  });
  if (!applies && claimed) skip("it claims to know directions of space (ForceClaims)");
  if (!applies) skip("no use between two bodies");
}

/// Of the run file; z where there is none.
Vector3d up(const CaseModel& model) {
  const Node* gravity = model.run.system.node != nullptr ? model.run.system.node->find("gravity") : nullptr;
  Vector3d g = Vector3d::Zero();
  for (std::size_t k = 0; gravity != nullptr && k < 3 && k < gravity->items.size(); ++k)
    g[static_cast<Index>(k)] = -gravity->items[k].number;
  return g.norm() > 0 ? Vector3d(g.normalized()) : Vector3d::UnitZ();
}

void gravity_axis(Subject& subject) {
  bool applies = false;
  for_each_force(subject, [&](CaseModel& model, const ForceSlot& slot) {
    if (slot.bodies.size() != 1 || !claims_of(*slot.force).turns_about_gravity()) return;
    applies = true;
    const Vector3d axis = up(model);
    for (int look = 0; look < 4; ++look) {
      ElementPoint point(model, slot, slot.force);
      point.set_time(uniform(subject.random, 0.1, 0.9) * model.run.analysis.duration);
      point.disturb(subject.random, 0.05, 1);
      try {
        const ForceSeen before = see(model, slot, point);
        const Matrix3d turn = point.move_rigidly(subject.random, &axis);
        compare(before, see(model, slot, point), turn, "turning its body about the direction of gravity");
      } catch (const Failed& failure) {
        fail("{}: {}", place_of(model, slot), failure.what());
      }
    }
  });
  if (!applies) skip("it acts on one body and does not claim to turn along (ForceClaims), or acts between bodies");
}

void closed_path(Subject& subject) {
  bool applies = false, driven = false;
  constexpr double sizes[] = {0.03, 0.3}, periods[] = {2, 0.2, 0.02}, shifts[] = {1, 0.05};
  // Paths are long: where a type is used often, each use goes around some of the kinds of path.
  constexpr int kinds = 12, all_looks = 60;
  constexpr double most_missing = 1e-3, most_given = 1e-2;  // of the work that went to and fro
  int uses = 0, use = 0;
  for_each_force(subject, [&](CaseModel&, const ForceSlot&) { ++uses; });
  const int looks = std::clamp(all_looks / std::max(1, uses), 3, 2 * kinds);
  for_each_force(subject, [&](CaseModel& model, const ForceSlot& slot) {
    const bool passive = claims_of(*slot.force).passive();
    const int first = 5 * use++;  // no divisor of the kinds: uses differ in theirs
    for (int look = first; look < first + looks; ++look) {
      ElementPoint point(model, slot, slot.force);
      point.set_time(uniform(subject.random, 0.1, 0.9) * model.run.analysis.duration);
      const ClosedPath path(point, subject.random, sizes[look % 2], periods[look % 3], shifts[look / 6 % 2]);
      // Kinks are integrated with errors: few steps tell what is far within the bounds, many decide the rest.
      constexpr double clear = 0.1;
      constexpr int few = 400, many = 2000;
      const auto given_by = [&](const RoundTrip& trip) { return passive ? trip.work : trip.work - trip.declared; };
      RoundTrip trip = go_around(path, point, *slot.force, few);
      if (trip.exact && (std::abs(trip.balance) > clear * most_missing * trip.gross ||
                         given_by(trip) > clear * most_given * trip.gross))
        trip = go_around(path, point, *slot.force, many);
      if (!trip.possible || trip.gross == 0) continue;
      if (!trip.keeps_account && !passive) {
        driven = true;
        continue;
      }
      applies = true;
      // An account that is closed at every point closes around the path; a potential with a jump or two values does not.
      if (trip.keeps_account && trip.exact) {
        require(std::abs(trip.balance) < most_missing * trip.gross,
                "{}: around a closed path of {:g} s its energy account does not close: {:.1e} of {:.1e} J are missing",
                place_of(model, slot), periods[look % 3], trip.balance, trip.gross);
      }
      // Work from outside is no excuse for a passive force: pushes that come from outside are taken back on the way back.
      const double given = given_by(trip);
      require(given < most_given * trip.gross,
              "{}: around a closed path of {:g} s, there and back, it gives {:.2e} J ({:.2e} J went to and fro){}",
              place_of(model, slot), periods[look % 3], given, trip.gross,
              passive ? "; a force that is meant to claims so (ForceClaims)" : ", more than its account says");
    }
  });
  if (!applies && driven) skip("it claims to be driven (ForceClaims)");
  if (!applies) skip("no power on any of the paths");
}

}  // namespace

void add_force_symmetry_checks(std::vector<Check>& checks) {
  const auto add = [&](const char* id, const char* what, const char* cause, auto run, const char* needs) {
    checks.push_back({id, Level::mathematics, what, cause, run, needs});
  };
  add("math.objectivity", "moved, flying and turning as one, its bodies feel the same force",
      "a direction of the global frame, or velocities without those that turning gives to points", objectivity,
      "math.action_reaction");
  add("math.gravity_axis", "turned about the direction of gravity, its body feels the same force",
      "a horizontal direction of the global frame", gravity_axis, "contract.repeatable");
  add("math.closed_path", "around a closed path, there and back, it gives no energy",
      "the sign of a damper or of a friction force, or a stiffness that is not that of a potential", closed_path,
      "math.dissipation");
}

}  // namespace trammel::conformance
