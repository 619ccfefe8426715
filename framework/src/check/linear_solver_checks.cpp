// Linear solvers: solutions against a dense factorization, rows left out, bodies of several kinds, singular matrices.
#include <cmath>
#include <cstring>
#include <new>

#include "check/bench.h"
#include "check/rank_watch.h"
#include "check/solver_bench.h"

namespace trammel::conformance {
namespace {

constexpr double agreement = 1e-7;  // of well-conditioned systems whose solution has numbers of size 1

/// Every section of the solver with every model of a list that it takes.
using SolverLook = std::function<void(const std::string& json, SolverBench& bench)>;
void for_each_solver_model(Subject& subject, const std::vector<std::string>& systems, const SolverLook& look) {
  for (const std::string& json : solver_sections(subject)) {
    for (const std::string& system : systems) {
      SolverBench bench(system, *subject.host);
      try {
        look(json, bench);
      } catch (const Failed& failure) {
        fail("{}: {}, with the model {}", one_line(json), failure.what(), one_line(system));
      }
    }
  }
}

std::vector<std::string> random_systems(Subject& subject, bool mixed) {
  std::vector<std::string> systems;
  for (int i = 0; i < 6; ++i) systems.push_back(random_system(subject.random, i % 2 == 0, mixed));
  return systems;
}

const std::vector<std::string>& plain_model() {
  static const std::vector<std::string> systems = {planar_pendulum_system};
  return systems;
}

void require_near(const VectorXd& found, const VectorXd& expected, const char* what) {
  const double scale = expected.size() == 0 ? 1 : std::max(1.0, expected.cwiseAbs().maxCoeff());
  for (Index i = 0; i < found.size(); ++i) {
    require(std::abs(found[i] - expected[i]) <= agreement * scale,
            "entry {} of {} is {:.12g}; {:.12g} was expected, from a dense factorization", i, what, found[i],
            expected[i]);
  }
}

/// Factorizes and compares.
void require_solution(const CreatedSolver& solver, const OwnMatrix& matrix, const Reference& reference) {
  require_ok(solver->factorize(*matrix), "factorize");
  VectorXd x, lambda;
  solver.solve(matrix, reference, x, lambda);
  require_near(x, reference.x, "x");
  require_near(lambda, reference.lambda, "lambda");
}
void require_solution(const CreatedSolver& solver, const OwnMatrix& matrix, Random& random) {
  if (solver.analyse(matrix)) require_solution(solver, matrix, Reference(matrix, random));
}

void solver_create(Subject& subject) {
  for_each_solver_model(subject, plain_model(), [&](const std::string& json, SolverBench& bench) {
    const CreatedSolver one(json, bench), two(json, bench);
    const LinearSolverTraits a = one->traits(), b = two->traits();
    require(a.regular_inertia == b.regular_inertia && a.reduced_blocks == b.reduced_blocks &&
                a.equal_bodies == b.equal_bodies,
            "traits() differ from object to object");
    require(a.regular_inertia || !a.reduced_blocks, "traits(): reduced blocks exist for regular inertia only");
    require(one->extension("trammel.no_such_extension/0") == nullptr, "extension() answers to an unknown id");
    require(one.analyse(bench.matrix(subject.random)), "it takes no pendulum: analyse says `unsupported`");
  });
}

void solver_cost(Subject& subject) {
  bool declares = false;
  std::vector<std::string> systems = random_systems(subject, false);
  systems.push_back(planar_pendulum_system);
  for_each_solver_model(subject, systems, [&](const std::string& json, SolverBench& bench) {
    const OwnMatrix here = bench.matrix(subject.random), there = bench.matrix(subject.random);
    const CreatedSolver one(json, bench), two(json, bench);
    const auto *cost = find_extension<LinearSolverCost>(*one), *again = find_extension<LinearSolverCost>(*two);
    require((cost == nullptr) == (again == nullptr), "one object declares a cost, the next none");
    if (cost == nullptr || !one.analyse(here) || !two.analyse(there)) return;
    declares = true;
    require(std::isfinite(cost->cost()) && cost->cost() >= 0, "cost() is {}; a number of ns, 0 or more, was expected",
            cost->cost());
    require(cost->cost() == again->cost(), "cost() is {} at one state of a model and {} at another", cost->cost(),
            again->cost());
  });
  if (!declares) skip("it declares no cost, and `auto` never chooses it");
}

void solver_written(Subject& subject) {
  for_each_solver_model(subject, plain_model(), [&](const std::string& json, SolverBench& bench) {
    const OwnMatrix matrix = bench.matrix(subject.random);
    const Reference reference(matrix, subject.random);
    const CreatedSolver solver(json, bench);
    if (!solver.analyse(matrix)) return;
    require_ok(solver->factorize(*matrix), "factorize");
    const auto n = static_cast<Index>(reference.x.size()), m = static_cast<Index>(reference.lambda.size());
    VectorXd f = reference.f, g = reference.g, x = VectorXd::Constant(n + 2, canary),
             lambda = VectorXd::Constant(m + 2, canary);
    const auto intact = [](const VectorXd& v) { return v[0] == canary && v[v.size() - 1] == canary; };
    const auto whole = [](const VectorXd& v) {
      return v.segment(1, v.size() - 2).allFinite() && (v.segment(1, v.size() - 2).array() != canary).all();
    };
    require_ok(solver->solve(*matrix, {f.data(), n}, {g.data(), m}, {x.data() + 1, n}, {lambda.data() + 1, m}),
               "solve");
    require(intact(x) && intact(lambda), "solve writes outside of x or lambda");
    require(whole(x) && whole(lambda), "solve leaves entries of x or lambda unwritten");
    require(f == reference.f && g == reference.g, "solve changes f or g");
    const VectorXd before = x;
    x.setConstant(canary);
    require_ok(solver->solve(*matrix, {f.data(), n}, {g.data(), m}, {x.data() + 1, n}, {}), "solve without lambda");
    require(x == before, "x is another one if lambda is not wanted");
  });
}

void solver_repeatable(Subject& subject) {
  for_each_solver_model(subject, random_systems(subject, false), [&](const std::string& json, SolverBench& bench) {
    const OwnMatrix one = bench.matrix(subject.random), other = bench.matrix(subject.random);
    const Reference reference(one, subject.random);
    const CreatedSolver solver(json, bench), second(json, bench);
    if (!solver.analyse(one) || !second.analyse(one)) return;
    const auto solution = [&](const CreatedSolver& of) {
      require_ok(of->factorize(*one), "factorize");
      VectorXd x, lambda;
      of.solve(one, reference, x, lambda);
      return x;
    };
    const VectorXd x = solution(solver);
    require(solution(solver) == x, "the same matrix factorized again has another solution");
    require(solution(second) == x, "a second object has another solution");
  });
}

void solver_not_finite(Subject& subject) {
  for_each_solver_model(subject, plain_model(), [&](const std::string& json, SolverBench& bench) {
    const OwnMatrix good = bench.matrix(subject.random);
    OwnMatrix bad(*good);
    bad.spoil(std::nan(""));
    const CreatedSolver solver(json, bench);
    if (!solver.analyse(bad)) return;
    require(!solver->factorize(*bad).ok(), "factorize says ok of a matrix with a NaN");
    require_ok(solver->factorize(*good), "factorize after a failure");
  });
}

void solver_allocation(Subject& subject) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__GLIBC__)
  (void)subject;
  skip("the heap is not glibc's own here");
#else
  for_each_solver_model(subject, random_systems(subject, false), [&](const std::string& json, SolverBench& bench) {
    const OwnMatrix matrix = bench.matrix(subject.random);
    const Reference reference(matrix, subject.random);
    const CreatedSolver solver(json, bench);
    if (!solver.analyse(matrix)) return;
    VectorXd x, lambda;
    for (int i = 0; i < 4; ++i) {
      require_ok(solver->factorize(*matrix), "factorize");
      solver.solve(matrix, reference, x, lambda);
    }
    const auto n = static_cast<Index>(x.size()), m = static_cast<Index>(lambda.size());
    Status status;
    bool refused = false;
    NoHeap no_heap;
    try {
      status = solver->factorize(*matrix);
      if (status)
        status =
            solver->solve(*matrix, {reference.f.data(), n}, {reference.g.data(), m}, {x.data(), n}, {lambda.data(), m});
    } catch (const std::bad_alloc&) {
      refused = true;
    }
    no_heap.give_back();
    require(!refused && status.ok(), "the fifth factorization of the same matrix, or its solve, asks for memory");
  });
#endif
}

// --- Mathematics ---------------------------------------------------------------------------------------------------

void solver_solution(Subject& subject) {
  std::vector<std::string> systems = random_systems(subject, false);
  systems.insert(systems.end(), {massless_system, leaning_rods_system, leaning_spatial_rods_system});
  for_each_solver_model(subject, systems, [&](const std::string& json, SolverBench& bench) {
    require_solution(CreatedSolver(json, bench), bench.matrix(subject.random), subject.random);
  });
  for (const auto& file : subject.cases) {
    SolverBench bench(file, *subject.host);
    if (bench.model().numbers == nullptr) continue;
    const OwnMatrix matrix = bench.matrix(subject.random);
    if ((*matrix).mixed) continue;
    for (const std::string& json : solver_sections(subject))
      require_solution(CreatedSolver(json, bench), matrix, subject.random);
  }
}

void solver_mixed(Subject& subject) {
  bool looked = false;
  for_each_solver_model(subject, random_systems(subject, true), [&](const std::string& json, SolverBench& bench) {
    const CreatedSolver solver(json, bench);
    if (solver->traits().equal_bodies) return;
    looked = true;
    require_solution(solver, bench.matrix(subject.random), subject.random);
  });
  if (!looked) skip("it takes bodies of one kind only");
}

void solver_dropped(Subject& subject) {
  for_each_solver_model(subject, random_systems(subject, false), [&](const std::string& json, SolverBench& bench) {
    OwnMatrix matrix = bench.matrix(subject.random);
    const OwnMatrix all(*matrix);
    matrix.drop((*matrix).rows - 1), matrix.drop(0);
    const CreatedSolver solver(json, bench);
    if (!solver.analyse(all)) return;
    const Reference reference(matrix, subject.random);
    require_solution(solver, matrix, reference);
    VectorXd x, lambda;
    solver.solve(matrix, reference, x, lambda);
    require(lambda[0] == 0, "the multiplier of a row that is left out is {}; 0 was expected", lambda[0]);
    try {
      require_solution(solver, all, Reference(all, subject.random));
    } catch (const Failed& failure) {
      fail("after rows have come back {}", failure.what());
    }
  });
}

void solver_identity(Subject& subject) {
  bool looked = false;
  for_each_solver_model(subject, random_systems(subject, false), [&](const std::string& json, SolverBench& bench) {
    const CreatedSolver solver(json, bench);
    if (solver->traits().reduced_blocks) return;
    looked = true;
    OwnMatrix matrix = bench.matrix(subject.random);
    matrix.forget_weights();
    require_solution(solver, matrix, subject.random);
  });
  if (!looked) skip("it works on reduced blocks, and never gets W = I");
}

void solver_refactor(Subject& subject) {
  for_each_solver_model(subject, random_systems(subject, false), [&](const std::string& json, SolverBench& bench) {
    const CreatedSolver solver(json, bench);
    if (!solver.analyse(bench.matrix(subject.random))) return;
    for (int i = 0; i < 5; ++i) {
      const OwnMatrix matrix = bench.matrix(subject.random);
      require_solution(solver, matrix, Reference(matrix, subject.random));
    }
  });
}

/// A joint that is there twice: without a watch `singular` and one of its rows, with one the rows left out.
void solver_singular(Subject& subject) {
  for_each_solver_model(subject, {repeated_joint_system}, [&](const std::string& json, SolverBench& bench) {
    const OwnMatrix all = bench.matrix(subject.random);
    OwnMatrix kept(*all);
    const auto [once, rows] = bench.rows_of("once");
    const auto [again, same] = bench.rows_of("again");
    for (Index r = again; r < again + same; ++r) kept.drop(r);
    const auto repeated = [&, first = once, last = once + rows, second = again, end = again + same](Index row) {
      return (row >= first && row < last) || (row >= second && row < end);
    };
    const CreatedSolver solver(json, bench);
    if (!solver.analyse(all)) return;
    Reference reference(kept, subject.random);
    for (Index r = 0; r < rows; ++r) reference.g[again + r] = reference.g[once + r];
    const Status status = solver->factorize(*all);
    const RankWatch* watch = solver->watch();
    if (watch == nullptr) {
      require(status.code == StatusCode::singular,
              "factorize says '{}' of a joint that is there twice; 'singular' was expected", status_name(status.code));
      require(repeated(status.subject), "the row that it names is {}; one of the repeated joint's was expected",
              status.subject);
      require_solution(solver, kept, reference);
      return;
    }
    require_ok(status, "factorize with a watch, of a joint that is there twice");
    require(watch->weak == rows, "watch()->weak is {}; {} rows depend on others", watch->weak, rows);
    require(repeated(watch->weak_row), "watch()->weak_row is {}; a row of the repeated joint was expected",
            watch->weak_row);
    VectorXd x, lambda;
    solver.solve(all, reference, x, lambda);
    require_near(x, reference.x, "x (with a joint that is there twice)");
    require_ok(solver->factorize(*kept), "factorize without the repeated rows");
    require(watch->weak == 0 && watch->largest_dropped < 1e-6 && watch->smallest_kept > 1e-6,
            "watch() of independent rows: weak {}, largest_dropped {:g}, smallest_kept {:g}", watch->weak,
            watch->largest_dropped, watch->smallest_kept);
  });
  judge_watch(subject);
}

}  // namespace

void add_linear_solver_checks(std::vector<Check>& checks) {
  const auto add = [&](const char* id, const char* what, const char* cause, auto run, const char* needs) {
    const Level level = std::strncmp(id, "math.", 5) == 0 ? Level::mathematics : Level::contract;
    checks.push_back({id, level, what, cause, run, needs});
  };
  add("contract.create", "it can be created and ended, more than once",
      "the constructor refuses what its parameter table allows, or keeps something in a static", solver_create, "");
  add("contract.cost", "the cost that it declares follows from the structure", "numbers that are not set, or a clock",
      solver_cost, "contract.create");
  add("contract.written", "a solve writes x and lambda, and nothing beside", "an empty lambda that is written to",
      solver_written, "contract.create");
  add("contract.repeatable", "the same matrix has the same solution, bit by bit", "something that the last matrix left",
      solver_repeatable, "contract.written");
  add("contract.not_finite", "a NaN in the matrix is told, and the next factorization starts afresh",
      "a pivot that is compared with `<`, which no NaN is", solver_not_finite, "contract.written");
  add("contract.allocation", "factorizing the same matrix again and solving allocate nothing",
      "a temporary vector, or Eigen's assignment of a product without noalias()", solver_allocation,
      "contract.written");
  add("math.solution", "solutions are those of a dense factorization", "a sign, or a block on the wrong side",
      solver_solution, "contract.written");
  add("math.refactor", "every factorization takes the new numbers",
      "factors or row scales of the first matrix that stay", solver_refactor, "math.solution");
  add("math.mixed", "rigid bodies and point masses in one model", "c coordinates for each body instead of `first`",
      solver_mixed, "math.solution");
  add("math.dropped", "rows that are left out have no multiplier, and may come back",
      "`dropped` looked at in analyse only, or a multiplier that is not set", solver_dropped, "math.refactor");
  add("math.identity", "without weights the solution is that of W = I", "a null pointer that is taken for no mass",
      solver_identity, "math.solution");
  add("math.singular", "dependent rows are told",
      "a pivot that is replaced without a word, or an index of the permuted row", solver_singular, "math.dropped");
}

}  // namespace trammel::conformance
