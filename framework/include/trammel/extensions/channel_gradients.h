// ChannelGradients: channels of a force that signals of other forces may follow.
#pragma once

#include "trammel/body_state.h"
#include "trammel/extension.h"
#include "trammel/status.h"

namespace trammel {

/// What a channel follows from.
enum class ChannelGrade : std::int32_t {
  unknown,     ///< it has no gradients
  coordinate,  ///< coordinates alone: its rate is its gradient along the velocities
  motion,      ///< t, coordinates and velocities
};

/// Beside ElementChannels: channels of a force with exact gradients. A signal that names one acts on other forces in the same
/// evaluation, so that it follows from t, and from coordinates and velocities of the force's own bodies, of which there are
/// at most two, alone. Forces with internal states, with a memory, or that read signals themselves, are not asked.
class ChannelGradients {
 public:
  static constexpr const char* id = "trammel.channel_gradients/1";

  /// [setup] Of channel number i of ElementChannels.
  virtual ChannelGrade channel_grade(Index i) const = 0;
  /// [hot] Writes the channel's value at s; adds its derivatives by coordinates and by velocities, a vector of length c for
  /// each body (empty: not wanted), and by t.
  virtual Status channel_gradient(Index i, const ElementState& s, double* value, const VectorView* by_q,
                                  const VectorView* by_v, double* by_t) const = 0;

 protected:
  ~ChannelGradients() = default;
};

}  // namespace trammel
