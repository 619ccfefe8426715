// Running a study: which cases are there already, an engine for the others, tables.
#include "study/study.h"

#include <algorithm>
#include <chrono>
#include <map>

#include "results/create_folder.h"
#include "study/finished_cases.h"
#include "study/metric_numbers.h"
#include "study/metric_types.h"
#include "study/part_file.h"
#include "study/store.h"
#include "study/study_report.h"
#include "trammel/error.h"

namespace trammel {
namespace {

class StudyRun final : public EngineObserver {
 public:
  StudyRun(const StudyFile& study, const StudyOptions& options, CaseEngine& engine, StudyObserver& observer)
      : study_(study),
        options_(options),
        engine_(engine),
        observer_(observer),
        files_(study.keep == Keep::files),
        finished_(study, options.plugins),
        numbers_(study) {}

  StudyResult run() {
    create_folder(files_ ? options_.folder / "cases" : options_.folder);
    StudyStore store(options_.folder, study_);
    store_ = &store;
    find_finished();
    std::vector<CaseTask> references, others;
    for (std::size_t i = 0; i < study_.cases.size(); ++i) {
      if (!result_.records[i].is_null()) continue;
      (files_ && is_reference(study_, study_.cases[i]) ? references : others).push_back({i, finished_.key(i)});
    }
    try {
      result_.interrupted = !engine_.run(references, *this) || !engine_.run(others, *this);
    } catch (const Error&) {
      try {
        store.commit();         // what was done is kept
      } catch (const Error&) {  // the first failure is the one to tell
      }
      throw;
    }
    for (std::size_t i = 0; i < study_.cases.size(); ++i) {
      StudyJson& record = result_.records[i];
      if (record.is_null()) record = store.find(i, finished_.key(i));  // of an earlier call, to be run again
      if (record.is_null()) record = {{"name", study_.cases[i].name}, {"status", "not run"}, {"message", ""}};
      const std::string status = record.value("status", "");
      result_.interrupted = result_.interrupted || status == "not run" || status == "interrupted";
    }
    result_.groups = evaluate_groups(study_, result_.records);
    keep_ratios();
    store.drop_empty_columns();
    store.commit();
    if (!result_.interrupted) remove_parts(options_.folder);
    for (GroupResult& estimate : evaluate_samples(study_, result_.records, result_.convergence))
      result_.groups.push_back(std::move(estimate));
    result_.best = best_case(study_, result_.records);
    judge(study_, options_.judge_timing, result_);
    write_study(study_, result_, options_.folder);
    return std::move(result_);
  }

  void answered(const CaseAnswer& answer) override {
    ++done_;
    const std::size_t i = answer.index;
    last_ = i;
    StudyJson record = complete_record(study_, options_.folder, i, finished_.key(i), answer.record);
    refuse_wrong_study(record);
    numbers_.require(i, record);
    keep(i, std::move(record));
  }

  void pause(std::size_t running) override {
    // Cases of a millisecond share a commit; of all others each has its own.
    constexpr auto between_commits = std::chrono::milliseconds(50);
    const auto now = std::chrono::steady_clock::now();
    if (running == 0 || now - committed_ > between_commits) {
      store_->commit();
      committed_ = now;
    }
    observer_.progress(known_, done_, running, study_.cases.size(), study_.cases[last_].name);
  }

  bool stop() override { return observer_.stop(); }

 private:
  /// What is wrong with the study in its first case is so in all cases that differ by numbers alone.
  void refuse_wrong_study(StudyJson& record) const {
    if (record.erase(wrong_study_key) != 0 && of_one_kind(study_))
      throw Error(ErrorKind::input, record.value("message", ""));
  }

  /// Ratios are known when all cases are.
  void keep_ratios() {
    const bool any = std::any_of(study_.metrics.begin(), study_.metrics.end(), [](const MetricSection& metric) {
      const OwnMetricType* own = find_own_metric(metric.type);
      return own != nullptr && own->kind == OwnMetric::ratio;
    });
    if (!any) return;
    for (std::size_t i = 0; i < result_.records.size(); ++i) {
      if (result_.records[i].contains("metrics")) store_->put(i, result_.records[i]);
    }
  }

  void keep(std::size_t i, StudyJson record) {
    record.erase(wrong_study_key);
    record["name"] = study_.cases[i].name;  // what an earlier version of the study left may have another one
    store_->put(i, record);
    result_.records[i] = files_ ? std::move(record) : StudyStore::kept(std::move(record));
  }

  /// Cases that are done: by files in their folders, by the store, or by what array jobs left.
  void find_finished() {
    result_.records.resize(study_.cases.size());
    PartRecords parts = read_parts(options_.folder);
    for (std::size_t i = 0; i < study_.cases.size(); ++i) {
      const std::string& key = finished_.key(i);
      const auto part = parts.find({i, key});
      StudyJson record = store_->find(i, key);
      if (files_) {
        StudyJson file = read_finished(case_folder(options_.folder, study_.cases[i]), key, finished_.catalogue(i));
        if (!file.is_null()) {
          file["name"] = study_.cases[i].name;
          refuse_wrong_study(file);
          if (!finished_.holds(record, i)) store_->put(i, file);
          result_.records[i] = std::move(file);
        }
      } else if (finished_.holds(record, i)) {
        result_.records[i] = std::move(record);
      } else if (part != parts.end() && finished_.holds(part->second, i)) {
        keep(i, std::move(part->second));
      }
      if (!result_.records[i].is_null())
        ++known_, numbers_.require(i, result_.records[i]);
      else if (part != parts.end())
        store_->put(i, part->second);  // a row, although it will be run again
    }
    store_->forget_others([&](std::size_t i) -> const std::string& { return finished_.key(i); });
    store_->commit();
    done_ = known_;
  }

  const StudyFile& study_;
  const StudyOptions& options_;
  CaseEngine& engine_;
  StudyObserver& observer_;
  bool files_;
  FinishedCases finished_;
  NumbersOfMetrics numbers_;
  StudyStore* store_ = nullptr;
  StudyResult result_;
  std::size_t known_ = 0, done_ = 0, last_ = 0;
  std::chrono::steady_clock::time_point committed_;
};

}  // namespace

StudyResult run_study(const StudyFile& study, const StudyOptions& options, CaseEngine& engine,
                      StudyObserver& observer) {
  return StudyRun(study, options, engine, observer).run();
}

}  // namespace trammel
