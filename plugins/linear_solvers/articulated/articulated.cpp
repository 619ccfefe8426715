// Plugin `articulated`: body by body along a spanning tree of the joint graph, loops by what is left of their rows.
#include "any_elimination.h"
#include "trammel/model_info.h"
#include "trammel/sdk/offer_extensions.h"
#include "trammel/sdk/plugin.h"

namespace trammel {
namespace {

/// W = M. The elimination is made anew where the solver is analysed anew.
class Articulated final : public KktSolver,
                          private LinearSolverCost,
                          private KeepsRowsToRounding,
                          private WorksOnElements {
 public:
  explicit Articulated(const ModelInfo& model)
      : factors_(find_extension<BlockFactors>(model)),
        form_(find_extension<TwistForm>(model)),
        workers_(find_extension<Workers>(model)) {
    if (factors_ == nullptr) throw Error(ErrorKind::plugin, "this Trammel has no service for block factors");
  }

  const void* extension(const char* id) const override {
    return sdk::offer_extensions<LinearSolverCost, KeepsRowsToRounding, WorksOnElements>(id, this, this, this);
  }
  LinearSolverTraits traits() const override {
    return {.regular_inertia = true, .reduced_blocks = true, .equal_bodies = true};
  }

  Status analyse(const KktMatrix& k) override {
    if (form_ == nullptr)
      return Status::failure(StatusCode::unsupported, "the bodies of this system do not say how they move as twists");
    return sdk::or_fail([&] {
      elimination_ = articulated::make_elimination(*form_, *factors_, workers_);
      return elimination_->analyse(k, elements_);
    });
  }
  Status factorize(const KktMatrix& k) override {
    return sdk::or_fail([&] { return elimination_->factorize(k, false); });
  }
  Status solve(const KktMatrix& k, ConstVectorView f, ConstVectorView g, VectorView x, VectorView lambda) override {
    return sdk::or_fail([&] { return elimination_->solve(k, f, g, x, lambda); });
  }
  const RankWatch* watch() const override { return &elimination_->watch(); }

 private:
  double cost() const override { return elimination_->cost(); }
  Status factorize_to_rounding(const KktMatrix& k) override {
    return sdk::or_fail([&] { return elimination_->factorize(k, true); });
  }
  void attach(const KktElements& elements) override { elements_ = &elements; }

  const BlockFactors* factors_;
  const TwistForm* form_;
  const Workers* workers_;
  const KktElements* elements_ = nullptr;
  std::unique_ptr<articulated::AnyElimination> elimination_;
};

}  // namespace
}  // namespace trammel

TRAMMEL_PLUGIN("articulated", "1.0.0", "BSD-3-Clause",
               component<Articulated>(Host::any, "articulated",
                                      "Articulated elimination along a spanning tree, for rigid bodies.",
                                      "Featherstone (2008) 7.2, 9.3; Haug (1989) 6.3"));
