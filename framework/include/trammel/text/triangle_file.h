// Triangles of STL and OBJ files: one reader for importers, which weigh them, and for pictures.
#pragma once

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "trammel/error.h"

namespace trammel {

struct Triangles {
  std::vector<std::array<float, 3>> points;
  std::vector<std::array<int, 3>> corners;  ///< of each triangle, indices of points
};

namespace triangle_file {

inline constexpr std::size_t most_triangles = 20'000'000;

/// Equal corners of STL files are one point.
class Corners {
 public:
  explicit Corners(Triangles& out) : out_(out) {}
  int add(const float* v) {
    const std::array<float, 3> key{v[0], v[1], v[2]};
    const auto [at, is_new] = known_.try_emplace(key, static_cast<int>(out_.points.size()));
    if (is_new) out_.points.push_back(key);
    return at->second;
  }

 private:
  Triangles& out_;
  std::map<std::array<float, 3>, int> known_;
};

inline bool read_binary_stl(const std::string& bytes, Triangles& out) {
  if (bytes.size() < 84) return false;
  std::uint32_t count = 0;
  std::memcpy(&count, bytes.data() + 80, 4);
  if (count > most_triangles || bytes.size() != 84 + std::size_t{50} * count) return false;
  Corners corners(out);
  for (std::uint32_t k = 0; k < count; ++k) {
    float v[12];
    std::memcpy(v, bytes.data() + 84 + std::size_t{50} * k, sizeof v);
    for (const float x : v) {
      if (!std::isfinite(x)) throw Error(ErrorKind::input, "a vertex that is no number");
    }
    out.corners.push_back({corners.add(v + 3), corners.add(v + 6), corners.add(v + 9)});
  }
  return true;
}

inline void read_text_stl(const std::string& bytes, Triangles& out) {
  Corners corners(out);
  std::istringstream words(bytes);
  std::vector<int> face;
  bool ended = false;
  for (std::string word; words >> word;) {
    ended = word == "endsolid" || (ended && word != "facet" && word != "vertex");  // a name may stand behind it
    if (word == "vertex") {
      float v[3];
      if (!(words >> v[0] >> v[1] >> v[2])) throw Error(ErrorKind::input, "a vertex without three numbers");
      face.push_back(corners.add(v));
    } else if (word == "endfacet") {
      if (face.size() != 3) throw Error(ErrorKind::input, "a facet without three corners");
      out.corners.push_back({face[0], face[1], face[2]});
      face.clear();
    }
  }
  if (!ended && !out.corners.empty()) throw Error(ErrorKind::input, "it is broken off: there is no endsolid");
}

inline void read_obj(const std::string& bytes, Triangles& out) {
  std::istringstream lines(bytes);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::istringstream words(line);
    std::string word;
    if (!(words >> word) || (word != "v" && word != "f")) continue;
    const auto refuse = [&](const char* what) {
      throw Error(ErrorKind::input, "line " + std::to_string(number) + ": " + what);
    };
    if (word == "v") {
      double v[3];
      if (!(words >> v[0] >> v[1] >> v[2])) refuse("a vertex without three numbers");
      out.points.push_back({static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2])});
      continue;
    }
    std::vector<int> corners;
    while (words >> word) {
      int index = 0;
      const auto read = std::from_chars(word.data(), word.data() + word.size(), index);
      if (read.ec != std::errc() || index == 0) refuse("a face with a corner that is no number");
      corners.push_back(index > 0 ? index - 1 : static_cast<int>(out.points.size()) + index);
    }
    if (corners.size() < 3) refuse("a face with fewer than three corners");
    for (std::size_t k = 2; k < corners.size(); ++k) out.corners.push_back({corners[0], corners[k - 1], corners[k]});
    if (out.corners.size() > most_triangles) refuse("too many faces");
  }
}

}  // namespace triangle_file

/// Reads an STL (binary or text) or OBJ file. Throws Error(input), without the file's name: it cannot be read, is of
/// another format, is broken off, or has no triangles.
inline Triangles read_triangles(const std::string& file) {
  // Asked for before it is opened: a pipe would wait, and a device may never end.
  std::error_code code;
  const bool regular = std::filesystem::is_regular_file(file, code);
  std::ifstream stream;
  if (regular) stream.open(file, std::ios::binary);
  if (!regular || !stream) throw Error(ErrorKind::input, "there is no such file, or it cannot be read");
  std::ostringstream content;
  content << stream.rdbuf();
  const std::string bytes = content.str();
  std::string ending = file.rfind('.') == std::string::npos ? "" : file.substr(file.rfind('.'));
  for (char& c : ending) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  Triangles out;
  if (ending == ".obj") {
    triangle_file::read_obj(bytes, out);
  } else if (ending == ".stl") {
    if (!triangle_file::read_binary_stl(bytes, out)) triangle_file::read_text_stl(bytes, out);
  } else {
    throw Error(ErrorKind::input, "only STL and OBJ meshes can be read");
  }
  if (out.corners.empty()) throw Error(ErrorKind::input, "it has no faces, or is broken off");
  for (const auto& triangle : out.corners) {
    for (const int corner : triangle) {
      if (corner < 0 || corner >= static_cast<int>(out.points.size()))
        throw Error(ErrorKind::input, "a face with a corner that does not exist");
    }
  }
  for (const auto& point : out.points) {
    for (const float x : point) {
      if (!std::isfinite(x)) throw Error(ErrorKind::input, "a vertex that is no number");
    }
  }
  return out;
}

}  // namespace trammel
