// Which body a point key belongs to.
#include "config/point_key.h"

namespace trammel {

bool is_point_key(std::string_view key) { return key == "point" || key == "point_i" || key == "point_j"; }

std::string body_of_point_key(const Node& node, std::string_view key) {
  if (key == "point") {
    const Node* body = node.find("body");
    return body != nullptr && body->is_text() ? body->text : "";
  }
  const Node* bodies = node.find("bodies");
  const std::size_t position = key == "point_i" ? 0 : 1;
  if (bodies == nullptr || bodies->items.size() <= position || !bodies->items[position].is_text()) return "";
  return bodies->items[position].text;
}

}  // namespace trammel
