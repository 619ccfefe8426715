// What the command line does when a plugin crashes, calls exit or never returns: say who it was, end with exit code 3.
#pragma once

namespace trammel::cli {

/// Installs handlers for SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT, a hook for exit(), and a watchdog thread. They name
/// the plugin whose code was running, by where it lies or by the mark of a PhaseScope; where neither tells, all that were not
/// installed with Trammel. A phase may last as many seconds as the environment variable TRAMMEL_WATCHDOG says (default 60,
/// 0: for ever), and so may the end of the process.
void install_crash_guard();

/// Of the environment variable.
double watchdog_seconds();

}  // namespace trammel::cli
