// Run files made anew with other numbers, and folded into their text when they were read.
#include "config/remade_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "config/includes.h"
#include "trammel/text/suggest.h"

namespace trammel {

namespace {

/// End of the key of `object` that begins at `first`; keys may have a '.' in them: "leg[2].knee".
std::size_t end_of_key(const Node& object, const std::string& path, std::size_t first) {
  const std::size_t nearest = path.find('.', first);
  for (std::size_t end = nearest; end != std::string::npos; end = path.find('.', end + 1)) {
    if (object.find(path.substr(first, end - first)) != nullptr) return end;
  }
  return object.find(path.substr(first)) != nullptr ? std::string::npos : nearest;
}

}  // namespace

RunFile remade(const RunFile& run, const std::vector<Setting>& more) {
  std::vector<Setting> settings = run.settings;
  for (const Setting& setting : more) {
    std::erase_if(settings, [&](const Setting& earlier) { return earlier.path == setting.path; });
    settings.push_back(setting);
  }
  Problems problems;
  RunFile made = make_run_file(run.written, run.file, run.folder, settings, problems, run.use);
  problems.raise();
  const bool of_model = std::any_of(more.begin(), more.end(),
                                    [](const Setting& setting) { return !setting.path.starts_with("parameters."); });
  if (of_model && made.document->find("units") != nullptr)
    throw Error(ErrorKind::input,
                fmt::format("{}: the file has 'units'; vary one of its parameters", more.front().path));
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
  // As written, where the plain file has lost it: parameters of sub-models and of their uses.
  const bool of_submodels = path.starts_with("system.parts.") || path.starts_with("system.submodels.");
  Node whole = of_submodels ? run.written.read() : run.folded() ? run.whole_document() : Node();
  for (std::size_t i = 0; of_submodels && i < run.settings.size(); ++i) {
    if (!names_part_of_submodel(whole, run.settings[i].path)) apply_setting(whole, run.settings[i]);
  }
  const Node* node = of_submodels || run.folded() ? &whole : run.document.get();
  for (std::size_t first = 0; first != std::string::npos;) {
    const std::size_t last = end_of_key(*node, path, first);
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

void RunFile::fold() {
  if (!folded_.empty()) return;
  folded_ = resolved_json();
  Node* system_node = document->find("system");
  const auto drop = [&](const char* key, std::vector<Section>& sections) {
    for (Section& section : sections) section.node = nullptr;
    if (Node* map = system_node != nullptr ? system_node->find(key) : nullptr) map->members.clear();
  };
  drop("bodies", bodies);
  drop("points", points);
  drop("constraints", constraints);
  if (events.empty()) drop("forces", forces);
}

Node RunFile::whole_document() const { return folded_.empty() ? *document : parse_json(folded_, file.string()); }

}  // namespace trammel
