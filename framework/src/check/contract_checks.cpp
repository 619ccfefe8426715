// Level 2: what every component promises before its mathematics is looked at.
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <deque>

#include "check/bench.h"
#include "check/element_point.h"
#include "check/function_cases.h"
#include "config/json_source.h"
#include "plugin/floating_point_mode.h"
#include "plugin/process_state.h"
#include "trammel/error.h"
#include "trammel/host/simulation.h"

namespace trammel::conformance {
namespace {

void texts(Subject& subject) {
  const ComponentInfo& component = *subject.component;
  const auto sentence = [](const std::string& text) { return !text.empty() && text.back() == '.'; };
  require(sentence(component.summary), "its summary is no sentence that ends in a full stop: '{}'", component.summary);
  for (const auto* table : {&component.parameters, &component.body_parameters}) {
    for (const ParameterInfo& p : *table) {
      require(!p.unit.empty(), "parameter '{}' has no unit; write \"1\" for none", p.name);
      require(sentence(p.description), "the description of parameter '{}' is no sentence that ends in a full stop",
              p.name);
    }
  }
}

/// Where elements have to come from; other kinds can be made from their defaults.
void need_cases(const Subject& subject) {
  require(!subject.cases.empty(),
          "no run file uses it: give one with --case, or put it into a folder `cases` beside the plugin");
}

std::string formulation_sections(const std::string& json) {
  return fmt::format("\"system\": {},\n\"formulation\": {},\n\"integrator\": {{ \"type\": \"dopri5\" }}",
                     planar_pendulum_system, json);
}

/// On the kit's pendulum, or, where it needs names of a model or another kind of model, on those of its cases.
void create_formulations(Subject& subject) {
  bool made = false;
  for (const MethodCase& method : method_cases(subject)) {
    try {
      for (int i = 0; i < 2; ++i)
        const CreatedMethod created(*subject.host, formulation_sections(method.json), ComponentKind::formulation);
      made = true;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::input || subject.cases.empty()) throw;
    }
  }
  if (made) return;
  for (const auto& file : subject.cases) {
    for (int i = 0; i < 2; ++i)
      const CreatedMethod created(*subject.host, load_run_file(file), ComponentKind::formulation);
  }
}

void create(Subject& subject) {
  switch (subject.component->kind) {
    case ComponentKind::constraint:
    case ComponentKind::force: {
      need_cases(subject);
      const auto twice = [&](CaseModel& model, const ElementSlot&) {
        const CaseModel again(model.run.file, *subject.host);
      };
      if (subject.component->kind == ComponentKind::constraint)
        for_each_constraint(subject, twice);
      else
        for_each_force(subject, twice);
      return;
    }
    case ComponentKind::function:
      for_each_function(
          subject, [](const FunctionUse& use) { require(use.again != nullptr, "a second one cannot be created"); });
      return;
    case ComponentKind::integrator:
      for (const MethodCase& method : method_cases(subject)) {
        for (int i = 0; i < 2; ++i) {
          const CreatedMethod created(*subject.host, integrator_sections(method.json, pendulum_system),
                                      ComponentKind::integrator);
        }
      }
      return;
    case ComponentKind::formulation: create_formulations(subject); return;
    case ComponentKind::system:
      need_cases(subject);
      for (const auto& file : subject.cases) const CaseModel first(file, *subject.host), second(file, *subject.host);
      return;
    case ComponentKind::metric: skip("metrics are created by studies");
    case ComponentKind::analysis:
      need_cases(subject);
      for (const auto& file : subject.cases) {
        const RunFile run = load_run_file(file);
        Model model(run, *subject.host);
        for (int i = 0; i < 2; ++i)
          make_component(*subject.host, run, run.opened_analysis, ComponentKind::analysis, model, &model.resolver());
      }
      return;
    case ComponentKind::writer: return;         // writer_checks.cpp
    case ComponentKind::linear_solver: return;  // linear_solver_checks.cpp
    case ComponentKind::importer: return;       // importer_checks.cpp
  }
}

/// A short stretch of every case under the kernel.
void run_cases(Subject& subject) {
  constexpr double stretch = 0.2;
  if (subject.cases.empty()) skip("no run file uses it");
  for (const auto& file : subject.cases) {
    const RunFile run = load_run_file(file);
    SimulationOptions options{{}, {subject.file.parent_path()}};
    // Not shorter than a fixed step, which is refused.
    const Node* step = run.integrator.node != nullptr ? run.integrator.node->find("step") : nullptr;
    const double shown = step != nullptr ? std::max(stretch, 4 * step->number) : stretch;
    if (run.analysis.integrates_motion() && run.analysis.duration > shown) {
      options.set.push_back(fmt::format("analysis.duration={:g}", shown));
    }
    Simulation simulation(file, options);
    if (subject.component->kind == ComponentKind::writer)
      simulation.write_results(check_folder() / std::to_string(::getpid()));
    require(simulation.run() == RunStatus::completed, "{}: {}", file.filename().string(), simulation.message());
  }
}

/// The same, and what is left of it in the process.
void process_is_left_alone(Subject& subject) {
  if (subject.cases.empty()) skip("no run file uses it");
  const ProcessState before = ProcessState::current();
  subject.record();
  run_cases(subject);
  const std::vector<std::string> changed = before.differences(ProcessState::current());
  require(changed.empty(), "creating and running it changes {}", fmt::join(changed, "; "));
}

// --- Elements ------------------------------------------------------------------------------------------------------

/// Numbers between canaries, and whether these still live.
class Guarded {
 public:
  Guarded(Index size, double fill) : data_(static_cast<std::size_t>(size) + 2 * margin, canary), size_(size) {
    std::fill_n(data_.begin() + margin, size, fill);
  }
  double* data() { return data_.data() + margin; }
  VectorView view() { return {data(), size_}; }
  bool intact() const {
    for (std::size_t i = 0; i < margin; ++i) {
      if (data_[i] != canary || data_[data_.size() - 1 - i] != canary) return false;
    }
    return true;
  }
  bool finite() const {
    for (Index i = 0; i < size_; ++i) {
      if (!std::isfinite(data_[margin + static_cast<std::size_t>(i)])) return false;
    }
    return true;
  }

 private:
  static constexpr std::size_t margin = 24;
  std::vector<double> data_;
  Index size_;
};

/// Blocks rows x cols with two canaries between columns, each in memory of its own.
class GuardedBlocks {
 public:
  GuardedBlocks(const std::vector<bool>& wanted, Index rows, Index cols, double fill) : rows_(rows), cols_(cols) {
    for (const bool is_wanted : wanted) {
      if (is_wanted) {
        blocks_.emplace_back((rows + 2) * cols, canary);
        views_.push_back({blocks_.back().data(), rows, cols, rows + 2});
        for (Index j = 0; j < cols; ++j) {
          for (Index i = 0; i < rows; ++i) views_.back()(i, j) = fill;
        }
      } else {
        views_.push_back({});
      }
    }
  }
  const MatrixView* views() const { return views_.data(); }
  void require_good(const char* what) const {
    for (const Guarded& block : blocks_) require(block.intact(), "{} writes outside its blocks", what);
    for (const MatrixView& view : views_) {
      for (Index j = 0; view && j < cols_; ++j) {
        for (Index i = 0; i < rows_; ++i) {
          require(std::isfinite(view(i, j)),
                  "{} leaves an entry of a block unwritten, or writes one that is not finite", what);
        }
        require(view.data[j * view.stride + rows_] == canary && view.data[j * view.stride + rows_ + 1] == canary,
                "{} writes outside its blocks: it takes them for matrices without gaps between columns", what);
      }
    }
  }

 private:
  Index rows_, cols_;
  std::deque<Guarded> blocks_;
  std::vector<MatrixView> views_;
};

std::vector<bool> pairs(const std::vector<bool>& wanted) {
  std::vector<bool> all;
  for (const bool i : wanted) {
    for (const bool j : wanted) all.push_back(i && j);
  }
  return all;
}

std::vector<bool> free_bodies(const ElementPoint& point) {
  std::vector<bool> wanted;
  for (Index b = 0; b < point.bodies(); ++b) wanted.push_back(point.free(b));
  return wanted;
}

void constraint_shapes(Subject& subject) {
  for_each_constraint(subject, [&](CaseModel& model, const ConstraintSlot& slot) {
    const Constraint& element = *slot.constraint;
    ElementPoint point(model, slot);
    const Index m = element.rows(), c = point.width();
    const std::vector<bool> wanted = free_bodies(point);
    const double none = std::nan("");
    Guarded Phi(m, none), nu(m, none), gamma(m, none);
    GuardedBlocks Phi_q(wanted, m, c, none), x_q(wanted, m, c, none), l_q(pairs(wanted), c, c, none),
        a_q(wanted, m, c, none), a_v(wanted, m, c, none);
    ConstraintOutput out{Phi.view(), Phi_q.views(), nu.view(), gamma.view()};
    const VectorXd x = point.local(subject.random), lambda = VectorXd::Ones(m);
    const auto ok = [&](const Status& status, const char* what) {
      require(status.ok(), "{}: {} fails at an assembled state: {}", place_of(model, slot), what, status.what);
    };
    ok(element.evaluate(point.at(), out), "evaluate");
    for (const Guarded* vector : {&Phi, &nu, &gamma}) {
      require(vector->intact(), "evaluate writes more than rows() = {} entries", m);
      require(vector->finite(),
              "evaluate leaves entries of Phi, nu or gamma unwritten, or writes numbers that are not finite");
    }
    Phi_q.require_good("evaluate (Phi_q)");
    ok(element.jacobian_gradient(point.at(), point.segments(x).data(), x_q.views()), "jacobian_gradient");
    x_q.require_good("jacobian_gradient");
    ok(element.multiplier_gradient(point.at(), {lambda.data(), m}, l_q.views()), "multiplier_gradient");
    l_q.require_good("multiplier_gradient");
    ok(element.acceleration_gradient(point.at(), point.segments(x).data(), a_q.views(), a_v.views()),
       "acceleration_gradient");
    a_q.require_good("acceleration_gradient (by q)");
    a_v.require_good("acceleration_gradient (by v)");
    ok(element.evaluate(point.at(), ConstraintOutput{}), "evaluate without outputs");
    require(element.extension("trammel.no_such_extension/0") == nullptr, "extension() answers to an unknown id");
  });
}

/// The force added to `base` in every entry, between canaries.
VectorXd force_added_to(const ElementPoint& point, const ForceElement& element, double base) {
  const Index c = point.width();
  std::deque<Guarded> parts;
  std::vector<VectorView> views;
  for (Index b = 0; b < point.bodies(); ++b) {
    parts.emplace_back(c, base);
    views.push_back(point.free(b) ? parts.back().view() : VectorView{});
  }
  const Status status = element.force(point.at(), views.data());
  require(status.ok(), "force fails at an assembled state: {}", status.what);
  VectorXd Q(point.size());
  for (Index b = 0; b < point.bodies(); ++b) {
    require(parts[static_cast<std::size_t>(b)].intact(), "force writes more than {} entries per body", c);
    Q.segment(b * c, c) = parts[static_cast<std::size_t>(b)].view().map();
  }
  return Q;
}

void force_shapes(Subject& subject) {
  for_each_force(subject, [&](CaseModel& model, const ForceSlot& slot) {
    const ForceElement& element = *slot.force;
    ElementPoint point(model, slot, slot.force);
    point.disturb(subject.random, 0.01, 1);
    const VectorXd alone = force_added_to(point, element, 0), added = force_added_to(point, element, 3);
    require(alone.allFinite(), "{}: force writes numbers that are not finite", place_of(model, slot));
    const double scale = 1 + alone.cwiseAbs().maxCoeff();
    require(alone.size() == 0 || (added.array() - 3 - alone.array()).abs().maxCoeff() < 1e-12 * scale,
            "{}: force writes its outputs instead of adding to them", place_of(model, slot));
    const std::vector<bool> both = pairs(free_bodies(point));
    GuardedBlocks Q_q(both, point.width(), point.width(), 0), Q_v(both, point.width(), point.width(), 0);
    const Status status = element.gradients(point.at(), Q_q.views(), Q_v.views());
    if (status.ok())
      Q_q.require_good("gradients (by q)"), Q_v.require_good("gradients (by v)");
    else
      require(status.code == StatusCode::unsupported, "{}: gradients fails: {}", place_of(model, slot), status.what);
    require(element.extension("trammel.no_such_extension/0") == nullptr, "extension() answers to an unknown id");
  });
}

/// All numbers that an element gives at a point.
VectorXd numbers_of(const ElementPoint& point, const ConstraintSlot& slot) {
  const Index m = slot.rows, c = point.width();
  VectorXd Phi(m), nu(m), gamma(m);
  MatrixXd Phi_q = MatrixXd::Zero(m, point.size()), by_q = Phi_q, by_v = Phi_q;
  const auto views = point.row_blocks(Phi_q), q_views = point.row_blocks(by_q), v_views = point.row_blocks(by_v);
  ConstraintOutput out{{Phi.data(), m}, views.data(), {nu.data(), m}, {gamma.data(), m}};
  slot.constraint->evaluate(point.at(), out);
  const VectorXd a = VectorXd::Ones(point.bodies() * c);
  slot.constraint->acceleration_gradient(point.at(), point.segments(a).data(), q_views.data(), v_views.data());
  VectorXd all(3 * m + 3 * Phi_q.size());
  all << Phi, nu, gamma, Phi_q.reshaped(), by_q.reshaped(), by_v.reshaped();
  return all;
}
VectorXd numbers_of(const ElementPoint& point, const ForceSlot& slot) {
  MatrixXd by_q = MatrixXd::Zero(point.size(), point.size()), by_v = by_q;
  slot.force->gradients(point.at(), point.square_blocks(by_q).data(), point.square_blocks(by_v).data());
  VectorXd all(point.size() + 2 * by_q.size());
  all << force_added_to(point, *slot.force, 0), by_q.reshaped(), by_v.reshaped();
  return all;
}

const ConstraintSlot& same_slot(const CaseModel& model, const ConstraintSlot& slot) {
  for (const ConstraintSlot& other : model.numbers->assembly().constraints) {
    if (other.name == slot.name) return other;
  }
  fail("the model changes from load to load");
}
const ForceSlot& same_slot(const CaseModel& model, const ForceSlot& slot) {
  for (const ForceSlot& other : model.numbers->assembly().forces) {
    if (other.name == slot.name) return other;
  }
  fail("the model changes from load to load");
}
const ForceElement* force_of(const ConstraintSlot&) { return nullptr; }
const ForceElement* force_of(const ForceSlot& slot) { return slot.force; }

template <class Slot>
void repeat(Subject& subject, CaseModel& model, const Slot& slot) {
  const CaseModel twin(model.run.file, *subject.host);
  const Slot& other = same_slot(twin, slot);
  ElementPoint point(model, slot, force_of(slot)), twin_point(twin, other, force_of(other));
  const std::mt19937 seed = subject.random;
  std::mt19937 first = seed, second = seed;
  point.disturb(first, 0.02, 1);
  twin_point.disturb(second, 0.02, 1);
  const VectorXd once = numbers_of(point, slot);
  point.move(VectorXd::Constant(point.size(), 0.01), VectorXd::Constant(point.size(), 0.3), 0.1, {});
  numbers_of(point, slot);
  numbers_of(twin_point, other);
  point.back();
  require(numbers_of(point, slot) == once, "{}: the same point gives other numbers after an evaluation elsewhere",
          place_of(model, slot));
  require(numbers_of(twin_point, other) == once, "{}: two of its kind with the same parameters give different numbers",
          place_of(model, slot));
}

void repeatable(Subject& subject) {
  if (subject.component->kind == ComponentKind::constraint) {
    for_each_constraint(subject, [&](CaseModel& model, const ConstraintSlot& slot) { repeat(subject, model, slot); });
  } else {
    for_each_force(subject, [&](CaseModel& model, const ForceSlot& slot) { repeat(subject, model, slot); });
  }
}

// --- All kinds -----------------------------------------------------------------------------------------------------

void modes(Subject& subject) {
  const FloatingPointMode before = FloatingPointMode::current();
  const auto judge = [&](const char* where) {
    const char* difference = before.difference(FloatingPointMode::current());
    require(difference == nullptr, "{} changes the processor's {}", where, difference == nullptr ? "" : difference);
  };
  create(subject);
  judge("creating it");
  switch (subject.component->kind) {
    case ComponentKind::constraint:
      for_each_constraint(subject, [&](CaseModel& model, const ConstraintSlot& slot) {
        numbers_of(ElementPoint(model, slot), slot);
        judge("evaluating it");
      });
      return;
    case ComponentKind::force:
      for_each_force(subject, [&](CaseModel& model, const ForceSlot& slot) {
        numbers_of(ElementPoint(model, slot, slot.force), slot);
        judge("evaluating it");
      });
      return;
    case ComponentKind::function:
      for_each_function(subject, [&](const FunctionUse& use) {
        double value[4];
        use.function->evaluate(0.3, 0, value);
        judge("evaluating it");
      });
      return;
    case ComponentKind::integrator:
      for (const MethodCase& method : method_cases(subject)) {
        const CreatedMethod made(*subject.host, integrator_sections(method.json, pendulum_system),
                                 ComponentKind::integrator);
        Bench bench(*subject.host, method, bench_system(made.integrator().traits().view));
        bench.step(0.01);
        judge("a step");
      }
      return;
    default: try { run_cases(subject);  // the engine looks after every step
      } catch (const Failed& failure) {
        if (std::string(failure.what()).find("floating-point") != std::string::npos) throw;
      }
      judge("a run");
  }
}

}  // namespace

void add_contract_checks(ComponentKind kind, std::vector<Check>& checks) {
  const auto add = [&](const char* id, const char* what, const char* cause, auto run, const char* needs = "") {
    checks.push_back({id, Level::contract, what, cause, run, needs});
  };
  add("contract.texts", "summary, units and descriptions are there", "a text left empty, or a missing full stop",
      texts);
  const bool creates_itself =
      kind == ComponentKind::writer || kind == ComponentKind::linear_solver || kind == ComponentKind::importer;
  if (kind == ComponentKind::metric || creates_itself) return;
  add("contract.create", "it can be created and ended, more than once",
      "the constructor refuses what its parameter table allows, or keeps something in a static", create);
  if (kind == ComponentKind::constraint) {
    add("contract.shapes", "every output is written, and nothing beside it",
        "rows() and the code disagree, blocks are taken for matrices without stride, or views of ground are written to",
        constraint_shapes, "contract.create");
  }
  if (kind == ComponentKind::force) {
    add("contract.shapes", "outputs are added to, and nothing beside them is touched",
        "`=` in place of `+=`, or views of ground are written to", force_shapes, "contract.create");
  }
}

void add_run_checks(ComponentKind kind, const char* after, std::vector<Check>& checks) {
  const auto add = [&](const char* id, const char* what, const char* cause, auto run, const char* needs) {
    checks.push_back({id, Level::contract, what, cause, run, needs});
  };
  const bool element = kind == ComponentKind::constraint || kind == ComponentKind::force;
  add("contract.modes", "it leaves the floating-point mode alone",
      "fesetround, feenableexcept or a flush-to-zero switch", modes, after);
  if (element) {
    add("contract.repeatable", "the same point gives the same bits, in every instance",
        "mutable members, statics, or memory that is not initialised", repeatable, "contract.modes");
  }
  add("contract.run", "the run files that use it run", "see the message: it is that of `trammel run`", run_cases,
      element ? "contract.repeatable" : "contract.modes");
  add("contract.process", "a run leaves the process as it was: folder, handlers, limits, files, threads, children",
      "a chdir, signal, fork, thread or open file of the plugin, or of a library that it uses", process_is_left_alone,
      "contract.run");
}

}  // namespace trammel::conformance
