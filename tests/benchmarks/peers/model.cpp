// Reads a generated run file and its results.
#include "model.h"

#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

namespace peers {
namespace {

using Json = nlohmann::ordered_json;
using Row = std::map<std::string, double>;

Vector vector(const Json& value) {
  return {value.at(0), value.at(1), value.size() > 2 ? value.at(2).get<double>() : 0.0};
}

Body body(const std::string& name, const Json& given, bool planar) {
  Body made;
  made.name = name;
  made.mass = given.at("mass");
  made.inertia = planar ? Vector::Constant(given.at("inertia").get<double>()) : vector(given.at("inertia"));
  made.drawing = Pose::Identity();
  made.drawing.translation() = vector(given.at("position"));
  if (given.contains("angle")) made.drawing.rotate(Eigen::AngleAxisd(given.at("angle"), Vector::UnitZ()));
  if (given.contains("rotation")) {
    const Json& turn = given.at("rotation");
    made.drawing.rotate(Eigen::AngleAxisd(turn.at("angle"), vector(turn.at("axis")).normalized()));
  }
  return made;
}

Kind kind(const std::string& type) {
  if (type == "revolute") return Kind::revolute;
  if (type == "universal") return Kind::universal;
  if (type == "spherical") return Kind::spherical;
  throw std::runtime_error("peers have no joint of type " + type);
}

Joint joint(const Json& given, const std::map<std::string, int>& index) {
  const Json& bodies = given.at("bodies");
  Joint made{kind(given.at("type")), index.at(bodies.at(0)), index.at(bodies.at(1)), vector(given.at("at")), {}, {}};
  made.axis = given.contains("axis") ? vector(given.at("axis")).normalized() : Vector::UnitZ();
  made.second_axis = given.contains("second_axis") ? vector(given.at("second_axis")).normalized() : across(made.axis);
  return made;
}

BodyState body_state(const Row& row, const std::string& name, bool planar) {
  const auto at = [&](const char* channel) { return row.at(name + "." + channel); };
  BodyState made;
  made.pose = Pose::Identity();
  if (planar) {
    made.pose.translation() = Vector(at("x"), at("y"), 0);
    made.pose.rotate(Eigen::AngleAxisd(at("phi"), Vector::UnitZ()));
    made.velocity = Vector(at("vx"), at("vy"), 0);
    made.angular_velocity = Vector(0, 0, at("omega"));
    made.acceleration = Vector(at("ax"), at("ay"), 0);
    made.angular_acceleration = Vector(0, 0, at("alpha"));
    return made;
  }
  made.pose.translation() = Vector(at("x"), at("y"), at("z"));
  made.pose.rotate(Eigen::Quaterniond(at("e0"), at("e1"), at("e2"), at("e3")).normalized());
  made.velocity = Vector(at("vx"), at("vy"), at("vz"));
  made.angular_velocity = Vector(at("wx"), at("wy"), at("wz"));
  made.acceleration = Vector(at("ax"), at("ay"), at("az"));
  made.angular_acceleration = Vector(at("alphax"), at("alphay"), at("alphaz"));
  return made;
}

std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> found;
  std::istringstream stream(line);
  for (std::string cell; std::getline(stream, cell, ',');) found.push_back(cell);
  return found;
}

void read_states(Model& model, const std::string& results) {
  std::ifstream stream(results);
  std::string line;
  std::getline(stream, line);
  const std::vector<std::string> names = cells(line);
  while (std::getline(stream, line)) {
    const std::vector<std::string> values = cells(line);
    Row row;
    for (std::size_t i = 0; i < names.size(); ++i)
      row[names[i]] = std::strtod(values.at(i).c_str(), nullptr);  // stod refuses denormal numbers
    model.states.emplace_back();
    for (const Body& b : model.bodies) model.states.back().push_back(body_state(row, b.name, model.planar));
  }
  if (model.states.size() < 2) throw std::runtime_error(results + ": fewer than two states");
}

}  // namespace

Vector across(const Vector& axis) { return axis.unitOrthogonal(); }

Pose Joint::frame(const Vector& x, const Vector& y) const {
  Pose made = Pose::Identity();
  made.translation() = at;
  made.linear() << x, y, x.cross(y);
  return made;
}

Model read_model(const std::string& run_file, const std::string& results) {
  std::ifstream stream(run_file);
  const Json system = Json::parse(stream).at("system");
  Model model;
  model.planar = system.at("type") == "planar";
  model.gravity = vector(system.at("gravity"));
  std::map<std::string, int> index = {{"ground", -1}};
  for (const auto& [name, given] : system.at("bodies").items()) {
    index[name] = static_cast<int>(model.bodies.size());
    model.bodies.push_back(body(name, given, model.planar));
  }
  std::vector<bool> placed(model.bodies.size(), false);
  const auto is_placed = [&](int b) { return b < 0 || placed[static_cast<std::size_t>(b)]; };
  for (const auto& [name, given] : system.at("constraints").items()) {
    const Joint made = joint(given, index);
    if (!is_placed(made.first)) throw std::runtime_error(name + ": its first body hangs on nothing yet");
    if (is_placed(made.second)) {
      model.cuts.push_back(made);
    } else {
      placed[static_cast<std::size_t>(made.second)] = true;
      model.tree.push_back(made);
    }
  }
  if (model.tree.size() != model.bodies.size()) throw std::runtime_error(run_file + ": not a tree and cuts");
  read_states(model, results);
  return model;
}

Relative relative(const Model& model, const std::vector<BodyState>& state, const Joint& joint, const Pose& frame) {
  const auto pose = [&](int body) { return body < 0 ? Pose::Identity() : state[static_cast<std::size_t>(body)].pose; };
  const auto turning = [&](int body) -> Vector {
    return body < 0 ? Vector::Zero() : state[static_cast<std::size_t>(body)].angular_velocity;
  };
  const Pose first = pose(joint.first) * model.in_body(joint.first, frame);
  const Pose second = pose(joint.second) * model.in_body(joint.second, frame);
  return {first.inverse() * second, first.linear().transpose() * (turning(joint.second) - turning(joint.first))};
}

}  // namespace peers
