// Where the internal states of forces rest while the bodies are held.
#pragma once

#include "model/constrained_model.h"

namespace trammel {

/// [step] Moves `z` to z' = 0 at (t, q), at rest, by Newton's method. Bodies may be at rest, or held, while states of
/// forces still move: what lags behind its command. `tolerance`: absolute, of a state. False, z anywhere: there is no such
/// place near; the states would leave it by themselves ((z')_z has an eigenvalue with a positive real part) and have not
/// arrived yet; or states that nothing brings back ((z')_z has not its full rank) drift, by more in a second than
/// `tolerance` and 1e-6 of their size.
bool rest_internal_states(ConstrainedModel& model, double t, ConstVectorView q, double tolerance, VectorView z);

}  // namespace trammel
