// Expectations against what was obtained.
#include <algorithm>
#include <cmath>
#include <limits>

#include "study/metric_types.h"
#include "study/study.h"

namespace trammel {
namespace {

bool meets(const Expectation& e, double obtained) {
  if (given(e.value)) {
    const double tolerance = std::max(given(e.abs) ? e.abs : 0.0, given(e.rel) ? e.rel * std::abs(e.value) : 0.0);
    return std::abs(obtained - e.value) <= tolerance;
  }
  // What is not finite is within no bound.
  return (!given(e.below) || obtained <= e.below) && (!given(e.above) || obtained >= e.above) &&
         std::isfinite(obtained);
}

class Judge {
 public:
  Judge(const StudyFile& study, bool timing, StudyResult& result) : study_(study), timing_(timing), result_(result) {}

  void run() {
    for (const Expectation& e : study_.expect) {
      const MetricSection* metric = study_.find_metric(e.metric.substr(0, e.metric.find('.')));
      const OwnMetricType* own = metric == nullptr ? nullptr : find_own_metric(metric->type);
      if (own != nullptr && own->of_groups)
        groups(e);
      else
        cases(e, metric);
    }
    for (std::size_t i = 0; i < study_.cases.size(); ++i) {
      const std::string status = status_of(i);
      if (status != "failed") continue;
      const bool expected = std::any_of(study_.expect.begin(), study_.expect.end(), [&](const Expectation& e) {
        return e.expects_failure() && (e.case_name.empty() || e.case_name == study_.cases[i].name);
      });
      if (!expected) result_.unexpected.push_back(study_.cases[i].name);
    }
  }

 private:
  std::string status_of(std::size_t i) const { return result_.records[i].value("status", "failed"); }

  void add(const Expectation& e, const std::string& name, const std::string& status, double obtained, bool met) {
    ExpectationVerdict verdict{&e, name, status, obtained,
                               met ? ExpectationVerdict::Outcome::met : ExpectationVerdict::Outcome::missed};
    const bool unjudged = e.shows_only() || (e.timing && !timing_) || status == "interrupted" || status == "not run";
    if (unjudged) verdict.outcome = ExpectationVerdict::Outcome::not_judged;
    result_.verdicts.push_back(verdict);
  }

  void groups(const Expectation& e) {
    bool any = false;
    for (const GroupResult& group : result_.groups) {
      if (group.metric != e.metric || (!e.case_name.empty() && e.case_name != group.name)) continue;
      any = true;
      add(e, group.name, result_.interrupted ? "interrupted" : "", group.value, meets(e, group.value));
    }
    if (!any) add(e, e.case_name, "", std::numeric_limits<double>::quiet_NaN(), false);
  }

  void cases(const Expectation& e, const MetricSection* metric) {
    for (std::size_t i = 0; i < study_.cases.size(); ++i) {
      if (!e.case_name.empty() && e.case_name != study_.cases[i].name) continue;
      if (e.case_name.empty() && metric != nullptr && !metric->applies_to(study_.cases[i])) continue;
      const std::string status = status_of(i);
      if (e.status >= 0) {
        const double nothing = std::numeric_limits<double>::quiet_NaN();
        add(e, study_.cases[i].name, status, nothing, status == (e.expects_failure() ? "failed" : "completed"));
        continue;
      }
      const double obtained = metric_of(result_.records[i], e.metric);
      add(e, study_.cases[i].name, status, obtained, meets(e, obtained));
    }
  }

  const StudyFile& study_;
  bool timing_;
  StudyResult& result_;
};

}  // namespace

bool StudyResult::as_expected() const {
  return unexpected.empty() && std::none_of(verdicts.begin(), verdicts.end(), [](const ExpectationVerdict& verdict) {
           return verdict.outcome == ExpectationVerdict::Outcome::missed;
         });
}

std::size_t StudyResult::missing() const {
  return static_cast<std::size_t>(std::count_if(records.begin(), records.end(), [](const StudyJson& record) {
    const std::string status = record.value("status", "");
    return status == "not run" || status == "interrupted";
  }));
}

void judge(const StudyFile& study, bool judge_timing, StudyResult& result) { Judge(study, judge_timing, result).run(); }

}  // namespace trammel
