// Reads versions and ranges of them.
#include "config/version_range.h"

#include <algorithm>
#include <charconv>

#include "plugin/descriptor_check.h"

namespace trammel {
namespace {

bool is_digit_of_version(char c) { return c >= '0' && c <= '9'; }

/// The number at the beginning, which is taken off. Numbers that no version has are the largest one.
std::optional<unsigned long> take_number(std::string_view& text) {
  unsigned long number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (end == text.data()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return error == std::errc() ? number : static_cast<unsigned long>(-1);
}

/// "rc2" before "rc10", "alpha" before "beta": numbers in words count as numbers, and come before letters.
int compare_words(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    const bool number = is_digit_of_version(a.front());
    if (number != is_digit_of_version(b.front())) return number ? -1 : 1;
    if (number) {
      const unsigned long left = *take_number(a), right = *take_number(b);
      if (left != right) return left < right ? -1 : 1;
    } else {
      if (a.front() != b.front()) return a.front() < b.front() ? -1 : 1;
      a.remove_prefix(1);
      b.remove_prefix(1);
    }
  }
  return a.empty() == b.empty() ? 0 : a.empty() ? -1 : 1;
}

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

bool is_character_of_version(char c) {
  return is_digit_of_version(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' || c == '-' ||
         c == '+' || c == '~';
}

}  // namespace

std::optional<Version> Version::parse(std::string_view text) {
  if (!std::all_of(text.begin(), text.end(), is_character_of_version)) return std::nullopt;
  text = text.substr(0, text.find('+'));
  Version version;
  while (const auto number = take_number(text)) {
    version.numbers_.push_back(*number);
    if (text.size() < 2 || text[0] != '.' || !is_digit_of_version(text[1])) break;
    text.remove_prefix(1);
  }
  if (version.numbers_.empty() || text == ".") return std::nullopt;
  while (!version.numbers_.empty() && version.numbers_.back() == 0) version.numbers_.pop_back();  // 1.2.0 is 1.2
  if (!text.empty() && (text[0] == '-' || text[0] == '.' || text[0] == '~')) text.remove_prefix(1);
  version.word_ = text;
  return version;
}

int Version::compare(const Version& other) const {
  if (numbers_ != other.numbers_) return numbers_ < other.numbers_ ? -1 : 1;
  if (word_.empty() != other.word_.empty()) return word_.empty() ? 1 : -1;
  return compare_words(word_, other.word_);
}

std::optional<VersionRange> VersionRange::parse(std::string_view text) {
  using Relation = Bound::Relation;
  constexpr std::pair<std::string_view, Relation> relations[] = {
      {">=", Relation::at_least}, {">", Relation::above}, {"<=", Relation::at_most}, {"<", Relation::below}};
  VersionRange range;
  while (true) {
    const std::size_t comma = text.find(',');
    std::string_view part = without_blanks(text.substr(0, comma));
    Relation relation = Relation::equal;
    for (const auto& [sign, meaning] : relations) {
      if (part.substr(0, sign.size()) != sign) continue;
      relation = meaning;
      part = without_blanks(part.substr(sign.size()));
      break;
    }
    const std::optional<Version> version = Version::parse(part);
    if (!version) return std::nullopt;
    range.bounds_.push_back({relation, *version});
    if (comma == std::string_view::npos) return range;
    text.remove_prefix(comma + 1);
  }
}

bool VersionRange::contains(const Version& version) const {
  return std::all_of(bounds_.begin(), bounds_.end(), [&](const Bound& bound) {
    const int order = version.compare(bound.version);
    switch (bound.relation) {
      case Bound::Relation::equal: return order == 0;
      case Bound::Relation::at_least: return order >= 0;
      case Bound::Relation::above: return order > 0;
      case Bound::Relation::at_most: return order <= 0;
      case Bound::Relation::below: break;
    }
    return order < 0;
  });
}

std::vector<RequiredPlugin> required_plugins(const Node& document, Problems& problems) {
  std::vector<RequiredPlugin> required;
  const Node* plugins = document.find("plugins");
  const Node* require = plugins == nullptr ? nullptr : plugins->find("require");
  if (require == nullptr) return required;
  if (!require->is_object()) {
    problems.add(
        require->place, "/plugins/require",
        "must be an object of versions by plugin, such as {\"acme.tyre\": \">=1.2\"}, not " + describe(*require));
    return required;
  }
  for (const Member& member : require->members) {
    const std::string path = "/plugins/require/" + member.key;
    if (!is_type_id(member.key)) {
      problems.add(member.place, path, "must be the id of a plugin, [vendor.]snake_case");
      continue;
    }
    const std::optional<VersionRange> range =
        member.value.is_text() ? VersionRange::parse(member.value.text) : std::nullopt;
    if (!range) {
      problems.add(member.value.place, path,
                   "must be comparisons of versions such as \">=1.2\" or \">=1.2, <2\" (>=, >, <=, <; a version alone "
                   "is that one and no other), not " +
                       describe(member.value));
      continue;
    }
    required.push_back({member.key, member.value.text, *range, member.value.place, path});
  }
  return required;
}

}  // namespace trammel
