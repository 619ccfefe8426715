// EquilibriumSearch: the ways to a static equilibrium of a model.
#pragma once

#include "analysis/analysis_run.h"

namespace trammel {

class EquilibriumSearch {
 public:
  /// No method: the given state is taken. EquilibriumMethod::none: the search follows the forces ("continuation").
  explicit EquilibriumSearch(std::optional<EquilibriumMethod> method) : method_(method) {}

  bool seeks() const { return method_.has_value(); }
  bool settles() const { return method_ == EquilibriumMethod::settling; }
  /// Minimum potential energy and continuation move positions only.
  bool finds_internal_states() const { return settles() || method_ == EquilibriumMethod::newton; }
  /// Minimum potential energy looks for places that no way of rolling need lead to.
  bool moves_along_rows() const { return method_ != EquilibriumMethod::minimum_potential; }
  /// [setup] Drivers are held at their values at t = 0. Throws Error(input) where the method does not fit the model.
  /// What the engine carries on until it is at rest, if the method settles.
  std::optional<EngineParts> begin(const AnalysisParts& parts) { return begin(parts, parts.plant.observation().q); }
  /// [setup] The same from these positions, which satisfy the constraints.
  std::optional<EngineParts> begin(const AnalysisParts& parts, ConstVectorView q);
  /// [step] A part of the search; true: it is over, or failed.
  bool advance(Engine* engine, const SearchProgress& progress, StaticReport& report, SearchOutcome& outcome);
  /// [step] Another search, from beside an unstable equilibrium; false if there is nothing to leave.
  bool leave_unstable(const SearchProgress& progress, StaticReport& report, SearchOutcome& outcome);
  /// Positions that were found; empty: those of the plant.
  std::vector<double>& positions() { return q_; }
  /// Internal states that belong to them.
  ConstVectorView internal_states() const;

 private:
  /// Of accelerations at rest in the model's unit, 1/s^2.
  double rest_tolerance(double of_second) const;
  bool at_rest(double acceleration, double of_second, double t, ConstVectorView q) const;
  /// At rest there, by the tolerances of settling.
  bool bodies_rest(double t, ConstVectorView q, ConstVectorView z) const;
  /// Of the state that the engine is in, whose velocities vanish: `complete` puts the internal states, as they rest, into
  /// `z_`; `of_bodies`: these still move.
  enum class Rest { none, of_bodies, complete };
  Rest rest_of(const Engine& engine);
  bool settle(Engine& engine, StaticReport& report, SearchOutcome& outcome);
  /// The end of a message, "velocities of ... are left; ...".
  std::string what_settling_left(const Engine& engine, double speed, bool runs_away);
  /// [step] Whether what switches keeps the model from coming to rest: no way is left between two events.
  bool chatters(const Engine& engine, double speed);
  void balance(const std::vector<double>& start, const SearchProgress& progress, StaticReport& report,
               SearchOutcome& outcome);
  Status minimize(VectorView q, double tolerance, const SearchProgress& progress, StaticReport& report);
  ConstrainedModel& numbers() const { return *parts_->plant.model(); }

  const std::optional<EquilibriumMethod> method_;
  std::optional<AnalysisParts> parts_;
  std::vector<double> start_;           ///< positions the search begins at
  std::vector<double> q_, z_;           ///< found; empty: those of the plant
  long restarts_ = 0, short_ways_ = 0;  ///< of settling: events that acted, and the last of them that lie so close
  double last_event_ = 0;               ///< s
  double slowness_ = 1;                 ///< 1/s^2, of what acts where a search for an equilibrium begins; 1 at most
  double rounding_ = 0;                 ///< what rounding leaves of accelerations at rest there, 1/s^2
};

}  // namespace trammel
