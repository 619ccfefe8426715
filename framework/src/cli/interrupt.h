// SIGINT, SIGTERM and SIGHUP: the work ends at the next good moment; a second signal ends the process at once.
#pragma once

namespace trammel::cli {

inline constexpr int exit_interrupted = 130;

/// Told of every request by the handler itself, whether it is not the first; may end the process. nullptr: nobody.
inline void (*told_of_request)(bool again) = nullptr;

/// Installs the handlers; a file-size limit becomes an error of the write, as a full disk is.
void watch_for_interrupt();
bool interrupt_requested();

}  // namespace trammel::cli
