// From JSON to the filled parameter struct that a component receives, by the component's own table.
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <forward_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/node.h"
#include "config/problems.h"
#include "config/resolve.h"
#include "plugin/catalogue.h"
#include "trammel/parameters.h"

namespace trammel {

/// A named point with its axes; columns of `axes` (by rows) are the marker's x, y and z in the body's axes.
struct Marker {
  PointRef point;
  std::array<double, 9> axes = {1, 0, 0, 0, 1, 0, 0, 0, 1};
};

/// Where a body is at the start: place, and body axes to global axes by rows.
struct StartPlace {
  std::array<double, 3> r = {0, 0, 0};
  std::array<double, 9> A = {1, 0, 0, 0, 1, 0, 0, 0, 1};
};

/// What the names in a run file mean. The kernel derives from NameResolver (run_file.h) and adds `function`.
class Resolver {
 public:
  virtual ~Resolver() = default;
  /// Index of a body, -1 for ground, nothing if there is no such body; the others likewise.
  virtual std::optional<std::int32_t> body(const std::string& name) const = 0;
  virtual std::optional<PointRef> point(const std::string& name) const = 0;
  virtual std::optional<std::int32_t> element(const std::string& name) const = 0;
  /// The body of a point whose name `body` takes for the frame there; nothing if the name is a body's, or nobody's.
  virtual std::optional<std::string> body_of_frame(const std::string& name) const {
    (void)name;
    return std::nullopt;
  }
  /// The named point with its axes.
  virtual std::optional<Marker> marker(const std::string& name) const { return plain_marker(point(name)); }
  /// Nothing before bodies have been placed, and while files are only checked.
  virtual std::optional<StartPlace> start(BodyRef body) const {
    (void)body;
    return std::nullopt;
  }
  /// Valid names of the three, for messages.
  virtual std::vector<std::string> names(ParameterType kind) const = 0;
  /// Whether the run file has signals, which may stand for functions.
  virtual bool knows_signals() const { return false; }
  /// Checks and, outside of `validate`, creates the function of this node: an object with "type", a number, or the name of
  /// a signal. Wrong content goes to `problems`. The function lives as long as the run.
  virtual FunctionRef function(const Node& node, const std::string& path, Problems& problems) = 0;

 private:
  static std::optional<Marker> plain_marker(const std::optional<PointRef>& point) {
    return point ? std::optional<Marker>(Marker{*point}) : std::nullopt;
  }
};

/// Where a component's node stands and what its entries may refer to.
struct BindContext {
  std::string path;     ///< JSON path of the node: "/system/constraints/pin"
  std::string subject;  ///< "type 'revolute'", for "unknown key for type 'revolute'"
  Host host = Host::any;
  Resolver* resolver = nullptr;                    ///< nullptr: the table refers to nothing by name
  const ParameterValues* parameters = nullptr;     ///< for the texts of expressions
  std::filesystem::path folder;                    ///< files are relative to it
  std::vector<std::string> other_keys = {"type"};  ///< legal keys that are not in the table
  bool frames = false;  ///< points of bodies that deform may stand for bodies: of elements, which attach to frames
};

/// Memory of a parameter struct and of all that its fields point to; moving it moves neither.
struct ParameterMemory {
  std::unique_ptr<std::byte[]> block;
  void* data = nullptr;  ///< the struct, aligned inside `block`
  // Lists: what is added last is in front, and one that stays empty takes one word. Most do, in each of a model's elements.
  std::forward_list<std::string> texts;
  std::forward_list<std::vector<Text>> lists_of_texts;
  std::forward_list<std::vector<double>> numbers;
  std::forward_list<std::vector<BodyRef>> bodies;
  std::forward_list<std::vector<FunctionRef>> functions;
};

/// A filled parameter struct with what it points to; moving it moves neither.
class BoundParameters {
 public:
  BoundParameters() = default;
  explicit BoundParameters(ParameterMemory memory) : memory_(std::move(memory)) {}

  const void* data() const { return memory_.data; }
  template <class T>
  const T& as() const {
    return *static_cast<const T*>(memory_.data);
  }

 private:
  ParameterMemory memory_;
};

/// Fills the struct of `table` from an object. Strict: unknown keys, wrong types, values out of bounds, missing keys
/// are errors; left-out keys get their defaults or the left-out values of parameters.h. Throws Error (input) that shows everything wrong.
BoundParameters bind(const ParameterTable& table, const Node& node, const BindContext& context);

/// The same for a component's table, which `infos` describes as the plugin's minor version meant it.
BoundParameters bind_component(const ParameterTable& table, const std::vector<ParameterInfo>& infos, const Node& node,
                               const BindContext& context);

/// The same, with everything wrong added to `problems`; the struct is complete only if nothing was added.
BoundParameters bind(const ParameterTable& table, const Node& node, const BindContext& context, Problems& problems);

/// The same checks without a struct.
void check(const std::vector<ParameterInfo>& table, const Node& node, const BindContext& context, Problems& problems);

}  // namespace trammel
