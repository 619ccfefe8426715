// Adams-Bashforth-Moulton PECE that controls its order and its step as Haug describes in 7.4.4.
#pragma once

#include "formula.h"
#include "trammel/extensions/integrator_extensions.h"
#include "trammel/sdk/methods/error_weights.h"

namespace trammel::adams {

class Controlled final : public Integrator, public IntegratorChannels {
 public:
  /// Orders beyond this have no tabulated coefficient of the estimate for the next higher one.
  static constexpr int highest_order = sdk::adams_max_order - 2;

  /// `order`: the highest order k of the predictor.
  explicit Controlled(int order) : k_max_(order) {}

  IntegratorTraits traits() const override;
  MemorySize memory(const ProblemSize& size) const override;
  Status start(const Problem& problem, const ConstStateView& state, const Memory& memory) const override;
  StepResult attempt(const Problem& problem, const ConstStateView& state, double h, const StateView& next, VectorView error,
                     const Memory& memory) const override;
  void accept(const Problem& problem, const ConstStateView& state, bool changed, const Memory& memory) const override;
  Status interpolate(const Problem& problem, const ConstStateView& from, const ConstStateView& to, double t, const StateView& out,
                     const Memory& memory) const override;

  const void* extension(const char* id) const override;
  Index channel_count() const override { return 2; }
  const char* channel_name(Index i) const override { return i == 0 ? "order" : "local_error"; }
  double channel(Index i, const Memory& memory) const override {
    return memory.state[i == 0 ? told_order : told_error];
  }

 private:
  /// memory.state: these numbers, then the differences on the accepted grid, those on the grid of the attempt (where
  /// its step is another), and E_0.
  enum : Index {
    points,
    f_known,
    grid,
    order,
    starting,
    void_attempts,
    settled,
    used_order,
    used_points,
    used_step,
    other_grid,
    next_order,
    still_starting,
    next_settled,
    local_error,
    history,
    told_order = history,
    told_error,
    flags
  };
  /// Weighted errors of the orders below, of, and above the one in use; infinite where they are not known.
  struct Estimates {
    double lower, here, higher;
    int exponent;  ///< the estimate `here` is of the order h^exponent
  };

  int columns() const { return k_max_ + 2; }
  BackwardDifferences differences(const Memory& memory, Index n, Index block) const {
    return BackwardDifferences(memory.state + flags + block * columns() * n, n, columns());
  }
  BackwardDifferences used(const Memory& memory, Index n) const {
    return differences(memory, n, memory.state[other_grid] != 0 ? 1 : 0);
  }
  Map predicted_rate(const Memory& memory, Index n) const { return Map(memory.state + flags + 2 * columns() * n, n); }
  void choose_grid(double h, Index n, const Memory& memory) const;
  Estimates correct(const BackwardDifferences& D, int known, double h, const sdk::ErrorWeights& weights,
                    const Memory& memory, Work& work, VectorView error) const;
  double reduce(double h, const Estimates& e, double* m) const;
  double continue_start(double h, const Estimates& e, double* m) const;
  double continue_run(double h, const Estimates& e, double* m) const;

  int k_max_;
};

}  // namespace trammel::adams
