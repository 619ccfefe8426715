// Plugin `sundials`: integrators of the SUNDIALS library (Lawrence Livermore National Laboratory).
//
// Hindmarsh, Brown, Grant, Lee, Serban, Shumaker, Woodward, SUNDIALS: Suite of Nonlinear and Differential/Algebraic
// Equation Solvers, ACM Trans. Math. Softw. 31 (2005) 363-396; Gardner, Reynolds, Woodward, Balos, Enabling new
// flexibility in the SUNDIALS suite, ACM Trans. Math. Softw. 48 (2022) 31.
#include "arkode.h"
#include "cvode.h"
#include "ida.h"

TRAMMEL_PLUGIN(
    "sundials", "1.0.0", "BSD-3-Clause",
    component<trammel::sundials::Cvode>(Host::any, "cvode",
                                        "CVODE of SUNDIALS: Adams-Moulton or BDF of variable order and step.",
                                        "Hindmarsh et al., ACM Trans. Math. Softw. 31 (2005) 363-396"),
    component<trammel::sundials::Arkode>(Host::any, "arkode",
                                         "ARKODE of SUNDIALS: explicit or diagonally implicit Runge-Kutta methods.",
                                         "Reynolds et al., ACM Trans. Math. Softw. 49 (2023) 19"),
    component<trammel::sundials::Ida>(Host::any, "ida",
                                      "IDA of SUNDIALS: BDF on the stabilized index-2 form of a constrained model.",
                                      "Gear, Leimkuhler, Gupta, J. Comp. Appl. Math. 12/13 (1985) 77-90"));
