// Plugin `@TYPE@`: what a run does with a model. EDIT: what it computes.
//
// Here: how far a body gives way under a unit force at its centre, the bodies standing where the run file puts them. With
// K = (Phi_q^T lambda)_q - Q_q of the state at rest, that is u in
//   K u + Phi_q^T mu = F,   Phi_q u = 0                                                                            (1)
#include <trammel/analysis.h>
#include <trammel/extensions/system_extensions.h>
#include <trammel/sdk/plugin.h>

#include <vector>

namespace {

using namespace trammel;

class @CLASS@ final : public Analysis {
 public:
  struct Parameters {  // EDIT: what users give in the run file, beside the keys of all analyses
    BodyRef body;
    double direction[3];
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, body, "1", "Body that the force acts on."),
      TRAMMEL_FIELD(Parameters, direction, "1", "Direction of the force.").direction());

  explicit @CLASS@(const Parameters& p) : p_(p) {}

  // EDIT: over_time with a motion (see the built-in quasi_static), or one state as here.
  AnalysisTraits traits() const override { return {}; }

  bool begin(AnalysisHost& host, Refusal& refusal) override {
    host_ = &host;
    system_ = &host.system();
    layout_ = find_extension<BodyLayout>(*system_);
    if (p_.body.index < 0) return sdk::refuse(refusal, "body", "ground does not give way");
    return true;
  }

  Status search() override {
    ConstrainedSystem& s = *system_;
    const Index n = s.coordinates(), m = s.constraints();
    std::vector<double> q(host_->q().data, host_->q().data + n), rest(q.size()), lambda(static_cast<std::size_t>(m)),
        force(q.size()), none(lambda.size()), u(q.size());
    const VectorView at{q.data(), n}, v{rest.data(), n}, forces{lambda.data(), m};
    Status status = host_->show(0, at, v);
    if (!status) return status;
    forces.map() = host_->lambda().map();
    // (M + c K) u + Phi_q^T mu = c F: with a large c, M counts for nothing where motions are faster than 1e-4 Hz.
    constexpr double c = 1e10;
    status = s.evaluate(0, at, v, {}, evaluate_dynamics | evaluate_Phi);
    if (status) status = s.linearization()->linearize(v, forces);
    if (status) status = s.implicit_solve()->prepare(c, 0);
    if (!status) return status;
    const Index first = layout_->body(p_.body.index).first, d = layout_->dimensions();
    for (Index k = 0; k < d; ++k) force[static_cast<std::size_t>(first + k)] = c * p_.direction[k];
    status = s.implicit_solve()->solve_implicit({force.data(), n}, {none.data(), m}, {u.data(), n}, forces);
    compliance_ = 0;
    for (Index k = 0; k < d; ++k) compliance_ += p_.direction[k] * u[static_cast<std::size_t>(first + k)];
    return status;
  }

  Index result_count() const override { return 1; }
  AnalysisResult result(Index) const override { return {"compliance", "m/N", compliance_}; }

 private:
  Parameters p_;
  AnalysisHost* host_ = nullptr;
  ConstrainedSystem* system_ = nullptr;
  const BodyLayout* layout_ = nullptr;
  double compliance_ = 0;
};

}  // namespace

TRAMMEL_PLUGIN("@TYPE@", "0.1.0", "BSD-3-Clause",
               component<@CLASS@>(Host::any, "@TYPE@", "How far a body gives way under a unit force.", ""));
