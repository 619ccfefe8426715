// Oracle from a function of poses: rows written once as a generic lambda, every derivative automatic.
#pragma once

#include <utility>

#include "constraint_check.h"

namespace conformance {

template <class State, Index bodies, Index rows, class Rows>
class RowOracle final : public sdk::AutoConstraint<RowOracle<State, bodies, rows, Rows>, State, bodies, rows> {
  using Base = sdk::AutoConstraint<RowOracle<State, bodies, rows, Rows>, State, bodies, rows>;

 public:
  RowOracle(const std::vector<std::int32_t>& b, const Rows& rows_of)
      : RowOracle(b, rows_of, std::make_index_sequence<static_cast<std::size_t>(bodies)>()) {}

  template <class T>
  void phi(const T&, const sdk::Pose<State, T>* b, T* out, const ElementState& s) const {
    rows_of_(b, out, s.angle_references);
  }

 private:
  template <std::size_t... k>
  RowOracle(const std::vector<std::int32_t>& b, const Rows& rows_of, std::index_sequence<k...>)
      : Base(BodyRef{b[k]}...), rows_of_(rows_of) {}

  Rows rows_of_;
};

/// The pair that check_constraint wants: component and oracle. `rows_of(const Pose*, T* out, const double*
/// references)`.
template <class State, Index bodies, Index rows, class Rows>
auto with_oracle(const ComponentRecord& record, ParameterFill fill, const ModelInfo& model,
                 const std::vector<std::int32_t>& b, const Rows& rows_of) {
  return std::pair(std::make_unique<Component<Constraint>>(record, std::move(fill), model),
                   std::make_unique<RowOracle<State, bodies, rows, Rows>>(b, rows_of));
}

/// The angle nearest to the reference, with its derivatives.
template <class T>
T nearest(T angle, double reference) {
  while (sdk::base_value(angle) - reference > M_PI) angle = angle - 2 * M_PI;
  while (sdk::base_value(angle) - reference < -M_PI) angle = angle + 2 * M_PI;
  return angle;
}

}  // namespace conformance
