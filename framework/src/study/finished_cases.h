// Which records of earlier runs still hold: the same key, finished, and plugins of the same builds.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "study/case_record.h"
#include "study/host_cache.h"
#include "study/study_file.h"

namespace trammel {

class FinishedCases {
 public:
  /// Throws Error(input): a run file cannot be read.
  FinishedCases(const StudyFile& study, const PluginSearch& plugins) : study_(study), hosts_(plugins) {
    CaseKeys keys(study);
    keys_.reserve(study.cases.size());
    for (const StudyCase& c : study.cases) keys_.push_back(keys.of(c));
  }

  const std::string& key(std::size_t i) const { return keys_[i]; }

  /// The plugins that the case would find.
  const Catalogue& catalogue(std::size_t i) {
    const StudyCase& c = study_.cases[i];
    std::string shared = c.base.string();
    for (const Setting& setting : c.set) {
      if (setting.path.compare(0, 7, "plugins") == 0) shared += "\n" + setting_text(setting);
    }
    const auto [at, is_new] = catalogues_.try_emplace(shared, nullptr);
    if (is_new) {
      Problems problems;  // whoever runs the case reports them
      at->second = &hosts_.of(load_run_file(c.base, c.set, problems)).catalogue();
    }
    return *at->second;
  }

  bool holds(const StudyJson& record, std::size_t i) {
    if (!record.is_object() || record.value("key", "") != keys_[i] || !record.value("finished", false)) return false;
    const Catalogue& found = catalogue(i);
    const auto [at, is_new] = same_.try_emplace({&found, record.at("plugins").dump()}, false);
    if (is_new) at->second = same_plugins(record, found);
    return at->second;
  }

 private:
  const StudyFile& study_;
  HostCache hosts_;
  std::vector<std::string> keys_;
  std::map<std::string, const Catalogue*> catalogues_;
  std::map<std::pair<const Catalogue*, std::string>, bool> same_;
};

}  // namespace trammel
