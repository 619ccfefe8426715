// Parameter tables, written tersely and checked while compiling: names, field types, offsets, bounds.
//
//   struct Parameters {
//     BodyRefs bodies;
//     double stiffness;
//     Norm norm;  // enum class Norm : std::int32_t { rms, max };
//   };
//   static constexpr auto parameters = sdk::table<Parameters>(
//       TRAMMEL_FIELD(Parameters, bodies, "1", "First and second body.").count(2),
//       TRAMMEL_FIELD(Parameters, stiffness, "N/m", "Spring stiffness.").at_least(0),
//       TRAMMEL_FIELD(Parameters, norm, "1", "Norm of the error.").choices("rms|max").otherwise("\"rms\""));
//
// The JSON key is the member's name. A parameter without `otherwise` and `optional` is required.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>

#include "trammel/parameters.h"

namespace trammel::sdk {

/// The ParameterType that a C++ field type stands for. Text is `text` unless `.expression()` or `.file()` follows.
template <class T>
consteval ParameterType parameter_type() {
  if constexpr (std::is_same_v<T, double>)
    return ParameterType::number;
  else if constexpr (std::is_same_v<T, bool>)
    return ParameterType::boolean;
  else if constexpr (std::is_same_v<T, std::int32_t>)
    return ParameterType::choice;
  else if constexpr (std::is_same_v<T, std::int64_t>)
    return ParameterType::integer;
  else if constexpr (std::is_enum_v<T>) {
    static_assert(std::is_same_v<std::underlying_type_t<T>, std::int32_t>, "a choice is `enum class X : std::int32_t`");
    return ParameterType::choice;
  } else if constexpr (std::is_same_v<T, Text>)
    return ParameterType::text;
  else if constexpr (std::is_same_v<T, Texts>)
    return ParameterType::texts;
  else if constexpr (std::is_same_v<T, double[3]>)
    return ParameterType::vector;
  else if constexpr (std::is_same_v<T, double[4]>)
    return ParameterType::rotation;
  else if constexpr (std::is_same_v<T, Numbers>)
    return ParameterType::numbers;
  else if constexpr (std::is_same_v<T, BodyRef>)
    return ParameterType::body;
  else if constexpr (std::is_same_v<T, BodyRefs>)
    return ParameterType::bodies;
  else if constexpr (std::is_same_v<T, PointRef>)
    return ParameterType::point;
  else if constexpr (std::is_same_v<T, ElementRef>)
    return ParameterType::element;
  else if constexpr (std::is_same_v<T, FunctionRef>)
    return ParameterType::function;
  else if constexpr (std::is_same_v<T, FunctionRefs>)
    return ParameterType::functions;
  else
    static_assert(!sizeof(T*), "not a parameter type: see parameters.h for the list");
}

/// One row under construction; every method returns the changed row.
struct Field {
  ParameterRecord record;
  std::uint32_t size;

 private:  // first: clang 14 evaluates constants with what it has read so far
  template <class T>
  constexpr Field set(T ParameterRecord::*member, std::type_identity_t<T> value) const {
    Field changed = *this;
    changed.record.*member = value;
    return changed;
  }
  constexpr Field low(double bound, bool exclusive) const {
    return set(&ParameterRecord::minimum, bound).set(&ParameterRecord::exclusive_minimum, exclusive);
  }
  constexpr Field high(double bound, bool exclusive) const {
    return set(&ParameterRecord::maximum, bound).set(&ParameterRecord::exclusive_maximum, exclusive);
  }

 public:
  constexpr Field at_least(double bound) const { return low(bound, false); }
  constexpr Field above(double bound) const { return low(bound, true); }
  constexpr Field at_most(double bound) const { return high(bound, false); }
  constexpr Field below(double bound) const { return high(bound, true); }

  /// Default as JSON text ("0", "[0, 0, 1]", "\"rms\"", "{\"type\": ...}") or "=name" of an earlier parameter.
  constexpr Field otherwise(const char* json) const { return set(&ParameterRecord::default_json, json); }
  /// May be left out; the field then says so itself (`given`).
  constexpr Field optional() const { return set(&ParameterRecord::optional, true); }
  /// The words of a choice in the order of the enumeration: "rms|max".
  constexpr Field choices(const char* words) const { return set(&ParameterRecord::choices, words); }
  /// Number of entries of a list, exactly or from-to.
  constexpr Field count(std::int32_t exactly) const { return count(exactly, exactly); }
  constexpr Field count(std::int32_t from, std::int32_t to) const {
    return set(&ParameterRecord::count_min, from).set(&ParameterRecord::count_max, to);
  }
  /// A vector whose length does not follow the model: two or three entries always.
  constexpr Field two() const { return set(&ParameterRecord::length, VectorLength::two); }
  constexpr Field three() const { return set(&ParameterRecord::length, VectorLength::three); }
  /// A vector that is a direction: the component gets it with length 1, zero is refused.
  constexpr Field direction() const { return set(&ParameterRecord::type, ParameterType::direction); }
  /// A vector that is a point of the element's body 0 or 1 (of its `bodies`, or its one `body`), in that body's axes; the
  /// run file may give the name of a point instead.
  /// A `direction` (say so first) or rotation in that body's axes: the run file may name an axis of a point on the body
  /// ("tip.z"), or the point.
  constexpr Field on_body(std::int32_t which) const {
    const bool axes = record.type == ParameterType::direction || record.type == ParameterType::rotation;
    return axes ? set(&ParameterRecord::count_min, 2 + which)
                : set(&ParameterRecord::type, ParameterType::body_point).set(&ParameterRecord::count_min, which);
  }
  /// A vector, direction or rotation that is global, in the initial configuration: the run file may give the name of a
  /// point, whose place there is meant, of an axis of a point ("tip.z"), or of a point whose axes are meant.
  constexpr Field at_start() const { return set(&ParameterRecord::count_min, 1); }
  /// A Text that is a formula, or the name of a file.
  constexpr Field expression() const { return set(&ParameterRecord::type, ParameterType::expression); }
  constexpr Field file() const { return set(&ParameterRecord::type, ParameterType::file); }
  /// A JSON key that is not the member's name (a C++ keyword, for example).
  constexpr Field key(const char* name) const { return set(&ParameterRecord::name, name); }
};

template <class T>
consteval Field field(const char* name, std::size_t offset, const char* unit, const char* description) {
  ParameterRecord record{};
  record.name = name;
  record.type = parameter_type<T>();
  record.offset = static_cast<std::uint32_t>(offset);
  record.unit = unit;
  record.description = description;
  return {record, sizeof(T)};
}

/// One row: struct, member, unit ("1" for none), one sentence ending in a full stop.
#define TRAMMEL_FIELD(Struct, member, unit, description) \
  ::trammel::sdk::field<decltype(Struct::member)>(#member, offsetof(Struct, member), unit, description)

/// The rows of a table made for a struct that is a member here: shared groups such as error tolerances.
template <std::size_t N>
struct EmbeddedTable {
  std::array<Field, N> fields;
};
template <std::size_t N>
consteval EmbeddedTable<N> embedded(std::array<Field, N> fields, std::size_t offset) {
  for (Field& f : fields) f.record.offset += static_cast<std::uint32_t>(offset);
  return {fields};
}
#define TRAMMEL_EMBED(Struct, member, fields) ::trammel::sdk::embedded(fields, offsetof(Struct, member))

namespace detail {

// Called, hence a compile error that shows the name, when a table is wrong.
inline void parameter_name_is_not_snake_case() {}
inline void parameter_is_declared_twice() {}
inline void parameter_description_does_not_end_in_a_full_stop() {}
inline void choice_lacks_its_words_or_has_them_without_being_one() {}
inline void field_lies_outside_the_struct() {}

constexpr void check(const Field& f, std::size_t struct_size) {
  const std::string_view name = f.record.name, text = f.record.description;
  bool snake = !name.empty() && name[0] >= 'a' && name[0] <= 'z';
  for (const char c : name) snake = snake && ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_');
  if (!snake) parameter_name_is_not_snake_case();
  if (text.empty() || text.back() != '.') parameter_description_does_not_end_in_a_full_stop();
  if ((f.record.type == ParameterType::choice) != (f.record.choices != nullptr)) {
    choice_lacks_its_words_or_has_them_without_being_one();
  }
  if (f.record.offset + f.size > struct_size) field_lies_outside_the_struct();
}

constexpr std::array<Field, 1> rows_of(const Field& f) { return {f}; }
template <std::size_t N>
constexpr std::array<Field, N> rows_of(const EmbeddedTable<N>& e) {
  return e.fields;
}

}  // namespace detail

/// A parameter struct's table: rows and the struct's layout.
template <class Parameters, std::size_t N>
struct Table {
  static_assert(std::is_trivially_copyable_v<Parameters> && std::is_standard_layout_v<Parameters>,
                "a parameter struct holds the field types of parameters.h and nothing else");
  std::array<ParameterRecord, N> records;

  constexpr ParameterTable view() const {
    return {records.data(), static_cast<std::int32_t>(N), sizeof(Parameters), alignof(Parameters)};
  }
};

/// Rows for a shared group of parameters, for TRAMMEL_EMBED.
template <class... Rows>
constexpr auto group(const Rows&... rows) {
  constexpr std::size_t count = (std::size_t{0} + ... + std::tuple_size_v<decltype(detail::rows_of(rows))>);
  std::array<Field, count> all{};
  std::size_t at = 0;
  const auto append = [&](const auto& list) {
    for (const Field& f : list) all[at++] = f;
  };
  (append(detail::rows_of(rows)), ...);
  return all;
}

/// The checked table of `Parameters` from TRAMMEL_FIELD and TRAMMEL_EMBED entries, in the order of the reference pages.
template <class Parameters, class... Rows>
consteval auto table(const Rows&... rows) {
  const auto fields = group(rows...);
  Table<Parameters, std::tuple_size_v<decltype(group(rows...))>> result{};
  for (std::size_t i = 0; i < fields.size(); ++i) {
    detail::check(fields[i], sizeof(Parameters));
    for (std::size_t j = 0; j < i; ++j) {
      if (std::string_view(fields[j].record.name) == fields[i].record.name) detail::parameter_is_declared_twice();
    }
    result.records[i] = fields[i].record;
  }
  return result;
}

}  // namespace trammel::sdk
