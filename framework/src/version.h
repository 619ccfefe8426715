// The version of the kernel library.
#pragma once

namespace trammel {

/// "major.minor.patch"
const char* version();

}  // namespace trammel
