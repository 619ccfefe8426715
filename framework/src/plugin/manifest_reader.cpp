// nlohmann-json's events put straight into a PluginInfo: a document in between takes four times as long, and every
// program that runs Trammel reads all manifests.
#include "plugin/manifest_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>

#include "plugin/manifest.h"
#include "trammel/error.h"

namespace trammel {
namespace {

using Sax = nlohmann::json_sax<nlohmann::json>;

/// Field of T by key.
template <class T, class Field>
struct Key {
  const char* name;
  Field T::*field;
};

constexpr Key<PluginInfo, std::string> plugin_texts[] = {{"id", &PluginInfo::id},
                                                         {"version", &PluginInfo::version},
                                                         {"licence", &PluginInfo::licence},
                                                         {"build_id", &PluginInfo::build_id},
                                                         {"abi_tag", &PluginInfo::abi_tag}};
constexpr Key<PluginInfo, std::uint32_t> plugin_numbers[] = {{"interface_epoch", &PluginInfo::interface_epoch},
                                                             {"sdk_minor", &PluginInfo::sdk_minor}};
constexpr Key<ComponentInfo, std::string> component_texts[] = {
    {"type", &ComponentInfo::type}, {"summary", &ComponentInfo::summary}, {"citation", &ComponentInfo::citation}};
constexpr Key<ParameterInfo, std::string> parameter_texts[] = {
    {"name", &ParameterInfo::name}, {"unit", &ParameterInfo::unit}, {"description", &ParameterInfo::description}};

template <class T>
T word(std::optional<T> value, const std::string& text) {
  if (!value) throw std::runtime_error(fmt::format("unknown word \"{}\"", text));
  return *value;
}

class Reader final : public Sax {
 public:
  PluginInfo plugin;
  double version = 0;  ///< of the manifest

  bool null() override { return true; }
  bool boolean(bool value) override {
    if (place() == Place::parameter && key_ == "optional") parameter().optional = value;
    return true;
  }
  bool number_integer(number_integer_t value) override { return number(static_cast<double>(value)); }
  bool number_unsigned(number_unsigned_t value) override { return number(static_cast<double>(value)); }
  bool number_float(number_float_t value, const string_t&) override { return number(value); }
  bool string(string_t& value) override;
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override;
  bool start_array(std::size_t) override;
  bool key(string_t& name) override {
    key_.swap(name);
    return true;
  }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& error) override {
    throw std::runtime_error(error.what());
  }

 private:
  /// What the innermost open container is.
  enum class Place { document, components, component, parameters, parameter, choices, other };

  Place place() const { return places_.empty() ? Place::other : places_.back(); }
  bool number(double value);
  bool close();
  /// A key with a value of the right type.
  void saw(const char* name) { seen_.push_back(name); }
  template <class T, class Field, std::size_t size>
  void require(const Key<T, Field> (&keys)[size]) const {
    for (const Key<T, Field>& k : keys) require(k.name);
  }
  void require(const char* name) const {
    if (std::find(seen_.begin(), seen_.end(), name) == seen_.end()) {
      throw std::runtime_error(fmt::format("key '{}' is missing", name));
    }
  }
  template <class T, std::size_t size>
  bool text(T& of, const Key<T, std::string> (&keys)[size], std::string& value) {
    for (const Key<T, std::string>& k : keys) {
      if (key_ != k.name) continue;
      of.*k.field = std::move(value);
      saw(k.name);
      return true;
    }
    return false;
  }
  void component_word(const std::string& value);
  void parameter_word(std::string& value);

  ComponentInfo& component() { return plugin.components.back(); }
  std::vector<ParameterInfo>& parameters() {
    return of_bodies_ ? component().body_parameters : component().parameters;
  }
  ParameterInfo& parameter() { return parameters().back(); }

  std::vector<Place> places_;
  std::string key_;
  bool of_bodies_ = false;          ///< the parameters being read
  std::vector<const char*> seen_;   ///< keys of the innermost document, component or parameter
  std::vector<const char*> outer_;  ///< and of the component around a parameter, of the document around a component
  std::vector<std::size_t> outer_counts_;
};

bool Reader::string(string_t& value) {
  switch (place()) {
    case Place::document: text(plugin, plugin_texts, value); break;
    case Place::component:
      if (!text(component(), component_texts, value)) component_word(value);
      break;
    case Place::parameter:
      if (!text(parameter(), parameter_texts, value)) parameter_word(value);
      break;
    case Place::choices: parameter().choices.push_back(std::move(value)); break;
    default: break;
  }
  return true;
}

void Reader::component_word(const std::string& value) {
  if (key_ == "kind") component().kind = word(component_kind_from_name(value), value), saw("kind");
  if (key_ == "host") component().host = word(host_from_name(value), value), saw("host");
}

void Reader::parameter_word(std::string& value) {
  if (key_ == "type") parameter().type = word(parameter_type_from_name(value), value), saw("type");
  if (key_ == "length") parameter().length = vector_length_from_name(value);
  if (key_ == "default_json") parameter().default_json = std::move(value);
}

bool Reader::number(double value) {
  if (place() == Place::document) {
    if (key_ == "trammel_plugin") version = value;
    for (const Key<PluginInfo, std::uint32_t>& k : plugin_numbers) {
      if (key_ == k.name) plugin.*k.field = static_cast<std::uint32_t>(value), saw(k.name);
    }
  } else if (place() == Place::parameter) {
    ParameterInfo& p = parameter();
    if (key_ == "minimum" || key_ == "exclusive_minimum") p.minimum = value, p.exclusive_minimum = key_[0] == 'e';
    if (key_ == "maximum" || key_ == "exclusive_maximum") p.maximum = value, p.exclusive_maximum = key_[0] == 'e';
    if (key_ == "count_min") p.count_min = static_cast<std::int32_t>(value);
    if (key_ == "count_max") p.count_max = static_cast<std::int32_t>(value);
  }
  return true;
}

bool Reader::start_object(std::size_t) {
  Place opened = Place::other;
  if (places_.empty()) opened = Place::document;
  if (place() == Place::components) opened = Place::component, plugin.components.emplace_back();
  if (place() == Place::parameters) opened = Place::parameter, parameters().emplace_back();
  if (opened != Place::other) {
    outer_counts_.push_back(seen_.size());
    outer_.insert(outer_.end(), seen_.begin(), seen_.end());
    seen_.clear();
  }
  places_.push_back(opened);
  return true;
}

bool Reader::start_array(std::size_t) {
  Place opened = Place::other;
  if (place() == Place::document && key_ == "components") opened = Place::components, saw("components");
  if (place() == Place::component && (key_ == "parameters" || key_ == "body_parameters")) {
    opened = Place::parameters;
    of_bodies_ = key_ == "body_parameters";
    if (!of_bodies_) saw("parameters");
  }
  if (place() == Place::parameter && key_ == "choices") opened = Place::choices;
  places_.push_back(opened);
  return true;
}

bool Reader::close() {
  const Place closed = place();
  places_.pop_back();
  switch (closed) {
    case Place::document:
      if (version != manifest_version) return true;  // the caller says so
      require(plugin_texts), require(plugin_numbers), require("components");
      break;
    case Place::component: require(component_texts), require("kind"), require("host"), require("parameters"); break;
    case Place::parameter: require(parameter_texts), require("type"); break;
    default: return true;
  }
  const auto start = outer_.end() - static_cast<std::ptrdiff_t>(outer_counts_.back());
  seen_.assign(start, outer_.end());
  outer_.erase(start, outer_.end());
  outer_counts_.pop_back();
  return true;
}

std::string text_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary | std::ios::ate);
  std::string text(stream ? static_cast<std::size_t>(stream.tellg()) : 0, '\0');
  stream.seekg(0);
  if (!stream.read(text.data(), static_cast<std::streamsize>(text.size()))) throw std::runtime_error("cannot be read");
  return text;
}

}  // namespace

PluginInfo read_manifest(const std::filesystem::path& file) {
  const auto fail = [&](const std::string& why) { return Error(ErrorKind::plugin, file.string() + ": " + why); };
  std::string text;
  try {
    text = text_of(file);
  } catch (const std::exception&) {
    throw fail("cannot be read");
  }
  Reader reader;
  try {
    nlohmann::json::sax_parse(text, &reader);
  } catch (const std::exception& error) {
    throw fail(fmt::format("is not a plugin manifest ({})", error.what()));
  }
  if (reader.version != manifest_version) {
    throw fail(fmt::format("is not a plugin manifest of version {}", manifest_version));
  }
  PluginInfo& plugin = reader.plugin;
  std::string stem = file.filename().string();
  stem.resize(stem.size() - std::string_view(".trammel.json").size());
  if (plugin.id != stem) throw fail(fmt::format("its id is '{}', its name says '{}'", plugin.id, stem));
  plugin.library = file.parent_path() / (stem + ".so");
  return std::move(plugin);
}

std::shared_ptr<const PluginInfo> read_manifest_once(const std::filesystem::path& file) {
  struct Read {
    std::filesystem::file_time_type written;
    std::uintmax_t size;
    std::shared_ptr<const PluginInfo> plugin;
  };
  static std::map<std::string, Read> read;
  static std::mutex guard;
  std::error_code unknown;
  const auto written = std::filesystem::last_write_time(file, unknown);
  const std::uintmax_t size = unknown ? 0 : std::filesystem::file_size(file, unknown);
  if (unknown) return std::make_shared<const PluginInfo>(read_manifest(file));
  const std::lock_guard<std::mutex> lock(guard);
  const auto known = read.find(file.string());
  if (known != read.end() && known->second.written == written && known->second.size == size)
    return known->second.plugin;
  return read
      .insert_or_assign(file.string(), Read{written, size, std::make_shared<const PluginInfo>(read_manifest(file))})
      .first->second.plugin;
}

}  // namespace trammel
