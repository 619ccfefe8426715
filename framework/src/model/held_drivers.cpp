// Drivers that stand still where they are.
#include "model/held_drivers.h"

#include <memory>
#include <utility>

#include "model/model_point.h"

namespace trammel {

Status hold_drivers(ModelPoint& point, double t, ConstVectorView q) {
  point.hold(nullptr);
  const std::vector<double> rest(point.v().size(), 0.0), z = point.z();
  const Status status = point.evaluate(t, q, {rest.data(), static_cast<Index>(rest.size())},
                                       {z.data(), static_cast<Index>(z.size())}, evaluate_nu | evaluate_gamma);
  const Index rows = point.assembly().element_rows();
  std::unique_ptr<const HeldDrivers> held;
  if (rows > 0) held = std::make_unique<HeldDrivers>(point.nu().segment(0, rows), point.gamma().segment(0, rows));
  point.hold(std::move(held));
  return status;
}

}  // namespace trammel
