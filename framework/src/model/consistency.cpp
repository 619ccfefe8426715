// Consistent initial conditions, rank and definiteness.
#include "model/consistency.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "linalg/dense_kkt.h"
#include "linalg/rank.h"
#include "run/model_plant.h"
#include "trammel/error.h"

namespace trammel {
namespace {

// Newton stops when no coordinate moves by more than this any more, m or rad: rounding of coordinates of size 1 to 100.
constexpr double position_tolerance = 1e-13;

// Disagreements below this are rounding of the positions in the file.
constexpr double contradiction = 1e-6;

std::string element_name(const ConstrainedModel& model, Index row) {
  const ConstraintSlot* slot = model.assembly().constraint_of_row(row);
  return slot != nullptr ? slot->name : std::string(model.row_name(row));
}

Index largest(ConstVectorView x) {
  Index index = 0;
  if (x.size > 0) x.map().cwiseAbs().maxCoeff(&index);
  return index;
}

/// `key` leads the reader of the run file to the element: "constraints/pin".
[[noreturn]] void refuse(const std::string& message, const std::string& key = "") {
  throw Error::parameter(key, message);
}

std::string key_of_row(const ConstrainedModel& model, Index row) {
  const ConstraintSlot* slot = model.assembly().constraint_of_row(row);
  return slot != nullptr ? "constraints/" + slot->name : "bodies/" + model.assembly().body_names[static_cast<std::size_t>(
                                                                        row - model.assembly().element_rows())];
}

[[noreturn]] void refuse_evaluation(const ConstrainedModel& model, const Status& status) {
  refuse(fmt::format("the initial state cannot be evaluated: {} {}: {}", model.failed_element(),
                     status_name(status.code), status.what), model.failed_element_key());
}

}  // namespace

std::string explain_singularity(ConstrainedModel& model) {
  const RankReport report = analyse_rank(model.kkt());
  const Index rows = model.constraints();
  if (report.rank == rows) {
    std::string body;
    const Status status = [&] {
      DenseKkt dense;
      dense.analyse(model.kkt());
      return dense.factorize(model.kkt());
    }();
    if (status.code == StatusCode::singular && status.subject >= rows) {
      body = model.assembly().body_names[static_cast<std::size_t>(status.subject - rows)];
    }
    return body.empty() ? "a body can move in a direction in which it has no inertia"
                        : fmt::format("body '{}' can move in a direction in which it has no inertia; give it inertia "
                                      "there, or constrain that motion", body);
  }
  std::string text = fmt::format("the constraints are redundant or singular: rank {} of {} rows", report.rank, rows);
  for (std::size_t i = 0; i < report.dependent.size() && i < 3; ++i) {
    const DependentRow& dependent = report.dependent[i];
    std::vector<std::string> others;
    for (Index row : dependent.others) {
      const std::string name = "'" + element_name(model, row) + "'";
      if (std::find(others.begin(), others.end(), name) == others.end()) others.push_back(name);
    }
    // The same combination of the residuals: not zero means that no position satisfies all of them.
    double disagreement = model.Phi()[dependent.row];
    for (std::size_t k = 0; k < dependent.others.size(); ++k) {
      disagreement -= dependent.combination[k] * model.Phi()[dependent.others[k]];
    }
    text += fmt::format("; row '{}' repeats what {} {}", model.row_name(dependent.row), fmt::join(others, ", "),
                        others.size() == 1 ? "demands" : "demand");
    if (std::abs(disagreement) > contradiction) text += fmt::format(", and disagrees with it by {:.6g}", std::abs(disagreement));
  }
  return text + "; leave one of these joints some freedom";
}

void make_consistent(ConstrainedModel& model, double t, VectorView q, VectorView v, VectorView z, double limit,
                     InitialReport& report) {
  const std::vector<double> q_given(q.data, q.data + q.size), v_given(v.data, v.data + v.size);
  Status status = model.evaluate(t, q, v, z, evaluate_Phi | evaluate_jacobian);
  if (!status) refuse_evaluation(model, status);
  const std::vector<double> violation(model.Phi().data, model.Phi().data + model.Phi().size);
  const ConstVectorView violated{violation.data(), static_cast<Index>(violation.size())};
  const auto worst_row = [&] { return std::string(model.row_name(largest(violated))); };
  const std::string worst_key = violated.size > 0 ? key_of_row(model, largest(violated)) : "";

  status = model.project_positions(t, q, ProjectionWeights::identity, position_tolerance, report.positions);
  if (status.code == StatusCode::singular) {
    const double worst = std::abs(violation[static_cast<std::size_t>(largest(violated))]);
    refuse((worst > limit ? fmt::format("the initial positions violate '{}' by {:.6g}, and ", worst_row(), worst)
                          : std::string("initial positions: ")) +
           explain_singularity(model), worst > limit ? worst_key : std::string());
  }
  if (!status) {
    refuse(fmt::format("the initial positions cannot be made consistent: no position of the bodies near the given one "
                       "satisfies all constraints; '{}' is violated most, by {:.6g}", worst_row(),
                       std::abs(violation[static_cast<std::size_t>(largest(violated))])), worst_key);
  }
  std::vector<double> change(q.data, q.data + q.size);
  for (std::size_t i = 0; i < change.size(); ++i) change[i] -= q_given[i];
  const Index moved = largest({change.data(), q.size});
  if (q.size > 0) report.position_coordinate = model.coordinate_name(moved);
  if (report.positions.correction > limit) {
    refuse(fmt::format("the initial positions violate the constraints: '{}' by {:.6g}; satisfying all of them moves {} by "
                       "{:.6g}, more than analysis.correction_limit = {:g}", worst_row(),
                       std::abs(violation[static_cast<std::size_t>(largest(violated))]), report.position_coordinate,
                       report.positions.correction, limit), worst_key);
  }
  status = model.project_velocities(t, q, v, ProjectionWeights::identity, report.velocities);
  if (status.code == StatusCode::singular) refuse("initial velocities: " + explain_singularity(model));
  if (!status) refuse(fmt::format("the initial velocities cannot be made consistent: {}", status.what));
  for (std::size_t i = 0; i < change.size(); ++i) change[i] = v.data[i] - v_given[i];
  if (v.size > 0) report.velocity_coordinate = model.coordinate_name(largest({change.data(), v.size}));
  if (report.velocities.correction > limit) {
    refuse(fmt::format("the initial velocities violate the constraints by {:.6g}; satisfying them changes the rate of {} "
                       "by {:.6g}, more than analysis.correction_limit = {:g}", report.velocities.violation,
                       report.velocity_coordinate, report.velocities.correction, limit));
  }

  status = model.evaluate(t, q, v, z, evaluate_dynamics);
  if (status) status = model.factorize(ProjectionWeights::mass);
  if (status.code == StatusCode::singular) refuse("initial state: " + explain_singularity(model));
  if (!status) refuse_evaluation(model, status);
}

}  // namespace trammel
