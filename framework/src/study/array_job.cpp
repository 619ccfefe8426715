// Submitting, waiting for and running chunks.
#include "study/array_job.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <sstream>
#include <thread>

#include "config/content_hash.h"
#include "results/atomic_file.h"
#include "study/command_output.h"
#include "study/finished_cases.h"
#include "study/part_file.h"
#include "trammel/error.h"

namespace trammel {
namespace {

std::filesystem::path job_folder(const std::filesystem::path& folder) { return folder / "slurm"; }

std::string shell_quoted(const std::string& word) {
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

/// A command of Slurm that has to succeed. Throws Error(compute) with what it said.
std::string required(const std::vector<std::string>& command) {
  const CommandOutput got = command_output(command);
  if (got.code == 0) return got.text;
  std::string said = got.text.empty() ? fmt::format("exit code {}", got.code) : got.text;
  while (!said.empty() && said.back() == '\n') said.pop_back();
  throw Error(ErrorKind::compute, fmt::format("{}: {}", command.front(),
                                              got.code == 127 && got.text.empty()
                                                  ? "there is no such program; Slurm has to be installed here"
                                                  : said));
}

std::vector<std::string> words(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> list;
  for (std::string word; stream >> word;) list.push_back(word);
  return list;
}

/// That of all jobs of the study.
std::string job_name(const std::filesystem::path& folder) {
  ContentHash hash;
  hash.add(std::filesystem::weakly_canonical(std::filesystem::absolute(folder)).string());
  return "trammel-" + hash.text();
}

/// Options of sbatch for a script of DIR/slurm whose words go to `log` there. Throws Error(input): Slurm takes names with
/// '%' and '\\' for patterns, in paths of logs and of folders alike, and the job ends without a word.
std::vector<std::string> submission(const std::filesystem::path& job, const std::string& name, const std::string& log) {
  if (job.string().find_first_of("%\\") != std::string::npos) {
    throw Error(ErrorKind::input, job.string() +
                                      ": Slurm reads '%' and '\\' in paths as patterns of its own; give -o a "
                                      "folder without them");
  }
  return {"sbatch", "--parsable", "--job-name=" + name, "--output=" + log, "--chdir=" + job.string()};
}

}  // namespace

std::vector<std::string> jobs_on_their_way(const std::filesystem::path& folder) {
  std::error_code code;
  if (!std::filesystem::exists(job_folder(folder), code)) return {};
  std::vector<std::string> ids =
      words(required({"squeue", "--noheader", "--array-unique", "--format=%F", "--name=" + job_name(folder)}));
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

std::string last_job_text(const std::filesystem::path& folder) {
  std::ifstream stream(job_folder(folder) / "job");
  std::string id;
  if (!(stream >> id)) return "";
  // Slurm forgets jobs some minutes after their end (MinJobAge), unless it keeps accounts.
  std::map<std::string, int> states;
  const CommandOutput shown = command_output({"scontrol", "show", "job", "--oneliner", id});
  if (shown.code == 0) {
    for (const std::string& word : words(shown.text))
      if (word.rfind("JobState=", 0) == 0) ++states[word.substr(9)];
  }
  if (states.empty()) {
    const CommandOutput kept = command_output({"sacct", "--noheader", "--allocations", "--format=State", "-j", id});
    if (kept.code == 0) {
      std::istringstream lines(kept.text);
      for (std::string line; std::getline(lines, line);) {
        if (const std::vector<std::string> state = words(line); !state.empty()) ++states[state.front()];
      }
    }
  }
  std::string counts;
  for (const auto& [state, count] : states) counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", state, count);
  return fmt::format("job {}{}; what its tasks said is in {}", id,
                     counts.empty() ? ", which Slurm has forgotten" : " (" + counts + ")",
                     std::filesystem::absolute(job_folder(folder)).string());
}

bool ArrayEngine::run(const std::vector<CaseTask>& tasks, EngineObserver& observer) {
  if (tasks.empty()) return true;
  const std::filesystem::path& folder = study_options_.folder;
  std::vector<std::string> jobs = jobs_on_their_way(folder);
  if (jobs.empty()) {
    const std::string before = last_job_text(folder);
    submit(tasks);
    if (!before.empty()) note_ += fmt::format("\n{} cases are missing of {}", tasks.size(), before);
  } else {
    note_ = fmt::format("job {} of this study is on its way", fmt::join(jobs, ", "));
  }
  if (!options_.wait) return false;
  std::vector<char> answered(study_.cases.size(), 0);
  const auto gather = [&] {
    PartRecords parts = read_parts(study_options_.folder);
    for (const CaseTask& task : tasks) {
      const auto found = parts.find({task.index, task.key});
      if (answered[task.index] != 0 || found == parts.end()) continue;
      if (found->second.value("status", "") == "interrupted") continue;
      answered[task.index] = 1;
      observer.answered({task.index, found->second.dump(), {}});
    }
    observer.pause(0);
  };
  constexpr auto pause = std::chrono::milliseconds(50);
  constexpr int pauses_between_questions = 40;
  do {
    for (int i = 0; i < pauses_between_questions; ++i) {
      if (observer.stop()) return false;  // the job goes on
      std::this_thread::sleep_for(pause);
    }
    gather();
    jobs = jobs_on_their_way(folder);
  } while (!jobs.empty());
  gather();
  const auto missing =
      std::count_if(tasks.begin(), tasks.end(), [&](const CaseTask& task) { return answered[task.index] == 0; });
  if (missing != 0) failure_ = fmt::format("{} cases have no result of {}", missing, last_job_text(folder));
  return missing == 0;
}

void ArrayEngine::submit(const std::vector<CaseTask>& tasks) {
  const std::filesystem::path folder = std::filesystem::absolute(study_options_.folder), job = job_folder(folder);
  std::filesystem::create_directories(job);
  std::string list;
  for (const CaseTask& task : tasks) list += fmt::format("{} {}\n", task.index, task.key);
  write_atomically(job / "tasks", list);
  const std::size_t chunks = std::min(tasks.size(), options_.most_chunks),
                    largest = (tasks.size() + chunks - 1) / chunks;
  const std::string here = "cd " + shell_quoted(std::filesystem::current_path().string()) + " || exit 1\nexec ";
  std::string command = shell_quoted(options_.program.string()) + " study " +
                        shell_quoted(std::filesystem::absolute(study_.file).string()) + " -o " +
                        shell_quoted(folder.string());
  for (const std::filesystem::path& path : study_options_.plugins.plugin_path)
    command += " --plugin-path " + shell_quoted(std::filesystem::absolute(path).string());
  if (study_options_.plugins.trust) command += " --trust";
  if (!study_options_.judge_timing) command += " --no-timing";
  // A chunk uses the processors that Slurm gives to its task. What a chunk's cases came to is in its part, so that exit
  // codes are about the job.
  const std::string chunk_script =
      "#!/bin/sh\n# A chunk of cases of a study; written by 'trammel study --slurm'.\n" + here + command +
      fmt::format(" --quiet --chunk \"$SLURM_ARRAY_TASK_ID/{}\" --jobs \"${{SLURM_CPUS_PER_TASK:-1}}\"\n", chunks);
  write_atomically(job / "chunk.sh", chunk_script);
  const std::string name = job_name(folder);
  std::vector<std::string> sbatch = submission(job, name, "chunk-%a.log");
  sbatch.insert(sbatch.end(), {fmt::format("--array=0-{}", chunks - 1), "--no-requeue"});
  sbatch.insert(sbatch.end(), options_.sbatch.begin(), options_.sbatch.end());
  sbatch.push_back((job / "chunk.sh").string());
  const std::vector<std::string> id = words(required(sbatch));
  if (id.empty()) throw Error(ErrorKind::compute, "sbatch: gave no number of a job");
  write_atomically(job / "job", id.front() + "\n");
  note_ = fmt::format("submitted job {}: {} chunk{} of at most {} case{}", id.front(), chunks, chunks == 1 ? "" : "s",
                      largest, largest == 1 ? "" : "s");
  if (options_.wait) return;
  // Gathered by a job of its own, whatever became of the chunks.
  write_atomically(job / "gather.sh",
                   "#!/bin/sh\n# Gathers what the chunks have done; written by 'trammel study --slurm'.\n" + here +
                       command + " --gather\n");
  std::vector<std::string> gather = submission(job, name, "gather.log");
  gather.push_back("--dependency=afterany:" + id.front());
  gather.insert(gather.end(), options_.sbatch.begin(), options_.sbatch.end());
  gather.push_back((job / "gather.sh").string());
  required(gather);
}

namespace {

class PartWriter final : public EngineObserver {
 public:
  PartWriter(const StudyFile& study, const std::filesystem::path& folder, const std::string& name,
             const std::vector<CaseTask>& tasks, StudyObserver& observer)
      : study_(study), folder_(folder), part_(folder, name), observer_(observer), total_(tasks.size()) {
    for (const CaseTask& task : tasks) keys_[task.index] = task.key;
  }

  void answered(const CaseAnswer& answer) override {
    part_.add(answer.index, complete_record(study_, folder_, answer.index, keys_.at(answer.index), answer.record));
    ++done_;
    last_ = answer.index;
  }
  void pause(std::size_t running) override {
    part_.flush();
    observer_.progress(0, done_, running, total_, study_.cases[last_].name);
  }
  bool stop() override { return observer_.stop(); }

 private:
  const StudyFile& study_;
  const std::filesystem::path& folder_;
  PartFile part_;
  StudyObserver& observer_;
  std::map<std::size_t, std::string> keys_;
  std::size_t total_, done_ = 0, last_ = 0;
};

}  // namespace

bool run_chunk(const StudyFile& study, const StudyOptions& options, std::size_t number, std::size_t count,
               CaseEngine& engine, StudyObserver& observer) {
  const std::filesystem::path list = job_folder(options.folder) / "tasks";
  std::ifstream stream(list);
  if (!stream) throw Error(ErrorKind::usage, list.string() + ": there is none; 'trammel study --slurm' writes it");
  FinishedCases finished(study, options.plugins);
  const PartRecords parts = read_parts(options.folder);
  std::vector<CaseTask> others;
  CaseTask task;
  for (std::size_t position = 0; stream >> task.index >> task.key; ++position) {
    if (position % count != number) continue;
    if (task.index >= study.cases.size() || finished.key(task.index) != task.key) {
      throw Error(
          ErrorKind::input,
          fmt::format("{}: the study, its files or the program changed since the job was submitted", list.string()));
    }
    const auto part = parts.find({task.index, task.key});
    if (part != parts.end() && finished.holds(part->second, task.index)) continue;
    others.push_back(task);
  }
  PartWriter writer(study, options.folder, fmt::format("chunk-{}", number), others, observer);
  return engine.run(others, writer);
}

}  // namespace trammel
