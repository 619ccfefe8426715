// Plugin `runge_kutta`: one integrator type per tableau.
#include "trammel/sdk/methods/explicit_runge_kutta.h"
#include "trammel/sdk/methods/tableaus/classical.h"
#include "trammel/sdk/methods/tableaus/dopri853.h"
#include "trammel/sdk/methods/tableaus/embedded.h"
#include "trammel/sdk/plugin.h"

namespace rk = trammel::sdk::tableaus;

TRAMMEL_PLUGIN(
    "runge_kutta", "1.0.0", "BSD-3-Clause",
    component<ExplicitRungeKutta<rk::Euler>>(Host::any, "euler", "Explicit Euler method, order 1.", "Euler (1768)"),
    component<ExplicitRungeKutta<rk::Heun>>(Host::any, "heun", "Heun's method of order 2.", "Heun (1900)"),
    component<ExplicitRungeKutta<rk::Heun3>>(Host::any, "heun3", "Heun's method of order 3.", "Heun (1900)"),
    component<ExplicitRungeKutta<rk::Kutta3>>(Host::any, "kutta3", "Kutta's method of order 3.", "Kutta (1901)"),
    component<ExplicitRungeKutta<rk::Rk4>>(Host::any, "rk4", "The classical Runge-Kutta method of order 4.",
                                           "Kutta (1901)"),
    component<ExplicitRungeKutta<rk::Fehlberg45>>(Host::any, "fehlberg45",
                                                  "Fehlberg's method of order 4 with an estimate of order 5.",
                                                  "Fehlberg, NASA TR R-315 (1969)"),
    component<ExplicitRungeKutta<rk::Dopri5>>(
        Host::any, "dopri5", "Dormand and Prince's method of order 5 with an estimate of order 4 and dense output.",
        "Dormand, Prince, J. Comp. Appl. Math. 6 (1980) 19-26"),
    component<ExplicitRungeKutta<rk::Dopri853>>(
        Host::any, "dopri853",
        "Dormand and Prince's method of order 8 with estimates of orders 5 and 3 and dense output of order 7.",
        "Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I (1993), II.10"));
