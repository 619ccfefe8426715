// Plain problems: y' = f(t, y), or M x'' = Q also as y = (x, x').
#include "run/plant/problem_plant.h"

#include <fmt/format.h>

#include <cmath>

#include "linalg/fence.h"
#include "model/declared_sizes.h"
#include "plugin/breadcrumb.h"
#include "trammel/error.h"

namespace trammel {
namespace {

constexpr Index most_coordinates = 10'000'000;

/// What the problem says about itself before room is made by it; a name that is no text is found here.
Index declared_coordinates(System& system, const std::string& plugin, const std::string& type) {
  return guarded(plugin, type, "size", [&] {
    const bool second = system.second_order() != nullptr;
    const std::string whose = fmt::format("system '{}'", type);
    const Index n =
        declared(second ? system.second_order()->size() : system.ode()->size(), most_coordinates, "size()", whose);
    for (Index i = 0; i < n; ++i) {
      if (system.coordinate_name(i) == nullptr)
        throw Error(ErrorKind::plugin, fmt::format("{}: coordinate_name({}) is no text", whose, i));
    }
    return n;
  });
}

}  // namespace

/// First-order view, counted and checked for finite results; of a second-order problem with y = (x, x').
class ProblemPlant::OdeView final : public OdeSystem {
 public:
  OdeView(ProblemPlant& plant, Index size)
      : plant_(plant), mask_(static_cast<std::size_t>(size), 1.0), rates_(mask_.size(), 0.0) {
    build_fence(rates_);
  }
  Index size() const override { return static_cast<Index>(mask_.size()); }
  Status rhs(double t, ConstVectorView y, VectorView f) override {
    plant_.counters.see(t);
    const ElementMark mark(plant_.plugin_.c_str(), "");
    // The problem writes to a block with a fence; what it is asked for lies amid the integrator's memory.
    const VectorView rates{rates_.data(), f.size};
    Status status;
    if (plant_.second_order_) {
      const Index n = plant_.coordinates_;
      rates.segment(0, n).map() = y.segment(n, n).map();
      status = plant_.system_.second_order()->acceleration(t, y.segment(0, n), y.segment(n, n), rates.segment(n, n));
    } else {
      status = plant_.system_.ode()->rhs(t, y, rates);
    }
    plant_.require_fence(rates_);
    if (!status) return status;
    for (Index i = 0; i < f.size; ++i) {
      if (!std::isfinite(rates[i])) return Status::failure(StatusCode::not_finite, "derivative", i, rates[i]);
    }
    f.map() = rates.map();
    return status;
  }
  Status jacobian(double t, ConstVectorView y, MatrixView f_y) override {
    if (plant_.second_order_) return OdeSystem::jacobian(t, y, f_y);
    return plant_.system_.ode()->jacobian(t, y, f_y);
  }
  Status time_gradient(double t, ConstVectorView y, VectorView f_t) override {
    if (plant_.second_order_) return OdeSystem::time_gradient(t, y, f_t);
    return plant_.system_.ode()->time_gradient(t, y, f_t);
  }
  ConstVectorView mask() const override {
    return plant_.second_order_ ? ConstVectorView{mask_.data(), size()} : plant_.system_.ode()->mask();
  }

 private:
  ProblemPlant& plant_;
  std::vector<double> mask_, rates_;
};

ProblemPlant::ProblemPlant(const Model& model, ViewKind view)
    : system_(model.system()),
      view_(view),
      second_order_(system_.second_order() != nullptr),
      type_(model.run().system.type),
      plugin_(model.system_plugin()) {
  if (view == ViewKind::constrained || (view == ViewKind::second_order && !second_order_)) {
    throw Error(ErrorKind::input,
                fmt::format("system '{}' is a {} problem; the integrator '{}' needs {}", type_,
                            second_order_ ? "second-order" : "first-order", model.run().integrator.type,
                            view == ViewKind::constrained ? "a constrained model" : "a second-order problem"));
  }
  coordinates_ = declared_coordinates(system_, plugin_, type_);
  const auto n = static_cast<std::size_t>(coordinates_);
  x_.assign(n, 0.0);
  x_dot_.assign(n, 0.0);
  a_.assign(n, 0.0);
  for (std::vector<double>* block : {&x_, &x_dot_, &a_}) build_fence(*block);
  if (view_ == ViewKind::ode) ode_ = std::make_unique<OdeView>(*this, second_order_ ? 2 * coordinates_ : coordinates_);
  if (view_ == ViewKind::second_order) {
    counted_ = std::make_unique<CountedSecondOrder>(*system_.second_order(), counters, implicit_matrix, plugin_);
  }
  observation_.q = {x_.data(), coordinates_};
  observation_.v = {x_dot_.data(), coordinates_};
  observation_.a = {a_.data(), second_order_ ? coordinates_ : 0};
}

ProblemPlant::~ProblemPlant() = default;

void ProblemPlant::require_fence(const std::vector<double>& block) const {
  if (fence_stands(block)) return;
  throw Error(ErrorKind::plugin,
              fmt::format("plugin '{}': system '{}' writes more than its {} numbers", plugin_, type_, coordinates_));
}

ProblemSize ProblemPlant::size() const { return {view_ == ViewKind::ode ? ode_->size() : coordinates_, 0, view_}; }

Problem ProblemPlant::problem() {
  Problem problem;
  if (view_ == ViewKind::ode) problem.ode = ode_.get();
  if (view_ == ViewKind::second_order) problem.second_order = counted_.get();
  return problem;
}

Status ProblemPlant::start(const StateView& state) {
  const ElementMark mark(plugin_.c_str(), "");
  system_.initial({x_.data(), coordinates_}, {x_dot_.data(), coordinates_});
  for (const std::vector<double>* block : {&x_, &x_dot_}) require_fence(*block);
  if (view_ == ViewKind::ode) {
    state.x.segment(0, coordinates_).map() = observation_.q.map();
    if (second_order_) state.x.segment(coordinates_, coordinates_).map() = observation_.v.map();
    return Status::success();
  }
  state.x.map() = observation_.q.map();
  state.v.map() = observation_.v.map();
  return Status::success();
}

Status ProblemPlant::observe(const ConstStateView& state, Look) {
  const ElementMark mark(plugin_.c_str(), "");
  const VectorView x{x_.data(), coordinates_}, x_dot{x_dot_.data(), coordinates_}, a{a_.data(), coordinates_};
  Status status;
  if (view_ == ViewKind::ode) {
    x.map() = state.x.segment(0, coordinates_).map();
    if (second_order_) {
      x_dot.map() = state.x.segment(coordinates_, coordinates_).map();
    } else {
      status = system_.ode()->rhs(state.t, x, x_dot);
    }
  } else {
    x.map() = state.x.map();
    x_dot.map() = state.v.map();
  }
  if (status && second_order_) status = system_.second_order()->acceleration(state.t, x, x_dot, a);
  for (const std::vector<double>* block : {&x_, &x_dot_, &a_}) require_fence(*block);
  observation_.t = state.t;
  observation_.has_energy =
      system_.energy(state.t, x, x_dot, observation_.energy.kinetic, observation_.energy.potential);
  if (!status) return status;
  for (Index i = 0; i < coordinates_; ++i) {
    if (!std::isfinite(x[i] + x_dot[i])) return Status::failure(StatusCode::not_finite, "state", i, x[i]);
  }
  return status;
}

std::string ProblemPlant::component_name(Index i) const {
  if (i < coordinates_) return system_.coordinate_name(i);
  return std::string(system_.coordinate_name(i - coordinates_)) + "_dot";
}

std::string ProblemPlant::subject(const Status& status) const {
  if (status.subject < 0 || status.subject >= 2 * coordinates_) return "";
  return fmt::format("'{}'", component_name(status.subject));
}

}  // namespace trammel
