// Plugin `coordinate_partitioning`: generalized coordinate partitioning, E. J. Haug, 7.3.2, steps 1 to 7.
//
// First-order view: accelerations of all coordinates come from the index-1 system; after every step the dependent positions
// and velocities are solved from the constraints. Second-order view: only the independent ones are integrated, and every
// evaluation solves for the others. See partitioned_formulation.h for the equations and for when the partition changes,
// state_space.h for the derivatives.
#include "trammel/sdk/partitioned_formulation.h"
#include "trammel/sdk/plugin.h"
#include "trammel/sdk/state_space.h"
#include "trammel/second_order_formulation.h"

namespace trammel {

class CoordinatePartitioning final : public sdk::PartitionedFormulation, private SecondOrderFormulation {
 public:
  struct Parameters : sdk::PartitionParameters {};
  static constexpr auto parameters = sdk::table<Parameters>(TRAMMEL_PARTITION_FIELDS(Parameters));

  explicit CoordinatePartitioning(const Parameters& p) : PartitionedFormulation(p) {}

  FormulationTraits traits() const override { return {1e-6, true}; }

  /// Behind the partition: [q and v after the last two accepted steps (4 n), the partition before the last change (n), its
  /// time, and those of the steps].
  MemorySize memory(const ConstrainedSystem& system) const override {
    MemorySize size = PartitionedFormulation::memory(system);
    size.state += 5 * system.coordinates() + 3;
    return size;
  }

  Status start(ConstrainedSystem& system, double t, ConstVectorView q, ConstVectorView v,
               const Memory& memory) const override {
    const Status status = PartitionedFormulation::start(system, t, q, v, memory);
    const ChartMemory chart(system, memory);
    chart.keep(t, q, v);
    chart.keep(t, q, v);  // the step before is of no length
    *chart.changed_at = -std::numeric_limits<double>::infinity();
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
    const ChartMemory chart(system, memory);
    chart.before.map() = sdk::PartitionMemory(system, memory).independent.map();
    const bool changed = PartitionedFormulation::repeated(system, t, q, v, attempts, memory);
    if (changed) *chart.changed_at = t, chart_.exchange(), view_.forget();
    return changed;
  }

  const void* extension(const char* id) const override {
    const void* own = sdk::offer_extensions<SecondOrderFormulation>(id, this);
    return own != nullptr ? own : PartitionedFormulation::extension(id);
  }

 private:
  struct ChartMemory {
    ChartMemory(const ConstrainedSystem& system, const Memory& memory)
        : ChartMemory(system.coordinates(),
                      memory.state + sdk::PartitionMemory::size(system.coordinates(), system.constraints()).state) {}
    ChartMemory(Index n, double* at)
        : position{at, n}, velocity{at + n, n}, position_0{at + 2 * n, n}, velocity_0{at + 3 * n, n},
          before{at + 4 * n, n}, changed_at(at + 5 * n), kept_at(at + 5 * n + 1), kept_at_0(at + 5 * n + 2) {}
    void keep(double t, ConstVectorView q, ConstVectorView v) const {
      position_0.map() = position.map();
      velocity_0.map() = velocity.map();
      *kept_at_0 = *kept_at;
      position.map() = q.map();
      velocity.map() = v.map();
      *kept_at = t;
    }
    VectorView position, velocity;      ///< from where the dependent coordinates are predicted
    VectorView position_0, velocity_0;  ///< one step before
    VectorView before;    ///< outputs before `changed_at` were integrated under this partition
    double *changed_at, *kept_at, *kept_at_0;
  };

  /// The partition in force at a time of the last step.
  class Chart final : public sdk::StateSpaceChart {
   public:
    void bind(const CoordinatePartitioning& owner, const ConstrainedSystem& system, const Memory& memory) {
      owner_ = &owner, system_ = &system, memory_ = memory;
      acceleration_.reserve(static_cast<std::size_t>(system.coordinates()));
    }
    Status lift(ConstrainedSystem& system, double t, ConstVectorView w, ConstVectorView w_dot, VectorView q,
                VectorView v) override {
      const ChartMemory chart(system, memory_);
      before_ = looking_back_ && t < *chart.changed_at;
      const ConstVectorView mask = independent();
      predict(chart, t, w, mask, q, v);
      for (Index i = 0, k = 0; i < mask.size && k < w.size; ++i) {
        if (mask[i] != 0) q[i] = w[k], v[i] = w_dot[k], ++k;
      }
      const Status status = owner_->solve_dependent(system, t, q, v, {}, mask, memory_, factorized_ && !before_);
      factorized_ = status.ok() && !before_;
      return status;
    }
    /// While outputs inside the last step are made; integrators' stages, which may go back in time, are always of today.
    void look_back(bool on) { looking_back_ = on, before_ = before_ && on; }
    /// Another partition is in force.
    void exchange() { factorized_ = false; }
    /// Nothing is known from before.
    void restart() { factorized_ = false, accelerated_at_ = std::numeric_limits<double>::quiet_NaN(); }
    void accelerated(double t, ConstVectorView a) override {
      if (t != *ChartMemory(*system_, memory_).kept_at) return;
      acceleration_.assign(a.data, a.data + a.size);
      accelerated_at_ = t;
    }
    ConstVectorView independent() const override {
      if (before_) return ChartMemory(*system_, memory_).before;
      return sdk::PartitionMemory(*system_, memory_).independent;
    }

   private:
    /// Within the last step the cubic through its ends (Hermite). Beyond, along velocity and acceleration at its end; without
    /// the latter where that comes nearer to w, as where a fast transient is about to end.
    void predict(const ChartMemory& chart, double t, ConstVectorView w, ConstVectorView mask, VectorView q, VectorView v) {
      const double h = t - *chart.kept_at, step = *chart.kept_at - *chart.kept_at_0;
      if (h < 0 && t > *chart.kept_at_0) {
        const double s = 1 + h / step, r = 1 - s;
        q.map() = (1 + 2 * s) * r * r * chart.position_0.map() + s * s * (3 - 2 * s) * chart.position.map() +
                  s * r * step * (r * chart.velocity_0.map() - s * chart.velocity.map());
        v.map() = 6 * s * r / step * (chart.position.map() - chart.position_0.map()) +
                  r * (1 - 3 * s) * chart.velocity_0.map() + s * (3 * s - 2) * chart.velocity.map();
        return;
      }
      q.map() = chart.position.map() + h * chart.velocity.map();
      v.map() = chart.velocity.map();
      if (accelerated_at_ != *chart.kept_at || static_cast<Index>(acceleration_.size()) != q.size) return;
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
    const ConstrainedSystem* system_ = nullptr;
    std::vector<double> acceleration_;  ///< at `accelerated_at_`
    double accelerated_at_ = std::numeric_limits<double>::quiet_NaN();
    Memory memory_;
    bool before_ = false, looking_back_ = false;
    bool factorized_ = false;  ///< Phi_u of the partition in force is
  };

  SecondOrderSystem* bind(ConstrainedSystem& system, const Memory& memory) const override {
    const auto freedoms = static_cast<Index>(system.coordinates() - kept_rows(system));
    chart_.bind(*this, system, memory);
    view_.bind(chart_, system, freedoms);
    return &view_;
  }
  Index coordinate(const ConstrainedSystem& system, Index k, const Memory& memory) const override {
    const VectorView independent = sdk::PartitionMemory(system, memory).independent;
    Index i = 0;
    while (i < independent.size - 1 && (independent[i] == 0 || k-- > 0)) ++i;
    return i;
  }
  Status embed_second_order(ConstrainedSystem&, double, ConstVectorView q, ConstVectorView v, const Memory&,
                            VectorView w, VectorView w_dot) const override {
    view_.pick(q, w);
    view_.pick(v, w_dot);
    return Status::success();
  }
  Status lift_second_order(ConstrainedSystem&, double t, ConstVectorView w, ConstVectorView w_dot, const Memory&,
                           VectorView q, VectorView v) const override {
    chart_.look_back(true);
    const Status status = view_.lift_aside(t, w, w_dot, q, v);
    chart_.look_back(false);
    return status;
  }
  Correction correct_second_order(ConstrainedSystem& system, double t, VectorView w, VectorView w_dot,
                                  const Memory& memory) const override {
    sdk::PartitionMemory part(system, memory);
    const ChartMemory chart(system, memory);
    Correction result;
    result.status = view_.lift(t, w, w_dot);
    if (!result.status) return result;
    chart.keep(t, view_.q(), view_.v());
    chart.before.map() = part.independent.map();
    if (rows_changed(system, part)) {
      result.status = Status::failure(StatusCode::singular, "number of degrees of freedom, which changed,");
      return result;
    }
    result.status = review(system, part, result.restart);
    if (!result.restart) return result;
    *chart.changed_at = t;
    chart_.exchange();
    result.changed = true;
    view_.pick(view_.q(), w);
    view_.pick(view_.v(), w_dot);
    view_.forget();
    return result;
  }

  // One formulation object serves one run: the view is its workspace.
  mutable Chart chart_;
  mutable sdk::StateSpace view_;
};

}  // namespace trammel

TRAMMEL_PLUGIN("coordinate_partitioning", "1.0.0", "BSD-3-Clause",
               component<CoordinatePartitioning>(
                   Host::any, "coordinate_partitioning",
                   "Independent coordinates under error control; dependent ones solved from the constraints after each step.",
                   "Haug, Computer Aided Kinematics and Dynamics, 7.3.2; Wehage and Haug, J. Mech. Des. 104 (1982) 247-255"));
