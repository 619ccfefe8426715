// Level 3: derivatives with respect to a component's own numbers against components made anew with other numbers.
#include <algorithm>
#include <cmath>
#include <map>

#include "check/element_point.h"
#include "trammel/constraint.h"
#include "trammel/error.h"
#include "trammel/extensions/parameter_derivatives.h"
#include "trammel/force.h"
#include "trammel/system.h"

namespace trammel::conformance {
namespace {

/// One number of a run file below a section, and the model made with other values of it.
class Number {
 public:
  /// `name` is "length" or "point_i.0". Without a value in the file, or one that is no number, it is not `given`.
  Number(const CaseModel& model, PluginHost& host, const Section& section, const std::string& name,
         const std::vector<ParameterInfo>& table)
      : file_(model.run.file), host_(host), path_(section.path.substr(1) + "." + name) {
    std::replace(path_.begin(), path_.end(), '/', '.');
    const Node* node = section.node;
    const auto dot = name.find('.');
    const std::string key = name.substr(0, dot);
    node = node->find(key);
    if (node == nullptr || section.name.find('.') != std::string::npos) return;
    if (dot != std::string::npos) {
      const auto k = static_cast<std::size_t>(std::stoi(name.substr(dot + 1)));
      if (node->items.size() <= k) return;
      for (const ParameterInfo& p : table) {
        if (p.name == key && p.type == ParameterType::direction) scale_ = length(*node);
      }
      node = &node->items[k];
    }
    if (!node->is_number()) return;
    value_ = node->number;
    if (scale_ == 0) scale_ = value_ != 0 ? std::abs(value_) : 1, unit_ = scale_;
    given_ = true;
  }

  bool given() const { return given_; }
  /// What a derivative with respect to the number is one with respect to e.
  double unit() const { return unit_; }
  /// The model at e; e = 1 doubles the number (moves an entry of a unit vector by 1).
  const Model& at(double e) {
    auto& held = models_[e];
    if (held == nullptr) {
      char value[32];
      std::snprintf(value, sizeof value, "%.17g", value_ + e * scale_);
      held = std::make_unique<Changed>(file_, path_ + "=" + value, host_);
    }
    return held->model;
  }

 private:
  struct Changed {
    Changed(const std::filesystem::path& file, const std::string& set, PluginHost& host)
        : run(load_run_file(file, {set})), model(run, host) {}
    RunFile run;
    Model model;
  };

  static double length(const Node& vector) {
    double sum = 0;
    for (const Node& item : vector.items) sum += item.number * item.number;
    return std::sqrt(sum);
  }

  std::filesystem::path file_;
  PluginHost& host_;
  std::string path_;
  double value_ = 0, scale_ = 0, unit_ = 1;
  bool given_ = false;
  std::map<double, std::unique_ptr<Changed>> models_;
};

/// Compares `derivative` with differences of `f` over models made anew.
void compare(const VectorXd& derivative, Number& number, const std::string& name, const char* what,
             const std::function<VectorXd(const Model&)>& f) {
  const double error =
      difference_error(number.unit() * derivative, [&](double e) { return VectorXd(f(number.at(e))); });
  require(error < derivative_tolerance, "the derivative of {} with respect to {} differs from differences by {:.1e}",
          what, name, error);
}

const Section& section_of(const std::vector<Section>& sections, const std::string& name) {
  return *std::find_if(sections.begin(), sections.end(), [&](const Section& s) { return s.name == name; });
}

/// Calls look(number, i, name) for each number that the run file gives and that may be changed.
template <class Look>
int each_number(const CaseModel& model, Subject& subject, const Section& section,
                const std::vector<ParameterInfo>& table, Index count, const std::function<std::string(Index)>& name_of,
                const Look& look) {
  int looked = 0;
  for (Index i = 0; i < count; ++i) {
    const std::string name = name_of(i);
    Number number(model, *subject.host, section, name, table);
    if (!number.given()) continue;
    try {
      look(number, i, name);
      ++looked;
    } catch (const Failed& failure) {
      fail("'{}' of {}: {}", section.name, model.run.file.filename().string(), failure.what());
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::input) throw;  // a value beyond what the type takes: no differences here
    }
  }
  return looked;
}

void constraint_parameters(Subject& subject) {
  int looked = 0;
  bool offered = false;
  for_each_constraint(subject, [&](CaseModel& model, const ConstraintSlot& slot) {
    const auto* numbers = find_extension<ConstraintParameterDerivatives>(*slot.constraint);
    if (numbers == nullptr) return;
    offered = true;
    ElementPoint point(model, slot);
    point.disturb(subject.random, 0.05, 1.02);
    const Index m = slot.rows, n = point.size(),
                slots = static_cast<Index>(&slot - model.numbers->assembly().constraints.data());
    const VectorXd a = point.local(subject.random);
    VectorXd lambda(m);
    for (Index k = 0; k < m; ++k) lambda[k] = uniform(subject.random, -2, 2);
    // Phi, Phi_q v - nu, Phi_q a - gamma and Phi_q^T lambda of a constraint, one below the other.
    const auto all = [&](const Model& changed) {
      const Constraint& element = *changed.assembly()->constraints[static_cast<std::size_t>(slots)].constraint;
      VectorXd Phi = VectorXd::Zero(m), nu = Phi, gamma = Phi, result(3 * m + n);
      MatrixXd Phi_q = MatrixXd::Zero(m, n);
      const auto views = point.row_blocks(Phi_q);
      ConstraintOutput out;
      out.Phi = {Phi.data(), m}, out.nu = {nu.data(), m}, out.gamma = {gamma.data(), m}, out.Phi_q = views.data();
      require_ok(element.evaluate(point.at(), out), "evaluate");
      result << Phi, Phi_q * point.velocity() - nu, Phi_q * a - gamma, Phi_q.transpose() * lambda;
      return result;
    };
    const auto look = [&](Number& number, Index i, const std::string& name) {
      VectorXd value = VectorXd::Zero(3 * m + n), force = VectorXd::Zero(n);
      const auto views = point.segments(force);
      RowDerivatives out;
      out.Phi = {value.data(), m}, out.velocity = {value.data() + m, m};
      out.acceleration = {value.data() + 2 * m, m}, out.force = views.data();
      require_ok(numbers->parameter_derivatives(i, point.at(), point.segments(a).data(), {lambda.data(), m}, out),
                 "parameter_derivatives");
      value.tail(n) = force;
      compare(value.head(m), number, name, "Phi", [&](const Model& at) { return VectorXd(all(at).head(m)); });
      compare(value.segment(m, m), number, name, "Phi_q v - nu",
              [&](const Model& at) { return VectorXd(all(at).segment(m, m)); });
      compare(value.segment(2 * m, m), number, name, "Phi_q a - gamma",
              [&](const Model& at) { return VectorXd(all(at).segment(2 * m, m)); });
      compare(value.tail(n), number, name, "Phi_q^T lambda",
              [&](const Model& at) { return VectorXd(all(at).tail(n)); });
    };
    looked += each_number(
        model, subject, section_of(model.run.constraints, slot.name), subject.component->parameters,
        numbers->parameter_count(), [&](Index i) { return numbers->parameter_name(i); }, look);
  });
  if (!offered) skip("no derivatives with respect to its numbers");
  require(looked > 0, "no run file gives a number with a derivative: name one in a case");
}

void force_parameters(Subject& subject) {
  int looked = 0;
  bool offered = false;
  for_each_force(subject, [&](CaseModel& model, const ForceSlot& slot) {
    const auto* numbers = find_extension<ForceParameterDerivatives>(*slot.force);
    if (numbers == nullptr) return;
    offered = true;
    ElementPoint point(model, slot, slot.force);
    point.set_time(uniform(subject.random, 0.1, 0.9) * model.run.analysis.duration);
    point.disturb(subject.random, 0.05, 1.02);
    const Index n = point.size(), nz = point.internal_states(),
                place = static_cast<Index>(&slot - model.numbers->assembly().forces.data());
    const auto element = [&](const Model& changed) -> const ForceElement& {
      return *changed.assembly()->forces[static_cast<std::size_t>(place)].force;
    };
    const auto Q = [&](const Model& changed) {
      VectorXd result = VectorXd::Zero(n);
      require_ok(element(changed).force(point.at(), point.segments(result).data()), "force");
      return result;
    };
    const auto rate = [&](const Model& changed) {
      VectorXd result = VectorXd::Zero(nz);
      if (nz > 0) require_ok(element(changed).internal_rate(point.at(), {result.data(), nz}), "internal_rate");
      return result;
    };
    const auto potential = [&](const Model& changed) {
      ForceEnergy energy;
      require_ok(element(changed).energy(point.at(), energy), "energy");
      return VectorXd(VectorXd::Constant(1, energy.potential));
    };
    const auto look = [&](Number& number, Index i, const std::string& name) {
      VectorXd Q_p = VectorXd::Zero(n), z_p = VectorXd::Zero(nz);
      double V_p = std::nan("");
      const auto views = point.segments(Q_p);
      ForceDerivatives out;
      out.Q = views.data(), out.z_rate = {z_p.data(), nz}, out.potential = &V_p;
      require_ok(numbers->parameter_derivatives(i, point.at(), out), "parameter_derivatives");
      compare(Q_p, number, name, "Q", Q);
      compare(z_p, number, name, "z'", rate);
      if (!std::isnan(V_p)) compare(VectorXd::Constant(1, V_p), number, name, "the potential", potential);
    };
    looked += each_number(
        model, subject, section_of(model.run.forces, slot.name), subject.component->parameters,
        numbers->parameter_count(), [&](Index i) { return numbers->parameter_name(i); }, look);
  });
  if (!offered) skip("no derivatives with respect to its numbers");
  require(looked > 0, "no run file gives a number with a derivative: name one in a case");
}

void body_parameters(Subject& subject) {
  int looked = 0;
  bool offered = false;
  for (const auto& file : subject.cases) {
    CaseModel model(file, *subject.host);
    if (model.numbers == nullptr) continue;
    const auto* numbers = find_extension<BodyParameterDerivatives>(model.model.system());
    if (numbers == nullptr) continue;
    offered = true;
    const BodySystem& system = *model.model.system().bodies();
    const BodyTable& table = model.numbers->assembly().table;
    const Index bodies = model.model.body_count(), n = table.coordinates();
    VectorXd q = Eigen::Map<const VectorXd>(model.q.data(), n), v(n), a(n);
    for (Index k = 0; k < n; ++k) {
      q[k] += uniform(subject.random, -0.05, 0.05);
      v[k] = uniform(subject.random), a[k] = uniform(subject.random);
    }
    std::vector<double> states(static_cast<std::size_t>(bodies * ((system.state_bytes() + 7) / 8)));
    system.motion().kinematics({q.data(), n}, {v.data(), n}, states.data());
    // M a - Q, and the energies in turn.
    const auto residual = [&](const Model& changed) {
      const BodyMotion& at = changed.system().bodies()->motion();
      VectorXd Ma(n), Q(n);
      at.apply_mass(states.data(), {a.data(), n}, {Ma.data(), n});
      require_ok(at.force(0.3, states.data(), {Q.data(), n}), "force");
      return VectorXd(Ma - Q);
    };
    const auto kinetic = [&](const Model& changed) {
      return VectorXd(VectorXd::Constant(1, changed.system().bodies()->motion().kinetic_energy(states.data())));
    };
    const auto potential = [&](const Model& changed) {
      return VectorXd(VectorXd::Constant(1, changed.system().bodies()->motion().potential_energy(0.3, states.data())));
    };
    for (Index b = 0; b < bodies; ++b) {
      const void* state = reinterpret_cast<const char*>(states.data()) + std::ptrdiff_t(b) * system.state_bytes();
      const auto look = [&](Number& number, Index i, const std::string& name) {
        VectorXd all = VectorXd::Zero(n);
        double T_p = 0, V_p = 0;
        const Index first = table.first(b), width = table.width(b);
        require_ok(numbers->parameter_derivatives(b, i, 0.3, state, {a.data() + first, width},
                                                  {{all.data() + first, width}, &T_p, &V_p}),
                   "parameter_derivatives");
        compare(all, number, name, "M a - Q", residual);
        compare(VectorXd::Constant(1, T_p), number, name, "the kinetic energy", kinetic);
        compare(VectorXd::Constant(1, V_p), number, name, "the potential", potential);
      };
      looked += each_number(
          model, subject, model.run.bodies[static_cast<std::size_t>(b)], subject.component->body_parameters,
          numbers->parameter_count(b), [&](Index i) { return numbers->parameter_name(b, i); }, look);
    }
  }
  if (!offered) skip("no derivatives with respect to masses");
  require(looked > 0, "no run file gives a number with a derivative: name one in a case");
}

}  // namespace

void add_parameter_checks(ComponentKind kind, std::vector<Check>& checks) {
  const auto add = [&](const char* what, auto run) {
    checks.push_back({"math.parameters", Level::mathematics, what,
                      "a number that moves something else too was taken as moving one term", run, "contract.create"});
  };
  if (kind == ComponentKind::constraint)
    add("derivatives with respect to its numbers are those of rows made anew", constraint_parameters);
  if (kind == ComponentKind::force)
    add("derivatives with respect to its numbers are those of a force made anew", force_parameters);
  if (kind == ComponentKind::system)
    add("derivatives with respect to masses and inertias are those of bodies made anew", body_parameters);
}

}  // namespace trammel::conformance
