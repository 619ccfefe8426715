// Consistent initial conditions, rank and definiteness.
#include "model/consistency.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "linalg/dense_kkt.h"
#include "model/rank_report.h"
#include "run/model_plant.h"
#include "trammel/error.h"

namespace trammel {
namespace {

// Newton stops when no coordinate moves by more than this any more, m or rad: rounding of coordinates of size 1 to 100.
constexpr double position_tolerance = 1e-13;

// What dependent rows may be violated by where the others hold: rounding of the geometry in the file, no more.
constexpr double contradiction = 1e-7;
// The Jacobian of an assembled model is known to rounding; mechanisms closer than this (sine of an angle) to a singular
// configuration cannot be told from singular ones by the range-space solve.
constexpr double dependence_threshold = 1e-6;
// Before assembly, rows violated by some amount can look independent by as much.
constexpr double coarse_threshold = 1e-2;

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
  std::string body;
  const Status status = [&] {
    DenseKkt dense;
    dense.analyse(model.kkt());
    return dense.factorize(model.kkt());
  }();
  if (status.code == StatusCode::singular && status.subject >= model.constraints()) {
    body = model.assembly().body_names[static_cast<std::size_t>(status.subject - model.constraints())];
  }
  return body.empty() ? "a body can move in a direction in which it has no inertia"
                      : fmt::format("body '{}' can move in a direction in which it has no inertia; give it inertia "
                                    "there, or constrain that motion", body);
}

namespace {

/// Refuses if rows that were left out as dependent are not satisfied with the others: no state satisfies all of them.
void refuse_contradictions(ConstrainedModel& model, const char* what, ConstVectorView residual) {
  Index worst = -1;
  for (Index r = 0; r < model.constraints(); ++r) {
    if (!model.is_redundant(r) || !(std::abs(residual[r]) > contradiction)) continue;
    if (worst < 0 || std::abs(residual[r]) > std::abs(residual[worst])) worst = r;
  }
  if (worst < 0) return;
  const RedundantRow row = explain_redundant_row(model, worst);
  refuse(fmt::format("the constraints contradict each other: {} of {} rows are independent; row '{}' repeats what {}, and "
                     "disagrees with it by {:.6g}{}; leave one of these joints some freedom, or make their geometry agree",
                     model.constraints() - model.redundant(), model.constraints(), model.row_name(worst), row.demand,
                     std::abs(residual[worst]), what),
         key_of_row(model, worst));
}

/// Newton with the rows independent at the state, chosen anew where that changed: away from the constraints, dependent
/// rows look independent by as much as they are violated.
Status project_with_choice(ConstrainedModel& model, double t, VectorView q, ConstVectorView z, double worst,
                           ProjectionReport& report) {
  constexpr int most_choices = 6;
  Index left_out = model.choose_rows(std::clamp(10 * worst, dependence_threshold, coarse_threshold));
  ProjectionReport again;
  for (int i = 0; i < most_choices; ++i) {
    Status status = model.project_positions(t, q, ProjectionWeights::identity, position_tolerance, i == 0 ? report : again);
    if (status) status = model.evaluate(t, q, {}, z, evaluate_Phi | evaluate_jacobian);
    if (!status) return status;
    const Index before = left_out;
    left_out = model.choose_rows(dependence_threshold);
    if (left_out >= before) break;  // rows that count again may need another correction
  }
  return Status::success();
}

/// Which single constraints the model can be assembled without, and by how much they are then violated, in words.
std::string find_culprits(ConstrainedModel& model, double t, const std::vector<double>& q_given, ConstVectorView z) {
  constexpr std::size_t most_tried = 200, most_named = 4;
  std::string text;
  std::size_t tried = 0, named = 0;
  std::vector<double> q(q_given.size());
  const VectorView position{q.data(), static_cast<Index>(q.size())};
  for (const ConstraintSlot& slot : model.assembly().constraints) {
    if (++tried > most_tried || named == most_named) break;
    q = q_given;
    if (!model.evaluate(t, position, {}, z, evaluate_Phi | evaluate_jacobian)) continue;
    model.choose_rows(coarse_threshold);
    model.leave_out(slot);
    ProjectionReport report;
    if (!model.project_positions(t, position, ProjectionWeights::identity, position_tolerance, report)) continue;
    if (!model.evaluate(t, position, {}, z, evaluate_Phi)) continue;
    const double violation = model.Phi().segment(slot.first_row, slot.rows).map().lpNorm<Eigen::Infinity>();
    text += fmt::format("{} '{}' (then violated by {:.6g})", named++ == 0 ? "; it can be assembled without" : " or without",
                        slot.name, violation);
  }
  return text;
}

}  // namespace

void make_consistent(ConstrainedModel& model, double t, VectorView q, VectorView v, VectorView z, double limit,
                     InitialReport& report) {
  const std::vector<double> q_given(q.data, q.data + q.size), v_given(v.data, v.data + v.size);
  Status status = model.evaluate(t, q, v, z, evaluate_Phi | evaluate_jacobian);
  if (!status) refuse_evaluation(model, status);
  const std::vector<double> violation(model.Phi().data, model.Phi().data + model.Phi().size);
  const ConstVectorView violated{violation.data(), static_cast<Index>(violation.size())};
  const auto worst_row = [&] { return std::string(model.row_name(largest(violated))); };
  const std::string worst_key = violated.size > 0 ? key_of_row(model, largest(violated)) : "";

  status = project_with_choice(model, t, q, z, violated.size > 0 ? std::abs(violated[largest(violated)]) : 0, report.positions);
  if (!status) {
    refuse(fmt::format("the initial positions cannot be made consistent: no position of the bodies near the given one "
                       "satisfies all constraints; '{}' is violated most, by {:.6g}{}", worst_row(),
                       std::abs(violation[static_cast<std::size_t>(largest(violated))]),
                       find_culprits(model, t, q_given, z)), worst_key);
  }
  std::vector<double> change(q.data, q.data + q.size);
  for (std::size_t i = 0; i < change.size(); ++i) change[i] -= q_given[i];
  const Index moved = largest({change.data(), q.size});
  if (q.size > 0) {
    report.position_coordinate = model.coordinate_name(moved);
    report.positions.correction = std::abs(change[static_cast<std::size_t>(moved)]);
  }
  refuse_contradictions(model, "", model.Phi());
  if (report.positions.correction > limit) {
    refuse(fmt::format("the initial positions violate the constraints: '{}' by {:.6g}; satisfying all of them moves {} by "
                       "{:.6g}, more than analysis.correction_limit = {:g}", worst_row(),
                       std::abs(violation[static_cast<std::size_t>(largest(violated))]), report.position_coordinate,
                       report.positions.correction, limit), worst_key);
  }
  status = model.project_velocities(t, q, v, ProjectionWeights::identity, report.velocities);
  if (!status) refuse(fmt::format("the initial velocities cannot be made consistent: {}", status.what));
  for (std::size_t i = 0; i < change.size(); ++i) change[i] = v.data[i] - v_given[i];
  if (v.size > 0) report.velocity_coordinate = model.coordinate_name(largest({change.data(), v.size}));
  if (report.velocities.correction > limit) {
    refuse(fmt::format("the initial velocities violate the constraints by {:.6g}; satisfying them changes the rate of {} "
                       "by {:.6g}, more than analysis.correction_limit = {:g}", report.velocities.violation,
                       report.velocity_coordinate, report.velocities.correction, limit));
  }

  status = model.evaluate(t, q, v, z, evaluate_dynamics | evaluate_nu);
  if (!status) refuse_evaluation(model, status);
  std::vector<double> rate(static_cast<std::size_t>(model.constraints()));
  model.apply_jacobian(v, {rate.data(), static_cast<Index>(rate.size())});
  for (std::size_t r = 0; r < rate.size(); ++r) rate[r] -= model.nu()[static_cast<Index>(r)];
  refuse_contradictions(model, " per second", {rate.data(), static_cast<Index>(rate.size())});
  if (status) status = model.factorize(ProjectionWeights::mass);
  if (status.code == StatusCode::singular) refuse("initial state: " + explain_singularity(model));
  if (!status) refuse_evaluation(model, status);
}

}  // namespace trammel
