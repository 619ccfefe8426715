// Potential energy at rest.
#include "model/static_energy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "linalg/sizes.h"
#include "plugin/breadcrumb.h"
#include "trammel/extensions/static_potential.h"

namespace trammel {
namespace {

constexpr Index most_newton_steps = 15;
constexpr double dependent_tolerance = 1e-12;  // last change of a dependent coordinate, m or rad
constexpr double longest_newton_step = 0.5;    // m or rad: farther from the constraints Newton's steps mean nothing

/// J; false where the element tells none.
bool potential_of(const ForceSlot& slot, const ElementState& s, double& potential) {
  potential = 0;
  const auto* at_rest = find_extension<StaticPotential>(*slot.force);
  if (at_rest != nullptr && at_rest->static_potential(s, potential)) return true;
  ForceEnergy energy;
  if (!slot.force->energy(s, energy)) return false;
  potential = energy.potential;
  return true;
}

/// Compares the work of one force along small displacements with the change of its potential: with the power
/// W(s) = Q d x/ds along x(s), -h <= s <= h,
///   V(h) - V(-h) = -integral of W = -(h/6) [W(-h) + 4 W(-h/2) + 2 W(0) + 4 W(h/2) + W(h)] + O(h^5)                 (1)
/// The difference to Simpson's rule with half as many points bounds what kinks of the force leave.
class WorkTest {
 public:
  WorkTest(ConstrainedModel& model, ConstVectorView q)
      : model_(model), q_(q.data, q.data + q.size), rest_(q_.size(), 0.0) {}

  bool passes(const ForceSlot& slot) {
    constexpr double far = 0.05;  // of the model's unit, or rad
    std::mt19937 generator(1);
    std::uniform_real_distribution<double> amount(-1, 1);
    const BodyTable& table = model_.assembly().table;
    for (const double away : {0.0, far, far}) {
      std::vector<double> base = q_, d(q_.size(), 0.0);
      for (const Index body : slot.bodies) {
        if (body < 0) continue;
        const Index first = table.first(body), width = table.width(body);
        for (Index i = first; i < first + width; ++i) {
          const double size = model_.unit().column(i);
          base[count(i)] += away * size * amount(generator);
          d[count(i)] = size * amount(generator);
        }
        if (width == SpatialBodyState::coordinates) keep_length(base.data() + first + 3, d.data() + first + 3);
      }
      if (!agrees(slot, base, d)) return false;
    }
    return true;
  }

 private:
  bool agrees(const ForceSlot& slot, const std::vector<double>& base, const std::vector<double>& d) {
    constexpr double h = 1e-4;          // of the model's unit, or rad
    constexpr double agreement = 1e-6;  // of the work
    constexpr double rounding = 1e-11;  // of the potential
    constexpr int ends[] = {0, 4};
    const double length = model_.unit().length(), least = 1e-3 * length * length;  // J
    double V[5] = {}, W[5] = {}, size = 0;
    bool known = true;
    for (int i = 0; i < 5; ++i) {
      std::vector<double> x = base, rate = d;
      move(0.5 * (i - 2) * h, x, rate);
      model_.point().move_states(x, rest_);
      if (!power(slot, rate, W[i], size)) return false;
      if ((i == ends[0] || i == ends[1]) && !potential_of(slot, model_.point().element_state(slot), V[i]))
        known = false;
    }
    const double change = known ? V[4] - V[0] : 0;
    const double coarse = h / 3 * (W[0] + 4 * W[2] + W[4]);
    const double work = h / 6 * (W[0] + 4 * W[1] + 2 * W[2] + 4 * W[3] + W[4]);  // (1)
    const double limit =
        agreement * 2 * h * size + std::abs(work - coarse) + rounding * (std::abs(V[0]) + std::abs(V[4]) + least);
    return std::abs(change + work) <= limit;
  }

  /// Euler parameters of length 1, and their displacement on the sphere.
  static void keep_length(double* p, double* d) {
    const Eigen::Map<Eigen::Vector4d> position(p), displacement(d);
    Eigen::Map<Eigen::Vector4d>(p).normalize();
    Eigen::Map<Eigen::Vector4d>(d) -= position.dot(displacement) * position;
  }

  /// x(s) and dx/ds: a straight line, for Euler parameters a great circle.
  void move(double s, std::vector<double>& x, std::vector<double>& d) const {
    const BodyTable& table = model_.assembly().table;
    for (Index body = 0; body < table.bodies(); ++body) {
      const bool turns = table.width(body) == SpatialBodyState::coordinates;
      const std::size_t first = count(table.first(body)), straight = turns ? 3 : count(table.width(body));
      for (std::size_t k = first; k < first + straight; ++k) x[k] += s * d[k];
      if (!turns) continue;
      Eigen::Map<Eigen::Vector4d> p(x.data() + first + 3), rate(d.data() + first + 3);
      const double speed = rate.norm();
      if (speed == 0) continue;
      const Eigen::Vector4d from = p, along = rate / speed;
      p = std::cos(s * speed) * from + std::sin(s * speed) * along;
      rate = speed * (std::cos(s * speed) * along - std::sin(s * speed) * from);
    }
  }

  bool power(const ForceSlot& slot, const std::vector<double>& d, double& power, double& size) {
    const Index c = model_.assembly().body_coordinates();
    std::vector<double> Q(slot.bodies.size() * count(c), 0.0);
    std::vector<VectorView> local;
    for (std::size_t k = 0; k < slot.bodies.size(); ++k) {
      local.push_back(slot.bodies[k] < 0 ? VectorView{} : VectorView{Q.data() + k * count(c), c});
    }
    const ElementMark mark(slot.plugin.c_str(), slot.name.c_str());
    if (!slot.force->force(model_.point().element_state(slot), local.data())) return false;
    double sum = 0;
    for (std::size_t k = 0; k < slot.bodies.size(); ++k) {
      const BodyTable& table = model_.assembly().table;
      for (Index i = 0; slot.bodies[k] >= 0 && i < table.width(slot.bodies[k]); ++i) {
        const double part = local[k][i] * d[count(table.first(slot.bodies[k]) + i)];
        power += part, sum += std::abs(part);
      }
    }
    size = std::max(size, sum);
    return true;
  }

  ConstrainedModel& model_;
  std::vector<double> q_, rest_;
};

bool has_dry_friction(const ForceSlot& slot) {
  const auto* friction = find_extension<DryFriction>(*slot.force);
  return friction != nullptr && friction->dry_friction();
}

std::string in_words(const ForceSlot& slot) { return fmt::format("force '{}' (type '{}')", slot.name, slot.type); }

}  // namespace

std::vector<std::string> dry_friction_forces(const ConstrainedModel& model) {
  std::vector<std::string> names;
  for (const ForceSlot& slot : model.assembly().forces) {
    if (has_dry_friction(slot)) names.push_back(in_words(slot));
  }
  return names;
}

std::vector<std::string> nonconservative_forces(ConstrainedModel& model, double t, ConstVectorView q) {
  std::vector<std::string> names;
  std::vector<double> rest(count(q.size), 0.0);
  const std::vector<double> z = model.point().z();
  if (!model.evaluate(t, q, view(rest), {z.data(), static_cast<Index>(z.size())}, evaluate_Phi)) return names;
  WorkTest test(model, q);
  for (const ForceSlot& slot : model.assembly().forces) {
    const bool friction = has_dry_friction(slot);
    if (friction || !test.passes(slot)) {
      names.push_back((friction ? "the dry friction of " : "") + in_words(slot));
    }
  }
  model.point().move_states(model.point().q(), model.point().v());
  return names;
}

StaticEnergy::StaticEnergy(ConstrainedModel& model, double t, ConstVectorView q)
    : model_(model),
      t_(t),
      q_(q.data, q.data + q.size),
      before_(q_),
      rest_(q_.size(), 0.0),
      z_(model.point().z()),
      mask_(q_.size(), 0.0),
      rows_(count(model.constraints())),
      step_(q_.size()),
      column_(q_.size()),
      guess_(rows_.size(), 0.0) {}

Status StaticEnergy::choose() {
  Status status = model_.evaluate(t_, view(q_), view(rest_), view(z_), evaluate_dynamics | evaluate_Phi);
  PartitionSolve& partition = model_.parts().partition;
  if (status) status = partition.choose_partition({}, view(mask_));
  if (status) status = partition.factorize_dependent(view(mask_));
  if (!status) return status;
  independent_.clear();
  for (Index i = 0; i < static_cast<Index>(mask_.size()); ++i) {
    if (mask_[count(i)] != 0) independent_.push_back(i);
  }
  w_.resize(size());
  for (Index k = 0; k < size(); ++k) w_[k] = q_[count(independent_[count(k)])];
  return evaluate();
}

Status StaticEnergy::solve_dependent() {
  for (Index i = 0; i < most_newton_steps; ++i) {
    Status status = model_.evaluate(t_, view(q_), view(rest_), view(z_), evaluate_Phi | evaluate_jacobian);
    if (status) status = model_.parts().partition.factorize_dependent(view(mask_));
    if (!status) return status;
    model_.parts().partition.solve_dependent(model_.Phi(), view(step_));
    const double change = model_.unit().largest_coordinate(view(step_));
    if (!(change <= longest_newton_step)) break;
    for (std::size_t k = 0; k < q_.size(); ++k) q_[k] -= step_[k];
    if (change <= dependent_tolerance) return status;
  }
  return Status::failure(StatusCode::not_converged, "dependent coordinates");
}

void StaticEnergy::begin_line(const Eigen::VectorXd& p) {
  line_ = q_;
  line_w_ = w_, line_p_ = p;
  std::fill(column_.begin(), column_.end(), 0.0);
  for (Index k = 0; k < size(); ++k) column_[count(independent_[count(k)])] = p[k];
  model_.apply_jacobian(view(column_), view(rows_));
  model_.parts().partition.solve_dependent(view(rows_), view(step_));
  direction_ = column_;
  for (std::size_t i = 0; i < direction_.size(); ++i) direction_[i] -= step_[i];
}

// Newton's method far from a solution may find one where the mechanism is folded the other way.
bool StaticEnergy::same_branch(double alpha) const {
  constexpr double largest_share = 0.5, always_near = 1e-2;  // of the way; m or rad
  double way = 0, missed = 0;
  for (std::size_t i = 0; i < q_.size(); ++i) {
    const double size = model_.unit().column(static_cast<Index>(i));
    way = std::max(way, std::abs(alpha * direction_[i]) / size);
    missed = std::max(missed, std::abs(q_[i] - predicted_[i]) / size);
  }
  return missed <= std::max(always_near, largest_share * way);
}

Status StaticEnergy::move_along(double alpha) {
  before_ = q_;
  for (std::size_t i = 0; i < q_.size(); ++i) q_[i] = line_[i] + alpha * direction_[i];
  predicted_ = q_;
  Status status = solve_dependent();
  if (status && !same_branch(alpha)) status = Status::failure(StatusCode::not_converged, "dependent coordinates");
  if (status) status = evaluate();
  if (status) {
    w_ = line_w_ + alpha * line_p_;
    model_.point().update_angle_references();
  } else {
    q_ = before_;
  }
  return status;
}

Status StaticEnergy::evaluate() {
  ++evaluations;
  Status status = model_.evaluate(t_, view(q_), view(rest_), view(z_), evaluate_dynamics | evaluate_Phi);
  if (status) status = model_.parts().partition.factorize_dependent(view(mask_));
  if (!status) return status;
  energy_ = model_.assembly().motion.potential_energy(t_, model_.point().body_state(0));
  for (const ForceSlot& slot : model_.assembly().forces) {
    double potential = 0;
    potential_of(slot, model_.point().element_state(slot), potential);
    energy_ += potential;
  }
  model_.parts().partition.solve_dependent_transpose(model_.Q(), view(rows_));
  model_.apply_jacobian_transpose(view(rows_), view(column_));
  gradient_.resize(size());
  for (Index k = 0; k < size(); ++k) {
    const Index i = independent_[count(k)];
    gradient_[k] = column_[count(i)] - model_.Q()[i];  // (1)
  }
  const bool finite = std::isfinite(energy_) && gradient_.allFinite();
  return finite ? status : Status::failure(StatusCode::not_finite, "potential energy");
}

Eigen::MatrixXd StaticEnergy::tangent() {
  const Index n = static_cast<Index>(q_.size());
  Eigen::MatrixXd T(n, size());
  for (Index k = 0; k < size(); ++k) {
    std::fill(column_.begin(), column_.end(), 0.0);
    column_[count(independent_[count(k)])] = 1;
    model_.apply_jacobian(view(column_), view(rows_));
    model_.parts().partition.solve_dependent(view(rows_), view(step_));
    T.col(k) =
        Eigen::Map<const Eigen::VectorXd>(column_.data(), n) - Eigen::Map<const Eigen::VectorXd>(step_.data(), n);
  }
  return T;
}

Eigen::MatrixXd StaticEnergy::metric() {
  const Eigen::MatrixXd T = tangent();
  Eigen::MatrixXd MT(T.rows(), T.cols());
  const auto n = static_cast<Index>(T.rows());
  for (Eigen::Index k = 0; k < T.cols(); ++k) model_.apply_mass({T.data() + k * n, n}, {MT.data() + k * n, n});
  const Eigen::MatrixXd M = T.transpose() * MT;
  return 0.5 * (M + M.transpose());
}

double StaticEnergy::largest(const Eigen::VectorXd& dw) const {
  double largest = 0;
  for (Index k = 0; k < dw.size(); ++k)
    largest = std::max(largest, std::abs(dw[k]) / model_.unit().column(independent_[count(k)]));
  return largest;
}

double StaticEnergy::condition() { return model_.parts().partition.dependent_condition(view(guess_)); }

}  // namespace trammel
