// Linear solvers on models with joints of all kinds, and what they say of ranks and costs.
#include <cmath>

#include "check/solver_bench.h"
#include "trammel/extensions/least_solver_cost.h"

namespace trammel::conformance {
namespace {

using CreatedLook = std::function<void(const CreatedSolver& solver, SolverBench& bench)>;
void for_each_model(Subject& subject, const std::vector<std::string>& systems, const CreatedLook& look) {
  for (const std::string& json : solver_sections(subject)) {
    for (const std::string& system : systems) {
      SolverBench bench(system, *subject.host);
      try {
        look(CreatedSolver(json, bench), bench);
      } catch (const Failed& failure) {
        fail("{}: {}, with the model {}", one_line(json), failure.what(), one_line(system));
      }
    }
  }
}

/// How well (x, lambda) solves the equations: the residual beside the terms that make it up, row by row.
void require_solved(const CreatedSolver& solver, const OwnMatrix& matrix, Random& random, const char* what) {
  const Reference reference(matrix, random);
  VectorXd x, lambda;
  solver.solve(matrix, reference, x, lambda);
  VectorXd u(x.size() + lambda.size()), right(u.size());
  u << x, lambda;
  right << reference.f, reference.g;
  for (Index r = 0; r < matrix.rows(); ++r) {
    if (matrix.dropped(r)) right[x.size() + r] = 0;
  }
  require(u.allFinite(), "{}: the solution has numbers that are not finite", what);
  const VectorXd left = reference.K * u - right;
  const double scale = 1 + reference.K.cwiseAbs().maxCoeff() * u.cwiseAbs().maxCoeff();
  require(left.cwiseAbs().maxCoeff() < 1e-8 * scale, "{}: the solution leaves {:.1e} of the equations (relative)", what,
          left.cwiseAbs().maxCoeff() / scale);
}

std::vector<std::string> jointed_systems(Subject& subject) {
  std::vector<std::string> systems;
  for (int i = 0; i < 12; ++i) systems.push_back(jointed_system(subject.random, i % 3 == 0));
  return systems;
}

/// At three states; with the rows that depend on others left out.
void require_solves(const CreatedSolver& solver, SolverBench& bench, Random& random) {
  for (int i = 0; i < 3; ++i) {
    const OwnMatrix matrix = bench.matrix(random);
    if (i == 0 && !solver.analyse(matrix)) return;
    require_ok(solver->factorize(*matrix), "factorize");
    require_solved(solver, matrix, random, "factorize and solve");
    require_solved(solver, matrix, random, "a second right-hand side");
    if (auto* keeper = find_extension<KeepsRowsToRounding>(*solver)) {
      require_ok(keeper->factorize_to_rounding(*matrix), "factorize_to_rounding");
      require_solved(solver, matrix, random, "factorize_to_rounding and solve");
    }
  }
}

void joints(Subject& subject) {
  for_each_model(subject, jointed_systems(subject), [&](const CreatedSolver& solver, SolverBench& bench) {
    bench.leave_out_dependent_rows();
    require_solves(solver, bench, subject.random);
  });
}

void elements(Subject& subject) {
  bool looked = false;
  for_each_model(subject, jointed_systems(subject), [&](const CreatedSolver& solver, SolverBench& bench) {
    bench.leave_out_dependent_rows();
    if (!solver.attach(bench)) return;
    looked = true;
    require_solves(solver, bench, subject.random);
  });
  for (const auto& file : subject.cases) {
    SolverBench bench(file, *subject.host);
    if (bench.model().numbers == nullptr) continue;
    for (const std::string& json : solver_sections(subject)) {
      const CreatedSolver solver(json, bench);
      if (solver.attach(bench)) require_solves(solver, bench, subject.random);
    }
  }
  if (!looked) skip("it works on rows only");
}

/// What the costs are on models that are small, or several times another one.
void costs(Subject& subject) {
  bool declares = false;
  double before = 0, first = 0;
  for (const bool planar : {false, true}) {
    for (const bool on_rods : {false, true}) {
      for (const int count : {1, 2, 4}) {
        for_each_model(
            subject, {loose_bodies(count, planar, on_rods)}, [&](const CreatedSolver& solver, SolverBench& bench) {
              const OwnMatrix matrix = bench.matrix(subject.random);
              const auto* cost = find_extension<LinearSolverCost>(*solver);
              const auto* least = find_extension<LeastSolverCost>(*solver);
              require(least == nullptr || cost != nullptr, "a least cost, and no cost");
              if (cost == nullptr) return;
              const double bound = least != nullptr ? least->least_cost(*matrix) : 0;
              if (!solver.analyse(matrix)) return;
              declares = true;
              const double now = cost->cost();
              require(std::isfinite(now) && now >= 0 && (now > 0 || (*matrix).rows == 0), "cost() is {} ns", now);
              require(bound <= now, "least_cost() is {}, and cost() of the same matrix is {}", bound, now);
              require(least == nullptr || (*matrix).rows + (*matrix).intrinsic_rows == 0 || bound > now / 10,
                      "least_cost() is {} of a cost of {}: it saves nobody an analysis", bound, now);
              require(count == 1 || (on_rods ? now > before : now >= before),
                      "cost() of {} bodies is {}, and of half as many {}", count, now, before);
              require(count == 1 || now <= 2.0 * std::pow(count, 3) * first,  // a dense factorization's
                      "cost() of {} bodies that nothing connects is {}, and of one {}", count, now, first);
              before = now;
              if (count == 1) first = now;
            });
      }
    }
  }
  if (!declares) skip("it declares no cost, and `auto` never chooses it");
}

}  // namespace

void add_linear_solver_model_checks(std::vector<Check>& checks) {
  const auto add = [&](const char* id, Level level, const char* what, const char* cause, auto run, const char* needs) {
    checks.push_back({id, level, what, cause, run, needs});
  };
  add("contract.costs", Level::contract, "costs are those of a model's size, and the least cost is below them",
      "a term of the wrong sign, or a least cost of another matrix", costs, "contract.cost");
  add("math.joints", Level::mathematics,
      "models with joints of all kinds, also two between the same bodies, are solved",
      "an order of rows or bodies that fits some joints only", joints, "math.dropped");
  add("math.elements", Level::mathematics, "so they are where the solver works on elements",
      "directions of the first body taken for those of the second", elements, "math.joints");
}

}  // namespace trammel::conformance
