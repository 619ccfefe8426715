// Texts of tables that were read before.
#include "config/known_json.h"

#include <map>
#include <utility>

#include "config/json_source.h"

namespace trammel {

const Node& known_json(const std::string& text, const std::string& source) {
  static thread_local std::map<std::pair<std::string, std::string>, Node> known;
  const auto found = known.find({source, text});
  if (found != known.end()) return found->second;
  return known.emplace(std::pair{source, text}, parse_json(text, source, true)).first->second;
}

}  // namespace trammel
