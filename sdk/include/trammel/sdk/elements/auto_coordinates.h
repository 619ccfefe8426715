// Joint coordinates written once as a template: counted angles, and rows that couplers and forces build on.
#pragma once

#include <array>

#include "trammel/sdk/elements/auto_channels.h"
#include "trammel/sdk/elements/auto_constraint.h"
#include "trammel/sdk/elements/joint_geometry.h"
#include "trammel/sdk/offer_extensions.h"

namespace trammel::sdk {

/// The counted angles of an owner with `coordinates` and `channel_names` as AutoChannels asks for, the first `n` of
/// which are angles on the branch of reference 0, 1, ... (`counted`); it also has
///   double initial_coordinate(Index k) const;   // its value in the initial configuration
template <class Owner, class State, Index N, Index n>
class AutoAngles final : public CountedAngles {
 public:
  explicit AutoAngles(const Owner& owner) : owner_(owner) {}

  Index angle_count() const override { return n; }
  void initial_angles(VectorView angle) const override {
    for (Index k = 0; k < n; ++k) angle[k] = owner_.initial_coordinate(k);
  }
  void angles(const ElementState& s, VectorView angle) const override {
    double q[2][State::coordinates], v[State::coordinates], x[N];
    for (Index b = 0; b < 2; ++b) coordinates_of(s.body<State>(b), q[b], v);
    const Pose<State, double> poses[2] = {Pose<State, double>(q[0]), Pose<State, double>(q[1])};
    owner_.coordinates(poses, x, s);
    for (Index k = 0; k < n; ++k) angle[k] = x[k];
  }

 private:
  const Owner& owner_;
};

/// Coordinate number k of such an owner as a row over its two bodies.
template <class Owner, class State, Index N, Index n>
class AutoCoordinateRow final : public AutoConstraint<AutoCoordinateRow<Owner, State, N, n>, State, 2, 1>,
                                CountedAngles {
 public:
  AutoCoordinateRow(const Owner& owner, const TwoBodies& two, Index k)
      : AutoConstraint<AutoCoordinateRow, State, 2, 1>(two.bodies[0], two.bodies[1]), owner_(owner), k_(k) {}

  const void* extension(const char* id) const override {
    return k_ < n ? offer_extensions<CountedAngles>(id, this) : nullptr;
  }

  template <class T>
  void phi(const T&, const Pose<State, T>* b, T* out, const ElementState& s) const {
    T x[N];
    double references[N] = {};  // the owner reads that of its k-th coordinate; the other values are not used
    ElementState own = s;
    if (s.angle_references != nullptr) references[k_] = s.angle_references[0], own.angle_references = references;
    owner_.coordinates(b, x, own);
    out[0] = x[k_];
  }

 private:
  Index angle_count() const override { return 1; }
  void initial_angles(VectorView angle) const override { angle[0] = owner_.initial_coordinate(k_); }
  void angles(const ElementState& s, VectorView angle) const override {
    ConstraintOutput out;
    out.Phi = angle;
    this->evaluate(s, out);
  }

  const Owner& owner_;
  Index k_;
};

/// All of them, named as their channels.
template <class Owner, class State, Index N, Index n>
class AutoCoordinates final : public JointCoordinates {
 public:
  AutoCoordinates(const Owner& owner, const TwoBodies& two)
      : AutoCoordinates(owner, two, std::make_integer_sequence<Index, N>()) {}

  Index coordinate_count() const override { return N; }
  const char* coordinate_name(Index i) const override { return Owner::channel_names[2 * i]; }
  const Constraint& coordinate(Index i) const override { return rows_[static_cast<std::size_t>(i)]; }

 private:
  using Row = AutoCoordinateRow<Owner, State, N, n>;

  template <Index... k>
  AutoCoordinates(const Owner& owner, const TwoBodies& two, std::integer_sequence<Index, k...>)
      : rows_{Row(owner, two, k)...} {}

  std::array<Row, static_cast<std::size_t>(N)> rows_;
};

}  // namespace trammel::sdk
