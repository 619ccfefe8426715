// Counting drivers against freedoms; lock-ups in words.
#include "model/kinematic_count.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "linalg/dense.h"
#include "linalg/dependence.h"
#include "model/mobility.h"
#include "model/some_names.h"
#include "model/start_rows.h"
#include "trammel/error.h"

namespace trammel {
namespace {

// Square root of the pivot: within it of a singular position, a mechanism that does not go on is locked.
constexpr double near_singular = 0.05;

std::string drivers_counted(Index count) { return fmt::format("{} {}", count, count == 1 ? "driver" : "drivers"); }

bool is_driver(const ConstraintSlot& slot) { return slot.effort != nullptr || slot.constraint->rheonomic(); }

const ConstraintSlot* driver_of_row(const ConstrainedModel& model, Index row) {
  const ConstraintSlot* slot = model.assembly().constraint_of_row(row);
  return slot != nullptr && is_driver(*slot) ? slot : nullptr;
}

/// Rows of [Phi_q; intrinsic rows] as columns of length 1, in the model's unit.
Eigen::MatrixXd rows_as_columns(const ConstrainedModel& model, const std::vector<Index>& rows) {
  Eigen::MatrixXd columns(model.coordinates(), static_cast<Eigen::Index>(rows.size()));
  Eigen::VectorXd unit = Eigen::VectorXd::Zero(model.constraints()), row(model.coordinates());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    unit[rows[i]] = 1;
    model.apply_jacobian_transpose({unit.data(), model.constraints()}, {row.data(), model.coordinates()});
    model.unit().multiply_coordinates({row.data(), model.coordinates()});
    columns.col(static_cast<Eigen::Index>(i)) = row.normalized();
    unit[rows[i]] = 0;
  }
  return columns;
}

Index rank(const ConstrainedModel& model, const std::vector<Index>& rows) {
  if (rows.empty()) return 0;
  return dense::rank(rows_as_columns(model, rows), dependence_threshold);
}

/// Joint coordinates that the motions of the null space of all rows change, else the coordinates they change.
std::vector<std::string> free_coordinates(ConstrainedModel& model) {
  std::vector<std::string> names, joints;
  const Index n = model.coordinates();
  if (n > largest_dense_null_space) return names;
  std::vector<Index> all;
  for (Index r = 0; r < model.constraints(); ++r) all.push_back(r);
  Eigen::MatrixXd T = Eigen::MatrixXd::Identity(n, n);
  if (!all.empty()) T = dense::left_null_space(rows_as_columns(model, all), dependence_threshold);
  for (Index i = 0; i < n; ++i) {
    if (T.cols() > 0 && T.row(i).norm() > dependence_threshold) names.emplace_back(model.coordinate_name(i));
  }
  for (const ConstraintSlot& slot : model.assembly().constraints) {
    const JointCoordinates* offered = find_extension<JointCoordinates>(*slot.constraint);
    for (Index i = 0; offered != nullptr && i < offered->coordinate_count(); ++i) {
      const std::string name = slot.name + "." + offered->coordinate_name(i);
      StartRow row(model, name);
      double value = 0;
      std::vector<RowEntry> gradient;
      if (!row.evaluate(model, value, gradient)) continue;
      Eigen::RowVectorXd moved = Eigen::RowVectorXd::Zero(T.cols());
      for (const RowEntry& entry : gradient) moved += entry.value * T.row(entry.column);
      if (T.cols() > 0 && moved.norm() > dependence_threshold) joints.push_back(name);
    }
  }
  return joints.empty() ? names : joints;
}

}  // namespace

void require_determined_motion(ConstrainedModel& model) {
  const Index freedoms = model.coordinates() - model.constraints() + model.rank().redundant();
  Index drivers = 0, excess = 0;
  for (const ConstraintSlot& slot : model.assembly().constraints) drivers += is_driver(slot) ? slot.rows : 0;
  std::vector<std::string> repeating;
  for (const DependentSet& set :
       model.rank().redundant() > 0 ? model.rank().dependent_sets() : std::vector<DependentSet>()) {
    std::vector<Index> driven, passive;
    for (const Index row : set.rows) {
      const ConstraintSlot* slot = driver_of_row(model, row);
      (slot != nullptr ? driven : passive).push_back(row);
      if (slot != nullptr && (repeating.empty() || repeating.back() != slot->name)) repeating.push_back(slot->name);
    }
    if (driven.empty()) continue;
    excess += static_cast<Index>(driven.size()) - (rank(model, set.rows) - rank(model, passive));
  }
  if (freedoms == 0 && excess == 0) return;
  const std::string beginning = "kinematic and inverse dynamic analyses need as many drivers as there are freedoms: ";
  if (freedoms > 0 && model.rank().redundant() > 0) {
    const std::vector<double> q = model.point().q(), z = model.point().z();
    const Mobility mobility =
        analyse_mobility(model, 0, {q.data(), static_cast<Index>(q.size())}, {z.data(), static_cast<Index>(z.size())});
    if (mobility.nearby_redundant < mobility.redundant) {
      throw Error(
          ErrorKind::input,
          fmt::format(
              "the motion does not begin in a unique way: the initial position is singular, some constraints depend on "
              "each other there only, and {} {} free although driven elsewhere; start from another position",
              some_quoted(free_coordinates(model)), freedoms == 1 ? "stays" : "stay"));
    }
  }
  if (excess > 0) {
    throw Error(
        ErrorKind::input,
        fmt::format("{}{} for {} {}, {} too many; {} {} what the other constraints prescribe; remove {} of {}",
                    beginning, drivers_counted(drivers), drivers - excess,
                    drivers - excess == 1 ? "freedom" : "freedoms", excess, some_quoted(repeating),
                    repeating.size() == 1 ? "repeats" : "repeat", excess, repeating.size() == 1 ? "it" : "them"));
  }
  const std::vector<std::string> free = free_coordinates(model);
  throw Error(ErrorKind::input, fmt::format("{}{} for {} {}; {} missing{}", beginning, drivers_counted(drivers),
                                            drivers + freedoms, drivers + freedoms == 1 ? "freedom" : "freedoms",
                                            drivers_counted(freedoms) + (freedoms == 1 ? " is" : " are"),
                                            free.empty() ? std::string() : "; nothing drives " + some_quoted(free)));
}

std::string surplus_of_drivers(ConstrainedModel& model, ConstVectorView q) {
  if (q.size > largest_dense_null_space) return "";
  const std::vector<double> z = model.point().z();
  if (!model.evaluate(0, q, {}, {z.data(), static_cast<Index>(z.size())}, evaluate_jacobian)) return "";
  std::vector<Index> passive;
  for (Index r = 0; r < model.constraints(); ++r) {
    if (driver_of_row(model, r) == nullptr) passive.push_back(r);
  }
  const Index drivers = model.constraints() - static_cast<Index>(passive.size());
  const Index freedoms = q.size - rank(model, passive);
  if (drivers <= freedoms) return "";
  std::vector<std::string> names;
  for (const ConstraintSlot& slot : model.assembly().constraints) {
    if (is_driver(slot)) names.push_back(slot.name);
  }
  return fmt::format("; there {} {} for {} {}: leave {} of {} out", drivers == 1 ? "is" : "are",
                     drivers_counted(drivers), freedoms, freedoms == 1 ? "freedom" : "freedoms", drivers - freedoms,
                     some_quoted(names));
}

std::string explain_standstill(ConstrainedModel& model, double t, ConstVectorView q, ConstVectorView v) {
  const std::vector<double> z = model.point().z();
  const ConstVectorView internal{z.data(), static_cast<Index>(z.size())};
  Status status = model.evaluate(t, q, v, internal, evaluate_Phi | evaluate_jacobian | evaluate_nu);
  if (status) status = model.factorize(ProjectionWeights::mass);
  const RankWatch* watch = status ? model.rank().watch() : nullptr;
  const bool near =
      watch != nullptr && watch->smallest_kept_row >= 0 && std::sqrt(watch->smallest_kept) < near_singular;
  if (!near) {
    return fmt::format(
        "no position was found beyond t = {:.9g}, however small the step, although the mechanism is not near a "
        "singular position there: a driver's function may jump",
        t);
  }
  const Index row = watch->smallest_kept_row;
  const RedundantRow dependent = explain_redundant_row(model, row);
  const DependentRow combination = model.rank().near_combination(row);
  std::vector<std::string> drivers;
  const auto add = [&](Index r) {
    const ConstraintSlot* slot = driver_of_row(model, r);
    if (slot != nullptr && std::find(drivers.begin(), drivers.end(), slot->name) == drivers.end())
      drivers.push_back(slot->name);
  };
  add(row);
  for (const Index other : combination.others) add(other);
  Index fastest = 0;
  const double rate = v.map().cwiseAbs().maxCoeff(&fastest);
  return fmt::format(
      "lock-up at t = {:.9g}: no position beyond satisfies all constraints{}; row '{}' comes to contradict what {} "
      "(sine {:.1e} of the angle between them), and rates grow without bound ({} is at {:.3g})",
      t, drivers.empty() ? std::string() : "; the mechanism cannot follow " + some_quoted(drivers), model.row_name(row),
      dependent.demand, dependent.distance, model.coordinate_name(fastest), rate);
}

}  // namespace trammel
