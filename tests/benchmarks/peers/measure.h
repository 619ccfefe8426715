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

struct PeerKind {
  const char* version;
  bool soft_cuts = false;     ///< cuts are springs: accelerations of models that have any are shown, not judged
  bool joint_matrix = false;  ///< factorizes the mass matrix of the joint coordinates, see `tolerance`
};

/// The largest difference from Trammel's accelerations, as a share of the largest one. Rounding errors of a chain's
/// mass matrix in joint coordinates grow with about the fourth power of its length (measured: 4e-13, 8e-11, 1.3e-8 for
/// 16, 64, 256 links); recursions do not have such a matrix.
double tolerance(const PeerKind& kind, std::size_t bodies);

/// `main` of all: PROGRAM RUN_FILE RESULTS_CSV SECONDS. Prints one line of JSON. Exit code 4: the accelerations differ;
/// 3: the code cannot have this model.
int run_peer(int argc, char** argv, const PeerKind& kind, MakePeer make);

}  // namespace peers
