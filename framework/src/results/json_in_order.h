// JSON text of a run as a document, without the search for each key that ordered documents make.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace trammel {

/// The document in `text`, its keys in the order of the text. `text` was written by to_json (config/node.h): it is
/// correct, and no object has a key twice. Ordered documents look for the key among all earlier ones before they append
/// it, which takes 30 s for 100 000 bodies.
nlohmann::ordered_json json_in_order(const std::string& text);

}  // namespace trammel
