// Memory at the start of a motion that is none.
#include "model/start_memory.h"

#include <algorithm>

#include "model/element_memory.h"

namespace trammel {

void StartMemory::look_at(const Extensible& element) {
  memory_ = find_extension<AcceptedMemory>(element);
  const Index size = memory_ != nullptr ? memory_->memory_size() : 0;
  if (size > 0 && size <= most_memory)
    numbers_.assign(static_cast<std::size_t>(size), 0.0);  // others are refused later
}

StartMemory::StartMemory(const Assembly&, const ConstraintSlot& slot) { look_at(*slot.constraint); }

StartMemory::StartMemory(const Assembly& assembly, const ForceSlot& slot, double seen) {
  look_at(*slot.force);
  const auto* sees = find_extension<SeesAcceptedStep>(*slot.force);
  if (sees == nullptr) return;
  sees_ = true;
  Index longest = assembly.body_coordinates();
  for (const ConstraintSlot& constraint : assembly.constraints) longest = std::max(longest, constraint.rows);
  seen_.assign(static_cast<std::size_t>(longest), seen);
  places_.assign(std::max(slot.bodies.size(), static_cast<std::size_t>(std::max<Index>(sees->seen_count(), 0))),
                 seen_.data());
  last_.a = last_.lambda = places_.data();
}

Status StartMemory::begin(ElementState s) {
  if (numbers_.empty()) return Status::success();
  show(s);
  s.memory = nullptr;
  return memory_->initial_memory(s, {numbers_.data(), static_cast<Index>(numbers_.size())});
}

void StartMemory::show(ElementState& s) {
  s.memory = numbers_.empty() ? nullptr : numbers_.data();
  s.last = sees_ ? &last_ : nullptr;
  last_.t = s.t;
}

}  // namespace trammel
