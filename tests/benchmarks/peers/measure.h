// What all peers' programs share: accelerations held against Trammel's, and the time of one forward dynamics.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model.h"

namespace peers {

/// Another code's model.
class Peer {
 public:
  virtual ~Peer() = default;
  /// Takes a state of the model over; not measured.
  virtual void set_state(const std::vector<BodyState>& state, int slot) = 0;
  /// Accelerations of the state in a slot (0 or 1) from its coordinates and rates on; measured.
  virtual void forward_dynamics(int slot) = 0;
  /// After forward_dynamics: a body's acceleration and angular acceleration, global.
  virtual void acceleration(std::size_t body, Vector& linear, Vector& angular) = 0;
};

/// Throws std::runtime_error, with the reason, where the code cannot have the model.
using MakePeer = std::unique_ptr<Peer> (*)(const Model&);

/// `main` of all: PROGRAM RUN_FILE RESULTS_CSV SECONDS. Prints one line of JSON. `soft`: the code's cuts are springs, so
/// that accelerations of models that have any are shown, not judged. Exit code 4: accelerations differ by more than 1e-8
/// of the largest one; 3: the code cannot have this model.
int run_peer(int argc, char** argv, const char* version, bool soft, MakePeer make);

}  // namespace peers
