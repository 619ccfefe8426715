// The engine of `trammel-mpi`: every process of an MPI job has workers of its own, and the first one has the study.
#pragma once

#include <functional>
#include <vector>

#include "study/engine.h"

namespace trammel {

/// For rank 0. Sends cases to the other ranks as they ask for them and has its own workers run some as well.
class MpiEngine final : public CaseEngine {
 public:
  explicit MpiEngine(WorkerSetup setup) : setup_(std::move(setup)) {}
  bool run(const std::vector<CaseTask>& tasks, EngineObserver& observer) override;

 private:
  struct Rank {
    std::size_t open = 0;  ///< cases sent and not answered
  };
  std::size_t depth() const;
  void hear(EngineObserver& observer);

  WorkerSetup setup_;
  std::vector<Rank> ranks_;
  double mean_seconds_ = 0;
};

/// What the other ranks do until rank 0 ends them. What `make_setup` or the workers throw is rank 0's to tell.
void serve_rank(const std::function<WorkerSetup()>& make_setup);
/// Of rank 0: the others may end.
void release_ranks();

}  // namespace trammel
