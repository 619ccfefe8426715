// Level 3 of formulations: what a treatment of constraints must do on models with known answers.
#include <cmath>

#include "check/treated.h"
#include "trammel/extensions/formulation_extensions.h"
#include "trammel/host/simulation.h"

namespace trammel::conformance {
namespace {

/// The angle of the bench's pendulum at t, from its own equation by small steps.
double pendulum_angle(double end) {
  const double inertia = 0.1 + 2 * 0.25, moment = 2 * 9.81 * 0.5;
  double phi = 0, omega = 1;
  const int steps = 4000;
  const double h = end / steps;
  const auto a = [&](double angle) { return -moment * std::cos(angle) / inertia; };
  for (int i = 0; i < steps; ++i) {  // classical Runge-Kutta: h^4 is 4e-15
    const double k1 = omega, l1 = a(phi), k2 = omega + h / 2 * l1, l2 = a(phi + h / 2 * k1), k3 = omega + h / 2 * l2,
                 l3 = a(phi + h / 2 * k2), k4 = omega + h * l3, l4 = a(phi + h * k3);
    phi += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    omega += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
  }
  return phi;
}

/// Times in which the models of cases move.
constexpr double own_stretch = 0.2;

void manifold(Subject& subject) {
  on_models(subject, {planar_pendulum_system, parallelogram()}, true, [](const TreatedModel& model) {
    const auto treated = model.make();
    // Feedback as fast as the step answers to what stages violate: an error of the kit's Runge-Kutta steps.
    const auto* feedback = find_extension<StepwiseFeedback>(treated->formulation());
    const double least = feedback != nullptr && feedback->alpha_h() > 0 ? 1e-5 : 1e-7;
    const double limit = std::min(least, treated->formulation().traits().constraint_limit);
    treated->run_to(model.file.empty() ? 1 : own_stretch, 500);
    require(treated->violation() < limit, "after {:g} s of {} the constraints are violated by {:.1e}", treated->t,
            model.name, treated->violation());
  });
}

/// The positions of a case's model under `projection` and tight tolerances.
VectorXd projected_end(const Subject& subject, const std::filesystem::path& file) {
  SimulationOptions options{{}, {subject.file.parent_path()}};
  options.set = {fmt::format("analysis.duration={:g}", own_stretch), "formulation={\"type\": \"projection\"}",
                 "integrator={\"type\": \"dopri853\", \"rtol\": 1e-11, \"atol\": 1e-13}"};
  Simulation simulation(file, options);
  if (simulation.run() != RunStatus::completed) fail("the reference run of {} fails", file.filename().string());
  return simulation.positions().map();
}

void reference(Subject& subject) {
  on_models(subject, {planar_pendulum_system}, true, [&](const TreatedModel& model) {
    const auto treated = model.make();
    if (model.file.empty()) {
      treated->run_to(1, 500);
      const double error = std::abs(treated->q[2] - pendulum_angle(1));
      require(error < 1e-6, "the pendulum's angle at t = 1 is off by {:.1e}", error);
      return;
    }
    treated->run_to(own_stretch, 500);
    const VectorXd end = projected_end(subject, model.file);
    const double error = (treated->q.head(end.size()) - end).norm() / std::max(1.0, end.norm());
    require(error < 1e-5, "{}: positions at t = {:g} differ by {:.1e} from those under 'projection'", model.name,
            own_stretch, error);
  });
}

void idempotent(Subject& subject) {
  on_models(subject, {parallelogram()}, true, [](const TreatedModel& model) {
    const auto treated = model.make();
    treated->run_to(own_stretch, 40);
    treated->correct();
    const VectorXd once = treated->y;
    treated->correct();
    const double change = (treated->y - once).norm();
    require(change < 1e-9, "correcting a corrected state of {} moves it by {:.1e}", model.name, change);
  });
}

void rechart(Subject& subject) {
  on_models(subject, {parallelogram()}, true, [](const TreatedModel& model) {
    const auto straight = model.make(), begun_anew = model.make();
    const double end = model.file.empty() ? 1 : own_stretch;
    straight->run_to(end, 500);
    begun_anew->run_to(end / 2, 250);
    begun_anew->begin();
    begun_anew->run_to(end, 250);
    const double difference = (straight->q - begun_anew->q).norm();
    require(difference < 1e-6, "a new start in the middle of a motion of {} changes its end by {:.1e}", model.name,
            difference);
  });
}

void embedding(Subject& subject) {
  on_models(subject, {parallelogram()}, true, [](const TreatedModel& model) {
    const auto treated = model.make();
    treated->run_to(own_stretch, 40);
    treated->correct();
    treated->lift();
    const VectorXd q = treated->q, v = treated->v;
    treated->begin();
    treated->lift();
    const double difference = (treated->q - q).norm() + (treated->v - v).norm();
    require(difference < 1e-7, "embed and lift bring a state of {} back {:.1e} away", model.name, difference);
  });
}

void redundant(Subject& subject) {
  on_models(subject, {redundant_pendulum}, false, [](const TreatedModel& model) {
    const auto treated = model.make();
    treated->run_to(1, 500);
    const double error = std::abs(treated->q[2] - pendulum_angle(1));
    require(error < 1e-6, "with a redundant pin the pendulum's angle at t = 1 is off by {:.1e}", error);
  });
}

}  // namespace

void add_formulation_checks(std::vector<Check>& checks) {
  const auto add = [&](const char* id, const char* what, const char* cause, auto run,
                       const char* needs = "contract.create") {
    checks.push_back({id, Level::mathematics, what, cause, run, needs});
  };
  add("math.embedding", "lift undoes embed", "another order of q, v and z in the two", embedding);
  add("math.idempotent", "a corrected state is not corrected again",
      "a correction that overshoots, or adds to a memory", idempotent, "math.embedding");
  add("math.reference", "a pendulum moves as its angle's own equation says",
      "accelerations that do not satisfy the equations of motion", reference, "math.idempotent");
  add("math.manifold", "the constraints stay satisfied",
      "a stabilization term of the wrong sign, or a correction left out", manifold, "math.reference");
  add("math.rechart", "a new start in the middle changes nothing", "start leaves something of the last chart behind",
      rechart, "math.reference");
  add("math.redundant", "rows that depend on others do no harm",
      "solves over all rows, also those that the kernel left out", redundant, "math.rechart");
}

}  // namespace trammel::conformance
