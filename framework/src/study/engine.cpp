// The engine of one machine.
#include "study/engine.h"

#include <algorithm>

#include "trammel/error.h"

namespace trammel {

bool LocalEngine::run(const std::vector<CaseTask>& tasks, EngineObserver& observer) {
  if (tasks.empty()) return !observer.stop();
  WorkerSetup setup = setup_;
  setup.workers = static_cast<int>(std::min<std::size_t>(tasks.size(), static_cast<std::size_t>(setup.workers)));
  WorkerProcesses pool(std::move(setup));
  bool stopped = false;
  for (std::size_t next = 0; pool.open_tasks() > 0 || (next < tasks.size() && !stopped);) {
    if (!stopped && observer.stop()) {
      stopped = true;
      pool.interrupt();
    }
    while (!stopped && next < tasks.size() && pool.wants_task()) pool.give(tasks[next++]);
    constexpr int pause_milliseconds = 5;
    for (const CaseAnswer& answer : pool.wait(pause_milliseconds)) {
      if (!answer.fatal.empty()) throw Error(ErrorKind::compute, answer.fatal);
      observer.answered(answer);
    }
    observer.pause(pool.running());
  }
  return !stopped;
}

WorkerSetup worker_setup(const StudyFile& study, const std::filesystem::path& program,
                         const std::filesystem::path& folder, const PluginSearch& plugins, int workers) {
  WorkerSetup setup;
  setup.command = {program.string(), "study", study.file.string(), "-o", folder.string()};
  for (const std::filesystem::path& path : plugins.plugin_path)
    setup.command.insert(setup.command.end(), {"--plugin-path", path.string()});
  if (plugins.trust) setup.command.emplace_back("--trust");
  setup.command.emplace_back("--worker");
  setup.logs = folder / "workers";
  setup.time_limit = study.limits.time;
  setup.workers = workers;
  return setup;
}

}  // namespace trammel
