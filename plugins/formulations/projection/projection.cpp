// Plugin `projection`: the index-1 system, states moved back onto the constraints after the step.
//
//   min |q - q~|_W  subject to Phi(t, q) = 0                       Newton's method with [W Phi_q^T; Phi_q 0]      (1)
//   min |v - v~|_W  subject to Phi_q(q) v = nu(t)                  one linear solve                               (2)
//   e_q, e_v  ->  their parts in the tangent space of the constraints                                             (3)
//
// W = M or I. (3) because an error that (1) and (2) remove is no reason for small steps: without it the normal part of
// the estimate rules the step size. E. Eich, SIAM J. Numer. Anal. 30 (1993) 1467-1482.
// Where all motion is driven there is no such part, and steps without bound would end on another branch of the
// positions: there a hundredth of the whole estimate counts. Adaptive steps that (1) has to move far are repeated for
// the same reason.
#include <algorithm>

#include "trammel/extensions/system_extensions.h"
#include "trammel/sdk/formulations/coordinate_sizes.h"
#include "trammel/sdk/formulations/index1_formulation.h"
#include "trammel/sdk/formulations/velocity_level.h"
#include "trammel/sdk/plugin.h"

namespace trammel {

class Projection final : public sdk::Index1Formulation {
 public:
  enum class Levels : std::int32_t { position_velocity, position };

  struct Parameters {
    ProjectionWeights weights;
    Levels levels;
    std::int64_t every;
    double tolerance;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, weights, "1",
                    "Norm in which corrections are smallest: of the mass matrix or Euclidean.")
          .choices("mass|identity")
          .otherwise("\"mass\""),
      TRAMMEL_FIELD(Parameters, levels, "1", "What is projected.")
          .choices("position_velocity|position")
          .otherwise("\"position_velocity\""),
      TRAMMEL_FIELD(Parameters, every, "1", "Project after every so many accepted steps.").at_least(1).otherwise("1"),
      TRAMMEL_FIELD(Parameters, tolerance, "1",
                    "Newton's method ends when no coordinate changes by more than this (m, rad, 1).")
          .above(0)
          .otherwise("1e-10"));

  explicit Projection(const Parameters& p) : p_(p) {}

  FormulationTraits traits() const override {
    const bool always = p_.every == 1;
    return {.constraint_limit = always ? 1e-6 : 1e-3, .corrects_output = always};
  }

  MemorySize memory(const ConstrainedLayout& system) const override {
    return {sdk::StateLayout::size<Kept>(), Index1Formulation::memory(system).scratch};
  }

  Status start(ConstrainedSystem&, double, ConstVectorView, ConstVectorView, const Memory& memory) const override {
    kept_in(memory).steps = 0;
    return Status::success();
  }

  Correction correct(ConstrainedSystem& system, double t, VectorView y, VectorView error,
                     const Memory& memory) const override {
    Correction result;
    if (kept_in(memory).steps + 1 < static_cast<double>(p_.every)) return result;
    const Index n = system.coordinates();
    const VectorView q = y.segment(0, n), v = y.segment(n, n);
    const bool velocities = p_.levels == Levels::position_velocity;

    ProjectionReport report;
    result.status = system.project_positions(t, q, p_.weights, p_.tolerance, report);  // (1)
    result.changed = report.correction != 0;
    const double moved = report.correction;
    if (result.status && velocities) {
      result.status = system.project_velocities(t, q, v, p_.weights, report);  // (2)
      result.changed = result.changed || report.correction != 0;
    }
    if (!result.status || error.size == 0) return result;
    if (moved > largest_correction * std::max(1.0, sdk::largest_change(system, q))) {
      result.status =
          Status::failure(StatusCode::not_converged, "position correction larger than the step is good for");
      return result;
    }
    const RowChoice* choice = find_extension<RowChoice>(system);
    if (n <= system.constraints() - (choice != nullptr ? choice->redundant() : 0)) {
      error.segment(0, 2 * n).map() *= share_of_driven;
      return result;
    }
    result.status =
        sdk::keep_to_tangent(system, error.segment(0, n), velocities ? error.segment(n, n) : VectorView{});  // (3)
    return result;
  }

  void accepted(const Memory& memory) const override {
    double& steps = kept_in(memory).steps;
    steps = steps + 1 < static_cast<double>(p_.every) ? steps + 1 : 0;
  }

 protected:
  bool exact_feedback(const Memory&, sdk::LinearFeedback&) const override { return true; }

 private:
  static constexpr double share_of_driven = 0.01;
  static constexpr double largest_correction = 0.1;  // of the model's unit or 1 rad, or of the largest coordinate

  struct Kept {
    explicit Kept(sdk::StateLayout& at) : steps(at.number()) {}
    double& steps;  ///< accepted since the last projection
  };
  static Kept kept_in(const Memory& memory) { return sdk::StateLayout::place<Kept>(memory.state); }

  Parameters p_;
};

}  // namespace trammel

TRAMMEL_PLUGIN("projection", "1.0.0", "BSD-3-Clause",
               component<Projection>(Host::any, "projection",
                                     "Index-1 system; states and error estimate are projected onto the constraints.",
                                     "Eich, SIAM J. Numer. Anal. 30 (1993) 1467-1482"));
