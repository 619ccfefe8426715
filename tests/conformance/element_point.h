// One element of a run file's model at a freely chosen point: the states of its bodies, its time and internal states.
#pragma once

#include <random>
#include <vector>

#include "element_harness.h"
#include "shipped_elements.h"

namespace conformance {

using trammel::ConstraintSlot;
using trammel::ForceSlot;
using trammel::LoadedModel;

/// `State` is that of the host. Ground keeps its state; blocks of ground are computed only where they are asked for.
template <class State>
class ElementPoint {
 public:
  static constexpr Index c = State::coordinates;

  template <class Slot>
  ElementPoint(const LoadedModel& loaded, const Slot& slot) : slot_(slot) {
    for (const Index body : slot.bodies) {
      free_.push_back(body >= 0);
      q_.push_back(Eigen::VectorXd::Unit(c, c == 7 ? 3 : 0) * (c == 7 ? 1 : 0));
      v_.push_back(Eigen::VectorXd::Zero(c));
      if (body < 0) continue;
      q_.back() = Eigen::Map<const Eigen::VectorXd>(loaded.q.data() + body * c, c);
      v_.back() = Eigen::Map<const Eigen::VectorXd>(loaded.v.data() + body * c, c);
    }
    states_.resize(slot.bodies.size());
    for (const State& state : states_) attached_.push_back(&state);
    if (slot.angles != nullptr) {
      references_.resize(static_cast<std::size_t>(slot.angles->angle_count()));
      slot.angles->initial_angles({references_.data(), slot.angles->angle_count()});
    }
    if constexpr (std::is_same_v<Slot, ForceSlot>) {
      z_.setZero(slot.force->internal_states());
      slot.force->initial_internal_states({z_.data(), static_cast<Index>(z_.size())});
    }
    update();
  }
  ElementPoint(const ElementPoint&) = delete;

  Index bodies() const { return static_cast<Index>(states_.size()); }
  bool free(Index body) const { return free_[static_cast<std::size_t>(body)]; }
  const State& state(Index body) const { return states_[static_cast<std::size_t>(body)]; }
  ElementState at() const { return {t, attached_.data(), references_.data(), z_.data()}; }

  /// Moves bodies by up to `size` (m, rad, parameters), velocities by up to 1, and scales |p| to `length`.
  void disturb(Random& random, double size, double length) {
    for (std::size_t b = 0; b < q_.size(); ++b) {
      if (!free_[b]) continue;
      for (Index k = 0; k < c; ++k) q_[b][k] += uniform(random, -size, size), v_[b][k] += uniform(random);
      if (c == 7) q_[b].tail(4) *= length / q_[b].tail(4).norm();
      if (c == 7 && length == 1) v_[b].tail(4) -= q_[b].tail(4).dot(v_[b].tail(4)) * q_[b].tail(4);
    }
    for (Index k = 0; k < z_.size(); ++k) z_[k] += uniform(random);
    update();
    if (slot_.angles != nullptr) {  // the branch of this point
      std::vector<double> angles(references_.size());
      slot_.angles->angles(at(), {angles.data(), slot_.angles->angle_count()});
      references_ = angles;
    }
  }

  /// Turns and shifts all bodies, ground too, as one.
  void move_rigidly(Random& random) {
    const State motion = random_state<State>(random, 1);
    for (Eigen::VectorXd& q : q_) {
      if constexpr (c == 7) {
        const sdk::Vec4<> turn = sdk::parameters(motion), p = sdk::vec4(q.data() + 3);
        sdk::store(sdk::rotate(turn, sdk::vec3(q.data())) + sdk::position(motion), q.data());
        sdk::store(sdk::Vec4<>{turn.e0 * p.e0 - sdk::dot(turn.e, p.e),
                               turn.e0 * p.e + p.e0 * turn.e + sdk::cross(turn.e, p.e)},
                   q.data() + 3);
      } else {
        sdk::store(sdk::rotate(motion, sdk::vec2(q.data())) + sdk::position(motion), q.data());
        q[2] += motion.phi;
      }
    }
    update();
  }

  /// q + dq and v + dv of all bodies one after another, t + dt, z + dz; from the point, not from the last move.
  void move(const Eigen::VectorXd& dq, const Eigen::VectorXd& dv, double dt, const Eigen::VectorXd& dz) {
    for (std::size_t b = 0; b < q_.size(); ++b) {
      const Index first = static_cast<Index>(b) * c;
      const Eigen::VectorXd q = q_[b] + dq.segment(first, c), v = v_[b] + dv.segment(first, c);
      set_state(states_[b], q.data(), v.data());
    }
    t = time_ + dt;
    if (z_.size() > 0) z_ = z0_ + dz;
  }
  void set_time(double time) { time_ = t = time; }
  void update() {
    z0_ = z_;
    move(zero(), zero(), 0, Eigen::VectorXd::Zero(z_.size()));
  }
  Eigen::VectorXd zero() const { return Eigen::VectorXd::Zero(bodies() * c); }
  Eigen::VectorXd velocity() const {
    Eigen::VectorXd all(bodies() * c);
    for (Index b = 0; b < bodies(); ++b) all.segment(b * c, c) = v_[static_cast<std::size_t>(b)];
    return all;
  }
  Index internal_states() const { return static_cast<Index>(z_.size()); }

 private:
  const trammel::ElementSlot& slot_;
  std::vector<Eigen::VectorXd> q_, v_;
  std::vector<bool> free_;
  std::vector<State> states_;
  std::vector<const void*> attached_;
  std::vector<double> references_;
  Eigen::VectorXd z_, z0_;
  double t = 0, time_ = 0;
};

/// Calls action(loaded, slot, a state of the host) for every element of the type in its cases, assembled.
template <class Action>
void for_each_use(const trammel::ShippedElement& element, const Action& action) {
  for (const auto& file : element.cases) {
    LoadedModel loaded(file);
    trammel::ProjectionReport report;
    INFO(file.string());
    // To rounding; what the run's own start does to 1e-12.
    REQUIRE(loaded.numbers
                .project_positions(0, LoadedModel::view(loaded.q), trammel::ProjectionWeights::identity, 1e-14, report)
                .ok());
    const auto visit = [&](const auto& slots) {
      for (const auto& slot : slots) {
        if (slot.type != element.type) continue;
        if (loaded.model.host() == Host::planar) {
          action(loaded, slot, PlanarBodyState{});
        } else {
          action(loaded, slot, SpatialBodyState{});
        }
      }
    };
    if (element.kind == ComponentKind::constraint) visit(loaded.numbers.assembly().constraints);
    if (element.kind == ComponentKind::force) visit(loaded.numbers.assembly().forces);
  }
}

}  // namespace conformance
