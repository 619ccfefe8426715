// What the integrator and the kernel ask of the second-order view between steps.
#include "second_order.h"

#include <cmath>
#include <limits>

#include "trammel/sdk/formulations/branch_test.h"

namespace trammel::recursive {

void Reduced::start(const Kept&, const Memory& memory) const {
  if (system_ == nullptr || space_ == nullptr) return;  // the first-order view has less memory
  const KeptReduced& at = placed(memory);
  at.chosen = at.partitions = at.least = at.length = 0;
  at.changed_at = -std::numeric_limits<double>::infinity();
  factorized_ = lifted_ = accelerated_ = false;
}

double Reduced::partitions(const Memory& memory) const {
  return system_ == nullptr || space_ == nullptr ? 0 : placed(memory).partitions;
}

const KeptReduced& Reduced::placed(const Memory& memory) const {
  placed_.emplace(Layout::place<KeptReduced>(memory, space_->tree));
  return *placed_;
}

Index Reduced::freedoms(ConstrainedLayout& system) {
  const RowChoice* rows = find_extension<RowChoice>(system);
  return system.coordinates() - system.constraints() + (rows != nullptr ? rows->redundant() : 0);
}

SecondOrderSystem* Reduced::bind(ConstrainedSystem& system, const Memory& memory) const {
  const Tree& tree = space_->tree;
  system_ = &system;
  placed(memory);
  const Index moving = tree.thetas - tree.gauges;
  const Index closed = std::max<Index>(0, moving - freedoms(system));
  // The matrix of the cuts is dense: too large a one is refused where the run starts, and has no room here.
  too_large_ = closed > 0 && static_cast<double>(tree.cuts.size()) * tree.thetas > most_numbers;
  loops_.bind(*space_, too_large_ ? 0 : closed);
  size_ = tree.thetas - loops_.count();
  for (Vector* x : {&theta_, &theta1_, &theta2_, &predicted_}) x->setZero(tree.thetas);
  correction_.setZero(loops_.count());
  w_.setZero(size_), w_dot_.setZero(size_);
  mask_.setOnes(2 * size_);
  factorized_ = lifted_ = accelerated_ = false;
  return const_cast<Reduced*>(this);
}

Index Reduced::coordinate(const ConstrainedLayout&, Index k, const Memory&) const {
  const Tree& tree = space_->tree;
  const std::vector<Index>& w = loops_.independent();
  const Index theta = static_cast<std::size_t>(k) < w.size() ? w[static_cast<std::size_t>(k)] : k;
  const Link& link = tree.links[static_cast<std::size_t>(tree.link_of[static_cast<std::size_t>(theta)])];
  const Index of = theta - link.theta;
  if (link.own || link.thetas == link.count) return link.first + of;
  // For words: slides stand for the body's place, turns for the last of what says its attitude.
  return of < link.joint.slide_count() ? link.first + of : link.first + link.count - link.thetas + of;
}

Status Reduced::embed_second_order(ConstrainedSystem& system, double t, ConstVectorView q, ConstVectorView v,
                                   const Memory& memory, VectorView w, VectorView w_dot) const {
  const KeptReduced& at = placed(memory);
  space_->measure(q, v, at.kept, at.work, at.work.theta, at.work.theta1);
  at.kept.theta.map() = at.theta_0.map() = at.work.theta.map();
  at.theta1.map() = at.theta1_0.map() = at.work.theta1.map();
  at.kept_at = at.kept_at_0 = t;
  theta_ = at.kept.theta.map(), theta1_ = at.theta1.map();
  factorized_ = lifted_ = accelerated_ = false;
  if (at.chosen == 0) {
    const Status status = choose(system, t, at);
    if (!status) return status;
    at.chosen = at.partitions = 1;
    at.freedoms = freedoms(system);
    at.before.map() = at.dependent.map(), at.rows_before.map() = at.rows.map();
  }
  // From t on states are of the partition in force, even where it was chosen at the end of a step that went past t.
  at.changed_at = std::min(at.changed_at, t);
  loops_.use(at.rows, at.dependent, at.length);
  pick({theta_.data(), space_->tree.thetas}, w);
  pick({theta1_.data(), space_->tree.thetas}, w_dot);
  return Status::success();
}

Status Reduced::lift_second_order(ConstrainedSystem&, double t, ConstVectorView w, ConstVectorView w_dot,
                                  const Memory& memory, VectorView q, VectorView v) const {
  const KeptReduced& at = placed(memory);
  const Status status = lift(t, w, w_dot, true);
  if (status) {
    space_->lift({theta_.data(), space_->tree.thetas}, {theta1_.data(), space_->tree.thetas}, at.kept, at.work);
    q.map() = at.work.q.map(), v.map() = at.work.v.map();
  }
  factorized_ = lifted_ = accelerated_ = false;  // the motion does not depend on outputs
  return status;
}

Correction Reduced::correct_second_order(ConstrainedSystem& system, double t, VectorView w, VectorView w_dot,
                                         const Memory& memory) const {
  constexpr double always_good = 3, clearly_worse = 2, better = 0.7, largest_stretch = 0.1;
  const KeptReduced& at = placed(memory);
  Correction result;
  result.status = lift(t, w, w_dot, false);
  if (result.status && !loops_.none() && !continues(at, t, 0.5, 0.02, 0.2)) result.status = sdk::BranchTest::left();
  if (result.status && at.freedoms != freedoms(system))
    result.status = Status::failure(StatusCode::singular, "number of degrees of freedom, which changed,");
  if (!result.status) return result;
  at.before.map() = at.dependent.map(), at.rows_before.map() = at.rows.map();
  if (!loops_.none()) {
    result.status = renew(t);
    if (!result.status) return result;
    const double now = loops_.amplification();
    at.least = at.least == 0 ? now : std::min(at.least, now);
    if (now > always_good && now > clearly_worse * at.least) {
      result.status = choose(system, t, at);
      if (!result.status) return result;
      const double then = at.least;
      result.restart = then < better * now;
      if (!result.restart) {
        at.dependent.map() = at.before.map(), at.rows.map() = at.rows_before.map(), at.least = now;
        loops_.use(at.rows, at.dependent, at.length);
      } else {
        at.partitions += 1, at.changed_at = t, result.changed = true;
      }
    }
  }
  space_->motion->balls([&](Index first, Index) {
    result.restart = result.restart || !(std::abs(norm(sdk::vec4(theta_.data() + first)) - 1) < largest_stretch);
  });
  at.theta_0.map() = at.kept.theta.map(), at.theta1_0.map() = at.theta1.map(), at.kept_at_0 = at.kept_at;
  at.kept.theta.map() = theta_, at.theta1.map() = theta1_, at.kept_at = t;
  factorized_ = lifted_ = accelerated_ = false;
  if (!result.changed) return result;
  pick({theta_.data(), space_->tree.thetas}, w);
  pick({theta1_.data(), space_->tree.thetas}, w_dot);
  return result;
}

Status Reduced::acceleration(double t, ConstVectorView w, ConstVectorView w_dot, VectorView a) {
  const Status status = accelerate(t, w, w_dot);
  if (status) pick({theta2_.data(), space_->tree.thetas}, a);
  return status;
}

Status Reduced::linearize(double t, ConstVectorView w, ConstVectorView w_dot) {
  ConstrainedLinearization* const linearization = system_->linearization();
  if (linearization == nullptr) return Status::failure(StatusCode::unsupported, "no linearization of the system");
  if (static_cast<double>(size_) * size_ > most_numbers)
    return Status::failure(StatusCode::unsupported, "dense matrices of so many joint coordinates", -1, size_);
  Status status = accelerate(t, w, w_dot);
  if (status) status = linearization->linearize(placed_->work.a, placed_->work.lambda);
  if (!status) return status;
  factorized_ = false;
  const MotionPoint at{theta_, theta1_, theta2_, placed_->kept, placed_->work};
  return matrices_.compute(*system_, *space_, loops_, at);
}

Status Reduced::prepare(Index first, const Shift* shifts, Index count) {
  constexpr double largest_condition = 1e14;  // two digits are left
  const auto norm = [](const auto& A) { return A.size() > 0 ? A.cwiseAbs().colwise().sum().maxCoeff() : 1.0; };
  const auto build = [&](auto c0, auto c1, auto& A) {
    A.noalias() = matrices_.M - c1 * matrices_.MJ2 - c0 * matrices_.MJ1;
  };
  // Beside the sum of what it is made of, so that terms which cancel count as singular.
  const auto judge = [&](auto c0, auto c1, const auto& A, const auto& lu) {
    const double scale = norm(matrices_.M) + std::abs(c1) * norm(matrices_.MJ2) + std::abs(c0) * norm(matrices_.MJ1),
                 length = norm(A);
    const double condition = length > 0 ? scale / (length * lu.rcond()) : std::numeric_limits<double>::infinity();
    if (condition < largest_condition) return Status::success();
    return Status::failure(StatusCode::singular, "matrix of the implicit step", -1, condition);
  };
  return factors_.prepare(first, shifts, count, build, judge);
}

}  // namespace trammel::recursive
