// Analyses: the same twice, going on from a checkpoint, states at rest, states between steps, files of results.
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "check/cases.h"
#include "check/expected_tables.h"
#include "check/picture.h"
#include "config/json_source.h"
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

/// NaN where an entry is not finite: std::max passes over NaN.
double largest_of(ConstVectorView x) {
  double most = 0;
  for (Index i = 0; i < x.size; ++i) most = std::max(most, std::abs(x[i]));
  return x.map().allFinite() ? most : std::numeric_limits<double>::quiet_NaN();
}

/// To rounding: the pivots of the sparse solver for accelerations are in no checkpoint.
bool same_numbers(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return false;
  std::vector<double> difference(a);
  for (std::size_t i = 0; i < a.size(); ++i) difference[i] -= b[i];
  const auto largest = [](const std::vector<double>& x) {
    return largest_of({x.data(), static_cast<Index>(x.size())});
  };
  return largest(difference) <= 1e-12 * std::max(1.0, largest(a));
}

fs::path results_folder(const char* name) { return check_folder() / (std::to_string(::getpid()) + name); }

template <class Look>
void for_each_case(const Subject& subject, const Look& look) {
  require(!subject.cases.empty(),
          "no run file uses it: give one with --case, or put it into a folder `cases` beside the plugin");
  for (const fs::path& file : subject.cases) look(file);
}

/// Those of the case's analysis.
AnalysisTraits traits_of(const Subject& subject, const fs::path& file) {
  const RunFile run = load_run_file(file);
  Model model(run, *subject.host);
  const Component made =
      make_component(*subject.host, run, run.opened_analysis, ComponentKind::analysis, model, &model.resolver());
  return made.as<Analysis>().traits();
}

/// The cases whose traits say so; none: `why` the check is left out.
template <class Look>
void for_cases_with(bool AnalysisTraits::*trait, const char* why, const Subject& subject, const Look& look) {
  bool any = false;
  for_each_case(subject, [&](const fs::path& file) {
    if (!(traits_of(subject, file).*trait)) return;
    any = true;
    look(file);
  });
  if (!any) skip("{}", why);
}
constexpr const char* one_state = "it looks for one state";

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

void goes_on(Subject& subject) {
  for_cases_with(&AnalysisTraits::over_time, one_state, subject, [&](const fs::path& file) {
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
  for_cases_with(&AnalysisTraits::over_time, one_state, subject, [&](const fs::path& file) {
    // Times that no step ends at, unless all steps do.
    const double duration = load_run_file(file).analysis.duration;
    Simulation run(file, options_of(subject));
    Mechanics model(file, options_of(subject));
    for (const double share : {0.123456, 0.456789, 0.789123}) {
      require(run.advance_to(share * duration), "{}: the motion ends with: {}", file.filename().string(),
              run.message());
      for (const double x : state_of(run)) require(std::isfinite(x), "a state inside a step is not finite");
      model.set_state(run.time(), run.positions(), run.velocities(), model.states());
      const double violation = largest_of(model.violation());
      require(violation <= 1e-6, "a state inside a step violates the constraints by {:.3g}", violation);
    }
  });
}

void rests(Subject& subject) {
  for_cases_with(&AnalysisTraits::at_rest, "its bodies move", subject, [&](const fs::path& file) {
    constexpr double still = 1e-6;  // m/s^2 or rad/s^2
    Simulation run(file, options_of(subject));
    const auto look = [&](const char* when) {
      const double v = largest_of(run.velocities()), a = largest_of(run.accelerations());
      require(v == 0, "{} a state shown has a velocity of {:.3g}", when, v);
      require(a <= still, "{} a state shown is no equilibrium: left alone, it accelerates by {:.3g}", when, a);
    };
    if (traits_of(subject, file).over_time) {
      const double duration = load_run_file(file).analysis.duration;
      for (const double share : {0.0, 0.3141, 0.7}) {
        run.advance_to(share * duration);
        look("in a motion");
      }
    }
    run.run();
    look("in the end");
  });
}

/// Files in the folder expected/NAME beside NAME.json: what an analysis finds is often no state, and no study sees it.
void files(Subject& subject) {
  int compared = 0;
  for_each_case(subject, [&](const fs::path& file) {
    const fs::path expected = file.parent_path() / "expected" / file.stem();
    if (!fs::is_directory(expected)) return;
    const fs::path out = results_folder("files");
    fs::remove_all(out);
    Simulation run(file, options_of(subject));
    run.write_results(out);
    run.run();
    need_completed(run, file);
    for (const fs::directory_entry& table : fs::directory_iterator(expected)) {
      try {
        require_file(out / file_of_results(table.path()), table.path());
      } catch (const Failed& failure) {
        fail("{}: {}", file.filename().string(), failure.what());
      }
      ++compared;
    }
  });
  if (compared == 0) skip("no folder `expected` beside its run files has files");
}

/// Diagrams that it leaves, whatever they show.
void pictures(Subject& subject) {
  int seen = 0;
  for_each_case(subject, [&](const fs::path& file) {
    const fs::path out = results_folder("pictures");
    fs::remove_all(out);
    Simulation run(file, options_of(subject));
    run.write_results(out);
    run.run();
    need_completed(run, file);
    for (const fs::directory_entry& entry : fs::directory_iterator(out)) {
      if (entry.path().extension() != ".svg") continue;
      ++seen;
      try {
        frames_of(read_text_file(entry.path()));
      } catch (const Failed& failure) {
        fail("{}: {}: {}", file.filename().string(), entry.path().filename().string(), failure.what());
      }
    }
  });
  if (seen == 0) skip("it leaves no pictures");
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
  add("math.pictures", "its diagrams are well-formed, and their curves and labels are where the ticks say",
      "a label that is not the value at its line, a curve that leaves its frame, text that is not escaped", pictures,
      "contract.run");
  add("math.files", "files of results say what those in `expected` do",
      "a matrix that is transposed, an angle of the wrong sign, a unit", files, "contract.run");
}

}  // namespace trammel::conformance
