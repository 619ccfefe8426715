// A run file, read and typed as far as that goes without knowing any plugin.
#pragma once

#include <filesystem>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "config/binder.h"
#include "config/event_options.h"
#include "config/node.h"
#include "config/problems.h"
#include "config/resolve.h"
#include "config/set_argument.h"
#include "config/start_options.h"
#include "config/written_document.h"

namespace trammel {

/// One object of the run file that describes a component (or a body, or a point).
struct Section {
  std::string name;            ///< key in its map; "" for system, analysis, formulation, integrator, output
  std::string type;            ///< "" for bodies and points
  const Node* node = nullptr;  ///< in RunFile::document; nullptr: the section was left out
  Place place;                 ///< of the name
  std::string path;            ///< JSON path of the node
  bool plain = false;          ///< the file names it by its type alone: "csv"

  /// Where the type stands in the file.
  std::string type_path() const { return plain ? path : path + "/type"; }
  explicit operator bool() const { return node != nullptr; }
};

enum class AnalysisType : std::int32_t { assembly, kinematics, inverse_dynamics, dynamics, equilibrium, modes, plugin };
enum class EquilibriumMethod : std::int32_t { none = -1, minimum_potential, settling, newton };

enum class Optimizer : std::int32_t { dfp, lbfgs };

enum class StartState : std::int32_t { given, equilibrium };

/// `analysis`. Left-out numbers are NaN.
struct AnalysisOptions {
  AnalysisType type;
  double duration;          ///< s, > 0
  double constraint_limit;  ///< m or rad: largest violation tolerated at an accepted step
  double correction_limit;  ///< m or rad: largest correction of the initial positions that is accepted
  EquilibriumMethod method;
  std::int32_t at;  ///< modes: 0 the initial state, 1 the equilibrium
  Determine determine;
  StartState start;
  double damping;                 ///< 1/s, of dynamic settling
  double velocity_tolerance;      ///< m/s or rad/s: below it a settling system is at rest
  double acceleration_tolerance;  ///< m/s^2 or rad/s^2, of an equilibrium; NaN: the method's own
  Optimizer optimizer;
  bool matrices;  ///< modes: write the state-space matrices

  /// An integrator carries the motion over time.
  bool integrates_motion() const { return type == AnalysisType::dynamics; }
};

/// `output`.
struct OutputOptions {
  double step;  ///< s, > 0; NaN: at every accepted step
  bool at_steps = true;
  std::vector<std::string> channels;  ///< as written: "crank", "pin.force", ...; empty: the default selection
  bool all_channels = false;
  std::vector<Section> writers;  ///< at least one; csv if none is named
};

/// What a run file is read for. The equations of a model need no method to integrate them, so that dynamics without an
/// integrator is all right there.
enum class RunFileUse { run, equations };

struct RunFile {
  std::filesystem::path file;      ///< as given
  std::filesystem::path folder;    ///< absolute; relative paths in the file start here
  WrittenDocument written;         ///< before settings; from it the file can be made anew
  std::unique_ptr<Node> document;  ///< expressions resolved; `node` pointers point into it,
  std::unique_ptr<Node> defaults;  ///< or here: sections that the file leaves out, nullptr if none is needed
  std::list<Node> plain_types;     ///< or here: components that the file names by their type alone
  RunFileUse use = RunFileUse::run;
  std::string title;
  ParameterValues parameters;
  std::vector<std::filesystem::path> plugin_search;  ///< absolute
  Section system;
  std::vector<Section> bodies, points, constraints, forces;
  std::vector<Section> signals;  ///< `node` of a formula is its text or number
  AnalysisOptions analysis{};
  Section opened_analysis;  ///< where a plugin brings it
  StartOptions start;
  std::vector<RunEvent> events;
  Section formulation, integrator;
  Section solver;  ///< of linear systems; left out: the program chooses ("auto")
  OutputOptions output{};
  std::vector<Setting> settings;  ///< what was changed in the document

  /// Frees what nobody asks for after set-up, most of the memory of a large model's file: bodies, points, constraints
  /// and, unless events change them, forces lose their nodes, in their sections and in the document.
  void fold();
  bool folded() const { return !folded_.empty(); }
  /// The resolved run file as JSON text, for summary.json's `run`.
  std::string resolved_json() const { return folded_.empty() ? to_json(*document) : folded_; }
  /// The document, also after `fold`; places are then those in that text.
  Node whole_document() const;

 private:
  std::string folded_;  ///< the resolved document as text
};

/// Reads a run file with the given --set arguments. Throws Error: everything wrong that can be told without plugins.
RunFile load_run_file(const std::filesystem::path& file, const std::vector<std::string>& sets = {},
                      RunFileUse use = RunFileUse::run);

/// The same; content errors are added to `problems` (malformed JSON still throws).
RunFile load_run_file(const std::filesystem::path& file, const std::vector<std::string>& sets, Problems& problems);
RunFile load_run_file(const std::filesystem::path& file, const std::vector<Setting>& settings, Problems& problems,
                      RunFileUse use = RunFileUse::run);

/// The same of a document that is no file, or is one already read: `file` is a name for messages.
RunFile make_run_file(const WrittenDocument& written, const std::filesystem::path& file,
                      const std::filesystem::path& folder, const std::vector<Setting>& settings, Problems& problems,
                      RunFileUse use = RunFileUse::run);

/// Where `section`'s component stands, for `bind`. Right for the system, bodies and every component with a type.
BindContext bind_context(const RunFile& run, const Section& section, Host host, Resolver* resolver);
/// Whether the kernel leads components of this kind on from frames to bodies (BindContext::frames).
inline bool attaches_to_frames(ComponentKind kind) {
  return kind == ComponentKind::constraint || kind == ComponentKind::force;
}

/// Tables of the parts of a run file that belong to no plugin; also the source of their JSON Schema.
ParameterTable analysis_table();
ParameterTable output_table();
ParameterTable point_table();

/// Shapes of bodies, for pictures only.
struct ShapeType {
  const char* type;
  ParameterTable table;
};
std::vector<ShapeType> shape_types();
/// Checks the `shape` of a body: one shape or an array of them.
void check_shape(const Node& shape, const std::string& path, Host host, Problems& problems);
/// Checks `ground` of a model, which may have a `shape` too.
void check_ground(const Node& ground, const std::string& path, Host host, Problems& problems);

/// Names that mean something else than a part of the model.
const std::vector<std::string>& reserved_names();

/// Resolves names of bodies, points and constraints of a run file. The kernel derives from it and adds `function`.
class NameResolver : public Resolver {
 public:
  /// Reads the named points; wrong ones are added to `problems`. `run` must outlive this.
  NameResolver(const RunFile& run, Host host, Problems& problems);
  std::optional<std::int32_t> body(const std::string& name) const override;
  std::optional<PointRef> point(const std::string& name) const override;
  std::optional<std::int32_t> element(const std::string& name) const override;
  std::optional<std::string> body_of_frame(const std::string& name) const override;
  std::optional<Marker> marker(const std::string& name) const override;
  std::vector<std::string> names(ParameterType kind) const override;
  bool knows_signals() const override { return !run_.signals.empty(); }
  FunctionRef function(const Node& node, const std::string& path, Problems& problems) override;

  /// The named points, in the order of RunFile::points.
  const std::vector<PointRef>& points() const { return points_; }

 private:
  const RunFile& run_;
  std::vector<PointRef> points_;
  std::vector<std::array<double, 9>> axes_;  ///< of the points

  /// Place by name; names belong to `run_`.
  using NameTable = std::unordered_map<std::string_view, std::int32_t>;
  static NameTable name_table(const std::vector<Section>& sections);

  NameTable body_table_, point_table_, constraint_table_;
};

}  // namespace trammel
