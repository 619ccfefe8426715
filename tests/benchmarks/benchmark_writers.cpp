// Benchmark: the rows of 1000 bodies, written by each writer through its own interface into files of the folder TMPDIR.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "config/json_source.h"
#include "model/component.h"
#include "model/no_model.h"
#include "plugin/create.h"
#include "trammel/error.h"
#include "trammel/writer.h"

namespace {

using namespace trammel;

constexpr int bodies = 1000, columns_per_body = 13;
constexpr Index columns = 1 + bodies * columns_per_body;

/// Rows as a run has them: sines, whose 17 digits all count. A hundred of them come again and again, so that making them
/// costs nothing.
std::vector<std::vector<double>> sample_rows() {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> any(-1, 1);
  std::vector<std::vector<double>> rows(100, std::vector<double>(columns));
  for (std::size_t k = 0; k < columns; ++k) {
    const double size = std::pow(10.0, 3 * any(random)), rate = 10 * any(random), phase = any(random);
    for (std::size_t r = 0; r < rows.size(); ++r)
      rows[r][k] = size * std::sin(rate * 0.01 * static_cast<double>(r) + phase);
  }
  return rows;
}

template <class Call>
void demand(const Call& call) {
  RefusalBuffer refusal;
  if (!call(refusal.refusal())) throw Error(ErrorKind::compute, refusal.refusal().text);
}

void write_rows(benchmark::State& state, const std::string& section) {
  PluginHost host({{std::string(TRAMMEL_BUILD_DIR) + "/lib/trammel/plugins", "benchmark"}});
  const Node node = parse_json(section, "benchmark");
  const LoadedComponent loaded = host.find(ComponentKind::writer, Host::any, node.find("type")->text);
  const Component component(loaded, bind(loaded.record->parameters, node, {}), NoModel(), "", node, "");
  Writer& writer = component.as<Writer>();

  static const std::vector<std::vector<double>> rows = sample_rows();
  std::vector<std::string> names = {"t"};
  for (int k = 1; k < columns; ++k)
    names.push_back("body_" + std::to_string(k / columns_per_body) + ".x" + std::to_string(k));
  std::vector<WriterColumn> described;
  for (const std::string& name : names) described.push_back({name.c_str(), "m"});
  const std::string file = (std::filesystem::temp_directory_path() / "trammel_benchmark_writers").string();
  const WriterRun run{sizeof(WriterRun), columns, 0, file.c_str(), described.data(), nullptr};

  for (auto _ : state) {
    demand([&](Refusal& refusal) { return writer.begin(run, refusal); });
    for (long i = 0; i < state.range(0); ++i) {
      const std::vector<double>& row = rows[static_cast<std::size_t>(i) % rows.size()];
      demand([&](Refusal& refusal) { return writer.row({row.data(), columns}, refusal); });
    }
    demand([&](Refusal& refusal) { return writer.close(nullptr, 0, refusal); });
  }
  state.counters["bytes"] = static_cast<double>(std::filesystem::file_size(file));
  state.counters["number"] =
      benchmark::Counter(static_cast<double>(state.range(0)) * columns * static_cast<double>(state.iterations()),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  std::filesystem::remove(file);
}

void csv(benchmark::State& state) { write_rows(state, R"({"type": "csv"})"); }
void hdf5(benchmark::State& state) { write_rows(state, R"({"type": "hdf5"})"); }
void hdf5_compressed(benchmark::State& state) { write_rows(state, R"({"type": "hdf5", "compression": 1})"); }

}  // namespace

BENCHMARK(csv)->Arg(10000)->Iterations(1)->Unit(benchmark::kSecond)->MeasureProcessCPUTime();
BENCHMARK(hdf5)->Arg(10000)->Iterations(1)->Unit(benchmark::kSecond)->MeasureProcessCPUTime();
BENCHMARK(hdf5_compressed)->Arg(1000)->Iterations(1)->Unit(benchmark::kSecond)->MeasureProcessCPUTime();
BENCHMARK_MAIN();
