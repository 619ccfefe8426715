// Positions and velocities of an imported model as assembly leaves them.
#include "import/assembled_start.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
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
  double way, turn;    ///< m, rad
  double speed, spin;  ///< m/s, rad/s: of the change of velocity
};

/// Coordinates of all bodies and their rates; values of the coordinates that have limits.
struct State {
  std::vector<double> q, v, limited;
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

/// The angular velocity, global, of Euler parameters and their rates: 2 E(p) p'.
std::array<double, 3> turning(const double* p, const double* rate) {
  return {2 * (-p[1] * rate[0] + p[0] * rate[1] - p[3] * rate[2] + p[2] * rate[3]),
          2 * (-p[2] * rate[0] + p[3] * rate[1] + p[0] * rate[2] - p[1] * rate[3]),
          2 * (-p[3] * rate[0] - p[2] * rate[1] + p[1] * rate[2] + p[0] * rate[3])};
}

double distance(const double* a, const double* b) { return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); }

/// With the place in the file of the parts that the reason names, the first of them in front.
std::string set_up_words(const ImportedDocument& document, const std::string& file, const std::string& reason) {
  const std::vector<OwnedImportSource> parts = document.named_in(reason);
  std::string words =
      (parts.empty() ? file + ": " : parts[0].words()) + "not imported: the model cannot be set up: " + reason;
  for (std::size_t k = 1; k < parts.size(); ++k) {
    const std::string place = parts[k].words();
    words += fmt::format("{}'{}' is {}", k == 1 ? "; " : ", ", parts[k].path.substr(parts[k].path.rfind('/') + 1),
                         place.substr(0, place.size() - 2));
  }
  return words;
}

/// Joints whose coordinate is not between its limits.
std::vector<OwnedImportNote> beyond_limits(const ImportedDocument& document, const std::vector<double>& values) {
  std::vector<OwnedImportNote> notes;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const OwnedImportRange& range = document.ranges()[k];
    const double slack = 1e-9 * std::max(1.0, std::abs(values[k]));
    const bool low = values[k] < range.lower - slack;
    if (!low && !(values[k] > range.upper + slack)) continue;
    notes.push_back({ImportLoss::none, range.source.line, range.source.file, range.source.tag,
                     fmt::format("joint '{}' starts at {:.6g}, {} its {} limit {:.6g}, which pushes at once",
                                 range.joint, std::abs(values[k]) < 1e-12 ? 0.0 : values[k], low ? "below" : "above",
                                 low ? "lower" : "upper", low ? range.lower : range.upper)});
  }
  return notes;
}

}  // namespace

AssembledStart assemble(ImportedDocument& document, const std::vector<std::filesystem::path>& plugin_path,
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
    std::vector<std::string> channels;
    for (const OwnedImportRange& range : document.ranges()) channels.push_back(range.channel);
    const bool limited = constrained && !channels.empty();
    if (limited) description.set("output.channels", channels);
    Simulation simulation(description, {{}, plugin_path});
    const ConstVectorView q = simulation.positions(), v = simulation.velocities();
    State state{{q.data, q.data + q.size}, {v.data, v.data + v.size}, {}};
    if (limited) state.limited = simulation.channel_values();
    return state;
  };
  State given, assembled;
  try {
    assembled = positions(true);
    given = positions(false);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input && error.kind() != ErrorKind::compute) throw;
    throw Error(ErrorKind::input, set_up_words(document, file, error.what()));
  }

  std::vector<Moved> moved;
  std::size_t at = 0;
  for (const std::string& body : document.keys("/system/bodies")) {
    const std::string path = "/system/bodies/" + body;
    const Node* kind = document.find(path + "/type");
    const bool point = kind != nullptr && kind->is_text() && kind->text == "point_mass";
    const double *r = &given.q[at], *s = &assembled.q[at], *u = &given.v[at], *v = &assembled.v[at];
    const double way = distance(r, s), turn = point ? 0 : turn_between(r + 3, s + 3);
    const double size = std::max({1.0, std::abs(r[0]), std::abs(r[1]), std::abs(r[2])});
    const std::array<double, 3> none{}, from = point ? none : turning(r + 3, u + 3),
                                        to = point ? none : turning(s + 3, v + 3);
    const double speed = distance(u, v), spin = distance(from.data(), to.data());
    at += point ? 3 : 7;
    const bool has_moved = way > rounding * size || turn > rounding;
    // Velocities carry the rounding of positions and of what stands on both sides of a joint.
    const bool is_faster = std::max(speed, spin) > 1e3 * rounding * std::max(1.0, std::hypot(v[0], v[1], v[2]));
    if (has_moved) {
      document.replace(path + "/position", numbers(s, 3));
      if (!point) document.replace(path + "/rotation", "{\"euler_parameters\": " + numbers(s + 3, 4) + "}");
    }
    if (is_faster) {
      document.replace(path + "/velocity", numbers(v, 3));
      if (!point) document.replace(path + "/angular_velocity", numbers(to.data(), 3));
    }
    if (has_moved || is_faster)
      moved.push_back({body, has_moved ? way : 0, has_moved ? turn : 0, is_faster ? speed : 0, is_faster ? spin : 0});
  }
  std::stable_sort(moved.begin(), moved.end(),
                   [](const Moved& a, const Moved& b) { return std::max(a.way, a.turn) > std::max(b.way, b.turn); });
  AssembledStart start;
  start.beyond = beyond_limits(document, assembled.limited);
  std::vector<std::string>& lines = start.moved;
  for (const Moved& m : moved) {
    lines.push_back(fmt::format("{}: {:.3g} m, {:.3g} rad", m.body, m.way, m.turn));
    if (m.speed > 0 || m.spin > 0)
      lines.back() += fmt::format("; its velocity changed by {:.3g} m/s, {:.3g} rad/s", m.speed, m.spin);
  }
  return start;
}

}  // namespace trammel
