// Forces of elements at a point.
#include "model/element_forces.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "linalg/sizes.h"
#include "model/model_point.h"
#include "plugin/breadcrumb.h"

namespace trammel {

const char* const turns_point_mass = "an element turns a point mass, which has no rotation, or needs that:";

bool turns(const double* x, Index stride, Index frame) {
  constexpr double rounding = 1e-9;
  const Index first = frame == SpatialBodyState::coordinates ? 4 : 2;
  double push = 0, turn = 0;
  for (Index k = 0; k < first; ++k) push = std::max(push, std::abs(x[k * stride]));
  for (Index k = first; k < frame; ++k) turn = std::max(turn, std::abs(x[k * stride]));
  return turn > rounding * push;
}

ElementForces::ElementForces(const Assembly& assembly, const Workers& workers, double* Q)
    : assembly_(assembly),
      Q_(Q),
      in_order_(nullptr, static_cast<Index>(assembly.forces.size())),
      shared_(&workers, static_cast<Index>(assembly.forces.size())) {
  bind();
  const bool many = assembly.forces.size() >= static_cast<std::size_t>(ElementRound::least_shared);
  if (many && wide_.empty()) separate();
}

void ElementForces::bind() {
  const BodyTable& table = assembly_.table;
  const Index c = table.local();
  constexpr Index whole = -1;
  std::map<Index, Index> of_turning;
  std::vector<Index> place;  // in `wide_`, for every attached body
  for (const ForceSlot& slot : assembly_.forces) {
    const std::size_t own = wide_.size();
    for (const Index body : slot.bodies) {
      place.push_back(whole);
      if (body < 0 || table.width(body) == c) continue;
      auto next = static_cast<Index>(wide_.size());
      if (table.turns(body)) {
        next = of_turning.try_emplace(body, next).first->second;
      } else {
        for (std::size_t k = own; k < wide_.size(); ++k) next = wide_[k].body == body ? static_cast<Index>(k) : next;
      }
      if (next == static_cast<Index>(wide_.size())) wide_.push_back({body, table.turns(body) ? nullptr : &slot});
      place.back() = next;
    }
  }
  wide_numbers_.assign(wide_.size() * count(c), 0.0);
  const Index* at = place.data();
  for (const ForceSlot& slot : assembly_.forces) {
    first_view_.push_back(views_.size());
    for (const Index body : slot.bodies) {
      const Index wide = *at++;
      views_.push_back(body < 0        ? VectorView{}
                       : wide == whole ? VectorView{Q_ + table.first(body), c}
                                       : VectorView{wide_numbers_.data() + wide * c, c});
    }
  }
}

// Whatever the number of threads: sums of another order have other digits.
void ElementForces::separate() {
  const Index c = assembly_.table.local();
  own_numbers_.assign(views_.size() * count(c), 0.0);
  double* numbers = own_numbers_.data();
  for (VectorView& view : views_) {
    if (view.data != nullptr) own_.push_back({view, numbers}), view = {numbers, c};
    numbers += c;
  }
}

Status ElementForces::call(const ModelPoint& point, Index number, double* z_rate) const {
  const ForceSlot& slot = assembly_.forces[count(number)];
  const ElementState s = point.element_state(slot);
  mark_element(slot.plugin.c_str(), slot.name.c_str());
  const Status status = slot.force->force(s, views_.data() + first_view_[count(number)]);
  const Index states = slot.states;
  return status && states > 0 ? slot.force->internal_rate(s, {z_rate + slot.first_z, states}) : status;
}

Status ElementForces::add(ModelPoint& point, double* z_rate) {
  std::fill(wide_numbers_.begin(), wide_numbers_.end(), 0.0);
  std::fill(own_numbers_.begin(), own_numbers_.end(), 0.0);
  ElementRound& round = own_.empty() ? in_order_ : shared_;
  const ElementRound::Failure failure = round.each([&](Index number) { return call(point, number, z_rate); });
  if (!failure.status) {
    point.fail(assembly_.forces[count(failure.call)]);
    return failure.status;
  }
  for (const Own& own : own_) {
    for (Index k = 0; k < own.sum.size; ++k) own.sum[k] += own.numbers[k];
  }
  return add_wide(point);
}

// What elements write for coordinates that a body does not have is cut off here: where it would turn a point mass, the
// motion that follows were not that of this model.
Status ElementForces::add_wide(ModelPoint& point) {
  const BodyTable& table = assembly_.table;
  const double* wide = wide_numbers_.data();
  for (const Wide& w : wide_) {
    double* own = Q_ + table.first(w.body);
    for (Index k = 0; k < table.width(w.body); ++k) own[k] += wide[k];
    if (w.only != nullptr && turns(wide, 1, table.frame_columns())) {
      point.fail(*w.only);
      return Status::failure(StatusCode::out_of_domain, turns_point_mass);
    }
    wide += table.local();
  }
  return Status::success();
}

}  // namespace trammel
