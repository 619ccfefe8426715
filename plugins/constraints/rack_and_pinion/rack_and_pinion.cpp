// Plugin: rack and pinion, spatial and planar.
#include "planar_rack.h"
#include "spatial_rack.h"
#include "trammel/sdk/plugin.h"

TRAMMEL_PLUGIN("rack_and_pinion", "1.0.0", "BSD-3-Clause",
               component<trammel::rack_and_pinion::SpatialRack>(
                   Host::spatial, "rack_and_pinion", "A pinion, the first body, rolls on a rack, the second.",
                   "Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), section 3.4"),
               component<trammel::rack_and_pinion::PlanarRack>(
                   Host::planar, "rack_and_pinion", "A pinion, the first body, rolls on a rack, the second.",
                   "Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), section 3.4"));
