// What a run file says about one element, read by the parameter table of its plugin; the geometry that follows from it.
#pragma once

#include <cstring>
#include <stdexcept>
#include <string>

#include "dual_configuration.h"
#include "loaded_model.h"
#include "trammel/function.h"
#include "trammel/sdk/elements/auto_bodies.h"
#include "trammel/sdk/elements/coordinate_zero.h"
#include "trammel/sdk/elements/joint_geometry.h"

namespace trammel::duals {

/// An element, or a key of it, for which this test has no equations.
struct NotCovered : std::runtime_error {
  using runtime_error::runtime_error;
};

/// Two body-fixed points, one of each body.
struct Points {
  BodyRef i, j;
  Vec3<> s_i, s_j;
};

class Keys {
 public:
  Keys(LoadedModel& loaded, const Section& section, const ParameterTable& table)
      : model(loaded.model),
        table_(table),
        bound_(bind(table, *section.node, bind_context(loaded.run, section, model.host(), &loaded.model.resolver()))) {}

  /// The entry of the plugin's own parameter struct.
  template <class T>
  const T& at(const char* name) const {
    const ParameterRecord* record = find(name);
    if (record == nullptr) throw std::logic_error(std::string("no such key: ") + name);
    return *reinterpret_cast<const T*>(static_cast<const char*>(bound_.data()) + record->offset);
  }
  double number(const char* name) const { return at<double>(name); }
  double number_or_zero(const char* name) const { return has(name) ? number(name) : 0; }
  const double* numbers(const char* name) const { return &at<double>(name); }
  FunctionRef function(const char* name) const { return at<FunctionRef>(name); }
  bool has(const char* name) const { return find(name) != nullptr && given(numbers(name)); }
  Vec3<> vector(const char* name) const { return sdk::vec3(numbers(name)); }
  Vec3<> vector_or_zero(const char* name) const { return has(name) ? vector(name) : Vec3<>{0, 0, 0}; }
  BodyRef body(int k) const { return at<BodyRefs>("bodies")[k]; }

  // --- Geometry in the initial configuration

  bool planar() const { return model.host() == Host::planar; }
  /// A s.
  Vec3<> turned(BodyRef body, const Vec3<>& s) const {
    if (!planar()) return sdk::multiply(sdk::spatial_state(model, body).A, s);
    const sdk::Vec2<> x = sdk::rotate(sdk::planar_state(model, body), {s.x, s.y});
    return {x.x, x.y, 0};
  }
  /// A^T g.
  Vec3<> turned_back(BodyRef body, const Vec3<>& g) const {
    if (!planar()) return sdk::multiply_transposed(sdk::spatial_state(model, body).A, g);
    const sdk::Vec2<> x = sdk::rotate_back(sdk::planar_state(model, body), {g.x, g.y});
    return {x.x, x.y, 0};
  }
  Vec3<> position(BodyRef body) const {
    if (!planar()) return sdk::position(sdk::spatial_state(model, body));
    const sdk::Vec2<> r = sdk::position(sdk::planar_state(model, body));
    return {r.x, r.y, 0};
  }
  Vec3<> global(BodyRef body, const Vec3<>& s) const { return position(body) + turned(body, s); }
  Vec3<> local(BodyRef body, const Vec3<>& P) const { return turned_back(body, P - position(body)); }
  double angle(BodyRef body) const { return sdk::planar_state(model, body).phi; }

  /// `at`, or `point_i` and `point_j`, the mass centres if left out.
  Points points() const {
    const BodyRef i = body(0), j = body(1);
    if (has("at")) return {i, j, local(i, vector("at")), local(j, vector("at"))};
    return {i, j, vector_or_zero("point_i"), vector_or_zero("point_j")};
  }
  /// P_j - P_i at the start.
  Vec3<> distance(const Points& p) const { return global(p.j, p.s_j) - global(p.i, p.s_i); }
  /// `at` or `point` of a single body.
  Vec3<> point(BodyRef body) const { return has("at") ? local(body, vector("at")) : vector_or_zero("point"); }
  /// The direction `axis` (global) or `local_key` of a body.
  Vec3<> direction(BodyRef body, const char* key, const char* local_key) const {
    const Vec3<> u = has(key) ? turned_back(body, vector(key)) : vector(local_key);
    return (1 / norm(u)) * u;
  }
  /// Frames about a common axis, as spatial joints count angles from them.
  sdk::SpatialAxes axes() const {
    sdk::AxisKeys keys;
    std::memcpy(keys.axis, numbers("axis"), sizeof keys.axis);
    std::memcpy(keys.axis_i, numbers("axis_i"), sizeof keys.axis_i);
    std::memcpy(keys.axis_j, numbers("axis_j"), sizeof keys.axis_j);
    return sdk::spatial_axes({at<BodyRefs>("bodies")}, keys, model);
  }

  const ModelInfo& model;

 private:
  const ParameterRecord* find(const char* name) const {
    for (std::int32_t k = 0; k < table_.count; ++k) {
      if (std::strcmp(table_.records[k].name, name) == 0) return &table_.records[k];
    }
    return nullptr;
  }

  ParameterTable table_;
  BoundParameters bound_;
};

}  // namespace trammel::duals
