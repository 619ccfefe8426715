// Reading a study: keys, cases from `vary` and `cases`, metrics, expectations, the table.
#include "study/study_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>

#include "config/binder.h"
#include "config/json_source.h"
#include "config/resolve.h"
#include "study/case_list.h"
#include "study/sampling.h"
#include "trammel/text/suggest.h"

namespace trammel {
namespace {

struct ExpectationFields {
  Text case_name, metric, source, row;
  double printed, value, rel, abs, below, above;
  std::int32_t status;
  bool timing;
};

constexpr ParameterRecord text_field(const char* name, std::size_t offset, const char* description) {
  return {.name = name,
          .type = ParameterType::text,
          .offset = static_cast<std::uint32_t>(offset),
          .unit = "1",
          .description = description,
          .optional = true};
}
constexpr ParameterRecord number_field(const char* name, std::size_t offset, const char* description,
                                       double minimum = -no_bound) {
  return {.name = name,
          .type = ParameterType::number,
          .offset = static_cast<std::uint32_t>(offset),
          .unit = "1",
          .description = description,
          .minimum = minimum,
          .optional = true};
}

constexpr ParameterRecord expectation_records[] = {
    text_field("case", offsetof(ExpectationFields, case_name),
               "Case meant, or for an order the part of the names its cases share; every case if left out."),
    text_field("metric", offsetof(ExpectationFields, metric),
               "Metric meant, or one of its further numbers: error.time."),
    text_field("source", offsetof(ExpectationFields, source), "Where the figure is from."),
    text_field("row", offsetof(ExpectationFields, row),
               "Table, figure or equation of the source in which the figure stands; the study's if left out."),
    number_field(
        "printed", offsetof(ExpectationFields, printed),
        "The figure as the source prints it; shown beside what was obtained. Alone, without a figure to assert, it is "
        "not judged."),
    number_field("value", offsetof(ExpectationFields, value), "The figure asserted, within rel or abs."),
    number_field("rel", offsetof(ExpectationFields, rel), "Tolerance relative to the value.", 0),
    number_field("abs", offsetof(ExpectationFields, abs), "Tolerance in the metric's unit.", 0),
    number_field("below", offsetof(ExpectationFields, below), "Upper bound."),
    number_field("above", offsetof(ExpectationFields, above), "Lower bound."),
    {.name = "status",
     .type = ParameterType::choice,
     .offset = offsetof(ExpectationFields, status),
     .unit = "1",
     .description = "How the case has to end.",
     .optional = true,
     .choices = "completed|failed"},
    {.name = "timing",
     .type = ParameterType::boolean,
     .offset = offsetof(ExpectationFields, timing),
     .unit = "1",
     .description = "The figure depends on the machine.",
     .default_json = "false"},
};

struct TableFields {
  std::int64_t digits;
};
constexpr ParameterRecord table_records[] = {
    {.name = "digits",
     .type = ParameterType::integer,
     .offset = offsetof(TableFields, digits),
     .unit = "1",
     .description = "Significant digits shown.",
     .default_json = "4",
     .minimum = 1,
     .maximum = 17},
};

const std::vector<std::string> top_keys = {"$schema", "trammel_study", "title",  "source", "row",   "base",
                                           "set",     "vary",          "cases",  "sample", "keep",  "limits",
                                           "metrics", "best",          "expect", "table",  "verify"};

class StudyReader {
 public:
  StudyReader(StudyFile& study, Problems& problems) : study_(study), document_(*study.document), problems_(problems) {}

  void read() {
    check_version();
    for (const Member& member : document_.members) {
      if (std::find(top_keys.begin(), top_keys.end(), member.key) != top_keys.end()) continue;
      const std::string meant = did_you_mean(member.key, top_keys);
      problems_.add(member.place, "/" + member.key,
                    "unknown key for a study" +
                        (meant.empty() ? fmt::format("; it has '{}'", fmt::join(top_keys, "', '")) : meant));
    }
    add_verification();
    study_.title = text_of("title");
    study_.source = text_of("source");
    study_.row = text_of("row");
    read_cases();
    study_.limits = read_limits(document_, problems_);
    study_.best = read_best(document_, problems_);
    read_metrics();
    read_expectations();
    read_table();
  }

 private:
  void check_version() {
    const Node* version = document_.find("trammel_study");
    if (version == nullptr) {
      throw Error(ErrorKind::input, message_at(document_.place, "",
                                               document_.find("trammel") != nullptr
                                                   ? "this is a run file, not a study; use 'trammel run'"
                                                   : "a study is a JSON object with \"trammel_study\": 1"));
    }
    if (version->is_number() && version->number == 1) return;
    throw Error(ErrorKind::input, message_at(version->place, "/trammel_study",
                                             "the format version must be 1, not " + describe(*version)));
  }

  void read_cases() {
    std::optional<Sampling> sampling;
    if (const Node* sample = document_.find("sample")) sampling.emplace(*sample, problems_);
    study_.keep = read_keep(document_, sampling ? Keep::numbers : Keep::files, problems_);
    study_.cases = enumerate_cases(document_, study_.folder, sampling ? &*sampling : nullptr, study_.keep, problems_);
    if (sampling) study_.sample = {sampling->paths(), sampling->size(), sampling->base_points()};
  }

  /// "verify": true is the metric {"type": "verify"} under that name.
  void add_verification() {
    const Member* verify = document_.find_member("verify");
    if (verify == nullptr) return;
    if (verify->value.kind != Node::Kind::boolean) {
      return problems_.add(verify->value.place, "/verify", "must be true or false, not " + describe(verify->value));
    }
    if (!verify->value.boolean) return;
    const Place place = verify->place;
    if (document_.find("metrics") == nullptr) document_.members.push_back({"metrics", place, {}});
    Node& metrics = *document_.find("metrics");
    if (metrics.kind == Node::Kind::null) metrics.kind = Node::Kind::object, metrics.place = place;
    if (!metrics.is_object()) return;
    if (const Member* own = metrics.find_member("verify")) {
      return problems_.add(own->place, "/metrics/verify", "the name 'verify' is taken by \"verify\": true");
    }
    Node metric;
    metric.kind = Node::Kind::object, metric.place = place;
    metric.members.push_back({"type", place, Node::make_text("verify", place)});
    metrics.members.push_back({"verify", place, metric});
  }

  std::string text_of(const std::string& key) {
    const Node* node = document_.find(key);
    if (node == nullptr) return "";
    if (!node->is_text()) problems_.add(node->place, "/" + key, "must be a text, not " + describe(*node));
    return node->text;
  }

  void read_metrics() {
    const Node* metrics = document_.find("metrics");
    if (metrics == nullptr) return;
    if (!metrics->is_object()) {
      return problems_.add(metrics->place, "/metrics", "must be an object, not " + describe(*metrics));
    }
    for (const Member& member : metrics->members) {
      MetricSection section{member.key, "", &member.value, member.place, "/metrics/" + member.key, {}};
      if (!is_name(member.key)) {
        problems_.add(member.place, section.path,
                      "a name consists of letters, digits and '_', and starts with no digit");
      }
      const Node* type = member.value.find("type");
      if (type == nullptr || !type->is_text()) {
        problems_.add(type == nullptr ? member.value.place : type->place, section.path,
                      "a metric needs a \"type\", a text, for example {\"type\": \"energy_drift\"}");
        continue;
      }
      section.type = type->text;
      read_metric_cases(section);
      study_.metrics.push_back(section);
    }
  }

  void read_metric_cases(MetricSection& section) {
    const Node* cases = section.node->find("cases");
    if (cases == nullptr) return;
    const std::string path = section.path + "/cases";
    if (!cases->is_array()) {
      return problems_.add(cases->place, path, "must be an array of names of cases, not " + describe(*cases));
    }
    std::vector<std::string> known;
    for (const StudyCase& c : study_.cases) {
      if (c.point == 0) known.push_back(c.name);
      if (!c.own_name.empty()) known.push_back(c.own_name);
      if (c.point == 1) known.push_back(c.sampled_group());
    }
    for (std::size_t i = 0; i < cases->items.size(); ++i) {
      const Node& name = cases->items[i];
      section.cases.push_back(name.text);
      if (name.is_text() && std::find(known.begin(), known.end(), name.text) != known.end()) continue;
      problems_.add(name.place, path + "/" + std::to_string(i),
                    "there is no case " +
                        (name.is_text() ? "'" + name.text + "'" + did_you_mean(name.text, known) : describe(name)));
    }
  }

  void read_expectations() {
    const Node* expect = document_.find("expect");
    if (expect == nullptr) return;
    if (!expect->is_array()) {
      return problems_.add(expect->place, "/expect", "must be an array, not " + describe(*expect));
    }
    for (std::size_t i = 0; i < expect->items.size(); ++i) {
      read_expectation(expect->items[i], "/expect/" + std::to_string(i));
    }
  }

  void read_expectation(const Node& node, const std::string& path) {
    BindContext context;
    context.path = path;
    context.subject = "an expectation";
    context.other_keys.clear();
    const std::size_t before = problems_.size();
    const BoundParameters bound = bind(expectation_table(), node, context, problems_);
    if (problems_.size() > before) return;
    const auto& f = bound.as<ExpectationFields>();
    Expectation e{std::string(f.case_name.view()),
                  std::string(f.metric.view()),
                  std::string(f.source.view()),
                  f.printed,
                  f.value,
                  f.rel,
                  f.abs,
                  f.below,
                  f.above,
                  f.status,
                  f.timing,
                  &node,
                  path};
    const bool value = given(e.value), bound_given = given(e.below) || given(e.above);
    const bool figure = value || bound_given || e.shows_only();
    const auto wrong = [&](const char* text) { problems_.add(node.place, path, text); };
    if (!figure && e.status < 0) {
      wrong("expects nothing: give \"value\", \"below\", \"above\" or \"status\", or \"printed\" to show it only");
    }
    if (figure && e.status >= 0) wrong("give either \"status\" or a figure, not both");
    if (figure && e.metric.empty()) wrong("a figure needs the \"metric\" it is about");
    if (value && bound_given) wrong("give either \"value\" or bounds, not both");
    if (value && !given(e.rel) && !given(e.abs)) wrong("a value needs its tolerance, \"rel\" or \"abs\"");
    if (!value && (given(e.rel) || given(e.abs))) wrong("\"rel\" and \"abs\" are tolerances of a \"value\"");
    if ((value || given(e.printed)) && e.source.empty()) wrong("a figure needs its \"source\": where it is from");
    study_.expect.push_back(e);
  }

  void read_table() {
    const Node* table = document_.find("table");
    if (table == nullptr) return;
    BindContext context;
    context.path = "/table";
    context.subject = "the table";
    context.other_keys = {"columns"};
    const std::size_t before = problems_.size();
    const BoundParameters bound = bind(study_table_table(), *table, context, problems_);
    if (problems_.size() == before) study_.table_digits = bound.as<TableFields>().digits;
    const Node* columns = table->find("columns");
    if (columns == nullptr) return;
    if (!columns->is_array()) {
      return problems_.add(columns->place, "/table/columns", "must be an array of metrics, not " + describe(*columns));
    }
    for (std::size_t i = 0; i < columns->items.size(); ++i) {
      const Node& column = columns->items[i];
      if (column.is_text())
        study_.table_columns.push_back(column.text);
      else
        problems_.add(column.place, "/table/columns/" + std::to_string(i), "must be a metric, not " + describe(column));
    }
  }

  StudyFile& study_;
  Node& document_;
  Problems& problems_;
};

}  // namespace

ParameterTable expectation_table() {
  return {expectation_records, static_cast<std::int32_t>(std::size(expectation_records)), sizeof(ExpectationFields),
          alignof(ExpectationFields)};
}

ParameterTable study_table_table() {
  return {table_records, static_cast<std::int32_t>(std::size(table_records)), sizeof(TableFields),
          alignof(TableFields)};
}

bool MetricSection::applies_to(const StudyCase& c) const {
  return cases.empty() || std::any_of(cases.begin(), cases.end(), [&](const std::string& name) {
           return name == c.name || name == c.own_name || (c.point != 0 && name == c.sampled_group());
         });
}

const StudyCase* StudyFile::find_case(const std::string& name) const {
  const auto found = std::find_if(cases.begin(), cases.end(), [&](const StudyCase& c) { return c.name == name; });
  return found == cases.end() ? nullptr : &*found;
}

const MetricSection* StudyFile::find_metric(const std::string& name) const {
  const auto found =
      std::find_if(metrics.begin(), metrics.end(), [&](const MetricSection& m) { return m.name == name; });
  return found == metrics.end() ? nullptr : &*found;
}

bool is_study_file(const std::filesystem::path& file) {
  const Node document = read_json_file(file);
  return document.find("trammel_study") != nullptr;
}

StudyFile load_study_file(const std::filesystem::path& file, Problems& problems) {
  StudyFile study;
  study.file = file;
  study.folder = std::filesystem::absolute(file).parent_path();
  study.document = std::make_unique<Node>(read_json_file(file));
  StudyReader(study, problems).read();
  return study;
}

}  // namespace trammel
