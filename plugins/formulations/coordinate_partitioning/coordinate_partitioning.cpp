// Plugin `coordinate_partitioning`: generalized coordinate partitioning, E. J. Haug, 7.3.2, steps 1 to 7.
//
// First-order view: accelerations of all coordinates come from the index-1 system; after every step the dependent
// positions and velocities are solved from the constraints. Second-order view: only the independent ones are
// integrated, and every evaluation solves for the others. See partitioned_formulation.h for the equations and for when
// the partition changes, state_space.h for the derivatives.
#include <optional>

#include "trammel/extensions/nearby_lift.h"
#include "trammel/extensions/second_order_formulation.h"
#include "trammel/math/cubic.h"
#include "trammel/sdk/formulations/partitioned_formulation.h"
#include "trammel/sdk/formulations/state_space.h"
#include "trammel/sdk/plugin.h"

namespace trammel {

class CoordinatePartitioning final : public sdk::PartitionedFormulation,
                                     private SecondOrderFormulation,
                                     private NearbyLift {
  using MemoryLayout = sdk::MemoryLayout;

 public:
  struct Parameters : sdk::PartitionParameters {};
  static constexpr auto parameters = sdk::table<Parameters>(TRAMMEL_PARTITION_FIELDS(Parameters));

  explicit CoordinatePartitioning(const Parameters& p) : PartitionedFormulation(p) {}

  FormulationTraits traits() const override { return {.constraint_limit = 1e-6, .corrects_output = true}; }

  MemorySize memory(const ConstrainedLayout& system) const override {
    MemorySize size = PartitionedFormulation::memory(system);
    size.state = MemoryLayout::size<ChartMemory>(system).state;
    return size;
  }

  Status start(ConstrainedSystem& system, double t, ConstVectorView q, ConstVectorView v,
               const Memory& memory) const override {
    const Status status = PartitionedFormulation::start(system, t, q, v, memory);
    const auto chart = MemoryLayout::place<ChartMemory>(memory, system);
    begin(system, t, q, v, memory);
    chart.changed_at = -std::numeric_limits<double>::infinity();
    chart_.restart();
    view_.forget();
    return status;
  }

  Correction correct(ConstrainedSystem& system, double t, VectorView y, VectorView error,
                     const Memory& memory) const override {
    return correct_dependent(system, t, y, error, memory);
  }

  bool repeated(ConstrainedSystem& system, double t, ConstVectorView q, ConstVectorView v, Index attempts,
                const Memory& memory) const override {
    const auto chart = MemoryLayout::place<ChartMemory>(memory, system);
    chart.before.map() = sdk::PartitionMemory(system, memory).independent.map();
    const bool changed = PartitionedFormulation::repeated(system, t, q, v, attempts, memory);
    if (changed) {
      chart.changed_at = t;
      chart_.exchange();
      view_.forget();
    }
    return changed;
  }

  const void* extension(const char* id) const override {
    const void* own = sdk::offer_extensions<SecondOrderFormulation, NearbyLift>(id, this, this);
    return own != nullptr ? own : PartitionedFormulation::extension(id);
  }

 private:
  /// Behind the partitions, which keep q and v after the last step.
  struct ChartMemory {
    ChartMemory(MemoryLayout& at, const ConstrainedLayout& system)
        : part(sdk::VelocityPartition::Both(at, system).positions),
          position_0(at.state.vector(system.coordinates())),
          velocity_0(at.state.vector(system.coordinates())),
          before(at.state.vector(system.coordinates())),
          changed_at(at.state.number()),
          kept_at_0(at.state.number()) {}
    sdk::PartitionMemory part;
    VectorView position_0, velocity_0;  ///< one step before the kept state
    VectorView before;                  ///< outputs before `changed_at` were integrated under this partition
    double &changed_at, &kept_at_0;

    /// The kept state is where the next step comes from.
    void shift(const sdk::PartitionMemory& kept) const {
      position_0.map() = kept.kept_q.map();
      velocity_0.map() = kept.kept_v.map();
      kept_at_0 = kept.kept_at;
    }
  };

  /// The integration goes on from here; the step before is of no length.
  void begin(const ConstrainedLayout& system, double t, ConstVectorView q, ConstVectorView v,
             const Memory& memory) const {
    sdk::PartitionMemory part(system, memory);
    part.keep(t, q, v);
    MemoryLayout::place<ChartMemory>(memory, system).shift(part);
  }

  /// The partition in force at a time of the last step.
  class Chart final : public sdk::StateSpaceChart {
   public:
    void bind(const CoordinatePartitioning& owner, const ConstrainedLayout& system, const Memory& memory) {
      owner_ = &owner, memory_ = memory;
      placed_.emplace(MemoryLayout::place<ChartMemory>(memory, system));
      layout_ = find_extension<BodyLayout>(system);
      acceleration_.reserve(static_cast<std::size_t>(system.coordinates()));
    }
    /// Placed once: what a system tells of itself is looked up by name, and evaluations are many.
    const ChartMemory& placed() const { return *placed_; }
    Status lift(ConstrainedSystem& system, double t, ConstVectorView w, ConstVectorView w_dot, VectorView q,
                VectorView v) override {
      const ChartMemory& chart = *placed_;
      const sdk::PartitionMemory& part = chart.part;
      before_ = looking_back_ && t < chart.changed_at;
      const ConstVectorView mask = independent();
      const double h = t - part.kept_at;
      predict(chart, part, t, w, mask, q, v);
      bool kept = h == 0;
      slack_ = 0;
      for (Index i = 0, k = 0; i < mask.size && k < w.size; ++i) {
        if (mask[i] == 0) continue;
        slack_ = std::max(slack_, known_cause * std::abs(w[k] - q[i]) / part.scale[i]);
        kept = kept && q[i] == w[k] && v[i] == w_dot[k];
        q[i] = w[k], v[i] = w_dot[k], ++k;
      }
      if (kept) {  // solved already
        factorized_ = false;
        return Status::success();
      }
      part.saved.map() = q.map();
      Status status = owner_->solve_dependent(system, t, q, v, {}, mask, memory_, factorized_ && !before_);
      if (status && h > 0 && !continues(inside, h, q, v)) status = sdk::BranchTest::left();
      factorized_ = status.ok() && !before_;
      return status;
    }
    /// Inside the last step, by one correction with Phi_u of its end (nearby_lift.h). False: the prediction is too far off,
    /// or Phi_u is not known there.
    bool lift_nearby(ConstrainedSystem& system, double t, ConstVectorView w, ConstVectorView w_dot, VectorView q,
                     VectorView v) {
      constexpr double far_off = 1e-3;  // of the way of the step
      const ChartMemory& chart = *placed_;
      const sdk::PartitionMemory& part = chart.part;
      asked_ = true;
      if (!near_ || !(t > chart.kept_at_0 && t < part.kept_at)) return false;
      predict(chart, part, t, w, part.independent, q, v);
      put(w, part.independent, q), put(w_dot, part.independent, v);
      part.change.map() = part.kept_q.map() - chart.position_0.map();
      const double way = sdk::largest_change(system, part.change);
      part.change.map() = part.kept_v.map() - chart.velocity_0.map();
      const double change = sdk::largest_change(system, part.change) + way / (part.kept_at - chart.kept_at_0);
      PartitionSolve& solver = owner_->choice().solver(system);
      const auto correct = [&](VectorView x, double most) {
        solver.solve_dependent(part.residual, part.change);
        x.map() += part.change.map();
        return sdk::largest_change(system, part.change) <= far_off * most;
      };
      if (!system.evaluate(t, q, {}, {}, evaluate_Phi)) return false;
      part.residual.map() = -system.Phi().map();
      if (!correct(q, way) || !system.evaluate(t, q, {}, {}, evaluate_jacobian | evaluate_nu)) return false;
      system.apply_jacobian(v, part.residual);
      part.residual.map() = system.nu().map() - part.residual.map();
      return correct(v, change);
    }
    /// At the end of a step: Phi_u of the partition in force was factorized there, or near.
    void end_of_step(bool factorized) { factorized_ = asked_ = false, near_ = factorized; }
    /// [step] Before and after a lift at t inside the last step, which has Phi_u of its own, whatever was lifted before.
    void begin_inside() { factorized_ = false; }
    void end_inside(const Status& status) {
      factorized_ = false;
      // The end is observed once the step's integrals are known, and rows come behind: they do not depend on each other.
      near_ = near_ && !asked_ && status.ok() && !before_;
    }
    /// Whether (q, v), as lifted last, continue the motion at the end of a step.
    bool continues(double t, ConstVectorView q, ConstVectorView v) const {
      const double h = t - placed_->part.kept_at;
      return h <= 0 || continues(at_end, h, q, v);
    }
    /// Writes w where coordinates are independent.
    static void put(ConstVectorView w, ConstVectorView mask, VectorView q) {
      for (Index i = 0, k = 0; i < mask.size && k < w.size; ++i) {
        if (mask[i] != 0) q[i] = w[k++];
      }
    }
    /// While outputs inside the last step are made; integrators' stages, which may go back in time, are always of
    /// today.
    void look_back(bool on) { looking_back_ = on, before_ = before_ && on; }
    /// Another partition is in force, or Phi_u was factorized for an output: the motion does not depend on outputs.
    void exchange() { factorized_ = near_ = false; }
    void factorized() override { factorized_ = !before_; }
    /// Nothing is known from before.
    void restart() {
      exchange();
      accelerated_at_ = std::numeric_limits<double>::quiet_NaN();
    }
    void accelerated(double t, ConstVectorView a) override {
      if (t != placed_->part.kept_at) return;
      acceleration_.assign(a.data, a.data + a.size);
      accelerated_at_ = t;
    }
    ConstVectorView independent() const override { return before_ ? placed_->before : placed_->part.independent; }

   private:
    // Predictions are of second order. Stages of stiff methods may be off the motion, so that their velocities explain
    // nothing.
    static constexpr sdk::BranchTest inside{0.5, 0.5, 1}, at_end{0.5, 0.02, 0.2};
    static constexpr double known_cause = 3;  ///< u follows w's departure from its prediction, amplified

    bool continues(const sdk::BranchTest& test, double h, ConstVectorView q, ConstVectorView v) const {
      const sdk::PartitionMemory& part = placed_->part;
      return test.accepts(*layout_, part.scale, independent(), h, part.kept_q, part.kept_v, q, v, part.saved, slack_);
    }

    /// Within the last step the cubic through its ends (Hermite). Beyond, along velocity and acceleration at its end;
    /// without the latter where that comes nearer to w, as where a fast transient is about to end.
    void predict(const ChartMemory& chart, const sdk::PartitionMemory& part, double t, ConstVectorView w,
                 ConstVectorView mask, VectorView q, VectorView v) {
      const double kept_at = part.kept_at;
      const double h = t - kept_at, step = kept_at - chart.kept_at_0;
      if (h < 0 && t > chart.kept_at_0) {
        const ValueAndRate from{chart.position_0, chart.velocity_0}, to{part.kept_q, part.kept_v};
        cubic(from, to, step, 1 + h / step, q);
        cubic_rate(from, to, step, 1 + h / step, v);
        return;
      }
      q.map() = part.kept_q.map() + h * part.kept_v.map();
      v.map() = part.kept_v.map();
      if (accelerated_at_ != kept_at || static_cast<Index>(acceleration_.size()) != q.size) return;
      const ConstVectorView a{acceleration_.data(), q.size};
      double straight = 0, curved = 0;
      for (Index i = 0, k = 0; i < mask.size && k < w.size; ++i) {
        if (mask[i] == 0) continue;
        const double off = w[k++] - q[i];
        straight += off * off;
        curved += (off - 0.5 * h * h * a[i]) * (off - 0.5 * h * h * a[i]);
      }
      if (!(curved < straight)) return;
      q.map() += 0.5 * h * h * a.map();
      v.map() += h * a.map();
    }

    const CoordinatePartitioning* owner_ = nullptr;
    const BodyLayout* layout_ = nullptr;
    std::optional<ChartMemory> placed_;
    std::vector<double> acceleration_;  ///< at `accelerated_at_`
    double accelerated_at_ = std::numeric_limits<double>::quiet_NaN();
    Memory memory_;
    double slack_ = 0;  ///< of the last lift
    bool before_ = false, looking_back_ = false;
    bool factorized_ = false;  ///< Phi_u of the partition in force is
    bool near_ = false;        ///< so it is at the end of the last step or inside, whatever rows were wanted
    bool asked_ = false;       ///< nearby lifts were asked for since that end
  };

  SecondOrderSystem* bind(ConstrainedSystem& system, const Memory& memory) const override {
    const auto freedoms = static_cast<Index>(system.coordinates() - sdk::PartitionChoice::kept_rows(system));
    reduced_ = true;
    chart_.bind(*this, system, memory);
    view_.bind(chart_, system, freedoms);
    return &view_;
  }
  Index coordinate(const ConstrainedLayout& system, Index k, const Memory& memory) const override {
    const VectorView independent = sdk::PartitionMemory(system, memory).independent;
    Index i = 0;
    while (i < independent.size - 1 && (independent[i] == 0 || k-- > 0)) ++i;
    return i;
  }
  Status embed_second_order(ConstrainedSystem& system, double t, ConstVectorView q, ConstVectorView v,
                            const Memory& memory, VectorView w, VectorView w_dot) const override {
    begin(system, t, q, v, memory);
    // From t on states are of the partition in force, even where it was chosen at the end of a step that went past t.
    double& changed_at = MemoryLayout::place<ChartMemory>(memory, system).changed_at;
    changed_at = std::min(changed_at, t);
    view_.forget();
    view_.pick(q, w);
    view_.pick(v, w_dot);
    return Status::success();
  }
  // Beyond the last step, Phi_u of the attempt's stages serves, and for what follows in the attempt. Rows have Phi_u of
  // their own, so that neither they nor the motion depend on which of them are wanted.
  Status lift_second_order(ConstrainedSystem&, double t, ConstVectorView w, ConstVectorView w_dot, const Memory&,
                           VectorView q, VectorView v) const override {
    const bool inside = t <= chart_.placed().part.kept_at;
    if (inside) chart_.begin_inside();
    chart_.look_back(true);
    const Status status = view_.lift_aside(t, w, w_dot, q, v);
    if (inside) chart_.end_inside(status);
    chart_.look_back(false);
    return status;
  }
  Status lift_nearby(ConstrainedSystem& system, double t, ConstVectorView w, ConstVectorView w_dot,
                     const Memory& memory, VectorView q, VectorView v) const override {
    if (chart_.lift_nearby(system, t, w, w_dot, q, v)) return Status::success();
    return lift_second_order(system, t, w, w_dot, memory, q, v);
  }
  Correction correct_second_order(ConstrainedSystem& system, double t, VectorView w, VectorView w_dot,
                                  const Memory&) const override {
    const ChartMemory& chart = chart_.placed();
    sdk::PartitionMemory part = chart.part;
    Correction result;
    result.status = view_.lift(t, w, w_dot);
    if (result.status && !chart_.continues(t, view_.q(), view_.v())) result.status = sdk::BranchTest::left();
    if (!result.status) return result;
    chart.before.map() = part.independent.map();
    if (sdk::PartitionChoice::rows_changed(system, part)) {
      result.status = Status::failure(StatusCode::singular, "number of degrees of freedom, which changed,");
      return result;
    }
    result.status = choice().review(system, part, t, choice().measure(system, part), result.restart);
    chart.shift(part);
    part.keep(t, view_.q(), view_.v());
    // The next step begins as it would after outputs, which lift, factorize and evaluate elsewhere.
    chart_.end_of_step(result.status.ok() && !result.restart);
    view_.forget();
    if (!result.restart) return result;
    chart.changed_at = t;
    result.changed = true;
    view_.pick(view_.q(), w);
    view_.pick(view_.v(), w_dot);
    return result;
  }

  // One formulation object serves one run: the view is its workspace.
  bool condition_counts() const override { return reduced_; }
  bool u_integrated() const override { return !reduced_; }
  mutable bool reduced_ = false;
  mutable Chart chart_;
  mutable sdk::StateSpace view_;
};

}  // namespace trammel

TRAMMEL_PLUGIN(
    "coordinate_partitioning", "1.0.0", "BSD-3-Clause",
    component<CoordinatePartitioning>(
        Host::any, "coordinate_partitioning",
        "Independent coordinates under error control; dependent ones solved from the constraints after each step.",
        "Haug, Computer Aided Kinematics and Dynamics, 7.3.2; Wehage and Haug, J. Mech. Des. 104 (1982) 247-255"));
