// Watching, running, stopping.
#include "view/live_run.h"

#include <chrono>
#include <fstream>
#include <sstream>
#include <utility>

#include "report/run_content.h"
#include "trammel/error.h"

namespace trammel {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto pause_between_looks = std::chrono::milliseconds(200);
constexpr const char* phase_names[] = {"loading", "wrong", "ready", "running", "completed", "failed", "interrupted"};

std::string text_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return stream ? std::move(text).str() : std::string();
}

}  // namespace

/// Looks after a run: how far it is, whether it shall stop, whether its file has changed.
class LiveRun::Progress final : public RunObserver {
 public:
  explicit Progress(LiveRun& live) : live_(live) {}

  bool step(double t, double t_end, double h, long steps) override {
    const Clock::time_point now = Clock::now();
    if (now >= next_) {
      next_ = now + pause_between_looks;
      const std::lock_guard lock(live_.mutex_);
      live_.t_ = t, live_.t_end_ = t_end, live_.h_ = h, live_.steps_ = steps;
      live_.seconds_ = std::chrono::duration<double>(now - start_).count();
    } else {
      return !live_.over_ && live_.wish_ == Wish::nothing;
    }
    if (live_.changed()) return changed_ = true, false;
    return !live_.over_ && live_.wish_ == Wish::nothing;
  }
  /// Whether that is why the run ended.
  bool changed() const { return changed_; }

 private:
  LiveRun& live_;
  const Clock::time_point start_ = Clock::now();
  Clock::time_point next_ = start_;
  bool changed_ = false;
};

LiveRun::LiveRun(LiveOptions options) : options_(std::move(options)), again_(options_.run) {
  thread_ = std::thread([this] { work(); });
}

LiveRun::~LiveRun() {
  over_ = true;
  thread_.join();
}

void LiveRun::start() { wish_ = Wish::start; }
void LiveRun::stop() { wish_ = Wish::stop; }

void LiveRun::work() {
  while (!over_) {
    bool wanted = changed() && again_;
    while (!over_ && (wanted || wish_.exchange(Wish::nothing) == Wish::start)) {
      const long shown = revision_;
      run();
      wanted = revision_ != shown && again_;  // it ended because its file had changed
    }
    std::this_thread::sleep_for(pause_between_looks);
  }
}

bool LiveRun::changed() {
  std::string text = text_of(options_.file);
  if (text == seen_) return false;
  seen_ = std::move(text);
  try {
    auto made = std::make_unique<Simulation>(options_.file, options_.simulation);
    const std::string summary = made->summary_json();
    simulation_ = std::move(made);
    publish(summary);
    const std::lock_guard lock(mutex_);
    ++revision_;
    errors_.clear();
    results_ = false;
    if (phase_ != Phase::running) phase_ = Phase::ready, message_.clear(), rows_.reset();
    return true;
  } catch (const std::exception& error) {
    const std::lock_guard lock(mutex_);
    errors_ = error.what();
    if (phase_ == Phase::loading) phase_ = Phase::wrong;
    return false;
  }
}

void LiveRun::run() {
  std::unique_ptr<Simulation> running;
  try {
    running = simulation_ != nullptr ? std::move(simulation_)
                                     : std::make_unique<Simulation>(options_.file, options_.simulation);
    const auto rows = std::make_shared<LiveRows>(running->channels());
    running->watch(running->channels(), {}, *rows);
    running->write_results(options_.folder);
    {
      const std::lock_guard lock(mutex_);
      rows_ = rows;
      ++run_;
      phase_ = Phase::running;
      message_.clear();
      t_ = t_end_ = h_ = seconds_ = 0, steps_ = 0;
      results_ = false;
    }
    Progress progress(*this);
    const RunStatus status = running->run(&progress);
    if (progress.changed()) return set_phase(Phase::ready);
    publish(running->summary_json());
    set_phase(status == RunStatus::completed     ? Phase::completed
              : status == RunStatus::interrupted ? Phase::interrupted
                                                 : Phase::failed,
              running->message());
  } catch (const std::exception& error) {
    set_phase(Phase::failed, error.what());
  }
}

void LiveRun::publish(const std::string& summary) {
  RunResults results;
  results.summary = ReportJson::parse(summary);
  const ReportJson title = results.summary.value("title", ReportJson());
  results.title = title.is_string() ? title.get<std::string>() : "";
  if (results.title.empty()) results.title = options_.file.stem().string();
  ReportJson content = run_content(results);
  content["data"] = {{"rows", 0}, {"all_rows", 0}, {"columns", ReportJson::array()}, {"cut", false}, {"note", ""}};
  content["missing"] = ReportJson::array();
  const std::lock_guard lock(mutex_);
  content_ = std::move(content);
}

void LiveRun::set_phase(Phase phase, const std::string& message) {
  const std::lock_guard lock(mutex_);
  phase_ = phase;
  message_ = message;
  results_ = phase != Phase::ready;
}

ReportJson LiveRun::progress() const {
  const std::lock_guard lock(mutex_);
  return {{"file", options_.file.string()},
          {"folder", options_.folder.string()},
          {"revision", revision_},
          {"run", run_},
          {"phase", phase_names[static_cast<std::size_t>(phase_)]},
          {"message", message_},
          {"errors", errors_},
          {"t", t_},
          {"t_end", t_end_},
          {"h", h_},
          {"steps", steps_},
          {"seconds", seconds_},
          {"rows", rows_ == nullptr ? 0 : rows_->rows()},
          {"again", again_.load()},
          {"results", results_}};
}

ReportJson LiveRun::content() const {
  const std::lock_guard lock(mutex_);
  ReportJson content = content_;
  content["revision"] = revision_;
  return content;
}

std::shared_ptr<const LiveRows> LiveRun::rows() const {
  const std::lock_guard lock(mutex_);
  return rows_;
}

Page LiveRun::finished() const {
  {
    const std::lock_guard lock(mutex_);
    if (!results_) throw Error(ErrorKind::input, "there are no results of a run that has ended");
  }
  return run_page(options_.folder);
}

}  // namespace trammel
