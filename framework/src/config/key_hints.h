// What a message about an unknown key ends in.
#pragma once

#include <string>

namespace trammel {

/// Where the key belongs, if it is one of another kind of file, or `otherwise`.
std::string elsewhere(const std::string& key, const std::string& otherwise);

}  // namespace trammel
