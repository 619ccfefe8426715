// RotationProbe: which elements need the rotation of a body that has none.
#pragma once

#include <vector>

#include "config/run_file.h"
#include "model/assembly.h"
#include "model/start_memory.h"
#include "plugin/host.h"

namespace trammel {

class Model;

/// A point mass has a place and no rotation; elements see it with the rotation 1. Whatever an element does there must not
/// depend on that rotation, nor may it turn the body. No declaration says so of every element and every body of it, and
/// none could of elements that nobody here knows: the probe evaluates them at several places of all bodies with that
/// rotation and with others, and compares. Functions of time are looked at between all of their break points and all
/// over the run, inputs at 1 besides their first values. What acts in other circumstances only and turns a point mass is
/// found when it does (ModelPoint).
class RotationProbe {
 public:
  /// [setup] Of the model's elements so far, at places around these.
  RotationProbe(Model& model, const std::vector<double>& q, const std::vector<double>& v);

  /// [setup] A body of the element that has no rotation and would need one, or -1.
  Index find(const ConstraintSlot& slot) const;
  Index find(const ForceSlot& slot) const;

 private:
  using Numbers = std::vector<double>;
  /// Two states of every body, ground last: as they are, and with another rotation where there is none.
  struct Place {
    std::vector<double> plain, turned;
  };
  std::vector<double> times() const;
  template <class Evaluate>
  Index find(const ElementSlot& slot, StartMemory& memory, const Evaluate& evaluate) const;
  std::vector<const void*> attached(const ElementSlot& slot, const Place& place, Index only, bool turned) const;
  bool has_rotation(Index body) const { return body < 0 || assembly_.table.turns(body); }

  Model& model_;
  const Assembly& assembly_;
  std::size_t stride_;
  std::vector<Place> places_;
};

/// [setup] Throws Error(input) for an element of the model that needs the rotation of a body that has none.
void refuse_rotation(const RotationProbe& probe, const Assembly& assembly, const ConstraintSlot& slot);
void refuse_rotation(const RotationProbe& probe, const Assembly& assembly, const ForceSlot& slot);

/// [setup] The same for an element that the run file gives a point beside the place of such a body, in the body's axes:
/// where it is depends on the rotation, though the element may act at places only that nobody looks at.
void refuse_points_beside(const LoadedComponent& loaded, const Section& section, const Assembly& assembly,
                          const ElementSlot& slot);

}  // namespace trammel
