// Where the internal states of forces rest while the bodies are held.
#pragma once

#include "model/constrained_model.h"

namespace trammel {

/// [step] Moves `z` to where it comes to rest by itself, z' = 0, with the bodies at rest at (t, q), by Newton's method.
/// Bodies may be at rest, or held, while states of forces still move: what lags behind its command. `tolerance`: absolute,
/// of a state. False, z anywhere: z' = 0 is not solved; the states are not there yet, and it is not certain that they go
/// there: (z')_z has an eigenvalue with a positive real part here or there, or z' bends on the way; or states that nothing
/// brings back ((z')_z has not its full rank) drift, by more in a second than `tolerance` and 1e-6 of their size.
bool rest_internal_states(ConstrainedModel& model, double t, ConstVectorView q, double tolerance, VectorView z);

}  // namespace trammel
