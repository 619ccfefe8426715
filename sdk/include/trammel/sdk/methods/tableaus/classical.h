// Tableaus without error estimate, orders 1 to 4.
#pragma once

#include <array>

namespace trammel::sdk::tableaus {

/// L. Euler, Institutionum calculi integralis I, 1768.
struct Euler {
  static constexpr int stages = 1, order = 1;
  static constexpr std::array<double, 1> c{0.0};
  static constexpr std::array<double, 0> a{};
  static constexpr std::array<double, 1> b{1.0};
};

/// K. Heun, Z. Math. Phys. 45 (1900) 23-38: the trapezoidal rule with an Euler step for its end.
struct Heun {
  static constexpr int stages = 2, order = 2;
  static constexpr std::array<double, 2> c{0.0, 1.0};
  static constexpr std::array<double, 1> a{1.0};
  static constexpr std::array<double, 2> b{1.0 / 2, 1.0 / 2};
};

/// K. Heun (1900); Hairer, Norsett, Wanner, Solving ODEs I, II.1, Table 1.1.
struct Heun3 {
  static constexpr int stages = 3, order = 3;
  static constexpr std::array<double, 3> c{0.0, 1.0 / 3, 2.0 / 3};
  static constexpr std::array<double, 3> a{1.0 / 3,  //
                                           0.0, 2.0 / 3};
  static constexpr std::array<double, 3> b{1.0 / 4, 0.0, 3.0 / 4};
};

/// W. Kutta, Z. Math. Phys. 46 (1901) 435-453: third order with the weights of Simpson's rule.
struct Kutta3 {
  static constexpr int stages = 3, order = 3;
  static constexpr std::array<double, 3> c{0.0, 1.0 / 2, 1.0};
  static constexpr std::array<double, 3> a{1.0 / 2,  //
                                           -1.0, 2.0};
  static constexpr std::array<double, 3> b{1.0 / 6, 2.0 / 3, 1.0 / 6};
};

/// W. Kutta (1901): "the" Runge-Kutta method.
struct Rk4 {
  static constexpr int stages = 4, order = 4;
  static constexpr std::array<double, 4> c{0.0, 1.0 / 2, 1.0 / 2, 1.0};
  static constexpr std::array<double, 6> a{1.0 / 2,           //
                                           0.0,     1.0 / 2,  //
                                           0.0,     0.0,     1.0};
  static constexpr std::array<double, 4> b{1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
};

}  // namespace trammel::sdk::tableaus
