// Damping in proportion to the masses.
#include "model/settling_force.h"

#include "linalg/sizes.h"
#include "model/model_point.h"

namespace trammel {

SettlingForce::SettlingForce(const Assembly& assembly, double damping)
    : damping_(damping),
      momentum_(count(assembly.coordinates()), 0.0),
      blocks_(count(assembly.table.square(assembly.bodies())), 0.0) {}

void SettlingForce::add(const ModelPoint& point, VectorView Q) {
  const VectorView Mv = view(momentum_);
  point.assembly().motion.apply_mass(point.body_state(0), {point.v().data(), Q.size}, Mv);
  Q.map() -= damping_ * Mv.map();
}

void SettlingForce::add_gradients(const ModelPoint& point, VectorView K, VectorView C) {
  const BodyMotion& motion = point.assembly().motion;
  motion.mass_gradient(point.body_state(0), {point.v().data(), point.assembly().coordinates()}, blocks_.data());
  for (Index i = 0; i < K.size; ++i) K[i] += damping_ * blocks_[count(i)];
  motion.mass_blocks(point.body_state(0), blocks_.data());
  for (Index i = 0; i < C.size; ++i) C[i] += damping_ * blocks_[count(i)];
}

double SettlingForce::dissipation(const ModelPoint& point) const {
  return 2 * damping_ * point.assembly().motion.kinetic_energy(point.body_state(0));
}

}  // namespace trammel
