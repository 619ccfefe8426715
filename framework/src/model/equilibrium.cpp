// Static equilibrium by pseudo-transient continuation.
#include "model/equilibrium.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "linalg/sizes.h"
#include "model/way_along_rows.h"
#include "plugin/breadcrumb.h"

namespace trammel {
namespace {

// Accelerations below this are rest: the rounding of stiff springs in a light body, per s^2 of the model's unit or rad;
// in slow models (`acting_acceleration`) that share of what acts.
constexpr double rest_at_most = 1e-9;
// Where rounding keeps them above that, the last Newton corrections are this small, of the unit or rad.
constexpr double settled = 1e-11;
constexpr Index most_iterations = 300;
// s^2. At the largest, modes of 1 rad/s still contract by 1e-2 in each step, and noise moves free modes little.
constexpr double first_tau = 1e-3, largest_tau_of_second = 1e2, smallest_tau = 1e-14;
// No coordinate moves further in one step, of the unit or rad: Newton's steps far away from the equilibrium mean
// nothing.
constexpr double longest_step = 0.1;

class Search {
 public:
  Search(ConstrainedModel& model, double t, VectorView q)
      : model_(model),
        t_(t),
        q_(q),
        n_(static_cast<std::size_t>(model.coordinates())),
        m_(static_cast<std::size_t>(model.constraints())),
        rest_(n_, 0.0),
        no_rows_(m_, 0.0),
        a_(n_),
        force_(n_),
        step_(n_),
        before_(q.data, q.data + q.size),
        lambda_(m_),
        mu_(m_) {}

  Status run(EquilibriumReport& report, const SearchProgress& progress) {
    const std::vector<double> start = before_;
    double residual = 0;
    const double acts = acting_acceleration(model_, t_, q_), slowness = acts > 0 ? std::min(1.0, acts) : 1;
    const double rest = std::max(rest_at_most * slowness, std::min(rest_at_most, rest_rounding(model_, t_, q_)));
    const double largest_tau = largest_tau_of_second / slowness;
    Status status = accelerations(residual);
    double tau = first_tau;
    for (report.iterations = 0; status && report.iterations < most_iterations; ++report.iterations) {
      if (residual <= rest) break;
      if (!goes_on(progress, report.iterations, residual)) {
        status = Status::failure(StatusCode::failed, search_interrupted);
        break;
      }
      before_.assign(q_.data, q_.data + q_.size);
      double length = 0, next = 0;
      bool downhill = false;
      status = move(tau, length, downhill);
      if (!status) break;
      const bool evaluated = downhill && accelerations(next), improved = evaluated && next < residual;
      if (tau >= first_tau && length <= settled && !improved) {
        restore();
        status = accelerations(residual);
        break;
      }
      if (improved || (evaluated && still_downhill())) {
        tau = std::min(largest_tau, tau * std::clamp(residual / next, 2.0, 1e3));
        residual = next;
      } else {
        restore();
        tau *= 0.1;
        if (tau < smallest_tau) return Status::failure(StatusCode::not_converged, "static equilibrium", -1, residual);
        status = accelerations(residual);
      }
    }
    report.acceleration = 0;
    for (const double a : a_) report.acceleration = std::max(report.acceleration, std::abs(a));
    for (std::size_t i = 0; i < n_; ++i) report.moved = std::max(report.moved, std::abs(q_.data[i] - start[i]));
    if (status && report.iterations == most_iterations) {
      return Status::failure(StatusCode::not_converged, "static equilibrium", -1, residual);
    }
    return status;
  }

 private:
  void restore() { std::copy(before_.begin(), before_.end(), q_.data); }

  /// At rest; leaves a and lambda. `largest`: in the model's unit of length.
  Status accelerations(double& largest) {
    Status status = model_.evaluate(t_, q_, view(rest_), {}, evaluate_dynamics);
    if (status) status = model_.factorize(ProjectionWeights::mass);
    if (status) status = model_.solve(model_.Q(), view(no_rows_), view(a_), view(lambda_));
    largest = 0;
    for (const double a : a_) {
      if (!std::isfinite(a)) return Status::failure(StatusCode::not_finite, "acceleration at rest");
    }
    largest = model_.unit().largest_coordinate(view(a_));
    return status;
  }

  /// Whether the force at the present point goes on pushing along the last step.
  bool still_downhill() {
    model_.apply_mass(view(a_), view(force_));
    return std::inner_product(force_.begin(), force_.end(), step_.begin(), 0.0) > 0;
  }

  /// Not downhill: K is negative in a direction of motion, and tau too large to leave along it.
  Status move(double tau, double& length, bool& downhill) {
    model_.apply_mass(view(a_), view(force_));
    for (double& f : force_) f *= tau;
    Status status =
        model_.derivatives().linearize(view(rest_), view(lambda_));  // K without (M a)_q, which vanishes there
    if (status) status = model_.derivatives().prepare(tau, 0);
    if (status) status = model_.derivatives().solve_implicit(view(force_), view(no_rows_), view(step_), view(mu_));
    if (!status) return status;
    downhill = std::inner_product(force_.begin(), force_.end(), step_.begin(), 0.0) > 0;
    length = model_.unit().largest_coordinate(view(step_));
    if (!std::isfinite(length)) return Status::failure(StatusCode::not_finite, "step to the static equilibrium");
    const double scale = std::min(1.0, longest_step / length);
    std::vector<double> way = step_;
    for (double& x : way) x *= scale;
    return move_along_rows(model_, t_, q_, view(way));
  }

  ConstrainedModel& model_;
  double t_;
  VectorView q_;
  std::size_t n_, m_;
  std::vector<double> rest_, no_rows_, a_, force_, step_, before_, lambda_, mu_;
};

}  // namespace

Status acceleration_at_rest(ConstrainedModel& model, double t, ConstVectorView q, ConstVectorView z,
                            RestAcceleration& left) {
  const std::vector<double> states(z.data, z.data + z.size);
  std::vector<double> rest(count(q.size), 0.0), a(rest), none(count(model.constraints()), 0.0), lambda(none);
  const auto view = [](std::vector<double>& x) { return VectorView{x.data(), static_cast<Index>(x.size())}; };
  Status status = model.evaluate(t, q, view(rest), {states.data(), z.size}, evaluate_dynamics | evaluate_Phi);
  if (status) status = model.factorize(ProjectionWeights::mass);
  if (status) status = model.solve(model.Q(), view(none), view(a), view(lambda));
  left = {};
  for (const double x : a)
    left.largest = std::isfinite(x) ? std::max(left.largest, std::abs(x)) : std::numeric_limits<double>::infinity();
  left.in_unit = std::isfinite(left.largest) ? model.unit().largest_coordinate(view(a)) : left.largest;
  return status;
}

namespace {

// Between q and another place, at rest; 0 where it is not finite. Leaves the model at q.
double acceleration_change(ConstrainedModel& model, double t, ConstVectorView q, ConstVectorView other) {
  std::vector<double> rest(count(q.size), 0.0), none(count(model.constraints()), 0.0), lambda(none), a(rest), b(rest);
  const auto view = [](std::vector<double>& x) { return VectorView{x.data(), static_cast<Index>(x.size())}; };
  std::vector<double> z = model.point().z();
  const auto accelerations = [&](ConstVectorView x, std::vector<double>& out) {
    Status status = model.evaluate(t, x, view(rest), view(z), evaluate_dynamics | evaluate_Phi);
    if (status) status = model.factorize(ProjectionWeights::mass);
    return status ? model.solve(model.Q(), view(none), view(out), view(lambda)) : status;
  };
  const bool near = accelerations(other, b).ok() && accelerations(q, a).ok();
  for (std::size_t i = 0; i < a.size(); ++i) b[i] -= a[i];
  const double change = near ? model.unit().largest_coordinate(view(b)) : 0;
  return std::isfinite(change) ? change : 0;
}

}  // namespace

double acceleration_by_moves(ConstrainedModel& model, double t, ConstVectorView q, double move) {
  std::vector<double> moved(q.data, q.data + q.size);
  for (std::size_t i = 0; i < moved.size(); ++i) moved[i] += i % 2 == 0 ? move : -move;
  return acceleration_change(model, t, q, {moved.data(), q.size});
}

// By what a moves if every coordinate moves by a few units in the last place of the largest of its kind: rounding of
// positions acts through stiff forces. And the rounding of the largest force, acting on the lightest body alone.
double rest_rounding(ConstrainedModel& model, double t, ConstVectorView q) {
  constexpr double share = 1e-13, places = 8 * std::numeric_limits<double>::epsilon();
  const Assembly& assembly = model.assembly();
  const BodyTable& table = assembly.table;
  double far = 0;
  for (Index i = 0; i < q.size; ++i) far = table.displaces(i) ? std::max(far, std::abs(q[i])) : far;
  std::vector<double> moved(q.data, q.data + q.size);
  for (Index i = 0; i < q.size; ++i)
    moved[count(i)] += (i % 2 == 0 ? places : -places) * (table.displaces(i) ? far : 1);
  const double of_positions = acceleration_change(model, t, q, {moved.data(), q.size});
  double lightest = std::numeric_limits<double>::infinity(), force = 0;
  for (Index k = 0; k < assembly.bodies(); ++k) {
    if (const double m = assembly.system.mass(k); m > 0) lightest = std::min(lightest, m);  // massless frames have none
  }
  for (Index i = 0; i < model.coordinates(); ++i)
    force = std::max(force, std::abs(model.Q()[i]) / (table.displaces(i) ? model.unit().length() : 1));
  return std::max(share * force / lightest, of_positions);
}

double acting_acceleration(ConstrainedModel& model, double t, ConstVectorView q) {
  const Assembly& assembly = model.assembly();
  const BodyTable& table = assembly.table;
  const Index c = table.local();
  std::vector<double> z = model.point().z();
  std::vector<double> rest(count(q.size), 0.0), unit(rest), of_unit(rest), Q(rest), own(rest);
  if (!model.evaluate(t, q, view(rest), view(z), evaluate_dynamics)) return 0;
  std::vector<double> inverse_mass(rest), Q_all(model.Q().data, model.Q().data + q.size);
  for (Index k = 0; k < c; ++k) {  // of all bodies at once: nothing couples them
    for (Index i = 0; i < q.size; ++i) unit[count(i)] = table.within(i) == k ? 1 : 0;
    model.apply_mass(view(unit), view(of_unit));
    for (Index i = 0; i < q.size; ++i) {
      if (table.within(i) != k) continue;
      unit[count(i)] = 0;
      // Along an Euler parameter itself nothing has a mass.
      inverse_mass[count(i)] = of_unit[count(i)] > 0 ? 1 / of_unit[count(i)] : 0;
      Q[count(i)] = Q_all[count(i)];
    }
  }
  double largest = 0;
  const auto take = [&](const std::vector<double>& forces) {
    std::vector<double> a(forces.size());
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = forces[i] * inverse_mass[i];
    const double size = model.unit().largest_coordinate(view(a));
    if (std::isfinite(size)) largest = std::max(largest, size);
  };
  std::vector<double> local;
  std::vector<VectorView> blocks;
  for (const ForceSlot& slot : assembly.forces) {
    std::fill(own.begin(), own.end(), 0.0);
    blocks.clear();
    local.assign(slot.bodies.size() * count(c), 0.0);
    for (std::size_t b = 0; b < slot.bodies.size(); ++b)
      blocks.push_back(slot.bodies[b] < 0 ? VectorView{} : VectorView{local.data() + b * count(c), c});
    const ElementMark mark(slot.plugin.c_str(), slot.name.c_str());
    if (!slot.force->force(model.point().element_state(slot), blocks.data())) continue;
    for (std::size_t b = 0; b < slot.bodies.size(); ++b) {
      if (slot.bodies[b] < 0) continue;
      std::copy_n(blocks[b].data, table.width(slot.bodies[b]), own.data() + table.first(slot.bodies[b]));
    }
    take(own);
    for (std::size_t i = 0; i < own.size(); ++i) Q[i] -= own[i];
  }
  for (std::size_t i = 0; i < Q.size(); ++i) {
    if (std::abs(Q[i]) <= 1e-12 * std::abs(Q_all[i])) Q[i] = 0;
  }
  take(Q);
  return largest;
}

Status find_equilibrium(ConstrainedModel& model, double t, VectorView q, EquilibriumReport& report,
                        const SearchProgress& progress) {
  report = {};
  if (model.internal_states() > 0)
    return Status::failure(StatusCode::unsupported, "an equilibrium with internal states");
  return Search(model, t, q).run(report, progress);
}

}  // namespace trammel
