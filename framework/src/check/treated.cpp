// A formulation on a model without the engine.
#include "check/treated.h"

#include <array>

#include "trammel/error.h"
#include "trammel/extensions/formulation_extensions.h"

namespace trammel::conformance {
namespace {

std::string sections(const std::string& json, const std::string& system) {
  return fmt::format("\"system\": {},\n\"formulation\": {},\n\"integrator\": {{ \"type\": \"dopri5\" }}", system, json);
}

void require_fit(const Formulation& formulation, ConstrainedSystem& system, double t, const VectorXd& q,
                 const VectorXd& v, const Memory& memory) {
  const auto* fit = find_extension<FormulationFit>(formulation);
  if (fit == nullptr) return;
  std::array<char, 100> key{};
  std::array<char, 500> text{};
  Refusal refusal{sizeof(Refusal), ErrorKind::input, key.data(), key.size(), text.size(), text.data()};
  if (!fit->fits(system, t, view_of(q), view_of(v), memory, refusal)) throw Error(ErrorKind::input, text.data());
}

}  // namespace

Treated::Treated(PluginHost& host, const MethodCase& method, const std::string& system)
    : Treated(host, load_sections(sections(method.json, system))) {}

Treated::Treated(PluginHost& host, RunFile run)
    : q(), made_(host, std::move(run), ComponentKind::formulation), numbers_(made_.model()) {
  q = Eigen::Map<const VectorXd>(made_.model().q0().data(), numbers_.coordinates());
  v = Eigen::Map<const VectorXd>(made_.model().v0().data(), numbers_.coordinates());
  z.setZero(numbers_.internal_states());
  numbers_.point().initial_internal(view_of(z));
  ProjectionReport report;
  require_ok(numbers_.project_positions(0, view_of(q), ProjectionWeights::identity, 1e-13, report),
             "assembling the model");
  require_ok(numbers_.project_velocities(0, view_of(q), view_of(v), ProjectionWeights::identity, report),
             "assembling the model");
  require_ok(numbers_.evaluate(0, view_of(q), view_of(v), view_of(z), evaluate_Phi | evaluate_dynamics),
             "evaluating the model");
  numbers_.rank().choose_rows(1e-9);
  const MemorySize size = made_.formulation().memory(numbers_);
  state_.resize(size.state, 0), scratch_.resize(size.scratch, 0), cache_.resize(size.cache, 0);
  require_fit(made_.formulation(), numbers_, 0, q, v, memory());
  y.setZero(made_.formulation().ode_size(numbers_));
  begin();
}

void Treated::spoil() {
  require(state_.intact() && scratch_.intact() && cache_.intact(),
          "it writes beside the memory that memory() declares");
  scratch_.set(VectorXd::Constant(scratch_.size(), 1e300));
}

void Treated::begin() {
  FencedVector out(static_cast<Index>(y.size()));
  require_ok(made_.formulation().start(numbers_, t, view_of(q), view_of(v), memory()), "start");
  require_ok(embed_state(made_.formulation(), numbers_, t, view_of(q), view_of(v), view_of(z), memory(), out.view()),
             "embed");
  require(out.intact(), "embed writes beside y");
  y = out.values();
  spoil();
}

void Treated::begin_moving(Random& random) {
  for (Index i = 0; i < v.size(); ++i) v[i] += uniform(random);
  ProjectionReport report;
  require_ok(numbers_.project_velocities(t, view_of(q), view_of(v), ProjectionWeights::identity, report),
             "the kernel's own projection");
  begin();
}

void Treated::lift_at(double at, const VectorXd& state) {
  FencedVector from(static_cast<Index>(state.size())), to_q(static_cast<Index>(q.size())),
      to_v(static_cast<Index>(v.size())), to_z(static_cast<Index>(z.size()));
  from.set(state);
  require_ok(made_.formulation().lift(numbers_, at, from.view(), memory(), to_q.view(), to_v.view(), to_z.view()),
             "lift");
  require(to_q.intact() && to_v.intact() && to_z.intact(), "lift writes beside q, v or z");
  q = to_q.values(), v = to_v.values(), z = to_z.values();
  spoil();
}

Correction Treated::correct() {
  VectorXd none;
  return correct(none);
}

Correction Treated::correct(VectorXd& error) {
  FencedVector state(static_cast<Index>(y.size())), estimate(static_cast<Index>(error.size()));
  state.set(y), estimate.set(error);
  const VectorView of_error = error.size() > 0 ? estimate.view() : VectorView{};
  const Correction correction = made_.formulation().correct(numbers_, t, state.view(), of_error, memory());
  require_ok(correction.status, "correct");
  require(state.intact() && estimate.intact(), "correct writes beside y or the error");
  require(state.values().allFinite(), "correct leaves numbers in y that are not finite");
  require(correction.changed || state.values() == y, "correct moves y and does not say so in `changed`");
  y = state.values(), error = estimate.values();
  spoil();
  return correction;
}

VectorXd Treated::corrected(const VectorXd& state) {
  const VectorXd here = y, kept = state_.values();
  y = state;
  correct();
  state_.set(kept);
  const VectorXd moved = y;
  y = here;
  return moved;
}

void Treated::step(double h) {
  const VectorXd k1 = rhs(t, y), k2 = rhs(t + h / 2, y + h / 2 * k1), k3 = rhs(t + h / 2, y + h / 2 * k2),
                 k4 = rhs(t + h, y + h * k3);
  y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  t += h;
  const Correction correction = correct();
  if (correction.restart) restart();
  made_.formulation().accepted(memory());
}

void Treated::restart() {
  const auto* chart = find_extension<ChartChange>(made_.formulation());
  if (chart == nullptr) {
    lift();
    return begin();
  }
  require_ok(chart->change_chart(numbers_, t, view_of(y), memory()), "change_chart");
  spoil();
}

void Treated::run_to(double end, int steps) {
  const double h = (end - t) / steps;
  for (int i = 0; i < steps; ++i) step(h);
  lift();
}

double Treated::violation() {
  lift();
  require_ok(numbers_.evaluate(t, view_of(q), view_of(v), view_of(z), evaluate_Phi), "evaluate");
  return numbers_.Phi().map().norm();
}

VectorXd Treated::rhs(double at, const VectorXd& state) {
  FencedVector from(static_cast<Index>(state.size())), f(static_cast<Index>(state.size()));
  from.set(state);
  require_ok(made_.formulation().rhs(numbers_, at, from.view(), memory(), f.view()), "rhs");
  require(f.intact(), "rhs writes beside f");
  require(f.values().allFinite(), "rhs leaves entries unwritten, or writes numbers that are not finite");
  spoil();
  return f.values();
}

std::optional<MatrixXd> Treated::jacobian() {
  const auto size = static_cast<Index>(y.size());
  MatrixXd J = MatrixXd::Constant(size + 2, size, std::nan(""));  // with a gap between columns
  J.bottomRows(2).setConstant(canary);
  const Status status =
      made_.formulation().jacobian(numbers_, t, view_of(y), memory(), {J.data(), size, size, size + 2});
  spoil();
  if (status.code == StatusCode::unsupported) return std::nullopt;
  require_ok(status, "jacobian");
  require((J.bottomRows(2).array() == canary).all(), "jacobian writes between the columns of f_y");
  require(J.topRows(size).allFinite(), "jacobian leaves entries unwritten, or writes numbers that are not finite");
  return J.topRows(size);
}

VectorXd Treated::mask() {
  FencedVector weights(static_cast<Index>(y.size()));
  made_.formulation().mask(numbers_, memory(), weights.view());
  require(weights.intact(), "mask writes beside the weights");
  spoil();
  return weights.values();
}

VectorXd Treated::acceleration(VectorXd& z_rate) {
  VectorXd a(q.size());
  require_ok(numbers_.evaluate(t, view_of(q), view_of(v), view_of(z), evaluate_dynamics), "evaluate");
  require_ok(numbers_.factorize(ProjectionWeights::mass), "factorize");
  require_ok(numbers_.solve(numbers_.Q(), numbers_.gamma(), view_of(a), {}), "solve");
  z_rate = VectorXd::Zero(z.size());
  if (z.size() > 0) z_rate = numbers_.z_rate().map();
  return a;
}

VectorXd Treated::rows_of(const VectorXd& x) {
  VectorXd rows(numbers_.constraints());
  require_ok(numbers_.evaluate(t, view_of(q), view_of(v), view_of(z), evaluate_Phi | evaluate_nu | evaluate_dynamics),
             "evaluate");
  numbers_.apply_jacobian(view_of(x), view_of(rows));
  return rows;
}

Index Treated::freedoms() const {
  return static_cast<Index>(numbers_.coordinates() - numbers_.constraints() + numbers_.rank().redundant());
}

void on_models(Subject& subject, const std::vector<std::string>& systems, bool own_models,
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
    for (const std::string& system : systems) {
      const auto make = [&] { return std::make_unique<Treated>(*subject.host, method, system); };
      try {
        try_model({make, "the kit's model", ""});
      } catch (const Failed& failure) {
        fail("{}, with the model {}", failure.what(), one_line(system));
      }
    }
  });
  for (const auto& file : subject.cases) {
    if (looked || !own_models) break;
    try_model({[&] { return std::make_unique<Treated>(*subject.host, load_run_file(file)); }, file.filename().string(),
               file});
  }
  if (!looked) skip("does not apply: {}", refusal.empty() ? "no model to look at" : refusal);
}

const char* const redundant_pendulum = R"({ "type": "planar", "gravity": [0, -9.81],
  "bodies": { "arm": { "mass": 2, "inertia": 0.1, "position": [0.5, 0], "angular_velocity": 1, "velocity": [0, 0.5] } },
  "constraints": { "pin": { "type": "revolute", "bodies": ["ground", "arm"], "at": [0, 0] },
                   "again": { "type": "revolute", "bodies": ["ground", "arm"], "at": [0, 0] } } })";

std::string parallelogram(bool sprung) {
  const std::string linkage = R"("type": "planar", "gravity": [0, -9.81],
  "bodies": { "left": { "mass": 1, "inertia": 0.02, "position": [0.25, 0.4330127018922193], "angle": 1.0471975511965976 },
              "bar": { "mass": 2, "inertia": 0.2, "position": [1.0, 0.8660254037844386] },
              "right": { "mass": 1, "inertia": 0.02, "position": [1.25, 0.4330127018922193], "angle": 1.0471975511965976 } },
  "constraints": { "a": { "type": "revolute", "bodies": ["ground", "left"], "at": [0, 0] },
                   "b": { "type": "revolute", "bodies": ["left", "bar"], "at": [0.5, 0.8660254037844386] },
                   "c": { "type": "revolute", "bodies": ["bar", "right"], "at": [1.5, 0.8660254037844386] },
                   "d": { "type": "revolute", "bodies": ["right", "ground"], "at": [1, 0] } })";
  const std::string spring = R"(,
  "forces": { "spring": { "type": "tsda", "bodies": ["ground", "bar"], "point_i": [2, -0.5], "point_j": [0.3, 0.2],
                          "stiffness": 40, "damping": 3, "free_length": 1 } })";
  return "{ " + linkage + (sprung ? spring : "") + " }";
}

const char* const spatial_linkage = R"({ "type": "spatial", "gravity": [0.4, -0.7, -9.81],
  "bodies": {
    "base": { "mass": 1.1, "inertia": [0.18, 0.16, 0.19], "position": [0.1, 0.2, 0], "rotation": { "axis": [0.25, -0.87, -0.97], "angle": 2.14 } },
    "arm": { "mass": 0.9, "inertia": [0.07, 0.1, 0.08], "position": [1.1, 0.3, 0.2], "rotation": { "axis": [0.3, 0.2, -0.5], "angle": 0.6 } },
    "hand": { "mass": 0.6, "inertia": [0.03, 0.05, 0.04], "position": [1.7, 0.9, 0.4], "rotation": { "axis": [-0.5, 0.4, 0.1], "angle": 1.2 } },
    "slide": { "mass": 0.7, "inertia": [0.05, 0.03, 0.06], "position": [-0.6, 0.8, 0.3], "rotation": { "axis": [0.1, 0.9, 0.2], "angle": 0.8 } } },
  "constraints": {
    "bearing": { "type": "revolute", "bodies": ["ground", "base"], "at": [0, 0, 0], "axis": [0.2, 0.1, 1] },
    "ball": { "type": "spherical", "bodies": ["arm", "base"], "at": [0.6, 0.2, 0.1] },
    "cross": { "type": "universal", "bodies": ["arm", "hand"], "at": [1.5, 0.6, 0.3], "axis": [1, 0, 0.5], "second_axis": [-0.5, 0.3, 1] },
    "guide": { "type": "translational", "bodies": ["base", "slide"], "at": [-0.3, 0.5, 0.1], "axis": [0.87, 0.76, 0.28] },
    "rod": { "type": "distance", "bodies": ["hand", "slide"], "point_i": [0.1, 0, 0.05], "point_j": [0, 0.1, 0] } },
  "forces": {
    "spring": { "type": "tsda", "bodies": ["ground", "hand"], "point_i": [2, 0, 1], "point_j": [0.1, 0.1, 0], "stiffness": 30, "damping": 2, "free_length": 1 },
    "cord": { "type": "tsda", "bodies": ["base", "slide"], "point_i": [0.1, 0, 0.2], "point_j": [0, 0.1, 0.1], "stiffness": 25, "damping": 1, "free_length": 0.5 } } })";

namespace {

/// The driver as "apart", and as "again".
std::string driver(const char* bodies, bool twice) {
  const std::string one = fmt::format(
      R"({{ "type": "translation_driver", "bodies": [{}], "point_i": [0, 0], "point_j": [0, 0], "axis_i": [1, 0],
         "function": {{ "type": "polynomial", "coefficients": [0.8, 0.35, 0.6, 0.4] }} }})",
      bodies);
  return "\"apart\": " + one + (twice ? ", \"again\": " + one : "");
}

}  // namespace

std::string parted_blocks(bool twice) {
  return R"({ "type": "planar", "gravity": [0.5, -9.81],
  "bodies": { "one": { "mass": 2, "inertia": 0.3, "position": [0.1, 0], "velocity": [0.1, 0] },
              "two": { "mass": 3, "inertia": 0.7, "position": [0.9, 0], "velocity": [0.45, 0] } },
  "forces": { "spring": { "type": "tsda", "bodies": ["ground", "one"], "point_i": [-1, 0.7], "stiffness": 20, "damping": 1, "free_length": 0.9 } },
  "constraints": {
    "rail_one": { "type": "translational", "bodies": ["ground", "one"], "at": [0.1, 0], "axis": [1, 0] },
    "rail_two": { "type": "translational", "bodies": ["ground", "two"], "at": [0.9, 0], "axis": [1, 0] },
    )" + driver("\"one\", \"two\"", twice) +
         " } }";
}

std::string driven_block(bool twice) {
  return R"({ "type": "planar", "bodies": { "block": { "mass": 2, "inertia": 0.3, "position": [0.8, 0] } },
  "constraints": { "rail": { "type": "translational", "bodies": ["ground", "block"], "at": [0.8, 0], "axis": [1, 0] },
                   )" +
         driver("\"ground\", \"block\"", twice) + " } }";
}

const char* const lagging_carriage = R"({ "type": "spatial", "gravity": [0.3, 0, -9.81],
  "bodies": { "carriage": { "mass": 5, "inertia": [0.1, 0.1, 0.1], "position": [0.2, 0, 0] } },
  "constraints": { "guide": { "type": "translational", "bodies": ["ground", "carriage"], "at": [0, 0, 0], "axis": [1, 0, 0] } },
  "forces": { "motor": { "type": "actuator", "joint": "guide", "law": "20*sin(3*t) - 30*x - 4*rate", "lag": 0.3 } } })";

}  // namespace trammel::conformance
