// Reading studies: cases and their names, expectations, and what is said about mistakes.
#include "study/study_file.h"

#include <doctest/doctest.h>

#include "config/set_argument.h"
#include "study_text.h"

using namespace trammel;

namespace {

std::vector<std::string> names_of(const StudyFile& study) {
  std::vector<std::string> names;
  for (const StudyCase& c : study.cases) names.push_back(c.name);
  return names;
}

}  // namespace

TEST_CASE("vary is a Cartesian product in file order, the last key running fastest") {
  StudyText text(R"({"trammel_study": 1, "base": "run.json",
    "vary": {"integrator.type": ["rk4", "heun"], "integrator.step": [0.1, 1e-2]}})");
  const StudyFile study = text.read();
  REQUIRE(text.problems.empty());
  CHECK(names_of(study) == std::vector<std::string>{"integrator.type=rk4,integrator.step=0.1",
                                                    "integrator.type=rk4,integrator.step=1e-2",
                                                    "integrator.type=heun,integrator.step=0.1",
                                                    "integrator.type=heun,integrator.step=1e-2"});
  CHECK(study.cases[1].find("integrator.step")->number == 0.01);
  CHECK(study.cases[2].name_without("integrator.step") == "integrator.type=heun");
  CHECK(study.cases[2].name_without("integrator.type") == "integrator.step=0.1");
}

TEST_CASE("cases have names and settings; with vary each of them is varied") {
  StudyText text(R"({"trammel_study": 1, "base": "run.json", "set": {"a": 1, "b": 2},
    "cases": [{"name": "one", "set": {"b": 3}}, {"name": "two/three"}], "vary": {"c": [{"type": "x", "k": 1}, true]}})");
  const StudyFile study = text.read();
  REQUIRE(text.problems.empty());
  CHECK(names_of(study) == std::vector<std::string>{"one,c=x", "one,c=true", "two/three,c=x", "two/three,c=true"});
  CHECK(study.cases[0].find("b")->number == 3);
  CHECK(study.cases[2].find("b")->number == 2);
  CHECK(study.cases[2].folder == "two_three,c=x");
  CHECK(study.cases[0].name_without("c") == "one");
  CHECK(study.cases[0].name_without("b") == "c=x");
}

TEST_CASE("a study without cases has one, and folders are never shared") {
  StudyText one(R"({"trammel_study": 1, "base": "run.json"})");
  CHECK(names_of(one.read()) == std::vector<std::string>{"base"});
  StudyText two(R"({"trammel_study": 1, "base": "run.json", "cases": [{"name": "a/b"}, {"name": "a b"}]})");
  const StudyFile study = two.read();
  CHECK(study.cases[0].folder == "a_b");
  CHECK(study.cases[1].folder == "a_b~2");
}

TEST_CASE("a setting survives the way through a command line") {
  const Setting setting = parse_setting(R"(a.b={"text": "two  blanks, \n a break", "list": [1, [2, {"k": "=x"}]]})");
  const Setting again = parse_setting(setting_text(setting));
  CHECK(again.path == "a.b");
  CHECK(to_json(again.value) == to_json(setting.value));
  CHECK(setting_text(setting).find('\n') == std::string::npos);
}

TEST_CASE("mistakes are told with line, path and the nearest name") {
  const auto said = [](const std::string& rest) {
    return StudyText("{\"trammel_study\": 1, \"base\": \"run.json\",\n" + rest + "}").said();
  };
  CHECK(said(R"("zzz": {})").find("/zzz: unknown key for a study; it has '$schema', 'trammel_study', 'title', ") !=
        std::string::npos);
  CHECK(said(R"("best": "rms")")
            .find("/best: must be an object, for example {\"metric\": \"rms\"}, not the text 'rms'") !=
        std::string::npos);
  CHECK(said(R"("metrcs": {})") == "study.json:2: /metrcs: unknown key for a study; did you mean 'metrics'?\n");
  CHECK(said(R"("metrics": {"m": {}})").find("study.json:2: /metrics/m: a metric needs a \"type\"") == 0);
  CHECK(said(R"("vary": {"a": 3})") ==
        "study.json:2: /vary/a: must be an array of values, or a range {\"from\", \"to\", \"count\"}, not 3\n");
  CHECK(said(R"("vary": {"a": []})") ==
        "study.json:2: /vary/a: must be an array of values, or a range {\"from\", \"to\", \"count\"}, not an empty "
        "array\n");
  CHECK(said(R"("vary": {"a": [1, 2, 1]})").find("/vary/a/2: gives a second case the name 'a=1'") != std::string::npos);
  CHECK(said(R"("vary": {"a": [1, 2, 1.0]})").find("/vary/a/2: 'a=1.0' is the same number as 'a=1'") !=
        std::string::npos);
  CHECK(said(R"("vary": {"a": {"from": 1, "to": 2, "count": 0}})").find("/vary/a/count: must be at least 1, not 0") !=
        std::string::npos);
  CHECK(said(R"("set": {"a..b": 3})") == "study.json:2: /set/a..b: is no dotted path such as integrator.step\n");
  CHECK(said(R"("cases": [{"name": "x"}, {"name": "x"}])").find("the name 'x' is taken") != std::string::npos);
  CHECK(said(R"("cases": [{"name": "x", "sett": {}}])").find("did you mean 'set'?") != std::string::npos);
  CHECK(said(R"("cases": [{"name": "x", "base": "rum.json"}])").find("/cases/0/base: there is no file 'rum.json'") !=
        std::string::npos);
  CHECK(said(R"("table": {"digits": 0})").find("/table/digits") != std::string::npos);
  CHECK(StudyText(R"({"trammel_study": 1})").said().find("missing key 'base'") != std::string::npos);
  CHECK(StudyText(R"({"trammel_study": 2})").said() ==
        "study.json:1: /trammel_study: the format version must be 1, not 2");
  CHECK(StudyText(R"({"trammel": 1})").said() == "study.json:1: this is a run file, not a study; use 'trammel run'");
}

TEST_CASE("an expectation says one thing, with its tolerance and its source") {
  const auto said = [](const std::string& expectation) {
    return StudyText("{\"trammel_study\": 1, \"base\": \"run.json\",\n\"expect\": [" + expectation + "]}").said();
  };
  CHECK(said(R"({"metric": "m", "value": 1, "rel": 0.1, "source": "Table 3", "printed": 1.02})").empty());
  CHECK(said(R"({"metric": "m", "below": 1, "row": "Sandu, Table 3"})").empty());
  CHECK(said(R"({"metric": "m", "below": 1})").empty());
  CHECK(said(R"({"status": "failed"})").empty());
  CHECK(said(R"({"metric": "m", "printed": 1.02, "source": "Table 3"})").empty());
  CHECK(said(R"({"metric": "m", "printed": 1.02})").find("needs its \"source\"") != std::string::npos);
  CHECK(said(R"({"printed": 1.02, "source": "Table 3"})").find("needs the \"metric\"") != std::string::npos);
  CHECK(said(R"({"metric": "m"})").find("study.json:2: /expect/0: expects nothing") == 0);
  CHECK(said(R"({"metric": "m", "value": 1, "source": "s"})").find("needs its tolerance") != std::string::npos);
  CHECK(said(R"({"metric": "m", "value": 1, "rel": 0.1})").find("needs its \"source\"") != std::string::npos);
  CHECK(said(R"({"metric": "m", "value": 1, "rel": 0.1, "below": 2, "source": "s"})").find("not both") !=
        std::string::npos);
  CHECK(said(R"({"below": 2})").find("needs the \"metric\"") != std::string::npos);
  CHECK(said(R"({"metric": "m", "below": 2, "status": "failed"})").find("not both") != std::string::npos);
  CHECK(said(R"({"metric": "m", "value": 1, "rel": -0.1, "source": "s"})").find("/expect/0/rel") != std::string::npos);
  CHECK(said(R"({"metric": "m", "bellow": 1})").find("did you mean 'below'?") != std::string::npos);
  CHECK(said(R"({"status": "broken"})").find("/expect/0/status") != std::string::npos);
}
