// Plugin: revolute joints, spatial and planar.
#include "planar_revolute.h"
#include "spatial_revolute.h"

TRAMMEL_PLUGIN("revolute", "1.0.0", "BSD-3-Clause",
               component<trammel::revolute::SpatialRevolute>(
                   Host::spatial, "revolute", "Common point and common axis: one rotation is left.",
                   "Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), section 9.4"),
               component<trammel::revolute::PlanarRevolute>(
                   Host::planar, "revolute", "Common point: the rotation is left.",
                   "Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), section 3.3"));
