// The checks of a plugin's plain-C descriptor. Every message says field, value found, value expected.
#include "plugin/descriptor_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "plugin/component_kind.h"
#include "plugin/utf8_text.h"
#include "trammel/abi_tag.h"
#include "trammel/frame_use.h"

namespace trammel {
namespace {

constexpr const char* rebuild = "rebuild the plugin with this Trammel's SDK";

bool is_snake_case(std::string_view text) {
  if (text.empty() || text[0] < 'a' || text[0] > 'z') return false;
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; });
}

std::vector<std::pair<std::string_view, std::string_view>> fields_of(std::string_view tag) {
  std::vector<std::pair<std::string_view, std::string_view>> fields;
  while (!tag.empty()) {
    const std::size_t end = std::min(tag.find('\n'), tag.size());
    const std::string_view line = tag.substr(0, end);
    const std::size_t equals = std::min(line.find('='), line.size());
    fields.emplace_back(line.substr(0, equals), line.substr(std::min(equals + 1, line.size())));
    tag.remove_prefix(std::min(end + 1, tag.size()));
  }
  return fields;
}

std::string_view value_of(std::string_view tag, std::string_view field) {
  for (const auto& [name, value] : fields_of(tag)) {
    if (name == field) return value;
  }
  return "absent";
}

std::string abi_tag_fault(std::string_view theirs) {
  const std::string_view ours(abi_tag.data, abi_tag.size);
  if (theirs == ours) return "";  // of nearly all plugins; to look for a difference takes a while
  for (const std::string_view tag : {ours, theirs}) {
    for (const auto& [field, value] : fields_of(tag)) {
      const std::string_view a = value_of(theirs, field), b = value_of(ours, field);
      if (a != b) return fmt::format("ABI field '{}' is '{}', this Trammel has '{}'; {}", field, a, b, rebuild);
    }
  }
  return "";
}

struct Layout {
  std::uint32_t size;
  std::uint32_t align;
};

template <class T>
constexpr Layout layout_of() {
  return {sizeof(T), alignof(T)};
}

/// Size and alignment of the field that a parameter type fills, in the order of the enumeration.
constexpr Layout field_layouts[] = {
    layout_of<double>(),      layout_of<std::int64_t>(), layout_of<bool>(),      layout_of<std::int32_t>(),
    layout_of<Text>(),        layout_of<double[3]>(),    layout_of<double[4]>(), layout_of<Numbers>(),
    layout_of<BodyRef>(),     layout_of<BodyRefs>(),     layout_of<PointRef>(),  layout_of<ElementRef>(),
    layout_of<FunctionRef>(), layout_of<FunctionRefs>(), layout_of<Text>(),      layout_of<Text>(),
    layout_of<Texts>(),       layout_of<double[3]>(),    layout_of<double[3]>()};
constexpr int parameter_type_count = static_cast<int>(std::size(field_layouts));

/// Texts go into manifests, messages and terminals.
bool is_plain_text(const char* text) {
  constexpr std::size_t longest = 100'000;
  return text == nullptr || is_utf8_text(text, longest, false);
}

std::string default_fault(std::span<const ParameterRecord> earlier, const char* text) {
  if (text[0] != '=') return nlohmann::json::accept(text) ? "" : fmt::format("its default '{}' is not JSON", text);
  for (const ParameterRecord& record : earlier) {
    if (std::string_view(record.name) == text + 1) return "";
  }
  return fmt::format("its default '{}' does not refer to an earlier parameter", text);
}

std::string parameter_fault(const ParameterTable& table, std::span<const ParameterRecord> records, std::size_t i) {
  const ParameterRecord& r = records[i];
  const int type = static_cast<int>(r.type);
  if (type < 0 || type >= parameter_type_count) {
    return fmt::format("its type is {}, valid are 0 to {}", type, parameter_type_count - 1);
  }
  if (r.unit == nullptr || r.description == nullptr) return "it has no unit or no description";
  if (!is_plain_text(r.unit)) return "its unit is no UTF-8 text of one line";
  if (!is_plain_text(r.description)) return "its description is no UTF-8 text of one line";
  if (!is_plain_text(r.choices)) return "its choices are no UTF-8 text of one line";
  const Layout field = field_layouts[type];
  if (r.offset + static_cast<std::uint64_t>(field.size) > table.struct_size) {
    return fmt::format("its field ends at byte {} of a struct of {}", r.offset + std::uint64_t{field.size},
                       table.struct_size);
  }
  if (r.offset % field.align != 0) return fmt::format("its offset {} is not a multiple of {}", r.offset, field.align);
  if ((r.type == ParameterType::choice) != (r.choices != nullptr)) return "choices and type do not go together";
  if (!(r.minimum <= r.maximum)) return fmt::format("its minimum {} exceeds its maximum {}", r.minimum, r.maximum);
  if (r.count_min < 0 || r.count_min > r.count_max) {
    return fmt::format("its counts are {} to {}", r.count_min, r.count_max);
  }
  if (r.type == ParameterType::body_point && r.count_min > 1) {
    return fmt::format("it is a point of body {}, and elements have bodies 0 and 1", r.count_min);
  }
  const bool by_name =
      r.type == ParameterType::vector || r.type == ParameterType::direction || r.type == ParameterType::rotation;
  if (by_name && r.count_min > static_cast<std::int32_t>(FrameUse::ground))
    return fmt::format("its count_min is {}; valid are the values of FrameUse, 0 to 7", r.count_min);
  for (const ParameterRecord& other : records.first(i)) {
    if (std::string_view(other.name) == r.name) return "it is declared twice";
    const Layout there = field_layouts[static_cast<int>(other.type)];
    if (r.offset < other.offset + there.size && other.offset < r.offset + field.size) {
      return fmt::format("its field overlaps that of '{}'", other.name);
    }
  }
  return r.default_json == nullptr ? "" : default_fault(records.first(i), r.default_json);
}

std::string table_fault(const ParameterTable& table) {
  if (table.count < 0 || table.count > 1000) return fmt::format("has {} parameters", table.count);
  if (table.count > 0 && table.records == nullptr) return "has a parameter table without records";
  const std::uint32_t align = table.struct_align;
  if (align == 0 || (align & (align - 1)) != 0 || align > 4096) {
    return fmt::format("has a parameter struct with alignment {}", align);
  }
  const std::span records(table.records, static_cast<std::size_t>(table.count));
  for (std::size_t i = 0; i < records.size(); ++i) {
    const char* name = records[i].name;
    if (name == nullptr || !is_snake_case(name)) {
      return fmt::format("parameter {}: its name '{}' is not snake_case", i, name == nullptr ? "" : name);
    }
    const std::string fault = parameter_fault(table, records, i);
    if (!fault.empty()) return fmt::format("parameter '{}': {}", name, fault);
  }
  return "";
}

std::string component_fault(const ComponentRecord& c) {
  if (c.struct_size != sizeof(ComponentRecord)) {
    return fmt::format("struct_size is {}, this Trammel has {}; {}", c.struct_size, sizeof(ComponentRecord), rebuild);
  }
  if (c.kind == nullptr || !kind_from_id(c.kind)) {
    std::string known;
    for (std::int32_t k = 0; k < component_kind_count; ++k)
      known += (known.empty() ? "'" : ", '") + std::string(kind_id(static_cast<ComponentKind>(k))) + "'";
    return fmt::format("kind is '{}', this Trammel knows {}", c.kind == nullptr ? "" : c.kind, known);
  }
  const auto host = static_cast<std::int32_t>(c.host);
  if (host < 0 || host > 2) return fmt::format("host is {}, valid are 0 to 2", host);
  if (c.type == nullptr || !is_type_id(c.type)) {
    return fmt::format("type '{}' is not [vendor.]snake_case", c.type == nullptr ? "" : c.type);
  }
  if (c.summary == nullptr || c.citation == nullptr) return fmt::format("'{}' lacks summary or citation", c.type);
  if (!is_plain_text(c.summary)) return fmt::format("the summary of '{}' is no UTF-8 text of one line", c.type);
  if (!is_plain_text(c.citation)) return fmt::format("the citation of '{}' is no UTF-8 text of one line", c.type);
  if (c.create == nullptr || c.destroy == nullptr) return fmt::format("'{}' lacks create or destroy", c.type);
  for (const ParameterTable* table : {&c.parameters, &c.body_parameters}) {
    const std::string fault = table_fault(*table);
    if (!fault.empty()) return fmt::format("'{}' {}", c.type, fault);
  }
  return "";
}

}  // namespace

bool is_type_id(std::string_view text) {
  const std::size_t dot = text.find('.');
  if (dot == std::string_view::npos) return is_snake_case(text);
  return is_snake_case(text.substr(0, dot)) && is_snake_case(text.substr(dot + 1));
}

std::string abi_fault(std::uint32_t epoch, std::uint32_t minor, std::string_view plugin_abi_tag) {
  if (epoch != interface_epoch) {
    return fmt::format("interface_epoch is {}, this Trammel has {}; {}", epoch, interface_epoch, rebuild);
  }
  if (minor > sdk_minor) {
    return fmt::format("sdk_minor is {}, this Trammel has {}: the plugin needs a newer Trammel", minor, sdk_minor);
  }
  return abi_tag_fault(plugin_abi_tag);
}

std::string descriptor_fault(const PluginDescriptor& d, std::string_view file_id) {
  if (d.magic != descriptor_magic) {
    return fmt::format("magic is {:#018x}, a Trammel plugin has {:#018x}", d.magic, descriptor_magic);
  }
  if (d.struct_size != sizeof(PluginDescriptor)) {
    return fmt::format("struct_size is {}, this Trammel has {}; {}", d.struct_size, sizeof(PluginDescriptor), rebuild);
  }
  std::string fault = abi_fault(d.interface_epoch, d.sdk_minor, d.abi_tag == nullptr ? "" : d.abi_tag);
  if (!fault.empty()) return fault;
  if (d.id == nullptr || d.id != file_id) {
    return fmt::format("id is '{}', the file's name says '{}'", d.id == nullptr ? "" : d.id, file_id);
  }
  if (!is_type_id(d.id)) return fmt::format("id '{}' is not [vendor.]snake_case", d.id);
  if (d.version == nullptr || d.licence == nullptr) return "version or licence is missing";
  if (!is_plain_text(d.version) || !is_plain_text(d.licence)) return "version or licence is no UTF-8 text of one line";
  if (d.component_count == 0 || d.component_count > 10000 || d.components == nullptr) {
    return fmt::format("component_count is {}, valid are 1 to 10000 with records", d.component_count);
  }
  const std::span components(d.components, d.component_count);
  for (std::size_t i = 0; i < components.size(); ++i) {
    fault = component_fault(components[i]);
    if (!fault.empty()) return fmt::format("component {}: {}", i, fault);
    const ComponentRecord& c = components[i];
    for (const ComponentRecord& other : components.first(i)) {
      if (std::string_view(other.kind) == c.kind && other.host == c.host && std::string_view(other.type) == c.type) {
        return fmt::format("component {}: {} '{}' is declared twice for host '{}'", i, kind_name(*kind_from_id(c.kind)),
                           c.type, host_name(c.host));
      }
    }
  }
  return "";
}

}  // namespace trammel
