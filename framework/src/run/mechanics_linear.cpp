// Small motions of a model about a state, with inputs and outputs.
#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "config/remade_run.h"
#include "linear/linear_axes.h"
#include "plugin/breadcrumb.h"
#include "run/mechanics_state.h"
#include "run/varied_number.h"
#include "trammel/error.h"
#include "trammel/text/suggest.h"

namespace trammel {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

constexpr double difference_share =
    3e-4;  // step of differences of fourth order: 1e-14 for truncation, 1e-13 for rounding

std::vector<double> numbers_of(const Matrix& A) { return {A.data(), A.data() + A.size()}; }

/// f' of f by differences of fourth order: f(-2 h), f(-h), f(h), f(2 h).
template <class F>
Vector fourth_order(const F& f, double h) {
  const Vector outer = f(2 * h) - f(-2 * h), inner = f(h) - f(-h);
  return (8 * inner - outer) / (12 * h);
}

/// Channels of bodies that are coordinates, rates and accelerations, or components of twists: their changes are known.
class ExactRows {
 public:
  ExactRows(const ConstrainedModel& model, const BodyTwists& twists, const LinearPlace& place, const Vector& a,
            const SteadyMotion& steady) {
    const Matrix &dy = steady.S, &rate = steady.rate;
    const Assembly& assembly = model.assembly();
    const BodyTable& table = assembly.table;
    const Index n = model.coordinates();
    const bool spatial = table.frame_columns() == SpatialBodyState::coordinates;
    const auto add = [&](const std::string& name, const auto& row) { rows_.emplace(name, row); };
    Matrix eta(twists.size(), dy.cols()), alpha(eta);
    BodyTwists::Twist twist;
    const BodyTwists::State at{place.q, place.v, {a.data(), n}};
    for (Eigen::Index k = 0; k < dy.cols(); ++k) {
      const Vector x = dy.col(k), x_rate = rate.col(k);
      const ConstVectorView dq{x.data(), n}, dv{x.data() + n, n}, da{x_rate.data() + n, n};
      Vector along;
      twists.change(at, dq, dv, da, twist);
      twists.accelerations(at, dq, da, along);
      eta.col(k) = twist.eta, alpha.col(k) = along;
    }
    for (Index i = 0; i < n; ++i) add(model.coordinate_name(i), dy.row(i));
    Index entry = 0;
    for (Index b = 0; b < table.bodies(); ++b) {
      const std::string& body = assembly.body_names[static_cast<std::size_t>(b)];
      const std::vector<const char*> rates = spatial
                                                 ? std::vector<const char*>{".vx", ".vy", ".vz", ".wx", ".wy", ".wz"}
                                                 : std::vector<const char*>{".vx", ".vy", ".omega"};
      const std::vector<const char*> accelerations =
          spatial ? std::vector<const char*>{".ax", ".ay", ".az", ".alphax", ".alphay", ".alphaz"}
                  : std::vector<const char*>{".ax", ".ay", ".alpha"};
      const std::size_t frame = table.turns(b) ? rates.size() : static_cast<std::size_t>(spatial ? 3 : 2);
      for (std::size_t k = 0; k < frame; ++k) {
        add(body + rates[k], eta.row(entry + static_cast<Index>(k)));
        add(body + accelerations[k], alpha.row(entry + static_cast<Index>(k)));
      }
      entry += static_cast<Index>(frame) + table.width(b) - (table.turns(b) ? table.frame_columns() : table.width(b));
    }
  }

  const Vector* find(const std::string& name) const {
    const auto found = rows_.find(name);
    return found == rows_.end() ? nullptr : &found->second;
  }

 private:
  std::unordered_map<std::string, Vector> rows_;
};

/// Components of a load by the names of their axes: numbers of the run file, "force.0".
std::vector<LinearInput> load_inputs(const Section& section) {
  std::vector<LinearInput> inputs;
  for (const char* key : {"force", "torque"}) {
    const Node* node = section.node->find(key);
    if (node == nullptr) continue;
    const std::string path = fmt::format("system.forces.{}.{}", section.name, key);
    if (node->is_number()) inputs.push_back({fmt::format("{}.{}", section.name, key), path, false});
    for (std::size_t i = 0; i < node->items.size() && i < 3 && node->items[i].is_number(); ++i)
      inputs.push_back({fmt::format("{}.{}.{}", section.name, key, "xyz"[i]), fmt::format("{}.{}", path, i), false});
  }
  return inputs;
}

}  // namespace

std::vector<LinearInput> MechanicsState::linear_inputs(const std::vector<std::string>& names) const {
  std::vector<LinearInput> inputs;
  const std::vector<std::string>& functions = made->inputs->names();
  for (const std::string& name : names) {
    if (std::find(functions.begin(), functions.end(), name) != functions.end()) {
      inputs.push_back({name, name, true});
      continue;
    }
    const auto force = std::find_if(made->run.forces.begin(), made->run.forces.end(),
                                    [&](const Section& section) { return section.name == name; });
    if (force != made->run.forces.end()) {
      const std::vector<LinearInput> parts = load_inputs(*force);
      if (parts.empty()) {
        throw Error::parameter(name, fmt::format("force '{}' (type '{}') has no given 'force' or 'torque' to be an "
                                                 "input; name one of its numbers: system.forces.{}.KEY",
                                                 name, force->type, name));
      }
      inputs.insert(inputs.end(), parts.begin(), parts.end());
    } else if (name.find('.') != std::string::npos) {
      try {
        number_at(made->run, name);
      } catch (const Error& error) {
        throw Error::parameter(name, error.what());
      }
      inputs.push_back({name, name, false});
    } else {
      std::vector<std::string> known = functions;
      for (const Section& section : made->run.forces) known.push_back(section.name);
      throw Error::parameter(name, "there is no input '" + name + "'" + did_you_mean(name, known) +
                                       "; an input is a function of type 'input', a force with a given force or "
                                       "torque, or the path of a number");
    }
  }
  return inputs;
}

Columns MechanicsState::columns_of(const std::vector<std::string>& outputs) {
  Columns columns(*made->model, &numbers(), made->plant->observation(), MethodChannels());
  if (!outputs.empty()) columns.select(outputs, false);
  return columns;
}

LinearSystem MechanicsState::linearize(const LinearOrder& order) {
  ConstrainedModel& model = numbers();
  if (const ConstraintSlot* slot = model.assembly().first_with_velocity_rows()) {
    throw Error(ErrorKind::input, "'" + slot->name + "' (type '" + slot->type +
                                      "') has rows that hold for velocities only: A, B, C and D in as many positions "
                                      "as velocities do not exist");
  }
  const Index n = model.coordinates(), m = model.constraints(), nz = model.internal_states();
  const double t0 = t;
  const std::vector<double> q0 = q, v0 = v, z0 = z;
  const LinearPlace place{t0, view(q0), view(v0), view(z0)};
  TangentMotion tangent;
  if (numbers_point().memory().sees_last_step()) {
    Matrix f_y(2 * n + nz, 2 * n + nz);
    rate_jacobian_by_differences({f_y.data(), 2 * n + nz, 2 * n + nz, 2 * n + nz});
    linearize();
    blamed([&] { require(find_tangent(model, view(v0), tangent)); });
    tangent.rate = f_y * tangent.dy;
    observe();
    tangent.a = made->plant->observation().a.map();
  } else {
    blamed([&] { require(find_tangent_motion(model, t0, place.q, place.v, place.z, tangent)); });
    observe();
  }
  const BodyTwists twists(model.assembly(), order.turning);
  const SteadyMotion steady =
      steady_motion(twists, place, tangent, twists.are_coordinates() ? tangent.independent : std::vector<Index>());
  const auto d = static_cast<Index>(steady.chosen.size());
  const Index size = 2 * d + nz;

  // What follows by differences moves the state, which comes back in the end.
  const auto go_to = [&](const Vector& dy) {
    for (Index i = 0; i < n; ++i) {
      const auto k = static_cast<std::size_t>(i);
      q[k] = q0[k] + dy[i], v[k] = v0[k] + dy[n + i];
    }
    for (std::size_t i = 0; i < z0.size(); ++i) z[i] = z0[i] + dy[2 * n + static_cast<Index>(i)];
    observe();
    if (m > 0) project();  // by powers of dy that differences of fourth order do not see
  };
  Columns columns = columns_of(order.outputs);
  LinearSystem result;
  result.outputs = order.outputs;
  for (const Index i : steady.chosen) result.states.push_back(twists.name(i));
  for (const Index i : steady.chosen) result.states.push_back(twists.rate_name(i));
  for (const ForceSlot& slot : model.assembly().forces) {
    for (Index k = 0; k < slot.states; ++k) result.states.push_back(slot.name + ".z." + std::to_string(k));
  }

  Matrix C(static_cast<Eigen::Index>(order.outputs.size()), size);
  const BodyTwists still(model.assembly(), Eigen::Vector3d::Zero());
  const ExactRows exact(model, still, place, tangent.a, steady);
  const bool all_exact = std::all_of(order.outputs.begin(), order.outputs.end(),
                                     [&](const std::string& output) { return exact.find(output) != nullptr; });
  for (Index k = 0; k < size && !all_exact; ++k) {
    const bool of_state = k >= 2 * d;
    const bool turns = !of_state && twists.turns(steady.chosen[static_cast<std::size_t>(k % std::max<Index>(d, 1))]);
    const double of = of_state ? std::max(1.0, std::abs(z0[static_cast<std::size_t>(k - 2 * d)]))
                      : turns  ? 1
                               : model.unit().length();
    const auto output = [&](double h) {
      go_to(h * steady.S.col(k));
      return outputs_now(columns, order.outputs.size());
    };
    C.col(k) = fourth_order(output, difference_share * of);
  }
  t = t0, q = q0, v = v0, z = z0;
  observe();
  for (std::size_t i = 0; i < order.outputs.size(); ++i) {
    if (const Vector* row = exact.find(order.outputs[i])) C.row(static_cast<Eigen::Index>(i)) = row->transpose();
  }

  // Numbers of the run file make the model anew: nothing of it that was got before is used from here on.
  const std::vector<LinearInput> inputs = linear_inputs(order.inputs);
  Matrix B = Matrix::Zero(size, static_cast<Eigen::Index>(inputs.size())), D(C.rows(), B.cols());
  const Vector none = Vector::Zero(n);
  BodyTwists::Twist twist;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto column = static_cast<Eigen::Index>(i);
    const Push push = inputs[i].is_function ? push_of_function(inputs[i].name, order.outputs)
                                            : push_of_number(inputs[i].path, order.outputs);
    twists.change({place.q, place.v, {tangent.a.data(), n}}, {none.data(), n}, {none.data(), n}, {push.a.data(), n},
                  twist);
    for (Index k = 0; k < d; ++k) B(d + k, column) = twist.eta_rate[steady.chosen[static_cast<std::size_t>(k)]];
    B.col(column).tail(nz) = push.z_rate;
    D.col(column) = push.outputs;
    result.inputs.push_back(inputs[i].name);
  }
  result.A = numbers_of(steady.A), result.B = numbers_of(B), result.C = numbers_of(C), result.D = numbers_of(D);
  return result;
}

MechanicsState::Push MechanicsState::push_of_function(const std::string& name,
                                                      const std::vector<std::string>& outputs) {
  constexpr double step = 1e-3;
  const std::size_t input = made->inputs->find(name);
  const double value = made->inputs->value(input);
  const ConstrainedModel& model = numbers();
  const Index n = model.coordinates(), m = model.constraints(), nz = model.internal_states();
  Columns columns = columns_of(outputs);
  Vector rows;
  const auto set = [&](double to) {
    made->inputs->set(input, to);
    made->inputs->taken();
    numbers().point().invalidate();
    observe();
  };
  const auto all = [&](double change) {
    set(value + change);
    Vector now(3 * m), out(n + nz + static_cast<Index>(outputs.size()));
    now << model.Phi().map(), view(velocity_violation).map(), model.gamma().map();
    if (rows.size() == 0) rows = now;
    if (rows != now) {
      set(value);
      throw Error::parameter(name, "input '" + name +
                                       "' moves a constraint; the small motions of a driven model have no "
                                       "such input: push with a force instead");
    }
    out << made->plant->observation().a.map(), model.z_rate().map(), outputs_now(columns, outputs.size());
    return out;
  };
  const Vector pushed = fourth_order(all, step * std::max(1.0, std::abs(value)));
  set(value);
  return {pushed.head(n), pushed.segment(n, nz), pushed.tail(static_cast<Index>(outputs.size()))};
}

MechanicsState::Push MechanicsState::push_of_number(const std::string& path, const std::vector<std::string>& outputs) {
  const Index n = numbers().coordinates(), nz = numbers().internal_states();
  const ParameterDerivative exact = derivative(path);
  for (const std::vector<double>* rows : {&exact.violation, &exact.velocity_violation}) {
    if (std::all_of(rows->begin(), rows->end(), [](double x) { return x == 0; })) continue;
    throw Error::parameter(path, "the number '" + path +
                                     "' moves a constraint; small motions of a model of other dimensions have no such "
                                     "input: push with a force instead");
  }
  Push push{Vector(n), Vector(nz), Vector(static_cast<Eigen::Index>(outputs.size()))};
  for (Index i = 0; i < n; ++i) push.a[i] = exact.rate[static_cast<std::size_t>(n + i)];
  for (Index i = 0; i < nz; ++i) push.z_rate[i] = exact.rate[static_cast<std::size_t>(2 * n + i)];
  if (outputs.empty()) return push;
  const RunFile given = remade(made->run, {});
  const double value = number_at(made->run, path);
  const auto outputs_at = [&](double p) {
    change(made->run, {number_setting(path, p)}, RowsLeftOut::the_same);
    Columns columns = columns_of(outputs);
    const Vector values = outputs_now(columns, outputs.size());
    std::vector<double> all(values.begin(), values.end());
    for (const double load : loads()) all.push_back(load);
    return all;
  };
  try {
    const std::vector<double> at = outputs_at(value);
    const std::vector<double> D = varied_derivative(outputs_at, value, at, {{0, at.size(), 0}}, path);
    push.outputs = Eigen::Map<const Vector>(D.data(), push.outputs.size());
  } catch (...) {
    change(given, {}, RowsLeftOut::the_same);
    throw;
  }
  change(given, {}, RowsLeftOut::the_same);
  return push;
}

Eigen::VectorXd MechanicsState::outputs_now(Columns& columns, std::size_t count) {
  Vector values(static_cast<Eigen::Index>(count));
  made->plant->finish_multipliers();
  if (count > 0) columns.row({&made->plant->observation(), 0, 0, 0}, {values.data(), static_cast<Index>(count)});
  return values;
}

LinearSystem Mechanics::linearize() { return linearize(inputs(), channels()); }

LinearSystem Mechanics::linearize(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs) {
  State& s = *state_;
  const std::vector<std::string> known = s.columns_of({}).available();
  for (const std::string& name : outputs) {
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw Error::parameter(name, "there is no column '" + name + "'" + did_you_mean(name, known));
  }
  return s.linearize({inputs, outputs, Eigen::Vector3d::Zero()});
}

}  // namespace trammel
