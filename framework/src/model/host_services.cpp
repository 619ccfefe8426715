// Services of a run for its components.
#include "model/host_services.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "config/json_source.h"
#include "config/problems.h"
#include "trammel/error.h"

namespace trammel {
namespace {

constexpr std::size_t most_texts = 100, longest = 1000;

void refuse(Refusal* refusal, const std::string& text) {
  if (refusal == nullptr || refusal->text == nullptr || refusal->text_capacity < 1) return;
  const std::size_t size = std::min<std::size_t>(text.size(), refusal->text_capacity - 1);
  std::memcpy(refusal->text, text.data(), size);
  refusal->text[size] = 0;
}

}  // namespace

void HostServices::allow_threads(Index threads) {
  workers_ = std::make_unique<WorkerPool>(threads);
  block_factors_ = std::make_unique<ReducedFactors>(workers_.get());
}

const void* HostServices::find(const char* id) const {
  if (std::strcmp(id, RunLog::id) == 0) return static_cast<const RunLog*>(this);
  if (std::strcmp(id, RunClock::id) == 0) return static_cast<const RunClock*>(this);
  if (std::strcmp(id, ChannelValues::id) == 0) return static_cast<const ChannelValues*>(this);
  if (std::strcmp(id, FunctionMaker::id) == 0)
    return functions_ != nullptr ? static_cast<const FunctionMaker*>(this) : nullptr;
  if (std::strcmp(id, Workers::id) == 0) return static_cast<const Workers*>(workers_.get());
  if (std::strcmp(id, BlockFactors::id) == 0) return static_cast<const BlockFactors*>(block_factors_.get());
  if (std::strcmp(id, SparseFactors::id) == 0) return &sparse_factors();
  return nullptr;
}

void HostServices::keep(const char* text, std::vector<std::string>& texts) {
  std::string kept(text, strnlen(text, longest));
  if (texts.size() < most_texts && std::find(texts.begin(), texts.end(), kept) == texts.end())
    texts.push_back(std::move(kept));
}

void HostServices::offer_channels(Names all, Row row) {
  columns_.clear();
  names_ = std::move(all), row_ = std::move(row);
}

void HostServices::accept(double t, double h, long steps) {
  time_ = t, step_ = h, steps_ = steps;
  if (!asked_.empty()) values_ = row_(asked_);
}

Index HostServices::find_channel(const char* name) const {
  if (columns_.empty() && names_ != nullptr) columns_ = names_();
  if (std::find(columns_.begin(), columns_.end(), name) == columns_.end()) return -1;
  const auto found = std::find(asked_.begin(), asked_.end(), name);
  const auto place = static_cast<Index>(found - asked_.begin());
  if (found == asked_.end()) asked_.emplace_back(name);
  return place;
}

double HostServices::channel_value(Index channel) const {
  const auto i = static_cast<std::size_t>(channel);
  return channel >= 0 && i < values_.size() ? values_[i] : std::numeric_limits<double>::quiet_NaN();
}

const Function* HostServices::make_function(const char* json, Refusal* refusal) const {
  Problems problems;
  const Function* made = nullptr;
  try {
    const Node node = parse_json(json, "a function that a plugin makes", true);
    made = functions_->function(node, "/function", problems);
    problems.raise();
  } catch (const Error& error) {
    refuse(refusal, error.what());
    return nullptr;
  }
  return made;
}

}  // namespace trammel
