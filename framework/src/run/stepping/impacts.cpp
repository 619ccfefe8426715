// Contacts that close.
#include "run/stepping/impacts.h"

#include <fmt/format.h>

#include <algorithm>

#include "trammel/error.h"

namespace trammel {
namespace {

constexpr double smallest_gap = -1e-6;  // at the start, m: below it bodies overlap

}  // namespace

Impacts::Impacts(Contacts* contacts) : contacts_(contacts) {
  const auto contact_count = static_cast<std::size_t>(count());
  met_.assign(contact_count, 0);
  took_part_.assign(contact_count, 0);
  gaps_.assign(contact_count, 0.0);
}

void Impacts::check_start(Index contact, double gap) {
  if (gap < smallest_gap) {
    const ConstraintSlot& slot = contacts_->slot(contact);
    throw Error::parameter(
        "constraints/" + slot.name,
        fmt::format("the bodies of '{}' (type '{}') overlap by {:.3g} m at the start; move them apart", slot.name,
                    slot.type, -gap));
  }
  overlap_at_start_ = std::max(overlap_at_start_, -gap);
}

void Impacts::meet(Index contact) {
  met_[static_cast<std::size_t>(contact)] = 1;
  any_meet_ = true;
}

void Impacts::forget() {
  std::fill(met_.begin(), met_.end(), 0);
  any_meet_ = false;
}

Status Impacts::collide(Plant& plant, const StateView& state) {
  impact_ = {};
  const Status status = plant.collide(state, *contacts_, met_, approach_, impact_);
  if (!status) return status;
  for (std::size_t i = 0; i < met_.size(); ++i) took_part_[i] = met_[i] != 0 || approach_[i] > 0;
  forget();
  return status;
}

bool Impacts::took_part(Index contact) const { return took_part_[static_cast<std::size_t>(contact)] != 0; }

std::string Impacts::overlap(const ConstrainedModel& model, double t, double allowed) {
  std::fill(gaps_.begin(), gaps_.end(), 0.0);
  allowed += 2 * overlap_at_start_;
  const Status status = contacts_->gaps(model, {gaps_.data(), count()});
  for (Index i = 0; status.ok() && i < count(); ++i) {
    const double gap = gaps_[static_cast<std::size_t>(i)];
    if (gap >= -allowed) continue;
    const ConstraintSlot& slot = contacts_->slot(i);
    return fmt::format(
        "the bodies of '{}' (type '{}') overlap by {:.3g} m at t = {:.9g}: an impact was passed over; try "
        "\"max_step\" or smaller steps",
        slot.name, slot.type, -gap, t);
  }
  return "";
}

}  // namespace trammel
