// Second-order problems: Jacobians against differences, residuals of implicit solves.
#include "check/second_order_derivatives.h"

#include <complex>

#include "check/check.h"

namespace trammel::conformance {
namespace {

template <class Column>
VectorView column(Column&& x) {
  return {x.data(), static_cast<Index>(x.size())};
}

/// Several handles at once: a later one, prepared alone, leaves the others as they are.
void real_solves(SecondOrderSystem& problem, const MatrixXd& M, const MatrixXd& MJ1, const MatrixXd& MJ2) {
  const auto n = static_cast<Index>(M.rows());
  const Shift shifts[3] = {{0.01, 0.1}, {0.03, 0.05}, {0.002, 0.04}};
  require_ok(problem.prepare(0, shifts, 2), "prepare");
  require_ok(problem.prepare(2, shifts + 2, 1), "prepare of one more handle");
  const VectorXd r = VectorXd::LinSpaced(n, 1, 2);
  for (Index handle = 0; handle < 3; ++handle) {
    VectorXd z = VectorXd::Constant(n, std::nan(""));
    require_ok(problem.solve(handle, view_of(r), column(z)), "solve");
    const double residual =
        ((M - shifts[handle].c1 * MJ2 - shifts[handle].c0 * MJ1) * z - r).norm() / (r.norm() + M.norm() * z.norm());
    require(residual < 1e-9, "solve with handle {} leaves a residual of {:.1e}", handle, residual);
  }
}

/// A complex matrix beside a real one, where the problem has it.
void complex_solve(SecondOrderSystem& problem, const MatrixXd& M, const MatrixXd& MJ1, const MatrixXd& MJ2) {
  using Complex = std::complex<double>;
  const auto n = static_cast<Index>(M.rows());
  const Complex c0(0.01, 0.02), c1(0.1, -0.05);
  const Shift shifts[2] = {{0.01, 0.1}, {c0.real(), c1.real(), c0.imag(), c1.imag()}};
  const Status status = problem.prepare(0, shifts, 2);
  if (status.code == StatusCode::unsupported) return;
  require_ok(status, "prepare with a complex shift");
  VectorXd re = VectorXd::LinSpaced(n, 1, 2), im = VectorXd::LinSpaced(n, -1, 3), z_re(n), z_im(n);
  const Status solved = problem.solve_complex(1, {view_of(re), view_of(im)}, {column(z_re), column(z_im)});
  if (solved.code == StatusCode::unsupported) return;
  require_ok(solved, "solve_complex");
  Eigen::VectorXcd r(n), z(n);
  r.real() = re, r.imag() = im, z.real() = z_re, z.imag() = z_im;
  const Eigen::MatrixXcd A = M.cast<Complex>() - c1 * MJ2.cast<Complex>() - c0 * MJ1.cast<Complex>();
  const double residual = (A * z - r).norm() / (r.norm() + M.norm() * z.norm());
  require(residual < 1e-9, "solve_complex leaves a residual of {:.1e}", residual);
}

}  // namespace

MatrixXd mass_of(SecondOrderSystem& problem) {
  const Index n = problem.size();
  MatrixXd M(n, n);
  for (Index k = 0; k < n; ++k) {
    const VectorXd unit = VectorXd::Unit(n, k);
    require_ok(problem.apply_mass(view_of(unit), column(M.col(k))), "apply_mass");
  }
  return M;
}

bool second_order_derivatives(SecondOrderSystem& problem, double t, const VectorXd& x, const VectorXd& v,
                              double tolerance) {
  const auto n = static_cast<Index>(x.size());
  const auto judge = [&](const VectorXd& value, const std::string& name, const std::function<VectorXd(double)>& f) {
    const double error = difference_error(value, f);
    require(error < tolerance, "{} differs from differences by {:.1e} (relative)", name, error);
  };
  const auto a = [&](double time, const VectorXd& at, const VectorXd& rate) {
    VectorXd out(n);
    require_ok(problem.acceleration(time, view_of(at), view_of(rate), column(out)), "acceleration");
    return out;
  };
  const Status status = problem.linearize(t, view_of(x), view_of(v));
  if (status.code == StatusCode::unsupported) return false;
  require_ok(status, "linearize");
  const MatrixXd M = mass_of(problem);
  MatrixXd J1(n, n), J2(n, n);
  VectorXd a_t(n);
  for (Index k = 0; k < n; ++k) {
    const VectorXd unit = VectorXd::Unit(n, k);
    require_ok(problem.apply_J1(view_of(unit), column(J1.col(k))), "apply_J1");
    require_ok(problem.apply_J2(view_of(unit), column(J2.col(k))), "apply_J2");
  }
  require_ok(problem.time_gradient(column(a_t)), "time_gradient");
  real_solves(problem, M, J1, J2);
  complex_solve(problem, M, J1, J2);
  for (Index k = 0; k < n; ++k) {
    const VectorXd unit = VectorXd::Unit(n, k);
    judge(J1.col(k), "M J1", [&](double e) { return VectorXd(M * a(t, x + e * unit, v)); });
    judge(J2.col(k), "M J2", [&](double e) { return VectorXd(M * a(t, x, v + e * unit)); });
  }
  judge(a_t, "M d(x'')/dt", [&](double e) { return VectorXd(M * a(t + e, x, v)); });
  return true;
}

}  // namespace trammel::conformance
