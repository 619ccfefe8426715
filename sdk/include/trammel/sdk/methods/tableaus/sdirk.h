// Singly diagonally implicit Runge-Kutta methods for stiff problems: data, as in trammel/sdk/methods/sdirk.h.
#pragma once

#include <array>

namespace trammel::sdk::tableaus {

/// Five stages, order 4 with an estimate of order 3, L-stable, stiffly accurate: E. Hairer, G. Wanner, Solving Ordinary
/// Differential Equations II (1996), IV.6, Table 6.5, and its continuous extension of order 3, (6.17).
struct Sdirk4 {
  static constexpr int stages = 5, order = 4, embedded_order = 3, interpolation_order = 3;
  static constexpr double gamma = 1.0 / 4;
  static constexpr std::array<double, 5> c{1.0 / 4, 3.0 / 4, 11.0 / 20, 1.0 / 2, 1};
  /// Below the diagonal, row by row.
  static constexpr std::array<double, 10> a{1.0 / 2,                                  //
                                            17.0 / 50,    -1.0 / 25,                  //
                                            371.0 / 1360, -137.0 / 2720, 15.0 / 544,  //
                                            25.0 / 24,    -49.0 / 48,    125.0 / 16, -85.0 / 12};
  static constexpr std::array<double, 5> b{25.0 / 24, -49.0 / 48, 125.0 / 16, -85.0 / 12, 1.0 / 4};
  static constexpr std::array<double, 5> b_hat{59.0 / 48, -17.0 / 96, 225.0 / 32, -85.0 / 12, 0};
  /// b_i(s) = d_i1 s + d_i2 s^2 + d_i3 s^3 + d_i4 s^4
  static constexpr std::array<std::array<double, 4>, 5> d{{{11.0 / 3, -463.0 / 72, 217.0 / 36, -20.0 / 9},
                                                           {11.0 / 2, -385.0 / 16, 661.0 / 24, -10},
                                                           {-125.0 / 18, 20125.0 / 432, -8875.0 / 216, 250.0 / 27},
                                                           {0, -85.0 / 4, 85.0 / 6, 0},
                                                           {-11.0 / 9, 557.0 / 108, -359.0 / 54, 80.0 / 27}}};
};

}  // namespace trammel::sdk::tableaus
