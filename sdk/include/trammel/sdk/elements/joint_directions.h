// Free directions of joints from their rows: what a row group's kernels say of twists, and the basis dual to it.
#pragma once

#include "trammel/extensions/free_directions.h"
#include "trammel/sdk/elements/bodies.h"

// With the twist (w, alpha) of the second body, and minus these rows for the first one (its own lever in place of l):
//   linear row    F.(w + alpha x l)      points and distances along directions
//   angular row   n.alpha                angles between directions
// l is the same for all linear rows of a joint. Directions dual to F and n, with w + alpha x l = 0 for those that turn, move
// one row each; what is left moves none.
namespace trammel::sdk {

/// The dual basis: out_i.n_k = 1 if i = k, else 0, for the first `count` of three directions; the others complete it.
template <Index count>
TRAMMEL_INLINE void dual_basis(const Vec3<>* n, Vec3<>* out) {
  if constexpr (count == 0) {
    out[0] = {1, 0, 0}, out[1] = {0, 1, 0}, out[2] = {0, 0, 1};
  } else if constexpr (count == 1) {
    const double scale = 1 / dot(n[0], n[0]);
    const bool x_least = std::abs(n[0].x) <= std::abs(n[0].y) && std::abs(n[0].x) <= std::abs(n[0].z);
    const bool y_least = std::abs(n[0].y) <= std::abs(n[0].z);
    const Vec3<> away = x_least ? Vec3<>{1, 0, 0} : y_least ? Vec3<>{0, 1, 0} : Vec3<>{0, 0, 1};
    out[0] = scale * n[0], out[1] = cross(n[0], away), out[2] = scale * cross(n[0], out[1]);
  } else if constexpr (count == 2) {
    const Vec3<> h = cross(n[0], n[1]);
    const double scale = 1 / dot(h, h);
    out[0] = scale * cross(n[1], h), out[1] = scale * cross(h, n[0]), out[2] = h;
  } else {
    const Vec3<> h = cross(n[0], n[1]);
    const double scale = 1 / dot(h, n[2]);
    out[0] = scale * cross(n[1], n[2]), out[1] = scale * cross(n[2], n[0]), out[2] = scale * h;
  }
}

/// Collects the rows of one joint; linear, angular: their numbers, at most 3 each.
template <Index linear, Index angular>
class SpatialDirections {
 public:
  static constexpr Index stride = 8;

  TRAMMEL_INLINE SpatialDirections(const SpatialBodyState& i, const SpatialBodyState& j, Index child,
                                   const DirectionsOutput& out)
      : second_(child == 1), i_(i), j_(j), out_(out) {
    const Vec3<> between = position(j) - position(i);
    shift = second_ ? between : -between;
    child_scale_ = 2 / (second_ ? j.pp : i.pp), parent_scale_ = 2 / (second_ ? i.pp : j.pp);
  }
  bool second() const { return second_; }

  Vec3<> lever{0, 0, 0};  ///< of the child
  Vec3<> shift;           ///< see FreeDirections

  TRAMMEL_INLINE void linear_row(Index row, const Vec3<>& F) { F_[linear_count_] = F, F_row_[linear_count_++] = row; }
  TRAMMEL_INLINE void angular_row(Index row, const Vec3<>& n) {
    n_[angular_count_] = n, n_row_[angular_count_++] = row;
  }
  /// Half the product of the row's gradient with the Euler parameters of each body.
  TRAMMEL_INLINE void along(Index row, double of_i, double of_j) const {
    out_.along_child[row] = child_scale_ * (second_ ? of_j : of_i);
    out_.along_parent[row] = parent_scale_ * (second_ ? of_i : of_j);
  }
  TRAMMEL_INLINE void write() const {
    const double sign = second_ ? 1 : -1;
    Vec3<> dual[3];
    dual_basis<linear>(F_, dual);
    Index free = linear + angular;
    for (Index k = 0; k < 3; ++k) {
      if (k < linear)
        column(F_row_[k], sign * dual[k], {0, 0, 0});
      else
        column(free++, dual[k], {0, 0, 0});
    }
    dual_basis<angular>(n_, dual);
    for (Index k = 0; k < 3; ++k) {
      const Vec3<> alpha = k < angular ? sign * dual[k] : dual[k];
      column(k < angular ? n_row_[k] : free++, cross(lever, alpha), alpha);
    }
    store(shift, out_.shift);
  }

 private:
  TRAMMEL_INLINE void column(Index k, const Vec3<>& w, const Vec3<>& alpha) const {
    double* d = out_.basis + k * stride;
    store(w, d), d[3] = 0;
    store(alpha, d + 4), d[7] = 0;
  }

  bool second_;
  const SpatialBodyState &i_, &j_;
  const DirectionsOutput& out_;
  double child_scale_, parent_scale_;
  Index linear_count_ = 0, angular_count_ = 0;
  Vec3<> F_[3], n_[3];
  Index F_row_[3], n_row_[3];
};

/// The same in the plane: linear rows F.(w + alpha perp(l)), at most 2; one angular row, alpha.
template <Index linear, Index angular>
class PlanarDirections {
 public:
  static constexpr Index stride = 4;

  TRAMMEL_INLINE PlanarDirections(const PlanarBodyState& i, const PlanarBodyState& j, Index child,
                                  const DirectionsOutput& out)
      : second_(child == 1), out_(out) {
    const Vec2<> between = position(j) - position(i);
    shift = second_ ? between : -between;
  }
  bool second() const { return second_; }

  Vec2<> lever{0, 0};
  Vec2<> shift;

  TRAMMEL_INLINE void linear_row(Index row, const Vec2<>& F) { F_[count_] = F, F_row_[count_++] = row; }
  TRAMMEL_INLINE void angular_row(Index row) { angular_row_ = row; }
  TRAMMEL_INLINE void write() const {
    const double sign = second_ ? 1 : -1;
    Index free = linear + angular;
    if constexpr (linear == 2) {
      const double scale = sign / (F_[0].x * F_[1].y - F_[0].y * F_[1].x);
      column(F_row_[0], -scale * perp(F_[1]), 0), column(F_row_[1], scale * perp(F_[0]), 0);
    } else if constexpr (linear == 1) {
      const double scale = 1 / dot(F_[0], F_[0]);
      column(F_row_[0], (sign * scale) * F_[0], 0), column(free++, scale * perp(F_[0]), 0);
    } else {
      column(free++, {1, 0}, 0), column(free++, {0, 1}, 0);
    }
    if constexpr (angular == 1)
      column(angular_row_, -sign * perp(lever), sign);
    else
      column(free, -perp(lever), 1);
    store(shift, out_.shift);
  }

 private:
  TRAMMEL_INLINE void column(Index k, const Vec2<>& w, double alpha) const {
    double* d = out_.basis + k * stride;
    store(w, d), d[2] = alpha, d[3] = 0;
  }

  bool second_;
  const DirectionsOutput& out_;
  Index count_ = 0;
  Vec2<> F_[2];
  Index F_row_[2], angular_row_ = 0;
};

/// Whether a kernel says its directions: it has `linear_rows` and `angular_rows`, and
/// `directions(pair, directions, first row)`.
template <class Kernel, class = void>
struct SaysDirections {
  static constexpr bool value = false;
  static constexpr Index linear = 4, angular = 4;
};
template <class Kernel>
struct SaysDirections<Kernel, decltype(void(Kernel::linear_rows))> {
  static constexpr bool value = true;
  static constexpr Index linear = Kernel::linear_rows, angular = Kernel::angular_rows;
};

/// Base of fused constraints whose kernels do not say them.
struct NoDirections {};

}  // namespace trammel::sdk
