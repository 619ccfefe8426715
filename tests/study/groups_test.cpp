// Orders, ratios and verdicts from records of known numbers.
#include <doctest/doctest.h>

#include <cmath>

#include "study/study.h"
#include "study_text.h"

using namespace trammel;

namespace {

const char* const orders = R"({"trammel_study": 1, "base": "run.json",
  "vary": {"integrator.type": ["a", "b"], "integrator.step": [0.1, 0.05, 0.02]},
  "metrics": {"e": {"type": "max", "channel": "x"},
              "order": {"type": "order", "of": "e", "over": "integrator.step"},
              "ratio": {"type": "ratio", "of": "e", "to": "integrator.type=a,integrator.step=0.1"}},
  "expect": [
    {"case": "integrator.type=a", "metric": "order", "value": 3, "abs": 1e-9, "source": "made so"},
    {"case": "integrator.type=b", "metric": "order", "value": 3, "abs": 0.9, "source": "made otherwise"},
    {"case": "integrator.type=b,integrator.step=0.1", "metric": "e", "above": 0.1, "below": 0.3, "timing": true},
    {"metric": "ratio", "below": 1.5}]})";

/// Records whose metric e is c h^p, p = 3 for a and 4 for b.
std::vector<StudyJson> records_of(const StudyFile& study) {
  std::vector<StudyJson> records;
  for (const StudyCase& c : study.cases) {
    const double h = c.find("integrator.step")->number;
    const double e = c.find("integrator.type")->text == "a" ? 100 * std::pow(h, 3) : 10 * std::pow(h, 4);
    records.push_back({{"name", c.name}, {"status", "completed"}, {"metrics", {{"e", e}}}});
  }
  return records;
}

}  // namespace

TEST_CASE("orders are the slopes of powers, ratios quotients, and expectations are judged by them") {
  StudyText text(orders);
  const StudyFile study = text.read();
  REQUIRE(text.problems.empty());
  StudyResult result;
  result.records = records_of(study);
  result.groups = evaluate_groups(study, result.records);
  REQUIRE(result.groups.size() == 2);
  CHECK(result.groups[0].name == "integrator.type=a");
  CHECK(std::abs(result.groups[0].value - 3) < 1e-12);
  CHECK(std::abs(result.groups[1].value - 4) < 1e-12);
  CHECK(metric_of(result.records[1], "ratio") == doctest::Approx(0.125));

  judge(study, true, result);
  using Outcome = ExpectationVerdict::Outcome;
  REQUIRE(result.verdicts.size() == 9);
  CHECK(result.verdicts[0].outcome == Outcome::met);
  CHECK(result.verdicts[1].outcome == Outcome::missed);
  CHECK(result.verdicts[2].outcome == Outcome::missed);  // 0.001
  CHECK(result.verdicts[3].outcome == Outcome::met);
  CHECK_FALSE(result.as_expected());
  result.verdicts.clear();
  judge(study, false, result);
  CHECK(result.verdicts[2].outcome == Outcome::not_judged);
}

TEST_CASE("a failed case has no metrics, spoils the order it belongs to and is unexpected") {
  StudyText text(orders);
  const StudyFile study = text.read();
  StudyResult result;
  result.records = records_of(study);
  result.records[2] = {{"name", study.cases[2].name}, {"status", "failed"}, {"message", "diverged"}};
  result.groups = evaluate_groups(study, result.records);
  CHECK(std::isnan(result.groups[0].value));
  CHECK(std::isnan(metric_of(result.records[2], "e")));
  judge(study, true, result);
  CHECK(result.verdicts[0].outcome == ExpectationVerdict::Outcome::missed);
  CHECK(result.unexpected == std::vector<std::string>{study.cases[2].name});
}
