// BodyTwists: changes of positions and rates as displacements and turns, in axes that stand still in space or turn.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "model/assembly.h"

namespace trammel {

/// Euler parameters are coordinates that turn with half of a body's spin: the equations of a rotor, linearized in them, change
/// along a motion that is steady. In their place every spatial body has its displacement and three small turns dtheta about
/// axes that do not follow it, A := (1 + dtheta~) A; planar bodies, points and what deforms keep their own coordinates.
///   xi = (dr, dtheta),   eta = (dr', domega),   dtheta' = domega + omega x dtheta                                    (1)
/// with components along axes that turn with a given angular velocity Omega, d/dt of components = that of vectors - Omega x.
class BodyTwists {
 public:
  /// `turning`: Omega, rad/s, of axes that are those of space at t = 0; the third component in planar models.
  BodyTwists(const Assembly& assembly, const Eigen::Vector3d& turning);

  Index size() const { return static_cast<Index>(entries_.size()); }
  /// "rotor.x", "rotor.turn_x", and what changes with it: "rate of rotor.x", "rotor.wx".
  std::string name(Index i) const;
  std::string rate_name(Index i) const;
  /// Whether entry i turns a body.
  bool turns(Index i) const { return entries_[static_cast<std::size_t>(i)].turn; }
  /// Whether they are the model's own coordinates: no body has Euler parameters.
  bool are_coordinates() const;
  /// The axes as they stand at a time.
  void turn_axes(double t);

  /// The change of a state (q, v, a) by (dq, dv, da): xi, eta and their rates, `size()` entries each.
  struct State {
    ConstVectorView q, v, a;
  };
  struct Twist {
    Eigen::VectorXd xi, eta, xi_rate, eta_rate;
  };
  void change(const State& at, ConstVectorView dq, ConstVectorView dv, ConstVectorView da, Twist& out) const;
  /// The rate of eta without turning axes, along the axes of space: changes of accelerations (dr'', dalpha).
  void accelerations(const State& at, ConstVectorView dq, ConstVectorView da, Eigen::VectorXd& out) const;

 private:
  struct Entry {
    Index body, within;  ///< number among the entries of the body
    bool turn;
  };
  struct Place {
    Index first, entry, vectors;  ///< first coordinate and entry; entries that are components of vectors
    Index rest, rest_count;       ///< coordinates that are copied, behind those
    bool spatial, turns;
  };
  void along_axes(Eigen::VectorXd& x) const;

  const Assembly& assembly_;
  Eigen::Vector3d turning_;
  Eigen::Matrix3d axes_ = Eigen::Matrix3d::Identity();  ///< columns in space
  std::vector<Entry> entries_;
  std::vector<Place> places_;
};

}  // namespace trammel
