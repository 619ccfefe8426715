// Analyses: the same twice, going on from a checkpoint, states at rest, states between steps.
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "check/cases.h"
#include "trammel/analysis.h"
#include "trammel/host/mechanics.h"
#include "trammel/host/simulation.h"

namespace trammel::conformance {
namespace {

namespace fs = std::filesystem;

/// Every run that fails is a failure of the analysis: the cases are those that it can do.
void need_completed(const Simulation& run, const fs::path& file) {
  require(run.status() == RunStatus::completed, "{}: the run ends with: {}", file.filename().string(), run.message());
}

SimulationOptions options_of(const Subject& subject) { return {{}, {subject.file.parent_path()}}; }

/// All numbers of the state shown.
std::vector<double> state_of(const Simulation& run) {
  std::vector<double> all{run.time()};
  for (const ConstVectorView part : {run.positions(), run.velocities(), run.accelerations(), run.multipliers()})
    all.insert(all.end(), part.data, part.data + part.size);
  return all;
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin());
}

/// The larger of two amounts, where a NaN is larger than all others.
double larger(double worst, double x) { return std::isnan(worst) || std::abs(x) <= worst ? worst : std::abs(x); }

/// To rounding: the pivots of the sparse solver for accelerations are in no checkpoint.
bool same_numbers(const std::vector<double>& a, const std::vector<double>& b) {
  double size = 1, difference = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
    size = std::max(size, std::abs(a[i]));
    difference = larger(difference, a[i] - b[i]);
  }
  return difference <= 1e-12 * size;
}

fs::path results_folder(const char* name) {
  return temporary_folder(::getppid()) / (std::to_string(::getpid()) + name);
}

template <class Look>
void for_each_case(const Subject& subject, const Look& look) {
  require(!subject.cases.empty(),
          "no run file uses it: give one with --case, or put it into a folder `cases` beside the plugin");
  for (const fs::path& file : subject.cases) look(file);
}

void twice(Subject& subject) {
  for_each_case(subject, [&](const fs::path& file) {
    std::vector<double> ends[2];
    for (std::vector<double>& end : ends) {
      Simulation run(file, options_of(subject));
      run.run();
      end = state_of(run);
    }
    require(same_bits(ends[0], ends[1]), "{}: a second run ends in another state", file.filename().string());
  });
}

/// Whether the case goes over time; its traits are those of a run.
bool over_time(const Subject& subject, const fs::path& file) {
  const RunFile run = load_run_file(file);
  Model model(run, *subject.host);
  const Component made =
      make_component(*subject.host, run, run.opened_analysis, ComponentKind::analysis, model, &model.resolver());
  return made.as<Analysis>().traits().over_time;
}

void goes_on(Subject& subject) {
  for_each_case(subject, [&](const fs::path& file) {
    if (!over_time(subject, file)) skip("it looks for one state");
    const double duration = load_run_file(file).analysis.duration;
    const fs::path out = results_folder("checkpoint");
    Simulation whole(file, options_of(subject));
    whole.write_results(out);
    whole.checkpoint_every(0.3 * duration);
    whole.advance_to(0.5 * duration);
    const fs::path kept = out / "kept.json";
    require(fs::exists(out / "checkpoint.json"), "no checkpoint was written");
    fs::copy_file(out / "checkpoint.json", kept, fs::copy_options::overwrite_existing);
    whole.run();
    need_completed(whole, file);
    fs::copy_file(kept, out / "checkpoint.json", fs::copy_options::overwrite_existing);
    Simulation rest(file, options_of(subject));
    rest.restart(out / "checkpoint.json");
    rest.run();
    need_completed(rest, file);
    require(same_numbers(state_of(whole), state_of(rest)), "{}: the run that goes on from a checkpoint ends elsewhere",
            file.filename().string());
  });
}

void between(Subject& subject) {
  for_each_case(subject, [&](const fs::path& file) {
    if (!over_time(subject, file)) skip("it looks for one state");
    // Times that no step ends at, unless all steps do.
    const double duration = load_run_file(file).analysis.duration;
    Simulation run(file, options_of(subject));
    Mechanics model(file, options_of(subject));
    for (const double share : {0.123456, 0.456789, 0.789123}) {
      require(run.advance_to(share * duration), "{}: the motion ends with: {}", file.filename().string(),
              run.message());
      for (const double x : state_of(run)) require(std::isfinite(x), "a state inside a step is not finite");
      model.set_state(run.time(), run.positions(), run.velocities(), model.states());
      double violation = 0;
      for (Index i = 0; i < model.constraints(); ++i) violation = larger(violation, model.violation()[i]);
      require(violation <= 1e-6, "a state inside a step violates the constraints by {:.3g}", violation);
    }
  });
}

void rests(Subject& subject) {
  for_each_case(subject, [&](const fs::path& file) {
    const RunFile described = load_run_file(file);
    Model model(described, *subject.host);
    const Component made = make_component(*subject.host, described, described.opened_analysis, ComponentKind::analysis,
                                          model, &model.resolver());
    if (!made.as<Analysis>().traits().at_rest) skip("its bodies move");
    constexpr double still = 1e-6;  // m/s^2 or rad/s^2
    Simulation run(file, options_of(subject));
    const auto look = [&](const char* when) {
      double v = 0, a = 0;
      for (Index i = 0; i < run.velocities().size; ++i) v = larger(v, run.velocities()[i]);
      for (Index i = 0; i < run.accelerations().size; ++i) a = larger(a, run.accelerations()[i]);
      require(v == 0, "{} a state shown has a velocity of {:.3g}", when, v);
      require(a <= still, "{} a state shown is no equilibrium: left alone, it accelerates by {:.3g}", when, a);
    };
    if (made.as<Analysis>().traits().over_time) {
      for (const double share : {0.0, 0.3141, 0.7}) {
        run.advance_to(share * described.analysis.duration);
        look("in a motion");
      }
    }
    run.run();
    look("in the end");
  });
}

}  // namespace

void add_analysis_checks(std::vector<Check>& checks) {
  const auto add = [&](const char* id, const char* what, const char* cause, auto run, const char* needs) {
    checks.push_back({id, Level::mathematics, what, cause, run, needs});
  };
  add("math.repeats", "a second run gives the same bits", "something is kept in a static, or left uninitialised", twice,
      "contract.run");
  add("math.checkpoint", "a run that goes on from a checkpoint ends in the same state",
      "the motion depends on members of the object, and not on the memory of its integrator alone", goes_on,
      "math.repeats");
  add("math.between", "states inside steps are on the constraints", "no `interpolate`, or a polynomial", between,
      "contract.run");
  add("math.rest", "an analysis at rest shows equilibria", "forces do not balance: Newton's method ends too early",
      rests, "contract.run");
}

}  // namespace trammel::conformance
