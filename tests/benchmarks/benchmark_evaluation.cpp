// Benchmark: one evaluation of y' = f(t, y), and of its exact Jacobian, per body, for chains and ladders of any size.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "evaluation_problem.h"

namespace {

using namespace trammel;

std::filesystem::path generate(const std::string& family, long n) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("trammel_" + family + "_" + std::to_string(n) + ".json");
  const std::string command =
      std::string("python3 ") + TRAMMEL_MODEL_SCRIPT + " " + family + " " + std::to_string(n) + " > " + file.string();
  if (std::system(command.c_str()) != 0) throw Error(ErrorKind::compute, "cannot run: " + command);
  return file;
}

void report(benchmark::State& state, const EvaluationProblem& problem) {
  state.counters["per_body"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * static_cast<double>(problem.bodies()),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void evaluation(benchmark::State& state, const std::string& family, const std::string& solver) {
  EvaluationProblem problem(generate(family, state.range(0)), "direct", solver);
  for (auto _ : state) problem.evaluate();
  report(state, problem);
}

/// Wall-clock time of a large model on one thread and on several.
void with_threads(benchmark::State& state, const std::string& family, const std::string& solver) {
  EvaluationProblem problem(generate(family, state.range(0)), "direct", solver, static_cast<Index>(state.range(1)));
  for (auto _ : state) problem.evaluate();
  report(state, problem);
}

void jacobian(benchmark::State& state, const std::string& family) {
  EvaluationProblem problem(generate(family, state.range(0)));
  for (int i = 0; i < 4; ++i) problem.jacobian();  // the sparse pattern and its pivots are found here
  for (auto _ : state) problem.jacobian();
  report(state, problem);
}

}  // namespace

int main(int argc, char** argv) {
  for (const char* family : {"revolute_chain", "spherical_chain", "planar_chain", "four_bar_ladder",
                             "four_bar_ladder_redundant", "planar_ladder"}) {
    benchmark::RegisterBenchmark(family, evaluation, family, "auto")->RangeMultiplier(4)->Range(1, 1024);
    for (const std::string solver : {"range_space", "articulated"}) {
      benchmark::RegisterBenchmark((solver + "/" + family).c_str(), evaluation, family, solver)->Arg(256)->Arg(1024);
      benchmark::RegisterBenchmark(("threads/" + solver + "/" + family).c_str(), with_threads, family, solver)
          ->Args({100000, 1})
          ->Args({100000, 2})
          ->UseRealTime()
          ->MeasureProcessCPUTime();
    }
    benchmark::RegisterBenchmark((std::string("jacobian/") + family).c_str(), jacobian, family)
        ->RangeMultiplier(4)
        ->Range(4, 1024);
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
}
