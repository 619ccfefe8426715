// What a partitioned formulation keeps in the engine's memory, and the parameters of its partition.
#pragma once

#include <algorithm>

#include "trammel/constrained_layout.h"
#include "trammel/sdk/field.h"
#include "trammel/sdk/formulations/coordinate_sizes.h"
#include "trammel/sdk/state_layout.h"

namespace trammel::sdk {

/// What a partition is judged by: PartitionQuality::amplification, or the condition of Phi_u (Sandu et al.).
enum class PartitionCriterion : std::int32_t { amplification, condition };

/// Parameters that every formulation with a partition has.
struct PartitionParameters {
  Texts independent;
  double tolerance;
  PartitionCriterion criterion;
  double condition_growth;
  std::int64_t repeated_attempts;
  bool restart;
};

/// Their fields in the table of a struct P derived from PartitionParameters, before the P's own.
#define TRAMMEL_PARTITION_FIELDS(P)                                                                                   \
  TRAMMEL_FIELD(P, independent, "1",                                                                                  \
                "Coordinates that are to be independent (\"crank.phi\"); the others are chosen by pivoting.")         \
      .optional(),                                                                                                    \
      TRAMMEL_FIELD(P, tolerance, "1",                                                                                \
                    "Newton's method for the dependent coordinates ends when none changes by more (m, rad, 1).")      \
          .above(0)                                                                                                   \
          .otherwise("1e-10"),                                                                                        \
      TRAMMEL_FIELD(P, criterion, "1",                                                                                \
                    "What the partition is judged by: how much it amplifies errors of the independent coordinates, "  \
                    "or the condition of Phi_u (Sandu et al.).")                                                      \
          .choices("amplification|condition")                                                                         \
          .otherwise("\"amplification\""),                                                                            \
      TRAMMEL_FIELD(P, condition_growth, "1",                                                                         \
                    "Of criterion condition: a new partition is looked for when the condition of Phi_u exceeds "      \
                    "that at the last choice by this factor.")                                                        \
          .above(1)                                                                                                   \
          .otherwise("1.25"),                                                                                         \
      TRAMMEL_FIELD(P, repeated_attempts, "1",                                                                        \
                    "A new partition is sought after this many rejected attempts of a step in a row.")                \
          .at_least(1)                                                                                                \
          .otherwise("3"),                                                                                            \
      TRAMMEL_FIELD(P, restart, "1",                                                                                  \
                    "Restart the integrator at a new partition instead of exchanging the mask of its error control.") \
          .otherwise("false")

/// Numbers of a partition, in front in memory.state.
struct PartitionNumbers {
  static constexpr Index own_count = 11;

  constexpr explicit PartitionNumbers(StateLayout& at)
      : condition_at_choice(at.number()),
        rows_at_choice(at.number()),
        partitions(at.number()),
        minimal_corrections(at.number()),
        smallest_condition(at.number()),
        smallest_amplification(at.number()),
        least_amplification(at.number()),
        largest_amplification(at.number()),
        largest_at(at.number()),
        minimal(at.number()),
        kept_at(at.number()),
        own(at.numbers(own_count)) {}
  void forget() const {
    condition_at_choice = rows_at_choice = partitions = minimal_corrections = 0;
    smallest_condition = smallest_amplification = least_amplification = 0;
    largest_amplification = largest_at = minimal = kept_at = 0;
    std::fill_n(own, own_count, 0.0);
  }

  double &condition_at_choice, &rows_at_choice;
  double &partitions, &minimal_corrections;  ///< counted
  double& smallest_condition;
  double& smallest_amplification;              ///< since the last choice, which may have kept the partition
  double& least_amplification;                 ///< of the partition at hand, since it was taken
  double &largest_amplification, &largest_at;  ///< over the run, and when
  double& minimal;                             ///< the last correction was one of all coordinates
  double& kept_at;                             ///< time of the kept state
  double* own;                                 ///< `own_count` numbers of the derived formulation
};

/// What a formulation keeps and works with for one partition.
struct PartitionMemory : PartitionNumbers {
  PartitionMemory(MemoryLayout& at, Index n, Index m)
      : PartitionNumbers(at.state),
        independent(at.state.vector(n)),
        guess(at.state.vector(m)),
        probe(at.state.vector(n)),
        scale(at.state.vector(n)),
        kept_q(at.state.vector(n)),
        kept_v(at.state.vector(n)),
        residual(at.scratch.vector(m)),
        g(at.scratch.vector(m)),
        saved(at.scratch.vector(n)),
        saved_v(at.scratch.vector(n)),
        change(at.scratch.vector(n)),
        candidate(at.scratch.vector(n)) {}
  PartitionMemory(const ConstrainedLayout& system, const Memory& memory)
      : PartitionMemory(MemoryLayout::place<PartitionMemory>(memory, system.coordinates(), system.constraints())) {}

  /// Nothing is known from before.
  void forget() const {
    PartitionNumbers::forget();
    guess.map().setZero();
    probe.map().setZero();
  }
  /// Notes the end of a step, from which the next one comes.
  void keep(double t, ConstVectorView q, ConstVectorView v) const {
    kept_q.map() = q.map();
    kept_v.map() = v.map();
    kept_at = t;
  }

  VectorView independent;     ///< 1 for independent, 0 for dependent coordinates
  VectorView guess, probe;    ///< of the condition's inverse iteration, of the amplification's power iteration
  VectorView scale;           ///< as of PartitionQuality
  VectorView kept_q, kept_v;  ///< at the end of the last step: where the present one comes from
  VectorView residual, g;     ///< as Index1Formulation has them
  VectorView saved, saved_v, change, candidate;
};

}  // namespace trammel::sdk
