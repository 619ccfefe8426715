// Memories of elements: begun, taken on at accepted steps, shown by time.
#include "model/element_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "linalg/sizes.h"
#include "model/declared_sizes.h"
#include "model/model_point.h"
#include "plugin/breadcrumb.h"
#include "trammel/error.h"

namespace trammel {
namespace {

std::string whose(const ElementSlot& slot) {
  return fmt::format("plugin '{}': '{}' (type '{}')", slot.plugin, slot.name, slot.type);
}

double largest(const std::vector<double>& x) {
  double size = 0;
  for (const double entry : x) size = std::max(size, std::abs(entry));
  return size;
}

double difference(const std::vector<double>& x, const std::vector<double>& y) {
  double size = 0;
  for (std::size_t i = 0; i < x.size(); ++i) size = std::max(size, std::abs(x[i] - y[i]));
  return size;
}

}  // namespace

ElementMemory::ElementMemory(const Assembly& assembly) : assembly_(assembly) {
  Index size = 0;
  const auto list = [&](const ElementSlot& slot, const Extensible& element, std::vector<Place>& places) {
    const auto* memory = find_extension<AcceptedMemory>(element);
    const Index own =
        memory != nullptr ? declared(memory->memory_size(), most_memory, "memory_size()", whose(slot)) : 0;
    places.push_back({size, own});
    size += own;
  };
  for (const ConstraintSlot& slot : assembly.constraints) list(slot, *slot.constraint, of_constraints_);
  for (const ForceSlot& slot : assembly.forces) {
    list(slot, *slot.force, of_forces_);
    const auto* sees = find_extension<SeesAcceptedStep>(*slot.force);
    last_of_.push_back(sees != nullptr ? static_cast<Index>(seen_.size()) : -1);
    if (sees == nullptr) continue;
    seen_.emplace_back();
    const auto constraints = static_cast<Index>(assembly.constraints.size());
    for (Index i = 0; i < declared(sees->seen_count(), constraints, "seen_count()", whose(slot)); ++i) {
      const Index constraint = sees->seen(i).index;
      if (constraint < 0 || constraint >= constraints)
        throw Error(ErrorKind::plugin, whose(slot) + " asks for the multipliers of a constraint that does not exist");
      seen_.back().push_back(constraint);
    }
  }
  keeps_ = size > 0, sees_ = !seen_.empty();
  if (!any()) return;
  ground_.assign(count(assembly.body_coordinates()), 0.0);
  other_.assign(count(size), 0.0);
  for (Generation& g : generations_) {
    g.memory.assign(count(size), 0.0);
    if (sees_)
      g.a.assign(count(assembly.bodies() * assembly.body_coordinates()), 0.0),
          g.lambda.assign(count(assembly.rows()), 0.0);
    bind(g);
  }
}

void ElementMemory::bind(Generation& g) {
  for (const Place& own : of_constraints_)
    g.constraints.push_back(own.size > 0 ? g.memory.data() + own.first : nullptr);
  for (const Place& own : of_forces_) g.forces.push_back(own.size > 0 ? g.memory.data() + own.first : nullptr);
  std::size_t total = 0;
  for (std::size_t f = 0; f < last_of_.size(); ++f) {
    if (last_of_[f] >= 0) total += assembly_.forces[f].bodies.size() + seen_[count(last_of_[f])].size();
  }
  g.places.reserve(total);  // addresses stay
  for (std::size_t f = 0; f < last_of_.size(); ++f) {
    if (last_of_[f] < 0) continue;
    const double* const* begin = g.places.data() + g.places.size();
    const std::vector<Index>& bodies = assembly_.forces[f].bodies;
    for (const Index body : bodies)
      g.places.push_back(body < 0 ? ground_.data() : g.a.data() + body * assembly_.body_coordinates());
    for (const Index constraint : seen_[count(last_of_[f])])
      g.places.push_back(g.lambda.data() + assembly_.constraints[count(constraint)].first_row);
    g.last.push_back({0, begin, begin + bodies.size()});
  }
}

template <class Action>
void ElementMemory::for_each(const Action& action) const {
  const auto each = [&](const auto& slots, const std::vector<Place>& places, const auto& element_of) {
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (places[i].size == 0) continue;
      const ElementMark mark(slots[i].plugin.c_str(), slots[i].name.c_str());
      action(slots[i], *find_extension<AcceptedMemory>(element_of(slots[i])), places[i]);
    }
  };
  each(assembly_.constraints, of_constraints_,
       [](const ConstraintSlot& s) -> const Extensible& { return *s.constraint; });
  each(assembly_.forces, of_forces_, [](const ForceSlot& s) -> const Extensible& { return *s.force; });
}

bool ElementMemory::select(double t) {
  Generation* const right = t < now_->t ? before_ : now_;
  if (right == shown_) return false;
  shown_ = right;
  return true;
}

template <class Act>
Status ElementMemory::ask(ModelPoint& point, const char* function, std::vector<double>& numbers, const Act& act) {
  Status status;
  for_each([&](const auto& slot, const AcceptedMemory& memory, const Place& own) {
    if (!status) return;
    const VectorView kept{numbers.data() + own.first, own.size};
    status = act(point.element_state(slot), memory, kept);
    if (status && !kept.map().allFinite())
      status = Status::failure(StatusCode::not_finite, "a number that an element keeps");
    if (status) return;
    point.fail(slot, function);
    if (status.code == StatusCode::singular || status.code == StatusCode::not_converged)
      status = Status::failure(StatusCode::failed, status.what);  // whose subjects are no elements
  });
  return status;
}

Status ElementMemory::begin(ModelPoint& point) {
  shown_ = now_;
  now_->t = point.t(), largest_change_ = largest_a_ = largest_lambda_ = 0;
  std::fill(now_->a.begin(), now_->a.end(), 0.0);
  std::fill(now_->lambda.begin(), now_->lambda.end(), 0.0);
  const Status status =
      ask(point, "initial_memory", now_->memory, [](ElementState s, const AcceptedMemory& memory, VectorView numbers) {
        s.memory = nullptr;
        return memory.initial_memory(s, numbers);
      });
  begun_ = status.ok();
  before_->memory = now_->memory, before_->a = now_->a, before_->lambda = now_->lambda, before_->t = now_->t;
  for (AcceptedStep& last : now_->last) last.t = now_->t;
  for (AcceptedStep& last : before_->last) last.t = now_->t;
  return status;
}

void ElementMemory::let_see(Generation& g, ConstVectorView a, ConstVectorView lambda) {
  const BodyTable& table = assembly_.table;  // elements see all columns, 0 for those that a body does not have
  for (Index b = 0; b < table.bodies(); ++b)
    std::copy_n(a.data + table.first(b), table.width(b), g.a.begin() + b * table.local());
  std::copy(lambda.data, lambda.data + lambda.size, g.lambda.begin());
  for (AcceptedStep& last : g.last) last.t = g.t;
  largest_a_ = std::max(largest_a_, largest(g.a)), largest_lambda_ = std::max(largest_lambda_, largest(g.lambda));
}

void ElementMemory::see(double t, ConstVectorView a, ConstVectorView lambda) {
  now_->t = t;
  let_see(*now_, a, lambda);
}

Status ElementMemory::take_on(ModelPoint& point, std::vector<double>& numbers) {
  return ask(point, "accepted", numbers, [](const ElementState& s, const AcceptedMemory& memory, VectorView kept) {
    return memory.accepted(s, kept);
  });
}

Status ElementMemory::accept(ModelPoint& point, ConstVectorView a, ConstVectorView lambda) {
  select(point.t());
  // Elements read what held in the step, `now_`, and write the other generation.
  before_->t = point.t();
  if (const Status status = take_on(point, before_->memory); !status) return status;
  std::swap(now_, before_);
  shown_ = now_;
  if (!sees_) return Status::success();
  let_see(*now_, a, lambda);
  if (largest_a_ > 0) largest_change_ = std::max(largest_change_, difference(now_->a, before_->a) / largest_a_);
  if (largest_lambda_ > 0)
    largest_change_ = std::max(largest_change_, difference(now_->lambda, before_->lambda) / largest_lambda_);
  return Status::success();
}

Status ElementMemory::jump(ModelPoint& point) {
  shown_ = now_;
  const Status status = take_on(point, other_);
  if (status) std::copy(other_.begin(), other_.end(), now_->memory.begin());
  return status;
}

std::string ElementMemory::names() const {
  std::string names;
  for (std::size_t f = 0; f < last_of_.size(); ++f) {
    if (last_of_[f] >= 0) names += (names.empty() ? "'" : ", '") + assembly_.forces[f].name + "'";
  }
  return names;
}

std::string ElementMemory::note() const {
  const std::string all = names();
  if (all.empty()) return all;
  return fmt::format(
      "accelerations and multipliers that {} depends on are those of the last accepted step, and changed by up to "
      "{:.2g} of their largest values in one step: this error is of first order in the step, and only max_step bounds "
      "it",
      all, largest_change_);
}

void ElementMemory::remember(Archive& archive) {
  if (!any()) return;
  for (Generation* g : {now_, before_}) {
    const std::string name = g == now_ ? "model.memory" : "model.memory_before";
    archive.block(name, g->memory);
    archive.block(name + ".a", g->a);
    archive.block(name + ".lambda", g->lambda);
    archive.values(name + ".t", g->t);
    for (AcceptedStep& last : g->last) last.t = g->t;
  }
  archive.values("model.memory_changes", largest_change_, largest_a_, largest_lambda_);
  if (archive.restores()) shown_ = now_, begun_ = true;
}

}  // namespace trammel
