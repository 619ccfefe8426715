// What a partitioned formulation keeps in the engine's memory, and the parameters of its partition.
#pragma once

#include "trammel/constrained_layout.h"
#include "trammel/memory.h"
#include "trammel/sdk/field.h"
#include "trammel/sdk/formulations/coordinate_sizes.h"

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

/// Views into Memory. state: [scalars, mask (n), guess (m), probe (n), scale (n), kept q and v (2 n)]; scratch, behind
/// the 2 m entries of Index1Formulation: [saved q and v (2 n), change (n), candidate (n)].
struct PartitionMemory {
  enum Scalar : Index {
    condition_at_choice,
    rows_at_choice,
    partitions,
    minimal_corrections,
    smallest_condition,
    smallest_amplification,  ///< since the last choice
    largest_amplification,   ///< over the run, and when
    largest_at,
    minimal,  ///< the last correction was one of all coordinates
    kept_at,  ///< time of the kept state
    own,
    scalars = own + 6
  };

  static MemorySize size(Index n, Index m) { return {scalars + 5 * n + m, 2 * m + 4 * n}; }

  PartitionMemory(const ConstrainedLayout& system, const Memory& memory)
      : PartitionMemory(system.coordinates(), system.constraints(), memory) {}
  PartitionMemory(Index n, Index m, const Memory& memory)
      : scalar(memory.state),
        independent{memory.state + scalars, n},
        guess{memory.state + scalars + n, m},
        probe{memory.state + scalars + n + m, n},
        scale{memory.state + scalars + 2 * n + m, n},
        kept_q{memory.state + scalars + 3 * n + m, n},
        kept_v{memory.state + scalars + 4 * n + m, n},
        residual{memory.scratch, m},
        saved{memory.scratch + 2 * m, n},
        saved_v{memory.scratch + 2 * m + n, n},
        change{memory.scratch + 2 * m + 2 * n, n},
        candidate{memory.scratch + 2 * m + 3 * n, n} {}

  /// Notes the end of a step, from which the next one comes.
  void keep(double t, ConstVectorView q, ConstVectorView v) const {
    kept_q.map() = q.map();
    kept_v.map() = v.map();
    scalar[kept_at] = t;
  }

  double* scalar;             ///< by Scalar; from `own` on they belong to the derived formulation
  VectorView independent;     ///< 1 for independent, 0 for dependent coordinates
  VectorView guess, probe;    ///< of the condition's inverse iteration, of the amplification's power iteration
  VectorView scale;           ///< as of PartitionQuality
  VectorView kept_q, kept_v;  ///< at the end of the last step: where the present one comes from
  VectorView residual, saved, saved_v, change, candidate;
};

}  // namespace trammel::sdk
