// Equilibria and modes in summary.json and in files.
#include "results/static_report.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "model/constrained_model.h"
#include "results/atomic_file.h"
#include "results/json_number.h"

namespace trammel {
namespace {

using Json = nlohmann::ordered_json;

std::string row(const std::string& label, const Eigen::Ref<const Eigen::VectorXd>& values) {
  std::string text = label;
  for (const double value : values) text += fmt::format(",{:.17g}", value + 0.0);  // -0 is 0
  return text + "\n";
}

}  // namespace

void StaticReport::add_to(Json& summary) const {
  if (equilibrium_sought) {
    if (stability_known) summary["stable"] = stability.stable;
    Json& json = summary["equilibrium"];
    json["found"] = equilibrium_found;
    json["method"] = method;
    json["iterations"] = search.iterations;
    json["evaluations"] = evaluations;
    json["acceleration"] = json_number(search.acceleration);
    json["moved"] = json_number(search.moved);
    if (potential_known) json["potential_energy"] = json_number(potential);
    if (settling_time > 0) json["settling_time"] = settling_time;
    if (search.condition > 0) json["condition"] = json_number(search.condition);
    if (stability_known) {
      json["stability_from"] = stability.from_stiffness ? "stiffness" : "eigenvalues";
      json["unstable"] = stability.unstable;
      json["neutral"] = stability.neutral;
      json["lowest"] = json_number(stability.lowest);
    }
  }
  if (!modes_taken) return;
  Json& json = summary["modes"];
  json["count"] = modes.size();
  for (std::size_t i = 0; i < modes.size(); ++i) {
    const std::string number_of = std::to_string(i + 1);
    json["omega." + number_of] = modes[i].omega();
    json["frequency." + number_of] = modes[i].frequency();
    json["damping_ratio." + number_of] = modes[i].damping_ratio();
  }
}

std::string StaticReport::to_text() const {
  std::string text;
  if (equilibrium_sought) {
    const char* verdict = !stability_known           ? "stability not known"
                          : stability.stable         ? "stable"
                          : stability.unstable > 0   ? "unstable"
                          : stability.from_stiffness ? "neutral: motions without stiffness"
                                                     : "neutral: motions that neither grow nor decay";
    text +=
        fmt::format("  Statics    {}: {} after {} iterations, acceleration at rest {:.2g}{}; {}\n", method,
                    equilibrium_found ? "equilibrium" : "no equilibrium", search.iterations, search.acceleration,
                    potential_known ? fmt::format(", potential energy {:.9g} J", potential) : std::string(), verdict);
  }
  if (modes_taken) {
    text += fmt::format("  Modes      {}", modes.size());
    constexpr std::size_t shown = 6;
    for (std::size_t i = 0; i < std::min(shown, modes.size()); ++i) {
      text += fmt::format("{}{:.5g}", i == 0 ? "; frequencies, Hz: " : ", ", modes[i].frequency());
    }
    text += modes.size() > shown ? ", ...\n" : "\n";
  }
  return text;
}

void StaticReport::write_modes(const ConstrainedModel& model, const std::filesystem::path& folder,
                               bool matrices) const {
  const Index n = model.coordinates();
  std::string table = "mode,real,imag,omega,frequency,damping_ratio\n", shapes = "mode", names, states = "", outputs;
  for (Index i = 0; i < n; ++i) names += fmt::format(",{}", model.coordinate_name(i));
  bool phases = false;
  for (const Mode& mode : modes) phases = phases || mode.shape.imag().cwiseAbs().maxCoeff() > 1e-12;
  shapes += names;
  for (Index i = 0; phases && i < n; ++i) shapes += fmt::format(",{}.imag", model.coordinate_name(i));
  shapes += "\n";
  for (std::size_t k = 0; k < modes.size(); ++k) {
    const Mode& mode = modes[k];
    table += fmt::format("{},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g}\n", k + 1, mode.lambda.real() + 0.0,
                         mode.lambda.imag(), mode.omega(), mode.frequency(), mode.damping_ratio());
    Eigen::VectorXd entries(phases ? 2 * n : n);
    entries.head(n) = mode.shape.real();
    if (phases) entries.tail(n) = mode.shape.imag();
    shapes += row(std::to_string(k + 1), entries);
  }
  write_atomically(folder / "modes.csv", table);
  write_atomically(folder / "mode_shapes.csv", shapes);
  if (!matrices) return;
  std::vector<std::string> labels;
  std::vector<std::string> of_w = linear.names;
  for (std::size_t i = 0; linear.names.empty() && i < linear.independent.size(); ++i)
    of_w.emplace_back(model.coordinate_name(linear.independent[i]));
  labels = of_w;
  for (const std::string& name : of_w) labels.push_back(name + "_dot");
  for (const ForceSlot& slot : model.assembly().forces) {
    for (Index k = 0; k < slot.states; ++k) labels.push_back(fmt::format("{}.z.{}", slot.name, k));
  }
  std::string header = "state";
  for (const std::string& label : labels) header += "," + label;
  const Eigen::MatrixXd A = linear.motion.state_matrix();
  states = header + "\n";
  for (Eigen::Index i = 0; i < A.rows(); ++i) states += row(labels[static_cast<std::size_t>(i)], A.row(i).transpose());
  outputs = "coordinate" + header.substr(5) + "\n";
  for (Index i = 0; i < n; ++i) {
    Eigen::VectorXd entries = Eigen::VectorXd::Zero(A.cols());
    entries.head(linear.T.cols()) = linear.T.row(i).transpose();
    outputs += row(model.coordinate_name(i), entries);
  }
  write_atomically(folder / "state_matrix.csv", states);
  write_atomically(folder / "output_matrix.csv", outputs);
}

}  // namespace trammel
