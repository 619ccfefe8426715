// Gradients of a model that involve its internal states: exact ones of the forces, or differences.
#include "model/internal_linearization.h"

#include <algorithm>
#include <cmath>

#include "linalg/sizes.h"
#include "model/model_point.h"
#include "plugin/breadcrumb.h"

namespace trammel {
namespace {

using Block = Eigen::Map<const Eigen::MatrixXd>;

}  // namespace

InternalLinearization::InternalLinearization(ModelPoint& point)
    : point_(point), assembly_(point.assembly()), c_(assembly_.body_coordinates()) {
  const Assembly& assembly = assembly_;
  Index size = 0;
  std::size_t most = 0;
  for (std::size_t e = 0; e < assembly.forces.size(); ++e) {
    const ForceSlot& slot = assembly.forces[e];
    const Index states = slot.states;
    if (states == 0) continue;
    entries_.push_back({e, states, size});
    size += states * (3 * c_ * static_cast<Index>(slot.bodies.size()) + states + 1);
    most = std::max(most, slot.bodies.size());
  }
  values_.assign(count(size), 0.0);
  views_.resize(3 * most);
}

/// Kinds 0, 1, 2: Q_z, (z')_q, (z')_v of a body; 3: (z')_z; 4: (z')_t.
Index InternalLinearization::block(const Entry& entry, Index kind, Index body) const {
  const Index bodies = static_cast<Index>(assembly_.forces[entry.force].bodies.size()), one = entry.states * c_;
  if (kind < 3) return entry.offset + (kind * bodies + body) * one;
  return entry.offset + 3 * bodies * one + (kind == 3 ? 0 : entry.states * entry.states);
}

Status InternalLinearization::compute(std::vector<Index>& differenced) {
  std::fill(values_.begin(), values_.end(), 0.0);
  for (const Entry& entry : entries_) {
    const ForceSlot& slot = assembly_.forces[entry.force];
    const Index bodies = static_cast<Index>(slot.bodies.size()), nz = entry.states;
    for (Index kind = 0; kind < 3; ++kind) {
      for (Index b = 0; b < bodies; ++b) {
        double* at = values_.data() + block(entry, kind, b);
        MatrixView& view = views_[count(kind * bodies + b)];
        view = slot.bodies[count(b)] < 0 ? MatrixView{}
               : kind == 0               ? MatrixView{at, c_, nz, c_}
                                         : MatrixView{at, nz, c_, nz};
      }
    }
    InternalGradients out;
    out.Q_z = views_.data();
    out.rate_q = views_.data() + bodies;
    out.rate_v = views_.data() + 2 * bodies;
    out.rate_z = {values_.data() + block(entry, 3, 0), nz, nz, nz};
    out.rate_t = {values_.data() + block(entry, 4, 0), nz};
    const ElementMark mark(slot.plugin.c_str(), slot.name.c_str());
    Status status = slot.force->internal_gradients(point_.element_state(slot), out);
    if (status.code == StatusCode::unsupported) {
      const Index index = static_cast<Index>(entry.force);
      if (std::find(differenced.begin(), differenced.end(), index) == differenced.end()) differenced.push_back(index);
      status = differences(entry);
    }
    if (!status) return status;
  }
  return Status::success();
}

// Central differences with a step of cbrt(eps), error about 1e-10 relative.
Status InternalLinearization::differences(const Entry& entry) {
  constexpr double relative_step = 6e-6;
  const ForceSlot& slot = assembly_.forces[entry.force];
  const Index bodies = static_cast<Index>(slot.bodies.size()), nz = entry.states;
  std::vector<double> q(point_.q()), v(point_.v()), z(point_.z());
  double t = point_.element_state(slot).t;
  std::vector<double> rates(2 * count(nz)), forces(2 * count(bodies * c_));
  std::vector<VectorView> local(count(bodies));
  Status status;
  const auto evaluate = [&](Index side) {
    point_.move_states(q, v);
    ElementState s = point_.element_state(slot);
    s.t = t, s.z = z.data() + slot.first_z;
    for (Index b = 0; b < bodies; ++b) {
      local[count(b)] = {};
      if (slot.bodies[count(b)] >= 0) local[count(b)] = {forces.data() + (side * bodies + b) * c_, c_};
    }
    std::fill_n(forces.begin() + side * bodies * c_, bodies * c_, 0.0);
    const ElementMark mark(slot.plugin.c_str(), slot.name.c_str());
    Status result = slot.force->internal_rate(s, {rates.data() + side * nz, nz});
    if (result) result = slot.force->force(s, local.data());
    if (!result) status = result;
  };
  /// Differences along one scalar; afterwards the two sides are in `rates` and `forces`.
  const auto perturb = [&](double& entry_of_x) {
    const double base = entry_of_x, h = relative_step * std::max(1.0, std::abs(base));
    entry_of_x = base + h;
    evaluate(0);
    entry_of_x = base - h;
    evaluate(1);
    entry_of_x = base;
    for (Index i = 0; i < nz; ++i) rates[count(i)] = (rates[count(i)] - rates[count(nz + i)]) / (2 * h);
    for (Index i = 0; i < bodies * c_; ++i) {
      forces[count(i)] = (forces[count(i)] - forces[count(bodies * c_ + i)]) / (2 * h);
    }
  };
  for (Index b = 0; b < bodies; ++b) {
    const Index body = slot.bodies[count(b)];
    for (Index k = 0; body >= 0 && k < assembly_.table.width(body); ++k) {
      const std::size_t at = count(assembly_.table.first(body) + k);
      perturb(q[at]);
      std::copy_n(rates.begin(), nz, values_.begin() + block(entry, 1, b) + k * nz);
      perturb(v[at]);
      std::copy_n(rates.begin(), nz, values_.begin() + block(entry, 2, b) + k * nz);
    }
  }
  for (Index i = 0; i < nz; ++i) {
    perturb(z[count(slot.first_z + i)]);
    std::copy_n(rates.begin(), nz, values_.begin() + block(entry, 3, 0) + i * nz);
    for (Index b = 0; b < bodies; ++b) {
      std::copy_n(forces.begin() + b * c_, c_, values_.begin() + block(entry, 0, b) + i * c_);
    }
  }
  perturb(t);
  std::copy_n(rates.begin(), nz, values_.begin() + block(entry, 4, 0));
  point_.move_states(q, v);
  return status;
}

void InternalLinearization::apply(ConstVectorView dq, ConstVectorView dv, ConstVectorView dz, VectorView f,
                                  VectorView r) const {
  f.map().setZero();
  for (const Entry& entry : entries_) {
    const ForceSlot& slot = assembly_.forces[entry.force];
    const Index nz = entry.states;
    const VectorView rate = r.segment(slot.first_z, nz);
    const ConstVectorView own = dz.segment(slot.first_z, nz);
    rate.map().noalias() = Block(values_.data() + block(entry, 3, 0), nz, nz) * own.map();
    for (Index b = 0; b < static_cast<Index>(slot.bodies.size()); ++b) {
      const Index body = slot.bodies[count(b)];
      if (body < 0) continue;
      const Index first = assembly_.table.first(body), width = assembly_.table.width(body);
      const ConstVectorView q = dq.segment(first, width), v = dv.segment(first, width);
      f.segment(first, width).map().noalias() -=
          Block(values_.data() + block(entry, 0, b), c_, nz).topRows(width) * own.map();
      rate.map().noalias() += Block(values_.data() + block(entry, 1, b), nz, width) * q.map();
      rate.map().noalias() += Block(values_.data() + block(entry, 2, b), nz, width) * v.map();
    }
  }
}

void InternalLinearization::time_gradient(VectorView r) const {
  for (const Entry& entry : entries_) {
    std::copy_n(values_.begin() + block(entry, 4, 0), entry.states, r.data + assembly_.forces[entry.force].first_z);
  }
}

}  // namespace trammel
