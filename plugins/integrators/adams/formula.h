// The formulas that all Adams methods here share: predictor, corrector, dense output, characteristic polynomial.
//
// D_i = nabla^i f_n, Haug, Computer Aided Kinematics and Dynamics, 7.4:
//   y^p = y_n + h sum_{i=0}^{p-1} gamma_i D_i                    predictor of order p                             (1)
//   E_0 = f(t_{n+1}, y^p), E_i = E_{i-1} - D_{i-1}               backward differences with the predicted value    (2)
//   y^c = y_n + h sum_{i=0}^{c-1} gamma*_i E_i                   corrector of order c                             (3)
// Dense output is the integral of the same interpolation polynomials (7.4.4) from t_n, w_i(u) the integral of their
// basis from 0 to u, sigma = (t - t_n) / h: it meets y_{n+1} by construction.
//   y(sigma) = y_n + h sum w_i(sigma) D_i   or   y_n + h sum (w_i(sigma - 1) - w_i(-1)) E_i                       (4)
#pragma once

#include <cmath>

#include "trammel/ode_system.h"
#include "trammel/sdk/methods/adams_coefficients.h"
#include "trammel/sdk/methods/backward_differences.h"

namespace trammel::adams {

using Layout = sdk::StateLayout;
using Map = Layout::Map;
using sdk::BackwardDifferences;

inline double gamma(int i) { return sdk::adams_gamma[static_cast<std::size_t>(i)].value(); }
inline double gamma_star(int i) { return sdk::adams_gamma_star[static_cast<std::size_t>(i)].value(); }

/// Orders of predictor and corrector; corrector 0: the predictor alone.
struct Orders {
  int predictor = 1;
  int corrector = 0;

  int highest() const { return corrector > predictor ? corrector : predictor; }
};

/// Temporary vectors of one step.
struct Work {
  Work(Layout& at, Index n) : sum(at.vector(n)), E(at.vector(n)) {}
  Map sum, E;
};

inline Status check_finite(const Map& y) {
  for (Index i = 0; i < y.size(); ++i) {
    if (!std::isfinite(y[i])) return Status::failure(StatusCode::not_finite, "a component of the new state", i, y[i]);
  }
  return Status::success();
}

/// [hot] (1)
inline void predict(const BackwardDifferences& D, int order, double h, ConstVectorView y, VectorView y_p, Map& sum) {
  sum.setZero();
  for (int i = 0; i < order; ++i) sum += gamma(i) * D[i];
  y_p.map() = y.map() + h * sum;
}

/// [hot] (1) to (3) from y to `next`, which ends at t; E_0 stays for the dense output.
inline Status step(OdeSystem& f, const BackwardDifferences& D, Orders orders, double h, ConstVectorView y, double t,
                   VectorView next, Map& E_0, Work& work) {
  predict(D, orders.predictor, h, y, next, work.sum);
  if (orders.corrector > 0) {
    const Status status = f.rhs(t, next, {E_0.data(), next.size});
    if (!status) return status;
    work.E = E_0;
    work.sum = work.E;
    for (int i = 1; i < orders.corrector; ++i) {
      work.E -= D[i - 1];
      work.sum += gamma_star(i) * work.E;
    }
    next.map() = y.map() + h * work.sum;
  }
  return check_finite(next.map());
}

/// [step] (4) at sigma in the step from y.
inline void interpolate(const BackwardDifferences& D, const Map& E_0, Orders orders, double h, ConstVectorView y,
                        double sigma, VectorView out, Work& work) {
  double w[sdk::adams_max_order], w_start[sdk::adams_max_order];
  work.sum.setZero();
  if (orders.corrector > 0) {
    sdk::adams_weights(sigma - 1, orders.corrector, w);
    sdk::adams_weights(-1, orders.corrector, w_start);
    work.E = E_0;
    for (int i = 0; i < orders.corrector; ++i) {
      if (i > 0) work.E -= D[i - 1];
      work.sum += (w[i] - w_start[i]) * work.E;
    }
  } else {
    sdk::adams_weights(sigma, orders.predictor, w);
    for (int i = 0; i < orders.predictor; ++i) work.sum += w[i] * D[i];
  }
  out.map() = y.map() + h * work.sum;
}

/// [setup] Largest modulus of the roots of the characteristic polynomial at z = h mu for y' = mu y; see stability.cpp.
double spectral_radius(Orders orders, double re, double im);

}  // namespace trammel::adams
