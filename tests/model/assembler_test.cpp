// Assembly: gradients of the coordinates that conditions name, optimality of the change, redundant rows.
#include "model/assembler.h"

#include <doctest/doctest.h>

#include <random>

#include "dense_solvers.h"
#include "loaded_model.h"
#include "trammel/error.h"

using namespace trammel;

namespace {

const std::filesystem::path examples = std::filesystem::path(TRAMMEL_SOURCE_DIR) / "configs/examples";

/// Value of the named coordinate (or velocity) at (q, v).
double value_at(LoadedModel& m, StartRow& row, const std::vector<double>& q, const std::vector<double>& v) {
  std::vector<double> at = q, rate = v;
  REQUIRE(m.numbers.evaluate(0, LoadedModel::view(at), LoadedModel::view(rate), LoadedModel::view(m.z), evaluate_Phi));
  double value = 0;
  std::vector<RowEntry> gradient;
  REQUIRE(row.evaluate(m.numbers, value, gradient));
  return value;
}

void check_gradient(const std::string& example, const std::string& name, bool velocity) {
  CAPTURE(name);
  LoadedModel m(examples / example);
  m.disturb(7, 0.02);
  StartRow row(m.numbers, name);
  CHECK(row.velocity_only() == velocity);
  value_at(m, row, m.q, m.v);
  double value = 0;
  std::vector<RowEntry> gradient;
  REQUIRE(row.evaluate(m.numbers, value, gradient));
  std::vector<double> dense(m.q.size(), 0.0);
  for (const RowEntry& entry : gradient) dense[static_cast<std::size_t>(entry.column)] += entry.value;
  constexpr double h = 1e-6;
  double largest = 0;
  for (std::size_t i = 0; i < dense.size(); ++i) {
    std::vector<double> ahead = velocity ? m.v : m.q, behind = ahead;
    ahead[i] += h, behind[i] -= h;
    const double difference = velocity ? value_at(m, row, m.q, ahead) - value_at(m, row, m.q, behind)
                                       : value_at(m, row, ahead, m.v) - value_at(m, row, behind, m.v);
    CHECK(dense[i] == doctest::Approx(difference / (2 * h)).epsilon(1e-7).scale(1));  // error of the difference: h^2
    largest = std::max(largest, std::abs(dense[i]));
  }
  CHECK(largest > 0.1);
}

/// Dense Phi_q with its intrinsic rows.
Eigen::MatrixXd jacobian(ConstrainedModel& model) {
  Eigen::MatrixXd J(model.constraints(), model.coordinates());
  Eigen::VectorXd unit = Eigen::VectorXd::Zero(model.constraints()), row(model.coordinates());
  for (Index r = 0; r < model.constraints(); ++r) {
    unit[r] = 1;
    model.apply_jacobian_transpose({unit.data(), model.constraints()}, {row.data(), model.coordinates()});
    J.row(r) = row;
    unit[r] = 0;
  }
  return J;
}

}  // namespace

TEST_CASE("coordinates that conditions name: gradients against differences") {
  for (const char* name : {"crank.x", "crank.phi", "coupler_point.x", "coupler_point.y", "A.angle", "C.angle"}) {
    check_gradient("planar_four_bar.json", name, false);
  }
  for (const char* name : {"link1.y", "link2.e1", "hinge2.angle"}) check_gradient("chain_64.json", name, false);
  for (const char* name : {"link2.wx", "link2.wy", "link2.wz"}) check_gradient("chain_64.json", name, true);
  LoadedModel m(examples / "planar_four_bar.json");
  CHECK_THROWS_WITH_AS(StartRow(m.numbers, "crank.phii"),
                       "there is no coordinate 'crank.phii'; did you mean 'crank.phi'?", Error);
  CHECK_THROWS_AS(StartRow(m.numbers, "crank"), Error);
}

TEST_CASE("the change of a disturbed mechanism is the smallest weighted one nearby, also where rows are redundant") {
  for (const char* example :
       {"planar_four_bar.json", "spatial_four_bar.json", "bennett_linkage.json", "sarrus_linkage.json"}) {
    CAPTURE(example);
    LoadedModel m(examples / example);
    m.disturb(3, 0.03);
    const std::string heavy = m.numbers.assembly().body_names[0];
    StartOptions options;
    options.assemble = true;
    options.weights = {{heavy, 50.0}};
    Assembler assembler(m.numbers, options, 0, LoadedModel::view(m.z));
    const std::vector<double> given = m.q;
    AssemblyReport report;
    REQUIRE(assembler.positions(LoadedModel::view(m.q), report));
    CHECK(report.attempts == 1);
    REQUIRE(
        m.numbers.evaluate(0, LoadedModel::view(m.q), {}, LoadedModel::view(m.z), evaluate_Phi | evaluate_jacobian));
    CHECK(m.numbers.Phi().map().lpNorm<Eigen::Infinity>() < 1e-12);
    // W (q - q_given) is a combination of the rows of Phi_q: nothing of it is left in their null space.
    const Index n = m.numbers.coordinates(), c = m.numbers.assembly().body_coordinates();
    Eigen::VectorXd force(n);
    for (Index i = 0; i < n; ++i) {
      force[i] = (i < c ? 50.0 : 1.0) * (m.q[static_cast<std::size_t>(i)] - given[static_cast<std::size_t>(i)]);
    }
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(jacobian(m.numbers).transpose());
    qr.setThreshold(1e-8);
    const Eigen::MatrixXd Q = qr.householderQ();
    const double left = (Q.rightCols(n - qr.rank()).transpose() * force).norm();
    CHECK(left < 1e-7 * force.norm());
    CHECK(force.norm() > 1e-3);
    // Velocities likewise, in one step.
    const std::vector<double> v_given = m.v;
    REQUIRE(assembler.velocities(LoadedModel::view(m.q), LoadedModel::view(m.v), report));
    for (Index i = 0; i < n; ++i) {
      force[i] = (i < c ? 50.0 : 1.0) * (m.v[static_cast<std::size_t>(i)] - v_given[static_cast<std::size_t>(i)]);
    }
    CHECK((Q.rightCols(n - qr.rank()).transpose() * force).norm() < 1e-8 * force.norm());
  }
}

TEST_CASE("what conditions leave open is counted and named") {
  LoadedModel m(examples / "planar_four_bar.json");
  AssemblyReport report;
  const auto undetermined = [&](std::vector<StartCondition> conditions) {
    StartOptions options;
    options.conditions = std::move(conditions);
    Assembler(m.numbers, options, 0, LoadedModel::view(m.z))
        .find_undetermined(LoadedModel::view(m.q), LoadedModel::view(m.v), report);
  };
  undetermined({});
  CHECK(report.rank_known);
  CHECK(report.free_positions == 1);
  CHECK(report.undetermined_positions.size() == 9);  // the crank moves everything
  undetermined({{"rocker.phi", 1.0, left_out()}});
  CHECK(report.free_positions == 0);
  CHECK(report.free_velocities == 1);
  undetermined({{"rocker.phi", 1.0, 2.0}, {"crank.phi", 1.0, left_out()}});
  CHECK(report.free_positions == 0);
  CHECK(report.free_velocities == 0);
  CHECK(report.undetermined_velocities.empty());
}
