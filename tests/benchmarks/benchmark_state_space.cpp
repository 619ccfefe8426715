// Benchmark: the HMMWV of 14 bodies in state space - accelerations, Jacobians and what they are made of, dense beside
// sparse.
#include <benchmark/benchmark.h>

#include <Eigen/LU>
#include <memory>
#include <random>

#include "linalg/column_program.h"
#include "model/component.h"
#include "run/plant/model_plant.h"
#include "trammel/error.h"

namespace {

using namespace trammel;
using Matrix = Eigen::MatrixXd;

VectorView view(std::vector<double>& x) { return {x.data(), static_cast<Index>(x.size())}; }

void require(const Status& status) {
  if (!status) throw Error(ErrorKind::compute, status.what);
}

/// The vehicle under coordinate partitioning, at its start and at a neighbouring state in turn: the kernel remembers
/// the last point and answers it for free.
class Vehicle {
 public:
  explicit Vehicle(const std::string& solver = "auto")
      : run_(load_run_file(std::string(TRAMMEL_SOURCE_DIR) + "/configs/papers/sandu/hmmwv.json",
                           {"analysis.solver=" + solver})),
        host_({{std::string(TRAMMEL_BUILD_DIR) + "/lib/trammel/plugins", "benchmark"}}),
        model_(run_, host_),
        formulation_(
            make_component(host_, run_, run_.formulation, ComponentKind::formulation, model_, &model_.resolver())),
        plant_(make_start(model_, {}).model, &formulation_.as<Formulation>(), "coordinate_partitioning",
               ViewKind::second_order, 0),
        w_(static_cast<std::size_t>(plant_.size().n)),
        w_dot_(w_),
        other_(w_),
        w_ddot_(w_) {
    StateView start;
    start.x = view(w_), start.v = view(w_dot_);
    require(plant_.start(start));
    std::mt19937 generator(1);
    std::uniform_real_distribution<double> amount(-1e-4, 1e-4);
    for (std::size_t i = 0; i < w_.size(); ++i) other_[i] = w_[i] + amount(generator);
    accelerate();
    q_[0] = numbers().point().q(), v_[0] = numbers().point().v();
    accelerate();
    q_[1] = numbers().point().q(), v_[1] = numbers().point().v();
    a_.resize(q_[0].size()), lambda_.resize(static_cast<std::size_t>(numbers().constraints()));
  }

  ConstrainedModel& numbers() { return *plant_.model(); }
  SecondOrderSystem& system() { return *plant_.problem().second_order; }

  /// w'' from (w, w'): dependent positions and velocities too.
  void accelerate() {
    std::swap(w_, other_);
    require(system().acceleration(0, view(w_), view(w_dot_), view(w_ddot_)));
  }
  /// a from (q, v): elements, factorization and solve.
  void evaluate() {
    side_ = 1 - side_;
    require(numbers().evaluate(0, view(q_[side_]), view(v_[side_]), {}, evaluate_dynamics));
    require(numbers().factorize(ProjectionWeights::mass));
    require(numbers().solve(numbers().Q(), numbers().gamma(), view(a_), view(lambda_)));
  }
  /// At the last state of `accelerate`: M^, M^ J1, M^ J2, M^ dw''/dt and the factors of Pi.
  void jacobian() {
    require(system().linearize(0, view(w_), view(w_dot_)));
    require(system().prepare(1e-6, 1e-3));
  }

  Matrix dense_jacobian() {
    const Index n = numbers().coordinates(), m = numbers().constraints();
    Matrix J(m, n);
    std::vector<double> unit(static_cast<std::size_t>(n), 0.0);
    for (Index i = 0; i < n; ++i) {
      unit[static_cast<std::size_t>(i)] = 1;
      numbers().apply_jacobian(view(unit), {J.data() + i * m, m});
      unit[static_cast<std::size_t>(i)] = 0;
    }
    return J;
  }

 private:
  RunFile run_;
  PluginHost host_;
  Model model_;
  Component formulation_;
  ModelPlant plant_;
  std::vector<double> w_, w_dot_, other_, w_ddot_, q_[2], v_[2], a_, lambda_;
  int side_ = 0;
};

void acceleration(benchmark::State& state, const char* solver) {
  Vehicle vehicle(solver);
  for (auto _ : state) vehicle.evaluate();
}

void state_space_acceleration(benchmark::State& state) {
  Vehicle vehicle;
  for (auto _ : state) vehicle.accelerate();
}

void state_space_jacobian(benchmark::State& state) {
  Vehicle vehicle;
  vehicle.accelerate();
  for (auto _ : state) vehicle.jacobian();
}

/// Phi_u factorized and solved with 3 x 18 columns, as one Jacobian wants it.
void dependent_columns(benchmark::State& state, bool dense) {
  constexpr Index columns = 54;
  Vehicle vehicle;
  vehicle.accelerate();
  ModelPartition& partition = vehicle.numbers().parts().partition;
  const Index n = vehicle.numbers().coordinates(), m = vehicle.numbers().constraints();
  Eigen::VectorXd independent(n);
  require(partition.choose_partition({}, {independent.data(), n}));
  constexpr Index stride = column_stride(columns);
  const Matrix rows = Matrix::Random(m, columns), J = vehicle.dense_jacobian(),
               side_by_side = Matrix::Random(stride, m);
  Matrix Phi_u(m, m), x(stride, n), solution(m, columns);
  for (Index i = 0, k = 0; i < n; ++i) {
    if (independent[i] == 0) Phi_u.col(k++) = J.col(i);
  }
  Eigen::PartialPivLU<Matrix> lu(m);
  for (auto _ : state) {
    if (dense) {
      lu.compute(Phi_u);
      solution.noalias() = lu.solve(rows);
      benchmark::DoNotOptimize(solution.data());
    } else {
      require(partition.factorize_dependent({independent.data(), n}));
      partition.solve_columns(side_by_side.data(), {.count = columns, .stride = stride}, x.data());
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  using benchmark::RegisterBenchmark;
  RegisterBenchmark("acceleration/range_space", acceleration, "range_space");
  RegisterBenchmark("acceleration/sparse", acceleration, "sparse");
  RegisterBenchmark("acceleration/dense", acceleration, "dense");
  RegisterBenchmark("state_space_acceleration", state_space_acceleration);
  RegisterBenchmark("state_space_jacobian", state_space_jacobian);
  RegisterBenchmark("dependent_columns/sparse", dependent_columns, false);
  RegisterBenchmark("dependent_columns/dense", dependent_columns, true);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
}
