// The grammar of names of parts.
#include "config/part_name.h"

#include "config/resolve.h"

namespace trammel {

bool is_part_name(std::string_view text) {
  for (std::size_t first = 0;;) {
    const std::size_t dot = text.find('.', first);
    std::string_view segment = text.substr(first, dot == std::string_view::npos ? dot : dot - first);
    if (!segment.empty() && segment.back() == ']') {
      const std::size_t open = segment.find('[');
      if (open == std::string_view::npos) return false;
      const std::string_view index = segment.substr(open + 1, segment.size() - open - 2);
      const bool leading_zero = index.size() > 1 && index[0] == '0';
      if (index.empty() || leading_zero || index.find_first_not_of("0123456789") != std::string_view::npos)
        return false;
      if (dot == std::string_view::npos) return false;  // a whole instance is no part
      segment = segment.substr(0, open);
    }
    if (!is_name(segment)) return false;
    if (dot == std::string_view::npos) return true;
    first = dot + 1;
  }
}

std::string part_name_rule(std::string_view text) {
  const std::string rule = "a name consists of letters, digits and '_', and starts with no digit";
  if (text.find_first_of(".[]") == std::string_view::npos) return rule;
  return rule + "; names of parts of sub-models are such names with '.' between them and indices: leg[2].knee";
}

}  // namespace trammel
