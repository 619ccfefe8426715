// Verification of dynamics: other treatments and methods, a look at chaos, a third way where two disagree.
#pragma once

#include "config/run_file.h"
#include "plugin/host.h"
#include "verify/verification.h"

namespace trammel {

Verification verify_dynamics(const RunFile& run, PluginHost& host, const RunRecord& own, const VerifyOrder& order,
                             VerifyObserver& observer);

}  // namespace trammel
