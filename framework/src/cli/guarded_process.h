// --guard: the run in a process of its own, watched from outside, whose end nobody but this program decides about.
#pragma once

namespace trammel::cli {

/// Returns in the process that goes on with the command line. Where --guard or the environment variable TRAMMEL_GUARD
/// asks for it, that is a new process: the one that was called waits for it, tells what it could not tell itself, and
/// ends with its exit code. Before anything else: no other thread may run.
///
/// What this finds in addition to the handlers of crash_guard.h: the process was stopped (SIGSTOP), ended by a signal whose
/// handler a plugin took away, ended past the C library, could not say a word, or a plugin ended its parent.
void guard_this_process(int argc, char** argv);

}  // namespace trammel::cli
