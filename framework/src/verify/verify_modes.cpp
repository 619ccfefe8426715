// Eigenvalues again, of a state matrix made from differences of the equations of motion on the constraints.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>

#include "linalg/dense.h"
#include "linalg/model_unit.h"
#include "linear/linear_axes.h"
#include "model/modes.h"
#include "results/csv_table.h"
#include "run/plant/model_plant.h"
#include "trammel/error.h"
#include "verify/verify_other.h"

namespace trammel {
namespace {

constexpr Index largest_system = 400;  // states; a dense eigenvalue problem
constexpr double relative_of_modes = 1e-5;
constexpr double of_matrix = 1e-9;  // error of the differences relative_of_modes to the largest eigenvalue squared
constexpr double neighbour = 1e-3;  // of |lambda|: closer eigenvalues share their directions
constexpr double angle = 1e-2;      // rad, between a shape and those directions: an eigenvalue's error by the least gap

using Complex = std::complex<double>;

/// y' = f(y), y = (w, w', z), on the constraints; the dependent coordinates follow by Newton's method.
class MotionByEvaluation {
 public:
  MotionByEvaluation(ModelPlant& plant, const std::vector<Index>& independent, std::vector<double> q,
                     std::vector<double> v, std::vector<double> z)
      : plant_(plant),
        model_(*plant.model()),
        independent_(independent),
        q0_(std::move(q)),
        v0_(std::move(v)),
        z0_(std::move(z)) {
    mask_.assign(q0_.size(), 0.0);
    for (const Index i : independent_) mask_[static_cast<std::size_t>(i)] = 1;
  }

  Index size() const { return 2 * static_cast<Index>(independent_.size()) + static_cast<Index>(z0_.size()); }

  /// f at y0 + h in entry k.
  Status evaluate(Index k, double h, Eigen::VectorXd& out) {
    const Index d = static_cast<Index>(independent_.size());
    std::vector<double> q = q0_, v = v0_, z = z0_;
    if (k < d) q[at(k)] += h;
    if (k >= 2 * d) z[static_cast<std::size_t>(k - 2 * d)] += h;
    Status status = satisfy_positions(q);
    if (k >= d && k < 2 * d) v[at(k - d)] += h;
    if (status) status = satisfy_velocities(q, v);
    if (status) status = plant_.observe_at(0, view(q), view(v), view(z));
    if (!status) return status;
    out.resize(size());
    for (Index i = 0; i < d; ++i) {
      out[i] = v[at(i)];
      out[d + i] = plant_.observation().a[static_cast<Index>(at(i))];
    }
    for (Index i = 0; i < static_cast<Index>(z0_.size()); ++i) out[2 * d + i] = model_.z_rate()[i];
    return status;
  }

  /// A step that is small for this entry: a thousandth of the model's length, or of a radian.
  double step(Index k) const {
    const Index d = static_cast<Index>(independent_.size());
    if (k >= 2 * d) return 1e-3 * std::max(1.0, std::abs(z0_[static_cast<std::size_t>(k - 2 * d)]));
    const BodyTable& table = model_.assembly().table;
    if (!table.displaces(static_cast<Index>(at(k % d)))) return 1e-3;
    double size = 0;
    for (std::size_t i = 0; i < q0_.size(); ++i) {
      if (table.displaces(static_cast<Index>(i))) size = std::max(size, std::abs(q0_[i]));
    }
    return 1e-3 * (size > 0 ? size : 1.0);
  }

 private:
  static ConstVectorView view(const std::vector<double>& x) { return {x.data(), static_cast<Index>(x.size())}; }
  std::size_t at(Index i) const { return static_cast<std::size_t>(independent_[static_cast<std::size_t>(i)]); }

  Status satisfy_positions(std::vector<double>& q) {
    std::vector<double> x(q.size());
    for (int i = 0; i < 30; ++i) {
      Status status = model_.evaluate(0, view(q), {}, view(z0_), evaluate_Phi | evaluate_jacobian);
      if (status) status = model_.parts().partition.factorize_dependent(view(mask_));
      if (!status) return status;
      model_.parts().partition.solve_dependent(model_.Phi(), {x.data(), static_cast<Index>(x.size())});
      double change = 0;
      for (std::size_t k = 0; k < q.size(); ++k) q[k] -= x[k], change = std::max(change, std::abs(x[k]));
      if (change <= 1e-13) return status;
    }
    return Status::success();
  }

  Status satisfy_velocities(const std::vector<double>& q, std::vector<double>& v) {
    std::vector<double> x(q.size());
    for (std::size_t k = 0; k < v.size(); ++k) v[k] *= mask_[k];
    Status status = model_.evaluate(0, view(q), view(v), view(z0_), evaluate_jacobian | evaluate_nu);
    if (status) status = model_.parts().partition.factorize_dependent(view(mask_));
    if (!status) return status;
    std::vector<double> r(static_cast<std::size_t>(model_.constraints()));
    model_.apply_jacobian(view(v), {r.data(), static_cast<Index>(r.size())});
    for (std::size_t k = 0; k < r.size(); ++k) r[k] = model_.nu()[static_cast<Index>(k)] - r[k];
    model_.parts().partition.solve_dependent(view(r), {x.data(), static_cast<Index>(x.size())});
    for (std::size_t k = 0; k < v.size(); ++k) v[k] += x[k];
    return status;
  }

  ModelPlant& plant_;
  ConstrainedModel& model_;
  const std::vector<Index> independent_;
  std::vector<double> q0_, v0_, z0_, mask_;
};

/// Central differences of fourth order. Also how far those of second order are from them: their error, and more than
/// that of A.
Status difference(MotionByEvaluation& motion, Eigen::MatrixXd& A) {
  const Index n = motion.size();
  A.resize(n, n);
  Eigen::VectorXd f[4];
  for (Index k = 0; k < n; ++k) {
    const double h = motion.step(k);
    constexpr double at[] = {-2, -1, 1, 2};
    for (int i = 0; i < 4; ++i) {
      const Status status = motion.evaluate(k, at[i] * h, f[i]);
      if (!status) return status;
    }
    A.col(k) = (8 * (f[2] - f[1]) - (f[3] - f[0])) / (12 * h);
  }
  return Status::success();
}

/// In x = X y of displacements and turns: A := (X' + X A) X^-1, with X' by differences along the motion.
bool take_axes_by_differences(ConstrainedModel& model, const LinearPlace& place, const std::vector<Index>& independent,
                              Eigen::MatrixXd& A, Eigen::MatrixXd& X) {
  constexpr double dt = 1e-5;
  const BodyTwists twists(model.assembly(), Eigen::Vector3d::Zero());
  TangentMotion tangent;
  if (!find_tangent_motion(model, place.t, place.q, place.v, place.z, tangent)) return false;
  if (tangent.independent != independent) return false;
  const SteadyMotion here = steady_motion(twists, place, tangent);
  X = here.X;
  Eigen::MatrixXd X_rate = Eigen::MatrixXd::Zero(X.rows(), X.cols());
  for (const double side : {1.0, -1.0}) {
    const Eigen::VectorXd q = place.q.map() + side * dt * place.v.map(), v = place.v.map() + side * dt * tangent.a;
    const LinearPlace beside{place.t + side * dt, {q.data(), place.q.size}, {v.data(), place.v.size}, place.z};
    TangentMotion there;
    if (!find_tangent_motion(model, beside.t, beside.q, beside.v, beside.z, there)) return false;
    if (there.independent != independent) return false;
    X_rate += side * steady_motion(twists, beside, there, here.chosen).X / (2 * dt);
  }
  A = dense::solve(X.transpose(), Eigen::MatrixXd((X_rate + X * A).transpose())).transpose();
  return true;
}

std::vector<double> values_of(ConstVectorView x) { return {x.data, x.data + x.size}; }

/// Positions from results.csv over those of the plant's start.
bool take_positions(const RunRecord& own, const ConstrainedModel& model, std::vector<double>& q) {
  for (std::size_t i = 0; i < q.size(); ++i) {
    const auto found = std::find(own.columns.begin(), own.columns.end(), model.coordinate_name(static_cast<Index>(i)));
    if (found == own.columns.end() || own.rows() == 0) return false;
    q[i] = own.at(own.rows() - 1, static_cast<std::size_t>(found - own.columns.begin()));
  }
  return true;
}

/// What an eigenvalue may be off by; `delta`: error of the matrix, 1/s^2.
double allowed_of(const Complex& lambda, double delta) {
  const double size = std::abs(lambda);
  return relative_of_modes * size + (size * size > delta ? delta / size : std::sqrt(delta)) + 1e-9;
}

/// Every shape of the run against the directions of the eigenvectors whose eigenvalues are the mode's or its
/// neighbours', in independent coordinates: the sine of the angle between them, where several modes share a frequency
/// and shapes are a choice, too.
void match_shapes(const CsvTable& modes, const CsvTable& shapes, const ConstrainedModel& model,
                  const std::vector<Index>& independent, const dense::Eigenpairs& pairs, double delta,
                  Comparison& comparison) {
  const auto d = static_cast<Index>(independent.size());
  for (std::size_t row = 0; row < std::min(modes.rows(), shapes.rows()); ++row) {
    const Complex lambda(modes.row(row)[1], modes.row(row)[2]);
    Eigen::VectorXcd shape(d);
    for (Index i = 0; i < d; ++i) {
      const std::string name = model.coordinate_name(independent[static_cast<std::size_t>(i)]);
      const auto value = [&](const std::string& column) {
        const auto found = std::find(shapes.columns.begin(), shapes.columns.end(), column);
        return found == shapes.columns.end() ? 0.0 : shapes.row(row)[found - shapes.columns.begin()];
      };
      shape[i] = {value(name), value(name + ".imag")};
    }
    const double near = std::max(neighbour * std::abs(lambda), 3 * allowed_of(lambda, delta));
    Eigen::MatrixXcd directions(d, 0);
    for (Index k = 0; k < pairs.lambda.size(); ++k) {
      if (std::abs(pairs.lambda[k] - lambda) > near) continue;
      const Eigen::VectorXcd of_w = pairs.y.col(k).head(d);
      if (!(of_w.norm() > 0)) continue;
      directions.conservativeResize(d, directions.cols() + 1);
      directions.col(directions.cols() - 1) = of_w.normalized();
    }
    if (directions.cols() == 0 || !(shape.norm() > 0)) continue;  // told by its eigenvalue; internal states alone
    constexpr double one = 1e-6;  // double eigenvalues of motions without stiffness have one direction
    const Eigen::MatrixXcd Q = dense::range(directions, one);
    ChannelDifference c;
    c.name = fmt::format("shape of mode {}", row + 1);
    c.range = c.scale = 1;
    c.allowed = angle;
    c.error = (shape - Q * (Q.adjoint() * shape)).norm() / shape.norm();
    comparison.channels.push_back(c);
  }
}

/// Every mode of the run against the nearest eigenvalue; what is left must be zeros and conjugates.
void match(const CsvTable& modes, std::vector<Complex> eigenvalues, double delta, Comparison& comparison,
           std::string& missing) {
  const auto allowed = [&](const Complex& lambda) { return allowed_of(lambda, delta); };
  const auto take_nearest = [&](const Complex& lambda, double& distance) {
    auto best = eigenvalues.end();
    for (auto i = eigenvalues.begin(); i != eigenvalues.end(); ++i) {
      if (best == eigenvalues.end() || std::abs(*i - lambda) < std::abs(*best - lambda)) best = i;
    }
    if (best == eigenvalues.end()) return false;
    distance = std::abs(*best - lambda);
    eigenvalues.erase(best);
    return true;
  };
  for (std::size_t row = 0; row < modes.rows(); ++row) {
    const Complex lambda(modes.row(row)[1], modes.row(row)[2]);
    ChannelDifference c;
    c.name = fmt::format("mode {}", row + 1);
    c.range = c.scale = std::max(std::abs(lambda), std::sqrt(delta));
    c.allowed = allowed(lambda);
    double distance = 0;
    if (!take_nearest(lambda, c.error)) c.error = std::abs(lambda);
    if (lambda.imag() != 0) take_nearest(std::conj(lambda), distance);
    c.error = std::max(c.error, distance);
    comparison.channels.push_back(c);
  }
  for (const Complex& left : eigenvalues) {
    if (std::abs(left) <= allowed(0) * 3) continue;
    missing = fmt::format("the eigenvalue {:.6g} {:+.6g} i is missing from the run's modes", left.real(), left.imag());
  }
}

}  // namespace

Verification verify_modes(const RunFile& run, PluginHost& host, const RunRecord& own, const VerifyOrder& order,
                          VerifyObserver& observer) {
  Verification result;
  result.analysis = "modes";
  result.own = "modes by exact derivatives";
  result.limit = fmt::format("{:g} of |lambda|, and what {:g} of the largest |lambda|^2 changes in it",
                             relative_of_modes, of_matrix);
  const std::string what = "eigenvalues from differences of the equations of motion";
  observer.begin(what);
  const auto give_up = [&](const std::string& why) {
    result.ways.push_back({what, why, {}});
    result.text = "no second way exists: " + why;
    return result;
  };
  Model model(run, host);
  if (model.assembly() == nullptr) return give_up("a system without bodies has no such view");
  ModelPlant plant(make_start(model, run.start).model, nullptr, "", ViewKind::constrained, 0);
  std::vector<double> q = values_of(plant.observation().q), v = values_of(plant.observation().v),
                      z = values_of(plant.observation().z);
  if (run.analysis.at == 1) {
    if (!take_positions(own, *plant.model(), q))
      return give_up("results.csv does not hold the positions of the equilibrium: leave \"channels\" out");
    if (!z.empty()) return give_up("results.csv does not hold the internal states at the equilibrium");
    std::fill(v.begin(), v.end(), 0.0);
  }
  const auto view = [](const std::vector<double>& x) {
    return ConstVectorView{x.data(), static_cast<Index>(x.size())};
  };
  Status status = plant.observe_at(0, view(q), view(v), view(z));
  LinearModel linear;
  if (status) status = linearize_model(*plant.model(), 0, view(q), view(v), linear);
  if (!status) return give_up(status.what);
  MotionByEvaluation motion(plant, linear.independent, q, v, z);
  if (motion.size() > largest_system)
    return give_up(fmt::format("{} states are too many for a dense eigenvalue problem", motion.size()));
  Eigen::MatrixXd A;
  status = difference(motion, A);
  if (!status) return give_up(fmt::format("the equations cannot be evaluated beside the state: {}", status.what));
  Eigen::MatrixXd X = Eigen::MatrixXd::Identity(A.rows(), A.cols());
  if (spatial_bodies_turn(*model.assembly(), view(v))) {
    if (!take_axes_by_differences(*plant.model(), {0, view(q), view(v), view(z)}, linear.independent, A, X))
      return give_up("displacements and turns cannot be differenced along the motion");
  }
  dense::Eigenpairs pairs = dense::eigenpairs(A);
  pairs.y = dense::inverse(X).cast<Complex>() * pairs.y;
  const std::vector<Complex> eigenvalues(pairs.lambda.begin(), pairs.lambda.end());
  result.ways.push_back({what, "", {}});
  result.compared = what;
  std::string missing;
  double largest = 0;
  for (const Complex& e : eigenvalues) largest = std::max(largest, std::abs(e));
  const double delta = of_matrix * largest * largest;
  const CsvTable modes = read_csv(order.folder / "modes.csv");
  match(modes, eigenvalues, delta, result.comparison, missing);
  match_shapes(modes, read_csv(order.folder / "mode_shapes.csv"), *plant.model(), linear.independent, pairs, delta,
               result.comparison);
  const ChannelDifference* worst = result.comparison.worst();
  if (worst == nullptr && missing.empty()) {
    result.verdict = Verdict::agrees;
    result.text = "there are no modes, in either way";
    return result;
  }
  const bool good = missing.empty() && worst->error <= worst->allowed;
  result.verdict = good ? Verdict::agrees : Verdict::disagrees;
  result.text = good               ? fmt::format("{:.1f} digits hold in all eigenvalues and shapes", result.digits())
                : !missing.empty() ? missing
                : worst->name.starts_with("shape")
                    ? fmt::format("the {} is off by an angle of {:.3g} rad, {:.3g} is allowed", worst->name,
                                  worst->error, worst->allowed)
                    : fmt::format("the eigenvalue of {} is off by {:.3g} 1/s, {:.3g} is allowed", worst->name,
                                  worst->error, worst->allowed);
  return result;
}

}  // namespace trammel
