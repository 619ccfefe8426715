// A shipped model at a random state under the second-order view of a formulation, for tests of that view.
#pragma once

#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "built_component.h"
#include "loaded_model.h"
#include "run/plant/whole_model.h"
#include "trammel/extensions/second_order_formulation.h"
#include "trammel/extensions/system_extensions.h"

namespace trammel {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

inline VectorView view(Vector& x) { return {x.data(), static_cast<Index>(x.size())}; }

/// A model in motion under the formulation's second-order view.
struct InMotion {
  static constexpr double t = 0.31;  // no break point of any shipped function is near

  explicit InMotion(const std::filesystem::path& file, const char* treatment = "coordinate_partitioning")
      : loaded(file),
        model(loaded.numbers),
        whole(model, true),
        built(ComponentKind::formulation, treatment, {{{"tolerance", 1e-13}}, {}, {}}),
        formulation(*built),
        reduction(*find_extension<SecondOrderFormulation>(formulation)) {
    ProjectionReport report;
    VectorView q = LoadedModel::view(loaded.q), v = LoadedModel::view(loaded.v);
    // A run refuses this view where rows hold for velocities only: its w' are independent.
    if (model.assembly().velocity_rows() > 0) return;
    moves = disturb() && model.evaluate(t, q, v, {}, evaluate_jacobian);
    if (!moves) return;
    const Index rows = model.constraints() - model.rank().choose_rows(1e-6);
    moves = model.coordinates() > rows && model.project_velocities(t, q, v, ProjectionWeights::mass, report);
    if (!moves) return;
    random_states();
    const WholeModel::Point point = whole.joined({q, v, LoadedModel::view(z)});
    ConstrainedSystem& seen = whole.system();
    const MemorySize size = formulation.memory(seen);
    state.assign(static_cast<std::size_t>(size.state), 0.0);
    scratch.assign(static_cast<std::size_t>(size.scratch), 0.0);
    const Memory memory{state.data(), scratch.data()};
    system = reduction.bind(seen, memory);
    REQUIRE(formulation.start(seen, t, point.q, point.v, memory));
    d = system->size();
    w.resize(d), w_dot.resize(d);
    REQUIRE(reduction.embed_second_order(seen, t, point.q, point.v, memory, view(w), view(w_dot)));
  }

  /// Near the given ones, by amounts of their own size.
  void random_states() {
    z = loaded.z;
    std::mt19937 generator(7);
    std::uniform_real_distribution<double> amount(-0.1, 0.1);
    for (double& x : z) x += amount(generator) * (1 + std::abs(x));
  }

  Vector acceleration(double at, const Vector& x, const Vector& x_dot) {
    Vector a(d);
    REQUIRE(system->acceleration(at, {x.data(), d}, {x_dot.data(), d}, view(a)));
    return a;
  }
  Matrix columns(const std::function<Status(ConstVectorView, VectorView)>& apply) const {
    Matrix A(d, d);
    for (Index k = 0; k < d; ++k) {
      Vector unit = Vector::Unit(d, k), column(d);
      REQUIRE(apply(view(unit), view(column)));
      A.col(k) = column;
    }
    return A;
  }

  /// A random state that obeys the constraints at t, as far from the given one as that is possible.
  bool disturb() {
    const auto seed = static_cast<unsigned>(model.coordinates());
    for (const double size : {0.03, 0.01, 0.003, 0.0}) {
      loaded.disturb(seed, size);
      std::mt19937 generator(seed);
      std::uniform_real_distribution<double> amount(-0.4, 0.4);
      for (double& x : loaded.v) x += amount(generator);
      ProjectionReport report;
      if (model.project_positions(t, LoadedModel::view(loaded.q), ProjectionWeights::identity, 1e-13, report))
        return true;
    }
    return false;
  }

  LoadedModel loaded;
  ConstrainedModel& model;
  WholeModel whole;
  std::vector<double> z;
  bool moves = false;
  BuiltComponent<Formulation> built;
  const Formulation& formulation;
  const SecondOrderFormulation& reduction;
  std::vector<double> state, scratch;
  SecondOrderSystem* system = nullptr;
  Index d = 0;
  Vector w, w_dot;
};

/// All run files with bodies that the view accepts: some freedom, and not more bodies than the test
/// can afford.
inline std::vector<std::filesystem::path> mechanisms(Index most_bodies) {
  std::vector<std::filesystem::path> files;
  for (const char* folder : {"configs", "plugins"}) {
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(std::filesystem::path(TRAMMEL_SOURCE_DIR) / folder)) {
      if (entry.path().extension() != ".json") continue;
      std::ifstream file(entry.path());
      const std::string text((std::istreambuf_iterator<char>(file)), {});
      if (text.find("\"trammel\"") == std::string::npos || text.find("\"bodies\"") == std::string::npos) continue;
      const RunFile run = load_run_file(entry.path());
      if (run.bodies.empty() || static_cast<Index>(run.bodies.size()) > most_bodies) continue;
      files.push_back(entry.path());
    }
  }
  return files;
}

}  // namespace trammel
