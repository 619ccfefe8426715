// Level 3: laws with a memory are continuous at the end of a step, where the memory changes.
#include "check/element_point.h"
#include "trammel/constraint.h"
#include "trammel/extensions/accepted_step.h"
#include "trammel/force.h"

namespace trammel::conformance {
namespace {

/// Follows an element over a few steps; `values` of it with the old and with the new memory at the end of each.
template <class Values>
bool follow(ElementPoint& point, const Extensible& element, Random& random, const Values& values) {
  const auto* memory = find_extension<AcceptedMemory>(element);
  if (memory == nullptr || memory->memory_size() == 0) return false;
  const auto size = static_cast<std::size_t>(memory->memory_size());
  // One number more on each side, which nobody may write.
  std::vector<double> old(size + 2, canary), next(size + 2, canary);
  const auto view = [&](std::vector<double>& x) { return VectorView{x.data() + 1, static_cast<Index>(size)}; };
  ElementState start = point.at();
  start.memory = nullptr;
  require_ok(memory->initial_memory(start, view(old)), "initial_memory");
  for (int step = 0; step < 20; ++step) {
    point.disturb(random, 0.05, 1);
    ElementState s = point.at();
    s.memory = old.data() + 1;
    const VectorXd before = values(s);
    require_ok(memory->accepted(s, view(next)), "accepted");
    for (const auto* x : {&old, &next}) {
      require(x->front() == canary && x->back() == canary, "it writes beyond its {} numbers", size);
      for (std::size_t k = 1; k <= size; ++k) require(std::isfinite((*x)[k]), "number {} is not finite", k - 1);
    }
    s.memory = next.data() + 1;
    const VectorXd after = values(s);
    const double jump = (after - before).cwiseAbs().maxCoeff() / std::max(1.0, before.cwiseAbs().maxCoeff());
    require(jump < 1e-6,
            "its values jump by {:.1e} (relative) where the memory of a step takes the place of the last one", jump);
    std::swap(old, next);
    // Behind an impact or a changed number the kernel asks once more, from what it was given.
    s.memory = old.data() + 1;
    require_ok(memory->accepted(s, view(next)), "accepted, again at the same state");
    s.memory = next.data() + 1;
    const double other = (values(s) - after).cwiseAbs().maxCoeff() / std::max(1.0, after.cwiseAbs().maxCoeff());
    require(other < 1e-6, "its values change by {:.1e} (relative) where `accepted` is called again at the same state",
            other);
  }
  return true;
}

void force_memory(Subject& subject) {
  bool kept = false;
  for_each_force(subject, [&](CaseModel& model, const ForceSlot& slot) {
    ElementPoint point(model, slot, slot.force);
    kept |= follow(point, *slot.force, subject.random, [&](const ElementState& s) {
      VectorXd Q = VectorXd::Zero(point.size());
      require_ok(slot.force->force(s, point.segments(Q).data()), "force");
      return Q;
    });
  });
  if (!kept) skip("it keeps nothing from step to step");
}

void constraint_memory(Subject& subject) {
  bool kept = false;
  for_each_constraint(subject, [&](CaseModel& model, const ConstraintSlot& slot) {
    ElementPoint point(model, slot);
    kept |= follow(point, *slot.constraint, subject.random, [&](const ElementState& s) {
      VectorXd Phi = VectorXd::Zero(slot.rows);
      MatrixXd Phi_q = MatrixXd::Zero(slot.rows, point.size());
      const auto views = point.row_blocks(Phi_q);
      ConstraintOutput out;
      out.Phi = {Phi.data(), slot.rows}, out.Phi_q = views.data();
      require_ok(slot.constraint->evaluate(s, out), "evaluate");
      VectorXd all(Phi.size() + Phi_q.size());
      all << Phi, Phi_q.reshaped();
      return all;
    });
  });
  if (!kept) skip("it keeps nothing from step to step");
}

}  // namespace

void add_memory_checks(ComponentKind kind, std::vector<Check>& checks) {
  const auto add = [&](auto run) {
    checks.push_back({"math.memory", Level::mathematics,
                      "what an element keeps of a step changes nothing at the step's end",
                      "a force that jumps where `accepted` switches its branch; numbers beyond memory_size()", run,
                      "contract.repeatable"});
  };
  if (kind == ComponentKind::constraint) add(constraint_memory);
  if (kind == ComponentKind::force) add(force_memory);
}

}  // namespace trammel::conformance
