// Messages between the ranks of a study.
#include "mpi/mpi_engine.h"

#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "trammel/error.h"

namespace trammel {
namespace {

// To a rank: a case, "interrupt what runs", "the study is over". From a rank: an answer, why it can go on no more.
enum Tag { task_tag = 1, interrupt_tag, end_tag, answer_tag, fatal_tag };
constexpr double ahead_seconds = 0.02;
constexpr std::size_t deepest = 64;

int world_size() {
  int size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

void send(int rank, Tag tag, const std::string& text) {
  MPI_Send(text.data(), static_cast<int>(text.size()), MPI_BYTE, rank, tag, MPI_COMM_WORLD);
}

/// The next message that is there; false: none.
bool receive(int from, MPI_Status& status, std::string& text) {
  int there = 0, size = 0;
  MPI_Iprobe(from, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
  if (there == 0) return false;
  MPI_Get_count(&status, MPI_BYTE, &size);
  text.resize(static_cast<std::size_t>(size));
  MPI_Recv(text.data(), size, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return true;
}

std::string first_word(const std::string& text) { return text.substr(0, text.find(' ')); }
std::string behind_first_word(const std::string& text) {
  const std::size_t blank = text.find(' ');
  return blank == std::string::npos ? "" : text.substr(blank + 1);
}

}  // namespace

std::size_t MpiEngine::depth() const {
  const auto workers = static_cast<std::size_t>(setup_.workers);
  if (mean_seconds_ <= 0) return workers;
  return std::clamp<std::size_t>(static_cast<std::size_t>(ahead_seconds / mean_seconds_), workers,
                                 std::max(workers, deepest));
}

bool MpiEngine::run(const std::vector<CaseTask>& tasks, EngineObserver& observer) {
  if (tasks.empty()) return !observer.stop();
  ranks_.assign(static_cast<std::size_t>(world_size()), {});
  WorkerProcesses pool(setup_);
  bool stopped = false;
  const auto open = [&] {
    std::size_t count = pool.open_tasks();
    for (const Rank& rank : ranks_) count += rank.open;
    return count;
  };
  for (std::size_t next = 0; open() > 0 || (next < tasks.size() && !stopped);) {
    if (!stopped && observer.stop()) {
      stopped = true;
      pool.interrupt();
      for (std::size_t r = 1; r < ranks_.size(); ++r) send(static_cast<int>(r), interrupt_tag, "");
    }
    for (bool gave = true;
         gave && !stopped && next < tasks.size();) {  // one each, so that the last ones are shared out
      gave = false;
      for (std::size_t r = 0; r < ranks_.size() && next < tasks.size(); ++r) {
        if (r == 0 ? !pool.wants_task() : ranks_[r].open >= depth()) continue;
        const CaseTask& task = tasks[next++];
        gave = true;
        if (r == 0) {
          pool.give(task);
          continue;
        }
        ++ranks_[r].open;
        send(static_cast<int>(r), task_tag, std::to_string(task.index) + " " + task.key);
      }
    }
    constexpr int pause_milliseconds = 1;
    for (const CaseAnswer& answer : pool.wait(pause_milliseconds)) {
      if (!answer.fatal.empty()) throw Error(ErrorKind::compute, answer.fatal);
      observer.answered(answer);
    }
    hear(observer);
    std::size_t running = pool.running();
    for (const Rank& rank : ranks_) running += rank.open > 0 ? 1 : 0;
    observer.pause(running);
  }
  return !stopped;
}

void MpiEngine::hear(EngineObserver& observer) {
  MPI_Status status;
  for (std::string text; receive(MPI_ANY_SOURCE, status, text);) {
    if (status.MPI_TAG == fatal_tag) throw Error(ErrorKind::compute, text);
    Rank& rank = ranks_[static_cast<std::size_t>(status.MPI_SOURCE)];
    --rank.open;
    const std::string said = behind_first_word(text);
    if (said.empty()) continue;  // it was not begun
    // As in WorkerProcesses: without the way there and back. A rank has `--jobs` workers that share its tasks.
    const double seconds = std::stod(first_word(said)) / setup_.workers;
    constexpr double weight = 0.1;
    if (seconds > 0) mean_seconds_ = mean_seconds_ == 0 ? seconds : (1 - weight) * mean_seconds_ + weight * seconds;
    observer.answered({std::stoul(first_word(text)), behind_first_word(said), {}});
  }
}

void serve_rank(const std::function<WorkerSetup()>& make_setup) {
  std::string text;
  MPI_Status status;
  try {
    WorkerProcesses pool(make_setup());
    std::vector<std::size_t> given;
    while (true) {
      while (receive(0, status, text)) {
        if (status.MPI_TAG == end_tag) return;
        if (status.MPI_TAG == interrupt_tag) {
          pool.interrupt();
        } else {
          given.push_back(std::stoul(first_word(text)));
          pool.give({given.back(), behind_first_word(text)});
        }
      }
      constexpr int pause_milliseconds = 1;
      for (const CaseAnswer& answer : pool.wait(pause_milliseconds)) {
        if (!answer.fatal.empty()) throw Error(ErrorKind::compute, answer.fatal);
        std::erase(given, answer.index);
        send(0, answer_tag, fmt::format("{} {:.3e} {}", answer.index, answer.seconds, answer.record));
      }
      if (pool.open_tasks() > 0) continue;
      for (const std::size_t index : given) send(0, answer_tag, std::to_string(index));  // interrupted before its turn
      given.clear();
    }
  } catch (const Error& error) {
    send(0, fatal_tag, error.what());
  }
  while (!receive(0, status, text) || status.MPI_TAG != end_tag) ::usleep(1000);
}

void release_ranks() {
  for (int r = 1; r < world_size(); ++r) send(r, end_tag, "");
}

}  // namespace trammel
