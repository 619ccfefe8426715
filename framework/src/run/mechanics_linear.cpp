// Small motions of a model about a state, with inputs and outputs.
#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "plugin/breadcrumb.h"
#include "run/mechanics_state.h"
#include "trammel/error.h"
#include "trammel/text/suggest.h"

namespace trammel {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

VectorView view_of(Vector& x) { return {x.data(), static_cast<Index>(x.size())}; }

/// The tangent of the states that obey the constraints: dy = R dx, x the independent coordinates, their rates, and z.
struct Tangent {
  std::vector<Index> independent;
  Matrix R;
};

/// Phi_u T_u = -Phi_w, T_w = I; Phi_u V_u = -((Phi_q v)_q + Phi_tq) T, V_w = 0 (sdk/formulations/state_space.h).
Tangent tangent_at(ConstrainedModel& model, const std::vector<double>& velocity, const auto& require) {
  const Index n = model.coordinates(), m = model.constraints(), nz = model.internal_states();
  const ConstVectorView v{velocity.data(), n};
  Vector marks = Vector::Zero(n);
  require(model.parts().partition.choose_partition({}, view_of(marks)));
  require(model.parts().partition.factorize_dependent(view_of(marks)));
  Tangent tangent;
  for (Index i = 0; i < n; ++i) {
    if (marks[i] != 0) tangent.independent.push_back(i);
  }
  const auto d = static_cast<Index>(tangent.independent.size());
  tangent.R.setZero(2 * n + nz, 2 * d + nz);
  Vector T(n), V(n), rows(m), more(m);
  for (Index k = 0; k < d; ++k) {
    Vector unit = Vector::Unit(n, tangent.independent[static_cast<std::size_t>(k)]);
    model.apply_jacobian(view_of(unit), view_of(rows));
    rows *= -1;
    model.parts().partition.solve_dependent(view_of(rows), view_of(T));
    T += unit;
    require(model.derivatives().apply_jacobian_gradient(v, view_of(T), view_of(rows)));
    require(model.derivatives().apply_time_jacobian(view_of(T), view_of(more)));
    rows = -rows - more;
    model.parts().partition.solve_dependent(view_of(rows), view_of(V));
    tangent.R.col(k) << T, V, Vector::Zero(nz);
    tangent.R.col(d + k) << Vector::Zero(n), T, Vector::Zero(nz);
  }
  tangent.R.bottomRightCorner(nz, nz).setIdentity();
  return tangent;
}

std::vector<double> numbers_of(const Matrix& A) { return {A.data(), A.data() + A.size()}; }

}  // namespace

LinearSystem Mechanics::linearize() { return linearize(inputs(), channels()); }

LinearSystem Mechanics::linearize(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs) {
  State& s = *state_;
  ConstrainedModel& model = s.numbers();
  if (const ConstraintSlot* slot = model.assembly().first_with_velocity_rows()) {
    throw Error(ErrorKind::input, "'" + slot->name + "' (type '" + slot->type +
                                      "') has rows that hold for velocities only: A, B, C and D in as many positions "
                                      "as velocities do not exist");
  }
  const Index n = coordinates(), m = constraints(), nz = internal_states();
  const auto require = [&s](const Status& status) { s.require(status); };
  Columns columns(*s.made->model, &model, s.made->plant->observation(), MethodChannels());
  const std::vector<std::string> known = columns.available();
  for (const std::string& name : outputs) {
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw Error::parameter(name, "there is no column '" + name + "'" + did_you_mean(name, known));
  }
  if (!outputs.empty()) columns.select(outputs, false);
  for (const std::string& name : inputs) s.made->inputs->find(name);

  Matrix f_y(2 * n + nz, 2 * n + nz);
  s.rate_jacobian({f_y.data(), 2 * n + nz, 2 * n + nz, 2 * n + nz});
  const Tangent tangent = blamed([&] { return tangent_at(model, s.v, require); });
  const auto d = static_cast<Index>(tangent.independent.size());
  const Index size = 2 * d + nz;
  const auto picked = [&](const auto& rates) {  // of (v, a, z')
    Matrix out(size, rates.cols());
    for (Index k = 0; k < d; ++k) {
      const Index i = tangent.independent[static_cast<std::size_t>(k)];
      out.row(k) = rates.row(i), out.row(d + k) = rates.row(n + i);
    }
    out.bottomRows(nz) = rates.bottomRows(nz);
    return out;
  };

  // What follows by differences moves the state, which comes back in the end.
  const double t = s.t;
  const std::vector<double> q = s.q, v = s.v, z = s.z;
  const auto go_to = [&](const Vector& dy) {
    Vector y(2 * n + nz);
    for (Index i = 0; i < n; ++i) y[i] = q[static_cast<std::size_t>(i)], y[n + i] = v[static_cast<std::size_t>(i)];
    for (Index i = 0; i < nz; ++i) y[2 * n + i] = z[static_cast<std::size_t>(i)];
    y += dy;
    set_state(t, {y.data(), n}, {y.data() + n, n}, {y.data() + 2 * n, nz});
    if (m > 0) project();  // by the square of dy, which differences of both sides do not see
  };
  const auto outputs_now = [&] {
    Vector values(static_cast<Eigen::Index>(outputs.size()));
    s.made->plant->finish_multipliers();
    if (!outputs.empty()) columns.row({&s.made->plant->observation(), 0, 0, 0}, view_of(values));
    return values;
  };
  constexpr double step = 1e-5;
  LinearSystem result;
  Matrix C(static_cast<Eigen::Index>(outputs.size()), size), B(size, static_cast<Eigen::Index>(inputs.size())),
      D(C.rows(), B.cols());
  for (Index k = 0; k < size && !outputs.empty(); ++k) {
    const double length = k < 2 * d ? step : step * std::max(1.0, std::abs(z[static_cast<std::size_t>(k - 2 * d)]));
    go_to(length * tangent.R.col(k));
    C.col(k) = outputs_now();
    go_to(-length * tangent.R.col(k));
    C.col(k) = (C.col(k) - outputs_now()) / (2 * length);
  }
  set_state(t, s.view(q), s.view(v), s.view(z));
  for (Eigen::Index k = 0; k < B.cols(); ++k) {
    const std::string& name = inputs[static_cast<std::size_t>(k)];
    const double value = input(name), length = 1e-3 * std::max(1.0, std::abs(value));
    Vector rates[2], values[2], rows[2];
    for (int side = 0; side < 2; ++side) {
      set_input(name, value + (side == 0 ? length : -length));
      rates[side].resize(2 * n + nz), rows[side].resize(3 * m);
      rates[side] << s.view(v).map(), accelerations().map(), state_rates().map();
      rows[side] << violation().map(), velocity_violation().map(), model.gamma().map();
      values[side] = outputs_now();
    }
    set_input(name, value);
    if (rows[0] != rows[1]) {
      throw Error::parameter(name, "input '" + name +
                                       "' moves a constraint; the small motions of a driven model have no "
                                       "such input: push with a force instead");
    }
    B.col(k) = picked((rates[0] - rates[1]) / (2 * length));
    D.col(k) = (values[0] - values[1]) / (2 * length);
  }
  for (int rate = 0; rate < 2; ++rate) {
    for (const Index i : tangent.independent) result.states.push_back((rate ? "rate of " : "") + coordinate_name(i));
  }
  for (const ForceSlot& slot : model.assembly().forces) {
    for (Index k = 0; k < slot.states; ++k) result.states.push_back(slot.name + ".z." + std::to_string(k));
  }
  result.inputs = inputs, result.outputs = outputs;
  result.A = numbers_of(picked(f_y * tangent.R));
  result.B = numbers_of(B), result.C = numbers_of(C), result.D = numbers_of(D);
  return result;
}

}  // namespace trammel
