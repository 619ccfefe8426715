// The laws of a force element as a function of time.
#include "run/stepping/laws_of_time.h"

#include <cmath>
#include <cstring>

#include "plugin/breadcrumb.h"
#include "signals/signal_force.h"

namespace trammel {
namespace {

/// Laws and states differ in theirs, so that what they do does not cancel.
double weight(std::size_t frozen, Index law) {
  const double k = static_cast<double>(law) + 7 * static_cast<double>(frozen);
  return 1.5 + 0.5 * std::remainder(1.2360679774997896 * (k + 1), 2.0);
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

}  // namespace

bool LawsOfTime::find(int frozen, double t, Place& place) const {
  const auto count = static_cast<std::size_t>(laws_.law_argument_count());
  place.x.assign(count, 0.0), place.rate.assign(count, 0.0);
  ElementState s;
  if (!force_.state(frozen, t, s)) return false;
  const auto n = static_cast<Index>(count);
  const Status status = laws_.law_places(s, {place.x.data(), n}, {place.rate.data(), n});
  // Rates that are not known are differences to the law, of which bodies that stand still have any.
  for (double& rate : place.rate) rate = std::isnan(rate) ? frozen : rate;
  return status.ok();
}

std::unique_ptr<LawsOfTime> LawsOfTime::of(const ForceOfTime& force) {
  constexpr int looks = 64;
  const ForceSlot& slot = force.slot();
  const auto* laws = find_extension<StateLaws>(*slot.force);
  if (laws == nullptr || laws->law_count() == 0 || find_extension<SignalCarrier>(*slot.force) != nullptr)
    return nullptr;
  const ElementMark mark(slot.plugin.c_str(), slot.name.c_str());
  std::unique_ptr<LawsOfTime> found(new LawsOfTime(force, *laws));
  for (int frozen = 0; frozen < ForceOfTime::states; ++frozen) {
    Place first, again;
    if (!force.valid(frozen)) return nullptr;
    if (!found->find(frozen, 0, first)) return nullptr;
    for (int k = 1; k <= looks; ++k) {
      const double t = std::exp2(0.25 * k - 10);  // from a millisecond to a minute
      if (!found->find(frozen, t, again) || !same_bits(first.x, again.x) || !same_bits(first.rate, again.rate))
        return nullptr;
    }
    found->places_.push_back(std::move(first));
  }
  double value = 0;
  return found->evaluate(0, 0, &value) ? std::move(found) : nullptr;
}

Status LawsOfTime::evaluate(double t, int order, double* value) const {
  if (order > 0) {
    const Status status = force_.evaluate(t, order, value);
    if (!status) return status;
  }
  value[0] = 0;
  const ElementMark mark(force_.slot().plugin.c_str(), force_.slot().name.c_str());
  for (std::size_t k = 0; k < places_.size(); ++k) {
    for (Index i = 0; i < laws_.law_count(); ++i) {
      double law = 0;
      const Status status = laws_.law(i, places_[k].x.data(), places_[k].rate.data(), t, &law);
      if (!status) return status;
      value[0] += weight(k, i) * law;
    }
  }
  return std::isfinite(value[0]) ? Status::success() : Status::failure(StatusCode::not_finite, "a law over time");
}

}  // namespace trammel
