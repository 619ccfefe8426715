// nlohmann-json's events put straight into a PluginInfo. Every program that runs Trammel reads all manifests, but of most
// of them only which types they offer: that list stands in front of all that is long, and reading ends behind it.
#include "plugin/manifest_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "plugin/file_bytes.h"
#include "plugin/file_stamp.h"
#include "plugin/json_scanner.h"
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
                                                         {"build_id", &PluginInfo::build_id}};
constexpr Key<PluginInfo, std::string> long_texts[] = {{"abi_tag", &PluginInfo::abi_tag}};
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

class ManifestReader final : public Sax {
 public:
  explicit ManifestReader(bool types_only) : types_only_(types_only) {}

  PluginInfo plugin;
  double version = 0;             ///< of the manifest
  bool has_list = false;          ///< of types
  std::vector<std::string> list;  ///< its entries

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
  enum class Place { document, offers, components, component, parameters, parameter, choices, other };

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
  std::vector<ParameterInfo>& parameters() { return of_bodies_ ? component().body_parameters : component().parameters; }
  ParameterInfo& parameter() { return parameters().back(); }

  bool types_only_;
  std::vector<Place> places_;
  std::string key_;
  bool of_bodies_ = false;          ///< the parameters being read
  std::vector<const char*> seen_;   ///< keys of the innermost document, component or parameter
  std::vector<const char*> outer_;  ///< and of the component around a parameter, of the document around a component
  std::vector<std::size_t> outer_counts_;
};

bool ManifestReader::string(string_t& value) {
  switch (place()) {
    case Place::document:
      if (!text(plugin, plugin_texts, value)) text(plugin, long_texts, value);
      break;
    case Place::component:
      if (!text(component(), component_texts, value)) component_word(value);
      break;
    case Place::parameter:
      if (!text(parameter(), parameter_texts, value)) parameter_word(value);
      break;
    case Place::offers: list.push_back(std::move(value)); break;
    case Place::choices: parameter().choices.push_back(std::move(value)); break;
    default: break;
  }
  return true;
}

void ManifestReader::component_word(const std::string& value) {
  if (key_ == "kind") component().kind = word(component_kind_from_name(value), value), saw("kind");
  if (key_ == "host") component().host = word(host_from_name(value), value), saw("host");
}

void ManifestReader::parameter_word(std::string& value) {
  if (key_ == "type") parameter().type = word(parameter_type_from_name(value), value), saw("type");
  if (key_ == "length") parameter().length = vector_length_from_name(value);
  if (key_ == "default_json") parameter().default_json = std::move(value);
}

bool ManifestReader::number(double value) {
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

bool ManifestReader::start_object(std::size_t) {
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

bool ManifestReader::start_array(std::size_t) {
  Place opened = Place::other;
  if (place() == Place::document && key_ == "offers") opened = Place::offers, has_list = true;
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

bool ManifestReader::close() {
  const Place closed = place();
  places_.pop_back();
  switch (closed) {
    case Place::document:
      if (version != manifest_version) return true;  // the caller says so
      require(plugin_texts), require(plugin_numbers), require(long_texts), require("components");
      break;
    case Place::component: require(component_texts), require("kind"), require("host"), require("parameters"); break;
    case Place::parameter: require(parameter_texts), require("type"); break;
    case Place::offers:
      if (!types_only_) return true;
      require(plugin_texts), require(plugin_numbers);
      return false;  // enough
    default: return true;
  }
  const auto start = outer_.end() - static_cast<std::ptrdiff_t>(outer_counts_.back());
  seen_.assign(start, outer_.end());
  outer_.erase(start, outer_.end());
  outer_counts_.pop_back();
  return true;
}

Error broken(const std::filesystem::path& file, const std::string& why) {
  return Error(ErrorKind::plugin, file.string() + ": " + why);
}

std::string text_of(const std::filesystem::path& file) {
  const FileBytes bytes(file.c_str());
  std::string text(static_cast<std::size_t>(bytes.size()), '\0');
  if (!bytes.is_regular() || !bytes.read(0, text.data(), text.size())) throw broken(file, "cannot be read");
  return text;
}

/// nlohmann-json has the last word on what the scanner does not know.
void read_events(const std::string& text, std::optional<ManifestReader>& reader, bool types_only) {
  reader.emplace(types_only);
  if (JsonScanner(text, *reader).scan() != Scan::unknown) return;
  reader.emplace(types_only);
  nlohmann::json::sax_parse(text, &*reader);
}

/// "spatial" of "constraint spatial revolute" and so on.
ComponentInfo offered(const std::string& entry) {
  const std::size_t first = entry.find(' '), second = entry.find(' ', first + 1);
  if (second == std::string::npos) throw std::runtime_error(fmt::format("unknown word \"{}\"", entry));
  const std::string kind = entry.substr(0, first), host = entry.substr(first + 1, second - first - 1);
  ComponentInfo component;
  component.kind = word(component_kind_from_name(kind), kind);
  component.host = word(host_from_name(host), host);
  component.type = entry.substr(second + 1);
  return component;
}

/// Where the manifest has a list of types and no more is wanted, `list` holds that and there are no components.
ManifestReader read_text(const std::filesystem::path& file, bool types_only) {
  const std::string text = text_of(file);
  std::optional<ManifestReader> events;
  try {
    const std::size_t end = text.find_last_not_of(" \t\r\n");
    if (end == std::string::npos || text[end] != '}') throw std::runtime_error("it ends too early");
    read_events(text, events, types_only);
    if (ManifestReader& reader = *events; types_only) {
      for (const std::string& entry : reader.list) reader.plugin.components.push_back(offered(entry));
    }
  } catch (const std::exception& error) {
    throw broken(file, fmt::format("is not a plugin manifest ({})", error.what()));
  }
  ManifestReader& reader = *events;
  if (reader.version != manifest_version) {
    throw broken(file, fmt::format("is not a plugin manifest of version {}", manifest_version));
  }
  PluginInfo& plugin = reader.plugin;
  std::string library = file.native();
  library.resize(library.size() - std::string_view(".trammel.json").size());
  const std::string_view stem = std::string_view(library).substr(library.rfind('/') + 1);
  if (plugin.id != stem) throw broken(file, fmt::format("its id is '{}', its name says '{}'", plugin.id, stem));
  plugin.library = library.append(".so");
  return std::move(reader);
}

}  // namespace

struct UnreadDetails {
  std::filesystem::path file;
  PluginInfo* plugin = nullptr;
  std::once_flag read;
};

PluginInfo read_manifest(const std::filesystem::path& file) { return std::move(read_text(file, false).plugin); }

void read_details(const PluginInfo& plugin) {
  if (plugin.unread == nullptr) return;
  UnreadDetails& unread = *plugin.unread;
  std::call_once(unread.read, [&] {
    PluginInfo whole = read_manifest(unread.file);
    std::vector<ComponentInfo>& known = unread.plugin->components;  // pointers to them are in use
    const bool same = std::equal(known.begin(), known.end(), whole.components.begin(), whole.components.end(),
                                 [](const ComponentInfo& a, const ComponentInfo& b) {
                                   return a.kind == b.kind && a.host == b.host && a.type == b.type;
                                 });
    if (!same) {
      throw broken(unread.file, fmt::format("its \"offers\" are not its components; run 'trammel-sidecar {}'",
                                            plugin.library.string()));
    }
    std::move(whole.components.begin(), whole.components.end(), known.begin());
    unread.plugin->abi_tag = std::move(whole.abi_tag);
  });
}

std::shared_ptr<const PluginInfo> read_types(const std::filesystem::path& file) {
  struct Known {
    FileStamp file;
    std::shared_ptr<const PluginInfo> plugin;
  };
  static std::map<std::string, Known> memory;
  static std::mutex guard;
  const std::lock_guard<std::mutex> lock(guard);
  const auto known = memory.find(file.string());
  if (known != memory.end() && known->second.file.holds()) return known->second.plugin;
  FileStamp now(file.string());
  ManifestReader reader = read_text(file, true);
  const auto plugin = std::make_shared<PluginInfo>(std::move(reader.plugin));
  if (reader.has_list) {
    plugin->unread = std::make_shared<UnreadDetails>();
    plugin->unread->file = file;
    plugin->unread->plugin = plugin.get();
  }
  if (now.is_settled()) memory.insert_or_assign(file.string(), Known{std::move(now), plugin});
  return plugin;
}

}  // namespace trammel
