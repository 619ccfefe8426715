// Bodies with coordinates of their own: what point masses refuse, what attaches to them, and what the layout says.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "loaded_model.h"
#include "trammel/error.h"
#include "trammel/extensions/system_extensions.h"

namespace trammel {
namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string message_of(const std::string& system) {
  try {
    LoadedModel loaded(system_file(system));
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::input);
    return error.what();
  }
  return "";
}

/// A rigid body and two point masses with one element between them.
std::string with(bool planar, const std::string& list, const std::string& element) {
  const std::string bodies =
      planar ? R"("type": "planar", "bodies": {"ball": {"type": "point_mass", "mass": 1, "position": [1, 0.5]},
               "bar": {"mass": 1, "inertia": 0.1, "position": [0.2, 0]}, "other": {"type": "point_mass", "mass": 2,
               "position": [2, 1]}})"
             : R"("type": "spatial", "bodies": {"ball": {"type": "point_mass", "mass": 1, "position": [1, 0.5, 0.2]},
               "bar": {"mass": 1, "inertia": [0.1, 0.1, 0.1], "position": [0.2, 0, 0]}, "other": {"type": "point_mass",
               "mass": 2, "position": [2, 1, 0]}})";
  const std::string given = list == "constraints" ? bodies + R"(, "constraints": {"tested": )" + element + "}"
                                                  : bodies + R"(, "forces": {"tested": )" + element + "}";
  return given;
}

struct Example {
  const char* list;
  std::string element;
};

}  // namespace

TEST_CASE("elements that need a rotation refuse a point mass by name") {
  const std::vector<Example> spatial = {
      {"constraints", R"({"type": "revolute", "bodies": ["bar", "ball"], "at": [1, 0.5, 0.2], "axis": [0, 0, 1]})"},
      {"constraints", R"({"type": "universal", "bodies": ["bar", "ball"], "at": [1, 0.5, 0.2], "axis": [0, 0, 1],
                          "second_axis": [1, 0, 0]})"},
      {"constraints", R"({"type": "cylindrical", "bodies": ["ball", "bar"], "at": [1, 0.5, 0.2], "axis": [0, 0, 1]})"},
      {"constraints",
       R"({"type": "translational", "bodies": ["bar", "ball"], "at": [1, 0.5, 0.2], "axis": [0, 0, 1]})"},
      {"constraints", R"({"type": "fixed", "bodies": ["ground", "ball"], "at": [1, 0.5, 0.2]})"},
      {"constraints", R"({"type": "screw", "bodies": ["ground", "ball"], "at": [1, 0.5, 0.2], "axis": [0, 0, 1],
                          "pitch": 0.1})"},
      {"constraints",
       R"({"type": "planar_joint", "bodies": ["ground", "ball"], "at": [1, 0.5, 0.2], "axis": [0, 0, 1]})"},
      {"constraints", R"({"type": "parallel_axes", "bodies": ["ground", "ball"], "axis": [0, 0, 1]})"},
      {"constraints", R"({"type": "dot1", "bodies": ["bar", "ball"], "axis_i": [0, 0, 1], "axis_j": [1, 0, 0]})"},
      {"constraints", R"({"type": "dot2", "bodies": ["ball", "bar"], "axis_i": [0, 0, 1], "point_i": [0, 0, 0],
                          "point_j": [0.8, 0.5, 0.2]})"},
      {"constraints", R"({"type": "in_line", "bodies": ["ball", "bar"], "at": [0.2, 0, 0], "axis": [0.8, 0.5, 0.2]})"},
      {"constraints", R"({"type": "angle_driver", "bodies": ["bar", "ball"], "axis": [0, 0, 1], "function": 0})"},
      {"constraints", R"({"type": "distance", "bodies": ["bar", "ball"], "point_j": [0.1, 0, 0]})"},
      {"constraints", R"({"type": "spherical", "bodies": ["bar", "ball"], "at": [0.5, 0, 0]})"},
      {"constraints", R"({"type": "coordinate_driver", "body": "ball", "coordinate": "x", "point": [0, 0.1, 0],
                          "function": 1})"},
      {"constraints", R"({"type": "impact", "bodies": ["ball", "bar"], "axis_i": [0, 0, 1], "restitution": 0.5})"},
      {"forces", R"({"type": "rsda", "bodies": ["bar", "ball"], "axis": [0, 0, 1], "stiffness": 2})"},
      {"forces", R"({"type": "bushing", "bodies": ["bar", "ball"], "at": [1, 0.5, 0.2], "stiffness": [1, 1, 1],
                     "torsional_stiffness": [1, 1, 1]})"},
      {"forces", R"({"type": "applied_torque", "body": "ball", "torque": [0, 0, 1]})"},
      {"forces", R"({"type": "applied_force", "body": "ball", "force": [0, 0, 1], "point": [0.1, 0, 0]})"},
      {"forces", R"({"type": "applied_force", "body": "ball", "force": [0, 0, 1], "frame": "body"})"},
      {"forces", R"({"type": "tsda", "bodies": ["bar", "ball"], "point_j": [0, 0, 0.2], "stiffness": 2,
                     "free_length": 1})"},
      {"forces", R"({"type": "stop", "bodies": ["ball", "bar"], "axis_i": [0, 0, 1], "stiffness": 100})"},
      {"forces", R"({"type": "aerodynamic_drag", "body": "ball", "point": [0.1, 0, 0], "area": 1, "coefficient": 1})"}};
  const std::vector<Example> planar = {
      {"constraints", R"({"type": "revolute", "bodies": ["bar", "ball"], "at": [0.5, 0.5]})"},
      {"constraints", R"({"type": "translational", "bodies": ["bar", "ball"], "at": [1, 0.5], "axis": [1, 0]})"},
      {"constraints", R"({"type": "fixed", "bodies": ["ground", "ball"], "at": [1, 0.5]})"},
      {"constraints", R"({"type": "angle_driver", "bodies": ["ground", "ball"], "function": 0})"},
      {"constraints", R"({"type": "coordinate_driver", "body": "ball", "coordinate": "phi", "function": 0})"},
      {"constraints", R"({"type": "distance", "bodies": ["bar", "ball"], "point_j": [0.1, 0]})"},
      {"forces", R"({"type": "rsda", "bodies": ["bar", "ball"], "stiffness": 2})"},
      {"forces", R"({"type": "applied_torque", "body": "ball", "torque": 1})"},
      {"forces", R"({"type": "applied_force", "body": "ball", "force": [0, 1], "point": [0.1, 0]})"},
      {"forces",
       R"({"type": "tsda", "bodies": ["ball", "bar"], "point_i": [0.2, 0], "stiffness": 2, "free_length": 1})"}};
  for (const bool is_planar : {true, false}) {
    for (const Example& example : is_planar ? planar : spatial) {
      CAPTURE(is_planar);
      CAPTURE(example.element);
      const std::string message = message_of(with(is_planar, example.list, example.element));
      CAPTURE(message);
      CHECK(contains(message, "needs the rotation of 'ball', a point mass"));
      CHECK(contains(message, std::string("/system/") + example.list + "/tested"));
      CHECK(contains(message, "run.json:"));
      const std::string type = example.element.substr(10, example.element.find('"', 10) - 10);
      CHECK(contains(message, "'tested' (type '" + type + "')"));
      CHECK(contains(message, "the type 'rigid'"));
    }
  }
}

TEST_CASE("elements that need a rotation later, or by an input, refuse a point mass as well") {
  const std::vector<Example> planar = {
      {"forces", R"({"type": "applied_torque", "body": "ball", "torque": 1, "function": {"type": "step", "begin": 2,
                     "end": 3}})"},
      {"forces",
       R"({"type": "applied_torque", "body": "ball", "torque": 1, "function": {"type": "input", "name": "u"}})"},
      {"forces", R"({"type": "applied_force", "body": "ball", "force": [1, 0], "frame": "body",
                     "function": {"type": "step", "begin": 2, "end": 3}})"},
      {"forces", R"({"type": "applied_force", "body": "ball", "force": [1, 0], "point": [0, 0.5],
                     "function": {"type": "step", "begin": 200, "end": 200.001}})"},
      // Too far away to act, and without a torque where it would.
      {"forces", R"({"type": "stop", "bodies": ["ground", "ball"], "axis_i": [0, 1], "point_i": [0, -50],
                     "point_j": [0, -0.1], "stiffness": 100})"}};
  for (const Example& example : planar) {
    CAPTURE(example.element);
    CHECK(
        contains(message_of(with(true, example.list, example.element)), "needs the rotation of 'ball', a point mass"));
  }
}

TEST_CASE("elements that need no rotation there attach to a point mass, on either side") {
  const std::vector<Example> spatial = {
      {"constraints", R"({"type": "spherical", "bodies": ["bar", "ball"], "at": [1, 0.5, 0.2]})"},
      {"constraints", R"({"type": "point", "bodies": ["ball", "bar"], "at": [1, 0.5, 0.2]})"},
      {"constraints", R"({"type": "distance", "bodies": ["ball", "other"]})"},
      {"constraints", R"({"type": "distance_driver", "bodies": ["ball", "bar"], "function": 1})"},
      {"constraints", R"({"type": "spherical_spherical", "bodies": ["ball", "bar"], "point_j": [0.1, 0, 0]})"},
      {"constraints", R"({"type": "in_line", "bodies": ["bar", "ball"], "at": [1, 0.5, 0.2], "axis": [1, 0, 0]})"},
      {"constraints", R"({"type": "in_plane", "bodies": ["bar", "ball"], "at": [1, 0.5, 0.2], "axis": [1, 0, 0]})"},
      {"constraints", R"({"type": "dot2", "bodies": ["bar", "ball"], "axis_i": [0, 0, 1], "point_i": [0, 0, 0.2],
                          "point_j": [0, 0, 0]})"},
      {"constraints", R"({"type": "coordinate_driver", "body": "ball", "coordinate": "z", "function": 0.2})"},
      {"constraints", R"({"type": "impact", "bodies": ["bar", "ball"], "axis_i": [0, 0, 1], "restitution": 0.5})"},
      {"constraints", R"({"type": "revolute_spherical", "bodies": ["bar", "ball"], "point_i": [0, 0, 0],
                          "axis_i": [-0.5, 0.8, 0]})"},
      {"forces", R"({"type": "tsda", "bodies": ["ball", "bar"], "point_j": [0.1, 0, 0], "stiffness": 2, "damping": 1,
                     "free_length": 1})"},
      {"forces", R"({"type": "point_gravity", "bodies": ["ball", "other"], "constant": 1})"},
      {"forces", R"({"type": "gravity", "acceleration": [0, 0, -1]})"},
      {"forces", R"({"type": "applied_force", "body": "ball", "force": [1, 2, 3]})"},
      {"forces", R"({"type": "aerodynamic_drag", "body": "ball", "area": 1, "coefficient": 1})"},
      {"forces", R"({"type": "stop", "bodies": ["bar", "ball"], "axis_i": [0, 0, 1], "stiffness": 100})"},
      {"forces", R"({"type": "bushing", "bodies": ["ground", "ball"], "point_i": [1, 0.5, 0.2], "point_j": [0, 0, 0],
                     "stiffness": [1, 2, 3], "damping": [1, 1, 1]})"},
      {"forces", R"({"type": "actuator", "bodies": ["bar", "ball"], "function": 2, "lag": 0.1})"}};
  const std::vector<Example> planar = {
      {"constraints", R"({"type": "revolute", "bodies": ["bar", "ball"], "at": [1, 0.5]})"},
      {"constraints", R"({"type": "distance", "bodies": ["ball", "other"]})"},
      {"constraints", R"({"type": "point_on_line", "bodies": ["bar", "ball"], "axis_i": [0.8, 0.5], "point_i": [0, 0],
                          "point_j": [0, 0]})"},
      {"constraints", R"({"type": "coordinate_driver", "body": "ball", "coordinate": "y", "function": 0.5})"},
      {"forces", R"({"type": "tsda", "bodies": ["ball", "other"], "stiffness": 2, "free_length": 1})"},
      {"forces", R"({"type": "gravity", "acceleration": [0, -1]})"},
      {"forces", R"({"type": "point_gravity", "bodies": ["ball", "bar"], "constant": 1})"},
      {"forces", R"({"type": "aerodynamic_drag", "body": "other", "area": 1, "coefficient": 1})"}};
  for (const bool is_planar : {true, false}) {
    for (const Example& example : is_planar ? planar : spatial) {
      CAPTURE(is_planar);
      CAPTURE(example.element);
      CHECK(message_of(with(is_planar, example.list, example.element)) == "");
    }
  }
}

TEST_CASE("what a point mass does not have is refused where it is given") {
  const auto of = [](const std::string& type, const std::string& keys) {
    return message_of(R"("type": ")" + type + R"(", "bodies": {"ball": {"type": "point_mass", "mass": 1, )" + keys +
                      "}}");
  };
  for (const std::string key : {R"("inertia": [1, 1, 1])", R"("rotation": {"axis": [0, 0, 1], "angle": 1})",
                                R"("angular_velocity": [0, 0, 1])"}) {
    CAPTURE(key);
    const std::string message = of("spatial", key);
    CHECK(contains(message, "/system/bodies/ball/" + key.substr(1, key.find('"', 1) - 1)));
    CHECK(contains(message, "a point mass has a place and a velocity"));
  }
  for (const std::string key : {R"("inertia": 1)", R"("angle": 0.1)", R"("angular_velocity": 2)"}) {
    CAPTURE(key);
    const std::string message = of("planar", key);
    CHECK(contains(message, "/system/bodies/ball/" + key.substr(1, key.find('"', 1) - 1)));
    CHECK(contains(message, "a point mass has a place and a velocity"));
  }
  for (const char* type : {"planar", "spatial"}) {
    const std::string message =
        message_of(R"("type": ")" + std::string(type) + R"(", "bodies": {"ball": {"mass": 1}})");
    CHECK(contains(message, "a rigid body needs an 'inertia'; without one it is of type 'point_mass'"));
  }
  const std::string point =
      R"(, "bodies": {"ball": {"type": "point_mass", "mass": 1}}, "points": {"tip": {"body": "ball",
      "point": )";
  CHECK(contains(message_of(R"("type": "spatial")" + point + "[0, 0.1, 0]}}"), "has no points beside its own place"));
  CHECK(contains(message_of(R"("type": "planar")" + point + "[0, 0.1]}}"), "/system/points/tip/point"));
  CHECK(message_of(R"("type": "planar")" + point + "[0, 0]}}") == "");
  CHECK(contains(message_of(R"("type": "planar", "bodies": {"ball": {"type": "ball", "mass": 1}})"),
                 "rigid, point_mass"));
}

TEST_CASE("the layout tells whose coordinates are which") {
  for (const bool planar : {true, false}) {
    CAPTURE(planar);
    LoadedModel loaded(system_file(with(planar, "forces",
                                        planar ? R"({"type": "gravity", "acceleration": [0, -1]})"
                                               : R"({"type": "gravity", "acceleration": [0, 0, -1]})")));
    const BodyLayout* layout = find_extension<BodyLayout>(loaded.numbers);
    REQUIRE(layout != nullptr);
    CHECK(layout->dimensions() == (planar ? 2 : 3));
    REQUIRE(layout->bodies() == 3);
    const Index point = planar ? 2 : 3, rigid = planar ? 3 : 7;
    const struct {
      const char* name;
      BodyKind kind;
      Index first, count;
    } expected[] = {{"ball", BodyKind::point_mass, 0, point},
                    {"bar", BodyKind::rigid, point, rigid},
                    {"other", BodyKind::point_mass, point + rigid, point}};
    for (Index b = 0; b < 3; ++b) {
      const BodySlice slice = layout->body(b);
      CHECK(std::string(slice.name) == expected[b].name);
      CHECK(slice.kind == expected[b].kind);
      CHECK(slice.first == expected[b].first);
      CHECK(slice.count == expected[b].count);
      for (Index i = slice.first; i < slice.first + slice.count; ++i)
        CHECK(std::string(loaded.numbers.coordinate_name(i)).starts_with(std::string(slice.name) + "."));
    }
    CHECK(loaded.numbers.coordinates() == 2 * point + rigid);
    CHECK(loaded.numbers.constraints() == (planar ? 0 : 1));
    if (!planar) CHECK(std::string(loaded.numbers.row_name(0)) == "bar.normalisation");
  }
}

}  // namespace trammel
