// Linear solver `acme.schur_cholesky`: multipliers first, from the dense Schur complement S = Phi_q M^+ Phi_q^T.
#include <trammel/sdk/offer_extensions.h>
#include <trammel/sdk/plugin.h>

#include "cholesky.h"

namespace acme {
namespace {

using namespace trammel;

/// With W_b W_b^T = M_b^+ of each body, B = Phi_q W, and a_0 the part of a that satisfies the bodies' own rows:
///   S lambda = Phi_q (W W^T f + a_0) - g,   S = B B^T,
///   a = W (W^T f - B^T lambda) + a_0.
/// Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), 6.3, for lambda before a.
class SchurCholesky final : public KktSolver, private LinearSolverCost {
 public:
  struct Parameters {
    double dependence;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, dependence, "1",
                    "Squared sine of a row's angle to the rows before it, below which the row is left out.")
          .at_least(0)
          .at_most(1)
          .otherwise("1e-11"));

  explicit SchurCholesky(const Parameters& p) : p_(p) {}

  const void* extension(const char* id) const override { return sdk::offer_extensions<LinearSolverCost>(id, this); }
  LinearSolverTraits traits() const override {
    return {.regular_inertia = true, .reduced_blocks = true, .equal_bodies = false};
  }

  Status analyse(const KktMatrix& k) override {
    return sdk::or_fail([&] {
      rows_ = k.rows, width_ = k.reduced_size();
      Bt_.setZero(width_, rows_);
      S_.resize(rows_);
      lambda_.setZero(rows_), again_.setZero(rows_), w_.setZero(width_), R_.setZero(k.size());
      return Status::success();
    });
  }

  Status factorize(const KktMatrix& k) override {
    Bt_.setZero();
    each_reduced(k, [&](Index row, Index column, double value) { Bt_(column, row) = value; });
    S_.set_gram(Bt_);
    return S_.factorize(k.dropped, p_.dependence);
  }
  const RankWatch* watch() const override { return &S_.watch(); }

  Status solve(const KktMatrix& k, ConstVectorView f, ConstVectorView g, VectorView x, VectorView lambda) override {
    const VectorView w{w_.data(), width_};
    const ConstVectorView own = g.segment(k.rows, k.intrinsic_rows);
    k.reduction->reduce_force(k.states, f, w);
    expand(k, own, x);
    residual(k, x, g, lambda_);
    S_.solve(lambda_);
    w_.noalias() -= Bt_ * lambda_;
    expand(k, own, x);
    // S has the squared condition of B: what is left of Phi_q a = g is solved for once more.
    residual(k, x, g, again_);
    S_.solve(again_);
    w_.noalias() -= Bt_ * again_;
    lambda_ += again_;
    expand(k, own, x);
    if (lambda.data == nullptr) return Status::success();
    std::copy(lambda_.begin(), lambda_.end(), lambda.data);
    if (k.intrinsic_rows == 0) return Status::success();
    R_ = f.map();
    each_full(k, [&](Index row, Index column, double value) { R_[column] -= value * lambda_[row]; });
    k.reduction->intrinsic_multipliers(k.states, {R_.data(), f.size}, lambda.segment(k.rows, k.intrinsic_rows));
    return Status::success();
  }

 private:
  /// Calls visit(row, column, value) for the entries of Phi_q, and of B.
  template <class Visit>
  static void each_full(const KktMatrix& k, const Visit& visit) {
    for (const JacobianBlock* b = k.blocks; b != k.blocks + k.block_count; ++b)
      each_entry(b->first_row, b->rows, b->column, b->columns, k.Phi_q + b->offset, visit);
  }
  template <class Visit>
  static void each_reduced(const KktMatrix& k, const Visit& visit) {
    for (const JacobianBlock* b = k.blocks; b != k.blocks + k.block_count; ++b)
      each_entry(b->first_row, b->rows, b->reduced_column, b->reduced_columns, k.reduced + b->reduced_offset, visit);
  }
  template <class Visit>
  static void each_entry(Index row, Index rows, Index column, Index columns, const double* value, const Visit& visit) {
    for (Index j = 0; j < columns; ++j) {
      for (Index r = 0; r < rows; ++r) visit(row + r, column + j, *value++);
    }
  }

  void expand(const KktMatrix& k, ConstVectorView own, VectorView x) const {
    k.reduction->expand(k.states, {w_.data(), width_}, own, x);
  }
  /// out = Phi_q x - g.
  static void residual(const KktMatrix& k, VectorView x, ConstVectorView g, Eigen::VectorXd& out) {
    for (Index r = 0; r < k.rows; ++r) out[r] = -g[r];
    each_full(k, [&](Index row, Index column, double value) { out[row] += value * x[column]; });
  }
  /// Multiply-adds of B B^T, of the factor and of two solves, at what they take each on a machine of 2020; small
  /// models cost calls.
  double cost() const override {
    const double m = rows_, n = width_;
    return 300 + 0.3 * m * m * n / 2 + 0.7 * m * m * m / 6 + 6 * m * n + 2 * m * m;
  }

  Parameters p_;
  Index rows_ = 0, width_ = 0;
  Eigen::MatrixXd Bt_;  ///< B^T
  Cholesky S_;
  Eigen::VectorXd lambda_, again_, w_, R_;
};

}  // namespace
}  // namespace acme

TRAMMEL_PLUGIN(
    "acme.schur_cholesky", "1.0.0", "BSD-3-Clause",
    component<acme::SchurCholesky>(Host::any, "acme.schur_cholesky",
                                   "Multipliers from the dense Schur complement, by Cholesky; for small models.",
                                   "Haug (1989) 6.3; Golub and Van Loan (2013) 4.2"));
