// Plugin `@TYPE@`: a singly diagonally implicit Runge-Kutta method. EDIT: which one, and where its coefficients stand.
#include <trammel/sdk/methods/sdirk.h>
#include <trammel/sdk/plugin.h>

namespace {

/// EDIT: the coefficients. a_ss = gamma on the whole diagonal; the last row of a is b (stiffly accurate). Here: Alexander
/// (1977), two stages, order 2, L-stable, with gamma = 1 - 1/sqrt(2).
struct @CLASS@ {
  static constexpr int stages = 2, order = 2, embedded_order = 1, interpolation_order = 2;
  static constexpr double gamma = 0.29289321881345247560;
  static constexpr std::array<double, 2> c{gamma, 1.0};
  static constexpr std::array<double, 1> a{1.0 - gamma};  // below the diagonal, row by row
  static constexpr std::array<double, 2> b{1.0 - gamma, gamma};
  static constexpr std::array<double, 2> b_hat{1.0, 0.0};  // the formula that b is compared with
  /// Dense output: b_i(s) = d_i1 s + d_i2 s^2 + d_i3 s^3 + d_i4 s^4, with sum_i b_i(s) = s, sum_i b_i(s) c_i = s^2/2.
  static constexpr std::array<std::array<double, 4>, 2> d{
      {{1 / (1 - gamma), -0.5 / (1 - gamma), 0, 0}, {1 - 1 / (1 - gamma), 0.5 / (1 - gamma), 0, 0}}};
};

}  // namespace

// EDIT: version, licence, the sentence that users read, the citation.
TRAMMEL_PLUGIN("@TYPE@", "0.1.0", "BSD-3-Clause",
               component<Sdirk<@CLASS@>>(Host::any, "@TYPE@", "SDIRK method of order 2, L-stable.",
                                         "Alexander, SIAM J. Numer. Anal. 14 (1977) 1006-1021"));
