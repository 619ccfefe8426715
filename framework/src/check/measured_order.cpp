// Whole runs at halved steps.
#include "check/measured_order.h"

#include <Eigen/Core>
#include <cmath>

#include "check/bench.h"
#include "trammel/host/simulation.h"

namespace trammel::conformance {
namespace {

std::string run_text(const std::string& system, const std::string& method, const std::string& control,
                     const std::string& formulation) {
  const std::size_t end = method.rfind('}');
  return fmt::format(
      "{{ \"trammel\": 2,\n\"system\": {},\n{}\"analysis\": {{ \"type\": \"dynamics\", \"duration\": 1{} }},\n"
      "\"integrator\": {}, {} }},\n\"output\": {{ \"step\": 1 }} }}\n",
      system, formulation.empty() ? "" : "\"formulation\": " + formulation + ",\n",
      system.find("\"bodies\"") != std::string::npos ? ", \"constraint_limit\": 1" : "", method.substr(0, end),
      control);
}

/// x and v at the end; empty if the run fails.
VectorXd end_of(const Subject& subject, const std::string& text) {
  Simulation simulation(write_run_file(text), {{}, {subject.file.parent_path()}});
  if (simulation.run() != RunStatus::completed) return {};
  const ConstVectorView x = simulation.positions(), v = simulation.velocities();
  VectorXd end(x.size + v.size);
  end << x.map(), v.map();
  return end;
}

VectorXd reference_end(const Subject& subject, const OrderProblem& problem) {
  if (!problem.end.empty())
    return Eigen::Map<const VectorXd>(problem.end.data(), static_cast<Index>(problem.end.size()));
  const bool model = problem.system.find("\"bodies\"") != std::string::npos;
  const VectorXd end =
      end_of(subject, run_text(problem.system, "{ \"type\": \"dopri853\" }", "\"rtol\": 1e-13, \"atol\": 1e-14",
                               model ? "{ \"type\": \"projection\" }" : ""));
  if (end.size() == 0) fail("the reference run of problem '{}' fails", problem.name);
  return end;
}

double error_of(const VectorXd& end, const VectorXd& reference) {
  if (end.size() < reference.size()) return INFINITY;
  return (end.head(reference.size()) - reference).norm() / std::max(1.0, reference.norm());
}

}  // namespace

std::vector<OrderProblem> order_problems(bool second_order, bool constrained) {
  if (constrained) {
    return {{"planar pendulum", planar_pendulum_system, {}},
            {"spatial pendulum",
             R"({ "type": "spatial", "gravity": [0, 0, -9.81],
  "bodies": { "arm": { "mass": 2, "inertia": [0.02, 0.1, 0.12], "position": [0.5, 0, 0], "angular_velocity": [0, 1, 0],
    "velocity": [0, 0, -0.5] } },
  "constraints": { "pin": { "type": "revolute", "bodies": ["ground", "arm"], "at": [0, 0, 0], "axis": [0, 1, 0] } } })",
             {}},
            {"double pendulum",
             R"({ "type": "planar", "gravity": [0, -9.81],
  "bodies": { "upper": { "mass": 1, "inertia": 0.05, "position": [0.5, 0] }, "lower": { "mass": 1, "inertia": 0.05, "position": [1.5, 0] } },
  "constraints": { "pin": { "type": "revolute", "bodies": ["ground", "upper"], "at": [0, 0] },
                   "joint": { "type": "revolute", "bodies": ["upper", "lower"], "at": [1, 0] } } })",
             {}},
            {"mass on a rod and a spring",
             R"({ "type": "planar", "gravity": [0, -9.81],
  "bodies": { "arm": { "mass": 2, "inertia": 0.1, "position": [0.5, 0], "angular_velocity": 0, "velocity": [0, 0] } },
  "constraints": { "rod": { "type": "distance", "bodies": ["ground", "arm"], "point_i": [0, 0], "point_j": [0, 0], "length": 0.5 } },
  "forces": { "spring": { "type": "tsda", "bodies": ["ground", "arm"], "point_i": [1, 1], "point_j": [0.2, 0], "stiffness": 30, "damping": 1, "free_length": 0.5 } } })",
             {}}};
  }
  // x = cos 2t + sin(t/2)/3.75
  const double x = std::cos(2.0) + std::sin(0.5) / 3.75, v = -2 * std::sin(2.0) + 0.5 * std::cos(0.5) / 3.75;
  std::vector<OrderProblem> problems = {
      {"forced vibration", vibration_system, {x, v}},
      {"pendulum", pendulum_system, {}},
      {"spinning top",
       R"({ "type": "spinning_top", "inertia": 5e-5, "axial_inertia": 2e-4, "mass": 0.02, "distance": 0.05,
  "angles": [0, "=pi/6", 0], "rates": [0, 0, "=2*pi"] })",
       {}}};
  if (second_order) {
    problems.push_back(
        {"damped vibration", R"({ "type": "vibration", "omega": 3, "damping_ratio": 0.2, "position": 1 })", {}});
  } else {
    problems.push_back({"exponential", R"({ "type": "exponential", "rate": -1, "initial": 1 })", {std::exp(-1.0)}});
  }
  return problems;
}

MeasuredOrder measure_order(const Subject& subject, const MethodCase& method, const OrderProblem& problem) {
  constexpr double rounding = 3e-12;  // of sums over the steps
  // Of order 1 the errors of fast motions are a tenth where those of order 2 are small: shorter steps for those.
  constexpr OrderRange range{5, 2560, rounding}, range_of_large_errors{1280, 40960, rounding, 5e-2};
  const VectorXd reference = reference_end(subject, problem);
  const auto error = [&](int steps) {
    const std::string step = fmt::format("\"step\": {:.17g}", 1.0 / steps);
    return error_of(end_of(subject, run_text(problem.system, method.json, step, "")), reference);
  };
  const MeasuredOrder order = measure_order(range, error);
  const bool too_long = order.windows < 2 && order.error > range.ceiling / 8 && std::isfinite(order.error);
  return too_long ? measure_order(range_of_large_errors, error) : order;
}

std::string errors_text(const MeasuredOrder& order) {
  std::string text = "errors";
  for (const auto& [steps, error] : order.errors) {
    const bool first = steps == order.errors.front().first;
    text += fmt::format("{} {:.2e} with {}{}", first ? "" : ",", error, steps, first ? " steps" : "");
  }
  return text;
}

namespace {

double error_under(const Subject& subject, const MethodCase& method, const OrderProblem& problem,
                   const std::string& control) {
  return error_of(end_of(subject, run_text(problem.system, method.json, control, "")), reference_end(subject, problem));
}

}  // namespace

double error_at_tolerance(const Subject& subject, const MethodCase& method, const OrderProblem& problem, double rtol) {
  return error_under(subject, method, problem, fmt::format("\"rtol\": {:g}, \"atol\": {:g}", rtol, rtol * 1e-2));
}

double error_at_largest_step(const Subject& subject, const MethodCase& method, const OrderProblem& problem,
                             double max_step) {
  return error_under(subject, method, problem, fmt::format("\"max_step\": {0:g}, \"initial_step\": {0:g}", max_step));
}

}  // namespace trammel::conformance
