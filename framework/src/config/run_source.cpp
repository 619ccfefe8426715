// Run files made anew with other numbers.
#include "config/run_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "config/json_source.h"
#include "trammel/text/suggest.h"

namespace trammel {
namespace {

std::vector<Setting> parse_settings(const std::vector<std::string>& sets) {
  std::vector<Setting> settings;
  for (const std::string& argument : sets) settings.push_back(parse_setting(argument));
  return settings;
}

}  // namespace

RunSource::RunSource(const std::filesystem::path& file, const std::vector<std::string>& sets)
    : document_(read_json_file(file)),
      name_(file),
      folder_(std::filesystem::absolute(file).parent_path()),
      settings_(parse_settings(sets)) {}

RunSource::RunSource(Node document, std::string name, std::filesystem::path folder,
                     const std::vector<std::string>& sets)
    : document_(std::move(document)),
      name_(std::move(name)),
      folder_(std::filesystem::absolute(folder.empty() ? "." : folder)),
      settings_(parse_settings(sets)) {}

RunFile RunSource::read(const Setting* more) const {
  std::vector<Setting> settings = settings_;
  if (more != nullptr) settings.push_back(*more);
  Problems problems;
  RunFile run = make_run_file(document_, name_, folder_, settings, problems);
  problems.raise();
  return run;
}

void RunSource::keep(const Setting& setting) {
  std::erase_if(settings_, [&](const Setting& s) { return s.path == setting.path; });
  settings_.push_back(setting);
}

Setting number_setting(const std::string& path, double value) {
  if (!std::isfinite(value))
    throw Error(ErrorKind::input, fmt::format("parameter '{}' must be finite, not {}", path, value));
  Setting setting{path, Node::make_number(value, {})};
  setting.value.place = parse_setting(setting_text(setting)).value.place;
  return setting;
}

double number_at(const RunFile& run, const std::string& path) {
  const Node* node = run.document.get();
  for (std::size_t first = 0; first != std::string::npos;) {
    const std::size_t last = path.find('.', first);
    const std::string step = path.substr(first, last - first);
    const bool index = !step.empty() && step.size() < 9 && step.find_first_not_of("0123456789") == std::string::npos;
    const Node* next = node->find(step);
    if (next == nullptr && index && std::stoul(step) < node->items.size()) next = &node->items[std::stoul(step)];
    if (next == nullptr) {
      std::vector<std::string> names;
      for (const Member& member : node->members) names.push_back(member.key);
      throw Error(ErrorKind::input, fmt::format("parameter '{}': the run file has no '{}' there{}", path, step,
                                                did_you_mean(step, names)));
    }
    node = next;
    first = last == std::string::npos ? last : last + 1;
  }
  if (!node->is_number())
    throw Error(ErrorKind::input, fmt::format("parameter '{}': what the run file has there is no number", path));
  return node->number;
}

}  // namespace trammel
