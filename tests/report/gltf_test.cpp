// glTF: the file's structure by the specification, and the motion in it.
#include "report/gltf.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <set>

#include "trammel/error.h"

namespace trammel {
namespace {

constexpr std::size_t rows = 50;

Scene pendulum() {
  const ReportJson drawing = ReportJson::parse(R"({
      "constraints": {"pin": {"symbol": "point", "bodies": ["ground", "bob"], "points": [[0, 0, 0], [-1, 0, 0]]}},
      "forces": {"spring": {"symbol": "spring", "bodies": ["ground", "bob"], "points": [[0, 0, 2], [0, 0, 0]]}}})");
  return make_scene({{"system", ReportJson::parse(R"({"type": "spatial", "gravity": [0, 0, -9.81],
      "bodies": {"bob": {"mass": 1, "inertia": [0.1, 0.1, 0.1], "position": [1, 0, 0],
                 "shape": [{"type": "box", "size": [1, 2, 3]}, {"type": "sphere", "radius": 1, "color": "white"},
                           {"type": "line", "points": [0, 0, 0, 1, 1, 1]}]}}})")}},
                    ReportJson::parse(R"({"host": "spatial", "coordinates": {"x": "m", "y": "m", "z": "m", "e0": "1",
                                          "e1": "1", "e2": "1", "e3": "1"}})"),
                    drawing);
}

/// Turns about z and rises; the Euler parameters change sign in the middle, which is the same rotation.
ResultTable motion() {
  ResultTable table;
  table.columns = {"t", "bob.x", "bob.y", "bob.z", "bob.e0", "bob.e1", "bob.e2", "bob.e3"};
  table.rows = rows;
  table.values.resize(rows * table.columns.size());
  for (std::size_t row = 0; row < rows; ++row) {
    const double t = 3 + 0.1 * static_cast<double>(row), sign = row < rows / 2 ? 1 : -1;
    const double values[] = {t, std::cos(t), std::sin(t), t, sign * std::cos(t / 2), 0, 0, sign * std::sin(t / 2)};
    for (std::size_t i = 0; i < table.columns.size(); ++i) table.values[i * rows + row] = values[i];
  }
  return table;
}

std::uint32_t word(const std::string& file, std::size_t at) {
  std::uint32_t value;
  std::memcpy(&value, file.data() + at, 4);
  return value;
}

struct Parts {
  ReportJson json;
  std::string bytes;
};

Parts parts_of(const std::string& file) {
  REQUIRE(file.substr(0, 4) == "glTF");
  REQUIRE(word(file, 4) == 2);
  REQUIRE(word(file, 8) == file.size());
  const std::size_t length = word(file, 12);
  REQUIRE(length % 4 == 0);
  REQUIRE(file.substr(16, 4) == "JSON");
  REQUIRE(file.substr(20 + length + 4, 4) == std::string("BIN\0", 4));
  REQUIRE(20 + length + 8 + word(file, 20 + length) == file.size());
  return {ReportJson::parse(file.substr(20, length)), file.substr(20 + length + 8)};
}

std::vector<float> numbers(const Parts& parts, std::size_t index) {
  const ReportJson& accessor = parts.json["accessors"][index];
  const ReportJson& view = parts.json["bufferViews"][accessor["bufferView"].get<std::size_t>()];
  const std::size_t width = accessor["type"] == "SCALAR" ? 1 : accessor["type"] == "VEC3" ? 3 : 4;
  std::vector<float> values(width * accessor["count"].get<std::size_t>());
  REQUIRE(view["byteLength"].get<std::size_t>() == 4 * values.size());
  std::memcpy(values.data(), parts.bytes.data() + view["byteOffset"].get<std::size_t>(), 4 * values.size());
  return values;
}

/// What `path` of the node with this name is animated by.
std::vector<float> animated(const Parts& parts, const std::string& name, const std::string& path) {
  const ReportJson& animation = parts.json["animations"][0];
  for (const ReportJson& channel : animation["channels"]) {
    const ReportJson& node = parts.json["nodes"][channel["target"]["node"].get<std::size_t>()];
    if (node.value("name", "") != name || channel["target"]["path"] != path) continue;
    return numbers(parts, animation["samplers"][channel["sampler"].get<std::size_t>()]["output"].get<std::size_t>());
  }
  FAIL("nothing animates " << name << " " << path);
  return {};
}

TEST_CASE("every index points somewhere, every view lies in the buffer, bounds are those of the numbers") {
  const Parts parts = parts_of(glb(pendulum(), motion()));
  const ReportJson& json = parts.json;
  CHECK(json["asset"]["version"] == "2.0");
  CHECK(json["buffers"][0]["byteLength"] == parts.bytes.size());
  for (const ReportJson& view : json["bufferViews"]) {
    CHECK(view["byteOffset"].get<std::size_t>() % 4 == 0);
    CHECK(view["byteOffset"].get<std::size_t>() + view["byteLength"].get<std::size_t>() <= parts.bytes.size());
  }
  const std::set<int> components = {5123, 5126};
  for (std::size_t i = 0; i < json["accessors"].size(); ++i) {
    const ReportJson& accessor = json["accessors"][i];
    CHECK(accessor["bufferView"].get<std::size_t>() < json["bufferViews"].size());
    CHECK(components.count(accessor["componentType"].get<int>()) == 1);
    CHECK(accessor["count"].get<std::size_t>() > 0);
    if (!accessor.contains("min")) continue;
    const std::vector<float> values = numbers(parts, i);
    const std::size_t width = accessor["min"].size();
    for (std::size_t k = 0; k < width; ++k) {
      float low = values[k], high = values[k];
      for (std::size_t at = k; at < values.size(); at += width)
        low = std::min(low, values[at]), high = std::max(high, values[at]);
      CHECK(accessor["min"][k].get<float>() == low);
      CHECK(accessor["max"][k].get<float>() == high);
    }
  }
  std::set<std::size_t> children;
  for (const ReportJson& node : json["nodes"]) {
    if (node.contains("mesh")) CHECK(node["mesh"].get<std::size_t>() < json["meshes"].size());
    CHECK_FALSE((node.contains("matrix") && node.contains("rotation")));
    for (const ReportJson& child : node.value("children", ReportJson::array()))
      CHECK(children.insert(child.get<std::size_t>()).second);
  }
  CHECK(children.size() == json["nodes"].size() - 1);  // a tree with one root
  CHECK(children.count(0) == 0);
  for (const ReportJson& mesh : json["meshes"]) {
    const ReportJson& primitive = mesh["primitives"][0];
    const ReportJson& positions = json["accessors"][primitive["attributes"]["POSITION"].get<std::size_t>()];
    CHECK(positions["type"] == "VEC3");
    CHECK(positions.contains("min"));  // required for positions
    CHECK(primitive["material"].get<std::size_t>() < json["materials"].size());
    if (!primitive.contains("indices")) continue;
    const ReportJson& corners = json["accessors"][primitive["indices"].get<std::size_t>()];
    CHECK(corners["count"].get<std::size_t>() % 3 == 0);
    const ReportJson& view = json["bufferViews"][corners["bufferView"].get<std::size_t>()];
    for (std::size_t k = 0; k < corners["count"].get<std::size_t>(); ++k) {
      std::uint16_t corner;
      std::memcpy(&corner, parts.bytes.data() + view["byteOffset"].get<std::size_t>() + 2 * k, 2);
      CHECK(corner < positions["count"].get<std::size_t>());
    }
  }
}

TEST_CASE("the animation is the motion") {
  const ResultTable table = motion();
  const Parts parts = parts_of(glb(pendulum(), table));
  const ReportJson& animation = parts.json["animations"][0];
  const std::size_t input = animation["samplers"][0]["input"].get<std::size_t>();
  const std::vector<float> times = numbers(parts, input);
  REQUIRE(times.size() == rows);
  CHECK(times[0] == 0);
  CHECK(times[rows - 1] == doctest::Approx(4.9));
  CHECK(parts.json["accessors"][input].contains("max"));  // required for times
  const std::vector<float> r = animated(parts, "bob", "translation"), p = animated(parts, "bob", "rotation");
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t k = 0; k < 3; ++k) CHECK(r[3 * row + k] == static_cast<float>(table.column(k + 1)[row]));
    const double e0 = table.column(4)[row], e3 = table.column(7)[row];
    const double same = p[4 * row + 3] * e0 + p[4 * row + 2] * e3;  // x y z w there, e0 first here
    CHECK(std::abs(same) == doctest::Approx(1));
    if (row > 0) {
      double with_before = 0;
      for (std::size_t k = 0; k < 4; ++k)
        with_before += static_cast<double>(p[4 * row + k]) * static_cast<double>(p[4 * row - 4 + k]);
      CHECK(with_before > 0);  // no jump to the other side
    }
  }
  const std::vector<float> length = animated(parts, "spring", "scale");
  const double dx = table.column(1)[7], dy = table.column(2)[7], dz = table.column(3)[7] - 2;
  CHECK(length[3 * 7 + 2] == doctest::Approx(std::sqrt(dx * dx + dy * dy + dz * dz)));
}

TEST_CASE("a budget leaves rows out, the last one stays") {
  const Parts parts = parts_of(glb(pendulum(), motion(), 1000));
  const std::vector<float> times =
      numbers(parts, parts.json["animations"][0]["samplers"][0]["input"].get<std::size_t>());
  CHECK(times.size() < rows);
  CHECK(times.back() == doctest::Approx(4.9));
}

TEST_CASE("no motion: the columns that are missing are named") {
  ResultTable table = motion();
  table.columns[3] = "bob.vz";
  try {
    glb(pendulum(), table);
    FAIL("exported a body without place");
  } catch (const Error& error) {
    CHECK(std::string(error.what()).find("bob.z") != std::string::npos);
  }
}

}  // namespace
}  // namespace trammel
