// PartitionChoice: which coordinates are independent, judged by what the others make of their errors.
#pragma once

#include <algorithm>
#include <cmath>

#include "trammel/extensions/system_extensions.h"
#include "trammel/sdk/formulations/forced_coordinates.h"
#include "trammel/sdk/formulations/partition_memory.h"
#include "trammel/sdk/formulations/velocity_level.h"

namespace trammel::sdk {

/// Which coordinates are parted: where rows hold for velocities only, positions and velocities have partitions of their
/// own, with more freedoms of position.
enum class PartitionLevel { positions, velocities };

/// The partition of partitioned_formulation.h: chosen at the start, measured where Phi_u was factorized, and exchanged
/// for a better one. Lives as long as the call that asks for it; what lasts is in PartitionMemory.
class PartitionChoice {
 public:
  /// `condition_counts`: the condition of Phi_u rules beside the amplification. `u_integrated`: u is a part of the
  /// integrated state.
  PartitionChoice(const PartitionParameters& parameters, bool condition_counts,
                  PartitionLevel level = PartitionLevel::positions, bool u_integrated = true)
      : p_(parameters), condition_counts_(condition_counts), u_integrated_(u_integrated), level_(level) {}

  /// How well a partition determines the dependent coordinates.
  struct Quality {
    double condition = 0;      ///< of Phi_u
    double amplification = 0;  ///< 0 where it is not asked for
  };

  /// [setup] Whether there is one, at the last evaluated Jacobian, that has `independent`.
  bool exists(ConstrainedLayout& system, PartitionMemory& part, Refusal& refusal) const {
    const Status status = solver(system).choose_partition(forced(system, part.change), part.independent);
    if (status.code != StatusCode::singular) return true;
    return refuse_partition(system, p_.independent, rows(system), status, refusal);
  }

  /// [step] The first one, at the last evaluated Jacobian, at the time t.
  Status first(ConstrainedLayout& system, PartitionMemory& part, double t) const {
    PartitionSolve& solver = this->solver(system);
    Status status = solver.choose_partition(forced(system, part.change), part.independent);
    if (status) status = solver.factorize_dependent(part.independent);
    if (!status) return status;
    Quality first = measure(system, part);
    part.smallest_condition = first.condition;
    part.rows_at_choice = rows(system);
    bool changed = false;
    if (amplified(system, first)) status = exchange(system, part, true, first, changed);
    part.condition_at_choice = first.condition;
    part.smallest_amplification = part.least_amplification = first.amplification;
    part.largest_amplification = first.amplification;
    part.largest_at = t;
    part.partitions = 1;
    return status;
  }

  /// [step] Chooses another partition if the one whose Phi_u was just factorized is no longer good enough.
  Status review(ConstrainedLayout& system, PartitionMemory& part, double t, Quality now, bool& changed) const {
    if (double& largest = part.largest_amplification; now.amplification > largest) {
      largest = now.amplification, part.largest_at = t;
    }
    const double reference = part.condition_at_choice;
    if (std::isinf(reference) && !std::isinf(now.condition)) return choose_again(system, part, changed);
    const bool ill = !only_by_amplification() && now.condition > p_.condition_growth * reference;
    double& smallest = part.smallest_amplification;
    smallest = std::min(smallest, now.amplification);
    part.least_amplification = std::min(part.least_amplification, now.amplification);
    const bool worse = amplified(system, now) && now.amplification > clearly_worse * smallest;
    return ill || worse ? choose_again(system, part, changed) : Status::success();
  }

  /// [step] The partition at hand at the last evaluated Jacobian, for the Phi_u last factorized, which has to be its.
  Quality measure(ConstrainedLayout& system, PartitionMemory& part) const {
    Quality now;
    now.condition = solver(system).dependent_condition(part.guess);
    if (!by_amplification() && p_.independent.size == 0) return now;  // nothing asks for it
    now.amplification = quality(system).amplification(part.scale, part.independent, part.probe);
    return now;
  }

  /// Another partition at the last evaluated Jacobian, taken if it is better than the one at hand, or if that has the
  /// wrong number of dependent coordinates. In a singular configuration there may be none: the one at hand goes on with
  /// the rows that it can satisfy.
  Status choose_again(ConstrainedLayout& system, PartitionMemory& part, bool& changed) const {
    Status status = solver(system).factorize_dependent(part.independent);
    if (!status) return status;
    Quality now = measure(system, part);
    part.smallest_condition = std::min(part.smallest_condition, now.condition);
    bool exchanged = false;
    const bool fitting = fits(system, part);
    const bool by_scale = fitting ? amplified(system, now) : only_by_amplification();
    if (by_scale) status = exchange(system, part, true, now, exchanged);
    if (status && !exchanged) status = exchange(system, part, false, now, exchanged);
    part.rows_at_choice = rows(system);
    part.condition_at_choice = now.condition;
    part.smallest_amplification = now.amplification;
    if (exchanged) part.least_amplification = now.amplification;
    part.partitions += exchanged;
    changed = changed || exchanged;
    return status;
  }

  /// Whether errors come back in u much larger.
  bool too_large(const Quality& now) const { return by_amplification() && now.amplification > always_good; }

  /// Beyond this condition of Phi_u no coordinates determine the others well enough.
  static double condition_limit(const PartitionMemory& part) {
    // Over the smallest of this motion; slider-cranks, four-bars and double pendulums stay below 3 between choices. On
    // problem A02 of the benchmark library 5 leaves a tenth of the errors that 20 leaves.
    constexpr double singular_growth = 5;
    return singular_growth * part.smallest_condition;
  }

  static bool rows_changed(ConstrainedLayout& system, const PartitionMemory& part,
                           PartitionLevel level = PartitionLevel::positions) {
    return part.rows_at_choice != kept_rows(system, level);
  }

  /// Independent constraint rows.
  static double kept_rows(ConstrainedLayout& system, PartitionLevel level = PartitionLevel::positions) {
    const VelocityLevel* apart = level == PartitionLevel::positions ? velocity_level(system) : nullptr;
    if (apart != nullptr) return system.constraints() - apart->velocity_row_count() - apart->redundant_positions();
    const RowChoice* rows = find_extension<RowChoice>(system);
    return system.constraints() - (rows != nullptr ? rows->redundant() : 0);
  }

  PartitionSolve& solver(ConstrainedLayout& system) const {
    VelocityLevel* apart = level_ == PartitionLevel::positions ? velocity_level(system) : nullptr;
    return apart != nullptr ? apart->position_partition() : *find_extension<PartitionSolve>(system);
  }
  PartitionQuality& quality(ConstrainedLayout& system) const {
    VelocityLevel* apart = level_ == PartitionLevel::positions ? velocity_level(system) : nullptr;
    return apart != nullptr ? apart->position_partition_quality() : *find_extension<PartitionQuality>(system);
  }

 private:
  static constexpr double always_good = 3, clearly_worse = 2, somewhat_worse = 1.5, far_worse = 4, much = 10;

  /// Whether the amplification rules the partition.
  bool by_amplification() const { return p_.criterion == PartitionCriterion::amplification; }
  bool only_by_amplification() const { return by_amplification() && !condition_counts_; }

  /// Whether another partition is to be chosen by amplification.
  bool amplified(ConstrainedLayout& system, const Quality& now) const {
    return too_large(now) && (only_by_amplification() || blind(system, now) || now.amplification > much);
  }
  /// Whether the condition, |Phi_u|_F |Phi_u^-1|_2, is about as small as it can be and says nothing.
  bool blind(ConstrainedLayout& system, const Quality& now) const {
    return now.condition <= 1.25 * std::sqrt(rows(system));
  }

  double rows(ConstrainedLayout& system) const { return kept_rows(system, level_); }
  bool fits(ConstrainedLayout& system, const PartitionMemory& part) const {
    return part.independent.size - part.independent.map().sum() == rows(system);
  }

  /// The best partition by one of the measures, taken if it is better by that; `present`: of the one at hand, which is
  /// factorized before and after.
  Status exchange(ConstrainedLayout& system, PartitionMemory& part, bool scaled, Quality& present,
                  bool& changed) const {
    constexpr double worthwhile = 0.9, well_worthwhile = 0.7;
    PartitionSolve& solver = this->solver(system);
    const ConstVectorView marks = forced(system, part.change);
    Status status = scaled ? quality(system).choose_scaled(part.scale, marks, part.candidate)
                           : solver.choose_partition(marks, part.candidate);
    if (status.code == StatusCode::singular) return Status::success();
    if (!status || part.candidate.map() == part.independent.map()) return status;
    status = solver.factorize_dependent(part.candidate);
    if (!status) return status;
    part.guess.map().setZero();  // those of another Phi_u could hide the worst direction of this one
    part.probe.map().setZero();
    const bool fitted = fits(system, part);
    std::swap_ranges(part.candidate.data, part.candidate.data + part.candidate.size, part.independent.data);
    const Quality other = measure(system, part);
    double& smallest = part.smallest_condition;
    // Neither measure takes what the other one would take for singular, or give back at once.
    const bool tolerable = !by_amplification() || other.amplification <= std::max(always_good, limit(part, present));
    const bool better = scaled ? other.amplification < well_worthwhile * present.amplification &&
                                     (other.amplification <= always_good || other.condition <= condition_limit(part))
                               : other.condition < worthwhile * present.condition && tolerable;
    if (fitted && !better) {
      std::swap_ranges(part.candidate.data, part.candidate.data + part.candidate.size, part.independent.data);
      return solver.factorize_dependent(part.independent);
    }
    // Conditions of choices by amplification, of other units' mixture, are not comparable with those before.
    const bool anew = scaled && !only_by_amplification() && other.amplification <= always_good;
    smallest = anew ? other.condition : std::min(smallest, other.condition);
    present = other;
    changed = true;
    return status;
  }

  /// How much a choice by condition may amplify in place of the partition at hand, of quality `present`.
  double limit(const PartitionMemory& part, const Quality& present) const {
    if (only_by_amplification()) return present.amplification;
    if (u_integrated_) return clearly_worse * present.amplification;
    // Whoever integrates w alone takes its steps by the coordinates of w: a swing that lets the partition at hand
    // amplify more for a moment is no reason for one that amplifies much all the time.
    return std::max({std::min(clearly_worse * present.amplification, much), somewhat_worse * part.least_amplification,
                     present.amplification / far_worse});
  }

  /// Marks in `marks` (n) the coordinates that have to be independent; empty if there are none.
  ConstVectorView forced(const ConstrainedLayout& system, VectorView marks) const {
    return mark_forced_coordinates(system, p_.independent, marks);
  }

  const PartitionParameters& p_;
  const bool condition_counts_, u_integrated_;
  const PartitionLevel level_;
};

}  // namespace trammel::sdk
