// RunLinearizer: matrices of a run's small motions, made on a model of its own.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "analysis/linearizer.h"
#include "results/run_remarks.h"
#include "run/mechanics_state.h"

namespace trammel {

class RunLinearizer final : public Linearizer {
 public:
  /// [setup] Of states that the plant of the run observes; `remarks` hears of kinks there. Throws Error.
  RunLinearizer(const RunFile& run, const SimulationOptions& options, Plant& plant, RunRemarks& remarks);

  bool choose(const LinearSystemRequest& request, Refusal& refusal) override;
  Status take() override;
  Index count(Names of) const override { return static_cast<Index>(names(of).size()); }
  const char* name(Names of, Index i) const override { return names(of)[static_cast<std::size_t>(i)].c_str(); }
  ConstVectorView matrix(Matrix which) const override;
  Status change_along_motion(double rate, double& change) override;
  const std::string& reason() const override { return reason_; }

 private:
  const std::vector<std::string>& names(Names of) const;
  void go_to_plant();
  void warn_of_kink();
  /// Errors become a Status, with their text as the reason.
  template <class Work>
  Status attempt(const Work& work);

  MechanicsState model_;
  Plant& plant_;
  RunRemarks& remarks_;
  LinearOrder order_;
  LinearSystem system_;
  std::string reason_;
};

}  // namespace trammel
