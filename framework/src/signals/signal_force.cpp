// The chain rule between forces, signals and what these follow from; equations are numbered in the header.
#include "signals/signal_force.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "signals/signal_force_reports.h"
#include "trammel/error.h"

namespace trammel {
namespace {

constexpr const char* undefined = "a signal has no finite value here";

std::size_t at(Index k) { return static_cast<std::size_t>(k); }

}  // namespace

SignalForce::SignalForce(const ForceElement* inner, SignalNetwork network, std::vector<SignalChannel> channels,
                         const std::vector<Index>& read, Host host)
    : inner_(inner),
      network_(std::move(network)),
      host_(host),
      c_(host == Host::planar ? PlanarBodyState::coordinates : SpatialBodyState::coordinates) {
  if (inner_ != nullptr) {
    inner_bodies_ = inner_->body_count(), inner_states_ = inner_->internal_states();
    for (Index k = 0; k < inner_bodies_; ++k) bodies_.push_back(inner_->body(k));
    if (const auto* angles = find_extension<CountedAngles>(*inner_)) inner_angles_ = angles->angle_count();
    if (const auto* memory = find_extension<AcceptedMemory>(*inner_)) inner_memory_ = memory->memory_size();
  }
  Index angle = inner_angles_;
  for (SignalChannel& channel : channels) {
    Channel placed{channel, {position(channel.body(0)), -1}, -1};
    if (channel.body_count() > 1) placed.at[1] = position(channel.body(1));
    if (channel.angle() != nullptr) placed.angle = angle++;
    channels_.push_back(std::move(placed));
  }
  for (const Index node : read) read_.push_back(network_.slot_of(node));
  const auto limit = [](Index value, Index most, const char* what) {
    if (value > most)
      throw Error(ErrorKind::input,
                  fmt::format("reads signals with {} {} together with its own, the most are {}", value, what, most));
  };
  limit(body_count(), most_bodies, "bodies");
  limit(inner_bodies_, most_inner, "bodies of the force");
  limit(static_cast<Index>(read_.size()), most_read, "signals");
  limit(internal_states(), most_states, "states");
  for (const SignalBlock& block : network_.blocks()) {
    if (const auto* hold = std::get_if<HoldBlock>(&block.law)) start_memory_.push_back(hold->start);
  }
  reports_ = std::make_unique<const SignalForceReports>(*this);
}

SignalForce::~SignalForce() = default;

bool SignalForce::uses_rates(const void* const* bodies) const {
  if (inner_ == nullptr) return false;
  std::vector<double> z(at(internal_states()) + 1, 0.0), angles;
  initial_internal_states({z.data(), internal_states()});
  if (const auto* counted = find_extension<CountedAngles>(*this)) {
    angles.assign(at(counted->angle_count()), 0.0);
    counted->initial_angles({angles.data(), counted->angle_count()});
  }
  ElementState s;
  s.bodies = bodies, s.z = z.data(), s.angle_references = angles.data();
  Slots slots;
  Read now;
  if (!read(s, slots, now)) return false;
  std::vector<double> Q[2], rate[2];
  for (int k = 0; k < 2; ++k) {
    Q[k].assign(at(inner_bodies_ * c_), 0.0), rate[k].assign(at(inner_states_) + 1, 0.0);
    std::fill(now.rate, now.rate + read_.size(), static_cast<double>(k));
    std::vector<VectorView> views;
    for (Index b = 0; b < inner_bodies_; ++b)
      views.push_back(bodies_[at(b)].is_ground() ? VectorView{} : VectorView{Q[k].data() + b * c_, c_});
    const SignalsActing acting(now.value, now.rate);
    if (!inner_->force(s, views.data())) return false;
    if (inner_states_ > 0 && !inner_->internal_rate(s, {rate[k].data(), inner_states_})) return false;
  }
  return Q[0] != Q[1] || rate[0] != rate[1];
}

Index SignalForce::position(BodyRef body) {
  const auto found =
      std::find_if(bodies_.begin(), bodies_.end(), [&](BodyRef other) { return other.index == body.index; });
  const auto place = static_cast<Index>(found - bodies_.begin());
  if (found == bodies_.end()) bodies_.push_back(body);
  return place;
}

const void* SignalForce::extension(const char* id) const {
  if (std::string_view(id) == SignalCarrier::id) return static_cast<const SignalCarrier*>(this);
  return reports_->find(id);
}

Status SignalForce::channel(const ElementState& s, std::size_t k, double& value, SignalChannel::Gradient* gradient,
                            double* rate) const {
  const Channel& own = channels_[k];
  const void* const bodies[2] = {s.bodies[own.at[0]], own.at[1] >= 0 ? s.bodies[own.at[1]] : nullptr};
  const double* reference = own.angle >= 0 ? s.angle_references + own.angle : nullptr;
  return own.channel.evaluate(s.t, bodies, reference, value, gradient, rate);
}

Status SignalForce::look(const ElementState& s, Slots& slots) const {
  slots[0] = s.t;
  for (std::size_t k = 0; k < channels_.size(); ++k) {
    const Status status = channel(s, k, slots[network_.slot_of_channel(k)], nullptr, nullptr);
    if (!status) return status;
  }
  network_.evaluate(slots, own_states(s), own_memory(s));
  return Status::success();
}

Status SignalForce::read(const ElementState& s, Slots& slots, Read& read) const {
  const Status status = look(s, slots);
  if (!status) return status;
  for (std::size_t k = 0; k < read_.size(); ++k) {
    read.value[k] = slots[read_[k]];
    if (!std::isfinite(read.value[k])) return Status::failure(StatusCode::out_of_domain, undefined);
  }
  return status;
}

void SignalForce::derive(const ElementState& s, const Slots& values, std::size_t seed, Duals& out,
                         Taylor<1>* z_rate) const {
  const std::size_t given = 1 + channels_.size();
  for (std::size_t k = 0; k < given; ++k) out[k] = Taylor<1>(values[k], k == seed ? 1 : 0);
  for (std::size_t k = 0; seed == 0 && k < channels_.size(); ++k) {
    if (!channels_[k].channel.depends_on_time()) continue;
    double value = 0;
    SignalChannel::Gradient g;
    const Status status = channel(s, k, value, &g, nullptr);
    out[network_.slot_of_channel(k)].c[1] = status ? g.t : std::numeric_limits<double>::quiet_NaN();
  }
  Taylor<1> z[most_states];
  for (Index k = 0; k < network_.states(); ++k) z[k] = Taylor<1>(own_states(s)[k], given + at(k) == seed ? 1 : 0);
  network_.evaluate(out, z, own_memory(s));
  if (z_rate != nullptr) network_.rates(out, z, own_memory(s), z_rate);
}

Status SignalForce::force(const ElementState& s, const VectorView* Q) const {
  if (inner_ == nullptr) return Status::success();
  Slots slots;
  Read now;
  const Status status = read(s, slots, now);
  if (!status) return status;
  const SignalsActing acting(now.value, now.rate);
  return inner_->force(s, Q);
}

Status SignalForce::by_signals(const ElementState& s, const Read& now, Columns& force, Columns& rates) const {
  const auto n = static_cast<Index>(read_.size());
  const Index rows = inner_bodies_ * c_;
  force.setZero(rows, n), rates.setZero(inner_states_, n);
  Eigen::Matrix<double, Eigen::Dynamic, 1, 0, most_inner * widest, 1> still(rows), moving(rows);
  Eigen::Matrix<double, Eigen::Dynamic, 1, 0, most_states, 1> z_still(inner_states_), z_moving(inner_states_);
  const auto ask = [&](const double* told, double* to, double* z_to) {
    const SignalsActing acting(now.value, told);
    VectorView views[most_inner];
    for (Index b = 0; b < inner_bodies_; ++b)
      views[b] = bodies_[at(b)].is_ground() ? VectorView{} : VectorView{to + b * c_, c_};
    Status status = inner_->time_gradient(s, views);
    if (!status || inner_states_ == 0) return status;
    InternalGradients out;
    out.rate_t = {z_to, inner_states_};
    return inner_->internal_gradients(s, out);
  };
  double told[most_read] = {};
  still.setZero(), z_still.setZero();
  Status status = ask(told, still.data(), z_still.data());
  for (Index k = 0; status && k < n; ++k) {
    told[k] = 1;
    moving.setZero(), z_moving.setZero();
    status = ask(told, moving.data(), z_moving.data());
    force.col(k) = moving - still, rates.col(k) = z_moving - z_still;
    told[k] = 0;
  }
  return status;
}

Status SignalForce::gradients(const ElementState& s, const MatrixView* Q_q, const MatrixView* Q_v) const {
  if (inner_ == nullptr) return Status::success();
  Slots slots;
  Read now;
  Status status = read(s, slots, now);
  if (!status) return status;
  const Index K = body_count();
  MatrixView inner_q[most_inner * most_inner], inner_v[most_inner * most_inner];
  for (Index i = 0; i < inner_bodies_; ++i) {
    for (Index j = 0; j < inner_bodies_; ++j) {
      if (Q_q != nullptr) inner_q[i * inner_bodies_ + j] = Q_q[i * K + j];
      if (Q_v != nullptr) inner_v[i * inner_bodies_ + j] = Q_v[i * K + j];
    }
  }
  {
    const SignalsActing acting(now.value, now.rate);
    status = inner_->gradients(s, Q_q != nullptr ? inner_q : nullptr, Q_v != nullptr ? inner_v : nullptr);
  }
  Columns force, rates;
  if (status) status = by_signals(s, now, force, rates);
  if (!status) return status;
  Duals by_channel;
  Eigen::Matrix<double, Eigen::Dynamic, 1, 0, most_inner * widest, 1> pushed;
  for (std::size_t k = 0; k < channels_.size(); ++k) {  // (1)
    derive(s, slots, network_.slot_of_channel(k), by_channel, nullptr);
    pushed.setZero(inner_bodies_ * c_);
    for (std::size_t r = 0; r < read_.size(); ++r)
      pushed += by_channel[read_[r]].slope() * force.col(static_cast<Index>(r));
    double value = 0;
    SignalChannel::Gradient g;
    status = channel(s, k, value, &g, nullptr);
    if (!status) return status;
    for (Index b = 0; b < channels_[k].channel.body_count(); ++b) {
      const Index column = channels_[k].at[b];
      for (Index i = 0; i < inner_bodies_; ++i) {
        const auto add = [&](const MatrixView* out, const double* by) {
          if (out == nullptr || !out[i * K + column]) return;
          const MatrixView& block = out[i * K + column];
          for (Index m = 0; m < c_; ++m) {
            for (Index n = 0; n < c_; ++n) block(m, n) += pushed[i * c_ + m] * by[n];
          }
        };
        add(Q_q, g.q[b]), add(Q_v, g.v[b]);
      }
    }
  }
  return status;
}

Status SignalForce::time_gradient(const ElementState& s, const VectorView* Q_t) const {
  if (inner_ == nullptr) return Status::success();
  Slots slots;
  Read now;
  const Status status = read(s, slots, now);
  if (!status) return status;
  Duals by_t;
  derive(s, slots, 0, by_t, nullptr);
  for (std::size_t k = 0; k < read_.size(); ++k) now.rate[k] = by_t[read_[k]].slope();
  const SignalsActing acting(now.value, now.rate);
  return inner_->time_gradient(s, Q_t);
}

Status SignalForce::true_rates(const ElementState& s, const Slots& slots, double* rate) const {
  double z_rate[most_states];
  network_.rates(slots, own_states(s), own_memory(s), z_rate);
  Duals along;
  along[0] = Taylor<1>(s.t, 1);
  Taylor<1> z[most_states];
  for (Index k = 0; k < network_.states(); ++k) z[k] = Taylor<1>(own_states(s)[k], z_rate[k]);
  for (std::size_t k = 0; k < channels_.size(); ++k) {
    double value = 0, moving = 0;
    const Status status = channel(s, k, value, nullptr, &moving);
    if (!status) return status;
    if (channels_[k].channel.is_velocity()) moving = std::numeric_limits<double>::quiet_NaN();
    along[network_.slot_of_channel(k)] = Taylor<1>(value, moving);
  }
  network_.evaluate(along, z, own_memory(s));
  for (std::size_t k = 0; k < read_.size(); ++k) rate[k] = along[read_[k]].slope();
  return Status::success();
}

// A potential that depends on a signal of a velocity changes with an acceleration, which nobody knows here. Where it makes
// no difference what the rate is, there is no such potential; elsewhere all of the force's power counts as work.
Status SignalForce::energy(const ElementState& s, ForceEnergy& energy) const {
  if (inner_ == nullptr) return Status::success();
  Slots slots;
  Read now;
  Status status = read(s, slots, now);
  if (status) status = true_rates(s, slots, now.rate);
  if (!status) return status;
  bool known = true;
  for (std::size_t k = 0; k < read_.size(); ++k) {
    if (std::isfinite(now.rate[k])) continue;
    known = false, now.rate[k] = 0;
  }
  ForceEnergy found;
  {
    const SignalsActing acting(now.value, now.rate);
    status = inner_->energy(s, found);
  }
  if (!status) return status;
  if (!known) {
    double faster[most_read];
    for (std::size_t k = 0; k < read_.size(); ++k) faster[k] = now.rate[k] + 1;
    ForceEnergy other;
    const SignalsActing acting(now.value, faster);
    status = inner_->energy(s, other);
    if (status && other.work != found.work)
      status = Status::failure(StatusCode::unsupported, "a potential that depends on a velocity");
  }
  if (!status) return status;
  energy.potential += found.potential, energy.dissipation += found.dissipation, energy.work += found.work;
  return status;
}

void SignalForce::initial_internal_states(VectorView z) const {
  if (inner_states_ > 0) inner_->initial_internal_states({z.data, inner_states_});
  network_.initial_states(z.data + inner_states_);
}

Status SignalForce::internal_rate(const ElementState& s, VectorView z_rate) const {
  Slots slots;
  Read now;
  Status status = read(s, slots, now);
  if (!status) return status;
  network_.rates(slots, own_states(s), own_memory(s), z_rate.data + inner_states_);
  for (Index k = inner_states_; k < internal_states(); ++k) {
    if (!std::isfinite(z_rate[k])) return Status::failure(StatusCode::out_of_domain, undefined);
  }
  if (inner_states_ == 0) return status;
  const SignalsActing acting(now.value, now.rate);
  return inner_->internal_rate(s, {z_rate.data, inner_states_});
}

Status SignalForce::internal_gradients(const ElementState& s, const InternalGradients& out) const {
  Slots slots;
  Read now;
  Status status = read(s, slots, now);
  if (!status) return status;
  const Index own = network_.states();
  Duals duals;
  Taylor<1> z_rate[most_states];
  derive(s, slots, 0, duals, z_rate);
  if (out.rate_t.data != nullptr) {
    for (Index k = 0; k < own; ++k) out.rate_t[inner_states_ + k] += z_rate[k].slope();
  }
  for (std::size_t k = 0; k < read_.size(); ++k) now.rate[k] = duals[read_[k]].slope();
  if (inner_states_ > 0) {
    MatrixView Q_z[most_inner], rate_q[most_inner], rate_v[most_inner];
    for (Index b = 0; b < inner_bodies_; ++b) {
      const auto part = [&](const MatrixView* all, bool columns) {
        if (all == nullptr || !all[b]) return MatrixView{};
        return columns ? MatrixView{all[b].data, all[b].rows, inner_states_, all[b].stride}
                       : MatrixView{all[b].data, inner_states_, all[b].cols, all[b].stride};
      };
      Q_z[b] = part(out.Q_z, true), rate_q[b] = part(out.rate_q, false), rate_v[b] = part(out.rate_v, false);
    }
    InternalGradients inner;
    inner.Q_z = Q_z, inner.rate_q = rate_q, inner.rate_v = rate_v;
    if (out.rate_z) inner.rate_z = {out.rate_z.data, inner_states_, inner_states_, out.rate_z.stride};
    if (out.rate_t.data != nullptr) inner.rate_t = {out.rate_t.data, inner_states_};
    const SignalsActing acting(now.value, now.rate);
    status = inner_->internal_gradients(s, inner);
    if (!status) return status;
  }
  Columns force, rates;
  if (inner_ != nullptr) status = by_signals(s, now, force, rates);
  if (!status) return status;
  const auto pushed = [&](const Columns& by, Index row) {  // (1)
    double sum = 0;
    for (std::size_t r = 0; r < read_.size(); ++r) sum += by(row, static_cast<Index>(r)) * duals[read_[r]].slope();
    return sum;
  };
  for (Index j = 0; j < own; ++j) {
    derive(s, slots, 1 + channels_.size() + at(j), duals, z_rate);
    const Index column = inner_states_ + j;
    for (Index b = 0; out.Q_z != nullptr && b < inner_bodies_; ++b) {
      for (Index m = 0; out.Q_z[b] && m < c_; ++m) out.Q_z[b](m, column) += pushed(force, b * c_ + m);
    }
    for (Index k = 0; out.rate_z && k < inner_states_; ++k) out.rate_z(k, column) += pushed(rates, k);
    for (Index k = 0; out.rate_z && k < own; ++k) out.rate_z(inner_states_ + k, column) += z_rate[k].slope();
  }
  for (std::size_t k = 0; k < channels_.size() && (out.rate_q != nullptr || out.rate_v != nullptr); ++k) {
    derive(s, slots, network_.slot_of_channel(k), duals, z_rate);
    double value = 0;
    SignalChannel::Gradient g;
    status = channel(s, k, value, &g, nullptr);
    if (!status) return status;
    for (Index row = 0; row < internal_states(); ++row) {
      const double by = row < inner_states_ ? pushed(rates, row) : z_rate[row - inner_states_].slope();
      if (by == 0) continue;
      for (Index b = 0; b < channels_[k].channel.body_count(); ++b) {
        const auto add = [&](const MatrixView* views, const double* gradient) {
          if (views == nullptr || !views[channels_[k].at[b]]) return;
          for (Index n = 0; n < c_; ++n) views[channels_[k].at[b]](row, n) += by * gradient[n];
        };
        add(out.rate_q, g.q[b]), add(out.rate_v, g.v[b]);
      }
    }
  }
  return status;
}

}  // namespace trammel
