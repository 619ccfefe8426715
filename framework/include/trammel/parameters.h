// Parameters: each declared once, in a table beside the struct the component receives filled.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>

namespace trammel {

class Function;

// --- The field types a parameter struct may have, and nothing else -------------------------------------------------

/// UTF-8 text owned by the kernel, valid as long as the component.
struct Text {
  const char* data = nullptr;
  std::int64_t size = 0;
  std::string_view view() const { return {data, static_cast<std::size_t>(size)}; }
  bool given() const { return data != nullptr; }
};

/// Texts owned by the kernel, valid as long as the component. Empty if left out.
struct Texts {
  const Text* data = nullptr;
  std::int64_t size = 0;
  const Text& operator[](std::int64_t i) const { return data[i]; }
};

/// Numbers owned by the kernel, valid as long as the component. Empty if left out.
struct Numbers {
  const double* data = nullptr;
  std::int64_t size = 0;
  double operator[](std::int64_t i) const { return data[i]; }
};

/// A body of the model by its index in the order of the run file; -1 is ground, -2 was left out.
struct BodyRef {
  std::int32_t index = -2;
  bool is_ground() const { return index == -1; }
  bool given() const { return index != -2; }
};

struct BodyRefs {
  const BodyRef* data = nullptr;
  std::int64_t size = 0;
  const BodyRef& operator[](std::int64_t i) const { return data[i]; }
};

/// A named point of the run file: body and body-fixed coordinates, m (planar models: two used).
struct PointRef {
  BodyRef body;
  double local[3] = {0, 0, 0};
};

/// A constraint or force of the model by its index among its kind, -1 if left out (couplers: "the angle of joint ...").
struct ElementRef {
  std::int32_t index = -1;
};

/// A Function of the run file, owned by the kernel; nullptr if left out.
using FunctionRef = const Function*;

struct FunctionRefs {
  const FunctionRef* data = nullptr;
  std::int64_t size = 0;
};

// --- The table -----------------------------------------------------------------------------------------------------

enum class ParameterType : std::int32_t {
  number,    ///< double
  integer,   ///< std::int64_t
  boolean,   ///< bool
  choice,    ///< std::int32_t, the position in `choices` ("rms|max")
  text,      ///< Text
  vector,    ///< double[3]; planar models read two entries and leave the third 0
  rotation,  ///< double[4], Euler parameters e0 first, normalised; the JSON forms of DESIGN section 5; default identity
  numbers,   ///< Numbers; bounds hold for each entry, `count_min` and `count_max` for their number. One number may
             ///< stand for a list of one.
  body,      ///< BodyRef
  bodies,    ///< BodyRefs
  point,     ///< PointRef, by the name of a point of the run file
  element,   ///< ElementRef, by the name of a constraint
  function,  ///< FunctionRef: {"type": ...} or a plain number (a constant)
  functions,   ///< FunctionRefs
  expression,  ///< Text: a formula, the run file's `parameters` already replaced by their values
  file,        ///< Text: an existing file, made absolute (in JSON relative to the run file)
  texts,       ///< Texts
  direction,   ///< double[3], like `vector`, made of length 1; zero is refused
  body_point,  ///< double[3], like `vector`, fixed in a body of the element, or the name of a point on that body:
               ///< `count_min` 0 for its `body` parameter or the first of its `bodies`, 1 for the second
};

/// How many entries of a vector the JSON must have.
enum class VectorLength : std::int32_t { host, two, three };

inline constexpr double no_bound = std::numeric_limits<double>::infinity();

/// One row of the table. Plain data: it crosses the plugin boundary inside the descriptor.
struct ParameterRecord {
  const char* name;  ///< JSON key, snake_case
  ParameterType type;
  std::uint32_t offset;                ///< of the field in the struct, bytes
  const char* unit;                    ///< "N/m", "1" for none
  const char* description;             ///< one sentence, ending in a full stop
  const char* default_json = nullptr;  ///< JSON text; "=name" refers to an earlier parameter; nullptr: required
  double minimum = -no_bound;
  double maximum = no_bound;
  bool exclusive_minimum = false;  ///< > instead of >=
  bool exclusive_maximum = false;
  bool optional = false;          ///< may be left out without a default: see `given` below
  const char* choices = nullptr;  ///< for `choice`: "word|word"
  std::int32_t count_min = 0;     ///< for numbers, bodies, functions, texts; others: sdk::Field::at_start and on_body
  std::int32_t count_max = std::numeric_limits<std::int32_t>::max();
  VectorLength length = VectorLength::host;
};

/// Left-out optional numbers and vectors are NaN, texts and lists empty, references as their types say.
inline double left_out() { return std::numeric_limits<double>::quiet_NaN(); }
inline bool given(double value) { return !std::isnan(value); }
inline bool given(const double* vector) { return !std::isnan(vector[0]); }

/// View of a table: records, their number, and the struct they fill.
struct ParameterTable {
  const ParameterRecord* records = nullptr;
  std::int32_t count = 0;
  std::uint32_t struct_size = 0;  ///< bytes
  std::uint32_t struct_align = 1;
};

}  // namespace trammel
