// Consistent initial conditions, rank and definiteness.
#include "model/consistency.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "linalg/dependence.h"
#include "model/assembler.h"
#include "model/element_report.h"
#include "model/kinematic_count.h"
#include "model/rank_report.h"
#include "model/some_names.h"
#include "plugin/breadcrumb.h"
#include "trammel/error.h"
#include "trammel/extensions/coordinate_zeros.h"
#include "trammel/math/dense_lu.h"
#include "trammel/math/kkt_entries.h"

namespace trammel {
namespace {

// Newton stops when no coordinate moves by more than this any more, of the model's unit or rad: rounding of coordinates
// of size 1 to 100.
constexpr double position_tolerance = 1e-13;

// What dependent rows may be violated by where the others hold: rounding of the geometry in the file, no more.
constexpr double contradiction = 1e-7;
// The Jacobian of an assembled model is known to rounding; mechanisms closer than this (sine of an angle) to a singular
// configuration cannot be told from singular ones by the range-space solve.
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
  return slot != nullptr
             ? "constraints/" + slot->name
             : "bodies/" + model.assembly().body_names[static_cast<std::size_t>(row - model.assembly().element_rows())];
}

[[noreturn]] void refuse_evaluation(const ConstrainedModel& model, const Status& status) {
  const std::string text = fmt::format("the initial state cannot be evaluated: {} {}: {}",
                                       failed_element(model.point()), status_name(status.code), status.what);
  if (status.code == StatusCode::not_finite)
    throw Error(ErrorKind::compute, text);  // a component's fault, not the file's
  refuse(text, failed_element_key(model.point()));
}

}  // namespace

std::string explain_singularity(ConstrainedModel& model) {
  std::string body;
  const Status status = [&] {
    const KktMatrix& k = model.parts().kkt.matrix();
    DenseLu dense;
    dense.resize(kkt_size(k));
    each_kkt_entry(k, [&](Index row, Index column, double value) { dense.matrix()(row, column) += value; });
    return name_unknown(k, dense.factorize());
  }();
  if (status.code == StatusCode::singular && status.subject >= model.constraints()) {
    body = model.assembly().body_names[static_cast<std::size_t>(status.subject - model.constraints())];
  }
  return body.empty() ? "a body can move in a direction in which it has no inertia"
                      : fmt::format(
                            "body '{}' can move in a direction in which it has no inertia; give it inertia "
                            "there, or constrain that motion",
                            body);
}

namespace {

bool is_driver(const ConstraintSlot* slot) { return slot != nullptr && slot->effort != nullptr && slot->rows == 1; }

/// "'a', 'b'" where all of these rows are drivers: they move one and the same thing; otherwise "".
std::string drivers_alone(const ConstrainedModel& model, const std::vector<Index>& rows) {
  std::vector<std::string> names;
  for (const Index row : rows) {
    const ConstraintSlot* slot = model.assembly().constraint_of_row(row);
    if (!is_driver(slot)) return "";
    names.push_back(slot->name);
  }
  return some_quoted(names);
}

/// Refuses if rows that were left out as dependent are not satisfied with the others: no state satisfies all of them.
void refuse_contradictions(ConstrainedModel& model, const char* what, ConstVectorView residual) {
  Index worst = -1;
  for (Index r = 0; r < model.constraints(); ++r) {
    const double amount = std::abs(residual[r]) / model.unit().row(r);
    if (!model.rank().is_redundant(r) || !(amount > contradiction)) continue;
    if (worst < 0 || amount > std::abs(residual[worst]) / model.unit().row(worst)) worst = r;
  }
  if (worst < 0) return;
  const RedundantRow row = explain_redundant_row(model, worst);
  const std::string same = drivers_alone(model, model.rank().near_combination(worst).others);
  if (!same.empty() && is_driver(model.assembly().constraint_of_row(worst))) {
    const std::string name = model.assembly().constraint_of_row(worst)->name;
    refuse(
        fmt::format("the drivers contradict each other: '{}' moves what {} moves, and disagrees with it by {:.6g}{}; "
                    "leave one of these drivers out",
                    name, same, std::abs(residual[worst]), what),
        key_of_row(model, worst));
  }
  refuse(
      fmt::format("the constraints contradict each other: {} of {} rows are independent; row '{}' repeats what {}, and "
                  "disagrees with it by {:.6g}{}; leave one of these joints some freedom, or make their geometry agree",
                  model.constraints() - model.rank().redundant(), model.constraints(), model.row_name(worst),
                  row.demand, std::abs(residual[worst]), what),
      key_of_row(model, worst));
}

/// Newton with the rows independent at the state, chosen anew where that changed: away from the constraints, dependent
/// rows look independent by as much as they are violated.
Status project_with_choice(ConstrainedModel& model, double t, VectorView q, ConstVectorView z, double worst,
                           ProjectionReport& report) {
  constexpr int most_choices = 6;
  Index left_out = model.rank().choose_rows(std::clamp(10 * worst, dependence_threshold, coarse_threshold));
  ProjectionReport again;
  for (int i = 0; i < most_choices; ++i) {
    Status status =
        model.project_positions(t, q, ProjectionWeights::identity, position_tolerance, i == 0 ? report : again);
    if (status) status = model.evaluate(t, q, {}, z, evaluate_Phi | evaluate_jacobian);
    if (!status) return status;
    const Index before = left_out;
    left_out = model.rank().choose_rows(dependence_threshold);
    if (left_out >= before) break;  // rows that count again may need another correction
  }
  return Status::success();
}

/// "'a' by 0.1, 'b' by 0.2 and 3 more"
std::string name_misses(const std::vector<Assembler::Miss>& misses) {
  constexpr std::size_t most = 6;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, misses.size()); ++i) {
    text += fmt::format("{}'{}' by {:.6g}", i == 0 ? "" : ", ", misses[i].name, misses[i].amount);
  }
  return text + (misses.size() > most ? fmt::format(" and {} more", misses.size() - most) : std::string());
}

/// Which single constraints among those that disagree the model can be assembled without, in words.
std::string find_culprits(Assembler& assembler, const ConstrainedModel& model, const std::vector<double>& q_given,
                          const std::vector<Assembler::Miss>& misses) {
  constexpr std::size_t most_tried = 12, most_named = 4;
  std::string text;
  std::size_t tried = 0, named = 0;
  std::vector<double> q;
  assembler.be_quick(true);
  for (const ConstraintSlot& slot : model.assembly().constraints) {
    const bool part =
        std::any_of(misses.begin(), misses.end(), [&](const auto& miss) { return miss.name == slot.name; });
    if (!part || ++tried > most_tried || named == most_named) continue;
    q = q_given;
    AssemblyReport report;
    assembler.skip({&slot});
    if (!assembler.positions({q.data(), static_cast<Index>(q.size())}, report)) continue;
    text +=
        fmt::format("{} '{}' (then violated by {:.6g})", named++ == 0 ? "; it can be assembled without" : " or without",
                    slot.name, assembler.violation(slot));
  }
  assembler.skip({}), assembler.be_quick(false);
  return text;
}

/// Drivers by rate without their positions: where the others put them, they start. False: that does not help.
bool measure_starts(const ConstrainedModel& model, Assembler& assembler, VectorView q, AssemblyReport& report) {
  std::vector<const ConstraintSlot*> open;
  for (const ConstraintSlot& slot : model.assembly().constraints) {
    const auto* measured = find_extension<MeasuredStart>(*slot.constraint);
    if (measured != nullptr && measured->start_is_open()) open.push_back(&slot);
  }
  if (open.empty()) return false;
  assembler.skip(open);
  const bool found = assembler.positions(q, report);
  for (std::size_t i = 0; found && i < open.size(); ++i) {
    guarded(open[i]->plugin, open[i]->name, "start", [&] {
      find_extension<MeasuredStart>(*open[i]->constraint)->start_at(model.point().element_state(*open[i]));
    });
  }
  assembler.skip({});
  return found;
}

/// Positions from afar, or with conditions: refuses if there are none, naming what disagrees.
void assemble_positions(ConstrainedModel& model, Assembler& assembler, VectorView q, AssemblyReport& report) {
  const std::vector<double> q_given(q.data, q.data + q.size);
  if (assembler.positions(q, report)) return;
  const std::vector<Assembler::Miss> misses = assembler.misses();
  const AssemblyReport first = report;
  std::copy(q_given.begin(), q_given.end(), q.data);
  if (measure_starts(model, assembler, q, report)) return;
  report = first;
  const std::string demands = name_misses(misses);
  refuse(fmt::format("the initial positions cannot be made consistent: no positions near the given ones satisfy all "
                     "constraints{}; where they come nearest ({} starts tried), those that disagree are violated: {}{}",
                     assembler.has_conditions() ? " and conditions" : "", report.attempts, demands,
                     find_culprits(assembler, model, q_given, misses)),
         misses.empty() ? "" : misses.front().key);
}

/// A driver that repeats what other rows demand; or nullptr.
struct LockedDriver {
  const ConstraintSlot* slot = nullptr;
  std::string same;  ///< "'a', 'b'": these drivers move one and the same thing at any position, `slot` among them
};

/// At this position, or nearly so. Chooses rows anew: for a model that is going to be refused. Newton ends at some distance
/// from singular positions.
LockedDriver find_locked_driver(ConstrainedModel& model, ConstVectorView q) {
  constexpr double nearly_dependent = 1e-3;  // sine of an angle
  const std::vector<double> z = model.point().z();
  if (!model.evaluate(0, q, {}, {z.data(), static_cast<Index>(z.size())}, evaluate_jacobian)) return {};
  if (model.rank().choose_rows(nearly_dependent) == 0) return {};
  for (const DependentSet& set : model.rank().dependent_sets()) {
    const std::string same = drivers_alone(model, set.rows);
    for (const Index row : set.rows) {
      const ConstraintSlot* slot = model.assembly().constraint_of_row(row);
      if (slot == nullptr || !slot->constraint->rheonomic()) continue;
      return surplus_of_drivers(model, q).empty() ? LockedDriver{slot, same} : LockedDriver{};
    }
  }
  return {};
}

void assemble_velocities(ConstrainedModel& model, Assembler& assembler, ConstVectorView q, VectorView v,
                         AssemblyReport& report) {
  if (assembler.velocities(q, v, report)) return;
  const std::vector<Assembler::Miss> misses = assembler.misses();
  if (const LockedDriver locked = find_locked_driver(model, q); locked.slot != nullptr) {
    if (!locked.same.empty()) {
      refuse(fmt::format("the drivers {} contradict each other: they move one and the same thing, and demand different "
                         "rates; leave all but one of them out. Violated per second: {}",
                         locked.same, name_misses(misses)),
             "constraints/" + locked.slot->name);
    }
    refuse(
        fmt::format("lock-up at the start: the initial position is singular (a dead centre), and the mechanism cannot "
                    "follow '{}' from there; start from another position, or at rest. Violated per second: {}",
                    locked.slot->name, name_misses(misses)),
        "constraints/" + locked.slot->name);
  }
  refuse(
      fmt::format("the initial velocities cannot be made consistent: constraints and conditions contradict each other; "
                  "violated per second: {}",
                  name_misses(misses)),
      misses.empty() ? "" : misses.front().key);
}

/// [Phi_q; Phi'_q] and [Phi_q; B'] must have rank n where they have to determine the state.
void require_determined(const StartOptions& options, const AssemblyReport& report) {
  const auto require = [&](bool asked, const char* what, long freedoms, const std::vector<std::string>& names) {
    if (!asked || (report.rank_known && freedoms == 0)) return;
    if (!report.rank_known) refuse("the model is too large to check what its conditions determine", "determine");
    constexpr std::size_t most = 8;
    const auto end = names.begin() + static_cast<std::ptrdiff_t>(std::min(most, names.size()));
    refuse(fmt::format("constraints and conditions do not determine the {}: {} more {} needed; undetermined are '{}'{}",
                       what, freedoms, freedoms == 1 ? "condition is" : "conditions are",
                       fmt::join(names.begin(), end, "', '"),
                       names.size() > most ? fmt::format(" and {} more", names.size() - most) : std::string()),
           "determine");
  };
  const Determine wanted = options.determine;
  require(wanted == Determine::positions || wanted == Determine::state, "positions", report.free_positions,
          report.undetermined_positions);
  require(wanted == Determine::velocities || wanted == Determine::state, "velocities", report.free_velocities,
          report.undetermined_velocities);
}

/// The feasibility report of a start that was taken as drawn.
void report_as_drawn(const ConstrainedModel& model, ConstVectorView violated, ConstVectorView q_change,
                     InitialReport& report) {
  constexpr double noteworthy = 1e-9;  // of the model's unit, or rad
  AssemblyReport& assembly = report.assembly;
  assembly.made = true;
  assembly.attempts = 1;
  assembly.iterations = report.positions.iterations;
  for (const ConstraintSlot& slot : model.assembly().constraints) {
    const double amount = violated.segment(slot.first_row, slot.rows).map().lpNorm<Eigen::Infinity>();
    if (slot.rows > 0 && amount > noteworthy * model.unit().row(slot.first_row))
      assembly.demands.push_back({slot.name, amount});
  }
  std::stable_sort(assembly.demands.begin(), assembly.demands.end(),
                   [](const auto& a, const auto& b) { return a.violation > b.violation; });
  assembly.positions = {q_change.map().norm(), report.positions.correction, report.position_coordinate};
}

/// What a correction is measured against: without a number of the run file, a share of the model's unit of length.
std::string limit_text(const ConstrainedModel& model, const StartOptions& options) {
  if (!options.limit_in_unit || model.unit().one())
    return fmt::format("analysis.correction_limit = {:g}", options.correction_limit);
  return fmt::format(
      "{:g} of {:.3g} m, the unit of length of this model; 'correction_limit' of the analysis, in m or rad, accepts "
      "more",
      options.correction_limit, model.unit().length());
}

}  // namespace

void make_consistent(ConstrainedModel& model, double t, VectorView q, VectorView v, VectorView z,
                     const StartOptions& options, InitialReport& report) {
  const double limit = options.correction_limit;
  const std::vector<double> q_given(q.data, q.data + q.size), v_given(v.data, v.data + v.size);
  Status status = model.evaluate(t, q, v, z, evaluate_Phi | evaluate_jacobian);
  if (!status) refuse_evaluation(model, status);
  model.parts().kkt.measure_unit();
  const std::vector<double> violation(model.Phi().data, model.Phi().data + model.Phi().size);
  const ConstVectorView violated{violation.data(), static_cast<Index>(violation.size())};
  const auto worst_row = [&] { return std::string(model.row_name(largest(violated))); };
  const std::string worst_key = violated.size > 0 ? key_of_row(model, largest(violated)) : "";

  Assembler assembler(model, options, t, z);
  const auto refine = [&](double worst) { return project_with_choice(model, t, q, z, worst, report.positions); };
  if (!options.demands()) {
    status = refine(violated.size > 0 ? model.unit().largest_row(violated) : 0);
    if (!status) std::copy(q_given.begin(), q_given.end(), q.data);
  }
  if (options.demands() || !status) {
    assemble_positions(model, assembler, q, report.assembly);
    status = refine(0);
    report.positions.violation = violated.map().norm();
    if (!status) refuse(fmt::format("the assembled positions cannot be refined: {}", status.what));
  }
  std::vector<double> change(q.data, q.data + q.size);
  for (std::size_t i = 0; i < change.size(); ++i) change[i] -= q_given[i];
  const Index moved = largest({change.data(), q.size});
  if (q.size > 0) {
    report.position_coordinate = model.coordinate_name(moved);
    report.positions.correction = std::abs(change[static_cast<std::size_t>(moved)]);
  }
  if (!report.assembly.made) report_as_drawn(model, violated, {change.data(), q.size}, report);
  if (!report.assembly.asked)
    report.assembly.remaining = model.Phi().size > 0 ? model.Phi().map().lpNorm<Eigen::Infinity>() : 0;
  refuse_contradictions(model, "", model.Phi());
  const auto in_unit = [&](ConstVectorView changed, double in_metres) {
    return model.unit().one() ? in_metres : model.unit().largest_coordinate(changed);
  };
  report.position_change = in_unit({change.data(), q.size}, report.positions.correction);
  if ((options.limit_in_unit ? report.position_change : report.positions.correction) > limit) {
    refuse(
        fmt::format("the initial positions violate the constraints: '{}' by {:.6g}; satisfying all of them moves {} by "
                    "{:.6g}, more than {}",
                    worst_row(), std::abs(violation[static_cast<std::size_t>(largest(violated))]),
                    report.position_coordinate, report.positions.correction, limit_text(model, options)),
        worst_key);
  }
  if (options.demands()) assemble_velocities(model, assembler, q, v, report.assembly);
  status = model.project_velocities(t, q, v, ProjectionWeights::identity, report.velocities);
  if (!status) refuse(fmt::format("the initial velocities cannot be made consistent: {}", status.what));
  for (std::size_t i = 0; i < change.size(); ++i) change[i] = v.data[i] - v_given[i];
  if (v.size > 0) report.velocity_coordinate = model.coordinate_name(largest({change.data(), v.size}));
  report.velocity_change = in_unit({change.data(), v.size}, report.velocities.correction);
  const auto refuse_rates = [&] {  // what rows left out demand of velocities, where the others hold
    std::vector<double> rate(static_cast<std::size_t>(model.constraints()));
    model.apply_jacobian(v, {rate.data(), static_cast<Index>(rate.size())});
    for (std::size_t r = 0; r < rate.size(); ++r) rate[r] -= model.nu()[static_cast<Index>(r)];
    refuse_contradictions(model, " per second", {rate.data(), static_cast<Index>(rate.size())});
  };
  if ((options.limit_in_unit ? report.velocity_change : report.velocities.correction) > limit) {
    if (model.evaluate(t, q, v, z, evaluate_jacobian | evaluate_nu)) refuse_rates();
    refuse(
        fmt::format("the initial velocities violate the constraints by {:.6g}; satisfying them changes the rate of {} "
                    "by {:.6g}, more than {}; make 'velocity' and 'angular_velocity' of all "
                    "bodies fit the joints and drivers, or leave them out and give the rate of a joint as a condition "
                    "(\"conditions\": [{{\"of\": \"JOINT.angle\", \"rate\": 2}}])",
                    report.velocities.violation, report.velocity_coordinate, report.velocities.correction,
                    limit_text(model, options)));
  }

  if (!report.assembly.asked) {
    report.assembly.velocities = {Eigen::Map<const Eigen::VectorXd>(change.data(), v.size).norm(),
                                  report.velocities.correction, report.velocity_coordinate};
  }
  if (options.demands() || options.determine != Determine::none) {
    assembler.find_undetermined(q, v, report.assembly);
    require_determined(options, report.assembly);
  }

  status = model.evaluate(t, q, v, z, evaluate_dynamics | evaluate_nu);
  if (!status) refuse_evaluation(model, status);
  refuse_rates();
  if (status) status = model.factorize(ProjectionWeights::mass);
  if (status.code == StatusCode::singular) refuse("initial state: " + explain_singularity(model));
  if (!status) refuse_evaluation(model, status);
}

}  // namespace trammel
