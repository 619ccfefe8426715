// Verification of the analyses without integration: kinematics, inverse dynamics, equilibrium, modes, assembly.
#pragma once

#include "config/run_file.h"
#include "plugin/host.h"
#include "verify/verification.h"

namespace trammel {

/// Of kinematics and inverse dynamics. Finer continuation steps; rates against differences of what they are rates of; energy against the drivers' work.
Verification verify_inverse_dynamics(const RunFile& run, const RunRecord& own, const VerifyOrder& order,
                                     VerifyObserver& observer);
Verification verify_kinematics(const RunFile& run, const RunRecord& own, const VerifyOrder& order,
                               VerifyObserver& observer);

/// Other methods of finding the equilibrium; a third one where two differ.
Verification verify_equilibrium(const RunFile& run, PluginHost& host, const RunRecord& own, const VerifyOrder& order,
                                VerifyObserver& observer);

/// Eigenvalues of matrices made from differences of the equations of motion.
Verification verify_modes(const RunFile& run, PluginHost& host, const RunRecord& own, const VerifyOrder& order,
                          VerifyObserver& observer);

/// Also of analyses that plugins bring. Another linear solver, and the rows' violation from an evaluation of its own.
Verification verify_assembly(const RunFile& run, PluginHost& host, const RunRecord& own, const VerifyOrder& order,
                             VerifyObserver& observer);

}  // namespace trammel
