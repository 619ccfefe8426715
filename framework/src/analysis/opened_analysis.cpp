// Calls of analyses that plugins bring.
#include "analysis/opened_analysis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <string_view>
#include <utility>

#include "analysis/equilibrium_search.h"
#include "analysis/kinematics.h"
#include "config/problems.h"
#include "model/declared_sizes.h"
#include "model/static_energy.h"
#include "plugin/breadcrumb.h"
#include "trammel/error.h"
#include "trammel/extensions/equilibrium_finder.h"
#include "trammel/extensions/linear_systems.h"

namespace trammel {

/// What the plugin sees of the run.
class OpenedAnalysis::Sight final : public AnalysisHost, public EquilibriumFinder {
 public:
  Sight(const AnalysisParts& parts, bool at_rest) : parts_(parts), at_rest_(at_rest) {
    const Observation& start = parts.plant.observation();
    z_.assign(start.z.data, start.z.data + start.z.size);
  }

  ConstrainedSystem& system() override { return *parts_.plant.problem().constrained; }
  double duration() const override { return parts_.run.analysis.duration; }
  ConstVectorView q() const override { return seen().q; }
  ConstVectorView v() const override { return seen().v; }
  ConstVectorView a() const override { return seen().a; }
  ConstVectorView lambda() const override { return seen().lambda; }
  Status show(double t, ConstVectorView q, ConstVectorView v) override {
    const Index n = seen().q.size;
    if (q.size != n || v.size != n) return Status::failure(StatusCode::failed, "showing a state of another length");
    if (!q.map().allFinite() || !v.map().allFinite() || !std::isfinite(t))
      return Status::failure(StatusCode::not_finite, "the state shown");
    if (at_rest_ && (v.map().array() != 0).any())
      return Status::failure(StatusCode::failed, "showing velocities in an analysis at rest");
    shown_ = true;
    return parts_.plant.observe_at(t, q, v, {z_.data(), static_cast<Index>(z_.size())});
  }
  bool goes_on(Index iterations, double left) override {
    // What the observer throws waits until the plugin's frames are left, which need not be C++.
    try {
      interrupted_ =
          interrupted_ || !trammel::goes_on(progress_ == nullptr ? SearchProgress() : *progress_, iterations, left);
    } catch (...) {
      thrown_ = std::current_exception();
      interrupted_ = true;
    }
    return !interrupted_;
  }

  const void* extension(const char* id) const override {
    if (std::string_view(id) == LinearSystems::id) return static_cast<const LinearSystems*>(linear_.get());
    return std::string_view(id) == EquilibriumFinder::id ? static_cast<const EquilibriumFinder*>(this) : nullptr;
  }
  Status find_equilibrium(VectorView q) override {
    const Index n = seen().q.size;
    if (q.size != n) return Status::failure(StatusCode::failed, "an equilibrium from positions of another length");
    if (!q.map().allFinite())
      return Status::failure(StatusCode::not_finite, "the positions to find an equilibrium from");
    reason_.clear();
    try {
      const bool potential = nonconservative_forces(*parts_.plant.model(), 0, q).empty();
      for (const EquilibriumMethod method :
           {EquilibriumMethod::minimum_potential, EquilibriumMethod::none, EquilibriumMethod::newton}) {
        if (method == EquilibriumMethod::minimum_potential && !potential) continue;
        if (interrupted_) break;
        if (found_by(method, q)) return Status::success();
      }
    } catch (const std::exception& error) {
      reason_ = error.what();
    } catch (...) {
      reason_ = "something that is no exception was thrown";
    }
    return Status::failure(StatusCode::not_converged, "search for an equilibrium");
  }

  void watched_by(const SearchProgress* progress) { progress_ = progress; }
  bool interrupted() const { return interrupted_; }
  /// Throws what the observer threw while the plugin searched.
  void rethrow() {
    if (thrown_ != nullptr) std::rethrow_exception(std::exchange(thrown_, nullptr));
  }
  bool shown() const { return shown_; }
  /// Why the last search for an equilibrium failed, behind "; ", if there is more to say than its status says.
  std::string reason() const {
    const std::string& of_linear = linear_ != nullptr ? linear_->reason() : reason_;
    const std::string& why = reason_.empty() ? of_linear : reason_;
    return why.empty() ? "" : "; " + why;
  }
  /// [setup] States may be linearized, with their internal states.
  void linearize() {
    takes_states_ = true;
    linear_ = parts_.linearizer(parts_.plant);
  }
  const AnalysisParts& parts() const { return parts_; }

 private:
  bool found_by(EquilibriumMethod method, VectorView q) {
    EquilibriumSearch search(method);
    StaticReport report;
    SearchOutcome outcome;
    outcome.failed = true;
    try {
      search.begin(parts_, q);
      outcome.failed = false;
      search.advance(
          nullptr, [this](Index done, double left) { return goes_on(done, left); }, report, outcome);
      reason_ = outcome.message;
    } catch (const std::exception& error) {  // this method is none for the model
      reason_ = error.what();
      outcome.failed = true;
    }
    interrupted_ = interrupted_ || outcome.interrupted;
    parts_.plant.model()->point().hold(nullptr);
    if (!outcome.completed()) return false;
    q.map() = Eigen::Map<const Eigen::VectorXd>(search.positions().data(), q.size);
    const ConstVectorView z = search.internal_states();
    if (takes_states_ && z.size == static_cast<Index>(z_.size())) std::copy_n(z.data, z.size, z_.begin());
    reason_.clear();
    return true;
  }
  const Observation& seen() const { return parts_.plant.observation(); }

  AnalysisParts parts_;
  bool at_rest_, interrupted_ = false, shown_ = false, takes_states_ = false;
  std::unique_ptr<Linearizer> linear_;
  std::vector<double> z_;
  std::string reason_;
  std::exception_ptr thrown_;
  const SearchProgress* progress_ = nullptr;
};

/// The plugin's motion. Between steps it says itself where it is: polynomials through their ends do not know.
class OpenedAnalysis::Motion final : public Integrator {
 public:
  explicit Motion(const Integrator& opened) : opened_(opened) {}
  IntegratorTraits traits() const override { return opened_.traits(); }
  const void* extension(const char* id) const override { return opened_.extension(id); }
  MemorySize memory(const ProblemSize& size) const override { return opened_.memory(size); }
  Status start(const Problem& problem, const ConstStateView& state, const Memory& memory) const override {
    return opened_.start(problem, state, memory);
  }
  StepResult attempt(const Problem& problem, const ConstStateView& state, double h, const StateView& next,
                     VectorView error, const Memory& memory) const override {
    const StepResult result = opened_.attempt(problem, state, h, next, error, memory);
    failure_ = result.status;
    return result;
  }
  void accept(const Problem& problem, const ConstStateView& state, bool changed, const Memory& memory) const override {
    opened_.accept(problem, state, changed, memory);
  }
  void reject(const Memory& memory) const override { opened_.reject(memory); }
  Status interpolate(const Problem& problem, const ConstStateView& from, const ConstStateView& to, double t,
                     const StateView& out, const Memory& memory) const override {
    const Status status = opened_.interpolate(problem, from, to, t, out, memory);
    if (status.code != StatusCode::unsupported) return status;
    return Status::failure(StatusCode::not_converged, "the motion gives no states between the ends of its steps:");
  }
  /// Of the last attempt, if that failed.
  const Status& failure() const { return failure_; }

 private:
  const Integrator& opened_;
  mutable Status failure_;
};

OpenedAnalysis::OpenedAnalysis(const RunFile& run, PluginHost& host, Model& model)
    : component_(make_component(host, run, run.opened_analysis, ComponentKind::analysis, model, &model.resolver())),
      traits_(guarded(component_.plugin_id(), "", "traits", [this] { return opened().traits(); })),
      sees_(find_extension<SeesDynamics>(opened())),
      what_(fmt::format("an analysis of type '{}'", component_.type())) {
  if (traits_.over_time && !given(run.analysis.duration)) {
    throw Error(ErrorKind::input, message_at(run.opened_analysis.node->place, "/analysis",
                                             fmt::format("missing key 'duration' for {}: simulated time, s", what_)));
  }
}

OpenedAnalysis::~OpenedAnalysis() = default;

Accepts OpenedAnalysis::accepts() const {
  return {.what = what_.c_str(),
          .rigid_stops = Accepts::Stops::none,
          .internal_states = sees_ != nullptr          ? Accepts::States::used
                             : traits_.internal_states ? Accepts::States::stay
                                                       : Accepts::States::refused,
          .no_states = "this analysis does not compute",
          .at_rest = traits_.at_rest,
          .no_velocity_rows = traits_.velocity_rows ? "" : "this analysis does not treat; use dynamics",
          .methods = follows_dynamics() ? Accepts::Methods::used : Accepts::Methods::reported};
}

void OpenedAnalysis::refuse_plugin(const std::string& text) const {
  throw Error(ErrorKind::plugin, fmt::format("plugin '{}': {} {}", component_.plugin_id(), what_, text));
}

std::optional<EngineParts> OpenedAnalysis::begin(const AnalysisParts& parts) {
  if (traits_.at_rest) parts.plant.stand_still();
  sight_ = std::make_unique<Sight>(parts, traits_.at_rest);
  if (sees_ != nullptr) sight_->linearize();
  RefusalBuffer buffer;
  const bool begun =
      guarded(component_.plugin_id(), "", "begin", [&] { return opened().begin(*sight_, buffer.refusal()); });
  if (!begun && buffer.refusal().kind == ErrorKind::compute) {
    const Section& section = parts.run.opened_analysis;
    throw Error(ErrorKind::compute, message_at(section.place, section.path, buffer.refusal().text + sight_->reason()));
  }
  if (!begun) {
    try {
      buffer.raise(component_.plugin_id(), "", "begin", "gave no reason");
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::input) throw;
      throw locate(error, *parts.run.opened_analysis.node, parts.run.opened_analysis.path);
    }
  }
  if (!traits_.over_time) return std::nullopt;
  if (follows_dynamics()) return dynamics_.begin(parts);
  return motion(parts);
}

EngineParts OpenedAnalysis::motion(const AnalysisParts& parts) {
  const Integrator* integrator = guarded(component_.plugin_id(), "", "motion", [this] { return opened().motion(); });
  if (integrator == nullptr) refuse_plugin("goes over time and has no motion");
  const IntegratorTraits of_motion =
      guarded(component_.plugin_id(), "", "traits", [&] { return integrator->traits(); });
  if (of_motion.view != ViewKind::constrained || of_motion.error_order != 0 || !of_motion.self_controlled)
    refuse_plugin(
        "has a motion that is no self-controlled integrator of the constrained view without an error estimate");
  const double grid = guarded(component_.plugin_id(), "", "longest_step", [this] { return opened().longest_step(); });
  if (!(grid > 0) || !std::isfinite(grid)) refuse_plugin(fmt::format("wants steps of {:g} s", grid));
  const double duration = parts.run.analysis.duration;
  motion_ = std::make_unique<Motion>(*integrator);
  return EngineParts{
      .plant = parts.plant,
      .integrator = *motion_,
      .integrator_type = component_.type(),
      .integrator_plugin = component_.plugin_id(),
      .control = control_without_error(std::min(grid, duration), duration),
      .duration = duration,
      .times = {},
      .run_events = nullptr,
  };
}

bool OpenedAnalysis::search(Engine*, const SearchProgress& progress, SearchOutcome& outcome) {
  sight_->watched_by(&progress);
  const Status status = guarded(component_.plugin_id(), "", "search", [this] { return opened().search(); });
  sight_->watched_by(nullptr);
  sight_->rethrow();
  found_ = true;
  const Plant& plant = sight_->parts().plant;
  if (sight_->interrupted()) {
    outcome.interrupted = true;
    outcome.message = search_interrupted;
  } else if (!status) {
    outcome.failed = true;
    outcome.by_plugin = status.code == StatusCode::unsupported;
    outcome.message = fmt::format("{}: {} {}{}", what_, status.what, status_name(status.code), sight_->reason());
  } else if (!sight_->shown()) {
    outcome.failed = outcome.by_plugin = true;
    outcome.message = fmt::format("plugin '{}': {} ended without showing a state", component_.plugin_id(), what_);
  } else if (plant.violation() > plant.constraint_limit()) {
    outcome.failed = true;
    outcome.message = fmt::format("the state found violates the constraints by {:.3g}, which is more than {}",
                                  plant.violation(), plant.constraint_limit_text());
  }
  return false;
}

bool OpenedAnalysis::follows_dynamics() const {
  return sees_ != nullptr &&
         guarded(component_.plugin_id(), "", "time_count", [this] { return sees_->time_count(); }) > 0;
}

std::vector<double> OpenedAnalysis::watched_times() const {
  if (!follows_dynamics()) return {};
  return guarded(component_.plugin_id(), "", "time", [this] {
    std::vector<double> times;
    for (Index i = 0; i < sees_->time_count(); ++i) times.push_back(sees_->time(i));
    return times;
  });
}

void OpenedAnalysis::at_time(double t) {
  const Status status = guarded(component_.plugin_id(), "", "at_time", [this] { return sees_->at_time(times_seen_); });
  ++times_seen_;
  if (status) return;
  throw Error(ErrorKind::compute, fmt::format("{} at t = {:.9g}: {} {}{}", what_, t, status.what,
                                              status_name(status.code), sight_->reason()));
}

// The engine speaks of steps and tolerances, which such a motion has not.
std::string OpenedAnalysis::explain_end(const Engine& engine) const {
  if (motion_ == nullptr) return "";
  const Status& failure = motion_->failure();
  if (failure) return "";
  return fmt::format("the motion cannot go on at t = {:.9g}: {} ({})", engine.t(), failure.what,
                     status_name(failure.code));
}

std::vector<NamedResult> OpenedAnalysis::results() const {
  const auto call = [this](const char* phase, const auto& ask) {
    return guarded(component_.plugin_id(), "", phase, ask);
  };
  constexpr Index most_results = 10000;
  const Index count =
      declared(call("result_count", [this] { return opened().result_count(); }), most_results, "result_count()", what_);
  std::vector<NamedResult> all;
  for (Index i = 0; i < count; ++i) {
    const AnalysisResult result = call("result", [&] { return opened().result(i); });
    if (result.name == nullptr || *result.name == '\0' || result.unit == nullptr)
      refuse_plugin(fmt::format("gives a result number {} without a name or a unit", i));
    if (std::any_of(all.begin(), all.end(), [&](const NamedResult& other) { return other.name == result.name; }))
      refuse_plugin(fmt::format("gives two results named '{}'", result.name));
    all.push_back({result.name, result.unit, result.value});
  }
  return all;
}

void OpenedAnalysis::write(const std::filesystem::path& folder) const {
  RefusalBuffer buffer;
  const std::string path = folder.string();
  const bool written =
      guarded(component_.plugin_id(), "", "write", [&] { return opened().write(path.c_str(), buffer.refusal()); });
  if (!written) buffer.raise_about(path, fmt::format("plugin '{}' gave no reason", component_.plugin_id()));
}

}  // namespace trammel
