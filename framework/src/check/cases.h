// Models and methods of the run files that use a component.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "check/check.h"
#include "check/motion_places.h"
#include "config/plugin_cases.h"
#include "model/constrained_model.h"
#include "model/model.h"

namespace trammel::conformance {

/// A run file's model with its numbers, assembled to rounding where it has bodies.
class CaseModel {
 public:
  /// `sets`: --set arguments.
  CaseModel(const std::filesystem::path& file, PluginHost& host, const std::vector<std::string>& sets = {});

  RunFile run;
  Model model;
  std::unique_ptr<ConstrainedModel> numbers;  ///< null for problems without bodies
  std::vector<double> q, v, z;
  std::optional<std::vector<MotionState>> motion;  ///< kept by along_motion
};

/// Folders with cases: those that are given, else those beside the plugin, else that of installed cases.
std::vector<std::filesystem::path> case_folders(const Subject& subject);

/// The section of a run file that creates an integrator or formulation, and the component it creates.
struct MethodCase {
  std::string json;  ///< of the section
  std::string file;  ///< where it comes from
};
/// Distinct ways in which the cases use a method, without step and tolerances; at least one, {"type": ...}.
std::vector<MethodCase> method_cases(const Subject& subject);
/// The section of an integrator or formulation as JSON, without step, tolerances and names of a model.
std::string method_of_any_model(const Subject& subject, const Node& section);
/// Text without line ends and runs of blanks, for messages.
std::string one_line(const std::string& text);
/// Runs `look` for each of them; failures tell which. Skipped where all of them are.
void for_each_way(const Subject& subject, const std::function<void(const MethodCase&)>& look);

/// Makes the folder in which all checks work, and removes it in the end with all that is in it. One at a time.
class CheckFolder {
 public:
  CheckFolder();
  ~CheckFolder();
  CheckFolder(const CheckFolder&) = delete;
  CheckFolder& operator=(const CheckFolder&) = delete;
};
/// That folder.
const std::filesystem::path& check_folder();

/// In a check: writes a run file there; for models of its own.
std::filesystem::path write_run_file(const std::string& text);

}  // namespace trammel::conformance
