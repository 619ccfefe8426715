// Default channels by owner.
#include "analysis/owner_channels.h"

namespace trammel {

std::vector<std::string> owner_channels(const Assembly& assembly, OwnerChannels wanted) {
  std::vector<std::string> channels;
  const auto add_owner = [&](const std::string& name) {
    channels.push_back(name);
    if (wanted.accelerations) channels.push_back(name + ".acceleration");
  };
  for (const std::string& body : assembly.body_names) add_owner(body);
  for (const PointSlot& point : assembly.points) add_owner(point.name);
  for (const ConstraintSlot& slot : assembly.constraints) {
    if (!wanted.reactions) break;
    if (slot.effort != nullptr) channels.push_back(slot.name + ".effort");
    if (slot.reaction == nullptr || slot.bodies.size() < 2) continue;
    channels.push_back(slot.name + ".force");
    channels.push_back(slot.name + ".torque");
  }
  for (const char* common : {"energy", "constraint", "step"}) channels.emplace_back(common);
  return channels;
}

}  // namespace trammel
