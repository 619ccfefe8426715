// Benchmark: one evaluation of y' = f(t, y), and of its exact Jacobian, per body, for chains and ladders of any size.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <random>
#include <string>

#include "model/component.h"
#include "run/plant/model_plant.h"
#include "trammel/error.h"

namespace {

using namespace trammel;

/// A generated model behind the view that integrators see: loaded plugins, formulation `direct`.
class Problem {
 public:
  Problem(const std::string& family, long n)
      : run_(load_run_file(generate(family, n), {"formulation={\"type\":\"direct\"}"})),
        host_({{std::string(TRAMMEL_BUILD_DIR) + "/lib/trammel/plugins", "benchmark"}}),
        model_(run_, host_),
        formulation_(
            make_component(host_, run_, run_.formulation, ComponentKind::formulation, model_, &model_.resolver())),
        plant_(make_start(model_, {}).model, &formulation_.as<Formulation>(), "direct", ViewKind::ode, 0),
        state_(static_cast<std::size_t>(plant_.problem().ode->size()), 0.0),
        rate_(state_.size(), 0.0) {
    StateView start;
    start.x = view(state_);
    if (!plant_.start(start)) throw Error(ErrorKind::compute, family + ": no start");
    // Two neighbouring states in turn: the kernel remembers the last point and answers it for free.
    other_ = state_;
    std::mt19937 generator(1);
    std::uniform_real_distribution<double> amount(-1e-6, 1e-6);
    for (double& x : other_) x += amount(generator);
  }

  void evaluate() {
    std::swap(state_, other_);
    if (!plant_.problem().ode->rhs(0, view(state_), view(rate_))) throw Error(ErrorKind::compute, "evaluation failed");
  }

  /// All contractions at a state, assembled with M and Phi_q and factorized.
  void jacobian() {
    evaluate();
    ConstrainedModel& model = *plant_.model();
    const ConstVectorView a = view(rate_).segment(model.coordinates(), model.coordinates());
    lambda_.resize(static_cast<std::size_t>(model.constraints()));
    if (!model.derivatives().linearize(a, view(lambda_)) || !model.derivatives().prepare(1e-4, 1e-2)) {
      throw Error(ErrorKind::compute, "Jacobian failed");
    }
  }

  long bodies() const { return model_.body_count(); }

 private:
  static VectorView view(std::vector<double>& x) { return {x.data(), static_cast<Index>(x.size())}; }

  static std::filesystem::path generate(const std::string& family, long n) {
    const std::filesystem::path file =
        std::filesystem::temp_directory_path() / ("trammel_" + family + "_" + std::to_string(n) + ".json");
    const std::string command =
        std::string("python3 ") + TRAMMEL_MODEL_SCRIPT + " " + family + " " + std::to_string(n) + " > " + file.string();
    if (std::system(command.c_str()) != 0) throw Error(ErrorKind::compute, "cannot run: " + command);
    return file;
  }

  RunFile run_;
  PluginHost host_;
  Model model_;
  Component formulation_;
  ModelPlant plant_;
  std::vector<double> state_, rate_, other_, lambda_;
};

void report(benchmark::State& state, const Problem& problem) {
  state.counters["per_body"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * static_cast<double>(problem.bodies()),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void evaluation(benchmark::State& state, const std::string& family) {
  Problem problem(family, state.range(0));
  for (auto _ : state) problem.evaluate();
  report(state, problem);
}

void jacobian(benchmark::State& state, const std::string& family) {
  Problem problem(family, state.range(0));
  for (int i = 0; i < 4; ++i) problem.jacobian();  // the sparse pattern and its pivots are found here
  for (auto _ : state) problem.jacobian();
  report(state, problem);
}

}  // namespace

int main(int argc, char** argv) {
  for (const char* family : {"revolute_chain", "spherical_chain", "planar_chain", "four_bar_ladder",
                             "four_bar_ladder_redundant", "planar_ladder"}) {
    benchmark::RegisterBenchmark(family, evaluation, family)->RangeMultiplier(4)->Range(1, 1024);
    benchmark::RegisterBenchmark((std::string("jacobian/") + family).c_str(), jacobian, family)
        ->RangeMultiplier(4)
        ->Range(4, 1024);
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
}
