// Run files made anew with other numbers.
#include "config/remade_run.h"

#include <fmt/format.h>

#include <cmath>

#include "trammel/text/suggest.h"

namespace trammel {

RunFile remade(const RunFile& run, const std::vector<Setting>& more) {
  std::vector<Setting> settings = run.settings;
  for (const Setting& setting : more) {
    std::erase_if(settings, [&](const Setting& earlier) { return earlier.path == setting.path; });
    settings.push_back(setting);
  }
  Problems problems;
  RunFile made = make_run_file(run.written, run.file, run.folder, settings, problems, run.use);
  problems.raise();
  return made;
}

Setting number_setting(const std::string& path, double value) {
  if (!std::isfinite(value))
    throw Error(ErrorKind::input, fmt::format("parameter '{}' must be finite, not {}", path, value));
  Setting setting{path, Node::make_number(value, {})};
  setting.value.place = parse_setting(setting_text(setting)).value.place;
  return setting;
}

double number_at(const RunFile& run, const std::string& path) {
  const Node whole = run.folded() ? run.whole_document() : Node();
  const Node* node = run.folded() ? &whole : run.document.get();
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
