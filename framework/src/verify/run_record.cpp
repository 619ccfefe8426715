// Runs for verification, and reading of what they wrote.
#include "verify/run_record.h"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "results/csv_table.h"
#include "results/readable_rows.h"
#include "trammel/error.h"

namespace trammel {
namespace {

namespace fs = std::filesystem;

class Collector final : public ChannelObserver {
 public:
  explicit Collector(RunRecord& record) : record_(record) {}
  void sample(At at, double t, double, ConstVectorView values) override {
    // Times asked for come as such; the first of them, the start, comes as the start too.
    if (at != At::time && !(at == At::start && record_.t.empty())) return;
    if (!record_.t.empty() && t == record_.t.back()) return;
    record_.t.push_back(t);
    record_.values.insert(record_.values.end(), values.data, values.data + values.size);
  }

 private:
  RunRecord& record_;
};

class Limit final : public RunObserver {
 public:
  Limit(VerifyObserver& observer, long most_steps) : observer_(observer), most_steps_(most_steps) {}
  bool step(double t, double t_end, double h, long steps) override {
    exceeded = most_steps_ > 0 && steps > most_steps_;
    stopped = !observer_.step(t, t_end, h, steps);
    return !exceeded && !stopped;
  }
  bool exceeded = false, stopped = false;

 private:
  VerifyObserver& observer_;
  long most_steps_;
};

std::vector<RunEventRecord> read_events_of(const fs::path& folder) {
  std::vector<RunEventRecord> events;
  std::ifstream stream(folder / "events.csv");
  std::string line;
  std::getline(stream, line);
  while (std::getline(stream, line)) {
    std::istringstream cells(line);
    std::string t, element, event, direction;
    std::getline(cells, t, ','), std::getline(cells, element, ','), std::getline(cells, event, ','),
        std::getline(cells, direction, ',');
    events.push_back({std::strtod(t.c_str(), nullptr), element + "." + event, std::atoi(direction.c_str())});
  }
  return events;
}

}  // namespace

RunRecord collect(const RunOrder& order, VerifyObserver& observer) {
  RunRecord record;
  record.columns = order.columns;
  try {
    Simulation simulation(order.file, {order.set, order.plugins.plugin_path, 1, order.plugins.trust});
    std::error_code ignored;
    fs::remove(order.folder / "events.csv", ignored);
    simulation.write_results(order.folder);
    Collector collector(record);
    while (!record.columns.empty()) {
      try {
        simulation.watch(record.columns, order.times, collector);
        break;
      } catch (const Error& error) {  // a column that this way does not have
        if (std::erase(record.columns, error.key()) == 0) throw;
      }
    }
    Limit limit(observer, order.most_steps);
    const RunStatus status = simulation.run(&limit);
    record.completed = status == RunStatus::completed;
    record.interrupted = limit.stopped && status == RunStatus::interrupted;
    record.message = simulation.message();
    if (limit.exceeded)
      record.message = fmt::format("given up after {} steps, at t = {:.6g}", order.most_steps, simulation.time());
    record.summary = VerifyJson::parse(simulation.summary_json());
    record.events = read_events_of(order.folder);
  } catch (const Error& error) {
    record.message = error.what();
  }
  return record;
}

RunRecord read_record_of(const fs::path& folder) {
  RunRecord record;
  std::ifstream stream(folder / "summary.json");
  record.summary = VerifyJson::parse(stream, nullptr, false);
  record.completed = record.summary.is_object() && record.summary.value("status", "") == "completed";
  const CsvTable table = read_csv(readable_rows(folder, "verification"));
  const bool timed = !table.columns.empty() && table.columns[0] == "t";
  record.columns.assign(table.columns.begin() + (timed ? 1 : 0), table.columns.end());
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const double* row = table.row(i);
    const double t = timed ? row[0] : 0;
    if (!record.t.empty() && t == record.t.back()) {  // before and after a jump: what is after it counts
      record.t.pop_back();
      record.values.resize(record.values.size() - record.columns.size());
    }
    record.t.push_back(t);
    record.values.insert(record.values.end(), row + (timed ? 1 : 0), row + table.columns.size());
  }
  record.events = read_events_of(folder);
  return record;
}

}  // namespace trammel
