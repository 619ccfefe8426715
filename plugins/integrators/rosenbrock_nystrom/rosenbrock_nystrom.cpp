// Plugin `rosenbrock_nystrom`: linearly implicit methods for stiff mechanisms, one integrator type per table.
#include "trammel/sdk/methods/rosenbrock_nystrom.h"

#include "trammel/sdk/methods/tableaus/rosenbrock.h"
#include "trammel/sdk/plugin.h"

namespace tables = trammel::sdk::tableaus;

TRAMMEL_PLUGIN(
    "rosenbrock_nystrom", "1.0.0", "BSD-3-Clause",
    component<RosenbrockNystrom<tables::RosenbrockNystrom4>>(
        Host::any, "rosenbrock_nystrom", "Rosenbrock-Nystrom method of order 4(3) with exact Jacobians, L-stable.",
        "Sandu, Negrut, Haug, Potra, Sandu, Rosenbrock-Nystrom Integrators (2001), section 4.1"),
    component<RosenbrockNystrom<tables::RosenbrockNystromW2>>(
        Host::any, "rosenbrock_nystrom_w2",
        "Rosenbrock-Nystrom W-method of order 2(1): keeps its order with any Jacobian.",
        "Sandu, Negrut, Haug, Potra, Sandu, Rosenbrock-Nystrom Integrators (2001), section 4.3"),
    component<RosenbrockNystrom<tables::Ros2>>(Host::any, "ros2", "ROS2, order 2(1), L-stable.",
                                               "Verwer, Spee, Blom, Hundsdorfer, SIAM J. Sci. Comput. 20 (1999)"),
    component<RosenbrockNystrom<tables::Rodas43>>(
        Host::any, "rodas43", "RODAS, order 4(3), stiffly accurate, six stages.",
        "Hairer, Wanner, Solving Ordinary Differential Equations II (1996), IV.7"));
