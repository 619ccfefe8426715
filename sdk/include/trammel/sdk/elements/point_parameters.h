// Numbers of elements between two points: the derivatives of distances and common points with respect to them.
#pragma once

#include "trammel/sdk/elements/auto_parameters.h"
#include "trammel/sdk/elements/joint_geometry.h"

namespace trammel::sdk {

/// Entries of a point or axis of a host, and small vectors of any scalar.
template <class State>
inline constexpr Index dimensions = State::coordinates == 7 ? 3 : 2;

template <class State, class T>
auto vector_of(const T* p) {
  if constexpr (dimensions<State> == 3)
    return Vec3<T>{p[0], p[1], p[2]};
  else
    return Vec2<T>{p[0], p[1]};
}

/// The initial configuration of a body, which global keys refer to.
template <class State>
struct InitialPose {
  double q[State::coordinates];

  InitialPose(const ModelInfo& model, BodyRef body) {
    double v[State::coordinates];
    coordinates_of(*static_cast<const State*>(model.initial_state(body)), q, v);
  }
  /// Of any scalar.
  template <class T = double>
  Pose<State, T> pose() const {
    T x[State::coordinates];
    for (Index k = 0; k < State::coordinates; ++k) x[k] = q[k];
    return Pose<State, T>(x);
  }
  /// A^T g of a global vector.
  template <class T>
  Vec3<T> back(const Vec3<T>& g) const {
    return rotate(Vec4<>{q[3], {-q[4], -q[5], -q[6]}}, g);
  }
  template <class T>
  Vec2<T> back(const Vec2<T>& g) const {
    const double c = std::cos(q[2]), n = std::sin(q[2]);
    return {c * g.x + n * g.y, c * g.y - n * g.x};
  }
};

inline constexpr const char* at_names[] = {"at.0", "at.1", "at.2"};
inline constexpr const char* point_i_names[] = {"point_i.0", "point_i.1", "point_i.2"};
inline constexpr const char* point_j_names[] = {"point_j.0", "point_j.1", "point_j.2"};

/// Row 0: |P_j - P_i| - L over point_i, point_j and, if L has a key, L. If it has none, L is the initial distance, which
/// moves with the points; none: L = 0, for forces along the distance.
template <class State>
class DistanceParameters final : public AutoRowParameters<DistanceParameters<State>, State, 2, 1, 7> {
 public:
  enum class Length { given, initial, none };

  DistanceParameters(const TwoBodies& two, const EndPoints& ends, Length kind, double length, const ModelInfo& model)
      : kind_(kind), initial_{{model, two.bodies[0]}, {model, two.bodies[1]}} {
    for (Index k = 0; k < n; ++k) this->add(point_i_names[k], ends.point_i[k]);
    for (Index k = 0; k < n; ++k) this->add(point_j_names[k], ends.point_j[k]);
    if (kind == Length::given) this->add("length", length);
  }

  template <class T>
  void phi(const T&, const Pose<State, T>* b, const T* p, T* out) const {
    const auto s_i = vector_of<State>(p), s_j = vector_of<State>(p + n);
    out[0] = norm(b[1].point(s_j) - b[0].point(s_i));
    if (kind_ == Length::given) out[0] -= p[2 * n];
    if (kind_ == Length::initial) {
      out[0] -= norm(initial_[1].template pose<T>().point(s_j) - initial_[0].template pose<T>().point(s_i));
    }
  }

 private:
  static constexpr Index n = dimensions<State>;
  Length kind_;
  InitialPose<State> initial_[2];
};

/// Rows P_j - P_i over `at`, or point_i and point_j.
template <class State>
class CommonPointParameters {
 public:
  CommonPointParameters(const TwoBodies& two, const PointKeys& keys, const ModelInfo& model)
      : global_(given(keys.at)), initial_{{model, two.bodies[0]}, {model, two.bodies[1]}} {}

  /// Numbers it has; they come first in p.
  Index count() const { return global_ ? n : 2 * n; }
  template <class Add>
  void list(const PointKeys& keys, const Add& add) const {
    for (Index k = 0; global_ && k < n; ++k) add(at_names[k], keys.at[k]);
    for (Index k = 0; !global_ && k < n; ++k) add(point_i_names[k], keys.point_i[k]);
    for (Index k = 0; !global_ && k < n; ++k) add(point_j_names[k], keys.point_j[k]);
  }

  /// P_j - P_i.
  template <class T>
  auto distance(const Pose<State, T>* b, const T* p) const {
    const auto first = vector_of<State>(p);
    if (global_) return b[1].point(local(1, first)) - b[0].point(local(0, first));
    return b[1].point(vector_of<State>(p + n)) - b[0].point(first);
  }
  const InitialPose<State>& initial(Index body) const { return initial_[body]; }

 private:
  static constexpr Index n = dimensions<State>;

  template <class V>
  V local(Index body, const V& at) const {
    return initial_[body].back(at - initial_[body].pose().r);
  }

  bool global_;
  InitialPose<State> initial_[2];
};

}  // namespace trammel::sdk
