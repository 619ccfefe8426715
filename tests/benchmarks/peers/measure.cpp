// Accelerations held against Trammel's, and the time of one forward dynamics.
#include "measure.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <exception>
#include <iostream>
#include <nlohmann/json.hpp>

namespace peers {
namespace {

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// The largest difference of a body's accelerations in any state, against the largest acceleration there.
double difference(const Model& model, Peer& peer) {
  double worst = 0;
  for (const std::vector<BodyState>& state : model.states) {
    peer.set_state(state, 0);
    peer.forward_dynamics(0);
    double size = 0, error = 0;
    for (std::size_t b = 0; b < state.size(); ++b) {
      Vector linear, angular;
      peer.acceleration(b, linear, angular);
      const double parts[] = {(linear - state[b].acceleration).norm(),
                              (angular - state[b].angular_acceleration).norm()};
      for (const double part : parts) error = part <= error ? error : part;  // not a number counts as the largest
      size = std::max({size, state[b].acceleration.norm(), state[b].angular_acceleration.norm()});
    }
    const double share = error / size;
    worst = share <= worst ? worst : share;
  }
  return worst;
}

/// Seconds of processor time of one forward dynamics, two states in turn.
double time_of_one(const Model& model, Peer& peer, double seconds) {
  peer.set_state(model.states[model.states.size() - 2], 0);
  peer.set_state(model.states.back(), 1);
  for (int slot : {0, 1}) peer.forward_dynamics(slot);
  long done = 0, batch = 1;
  const double start = processor_seconds();
  double spent = 0;
  while (spent < seconds) {
    for (long i = 0; i < batch; ++i) peer.forward_dynamics(static_cast<int>((done + i) % 2));
    done += batch;
    spent = processor_seconds() - start;
    if (spent < 0.1 * seconds) batch *= 2;
  }
  return spent / static_cast<double>(done);
}

}  // namespace

double tolerance(const PeerKind& kind, std::size_t bodies) {
  const double length = std::max(1.0, static_cast<double>(bodies) / 64);
  return kind.joint_matrix ? 1e-8 * std::pow(length, 4) : 1e-8;
}

int run_peer(int argc, char** argv, const PeerKind& kind, MakePeer make) {
  if (argc != 4) {
    std::cerr << "usage: " << argv[0] << " RUN_FILE RESULTS_CSV SECONDS\n";
    return 1;
  }
  try {
    const Model model = read_model(argv[1], argv[2]);
    std::unique_ptr<Peer> peer;
    try {
      peer = make(model);
    } catch (const std::exception& error) {
      std::cerr << kind.version << ": " << error.what() << '\n';
      return 3;
    }
    const double error = difference(model, *peer);
    const bool exact = !kind.soft_cuts || model.cuts.empty();
    const double one = time_of_one(model, *peer, std::stod(argv[3]));
    nlohmann::ordered_json line;
    line["peer"] = kind.version;
    line["ns_per_body"] = 1e9 * one / static_cast<double>(model.bodies.size());
    line["difference"] = error;
    line["exact"] = exact;
    std::cout << line.dump() << '\n';
    if (exact && !(error <= tolerance(kind, model.bodies.size()))) {
      std::cerr << kind.version << ": accelerations differ by " << error << " of the largest one\n";
      return 4;
    }
    return 0;
  } catch (const std::exception& error) {
    std::cerr << argv[0] << ": " << error.what() << '\n';
    return 1;
  }
}

}  // namespace peers
