// Base of the formulations that part the coordinates: q = (u, w), u dependent, w independent (Haug 7.2, 7.3.2).
//
//   Phi_u du = -Phi, u := u + du                                                                                  (1)
//   Phi_u u' = nu - Phi_w w'                                                                                      (2)
//
// All of y = (q, v, z) is integrated; the integrated u and u' are where (1) and (2) start, and only w and w' count in
// the error control (the mask). The partition is kept until
// - |Phi_u^-1 Phi_w|, by which errors of w come back in u (scaled, see PartitionQuality), exceeds 3 and twice its
//   smallest value since the last choice (`criterion` condition: cond(Phi_u) exceeds its value at the last choice by a
//   factor, after Sandu et al. 1.25; it is 1 for any single row, and blocks that shrink together keep it). Where only w
//   is integrated, both count: the amplification where it exceeds 10, or 3 while the condition is as small as it can be;
// - attempts of a step were void several times in a row (Haug 7.3.2 step 7);
// - (1) fails, or the number of independent rows changes;
// then the best one is chosen, and taken if it is better. Histories hold all of q and v, so that only the mask changes.
// Where even the best one is badly conditioned, or (1) fails, the smallest correction of all of q and v takes their
// place, and from the first such place on all are under error control: the next one may lie inside a step, whose ends
// know nothing of it, and errors of u come back divided by the sine of a row's angle to the others.
// Where rows hold for velocities only, (2) is that of velocity_partition.h, with a partition of its own. A solution of
// (1) away from the way of the motion (branch_test.h) voids the attempt.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "trammel/extensions/formulation_extensions.h"
#include "trammel/extensions/system_extensions.h"
#include "trammel/sdk/formulations/branch_test.h"
#include "trammel/sdk/formulations/dependent_solve.h"
#include "trammel/sdk/formulations/forced_coordinates.h"
#include "trammel/sdk/formulations/index1_formulation.h"
#include "trammel/sdk/formulations/partition_choice.h"
#include "trammel/sdk/formulations/partition_memory.h"
#include "trammel/sdk/formulations/velocity_partition.h"
#include "trammel/sdk/offer_extensions.h"

namespace trammel::sdk {

class PartitionedFormulation : public Index1Formulation,
                               protected FormulationCounters,
                               protected AttemptObserver,
                               protected FormulationNotes,
                               private FormulationFit,
                               private ChartChange {
 public:
  explicit PartitionedFormulation(const PartitionParameters& p) : p_(p) {}

  MemorySize memory(const ConstrainedLayout& system) const override {
    MemorySize size = MemoryLayout::size<VelocityPartition::Both>(system);
    size.scratch = std::max(size.scratch, Index1Formulation::memory(system).scratch);
    return size;
  }

  bool fits(ConstrainedSystem& system, double t, ConstVectorView q, ConstVectorView v, const Memory& memory,
            Refusal& refusal) const override {
    PartitionMemory part(system, memory);
    if (find_extension<PartitionSolve>(system) == nullptr) return true;  // `start` fails
    if (!system.evaluate(t, q, v, {}, evaluate_jacobian)) return true;
    return names_fit(system, p_.independent, PartitionChoice::kept_rows(system), refusal) &&
           choice().exists(system, part, refusal);
  }

  Status start(ConstrainedSystem& system, double t, ConstVectorView q, ConstVectorView v,
               const Memory& memory) const override {
    PartitionMemory part(system, memory);
    part.forget();
    PartitionSolve* solver = find_extension<PartitionSolve>(system);
    PartitionQuality* quality = find_extension<PartitionQuality>(system);
    if (solver == nullptr || quality == nullptr || find_extension<BodyLayout>(system) == nullptr) {
      return Status::failure(StatusCode::unsupported, "the system cannot part its coordinates");
    }
    Status status = system.evaluate(t, q, v, {}, evaluate_jacobian);
    if (!status) return status;
    quality->scales(part.scale);
    part.keep(t, q, v);
    status = choice().first(system, part, t);
    return status && velocity_level(system) != nullptr ? VelocityPartition(system, memory, p_).first(system, t)
                                                       : status;
  }

  void mask(const ConstrainedLayout& system, const Memory& memory, VectorView weights) const override {
    const Index n = system.coordinates();
    const PartitionMemory part(system, memory);
    weights.map().setOnes();
    // All motion is driven, or singular positions were met: the estimates of u rule the step too.
    if (part.independent.map().sum() == 0 || part.minimal_corrections > 0) return;
    weights.segment(0, n).map() = part.independent.map();
    weights.segment(n, n).map() = part.independent.map();
    if (VelocityPartition::exists(system))
      weights.segment(n, n).map() = VelocityPartition(system, memory, p_).independent().map();
  }

  const void* extension(const char* id) const override {
    const void* own =
        offer_extensions<FormulationCounters, AttemptObserver, FormulationNotes, FormulationFit, ChartChange>(
            id, this, this, this, this, this);
    return own != nullptr ? own : Index1Formulation::extension(id);
  }
  Index counter_count() const override { return 2; }
  const char* counter_name(Index i) const override { return i == 0 ? "partitions" : "minimal_corrections"; }
  double counter(Index i, const Memory& memory) const override {
    const auto numbers = StateLayout::place<PartitionNumbers>(memory.state);
    return i == 0 ? numbers.partitions : numbers.minimal_corrections;
  }

  bool repeated(ConstrainedSystem& system, double t, ConstVectorView q, ConstVectorView, Index attempts,
                const Memory& memory) const override {
    if (attempts % p_.repeated_attempts != 0) return false;
    PartitionMemory part(system, memory);
    bool changed = false;
    if (!system.evaluate(t, q, {}, {}, evaluate_jacobian)) return false;
    const bool chosen = choice().choose_again(system, part, changed).ok() && changed;
    const bool of_velocities =
        velocity_level(system) != nullptr && VelocityPartition(system, memory, p_).choose_again(system);
    return chosen || of_velocities;
  }

 protected:
  ~PartitionedFormulation() = default;

  bool exact_feedback(const Memory&, LinearFeedback&) const override { return true; }

  /// Whether the condition of Phi_u rules the partition beside the amplification: where u is no part of the integrated
  /// state, or is not corrected in every step.
  virtual bool condition_counts() const { return false; }
  /// Whether u is a part of the integrated state.
  virtual bool u_integrated() const { return true; }

  PartitionChoice choice() const { return {p_, condition_counts(), PartitionLevel::positions, u_integrated()}; }

  /// [step] Moves u and u' of y onto the constraints by (1) and (2), and looks after the partition. Near singular
  /// configurations all of q and v move, and of `error` (empty, or like y) the part in the tangent space is left.
  Correction correct_dependent(ConstrainedSystem& system, double t, VectorView y, VectorView error,
                               const Memory& memory) const {
    const Index n = system.coordinates();
    const VectorView q = y.segment(0, n), v = y.segment(n, n), z = y.segment(2 * n, system.internal_states());
    PartitionMemory part(system, memory);
    const DependentSolve dependent = solve(system, part, t, z);
    const bool levels = velocity_level(system) != nullptr;
    bool changed = false, others_changed = false;  // partitions of positions and of velocities
    const auto solve_velocities = [&] {
      return levels ? VelocityPartition(system, memory, p_).correct(system, t, q, v, z, others_changed)
                    : dependent.velocities(q, v, part.independent);
    };
    Correction result;
    part.saved.map() = q.map(), part.saved_v.map() = v.map();
    const bool was_minimal = part.minimal != 0;
    const bool other_rows = PartitionChoice::rows_changed(system, part);
    const BranchTest test = error.size > 0 ? controlled : bold;
    PartitionChoice::Quality now;
    bool minimal = was_minimal && !other_rows && still_singular(system, t, q, v, z, part, result.mask_changed);
    bool solved = false;
    if (!minimal) {
      result = correct_by_partition(system, t, q, v, z, part);
      solved = result.status.ok();
      if (solved) now = choice().measure(system, part);
      minimal = !solved || now.condition > PartitionChoice::condition_limit(part);
    }
    if (minimal) {
      q.map() = part.saved.map();
      result.status = correct_minimally(system, t, q, v, z);
      if (result.status && error.size > 0)
        result.status = keep_to_tangent(system, error.segment(0, n), error.segment(n, n));
      minimal = result.status.ok() || !solved;
      if (!minimal) {  // the partition could, if badly
        q.map() = part.saved.map(), v.map() = part.saved_v.map();
        result.status = dependent.positions(q, part.independent);
      }
    }
    result.changed = true;
    if (!minimal && result.status) result.status = solve_velocities();
    if (!result.status) return result;
    if (!minimal) result.status = choice().review(system, part, t, now, changed);
    // Errors that came back much amplified by the old one come back by the new one only.
    if (!minimal && result.status && changed && choice().too_large(now)) {
      q.map() = part.saved.map(), v.map() = part.saved_v.map();
      result.status = dependent.positions(q, part.independent);
      if (result.status) result.status = solve_velocities();
    }
    if (result.status && !explains(system, part, test, t, q, v, minimal)) result.status = BranchTest::left();
    if (!result.status) return result;
    part.keep(t, q, v);
    if (note_minimal(part, minimal)) changed = true;
    result.mask_changed = result.mask_changed || changed || others_changed;
    result.restart = p_.restart && result.mask_changed;
    return result;
  }

  /// [step] Whether the last correction was that of all coordinates, which are all under error control from the first
  /// one on. True: the mask changed.
  static bool note_minimal(PartitionMemory& part, bool minimal) {
    part.minimal = minimal;
    part.minimal_corrections += minimal;
    return minimal && part.minimal_corrections == 1;
  }

  /// [hot] (1) and (2) from (q, v), in place, with some partition. `factorized`: Phi_u of this partition is, somewhere near.
  Status solve_dependent(ConstrainedSystem& system, double t, VectorView q, VectorView v, ConstVectorView z,
                         ConstVectorView independent, const Memory& memory, bool factorized = false) const {
    PartitionMemory part(system, memory);
    return solve(system, part, t, z).both(q, v, independent, factorized);
  }

 private:
  DependentSolve solve(ConstrainedSystem& system, PartitionMemory& part, double t, ConstVectorView z) const {
    return {system, choice().solver(system), part, t, z, p_.tolerance};
  }

  /// The integrator restarts here, perhaps with other velocities: the next way begins.
  Status change_chart(ConstrainedSystem& system, double t, VectorView y, const Memory& memory) const override {
    const Index n = system.coordinates();
    PartitionMemory part(system, memory);
    part.keep(t, y.segment(0, n), y.segment(n, n));
    return Status::success();
  }

  void note(const ConstrainedLayout&, const Memory& memory, char* text, Index capacity) const override {
    constexpr double large = 100;
    *text = '\0';
    const auto numbers = StateLayout::place<PartitionNumbers>(memory.state);
    const double worst = numbers.largest_amplification;
    if (p_.independent.size == 0 || !(worst > large)) return;
    std::snprintf(
        text, static_cast<std::size_t>(capacity),
        "the coordinates that 'independent' forces determine the others badly: at t = %.6g errors of theirs come back "
        "multiplied by %.2g; leave the choice to the formulation, or check with formulation 'projection'",
        numbers.largest_at, worst);
  }

  // Explicit methods integrate u as well as w, so that their predictions are good; fixed steps cannot be repeated, and
  // only what is clearly elsewhere ends them.
  static constexpr BranchTest controlled{0.1, 0.01, 0.2}, bold{0.5, 0.1, 0.5};

  /// Whether (q, v) at t continue the motion; part.saved is the prediction. Rows (t not beyond the last step) are
  /// measured from the step's end.
  bool explains(ConstrainedSystem& system, const PartitionMemory& part, const BranchTest& test, double t,
                ConstVectorView q, ConstVectorView v, bool all_moved) const {
    const double h = t - part.kept_at;
    const BodyLayout& layout = *find_extension<BodyLayout>(system);
    if (h <= 0) return true;
    ConstVectorView independent = part.independent;
    if (all_moved) part.change.map().setZero(), independent = part.change;
    return test.accepts(layout, part.scale, independent, h, part.kept_q, part.kept_v, q, v, part.saved);
  }

  /// Positions by (1) from part.saved, with another partition if the one at hand fails or does not fit.
  Correction correct_by_partition(ConstrainedSystem& system, double t, VectorView q, VectorView v, ConstVectorView z,
                                  PartitionMemory& part) const {
    const DependentSolve dependent = solve(system, part, t, z);
    Correction result;
    const bool other_rows = PartitionChoice::rows_changed(system, part);
    if (!other_rows) {
      result.status = dependent.positions(q, part.independent);
      if (result.status) return result;
    }
    q.map() = part.saved.map();
    Status status = system.evaluate(t, q, v, z, evaluate_jacobian);
    if (status) status = choice().choose_again(system, part, result.mask_changed);
    if (!status) {
      result.status = status;
      return result;
    }
    // Without another choice there is nothing to try but the smallest correction.
    if (other_rows || result.mask_changed) result.status = dependent.positions(q, part.independent);
    return result;
  }

  /// After a correction of all coordinates: whether no partition determines them yet. Every tenth correction chooses
  /// another one.
  bool still_singular(ConstrainedSystem& system, double t, ConstVectorView q, ConstVectorView v, ConstVectorView z,
                      PartitionMemory& part, bool& changed) const {
    constexpr int steps_between_choices = 10;
    PartitionSolve& solver = choice().solver(system);
    if (!system.evaluate(t, q, v, z, evaluate_jacobian)) return true;
    const auto count = static_cast<long>(part.minimal_corrections);
    if (count % steps_between_choices == 0 && !choice().choose_again(system, part, changed)) return true;
    return !solver.factorize_dependent(part.independent) ||
           choice().measure(system, part).condition > PartitionChoice::condition_limit(part);
  }

  /// Near a singular configuration no coordinates determine the others: errors of w come back in u multiplied by the
  /// condition of Phi_u. The correction that is smallest in the kinetic metric multiplies nothing.
  Status correct_minimally(ConstrainedSystem& system, double t, VectorView q, VectorView v, ConstVectorView z) const {
    ProjectionReport report;
    Status status = system.project_positions(t, q, ProjectionWeights::mass, p_.tolerance, report);
    if (status) status = system.project_velocities(t, q, v, ProjectionWeights::mass, report);
    return status ? system.evaluate(t, q, v, z, evaluate_jacobian) : status;
  }

  PartitionParameters p_;
};

}  // namespace trammel::sdk
