// Plugin `acme.maggi`: Maggi's equations in quasi-velocities on the null space of the constraints, by singular values.
//
// At a chart point q_0 with r = rank Phi_q(q_0) and f = n - r (Mani, Haug, Atkinson 1985; Singh, Likins 1985):
//   Phi_q(q_0) = U_1 S_1 V_1^T,   [V_1 V_2] orthogonal, V_2 (n x f) spans the tangent space                         (1)
// The state is y = (q, u, z) with the quasi-velocities u = V_2^T v. At q, with A = U_1^T Phi_q (r x n), D = A V_1:
//   R = V_2 - V_1 D^-1 A V_2          A R = 0, V_2^T R = I: a basis of the null space of Phi_q                       (2)
//   v = R u + V_1 D^-1 U_1^T nu       satisfies Phi_q v = nu whatever u is                                           (3)
//   c = V_1 D^-1 U_1^T gamma          a = R u' + c satisfies Phi_q a = gamma                                         (4)
//   R^T M R u' = R^T (Q - M c)        Maggi's equations: no multipliers                                              (5)
// So velocities never violate the constraints; positions drift with the integration error and are projected after the
// step. |D^-1 A V_2|_F is the tangent of the angle between the tangent spaces at q and at q_0; when it exceeds `tilt` a
// restart is asked for, at which a new chart is taken.
#include <trammel/extensions/formulation_extensions.h>
#include <trammel/extensions/system_extensions.h>
#include <trammel/sdk/offer_extensions.h>
#include <trammel/sdk/plugin.h>

#include <Eigen/Cholesky>

#include "chart.h"

namespace acme::maggi {
namespace {

using namespace trammel;

class Maggi final : public Formulation, FormulationCounters, ChartChange {
 public:
  struct Parameters {
    double tilt;
    double tolerance;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, tilt, "1",
                    "Tangent of the angle by which the tangent space may turn before a new chart is taken.")
          .above(0)
          .otherwise("0.5"),
      TRAMMEL_FIELD(Parameters, tolerance, "1",
                    "Projection ends when no coordinate changes by more than this (m, rad, 1).")
          .above(0)
          .otherwise("1e-10"));

  explicit Maggi(const Parameters& p) : p_(p) {}

  FormulationTraits traits() const override { return {.constraint_limit = 1e-6, .corrects_output = true}; }
  const void* extension(const char* id) const override {
    return sdk::offer_extensions<FormulationCounters, ChartChange>(id, this, this);
  }
  MemorySize memory(const ConstrainedLayout& system) const override {
    const Size k(system, freedoms(system));
    return MemoryLayout::size<Memories>(k);
  }
  Index ode_size(const ConstrainedLayout& system) const override {
    return system.coordinates() + freedoms(system) + system.internal_states();
  }

  Status start(ConstrainedSystem& system, double t, ConstVectorView q, ConstVectorView v,
               const Memory& memory) const override {
    const Index f = freedoms(system);
    const auto counts = StateLayout::place<Counts>(memory.state);
    if (counts.charts != 0 && counts.freedoms != static_cast<double>(f)) {
      return Status::failure(StatusCode::singular, "number of degrees of freedom, which changed,");
    }
    const Status status = system.evaluate(t, q, v, {}, evaluate_jacobian);
    if (!status) return status;
    counts.charts += 1;
    counts.freedoms = f;
    return chart_in(memory, Size(system, f)).begin(system);
  }
  void embed(ConstVectorView q, ConstVectorView v, ConstVectorView z, const Memory& memory,
             VectorView y) const override {
    const Index n = q.size, f = y.size - n - z.size;
    const Matrix V_2 = StateLayout::place<TangentSpace>(memory.state, n, f).V_2;
    y.segment(0, n).map() = q.map();
    y.segment(n, f).map().noalias() = V_2.transpose() * v.map();
    if (z.size > 0) y.segment(n + f, z.size).map() = z.map();
  }
  Status lift(ConstrainedSystem& system, double t, ConstVectorView y, const Memory& memory, VectorView q, VectorView v,
              VectorView z) const override {
    const Size k = size_of(system, y);
    Chart chart = chart_in(memory, k);
    Vector lifted(v.data, k.n);
    const Status status = velocity(system, k, chart, t, y, lifted);
    q.map() = y.segment(0, k.n).map();
    if (k.nz > 0) z.map() = y.segment(k.n + k.f, k.nz).map();
    return status;
  }

  Status rhs(ConstrainedSystem& system, double t, ConstVectorView y, const Memory& memory,
             VectorView out) const override {
    const Size k = size_of(system, y);
    auto [chart, MR, mass, c, rest] = MemoryLayout::place<Memories>(memory, k);
    Vector v(out.data, k.n), u_dot(out.data + k.n, k.f);
    Status status = velocity(system, k, chart, t, y, v);  // q' = v
    if (!status) return status;
    const ConstVectorView q = y.segment(0, k.n), z = y.segment(k.n + k.f, k.nz);
    status = system.evaluate(t, q, {v.data(), k.n}, z, evaluate_gamma | evaluate_force);
    if (!status) return status;
    if (k.nz > 0) out.segment(k.n + k.f, k.nz).map() = system.z_rate().map();
    if (k.f == 0) return status;
    chart.particular(system.gamma(), c);  // (4)
    system.apply_mass({c.data(), k.n}, {rest.data(), k.n});
    rest = system.Q().map() - rest;
    for (Index j = 0; j < k.f; ++j) system.apply_mass({chart.R.col(j).data(), k.n}, {MR.col(j).data(), k.n});
    mass.noalias() = chart.R.transpose() * MR;
    u_dot.noalias() = chart.R.transpose() * rest;
    Eigen::Ref<Eigen::MatrixXd> in_place(mass);
    const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> factor(in_place);
    if (factor.info() != Eigen::Success)
      return Status::failure(StatusCode::singular, "the mass matrix of the free motion");
    factor.solveInPlace(u_dot);  // (5)
    return status;
  }

  Correction correct(ConstrainedSystem& system, double t, VectorView y, VectorView error,
                     const Memory& memory) const override {
    const Size k = size_of(system, y);
    ProjectionReport report;
    Correction result;
    result.status = system.project_positions(t, y.segment(0, k.n), ProjectionWeights::mass, p_.tolerance, report);
    result.changed = report.correction != 0;
    // Where all motion is driven no error lies in the tangent space; the whole of it then judges the step.
    if (result.status && error.size > 0 && k.f > 0) result.status = system.project_tangent(error.segment(0, k.n));
    if (result.status) result.status = system.evaluate(t, y.segment(0, k.n), {}, {}, evaluate_jacobian);
    if (!result.status) return result;
    Chart chart = chart_in(memory, k);
    result.status = chart.prepare(system);
    result.restart = chart.slopes.norm() > p_.tilt;
    return result;
  }

  /// The same velocity in quasi-velocities of the new chart.
  Status change_chart(ConstrainedSystem& system, double t, VectorView y, const Memory& memory) const override {
    const Size k = size_of(system, y);
    auto memories = MemoryLayout::place<Memories>(memory, k);
    Chart& chart = memories.chart;
    Vector& v = memories.rest;
    Status status = velocity(system, k, chart, t, y, v);
    if (status) status = chart.begin(system);
    if (!status) return status;
    StateLayout::place<Counts>(memory.state).charts += 1;
    y.segment(k.n, k.f).map().noalias() = chart.V_2.transpose() * v;
    return status;
  }

  Index counter_count() const override { return 1; }
  const char* counter_name(Index) const override { return "charts"; }
  double counter(Index, const Memory& memory) const override { return StateLayout::place<Counts>(memory.state).charts; }

 private:
  /// The chart and what `rhs` works in.
  struct Memories {
    Memories(MemoryLayout& at, const Size& k)
        : chart(at, k),
          MR(at.scratch.matrix(k.n, k.f)),
          mass(at.scratch.matrix(k.f, k.f)),
          c(at.scratch.vector(k.n)),
          rest(at.scratch.vector(k.n)) {}
    Chart chart;
    Matrix MR, mass;
    Vector c, rest;
  };
  static Chart chart_in(const Memory& memory, const Size& k) { return MemoryLayout::place<Chart>(memory, k); }

  static Index freedoms(const ConstrainedLayout& system) {
    const RowChoice* choice = find_extension<RowChoice>(system);
    return system.coordinates() - system.constraints() + (choice != nullptr ? choice->redundant() : 0);
  }
  /// The chart's: the kernel's choice of rows may change before the next `start` notices.
  static Size size_of(const ConstrainedLayout& system, ConstVectorView y) {
    return {system, y.size - system.coordinates() - system.internal_states()};
  }

  /// (3), with the chart prepared at y.
  static Status velocity(ConstrainedEquations& system, const Size& k, Chart& chart, double t, ConstVectorView y,
                         Vector& v) {
    Status status = system.evaluate(t, y.segment(0, k.n), {}, {}, evaluate_jacobian | evaluate_nu);
    if (status) status = chart.prepare(system);
    if (!status) return status;
    chart.particular(system.nu(), v);
    v.noalias() += chart.R * y.segment(k.n, k.f).map();
    return status;
  }

  Parameters p_;
};

}  // namespace
}  // namespace acme::maggi

TRAMMEL_PLUGIN("acme.maggi", "1.0.0", "BSD-3-Clause",
               component<acme::maggi::Maggi>(
                   Host::any, "acme.maggi",
                   "Maggi's equations in quasi-velocities on the null space of the constraints, from singular values.",
                   "Mani, Haug, Atkinson, J. Mechanisms, Transmissions, Automation in Design 107 (1985) 82-87"));
