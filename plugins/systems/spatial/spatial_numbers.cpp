// Derivatives of spatial bodies with respect to mass and inertia: everything is linear in them.
#include "spatial_bodies.h"

// With omega' = 2 G(p) pdot and equations (1) and (2) of spatial_bodies.cpp, J_p a constant symmetric matrix:
//   (M a - Q)_m = (r'' - g, 0),  T_m = rdot.rdot/2,  V_m = -g.r                                                    (1)
//   (M a - Q)_J = (0, 4 G(p)^T J_p G(p) p'' + 8 G(pdot)^T J_p G(p) pdot),  T_J = omega'.J_p omega'/2               (2)
namespace trammel::spatial {

Index SpatialBodies::parameter_count(Index body) const {
  return 1 + static_cast<Index>(start_[static_cast<std::size_t>(body)]->inertia.size);
}

const char* SpatialBodies::parameter_name(Index, Index i) const {
  constexpr const char* names[] = {"mass",      "inertia.0", "inertia.1", "inertia.2",
                                   "inertia.3", "inertia.4", "inertia.5"};
  return names[i];
}

Status SpatialBodies::parameter_derivatives(Index body, Index i, double, const void* state, ConstVectorView a,
                                            const BodyDerivatives& out) const {
  const SpatialBodyState& b = *static_cast<const SpatialBodyState*>(state);
  const BodyData& data = data_[static_cast<std::size_t>(body)];
  const sdk::Vec3<> g = (data.mass > 0 ? 1 / data.mass : 0) * data.weight;
  const sdk::Vec4<> p = sdk::parameters(b), v = sdk::parameter_rates(b);
  const bool by_mass = i == 0;
  const auto entry = [i](Index k) { return i == k + 1 ? 1.0 : 0.0; };
  const Inertia J{entry(0), entry(1), entry(2), entry(3), entry(4), entry(5)};
  if (out.residual.data != nullptr) {
    const sdk::Vec3<> r = by_mass ? sdk::vec3(a.data) - g : sdk::Vec3<>{0, 0, 0};
    sdk::store(r, out.residual.data);
  }
  if (out.residual.data != nullptr && !data.point) {
    sdk::store(sdk::G_transpose(p, 4.0 * (J * sdk::G_apply(p, sdk::vec4(a.data + 3)))) +
                   sdk::G_transpose(v, 8.0 * (J * sdk::G_apply(p, v))),
               out.residual.data + 3);
  }
  const sdk::Vec3<> omega = 2.0 * sdk::G_apply(p, v);
  if (out.kinetic != nullptr) {
    *out.kinetic = 0.5 * (by_mass ? sdk::dot(sdk::velocity(b), sdk::velocity(b)) : sdk::dot(omega, J * omega));
  }
  if (out.potential != nullptr) *out.potential = by_mass ? -sdk::dot(g, sdk::position(b)) : 0;
  return Status::success();
}

}  // namespace trammel::spatial
