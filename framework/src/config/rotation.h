// The five JSON forms of a rotation, read into Euler parameters.
#pragma once

#include <string>

#include "config/node.h"
#include "config/problems.h"

namespace trammel {

/// How far given Euler parameters may be from length 1, and the rows of a matrix from orthonormal: seven digits. Within
/// it they are normalised, beyond it refused.
inline constexpr double rotation_tolerance = 1e-6;

/// Writes e0 e1 e2 e3 of {"axis", "angle"}, {"euler_parameters"}, {"matrix"} (rows, body to ground), {"zxz"} (angles
/// about z, the new x, the new z) or {"rpy"} (roll about x, then pitch about y, then yaw about z, axes that stay).
/// Returns false, and adds to `problems`, if the node is none of them.
bool read_rotation(const Node& node, const std::string& path, double* p, Problems& problems);

/// Euler parameters of a rotation matrix A (by rows).
void euler_parameters(const double* A, double* p);

/// Reads `count` numbers from an array of that many; false, and a problem, otherwise.
bool read_numbers(const Node& node, const std::string& path, int count, double* out, Problems& problems);

}  // namespace trammel
