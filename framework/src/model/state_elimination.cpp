// Internal states eliminated from implicit matrices.
#include "model/state_elimination.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "linalg/sizes.h"

namespace trammel {
namespace {

using ConstMatrix = Eigen::Map<const Eigen::MatrixXd>;
using ConstColumn = Eigen::Map<const Eigen::VectorXd>;

}  // namespace

StateElimination::StateElimination(const Linearization& linearization, const InternalLinearization& internal)
    : linearization_(linearization), internal_(internal), c_(linearization.assembly().body_coordinates()) {
  Index kept = 0, size = 0;
  std::size_t most = 0;
  for (std::size_t e = 0; e < internal.entries().size(); ++e) {
    const InternalLinearization::Entry& entry = internal.entries()[e];
    const ForceSlot& slot = linearization.assembly().forces[entry.force];
    parts_.push_back({e, blocks_.size(), entry.states, slot.first_z, kept, &slot.bodies});
    std::size_t pair = linearization.first_pair(entry.force);
    for (const Index row : slot.bodies) {
      for (const Index column : slot.bodies) {
        if (row < 0 || column < 0) continue;
        blocks_.push_back({pair++, size});
        size += c_ * c_;
      }
    }
    kept += entry.states * (3 * c_ * static_cast<Index>(slot.bodies.size()) + entry.states);
    most = std::max(most, count(entry.states));
  }
  reaction_.assign(count(size), 0.0);
  kept_.assign(count(kept), 0.0);
  rate_.assign(most, 0.0);
}

double* StateElimination::W(const Part& part, std::size_t body) {
  return kept_.data() + part.at + static_cast<Index>(body) * part.states * c_;
}
const double* StateElimination::W(const Part& part, std::size_t body) const {
  return kept_.data() + part.at + static_cast<Index>(body) * part.states * c_;
}
/// G of a body, or c0 g_v.
Index StateElimination::rates(const Part& part, std::size_t body, bool velocity) const {
  const Index bodies = static_cast<Index>(part.bodies->size());
  return part.at + ((velocity ? 2 : 1) * bodies + static_cast<Index>(body)) * part.states * c_;
}
Index StateElimination::inverse(const Part& part) const {
  return part.at + 3 * static_cast<Index>(part.bodies->size()) * part.states * c_;
}

Status StateElimination::compute(double c0, double c1) {
  constexpr double largest_condition = 1e14;  // two digits are left
  for (const Part& part : parts_) {
    const InternalLinearization::Entry& entry = internal_.entries()[part.entry];
    const Index nz = part.states;
    const ConstMatrix rate_z(internal_.rate_z(entry), nz, nz);
    Eigen::Map<Eigen::MatrixXd> D_inverse(kept_.data() + inverse(part), nz, nz);
    // Beside what it is made of, so that terms which cancel count as singular.
    const double scale = 1 + std::abs(c1) * rate_z.cwiseAbs().sum();
    D_inverse = (Eigen::MatrixXd::Identity(nz, nz) - c1 * rate_z).inverse().eval();
    const double condition = scale * D_inverse.cwiseAbs().sum();
    if (!(condition < largest_condition))
      return Status::failure(StatusCode::singular, "matrix of the internal states in the implicit step", -1, condition);
    const std::vector<Index>& bodies = *part.bodies;
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      if (bodies[b] < 0) continue;
      const ConstMatrix g_q(internal_.rate_q(entry, b), nz, c_), g_v(internal_.rate_v(entry, b), nz, c_);
      Eigen::Map<Eigen::MatrixXd>(W(part, b), c_, nz) = c1 * ConstMatrix(internal_.Q_z(entry, b), c_, nz) * D_inverse;
      Eigen::Map<Eigen::MatrixXd>(kept_.data() + rates(part, b, false), nz, c_) = c0 * g_q + c1 * g_v;
      Eigen::Map<Eigen::MatrixXd>(kept_.data() + rates(part, b, true), nz, c_) = c0 * g_v;
    }
    auto block = blocks_.begin() + static_cast<std::ptrdiff_t>(part.first_block);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      for (std::size_t j = 0; j < bodies.size(); ++j) {
        if (bodies[i] < 0 || bodies[j] < 0) continue;
        Eigen::Map<Eigen::MatrixXd>(reaction_.data() + (block++)->offset, c_, c_).noalias() =
            -ConstMatrix(W(part, i), c_, nz) * ConstMatrix(kept_.data() + rates(part, j, false), nz, c_);
      }
    }
  }
  return Status::success();
}

void StateElimination::add_states(ConstVectorView r, VectorView f) const {
  for (const Part& part : parts_) {
    for (std::size_t b = 0; b < part.bodies->size(); ++b) {
      const Index body = (*part.bodies)[b];
      if (body < 0) continue;
      f.segment(body * c_, c_).map().noalias() +=
          ConstMatrix(W(part, b), c_, part.states) * r.segment(part.first_z, part.states).map();
    }
  }
}

void StateElimination::add_rates(const Part& part, ConstVectorView x, ConstVectorView u, double* sum) const {
  Eigen::Map<Eigen::VectorXd> out(sum, part.states);
  for (std::size_t b = 0; b < part.bodies->size(); ++b) {
    const Index body = (*part.bodies)[b];
    if (body < 0) continue;
    out.noalias() +=
        ConstMatrix(kept_.data() + rates(part, b, false), part.states, c_) * x.segment(body * c_, c_).map();
    if (u.size == 0) continue;
    out.noalias() += ConstMatrix(kept_.data() + rates(part, b, true), part.states, c_) * u.segment(body * c_, c_).map();
  }
}

void StateElimination::add_reaction(ConstVectorView x, ConstVectorView u, VectorView f) const {
  for (const Part& part : parts_) {
    std::fill_n(rate_.begin(), part.states, 0.0);
    add_rates(part, x, u, rate_.data());
    for (std::size_t b = 0; b < part.bodies->size(); ++b) {
      const Index body = (*part.bodies)[b];
      if (body < 0) continue;
      f.segment(body * c_, c_).map().noalias() -=
          ConstMatrix(W(part, b), c_, part.states) * ConstColumn(rate_.data(), part.states);
    }
  }
}

void StateElimination::recover(ConstVectorView r, ConstVectorView x, ConstVectorView u, VectorView y) const {
  for (const Part& part : parts_) {
    std::copy_n(r.data + part.first_z, part.states, rate_.begin());
    add_rates(part, x, u, rate_.data());
    y.segment(part.first_z, part.states).map().noalias() =
        ConstMatrix(kept_.data() + inverse(part), part.states, part.states) * ConstColumn(rate_.data(), part.states);
  }
}

}  // namespace trammel
