// Impacts: the contacts of a run that close at the end of a step, and the velocity jump there.
#pragma once

#include <string>
#include <vector>

#include "model/archive.h"
#include "model/contacts.h"
#include "run/plant/plant.h"

namespace trammel {

class Impacts {
 public:
  /// [setup] `contacts` outlives this object; nullptr for problems without bodies.
  explicit Impacts(Contacts* contacts);

  Index count() const { return contacts_ != nullptr ? contacts_->count() : 0; }
  /// [setup] At the initial state. Throws Error(input) with Error::key() "constraints/NAME": bodies that overlap.
  void check_start(Index contact, double gap);

  /// [step] The contact's gap closed at the end of the last step.
  void meet(Index contact);
  bool any_meet() const { return any_meet_; }
  /// [step] Nothing meets.
  void forget();
  /// [step] Changes the velocities in `state`; afterwards nothing meets.
  Status collide(Plant& plant, const StateView& state);
  /// Whether the contact took part in the last `collide`, the speed at which it closed, m/s, and whether that was more
  /// than a hop of bodies at rest on each other.
  bool took_part(Index contact) const;
  double speed(Index contact) const { return approach_[static_cast<std::size_t>(contact)]; }
  bool is_hop(Index contact) const { return !(speed(contact) > 2 * contacts_->rest_speed(contact)); }
  /// What it did to the energy.
  const Impact& impact() const { return impact_; }
  void clear_impact() { impact_ = {}; }
  /// [step] Until a contact that just parted closes again, from the plant's last observation.
  double time_of_flight(Plant& plant) const { return plant.time_of_flight(*contacts_); }

  /// [step] Whatever the search for events did not see: the bodies of a contact overlap by more than `allowed`, m, at
  /// the model's last evaluation point, t; in words, or "".
  std::string overlap(const ConstrainedModel& model, double t, double allowed);
  void remember(Archive& archive) { archive.values("impacts", overlap_at_start_); }

 private:
  Contacts* contacts_;
  bool any_meet_ = false;
  std::vector<char> met_, took_part_;
  std::vector<double> approach_, gaps_;
  double overlap_at_start_ = 0;  ///< m
  Impact impact_;
};

}  // namespace trammel
