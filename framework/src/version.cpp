// The version of the kernel library.
#include "version.h"

namespace trammel {

const char* version() { return TRAMMEL_VERSION; }

}  // namespace trammel
