// Plugin `acme.joints`: equations of motion in joint coordinates, along the spanning tree of the mechanism.
//
// The tree's joints and the rows that bodies carry by themselves are Phi_T(q) = 0, their coordinates theta = x(q). Body
// by body, parents first (walk.h, (1)), with r as follows, all of it exact:
//   q:   Newton on Phi_T(q) = 0, x(q) = theta from the last accepted q; r = (-Phi_T, theta - x)                    (2)
//   v:   r = (0, theta'),             v = B theta'                                                                 (3)
//   c:   r = (gamma_T, gamma_x),      a = B theta'' + c                                                            (4)
//   B:   r = (0, unit vectors)                                                                                     (5)
// B spans what the tree's joints allow, Phi_T,q B = 0, and so takes their reactions away. The rows of the cuts, Phi_C,
// stay: those that close loops, drivers, all else that is no joint of the tree:
//   [B^T M B    (Phi_C B)^T] [theta''  ]   [B^T (Q - M c)       ]
//   [Phi_C B    0          ] [lambda_C ] = [gamma_C - Phi_C,q c ]                                                  (6)
// After a step theta and theta' go back onto Phi_C = 0 and Phi_C,q v = nu_C with the least change in the norm of
// B^T M B, and the error estimate into their tangent space; nothing is fed back by constants.
// J. Wittenburg, Dynamics of Systems of Rigid Bodies (1977), 5.3 and 5.7 (cut joints); E. J. Haug, Computer Aided
// Kinematics and Dynamics of Mechanical Systems (1989), 11.3; projection: Lubich, Z. Angew. Math. Phys. 42 (1991).
#include <trammel/extensions/formulation_extensions.h>
#include <trammel/sdk/offer_extensions.h>
#include <trammel/sdk/plugin.h>
#include <trammel/sdk/refuse.h>

#include <memory>
#include <string>

#include "walk.h"

namespace acme::joints {
namespace {

using namespace trammel;

class Joints final : public Formulation, EmbedsBySystem, FormulationFit, FormulationCounters {
 public:
  struct Parameters {
    double tolerance;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, tolerance, "1",
                    "Loops are closed when no joint coordinate would change by more than this (m, rad).")
          .above(0)
          .otherwise("1e-10"));

  explicit Joints(const Parameters& p) : p_(p) {}

  FormulationTraits traits() const override { return {.constraint_limit = 1e-6, .corrects_output = true}; }
  const void* extension(const char* id) const override {
    return sdk::offer_extensions<EmbedsBySystem, FormulationFit, FormulationCounters>(id, this, this, this);
  }
  MemorySize memory(const ConstrainedLayout& system) const override {
    tree_ = std::make_unique<const Tree>(system);
    return Layout::size<Walk>(*tree_);
  }
  Index ode_size(const ConstrainedLayout& system) const override {
    return 2 * tree(system).thetas + system.internal_states();
  }

  bool fits(ConstrainedSystem& system, double t, ConstVectorView q, ConstVectorView v, const Memory& memory,
            Refusal& refusal) const override {
    const Tree& of = tree(system);
    auto walk = Layout::place<Walk>(memory, of);
    const Status status = look(system, walk, t, q, v);
    if (status || status.code != StatusCode::singular) return true;  // `start` fails, if it does
    for (Index i = 0; i < of.constraints->constraint_count(); ++i) {
      const ConstraintPlace place = of.constraints->constraint(i);
      if (place.first_row != status.subject) continue;
      return sdk::refuse(refusal, "",
                         "the coordinates of joint '" + std::string(place.name) +
                             "' do not determine the motion of its bodies at this position; start from another one");
    }
    return true;
  }

  Status start(ConstrainedSystem& system, double t, ConstVectorView q, ConstVectorView v,
               const Memory& memory) const override {
    const Tree& of = tree(system);
    auto walk = Layout::place<Walk>(memory, of);
    Status status = look(system, walk, t, q, v);
    if (!status) return status;
    walk.state_q = walk.q;
    walk.state_theta = walk.now;
    walk.begun = 1;
    walk.reduce(system);
    return walk.choose(closing_rows(of));
  }

  Status embed_by_system(ConstrainedSystem& system, double t, ConstVectorView q, ConstVectorView v, ConstVectorView z,
                         const Memory& memory, VectorView y) const override {
    const Tree& of = tree(system);
    auto walk = Layout::place<Walk>(memory, of);
    const Status status = look(system, walk, t, q, v);
    if (!status) return status;
    y.segment(0, of.thetas).map() = walk.now;
    walk.rates(v, y.segment(of.thetas, of.thetas));
    if (z.size > 0) y.segment(2 * of.thetas, z.size).map() = z.map();
    return status;
  }

  Status lift(ConstrainedSystem& system, double t, ConstVectorView y, const Memory& memory, VectorView q, VectorView v,
              VectorView z) const override {
    const Tree& of = tree(system);
    auto walk = Layout::place<Walk>(memory, of);
    const Status status = walk.place(system, t, y.segment(0, of.thetas), 0);
    if (!status) return status;
    walk.move(y.segment(of.thetas, of.thetas));
    q.map() = walk.q;
    v.map() = walk.v;
    if (z.size > 0) z.map() = y.segment(2 * of.thetas, z.size).map();
    return status;
  }

  Status rhs(ConstrainedSystem& system, double t, ConstVectorView y, const Memory& memory,
             VectorView f) const override {
    const Tree& of = tree(system);
    const Index d = of.thetas, n = of.n;
    auto walk = Layout::place<Walk>(memory, of);
    Status status = walk.place(system, t, y.segment(0, d), 0);
    if (!status) return status;
    walk.move(y.segment(d, d));
    status = system.evaluate(t, view(walk.q), view(walk.v), y.segment(2 * d, of.nz), evaluate_dynamics);
    if (!status) return status;
    walk.accelerate(system, t);
    walk.reduce(system);
    status = walk.factorize();
    if (!status) return status;
    system.apply_jacobian(view(walk.c), {walk.rows.data(), of.m});
    walk.rows = system.gamma().map() - walk.rows;
    walk.at_cuts(view(walk.rows), walk.cut);
    system.apply_mass(view(walk.c), {walk.v.data(), n});
    walk.v = system.Q().map() - walk.v;
    const VectorView out = f.segment(d, d);
    out.map().noalias() = walk.B.transpose() * walk.v;
    walk.solve(out, walk.cut);  // (6)
    f.segment(0, d).map() = y.segment(d, d).map();
    if (of.nz > 0) f.segment(2 * d, of.nz).map() = system.z_rate().map();
    return status;
  }

  Correction correct(ConstrainedSystem& system, double t, VectorView y, VectorView error,
                     const Memory& memory) const override {
    const Tree& of = tree(system);
    const Index d = of.thetas;
    auto walk = Layout::place<Walk>(memory, of);
    Correction result;
    const VectorView theta = y.segment(0, d);
    if (of.cuts.empty()) {
      result.status = walk.place(system, t, theta, 0);
    } else {
      result = close(system, of, walk, t, y);
      if (result.status && error.size > 0 && d > closing_rows(of)) {
        for (const Index first : {0, d}) {  // of positions and of velocities
          const VectorView part = error.segment(first, d);
          walk.top.noalias() = walk.hat_M * part.map();
          walk.cut.setZero();
          part.map() = walk.top;
          walk.solve(part, walk.cut);
        }
      }
    }
    if (!result.status) return result;
    walk.state_q = walk.q;
    walk.state_theta = theta.map();
    return result;
  }

  Index counter_count() const override { return 2; }
  const char* counter_name(Index i) const override { return i == 0 ? "joint_coordinates" : "cut_rows"; }
  double counter(Index i, const Memory&) const override {
    if (tree_ == nullptr) return 0;
    return i == 0 ? tree_->thetas : static_cast<double>(tree_->cuts.size());
  }

 private:
  static ConstVectorView view(const Vector& x) { return {x.data(), static_cast<Index>(x.size())}; }

  /// The tree follows from the system's structure alone; it is no state.
  const Tree& tree(const ConstrainedLayout& system) const {
    if (tree_ == nullptr || tree_->system != &system) tree_ = std::make_unique<const Tree>(system);
    return *tree_;
  }
  /// How many rows of the cuts are independent: what the kernel's count of freedoms leaves.
  static Index closing_rows(const Tree& of) {
    return of.thetas - (of.n - of.m + (of.choice != nullptr ? of.choice->redundant() : 0));
  }
  /// Evaluates at (q, v) and prepares there, with angles near those of the state.
  static Status look(ConstrainedEquations& system, Walk& walk, double t, ConstVectorView q, ConstVectorView v) {
    walk.q = q.map();
    const Status status = system.evaluate(t, q, v, {}, evaluate_jacobian);
    if (!status) return status;
    if (walk.begun == 0) walk.begin_angles();
    return walk.prepare(t, view(walk.state_theta));
  }

  /// y onto the cuts' rows of both levels.
  Correction close(ConstrainedSystem& system, const Tree& of, Walk& walk, double t, VectorView y) const {
    constexpr int most_iterations = 15;
    const Index d = of.thetas;
    const VectorView theta = y.segment(0, d), rates = y.segment(d, d);
    Correction result;
    for (int iteration = 0;; ++iteration) {
      result.status = walk.place(system, t, theta, evaluate_Phi | evaluate_nu);
      if (result.status) walk.reduce(system);
      if (result.status && iteration == 0) result.status = walk.choose(closing_rows(of));
      if (result.status) result.status = walk.factorize();
      if (!result.status) return result;
      walk.at_cuts(system.Phi(), walk.cut);
      walk.cut *= -1;
      walk.top.setZero();
      walk.solve({walk.top.data(), d}, walk.cut);
      const double step = walk.top.lpNorm<Eigen::Infinity>();
      if (!walk.top.allFinite()) {
        result.status = Status::failure(StatusCode::not_finite, "the closing of the loops");
        return result;
      }
      if (step <= p_.tolerance) break;
      if (iteration == most_iterations) {
        result.status = Status::failure(StatusCode::not_converged, "the closing of the loops", -1, step);
        return result;
      }
      theta.map() += walk.top;
      result.changed = true;
    }
    walk.at_cuts(system.nu(), walk.cut);
    walk.cut.noalias() -= walk.hat_Phi * rates.map();
    walk.top.setZero();
    walk.solve({walk.top.data(), d}, walk.cut);
    if (!walk.top.allFinite()) {
      result.status = Status::failure(StatusCode::not_finite, "the rates of the closed loops");
      return result;
    }
    rates.map() += walk.top;
    result.changed = result.changed || walk.top.lpNorm<Eigen::Infinity>() > 0;
    return result;
  }

  Parameters p_;
  mutable std::unique_ptr<const Tree> tree_;
};

}  // namespace
}  // namespace acme::joints

TRAMMEL_PLUGIN("acme.joints", "1.0.0", "BSD-3-Clause",
               component<acme::joints::Joints>(
                   Host::any, "acme.joints",
                   "Equations of motion in joint coordinates along the spanning tree; loops are cut and closed again.",
                   "Wittenburg, Dynamics of Systems of Rigid Bodies (1977); Haug (1989), 11.3"));
