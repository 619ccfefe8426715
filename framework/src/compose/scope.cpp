// Looking names up inside of sub-models.
#include "compose/scope.h"

#include <charconv>
#include <cmath>

#include "trammel/text/expression.h"
#include "trammel/text/suggest.h"

namespace trammel {
namespace {

/// "leg[2].knee": what stands before '[' or '.', the index (-1 for none), and what is behind the first '.'.
struct Head {
  std::string name;
  long index = -1;
  std::string rest;
};

Head head_of(const std::string& text) {
  Head head;
  const std::size_t end = text.find_first_of(".[");
  head.name = text.substr(0, end);
  if (end == std::string::npos) return head;
  std::size_t dot = end;
  if (text[end] == '[') {
    const char* const last = text.data() + text.size();
    const std::from_chars_result read = std::from_chars(text.data() + end + 1, last, head.index);
    if (read.ec != std::errc() || read.ptr == last || *read.ptr != ']' || head.index < 0) return {text, -1, ""};
    dot = static_cast<std::size_t>(read.ptr - text.data()) + 1;
  }
  if (dot < text.size()) head.rest = text.substr(dot + 1);
  return head;
}

}  // namespace

std::vector<std::string> Scope::names() const {
  std::vector<std::string> all(entries.begin(), entries.end());
  for (const auto& [name, count] : parts) all.push_back(name);
  for (const auto& [name, target] : connections) all.push_back(name);
  all.emplace_back("ground");
  return all;
}

std::string name_in_model(const Scope& scope, const std::string& text, const Place& place, const std::string& path,
                          Problems& problems) {
  if (text == "ground") return text;
  const Head head = head_of(text);
  if (scope.entries.contains(text)) return scope.prefix + text;
  const std::string rest = head.rest.empty() ? "" : "." + head.rest;
  if (const auto found = scope.connections.find(head.name); found != scope.connections.end() && head.index < 0)
    return found->second + rest;
  if (const auto found = scope.parts.find(head.name); found != scope.parts.end()) {
    const long count = found->second;
    if (count < 0 && head.index < 0) return scope.prefix + text;
    if (head.index >= 0 && head.index < count) return scope.prefix + text;
    problems.add(place, path,
                 count < 0 ? "'" + head.name + "' is one part, without an index"
                           : "of '" + head.name + "' there are " + std::to_string(count) + ", counted from 0; '" +
                                 text + "' is none of them");
    return text;
  }
  const std::string near = did_you_mean(head.name, scope.names());
  problems.add(place, path,
               "there is no '" + head.name + "' in " + scope.subject +
                   (near.empty() && !scope.is_model() ? "; what is outside comes in by 'connect'" : near));
  return text;
}

std::string with_indices(const std::string& text, const ParameterValues& values, const Place& place,
                         const std::string& path, Problems& problems) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t open = text.find('[', at);
    const std::size_t close = open == std::string::npos ? open : text.find(']', open);
    if (close == std::string::npos) return out + text.substr(at);
    const std::string formula = text.substr(open + 1, close - open - 1);
    double index = -1;
    try {
      const Expression expression = Expression::compile(formula, values.names);
      index = expression.evaluate(values.values.data());
      for (std::size_t i = 0; i < values.names.size(); ++i) {
        if (expression.uses(i)) values.note_use(i);
      }
    } catch (const Error& error) {
      problems.add(place, path, "in the index '" + formula + "': " + error.what());
      return text;
    }
    if (!(index >= 0) || index != std::floor(index) || index > 1e9) {
      problems.add(place, path, "the index '" + formula + "' is " + number_text(index) + ", and must be 0, 1, 2, ...");
      return text;
    }
    out += text.substr(at, open + 1 - at) + std::to_string(static_cast<long>(index)) + "]";
    at = close + 1;
  }
  return out;
}

}  // namespace trammel
