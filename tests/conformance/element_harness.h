// Loads element plugins straight from their descriptor and feeds them: parameters by name, a model of a few bodies.
#pragma once

#include <dlfcn.h>
#include <doctest/doctest.h>

#include <cstring>
#include <map>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "plugin/component_kind.h"
#include "plugin/create.h"
#include "trammel/constraint.h"
#include "trammel/force.h"
#include "trammel/function.h"
#include "trammel/model_info.h"
#include "trammel/sdk/elements/bodies.h"
#include "trammel/system.h"

namespace conformance {

using namespace trammel;

inline const ComponentRecord& find_component(const std::string& plugin, ComponentKind kind, Host host) {
  const std::string path = std::string(TRAMMEL_BUILD_DIR) + "/lib/trammel/plugins/" + plugin + ".so";
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw std::runtime_error(dlerror());
  const auto* descriptor = static_cast<const PluginDescriptor*>(dlsym(library, descriptor_symbol));
  if (descriptor == nullptr) throw std::runtime_error(path + " has no descriptor");
  for (std::uint32_t k = 0; k < descriptor->component_count; ++k) {
    const ComponentRecord& record = descriptor->components[k];
    if (kind_from_id(record.kind) == kind && record.host == host && plugin == record.type) return record;
  }
  throw std::runtime_error(plugin + ": no such component");
}

/// What a number stands for where a function is wanted.
class ConstantFunction final : public Function {
 public:
  explicit ConstantFunction(double value) : value_(value) {}
  Status evaluate(double, int order, double* value) const override {
    for (int k = 0; k <= order; ++k) value[k] = k == 0 ? value_ : 0;
    return Status::success();
  }

 private:
  double value_;
};

/// A parameter struct filled by name; what is not named gets the default of the table, or is left out.
class ParameterFill {
 public:
  explicit ParameterFill(const ParameterTable& table) : table_(table), bytes_((table.struct_size + 15) / 8 + 1) {
    for (std::int32_t k = 0; k < table.count; ++k) set_default(table.records[k]);
  }

  ParameterFill& number(const char* name, double value) {
    for (std::int32_t k = 0; k < table_.count; ++k) {
      const bool same = std::strcmp(table_.records[k].name, name) == 0;
      if (!same || table_.records[k].type != ParameterType::function) continue;
      constants_.push_back(std::make_shared<ConstantFunction>(value));
      return function(name, constants_.back().get());
    }
    return put(name, &value, sizeof value);
  }
  ParameterFill& choice(const char* name, std::int32_t value) { return put(name, &value, sizeof value); }
  ParameterFill& element(const char* name, std::int32_t index) {
    const ElementRef ref{index};
    return put(name, &ref, sizeof ref);
  }
  ParameterFill& boolean(const char* name, bool value) { return put(name, &value, sizeof value); }
  ParameterFill& vector(const char* name, const double* value) { return put(name, value, 3 * sizeof(double)); }
  ParameterFill& vector(const char* name, const sdk::Vec3<>& v) {
    const double value[3] = {v.x, v.y, v.z};
    return vector(name, value);
  }
  ParameterFill& vector(const char* name, const sdk::Vec2<>& v) { return vector(name, sdk::Vec3<>{v.x, v.y, 0}); }
  ParameterFill& rotation(const char* name, const double* p) { return put(name, p, 4 * sizeof(double)); }
  ParameterFill& body(const char* name, std::int32_t index) {
    const BodyRef ref{index};
    return put(name, &ref, sizeof ref);
  }
  ParameterFill& bodies(const char* name, const std::vector<std::int32_t>& indices) {
    auto& list = body_lists_[name];
    list.clear();
    for (const std::int32_t index : indices) list.push_back({index});
    const BodyRefs refs{list.data(), static_cast<std::int64_t>(list.size())};
    return put(name, &refs, sizeof refs);
  }
  ParameterFill& numbers(const char* name, const std::vector<double>& values) {
    auto& list = number_lists_[name];
    list = values;
    const Numbers view{list.data(), static_cast<std::int64_t>(list.size())};
    return put(name, &view, sizeof view);
  }
  ParameterFill& text(const char* name, const std::string& value) {
    texts_.push_back(std::make_shared<std::string>(value));
    const Text view{texts_.back()->data(), static_cast<std::int64_t>(value.size())};
    return put(name, &view, sizeof view);
  }
  ParameterFill& function(const char* name, FunctionRef f) { return put(name, &f, sizeof f); }

  const void* data() const { return bytes_.data(); }

 private:
  ParameterFill& put(const char* name, const void* value, std::size_t size) {
    for (std::int32_t k = 0; k < table_.count; ++k) {
      if (std::strcmp(table_.records[k].name, name) != 0) continue;
      std::memcpy(reinterpret_cast<char*>(bytes_.data()) + table_.records[k].offset, value, size);
      return *this;
    }
    throw std::runtime_error(std::string("no parameter ") + name);
  }

  void set_default(const ParameterRecord& r) {
    const double none = left_out();
    const double vector_none[3] = {none, none, none}, vector_zero[3] = {0, 0, 0}, identity[4] = {1, 0, 0, 0};
    const BodyRef no_body{};
    switch (r.type) {
      case ParameterType::number: number(r.name, r.default_json ? std::stod(r.default_json) : none); break;
      case ParameterType::function:
        if (r.default_json != nullptr) number(r.name, std::stod(r.default_json));
        break;
      case ParameterType::vector:
      case ParameterType::direction:
      case ParameterType::body_point: vector(r.name, r.default_json ? vector_zero : vector_none); break;
      case ParameterType::rotation: rotation(r.name, identity); break;
      case ParameterType::body: put(r.name, &no_body, sizeof no_body); break;
      case ParameterType::element: element(r.name, -1); break;
      default: break;  // zero bytes: the first choice, an empty list, no function
    }
  }

  ParameterTable table_;
  std::vector<double> bytes_;
  std::map<std::string, std::vector<BodyRef>> body_lists_;
  std::map<std::string, std::vector<double>> number_lists_;
  std::vector<std::shared_ptr<ConstantFunction>> constants_;
  std::vector<std::shared_ptr<std::string>> texts_;
};

/// The model as elements see it while they are created.
template <class State>
class Model final : public ModelInfo {
 public:
  std::vector<State> states;  ///< initial states of the bodies
  std::vector<double> masses;
  std::vector<const void*> body_parameter_structs;
  State ground{};

  Host host() const override { return State::coordinates == 3 ? Host::planar : Host::spatial; }
  Index body_count() const override {
    return static_cast<Index>(std::max(states.size(), body_parameter_structs.size()));
  }
  const char* body_name(Index body) const override { return body == 0 ? "first" : "second"; }
  const void* body_parameters(Index body) const override {
    return body_parameter_structs[static_cast<std::size_t>(body)];
  }
  double body_mass(Index body) const override { return masses[static_cast<std::size_t>(body)]; }
  const void* initial_state(BodyRef body) const override {
    return body.is_ground() ? &ground : &states[static_cast<std::size_t>(body.index)];
  }
  const Constraint* constraint(ElementRef) const override { return nullptr; }
};

/// A component with its parameters, created and destroyed through its record.
template <class Interface>
class Component {
 public:
  Component(const ComponentRecord& record, ParameterFill parameters, const ModelInfo& model)
      : record_(record),
        parameters_(std::make_unique<ParameterFill>(std::move(parameters))),
        object_(static_cast<Interface*>(create_component(record, record.type, "", parameters_->data(), model))) {}
  Component(const Component&) = delete;
  Component& operator=(const Component&) = delete;
  ~Component() { record_.destroy(object_); }

  const Interface& operator*() const { return *object_; }
  const Interface* operator->() const { return object_; }
  Interface* get() const { return object_; }

 private:
  const ComponentRecord& record_;
  std::unique_ptr<ParameterFill> parameters_;
  Interface* object_;
};

// --- States ----------------------------------------------------------------------------------------------------------

using Random = std::mt19937;

inline double uniform(Random& random, double low = -1, double high = 1) {
  return std::uniform_real_distribution<double>(low, high)(random);
}
inline sdk::Vec3<> random_vec3(Random& r, double size = 1) {
  return {uniform(r, -size, size), uniform(r, -size, size), uniform(r, -size, size)};
}
inline sdk::Vec2<> random_vec2(Random& r, double size = 1) {
  return {uniform(r, -size, size), uniform(r, -size, size)};
}

inline void set_state(SpatialBodyState& b, const double* q, const double* v) {
  for (int k = 0; k < 3; ++k) b.r[k] = q[k], b.rdot[k] = v[k];
  for (int k = 0; k < 4; ++k) b.p[k] = q[3 + k], b.pdot[k] = v[3 + k];
  sdk::rotation_matrix(sdk::parameters(b), b.A);
  b.pp = sdk::dot(sdk::parameters(b), sdk::parameters(b));
}
inline void set_state(PlanarBodyState& b, const double* q, const double* v) {
  b.r[0] = q[0], b.r[1] = q[1], b.phi = q[2];
  b.rdot[0] = v[0], b.rdot[1] = v[1], b.omega = v[2];
  b.c = std::cos(q[2]), b.s = std::sin(q[2]);
}

/// Random position, attitude with |p| = length, and rates (for |p| != 1 also along p).
inline SpatialBodyState random_state(Random& r, double length, SpatialBodyState*) {
  double q[7], v[7];
  for (int k = 0; k < 7; ++k) q[k] = uniform(r), v[k] = uniform(r, -2, 2);
  const sdk::Vec4<> p = sdk::vec4(q + 3), unit = (length / sdk::norm(p)) * p;
  sdk::store(unit, q + 3);
  if (length == 1) sdk::store(sdk::vec4(v + 3) - sdk::dot(sdk::vec4(v + 3), unit) * unit, v + 3);
  SpatialBodyState b;
  set_state(b, q, v);
  return b;
}
inline PlanarBodyState random_state(Random& r, double, PlanarBodyState*) {
  double q[3], v[3];
  for (int k = 0; k < 3; ++k) q[k] = uniform(r, -2, 2), v[k] = uniform(r, -2, 2);
  PlanarBodyState b;
  set_state(b, q, v);
  return b;
}
template <class State>
State random_state(Random& r, double length) {
  return random_state(r, length, static_cast<State*>(nullptr));
}

template <class State>
State ground_state() {
  State b{};
  const double q[7] = {0, 0, 0, State::coordinates == 7 ? 1.0 : 0.0, 0, 0, 0}, v[7] = {};
  const double planar[3] = {0, 0, 0};
  set_state(b, State::coordinates == 7 ? q : planar, v);
  return b;
}

// --- Block storage ---------------------------------------------------------------------------------------------------

/// k blocks m x c (or k*k blocks c x c) with a gap between columns, prefilled; blocks of ground are empty views.
class Blocks {
 public:
  Blocks(Index rows, Index cols, const std::vector<bool>& wanted, double fill) : rows_(rows), cols_(cols) {
    const Index stride = rows + 2;
    storage_.assign(wanted.size() * static_cast<std::size_t>(stride * cols), fill);
    for (std::size_t k = 0; k < wanted.size(); ++k) {
      views_.push_back(
          wanted[k] ? MatrixView{storage_.data() + k * static_cast<std::size_t>(stride * cols), rows, cols, stride}
                    : MatrixView{});
    }
  }
  const MatrixView* views() const { return views_.data(); }
  /// Largest difference, relative to the larger of 1 and the largest entry of `reference`.
  double error(const Blocks& reference) const {
    double difference = 0, scale = 1;
    for (std::size_t k = 0; k < views_.size(); ++k) {
      if (!views_[k]) continue;
      for (Index j = 0; j < cols_; ++j) {
        for (Index i = 0; i < rows_; ++i) {
          const double value = views_[k](i, j), expected = reference.views_[k](i, j);
          if (!(std::abs(value - expected) <= difference)) difference = std::abs(value - expected);
          scale = std::max(scale, std::abs(expected));
        }
      }
    }
    return difference / scale;
  }

 private:
  Index rows_, cols_;
  std::vector<double> storage_;
  std::vector<MatrixView> views_;
};

inline double vector_error(const std::vector<double>& value, const std::vector<double>& expected) {
  double difference = 0, scale = 1;
  for (std::size_t k = 0; k < value.size(); ++k) {
    if (!(std::abs(value[k] - expected[k]) <= difference)) difference = std::abs(value[k] - expected[k]);
    scale = std::max(scale, std::abs(expected[k]));
  }
  return difference / scale;
}

}  // namespace conformance
