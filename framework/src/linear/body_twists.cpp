// Twists of bodies from their coordinates.
#include "linear/body_twists.h"

#include <Eigen/Geometry>
#include <algorithm>

namespace trammel {
namespace {

using Vector3 = Eigen::Vector3d;

Vector3 three_of(ConstVectorView x, Index first) { return {x[first], x[first + 1], x[first + 2]}; }

/// 2 E(p) x, E = [-e, e0 1 + e~] with p = (e0, e): omega of x = p', along the axes of space.
Vector3 twice_E(ConstVectorView p, Index first, ConstVectorView x) {
  const Vector3 e = three_of(p, first + 1), y = three_of(x, first + 1);
  return 2 * (p[first] * y - x[first] * e + e.cross(y));
}

}  // namespace

BodyTwists::BodyTwists(const Assembly& assembly, const Vector3& turning) : assembly_(assembly), turning_(turning) {
  const BodyTable& table = assembly.table;
  const bool spatial = table.frame_columns() == SpatialBodyState::coordinates;
  for (Index b = 0; b < table.bodies(); ++b) {
    Place place{};
    place.first = table.first(b), place.entry = size(), place.spatial = spatial;
    place.turns = table.turns(b);
    const Index own = table.width(b), directions = spatial ? 3 : 2;
    place.vectors = std::min(own, directions);
    const Index frame = place.turns ? table.frame_columns() : place.vectors;
    for (Index k = 0; k < place.vectors; ++k) entries_.push_back({b, k, false});
    if (place.turns) {
      for (Index k = 0; k < (spatial ? 3 : 1); ++k) entries_.push_back({b, directions + k, true});
    }
    place.rest = place.first + frame, place.rest_count = own - frame;
    for (Index k = 0; k < place.rest_count; ++k) entries_.push_back({b, frame + k, false});
    places_.push_back(place);
  }
}

std::string BodyTwists::name(Index i) const {
  const Entry& entry = entries_[static_cast<std::size_t>(i)];
  const Place& place = places_[static_cast<std::size_t>(entry.body)];
  if (entry.turn && place.spatial) {
    const char* const axes[] = {".turn_x", ".turn_y", ".turn_z"};
    return assembly_.body_names[static_cast<std::size_t>(entry.body)] + axes[entry.within - 3];
  }
  return assembly_.coordinate_name(place.first + entry.within);
}

std::string BodyTwists::rate_name(Index i) const {
  const Entry& entry = entries_[static_cast<std::size_t>(i)];
  if (!entry.turn || !places_[static_cast<std::size_t>(entry.body)].spatial) return "rate of " + name(i);
  const char* const axes[] = {".wx", ".wy", ".wz"};
  return assembly_.body_names[static_cast<std::size_t>(entry.body)] + axes[entry.within - 3];
}

bool BodyTwists::are_coordinates() const {
  return std::none_of(places_.begin(), places_.end(), [](const Place& place) { return place.spatial && place.turns; });
}

void BodyTwists::turn_axes(double t) {
  const double rate = turning_.norm();
  axes_ = rate > 0 ? Eigen::AngleAxisd(rate * t, turning_ / rate).toRotationMatrix() : Eigen::Matrix3d::Identity();
}

void BodyTwists::change(const State& at, ConstVectorView dq, ConstVectorView dv, ConstVectorView da, Twist& out) const {
  for (Eigen::VectorXd* x : {&out.xi, &out.eta, &out.xi_rate, &out.eta_rate}) x->setZero(size());
  accelerations(at, dq, da, out.eta_rate);
  for (const Place& place : places_) {
    for (Index k = 0; k < place.vectors; ++k) {
      out.xi[place.entry + k] = dq[place.first + k];
      out.eta[place.entry + k] = out.xi_rate[place.entry + k] = dv[place.first + k];
    }
    Index next = place.entry + place.vectors;
    if (place.turns && place.spatial) {
      const Index p = place.first + 3;
      out.xi.segment<3>(next) = twice_E(at.q, p, dq);
      out.eta.segment<3>(next) = twice_E(at.q, p, dv) + twice_E(dq, p, at.v);
      const Vector3 omega = twice_E(at.q, p, at.v);
      out.xi_rate.segment<3>(next) = out.eta.segment<3>(next) + omega.cross(Vector3(out.xi.segment<3>(next)));
      next += 3;
    } else if (place.turns) {
      out.xi[next] = dq[place.first + 2];
      out.eta[next] = out.xi_rate[next] = dv[place.first + 2];
      ++next;
    }
    for (Index k = 0; k < place.rest_count; ++k) {
      out.xi[next + k] = dq[place.rest + k];
      out.eta[next + k] = out.xi_rate[next + k] = dv[place.rest + k];
    }
    // Components along axes that turn.
    const auto turned = [&](const Eigen::VectorXd& of, Eigen::VectorXd& rate) {
      if (!place.spatial && place.vectors == 2) {
        rate[place.entry] += turning_.z() * of[place.entry + 1];
        rate[place.entry + 1] -= turning_.z() * of[place.entry];
      } else if (place.spatial) {
        for (Index first = place.entry; first + 2 < place.entry + (place.turns ? 6 : 3); first += 3)
          rate.segment<3>(first) -= turning_.cross(Vector3(of.segment<3>(first)));
      }
    };
    turned(out.xi, out.xi_rate);
    turned(out.eta, out.eta_rate);
  }
  for (Eigen::VectorXd* x : {&out.xi, &out.eta, &out.xi_rate, &out.eta_rate}) along_axes(*x);
}

void BodyTwists::accelerations(const State& at, ConstVectorView dq, ConstVectorView da, Eigen::VectorXd& out) const {
  out.setZero(size());
  for (const Place& place : places_) {
    for (Index k = 0; k < place.vectors; ++k) out[place.entry + k] = da[place.first + k];
    Index next = place.entry + place.vectors;
    if (place.turns && place.spatial) {  // alpha = 2 E(p) p'', since E(p') p' = 0
      const Index p = place.first + 3;
      out.segment<3>(next) = twice_E(at.q, p, da) + twice_E(dq, p, at.a);
      next += 3;
    } else if (place.turns) {
      out[next++] = da[place.first + 2];
    }
    for (Index k = 0; k < place.rest_count; ++k) out[next + k] = da[place.rest + k];
  }
}

void BodyTwists::along_axes(Eigen::VectorXd& x) const {
  if (axes_ == Eigen::Matrix3d::Identity()) return;
  for (const Place& place : places_) {
    if (!place.spatial && place.vectors == 2) {
      x.segment<2>(place.entry) = (axes_.topLeftCorner<2, 2>().transpose() * x.segment<2>(place.entry)).eval();
    } else if (place.spatial) {
      for (Index first = place.entry; first + 2 < place.entry + (place.turns ? 6 : 3); first += 3)
        x.segment<3>(first) = (axes_.transpose() * x.segment<3>(first)).eval();
    }
  }
}

}  // namespace trammel
