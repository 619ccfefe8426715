// Output of spatial bodies: names and values of columns, points, wrenches.
#include <cstring>

#include "spatial_bodies.h"

namespace trammel::spatial {
namespace {

using sdk::Vec3;
using sdk::vec3;
using sdk::vec4;

constexpr const char* column_names[] = {"x", "y", "z", "e0", "e1", "e2", "e3", "vx", "vy", "vz", "wx", "wy", "wz"};
constexpr const char* acceleration_names[] = {"ax", "ay", "az", "alphax", "alphay", "alphaz"};

const SpatialBodyState& body_state(const void* state) { return *static_cast<const SpatialBodyState*>(state); }

}  // namespace

const char* SpatialBodies::coordinate_name(Index k) const { return column_names[k]; }
const char* SpatialBodies::column_name(Index k) const { return column_names[k]; }
const char* SpatialBodies::acceleration_column_name(Index k) const { return acceleration_names[k]; }

void SpatialBodies::wrench(const void* state, ConstVectorView Q, double* force, double* torque) const {
  // Q_p = 2 E^T T, hence E Q_p = 2 (p.p) T; the part of Q_p along p does no work on a rotation.
  const SpatialBodyState& b = body_state(state);
  sdk::store(vec3(Q.data), force);
  sdk::store((0.5 / b.pp) * sdk::E_apply(sdk::parameters(b), vec4(Q.data + 3)), torque);
}

void SpatialBodies::column_values(const void* state, VectorView out) const {
  const SpatialBodyState& b = body_state(state);
  sdk::store(vec3(b.r), out.data);
  sdk::store(sdk::parameters(b), out.data + 3);
  sdk::store(vec3(b.rdot), out.data + 7);
  sdk::store(2.0 * sdk::E_apply(sdk::parameters(b), sdk::parameter_rates(b)), out.data + 10);
}

void SpatialBodies::acceleration_values(const void* state, ConstVectorView a, VectorView out) const {
  sdk::store(vec3(a.data), out.data);
  sdk::store(2.0 * sdk::E_apply(sdk::parameters(body_state(state)), vec4(a.data + 3)), out.data + 3);
}

void SpatialBodies::point(const void* state, const double* local, ConstVectorView a, double* position, double* velocity,
                          double* acceleration) const {
  const SpatialBodyState& b = body_state(state);
  const Vec3<> s = vec3(local);
  const sdk::Vec4<> v = sdk::parameter_rates(b);
  const sdk::BTerm<double> B = sdk::b_term(sdk::parameters(b), s);
  sdk::store(vec3(b.r) + sdk::multiply(b.A, s), position);
  sdk::store(vec3(b.rdot) + sdk::b_apply(B, v), velocity);
  if (a.data == nullptr) return;
  sdk::store(vec3(a.data) + sdk::b_apply(B, vec4(a.data + 3)) + sdk::b_quadratic(v, s), acceleration);
}

// Normalisation: Phi = (p.p - 1)/2, Phi_q = [0, p^T], gamma = -pdot.pdot.

const void* Normalisation::extension(const char* id) const {
  return std::strcmp(id, AllBodies::id) == 0 ? static_cast<const AllBodies*>(this) : nullptr;
}

namespace {

/// The rows of bodies that follow each other; `out` moves on.
void write(const SpatialBodyState* b, Index bodies, AllBodiesOutput& out) {
  for (Index k = 0; k < bodies; ++k, ++b) {
    const sdk::Vec4<> v = sdk::parameter_rates(*b);
    if (out.Phi != nullptr) *out.Phi++ = 0.5 * (b->pp - 1);
    if (out.nu != nullptr) *out.nu++ = 0;
    if (out.gamma != nullptr) *out.gamma++ = -sdk::dot(v, v);
    if (out.Phi_q == nullptr) continue;
    sdk::store(Vec3<>{0, 0, 0}, out.Phi_q), sdk::store(sdk::parameters(*b), out.Phi_q + 3);
    out.Phi_q += 7;
  }
}

}  // namespace

Status Normalisation::evaluate(const ElementState& s, const ConstraintOutput& out) const {
  double row[7];
  const bool gradient = out.Phi_q != nullptr && out.Phi_q[0];
  AllBodiesOutput all{out.Phi.data, gradient ? row : nullptr, out.nu.data, out.gamma.data};
  write(static_cast<const SpatialBodyState*>(s.bodies[0]), 1, all);
  for (Index k = 0; gradient && k < 7; ++k) out.Phi_q[0](0, k) = row[k];
  return Status::success();
}

void Normalisation::evaluate_all(const void* states, Index, const AllBodiesOutput& out) const {
  runs_.in_parts([&](const sdk::BodyPart& part) {
    const SpatialBodyState* b = static_cast<const SpatialBodyState*>(states) + part.begin;
    const auto from = [&](double* x, Index width) { return x != nullptr ? x + width * part.rigid : nullptr; };
    AllBodiesOutput rest{from(out.Phi, 1), from(out.Phi_q, 7), from(out.nu, 1), from(out.gamma, 1)};
    runs_.each_run(part, [&](Index count, bool point) {
      if (!point) write(b, count, rest);
      b += count;
    });
  });
}

Status Normalisation::jacobian_gradient(const ElementState&, const ConstVectorView* x, const MatrixView* out) const {
  sdk::write_row(out[0], 0, Vec3<>{0, 0, 0}, sdk::spatial_vector(x[0]).p);
  return Status::success();
}

Status Normalisation::multiplier_gradient(const ElementState&, ConstVectorView lambda, const MatrixView* out) const {
  sdk::set_zero(out[0]);
  for (Index k = 3; k < 7; ++k) out[0](k, k) = lambda[0];
  return Status::success();
}

Status Normalisation::acceleration_gradient(const ElementState& s, const ConstVectorView* a, const MatrixView* out_q,
                                            const MatrixView* out_v) const {
  sdk::write_row(out_q[0], 0, Vec3<>{0, 0, 0}, sdk::spatial_vector(a[0]).p);
  sdk::write_row(out_v[0], 0, Vec3<>{0, 0, 0}, 2.0 * sdk::parameter_rates(s.body<SpatialBodyState>(0)));
  return Status::success();
}

}  // namespace trammel::spatial
