// Rosenbrock methods for second-order systems. Their order conditions are tested.
#pragma once

#include <numbers>

#include "trammel/sdk/methods/rosenbrock_table.h"

namespace trammel::sdk::tableaus {

/// Order 4(3), L-stable but for the rounding of gamma: R(inf) = 1e-8. Sandu, Negrut, Haug, Potra, Sandu,
/// Rosenbrock-Nystrom Integrators for SSODE of Multibody Dynamics (2001), section 4.1; gamma_21 with the sign that the
/// order conditions want.
struct RosenbrockNystrom4 {
  static constexpr int stages = 4, order = 4, embedded_order = 3, dense_conditions = 3;
  static constexpr bool any_jacobian = false;
  static constexpr RosenbrockBase<4> base{
      0.57281606,
      {{{},
        {1.14563212},
        {0.52092078913062902932851735, 0.13429418684250480014923082},
        {0.52092078913062902932851735, 0.13429418684250480014923082, 0}}},
      {{{},
        {-2.3419931271120139491705470},
        {-0.027333746543489836196492346, 0.21381165083669968986746108},
        {-0.25908383778551022211263533, -0.19059580773231175161635709, -0.22803103597313382947774817}}},
      {0.32453470789173451347419796, 0.049086544787523308684633166, 0, 0.62637874732074217784116888},
      {0.52092078913062902932850868, 0.14454971466536459958467818, 0.12455968641470204977489700,
       0.20996980978930432131191614}};
};

/// Order 2(1) with any Jacobian (a W-method), L-stable. Sandu et al. (2001), section 4.3.
struct RosenbrockNystromW2 {
  static constexpr int stages = 2, order = 2, embedded_order = 1, dense_conditions = 2;
  static constexpr bool any_jacobian = true;
  static constexpr double gamma = 1 + 1 / std::numbers::sqrt2;
  static constexpr RosenbrockBase<2> base{gamma, {{{}, {1}}}, {{{}, {-2 * gamma}}}, {0.5, 0.5}, {0, 1}};
};

/// ROS2: the same with the other root of 2 gamma^2 - 4 gamma + 1, whose error constant is smaller. Verwer, Spee, Blom,
/// Hundsdorfer, SIAM J. Sci. Comput. 20 (1999) 1456-1480.
struct Ros2 {
  static constexpr int stages = 2, order = 2, embedded_order = 1, dense_conditions = 2;
  static constexpr bool any_jacobian = true;
  static constexpr double gamma = 1 - 1 / std::numbers::sqrt2;
  static constexpr RosenbrockBase<2> base{gamma, {{{}, {1}}}, {{{}, {-2 * gamma}}}, {0.5, 0.5}, {1, 0}};
};

/// RODAS of order 4(3), stiffly accurate. Hairer, Wanner, Solving Ordinary Differential Equations II (1996), IV.7,
/// Table 7.3 in the form of (2) in rosenbrock_table.h.
struct Rodas43 {
  static constexpr int stages = 6, order = 4, embedded_order = 3, dense_conditions = 4;
  static constexpr bool any_jacobian = false;
  static constexpr double a51 = 1.221224509226641, a52 = 6.019134481288629, a53 = 12.53708332932087,
                          a54 = -0.6878860361058950;
  static constexpr RosenbrockBase<6> base = rosenbrock_base<6>(
      0.25,
      {{{},
        {1.544000000000000},
        {0.9466785280815826, 0.2557011698983284},
        {3.314825187068521, 2.896124015972201, 0.9986419139977817},
        {a51, a52, a53, a54},
        {a51, a52, a53, a54, 1}}},
      {{{},
        {-5.668800000000000},
        {-2.430093356833875, -0.2063599157091915},
        {-0.1073529058151375, -9.594562251023355, -20.47028614809616},
        {7.496443313967647, -10.24680431464352, -33.99990352819905, 11.70890893206160},
        {8.083246795921522, -7.981132988064893, -31.52159432874371, 16.31930543123136, -6.058818238834054}}},
      {a51, a52, a53, a54, 1, 1}, {a51, a52, a53, a54, 1, 0});
};

}  // namespace trammel::sdk::tableaus
