// Element ends given by the name of a point: "point_j": "tip" instead of body-fixed coordinates.
#pragma once

#include <string>
#include <string_view>

#include "config/node.h"

namespace trammel {

/// Keys whose body-fixed vector may be the name of a point: `point` of `body`, `point_i` and `point_j` of `bodies`.
bool is_point_key(std::string_view key);

/// Name of the body that such a key of the element `node` is fixed in, or "" if the element does not say.
std::string body_of_point_key(const Node& node, std::string_view key);

}  // namespace trammel
