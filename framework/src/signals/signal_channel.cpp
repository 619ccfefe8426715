// Names, values and gradients of the channels that signals of forces follow from.
#include "signals/signal_channel.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "plugin/breadcrumb.h"
#include "trammel/error.h"
#include "trammel/extensions/accepted_step.h"
#include "trammel/text/suggest.h"

// Planar point: P = r + A s, A' s = omega perp(A s). Spatial, with B(p, s) = d(A(p) s)/dp, linear in p:
//   P = r + A(p) s,  P' = r' + B(p, s) p',  P'_p = B(p', s),  P'_p' = B(p, s)                                       (1)
//   omega = 2 E(p) p' = -2 E(p') p                                                                                  (2)
// E. J. Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), sections 9.3 and 9.4.
namespace trammel {
namespace {

/// Row k of B(p, s): d/de0 = 2 (e0 s + e x s), d/de = 2 ((e.s) I + e s^T - s e^T - e0 [s]x).
void b_row(const double* p, const double* s, Index k, double* out) {
  const double e0 = p[0], *e = p + 1, es = e[0] * s[0] + e[1] * s[1] + e[2] * s[2];
  const Index i = (k + 1) % 3, j = (k + 2) % 3;
  out[0] = 2 * (e0 * s[k] + e[i] * s[j] - e[j] * s[i]);
  for (Index m = 0; m < 3; ++m) {
    // ([s]x)_km: (k, i) is -s_j, (k, j) is s_i
    const double cross = m == i ? -s[j] : m == j ? s[i] : 0;
    out[1 + m] = 2 * ((m == k ? es : 0) + e[k] * s[m] - s[k] * e[m] - e0 * cross);
  }
}

/// Row k of 2 E(p) = 2 [-e, e0 I + [e]x].
void twice_e_row(const double* p, Index k, double* out) {
  const double* e = p + 1;
  const Index i = (k + 1) % 3, j = (k + 2) % 3;
  out[0] = -2 * e[k], out[1 + k] = 2 * p[0], out[1 + i] = -2 * e[j], out[1 + j] = 2 * e[i];
}

double dot4(const double* a, const double* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]; }

void velocities(const void* state, Host host, double* v) {
  if (host == Host::planar) {
    const auto& b = *static_cast<const PlanarBodyState*>(state);
    v[0] = b.rdot[0], v[1] = b.rdot[1], v[2] = b.omega;
  } else {
    const auto& b = *static_cast<const SpatialBodyState*>(state);
    std::copy_n(b.rdot, 3, v), std::copy_n(b.pdot, 4, v + 3);
  }
}

std::optional<Index> position_in(std::initializer_list<const char*> names, const std::string& name) {
  Index k = 0;
  for (const char* candidate : names) {
    if (name == candidate) return k;
    ++k;
  }
  return std::nullopt;
}

const char* rate_name(std::string_view coordinate) {
  return coordinate == "displacement" ? "speed" : coordinate == "second_angle" ? "second_rate" : "rate";
}

}  // namespace

SignalChannel::SignalChannel(const std::string& name, const ChannelOwners& owners) : host_(owners.host) {
  const std::size_t dot = name.rfind('.');
  const std::string owner = name.substr(0, dot), what = dot == std::string::npos ? "" : name.substr(dot + 1);
  if (find_body(owner, what, owners) || find_point(owner, what, owners) || find_joint(owner, what, owners) ||
      find_force(owner, what, owners))
    return;
  const bool planar = host_ == Host::planar;
  std::string has;
  std::vector<std::string> all = owners.bodies;
  all.insert(all.end(), owners.points.begin(), owners.points.end());
  all.insert(all.end(), owners.constraints.begin(), owners.constraints.end());
  all.insert(all.end(), owners.forces.begin(), owners.forces.end());
  const bool known = std::find(all.begin(), all.end(), owner) != all.end();
  if (std::find(owners.bodies.begin(), owners.bodies.end(), owner) != owners.bodies.end())
    has = planar ? "x, y, phi, vx, vy, omega" : "x, y, z, e0 to e3, vx, vy, vz, wx, wy, wz";
  if (std::find(owners.points.begin(), owners.points.end(), owner) != owners.points.end())
    has = planar ? "x, y, vx, vy" : "x, y, z, vx, vy, vz";
  if (const Constraint* constraint = owners.constraint(owner)) {
    const auto* offered = find_extension<JointCoordinates>(*constraint);
    for (Index k = 0; offered != nullptr && k < offered->coordinate_count(); ++k) {
      const char* coordinate = offered->coordinate_name(k);
      has += fmt::format("{}{}, {}", k > 0 ? ", " : "", coordinate, rate_name(coordinate));
    }
  }
  if (const ForceSource* source = owners.force(owner)) {
    const auto* channels = find_extension<ElementChannels>(*source->force);
    const auto* gradients = find_extension<ChannelGradients>(*source->force);
    for (Index k = 0; channels != nullptr && gradients != nullptr && k < channels->channel_count(); ++k) {
      if (gradients->channel_grade(k) != ChannelGrade::unknown)
        has += (has.empty() ? "" : ", ") + std::string(channels->channel_name(k));
    }
  }
  throw Error(
      ErrorKind::input,
      fmt::format(
          "'{}' cannot act on a force or feed a state: signals that do may follow from coordinates and "
          "velocities of bodies, points and joints, from channels of forces that follow from these, and from t{}",
          name,
          !has.empty() ? fmt::format("; of '{}' these are {}", owner, has)
          : known      ? fmt::format("; '{}' has none", owner)
                       : "; nothing of that kind is called '" + owner + "'" + did_you_mean(owner, all)));
}

bool SignalChannel::find_body(const std::string& owner, const std::string& what, const ChannelOwners& owners) {
  const std::optional<BodyRef> body = owners.body(owner);
  if (!body || body->is_ground()) return false;
  body_ = *body;
  std::optional<Index> found;
  const bool flat = host_ == Host::planar;
  found = flat ? position_in({"x", "y", "phi"}, what) : position_in({"x", "y", "z", "e0", "e1", "e2", "e3"}, what);
  if (!found) {
    velocity_ = true;
    found = flat ? position_in({"vx", "vy", "omega"}, what) : position_in({"vx", "vy", "vz"}, what);
  }
  if (!found && !flat) {
    kind_ = Kind::angular_velocity;
    found = position_in({"wx", "wy", "wz"}, what);
  }
  component_ = found.value_or(0);
  return found.has_value();
}

bool SignalChannel::find_point(const std::string& owner, const std::string& what, const ChannelOwners& owners) {
  const std::optional<PointRef> point = owners.point(owner);
  if (!point) return false;
  const bool flat = host_ == Host::planar;
  kind_ = Kind::point, velocity_ = false, body_ = point->body;
  std::copy_n(point->local, 3, local_);
  std::optional<Index> found = flat ? position_in({"x", "y"}, what) : position_in({"x", "y", "z"}, what);
  if (!found) {
    velocity_ = true;
    found = flat ? position_in({"vx", "vy"}, what) : position_in({"vx", "vy", "vz"}, what);
  }
  component_ = found.value_or(0);
  return found.has_value();
}

bool SignalChannel::find_joint(const std::string& owner, const std::string& what, const ChannelOwners& owners) {
  const Constraint* constraint = owners.constraint(owner);
  const auto* offered = constraint != nullptr ? find_extension<JointCoordinates>(*constraint) : nullptr;
  for (Index k = 0; offered != nullptr && k < offered->coordinate_count(); ++k) {
    const std::string coordinate = offered->coordinate_name(k);
    if (what != coordinate && what != rate_name(coordinate)) continue;
    kind_ = Kind::joint, velocity_ = what != coordinate, row_ = &offered->coordinate(k);
    return true;
  }
  return false;
}

bool SignalChannel::find_force(const std::string& owner, const std::string& what, const ChannelOwners& owners) {
  const ForceSource* source = owners.force(owner);
  const auto* channels = source != nullptr ? find_extension<ElementChannels>(*source->force) : nullptr;
  const Index count = channels != nullptr ? channels->channel_count() : 0;
  Index k = 0;
  while (k < count && what != channels->channel_name(k)) ++k;
  if (k == count) return false;
  const ForceElement& force = *source->force;
  const auto* gradients = find_extension<ChannelGradients>(force);
  const auto* angles = find_extension<CountedAngles>(force);
  const ChannelGrade grade = gradients != nullptr ? gradients->channel_grade(k) : ChannelGrade::unknown;
  const char* why = nullptr;
  if (force.internal_states() > 0) why = "the force has states of its own (a lag, a friction law), on which it depends";
  if (find_extension<AcceptedMemory>(force) != nullptr) why = "the force depends on what it keeps of earlier steps";
  if (find_extension<SeesAcceptedStep>(force) != nullptr) why = "the force depends on accelerations or reactions";
  const bool small = force.body_count() <= 2 && (angles == nullptr || angles->angle_count() <= 1);
  if (why == nullptr && (grade == ChannelGrade::unknown || !small))
    why =
        "its type gives no derivatives of this channel; those of 'tsda', 'rsda', 'stop', 'tyre_vertical', "
        "'joint_spring', 'joint_limit', 'servo' and 'motor' have them";
  if (why != nullptr) {
    throw Error(ErrorKind::input,
                fmt::format("'{}.{}' cannot act on a force or feed a state: {}. Events and columns may "
                            "use it; for a force, write what it follows from as a formula",
                            owner, what, why));
  }
  kind_ = Kind::force, velocity_ = grade == ChannelGrade::motion, source_ = source, of_source_ = k;
  return true;
}

Status SignalChannel::evaluate(double t, const void* const* bodies, const double* reference, double& value,
                               Gradient* gradient, double* rate) const {
  if (kind_ == Kind::force) return of_force(t, bodies, reference, value, gradient, rate);
  if (kind_ == Kind::joint) return joint(bodies, reference, value, gradient, rate);
  Gradient g{};
  if (host_ == Host::planar)
    planar(*static_cast<const PlanarBodyState*>(bodies[0]), value, g);
  else
    spatial(*static_cast<const SpatialBodyState*>(bodies[0]), value, g);
  if (rate != nullptr) {
    double v[widest] = {};
    velocities(bodies[0], host_, v);
    *rate = 0;
    for (Index k = 0; k < widest; ++k) *rate += g.q[0][k] * v[k];
  }
  if (gradient != nullptr) *gradient = g;
  return Status::success();
}

void SignalChannel::planar(const PlanarBodyState& b, double& value, Gradient& g) const {
  if (kind_ == Kind::coordinate) {
    value = velocity_ ? (component_ < 2 ? b.rdot[component_] : b.omega) : (component_ < 2 ? b.r[component_] : b.phi);
    (velocity_ ? g.v : g.q)[0][component_] = 1;
    return;
  }
  const double arm[2] = {b.c * local_[0] - b.s * local_[1], b.s * local_[0] + b.c * local_[1]};
  const double across = component_ == 0 ? -arm[1] : arm[0];
  value = velocity_ ? b.rdot[component_] + b.omega * across : b.r[component_] + arm[component_];
  (velocity_ ? g.v : g.q)[0][component_] = 1;
  (velocity_ ? g.v : g.q)[0][2] = across;
  if (velocity_) g.q[0][2] = -b.omega * arm[component_];
}

void SignalChannel::spatial(const SpatialBodyState& b, double& value, Gradient& g) const {
  const Index k = component_;
  if (kind_ == Kind::coordinate) {
    value = velocity_ ? b.rdot[k] : k < 3 ? b.r[k] : b.p[k - 3];
    (velocity_ ? g.v : g.q)[0][k] = 1;
  } else if (kind_ == Kind::angular_velocity) {  // (2)
    twice_e_row(b.p, k, g.v[0] + 3);
    twice_e_row(b.pdot, k, g.q[0] + 3);
    for (Index m = 3; m < 7; ++m) g.q[0][m] = -g.q[0][m];
    value = dot4(g.v[0] + 3, b.pdot);
  } else {  // (1)
    double* by_position = (velocity_ ? g.v : g.q)[0];
    by_position[k] = 1;
    b_row(b.p, local_, k, by_position + 3);
    value = b.r[k] + b.A[3 * k] * local_[0] + b.A[3 * k + 1] * local_[1] + b.A[3 * k + 2] * local_[2];
    if (!velocity_) return;
    b_row(b.pdot, local_, k, g.q[0] + 3);
    value = b.rdot[k] + dot4(by_position + 3, b.pdot);
  }
}

// x and x_q, or x' = x_q v with x'_q = (x_q v)_q and x'_v = x_q.
Status SignalChannel::joint(const void* const* bodies, const double* reference, double& value, Gradient* gradient,
                            double* rate) const {
  const Index n = host_ == Host::planar ? PlanarBodyState::coordinates : SpatialBodyState::coordinates;
  ElementState s;
  s.bodies = bodies, s.angle_references = reference;
  double x = 0, row[2][widest] = {}, v[2][widest] = {};
  const MatrixView Phi_q[2] = {{row[0], 1, n, 1}, {row[1], 1, n, 1}};
  ConstraintOutput out;
  out.Phi = {&x, 1}, out.Phi_q = Phi_q;
  Status status = row_->evaluate(s, out);
  if (!status) return status;
  double along = 0;
  for (Index b = 0; b < 2; ++b) {
    velocities(bodies[b], host_, v[b]);
    for (Index k = 0; k < n; ++k) along += row[b][k] * v[b][k];
  }
  value = velocity_ ? along : x;
  if (rate != nullptr) *rate = along;
  if (gradient == nullptr) return status;
  *gradient = {};
  for (Index b = 0; b < 2; ++b) std::copy_n(row[b], n, (velocity_ ? gradient->v : gradient->q)[b]);
  if (!velocity_) return status;
  const ConstVectorView x_v[2] = {{v[0], n}, {v[1], n}};
  const MatrixView by_q[2] = {{gradient->q[0], 1, n, 1}, {gradient->q[1], 1, n, 1}};
  return row_->jacobian_gradient(s, x_v, by_q);
}

Status SignalChannel::of_force(double t, const void* const* bodies, const double* reference, double& value,
                               Gradient* gradient, double* rate) const {
  const ForceElement& force = *source_->force;
  const ElementMark mark(source_->plugin.c_str(), source_->name.c_str());
  const Index n = host_ == Host::planar ? PlanarBodyState::coordinates : SpatialBodyState::coordinates;
  ElementState s;
  s.t = t, s.bodies = bodies, s.angle_references = reference;
  Gradient g{};
  const VectorView by_q[2] = {{g.q[0], n}, {g.q[1], n}}, by_v[2] = {{g.v[0], n}, {g.v[1], n}};
  const Status status =
      find_extension<ChannelGradients>(force)->channel_gradient(of_source_, s, &value, by_q, by_v, &g.t);
  if (!status) return status;
  if (rate != nullptr) {
    *rate = g.t;
    for (Index b = 0; b < force.body_count(); ++b) {
      double v[widest] = {};
      velocities(bodies[b], host_, v);
      for (Index k = 0; k < n; ++k) *rate += g.q[b][k] * v[k];
    }
  }
  if (gradient != nullptr) *gradient = g;
  return status;
}

}  // namespace trammel
