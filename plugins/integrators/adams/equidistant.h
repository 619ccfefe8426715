// Adams methods with fixed steps: predictor alone or PECE, and the ways to start them.
#pragma once

#include <algorithm>

#include "starters.h"
#include "trammel/extensions/integrator_extensions.h"

namespace trammel::adams {

/// How the first k - 1 steps, for which a method with k points has no history, are made.
enum class Start : std::int32_t {
  ramp,              ///< orders 1, 2, ..., k
  runge_kutta,       ///< eight steps of order 8 per step
  small_steps,       ///< the same method with short steps, itself begun with a ramp
  zero_differences,  ///< order k at once, missing differences taken as zero
  fehlberg           ///< Runge-Kutta-Fehlberg steps of a prescribed local error
};

/// The second evaluation of PECE, f(t_{n+1}, y^c), is made at the beginning of the next step: so it holds the state
/// that the kernel accepted, also where a projection moved it, and the history stays.
class Equidistant : public Integrator, public LinearStability, public IntegratorNotes {
 public:
  /// `orders` after the start; `short_step` (s) belongs to small_steps, `start_error` to fehlberg.
  struct Options {
    Orders orders;
    Start start = Start::ramp;
    double short_step = 0;
    double start_error = 0;
  };

  explicit Equidistant(const Options& options) : o_(options), k_(options.orders.predictor) {}

  IntegratorTraits traits() const override;
  MemorySize memory(const ProblemSize& size) const override;
  Status start(const Problem& problem, const ConstStateView& state, const Memory& memory) const override;
  StepResult attempt(const Problem& problem, const ConstStateView& state, double h, const StateView& next,
                     VectorView error, const Memory& memory) const override;
  void accept(const Problem& problem, const ConstStateView& state, bool changed, const Memory& memory) const override;
  /// What an attempt leaves behind, f_n in the history, belongs to the state it started from.
  void reject(const Memory&) const override {}
  /// The steps of the start leave it to the kernel's Hermite polynomial.
  Status interpolate(const Problem& problem, const ConstStateView& from, const ConstStateView& to, double t,
                     const StateView& out, const Memory& memory) const override;

  const void* extension(const char* id) const override;
  double spectral_radius(double re, double im) const override { return adams::spectral_radius(o_.orders, re, im); }
  void note(const Memory& memory, char* text, Index capacity) const override;

 private:
  struct History {
    explicit History(Layout& at)
        : points(at.number()),
          f_known(at.number()),
          step_size(at.number()),
          terms(at.number()),
          short_points(at.number()),
          tried_short_points(at.number()),
          tried_steps(at.number()),
          tried_error(at.number()) {}
    void forget() const {
      points = f_known = step_size = terms = 0;
      short_points = tried_short_points = tried_steps = tried_error = 0;
    }
    double &points, &f_known, &step_size, &terms, &short_points, &tried_short_points, &tried_steps, &tried_error;
  };
  struct Record : History {
    explicit Record(Layout& at) : History(at), starter_steps(at.number()), starter_error(at.number()) {}
    double &starter_steps, &starter_error;
  };
  /// D_0 ... D_{k-1} and E_0, on one grid.
  struct Grid {
    Grid(Layout& at, Index n, int k) : differences(at.vectors(n, k)), D(differences), E_0(at.vector(n)) {}
    void copy(const Grid& other) const {
      std::copy_n(other.differences.data, differences.n * differences.count, differences.data);
    }
    Layout::Vectors differences;
    BackwardDifferences D;
    Map E_0;
  };
  struct Kept : Record {
    Kept(Layout& at, Index n, const Equidistant& method)
        : Record(at),
          grid(at, n, method.k_),
          short_grid(at, method.small_steps_start() ? n : 0, method.k_),
          tried_short_grid(at, method.small_steps_start() ? n : 0, method.k_) {}
    Grid grid, short_grid, tried_short_grid;  ///< small_steps: also on the short grid, as accepted and as attempted
  };
  /// The vectors of a step, and what the start needs.
  struct Scratch : Work {
    Scratch(Layout& at, Index n, const Equidistant& method)
        : Work(at, n),
          eighth_order(at, n, method.o_.start == Start::runge_kutta),
          fehlberg(at, n, method.o_.start == Start::fehlberg),
          y(at.vector(method.small_steps_start() ? n : 0)) {}
    EighthOrderSteps::Work eighth_order;
    FehlbergSteps::Work fehlberg;
    Map y;  ///< of small_steps
  };

  bool small_steps_start() const { return o_.start == Start::small_steps; }
  Kept kept_in(const Memory& memory, const ConstStateView& state) const {
    return Layout::place<Kept>(memory.state, state.x.size, *this);
  }
  Orders at(int points) const;
  Status first_steps(const Problem& problem, const ConstStateView& state, double h, const StateView& next, Kept& m,
                     Scratch& work) const;
  Status small_steps(const Problem& problem, const ConstStateView& state, double h, const StateView& next, Kept& m,
                     Scratch& work) const;

  Options o_;
  int k_;
  EighthOrderSteps eighth_order_;
  FehlbergSteps fehlberg_;
};

}  // namespace trammel::adams
