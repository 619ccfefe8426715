// HostServices: what components may ask of a run beyond the model, by id (trammel/extensions/host_services.h).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "config/binder.h"
#include "linalg/factor_services.h"
#include "model/worker_pool.h"

namespace trammel {

class HostServices final : private RunLog, private RunClock, private ChannelValues, private FunctionMaker {
 public:
  /// [setup] `functions` makes functions while components are created; nullptr: there are none.
  explicit HostServices(Resolver* functions) : functions_(functions) { allow_threads(1); }

  const void* find(const char* id) const;

  /// [setup] Before components are created.
  void allow_threads(Index threads);
  const Workers& workers() const { return *workers_; }
  int threads() const { return static_cast<int>(workers_->worker_count()); }
  /// [setup] `all`: names of the columns, which are made when somebody asks for one; `row`: values of some of them, by
  /// name, at the last accepted state.
  using Names = std::function<std::vector<std::string>()>;
  using Row = std::function<std::vector<double>(const std::vector<std::string>&)>;
  void offer_channels(Names all, Row row);
  /// [step] A step was accepted; columns that somebody asked for are looked at.
  void accept(double t, double h, long steps);

  const std::vector<std::string>& warnings() const { return warnings_; }
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  void warn(const char* text) const override { keep(text, warnings_); }
  void note(const char* text) const override { keep(text, notes_); }
  static void keep(const char* text, std::vector<std::string>& texts);
  double time() const override { return time_; }
  double step() const override { return step_; }
  std::int64_t steps() const override { return steps_; }
  Index find_channel(const char* name) const override;
  double channel_value(Index channel) const override;
  const Function* make_function(const char* json, Refusal* refusal) const override;

  Resolver* functions_;
  std::unique_ptr<WorkerPool> workers_;
  std::unique_ptr<ReducedFactors> block_factors_;
  mutable std::vector<std::string> warnings_, notes_;
  double time_ = 0, step_ = 0;
  long steps_ = 0;
  Names names_;
  mutable std::vector<std::string> columns_;
  Row row_;
  mutable std::vector<std::string> asked_;
  std::vector<double> values_;
};

}  // namespace trammel
