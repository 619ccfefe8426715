// Plugin `recursive`: relative joint coordinates of the mechanism's spanning tree as the state.
//
// The tree's joints place each body from its parent (spatial.h, planar.h), so that their rows hold by themselves:
//   theta, theta'  ->  q, v                                   outwards along the tree                            (1)
//   [M Phi_q^T; Phi_q 0] (a, lambda) = (Q, gamma)             accelerations of all coordinates, by the kernel    (2)
//   theta'' = B^+ (a - c)                                     joint by joint                                     (3)
// What the tree leaves out (cuts: joints that close loops, drivers, elements that are no JointPlacement) are rows of (2) like
// all others; after a step theta and theta' go back onto them by the correction that is smallest in the kinetic metric:
//   min |q - q~|_M  subject to Phi(t, q) = 0,   min |v - v~|_M  subject to Phi_q v = nu                           (4)
// and the error estimate into their tangent space. An open tree has no cuts and nothing to correct.
// D. S. Bae, E. J. Haug, Mech. Struct. Mach. 15 (1987) 359-382 and 481-506; (4): E. Eich, SIAM J. Numer. Anal. 30 (1993).
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>

#include "first_order_jacobian.h"
#include "second_order.h"
#include "trammel/extensions/carries_velocity_rows.h"
#include "trammel/extensions/formulation_extensions.h"
#include "trammel/sdk/formulations/coordinate_sizes.h"
#include "trammel/sdk/formulations/index1_formulation.h"
#include "trammel/sdk/offer_extensions.h"
#include "trammel/sdk/plugin.h"
#include "trammel/sdk/refuse.h"

namespace trammel::recursive {
namespace {

class Recursive final : public Formulation, EmbedsBySystem, ChartChange, FormulationFit, FormulationCounters {
 public:
  struct Parameters {
    double tolerance;
  };
  static constexpr auto parameters =
      sdk::table<Parameters>(TRAMMEL_FIELD(Parameters, tolerance, "1",
                                           "Loops are closed when no coordinate changes by more than this (m, rad, 1).")
                                 .above(0)
                                 .otherwise("1e-10"));

  explicit Recursive(const Parameters& p) : p_(p), reduced_(p.tolerance) {}

  FormulationTraits traits() const override { return {.constraint_limit = 1e-6, .corrects_output = true}; }
  const void* extension(const char* id) const override {
    const void* found = sdk::offer_extensions<EmbedsBySystem, ChartChange, FormulationFit, FormulationCounters>(
        id, this, this, this, this);
    if (found != nullptr) return found;
    return sdk::offer_extensions<SecondOrderFormulation, CarriesVelocityRows>(id, &reduced_,
                                                                              &sdk::carried_in_first_order);
  }

  MemorySize memory(const ConstrainedLayout& system) const override {
    space_ = std::make_unique<JointSpace>(system);
    reduced_.use(*space_);
    const MemorySize first = Layout::size<First>(space_->tree), second = reduced_.memory(space_->tree);
    return {std::max(first.state, second.state), std::max(first.scratch, second.scratch), 0};
  }
  Index ode_size(const ConstrainedLayout& system) const override {
    return 2 * space(system).tree.thetas + system.internal_states();
  }

  bool fits(ConstrainedSystem& system, double t, ConstVectorView q, ConstVectorView v, const Memory& memory,
            Refusal& refusal) const override {
    const JointSpace& in = space(system);
    if (reduced_.too_large()) {
      return sdk::refuse(
          refusal, "",
          "has too many loops for its second-order view, which is dense in them (" +
              std::to_string(in.tree.cuts.size()) + " rows of cuts, " + std::to_string(in.tree.thetas) +
              " joint coordinates); take 'coordinate_partitioning', or an integrator of first-order systems");
    }
    const First at = Layout::place<First>(memory, in.tree);
    const Work& work = at.room.work;
    space_->tree.face(q);
    begin(in, at.kept, q);
    in.measure(q, v, at.kept, work, work.theta, work.theta1);
    in.lift(work.theta, work.theta1, at.kept, work);
    for (const Link& link : in.tree.links) {
      for (Index i = link.first; i < link.first + link.count; ++i) {
        if (std::abs(work.q[i] - q[i]) <= largest_misplacement * (1 + std::abs(q[i]))) continue;
        if (link.constraint < 0) continue;
        const char* name = in.tree.constraints->constraint(link.constraint).name;
        return sdk::refuse(refusal, "",
                           "joint '" + std::string(name) +
                               "' does not hold its bodies where they start; begin from a consistent position");
      }
    }
    // The coordinates of bodies far away say little about a small joint; its rows do.
    double size = 0;
    for (Index i = 0; i < q.size; ++i) size = std::max(size, std::abs(q[i]));
    const double before = largest_row(system, t, q), after = largest_row(system, t, work.q);
    if (after <= 10 * before + rounding_of_rows * (1 + size)) return true;
    return sdk::refuse(refusal, "",
                       "places bodies by their joints where constraints are violated by " + std::to_string(after) +
                           "; begin from a consistent position");
  }

  Status start(ConstrainedSystem& system, double, ConstVectorView q, ConstVectorView,
               const Memory& memory) const override {
    const JointSpace& in = space(system);
    const First at = Layout::place<First>(memory, in.tree);
    begin(in, at.kept, q);
    reduced_.start(at.kept, memory);
    return Status::success();
  }

  Status embed_by_system(ConstrainedSystem& system, double, ConstVectorView q, ConstVectorView v, ConstVectorView z,
                         const Memory& memory, VectorView y) const override {
    const JointSpace& in = space(system);
    const Index d = in.tree.thetas;
    const First at = Layout::place<First>(memory, in.tree);
    in.measure(q, v, at.kept, at.room.work, y.segment(0, d), y.segment(d, d));
    if (z.size > 0) y.segment(2 * d, z.size).map() = z.map();
    return Status::success();
  }

  Status lift(ConstrainedSystem& system, double, ConstVectorView y, const Memory& memory, VectorView q, VectorView v,
              VectorView z) const override {
    const JointSpace& in = space(system);
    const Index d = in.tree.thetas;
    const First at = Layout::place<First>(memory, in.tree);
    const Work& work = at.room.work;
    in.lift(y.segment(0, d), y.segment(d, d), at.kept, work);
    q.map() = work.q.map(), v.map() = work.v.map();
    if (z.size > 0) z.map() = y.segment(2 * d, z.size).map();
    return Status::success();
  }

  Status rhs(ConstrainedSystem& system, double t, ConstVectorView y, const Memory& memory,
             VectorView f) const override {
    const JointSpace& in = space(system);
    const Index d = in.tree.thetas, nz = in.tree.nz;
    const First at = Layout::place<First>(memory, in.tree);
    const ConstVectorView theta = y.segment(0, d), theta1 = y.segment(d, d);
    in.lift(theta, theta1, at.kept, at.room.work);
    const Status status =
        in.accelerate(system, t, theta, theta1, y.segment(2 * d, nz), at.room.work, {}, f.segment(d, d));
    if (!status) return status;
    f.segment(0, d).map() = theta1.map();
    if (nz > 0) f.segment(2 * d, nz).map() = system.z_rate().map();
    return status;
  }

  Status jacobian(ConstrainedSystem& system, double t, ConstVectorView y, const Memory& memory,
                  MatrixView f_y) const override {
    const JointSpace& in = space(system);
    const First at = Layout::place<First>(memory, in.tree);
    return FirstOrderJacobian(in, at.room).compute(system, t, y, at.kept, f_y);
  }

  Correction correct(ConstrainedSystem& system, double t, VectorView y, VectorView error,
                     const Memory& memory) const override {
    const JointSpace& in = space(system);
    const First at = Layout::place<First>(memory, in.tree);
    Correction result;
    if (!in.tree.cuts.empty()) result = close(system, in, at, t, y, error);
    if (!result.status) return result;
    at.kept.theta.map() = y.segment(0, in.tree.thetas).map();
    in.motion->balls([&](Index first, Index) {
      const double length = norm(sdk::vec4(y.data + first));
      result.restart = result.restart || !(std::abs(length - 1) < largest_stretch);
    });
    return result;
  }

  Status change_chart(ConstrainedSystem& system, double, VectorView y, const Memory& memory) const override {
    const JointSpace& in = space(system);
    const Index d = in.tree.thetas;
    const First at = Layout::place<First>(memory, in.tree);
    in.motion->balls([&](Index first, Index) {
      const Vec4<> x = sdk::vec4(y.data + first), x1 = sdk::vec4(y.data + d + first);
      const double length = norm(x);
      store((1 / length) * (x1 - (dot(x, x1) / dot(x, x)) * x), y.data + d + first);
      store((1 / length) * x, y.data + first);
    });
    at.kept.theta.map() = y.segment(0, d).map();
    return Status::success();
  }

  Index counter_count() const override { return 3; }
  const char* counter_name(Index i) const override {
    return i == 0 ? "joint_coordinates" : i == 1 ? "cut_rows" : "partitions";
  }
  double counter(Index i, const Memory& memory) const override {
    if (space_ == nullptr) return 0;
    if (i == 2) return reduced_.partitions(memory);
    return i == 0 ? space_->tree.thetas : static_cast<double>(space_->tree.cuts.size());
  }

 private:
  static constexpr double rounding_of_rows = 1e-9;
  static constexpr double largest_misplacement = 1e-4;  // of 1 or of the coordinate; assembly leaves less
  static constexpr double largest_stretch = 0.1;        // of the length 1 of a ball's four numbers
  static constexpr double share_of_driven = 0.01;       // where all motion is driven, as `projection`
  static constexpr double largest_correction = 0.1;     // of the model's unit or 1 rad, or of the largest coordinate

  struct First {
    First(Layout& at, const Tree& tree) : kept(at, tree), room(at, tree) {}
    Kept kept;
    FirstOrderJacobian::Room room;
  };

  /// The tree follows from the system's structure alone; it is no state.
  const JointSpace& space(const ConstrainedLayout& system) const {
    if (space_ == nullptr || space_->tree.system != &system) {
      space_ = std::make_unique<JointSpace>(system);
      reduced_.use(*space_);
    }
    return *space_;
  }
  static double largest_row(ConstrainedSystem& system, double t, ConstVectorView q) {
    if (!system.evaluate(t, q, {}, {}, evaluate_Phi)) return 0;
    double largest = 0;
    for (Index r = 0; r < system.Phi().size; ++r) largest = std::max(largest, std::abs(system.Phi()[r]));
    return largest;
  }
  /// Angles go on from those kept, or start within half a turn of 0, those of screws where their displacements say.
  static void begin(const JointSpace& in, const Kept& kept, ConstVectorView q) {
    if (kept.begun == 0) kept.theta.map().setConstant(std::numeric_limits<double>::quiet_NaN());
    kept.begun = 1;
    in.motion->measure(q.data, kept.theta.data, kept.theta.data, kept.signs.data);
  }

  /// (4), as `projection` does it.
  Correction close(ConstrainedSystem& system, const JointSpace& in, const First& at, double t, VectorView y,
                   VectorView error) const {
    const Index d = in.tree.thetas;
    const Work& work = at.room.work;
    const VectorView theta = y.segment(0, d), theta1 = y.segment(d, d);
    Correction result;
    ProjectionReport report;
    in.lift(theta, theta1, at.kept, work);
    result.status = system.project_positions(t, work.q, ProjectionWeights::mass, p_.tolerance, report);
    if (!result.status) return result;
    const double moved = report.correction;
    if (moved != 0) {
      in.motion->measure(work.q.data, theta.data, work.theta.data, at.kept.signs.data);
      // Lengths of balls' numbers stay.
      in.motion->balls([&](Index first, Index) {
        const double length = norm(sdk::vec4(theta.data + first));
        store(length * sdk::vec4(work.theta.data + first), work.theta.data + first);
      });
      theta.map() = work.theta.map();
      in.lift(theta, theta1, at.kept, work);
      result.changed = true;
    }
    work.c.map() = work.v.map();
    result.status = system.project_velocities(t, work.q, work.v, ProjectionWeights::mass, report);
    if (!result.status) return result;
    if (report.correction != 0) {
      work.c.map() = work.v.map() - work.c.map();
      in.motion->relative(work.c.data, work.theta1.data);
      theta1.map() += work.theta1.map();
      result.changed = true;
    }
    if (error.size == 0) return result;
    if (moved > largest_correction * std::max(1.0, sdk::largest_change(system, work.q))) {
      result.status =
          Status::failure(StatusCode::not_converged, "position correction larger than the step is good for");
      return result;
    }
    const RowChoice* choice = find_extension<RowChoice>(system);
    if (in.tree.n <= in.tree.m - (choice != nullptr ? choice->redundant() : 0)) {
      error.segment(0, 2 * d).map() *= share_of_driven;
      return result;
    }
    in.motion->spread(error.data, work.q.data);
    in.motion->spread(error.data + d, work.v.data);
    result.status = sdk::keep_to_tangent(system, work.q, work.v);
    if (!result.status) return result;
    in.motion->relative(work.q.data, error.data);
    in.motion->relative(work.v.data, error.data + d);
    return result;
  }

  Parameters p_;
  mutable std::unique_ptr<JointSpace> space_;
  Reduced reduced_;
};

}  // namespace
}  // namespace trammel::recursive

TRAMMEL_PLUGIN("recursive", "1.0.0", "BSD-3-Clause",
               component<trammel::recursive::Recursive>(
                   Host::any, "recursive",
                   "Relative joint coordinates of the spanning tree; loops are cut and closed again after each step.",
                   "Bae and Haug, Mech. Struct. Mach. 15 (1987) 359-382, 481-506"));
