// Writing glTF 2.0: https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html, sections 3 (JSON) and 4 (GLB).
#include "report/gltf.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include "report/body_motion.h"
#include "report/column_block.h"
#include "report/gltf_meshes.h"
#include "report/report.h"
#include "results/atomic_file.h"
#include "trammel/error.h"
#include "version.h"

namespace trammel {
namespace {

using Eigen::Vector3d;
enum Component { unsigned_short = 5123, single = 5126 };      // accessor.componentType
enum Target { vertices = 34962, indices = 34963, none = 0 };  // bufferView.target
enum class Bounds { left_out, written };                      // accessor.min and .max

template <std::size_t n>
ReportJson list(const std::array<float, n>& values) {
  return std::vector<float>(values.begin(), values.end());
}

/// Bytes of the one buffer, and the views and accessors into it.
class Buffer {
 public:
  template <std::size_t n>
  std::size_t add(const std::vector<std::array<float, n>>& values, Target target, Bounds bounds = Bounds::left_out) {
    std::array<float, n> low = values.front(), high = low;
    for (const std::array<float, n>& value : values) {
      for (std::size_t k = 0; k < n; ++k) low[k] = std::min(low[k], value[k]), high[k] = std::max(high[k], value[k]);
    }
    ReportJson accessor = accessor_of(values.data(), values.size(), sizeof(float) * n, target, single, type_of(n));
    if (bounds == Bounds::written) accessor["min"] = list(low), accessor["max"] = list(high);
    return append(std::move(accessor));
  }

  std::size_t add_indices(const std::vector<std::uint16_t>& values) {
    return append(accessor_of(values.data(), values.size(), sizeof(std::uint16_t), indices, unsigned_short, "SCALAR"));
  }

  ReportJson accessors = ReportJson::array(), views = ReportJson::array();
  std::vector<std::uint8_t> bytes;

 private:
  static const char* type_of(std::size_t n) { return n == 1 ? "SCALAR" : n == 3 ? "VEC3" : "VEC4"; }

  ReportJson accessor_of(const void* data, std::size_t count, std::size_t size, Target target, Component component,
                         const char* type) {
    ReportJson view = {{"buffer", 0}, {"byteOffset", bytes.size()}, {"byteLength", count * size}};
    if (target != none) view["target"] = static_cast<int>(target);
    views.push_back(std::move(view));
    const std::size_t at = bytes.size();
    bytes.resize((at + count * size + 3) / 4 * 4);  // every view starts at a multiple of four
    std::memcpy(bytes.data() + at, data, count * size);
    return {{"bufferView", views.size() - 1},
            {"componentType", static_cast<int>(component)},
            {"count", count},
            {"type", type}};
  }

  std::size_t append(ReportJson accessor) {
    accessors.push_back(std::move(accessor));
    return accessors.size() - 1;
  }
};

class Writer {
 public:
  Writer(const Scene& scene, const ResultTable& table, std::size_t budget)
      : scene_(scene), motion_(scene, table), table_(table) {
    const std::size_t row_bytes = 28 * scene.bodies.size() + 40 * scene.links.size() + 4;
    const std::size_t stride = std::max<std::size_t>(1, (row_bytes * table.rows + budget - 1) / budget);
    for (std::size_t row = 0; row < table.rows; row += stride) rows_.push_back(row);
    if (table.rows != 0 && rows_.back() + 1 != table.rows) rows_.push_back(table.rows - 1);
  }

  std::string text_and_bytes(std::vector<std::uint8_t>& bytes) {
    add_root();
    add_times();
    for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
      if (motion_.has(static_cast<int>(i))) add_body(static_cast<int>(i));
    }
    add_parts(ground, 0);
    for (const Link& link : scene_.links) {
      if (motion_.has(link.bodies[0]) && motion_.has(link.bodies[1])) add_link(link);
    }
    if (bodies_ == 0 || rows_.empty()) refuse();
    ReportJson json = {{"asset", {{"version", "2.0"}, {"generator", std::string("trammel ") + version()}}},
                       {"scene", 0}};
    json["scenes"] = {{{"nodes", {0}}}};
    json["nodes"] = std::move(nodes_);
    json["meshes"] = std::move(meshes_);
    json["materials"] = std::move(materials_);
    if (!channels_.empty()) {
      json["animations"] = {
          {{"name", "motion"}, {"samplers", std::move(samplers_)}, {"channels", std::move(channels_)}}};
    }
    json["accessors"] = std::move(buffer_.accessors);
    json["bufferViews"] = std::move(buffer_.views);
    json["buffers"] = {{{"byteLength", buffer_.bytes.size()}}};
    bytes = std::move(buffer_.bytes);
    return json.dump(-1, ' ', false, ReportJson::error_handler_t::replace);
  }

 private:
  [[noreturn]] void refuse() const {
    std::string names;
    for (std::size_t i = 0; i < std::min<std::size_t>(6, motion_.missing().size()); ++i)
      names += " " + motion_.missing()[i];
    throw Error(ErrorKind::input,
                rows_.empty() || motion_.missing().empty()
                    ? std::string("there is no motion to export: results.csv has no rows, or the system no bodies")
                    : "there is no motion to export: results.csv has no columns" + names +
                          (motion_.missing().size() > 6 ? " ..." : ""));
  }

  /// glTF's up is y.
  void add_root() {
    const Eigen::Quaterniond q = Eigen::Quaterniond::FromTwoVectors(scene_.up, Vector3d::UnitY());
    nodes_.push_back(
        {{"name", "ground"}, {"rotation", {q.x(), q.y(), q.z(), q.w()}}, {"children", ReportJson::array()}});
  }

  void add_times() {
    std::vector<std::array<float, 1>> times;
    const std::ptrdiff_t t = table_.find("t");
    if (rows_.empty() || t < 0) return;
    const double* values = table_.column(static_cast<std::size_t>(t));
    for (const std::size_t row : rows_) times.push_back({static_cast<float>(values[row] - values[0])});
    if (times.size() > 1) times_ = buffer_.add(times, none, Bounds::written);
  }

  std::size_t add_node(std::size_t parent, ReportJson node) {
    nodes_.push_back(std::move(node));
    nodes_[parent]["children"].push_back(nodes_.size() - 1);
    return nodes_.size() - 1;
  }

  template <std::size_t n>
  void animate(std::size_t node, const char* path, const std::vector<std::array<float, n>>& values) {
    if (values.size() < 2) return;
    samplers_.push_back({{"input", times_}, {"output", buffer_.add(values, none)}, {"interpolation", "LINEAR"}});
    channels_.push_back({{"sampler", samplers_.size() - 1}, {"target", {{"node", node}, {"path", path}}}});
  }

  static std::array<float, 3> floats(const Vector3d& v) {
    return {static_cast<float>(v.x()), static_cast<float>(v.y()), static_cast<float>(v.z())};
  }
  /// x y z w, on the side of `before`: viewers interpolate the shorter way at best.
  static std::array<float, 4> floats(Eigen::Quaterniond q, Eigen::Quaterniond& before) {
    if (q.dot(before) < 0) q.coeffs() = -q.coeffs();
    before = q;
    return {static_cast<float>(q.x()), static_cast<float>(q.y()), static_cast<float>(q.z()), static_cast<float>(q.w())};
  }

  void add_body(int index) {
    std::vector<std::array<float, 3>> translations;
    std::vector<std::array<float, 4>> rotations;
    Eigen::Quaterniond before = Eigen::Quaterniond::Identity();
    for (const std::size_t row : rows_) {
      const BodyPlace place = motion_.place(index, row);
      translations.push_back(floats(place.r));
      rotations.push_back(floats(place.p, before));
    }
    if (rows_.empty()) return;
    const std::size_t node = add_node(0, {{"name", scene_.bodies[static_cast<std::size_t>(index)].name},
                                          {"translation", list(translations.front())},
                                          {"rotation", list(rotations.front())},
                                          {"children", ReportJson::array()}});
    ++bodies_;
    animate(node, "translation", translations);
    animate(node, "rotation", rotations);
    add_parts(index, node);
    if (nodes_[node]["children"].empty()) nodes_[node].erase("children");
  }

  void add_parts(int body, std::size_t node) {
    for (const Piece& piece : scene_.pieces) {
      if (piece.body != body) continue;
      ReportJson matrix = ReportJson::array();
      for (Eigen::Index j = 0; j < 4; ++j) {
        for (Eigen::Index i = 0; i < 4; ++i) matrix.push_back(piece.place.matrix()(i, j));
      }
      add_node(node, {{"matrix", matrix}, {"mesh", piece.mesh < 0 ? mesh(piece.solid, piece.color) : mesh(piece)}});
    }
    for (const Curve& curve : scene_.curves) {
      if (curve.body != body) continue;
      std::vector<std::array<float, 3>> points;
      for (const Vector3d& point : curve.points) points.push_back(floats(point));
      add_node(node, {{"mesh", line(points, curve.color)}});
    }
  }

  void add_link(const Link& link) {
    std::vector<std::array<float, 3>> translations, scales;
    std::vector<std::array<float, 4>> rotations;
    Eigen::Quaterniond before = Eigen::Quaterniond::Identity();
    const bool coil = link.kind == Link::Kind::spring || link.kind == Link::Kind::spring_damper;
    for (const std::size_t row : rows_) {
      const Vector3d from = motion_.place(link.bodies[0], row).point(link.points[0]);
      const Vector3d to = motion_.place(link.bodies[1], row).point(link.points[1]);
      const double length = std::max((to - from).norm(), 1e-9);
      // A line has no normals to spoil; a cylinder stands about the middle.
      translations.push_back(floats(coil ? from : Vector3d(0.5 * (from + to))));
      rotations.push_back(floats(Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), to - from), before));
      scales.push_back(floats({link.radius, link.radius, length}));
    }
    const std::size_t shape = coil ? line(unit_coil(), link.color) : mesh(Solid::cylinder, link.color);
    if (rows_.empty()) return;
    const std::size_t node = add_node(0, {{"name", link.name},
                                          {"mesh", shape},
                                          {"translation", list(translations.front())},
                                          {"rotation", list(rotations.front())},
                                          {"scale", list(scales.front())}});
    animate(node, "translation", translations);
    animate(node, "rotation", rotations);
    animate(node, "scale", scales);
  }

  std::size_t mesh(Solid solid, const std::string& color) {
    const auto [found, is_new] = solids_.try_emplace({solid, color}, meshes_.size());
    if (!is_new) return found->second;
    auto [accessors, fresh] = geometry_.try_emplace(solid);
    if (fresh) {
      const TriangleMesh triangles = unit_mesh(solid);
      accessors->second = {buffer_.add(triangles.points, vertices, Bounds::written),
                           buffer_.add(triangles.normals, vertices), buffer_.add_indices(triangles.corners)};
    }
    const auto& [points, normals, corners] = accessors->second;
    meshes_.push_back({{"name", solid_name(solid)},
                       {"primitives",
                        {{{"attributes", {{"POSITION", points}, {"NORMAL", normals}}},
                          {"indices", corners},
                          {"material", material(color)}}}}});
    return found->second;
  }

  /// Triangles of a file, with corners and normals of their own.
  std::size_t mesh(const Piece& piece) {
    const Triangles& mesh = scene_.meshes[static_cast<std::size_t>(piece.mesh)];
    std::vector<std::array<float, 3>> points, normals;
    for (const std::array<int, 3>& triangle : mesh.corners) {
      Vector3d corner[3];
      for (std::size_t k = 0; k < 3; ++k) {
        const std::array<float, 3>& p = mesh.points[static_cast<std::size_t>(triangle[k])];
        corner[k] = Vector3d(static_cast<double>(p[0]), static_cast<double>(p[1]), static_cast<double>(p[2]));
        points.push_back(p);
      }
      const Vector3d normal = (corner[1] - corner[0]).cross(corner[2] - corner[0]);
      normals.insert(normals.end(), 3, floats(normal.norm() > 0 ? Vector3d(normal.normalized()) : Vector3d::UnitZ()));
    }
    meshes_.push_back({{"name", solid_name(piece.solid)},
                       {"primitives",
                        {{{"attributes",
                           {{"POSITION", buffer_.add(points, vertices, Bounds::written)},
                            {"NORMAL", buffer_.add(normals, vertices)}}},
                          {"material", material(piece.color)}}}}});
    return meshes_.size() - 1;
  }

  std::size_t line(const std::vector<std::array<float, 3>>& points, const std::string& color) {
    constexpr int line_strip = 3;
    meshes_.push_back({{"primitives",
                        {{{"attributes", {{"POSITION", buffer_.add(points, vertices, Bounds::written)}}},
                          {"mode", line_strip},
                          {"material", material(color)}}}}});
    return meshes_.size() - 1;
  }

  /// glTF's factors are linear, colours of HTML are sRGB (IEC 61966-2-1).
  std::size_t material(const std::string& color) {
    const auto [found, is_new] = colors_.try_emplace(color, materials_.size());
    if (!is_new) return found->second;
    ReportJson factor = ReportJson::array();
    for (std::size_t k = 0; k < 3; ++k) {
      const double s = color.size() == 7 ? std::stoi(color.substr(1 + 2 * k, 2), nullptr, 16) / 255.0 : 0.5;
      factor.push_back(s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4));
    }
    factor.push_back(1);
    materials_.push_back(
        {{"name", color},
         {"pbrMetallicRoughness", {{"baseColorFactor", factor}, {"metallicFactor", 0.05}, {"roughnessFactor", 0.55}}}});
    return found->second;
  }

  const Scene& scene_;
  const BodyMotion motion_;
  const ResultTable& table_;
  std::vector<std::size_t> rows_;
  Buffer buffer_;
  std::size_t times_ = 0, bodies_ = 0;
  ReportJson nodes_ = ReportJson::array(), meshes_ = ReportJson::array(), materials_ = ReportJson::array(),
             samplers_ = ReportJson::array(), channels_ = ReportJson::array();
  std::map<std::pair<Solid, std::string>, std::size_t> solids_;
  std::map<Solid, std::array<std::size_t, 3>> geometry_;
  std::map<std::string, std::size_t> colors_;
};

void append_word(std::string& text, std::uint32_t word) {
  for (int k = 0; k < 4; ++k) text += static_cast<char>(word >> (8 * k) & 0xff);
}

}  // namespace

std::string glb(const Scene& scene, const ResultTable& table, std::size_t budget) {
  std::vector<std::uint8_t> bytes;
  std::string json = Writer(scene, table, budget).text_and_bytes(bytes);
  json.resize((json.size() + 3) / 4 * 4, ' ');
  std::string file = "glTF";
  append_word(file, 2);
  append_word(file, static_cast<std::uint32_t>(12 + 8 + json.size() + 8 + bytes.size()));
  append_word(file, static_cast<std::uint32_t>(json.size()));
  file += "JSON" + json;
  append_word(file, static_cast<std::uint32_t>(bytes.size()));
  file += std::string("BIN\0", 4);
  return file.append(bytes.begin(), bytes.end());
}

void write_gltf(const std::filesystem::path& folder, const std::filesystem::path& file) {
  const std::string ending = file.extension().string();
  if (ending != ".glb" && ending != ".gltf") {
    throw Error(ErrorKind::usage, file.string() + ": the name of a glTF file ends in .glb or .gltf");
  }
  if (std::filesystem::exists(folder / "study.json")) {
    throw Error(ErrorKind::input, folder.string() +
                                      ": holds a study, which has no motion of its own; --gltf takes the folder "
                                      "of one of its cases");
  }
  const RunResults results = read_run(folder);
  const Scene scene = scene_of(results);
  if (ending == ".glb") return write_atomically(file, glb(scene, results.table));
  std::vector<std::uint8_t> bytes;
  ReportJson json = ReportJson::parse(Writer(scene, results.table, gltf_budget).text_and_bytes(bytes));
  json["buffers"][0]["uri"] = "data:application/octet-stream;base64," + base64(bytes);
  write_atomically(file, json.dump(1) + "\n");
}

}  // namespace trammel
