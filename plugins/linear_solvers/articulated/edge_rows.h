// Rows that are added to the directions of an edge one by one: the free ones turn so that one of them moves the row.
#pragma once

#include <cmath>

#include "node.h"

namespace trammel::articulated {

/// The directions of an edge while its rows are added. `measure` of a body, per entry of a twist, makes lengths of twists
/// t^T diag(measure) t comparable; the free directions are kept orthonormal in it.
template <class S>
class EdgeRows {
 public:
  using Twist = typename S::Twist;

  EdgeRows(Twist* basis, const Twist& measure) : basis_(basis), measure_(measure) {}

  /// No rows so far, all directions are free.
  void begin(const Four& shift, General<S>* general) {
    rows_ = 0, general_ = general;
    for (int k = 0; k < S::size; ++k) {
      basis_[k] = {};
      basis_[k].part[S::place(k) / 4][S::place(k) % 4] = 1 / std::sqrt(entry<S>(measure_, k));
    }
    begin_general(shift);
  }
  /// The basis has a joint's directions for `rows` rows.
  void go_on(int rows, const Four& shift, General<S>* general) {
    rows_ = rows, general_ = general;
    for (int k = rows; k < S::size; ++k) {
      for (int twice = 0; twice < 2; ++twice) {
        for (int j = rows; j < k; ++j) add(basis_[k], -inner(basis_[j], basis_[k]), basis_[j]);
      }
      basis_[k] = times(1 / std::sqrt(inner(basis_[k], basis_[k])), basis_[k]);
    }
    begin_general(shift);
  }
  /// One row of the child and the parent (null: ground). Returns the squared sine of its angle to the rows before it, NaN if
  /// a number is not finite; at most `least`, and nothing is added.
  double add_row(const Twist& child, const Twist* parent, double least) {
    double h[S::size], length = 0, own = 0;
    for (int k = rows_; k < S::size; ++k) h[k] = dot(child, basis_[k]), length += h[k] * h[k];
    for (int k = 0; k < S::size; ++k) own += entry<S>(child, k) * entry<S>(child, k) / entry<S>(measure_, k);
    const double sine = own > 0 ? length / own : 0 * length;
    if (!(sine > least)) return sine;
    turn(h, std::sqrt(length));
    const double along = dot(child, basis_[rows_]);
    const Twist B = times(1 / along, basis_[rows_]);
    for (int r = 0; r < rows_; ++r) add(basis_[r], -dot(child, basis_[r]), B);
    basis_[rows_++] = B;
    if (general_ == nullptr) return sine;
    for (int k = 0; k < S::size; ++k) {
      const double moved = dot(child, general_->columns[k]) + (parent != nullptr ? entry<S>(*parent, k) : 0);
      add(general_->columns[k], -moved, B);
    }
    return sine;
  }

 private:
  double inner(const Twist& a, const Twist& b) const {
    Twist m = b;
    for (std::size_t i = 0; i < sizeof m.part / sizeof m.part[0]; ++i) m.part[i] *= measure_.part[i];
    return dot(a, m);
  }
  /// Householder: the first free direction gets all of h, the others nothing.
  void turn(const double* h, double length) {
    double v[S::size], square = 0;
    for (int k = rows_; k < S::size; ++k) v[k] = h[k];
    v[rows_] += std::copysign(length, h[rows_]);
    for (int k = rows_; k < S::size; ++k) square += v[k] * v[k];
    Twist along{};
    for (int k = rows_; k < S::size; ++k) add(along, 2 * v[k] / square, basis_[k]);
    for (int k = rows_; k < S::size; ++k) add(basis_[k], -v[k], along);
  }
  void begin_general(const Four& shift) {
    if (general_ == nullptr) return;
    for (int k = 0; k < S::size; ++k) {
      Twist unit{};
      unit.part[S::place(k) / 4][S::place(k) % 4] = 1;
      general_->columns[k] = S::shift(unit, shift);
    }
  }

  Twist* basis_;
  Twist measure_;
  int rows_ = 0;
  General<S>* general_ = nullptr;
};

}  // namespace trammel::articulated
