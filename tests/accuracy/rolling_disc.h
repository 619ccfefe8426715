// The rolling disc by itself: its equations in Euler angles, its steady circles, and run files of it.
//
// u axis of the disc, d down the disc to the point that touches, h = u x d in the plane: (d, h, u) turns with
//   w_f = (a, b, c), c = -a cot(theta), theta the angle between axis and vertical, and the disc with w = (a, b, s).
// The centre's velocity is R b u - R s h. With I_t, I_a the moments of inertia about diameter and axis, the momenta and the
// force of the plane eliminated give
//   I_t a' = -I_a b s + I_t c b
//   (I_t + m R^2) b' = (I_a + m R^2) a s - I_t c a - m g R cos(theta)
//   (I_a + m R^2) s' = -m R^2 a b                                                                                   (1)
// O. M. O'Reilly, Nonlinear Dynamics 10 (1996) 287-305; Neimark, Fufaev, Dynamics of Nonholonomic Systems (1972), chapter
// II. a = -W sin(theta), b = 0, s' = 0 is a steady circle, W the rate of precession:
//   (I_a + m R^2) W s sin(theta) - I_t W^2 sin(theta) cos(theta) + m g R cos(theta) = 0                             (2)
#pragma once

#include <array>
#include <cmath>
#include <cstdio>
#include <string>

namespace trammel {

struct Disc {
  double m = 1, R = 0.1, g = 9.81;
  double I_t() const { return 0.25 * m * R * R; }
  double I_a() const { return 0.5 * m * R * R; }
  double mRR() const { return m * R * R; }

  /// Spin of the steady circle with this inclination and rate of precession, (2).
  double steady_spin(double theta, double W) const {
    return (I_t() * W * W * std::sin(theta) - m * g * R) * std::cos(theta) / ((I_a() + mRR()) * W * std::sin(theta));
  }

  /// (theta, precession, rotation about the axis, x, y of the centre, a, b, s)
  using State = std::array<double, 8>;
  State rate(const State& y) const {
    const double theta = y[0], phi = y[1], a = y[5], b = y[6], s = y[7];
    const double st = std::sin(theta), ct = std::cos(theta), c = -a * ct / st;
    return {b,
            -a / st,
            s - c,
            R * b * st * std::cos(phi) + R * s * std::sin(phi),
            R * b * st * std::sin(phi) - R * s * std::cos(phi),
            -I_a() / I_t() * b * s + c * b,
            ((I_a() + mRR()) * a * s - I_t() * c * a - m * g * R * ct) / (I_t() + mRR()),
            -mRR() * a * b / (I_a() + mRR())};
  }
  /// (1) from y over time, by the classical method of order 4 in `steps` steps and in twice as many, extrapolated.
  State integrate(const State& y, double time, int steps) const {
    const State coarse = classical(y, time, steps);
    State fine = classical(y, time, 2 * steps);
    for (std::size_t i = 0; i < fine.size(); ++i) fine[i] += (fine[i] - coarse[i]) / 15;
    return fine;
  }
  double energy(const State& y) const {
    return 0.5 * (I_t() * (y[5] * y[5] + y[6] * y[6]) + I_a() * y[7] * y[7] + mRR() * (y[6] * y[6] + y[7] * y[7])) +
           m * g * R * std::sin(y[0]);
  }

  /// Run file of the disc at the inclination of its axis theta, precession 0, with a, b, s; adaptable by settings.
  std::string run_file(double theta, double a, double b, double s) const {
    char text[2000];
    const double st = std::sin(theta), ct = std::cos(theta);
    std::snprintf(text, sizeof text, R"({"trammel": 1,
"system": {"type": "spatial", "gravity": [0, 0, %.17g],
  "bodies": {"disc": {"mass": %.17g, "inertia": [%.17g, %.17g, %.17g], "position": [0, 0, %.17g],
    "rotation": {"axis": [0, 1, 0], "angle": %.17g}, "velocity": [%.17g, %.17g, %.17g],
    "angular_velocity": [%.17g, %.17g, %.17g]}},
  "constraints": {"floor": {"type": "rolling_disc", "bodies": ["ground", "disc"], "radius": %.17g,
    "axis_i": [0, 0, 1], "axis_j": [0, 0, 1]}}},
"analysis": {"type": "dynamics", "duration": 10},
"formulation": {"type": "projection"},
"integrator": {"type": "dopri853", "rtol": 1e-12, "atol": 1e-13},
"output": {"step": 0.05, "channels": "all"}})",
                  -g, m, I_t(), I_t(), I_a(), R * st, theta, R * b * st, -R * s, R * b * ct, a * ct + s * st, b,
                  -a * st + s * ct, R);
    return text;
  }

 private:
  State classical(State y, double time, int steps) const {
    const double h = time / steps;
    const auto moved = [&y](const State& k, double share) {
      State out = y;
      for (std::size_t i = 0; i < out.size(); ++i) out[i] += share * k[i];
      return out;
    };
    for (int n = 0; n < steps; ++n) {
      const State k1 = rate(y), k2 = rate(moved(k1, h / 2)), k3 = rate(moved(k2, h / 2)), k4 = rate(moved(k3, h));
      for (std::size_t i = 0; i < y.size(); ++i) y[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
    }
    return y;
  }
};

}  // namespace trammel
