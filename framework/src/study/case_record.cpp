// Keys and files of cases.
#include "study/case_record.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>

#include "config/content_hash.h"
#include "config/json_source.h"
#include "results/atomic_file.h"
#include "results/json_number.h"
#include "study/metric_types.h"
#include "trammel/error.h"

namespace trammel {
namespace {

void add_run(const StudyCase& c, ContentHash& hash) {
  Problems problems;
  const RunFile run = load_run_file(c.base, c.set, problems);
  problems.raise();
  hash.add(run);
  hash.add(run.folder.string());
}

}  // namespace

StudyJson metric_number(double value) {
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return json_number(value);
}

double number_of(const StudyJson& value) {
  if (value.is_number()) return value.get<double>();
  if (value == "inf") return std::numeric_limits<double>::infinity();
  if (value == "-inf") return -std::numeric_limits<double>::infinity();
  return std::numeric_limits<double>::quiet_NaN();
}

std::string CaseKeys::of(const StudyCase& c) {
  const std::string& shared = without_sample(c);
  if (c.sampled == 0) return shared;
  ContentHash hash;
  hash.add(shared);
  for (std::size_t i = c.set.size() - c.sampled; i < c.set.size(); ++i) {
    hash.add(c.set[i].path);
    hash.add(c.set[i].value.text);
  }
  return hash.text();
}

const std::string& CaseKeys::without_sample(const StudyCase& c) {
  std::string name = c.base.string();
  const std::size_t shared = c.set.size() - c.sampled;
  for (std::size_t i = 0; i < shared; ++i) name += "\n" + setting_text(c.set[i]);
  name += "\n" + (c.sampled != 0 ? c.sampled_group() : c.name);  // metrics apply by name
  const auto [at, is_new] = known_.try_emplace(name);
  if (!is_new) return at->second;
  ContentHash hash;
  hash.add(kernel_build_id());
  if (c.sampled == 0) {
    add_run(c, hash);
  } else {
    // Formulas as they are written: resolved, they would be those of one point.
    StudyCase any = c;
    for (std::size_t i = shared; i < any.set.size(); ++i)
      any.set[i].value = Node::make_number(1, any.set[i].value.place);
    for (std::size_t i = 0; i < shared; ++i) hash.add(setting_text(c.set[i]));
    hash.add(read_text_file(c.base));
    Problems of_any_point;
    const RunFile run = load_run_file(any.base, any.set, of_any_point);
    hash.add(run);
    hash.add(run.folder.string());
  }
  for (const double limit : {study_.limits.time, study_.limits.memory}) {
    if (limit != 0) hash.add(number_text(limit));
  }
  for (const MetricSection& metric : study_.metrics) {
    const OwnMetricType* own = find_own_metric(metric.type);
    if ((own != nullptr && own->of_several_cases) || !metric.applies_to(c)) continue;
    hash.add(metric.name);
    hash.add(to_json(*metric.node));
    if (own == nullptr || own->kind != OwnMetric::error) continue;
    const MetricOptions<ErrorOptions> options(study_, metric);
    const std::string against(options->against.view());
    if (const StudyCase* other = study_.find_case(against))
      add_run(*other, hash);
    else
      hash.add(read_text_file(study_.folder / against));
  }
  return at->second = hash.text();
}

bool is_reference(const StudyFile& study, const StudyCase& c) {
  return std::any_of(study.metrics.begin(), study.metrics.end(), [&](const MetricSection& metric) {
    const Node* against = metric.node->find("against");
    return metric.type == "error" && against != nullptr && against->text == c.name;
  });
}

std::filesystem::path case_folder(const std::filesystem::path& study_folder, const StudyCase& c) {
  return study_folder / "cases" / c.folder;
}

StudyJson read_record(const std::filesystem::path& folder) {
  std::ifstream stream(folder / "case.json", std::ios::binary);
  return stream ? StudyJson::parse(stream, nullptr, false) : StudyJson();
}

StudyJson complete_record(const StudyFile& study, const std::filesystem::path& folder, std::size_t index,
                          const std::string& key, const std::string& answer) {
  StudyJson record = StudyJson::parse(answer);
  const bool by_worker = record.contains("key");
  record["name"] = study.cases[index].name;
  record["key"] = key;
  if (study.keep == Keep::files && !by_worker && record.value("finished", false)) {
    const std::filesystem::path own = case_folder(folder, study.cases[index]);
    std::error_code code;
    std::filesystem::create_directories(own, code);  // what is wrong with it, writing tells
    write_atomically(own / "case.json", record.dump(2) + "\n");
  }
  return record;
}

bool same_plugins(const StudyJson& record, const Catalogue& catalogue) {
  return std::all_of(record.at("plugins").begin(), record.at("plugins").end(), [&](const StudyJson& plugin) {
    const std::string id = plugin.at("id");
    const auto found = std::find_if(catalogue.entries().begin(), catalogue.entries().end(),
                                    [&](const Catalogue::Entry& entry) { return entry.plugin->id == id; });
    return found != catalogue.entries().end() && found->plugin->build_id == plugin.at("build_id");
  });
}

StudyJson read_finished(const std::filesystem::path& folder, const std::string& key, const Catalogue& catalogue) {
  const StudyJson record = read_record(folder);
  std::error_code code;
  try {
    if (!record.is_object() || record.at("key") != key || record.at("finished") != true) return {};
    for (const std::string file : record.value("files", StudyJson::array({"results.csv"})))
      if (!std::filesystem::is_regular_file(folder / file, code)) return {};
    if (!same_plugins(record, catalogue)) return {};
  } catch (const StudyJson::exception&) {  // another version's file
    return {};
  }
  return record;
}

}  // namespace trammel
