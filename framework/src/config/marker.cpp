// Named points as places, directions and rotations.
#include "config/marker.h"

#include "config/rotation.h"
#include "trammel/text/suggest.h"

namespace trammel {
namespace {

// What `count_min` says of vectors, directions and rotations; see trammel/frame_use.h.
constexpr std::int32_t at_the_start = 1, on_first_body = 2, on_second_body = 3;

using Matrix = std::array<double, 9>;

Matrix matrix_product(const Matrix& A, const Matrix& B) {
  Matrix C{};
  for (std::size_t r = 0; r < 3; ++r) {
    for (std::size_t c = 0; c < 3; ++c)
      C[3 * r + c] = A[3 * r] * B[c] + A[3 * r + 1] * B[3 + c] + A[3 * r + 2] * B[6 + c];
  }
  return C;
}

/// "tip.z" as its two parts, the second a number from 0 on; -1 if it is none.
std::size_t axis_in(const std::string& text, Host host, std::string& name) {
  const std::size_t dot = text.rfind('.');
  name = text.substr(0, dot);
  if (dot == std::string::npos || text.size() != dot + 2) return std::string::npos;
  return std::string(host == Host::planar ? "xy" : "xyz").find(text[dot + 1]);
}

}  // namespace

bool takes_marker(const ParameterInfo& info) {
  if (info.type == ParameterType::body_point) return true;
  const bool kind = info.type == ParameterType::vector || info.type == ParameterType::direction ||
                    info.type == ParameterType::rotation;
  return kind && info.count_min >= at_the_start && info.count_min <= on_second_body;
}

bool is_on_body(const ParameterInfo& info) { return takes_marker(info) && info.count_min >= on_first_body; }

std::size_t body_number(const ParameterInfo& info) { return static_cast<std::size_t>(info.count_min - on_first_body); }

bool read_marker(const MarkerUse& use, const Node& value, const std::string& path, double* out, Problems& problems) {
  const ParameterInfo& info = use.info;
  std::string name = value.text;
  std::size_t axis = 0;
  if (info.type == ParameterType::direction) {
    axis = axis_in(value.text, use.host, name);
    if (axis == std::string::npos) {
      problems.add(
          value.place, path,
          "a direction by name is a point and one of its axes, for example \"tip.x\", not '" + value.text + "'");
      return false;
    }
  }
  const std::optional<Marker> marker = use.resolver.marker(name);
  if (!marker) {
    problems.add(value.place, path,
                 "there is no point '" + name + "'" + did_you_mean(name, use.resolver.names(ParameterType::point)));
    return false;
  }
  const double* s = marker->point.local;
  Matrix A = marker->axes;
  std::array<double, 3> place = {s[0], s[1], s[2]};
  if (info.type == ParameterType::body_point || is_on_body(info)) {
    const std::optional<std::int32_t> body = use.body.empty() ? std::nullopt : use.resolver.body(use.body);
    if (!body) return false;  // which is a problem of its own
    if (marker->point.body.index != *body) {
      problems.add(value.place, path,
                   "the point '" + name + "' is not on '" + use.body + "', to which '" + info.name + "' belongs here");
      return false;
    }
  } else {
    const std::optional<StartPlace> start = use.resolver.start(marker->point.body);
    if (!start) return false;
    const Matrix& B = start->A;
    for (std::size_t r = 0; r < 3; ++r)
      place[r] = start->r[r] + B[3 * r] * s[0] + B[3 * r + 1] * s[1] + B[3 * r + 2] * s[2];
    A = matrix_product(B, A);
  }
  if (info.type == ParameterType::rotation) {
    euler_parameters(A.data(), out);
  } else if (info.type == ParameterType::direction) {
    for (std::size_t r = 0; r < 3; ++r) out[r] = A[3 * r + axis];
  } else {
    for (std::size_t r = 0; r < 3; ++r) out[r] = place[r];
  }
  return true;
}

}  // namespace trammel
