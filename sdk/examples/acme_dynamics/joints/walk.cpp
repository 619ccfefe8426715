// The walk along the tree, and the reduced matrices that follow from it.
#include "walk.h"

#include <algorithm>
#include <cmath>

namespace acme::joints {

using namespace trammel;
using sdk::Lu;

namespace {

constexpr int most_iterations = 25;
constexpr double position_step = 1e-9;  // Newton's last step, in CoordinateSizes: what is left is its square
constexpr double dependent = 1e-9;      // of a row's own length

}  // namespace

Walk::Walk(Layout& at, const Tree& tree)
    : begun(at.state.number()),
      state_q(at.state.vector(tree.n)),
      state_theta(at.state.vector(tree.thetas)),
      chosen(at.state.vector(cut_count(tree))),
      q(at.scratch.vector(tree.n)),
      v(at.scratch.vector(tree.n)),
      c(at.scratch.vector(tree.n)),
      now(at.scratch.vector(tree.thetas)),
      top(at.scratch.vector(tree.thetas)),
      rows(at.scratch.vector(tree.m)),
      cut(at.scratch.vector(cut_count(tree))),
      B(at.scratch.matrix(tree.n, tree.thetas)),
      MB(at.scratch.matrix(tree.n, tree.thetas)),
      hat_M(at.scratch.matrix(tree.thetas, tree.thetas)),
      hat_Phi(at.scratch.matrix(cut_count(tree), tree.thetas)),
      tree_(tree),
      work_(at.scratch.matrix(cut_count(tree), tree.thetas)),
      factors_(at.scratch.vectors(Lu::size(tree.widest), static_cast<Index>(tree.links.size()))),
      parents_(at.scratch.vectors(tree.widest * tree.widest, static_cast<Index>(tree.links.size()))),
      saddle_(at.scratch.numbers(Lu::size(tree.thetas + cut_count(tree)))),
      right_(at.scratch.numbers(tree.thetas + cut_count(tree))) {}

Lu Walk::factor(std::size_t link) const {
  return {factors_.view(static_cast<Index>(link)).data, tree_.links[link].width};
}

Matrix Walk::parent_block(std::size_t link) const {
  const Link& l = tree_.links[link];
  return {parents_.view(static_cast<Index>(link)).data, l.width, tree_.links[static_cast<std::size_t>(l.parent)].width};
}

// The rows of joint coordinates cannot fail where their joint did not.
void Walk::evaluate(const Coordinate& coordinate, double t, double near, Index columns, Measured& out) {
  MatrixView blocks[2];
  for (const auto& [side, numbers] :
       {std::pair{coordinate.child, out.child}, std::pair{coordinate.parent, out.parent}}) {
    if (coordinate.row->body(side).index >= 0) blocks[side] = {numbers, 1, columns, 1};
  }
  ElementState s;
  s.t = t, s.bodies = coordinate.states, s.angle_references = &near;
  ConstraintOutput wanted;
  wanted.Phi = {&out.value, 1}, wanted.gamma = {&out.gamma, 1};
  wanted.Phi_q = blocks;
  if (!coordinate.row->evaluate(s, wanted)) out.value = std::nan("");
}

void Walk::begin_angles() {
  state_theta.setZero();
  for (const Link& link : tree_.links) {
    for (Index k = 0; !link.free && k < link.thetas; ++k) {
      const Coordinate& coordinate = tree_.coordinates[static_cast<std::size_t>(link.first_coordinate + k)];
      if (coordinate.counts != nullptr) coordinate.counts->initial_angles({&state_theta[link.first_theta + k], 1});
    }
  }
}

Status Walk::prepare(double t, ConstVectorView near) {
  Measured measured;
  for (std::size_t b = 0; b < tree_.links.size(); ++b) {
    const Link& link = tree_.links[b];
    if (link.free) {
      now.segment(link.first_theta, link.thetas) = q.segment(link.first, link.width);
      continue;
    }
    Lu L = factor(b);
    const auto block = [&](Index side, Index width) {
      return Eigen::Map<const Eigen::MatrixXd>(tree_.constraints->jacobian_block(link.joint, side), link.rows, width);
    };
    L.matrix().topRows(link.rows) = block(link.child_side, link.width);
    if (link.intrinsic >= 0) {
      L.matrix().row(link.rows) =
          Eigen::Map<const Eigen::RowVectorXd>(tree_.constraints->intrinsic_jacobian(link.body), link.width);
    }
    if (link.parent >= 0) {
      Matrix P = parent_block(b);
      P.topRows(link.rows) = block(link.parent_side, static_cast<Index>(P.cols()));
      if (link.intrinsic >= 0) P.row(link.rows).setZero();
    }
    for (Index k = 0; k < link.thetas; ++k) {
      const Index i = link.first_theta + k, row = link.width - link.thetas + k;
      evaluate(tree_.coordinates[static_cast<std::size_t>(link.first_coordinate + k)], t, near[i], tree_.columns,
               measured);
      now[i] = measured.value;
      L.matrix().row(row) = Eigen::Map<const Eigen::RowVectorXd>(measured.child, link.width);
      if (link.parent >= 0) {
        Matrix P = parent_block(b);
        P.row(row) = Eigen::Map<const Eigen::RowVectorXd>(measured.parent, P.cols());
      }
    }
    if (!L.factorize()) {
      return Status::failure(StatusCode::singular, "joint coordinates, which do not say where the body is,",
                             link.first_row);
    }
  }
  return Status::success();
}

// (1) for all bodies, parents first: x is the right-hand side and becomes the solution.
void Walk::sweep(double* x) {
  for (std::size_t b = 0; b < tree_.links.size(); ++b) {
    const Link& link = tree_.links[b];
    if (link.free) continue;
    Vector own(x + link.first, link.width);
    if (link.parent >= 0) {
      const Link& parent = tree_.links[static_cast<std::size_t>(link.parent)];
      own.noalias() -= parent_block(b) * Vector(x + parent.first, parent.width);
    }
    factor(b).solve(own);
  }
}

Status Walk::place(ConstrainedEquations& system, double t, ConstVectorView theta, unsigned parts) {
  q = state_q;
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    Status status = system.evaluate(t, {q.data(), tree_.n}, {}, {}, evaluate_Phi | evaluate_jacobian);
    if (status) status = prepare(t, theta);
    if (!status) return status;
    const ConstVectorView Phi = system.Phi();
    for (const Link& link : tree_.links) {
      auto r = c.segment(link.first, link.width);
      if (!link.free) r.head(link.rows) = -Phi.map().segment(link.first_row, link.rows);
      if (!link.free && link.intrinsic >= 0) r[link.rows] = -Phi[link.intrinsic];
      r.tail(link.thetas) =
          theta.map().segment(link.first_theta, link.thetas) - now.segment(link.first_theta, link.thetas);
    }
    sweep(c.data());
    q += c;
    const double step =
        tree_.sizes != nullptr ? tree_.sizes->largest_coordinate({c.data(), tree_.n}) : c.lpNorm<Eigen::Infinity>();
    if (!c.allFinite() || !std::isfinite(step))
      return Status::failure(StatusCode::not_finite, "positions of the bodies from joint coordinates");
    if (step <= position_step) {
      status = system.evaluate(t, {q.data(), tree_.n}, {}, {}, parts | evaluate_jacobian);
      return status ? prepare(t, theta) : status;
    }
  }
  return Status::failure(StatusCode::not_converged, "positions of the bodies from joint coordinates");
}

void Walk::move(ConstVectorView rates) {
  v.setZero();
  for (const Link& link : tree_.links) {
    v.segment(link.first, link.width).tail(link.thetas) = rates.map().segment(link.first_theta, link.thetas);
  }
  sweep(v.data());
}

void Walk::accelerate(const ConstrainedEquations& system, double t) {
  const ConstVectorView gamma = system.gamma();
  Measured measured;
  c.setZero();
  for (const Link& link : tree_.links) {
    if (link.free) continue;
    auto r = c.segment(link.first, link.width);
    r.head(link.rows) = gamma.map().segment(link.first_row, link.rows);
    if (link.intrinsic >= 0) r[link.rows] = gamma[link.intrinsic];
    for (Index k = 0; k < link.thetas; ++k) {
      evaluate(tree_.coordinates[static_cast<std::size_t>(link.first_coordinate + k)], t, now[link.first_theta + k],
               tree_.columns, measured);
      r[link.width - link.thetas + k] = measured.gamma;
    }
  }
  sweep(c.data());
}

// A body moves with the coordinates of the joints between it and its root only.
void Walk::reduce(const ConstrainedEquations& system) {
  B.setZero();
  for (std::size_t b = 0; b < tree_.links.size(); ++b) {
    const Link& link = tree_.links[b];
    for (Index above = link.parent; above >= 0; above = tree_.links[static_cast<std::size_t>(above)].parent) {
      const Link& ancestor = tree_.links[static_cast<std::size_t>(above)];
      const Link& parent = tree_.links[static_cast<std::size_t>(link.parent)];
      for (Index k = 0; k < ancestor.thetas; ++k) {
        const Index i = ancestor.first_theta + k;
        Vector own(B.col(i).data() + link.first, link.width);
        own.noalias() -= parent_block(b) * Vector(B.col(i).data() + parent.first, parent.width);
        factor(b).solve(own);
      }
    }
    for (Index k = 0; k < link.thetas; ++k) {
      Vector own(B.col(link.first_theta + k).data() + link.first, link.width);
      own[link.width - link.thetas + k] = 1;
      if (!link.free) factor(b).solve(own);
    }
  }
  for (Index i = 0; i < tree_.thetas; ++i) {
    const ConstVectorView column{B.col(i).data(), tree_.n};
    system.apply_mass(column, {MB.col(i).data(), tree_.n});
    if (cut.size() == 0) continue;
    system.apply_jacobian(column, {rows.data(), tree_.m});
    at_cuts({rows.data(), tree_.m}, cut);
    hat_Phi.col(i) = cut;
  }
  // By columns: the product of matrices takes memory of its own where they are large.
  for (Index i = 0; i < tree_.thetas; ++i) hat_M.col(i).noalias() = B.transpose() * MB.col(i);
}

void Walk::at_cuts(ConstVectorView x, Vector& out) const {
  for (std::size_t i = 0; i < tree_.cuts.size(); ++i) out[static_cast<Eigen::Index>(i)] = x[tree_.cuts[i]];
}

// Golub, Van Loan, Matrix Computations (2013), 5.2.8 and 5.4.1, applied to rows of unit length.
Status Walk::choose(Index count) {
  chosen.setZero();
  work_ = hat_Phi;
  for (Eigen::Index i = 0; i < work_.rows(); ++i) {
    const double length = work_.row(i).norm();
    if (length > 0) work_.row(i) /= length;
  }
  for (Index k = 0; k < count; ++k) {
    Eigen::Index best = -1;
    double longest = dependent;
    for (Eigen::Index i = 0; i < work_.rows(); ++i) {
      const double length = chosen[i] != 0 ? 0 : work_.row(i).norm();
      if (length > longest * (best < 0 ? 1 : 1 + 1e-9)) longest = length, best = i;
    }
    if (best < 0) return Status::failure(StatusCode::singular, "the rows that close the loops, whose rank fell,");
    chosen[best] = 1;
    work_.row(best) /= longest;
    for (Eigen::Index i = 0; i < work_.rows(); ++i) {
      if (chosen[i] == 0) work_.row(i) -= work_.row(i).dot(work_.row(best)) * work_.row(best);
    }
  }
  return Status::success();
}

Status Walk::factorize() {
  kept_ = static_cast<Index>((chosen.array() != 0).count());
  const Index d = tree_.thetas;
  Lu K(saddle_, d + kept_);
  K.matrix().setZero();
  K.matrix().topLeftCorner(d, d) = hat_M;
  Index row = d;
  for (Eigen::Index i = 0; i < chosen.size(); ++i) {
    if (chosen[i] == 0) continue;
    K.matrix().row(row).head(d) = hat_Phi.row(i);
    K.matrix().col(row++).head(d) = hat_Phi.row(i).transpose();
  }
  Status status = K.factorize();
  if (!status) status = Status::failure(StatusCode::singular, "the equations of motion in joint coordinates");
  return status;
}

void Walk::solve(VectorView top, const Vector& at) {
  const Index d = tree_.thetas;
  Vector right(right_, d + kept_);
  right.head(d) = top.map();
  Index row = d;
  for (Eigen::Index i = 0; i < chosen.size(); ++i) {
    if (chosen[i] != 0) right[row++] = at[i];
  }
  Lu(saddle_, d + kept_).solve(right);
  top.map() = right.head(d);
}

void Walk::rates(ConstVectorView of, VectorView rates) const {
  Measured measured;
  for (const Link& link : tree_.links) {
    for (Index k = 0; k < link.thetas; ++k) {
      const Index i = link.first_theta + k;
      if (link.free) {
        rates[i] = of[link.first + k];
        continue;
      }
      evaluate(tree_.coordinates[static_cast<std::size_t>(link.first_coordinate + k)], 0, now[i], tree_.columns,
               measured);
      double rate = 0;
      for (Index j = 0; j < link.width; ++j) rate += measured.child[j] * of[link.first + j];
      if (link.parent >= 0) {
        const Link& parent = tree_.links[static_cast<std::size_t>(link.parent)];
        for (Index j = 0; j < parent.width; ++j) rate += measured.parent[j] * of[parent.first + j];
      }
      rates[i] = rate;
    }
  }
}

}  // namespace acme::joints
