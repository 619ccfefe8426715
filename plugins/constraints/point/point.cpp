// Plugin: the point primitive, two coincident points.
#include "trammel/sdk/elements/spatial_joint.h"
#include "trammel/sdk/plugin.h"

TRAMMEL_PLUGIN("point", "1.0.0", "BSD-3-Clause",
               component<trammel::sdk::CommonPoint>(
                   Host::spatial, "point", "Two points coincide: the primitive of joints with a common point.",
                   "Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), section 9.4"));
