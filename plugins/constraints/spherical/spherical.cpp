// Plugin: spherical joint. Its rows are those of the point primitive.
#include "trammel/sdk/elements/spatial_joint.h"
#include "trammel/sdk/plugin.h"

TRAMMEL_PLUGIN("spherical", "1.0.0", "BSD-3-Clause",
               component<trammel::sdk::CommonPoint>(
                   Host::spatial, "spherical", "Common point: three rotations are left.",
                   "Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), section 9.4"));
