// Squared sines of rows against those of a rank watch.
#include "check/rank_watch.h"

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include "check/solver_bench.h"

namespace trammel::conformance {
namespace {

/// Squared sines of the angles of kept rows, and of one more, to the span of the other kept ones, in the metric of M^-1.
class Sines {
 public:
  explicit Sines(const OwnMatrix& matrix, Random& random) : matrix_(matrix) {
    const Reference reference(matrix, random);
    const Index n = (*matrix).size();
    const auto W = reference.K.topLeftCorner(n, n);
    const auto J = reference.K.bottomLeftCorner(matrix.rows(), n);
    S_ = J * W.inverse() * J.transpose();
  }
  double of(Index row) const {
    std::vector<Eigen::Index> others;
    for (Index r = 0; r < matrix_.rows(); ++r) {
      if (r != row && !matrix_.dropped(r)) others.push_back(r);
    }
    const MatrixXd A = S_(others, others);
    const VectorXd b = S_(others, std::vector<Eigen::Index>{row});
    return 1 - b.dot(A.ldlt().solve(b)) / S_(row, row);
  }

 private:
  const OwnMatrix& matrix_;
  MatrixXd S_;
};

}  // namespace

void judge_watch(Subject& subject) {
  for (const std::string& json : solver_sections(subject)) {
    SolverBench bench(std::string(leaning_rods_system), *subject.host);
    const CreatedSolver solver(json, bench);
    const OwnMatrix all = bench.matrix(subject.random);
    if (!solver.analyse(all)) continue;
    require_ok(solver->factorize(*all), "factorize");
    const RankWatch* watch = solver->watch();
    if (watch == nullptr) continue;
    const Index one = bench.rows_of("one").first, other = bench.rows_of("other").first;
    const auto near = [](double found, double expected) { return found > expected / 3 && found < 3 * expected; };
    const double sine = Sines(all, subject.random).of(one);
    require(watch->smallest_kept_row == one || watch->smallest_kept_row == other,
            "watch()->smallest_kept_row is {}; {} or {}, which hardly differ, were expected", watch->smallest_kept_row,
            one, other);
    require(near(watch->smallest_kept, sine), "watch()->smallest_kept is {:g}; the squared sine is {:g}",
            watch->smallest_kept, sine);
    require(watch->weak == 0 && watch->largest_dropped_row == -1,
            "watch(): {} weak rows, and row {} as the largest dropped one; there are none", watch->weak,
            watch->largest_dropped_row);
    OwnMatrix kept(*all);
    kept.drop(other);
    const double left = Sines(all, subject.random).of(other);
    require_ok(solver->factorize(*kept), "factorize");
    require(watch->largest_dropped_row == other && near(watch->largest_dropped, left),
            "watch() of a row left out: row {} with {:g}; row {} with the squared sine {:g} was expected",
            watch->largest_dropped_row, watch->largest_dropped, other, left);
  }
}

}  // namespace trammel::conformance
