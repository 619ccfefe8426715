// Factorizations by handle: several alive, of real and complex shifts, put into their equations by the model's products.
#include "model/implicit_factors.h"

#include <doctest/doctest.h>

#include <complex>

#include "loaded_model.h"
#include "model_in_motion.h"
#include "random_vector.h"
#include "run/plant/whole_model.h"
#include "shipped_models.h"

using namespace trammel;

namespace {

using Complex = std::complex<double>;
using ComplexVector = Eigen::VectorXcd;

/// The shifts of a Radau step of size h (docs of Shift), and one more real one.
std::vector<Shift> shifts_of(double h) {
  const Complex c1 = h / Complex(2.681082873627752, 3.05043019924741), c0 = c1 * c1;
  const double r1 = h / 3.637834252744496;
  return {{r1 * r1, r1}, {c0.real(), c1.real(), c0.imag(), c1.imag()}, {h * h, h}};
}

/// [M + c1 C + c0 K, Phi_q^T; Phi_q, 0] (x, mu), rows that are left out as they come.
struct Products {
  Products(ConstrainedSystem& m, const Vector& x, const Vector& mu, double c0, double c1) {
    Vector c0x = c0 * x, c1x = c1 * x, X = x, Mu = mu;
    f.resize(x.size()), rows.resize(mu.size());
    Vector g(mu.size()), reaction(x.size());
    m.linearization()->apply_linearization(view(c0x), view(c1x), view(f), view(g));
    stiffness = f;
    m.apply_jacobian_transpose(view(Mu), view(reaction));
    m.apply_mass(view(X), view(f));
    f += reaction;
    m.apply_jacobian(view(X), view(rows));
  }
  Vector stiffness, f, rows;  ///< (c1 C + c0 K) x; M x + Phi_q^T mu; Phi_q x
};

}  // namespace

TEST_CASE(
    "complex and real factorizations, several at once, satisfy their equations on every shipped model of up to 100 "
    "bodies") {
  int tried = 0;
  for (const std::filesystem::path& file : shipped_models()) {
    CAPTURE(file.string());
    LoadedModel m(file);
    if (m.numbers.coordinates() > 500) continue;
    ++tried;
    WholeModel whole(m.numbers, true);  // internal states are velocities
    ConstrainedSystem& system = whole.system();
    const auto n = static_cast<std::size_t>(system.coordinates()),
               rows = static_cast<std::size_t>(m.numbers.constraints());
    REQUIRE(m.evaluate(evaluate_jacobian));
    m.numbers.rank().choose_rows(1e-6);
    m.disturb(3, 0.02);
    std::vector<double> a = random_vector(n, 1), lambda = random_vector(rows, 2);
    REQUIRE(m.evaluate(evaluate_dynamics));
    REQUIRE(system.linearization()->linearize(LoadedModel::view(a), LoadedModel::view(lambda)));
    const std::vector<Shift> shifts = shifts_of(0.01);
    REQUIRE(system.implicit_solve()->prepare(0, shifts.data(), 3));
    std::vector<double> parts[8];  // f, g, x, mu: real and imaginary
    for (unsigned k = 0; k < 8; ++k) parts[k] = random_vector(k % 4 % 2 == 0 ? n : rows, 20 + k);
    const auto at = [&](int k) { return LoadedModel::view(parts[k]); };
    const std::vector<double> f_re = parts[0], g_re = parts[1], f_im = parts[4], g_im = parts[5];
    REQUIRE(system.implicit_solve()->solve_implicit_complex(1, {at(0), at(4)}, {at(1), at(5)}, {at(2), at(6)},
                                                            {at(3), at(7)}));
    const auto vector = [](const std::vector<double>& x) {
      return Vector(Eigen::Map<const Vector>(x.data(), static_cast<Index>(x.size())));
    };
    const Shift& s = shifts[1];
    const Vector x_re = vector(parts[2]), x_im = vector(parts[6]), mu_re = vector(parts[3]), mu_im = vector(parts[7]);
    // (c1 C + c0 K)(x_re + i x_im), from products with the real and the imaginary parts of the shift
    const Products rr(system, x_re, mu_re, s.c0, s.c1), ii(system, x_im, mu_im, s.c0, s.c1),
        ri(system, x_re, mu_re, s.c0_imag, s.c1_imag), ir(system, x_im, mu_im, s.c0_imag, s.c1_imag);
    const Vector re = rr.f + rr.stiffness - ir.stiffness - vector(f_re),
                 im = ii.f + ii.stiffness + ri.stiffness - vector(f_im);
    const double terms = 1 + rr.f.norm() + ii.f.norm() + rr.stiffness.norm() + ii.stiffness.norm() +
                         ri.stiffness.norm() + ir.stiffness.norm();
    CHECK(re.norm() < 1e-11 * terms);
    CHECK(im.norm() < 1e-11 * terms);
    for (std::size_t r = 0; r < rows; ++r) {
      if (m.numbers.rank().is_redundant(static_cast<Index>(r))) continue;
      const auto i = static_cast<Index>(r);
      CHECK(std::abs(Complex(rr.rows[i] - g_re[r], ii.rows[i] - g_im[r])) <
            1e-11 * (terms + x_re.norm() + x_im.norm()));
    }
    // The real ones beside it are those of a preparation alone.
    for (const Index handle : {0, 2}) {
      std::vector<double> x(n), mu(rows), alone(n), alone_mu(rows);
      REQUIRE(
          system.implicit_solve()->solve_implicit(handle, at(0), at(1), LoadedModel::view(x), LoadedModel::view(mu)));
      const Shift& real = shifts[static_cast<std::size_t>(handle)];
      REQUIRE(system.implicit_solve()->prepare(3, &real, 1));
      REQUIRE(system.implicit_solve()->solve_implicit(3, at(0), at(1), LoadedModel::view(alone),
                                                      LoadedModel::view(alone_mu)));
      CHECK(x == alone);
      CHECK(mu == alone_mu);
    }
  }
  CHECK(tried > 50);
}

TEST_CASE("state-space views solve with complex shifts, dense and by GMRES") {
  bool sparse = false;
  for (const char* name :
       {"planar_double_pendulum.json", "slider_crank.json", "spatial_four_bar.json", "chain_64.json"}) {
    CAPTURE(name);
    InMotion s(std::filesystem::path(TRAMMEL_SOURCE_DIR) / "configs/examples" / name);
    REQUIRE(s.moves);
    REQUIRE(s.system->linearize(s.t, view(s.w), view(s.w_dot)));
    const auto M = s.columns([&](auto y, auto out) { return s.system->apply_mass(y, out); });
    const auto MJ1 = s.columns([&](auto y, auto out) { return s.system->apply_J1(y, out); });
    const auto MJ2 = s.columns([&](auto y, auto out) { return s.system->apply_J2(y, out); });
    const std::vector<Shift> shifts = shifts_of(0.05);
    s.acceleration(s.t, s.w + Vector::Constant(s.d, 1e-3), s.w_dot);
    REQUIRE(s.system->prepare(0, shifts.data(), 3));
    Vector r_re = Vector::LinSpaced(s.d, -1, 2), r_im = Vector::LinSpaced(s.d, 1, -0.5), z_re(s.d), z_im(s.d);
    REQUIRE(s.system->solve_complex(1, {view(r_re), view(r_im)}, {view(z_re), view(z_im)}));
    const Complex c0(shifts[1].c0, shifts[1].c0_imag), c1(shifts[1].c1, shifts[1].c1_imag);
    ComplexVector r(s.d), z(s.d);
    r.real() = r_re, r.imag() = r_im, z.real() = z_re, z.imag() = z_im;
    const Eigen::MatrixXcd A = M.cast<Complex>() - c1 * MJ2.cast<Complex>() - c0 * MJ1.cast<Complex>();
    CHECK((A * z - r).norm() < 1e-10 * (r.norm() + A.norm() * z.norm()));
    for (const Index handle : {0, 2}) {
      const Shift& shift = shifts[static_cast<std::size_t>(handle)];
      REQUIRE(s.system->solve(handle, view(r_re), view(z_re)));
      const Matrix B = M - shift.c1 * MJ2 - shift.c0 * MJ1;
      CHECK((B * z_re - r_re).norm() < 1e-10 * (r_re.norm() + B.norm() * z_re.norm()));
    }
    sparse = sparse || s.d > 63;
  }
  CHECK(sparse);
}
