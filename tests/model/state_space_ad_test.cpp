// The state-space view of coordinate partitioning against automatic differentiation of the accelerations as a whole.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>

#include "dual_forces.h"
#include "dual_map.h"
#include "model_in_motion.h"
#include "paper_row.h"

using namespace trammel;

namespace {

/// What the map gives: w'' with all its derivatives, and M^ = q_w^T M q_w.
struct WholeMap {
  WholeMap(InMotion& s, const duals::Equations& equations) : acceleration(s.d), J1(s.d, s.d), J2(s.d, s.d), Jt(s.d) {
    ConstrainedModel& model = s.model;
    const Index n = model.coordinates();
    const Memory memory{s.state.data(), s.scratch.data()};
    Vector q(n), v(n);
    REQUIRE(s.reduction.lift_second_order(model, s.t, view(s.w), view(s.w_dot), memory, view(q), view(v)));
    std::vector<std::size_t> kept, u, w;
    for (Index r = 0; r < model.constraints(); ++r) {
      if (!model.rank().is_redundant(r)) kept.push_back(static_cast<std::size_t>(r));
    }
    for (Index k = 0; k < s.d; ++k) w.push_back(static_cast<std::size_t>(s.reduction.coordinate(model, k, memory)));
    for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
      if (std::find(w.begin(), w.end(), i) == w.end()) u.push_back(i);
    }
    REQUIRE(u.size() == kept.size());
    const duals::AccelerationMap map(equations, kept, u, w, {q.data(), q.data() + n});

    // Arguments in the order w, w', t, a few directions at a time.
    const std::size_t d = static_cast<std::size_t>(s.d), arguments = 2 * d + 1;
    Matrix q_w(n, s.d), M_full(n, n);
    for (std::size_t begin = 0; begin < arguments; begin += duals::directions) {
      duals::DualVector at;
      for (double x : s.w) at.emplace_back(x);
      for (double x : s.w_dot) at.emplace_back(x);
      at.emplace_back(s.t);
      const std::size_t end = std::min(begin + duals::directions, arguments);
      for (std::size_t k = begin; k < end; ++k) at[k].d[k - begin] = 1;
      const auto middle = at.begin() + static_cast<std::ptrdiff_t>(d);
      const auto point = map(at.back(), {at.begin(), middle}, {middle, at.end() - 1});
      for (std::size_t k = begin; k < end; ++k) {
        const Index column = static_cast<Index>(k < d ? k : k - d);
        for (Index i = 0; i < s.d; ++i) {
          const duals::Scalar& a = point.acceleration[static_cast<std::size_t>(i)];
          acceleration[i] = a.v;
          (k < d ? J1(i, column) : k < 2 * d ? J2(i, column) : Jt[i]) = a.d[k - begin];
        }
        for (Index i = 0; k < d && i < n; ++i) q_w(i, column) = point.q[static_cast<std::size_t>(i)].d[k - begin];
      }
      for (Index i = 0; i < n; ++i) {
        for (Index j = 0; j < n; ++j)
          M_full(i, j) = point.M(static_cast<std::size_t>(i), static_cast<std::size_t>(j)).v;
      }
    }
    M = q_w.transpose() * M_full * q_w;
  }

  Vector acceleration;
  Matrix M, J1, J2;
  Vector Jt;
};

/// Largest difference of a column from the exact one, against its length; against the mean length, or `least`, where
/// those are longer by far.
double difference(const Matrix& A, const Matrix& exact, double least) {
  double largest = 0;
  const double mean = exact.norm() / std::sqrt(static_cast<double>(exact.cols()));
  for (Eigen::Index k = 0; k < A.cols(); ++k) {
    largest = std::max(largest, (A.col(k) - exact.col(k)).norm() / (exact.col(k).norm() + 0.01 * mean + least));
  }
  return largest;
}

/// Differences of the view from the map: of w'', M^, M^ J1, M^ J2, M^ d(w'')/dt.
std::array<double, 5> differences(InMotion& s, const duals::Equations& equations) {
  REQUIRE(s.system->linearize(s.t, view(s.w), view(s.w_dot)));
  const auto M = s.columns([&](auto y, auto out) { return s.system->apply_mass(y, out); });
  const auto MJ1 = s.columns([&](auto y, auto out) { return s.system->apply_J1(y, out); });
  const auto MJ2 = s.columns([&](auto y, auto out) { return s.system->apply_J2(y, out); });
  Vector MJt(s.d);
  REQUIRE(s.system->time_gradient(view(MJt)));
  const Vector a = s.acceleration(s.t, s.w, s.w_dot);
  const WholeMap exact(s, equations);
  const Matrix& M_exact = exact.M;
  const double least = 1e-4 * M.norm();  // some models have no J1 or J2 at all, but for rounding
  return {difference(a, exact.acceleration, 1e-6), difference(M, M_exact, 0),
          difference(MJ1, M_exact * exact.J1, least), difference(MJ2, M_exact * exact.J2, least),
          difference(MJt, M_exact * exact.Jt, least)};
}

}  // namespace

TEST_CASE("M^, M^ J1, M^ J2 and M^ d(w'')/dt are those of the accelerations differentiated as a whole" *
          doctest::test_suite("papers")) {
  const char* const names[] = {"w''", "M^, (1)", "M^ J1, (31)", "M^ J2, (33)", "M^ d(w'')/dt"};
  const std::vector<std::string> shown = {"hmmwv.json", "hmmwv_stiff.json", "double_pendulum.json",
                                          "slider_crank.json"};
  constexpr Index most_bodies = 20;
  std::vector<std::string> covered;
  std::string unknown;
  std::array<double, 5> largest{};
  for (const auto& file : mechanisms(most_bodies)) {
    CAPTURE(file.string());
    if (!load_run_file(file).signals.empty()) continue;  // signal_gradients_test has those; the twin in duals has none
    InMotion s(file);
    if (!s.moves || s.model.internal_states() > 0) continue;  // the map has no states
    duals::Equations equations;
    try {
      equations = duals::equations(s.loaded);
    } catch (const duals::NotCovered& element) {
      unknown += std::string(" ") + element.what();
      continue;
    }
    covered.push_back(file.filename().string());
    // Rounding grows with the condition of Phi_u, and most with the HMMWV's 18 degrees of freedom: up to 7e-10 there,
    // 5e-12 elsewhere.
    const double limit = covered.back().starts_with("hmmwv") ? 1e-8 : 1e-10;
    const std::array<double, 5> found = differences(s, equations);
    for (std::size_t k = 0; k < found.size(); ++k) {
      CAPTURE(k);
      CHECK(found[k] < limit);
      if (std::find(shown.begin(), shown.end(), covered.back()) != shown.end()) {
        const std::string what = covered.back() + ": difference of " + names[k];
        check_paper_row({"Sandu, (27) to (35)", what, PaperFigure::none, 0, limit}, found[k]);
      }
      largest[k] = std::max(largest[k], found[k]);
    }
  }
  MESSAGE(covered.size() << " models compared; largest differences: w'' " << largest[0] << ", M " << largest[1]
                         << ", M J1 " << largest[2] << ", M J2 " << largest[3] << ", M d(w'')/dt " << largest[4]
                         << "; left out for want of equations:" << unknown);
  CHECK(covered.size() >= 100);
  for (const char* name :
       {"hmmwv.json", "hmmwv_stiff.json", "hmmwv_10dof.json", "double_pendulum.json", "slider_crank.json"}) {
    CAPTURE(name);
    CHECK(std::count(covered.begin(), covered.end(), name) == 1);
  }
}

TEST_CASE("the same for a slider-crank in a frame that a harmonic driver swings") {
  InMotion s(temporary_run_file(R"json({
    "trammel": 1,
    "system": {
      "type": "spatial", "gravity": [0, -9.81, 0],
      "bodies": {
        "frame": { "mass": 2, "inertia": [0.1, 0.2, 0.3], "position": [0.1, 0, 0.2] },
        "crank": { "mass": 1, "inertia": [0.1, 0.1, 0.045], "angular_velocity": [0, 0, 2] },
        "rod": { "mass": 1, "inertia": [0.0001, 0.007, 0.007], "position": [0.24, 0.12, 0],
                 "rotation": { "axis": [0, 0, 1], "angle": "=-asin(0.6)" } },
        "slider": { "mass": 0.5, "inertia": [0.01, 0.02, 0.03], "position": [0.4, 0, 0] }
      },
      "constraints": {
        "column": { "type": "revolute", "bodies": ["ground", "frame"], "at": [0, 0, 0], "axis": [1, 2, 0] },
        "swing": { "type": "angle_driver", "bodies": ["ground", "frame"], "axis": [1, 2, 0],
                   "function": { "type": "harmonic", "amplitude": 0.1, "frequency": 2 } },
        "pin": { "type": "revolute", "bodies": ["frame", "crank"], "at": [0, 0, 0], "axis": [0, 0, 1] },
        "knee": { "type": "revolute", "bodies": ["crank", "rod"], "at": [0, 0.3, 0], "axis": [0, 0, 1] },
        "end": { "type": "spherical", "bodies": ["rod", "slider"], "at": [0.4, 0, 0] },
        "guide": { "type": "translational", "bodies": ["frame", "slider"], "at": [0.4, 0, 0], "axis": [1, 0, 0] }
      }
    },
    "analysis": { "type": "dynamics", "duration": 1 },
    "formulation": { "type": "coordinate_partitioning" },
    "integrator": { "type": "dopri5" }
  })json",
                                "driven_slider_crank.json"));
  REQUIRE(s.moves);
  CHECK(s.d == 1);
  for (const double error : differences(s, duals::equations(s.loaded))) CHECK(error < 1e-10);
  Vector MJt(s.d);
  REQUIRE(s.system->time_gradient(view(MJt)));
  CHECK(MJt.norm() > 1e-3);  // the driver is felt
}
