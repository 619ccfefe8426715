// Positions of an imported model as assembly leaves them.
#include "import/assembled_start.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "trammel/error.h"
#include "trammel/host/run_description.h"
#include "trammel/host/simulation.h"

namespace trammel {
namespace {

// Below this a body has not moved, m and rad: rounding of the numbers in the file.
constexpr double rounding = 1e-13;

struct Moved {
  std::string body;
  double way, turn;
};

std::string numbers(const double* values, int count) {
  std::string text;
  for (int k = 0; k < count; ++k) text += (k == 0 ? "[" : ", ") + number_text(values[k]);
  return text + "]";
}

/// The angle between the rotations of two unit quaternions.
double turn_between(const double* p, const double* q) {
  // |p - q| and |p + q| of unit quaternions: 2 sin and 2 cos of a quarter of the angle.
  double minus = 0, plus = 0;
  for (int k = 0; k < 4; ++k) minus += (p[k] - q[k]) * (p[k] - q[k]), plus += (p[k] + q[k]) * (p[k] + q[k]);
  return 4 * std::atan2(std::sqrt(std::min(minus, plus)), std::sqrt(std::max(minus, plus)));
}

}  // namespace

std::vector<std::string> assemble(ImportedDocument& document, const std::vector<std::filesystem::path>& plugin_path,
                                  const std::string& file) {
  const Node* bodies = document.find("/system/bodies");
  if (bodies == nullptr || document.members("/system/bodies") == 0) return {};
  const Node* type = document.find("/system/type");
  if (type == nullptr || !type->is_text() || type->text != "spatial") return {};

  // Given positions come from the same reader as assembled ones, in a model without constraints.
  const std::string name = file + ", imported";
  const auto positions = [&](bool constrained) {
    RunDescription description = RunDescription::from_text(
        document.text("", {"analysis", "formulation", "integrator", "output", "plugins"}), name);
    description.analysis("assembly");
    if (const Node* conditions = document.find("/analysis/conditions"); constrained && conditions != nullptr)
      description.set("analysis.conditions", Value::json(to_json(*conditions)));
    if (!constrained) {
      if (document.members("/system/constraints") > 0) description.remove("system.constraints");
      if (document.members("/system/forces") > 0) description.remove("system.forces");
      for (const std::string& body : document.keys("/system/bodies")) {  // nothing holds massless frames now
        const Node* kind = document.find("/system/bodies/" + body + "/type");
        if (kind == nullptr || kind->text != "massless") continue;
        const std::string path = "system.bodies." + body;
        description.set(path + ".type", "rigid").set(path + ".mass", 1).set(path + ".inertia", {1, 1, 1});
      }
    }
    const Simulation simulation(description, {{}, plugin_path});
    const ConstVectorView q = simulation.positions();
    return std::vector<double>(q.data, q.data + q.size);
  };
  std::vector<double> given, assembled;
  try {
    assembled = positions(true);
    given = positions(false);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input && error.kind() != ErrorKind::compute) throw;
    throw Error(ErrorKind::input, fmt::format("{}: not imported: the model cannot be set up: {}", file, error.what()));
  }

  std::vector<Moved> moved;
  std::size_t at = 0;
  for (const std::string& body : document.keys("/system/bodies")) {
    const std::string path = "/system/bodies/" + body;
    const Node* kind = document.find(path + "/type");
    const bool point = kind != nullptr && kind->is_text() && kind->text == "point_mass";
    const double *r = &given[at], *s = &assembled[at];
    const double way = std::hypot(s[0] - r[0], s[1] - r[1], s[2] - r[2]);
    const double turn = point ? 0 : turn_between(r + 3, s + 3);
    const double size = std::max({1.0, std::abs(r[0]), std::abs(r[1]), std::abs(r[2])});
    at += point ? 3 : 7;
    if (!(way > rounding * size || turn > rounding)) continue;
    document.replace(path + "/position", numbers(s, 3));
    if (!point) document.replace(path + "/rotation", "{\"euler_parameters\": " + numbers(s + 3, 4) + "}");
    moved.push_back({body, way, turn});
  }
  std::stable_sort(moved.begin(), moved.end(),
                   [](const Moved& a, const Moved& b) { return std::max(a.way, a.turn) > std::max(b.way, b.turn); });
  std::vector<std::string> lines;
  for (const Moved& m : moved) lines.push_back(fmt::format("{}: {:.3g} m, {:.3g} rad", m.body, m.way, m.turn));
  return lines;
}

}  // namespace trammel
