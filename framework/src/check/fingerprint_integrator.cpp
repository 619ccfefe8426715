// Fingerprints of integrators: steps of all lengths on soft, stiff and constrained systems, at all tolerances, steps that
// they choose themselves, void attempts, corrections, restarts, and what they say beside their steps.
#include <algorithm>
#include <array>
#include <cmath>

#include "check/bench.h"
#include "check/digest.h"
#include "check/element_point.h"
#include "config/json_source.h"
#include "config/plugin_cases.h"
#include "trammel/extensions/integrator_extensions.h"
#include "trammel/host/simulation.h"

namespace trammel::conformance {
namespace {

/// With a rate beside which the others are slow, and one without second-order view.
constexpr const char* stiff_system = R"({ "type": "linear", "coordinates": ["a", "b"], "mass": [1, 2],
  "damping": [300, -2, -1, 0.1], "stiffness": [2e4, -150, -100, 40], "position": [0.1, 0.2], "velocity": [1, -0.5] })";
constexpr const char* first_order_system = R"({ "type": "exponential", "rate": -40, "initial": 1.5 })";
constexpr const char* spatial_system = R"({ "type": "spatial", "gravity": [0, 0, -9.81],
  "bodies": { "upper": { "mass": 2, "inertia": [0.02, 0.1, 0.12], "position": [0.5, 0, 0], "angular_velocity": [0.3, 1, 0],
              "velocity": [0, 0, -0.5] },
              "lower": { "mass": 1, "inertia": [0.01, 0.05, 0.06], "position": [1.5, 0, 0] } },
  "constraints": { "ball": { "type": "spherical", "bodies": ["ground", "upper"], "at": [0, 0, 0] },
                   "pin": { "type": "revolute", "bodies": ["upper", "lower"], "at": [1, 0, 0], "axis": [0, 1, 0] } },
  "forces": { "damper": { "type": "tsda", "bodies": ["ground", "lower"], "point_i": [0, 1, 0], "point_j": [0, 0, 0],
              "stiffness": 300, "damping": 20, "free_length": 1.2 } } })";

class Walk {
 public:
  Walk(Subject& subject, const MethodCase& method, const char* system, Digest& digest)
      : random_(subject.random), digest_(digest), bench_(*subject.host, method, system), traits_(bench_.traits()) {}

  void go(int calls) {
    // Histories on a grid need many equal steps; all others one tolerance and one range of lengths for a while.
    constexpr int stretch = 60;
    for (int i = 0; i < calls; ++i) {
      try {
        if (i % stretch == 0) begin_anew(i / stretch);
        if (step()) continue;
      } catch (const Failed&) {
        digest_.add(-1.0);  // a start or a dense output that fails; what it was made of is told already
      }
      bench_.problem().tolerances.max_norm = false;  // some refuse it
      bench_.from_the_start();
    }
  }

 private:
  void begin_anew(int count) {
    rtol_ = std::pow(10, uniform(random_, -9, -2)), atol_ = rtol_ * std::pow(10, uniform(random_, -3, 0));
    Tolerances& tolerances = bench_.problem().tolerances;
    tolerances.rtol = {&rtol_, 1}, tolerances.atol = {&atol_, 1};
    tolerances.max_norm = count % 3 == 2;
    tolerances.fixed_steps = count % 4 == 3;
    if (count % 5 == 0) bench_.from_the_start();
    h_ = std::pow(10, uniform(random_, -3.5, -0.7)) *
         (count % 7 == 6 && bench_.view() != ViewKind::constrained ? -1 : 1);
    own_ = count % 2 == 0;
    bench_.restart();
  }

  /// False: it cannot go on from here.
  bool step() {
    const double h = traits_.variable_step && !own_ ? h_ * uniform(random_, 0.4, 1.5) : h_;
    StepResult result = bench_.attempt(h);
    tell(result);
    const bool void_one = !result.status || result.rejected;
    if (void_one || uniform(random_) > 0.9) {
      bench_.reject();
      h_ = result.rejected && result.h_next != 0 ? result.h_next : void_one ? h / 2 : h_;
      return std::abs(h_) > 1e-9 && (!void_one || traits_.variable_step);
    }
    const double begin = bench_.t(), end = bench_.attempted_time();
    VectorXd out;
    for (const double share : {0.3, 0.8}) {
      if (bench_.interpolate(begin + share * (end - begin), out)) digest_.add(out);
    }
    const bool moves = bench_.view() != ViewKind::constrained && uniform(random_) > 0.95;
    if (moves) {
      bench_.accept_moved(VectorXd::Constant(bench_.y().size(), 1e-3));
    } else {
      bench_.accept();
    }
    if (own_ && result.h_next != 0) h_ = std::clamp(result.h_next, -0.3, 0.3);
    digest_.add(bench_.said());
    return bench_.y().allFinite() && bench_.y().norm() < 1e6;
  }

  void tell(const StepResult& result) {
    digest_.add(result.status);
    for (const double number :
         {result.h, result.h_next, 1.0 * result.order, 1.0 * result.newton_iterations, result.rejected ? 1.0 : 0.0})
      digest_.add(number);
    if (!result.status) return;
    digest_.add(bench_.attempted());
    if (traits_.error_order > 0) digest_.add(bench_.error());
    const ConstStateView end = bench_.attempted_state();
    digest_.add(end.a.map()), digest_.add(end.lambda.map());
  }

  std::mt19937& random_;
  Digest& digest_;
  Bench bench_;
  IntegratorTraits traits_;
  double rtol_ = 1e-6, atol_ = 1e-8, h_ = 0.01;
  bool own_ = false;
};

/// Those of the cases, and those that studies put in their place.
std::vector<MethodCase> ways_with_studies(const Subject& subject) {
  std::vector<MethodCase> ways = method_cases(subject);
  for (const auto& file : subject.studies) {
    const Node study = read_json_file(file);
    std::vector<TypedNode> found;
    find_typed(study, "", subject.component->type, found);
    for (const TypedNode& way : found) {
      if (way.path.find("integrator") != std::string::npos)
        ways.push_back({method_of_any_model(subject, *way.node), file.string()});
    }
  }
  return ways;
}

/// The run of a case, under its own formulation.
void digest_run(const Subject& subject, const std::filesystem::path& file, Digest& digest) {
  Simulation simulation(file, {{}, {subject.file.parent_path()}});
  digest.add(simulation.run() == RunStatus::completed ? 1.0 : 0.0);
  digest.add(simulation.positions().map()), digest.add(simulation.velocities().map());
}

}  // namespace

void digest_integrators(Subject& subject, int calls, Digest& digest) {
  const auto digest_way = [&](const MethodCase& method) {
    const CreatedMethod created(*subject.host, integrator_sections(method.json, pendulum_system),
                                ComponentKind::integrator);
    const IntegratorTraits traits = created.integrator().traits();
    std::vector<const char*> systems;
    if (traits.view != ViewKind::constrained) systems = {pendulum_system, vibration_system, stiff_system};
    if (traits.view == ViewKind::ode || traits.also_first_order) systems.push_back(first_order_system);
    if (traits.view == ViewKind::constrained || traits.also_constrained)
      systems.insert(systems.end(), {planar_pendulum_system, spatial_system});
    for (const char* system : systems)
      Walk(subject, method, system, digest).go(calls / static_cast<int>(systems.size()));
    if (const auto* stability = find_extension<LinearStability>(created.integrator())) {
      for (int i = 0; i < 1000; ++i)
        digest.add(stability->spectral_radius(uniform(subject.random, -4, 0.5), uniform(subject.random, 0, 4)));
    }
  };
  const std::vector<MethodCase> ways = ways_with_studies(subject);
  for (const MethodCase& method : ways) digest_way(method);
  for (const auto& file : subject.cases) digest_run(subject, file, digest);
}

}  // namespace trammel::conformance
