// Keys and files of cases.
#include "study/case_record.h"

#include <algorithm>
#include <fstream>

#include "config/content_hash.h"
#include "config/json_source.h"
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

std::string case_key(const StudyFile& study, const StudyCase& c) {
  ContentHash hash;
  hash.add(kernel_build_id());
  add_run(c, hash);
  for (const MetricSection& metric : study.metrics) {
    const OwnMetricType* own = find_own_metric(metric.type);
    if ((own != nullptr && own->of_several_cases) || !metric.applies_to(c)) continue;
    hash.add(metric.name);
    hash.add(to_json(*metric.node));
    if (own == nullptr || own->kind != OwnMetric::error) continue;
    const MetricOptions<ErrorOptions> options(study, metric);
    const std::string against(options->against.view());
    if (const StudyCase* other = study.find_case(against))
      add_run(*other, hash);
    else
      hash.add(read_text_file(study.folder / against));
  }
  return hash.text();
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

StudyJson read_finished(const std::filesystem::path& folder, const std::string& key, const Catalogue& catalogue) {
  const StudyJson record = read_record(folder);
  std::error_code code;
  try {
    if (!record.is_object() || record.at("key") != key || record.at("finished") != true) return {};
    for (const std::string file : record.value("files", StudyJson::array({"results.csv"})))
      if (!std::filesystem::is_regular_file(folder / file, code)) return {};
    for (const StudyJson& plugin : record.at("plugins")) {
      const std::string id = plugin.at("id");
      const auto found = std::find_if(catalogue.entries().begin(), catalogue.entries().end(),
                                      [&](const Catalogue::Entry& entry) { return entry.plugin->id == id; });
      if (found == catalogue.entries().end() || found->plugin->build_id != plugin.at("build_id")) return {};
    }
  } catch (const StudyJson::exception&) {  // another version's file
    return {};
  }
  return record;
}

}  // namespace trammel
