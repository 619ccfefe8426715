// What the command line does when a plugin crashes, calls exit or never returns: say who it was, end with exit code 3.
#pragma once

namespace trammel::cli {

/// Installs handlers for SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT, a hook for exit(), and a watchdog thread. All of
/// them act only while a PhaseScope says that a plugin's code is running. A phase may last as many seconds as the
/// environment variable TRAMMEL_WATCHDOG says (default 60, 0: for ever).
void install_crash_guard();

}  // namespace trammel::cli
