// A real-time loop: a controller at 200 Hz balances a pole on a cart, and writes its own table.
//   balance cart_pole.json [--wait]
#include <trammel/error.h>
#include <trammel/host/simulation.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <thread>

namespace {

// Linear-quadratic gains for x, x', phi, phi'; phi counts to the left, x to the right.
double controller(const std::vector<double>& y) { return 9.64 * y[0] + 10.94 * y[1] - 67.9 * y[2] - 17.22 * y[3]; }

int balance(const char* run_file, bool wait) {
  using Clock = std::chrono::steady_clock;
  constexpr double period = 0.005;  // s
  trammel::Simulation simulation{std::filesystem::path(run_file)};
  const Clock::time_point begin = Clock::now();
  std::printf("%6s %10s %10s %10s\n", "t", "x", "phi", "push");
  for (int sample = 0;; ++sample) {
    // The channels of the run file's output: cart.x, cart.vx, pole.phi, pole.omega, ...
    const std::vector<double> y = simulation.channel_values();
    const double push = controller(y);
    if (sample % 100 == 0) std::printf("%6.2f %10.5f %10.5f %10.5f\n", simulation.time(), y[0], y[2], push);
    // The new value holds from here on, so the next step has to end where the controller speaks again.
    simulation.set_input("push", push);
    if (!simulation.advance_to((sample + 1) * period, trammel::Landing::step_end)) break;
    if (wait) std::this_thread::sleep_until(begin + std::chrono::duration<double>(simulation.time()));
  }
  if (simulation.status() == trammel::RunStatus::completed) return 0;
  std::fprintf(stderr, "%s\n", simulation.message().c_str());
  return 4;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) return 1;
  try {
    return balance(arguments[1], count > 2 && std::strcmp(arguments[2], "--wait") == 0);
  } catch (const trammel::Error& error) {  // what is wrong with the run file, with its line
    std::fprintf(stderr, "%s\n", error.what());
    return static_cast<int>(error.kind());
  }
}
