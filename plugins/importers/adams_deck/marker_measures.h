// Measures of markers on two parts, as formulas of the relative motion that a force between these parts knows.
#pragma once

#include "functions.h"
#include "trammel/sdk/import/model.h"

namespace trammel::adams_deck {

/// Where a marker sits: part (a link of the model, or the ground) and frame in the part.
struct MarkerPlace {
  int part = sdk::ground_link;
  sdk::Frame frame;
};

/// Finds the place of a marker; 0 is the global frame. Throws Error(input) if there is none.
using FindMarker = std::function<MarkerPlace(int id)>;

/// For `six_component_force`: x y z, vx vy vz, rx ry rz, wx wy wz of the second marker from the first, and ox oy oz, the
/// angular velocity of the first.
class PairMeasures final : public Measures {
 public:
  PairMeasures(MarkerPlace first, MarkerPlace second, FindMarker find);
  Formula measure(const std::string& function, const std::vector<int>& markers) override;
  /// Whether an angle was used that the element does not count over turns.
  bool wraps() const { return wraps_; }

 private:
  bool on_first(const MarkerPlace& m) const { return m.part == first_.part; }
  void require(const MarkerPlace& m) const;
  Formula3 position(const MarkerPlace& m) const;  ///< from the first marker, in its axes
  Formula33 axes(const MarkerPlace& m) const;     ///< columns in the axes of the first marker
  Formula3 velocity(const MarkerPlace& m) const;  ///< seen from the first marker
  Formula3 turning(const MarkerPlace& m) const;   ///< angular velocity seen from the first marker
  Formula3 turning_of_first() const;
  Formula along(const Formula3& v, const MarkerPlace& k, char axis) const;

  MarkerPlace first_, second_;
  FindMarker find_;
  Formula33 R_;  ///< columns: axes of the second marker in those of the first
  bool wraps_ = false;
};

/// For `tsda` (DM, VR) and `rsda` (AZ, WZ) between the markers i and j: the length or angle of i from j, and its rate.
class LineMeasures final : public Measures {
 public:
  LineMeasures(int i, int j, bool turns) : i_(i), j_(j), turns_(turns) {}
  Formula measure(const std::string& function, const std::vector<int>& markers) override;

 private:
  int i_, j_;
  bool turns_;
};

}  // namespace trammel::adams_deck
