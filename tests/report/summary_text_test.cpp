// The text of summary.json, part by part, against nlohmann's text of the whole.
#include "results/summary_text.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

using trammel::SummaryText;

TEST_CASE("parts make the text of the whole document") {
  using Json = nlohmann::ordered_json;
  const Json first = {{"status", "completed"}, {"message", "two\nlines, \"quoted\""}};
  const Json second = {{"empty", Json::object()},
                       {"none", Json::array()},
                       {"deep", {{"list", {1, 2.5, nullptr}}, {"objects", {{{"a", true}}, {{"b", "\u00e9\\"}}}}}}};
  SummaryText text;
  Json part = first;
  text.take(part);
  CHECK(part.empty());
  text.take(part);  // nothing is allowed
  const Json run = {{"trammel", 1}, {"system", {{"bodies", Json::array({1, 2})}}}};
  text.add("run", run.dump(2));
  part = second;
  text.take(part);
  Json whole = first;
  whole["run"] = run;
  whole.update(second);
  CHECK(text.finish() == whole.dump(2) + "\n");
}
