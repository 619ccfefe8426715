// The chain rule between frames and the coordinates of bodies that deform; equations are numbered in the header.
#include "model/framed_elements.h"

#include <cstring>
#include <utility>

namespace trammel {

namespace {

constexpr Index most = ElementFrames::most_bodies;
using Block = ElementFrames::Block;
using Rows = ElementFrames::Rows;
using Vector = ElementFrames::Vector;

std::size_t at(Index k) { return static_cast<std::size_t>(k); }

MatrixView view_of(Rows& rows) {
  const auto m = static_cast<Index>(rows.rows());
  return {rows.data(), m, static_cast<Index>(rows.cols()), m};
}

MatrixView view_of(Block& block) {
  const auto f = static_cast<Index>(block.rows());
  return {block.data(), f, static_cast<Index>(block.cols()), f};
}

/// The columns that an element knows; those behind them are of no body.
MatrixView narrow(const MatrixView& view, Index rows, Index f) {
  return view ? MatrixView{view.data, rows, f, view.stride} : MatrixView{};
}

/// Local vectors at frames: y = J x (+ kappa).
struct FrameVectors {
  FrameVectors(const ElementFrames& frames, const ElementState& s, const ConstVectorView* x, bool with_kappa) {
    Block J;
    Vector kappa(frames.f());
    for (Index k = 0; k < frames.count(); ++k) {
      if (!frames.framed(k)) {
        views[at(k)] = x[k].segment(0, frames.f());
        continue;
      }
      frames.jacobian(s, k, J, with_kappa ? kappa.data() : nullptr);
      numbers[at(k)].noalias() = J * x[k].map().head(frames.c(k));
      if (with_kappa) numbers[at(k)] += kappa;
      views[at(k)] = {numbers[at(k)].data(), frames.f()};
    }
  }
  std::array<Vector, most> numbers;
  std::array<ConstVectorView, most> views;
};

}  // namespace

FramedCoordinates::FramedCoordinates(const JointCoordinates& joint,
                                     std::vector<std::unique_ptr<const FramedConstraint>> rows)
    : joint_(joint), rows_(std::move(rows)) {}

FramedCoordinates::~FramedCoordinates() = default;

const Constraint& FramedCoordinates::coordinate(Index i) const { return *rows_[at(i)]; }

const void* FramedConstraint::extension(const char* id) const {
  if (std::strcmp(id, JointCoordinates::id) == 0) return static_cast<const JointCoordinates*>(joint_.get());
  return reports_.find(id);
}

/// Blocks m x f of all attached bodies: at frames in own room, of bodies the first columns of what is wanted.
struct FramedConstraint::Blocks {
  Blocks(const ElementFrames& frames, Index rows, const MatrixView* wanted) {
    for (Index k = 0; k < frames.count(); ++k) {
      if (frames.ground(k)) continue;
      if (frames.framed(k)) {
        numbers[at(k)].resize(rows, frames.f());
        views[at(k)] = view_of(numbers[at(k)]);
      } else if (wanted != nullptr) {
        views[at(k)] = narrow(wanted[k], rows, frames.f());
      }
    }
  }
  std::array<Rows, most> numbers;
  std::array<MatrixView, most> views{};
};

/// Phi_F; that of bodies is not wanted.
Status FramedConstraint::frame_rows(const ElementState& at_frames, Blocks& blocks) const {
  ConstraintOutput out;
  out.Phi_q = blocks.views.data();
  return element_.evaluate(at_frames, out);
}

Status FramedConstraint::evaluate(const ElementState& s, const ConstraintOutput& out) const {
  ElementFrames::View view;
  const ElementState& at_frames = frames_.look(s, view);
  const bool with_gamma = out.gamma.data != nullptr;
  Blocks F(frames_, rows_, out.Phi_q);
  ConstraintOutput own = out;
  own.Phi_q = out.Phi_q != nullptr || with_gamma ? F.views.data() : nullptr;
  const Status status = element_.evaluate(at_frames, own);
  if (!status || own.Phi_q == nullptr) return status;
  Block J;
  Vector kappa(frames_.f());
  for (Index k = 0; k < frames_.count(); ++k) {
    if (!frames_.framed(k)) continue;
    frames_.jacobian(s, k, J, with_gamma ? kappa.data() : nullptr);
    if (out.Phi_q != nullptr && out.Phi_q[k])
      out.Phi_q[k].map().leftCols(frames_.c(k)).noalias() = F.numbers[at(k)] * J;
    if (with_gamma) out.gamma.map().noalias() -= F.numbers[at(k)] * kappa;
  }
  return status;
}

Status FramedConstraint::jacobian_gradient(const ElementState& s, const ConstVectorView* x,
                                           const MatrixView* out) const {
  ElementFrames::View view;
  const ElementState& at_frames = frames_.look(s, view);
  const FrameVectors y(frames_, s, x, false);
  Blocks G(frames_, rows_, out), F(frames_, rows_, nullptr);
  Status status = element_.jacobian_gradient(at_frames, y.views.data(), G.views.data());
  if (status) status = frame_rows(at_frames, F);
  if (!status) return status;
  Block J, Jx_q;
  for (Index k = 0; k < frames_.count(); ++k) {
    if (!frames_.framed(k) || !out[k]) continue;
    frames_.jacobian(s, k, J, nullptr);
    frames_.jacobian_gradient(s, k, x[k].data, Jx_q);
    out[k].map().leftCols(frames_.c(k)) = G.numbers[at(k)] * J + F.numbers[at(k)] * Jx_q;
  }
  return status;
}

Status FramedConstraint::multiplier_gradient(const ElementState& s, ConstVectorView lambda,
                                             const MatrixView* out) const {
  ElementFrames::View view;
  const ElementState& at_frames = frames_.look(s, view);
  const Index n = frames_.count(), f = frames_.f();
  Blocks F(frames_, rows_, nullptr);
  std::array<Block, most * most> numbers;
  std::array<MatrixView, most * most> views{};
  std::array<Block, most> J;
  for (Index i = 0; i < n * n; ++i) {
    if (frames_.ground(i / n) || frames_.ground(i % n)) continue;
    numbers[at(i)].setZero(f, f);
    views[at(i)] = view_of(numbers[at(i)]);
  }
  Status status = element_.multiplier_gradient(at_frames, lambda, views.data());
  if (status) status = frame_rows(at_frames, F);
  if (!status) return status;
  for (Index k = 0; k < n; ++k) {
    if (frames_.framed(k))
      frames_.jacobian(s, k, J[at(k)], nullptr);
    else
      J[at(k)].setIdentity(f, f);
  }
  Block own;
  for (Index i = 0; i < n * n; ++i) {
    if (!out[i] || !views[at(i)]) continue;
    const Index row = i / n, column = i % n;
    out[i].map().setZero();
    out[i].map().topLeftCorner(frames_.c(row), frames_.c(column)) =
        J[at(row)].transpose() * numbers[at(i)] * J[at(column)];
    if (row != column || !frames_.framed(row)) continue;
    const Vector force = F.numbers[at(row)].transpose() * lambda.map();
    frames_.transpose_gradient(s, row, force.data(), own);
    out[i].map().topLeftCorner(frames_.c(row), frames_.c(row)) += own;
  }
  return status;
}

Status FramedConstraint::acceleration_gradient(const ElementState& s, const ConstVectorView* a, const MatrixView* out_q,
                                               const MatrixView* out_v) const {
  ElementFrames::View view;
  const ElementState& at_frames = frames_.look(s, view);
  const FrameVectors A(frames_, s, a, true);
  Blocks G_q(frames_, rows_, out_q), G_v(frames_, rows_, out_v), F(frames_, rows_, nullptr);
  Status status = element_.acceleration_gradient(at_frames, A.views.data(), G_q.views.data(), G_v.views.data());
  if (status) status = frame_rows(at_frames, F);
  if (!status) return status;
  Block J, Jv_q, Ja_q, kappa_q, kappa_v;
  for (Index k = 0; k < frames_.count(); ++k) {
    if (!frames_.framed(k)) continue;
    frames_.jacobian(s, k, J, nullptr);
    frames_.jacobian_gradient(s, k, nullptr, Jv_q);
    frames_.jacobian_gradient(s, k, a[k].data, Ja_q);
    frames_.kappa_gradient(s, k, kappa_q, kappa_v);
    const Rows &of_q = G_q.numbers[at(k)], &of_v = G_v.numbers[at(k)], &of_F = F.numbers[at(k)];
    if (out_q[k]) out_q[k].map().leftCols(frames_.c(k)) = of_q * J + of_v * Jv_q + of_F * (Ja_q + kappa_q);
    if (out_v[k]) out_v[k].map().leftCols(frames_.c(k)) = of_v * J + of_F * kappa_v;
  }
  return status;
}

// At fixed q, v and a the frames, their rates and accelerations are fixed too.
Status FramedConstraint::time_derivatives(const ElementState& s, const ConstVectorView* a,
                                          const ConstraintTimeDerivatives& out) const {
  ElementFrames::View view;
  const ElementState& at_frames = frames_.look(s, view);
  Blocks F(frames_, rows_, out.Phi_tq);
  ConstraintTimeDerivatives own = out;
  if (out.Phi_tq != nullptr) own.Phi_tq = F.views.data();
  const bool with_a = out.acceleration_t.data != nullptr;
  Status status;
  if (with_a) {
    const FrameVectors A(frames_, s, a, true);
    status = element_.time_derivatives(at_frames, A.views.data(), own);
  } else {
    status = element_.time_derivatives(at_frames, a, own);
  }
  if (!status || out.Phi_tq == nullptr) return status;
  Block J;
  for (Index k = 0; k < frames_.count(); ++k) {
    if (!frames_.framed(k) || !out.Phi_tq[k]) continue;
    frames_.jacobian(s, k, J, nullptr);
    out.Phi_tq[k].map().leftCols(frames_.c(k)).noalias() = F.numbers[at(k)] * J;
  }
  return status;
}

template <class Call>
Status FramedForce::lead_on(const ElementState& s, const VectorView* out, const Call& call) const {
  ElementFrames::View view;
  const ElementState& at_frames = frames_.look(s, view);
  std::array<Vector, most> numbers;
  std::array<VectorView, most> views{};
  for (Index k = 0; k < frames_.count(); ++k) {
    if (frames_.ground(k)) continue;
    views[at(k)] = out[k].segment(0, frames_.f());
    if (!frames_.framed(k)) continue;
    numbers[at(k)].setZero(frames_.f());
    views[at(k)] = {numbers[at(k)].data(), frames_.f()};
  }
  const Status status = call(at_frames, views.data());
  if (!status) return status;
  Block J;
  for (Index k = 0; k < frames_.count(); ++k) {
    if (!frames_.framed(k)) continue;
    frames_.jacobian(s, k, J, nullptr);
    out[k].map().head(frames_.c(k)).noalias() += J.transpose() * numbers[at(k)];
  }
  return status;
}

Status FramedForce::force(const ElementState& s, const VectorView* Q) const {
  return lead_on(s, Q,
                 [&](const ElementState& at_frames, const VectorView* own) { return element_.force(at_frames, own); });
}

Status FramedForce::time_gradient(const ElementState& s, const VectorView* Q_t) const {
  return lead_on(s, Q_t, [&](const ElementState& at_frames, const VectorView* own) {
    return element_.time_gradient(at_frames, own);
  });
}

Status FramedForce::gradients(const ElementState& s, const MatrixView* Q_q, const MatrixView* Q_v) const {
  ElementFrames::View view;
  const ElementState& at_frames = frames_.look(s, view);
  const Index n = frames_.count(), f = frames_.f();
  std::array<Block, most * most> K, C;
  std::array<MatrixView, most * most> K_views{}, C_views{};
  std::array<Vector, most> forces;
  std::array<VectorView, most> force_views{};
  std::array<Block, most> J, Jv_q;
  for (Index k = 0; k < n; ++k) {
    if (frames_.ground(k)) continue;
    forces[at(k)].setZero(f);
    force_views[at(k)] = {forces[at(k)].data(), f};
    J[at(k)].setIdentity(f, f);
    Jv_q[at(k)].setZero(f, f);
    if (!frames_.framed(k)) continue;
    frames_.jacobian(s, k, J[at(k)], nullptr);
    frames_.jacobian_gradient(s, k, nullptr, Jv_q[at(k)]);
  }
  for (Index i = 0; i < n * n; ++i) {
    if (frames_.ground(i / n) || frames_.ground(i % n)) continue;
    K[at(i)].setZero(f, f), C[at(i)].setZero(f, f);
    K_views[at(i)] = view_of(K[at(i)]), C_views[at(i)] = view_of(C[at(i)]);
  }
  Status status = element_.gradients(at_frames, K_views.data(), C_views.data());
  if (status) status = element_.force(at_frames, force_views.data());
  if (!status) return status;
  Block own;
  for (Index i = 0; i < n * n; ++i) {
    const Index row = i / n, column = i % n;
    if (!K_views[at(i)]) continue;
    const auto add = [&](const MatrixView& out, const Block& block) {
      if (out) out.map().topLeftCorner(frames_.c(row), frames_.c(column)) += block;
    };
    if (Q_q != nullptr) add(Q_q[i], J[at(row)].transpose() * (K[at(i)] * J[at(column)] + C[at(i)] * Jv_q[at(column)]));
    if (Q_v != nullptr) add(Q_v[i], J[at(row)].transpose() * C[at(i)] * J[at(column)]);
    if (row != column || !frames_.framed(row) || Q_q == nullptr) continue;
    frames_.transpose_gradient(s, row, forces[at(row)].data(), own);
    add(Q_q[i], own);
  }
  return status;
}

Status FramedForce::energy(const ElementState& s, ForceEnergy& energy) const {
  ElementFrames::View view;
  return element_.energy(frames_.look(s, view), energy);
}

Status FramedForce::internal_rate(const ElementState& s, VectorView z_rate) const {
  ElementFrames::View view;
  return element_.internal_rate(frames_.look(s, view), z_rate);
}

}  // namespace trammel
