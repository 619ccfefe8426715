// The channels of one element, seen at a point.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "trammel/body_state.h"
#include "trammel/extension.h"

namespace trammel::conformance {

struct SeenChannels {
  std::vector<std::string> names;
  Eigen::VectorXd values;

  /// Number of the channel, or -1.
  Index find(const std::string& name) const;
};

/// Fails if a value is left unwritten, is not finite, or if something beside the values is written. None: no channels.
SeenChannels see_channels(const Extensible& element, const ElementState& s);

/// Fails if a channel changes: numbers, and vectors of the global frame that do not turn along (x, y and z behind one
/// name; in axes of a body they stay).
void require_same_channels(const SeenChannels& before, const SeenChannels& after, const Eigen::Matrix3d& turn,
                           const char* done, double tolerance);

}  // namespace trammel::conformance
