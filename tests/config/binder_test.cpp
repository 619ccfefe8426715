// Binding: every field type filled, every kind of wrong value refused with its place and, where it helps, the unit.
#include "config/binder.h"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <filesystem>
#include <fstream>

#include "config/json_source.h"
#include "refusal.h"

using namespace trammel;

namespace {

struct Everything {
  double number;
  std::int64_t integer;
  bool boolean;
  std::int32_t choice;
  Text text;
  double vector[3];
  double axis[3];
  double rotation[4];
  Numbers numbers;
  BodyRef body;
  BodyRefs bodies;
  PointRef point;
  ElementRef element;
  FunctionRef function;
  Text expression;
  double same;
};

/// Alone in a table, each of these is what one test looks at.
ParameterRecord record(const char* name, ParameterType type, std::size_t offset, const char* unit = "1") {
  ParameterRecord r{};
  r.name = name;
  r.type = type;
  r.offset = static_cast<std::uint32_t>(offset);
  r.unit = unit;
  r.description = "What it is.";
  return r;
}
#define FIELD(member, ...) \
  record(#member, ParameterType::member, offsetof(Everything, member) __VA_OPT__(, ) __VA_ARGS__)

class Names final : public Resolver {
 public:
  std::optional<std::int32_t> body(const std::string& name) const override {
    if (name == "ground") return -1;
    if (name == "crank") return 0;
    if (name == "rod") return 1;
    if (name == "tip") return 2;  // the frame there
    return std::nullopt;
  }
  std::optional<std::string> body_of_frame(const std::string& name) const override {
    return name == "tip" ? std::optional<std::string>("rod") : std::nullopt;
  }
  std::optional<PointRef> point(const std::string& name) const override {
    if (name != "tip") return std::nullopt;
    return PointRef{{1}, {1, 2, 3}};
  }
  std::optional<std::int32_t> element(const std::string& name) const override {
    if (name != "pin") return std::nullopt;
    return 4;
  }
  std::vector<std::string> names(ParameterType kind) const override {
    if (kind == ParameterType::point) return {"tip"};
    if (kind == ParameterType::element) return {"pin"};
    return {"crank", "rod", "ground", "tip"};
  }
  FunctionRef function(const Node& node, const std::string& path, Problems&) override {
    seen = path + "=" + describe(node);
    return reinterpret_cast<FunctionRef>(this);
  }
  std::string seen;
};

struct Bench {
  Names names;
  ParameterValues parameters{{"A"}, {2}, {}, {}};
  Host host = Host::spatial;
  bool frames = true;

  BoundParameters bound(const std::vector<ParameterRecord>& records, const std::string& json) {
    BindContext context;
    context.path = "/system/constraints/pin";
    context.subject = "type 'revolute'";
    context.host = host;
    context.resolver = &names;
    context.frames = frames;
    context.parameters = &parameters;
    context.folder = std::filesystem::temp_directory_path();
    const ParameterTable table{records.data(), static_cast<std::int32_t>(records.size()), sizeof(Everything),
                               alignof(Everything)};
    const Node node = parse_json(json, "f.json");
    return bind(table, node, context);
  }

  /// What follows "f.json:1: /system/constraints/pin".
  std::string refused(const std::vector<ParameterRecord>& records, const std::string& json) {
    const std::string text = refusal([&] { bound(records, json); });
    const std::string common = "f.json:1: /system/constraints/pin";
    return text.rfind(common, 0) == 0 ? text.substr(common.size()) : text;
  }
};

}  // namespace

TEST_CASE("every field type is filled") {
  Bench bench;
  std::vector<ParameterRecord> table = {FIELD(number, "m"),
                                        FIELD(integer),
                                        FIELD(boolean),
                                        FIELD(choice),
                                        FIELD(text),
                                        FIELD(vector),
                                        FIELD(rotation),
                                        FIELD(numbers),
                                        FIELD(body),
                                        FIELD(bodies),
                                        FIELD(point),
                                        FIELD(element),
                                        FIELD(function),
                                        FIELD(expression),
                                        record("along", ParameterType::direction, offsetof(Everything, axis)),
                                        record("same", ParameterType::number, offsetof(Everything, same))};
  table[3].choices = "rms|max";
  table.back().default_json = "=number";
  const BoundParameters first =
      bench.bound(table, R"({"type": "revolute", "number": 1.5, "integer": 3.0, "boolean": true,
    "choice": "max", "text": "a text that is longer than any small buffer", "vector": [1, 2, 3], "along": [0, 3, 4],
    "rotation": {"axis": [0, 0, 2], "angle": 3.14159265358979323846}, "numbers": [4, 5], "body": "ground",
    "bodies": ["rod", "crank"], "point": "tip", "element": "pin", "function": 7, "expression": "A*t"})");
  const void* const address = first.data();
  BoundParameters bound;
  bound = std::move(const_cast<BoundParameters&>(first));
  CHECK(bound.data() == address);
  const Everything& all = bound.as<Everything>();
  CHECK(all.number == 1.5);
  CHECK(all.same == 1.5);
  CHECK(all.integer == 3);
  CHECK(all.boolean);
  CHECK(all.choice == 1);
  CHECK(all.text.view() == "a text that is longer than any small buffer");
  CHECK(all.vector[2] == 3);
  CHECK(all.axis[0] == 0);
  CHECK(all.axis[1] == doctest::Approx(0.6).epsilon(1e-15));
  CHECK(all.rotation[3] == doctest::Approx(1).epsilon(1e-15));
  CHECK(all.rotation[0] == doctest::Approx(0).epsilon(1e-15));
  REQUIRE(all.numbers.size == 2);
  CHECK(all.numbers[1] == 5);
  CHECK(all.body.is_ground());
  REQUIRE(all.bodies.size == 2);
  CHECK(all.bodies[0].index == 1);
  CHECK(all.point.local[1] == 2);
  CHECK(all.element.index == 4);
  CHECK(all.function == reinterpret_cast<FunctionRef>(&bench.names));
  CHECK(bench.names.seen == "/system/constraints/pin/function=7");
  CHECK(all.expression.view() == "(2)*t");
}

TEST_CASE("what may be left out says that it was") {
  Bench bench;
  std::vector<ParameterRecord> table = {FIELD(number),  FIELD(choice), FIELD(text),    FIELD(vector),  FIELD(rotation),
                                        FIELD(numbers), FIELD(body),   FIELD(element), FIELD(function)};
  table[1].choices = "rms|max";
  for (ParameterRecord& r : table) r.optional = true;
  const BoundParameters bound = bench.bound(table, "{}");
  const Everything& all = bound.as<Everything>();
  CHECK_FALSE(given(all.number));
  CHECK(all.choice == -1);
  CHECK_FALSE(all.text.given());
  CHECK_FALSE(given(all.vector));
  CHECK(all.rotation[0] == 1);
  CHECK(all.numbers.size == 0);
  CHECK_FALSE(all.body.given());
  CHECK(all.element.index == -1);
  CHECK(all.function == nullptr);
}

TEST_CASE("keys are checked") {
  Bench bench;
  const std::vector<ParameterRecord> table = {record("length", ParameterType::number, 0, "m")};
  CHECK(bench.refused(table, R"({"length": 1, "lenght": 2})") ==
        "/lenght: unknown key for type 'revolute'; did you mean 'length'?");
  CHECK(bench.refused(table, R"({"length": 1, "colour": 2})") ==
        "/colour: unknown key for type 'revolute'; it has 'length', 'type'");
  CHECK(bench.refused(table, "{}") == ": missing key 'length' for type 'revolute': What it is.");
  CHECK(bench.refused(table, "[1]") == ": must be an object, not an array");
}

TEST_CASE("all that is wrong is said, in the order of the lines") {
  Bench bench;
  CHECK(bench.refused({FIELD(number), FIELD(boolean)}, "{\"boolean\": 1,\n \"number\": \"x\",\n \"numbr\": 1}") ==
        "/boolean: must be true or false, not 1\n"
        "f.json:2: /system/constraints/pin/number: must be a number, not the text 'x'\n"
        "f.json:3: /system/constraints/pin/numbr: unknown key for type 'revolute'; did you mean 'number'?");
}

TEST_CASE("numbers and integers") {
  Bench bench;
  ParameterRecord number = FIELD(number, "N/m");
  CHECK(bench.refused({number}, R"({"number": true})") == "/number: must be a number, not true");
  CHECK(bench.refused({number}, R"({"number": null})") == "/number: must be a number, not null");
  CHECK(bench.refused({number}, R"({"number": [1]})") == "/number: must be a number, not an array");
  number.minimum = 0;
  CHECK(bench.refused({number}, R"({"number": -1})") == "/number: must be >= 0 N/m, not -1");
  number.exclusive_minimum = true;
  CHECK(bench.refused({number}, R"({"number": 0})") == "/number: must be > 0 N/m, not 0");
  number.maximum = 2.5;
  CHECK(bench.refused({number}, R"({"number": 3})") == "/number: must be <= 2.5 N/m, not 3");
  number.exclusive_maximum = true;
  CHECK(bench.refused({number}, R"({"number": 2.5})") == "/number: must be < 2.5 N/m, not 2.5");

  ParameterRecord integer = FIELD(integer);
  CHECK(bench.refused({integer}, R"({"integer": 3.9})") == "/integer: must be an integer, not 3.9");
  CHECK(bench.refused({integer}, R"({"integer": 1e17})") == "/integer: must be an integer, not 1e17");
  integer.minimum = 0;
  CHECK(bench.refused({integer}, R"({"integer": -1})") == "/integer: must be >= 0, not -1");
}

TEST_CASE("words, texts, files") {
  Bench bench;
  ParameterRecord choice = FIELD(choice);
  choice.choices = "compression|tension";
  CHECK(bench.refused({choice}, R"({"choice": "tensoin"})") ==
        "/choice: must be one of compression, tension, not 'tensoin'; did you mean 'tension'?");
  CHECK(bench.refused({choice}, R"({"choice": 1})") == "/choice: must be one of compression, tension, not 1");
  CHECK(bench.refused({FIELD(text)}, R"({"text": 5})") == "/text: must be a text, not 5");

  const std::filesystem::path file = std::filesystem::temp_directory_path() / "trammel_binder_test.csv";
  const ParameterRecord path = record("table", ParameterType::file, offsetof(Everything, text));
  std::filesystem::remove(file);
  CHECK(bench.refused({path}, R"({"table": "trammel_binder_test.csv"})") ==
        "/table: there is no file 'trammel_binder_test.csv' (looked for " + file.string() + ")");
  std::ofstream(file) << "x\n";
  CHECK(bench.bound({path}, R"({"table": "trammel_binder_test.csv"})").as<Everything>().text.view() == file.string());
  std::filesystem::remove(file);
}

TEST_CASE("vectors have the model's length") {
  Bench bench;
  CHECK(bench.refused({FIELD(vector)}, R"({"vector": [1, 2]})") == "/vector: must be an array of 3 numbers, not of 2");
  CHECK(bench.refused({FIELD(vector)}, R"({"vector": [1, true, 3]})") == "/vector/1: must be a number, not true");
  bench.host = Host::planar;
  CHECK(bench.refused({FIELD(vector)}, R"({"vector": [1, 2, 3]})") ==
        "/vector: must be an array of 2 numbers, not of 3");
  const BoundParameters bound = bench.bound({FIELD(vector)}, R"({"vector": [1, 2]})");
  CHECK(bound.as<Everything>().vector[1] == 2);
  CHECK(bound.as<Everything>().vector[2] == 0);
  ParameterRecord three = FIELD(vector);
  three.length = VectorLength::three;
  CHECK(bench.bound({three}, R"({"vector": [1, 2, 3]})").as<Everything>().vector[2] == 3);
  CHECK(bench.refused({record("axis", ParameterType::direction, offsetof(Everything, axis))}, R"({"axis": [0, 0]})") ==
        "/axis: the axis has length zero");
}

TEST_CASE("points of bodies are coordinates or names of points on the body that the table means") {
  Bench bench;
  const auto end = [](std::int32_t which) {
    ParameterRecord r = record("tail", ParameterType::body_point, offsetof(Everything, vector));
    r.count_min = which;
    return r;
  };
  ParameterRecord links = FIELD(bodies);
  links.name = "links";
  CHECK(bench.bound({links, end(0)}, R"({"links": ["rod", "crank"], "tail": [4, 5, 6]})").as<Everything>().vector[2] ==
        6);
  const BoundParameters named = bench.bound({links, end(1)}, R"({"links": ["crank", "rod"], "tail": "tip"})");
  CHECK(named.as<Everything>().vector[1] == 2);
  CHECK(bench.refused({links, end(0)}, R"({"links": ["crank", "rod"], "tail": "tip"})") ==
        "/tail: the point 'tip' is not on 'crank', to which 'tail' belongs here");
  ParameterRecord owner = FIELD(body);
  owner.name = "owner";
  CHECK(bench.bound({owner, end(0)}, R"({"owner": "rod", "tail": "tip"})").as<Everything>().vector[1] == 2);
  // Only what is declared so: a vector called point_i is three numbers.
  CHECK(bench.refused({links, record("point_i", ParameterType::vector, offsetof(Everything, vector))},
                      R"({"links": ["crank", "rod"], "point_i": "tip"})") != "");
}

TEST_CASE("lists are counted, and one number may stand for a list of one") {
  Bench bench;
  ParameterRecord numbers = FIELD(numbers, "kg");
  CHECK(bench.bound({numbers}, R"({"numbers": 3})").as<Everything>().numbers.size == 1);
  numbers.count_min = 2;
  numbers.minimum = 0;
  CHECK(bench.refused({numbers}, R"({"numbers": 3})") == "/numbers: must have at least 2 entries, not 1");
  CHECK(bench.refused({numbers}, R"({"numbers": [1, -2]})") == "/numbers/1: must be >= 0 kg, not -2");
  numbers.count_max = 2;
  CHECK(bench.refused({numbers}, R"({"numbers": [1, 2, 3]})") == "/numbers: must have 2 entries, not 3");
  CHECK(bench.refused({numbers}, R"({"numbers": "a"})") == "/numbers: must be an array of numbers, not the text 'a'");
}

TEST_CASE("references must lead somewhere") {
  Bench bench;
  CHECK(bench.refused({FIELD(body)}, R"({"body": "crnak"})") ==
        "/body: there is no body 'crnak'; did you mean 'crank'?");
  CHECK(bench.refused({FIELD(body)}, R"({"body": 1})") == "/body: must be the name of a body, not 1");
  CHECK(bench.refused({FIELD(bodies)}, R"({"bodies": ["crank", "crank"]})") ==
        "/bodies/1: the body 'crank' is named twice");
  CHECK(bench.refused({FIELD(point)}, R"({"point": "tp"})") == "/point: there is no point 'tp'; did you mean 'tip'?");
  CHECK(bench.refused({FIELD(element)}, R"({"element": "pni"})") ==
        "/element: there is no constraint 'pni'; did you mean 'pin'?");
  CHECK(bench.refused({FIELD(function)}, R"({"function": true})") ==
        "/function: must be a function, {\"type\": ...}, or a number, not true");
}

TEST_CASE("the five forms of a rotation agree") {
  Bench bench;
  const auto rotation = [&](const std::string& json) {
    const BoundParameters bound = bench.bound({FIELD(rotation)}, "{\"rotation\": " + json + "}");
    std::array<double, 4> p;
    for (std::size_t i = 0; i < 4; ++i) p[i] = bound.as<Everything>().rotation[i];
    return p;
  };
  // A quarter turn about z, then (about the new x) 60 degrees: p = (c, s_x) with half angles 45 and 30 degrees.
  const double r = std::sqrt(0.5), c = std::sqrt(3.0) / 2, s = 0.5;
  const std::array<double, 4> expected = {r * c, r * s, r * s, r * c};
  const std::string zxz = "{\"zxz\": [1.5707963267948966, 1.0471975511965976, 0]}";
  const std::string euler = "{\"euler_parameters\": [" + number_text(expected[0]) + "," + number_text(expected[1]) +
                            "," + number_text(expected[2]) + "," + number_text(expected[3]) + "]}";
  const std::string matrix = "{\"matrix\": [[0, -0.5, 0.8660254037844386], [1, 0, 0], [0, 0.8660254037844386, 0.5]]}";
  const double angle = 2 * std::acos(expected[0]), n = std::sin(angle / 2);
  const std::string axis = "{\"axis\": [" + number_text(expected[1] / n) + "," + number_text(expected[2] / n) + "," +
                           number_text(expected[3] / n) + "], \"angle\": " + number_text(angle) + "}";
  const std::string rpy =
      "{\"rpy\": [" + number_text(std::acos(-1.0) / 3) + ", 0, " + number_text(std::acos(-1.0) / 2) + "]}";
  for (const std::string& form : {zxz, euler, matrix, axis, rpy}) {
    CAPTURE(form);
    const std::array<double, 4> p = rotation(form);
    for (std::size_t i = 0; i < 4; ++i) CHECK(p[i] == doctest::Approx(expected[i]).epsilon(1e-14));
  }
  // Half turns about each axis: the matrix' trace is -1 and each branch of the conversion is taken.
  CHECK(rotation("{\"matrix\": [[1,0,0],[0,-1,0],[0,0,-1]]}")[1] == 1);
  CHECK(rotation("{\"matrix\": [[-1,0,0],[0,1,0],[0,0,-1]]}")[2] == 1);
  CHECK(rotation("{\"matrix\": [[-1,0,0],[0,-1,0],[0,0,1]]}")[3] == 1);
}

TEST_CASE("roll, pitch and yaw turn about axes that stay") {
  Bench bench;
  const auto rotation = [&](const std::string& json) {
    const BoundParameters bound = bench.bound({FIELD(rotation)}, "{\"rotation\": " + json + "}");
    std::array<double, 4> p;
    for (std::size_t i = 0; i < 4; ++i) p[i] = bound.as<Everything>().rotation[i];
    return p;
  };
  // The matrix Z(2.1) Y(-0.7) X(0.4), multiplied elsewhere.
  const std::string matrix =
      "{\"matrix\": [[-0.3861275988842087, -0.6684176422012826, 0.6357069552663347], "
      "[0.6602189400721825, -0.6815475474334867, -0.31560084245350656], "
      "[0.644217687237691, 0.2978435767000479, 0.7044663052755917]]}";
  const std::array<double, 4> of_matrix = rotation(matrix), of_angles = rotation("{\"rpy\": [0.4, -0.7, 2.1]}");
  for (std::size_t i = 0; i < 4; ++i) CHECK(of_angles[i] == doctest::Approx(of_matrix[i]).epsilon(1e-14));
}

TEST_CASE("wrong rotations are refused") {
  Bench bench;
  const auto refused = [&](const std::string& json) {
    return bench.refused({FIELD(rotation)}, "{\"rotation\": " + json + "}");
  };
  CHECK(refused(R"({"axis": [0, 0, 0], "angle": 1})") == "/rotation/axis: the axis has length zero");
  CHECK(refused(R"({"axis": [0, 0, 1]})") == "/rotation: missing key 'angle'; a rotation by axis and angle needs both");
  CHECK(refused(R"({"euler_parameters": [1, 0, 0, 0.1]})") ==
        "/rotation/euler_parameters: must have length 1 to 1e-6, not 1.004987562112089; give more digits, an "
        "\"=expression\", or axis and angle");
  CHECK(refused(R"({"matrix": [[1, 0, 0], [0, 1, 0], [0, 0.1, 1]]})") ==
        "/rotation/matrix: must be orthonormal to 1e-6; the worst product of two rows is off by 0.1");
  CHECK(refused(R"({"matrix": [[1, 0, 0], [0, 1, 0], [0, 0, -1]]})") ==
        "/rotation/matrix: must be a rotation; this matrix is a reflection (its determinant is -1)");
  CHECK(refused(R"({"matrix": [1, 2, 3]})") == "/rotation/matrix/0: must be an array of 3 numbers, not 1");
  CHECK(refused(R"({"zxz": [1, 2]})") == "/rotation/zxz: must be an array of 3 numbers, not of 2");
  CHECK(refused(R"({"euler": [1, 0, 0, 0]})") ==
        "/rotation/euler: unknown key for a rotation; did you mean "
        "'euler_parameters'?");
  CHECK(refused(R"({"zxz": [0, 0, 0], "axis": [0, 0, 1]})") ==
        "/rotation: needs exactly one of {\"axis\", \"angle\"}, {\"euler_parameters\"}, {\"matrix\"}, {\"zxz\"}, "
        "{\"rpy\"}");
  CHECK(
      refused("[1, 0, 0, 0]") ==
      "/rotation: must be {\"axis\", \"angle\"}, {\"euler_parameters\"}, {\"matrix\"}, {\"zxz\"} or {\"rpy\"}, not an "
      "array");
}

TEST_CASE("what create() throws gets the place of its key") {
  const Node node = parse_json("{\n\"points\": [[0, 1],\n [2, 1]],\n\"a\": 1}", "f.json");
  const auto located = [&](const std::string& key) { return locate(Error::parameter(key, "is wrong"), node, "/f"); };
  CHECK(std::string(located("a").what()) == "f.json:4: /f/a: is wrong");
  CHECK(std::string(located("points/1").what()) == "f.json:3: /f/points/1: is wrong");
  CHECK(std::string(located("absent").what()) == "f.json:1: /f/absent: is wrong");
  CHECK(std::string(located("").what()) == "f.json:1: /f: is wrong");
  CHECK(located("a").kind() == ErrorKind::input);
}

TEST_CASE("points stand for bodies where elements attach, and nowhere else") {
  Bench bench;
  const std::vector<ParameterRecord> body = {FIELD(body)}, bodies = {FIELD(bodies)};
  CHECK(bench.bound(body, R"({"body": "tip"})").as<Everything>().body.index == 2);
  bench.frames = false;
  CHECK(bench.refused(body, R"({"body": "tip"})") ==
        "/body: 'tip' is a point of 'rod'; type 'revolute' takes a body here");
  CHECK(bench.refused(bodies, R"({"bodies": ["crank", "tip"]})") ==
        "/bodies/1: 'tip' is a point of 'rod'; type 'revolute' takes a body here");
  CHECK(bench.refused(body, R"({"body": "tpi"})").find("tip") == std::string::npos);
  CHECK(bench.bound(body, R"({"body": "rod"})").as<Everything>().body.index == 1);
}
