// What the coordinates of joints, drivers and springs count from, and the format of the run file that says so.
#pragma once

#include <cstdint>

#include "trammel/body_state.h"
#include "trammel/extension.h"
#include "trammel/linalg.h"

namespace trammel {

/// What defines the zero of a coordinate.
enum class CoordinateZero : std::int32_t {
  drawing,     ///< nothing else does: zero in the configuration that the run file describes
  given,       ///< the run file gives the value in that configuration (`initial_angle`, `initial_displacement`)
  points,      ///< the displacement between `point_i` and `point_j`
  references,  ///< the angle between `reference_i` and `reference_j`
  bodies,      ///< the angle between the x axes of the two planar bodies
};

/// A coordinate in the configuration that the run file describes, m or rad.
struct CoordinateOrigin {
  const char* coordinate;  ///< name of its channel: "angle", "displacement"; a literal
  CoordinateZero zero;
  double drawn;    ///< its value there
  double markers;  ///< what it would be there if it counted between its markers; NaN: they define no zero
};

/// An extension of constraints and forces with such coordinates.
class CoordinateZeros {
 public:
  static constexpr const char* id = "trammel.coordinate_zeros/1";

  /// [setup] Number of coordinates, fixed, and 0 <= i < zero_count().
  virtual Index zero_count() const = 0;
  virtual CoordinateOrigin zero(Index i) const = 0;

 protected:
  ~CoordinateZeros() = default;
};

/// An extension of drivers that prescribe a rate and start with the coordinate that the mechanism has.
class MeasuredStart {
 public:
  static constexpr const char* id = "trammel.measured_start/1";

  /// [setup] Whether the coordinate at the start is open, and then: from now on it is that at s; returns it, rad or m.
  virtual bool start_is_open() const = 0;
  virtual double start_at(const ElementState& s) const = 0;

 protected:
  ~MeasuredStart() = default;
};

/// The format of the run file, a service of the host: what its absent keys mean. A host without it has the newest one.
class RunFormat {
 public:
  static constexpr const char* id = "trammel.run_format/1";

  /// [setup] The number at the key `trammel` of the run file. In format 1, displacements count from the drawing also
  /// where markers would define a zero.
  virtual Index run_format() const = 0;

 protected:
  ~RunFormat() = default;
};

/// The format that new run files have, the largest that can be read.
inline constexpr Index newest_run_format = 2;

}  // namespace trammel
