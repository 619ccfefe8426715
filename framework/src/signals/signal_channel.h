// SignalChannel: a coordinate or a velocity of a body, a point or a joint, or what a force says of itself, with exact
// gradients.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "trammel/constraint.h"
#include "trammel/extensions/channel_gradients.h"
#include "trammel/extensions/element_extensions.h"
#include "trammel/force.h"
#include "trammel/plugin.h"

namespace trammel {

/// A force as those see it who follow its channels: events may put another one in its place.
struct ForceSource {
  std::string name, plugin;
  const ForceElement* force = nullptr;
};

/// Where the names of channels lead; the model answers.
struct ChannelOwners {
  Host host;
  std::function<std::optional<BodyRef>(const std::string&)> body;
  std::function<std::optional<PointRef>(const std::string&)> point;
  std::function<const Constraint*(const std::string&)> constraint;
  std::function<const ForceSource*(const std::string&)> force;
  /// State of a body at the start.
  std::function<const void*(BodyRef)> start;
  /// For messages: names of all of them.
  std::vector<std::string> bodies, points, constraints, forces;
};

class SignalChannel {
 public:
  static constexpr Index widest = SpatialBodyState::coordinates;
  /// With respect to q and v of its bodies.
  struct Gradient {
    double q[2][widest];
    double v[2][widest];
    double t;  ///< at fixed q and v
  };

  /// [setup] Throws Error(input): the name is none of these; what it may be.
  SignalChannel(const std::string& name, const ChannelOwners& owners);

  /// One or two bodies, which may be ground.
  Index body_count() const { return source_ != nullptr ? source_->force->body_count() : row_ != nullptr ? 2 : 1; }
  BodyRef body(Index k) const {
    return source_ != nullptr ? source_->force->body(k) : row_ != nullptr ? row_->body(k) : body_;
  }
  /// How it counts turns, or nullptr.
  const CountedAngles* angle() const {
    if (source_ != nullptr) return find_extension<CountedAngles>(*source_->force);
    return row_ != nullptr ? find_extension<CountedAngles>(*row_) : nullptr;
  }
  /// It depends on velocities, or on time itself: what it is along the motion is not all of its rate.
  bool is_velocity() const { return velocity_; }
  bool depends_on_time() const { return source_ != nullptr && velocity_; }

  /// [hot] `bodies`: states of its bodies; `reference`: of its counted angle. A null `gradient` is not wanted. `rate`: its
  /// time derivative, of channels that are no velocities.
  Status evaluate(double t, const void* const* bodies, const double* reference, double& value, Gradient* gradient,
                  double* rate) const;

 private:
  enum class Kind { coordinate, angular_velocity, point, joint, force };

  bool find_body(const std::string& owner, const std::string& what, const ChannelOwners& owners);
  bool find_point(const std::string& owner, const std::string& what, const ChannelOwners& owners);
  bool find_joint(const std::string& owner, const std::string& what, const ChannelOwners& owners);
  bool find_force(const std::string& owner, const std::string& what, const ChannelOwners& owners);
  Status of_force(double t, const void* const* bodies, const double* reference, double& value, Gradient* gradient,
                  double* rate) const;
  Status joint(const void* const* bodies, const double* reference, double& value, Gradient* gradient,
               double* rate) const;
  void planar(const PlanarBodyState& b, double& value, Gradient& g) const;
  void spatial(const SpatialBodyState& b, double& value, Gradient& g) const;

  Host host_;
  Kind kind_ = Kind::coordinate;
  bool velocity_ = false;
  Index component_ = 0;
  BodyRef body_;
  double local_[3] = {0, 0, 0};
  const Constraint* row_ = nullptr;
  const ForceSource* source_ = nullptr;
  Index of_source_ = 0;
};

}  // namespace trammel
