// The flag that signals set.
#include "cli/interrupt.h"

#include <unistd.h>

#include <csignal>

namespace trammel::cli {
namespace {

volatile std::sig_atomic_t requested = 0;

extern "C" void request_interrupt(int signal) {
  if (told_of_request != nullptr) told_of_request(requested != 0);
  if (requested != 0) ::_exit(exit_interrupted);
  requested = signal;
}

}  // namespace

void watch_for_interrupt() {
  std::signal(SIGINT, request_interrupt);
  std::signal(SIGTERM, request_interrupt);
  if (std::signal(SIGHUP, request_interrupt) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);  // nohup
  std::signal(SIGXFSZ, SIG_IGN);
}

bool interrupt_requested() { return requested != 0; }

}  // namespace trammel::cli
