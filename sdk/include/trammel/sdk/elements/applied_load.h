// Base of given loads on one body: a load at unit factor, scaled by an optional Function of time.
#pragma once

#include "trammel/extensions/static_potential.h"
#include "trammel/force.h"
#include "trammel/function.h"
#include "trammel/sdk/elements/drawn.h"
#include "trammel/sdk/offer_extensions.h"

namespace trammel::sdk {

/// Axes in which a load is given: "global|body".
enum class Frame : std::int32_t { global, body };

/// Derive and implement the three private methods, and `potential` where there is one; the load is linear in `factor`.
class AppliedLoad : public ForceElement, private StaticPotential {
 public:
  AppliedLoad(BodyRef body, FunctionRef function) : body_(body), function_(function) {}

  Index body_count() const final { return 1; }
  BodyRef body(Index) const final { return body_; }

  Status force(const ElementState& s, const VectorView* Q) const final {
    double f[1];
    const Status status = factor(s.t, 0, f);
    if (status.ok() && Q[0].data != nullptr) add_load(s, f[0], Q[0].data);
    return status;
  }
  Status gradients(const ElementState& s, const MatrixView* Q_q, const MatrixView*) const final {
    double f[1];
    const Status status = factor(s.t, 0, f);
    if (status.ok() && Q_q != nullptr && Q_q[0]) add_load_gradient(s, f[0], Q_q[0]);
    return status;
  }
  Status time_gradient(const ElementState& s, const VectorView* Q_t) const final {
    if (function_ == nullptr) return Status::success();
    double f[2];
    const Status status = factor(s.t, 1, f);
    if (status.ok() && Q_t[0].data != nullptr) add_load(s, f[1], Q_t[0].data);
    return status;
  }
  Status energy(const ElementState& s, ForceEnergy& energy) const final {
    double f[1];
    const Status status = factor(s.t, 0, f);
    if (status.ok()) energy.work += power(s, f[0]);
    return status;
  }
  const void* extension(const char* id) const final {
    return offer_extensions<StaticPotential, Drawing>(id, static_cast<const StaticPotential*>(this), &drawn_);
  }

 protected:
  ~AppliedLoad() = default;

  /// [setup] The body-fixed point on which it acts, for pictures.
  template <class Point>
  void acts_at(const Point& point) {
    drawn_.at(0, point);
  }

 private:
  /// Adds the generalized force of the load times `factor` to the body's Q.
  virtual void add_load(const ElementState& s, double factor, double* Q) const = 0;
  /// Adds its gradient with respect to q, a c x c block.
  virtual void add_load_gradient(const ElementState& s, double factor, const MatrixView& Q_q) const = 0;
  /// W
  virtual double power(const ElementState& s, double factor) const = 0;
  /// J; loads that turn with the body have none.
  virtual bool potential(const ElementState& s, double factor, double& potential) const {
    (void)s, (void)factor, (void)potential;
    return false;
  }

  bool static_potential(const ElementState& s, double& value) const final {
    double f[1];
    return factor(s.t, 0, f).ok() && potential(s, f[0], value);
  }

  Status factor(double t, int order, double* value) const {
    if (function_ != nullptr) return function_->evaluate(t, order, value);
    value[0] = 1;
    return Status::success();
  }

  BodyRef body_;
  FunctionRef function_;
  Drawn drawn_{Symbol::nothing};
};

}  // namespace trammel::sdk
