// MethodChannels: the channels of an integrator, and the memory that they are read from.
#pragma once

#include "trammel/extensions/integrator_extensions.h"

namespace trammel {

struct MethodChannels {
  const IntegratorChannels* channels = nullptr;  ///< nullptr: it has none
  const Memory* memory = nullptr;
};

}  // namespace trammel
