// Gradients in twists against those of coordinates turned into twists, and what they spare the linearization.
#include <doctest/doctest.h>

#include <cmath>
#include <set>

#include "loaded_model.h"
#include "random_vector.h"
#include "shipped_models.h"
#include "trammel/extensions/free_directions.h"
#include "trammel/extensions/implicit_twists.h"

using namespace trammel;

namespace {

/// Blocks in twists: the largest difference over the largest number.
double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 1, off = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::abs(b[i]));
    off = std::max(off, std::abs(a[i] - b[i]));
  }
  return std::isnan(off) ? 1 : off / largest;
}

/// The columns of T of a body by TwistForm: E column by column, then n; c numbers each.
std::vector<double> motion_columns(const TwistForm& form, LoadedModel& m, Index body) {
  const Assembly& assembly = m.numbers.assembly();
  const Index bodies = assembly.bodies(), c = assembly.body_coordinates(), size = form.size();
  const Index stride = size == 6 ? 8 : 4;
  std::vector<double> twists(static_cast<std::size_t>(bodies * stride)), x(static_cast<std::size_t>(bodies * c));
  std::vector<double> g(static_cast<std::size_t>(bodies)), columns;
  const auto keep = [&] {
    form.accelerations(m.numbers.point().body_state(0), twists.data(), LoadedModel::view(g), LoadedModel::view(x));
    columns.insert(columns.end(), x.begin() + body * c, x.begin() + (body + 1) * c);
  };
  for (Index k = 0; k < size; ++k) {
    double& entry = twists[static_cast<std::size_t>(body * stride + (size == 6 && k > 2 ? k + 1 : k))];
    entry = 1;
    keep();
    entry = 0;
  }
  if (size == 6) {
    g[static_cast<std::size_t>(body)] = 1;
    keep();
  }
  return columns;
}

/// T_i^T A T_j as a block is stored, by the definition.
std::vector<double> turned(const std::vector<double>& T_i, const std::vector<double>& A, const std::vector<double>& T_j,
                           int size) {
  const int c = size == 6 ? 7 : 3, columns = size == 6 ? 7 : 3;
  using Matrix = Eigen::Map<const Eigen::MatrixXd>;
  const Eigen::MatrixXd B =
      Matrix(T_i.data(), c, columns).transpose() * Matrix(A.data(), c, c) * Matrix(T_j.data(), c, columns);
  std::vector<double> block(size == 6 ? 64 : 12, 0.0);
  const auto place = [&](int k) { return size == 6 && k > 2 ? k + 1 : k; };
  for (int j = 0; j < columns; ++j) {
    for (int i = 0; i < size; ++i) block[static_cast<std::size_t>(j * (size == 6 ? 8 : 4) + place(i))] = B(i, j);
  }
  for (int j = 0; size == 6 && j < 6; ++j) block[static_cast<std::size_t>(56 + place(j))] = B(6, j);
  if (size == 6) block[59] = B(6, 6);
  return block;
}

}  // namespace

TEST_CASE("blocks in twists are T^T A T of those of coordinates, off |p| = 1 too") {
  std::set<std::string> types;
  int bodies = 0;
  for (const std::filesystem::path& file : shipped_models(20)) {
    CAPTURE(file.string());
    LoadedModel m(file);
    const auto* form = find_extension<TwistForm>(m.model);
    const auto* twists = find_extension<ImplicitTwists>(m.model);
    const Assembly& assembly = m.numbers.assembly();
    const BodyTable& table = assembly.table;
    if (form == nullptr || twists == nullptr || table.mixed() || table.width(0) < table.frame_columns()) continue;
    m.disturb(5, 0.05);
    REQUIRE(m.evaluate(evaluate_dynamics));
    const int size = form->size();
    const auto c = static_cast<std::size_t>(table.local()), number = static_cast<std::size_t>(assembly.bodies());
    const void* states = m.numbers.point().body_state(0);
    std::vector<std::vector<double>> T;
    for (Index b = 0; b < assembly.bodies(); ++b) T.push_back(motion_columns(*form, m, b));

    // Bodies: M, K and C of their own and the intrinsic row's multiplier.
    const double c0 = 0.3, c1 = 0.7;
    std::vector<double> a = random_vector(number * c, 1), mu = random_vector(number, 2), M(number * c * c), K = M,
                        Q_q = M, Q_v = M;
    std::vector<double> own(number * (size == 6 ? 64 : 12));
    assembly.motion.mass_blocks(states, M.data());
    assembly.motion.mass_gradient(states, LoadedModel::view(a), K.data());
    REQUIRE(assembly.motion.force_gradients(0.3, states, Q_q.data(), Q_v.data()));
    twists->own_blocks(states, {LoadedModel::view(a), LoadedModel::view(mu), c0, c1, own.data()});
    for (std::size_t b = 0; b < number; ++b, ++bodies) {
      std::vector<double> A(c * c);
      for (std::size_t i = 0; i < c * c; ++i) {
        const std::size_t at = b * c * c + i;
        A[i] = M[at] + c0 * (K[at] - Q_q[at]) - c1 * Q_v[at];
        if (size == 6 && i % (c + 1) == 0 && i / (c + 1) > 2) A[i] += c0 * mu[b];
      }
      const std::size_t block = own.size() / number;
      const std::vector<double> found(own.begin() + static_cast<std::ptrdiff_t>(b * block),
                                      own.begin() + static_cast<std::ptrdiff_t>((b + 1) * block));
      CHECK(difference(found, turned(T[b], A, T[b], size)) < 1e-13);
      // Blocks of any coordinates.
      const std::vector<double> any = random_vector(c * c, 3);
      std::vector<double> added(block, 0.0);
      const CoordinateBlock from{static_cast<Index>(b), 0, any.data(), added.data()};
      twists->add_blocks(states, &from, 1);
      CHECK(difference(added, turned(T[b], any, T[0], size)) < 1e-13);
    }

    for (const ConstraintSlot& slot : assembly.constraints) {
      const auto* joint = find_extension<MultiplierTwists>(*slot.constraint);
      if (joint == nullptr || slot.bodies.size() != 2) continue;
      CAPTURE(slot.type);
      types.insert(slot.type);
      const std::vector<double> lambda = random_vector(static_cast<std::size_t>(slot.rows), 4);
      std::vector<double> full[4], blocks[4];
      MatrixView views[4];
      double* to[4] = {};
      for (std::size_t i = 0; i < 4; ++i) {
        full[i].assign(c * c, 0.0), blocks[i].assign(size == 6 ? 64 : 12, 0.0);
        if (slot.bodies[i / 2] < 0 || slot.bodies[i % 2] < 0) continue;
        const auto w = static_cast<Index>(c);
        views[i] = {full[i].data(), w, w, w}, to[i] = blocks[i].data();
      }
      const ElementState s = m.numbers.point().element_state(slot);
      const ConstVectorView given{lambda.data(), slot.rows};
      REQUIRE(slot.constraint->multiplier_gradient(s, given, views));
      joint->add_multiplier_twists(s, given, 0.5, to);
      for (std::size_t i = 0; i < 4; ++i) {
        if (to[i] == nullptr) continue;
        for (double& x : full[i]) x *= 0.5;
        const auto row = static_cast<std::size_t>(slot.bodies[i / 2]),
                   column = static_cast<std::size_t>(slot.bodies[i % 2]);
        CHECK(difference(blocks[i], turned(T[row], full[i], T[column], size)) < 1e-13);
        if (row != column && !joint->couples()) CHECK(blocks[i] == std::vector<double>(blocks[i].size(), 0.0));
      }
    }
  }
  CHECK(bodies > 100);
  for (const char* type : {"revolute", "spherical", "universal", "cylindrical", "translational", "fixed", "point"})
    CHECK_MESSAGE(types.count(type) == 1, type);
}

TEST_CASE("contractions that nobody asked for are those of their point, wherever the model has gone since") {
  const std::filesystem::path file =
      std::filesystem::path(TRAMMEL_SOURCE_DIR) / "configs/examples/spatial_double_pendulum.json";
  LoadedModel m(file), eager(file);
  const auto n = static_cast<std::size_t>(m.numbers.coordinates()),
             rows = static_cast<std::size_t>(m.numbers.constraints());
  std::vector<double> a = random_vector(n, 1), lambda = random_vector(rows, 2), dq = random_vector(n, 3),
                      dv = random_vector(n, 4), f(n), g(rows), f2(n), g2(rows);
  const auto linearize = [&](LoadedModel& model, unsigned seed) {
    model.disturb(seed, 0.02);
    REQUIRE(model.evaluate(evaluate_dynamics));
    REQUIRE(model.numbers.derivatives().linearize(LoadedModel::view(a), LoadedModel::view(lambda)));
  };
  linearize(m, 1);
  REQUIRE(m.numbers.derivatives().prepare(1e-4, 1e-2));
  CHECK(std::string(m.numbers.parts().implicit_factors.real(0).solver()) == "twists");
  linearize(m, 2);
  CHECK_FALSE(m.numbers.parts().linearization.made());  // none were formed
  m.disturb(3, 0.02);
  REQUIRE(m.evaluate(evaluate_dynamics));
  const std::vector<double> Q(m.numbers.Q().data, m.numbers.Q().data + n);
  REQUIRE(m.numbers.derivatives().apply_linearization(LoadedModel::view(dq), LoadedModel::view(dv),
                                                      LoadedModel::view(f), LoadedModel::view(g)));
  linearize(eager, 2);
  REQUIRE(eager.numbers.derivatives().apply_linearization(LoadedModel::view(dq), LoadedModel::view(dv),
                                                          LoadedModel::view(f2), LoadedModel::view(g2)));
  CHECK(f == f2);
  CHECK(g == g2);
  CHECK(std::vector<double>(m.numbers.Q().data, m.numbers.Q().data + n) == Q);
  CHECK(m.numbers.point().q() == m.q);
}

TEST_CASE("where a light body carries a heavy one along its free direction, fronts take over") {
  for (const double mass : {1.0, 1e-9}) {
    CAPTURE(mass);
    const std::string number = std::to_string(mass * 1e9) + "e-9";
    LoadedModel m(system_file(R"json("type": "planar", "bodies": {
        "cart": { "mass": )json" +
                              number + R"json(, "inertia": 0.1 },
        "load": { "mass": 1, "inertia": 0.1, "position": [0.5, 0] },
        "others": { "mass": 1, "inertia": 0.1 },
        "more": { "mass": 1, "inertia": 0.1 },
        "rest": { "mass": 1, "inertia": 0.1 } },
      "constraints": {
        "rail": { "type": "translational", "bodies": ["ground", "cart"], "at": [0, 0], "axis": [1, 0] },
        "bed": { "type": "translational", "bodies": ["cart", "load"], "at": [0.5, 0], "axis": [1, 0] } })json"));
    const auto n = static_cast<std::size_t>(m.numbers.coordinates()),
               rows = static_cast<std::size_t>(m.numbers.constraints());
    std::vector<double> a(n, 0.0), lambda(rows, 0.0), f(n, 0.0), g(rows, 0.0), x(n), mu(rows);
    REQUIRE(m.evaluate(evaluate_dynamics));
    REQUIRE(m.numbers.derivatives().linearize(LoadedModel::view(a), LoadedModel::view(lambda)));
    REQUIRE(m.numbers.derivatives().prepare(0, 0));
    CHECK(m.numbers.parts().implicit_factors.real(0).solver() == std::string(mass == 1 ? "twists" : "fronts"));
    f[0] = mass, f[3] = 2;  // each slides alone
    REQUIRE(m.numbers.derivatives().solve_implicit(LoadedModel::view(f), LoadedModel::view(g), LoadedModel::view(x),
                                                   LoadedModel::view(mu)));
    CHECK(x[0] == doctest::Approx(1));
    CHECK(x[3] == doctest::Approx(2));
  }
}
