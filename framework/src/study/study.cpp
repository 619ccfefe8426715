// Running a study: which cases are there already, processes for the others, tables.
#include "study/study.h"

#include <algorithm>
#include <fstream>

#include "study/host_cache.h"
#include "study/processes.h"
#include "study/study_report.h"
#include "trammel/error.h"

namespace trammel {
namespace {

class StudyRun final : public ProcessObserver {
 public:
  StudyRun(const StudyFile& study, const StudyOptions& options, StudyObserver& observer)
      : study_(study), options_(options), observer_(observer), hosts_(options.plugins) {}

  StudyResult run() {
    std::error_code code;
    std::filesystem::create_directories(options_.folder / "cases", code);
    if (code) {
      throw Error(ErrorKind::compute, options_.folder.string() + ": cannot be created: " + code.message());
    }
    result_.records.resize(study_.cases.size());
    std::vector<std::size_t> references, others;
    for (std::size_t i = 0; i < study_.cases.size(); ++i) {
      if (reuse(i))
        ++done_;
      else
        (is_reference(study_, study_.cases[i]) ? references : others).push_back(i);
    }
    result_.interrupted = !run_batch(references) || !run_batch(others);
    for (std::size_t i = 0; i < study_.cases.size(); ++i) {
      if (result_.records[i].is_null()) {
        result_.records[i] = {{"name", study_.cases[i].name}, {"status", "not run"}, {"message", ""}};
      }
    }
    result_.groups = evaluate_groups(study_, result_.records);
    judge(study_, options_.judge_timing, result_);
    write_study(study_, result_, options_.folder);
    return std::move(result_);
  }

  void started(std::size_t job) override {
    ++running_;
    tell(job);
  }

  void ended(std::size_t job, int code) override {
    --running_;
    ++done_;
    const std::size_t i = batch_[job];
    const std::filesystem::path folder = case_folder(options_.folder, study_.cases[i]);
    StudyJson record = read_record(folder);
    if (!record.is_object()) {  // it ended before it could write one
      const std::string signal = code > 128 && code != 130 ? "ended by signal " + std::to_string(code - 128) : "";
      const std::string last = last_line(folder / "log.txt");
      record = {{"name", study_.cases[i].name},
                {"status", code == 130 ? "interrupted" : "failed"},
                {"message", last.empty() ? signal.empty() ? "exit code " + std::to_string(code) : signal : last}};
    }
    result_.records[i] = std::move(record);
    tell(job);
  }

  bool stop() override { return observer_.stop(); }

 private:
  void tell(std::size_t job) {
    observer_.progress(done_, running_, study_.cases.size(), study_.cases[batch_[job]].name);
  }

  bool reuse(std::size_t i) {
    const StudyCase& c = study_.cases[i];
    Problems problems;
    const RunFile run = load_run_file(c.base, c.set, problems);
    problems.raise();
    result_.records[i] =
        read_finished(case_folder(options_.folder, c), case_key(study_, c), hosts_.of(run).catalogue());
    return !result_.records[i].is_null();
  }

  bool run_batch(const std::vector<std::size_t>& batch) {
    batch_ = batch;
    std::vector<ProcessJob> jobs;
    for (const std::size_t i : batch) {
      const std::filesystem::path folder = case_folder(options_.folder, study_.cases[i]);
      std::filesystem::create_directories(folder);
      std::error_code ignored;
      std::filesystem::remove(folder / "case.json", ignored);
      ProcessJob job{{options_.program.string(), "study", study_.file.string(), "-o", options_.folder.string(),
                      "--case", study_.cases[i].name},
                     folder / "log.txt"};
      for (const std::filesystem::path& path : options_.plugins.plugin_path) {
        job.command.insert(job.command.end(), {"--plugin-path", path.string()});
      }
      if (options_.plugins.trust) job.command.emplace_back("--trust");
      jobs.push_back(job);
    }
    return run_processes(jobs, options_.jobs, *this);
  }

  static std::string last_line(const std::filesystem::path& file) {
    std::ifstream stream(file);
    std::string line, last;
    while (std::getline(stream, line)) {
      if (!line.empty()) last = line;
    }
    return last;
  }

  const StudyFile& study_;
  const StudyOptions& options_;
  StudyObserver& observer_;
  StudyResult result_;
  HostCache hosts_;
  std::vector<std::size_t> batch_;
  std::size_t done_ = 0, running_ = 0;
};

}  // namespace

StudyResult run_study(const StudyFile& study, const StudyOptions& options, StudyObserver& observer) {
  return StudyRun(study, options, observer).run();
}

}  // namespace trammel
