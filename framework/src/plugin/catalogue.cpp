// The catalogue: lookup of component types, and the owning copies of the plain records.
#include "plugin/catalogue.h"

#include <algorithm>
#include <span>
#include <tuple>

#include "plugin/manifest_reader.h"
#include "trammel/text/suggest.h"

namespace trammel {
namespace {

constexpr const char* type_names[] = {"number", "integer",  "boolean",   "choice",    "text",
                                      "vector", "rotation", "numbers",   "body",      "bodies",
                                      "point",  "element",  "function",  "functions", "expression",
                                      "file",   "texts",    "direction", "body_point"};

std::vector<std::string> split_words(const char* text) {
  std::vector<std::string> words;
  if (text == nullptr) return words;
  std::string_view rest = text;
  while (true) {
    const std::size_t bar = rest.find('|');
    words.emplace_back(rest.substr(0, bar));
    if (bar == std::string_view::npos) return words;
    rest.remove_prefix(bar + 1);
  }
}

template <class Enum, class Name>
std::optional<Enum> from_name(std::string_view name, std::int32_t count, Name name_of) {
  for (std::int32_t i = 0; i < count; ++i) {
    if (name == name_of(static_cast<Enum>(i))) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

bool fits(const ComponentInfo& component, ComponentKind kind, Host host) {
  if (component.kind != kind) return false;
  return kind == ComponentKind::system || component.host == Host::any || component.host == host;
}

}  // namespace

Catalogue::Catalogue(std::vector<Entry> entries) : entries_(std::move(entries)) {
  std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.component->kind, a.component->host, a.component->type) <
           std::tie(b.component->kind, b.component->host, b.component->type);
  });
}

const std::vector<Catalogue::Entry>& Catalogue::entries() const {
  for (const Entry& entry : entries_) read_details(*entry.plugin);
  return entries_;
}

const Catalogue::Entry* Catalogue::find(ComponentKind kind, Host host, std::string_view type) const {
  const Entry* found = look_up(kind, host, type);
  if (found != nullptr) read_details(*found->plugin);
  return found;
}

const Catalogue::Entry* Catalogue::look_up(ComponentKind kind, Host host, std::string_view type) const {
  const Entry* found = nullptr;
  for (const Entry& entry : entries_) {
    if (!fits(*entry.component, kind, host) || entry.component->type != type) continue;
    if (found == nullptr || entry.component->host == host) found = &entry;
  }
  return found;
}

std::vector<const Catalogue::Entry*> Catalogue::available(ComponentKind kind, Host host) const {
  std::vector<const Entry*> list = look_up_all(kind, host);
  for (const Entry* entry : list) read_details(*entry->plugin);
  return list;
}

std::vector<const Catalogue::Entry*> Catalogue::look_up_all(ComponentKind kind, Host host) const {
  std::vector<const Entry*> list;
  for (const Entry& entry : entries_) {
    if (fits(*entry.component, kind, host) && look_up(kind, host, entry.component->type) == &entry)
      list.push_back(&entry);
  }
  std::sort(list.begin(), list.end(),
            [](const Entry* a, const Entry* b) { return a->component->type < b->component->type; });
  return list;
}

std::string Catalogue::nearest(ComponentKind kind, Host host, std::string_view type) const {
  std::vector<std::string> names;
  for (const Entry* entry : look_up_all(kind, host)) names.push_back(entry->component->type);
  return trammel::nearest(type, names);
}

const char* parameter_type_name(ParameterType type) { return type_names[static_cast<int>(type)]; }

std::optional<ParameterType> parameter_type_from_name(std::string_view name) {
  return from_name<ParameterType>(name, static_cast<std::int32_t>(std::size(type_names)), parameter_type_name);
}

std::optional<ComponentKind> component_kind_from_name(std::string_view name) {
  return from_name<ComponentKind>(name, component_kind_count, kind_name);
}

std::optional<Host> host_from_name(std::string_view name) { return from_name<Host>(name, 3, host_name); }

std::vector<ParameterInfo> parameter_infos(const ParameterTable& table) {
  std::vector<ParameterInfo> list;
  list.reserve(static_cast<std::size_t>(table.count));
  for (const ParameterRecord& record : std::span(table.records, static_cast<std::size_t>(table.count))) {
    ParameterInfo info;
    info.name = record.name;
    info.type = record.type;
    info.unit = record.unit;
    info.description = record.description;
    if (record.default_json != nullptr) info.default_json = record.default_json;
    info.minimum = record.minimum;
    info.maximum = record.maximum;
    info.exclusive_minimum = record.exclusive_minimum;
    info.exclusive_maximum = record.exclusive_maximum;
    info.optional = record.optional;
    info.choices = split_words(record.choices);
    info.count_min = record.count_min;
    info.count_max = record.count_max;
    info.length = record.length;
    list.push_back(std::move(info));
  }
  return list;
}

ComponentInfo component_info(const ComponentRecord& record) {
  return {*kind_from_id(record.kind),
          record.host,
          record.type,
          record.summary,
          record.citation,
          parameter_infos(record.parameters),
          parameter_infos(record.body_parameters)};
}

}  // namespace trammel
