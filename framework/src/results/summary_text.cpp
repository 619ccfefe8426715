// Members of summary.json as text.
#include "results/summary_text.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "config/node.h"

namespace trammel {

void SummaryText::take(nlohmann::ordered_json& part) {
  for (auto& [key, value] : part.get_ref<nlohmann::ordered_json::object_t&>()) add(key, value.dump(2));
  part = nlohmann::ordered_json::object();
}

// Line breaks stand between values only: inside texts they are escaped.
void SummaryText::add(std::string_view key, std::string_view json) {
  // A run file of a large model is most of the text: at once the room that it takes, with what indents its lines.
  if (json.size() > text_.size())
    text_.reserve(text_.size() + key.size() + json.size() + 16 +
                  2 * static_cast<std::size_t>(std::count(json.begin(), json.end(), '\n')));
  text_ += text_.size() > 1 ? ",\n  " : "\n  ";
  text_ += json_quoted(key);
  text_ += ": ";
  for (std::size_t from = 0; from < json.size();) {
    const std::size_t end = json.find('\n', from);
    text_ += json.substr(from, end == std::string_view::npos ? end : end + 1 - from);
    if (end == std::string_view::npos) break;
    text_ += "  ";
    from = end + 1;
  }
}

std::string SummaryText::finish() {
  text_ += "\n}\n";
  return std::exchange(text_, "{");
}

}  // namespace trammel
