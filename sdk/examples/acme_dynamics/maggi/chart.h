// Where acme.maggi keeps its chart and its work, and what follows from a chart at another configuration.
#pragma once

#include <trammel/constrained_system.h>
#include <trammel/memory.h>
#include <trammel/sdk/math/lu.h>
#include <trammel/sdk/state_layout.h>

#include <Eigen/SVD>

namespace acme::maggi {

using trammel::ConstrainedEquations;
using trammel::ConstrainedLayout;
using trammel::ConstVectorView;
using trammel::Index;
using trammel::Memory;
using trammel::Status;
using trammel::sdk::MemoryLayout;
using trammel::sdk::StateLayout;
using Matrix = StateLayout::Matrix;
using Vector = StateLayout::Map;

/// n coordinates, m rows of rank r, f = n - r degrees of freedom, nz internal states.
struct Size {
  Size(const ConstrainedLayout& system, Index freedoms)
      : n(system.coordinates()), m(system.constraints()), nz(system.internal_states()), f(freedoms), r(n - f) {}
  Index n, m, nz, f, r;
};

/// Equations are numbered in maggi.cpp.
struct Counts {
  explicit Counts(StateLayout& at) : charts(at.number()), freedoms(at.number()) {}
  double &charts, &freedoms;  ///< number of charts so far, f
};
/// What stands in front in memory.state: `embed` knows n and f, but not m.
struct TangentSpace : Counts {
  TangentSpace(StateLayout& at, Index n, Index f) : Counts(at), V_2(at.matrix(n, f)) {}
  Matrix V_2;
};
class Chart : public TangentSpace {
 public:
  Chart(MemoryLayout& at, const Size& k)
      : TangentSpace(at.state, k.n, k.f),
        V_1(at.state.matrix(k.n, k.r)),
        U_1(at.state.matrix(k.m, k.r)),
        R(at.scratch.matrix(k.n, k.f)),
        slopes(at.scratch.matrix(k.r, k.f)),
        A_(at.scratch.matrix(k.r, k.n)),
        Phi_qT_(at.scratch.matrix(k.n, k.m)),
        g_(at.scratch.vector(k.r)),
        unit_(at.scratch.vector(k.m)),
        D_(at.scratch.numbers(trammel::sdk::Lu::size(k.r)), k.r) {}

  /// (1) at the last evaluated Jacobian. Allocates.
  Status begin(const ConstrainedEquations& system) {
    gather(system);
    const Index r = static_cast<Index>(V_1.cols()), n = static_cast<Index>(V_1.rows());
    if (r == 0) {
      V_2.setIdentity();
      return Status::success();
    }
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(Phi_qT_.transpose(), Eigen::ComputeThinU | Eigen::ComputeFullV);
    if (r > svd.singularValues().size() || !(svd.singularValues()[r - 1] > 1e-10 * svd.singularValues()[0])) {
      return Status::failure(trammel::StatusCode::singular, "the Jacobian, whose rank fell,");
    }
    U_1 = svd.matrixU().leftCols(r);
    V_1 = svd.matrixV().leftCols(r);
    V_2 = svd.matrixV().rightCols(n - r);
    return Status::success();
  }

  /// D, R and slopes = D^-1 A V_2 at the last evaluated Jacobian (2).
  Status prepare(const ConstrainedEquations& system) {
    gather(system);
    A_.noalias() = U_1.transpose() * Phi_qT_.transpose();
    D_.matrix().noalias() = A_ * V_1;
    const Status status = D_.factorize();
    if (!status) return status;
    slopes.noalias() = A_ * V_2;
    for (Index k = 0; k < slopes.cols(); ++k) D_.solve(slopes.col(k));
    R = V_2;
    R.noalias() -= V_1 * slopes;
    return status;
  }
  /// out = V_1 D^-1 U_1^T rhs, of (3) and (4).
  void particular(ConstVectorView rhs, Vector& out) {
    g_.noalias() = U_1.transpose() * rhs.map();
    D_.solve(g_);
    out.noalias() = V_1 * g_;
  }
  Matrix V_1, U_1, R, slopes;

 private:
  void gather(const ConstrainedEquations& system) {
    unit_.setZero();
    for (Index i = 0; i < unit_.size(); ++i) {
      unit_[i] = 1;
      system.apply_jacobian_transpose({unit_.data(), static_cast<Index>(unit_.size())},
                                      {Phi_qT_.col(i).data(), static_cast<Index>(Phi_qT_.rows())});
      unit_[i] = 0;
    }
  }

  Matrix A_, Phi_qT_;
  Vector g_, unit_;
  trammel::sdk::Lu D_;
};

}  // namespace acme::maggi
