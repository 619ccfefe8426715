// Words for units, and what products of them are in SI.
#include "compose/units.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <vector>

#include "trammel/text/suggest.h"

namespace trammel {
namespace {

using Words = std::vector<std::pair<const char*, UnitFactor>>;

const Words lengths = {{"m", {}},       {"mm", {1, -3}},    {"cm", {1, -2}},    {"km", {1, 3}},
                       {"um", {1, -6}}, {"in", {2.54, -2}}, {"ft", {3.048, -1}}};
const Words masses = {{"kg", {}}, {"g", {1, -3}}, {"t", {1, 3}}, {"lb", {0.45359237, 0}}};
const Words angles = {{"rad", {}}, {"deg", {std::numbers::pi / 180, 0}}};
const Words forces = {{"N", {}},      {"mN", {1, -3}},       {"kN", {1, 3}},
                      {"MN", {1, 6}}, {"kgf", {9.80665, 0}}, {"lbf", {4.4482216152605, 0}}};

struct Quantity {
  const char* key;
  const Words& words;
  UnitFactor Units::*factor;
};
const Quantity quantities[] = {{"length", lengths, &Units::length},
                               {"mass", masses, &Units::mass},
                               {"angle", angles, &Units::angle},
                               {"force", forces, &Units::force}};

double power_of_ten(int n) {
  double x = 1;
  for (int i = 0; i < n; ++i) x *= 10;
  return x;
}

/// A product such as "N m s" or "kg^2".
std::optional<UnitFactor> product(const Units& units, const std::string& text, double exponent) {
  UnitFactor all;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    std::string word = text.substr(at, end - at);
    at = end + 1;
    double power = 1;
    if (const std::size_t hat = word.find('^'); hat != std::string::npos) {
      const std::string number = word.substr(hat + 1);
      if (number == "n")
        power = exponent;
      else if (number.size() == 1 && number[0] >= '1' && number[0] <= '9')
        power = number[0] - '0';
      else
        return std::nullopt;
      word.resize(hat);
    }
    UnitFactor factor;
    const UnitFactor& L = units.length;
    if (word == "m")
      factor = L;
    else if (word == "kg")
      factor = units.mass;
    else if (word == "rad")
      factor = units.angle;
    else if (word == "N")
      factor = units.force;
    else if (word == "J" || word == "W")
      factor = units.force * L;
    else if (word == "Pa")
      factor = units.force * L.power(-2);
    else if (word != "s" && word != "Hz" && word != "1")
      return std::nullopt;
    all = all * factor.power(power);
  }
  return all;
}

}  // namespace

double UnitFactor::operator()(double x) const {
  if (other_ != 1) x *= other_;
  if (ten_ > 0) x *= power_of_ten(ten_);
  if (ten_ < 0) x /= power_of_ten(-ten_);
  return x;
}

UnitFactor UnitFactor::power(double exponent) const {
  if (exponent == 1) return *this;
  const double tens = exponent * ten_;
  const double other = other_ == 1 ? 1 : std::pow(other_, exponent);
  if (tens == std::round(tens)) return {other, static_cast<int>(tens)};
  return {other * std::pow(10.0, tens), 0};
}

std::optional<UnitFactor> Units::factor(const std::string& unit, double exponent) const {
  const std::size_t slash = unit.find('/');
  const std::optional<UnitFactor> above = product(*this, unit.substr(0, slash), exponent);
  if (!above || slash == std::string::npos) return above;
  std::string below = unit.substr(slash + 1);
  if (below.size() > 2 && below.front() == '(' && below.back() == ')') below = below.substr(1, below.size() - 2);
  const std::optional<UnitFactor> divisor = product(*this, below, exponent);
  if (!divisor) return std::nullopt;
  return *above * divisor->power(-1);
}

Units read_units(const Node& node, Problems& problems) {
  Units units;
  if (!node.is_object()) {
    problems.add(node.place, "/units",
                 "must be an object such as {\"length\": \"mm\", \"mass\": \"t\"}, not " + describe(node));
    return units;
  }
  std::vector<std::string> keys;
  for (const Quantity& quantity : quantities) keys.emplace_back(quantity.key);
  for (const Member& member : node.members) {
    if (std::find(keys.begin(), keys.end(), member.key) == keys.end())
      problems.add(member.place, "/units/" + member.key,
                   "unknown key for units" + did_you_mean(member.key, keys) + "; time is in s everywhere");
  }
  for (const Quantity& quantity : quantities) {
    const Node* const word = node.find(quantity.key);
    if (word == nullptr) continue;
    const auto found = std::find_if(quantity.words.begin(), quantity.words.end(),
                                    [&](const auto& known) { return word->is_text() && word->text == known.first; });
    if (found != quantity.words.end()) {
      units.*quantity.factor = found->second;
      continue;
    }
    std::string known;
    for (const auto& [text, factor] : quantity.words) known += (known.empty() ? "" : ", ") + std::string(text);
    problems.add(word->place, std::string("/units/") + quantity.key,
                 "must be one of " + known + ", not " + describe(*word));
  }
  if (node.find("force") == nullptr) units.force = units.mass * units.length;
  return units;
}

}  // namespace trammel
