// A failed operation of a plant in words, with the element, body or coordinate it concerns.
#pragma once

#include <string>

#include "run/plant/plant.h"

namespace trammel {

/// [step] After a NaN or infinity the elements are searched for its origin.
std::string explain(const Status& status, Plant& plant);

}  // namespace trammel
