// Places, directions and rotations of elements that the run file gives by the name of a point.
#pragma once

#include <string>

#include "config/binder.h"

namespace trammel {

/// Whether the table of a component lets a vector, direction or rotation be given by name (sdk::Field::at_start, on_body).
bool takes_marker(const ParameterInfo& info);
/// Whether it is fixed in a body of the element, and in which: 0 or 1. Otherwise it is a global one at the start.
bool is_on_body(const ParameterInfo& info);
std::size_t body_number(const ParameterInfo& info);

struct MarkerUse {
  const ParameterInfo& info;
  const Resolver& resolver;
  Host host;
  const std::string& body;  ///< name of the element's body that it is fixed in; "" if the run file does not say
};

/// Reads "tip" (places, body points, rotations) or "tip.z" (directions): three numbers, of rotations four. Returns false,
/// and leaves `out` alone, if the text is no such name, with a problem, or if nobody knows yet where bodies start.
bool read_marker(const MarkerUse& use, const Node& value, const std::string& path, double* out, Problems& problems);

}  // namespace trammel
