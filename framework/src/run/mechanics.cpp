// The equations of a model at any state.
#include "trammel/host/mechanics.h"

#include <algorithm>
#include <cmath>

#include "compose/compose.h"
#include "config/description_state.h"
#include "config/validate.h"
#include "plugin/breadcrumb.h"
#include "run/mechanics_state.h"
#include "run/plant/status_text.h"
#include "run/varied_number.h"
#include "trammel/error.h"

namespace trammel {

MechanicsModel::MechanicsModel(RunFile described, PluginHost& host)
    : run(composed(std::move(described), host.catalogue())) {
  require_valid(run, host.catalogue(), host.search_trace());
  blamed([&] {
    model = std::make_unique<Model>(run, host);
    if (model->assembly() == nullptr) {
      throw Error(ErrorKind::input, message_at(run.system.node->place, "/system",
                                               "a system of type '" + run.system.type + "' has no bodies"));
    }
    inputs = std::make_unique<Inputs>(*model);
    plant = std::make_unique<ModelPlant>(make_start(*model, run.start).model, nullptr, "", ViewKind::constrained, 0,
                                         InternalStates::stay);
    columns = std::make_unique<Columns>(*model, plant->model(), plant->observation(), MethodChannels());
    columns->select(run.output.channels, run.output.all_channels);
  });
}

MechanicsState::MechanicsState(RunFile described, const SimulationOptions& options)
    : host(search_folders(described.plugin_search, {options.plugin_path, options.trust})) {
  made = std::make_unique<MechanicsModel>(std::move(described), host);
  const Observation& start = made->plant->observation();
  q.assign(start.q.data, start.q.data + start.q.size);
  v.assign(start.v.data, start.v.data + start.v.size);
  z.assign(start.z.data, start.z.data + start.z.size);
  velocity_violation.assign(static_cast<std::size_t>(numbers().constraints()), 0.0);
  observe();
}

void MechanicsState::require(const Status& status) {
  if (!status) throw Error(ErrorKind::compute, "the model cannot be evaluated: " + explain(status, *made->plant));
}

void MechanicsState::observe() {
  blamed([this] { require(made->plant->observe_at(t, view(q), view(v), view(z))); });
  ConstrainedModel& m = numbers();
  const VectorView out{velocity_violation.data(), static_cast<Index>(velocity_violation.size())};
  m.apply_jacobian(view(v), out);
  if (m.rheonomic()) out.map() -= m.nu().map();
}

void MechanicsState::linearize() {
  ConstrainedModel& m = numbers();
  std::vector<double>&a = acceleration, &lambda = multiplier;
  a.resize(q.size()), lambda.resize(velocity_violation.size());
  blamed([&] {
    require(m.evaluate(t, view(q), view(v), view(z), evaluate_dynamics | evaluate_nu | evaluate_Phi));
    require(m.factorize(ProjectionWeights::mass));
    require(m.solve(m.Q(), m.gamma(), {a.data(), static_cast<Index>(a.size())},
                    {lambda.data(), static_cast<Index>(lambda.size())}));
    require(m.derivatives().linearize(view(a), view(lambda)));
  });
}

// Columns of M da + Phi_q^T dlambda = -f and Phi_q da = -g, f and g those of `apply_linearization` and of internal
// states (constrained_system.h).
void MechanicsState::rate_jacobian(MatrixView f_y) {
  if (numbers_point().memory().sees_last_step()) return rate_jacobian_by_differences(f_y);
  linearize();
  ConstrainedModel& m = numbers();
  const Index n = m.coordinates(), rows = m.constraints(), nz = m.internal_states();
  std::vector<double> unit(q.size() + v.size() + z.size()), f(q.size()), of_states(q.size()), a(q.size()),
      g(velocity_violation.size()), rate(z.size());
  const auto part = [](std::vector<double>& x, Index first, Index count) {
    return VectorView{x.data() + first, count};
  };
  f_y.map().setZero();
  for (Index k = 0; k < n; ++k) f_y(k, n + k) = 1;
  for (Index column = 0; column < 2 * n + nz; ++column) {
    unit[static_cast<std::size_t>(column)] = 1;
    const VectorView dq = part(unit, 0, n), dv = part(unit, n, n), dz = part(unit, 2 * n, nz), right = part(f, 0, n);
    require(m.derivatives().apply_linearization(dq, dv, right, part(g, 0, rows)));
    if (nz > 0) {
      require(m.derivatives().apply_internal_linearization(dq, dv, dz, part(of_states, 0, n), part(rate, 0, nz)));
      right.map() += part(of_states, 0, n).map();
    }
    right.map() *= -1;
    part(g, 0, rows).map() *= -1;
    require(m.solve(right, part(g, 0, rows), part(a, 0, n), {}));
    for (Index i = 0; i < n; ++i) f_y(n + i, column) = a[static_cast<std::size_t>(i)];
    for (Index i = 0; i < nz; ++i) f_y(2 * n + i, column) = rate[static_cast<std::size_t>(i)];
    unit[static_cast<std::size_t>(column)] = 0;
  }
  observe();
}

void MechanicsState::rate_jacobian_by_differences(MatrixView f_y) {
  const auto n = static_cast<Index>(q.size()), nz = static_cast<Index>(z.size());
  const std::vector<DifferenceGroup> groups = {{0, q.size(), 0}, {q.size(), q.size() + z.size(), 0}};
  f_y.map().setZero();
  for (Index k = 0; k < n; ++k) f_y(k, n + k) = 1;
  for (Index column = 0; column < 2 * n + nz; ++column) {
    const Index k = column < 2 * n ? column % std::max<Index>(n, 1) : column - 2 * n;
    std::vector<double>& of = column < n ? q : column < 2 * n ? v : z;
    double& x = of[static_cast<std::size_t>(k)];
    const double here = x;
    const VariedNumber rates = [&](double moved) {
      x = moved;
      observe();
      const ConstVectorView a = made->plant->observation().a, z_rate = numbers().z_rate();
      std::vector<double> f(a.data, a.data + a.size);
      f.insert(f.end(), z_rate.data, z_rate.data + z_rate.size);
      return f;
    };
    const std::string coordinate = column < 2 * n ? numbers().coordinate_name(k) : "";
    const std::string name = column < n       ? coordinate
                             : column < 2 * n ? "rate of " + coordinate
                                              : "internal state " + std::to_string(k);
    try {
      const std::vector<double> f_x = varied_derivative(rates, here, rates(here), groups, name);
      for (Index i = 0; i < n + nz; ++i) f_y(n + i, column) = f_x[static_cast<std::size_t>(i)];
    } catch (...) {
      x = here;
      observe();  // what is asked next is asked at the state that was set
      throw;
    }
    x = here;
  }
  observe();
}

Mechanics::Mechanics(const std::filesystem::path& run_file, const SimulationOptions& options)
    : state_(std::make_unique<State>(load_run_file(run_file, options.set, RunFileUse::equations), options)) {}

Mechanics::Mechanics(const RunDescription& description, const SimulationOptions& options)
    : state_([&] {
        const RunDescription::State& held = description_state(description.state_);
        return std::make_unique<State>(
            described_run_file(held.document, held.name, held.folder, options.set, RunFileUse::equations), options);
      }()) {}

Mechanics::~Mechanics() = default;

Index Mechanics::coordinates() const { return state_->numbers().coordinates(); }
Index Mechanics::constraints() const { return state_->numbers().constraints(); }
Index Mechanics::internal_states() const { return state_->numbers().internal_states(); }
std::string Mechanics::coordinate_name(Index i) const { return state_->numbers().coordinate_name(i); }
std::string Mechanics::row_name(Index i) const { return state_->numbers().row_name(i); }

double Mechanics::time() const { return state_->t; }
ConstVectorView Mechanics::positions() const { return state_->view(state_->q); }
ConstVectorView Mechanics::velocities() const { return state_->view(state_->v); }
ConstVectorView Mechanics::states() const { return state_->view(state_->z); }

void Mechanics::set_state(double t, ConstVectorView q, ConstVectorView v, ConstVectorView z) {
  State& s = *state_;
  const auto take = [](const char* what, ConstVectorView from, std::vector<double>& to) {
    if (static_cast<std::size_t>(from.size) != to.size()) {
      throw Error(ErrorKind::input, std::string(what) + " has " + std::to_string(from.size) +
                                        " entries; the model has " + std::to_string(to.size()));
    }
    for (Index i = 0; i < from.size; ++i) {
      if (!std::isfinite(from[i]))
        throw Error(ErrorKind::input, std::string(what) + "[" + std::to_string(i) + "] is not finite");
    }
  };
  if (!std::isfinite(t)) throw Error(ErrorKind::input, "t is not finite");
  take("q", q, s.q), take("v", v, s.v), take("z", z, s.z);
  s.t = t;
  std::copy(q.data, q.data + q.size, s.q.begin());
  std::copy(v.data, v.data + v.size, s.v.begin());
  std::copy(z.data, z.data + z.size, s.z.begin());
  s.observe();
}

void Mechanics::project() { state_->project(); }

void MechanicsState::project() {
  constexpr double tolerance = 1e-13;
  ProjectionReport report;
  const auto n = static_cast<Index>(q.size());
  blamed([&] {
    require(numbers().project_positions(t, {q.data(), n}, ProjectionWeights::mass, tolerance, report));
    require(numbers().project_velocities(t, view(q), {v.data(), n}, ProjectionWeights::mass, report));
  });
  observe();
}

const std::vector<std::string>& Mechanics::inputs() const { return state_->made->inputs->names(); }
double Mechanics::input(const std::string& name) const {
  return state_->made->inputs->value(state_->made->inputs->find(name));
}
void Mechanics::set_input(const std::string& name, double value) {
  if (!std::isfinite(value)) throw Error(ErrorKind::input, "input '" + name + "' is not finite");
  state_->made->inputs->set(state_->made->inputs->find(name), value);
  state_->made->inputs->taken();
  state_->numbers().point().invalidate();
  state_->observe();
}

ConstVectorView Mechanics::accelerations() const { return state_->made->plant->observation().a; }
ConstVectorView Mechanics::multipliers() const {
  state_->made->plant->finish_multipliers();
  return state_->made->plant->observation().lambda;
}
ConstVectorView Mechanics::forces() const { return state_->numbers().Q(); }
ConstVectorView Mechanics::state_rates() const { return state_->numbers().z_rate(); }
ConstVectorView Mechanics::violation() const { return state_->numbers().Phi(); }
ConstVectorView Mechanics::velocity_violation() const { return state_->view(state_->velocity_violation); }

void Mechanics::mass(MatrixView M) const {
  std::vector<double> unit(state_->q.size());
  for (Index k = 0; k < coordinates(); ++k) {
    unit[static_cast<std::size_t>(k)] = 1;
    state_->numbers().apply_mass(state_->view(unit), {&M(0, k), coordinates()});
    unit[static_cast<std::size_t>(k)] = 0;
  }
}

void Mechanics::jacobian(MatrixView Phi_q) const {
  if (constraints() == 0) return;
  std::vector<double> unit(state_->q.size());
  for (Index k = 0; k < coordinates(); ++k) {
    unit[static_cast<std::size_t>(k)] = 1;
    state_->numbers().apply_jacobian(state_->view(unit), {&Phi_q(0, k), constraints()});
    unit[static_cast<std::size_t>(k)] = 0;
  }
}

void Mechanics::rate_jacobian(MatrixView f_y) { state_->rate_jacobian(f_y); }

const std::vector<std::string>& Mechanics::channels() const { return state_->made->columns->names(); }
std::vector<double> Mechanics::channel_values() {
  std::vector<double> values(channels().size());
  state_->made->plant->finish_multipliers();
  state_->made->columns->row({&state_->made->plant->observation(), 0, 0, 0},
                             {values.data(), static_cast<Index>(values.size())});
  return values;
}

}  // namespace trammel
