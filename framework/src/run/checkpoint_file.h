// Checkpoint files: a run's archive with what it belongs to.
#pragma once

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "config/run_file.h"
#include "model/archive.h"
#include "plugin/catalogue.h"

namespace trammel {

/// What a checkpoint fits: it is refused anywhere else.
struct CheckpointOwner {
  CheckpointOwner(const RunFile& run, const std::vector<const PluginInfo*>& plugins);

  std::string run_hash, kernel;
  std::vector<std::pair<std::string, std::string>> plugins;  ///< id and build-id, by id
};

/// Times of checkpoints: multiples of a step, s.
class CheckpointSchedule {
 public:
  CheckpointSchedule() = default;
  explicit CheckpointSchedule(double step) : step_(step) {}

  bool wanted() const { return step_ > 0; }
  double next() const { return next_; }
  /// The next one lies behind t.
  void pass(double t) { next_ = (std::floor(t / step_ + 1e-9) + 1) * step_; }

 private:
  double step_ = 0, next_ = 0;
};

/// Atomically. Throws Error(compute).
void write_checkpoint(const std::filesystem::path& file, const CheckpointOwner& owner, double t, Archive& archive);
/// Throws Error(input): no checkpoint, of another version, or of another owner, saying what differs.
Archive read_checkpoint(const std::filesystem::path& file, const CheckpointOwner& owner);

}  // namespace trammel
