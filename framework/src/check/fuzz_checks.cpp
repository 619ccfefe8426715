// Level 4: wrong and wild input. Errors and failures are right answers; crashes, hangs and other exceptions are not.
#include <cmath>
#include <ctime>

#include "check/bench.h"
#include "check/element_point.h"
#include "check/function_cases.h"
#include "config/json_source.h"
#include "trammel/error.h"
#include "trammel/host/simulation.h"

namespace trammel::conformance {
namespace {

/// A value that somebody could have written in place of another.
std::string wild_json(std::mt19937& random) {
  static const char* const values[] = {
      "0",      "-1", "1e300", "-1e300",    "1e-300", "3.7",           "true",      "null", "\"\"",
      "\"=1\"", "[]", "[0]",   "[0, 0, 0]", "{}",     "[1e300, 0, 0]", "\"wrong\"", "1000", "[1, 2, 3, 4, 5, 6, 7]"};
  return values[std::uniform_int_distribution<std::size_t>(0, std::size(values) - 1)(random)];
}

void keys_below(const Node& node, const std::string& path, std::vector<std::string>& paths) {
  for (const Member& member : node.members) {
    if (member.key == "type" || member.key == "bodies") continue;
    paths.push_back(path + "." + member.key);
    keys_below(member.value, path + "." + member.key, paths);
  }
}

/// Paths, as --set writes them, of everything that the component's own objects contain.
std::vector<std::string> own_paths(const Subject& subject, const std::filesystem::path& file) {
  std::vector<std::string> paths;
  const Node document = read_json_file(file);
  std::vector<TypedNode> found;
  find_typed(document, "", subject.component->type, found);
  for (const TypedNode& typed : found) {
    std::string path = typed.path.substr(typed.path.empty() ? 0 : 1);
    for (char& c : path) c = c == '/' ? '.' : c;
    keys_below(*typed.node, path, paths);
  }
  return paths;
}

/// Values replaced in the component's own part of its cases: accepted, refused by a message, or a run that breaks off.
void parameters(Subject& subject) {
  if (subject.cases.empty()) skip("no run file uses it");
  // Of models that take long to load there are fewer tries.
  constexpr int tries = 60, least_tries = 20;
  constexpr double enough = 0.4;  // s of the processor
  const std::clock_t begin = std::clock();
  for (int i = 0; i < tries; ++i) {
    if (i >= least_tries && static_cast<double>(std::clock() - begin) > enough * CLOCKS_PER_SEC) break;
    const auto& file = subject.cases[static_cast<std::size_t>(i) % subject.cases.size()];
    const std::vector<std::string> paths = own_paths(subject, file);
    if (paths.empty()) continue;
    const std::string path = paths[std::uniform_int_distribution<std::size_t>(0, paths.size() - 1)(subject.random)];
    const std::string set = path + "=" + wild_json(subject.random);
    SimulationOptions options{{set}, {subject.file.parent_path()}};
    try {
      Simulation simulation(file, options);
      for (int step = 0; step < 10 && simulation.step(); ++step) {
      }
      require(!simulation.failed_by_plugin(), "{} with --set {}: {}", file.filename().string(), set,
              simulation.message());
    } catch (const Error& error) {
      require(error.kind() != ErrorKind::plugin || std::string(error.what()).find("plugin '") == std::string::npos,
              "{} with --set {}: {}", file.filename().string(), set, error.what());
      require(*error.what() != 0, "{} with --set {}: refused without a word", file.filename().string(), set);
    }
  }
}

/// Elements far from any sensible state: statuses and infinite numbers are fine.
void states(Subject& subject) {
  const auto wild = [&](ElementPoint& point, const std::function<void()>& evaluate) {
    for (int i = 0; i < 40; ++i) {
      VectorXd dq(point.size()), dv(point.size());
      const double size = std::pow(10.0, uniform(subject.random, -6, 12));
      for (Index k = 0; k < point.size(); ++k)
        dq[k] = uniform(subject.random, -size, size), dv[k] = uniform(subject.random, -size, size);
      if (i % 4 == 0) dq = -dq.cwiseAbs();
      point.move(dq, dv, uniform(subject.random, -1e3, 1e3), {});
      evaluate();
    }
  };
  if (subject.component->kind == ComponentKind::constraint) {
    for_each_constraint(subject, [&](CaseModel& model, const ConstraintSlot& slot) {
      ElementPoint point(model, slot);
      const Index m = slot.rows;
      MatrixXd Phi_q(m, point.size()), square(point.size(), point.size());
      VectorXd Phi(m), nu(m), gamma(m), lambda = VectorXd::Ones(m);
      const VectorXd x = point.local(subject.random);
      const auto views = point.row_blocks(Phi_q), both = point.square_blocks(square);
      wild(point, [&] {
        slot.constraint->evaluate(point.at(), {{Phi.data(), m}, views.data(), {nu.data(), m}, {gamma.data(), m}});
        slot.constraint->multiplier_gradient(point.at(), {lambda.data(), m}, both.data());
        slot.constraint->acceleration_gradient(point.at(), point.segments(x).data(), views.data(), views.data());
      });
    });
    return;
  }
  for_each_force(subject, [&](CaseModel& model, const ForceSlot& slot) {
    ElementPoint point(model, slot, slot.force);
    VectorXd Q(point.size());
    MatrixXd square(point.size(), point.size());
    const auto both = point.square_blocks(square);
    wild(point, [&] {
      slot.force->force(point.at(), point.segments(Q).data());
      slot.force->gradients(point.at(), both.data(), both.data());
      ForceEnergy energy;
      slot.force->energy(point.at(), energy);
    });
  });
}

void arguments(Subject& subject) {
  for_each_function(subject, [&](const FunctionUse& use) {
    for (int i = 0; i < 200; ++i) {
      double value[4];
      const double x = i < 3
                           ? (i - 1) * INFINITY
                           : std::copysign(std::pow(10.0, uniform(subject.random, -300, 300)), uniform(subject.random));
      use.function->evaluate(x, use.function->max_order(), value);
    }
  });
}

/// Integrators on a problem whose answers fail or are not finite now and then.
void stumbling(Subject& subject) {
  class Stumbling final : public OdeSystem {
   public:
    Stumbling(OdeSystem& inner, std::mt19937& random) : inner_(inner), random_(random) {}
    Index size() const override { return inner_.size(); }
    Status rhs(double t, ConstVectorView y, VectorView f) override {
      const Status status = inner_.rhs(t, y, f);
      const double fate = uniform(random_, 0, 1);
      if (fate < 0.02) f[0] = std::nan("");
      if (fate > 0.98) return Status::failure(StatusCode::out_of_domain, "as the test wants it");
      return status;
    }
    ConstVectorView mask() const override { return inner_.mask(); }

   private:
    OdeSystem& inner_;
    std::mt19937& random_;
  };
  for_each_way(subject, [&](const MethodCase& method) {
    const CreatedMethod made(*subject.host, integrator_sections(method.json, pendulum_system),
                             ComponentKind::integrator);
    if (made.integrator().traits().view != ViewKind::ode) skip("looked at in the first-order view only");
    Bench bench(*subject.host, method, pendulum_system);
    Stumbling problem(*bench.problem().ode, subject.random);
    bench.problem().ode = &problem;
    if (bench.traits().restart_only) skip("a library of its own");
    for (int i = 0; i < 200; ++i) {
      const StepResult result = bench.attempt(0.01);
      require(!result.status.ok() || result.rejected || bench.attempted().allFinite(),
              "a step with numbers that are not finite is called ok");
      if (result.status.ok() && !result.rejected)
        bench.accept();
      else
        bench.reject();
      bench.check_guards();
    }
  });
}

}  // namespace

void add_fuzz_checks(ComponentKind kind, std::vector<Check>& checks) {
  const auto add = [&](const char* id, const char* what, const char* cause, auto run, const char* needs) {
    checks.push_back({id, Level::fuzz, what, cause, run, needs});
  };
  const char* const create = "contract.create";
  const char* before = kind == ComponentKind::function     ? "contract.shapes"
                       : kind == ComponentKind::integrator ? "contract.attempt"
                                                           : create;
  if (kind == ComponentKind::constraint || kind == ComponentKind::force) {
    add("fuzz.states", "no state of the bodies makes it crash", "an index or a loop that depends on the state", states,
        "contract.shapes");
    before = "fuzz.states";
  }
  add("fuzz.parameters", "wrong values in the run file end in a message", "a bound missing in the parameter table",
      parameters, before);
  if (kind == ComponentKind::function) {
    add("fuzz.arguments", "no argument makes it crash or hang", "a search that runs out of its table", arguments,
        create);
  }
  if (kind == ComponentKind::integrator) {
    add("fuzz.stumbling", "it survives a problem that fails now and then", "a status that is not looked at", stumbling,
        "contract.attempt");
  }
}

}  // namespace trammel::conformance
