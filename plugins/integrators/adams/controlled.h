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
  StepResult attempt(const Problem& problem, const ConstStateView& state, double h, const StateView& next,
                     VectorView error, const Memory& memory) const override;
  void accept(const Problem& problem, const ConstStateView& state, bool changed, const Memory& memory) const override;
  Status interpolate(const Problem& problem, const ConstStateView& from, const ConstStateView& to, double t,
                     const StateView& out, const Memory& memory) const override;

  const void* extension(const char* id) const override;
  Index channel_count() const override { return 2; }
  const char* channel_name(Index i) const override { return i == 0 ? "order" : "local_error"; }
  double channel(Index i, const Memory& memory) const override {
    const auto m = Layout::place<Record>(memory.state);
    return i == 0 ? m.told_order : m.told_error;
  }

 private:
  struct History {
    explicit History(Layout& at)
        : points(at.number()),
          f_known(at.number()),
          grid(at.number()),
          order(at.number()),
          starting(at.number()),
          void_attempts(at.number()),
          settled(at.number()),
          used_order(at.number()),
          used_points(at.number()),
          used_step(at.number()),
          other_grid(at.number()),
          next_order(at.number()),
          still_starting(at.number()),
          next_settled(at.number()),
          local_error(at.number()) {}
    void forget() const;

    double &points, &f_known, &grid, &order, &starting, &void_attempts, &settled;
    double &used_order, &used_points, &used_step, &other_grid;
    double &next_order, &still_starting, &next_settled, &local_error;
  };
  struct Record : History {
    explicit Record(Layout& at) : History(at), told_order(at.number()), told_error(at.number()) {}
    double &told_order, &told_error;
  };
  struct Kept : Record {
    Kept(Layout& at, Index n, int columns)
        : Record(at), accepted(at.vectors(n, columns)), changed(at.vectors(n, columns)), E_0(at.vector(n)) {}
    /// Of the attempt, whose step may be another one.
    const BackwardDifferences& used() const { return other_grid != 0 ? changed : accepted; }
    BackwardDifferences accepted, changed;  ///< on the accepted grid, on that of the attempt
    Map E_0;
  };
  struct Scratch : Work {
    Scratch(Layout& at, Index n) : Work(at, n), weights(at.vector(n)) {}
    VectorView weights;
  };
  /// Weighted errors of the orders below, of, and above the one in use; infinite where they are not known.
  struct Estimates {
    double lower, here, higher;
    int exponent;  ///< the estimate `here` is of the order h^exponent
  };

  int columns() const { return k_max_ + 2; }
  Kept kept_in(const Memory& memory, const ConstStateView& state) const {
    return Layout::place<Kept>(memory.state, state.x.size, columns());
  }
  static void choose_grid(double h, const Kept& m);
  Estimates correct(const Kept& m, int known, double h, const sdk::ErrorWeights& weights, Work& work,
                    VectorView error) const;
  static double reduce(double h, const Estimates& e, const Record& m);
  double continue_start(double h, const Estimates& e, const Record& m) const;
  static double continue_run(double h, const Estimates& e, const Record& m);

  int k_max_;
};

}  // namespace trammel::adams
