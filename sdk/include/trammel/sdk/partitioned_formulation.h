// Base of the formulations that part the coordinates: q = (u, w), u dependent, w independent (Haug 7.2, 7.3.2).
//
//   Phi_u du = -Phi, u := u + du                 Newton-Raphson, Phi_u kept while it contracts                     (1)
//   Phi_u u' = nu - Phi_w w'                     linear, refined to rounding                                       (2)
//
// All of y = (q, v, z) is integrated; the integrated u and u' are where (1) and (2) start, and only w and w' count in the
// error control (the mask). The partition is kept until
//   cond(Phi_u) exceeds its value at the last choice by a factor (Sandu et al.: 1.25),
//   attempts of a step were void several times in a row (Haug 7.3.2 step 7),
//   (1) fails, or
//   the number of independent rows changed;
// then the best one is chosen, and taken if it is better. Histories hold all of q and v, so that only the mask changes. Where
// even the best one is badly conditioned, or (1) fails, the smallest correction of all of q and v takes the place of (1), (2),
// and all of them are under error control.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "trammel/error.h"
#include "trammel/formulation_extensions.h"
#include "trammel/sdk/index1_formulation.h"
#include "trammel/sdk/offer_extensions.h"
#include "trammel/sdk/partition_memory.h"
#include "trammel/suggest.h"
#include "trammel/system_extensions.h"

namespace trammel::sdk {

class PartitionedFormulation : public Index1Formulation, protected FormulationCounters, protected AttemptObserver {
 public:
  explicit PartitionedFormulation(const PartitionParameters& p) : p_(p) {}

  MemorySize memory(const ConstrainedSystem& system) const override {
    return PartitionMemory::size(system.coordinates(), system.constraints());
  }

  /// Throws Error(input) where `independent` cannot be had.
  Status start(ConstrainedSystem& system, double t, ConstVectorView q, ConstVectorView v,
               const Memory& memory) const override {
    PartitionMemory part(system, memory);
    std::fill_n(part.scalar, PartitionMemory::scalars, 0.0);
    part.guess.map().setZero();
    PartitionSolve* solver = find_extension<PartitionSolve>(system);
    if (solver == nullptr) return Status::failure(StatusCode::unsupported, "the system cannot part its coordinates");
    Status status = system.evaluate(t, q, v, {}, evaluate_jacobian);
    if (!status) return status;
    refuse_wrong_names(system);
    status = solver->choose_partition(forced(system, part.change), part.independent);
    if (status.code == StatusCode::singular && p_.independent.size > 0) refuse_forced(system, status);
    if (status.code == StatusCode::singular) refuse_dependent(system, status);
    if (status) status = solver->factorize_dependent(part.independent);
    if (!status) return status;
    part.scalar[PartitionMemory::condition_at_choice] = solver->dependent_condition(part.guess);
    part.scalar[PartitionMemory::smallest_condition] = part.scalar[PartitionMemory::condition_at_choice];
    part.scalar[PartitionMemory::rows_at_choice] = kept_rows(system);
    part.scalar[PartitionMemory::partitions] = 1;
    return status;
  }

  void mask(const ConstrainedSystem& system, const Memory& memory, VectorView weights) const override {
    const Index n = system.coordinates();
    const PartitionMemory part(system, memory);
    weights.map().setOnes();
    // All motion is driven, or all coordinates are corrected: the estimates of u rule the step too.
    if (part.independent.map().sum() == 0 || part.scalar[PartitionMemory::minimal] != 0) return;
    weights.segment(0, n).map() = part.independent.map();
    weights.segment(n, n).map() = part.independent.map();
  }

  const void* extension(const char* id) const override {
    return offer_extensions<FormulationCounters, AttemptObserver>(id, this, this);
  }
  Index counters() const override { return 2; }
  const char* counter_name(Index i) const override { return i == 0 ? "partitions" : "minimal_corrections"; }
  double counter(Index i, const Memory& memory) const override {
    return memory.state[i < 2 ? PartitionMemory::partitions + i : PartitionMemory::own + i - 2];
  }

  bool repeated(ConstrainedSystem& system, double t, ConstVectorView q, ConstVectorView, Index attempts,
                const Memory& memory) const override {
    if (attempts % p_.repeated_attempts != 0) return false;
    PartitionMemory part(system, memory);
    bool changed = false;
    const Status status = system.evaluate(t, q, {}, {}, evaluate_jacobian);
    return status && choose_again(system, part, changed) && changed;
  }

 protected:
  ~PartitionedFormulation() = default;

  /// [step] Moves u and u' of y onto the constraints by (1) and (2), and looks after the partition. Near singular
  /// configurations all of q and v move, and of `error` (empty, or like y) the part in the tangent space is left.
  Correction correct_dependent(ConstrainedSystem& system, double t, VectorView y, VectorView error,
                               const Memory& memory) const {
    const Index n = system.coordinates();
    const VectorView q = y.segment(0, n), v = y.segment(n, n), z = y.segment(2 * n, system.internal_states());
    PartitionMemory part(system, memory);
    PartitionSolve& solver = *find_extension<PartitionSolve>(system);
    Correction result;
    part.saved.map() = q.map();
    const bool was_minimal = part.scalar[PartitionMemory::minimal] != 0, other_rows = rows_changed(system, part);
    bool minimal = was_minimal && !other_rows && still_singular(system, t, q, v, z, part, result.mask_changed);
    bool solved = false;
    if (!minimal) {
      result = correct_by_partition(system, t, q, v, z, part);
      solved = result.status.ok();
      minimal = !solved || solver.dependent_condition(part.guess) > condition_limit(part);
    }
    if (minimal) {
      q.map() = part.saved.map();
      result.status = correct_minimally(system, t, q, v, z);
      if (result.status && error.size > 0) result.status = system.project_tangent(error.segment(0, n));
      if (result.status && error.size > 0) result.status = system.project_tangent(error.segment(n, n));
      minimal = result.status.ok() || !solved;
      if (!minimal) {  // the partition could, if badly
        q.map() = part.saved.map();
        result.status = correct_positions(system, solver, t, q, z, part.independent, part);
      }
    }
    result.changed = true;
    if (!minimal && result.status) {
      result.status = correct_velocities(system, solver, t, q, v, z, part.independent, part);
    }
    if (!result.status) return result;
    bool changed = false;
    if (!minimal) result.status = review(system, part, changed);
    if (note_minimal(part, minimal)) changed = true;
    part.scalar[PartitionMemory::minimal_corrections] += minimal;
    result.mask_changed = result.mask_changed || changed;
    result.restart = p_.restart && result.mask_changed;
    return result;
  }

  /// [step] Whether the last correction was that of all coordinates, which are all under error control then. True: the
  /// mask changed.
  static bool note_minimal(PartitionMemory& part, bool minimal) {
    const bool changed = minimal != (part.scalar[PartitionMemory::minimal] != 0);
    part.scalar[PartitionMemory::minimal] = minimal;
    return changed;
  }

  /// [step] Chooses the partition anew if Phi_u, as just factorized, has become too ill-conditioned.
  Status review(ConstrainedSystem& system, PartitionMemory& part, bool& changed) const {
    const double reference = part.scalar[PartitionMemory::condition_at_choice];
    const double condition = find_extension<PartitionSolve>(system)->dependent_condition(part.guess);
    const bool sound = condition <= p_.condition_growth * reference;
    if (sound && !(std::isinf(reference) && !std::isinf(condition))) return Status::success();
    return choose_again(system, part, changed);
  }

  /// [hot] (1) and (2) from (q, v), in place, with the partition at hand.
  Status solve_dependent(ConstrainedSystem& system, double t, VectorView q, VectorView v, ConstVectorView z,
                         const Memory& memory) const {
    return solve_dependent(system, t, q, v, z, PartitionMemory(system, memory).independent, memory);
  }
  /// [hot] The same with another partition. `factorized`: Phi_u of this partition is, somewhere near.
  Status solve_dependent(ConstrainedSystem& system, double t, VectorView q, VectorView v, ConstVectorView z,
                         ConstVectorView independent, const Memory& memory, bool factorized = false) const {
    PartitionMemory part(system, memory);
    PartitionSolve& solver = *find_extension<PartitionSolve>(system);
    const Status status = correct_positions(system, solver, t, q, z, independent, part, factorized);
    return status ? correct_velocities(system, solver, t, q, v, z, independent, part) : status;
  }
  static bool rows_changed(ConstrainedSystem& system, const PartitionMemory& part) {
    return part.scalar[PartitionMemory::rows_at_choice] != kept_rows(system);
  }

  /// Independent constraint rows.
  static double kept_rows(ConstrainedSystem& system) {
    const RowChoice* rows = find_extension<RowChoice>(system);
    return system.constraints() - (rows != nullptr ? rows->redundant() : 0);
  }

 private:
  /// Beyond this condition of Phi_u no coordinates determine the others well enough.
  static double condition_limit(const PartitionMemory& part) {
    // Over the smallest that this motion had. Slider-cranks, four-bars and double pendulums stay below 3 between their choices;
    // on problem A02 of the benchmark library 5 leaves a tenth of the errors that 20 leaves.
    constexpr double singular_growth = 5;
    return singular_growth * part.scalar[PartitionMemory::smallest_condition];
  }

  /// Positions by (1) from part.saved, with another partition if the one at hand fails or does not fit.
  Correction correct_by_partition(ConstrainedSystem& system, double t, VectorView q, VectorView v, ConstVectorView z,
                                  PartitionMemory& part) const {
    PartitionSolve& solver = *find_extension<PartitionSolve>(system);
    Correction result;
    const bool other_rows = rows_changed(system, part);
    if (!other_rows) {
      result.status = correct_positions(system, solver, t, q, z, part.independent, part);
      if (result.status) return result;
    }
    q.map() = part.saved.map();
    Status status = system.evaluate(t, q, v, z, evaluate_jacobian);
    if (status) status = choose_again(system, part, result.mask_changed);
    if (!status) return result.status = status, result;
    // Without another choice there is nothing to try but the smallest correction.
    if (other_rows || result.mask_changed) {
      result.status = correct_positions(system, solver, t, q, z, part.independent, part);
    }
    return result;
  }

  /// After a correction of all coordinates: whether the partition is still no good. Now and then another is looked for,
  /// which costs far more than a step.
  bool still_singular(ConstrainedSystem& system, double t, ConstVectorView q, ConstVectorView v, ConstVectorView z,
                      PartitionMemory& part, bool& changed) const {
    constexpr int steps_between_choices = 10;
    PartitionSolve& solver = *find_extension<PartitionSolve>(system);
    if (!system.evaluate(t, q, v, z, evaluate_jacobian)) return true;
    const auto count = static_cast<long>(part.scalar[PartitionMemory::minimal_corrections]);
    if (count % steps_between_choices == 0 && !choose_again(system, part, changed)) return true;
    return !solver.factorize_dependent(part.independent) || solver.dependent_condition(part.guess) > condition_limit(part);
  }

  /// Near a singular configuration no coordinates determine the others: errors of w come back in u multiplied by the
  /// condition of Phi_u. The correction that is smallest in the kinetic metric multiplies nothing.
  Status correct_minimally(ConstrainedSystem& system, double t, VectorView q, VectorView v, ConstVectorView z) const {
    ProjectionReport report;
    Status status = system.project_positions(t, q, ProjectionWeights::mass, p_.tolerance, report);
    if (status) status = system.project_velocities(t, q, v, ProjectionWeights::mass, report);
    return status ? system.evaluate(t, q, v, z, evaluate_jacobian) : status;
  }

  /// (1). q is moved in place.
  Status correct_positions(ConstrainedSystem& system, PartitionSolve& solver, double t, VectorView q, ConstVectorView z,
                           ConstVectorView independent, PartitionMemory& part, bool factorized = false) const {
    constexpr int largest_iteration_count = 20;
    constexpr double contraction = 0.1;  // worse than this and Phi_u is evaluated again
    double before = std::numeric_limits<double>::infinity(), change = 0;
    for (int i = 0; i < largest_iteration_count; ++i) {
      const bool fresh = i == 0 ? !factorized : change > contraction * before;
      if (i > 0) before = change;
      Status status = system.evaluate(t, q, {}, z, evaluate_Phi | (fresh ? evaluate_jacobian : 0u));
      if (status && fresh) status = solver.factorize_dependent(independent);
      if (!status) return status;
      part.residual.map() = -system.Phi().map();
      solver.solve_dependent(part.residual, part.change);
      q.map() += part.change.map();
      change = q.size > 0 ? part.change.map().lpNorm<Eigen::Infinity>() : 0;
      if (!(change < 1e10)) break;
      // With the same Phi_u the iteration converges linearly, so that what is left to go is known; a tenth, to be safe.
      const double rate = i == 0 || fresh ? 1 : change / before;
      if (change <= p_.tolerance || (rate < 0.5 && rate / (1 - rate) * change <= 0.1 * p_.tolerance)) return Status::success();
    }
    return Status::failure(StatusCode::not_converged, "dependent coordinates", -1, change);
  }

  /// (2). v is moved in place. The residual is exact, so Phi_u of the last Newton step serves as long as it contracts.
  Status correct_velocities(ConstrainedSystem& system, PartitionSolve& solver, double t, ConstVectorView q, VectorView v,
                            ConstVectorView z, ConstVectorView independent, PartitionMemory& part) const {
    constexpr int most_sweeps = 12;
    constexpr double rounding = 1e-14, contraction = 0.03;  // a factorization costs about as much as three sweeps
    Status status = system.evaluate(t, q, {}, z, evaluate_jacobian | evaluate_nu);
    double before = std::numeric_limits<double>::infinity();
    for (int i = 0; status && i < most_sweeps; ++i) {
      system.apply_jacobian(v, part.residual);
      part.residual.map() = system.nu().map() - part.residual.map();
      solver.solve_dependent(part.residual, part.change);
      v.map() += part.change.map();
      const double change = v.size > 0 ? part.change.map().lpNorm<Eigen::Infinity>() : 0;
      const double rate = i > 0 ? std::min(change / before, 1.0) : 1;  // what the next sweep would leave of it
      if (rate * change <= rounding * (1 + v.map().lpNorm<Eigen::Infinity>())) break;
      if (change > contraction * before) status = solver.factorize_dependent(independent);
      before = change;
    }
    return status;
  }

  /// The best partition at the last evaluated Jacobian, taken if it is better conditioned than the one at hand, or if that
  /// has the wrong number of dependent coordinates. In a singular configuration there may be none: the one at hand goes on
  /// with the rows that it can satisfy.
  Status choose_again(ConstrainedSystem& system, PartitionMemory& part, bool& changed) const {
    constexpr double worthwhile = 0.9;
    PartitionSolve& solver = *find_extension<PartitionSolve>(system);
    const double rows = kept_rows(system);
    const bool fits = part.independent.size - part.independent.map().sum() == rows;
    Status status = solver.factorize_dependent(part.independent);
    if (!status) return status;
    const double present = solver.dependent_condition(part.guess);
    part.scalar[PartitionMemory::condition_at_choice] = present;
    double& smallest = part.scalar[PartitionMemory::smallest_condition];
    smallest = std::min(smallest, present);
    part.scalar[PartitionMemory::rows_at_choice] = rows;
    status = solver.choose_partition(forced(system, part.change), part.candidate);
    if (status.code == StatusCode::singular) return Status::success();
    if (!status || part.candidate.map() == part.independent.map()) return status;
    status = solver.factorize_dependent(part.candidate);
    if (!status) return status;
    part.guess.map().setZero();  // that of another Phi_u could hide the worst direction of this one
    const double condition = solver.dependent_condition(part.guess);
    if (fits && !(condition < worthwhile * present)) return solver.factorize_dependent(part.independent);
    part.independent.map() = part.candidate.map();
    part.scalar[PartitionMemory::condition_at_choice] = condition;
    smallest = std::min(smallest, condition);
    part.scalar[PartitionMemory::partitions] += 1;
    changed = true;
    return status;
  }

  /// Marks in `marks` (n) the coordinates that have to be independent; empty if there are none.
  ConstVectorView forced(const ConstrainedSystem& system, VectorView marks) const {
    if (p_.independent.size == 0) return {};
    marks.map().setZero();
    for (Index i = 0; i < marks.size; ++i) {
      for (std::int64_t k = 0; k < p_.independent.size; ++k) {
        if (p_.independent[k].view() == system.coordinate_name(i)) marks[i] = 1;
      }
    }
    return marks;
  }

  void refuse_wrong_names(ConstrainedSystem& system) const {
    std::vector<std::string> names;
    if (p_.independent.size == 0) return;
    for (Index i = 0; i < system.coordinates(); ++i) names.emplace_back(system.coordinate_name(i));
    for (std::int64_t k = 0; k < p_.independent.size; ++k) {
      const std::string name(p_.independent[k].view());
      if (std::find(names.begin(), names.end(), name) != names.end()) continue;
      throw Error::parameter("independent", "there is no coordinate '" + name + "'" + did_you_mean(name, names));
    }
    const auto freedoms = static_cast<std::int64_t>(system.coordinates() - kept_rows(system));
    if (p_.independent.size <= freedoms) return;
    throw Error::parameter("independent", "names " + std::to_string(p_.independent.size) + " coordinates; the model has " +
                                              std::to_string(freedoms) + " degrees of freedom");
  }

  [[noreturn]] void refuse_forced(ConstrainedSystem& system, const Status& status) const {
    throw Error::parameter(
        "independent", "these coordinates cannot all be independent: the other columns of the constraint Jacobian have "
                       "rank " + std::to_string(static_cast<long>(status.value)) + " for " +
                           std::to_string(static_cast<long>(kept_rows(system))) + " independent rows; row '" +
                           system.row_name(status.subject) + "' ties them");
  }

  [[noreturn]] void refuse_dependent(ConstrainedSystem& system, const Status& status) const {
    throw Error::parameter("type", "no coordinates determine the others: the constraint Jacobian has rank " +
                                       std::to_string(static_cast<long>(status.value)) + " for " +
                                       std::to_string(static_cast<long>(kept_rows(system))) +
                                       " rows taken as independent; row '" + system.row_name(status.subject) +
                                       "' depends on others; try formulation 'projection'");
  }

  PartitionParameters p_;
};

}  // namespace trammel::sdk
