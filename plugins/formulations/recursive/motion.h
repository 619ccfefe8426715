// TreeMotion: bodies from joint coordinates along the tree, the tree's Jacobian as products, and exact derivatives of both.
//
//   q = q(theta),   v = B theta',   a = B theta'' + c(theta, theta')                                              (1)
// B^+ is the left inverse of B that reads the joints' own numbers, so that theta'' = B^+ (a - c). For a ball, whose four
// numbers have a length that means nothing, B^+ leaves that length as it is (turns.h, (3)).
#pragma once

#include <memory>

#include "tree.h"

namespace trammel::recursive {

/// All methods but `measure` refer to the point placed last. Vectors over all coordinates have n entries, those over all
/// thetas `thetas`.
class TreeMotion {
 public:
  static std::unique_ptr<TreeMotion> of(const Tree& tree);
  virtual ~TreeMotion() = default;

  /// [hot] (1) at theta with both rates; `signs`: a number per link, see `measure`. The arrays stay until the next call.
  virtual void place(const double* theta, const double* theta1, const double* theta2, const double* signs) = 0;
  /// [hot] q, v and B theta'' + c of that point.
  virtual void write(double* q, double* v, double* a) const = 0;
  /// [hot] dq = B dtheta.
  virtual void spread(const double* dtheta, double* dq) = 0;
  /// [hot] dtheta = B^+ dq.
  virtual void relative(const double* dq, double* dtheta) = 0;
  /// [hot] out = B^T f.
  virtual void gather(const double* f, double* out) = 0;
  /// [hot] Derivatives of q, v and a along (dtheta, dtheta1), theta'' fixed. Links that neither moves cost nothing.
  virtual void derive(const double* dtheta, const double* dtheta1, double* dq, double* dv, double* da) = 0;
  /// [hot] theta of q, with angles near `near`, and the signs: what q says beyond theta.
  virtual void measure(const double* q, const double* near, double* theta, double* signs) const = 0;

  /// [hot] Adds to theta2 what (3) of turns.h asks for, of the balls.
  void hold_lengths(const double* theta, const double* theta1, double* theta2) const;
  /// Calls use(theta index of the four numbers, link).
  template <class Use>
  void balls(const Use& use) const {
    for (const auto& [first, link] : balls_) use(first, link);
  }

 protected:
  explicit TreeMotion(const Tree& tree);
  const Tree& tree_;

 private:
  struct Ball {
    Index first, link;
  };
  std::vector<Ball> balls_;
};

}  // namespace trammel::recursive
