// Reads side files of loops, a joint a line.
#include "loops_file.h"

#include <charconv>
#include <cmath>
#include <fstream>
#include <iomanip>
#include <sstream>

#include "trammel/sdk/import/numbers.h"

namespace trammel::robot_xml {
namespace {

Eigen::Vector3d three(const std::string& value, const std::string& key, const sdk::ImportPlace& place) {
  Eigen::Vector3d v;
  const char *at = value.data(), *end = at + value.size();
  for (int k = 0; k < 3; ++k) {
    const std::from_chars_result read = sdk::read_double(at, end, v[k]);
    const bool ends = k < 2 ? read.ptr != end && *read.ptr == ',' : read.ptr == end;
    if (read.ec != std::errc() || !ends || !std::isfinite(v[k]))
      sdk::refuse_file(place, key + " must be three numbers x,y,z without blanks, not '" + value + "'");
    at = read.ptr + 1;
  }
  return v;
}

}  // namespace

bool joint_kind(const std::string& type, sdk::Joint::Kind& kind) {
  using Kind = sdk::Joint::Kind;
  static const std::pair<const char*, Kind> names[] = {
      {"fixed", Kind::fixed},         {"revolute", Kind::revolute},   {"continuous", Kind::revolute},
      {"prismatic", Kind::prismatic}, {"spherical", Kind::spherical}, {"cylindrical", Kind::cylindrical},
      {"universal", Kind::universal}, {"planar", Kind::planar},       {"floating", Kind::free}};
  for (const auto& [name, value] : names) {
    if (type == name) return kind = value, true;
  }
  return false;
}

void read_loops(const std::string& file, const FindLink& find, sdk::ImportModel& model) {
  std::ifstream stream(file);
  int line_number = 0, count = 0;
  for (std::string line; std::getline(stream, line);) {
    const sdk::ImportPlace place{file, ++line_number, ""};
    line = line.substr(0, line.find('#'));
    std::istringstream words(line);
    std::string type, first, second, word;
    if (!(words >> type)) continue;
    if (!(words >> std::quoted(first) >> std::quoted(second)))
      sdk::refuse_file(place, "expected: TYPE FIRST_LINK SECOND_LINK [KEY=VALUE ...]");
    sdk::Joint joint;
    if (!joint_kind(type, joint.kind) || joint.kind == sdk::Joint::Kind::free) {
      sdk::refuse_file(place, "'" + type +
                                  "' is no type of loop: fixed, revolute, prismatic, cylindrical, spherical, "
                                  "universal, planar");
    }
    joint.loop = true, joint.place = place;
    joint.parent = find(first, place), joint.child = find(second, place);
    if (joint.parent == joint.child) sdk::refuse_file(place, "a loop needs two links, '" + first + "' is given twice");
    Eigen::Vector3d rpy[2] = {Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero()};
    while (words >> word) {
      const std::size_t equals = word.find('=');
      const std::string key = word.substr(0, equals),
                        value = equals == std::string::npos ? "" : word.substr(equals + 1);
      if (key == "name")
        joint.original = value;
      else if (key == "first_xyz")
        joint.in_parent.r = three(value, key, place);
      else if (key == "second_xyz")
        joint.in_child.r = three(value, key, place);
      else if (key == "first_rpy")
        rpy[0] = three(value, key, place);
      else if (key == "second_rpy")
        rpy[1] = three(value, key, place);
      else if (key == "axis")
        joint.axis = three(value, key, place);
      else
        sdk::refuse_file(place,
                         "unknown '" + word + "'; known are name, first_xyz, first_rpy, second_xyz, second_rpy, axis");
    }
    joint.axis = sdk::unit_vector(joint.axis);
    if (joint.axis.isZero(0)) sdk::refuse_file(place, "an axis may not be zero");
    if (joint.kind == sdk::Joint::Kind::universal && std::abs(joint.axis.dot(joint.second_axis)) > 1e-9)
      sdk::refuse_file(place, "the second axis of a universal joint is y, and axis must be perpendicular to it");
    joint.in_parent.R = sdk::rotation_from_rpy(rpy[0]), joint.in_child.R = sdk::rotation_from_rpy(rpy[1]);
    joint.name = model.names.take(joint.original, "loop_" + std::to_string(++count), "loop");
    model.joints.push_back(joint);
  }
}

}  // namespace trammel::robot_xml
