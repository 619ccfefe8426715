// Mobility report.
#include "model/mobility.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "linalg/dense.h"
#include "linalg/dependence.h"
#include "linalg/sizes.h"
#include "model/some_names.h"

namespace trammel {
namespace {

constexpr double nearby = 1e-3;        // m or rad: far enough to leave a singular configuration
constexpr double no_stiffness = 1e-9;  // of the largest stiffness, or of 1/s^2

/// Connected bodies by constraints; ground is the entry behind the last body.
std::vector<Index> components(const Assembly& assembly) {
  std::vector<Index> parent(count(assembly.bodies() + 1));
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](Index i) {
    while (parent[count(i)] != i) i = parent[count(i)] = parent[count(parent[count(i)])];
    return i;
  };
  const auto node = [&](Index body) { return body >= 0 ? body : assembly.bodies(); };
  for (const ConstraintSlot& slot : assembly.constraints) {
    // An element over one body holds it in space.
    const Index first = slot.bodies.size() == 1 ? assembly.bodies() : node(slot.bodies[0]);
    for (Index body : slot.bodies) parent[count(root(node(body)))] = root(first);
  }
  std::vector<Index> component(parent.size());
  for (Index i = 0; i < static_cast<Index>(parent.size()); ++i) component[count(i)] = root(i);
  return component;
}

void find_loose_bodies(const Assembly& assembly, Mobility& report) {
  const std::vector<Index> component = components(assembly);
  std::vector<std::vector<std::string>> groups(component.size());
  std::vector<bool> touched(count(assembly.bodies()), false);
  const auto touch = [&](const ElementSlot& slot) {
    for (Index body : slot.bodies) {
      if (body >= 0) touched[count(body)] = true;
    }
  };
  for (const ConstraintSlot& slot : assembly.constraints) touch(slot);
  for (const ForceSlot& slot : assembly.forces) touch(slot);
  for (Index b = 0; b < assembly.bodies(); ++b) {
    if (!touched[count(b)]) {
      report.untouched.push_back(assembly.body_names[count(b)]);
    } else if (component[count(b)] != component.back()) {
      groups[count(component[count(b)])].push_back(assembly.body_names[count(b)]);
    }
  }
  for (std::vector<std::string>& group : groups) {
    if (!group.empty()) report.floating.push_back(std::move(group));
  }
}

/// Null space of [Phi_q; intrinsic rows], columns orthonormal in the model's unit.
Eigen::MatrixXd tangent_space(ConstrainedModel& model) {
  const Index n = model.coordinates(), m = model.constraints();
  if (m == 0) return Eigen::MatrixXd::Identity(n, n);
  Eigen::MatrixXd transposed(n, m);
  Eigen::VectorXd unit = Eigen::VectorXd::Zero(m), row(n);
  for (Index r = 0; r < m; ++r) {
    unit[r] = 1;
    model.apply_jacobian_transpose(view(unit), view(row));
    model.unit().multiply_coordinates(view(row));
    transposed.col(r) = row.normalized();
    unit[r] = 0;
  }
  Eigen::MatrixXd T = dense::left_null_space(transposed, dependence_threshold);
  for (Eigen::Index j = 0; j < T.cols(); ++j) model.unit().multiply_coordinates({T.col(j).data(), n});
  return T;
}

// Stiffness and mass on the tangent space at rest: T^T ((Phi_q^T lambda)_q - Q_q) T with the multipliers that carry as
// much of the static load as constraints can.
void find_zero_modes(ConstrainedModel& model, double t, ConstVectorView q, ConstVectorView z, Mobility& report) {
  const Index n = model.coordinates(), m = model.constraints();
  if (model.assembly().velocity_rows() > 0) {
    report.modes_unknown = "some rows hold for velocities only";
    return;
  }
  if (n > largest_dense_null_space) {
    report.modes_unknown = "the model is too large";
    return;
  }
  Eigen::VectorXd rest = Eigen::VectorXd::Zero(n), f(n), g(m), a(n), lambda(m), zero_m = Eigen::VectorXd::Zero(m);
  Status status = model.evaluate(t, q, view(rest), z, evaluate_dynamics | evaluate_Phi);
  if (status) status = model.factorize(ProjectionWeights::identity);
  if (status) status = model.solve(model.Q(), view(zero_m), view(a), view(lambda));
  a.setZero();
  if (status) status = model.derivatives().linearize(view(a), view(lambda));
  if (!status) {
    report.modes_unknown =
        fmt::format("the forces at this state have no gradients ({} {})", status.what, status_name(status.code));
    return;
  }
  const Eigen::MatrixXd T = tangent_space(model);
  if (T.cols() == 0) return;
  Eigen::MatrixXd K(n, T.cols()), M(n, T.cols());
  for (Eigen::Index j = 0; j < T.cols(); ++j) {
    Eigen::VectorXd direction = T.col(j);
    model.derivatives().apply_linearization(view(direction), view(rest), view(f), view(g));
    K.col(j) = f;
    model.apply_mass(view(direction), view(f));
    M.col(j) = f;
  }
  Eigen::MatrixXd reduced_K = T.transpose() * K, reduced_M = T.transpose() * M;
  reduced_K = (0.5 * (reduced_K + reduced_K.transpose())).eval();
  const auto modes = dense::symmetric_pairs(reduced_K, reduced_M);
  if (!modes) {
    report.modes_unknown = "bodies have next to no mass or inertia in a direction in which they can move";
    return;
  }
  const double small = no_stiffness * std::max(1.0, modes->s.cwiseAbs().maxCoeff());
  for (Eigen::Index j = 0; j < T.cols(); ++j) {
    const double stiffness = modes->s[j];
    if (stiffness < -small) ++report.unstable_modes;
    if (std::abs(stiffness) > small) continue;
    Eigen::Index largest = 0;
    (T * modes->x.col(j)).cwiseAbs().maxCoeff(&largest);
    report.zero_modes.push_back({model.coordinate_name(static_cast<Index>(largest))});
  }
}

/// Redundant rows a small admissible motion away; at a singular configuration some of them count again there.
Index redundant_nearby(ConstrainedModel& model, double t, ConstVectorView q, ConstVectorView z) {
  Eigen::VectorXd moved = q.map(), direction(q.size);
  std::mt19937 generator(1);
  std::uniform_real_distribution<double> amount(-1, 1);
  for (double& x : direction) x = amount(generator);
  if (!model.evaluate(t, q, {}, z, evaluate_Phi | evaluate_jacobian) || !model.factorize(ProjectionWeights::identity)) {
    return model.rank().redundant();
  }
  model.project_tangent(view(direction));
  if (direction.size() == 0 || direction.norm() == 0) return model.rank().redundant();
  moved += nearby / model.unit().largest_coordinate(view(direction)) * direction;
  ProjectionReport report;
  Status status = model.project_positions(t, view(moved), ProjectionWeights::identity, 1e-12, report);
  if (status) status = model.evaluate(t, view(moved), {}, z, evaluate_Phi | evaluate_jacobian);
  return status ? model.rank().choose_rows(dependence_threshold) : model.rank().redundant();
}

}  // namespace

Mobility analyse_mobility(ConstrainedModel& model, double t, ConstVectorView q, ConstVectorView z) {
  const Assembly& assembly = model.assembly();
  Mobility report{};
  report.bodies = assembly.bodies();
  report.coordinates = model.coordinates();
  report.rows = model.constraints();
  report.redundant = model.rank().redundant();
  report.degrees_of_freedom = report.coordinates - report.rows + report.redundant;
  report.velocity_rows = assembly.velocity_rows();
  report.position_freedoms =
      report.coordinates - (report.rows - report.velocity_rows) + model.rank().redundant_positions();
  report.sets = redundant_sets(model);
  find_loose_bodies(assembly, report);
  find_zero_modes(model, t, q, z, report);
  report.nearby_redundant = redundant_nearby(model, t, q, z);
  if (model.evaluate(t, q, {}, z, evaluate_Phi | evaluate_jacobian)) model.rank().choose_rows(dependence_threshold);
  return report;
}

std::string to_text(const Mobility& m) {
  std::string text =
      fmt::format("  {}: {} with {}, {}, {} of them redundant\n",
                  counted(m.degrees_of_freedom, "degree of freedom", "degrees of freedom"),
                  counted(m.bodies, "body", "bodies"), counted(m.coordinates, "coordinate", "coordinates"),
                  counted(m.rows, "constraint row", "constraint rows"), m.redundant);
  if (m.velocity_rows > 0) {
    text +=
        fmt::format("  {} for velocities only: {} of position, {} of velocity\n",
                    m.velocity_rows == 1 ? "1 of the rows holds" : fmt::format("{} of the rows hold", m.velocity_rows),
                    counted(m.position_freedoms, "freedom", "freedoms"), m.degrees_of_freedom);
  }
  if (m.redundant > 0) text += fmt::format("  {}\n", describe(m.sets, m.rows, 20));
  if (m.nearby_redundant < m.redundant) {
    text += fmt::format(
        "  this state is a singular configuration: after a small motion, the model has {} and {}\n",
        counted(m.nearby_redundant, "redundant row", "redundant rows"),
        counted(m.degrees_of_freedom - m.redundant + m.nearby_redundant, "degree of freedom", "degrees of freedom"));
  }
  for (const auto& group : m.floating) {
    text += fmt::format("  no joint connects '{}' to ground\n", fmt::join(group, "', '"));
  }
  if (!m.untouched.empty()) {
    text += fmt::format("  no constraint and no force element acts on '{}'\n", fmt::join(m.untouched, "', '"));
  }
  if (!m.modes_unknown.empty())
    return text + fmt::format("  motions without stiffness: not computed, because {}\n", m.modes_unknown);
  text += "  " + counted(m.zero_modes.size(), "motion", "motions") + " without stiffness at this state";
  for (std::size_t i = 0; i < std::min<std::size_t>(m.zero_modes.size(), 10); ++i) {
    text += fmt::format("{} '{}'", i == 0 ? ", moving most:" : ",", m.zero_modes[i].coordinate);
  }
  return text + fmt::format("; {} with negative stiffness\n", m.unstable_modes);
}

}  // namespace trammel
