// Tableaus of orders 4 and 5 with an embedded formula for the error estimate.
#pragma once

#include <array>

namespace trammel::sdk::tableaus {

/// E. Fehlberg, NASA TR R-315 (1969), Table III, RK4(5) formula 2: advances the fourth order formula.
struct Fehlberg45 {
  static constexpr int stages = 6, order = 4, embedded_order = 5;
  static constexpr std::array<double, 6> c{0.0, 1.0 / 4, 3.0 / 8, 12.0 / 13, 1.0, 1.0 / 2};
  static constexpr std::array<double, 15> a{1.0 / 4,                   //
                                            3.0 / 32,       9.0 / 32,  //
                                            1932.0 / 2197,  -7200.0 / 2197,
                                            7296.0 / 2197,  //
                                            439.0 / 216,    -8.0,
                                            3680.0 / 513,   -845.0 / 4104,  //
                                            -8.0 / 27,      2.0,
                                            -3544.0 / 2565, 1859.0 / 4104,
                                            -11.0 / 40};
  static constexpr std::array<double, 6> b{25.0 / 216, 0.0, 1408.0 / 2565, 2197.0 / 4104, -1.0 / 5, 0.0};
  static constexpr std::array<double, 6> b_hat{16.0 / 135, 0.0, 6656.0 / 12825, 28561.0 / 56430, -9.0 / 50, 2.0 / 55};
};

/// J. R. Dormand, P. J. Prince, J. Comp. Appl. Math. 6 (1980) 19-26, RK5(4)7M; extension by Hairer and Wanner
/// (DOPRI5; Solving ODEs I, II.6), of order 4.
struct Dopri5 {
  static constexpr int stages = 7, order = 5, embedded_order = 4, interpolation_order = 4;
  static constexpr std::array<double, 7> c{0.0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1.0, 1.0};
  static constexpr std::array<double, 21> a{1.0 / 5,                    //
                                            3.0 / 40,        9.0 / 40,  //
                                            44.0 / 45,       -56.0 / 15,
                                            32.0 / 9,  //
                                            19372.0 / 6561,  -25360.0 / 2187,
                                            64448.0 / 6561,  -212.0 / 729,  //
                                            9017.0 / 3168,   -355.0 / 33,
                                            46732.0 / 5247,  49.0 / 176,
                                            -5103.0 / 18656,  //
                                            35.0 / 384,      0.0,
                                            500.0 / 1113,    125.0 / 192,
                                            -2187.0 / 6784,  11.0 / 84};
  static constexpr std::array<double, 7> b{35.0 / 384, 0.0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84, 0.0};
  static constexpr std::array<double, 7> b_hat{5179.0 / 57600,    0.0,          7571.0 / 16695, 393.0 / 640,
                                               -92097.0 / 339200, 187.0 / 2100, 1.0 / 40};
  static constexpr std::array<std::array<double, 7>, 1> d{
      {{-12715105075.0 / 11282082432, 0.0, 87487479700.0 / 32700410799, -10690763975.0 / 1880347072,
        701980252875.0 / 199316789632, -1453857185.0 / 822651844, 69997945.0 / 29380423}}};
};

}  // namespace trammel::sdk::tableaus
