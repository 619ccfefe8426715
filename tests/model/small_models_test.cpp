// Small models: numbers of a point that was left and is come back to, and full matrices in place of sparse ones, on
// every shipped model.
#include <doctest/doctest.h>

#include <cmath>

#include "linalg/sparse_lu.h"
#include "loaded_model.h"
#include "model/archive.h"
#include "random_vector.h"
#include "shipped_models.h"
#include "trammel/math/kkt_entries.h"

using namespace trammel;

namespace {

constexpr unsigned everything = evaluate_dynamics | evaluate_jacobian | evaluate_Phi | evaluate_nu;

std::vector<double> numbers_of(ConstVectorView x) { return {x.data, x.data + x.size}; }

/// What a model says at its point: rows, forces, accelerations and multipliers.
std::vector<std::vector<double>> look(LoadedModel& m) {
  ConstrainedModel& x = m.numbers;
  REQUIRE(x.factorize(ProjectionWeights::mass));
  std::vector<double> a(m.q.size()), lambda(static_cast<std::size_t>(x.constraints()));
  REQUIRE(x.solve(x.Q(), x.gamma(), LoadedModel::view(a), LoadedModel::view(lambda)));
  return {numbers_of(x.Phi()),
          numbers_of(x.nu()),
          numbers_of(x.gamma()),
          numbers_of(x.Q()),
          numbers_of(x.z_rate()),
          a,
          lambda};
}

/// Ready to be evaluated: rows that depend on others are left out, memories have begun.
void begin(LoadedModel& m) {
  REQUIRE(m.evaluate(evaluate_jacobian));
  m.numbers.rank().choose_rows(1e-6);
}

/// The position of one seed with the velocities of another.
void place(LoadedModel& m, unsigned position, unsigned velocity) {
  m.disturb(velocity, 1e-3);
  const std::vector<double> v = m.v;
  m.disturb(position, 1e-3);
  m.v = v;
}

}  // namespace

TEST_CASE(
    "back at a point, with other velocities: the same bits as where the model never left, on every shipped model") {
  int spared = 0, models = 0;
  for (const std::filesystem::path& file : shipped_models(20)) {
    CAPTURE(file.string());
    LoadedModel m(file), other(file);
    begin(m), begin(other);
    place(m, 3, 3);
    REQUIRE(m.evaluate(everything));
    look(m);
    place(m, 4, 4);
    REQUIRE(m.numbers.evaluate(0.31, LoadedModel::view(m.q), {}, LoadedModel::view(m.z), evaluate_Phi));
    const long factorized = m.numbers.parts().kkt.factorizations;
    place(m, 3, 5), place(other, 3, 5);
    REQUIRE(m.evaluate(everything));
    REQUIRE(other.evaluate(everything));
    CHECK(look(m) == look(other));
    ++models;
    if (m.numbers.parts().kkt.factorizations == factorized) ++spared;
  }
  CHECK(models > 100);
  CHECK(spared > 100);
}

TEST_CASE("to and fro between two points whose Jacobians are known: each keeps its own numbers") {
  for (const std::filesystem::path& file : shipped_models(3)) {
    CAPTURE(file.string());
    LoadedModel m(file), one(file), two(file);
    begin(m), begin(one), begin(two);
    place(one, 3, 3), place(two, 4, 4);
    REQUIRE(one.evaluate(everything));
    REQUIRE(two.evaluate(everything));
    const auto first = look(one), second = look(two);
    for (int round = 0; round < 3; ++round) {
      place(m, 3, 3);
      REQUIRE(m.evaluate(everything));
      CHECK(look(m) == first);
      place(m, 4, 4);
      REQUIRE(m.evaluate(everything));
      CHECK(look(m) == second);
    }
  }
}

TEST_CASE("a point that the model comes back to is another one where elements have changed or steps were accepted") {
  const std::filesystem::path file =
      std::filesystem::path(TRAMMEL_SOURCE_DIR) / "configs/papers/bustos/dae_pendulum.json";
  LoadedModel m(file);
  begin(m);
  const auto go = [&](unsigned seed) {
    place(m, seed, seed);
    REQUIRE(m.evaluate(everything));
    return m.numbers.point().moves();
  };
  const long here = go(3), there = go(4);
  CHECK(go(3) == here);
  CHECK(go(4) == there);
  m.numbers.point().invalidate();
  CHECK(go(3) != here);
  const long again = go(4);
  m.numbers.point().update_angle_references();
  CHECK(go(3) != here);
  CHECK(go(4) == again);
}

TEST_CASE("a factorization of another point in between is the end of the one before") {
  const std::filesystem::path file =
      std::filesystem::path(TRAMMEL_SOURCE_DIR) / "configs/papers/bustos/dae_pendulum.json";
  LoadedModel m(file);
  begin(m);
  const auto factorizations = [&](unsigned seed, ProjectionWeights weights) {
    place(m, seed, seed);
    REQUIRE(m.evaluate(everything));
    const long before = m.numbers.parts().kkt.factorizations;
    REQUIRE(m.numbers.factorize(weights));
    return m.numbers.parts().kkt.factorizations - before;
  };
  CHECK(factorizations(3, ProjectionWeights::mass) == 1);
  CHECK(factorizations(3, ProjectionWeights::identity) == 1);
  CHECK(factorizations(3, ProjectionWeights::mass) == 0);
  CHECK(factorizations(4, ProjectionWeights::identity) == 1);
  CHECK(factorizations(3, ProjectionWeights::mass) == 1);
}

TEST_CASE("matrices of up to sixteen unknowns: full and sparse factors solve the same, redundant rows or not") {
  int models = 0, redundant = 0;
  for (const std::filesystem::path& file : shipped_models(20)) {
    LoadedModel m(file);
    begin(m);
    place(m, 3, 3);
    REQUIRE(m.evaluate(everything));
    const KktMatrix& k = m.numbers.parts().kkt.with_all_numbers();
    const Index size = kkt_size(k);
    if (size > SmallLu<double>::most_unknowns) continue;
    CAPTURE(file.string());
    std::vector<std::pair<Index, Index>> entries;
    each_kkt_entry(k, [&](Index row, Index column, double) { entries.emplace_back(row, column); });
    SparseLu full, sparse(true);
    std::vector<double> b = random_vector(static_cast<std::size_t>(size), 7);
    std::vector<double> x = b, y = b, x_transposed = b, y_transposed = b;
    Status status[2];
    int which = 0;
    for (SparseLu* lu : {&full, &sparse}) {
      lu->analyse(size, entries);
      lu->fill([&](auto& add) { each_kkt_entry(k, [&](Index, Index, double value) { add(value); }); });
      status[which++] = lu->factorize();
    }
    if (!status[1]) continue;  // singular inertia in a direction that is free
    REQUIRE(status[0]);
    ++models;
    if (m.numbers.rank().redundant() > 0) ++redundant;
    full.solve(x.data()), sparse.solve(y.data());
    full.solve(x_transposed.data(), 1, true), sparse.solve(y_transposed.data(), 1, true);
    double largest = 0, off = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      largest = std::max({largest, std::abs(y[i]), std::abs(y_transposed[i])});
      off = std::max({off, std::abs(x[i] - y[i]), std::abs(x_transposed[i] - y_transposed[i])});
    }
    CHECK(off <= 1e-9 * largest);
  }
  CHECK(models > 50);
  MESSAGE(models, " models, ", redundant, " with redundant rows");
}

TEST_CASE(
    "set back to an earlier state, a model takes nothing of what came between for the next one, on every shipped "
    "model") {
  constexpr unsigned parts = evaluate_dynamics | evaluate_nu;  // rows may be evaluated when a solver asks for them
  int models = 0, on_demand = 0;
  for (const std::filesystem::path& file : shipped_models(20)) {
    CAPTURE(file.string());
    LoadedModel m(file), other(file);
    begin(m), begin(other);
    for (const int between : {1, 2, 5}) {
      CAPTURE(between);
      Archive archive;
      m.numbers.remember(archive);
      for (int k = 0; k < between; ++k) {
        place(m, 10 + k, 20 + k);
        REQUIRE(m.evaluate(parts));
        look(m);
      }
      const long last = m.numbers.point().moves();
      archive.restore_from_here();
      m.numbers.remember(archive);
      for (int k = 0; k < between; ++k) {
        place(m, 30 + k, 40 + k);
        REQUIRE(m.evaluate(parts));
      }
      CHECK(m.numbers.point().moves() > last);  // by which others know what they worked out where
      place(other, 30 + between - 1, 40 + between - 1);
      REQUIRE(other.evaluate(parts));
      CHECK(look(m) == look(other));
    }
    ++models;
    if (m.numbers.point().rows.on()) ++on_demand;
  }
  CHECK(models > 100);
  CHECK(on_demand > 10);
}
