// A component from a built plugin library, created without the run-file machinery: for tests of methods and problems.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "model/no_model.h"
#include "plugin/create.h"
#include "plugin/host.h"

namespace trammel {

/// Values by key: numbers (of booleans 0 and 1), and words of choices. The rest comes from the defaults of the parameter
/// table.
struct Arguments {
  std::map<std::string, double> numbers;
  std::map<std::string, std::string> words;
  std::map<std::string, std::vector<double>> lists;
};

inline PluginHost& built_plugins() {
  static PluginHost host({{std::string(TRAMMEL_BUILD_DIR) + "/lib/trammel/plugins", "test"}});
  return host;
}

template <class Interface>
class BuiltComponent {
 public:
  BuiltComponent(ComponentKind kind, const std::string& type, const Arguments& arguments = {})
      : arguments_(arguments), record_(built_plugins().find(kind, Host::any, type).record) {
    const ParameterTable& table = record_->parameters;
    memory_.resize(table.struct_size / sizeof(double) + 1);
    for (std::int32_t i = 0; i < table.count; ++i) fill(table, table.records[i]);
    component_ = static_cast<Interface*>(create_component(*record_, type, "", memory_.data(), NoModel()));
  }
  ~BuiltComponent() { record_->destroy(component_); }
  BuiltComponent(const BuiltComponent&) = delete;
  BuiltComponent& operator=(const BuiltComponent&) = delete;

  Interface& operator*() const { return *component_; }
  Interface* operator->() const { return component_; }

 private:
  template <class T>
  T& at(const ParameterRecord& p) {
    return *reinterpret_cast<T*>(reinterpret_cast<char*>(memory_.data()) + p.offset);
  }

  void fill(const ParameterTable& table, const ParameterRecord& p) {
    switch (p.type) {
      case ParameterType::number: at<double>(p) = number(table, p); break;
      case ParameterType::integer: at<std::int64_t>(p) = static_cast<std::int64_t>(number(table, p)); break;
      case ParameterType::choice: at<std::int32_t>(p) = word(p); break;
      case ParameterType::numbers: {
        const std::vector<double>& list = arguments_.lists[p.name];
        at<Numbers>(p) = {list.data(), static_cast<std::int64_t>(list.size())};
        break;
      }
      case ParameterType::vector:
      case ParameterType::direction:
      case ParameterType::body_point: vector(p); break;
      case ParameterType::text: text(p); break;
      case ParameterType::texts: at<Texts>(p) = {}; break;
      case ParameterType::boolean: at<bool>(p) = flag(p); break;
      default: throw std::logic_error(std::string("parameter type not known to the test: ") + p.name);
    }
  }

  bool flag(const ParameterRecord& p) const {
    const auto found = arguments_.numbers.find(p.name);
    return found != arguments_.numbers.end() ? found->second != 0 : std::strcmp(p.default_json, "true") == 0;
  }

  double number(const ParameterTable& table, const ParameterRecord& p) {
    const auto found = arguments_.numbers.find(p.name);
    if (found != arguments_.numbers.end()) return found->second;
    if (p.default_json == nullptr) {
      if (p.optional) return left_out();
      throw std::logic_error(std::string("missing: ") + p.name);
    }
    if (p.default_json[0] == '=') {
      for (std::int32_t i = 0; i < table.count; ++i) {
        if (std::strcmp(table.records[i].name, p.default_json + 1) == 0) return at<double>(table.records[i]);
      }
    }
    return std::atof(p.default_json);
  }

  void text(const ParameterRecord& p) {
    const std::string& word = arguments_.words.at(p.name);
    at<Text>(p) = {word.data(), static_cast<std::int64_t>(word.size())};
  }

  void vector(const ParameterRecord& p) {
    const auto found = arguments_.lists.find(p.name);
    double* const v = &at<double>(p);
    if (found != arguments_.lists.end()) {
      for (std::size_t i = 0; i < 3; ++i) v[i] = found->second.at(i);
    } else if (std::sscanf(p.default_json, "[%lf, %lf, %lf]", v, v + 1, v + 2) != 3) {
      throw std::logic_error(std::string("default not understood: ") + p.name);
    }
  }

  std::string text_of(const ParameterRecord& p) const {
    const auto found = arguments_.words.find(p.name);
    return found != arguments_.words.end() ? found->second : p.default_json;
  }

  std::int32_t word(const ParameterRecord& p) {
    std::string wanted = text_of(p);
    std::erase(wanted, '"');
    std::string choices = p.choices;
    for (std::int32_t k = 0;; ++k) {
      const std::size_t bar = choices.find('|');
      if (choices.substr(0, bar) == wanted) return k;
      if (bar == std::string::npos) throw std::logic_error(std::string("no such choice: ") + wanted);
      choices.erase(0, bar + 1);
    }
  }

  Arguments arguments_;
  const ComponentRecord* record_;
  std::vector<double> memory_;
  Interface* component_ = nullptr;
};

}  // namespace trammel
