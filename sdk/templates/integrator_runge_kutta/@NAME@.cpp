// Plugin `@TYPE@`: an explicit Runge-Kutta method. EDIT: which one, and where its coefficients stand.
#include <trammel/sdk/methods/explicit_runge_kutta.h>
#include <trammel/sdk/plugin.h>

namespace {

/// EDIT: the coefficients, exact fractions of their source. Here: Bogacki and Shampine (1989), order 3 with an estimate
/// of order 2. The last stage is f at the new state and serves the next step as its first.
struct @CLASS@ {
  static constexpr int stages = 4, order = 3, embedded_order = 2;
  static constexpr std::array<double, 4> c{0.0, 1.0 / 2, 3.0 / 4, 1.0};
  static constexpr std::array<double, 6> a{1.0 / 2,       //
                                           0.0, 3.0 / 4,  //
                                           2.0 / 9, 1.0 / 3, 4.0 / 9};
  static constexpr std::array<double, 4> b{2.0 / 9, 1.0 / 3, 4.0 / 9, 0.0};
  /// The formula that b is compared with; leave b_hat and embedded_order out if the method has no error estimate.
  static constexpr std::array<double, 4> b_hat{7.0 / 24, 1.0 / 4, 1.0 / 3, 1.0 / 8};
};

}  // namespace

// EDIT: version, licence, the sentence that users read, the citation.
TRAMMEL_PLUGIN("@TYPE@", "0.1.0", "BSD-3-Clause",
               component<ExplicitRungeKutta<@CLASS@>>(Host::any, "@TYPE@",
                                                      "Explicit Runge-Kutta method of order 3 with an estimate of order 2.",
                                                      "Bogacki, Shampine, Appl. Math. Lett. 2 (1989) 321-325"));
