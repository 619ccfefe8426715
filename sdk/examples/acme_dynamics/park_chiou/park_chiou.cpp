// Plugin `acme.park_chiou`: multipliers by the penalty law of the violation that is about to be, in the manner of Park
// and Chiou's staggered stabilization.
//
// Penalty law, taken at the end of an interval delta that positions cross with the velocities at its end:
//   epsilon lambda = Phi(t + delta, q + delta v^+),   v^+ = v + delta a                                              (1)
// To first order in the residual, Phi' = Phi_q v - nu and Phi'' = Phi_q a - gamma,
//   epsilon lambda = Phi + delta Phi' + delta^2 Phi''                                                                (2)
// and with M a + Phi_q^T lambda = Q
//   (epsilon I + delta^2 Phi_q M^-1 Phi_q^T) lambda = Phi + delta Phi' + delta^2 (Phi_q M^-1 Q - gamma)              (3)
// which for epsilon -> 0 is Phi'' + Phi' / delta + Phi / delta^2 = 0. For epsilon > 0 (3) is regular even where rows
// depend on each other; the way it is solved here is not, since it needs S^-1.
// M has no inverse in Euler parameters, but the index-1 system has: with S = Phi_q M^-1 Phi_q^T, kappa = epsilon /
// delta^2, lambda_0 the multipliers for epsilon = 0, and S^-1 x = -lambda of
//   [M      Phi_q^T] [a     ]   [0]
//   [Phi_q  0      ] [lambda] = [x]                                                                                 (4)
// (3) is (I + kappa S^-1) lambda = lambda_0, symmetric and positive: conjugate gradients need a few of these solves.
// K. C. Park, J. C. Chiou, J. Guidance, Control, and Dynamics 11 (1988) 365-370. See README.md for what is theirs.
#include <trammel/extensions/formulation_extensions.h>
#include <trammel/sdk/offer_extensions.h>
#include <trammel/sdk/plugin.h>
#include <trammel/sdk/state_layout.h>

#include <cmath>

namespace acme::park_chiou {
namespace {

using namespace trammel;

class ParkChiou final : public Formulation, ConstraintFeedback {
 public:
  struct Parameters {
    double epsilon;
    double delta;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, epsilon, "m/N", "Penalty parameter: violation per unit of a multiplier.")
          .at_least(0)
          .otherwise("1e-10"),
      TRAMMEL_FIELD(Parameters, delta, "s",
                    "How far ahead the violation is looked at; half a step in the staggered march.")
          .above(0)
          .otherwise("0.01"));

  explicit ParkChiou(const Parameters& p) : p_(p) {}

  FormulationTraits traits() const override { return {.constraint_limit = 1e-3, .corrects_output = false}; }
  const void* extension(const char* id) const override { return sdk::offer_extensions<ConstraintFeedback>(id, this); }
  /// (2) with epsilon = 0 in Baumgarte's terms; for the kernel's warning about steps too long for the feedback.
  double alpha() const override { return 0.5 / p_.delta; }
  double beta() const override { return 1 / p_.delta; }

  MemorySize memory(const ConstrainedLayout& system) const override {
    return {0, sdk::StateLayout::size<Work>(system)};
  }
  Status start(ConstrainedSystem&, double, ConstVectorView, ConstVectorView, const Memory&) const override {
    return Status::success();
  }

  Status rhs(ConstrainedSystem& system, double t, ConstVectorView y, const Memory& memory,
             VectorView f) const override {
    const Index n = system.coordinates(), nz = system.internal_states();
    const ConstVectorView q = y.segment(0, n), v = y.segment(n, n), z = y.segment(2 * n, nz);
    Status status = system.evaluate(t, q, v, z, evaluate_dynamics | evaluate_jacobian | evaluate_Phi | evaluate_nu);
    if (status) status = system.factorize(ProjectionWeights::mass);
    if (status) status = accelerate(system, v, sdk::StateLayout::place<Work>(memory.scratch, system), f.segment(n, n));
    if (!status) return status;
    f.segment(0, n).map() = v.map();
    if (nz > 0) f.segment(2 * n, nz).map() = system.z_rate().map();
    return status;
  }

 private:
  using Vector = sdk::StateLayout::Map;

  struct Work {
    Work(sdk::StateLayout& at, const ConstrainedLayout& system)
        : Work(at, system.coordinates(), system.constraints()) {}
    Work(sdk::StateLayout& at, Index n, Index m)
        : base(at.vector(m)),
          lambda(at.vector(m)),
          r(at.vector(m)),
          p(at.vector(m)),
          image(at.vector(m)),
          zeros(at.vector(n)) {}
    Vector base;         ///< right-hand side for epsilon = 0
    Vector lambda;       ///< multipliers
    Vector r, p, image;  ///< residual, direction, its image
    VectorView zeros;
  };

  Status accelerate(ConstrainedSystem& system, ConstVectorView v, Work work, VectorView a) const {
    const Index m = system.constraints();
    Vector &base = work.base, &lambda = work.lambda;
    system.apply_jacobian(v, {base.data(), m});
    base = system.gamma().map() - (base - system.nu().map()) / p_.delta - system.Phi().map() / (p_.delta * p_.delta);
    Status status = system.solve(system.Q(), {base.data(), m}, a, {lambda.data(), m});
    if (!status || p_.epsilon == 0 || m == 0) return status;
    const double kappa = p_.epsilon / (p_.delta * p_.delta);
    status = conjugate_gradients(system, kappa, work, a);
    base += kappa * lambda;
    return status ? system.solve(system.Q(), {base.data(), m}, a, {}) : status;
  }

  /// (I + kappa S^-1) lambda = lambda_0, which `lambda` is at first (Golub, Van Loan, Matrix Computations (2013),
  /// 11.3). `unused` takes the accelerations of (4).
  static Status conjugate_gradients(ConstrainedSystem& system, double kappa, Work& work, VectorView unused) {
    Vector &lambda = work.lambda, &r = work.r, &p = work.p, &image = work.image;
    const Index m = static_cast<Index>(lambda.size());
    const VectorView zeros = work.zeros;
    zeros.map().setZero();
    const double scale = lambda.norm();
    // The residual of lambda_0 itself is -kappa S^-1 lambda_0.
    Status status = system.solve(zeros, {lambda.data(), m}, unused, {r.data(), m});
    r *= kappa;
    p = r;
    double square = r.squaredNorm();
    for (Index iteration = 0; status.ok() && std::sqrt(square) > 1e-14 * scale; ++iteration) {
      if (iteration == 3 * m + 10) {
        if (std::sqrt(square) <= 1e-9 * scale) return status;
        return Status::failure(StatusCode::not_converged, "the penalty law", -1, std::sqrt(square));
      }
      status = system.solve(zeros, {p.data(), m}, unused, {image.data(), m});
      image = p - kappa * image;
      const double step = square / p.dot(image), before = square;
      lambda += step * p;
      r -= step * image;
      square = r.squaredNorm();
      p = r + (square / before) * p;
    }
    return status;
  }

  Parameters p_;
};

}  // namespace
}  // namespace acme::park_chiou

TRAMMEL_PLUGIN("acme.park_chiou", "1.0.0", "BSD-3-Clause",
               component<acme::park_chiou::ParkChiou>(
                   Host::any, "acme.park_chiou", "Multipliers by a penalty law of the violation a little ahead.",
                   "Park, Chiou, J. Guidance, Control, and Dynamics 11 (1988) 365-370"));
