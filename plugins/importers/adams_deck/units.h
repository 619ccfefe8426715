// Units of a deck: how much one of each is in SI.
#pragma once

#include "deck.h"

namespace trammel::adams_deck {

struct Units {
  double length = 1, mass = 1, time = 1, force = 1;  ///< m, kg, s, N

  double torque() const { return force * length; }
  double inertia() const { return mass * length * length; }
  double acceleration() const { return length / (time * time); }
};

/// From UNITS statements, refusing units that are unknown. Without one, numbers are taken as SI, which is said.
Units units_of(const Deck& deck, sdk::ImportNotes& notes);

}  // namespace trammel::adams_deck
