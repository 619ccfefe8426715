// Second-order views with one mistake each: type bad_<check>. Their coordinates are all coordinates of the system, which
// then drift, as under "direct".
#include <trammel/extensions/second_order_formulation.h>
#include <trammel/sdk/formulations/index1_formulation.h>
#include <trammel/sdk/offer_extensions.h>
#include <trammel/sdk/plugin.h>

#include <Eigen/LU>
#include <vector>

namespace {

using namespace trammel;
using Eigen::MatrixXd;
using Eigen::VectorXd;

enum class Bug { none, second_order, second_order_jacobian, branch };

VectorView view(VectorXd& x) { return {x.data(), static_cast<Index>(x.size())}; }

/// q'' of the index-1 equations, with M^ = 1.
template <Bug bug>
class View final : public SecondOrderSystem {
 public:
  void bind(ConstrainedSystem& system) { system_ = &system, mask_.setOnes(2 * size()); }
  Index size() const override { return system_->coordinates(); }
  Status acceleration(double t, ConstVectorView q, ConstVectorView v, VectorView a) override {
    Status status = system_->evaluate(t, q, v, {}, evaluate_dynamics);
    if (status) status = system_->factorize(ProjectionWeights::mass);
    lambda_.resize(system_->constraints());
    if (status) status = system_->solve(system_->Q(), system_->gamma(), a, view(lambda_));
    if (bug == Bug::second_order) a[0] += 0.01;
    return status;
  }
  Status apply_mass(ConstVectorView y, VectorView out) override {
    return product(MatrixXd::Identity(size(), size()), y, out);
  }
  Status linearize(double t, ConstVectorView q, ConstVectorView v) override {
    const Index n = size();
    VectorXd a(n), f(n), g(system_->constraints()), out(n), unit = VectorXd::Zero(n), none = unit;
    Status status = acceleration(t, q, v, view(a));
    ConstrainedLinearization* linearization = system_->linearization();
    if (status) status = linearization->linearize(view(a), view(lambda_));
    J1_.resize(n, n), J2_.resize(n, n), J_t_.resize(n);
    for (Index k = 0; status && k < 2 * n; ++k) {
      unit[k % n] = 1;
      status =
          linearization->apply_linearization(view(k < n ? unit : none), view(k < n ? none : unit), view(f), view(g));
      unit[k % n] = 0;
      f = -f, g = -g;
      if (status) status = system_->solve(view(f), view(g), view(out), {});
      (k < n ? J1_ : J2_).col(k % n) = out;
    }
    if (bug == Bug::second_order_jacobian) J1_ *= 1.01;
    if (status) status = linearization->time_gradients(view(a), view(f), {}, view(g));
    g = -g;
    return status ? system_->solve(view(f), view(g), view(J_t_), {}) : status;
  }
  Status apply_J1(ConstVectorView y, VectorView out) override { return product(J1_, y, out); }
  Status apply_J2(ConstVectorView y, VectorView out) override { return product(J2_, y, out); }
  Status time_gradient(VectorView out) override {
    out.map() = J_t_;
    return Status::success();
  }
  Status prepare(Index first, const Shift* shifts, Index count) override {
    if (matrices_.size() < static_cast<std::size_t>(first + count))
      matrices_.resize(static_cast<std::size_t>(first + count));
    for (Index i = 0; i < count; ++i) {
      if (!shifts[i].real()) return Status::failure(StatusCode::unsupported, "complex shifts");
      matrices_[static_cast<std::size_t>(first + i)] =
          MatrixXd::Identity(size(), size()) - shifts[i].c1 * J2_ - shifts[i].c0 * J1_;
    }
    return Status::success();
  }
  Status solve(Index handle, ConstVectorView r, VectorView z) override {
    z.map() = matrices_[static_cast<std::size_t>(handle)].partialPivLu().solve(r.map());
    return Status::success();
  }
  ConstVectorView mask() const override { return {mask_.data(), static_cast<Index>(mask_.size())}; }

 private:
  static Status product(const MatrixXd& A, ConstVectorView y, VectorView out) {
    out.map() = A * y.map();
    return Status::success();
  }

  ConstrainedSystem* system_ = nullptr;
  VectorXd lambda_, mask_, J_t_;
  MatrixXd J1_, J2_;
  std::vector<MatrixXd> matrices_;
};

template <Bug bug>
class Reduction final : public sdk::Index1Formulation, private SecondOrderFormulation {
 public:
  FormulationTraits traits() const override { return {.constraint_limit = 1e-3, .corrects_output = false}; }
  const void* extension(const char* id) const override {
    const void* own = sdk::offer_extensions<SecondOrderFormulation>(id, this);
    return own != nullptr ? own : sdk::Index1Formulation::extension(id);
  }

 private:
  SecondOrderSystem* bind(ConstrainedSystem& system, const Memory&) const override {
    view_.bind(system);
    return &view_;
  }
  Index coordinate(const ConstrainedLayout&, Index k, const Memory&) const override { return k; }
  Status embed_second_order(ConstrainedSystem&, double t, ConstVectorView q, ConstVectorView v, const Memory&,
                            VectorView w, VectorView w_dot) const override {
    kept_at_ = t;
    w.map() = q.map(), w_dot.map() = v.map();
    return Status::success();
  }
  Status lift_second_order(ConstrainedSystem&, double t, ConstVectorView w, ConstVectorView w_dot, const Memory&,
                           VectorView q, VectorView v) const override {
    q.map() = w.map(), v.map() = w_dot.map();
    if (bug == Bug::branch && t > kept_at_ + 0.05) q[0] += 1e-3;
    return Status::success();
  }
  Correction correct_second_order(ConstrainedSystem&, double t, VectorView, VectorView, const Memory&) const override {
    kept_at_ = t;
    return {};
  }

  mutable View<bug> view_;
  mutable double kept_at_ = 0;
};

template <Bug bug>
constexpr ComponentRecord reduction(const char* type) {
  return sdk::component<Reduction<bug>>(Host::any, type, "A formulation whose second-order view has a mistake.");
}

}  // namespace

TRAMMEL_PLUGIN("planted_reductions", "1.0.0", "BSD-3-Clause", reduction<Bug::none>("good_reduction"),
               reduction<Bug::second_order>("bad_second_order"),
               reduction<Bug::second_order_jacobian>("bad_second_order_jacobian"),
               reduction<Bug::branch>("bad_branch"));
