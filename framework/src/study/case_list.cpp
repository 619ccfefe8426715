// Cases: the Cartesian product of `cases` and `vary`, named and given folders.
#include "study/case_list.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <unordered_set>

#include "trammel/text/suggest.h"

namespace trammel {
namespace {

// More folders are a typing error rather than a study; numbers alone may be more.
constexpr std::size_t most_folders = 10000, most_rows = 1000000;
constexpr std::size_t most_paths = 1500;

std::string sample_label(std::size_t point) { return "sample=" + std::to_string(point); }

/// Letters, digits and what file systems take as it is; all else becomes '_'.
std::string folder_name(const std::string& name) {
  std::string folder = name;
  for (char& c : folder) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string("_-+=,.").find(c) != std::string::npos;
    if (!plain) c = '_';
  }
  if (folder == "." || folder == "..") folder = "_";
  constexpr std::size_t longest = 200;  // file systems end at 255
  return folder.substr(0, longest);
}

class Enumerator {
 public:
  Enumerator(const Node& document, const std::filesystem::path& folder, const Sampling* sampling, Keep keep,
             Problems& problems)
      : document_(document),
        folder_(folder),
        sampling_(sampling),
        most_cases_(keep == Keep::files ? most_folders : most_rows),
        problems_(problems) {}

  std::vector<StudyCase> run() {
    StudyCase common;
    common.base = base_of(document_, "");
    read_set(document_.find("set"), "/set", common.set);
    std::vector<StudyCase> cases = read_cases(common);
    const bool named = document_.find("cases") != nullptr;
    if (const Node* vary = document_.find("vary")) cases = multiply(cases, *vary);
    if (sampling_ != nullptr)
      cases = sample(std::move(cases));
    else if (document_.find("vary") == nullptr && !named)
      cases[0].name = cases[0].own_name = "base";
    for (const StudyCase& c : cases) {
      if (c.base.empty() && problems_.empty()) {
        problems_.add(document_.place, "", "missing key 'base': the run file that the cases change");
      }
    }
    refuse_many_paths(cases);
    assign_folders(cases);
    return cases;
  }

 private:
  std::filesystem::path base_of(const Node& object, const std::string& path) {
    const Node* base = object.find("base");
    if (base == nullptr) return {};
    if (!base->is_text() || base->text.empty()) {
      problems_.add(base->place, path + "/base", "must be the name of a run file, not " + describe(*base));
      return {};
    }
    const std::filesystem::path file = (folder_ / base->text).lexically_normal();
    std::error_code code;
    if (!std::filesystem::is_regular_file(file, code)) {
      problems_.add(base->place, path + "/base",
                    "there is no file '" + base->text + "' (looked for " + file.string() + ")");
    }
    return file;
  }

  void read_set(const Node* set, const std::string& path, std::vector<Setting>& settings) {
    if (set == nullptr) return;
    if (!set->is_object()) {
      return problems_.add(set->place, path,
                           "must be an object {\"integrator.step\": 0.01, ...}, not " + describe(*set));
    }
    for (const Member& member : set->members) {
      check_path(member, path);
      settings.push_back({member.key, member.value});
    }
  }

  void check_path(const Member& member, const std::string& path) {
    if (is_setting_path(member.key)) return;
    problems_.add(member.place, path + "/" + member.key, "is no dotted path such as integrator.step");
  }

  std::vector<StudyCase> read_cases(const StudyCase& common) {
    const Node* cases = document_.find("cases");
    if (cases == nullptr) return {common};
    if (!cases->is_array() || cases->items.empty()) {
      problems_.add(cases->place, "/cases", "must be an array of cases, not " + describe(*cases));
      return {common};
    }
    std::vector<StudyCase> list;
    for (std::size_t i = 0; i < cases->items.size(); ++i) {
      list.push_back(common);
      read_case(cases->items[i], "/cases/" + std::to_string(i), list.back());
    }
    return list;
  }

  void read_case(const Node& node, const std::string& path, StudyCase& c) {
    static const std::vector<std::string> keys = {"name", "base", "set"};
    if (!node.is_object()) return problems_.add(node.place, path, "must be an object, not " + describe(node));
    for (const Member& member : node.members) {
      if (std::find(keys.begin(), keys.end(), member.key) != keys.end()) continue;
      problems_.add(member.place, path + "/" + member.key, "unknown key for a case" + did_you_mean(member.key, keys));
    }
    const Node* name = node.find("name");
    if (name == nullptr || !name->is_text() || name->text.empty()) {
      problems_.add(name == nullptr ? node.place : name->place, path, "a case needs a \"name\", a text");
      return;
    }
    c.name = c.own_name = name->text;
    if (node.find("base") != nullptr) c.base = base_of(node, path);
    read_set(node.find("set"), path + "/set", c.set);
    const auto [first, is_new] = names_.try_emplace(c.name, name->place.text());
    if (!is_new)
      problems_.add(name->place, path + "/name", "the name '" + c.name + "' is taken (" + first->second + ")");
  }

  std::vector<StudyCase> multiply(std::vector<StudyCase> cases, const Node& vary) {
    if (!vary.is_object()) {
      problems_.add(vary.place, "/vary",
                    "must be an object {\"integrator.step\": [0.01, 0.001], ...}, not " + describe(vary));
      return cases;
    }
    for (const Member& member : vary.members) {
      check_path(member, "/vary");
      const std::string path = "/vary/" + member.key;
      std::vector<Node> values;
      if (is_range(member.value)) {
        values = range_values(member.value, path, problems_);
        if (values.empty()) continue;
      } else if (!member.value.is_array() || member.value.items.empty()) {
        problems_.add(
            member.value.place, path,
            "must be an array of values, or a range {\"from\", \"to\", \"count\"}, not " + describe(member.value));
        continue;
      } else {
        values.assign(member.value.items.begin(), member.value.items.end());
      }
      refuse_equal_labels(member.key, values, path);
      if (refuse_many(cases.size() * values.size(), member.place, path)) return cases;
      std::vector<StudyCase> product;
      for (const StudyCase& c : cases) {
        for (const Node& value : values) {
          product.push_back(c);
          StudyCase& added = product.back();
          added.set.push_back({member.key, value});
          ++added.varied;
          added.name += (added.name.empty() ? "" : ",") + setting_label(added.set.back());
        }
      }
      cases = std::move(product);
    }
    return cases;
  }

  /// The points of the sample in each case.
  std::vector<StudyCase> sample(std::vector<StudyCase> cases) {
    const std::size_t points = sampling_->size();
    const Node& section = *document_.find("sample");
    if (points == 0 || refuse_many(cases.size() * points, section.place, "/sample")) return cases;
    std::vector<StudyCase> all;
    all.reserve(cases.size() * points);
    for (const StudyCase& c : cases) {
      refuse_settings_of_sampled(c, section);
      for (std::size_t k = 0; k < points; ++k) {
        all.push_back(c);
        StudyCase& added = all.back();
        for (std::size_t i = 0; i < sampling_->paths().size(); ++i)
          added.set.push_back(
              {sampling_->paths()[i], Node::make_number(sampling_->value(k, i), sampling_->places()[i])});
        added.sampled = sampling_->paths().size();
        added.point = k + 1;
        added.name += (added.name.empty() ? "" : ",") + sample_label(added.point);
      }
    }
    return all;
  }

  void refuse_settings_of_sampled(const StudyCase& c, const Node& section) {
    for (const std::string& path : sampling_->paths()) {
      if (c.find(path) == nullptr || !twice_.insert(path).second) continue;
      problems_.add(section.find("distributions")->find_member(path)->place, "/sample/distributions/" + path,
                    "is set by the study as well; take one of them out");
    }
  }

  bool refuse_many(std::size_t count, const Place& place, const std::string& path) {
    if (count <= most_cases_) return false;
    problems_.add(place, path,
                  "makes more than " + std::to_string(most_cases_) + " cases" +
                      (most_cases_ == most_folders
                           ? "; \"keep\": \"numbers\" allows " + std::to_string(most_rows) + ", which leave no folders"
                           : std::string()));
    return true;
  }

  void refuse_equal_labels(const std::string& key, const std::vector<Node>& values, const std::string& path) {
    std::map<std::string, std::size_t> labels;
    std::map<double, std::string> numbers;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::string label = setting_label({key, values[i]});
      const auto [first, is_new] = labels.try_emplace(label, i);
      if (!is_new) {
        problems_.add(values[i].place, path + "/" + std::to_string(i),
                      "gives a second case the name '" + label + "'; use \"cases\", which have names of their own");
        continue;
      }
      if (!values[i].is_number()) continue;
      const auto [same, is_other] = numbers.try_emplace(values[i].number, label);
      if (is_other) continue;  // else 1 and 1.0: two names of one case
      problems_.add(values[i].place, path + "/" + std::to_string(i),
                    "'" + label + "' is the same number as '" + same->second + "', and would give the same cases");
    }
  }

  /// Each path is a column of study.db, which SQLite bounds; the rest is for metrics.
  void refuse_many_paths(const std::vector<StudyCase>& cases) {
    std::unordered_set<std::string_view> paths;
    for (const StudyCase& c : cases) {
      for (const Setting& setting : c.set) {
        if (!paths.insert(setting.path).second || paths.size() != most_paths + 1) continue;
        const std::string path = sampling_ != nullptr ? "/sample/distributions" : c.varied != 0 ? "/vary" : "/cases";
        return problems_.add(setting.value.place, path,
                             "more than " + std::to_string(most_paths) +
                                 " different paths are set, and a study can keep no more of them; give many values at "
                                 "once as one object, or by an included file");
      }
    }
  }

  static void assign_folders(std::vector<StudyCase>& cases) {
    std::map<std::string, int> taken;
    for (StudyCase& c : cases) {
      const std::string folder = folder_name(c.name);
      const int before = taken[folder]++;
      c.folder = before == 0 ? folder : folder + "~" + std::to_string(before + 1);  // '~' is in no name
    }
  }

  const Node& document_;
  const std::filesystem::path& folder_;
  const Sampling* sampling_;
  std::size_t most_cases_;
  Problems& problems_;
  std::map<std::string, std::string> names_;
  std::set<std::string> twice_;  ///< sampled parameters that are set as well, reported
};

}  // namespace

std::string setting_label(const Setting& setting) {
  const Node& value = setting.value;
  const Node* type = value.find("type");
  if (type != nullptr && type->is_text()) return setting.path + "=" + type->text;
  return setting.path + "=" + (value.is_text() || value.is_number() ? value.text : to_line(value));
}

const Node* StudyCase::find(const std::string& path) const {
  const Node* found = nullptr;
  for (const Setting& setting : set) {
    if (setting.path == path) found = &setting.value;  // the last one is the one that holds
  }
  return found;
}

std::string StudyCase::name_without(const std::string& path) const {
  std::string name;
  bool dropped = false;
  const std::size_t end = set.size() - sampled;
  for (std::size_t i = end - varied; i < end; ++i) {
    if (set[i].path == path)
      dropped = true;
    else
      name += (name.empty() ? "" : ",") + setting_label(set[i]);
  }
  if (point != 0) name += (name.empty() ? "" : ",") + sample_label(point);
  // Where the path is set by the cases themselves, their names differ along it.
  if (!dropped || own_name.empty()) return name;
  return name.empty() ? own_name : own_name + "," + name;
}

std::string StudyCase::sampled_group() const {
  const std::size_t own = sample_label(point).size();
  return name.size() == own ? "" : name.substr(0, name.size() - own - 1);
}

std::vector<StudyCase> enumerate_cases(const Node& document, const std::filesystem::path& folder,
                                       const Sampling* sampling, Keep keep, Problems& problems) {
  return Enumerator(document, folder, sampling, keep, problems).run();
}

}  // namespace trammel
