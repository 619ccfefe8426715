// Side files that say which frames of a tree coincide: loops that the format of the tree cannot write.
#pragma once

#include <functional>
#include <string>

#include "trammel/sdk/import/model.h"

namespace trammel::robot_xml {

/// A link by its name in the file; refuses at `place` if there is none.
using FindLink = std::function<int(const std::string& name, const sdk::ImportPlace& place)>;

/// Adds a loop joint for every line
///
///   TYPE FIRST SECOND [name=N] [first_xyz=x,y,z] [first_rpy=r,p,y] [second_xyz=...] [second_rpy=...] [axis=x,y,z]
///
/// with TYPE fixed, revolute, prismatic, cylindrical, spherical, universal or planar and two links. Blank lines and what
/// follows a '#' count for nothing. Throws Error(input) with file and line.
void read_loops(const std::string& file, const FindLink& find, sdk::ImportModel& model);

/// How loop and tree joints are called; false: no such type.
bool joint_kind(const std::string& type, sdk::Joint::Kind& kind);

}  // namespace trammel::robot_xml
