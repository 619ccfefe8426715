// Plugin `@TYPE@`: an explicit linear multistep method. EDIT: which one, and where its coefficients stand.
#include <trammel/sdk/methods/explicit_multistep.h>
#include <trammel/sdk/plugin.h>

namespace {

/// EDIT: y_{n+1} = sum_j alpha_j y_{n-j} + h sum_j beta_j f_{n-j}, newest first. Here: Adams and Bashforth, order 3.
/// With `beta_corrector` (and `alpha_corrector` if it is not (1, 0, ...)) the step is corrected once (PECE): its first
/// entry belongs to f_{n+1}; `order` is then the corrector's.
struct @CLASS@ {
  static constexpr int steps = 3, order = 3;
  static constexpr std::array<double, 3> alpha{1.0, 0.0, 0.0};
  static constexpr std::array<double, 3> beta{23.0 / 12, -16.0 / 12, 5.0 / 12};
};

}  // namespace

// EDIT: version, licence, the sentence that users read, the citation.
TRAMMEL_PLUGIN("@TYPE@", "0.1.0", "BSD-3-Clause",
               component<ExplicitMultistep<@CLASS@>>(Host::any, "@TYPE@", "Explicit Adams method of order 3.",
                                                     "Bashforth, Adams (1883)"));
