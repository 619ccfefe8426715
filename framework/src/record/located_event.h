// LocatedEvent: something that happened in a run, a row of events.csv.
#pragma once

#include <string>

namespace trammel {

struct LocatedEvent {
  double t;
  std::string element, event;
  int direction;     ///< 1 rising, -1 falling
  double speed = 0;  ///< m/s, of impacts: at which the contact closed
};

}  // namespace trammel
