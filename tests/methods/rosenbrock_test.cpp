// Rosenbrock methods for second-order systems: order conditions, stability at infinity, the printed digits, and orders
// of steps, estimates and dense output on a small problem whose Jacobians can be falsified.
#include "trammel/sdk/methods/tableaus/rosenbrock.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "dense_solvers.h"
#include "paper_row.h"
#include "second_order_run.h"
#include "trammel/sdk/methods/rosenbrock_nystrom.h"

using namespace trammel;
using namespace trammel::sdk;
namespace tables = trammel::sdk::tableaus;

namespace {

template <int s>
using Square = Eigen::Matrix<double, s, s>;
template <int s>
using Column = Eigen::Matrix<double, s, 1>;

template <int s>
Square<s> matrix(const StageMatrix<s>& A) {
  Square<s> M;
  for (int i = 0; i < s; ++i)
    for (int j = 0; j < s; ++j) M(i, j) = A[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
  return M;
}
template <int s>
Column<s> column(const StageRow<s>& b) {
  return Eigen::Map<const Column<s>>(b.data());
}

/// Largest violation of the order conditions up to `order`, for weights b; Hairer, Wanner, Solving ODEs II, IV.7,
/// (7.11), written with beta = alpha + gamma including gamma on the diagonal.
template <class Method>
double violation(const StageRow<Method::stages>& weights, int order) {
  constexpr int s = Method::stages;
  const Column<s> b = column<s>(weights), one = Column<s>::Ones();
  const Square<s> A = matrix<s>(Method::base.alpha);
  const Square<s> B = A + matrix<s>(Method::base.gammas) + Method::base.gamma * Square<s>::Identity();
  const Column<s> alpha = A * one, beta = B * one, alpha2 = alpha.cwiseProduct(alpha);
  std::vector<double> conditions{b.sum() - 1};
  if (order >= 2) conditions.push_back(b.dot(beta) - 1.0 / 2);
  if (order >= 3) {
    conditions.push_back(b.dot(alpha2) - 1.0 / 3);
    conditions.push_back(b.dot(B * beta) - 1.0 / 6);
  }
  if (order >= 4) {
    conditions.push_back(b.dot(alpha2.cwiseProduct(alpha)) - 1.0 / 4);
    conditions.push_back(b.dot(alpha.cwiseProduct(A * beta)) - 1.0 / 8);
    conditions.push_back(b.dot(B * alpha2) - 1.0 / 12);
    conditions.push_back(b.dot(B * (B * beta)) - 1.0 / 24);
  }
  double worst = 0;
  for (const double c : conditions) worst = std::max(worst, std::abs(c));
  return worst;
}

/// R(inf) = 1 - b^T B^-1 1 of y' = lambda y.
template <class Method>
double at_infinity(const StageRow<Method::stages>& weights) {
  constexpr int s = Method::stages;
  const Square<s> B =
      matrix<s>(Method::base.alpha) + matrix<s>(Method::base.gammas) + Method::base.gamma * Square<s>::Identity();
  return 1 - column<s>(weights).dot(B.inverse() * Column<s>::Ones());
}

/// The printed method with the exact root of L-stability for gamma.
struct Mixed : tables::RosenbrockNystrom4 {
  static constexpr RosenbrockBase<4> base = [] {
    RosenbrockBase<4> mixed = tables::RosenbrockNystrom4::base;
    mixed.gamma = 0.57281606248213485540800138;
    return mixed;
  }();
};

template <class Method>
RosenbrockNystrom<Method> made(bool filter = false) {
  return RosenbrockNystrom<Method>({filter});
}

/// A coefficient of the paper: the digits of an independent computation, and the printed ones where they differ.
void check_coefficient(const std::string& name, double obtained, double independent,
                       double printed = PaperFigure::none) {
  check_paper_row({"Sandu, coefficients", name, std::isnan(printed) ? independent : printed, independent,
                   1e-14 * (1 + std::abs(independent))},
                  obtained);
}

template <class Method>
double measured_order(double truth = 1) {
  static const Eigen::Vector4d exact = solution(made<tables::Rodas43>(), 4000, 2);
  const auto method = made<Method>();
  const double coarse = (solution(method, 80, 2, truth) - exact).norm(),
               fine = (solution(method, 160, 2, truth) - exact).norm();
  return std::log2(coarse / fine);
}

}  // namespace

TEST_CASE("the tables meet their order conditions; their R(inf) is what the sources say" *
          doctest::test_suite("papers")) {
  const double digits = 1e-15, rodas_digits = 1e-13;  // as printed
  const std::string row = "Sandu, coefficients";
  check_paper_row({row, "largest violation of the order conditions to 4", PaperFigure::none, 0, digits},
                  violation<tables::RosenbrockNystrom4>(tables::RosenbrockNystrom4::base.b, 4));
  check_paper_row({row, "the same of the embedded method, to 3", PaperFigure::none, 0, digits},
                  violation<tables::RosenbrockNystrom4>(tables::RosenbrockNystrom4::base.b_hat, 3));
  CHECK(violation<tables::RosenbrockNystrom4>(tables::RosenbrockNystrom4::base.b_hat, 4) > 1e-3);
  CHECK(violation<tables::RosenbrockNystromW2>(tables::RosenbrockNystromW2::base.b, 2) < digits);
  CHECK(violation<tables::RosenbrockNystromW2>(tables::RosenbrockNystromW2::base.b_hat, 1) < digits);
  CHECK(violation<tables::Ros2>(tables::Ros2::base.b, 2) < digits);
  CHECK(violation<tables::Rodas43>(tables::Rodas43::base.b, 4) < rodas_digits);
  CHECK(violation<tables::Rodas43>(tables::Rodas43::base.b_hat, 3) < rodas_digits);

  check_paper_row({row, "R(inf)", PaperFigure::none, 9.58e-9, 5e-12},
                  at_infinity<tables::RosenbrockNystrom4>(tables::RosenbrockNystrom4::base.b));
  check_paper_row({row, "R(inf), embedded", PaperFigure::none, -0.3673049696, 1e-10},
                  at_infinity<tables::RosenbrockNystrom4>(tables::RosenbrockNystrom4::base.b_hat));
  CHECK(std::abs(at_infinity<tables::RosenbrockNystromW2>(tables::RosenbrockNystromW2::base.b)) < digits);
  CHECK(at_infinity<tables::RosenbrockNystromW2>(tables::RosenbrockNystromW2::base.b_hat) ==
        doctest::Approx(-0.41421356).epsilon(1e-7));
  CHECK(std::abs(at_infinity<tables::Ros2>(tables::Ros2::base.b)) < digits);
  CHECK(std::abs(at_infinity<tables::Rodas43>(tables::Rodas43::base.b)) < rodas_digits);
}

TEST_CASE("with the exact root of L-stability in place of the printed gamma the order conditions fail at 1e-9") {
  CHECK(violation<Mixed>(Mixed::base.b, 4) > 1e-9);
}

TEST_CASE("Theorem 2.1: the transformed coefficients have the digits of the paper, two misprints corrected" *
          doctest::test_suite("papers")) {
  constexpr RosenbrockTable<4> t{tables::RosenbrockNystrom4::base};
  const double m[] = {2.2555662286045652437288472, 0.28705506319415760766263265, 0.43531196337998321340271439,
                      1.0935076564032478032148206};
  const double m_hat[] = {2.0683991605275837342586835, 0.23868135206753279795649538, 0.36337334543539170826175733,
                          0.36655712793615514430918040};
  const double mu[] = {1.5927508194095853420748989, 0.19593826631025060969332774, 0, 0.62637874732074217784116888};
  const double mu_hat[] = {1.4349039718482094726271088, 0.22297867258869836904515169, 0.12455968641470204977489700,
                           0.20996980978930432131191614};
  const double gammas[] = {0.57281606, -1.7691770671120139491705470, 0.75929396429320985367096873,
                           -0.10489462149095580320674058};
  for (std::size_t i = 0; i < 4; ++i) {
    const std::string index = std::to_string(i + 1);
    check_coefficient("m_" + index, t.m[i], m[i]);
    check_coefficient("m^_" + index, t.m_hat[i], m_hat[i]);
    check_coefficient("mu_" + index, t.mu[i], mu[i]);
    check_coefficient("mu^_" + index, t.mu_hat[i], mu_hat[i]);
    check_coefficient("gamma_" + index, t.gammas[i], gammas[i]);
  }
  check_coefficient("a_21", t.a[1][0], 2.0, 0.2);
  check_coefficient("a_31", t.a[2][0], 1.8679481494982371323447677);
  check_coefficient("a_32", t.a[2][1], 0.23444556851723885002321831);
  check_coefficient("theta_31", t.theta[2][0], 0.78950916281563862962697899);
  check_coefficient("c_21", t.c[1][0], -7.1376499433499798303693528);
  check_coefficient("c_31", t.c[2][0], 2.5809236665096577144879899);
  check_coefficient("c_32", t.c[2][1], 0.65162988730203202338738613);
  check_coefficient("c_41", t.c[3][0], -2.1371152665066191168063766);
  check_coefficient("c_42", t.c[3][1], -0.32146953133995107076924604);
  check_coefficient("c_43", t.c[3][2], -0.69496604928244522515734368);
  check_coefficient("delta_21", t.delta[1][0], -1.1963610071120139491705470);
  check_coefficient("delta_31", t.delta[2][0], 1.4702802544097807146338582);
  check_coefficient("delta_32", t.delta[2][1], 0.34810583767920449001669190);
  check_coefficient("delta_41", t.delta[3][0], 0.0037650943555561657989768111);
  check_coefficient("delta_42", t.delta[3][1], -0.10976248675810325567539895);
  check_coefficient("delta_43", t.delta[3][2], -0.22803103597313382947774817);
  check_coefficient("gamma_21 of the base form", tables::RosenbrockNystrom4::base.gammas[1][0],
                    -2.3419931271120139491705470, 2.3419931271120139491705470);
  CHECK(t.same_point(3));

  constexpr RosenbrockTable<2> w{tables::RosenbrockNystromW2::base};
  check_coefficient("W2, a_21", w.a[1][0], 0.58578643762690495119831128);
  check_coefficient("W2, c_21", w.c[1][0], -1.1715728752538099023966226);
  check_coefficient("W2, m_1", w.m[0], 0.87867965644035742679746691);
  check_coefficient("W2, m_2", w.m[1], 0.29289321881345247559915564);
  check_coefficient("W2, mu_1", w.mu[0], 0.79289321881345247559915564);
  check_coefficient("W2, m_hat_1", w.m_hat[0], 1.1715728752538099023966226);
  check_coefficient("W2, delta_21", w.delta[1][0], -2.4142135623730950488016887);
}

TEST_CASE("orders, with exact and with falsified Jacobians") {
  CHECK(measured_order<tables::RosenbrockNystrom4>() == doctest::Approx(4).epsilon(0.05));
  CHECK(measured_order<tables::Rodas43>() == doctest::Approx(4).epsilon(0.05));
  CHECK(measured_order<tables::RosenbrockNystromW2>() == doctest::Approx(2).epsilon(0.05));
  CHECK(measured_order<tables::Ros2>() == doctest::Approx(2).epsilon(0.05));
  for (const double truth : {0.0, 0.5}) {
    CAPTURE(truth);
    CHECK(measured_order<tables::RosenbrockNystromW2>(truth) == doctest::Approx(2).epsilon(0.06));
    CHECK(measured_order<tables::Ros2>(truth) == doctest::Approx(2).epsilon(0.06));
  }
  CHECK(measured_order<tables::RosenbrockNystrom4>(0.5) == doctest::Approx(1).epsilon(0.1));
}

TEST_CASE_TEMPLATE("one Jacobian per step, one factorization per attempt; a rejected step leaves no trace", Method,
                   tables::RosenbrockNystrom4, tables::RosenbrockNystromW2, tables::Ros2, tables::Rodas43) {
  const auto method = made<Method>();
  Oscillators system, other;
  SecondOrderRun run(method, system), straight(method, other);
  run.attempt(0.4);
  method.reject(run.memory());
  run.attempt(0.1), straight.attempt(0.1);
  CHECK(run.next == straight.next);
  CHECK(run.error == straight.error);
  constexpr RosenbrockTable<Method::stages> table{Method::base};
  int points = 0;
  for (std::size_t i = 0; i < Method::stages; ++i) points += table.same_point(i) ? 0 : 1;
  CHECK(other.evaluations == points);
  CHECK(system.evaluations == 2 * points - 1);  // the first acceleration is kept
  CHECK(system.jacobians == 1);
  CHECK(system.factorizations == 2);
}

TEST_CASE_TEMPLATE("estimate and dense output have their orders; the filtered estimate agrees where nothing is stiff",
                   Method, tables::RosenbrockNystrom4, tables::RosenbrockNystromW2, tables::Ros2, tables::Rodas43) {
  const auto method = made<Method>();
  const auto filtering = made<Method>(true);
  double estimates[2], dense[2], positions[2];
  for (int k = 0; k < 2; ++k) {
    const double h = k == 0 ? 0.02 : 0.01;
    Oscillators system, other;
    SecondOrderRun run(method, system), filtered(filtering, other);
    run.attempt(h), filtered.attempt(h);
    const Eigen::Map<const Eigen::Vector4d> e(run.error.data()), f(filtered.error.data());
    estimates[k] = e.norm();
    CHECK((e - f).norm() < 2.5 * h * e.norm());
    std::vector<double> between(4);
    const StateView at = SecondOrderRun::view(0.6 * h, between);
    REQUIRE(method.interpolate(run.problem, run.from, run.to, 0.6 * h, at, run.memory()).ok());
    const Eigen::Vector4d exact = solution(made<tables::Rodas43>(), 100, 0.6 * h);
    const Eigen::Vector4d difference = Eigen::Map<const Eigen::Vector4d>(between.data()) - exact;
    dense[k] = difference.norm(), positions[k] = difference.head<2>().norm();
    REQUIRE(method.interpolate(run.problem, run.from, run.to, h, at, run.memory()).ok());
    CHECK((Eigen::Map<const Eigen::Vector4d>(between.data()) - Eigen::Map<const Eigen::Vector4d>(run.next.data()))
              .norm() < 1e-14);
  }
  CHECK(std::log2(estimates[0] / estimates[1]) == doctest::Approx(Method::embedded_order + 1).epsilon(0.1));
  CHECK(std::log2(dense[0] / dense[1]) > method.traits().interpolation_order + 1 - 0.25);
  if (Method::order > 2) CHECK(std::log2(positions[0] / positions[1]) > 3.75);
}
