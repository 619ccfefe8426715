// Kinematics, inertia, gravity and output of planar bodies. Haug, Computer Aided Kinematics and Dynamics of Mechanical
// Systems I (1989), chapters 2 and 6.
#include "planar_bodies.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>

#include "trammel/error.h"
#include "trammel/sdk/math/wide.h"

namespace trammel::planar {
namespace {

const PlanarBodyState* bodies(const void* states) { return static_cast<const PlanarBodyState*>(states); }
const PlanarBodyState& body_state(const void* state) { return *bodies(state); }

constexpr const char* column_names[] = {"x", "y", "phi", "vx", "vy", "omega"};
constexpr const char* acceleration_names[] = {"ax", "ay", "alpha"};

BodyData prepare(const std::string& name, const BodyParameters& body, const double* gravity) {
  const auto bad = [&](const char* key, const std::string& what) {
    return Error::parameter("bodies/" + name + "/" + key, "body '" + name + "': " + what);
  };
  if (!(body.mass > 0)) throw bad("mass", "mass must be positive, is " + std::to_string(body.mass));
  if (body.type == BodyType::point_mass) {
    const char* const turns =
        " is of a body that turns; a point mass has a place and a velocity: leave it out, or make "
        "the body 'rigid'";
    if (given(body.inertia)) throw bad("inertia", std::string("an inertia") + turns);
    if (body.angle != 0) throw bad("angle", std::string("an angle") + turns);
    if (body.angular_velocity != 0) throw bad("angular_velocity", std::string("an angular velocity") + turns);
    return {body.mass, 0, {body.mass * gravity[0], body.mass * gravity[1]}, {1 / std::sqrt(body.mass), 0}, 2};
  }
  if (!given(body.inertia))
    throw bad("inertia", "a rigid body needs an 'inertia'; without one it is of type 'point_mass'");
  if (!(body.inertia >= 0)) throw bad("inertia", "inertia may not be negative, is " + std::to_string(body.inertia));
  const double root_inertia = body.inertia > 0 ? 1 / std::sqrt(body.inertia) : 0;
  return {body.mass,
          body.inertia,
          {body.mass * gravity[0], body.mass * gravity[1]},
          {1 / std::sqrt(body.mass), root_inertia},
          3};
}

}  // namespace

PlanarBodies::PlanarBodies(const double* gravity, const ModelInfo& model) {
  runs_.share(find_extension<Workers>(model));
  for (Index k = 0; k < model.body_count(); ++k) {
    start_.push_back(static_cast<const BodyParameters*>(model.body_parameters(k)));
    data_.push_back(prepare(model.body_name(k), *start_.back(), gravity));
    reducible_ = reducible_ && (data_.back().inertia > 0 || data_.back().width == 2);
    const bool point = data_.back().width == 2;
    runs_.add(point);
    squares_ += point ? 4 : 9;
  }
}

void PlanarBodies::describe(Index body, BodyShape& shape) const {
  static constexpr Index place_and_velocity[] = {0, 1, 3, 4}, acceleration[] = {0, 1};
  if (data_[static_cast<std::size_t>(body)].width == 2)
    shape = {BodyKind::point_mass, 2, 2, false, place_and_velocity, 4, acceleration, 2};
}

const char* PlanarBodies::coordinate_name(Index k) const { return column_names[k]; }
const char* PlanarBodies::column_name(Index k) const { return column_names[k]; }
const char* PlanarBodies::acceleration_column_name(Index k) const { return acceleration_names[k]; }

void PlanarBodies::initial(Index body, VectorView q, VectorView v) const {
  const BodyParameters& start = *start_[static_cast<std::size_t>(body)];
  q[0] = start.position[0], q[1] = start.position[1];
  v[0] = start.velocity[0], v[1] = start.velocity[1];
  if (start.type == BodyType::rigid) q[2] = start.angle, v[2] = start.angular_velocity;
}

void PlanarBodies::ground_state(void* state) const {
  PlanarBodyState& ground = *static_cast<PlanarBodyState*>(state);
  ground = {};
  ground.c = 1;
}

void PlanarBodies::kinematics(ConstVectorView q, ConstVectorView v, void* states) const {
  runs_.in_parts([&](const sdk::BodyPart& part) {
    PlanarBodyState* b = static_cast<PlanarBodyState*>(states) + part.begin;
    const double* x = q.data + part.coordinates;
    const double* rate = v.data != nullptr ? v.data + part.coordinates : nullptr;
    runs_.each(
        part, data_,
        [&](const BodyData&) TRAMMEL_INLINE_LAMBDA {
          b->r[0] = x[0], b->r[1] = x[1], b->phi = x[2];
          const double phi = x[2];  // a copy: then the compiler knows that both functions have the same argument
          b->c = std::cos(phi), b->s = std::sin(phi);
          if (rate != nullptr) {
            b->rdot[0] = rate[0], b->rdot[1] = rate[1], b->omega = rate[2];
            rate += 3;
          } else {
            b->rdot[0] = b->rdot[1] = b->omega = 0;
          }
          ++b, x += 3;
        },
        [&](const BodyData&) TRAMMEL_INLINE_LAMBDA {
          *b = {};
          b->r[0] = x[0], b->r[1] = x[1], b->c = 1;
          if (rate != nullptr) b->rdot[0] = rate[0], b->rdot[1] = rate[1], rate += 2;
          ++b, x += 2;
        });
  });
}

Status PlanarBodies::force(double, const void*, VectorView Q) const {
  runs_.in_parts([&](const sdk::BodyPart& part) {
    double* out = Q.data + part.coordinates;
    runs_.each(
        part, data_,
        [&](const BodyData& data) TRAMMEL_INLINE_LAMBDA {
          out[0] = data.weight[0], out[1] = data.weight[1], out[2] = 0;
          out += 3;
        },
        [&](const BodyData& data) TRAMMEL_INLINE_LAMBDA {
          out[0] = data.weight[0], out[1] = data.weight[1];
          out += 2;
        });
  });
  return Status::success();
}

Status PlanarBodies::force_gradients(double, const void*, double* Q_q, double* Q_v) const {
  std::fill(Q_q, Q_q + squares_, 0.0);
  std::fill(Q_v, Q_v + squares_, 0.0);
  return Status::success();
}

void PlanarBodies::mass_blocks(const void*, double* M) const {
  std::fill(M, M + squares_, 0.0);
  for (const BodyData& data : data_) {
    M[0] = M[data.width + 1] = data.mass;
    if (data.width == 3) M[8] = data.inertia;
    M += data.width * data.width;
  }
}

void PlanarBodies::apply_mass(const void*, ConstVectorView x, VectorView out) const {
  const double* in = x.data;
  double* result = out.data;
  for (const BodyData& data : data_) {
    result[0] = data.mass * in[0], result[1] = data.mass * in[1];
    if (data.width == 3) result[2] = data.inertia * in[2];
    in += data.width, result += data.width;
  }
}

void PlanarBodies::mass_gradient(const void*, ConstVectorView, double* out) const {
  std::fill(out, out + squares_, 0.0);
}

namespace {

/// reduced = full W_b; `m` rows, a constant where it is known, so that the loops unroll.
template <class Rows>
inline void reduce_block(const double* W, const double* __restrict f, double* __restrict r, Rows m) {
  for (Index i = 0; i < 2 * m; ++i) r[i] = W[0] * f[i];
  for (Index i = 2 * m; i < 3 * m; ++i) r[i] = W[1] * f[i];
}

}  // namespace

void PlanarBodies::reduce(const void*, const ReductionBlock* blocks, Index count) const {
  runs_.in_parts(count, [&](Index begin, Index end) {
    sdk::wide([&] {
      const BodyData* data = data_.data();
      const bool mixed = !runs_.all_rigid();
      for (const ReductionBlock *block = blocks + begin, *last = blocks + end; block != last; ++block) {
        const double* W = data[block->body].W;
        if (mixed && data[block->body].width == 2) {
          for (Index i = 0; i < 2 * block->rows; ++i) block->reduced[i] = W[0] * block->full[i];
          continue;
        }
        switch (block->rows) {
          case 1: reduce_block(W, block->full, block->reduced, std::integral_constant<Index, 1>()); break;
          case 2: reduce_block(W, block->full, block->reduced, std::integral_constant<Index, 2>()); break;
          default: reduce_block(W, block->full, block->reduced, block->rows); break;
        }
      }
    });
  });
}

void PlanarBodies::reduce_force(const void*, ConstVectorView Q, VectorView w) const {
  runs_.in_parts([&](const sdk::BodyPart& part) {
    const double* in = Q.data + part.coordinates;
    double* out = w.data + part.reduced;
    runs_.each(
        part, data_,
        [&](const BodyData& data) TRAMMEL_INLINE_LAMBDA {
          out[0] = data.W[0] * in[0], out[1] = data.W[0] * in[1], out[2] = data.W[1] * in[2];
          in += 3, out += 3;
        },
        [&](const BodyData& data) TRAMMEL_INLINE_LAMBDA {
          out[0] = data.W[0] * in[0], out[1] = data.W[0] * in[1];
          in += 2, out += 2;
        });
  });
}

void PlanarBodies::expand(const void* states, ConstVectorView w, ConstVectorView, VectorView x) const {
  reduce_force(states, w, x);  // W_b is diagonal
}

double PlanarBodies::kinetic_energy(const void* states) const {
  const PlanarBodyState* b = bodies(states);
  double energy = 0;
  for (const BodyData& data : data_) {
    energy += 0.5 * data.mass * (b->rdot[0] * b->rdot[0] + b->rdot[1] * b->rdot[1]);
    energy += 0.5 * data.inertia * b->omega * b->omega;
    ++b;
  }
  return energy;
}

double PlanarBodies::potential_energy(double, const void* states) const {
  const PlanarBodyState* b = bodies(states);
  double energy = 0;
  for (const BodyData& data : data_) {
    energy -= data.weight[0] * b->r[0] + data.weight[1] * b->r[1];
    ++b;
  }
  return energy;
}

// M a - Q = (m (r'' - g), J phi''), linear in m and J.
Status PlanarBodies::parameter_derivatives(Index body, Index i, double, const void* state, ConstVectorView a,
                                           const BodyDerivatives& out) const {
  const PlanarBodyState& b = body_state(state);
  const BodyData& data = data_[static_cast<std::size_t>(body)];
  const double g[2] = {data.weight[0] / data.mass, data.weight[1] / data.mass};
  const bool by_mass = i == 0;
  if (out.residual.data != nullptr) {
    for (Index k = 0; k < 2; ++k) out.residual[k] = by_mass ? a[k] - g[k] : 0;
    if (data.width == 3) out.residual[2] = by_mass ? 0 : a[2];
  }
  if (out.kinetic != nullptr) {
    *out.kinetic = 0.5 * (by_mass ? b.rdot[0] * b.rdot[0] + b.rdot[1] * b.rdot[1] : b.omega * b.omega);
  }
  if (out.potential != nullptr) *out.potential = by_mass ? -(g[0] * b.r[0] + g[1] * b.r[1]) : 0;
  return Status::success();
}

void PlanarBodies::wrench(const void*, ConstVectorView Q, double* force, double* torque) const {
  force[0] = Q[0], force[1] = Q[1], force[2] = 0;
  torque[0] = torque[1] = 0, torque[2] = Q[2];
}

void PlanarBodies::column_values(const void* state, VectorView out) const {
  const PlanarBodyState& b = body_state(state);
  out[0] = b.r[0], out[1] = b.r[1], out[2] = b.phi;
  out[3] = b.rdot[0], out[4] = b.rdot[1], out[5] = b.omega;
}

void PlanarBodies::acceleration_values(const void*, ConstVectorView a, VectorView out) const {
  for (Index k = 0; k < 3; ++k) out[k] = a[k];
}

void PlanarBodies::point(const void* state, const double* local, ConstVectorView a, double* position, double* velocity,
                         double* acceleration) const {
  const PlanarBodyState& b = body_state(state);
  const sdk::Vec2<> arm = sdk::rotate(b, sdk::vec2(local));
  sdk::store(sdk::position(b) + arm, position);
  sdk::store(sdk::velocity(b) + b.omega * sdk::perp(arm), velocity);
  position[2] = velocity[2] = 0;
  if (a.data == nullptr) return;
  sdk::store(sdk::vec2(a.data) + a[2] * sdk::perp(arm) - (b.omega * b.omega) * arm, acceleration);
  acceleration[2] = 0;
}

}  // namespace trammel::planar
