// Base of force elements between two bodies.
#pragma once

#include "trammel/force.h"

namespace trammel::sdk {

class TwoBodyForce : public ForceElement {
 public:
  TwoBodyForce(BodyRef i, BodyRef j) : bodies_{i, j} {}

  Index body_count() const final { return 2; }
  BodyRef body(Index i) const final { return bodies_[i]; }

 protected:
  ~TwoBodyForce() = default;

 private:
  BodyRef bodies_[2];
};

}  // namespace trammel::sdk
