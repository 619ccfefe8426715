// ElementFrames: the frames that one element attaches to, and how they vary with the coordinates of bodies that deform.
#pragma once

#include <array>
#include <vector>

#include "model/model_frames.h"

namespace trammel {

/// The frames of one element: from bodies to frames and back. With y = J x, A = J a + kappa, f columns per frame:
///   Phi_q = Phi_F J                    (Phi_q x)_q = (Phi_F y)_F J + Phi_F (J x)_q                             (1)
///   gamma = gamma_F - Phi_F kappa      (Phi_q^T l)_q = J^T (Phi_F^T l)_F J + (J^T Phi_F^T l)_q                   (2)
///   Phi_q a - gamma = Phi_F A - gamma_F =: h(F, F', A):
///     d/dq = h_F J + h_F' (J v)_q + Phi_F ((J a)_q + kappa_q),  d/dv = h_F' J + Phi_F kappa_v                  (3)
///   Q = J^T Q_F,  Q_q = J^T (Q_F,F J + Q_F,F' (J v)_q) + (J^T Q_F)_q,  Q_v = J^T Q_F,F' J                       (4)
/// A. A. Shabana, Dynamics of Multibody Systems (2013), 5.2 to 5.4 (J of a point of a deformable body).
class ElementFrames {
 public:
  static constexpr Index most_bodies = 4, most_rows = 8, widest = SpatialBodyState::coordinates;
  using Block = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, widest, widest>;
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, most_rows, widest>;
  using Vector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, widest, 1>;

  /// What one evaluation sees: the states of frames and, as J is asked for, how they vary.
  struct View {
    union State {
      PlanarBodyState planar;
      SpatialBodyState spatial;
    };
    std::array<State, most_bodies> states;
    std::array<const void*, most_bodies> bodies;
    ElementState s;
  };

  /// [setup] Attached body number k is `references[k]`.
  /// `columns`: f; `owner_columns`: c of bodies that deform.
  ElementFrames(const ModelFrames& frames, const BodyFrames* source, Index columns, Index owner_columns,
                const std::vector<BodyRef>& references);

  Index count() const { return static_cast<Index>(bodies_.size()); }
  BodyRef body(Index k) const { return bodies_[number(k)].owner; }
  bool framed(Index k) const { return bodies_[number(k)].frame != nullptr; }
  bool ground(Index k) const { return bodies_[number(k)].owner.index < 0; }
  /// Where the frame is fixed in its body.
  const std::array<double, 3>& local(Index k) const { return bodies_[number(k)].frame->local; }
  /// f of a frame; of others what the kernel's views have.
  Index f() const { return f_; }
  Index c(Index k) const { return bodies_[number(k)].columns; }

  /// [hot] The element's own state at `s`, which lives as long as `view`.
  const ElementState& look(const ElementState& s, View& view) const;
  void jacobian(const ElementState& s, Index k, Block& J, double* kappa) const;
  void jacobian_gradient(const ElementState& s, Index k, const double* x, Block& out) const;
  void transpose_gradient(const ElementState& s, Index k, const double* y, Block& out) const;
  void kappa_gradient(const ElementState& s, Index k, Block& out_q, Block& out_v) const;

 private:
  static std::size_t number(Index k) { return static_cast<std::size_t>(k); }
  struct Attached {
    BodyRef owner;
    const ModelFrames::Frame* frame;
    Index columns;
  };

  const BodyFrames* source_;
  Index f_;
  std::vector<Attached> bodies_;
};

}  // namespace trammel
