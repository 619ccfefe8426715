// Level 3 of formulations: what a treatment of constraints must do on models with known answers.
#include <cmath>

#include "check/bench.h"
#include "check/element_point.h"
#include "trammel/error.h"
#include "trammel/extensions/formulation_extensions.h"
#include "trammel/host/simulation.h"

namespace trammel::conformance {
namespace {

/// The pendulum of the bench with its pin twice: two of four rows depend on the others.
const char* const redundant_pendulum = R"({ "type": "planar", "gravity": [0, -9.81],
  "bodies": { "arm": { "mass": 2, "inertia": 0.1, "position": [0.5, 0], "angular_velocity": 1, "velocity": [0, 0.5] } },
  "constraints": { "pin": { "type": "revolute", "bodies": ["ground", "arm"], "at": [0, 0] },
                   "again": { "type": "revolute", "bodies": ["ground", "arm"], "at": [0, 0] } } })";
/// A loop: parallelogram linkage that moves as one angle does.
const char* const loop = R"({ "type": "planar", "gravity": [0, -9.81],
  "bodies": { "left": { "mass": 1, "inertia": 0.02, "position": [0.25, 0.4330127018922193], "angle": 1.0471975511965976 },
              "bar": { "mass": 2, "inertia": 0.2, "position": [1.0, 0.8660254037844386] },
              "right": { "mass": 1, "inertia": 0.02, "position": [1.25, 0.4330127018922193], "angle": 1.0471975511965976 } },
  "constraints": { "a": { "type": "revolute", "bodies": ["ground", "left"], "at": [0, 0] },
                   "b": { "type": "revolute", "bodies": ["left", "bar"], "at": [0.5, 0.8660254037844386] },
                   "c": { "type": "revolute", "bodies": ["bar", "right"], "at": [1.5, 0.8660254037844386] },
                   "d": { "type": "revolute", "bodies": ["right", "ground"], "at": [1, 0] } } })";

std::string sections(const std::string& json, const char* system) {
  return fmt::format("\"system\": {},\n\"formulation\": {},\n\"integrator\": {{ \"type\": \"dopri5\" }}", system, json);
}

/// A formulation on a model, integrated by classical Runge-Kutta steps with corrections as the engine makes them.
class Treated {
 public:
  Treated(PluginHost& host, const MethodCase& method, const char* system)
      : Treated(host, load_sections(sections(method.json, system))) {}
  Treated(PluginHost& host, RunFile run)
      : made_(host, std::move(run), ComponentKind::formulation),
        numbers_(made_.model()),
        q(Eigen::Map<const VectorXd>(made_.model().q0().data(), numbers_.coordinates())),
        v(Eigen::Map<const VectorXd>(made_.model().v0().data(), numbers_.coordinates())) {
    const MemorySize size = made_.formulation().memory(numbers_);
    state_.assign(static_cast<std::size_t>(size.state), 0.0);
    scratch_.assign(static_cast<std::size_t>(size.scratch), 0.0);
    cache_.assign(static_cast<std::size_t>(size.cache), 0.0);
    ProjectionReport report;
    ok(numbers_.project_positions(0, view(q), ProjectionWeights::identity, 1e-13, report), "assembling the model");
    ok(numbers_.project_velocities(0, cview(q), view(v), ProjectionWeights::identity, report), "assembling the model");
    ok(numbers_.evaluate(0, cview(q), cview(v), {}, evaluate_Phi | evaluate_dynamics), "evaluating the model");
    numbers_.rank().choose_rows(1e-9);
    y.setZero(made_.formulation().ode_size(numbers_));
    begin();
  }

  /// Chart or partition anew at (q, v); y follows.
  void begin() {
    ok(made_.formulation().start(numbers_, t, cview(q), cview(v), memory()), "start");
    ok(embed_state(made_.formulation(), numbers_, t, cview(q), cview(v), {}, memory(), view(y)), "embed");
    spoil();
  }
  void lift() {
    ok(made_.formulation().lift(numbers_, t, cview(y), memory(), view(q), view(v), {}), "lift");
    spoil();
  }
  Correction correct() {
    const Correction correction = made_.formulation().correct(numbers_, t, view(y), {}, memory());
    ok(correction.status, "correct");
    spoil();
    return correction;
  }
  void step(double h) {
    const VectorXd k1 = rhs(t, y), k2 = rhs(t + h / 2, y + h / 2 * k1), k3 = rhs(t + h / 2, y + h / 2 * k2),
                   k4 = rhs(t + h, y + h * k3);
    y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    t += h;
    const Correction correction = correct();
    if (correction.restart) restart();
    made_.formulation().accepted(memory());
  }
  void restart() {
    const auto* chart = find_extension<ChartChange>(made_.formulation());
    if (chart == nullptr) {
      lift();
      return begin();
    }
    ok(chart->change_chart(numbers_, t, view(y), memory()), "change_chart");
    spoil();
  }
  void run_to(double end, int steps) {
    const double h = (end - t) / steps;
    for (int i = 0; i < steps; ++i) step(h);
    lift();
  }
  double violation() {
    lift();
    ok(numbers_.evaluate(t, cview(q), cview(v), {}, evaluate_Phi), "evaluate");
    return numbers_.Phi().map().norm();
  }
  const Formulation& formulation() const { return made_.formulation(); }

 private:
  static VectorView view(VectorXd& x) { return {x.data(), static_cast<Index>(x.size())}; }
  static ConstVectorView cview(const VectorXd& x) { return {x.data(), static_cast<Index>(x.size())}; }
  static void ok(const Status& status, const char* what) {
    if (!status) fail("{} fails: {} ({})", what, status.what, status_name(status.code));
  }
  VectorXd rhs(double at, const VectorXd& state) {
    VectorXd f = VectorXd::Constant(state.size(), std::nan(""));
    ok(made_.formulation().rhs(numbers_, at, cview(state), memory(), view(f)), "rhs");
    require(f.allFinite(), "rhs leaves entries unwritten, or writes numbers that are not finite");
    spoil();
    return f;
  }
  Memory memory() { return {state_.data(), scratch_.data(), cache_.data()}; }
  void spoil() { std::fill(scratch_.begin(), scratch_.end(), 1e300); }

  CreatedMethod made_;
  ConstrainedModel numbers_;
  std::vector<double> state_, scratch_, cache_;

 public:
  double t = 0;
  VectorXd q, v, y;
};

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

/// A model on which a formulation is judged.
struct TreatedModel {
  std::function<std::unique_ptr<Treated>()> make;
  std::string name;
  std::filesystem::path file;  ///< "": one of the kit's
};

/// Calls `look` for the kit's models, in every way in which the cases use the formulation. One that refuses all of them
/// (it needs names of a model, or a kind of model) is judged on the models of its cases, with its own keys.
void on_models(Subject& subject, std::initializer_list<const char*> systems, bool own_models,
               const std::function<void(const TreatedModel&)>& look) {
  std::string refusal;
  bool looked = false;
  const auto try_model = [&](const TreatedModel& model) {
    try {
      model.make();
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::input) throw;
      refusal = error.what();
      return;
    }
    look(model);
    looked = true;
  };
  for_each_way(subject, [&](const MethodCase& method) {
    for (const char* system : systems) {
      const auto make = [&, system] { return std::make_unique<Treated>(*subject.host, method, system); };
      try_model({make, system == loop ? "a loop" : "a pendulum", ""});
    }
  });
  for (const auto& file : subject.cases) {
    if (looked || !own_models) break;
    try_model({[&] { return std::make_unique<Treated>(*subject.host, load_run_file(file)); }, file.filename().string(),
               file});
  }
  if (!looked) skip("does not apply: {}", refusal.empty() ? "no model to look at" : refusal);
}

/// Times in which the models of cases move.
constexpr double own_stretch = 0.2;

void manifold(Subject& subject) {
  on_models(subject, {planar_pendulum_system, loop}, true, [](const TreatedModel& model) {
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
  on_models(subject, {loop}, true, [](const TreatedModel& model) {
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
  on_models(subject, {loop}, true, [](const TreatedModel& model) {
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
  on_models(subject, {loop}, true, [](const TreatedModel& model) {
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
      "solves over all rows, also those that the kernel left out", redundant, "math.reference");
}

}  // namespace trammel::conformance
