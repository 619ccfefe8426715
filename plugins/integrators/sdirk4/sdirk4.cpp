// Plugin `sdirk4`: the L-stable SDIRK method of order 4 of Hairer and Wanner.
#include "trammel/sdk/methods/sdirk.h"
#include "trammel/sdk/methods/tableaus/sdirk.h"
#include "trammel/sdk/plugin.h"

TRAMMEL_PLUGIN("sdirk4", "1.0.0", "BSD-3-Clause",
               component<Sdirk<tableaus::Sdirk4>>(
                   Host::any, "sdirk4", "SDIRK method of order 4(3), L-stable, simplified Newton iteration.",
                   "Hairer, Wanner, Solving Ordinary Differential Equations II (1996), IV.6, Table 6.5"));
