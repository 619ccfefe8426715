// Fingerprints of linear solvers: solutions, watches and costs on random models.
#include "check/digest.h"
#include "check/solver_bench.h"
#include "trammel/extensions/least_solver_cost.h"

namespace trammel::conformance {
namespace {

void digest_watch(const CreatedSolver& solver, Digest& digest) {
  const RankWatch* watch = solver->watch();
  if (watch == nullptr) return;
  for (const double number : {watch->smallest_kept, watch->largest_dropped}) digest.add(number);
  for (const Index number : {watch->smallest_kept_row, watch->largest_dropped_row, watch->weak, watch->weak_row})
    digest.add(static_cast<double>(number));
}

void digest_solves(const CreatedSolver& solver, const OwnMatrix& matrix, Random& random, int solves, Digest& digest) {
  const Index n = (*matrix).size(), m = matrix.rows();
  VectorXd f(n), g(m), x(n), lambda(m);
  for (int i = 0; i < solves; ++i) {
    for (VectorXd::value_type& entry : f) entry = uniform(random) * std::pow(10, i % 7 - 3);
    for (VectorXd::value_type& entry : g) entry = uniform(random) * std::pow(10, i % 5 - 2);
    x.setZero(), lambda.setZero();
    digest.add(solver->solve(*matrix, {f.data(), n}, {g.data(), m}, {x.data(), n},
                             i % 4 == 3 ? VectorView{} : VectorView{lambda.data(), m}));
    digest.add(x), digest.add(lambda);
  }
}

void digest_model(const CreatedSolver& solver, SolverBench& bench, bool attached, Random& random, int calls,
                  Digest& digest) {
  if (attached && !solver.attach(bench)) return;
  {
    const OwnMatrix matrix = bench.matrix(random);
    if (const auto* least = find_extension<LeastSolverCost>(*solver)) digest.add(least->least_cost(*matrix));
    if (!solver.analyse(matrix)) return;
    if (const auto* cost = find_extension<LinearSolverCost>(*solver)) digest.add(cost->cost());
  }
  for (int done = 0; done < calls; done += 20) {
    OwnMatrix matrix = bench.matrix(random);
    const int way = done / 20 % 5;
    if (way == 1 && (*matrix).rows > 0)
      matrix.drop(std::uniform_int_distribution<Index>(0, (*matrix).rows - 1)(random));
    if (way == 2 && !solver->traits().reduced_blocks) matrix.forget_weights();
    auto* keeper = find_extension<KeepsRowsToRounding>(*solver);
    const Status status =
        way == 3 && keeper != nullptr ? keeper->factorize_to_rounding(*matrix) : solver->factorize(*matrix);
    digest.add(status), digest.add(static_cast<double>(status.subject));
    if (!status) continue;
    digest_watch(solver, digest);
    digest_solves(solver, matrix, random, 20, digest);
  }
}

}  // namespace

void digest_linear_solvers(Subject& subject, int calls, Digest& digest) {
  std::vector<std::string> systems = {
      massless_system,       leaning_rods_system,         leaning_spatial_rods_system,
      repeated_joint_system, loose_bodies(2, true, true), loose_bodies(2, false, false)};
  for (int i = 0; i < 12; ++i) systems.push_back(jointed_system(subject.random, i % 3 == 0));
  for (int i = 0; i < 8; ++i) systems.push_back(random_system(subject.random, i % 2 == 0, i >= 4));
  const std::vector<std::string> sections = solver_sections(subject);
  const auto models = static_cast<int>(sections.size() * (systems.size() + subject.cases.size()) * 2);
  const auto look = [&](SolverBench& bench) {
    for (const std::string& json : sections) {
      for (const bool attached : {false, true})
        digest_model(CreatedSolver(json, bench), bench, attached, subject.random, calls / models, digest);
    }
  };
  for (std::size_t i = 0; i < systems.size(); ++i) {
    SolverBench bench(systems[i], *subject.host);
    if (i % 2 == 0) bench.leave_out_dependent_rows();
    look(bench);
  }
  for (const auto& file : subject.cases) {
    SolverBench bench(file, *subject.host);
    if (bench.model().numbers != nullptr) look(bench);
  }
}

}  // namespace trammel::conformance
