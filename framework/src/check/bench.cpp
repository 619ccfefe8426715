// Driving a method step by step.
#include "check/bench.h"

#include <fmt/format.h>

#include <cmath>

#include "run/plant/model_plant.h"
#include "run/plant/problem_plant.h"
#include "trammel/extensions/integrator_extensions.h"

namespace trammel::conformance {
namespace {

std::unique_ptr<Plant> make_plant(const Model& model, ViewKind view) {
  if (model.assembly() == nullptr) return std::make_unique<ProblemPlant>(model, view);
  StartOptions start;
  start.correction_limit = 1;
  return std::make_unique<ModelPlant>(make_start(model, start).model, nullptr, "", view, 0);
}

ViewKind kind_of_view(const IntegratorTraits& traits, const Model& model) {
  if (model.assembly() != nullptr) return traits.also_constrained ? ViewKind::constrained : traits.view;
  const bool of_first_order = model.system().second_order() == nullptr;
  return of_first_order && traits.also_first_order ? ViewKind::ode : traits.view;
}

bool guarded_well(const std::vector<double>& block, std::size_t guard) {
  for (std::size_t i = 0; i < guard; ++i) {
    if (block[i] != canary || block[block.size() - 1 - i] != canary) return false;
  }
  return true;
}

std::vector<double> guarded_block(Index size, std::size_t guard, double fill) {
  std::vector<double> block(static_cast<std::size_t>(size) + 2 * guard, canary);
  std::fill_n(block.begin() + static_cast<std::ptrdiff_t>(guard), size, fill);
  return block;
}

}  // namespace

const char* const vibration_system =
    R"({ "type": "vibration", "omega": 2, "forcing": 1, "forcing_omega": 0.5, "position": 1, "velocity": "=0.5/3.75" })";
const char* const pendulum_system =
    R"({ "type": "pendulum_angle", "length": 1, "mass": 1, "gravity": 9.81, "angle": 0, "rate": 0 })";
const char* const planar_pendulum_system = R"({ "type": "planar", "gravity": [0, -9.81],
  "bodies": { "arm": { "mass": 2, "inertia": 0.1, "position": [0.5, 0], "angular_velocity": 1, "velocity": [0, 0.5] } },
  "constraints": { "pin": { "type": "revolute", "bodies": ["ground", "arm"], "at": [0, 0] } } })";

const char* bench_system(ViewKind view) {
  return view == ViewKind::constrained ? planar_pendulum_system : pendulum_system;
}

std::string integrator_sections(const std::string& integrator, const std::string& system) {
  return fmt::format("\"system\": {},\n\"integrator\": {}", system, integrator);
}

RunFile load_sections(const std::string& sections) {
  return load_run_file(write_run_file("{ \"trammel\": 2,\n" + sections +
                                      ",\n\"analysis\": { \"type\": \"dynamics\", \"duration\": 1 } }\n"));
}

namespace {

Component make_method(PluginHost& host, const RunFile& run, Model& model, ComponentKind kind) {
  const Section& section = kind == ComponentKind::integrator ? run.integrator : run.formulation;
  return make_component(host, run, section, kind, model, &model.resolver());
}

}  // namespace

CreatedMethod::CreatedMethod(PluginHost& host, const std::string& sections, ComponentKind kind)
    : CreatedMethod(host, load_sections(sections), kind) {}
CreatedMethod::CreatedMethod(PluginHost& host, RunFile run, ComponentKind kind)
    : run_(std::move(run)), model_(run_, host), component_(make_method(host, run_, model_, kind)) {}

Bench::Bench(PluginHost& host, const MethodCase& method, const std::string& system)
    : method_(host, integrator_sections(method.json, system), ComponentKind::integrator),
      traits_(this->method().traits()),
      plant_(make_plant(method_.model(), kind_of_view(traits_, method_.model()))),
      state_(plant_->size(), plant_->view()),
      from_(plant_->size(), plant_->view()),
      next_(plant_->size(), plant_->view()),
      problem_(plant_->problem()) {
  problem_.tolerances = {.rtol = {&rtol_, 1}, .atol = {&atol_, 1}};
  const MemorySize declared = this->method().memory(plant_->size());
  memory_state_ = guarded_block(declared.state, guard, 0);
  memory_scratch_ = guarded_block(declared.scratch, guard, 0);
  error_ = guarded_block(controlled(), guard, 0);
  memory_cache_ = guarded_block(declared.cache, guard, 0);
  memory_ = {memory_state_.data() + guard, memory_scratch_.data() + guard, memory_cache_.data() + guard};
  from_the_start();
}

Bench::~Bench() = default;

void Bench::require_ok(const Status& status, const char* what) const {
  if (!status) fail("{} fails at t = {:g}: {} ({})", what, t(), status.what, status_name(status.code));
}

VectorXd Bench::copy(const StateBuffer& buffer) const {
  VectorXd y(controlled());
  y.head(buffer.view.x.size) = buffer.view.x.map();
  if (buffer.view.v.size > 0) y.tail(buffer.view.v.size) = buffer.view.v.map();
  return y;
}

std::optional<double> Bench::channel(std::string_view name) const {
  const auto* channels = find_extension<IntegratorChannels>(method());
  for (Index i = 0; channels != nullptr && i < channels->channel_count(); ++i) {
    if (channels->channel_name(i) == name) return channels->channel(i, memory_);
  }
  return {};
}

bool Bench::advises() const {
  const auto* advice = find_extension<IntegratorAdvice>(method());
  return advice != nullptr && advice->advice(memory_) != nullptr;
}

std::string Bench::said() const {
  std::string text;
  if (const auto* channels = find_extension<IntegratorChannels>(method())) {
    for (Index i = 0; i < channels->channel_count(); ++i)
      text += fmt::format("{} {} ", channels->channel_name(i), channels->channel(i, memory_));
  }
  if (const auto* notes = find_extension<IntegratorNotes>(method())) {
    char note[500] = "";
    notes->note(memory_, note, sizeof note - 1);
    text += note;
  }
  const auto* advice = find_extension<IntegratorAdvice>(method());
  const char* const advised = advice != nullptr ? advice->advice(memory_) : nullptr;
  return advised != nullptr ? text + advised : text;
}

void Bench::from_the_start() {
  state_.view.t = 0;
  require_ok(plant_->start(state_.view), "the start of the bench's own problem");
  restart();
}

void Bench::restart() {
  require_ok(method().start(problem_, state_.view, memory_), "start");
  spoil_scratch();
}

void Bench::spoil_scratch() { std::fill(memory_scratch_.begin() + guard, memory_scratch_.end() - guard, 1e300); }

StepResult Bench::attempt(double h) {
  from_.copy_from(state_);
  const double end = state_.view.t + h;
  for (const VectorView& part : {next_.view.x, next_.view.v, next_.view.a, next_.view.lambda}) {
    if (part.size > 0) part.map().setConstant(std::nan(""));  // the method writes every entry
  }
  next_.view.t = end;
  error_ = guarded_block(controlled(), guard, std::nan(""));
  const VectorView error{error_.data() + guard, traits_.error_order > 0 ? controlled() : 0};
  const StepResult result = method().attempt(problem_, state_.view, h, next_.view, error, memory_);
  spoil_scratch();
  if (result.h != 0 && result.h != h) next_.view.t = state_.view.t + result.h;
  return result;
}

void Bench::accept() {
  state_.copy_from(next_);
  method().accept(problem_, state_.view, false, memory_);
  spoil_scratch();
}

void Bench::accept_moved(const VectorXd& change) {
  state_.copy_from(next_);
  state_.view.x.map() += change.head(state_.view.x.size);
  if (state_.view.v.size > 0) state_.view.v.map() += change.tail(state_.view.v.size);
  method().accept(problem_, state_.view, true, memory_);
  spoil_scratch();
}

double Bench::step(double h) {
  for (int tries = 0; tries < 60; ++tries) {
    const StepResult result = attempt(h);
    if (result.rejected || (!result.status && traits_.variable_step)) {
      reject();
      h = result.rejected && result.h_next != 0 ? result.h_next : h / 2;
      continue;
    }
    require_ok(result.status, "a step");
    const double taken = next_.view.t - state_.view.t;
    accept();
    return taken;
  }
  fail("no step from t = {:g} succeeds, however small", t());
}

void Bench::run_to(double end, double h) {
  const auto steps = static_cast<long>(std::lround((end - t()) / h));
  if (!traits_.self_controlled) {
    for (long i = 0; i < steps; ++i) step(h);
    return;
  }
  for (int i = 0; (end - t()) * h > 1e-13 * std::abs(h); ++i) {
    require(i < 100000, "the method does not get from t = {:g} to {:g} in 100000 steps", t(), end);
    step(end - t());
  }
}

bool Bench::interpolate(double t, VectorXd& out) {
  StateBuffer result(plant_->size(), plant_->view());
  result.view.t = t;
  const Status status = method().interpolate(problem_, from_.view, next_.view, t, result.view, memory_);
  spoil_scratch();
  if (status.code == StatusCode::unsupported) return false;
  require_ok(status, "interpolate");
  out = copy(result);
  return true;
}

Bench::Snapshot Bench::save() const { return {y(), memory_state_, t()}; }

void Bench::load(const Snapshot& snapshot) {
  memory_state_ = snapshot.memory;  // same size, same place
  state_.view.t = snapshot.t;
  state_.view.x.map() = snapshot.y.head(state_.view.x.size);
  if (state_.view.v.size > 0) state_.view.v.map() = snapshot.y.tail(state_.view.v.size);
}

void Bench::check_guards() const {
  require(guarded_well(memory_state_, guard), "writes outside the {} doubles of memory.state that memory() declares",
          declared(memory_state_));
  require(guarded_well(memory_scratch_, guard),
          "writes outside the {} doubles of memory.scratch that memory() declares", declared(memory_scratch_));
  require(guarded_well(memory_cache_, guard), "writes outside the {} doubles of memory.cache that memory() declares",
          declared(memory_cache_));
  require(guarded_well(error_, guard), "writes outside the error estimate");
  require(next_.intact(), "writes behind the new state");
  require(state_.intact() && from_.intact(), "writes behind the state that it starts from");
}

}  // namespace trammel::conformance
