// Choice of the linear solvers by structure and cost.
#include "model/solver_choice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/factor_services.h"
#include "linalg/identity_kkt.h"
#include "linalg/sparse_kkt.h"
#include "model/model.h"
#include "plugin/breadcrumb.h"
#include "trammel/error.h"
#include "trammel/extensions/host_services.h"
#include "trammel/extensions/least_solver_cost.h"
#include "trammel/math/kkt_entries.h"

namespace trammel {
namespace {

/// Why a solver with these traits cannot have the matrix, or nothing.
std::string misfit(const LinearSolverTraits& traits, const KktMatrix& k) {
  if (traits.regular_inertia && k.reduction == nullptr) return "needs bodies of regular inertia";
  if (traits.equal_bodies && k.mixed)
    return "needs rigid bodies only, and the model has point masses or bodies that deform";
  return "";
}

/// Why it cannot have the matrix after all, or nothing: it is ready.
std::string unprepared(const Component& solver, const KktMatrix& k, const KktElements* elements) {
  const PhaseScope phase(solver.plugin_id().c_str(), solver.type().c_str(), "analyse");
  auto& made = solver.as<KktSolver>();
  const std::string reason = misfit(made.traits(), k);
  if (!reason.empty()) return reason;
  if (auto* works_on_elements = find_extension<WorksOnElements>(made);
      works_on_elements != nullptr && elements != nullptr)
    works_on_elements->attach(*elements);
  const Status status = made.analyse(k);
  return status
             ? ""
             : fmt::format("cannot analyse the model: {}", *status.what != 0 ? status.what : status_name(status.code));
}

/// Of the solvers that `auto` looks at.
Component make_plain(const Model& model, const std::string& type) {
  Node node;
  node.kind = Node::Kind::object;
  node.members.push_back({"type", {}, Node::make_text(type, {})});
  Section section;
  section.type = type, section.node = &node, section.path = "/analysis/solver";
  return make_component(model.plugins(), model.run(), section, ComponentKind::linear_solver, model, nullptr);
}

class AutomaticChoice {
 public:
  /// `except`: a type that is passed over, or "".
  AutomaticChoice(const Model& model, const KktMatrix& k, const KktElements* elements, const std::string& except)
      : model_(model), k_(k), elements_(elements) {
    for (const Catalogue::Entry* entry :
         model.plugins().catalogue().available(ComponentKind::linear_solver, model.host())) {
      if (entry->component->type != except) consider(*entry->component);
    }
  }
  Component take() {
    if (best_) return std::move(best_);
    throw Error(
        ErrorKind::plugin,
        fmt::format("\"solver\": \"auto\" finds no linear solver that declares its cost and takes the model{}\n{}",
                    left_out_.empty() ? std::string() : fmt::format(" ({})", fmt::join(left_out_, "; ")),
                    model_.plugins().search_trace()));
  }

 private:
  // What is wrong with a solver that nobody asked for ends no run, but it is told.
  void consider(const ComponentInfo& info) {
    const bool asks = std::any_of(info.parameters.begin(), info.parameters.end(),
                                  [](const ParameterInfo& p) { return !p.default_json && !p.optional; });
    if (asks) return leave_out(info.type, "has keys without a default");
    try {
      Component solver = make_plain(model_, info.type);
      const auto* declared = find_extension<LinearSolverCost>(solver.as<KktSolver>());
      if (declared == nullptr) return leave_out(info.type, "declares no cost");
      if (is_dearer(solver)) return leave_out(info.type, "costs more than another one");
      if (const std::string reason = unprepared(solver, k_, elements_); !reason.empty())
        return leave_out(info.type, reason);
      const double cost = guarded(solver.plugin_id(), "", "cost", [&] { return declared->cost(); });
      if (!(cost >= 0) || !std::isfinite(cost))
        return warn(info.type, fmt::format("its cost is {}, and a cost is a finite number of 0 or more", cost));
      if (!(cost < least_)) return;
      least_ = cost;
      best_ = std::move(solver);
    } catch (const Error& error) {
      warn(info.type, error.what());
    }
  }
  /// Without its analysis.
  bool is_dearer(const Component& solver) const {
    const auto* declared = find_extension<LeastSolverCost>(solver.as<KktSolver>());
    return declared != nullptr &&
           guarded(solver.plugin_id(), "", "least cost", [&] { return declared->least_cost(k_); }) >= least_;
  }
  /// `reason` goes on behind the solver's name.
  void leave_out(const std::string& type, const std::string& reason) {
    left_out_.push_back(fmt::format("'{}' {}", type, reason));
  }
  void warn(const std::string& type, const std::string& reason) {
    leave_out(type, "cannot be used: " + reason);
    const std::string text = "\"solver\": \"auto\" passes over a linear solver: " + left_out_.back();
    if (const auto* log = find_extension<RunLog>(model_)) log->warn(text.c_str());
  }

  const Model& model_;
  const KktMatrix& k_;
  const KktElements* elements_;  // nullptr: none for solvers that ask for rows
  std::vector<std::string> left_out_;
  Component best_;
  double least_ = std::numeric_limits<double>::infinity();
};

}  // namespace

Component choose_other_solver(const Model& model, const KktMatrix& k, const std::string& type) {
  return AutomaticChoice(model, k, nullptr, type).take();
}

Component choose_mass_solver(const Model& model, const KktMatrix& k, const KktElements& elements) {
  const Section& wanted = model.run().solver;
  if (!wanted) return AutomaticChoice(model, k, &elements, "").take();
  Component solver =
      make_component(model.plugins(), model.run(), wanted, ComponentKind::linear_solver, model, &model.resolver());
  if (const std::string reason = unprepared(solver, k, &elements); !reason.empty()) {
    throw Error::parameter(
        "solver", fmt::format("'{}' {}; use \"auto\" or another solver, for example 'sparse'", wanted.type, reason));
  }
  return solver;
}

std::shared_ptr<KktSolver> choose_identity_solver(const KktMatrix& k, RowSpace& rows) {
  auto identity = std::make_shared<IdentityKkt>(rows);
  identity->analyse(k);
  const double cost = range_space_cost(rows.factor());
  const Index unknown_multipliers = k.rows + k.intrinsic_rows;
  if (cost <= sparse_cost(unknown_multipliers, 0)) return identity;  // whatever KLU's ordering will be
  auto sparse = std::make_shared<SparseKkt>();
  sparse->analyse(k);
  if (cost <= sparse_cost(unknown_multipliers, sparse->work())) return identity;
  return sparse;
}

}  // namespace trammel
