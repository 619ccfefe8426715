// Where the probe for rotations looks: at every place of the bodies without inputs as well as with them.
#include "model/rotation_probe.h"

#include <doctest/doctest.h>

#include <set>

#include "loaded_model.h"

using namespace trammel;

namespace {

/// Writes down where it is asked, and with which input.
class Asked final : public ForceElement {
 public:
  explicit Asked(const Model& model) : model_(model) {}
  Index body_count() const override { return 1; }
  BodyRef body(Index) const override { return {0}; }
  Status force(const ElementState& s, const VectorView*) const override {
    const double x = static_cast<const PlanarBodyState*>(s.bodies[0])->r[0];
    places[model_.inputs()[0].value == 1 ? 1 : 0].insert(x);
    return Status::success();
  }
  mutable std::set<double> places[2];

 private:
  const Model& model_;
};

}  // namespace

TEST_CASE("the probe visits the same places with inputs at their first values and at 1") {
  LoadedModel loaded(system_file(R"("type": "planar", "bodies": {
      "ball": { "type": "point_mass", "mass": 1, "position": [1, 0.5] },
      "bar": { "mass": 1, "inertia": 0.1, "position": [0.2, 0] } },
      "forces": { "push": { "type": "applied_force", "body": "bar", "force": [1, 0],
                            "function": { "type": "input", "name": "throttle" } } })"));
  const RotationProbe probe(loaded.model, loaded.q, loaded.v);
  const Asked asked(loaded.model);
  ForceSlot slot;
  slot.name = "asked", slot.type = "asked", slot.force = &asked, slot.bodies = {0};
  CHECK(probe.find(slot) == -1);
  CHECK(asked.places[0].size() == 12);
  CHECK(asked.places[0] == asked.places[1]);
}
