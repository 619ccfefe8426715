// One evaluation of y' = f(t, y) of a run file's model, and its exact Jacobian: what benchmarks measure and count.
#pragma once

#include <filesystem>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "model/component.h"
#include "run/plant/model_plant.h"
#include "trammel/error.h"

namespace trammel {

/// A run file's model behind the first-order view that integrators see: loaded plugins, and a formulation.
class EvaluationProblem {
 public:
  explicit EvaluationProblem(const std::filesystem::path& file, const std::string& formulation = "direct",
                             const std::string& solver = "auto", Index threads = 1)
      : run_(load_run_file(file, {"formulation={\"type\":\"" + formulation + "\"}", "analysis.solver=" + solver})),
        host_({{std::string(TRAMMEL_BUILD_DIR) + "/lib/trammel/plugins", "benchmark"}}),
        model_(run_, host_, threads),
        formulation_(
            make_component(host_, run_, run_.formulation, ComponentKind::formulation, model_, &model_.resolver())),
        plant_(make_start(model_, {}).model, &formulation_.as<Formulation>(), formulation, ViewKind::ode, 0),
        state_(static_cast<std::size_t>(plant_.problem().ode->size()), 0.0),
        rate_(state_.size(), 0.0) {
    StateView start;
    start.x = view(state_);
    if (!plant_.start(start)) throw Error(ErrorKind::compute, file.string() + ": no start");
    // Two neighbouring states in turn: the kernel remembers the last point and answers it for free.
    other_ = state_;
    std::mt19937 generator(1);
    std::uniform_real_distribution<double> amount(-1e-6, 1e-6);
    for (double& x : other_) x += amount(generator);
  }

  void evaluate() {
    std::swap(state_, other_);
    if (!plant_.problem().ode->rhs(0, view(state_), view(rate_))) throw Error(ErrorKind::compute, "evaluation failed");
  }

  /// The contractions that an index-3 method needs at a state, assembled with M and Phi_q and factorized: K and C, not the
  /// gradients of Phi_q a - gamma, which are formed only where somebody asks.
  void jacobian() {
    evaluate();
    ConstrainedModel& model = *plant_.model();
    const ConstVectorView a = view(rate_).segment(model.coordinates(), model.coordinates());
    lambda_.resize(static_cast<std::size_t>(model.constraints()));
    if (!model.derivatives().linearize(a, view(lambda_)) || !model.derivatives().prepare(1e-4, 1e-2)) {
      throw Error(ErrorKind::compute, "Jacobian failed");
    }
  }

  /// f_y of y' = f(t, y).
  void full_jacobian() {
    std::swap(state_, other_);
    const auto n = static_cast<Index>(state_.size());
    f_y_.resize(state_.size() * state_.size());
    if (!plant_.problem().ode->jacobian(0, view(state_), {f_y_.data(), n, n, n}))
      throw Error(ErrorKind::compute, "Jacobian failed");
  }

  long bodies() const { return model_.body_count(); }

 private:
  static VectorView view(std::vector<double>& x) { return {x.data(), static_cast<Index>(x.size())}; }

  RunFile run_;
  PluginHost host_;
  Model model_;
  Component formulation_;
  ModelPlant plant_;
  std::vector<double> state_, rate_, other_, lambda_, f_y_;
};

}  // namespace trammel
