// InternalLinearization: the gradients of a model that involve its internal states z, stored by force.
#pragma once

#include <vector>

#include "model/assembly.h"

namespace trammel {

class ModelPoint;

/// Q_z, and the gradients of z' with respect to q, v, z and t, of every force with internal states.
class InternalLinearization {
 public:
  /// [setup]
  explicit InternalLinearization(ModelPoint& point);
  /// [step] At the last evaluation point. The forces whose gradients were taken by differences are appended to
  /// `differenced` unless they are in it.
  Status compute(std::vector<Index>& differenced);
  /// [hot] f = -Q_z dz, r = (z')_q dq + (z')_v dv + (z')_z dz.
  void apply(ConstVectorView dq, ConstVectorView dv, ConstVectorView dz, VectorView f, VectorView r) const;
  /// [hot] (z')_t.
  void time_gradient(VectorView r) const;

  /// One force; its blocks lie one after another from `offset`: Q_z and (z')_q and (z')_v per body, (z')_z, (z')_t.
  struct Entry {
    std::size_t force;
    Index states;
    Index offset;
  };
  const std::vector<Entry>& entries() const { return entries_; }
  /// Blocks of an entry for its body number `body`, column-major: Q_z (c x nz), (z')_q and (z')_v (nz x c), and (z')_z.
  const double* Q_z(const Entry& entry, std::size_t body) const { return at(entry, 0, body); }
  const double* rate_q(const Entry& entry, std::size_t body) const { return at(entry, 1, body); }
  const double* rate_v(const Entry& entry, std::size_t body) const { return at(entry, 2, body); }
  const double* rate_z(const Entry& entry) const { return at(entry, 3, 0); }

 private:
  const double* at(const Entry& entry, Index kind, std::size_t body) const {
    return values_.data() + block(entry, kind, static_cast<Index>(body));
  }
  Index block(const Entry& entry, Index kind, Index body) const;
  Status differences(const Entry& entry);

  ModelPoint& point_;
  const Assembly& assembly_;
  Index c_;
  std::vector<Entry> entries_;
  std::vector<double> values_;
  std::vector<MatrixView> views_;  ///< scratch: three per attached body
};

}  // namespace trammel
