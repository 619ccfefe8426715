// The outcome of a verification as JSON and as text.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "results/json_number.h"
#include "verify/verification.h"

namespace trammel {
namespace {}  // namespace

const char* verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::agrees: return "agrees";
    case Verdict::chaotic: return "chaotic";
    case Verdict::confirmed: return "confirmed by a third way";
    case Verdict::disagrees: return "disagrees";
    case Verdict::not_verified: break;
  }
  return "not verified";
}

double Verification::digits() const {
  double least = 16;
  for (const ChannelDifference& c : comparison.channels) least = std::min(least, c.digits());
  return least;
}

double Verification::error() const {
  double largest = 0;
  for (const ChannelDifference& c : comparison.channels) {
    if (c.scale > 0) largest = std::max(largest, c.error / c.scale);
  }
  return largest;
}

VerifyJson to_json(const Verification& v) {
  VerifyJson json = {
      {"verdict", verdict_name(v.verdict)}, {"message", v.text}, {"analysis", v.analysis}, {"own", v.own},
      {"compared_with", v.compared},        {"limit", v.limit}};
  json["digits"] = v.comparison.channels.empty() ? VerifyJson(nullptr) : json_number(v.digits());
  json["largest_error"] = v.comparison.channels.empty() ? VerifyJson(nullptr) : json_number(v.error());
  json["agree_until"] = json_number(v.comparison.agree_until);
  json["ways"] = VerifyJson::array();
  for (const WayTaken& way : v.ways)
    json["ways"].push_back({{"way", way.what}, {"failure", way.failure}, {"warnings", way.warnings}});
  json["channels"] = VerifyJson::array();
  for (const ChannelDifference& c : v.comparison.channels) {
    json["channels"].push_back({{"name", c.name},
                                {"digits", json_number(std::floor(10 * c.digits()) / 10)},
                                {"estimated_error", json_number(c.error)},
                                {"at", json_number(c.t)},
                                {"range", json_number(c.range)},
                                {"scale", json_number(c.scale)},
                                {"allowed", json_number(c.allowed)}});
  }
  json["events"] = VerifyJson::array();
  for (const EventDifference& e : v.comparison.events) {
    json["events"].push_back({{"name", e.name},
                              {"count", e.count},
                              {"other_count", e.other_count},
                              {"estimated_error", json_number(e.error)}});
  }
  json["rows_compared"] = v.comparison.t.size();
  json["rows_at_jumps"] = v.comparison.skipped;
  json["not_compared"] = v.comparison.not_compared;
  return json;
}

std::string to_text(const Verification& v) {
  std::string text = fmt::format("Verification of {}\n", v.own);
  for (const WayTaken& way : v.ways) {
    text += fmt::format("  {}{}\n", way.what,
                        way.failure.empty() ? "" : ": " + way.failure.substr(0, way.failure.find('\n')));
  }
  if (!v.comparison.channels.empty()) {
    std::size_t width = 7;
    for (const ChannelDifference& c : v.comparison.channels) width = std::max(width, c.name.size());
    text += fmt::format("  compared with {}\n  {:<{}}  digits  estimated error   of range   at t\n", v.compared,
                        "channel", width);
    for (const ChannelDifference& c : v.comparison.channels) {
      text += fmt::format("  {:<{}}  {:6.1f}  {:15.3e}  {:9.2e}  {:.6g}{}\n", c.name, width, c.digits(), c.error,
                          c.scale > 0 ? c.error / c.scale : 0.0, c.t, c.error > c.allowed ? "  disagrees" : "");
    }
  }
  for (const EventDifference& e : v.comparison.events) {
    text +=
        fmt::format("  event {}: {} times{}, estimated error of the time {:.3e} s\n", e.name, e.count,
                    e.count == e.other_count ? "" : fmt::format(" ({} times the other way)", e.other_count), e.error);
  }
  if (!v.comparison.not_compared.empty()) {
    text += fmt::format("  not compared: {}\n", fmt::join(v.comparison.not_compared, ", "));
  }
  return text + fmt::format("{}: {}\n", verdict_name(v.verdict), v.text);
}

}  // namespace trammel
