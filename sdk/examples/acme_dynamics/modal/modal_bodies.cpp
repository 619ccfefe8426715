// Motion, inertia and frames of rigid bodies and of beams with one mode; equations in the header.
#include "modal_bodies.h"

#include <trammel/error.h>
#include <trammel/sdk/elements/bodies.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace acme::modal {

using namespace trammel;

namespace {

const State* all(const void* states) { return static_cast<const State*>(states); }

/// e and n of the frame, and the products that all formulas need.
struct Axes {
  explicit Axes(const State& b) : e{b.frame.c, b.frame.s}, n{-b.frame.s, b.frame.c} {}
  double e[2], n[2];
};

double dot(const double* a, const double* b) { return a[0] * b[0] + a[1] * b[1]; }

constexpr const char* column_names[] = {"x", "y", "phi", "vx", "vy", "omega", "eta", "eta_rate"};
constexpr const char* coordinate_names[] = {"x", "y", "phi", "eta"};
constexpr const char* acceleration_names[] = {"ax", "ay", "alpha", "eta_acceleration"};

}  // namespace

ModalBodies::ModalBodies(const double* gravity, const ModelInfo& model) : g_{gravity[0], gravity[1]} {
  for (Index b = 0; b < model.body_count(); ++b) {
    const auto* p = static_cast<const BodyParameters*>(model.body_parameters(b));
    const std::string name = model.body_name(b);
    const auto require = [&](const char* key, double value, bool wanted) {
      if (given(value) == wanted) return;
      const std::string type = p->type == BodyType::beam ? "beam" : "rigid body";
      throw Error::parameter("bodies/" + name + "/" + key,
                             "body '" + name + "': a " + type + (wanted ? " needs '" : " has no '") + key + "'");
    };
    const bool beam = p->type == BodyType::beam;
    require("inertia", p->inertia, !beam);
    require("length", p->length, beam);
    require("bending_stiffness", p->bending_stiffness, beam);
    for (const auto& [key, value] :
         {std::pair{"damping", p->damping}, {"deflection", p->deflection}, {"deflection_rate", p->deflection_rate}}) {
      if (!beam && value != 0) require(key, value, false);
    }
    Data data{p, p->mass, beam ? 0 : p->inertia, p->damping, beam ? 4 : 3, {}};
    if (beam) {
      data.beam = Beam(p->ends == Ends::free ? Mode::free : Mode::clamped, p->mass, p->length, p->bending_stiffness);
    }
    data_.push_back(data);
  }
}

const char* ModalBodies::coordinate_name(Index k) const { return coordinate_names[k]; }
const char* ModalBodies::column_name(Index k) const { return column_names[k]; }
const char* ModalBodies::acceleration_column_name(Index k) const { return acceleration_names[k]; }

void ModalBodies::describe(Index body, BodyShape& shape) const {
  static constexpr Index of_rigid[] = {0, 1, 2, 3, 4, 5};
  if (data(body).width == 3) shape = {BodyKind::rigid, 3, 0, false, of_rigid, 6, of_rigid, 3};
}

void ModalBodies::initial(Index body, VectorView q, VectorView v) const {
  const BodyParameters& p = *data(body).start;
  q[0] = p.position[0], q[1] = p.position[1], q[2] = p.angle;
  v[0] = p.velocity[0], v[1] = p.velocity[1], v[2] = p.angular_velocity;
  if (data(body).width == 4) q[3] = p.deflection, v[3] = p.deflection_rate;
}

void ModalBodies::ground_state(void* state) const {
  State& ground = *static_cast<State*>(state);
  ground = {};
  ground.frame.c = 1;
}

void ModalBodies::kinematics(ConstVectorView q, ConstVectorView v, void* states) const {
  State* b = static_cast<State*>(states);
  Index i = 0;
  for (const Data& data : data_) {
    const bool moves = v.data != nullptr;
    *b = {};
    b->frame.r[0] = q[i], b->frame.r[1] = q[i + 1], b->frame.phi = q[i + 2];
    b->frame.c = std::cos(q[i + 2]), b->frame.s = std::sin(q[i + 2]);
    if (moves) b->frame.rdot[0] = v[i], b->frame.rdot[1] = v[i + 1], b->frame.omega = v[i + 2];
    if (data.width == 4) {
      b->eta = q[i + 3], b->eta_rate = moves ? v[i + 3] : 0;
      b->beam = &data.beam;
    }
    ++b, i += data.width;
  }
}

Status ModalBodies::force(double, const void* states, VectorView Q) const {
  const State* b = all(states);
  double* out = Q.data;
  for (const Data& data : data_) {
    out[0] = data.mass * g_[0], out[1] = data.mass * g_[1], out[2] = 0;
    if (data.width == 4) {
      const Beam& m = data.beam;
      const Axes at(*b);
      const double w = b->frame.omega, along = m.S * w * w + 2 * m.c1 * b->eta_rate * w, across = m.c1 * b->eta * w * w;
      for (int k = 0; k < 2; ++k) out[k] += along * at.e[k] + across * at.n[k];
      out[2] = -2 * m.c2 * b->eta * b->eta_rate * w + m.S * dot(at.n, g_) - m.c1 * b->eta * dot(at.e, g_);
      out[3] = m.c2 * b->eta * w * w + m.c1 * dot(at.n, g_) - m.k * b->eta - data.damping * b->eta_rate;
    }
    ++b, out += data.width;
  }
  return Status::success();
}

Status ModalBodies::force_gradients(double, const void* states, double* Q_q, double* Q_v) const {
  const State* b = all(states);
  for (const Data& data : data_) {
    const Index size = data.width * data.width;
    std::fill_n(Q_q, size, 0.0);
    std::fill_n(Q_v, size, 0.0);
    if (data.width == 4) {
      const Beam& m = data.beam;
      const Axes at(*b);
      const double w = b->frame.omega, eta = b->eta, rate = b->eta_rate;
      double *q_phi = Q_q + 8, *q_eta = Q_q + 12, *v_phi = Q_v + 8, *v_eta = Q_v + 12;  // columns
      for (int k = 0; k < 2; ++k) {
        q_phi[k] = (m.S * w * w + 2 * m.c1 * rate * w) * at.n[k] - m.c1 * eta * w * w * at.e[k];
        q_eta[k] = m.c1 * w * w * at.n[k];
        v_phi[k] = 2 * (m.S * w + m.c1 * rate) * at.e[k] + 2 * m.c1 * eta * w * at.n[k];
        v_eta[k] = 2 * m.c1 * w * at.e[k];
      }
      q_phi[2] = -m.S * dot(at.e, g_) - m.c1 * eta * dot(at.n, g_);
      q_eta[2] = -2 * m.c2 * rate * w - m.c1 * dot(at.e, g_);
      v_phi[2] = -2 * m.c2 * eta * rate;
      v_eta[2] = -2 * m.c2 * eta * w;
      q_phi[3] = -m.c1 * dot(at.e, g_);
      q_eta[3] = m.c2 * w * w - m.k;
      v_phi[3] = 2 * m.c2 * eta * w;
      v_eta[3] = -data.damping;
    }
    ++b, Q_q += size, Q_v += size;
  }
  return Status::success();
}

namespace {

/// M of a beam, column by column.
void mass_of(const Beam& m, const State& b, double* M) {
  const Axes at(b);
  std::fill_n(M, 16, 0.0);
  for (int k = 0; k < 2; ++k) {
    M[5 * k] = m.mass;
    M[8 + k] = M[4 * k + 2] = m.S * at.n[k] - m.c1 * b.eta * at.e[k];
    M[12 + k] = M[4 * k + 3] = m.c1 * at.n[k];
  }
  M[10] = m.I + m.c2 * b.eta * b.eta;
  M[11] = M[14] = m.d1;
  M[15] = m.c2;
}

}  // namespace

void ModalBodies::mass_blocks(const void* states, double* M) const {
  const State* b = all(states);
  for (const Data& data : data_) {
    if (data.width == 4) {
      mass_of(data.beam, *b, M);
    } else {
      std::fill_n(M, 9, 0.0);
      M[0] = M[4] = data.mass, M[8] = data.inertia;
    }
    ++b, M += data.width * data.width;
  }
}

void ModalBodies::apply_mass(const void* states, ConstVectorView x, VectorView out) const {
  const State* b = all(states);
  Index i = 0;
  for (const Data& data : data_) {
    if (data.width == 4) {
      double M[16];
      mass_of(data.beam, *b, M);
      for (int row = 0; row < 4; ++row) {
        out[i + row] = 0;
        for (int k = 0; k < 4; ++k) out[i + row] += M[4 * k + row] * x[i + k];
      }
    } else {
      out[i] = data.mass * x[i], out[i + 1] = data.mass * x[i + 1], out[i + 2] = data.inertia * x[i + 2];
    }
    ++b, i += data.width;
  }
}

void ModalBodies::mass_gradient(const void* states, ConstVectorView x, double* out) const {
  const State* b = all(states);
  const double* at_x = x.data;
  for (const Data& data : data_) {
    std::fill_n(out, data.width * data.width, 0.0);
    if (data.width == 4) {
      const Beam& m = data.beam;
      const Axes at(*b);
      double *by_phi = out + 8, *by_eta = out + 12;
      for (int k = 0; k < 2; ++k) {
        by_phi[k] = -at_x[2] * (m.S * at.e[k] + m.c1 * b->eta * at.n[k]) - at_x[3] * m.c1 * at.e[k];
        by_eta[k] = -at_x[2] * m.c1 * at.e[k];
      }
      by_phi[2] = -m.S * dot(at_x, at.e) - m.c1 * b->eta * dot(at_x, at.n);
      by_eta[2] = -m.c1 * dot(at_x, at.e) + 2 * m.c2 * b->eta * at_x[2];
      by_phi[3] = -m.c1 * dot(at_x, at.e);
    }
    ++b, at_x += data.width, out += data.width * data.width;
  }
}

double ModalBodies::kinetic_energy(const void* states) const {
  const State* b = all(states);
  double energy = 0;
  for (const Data& data : data_) {
    const PlanarBodyState& f = b->frame;
    if (data.width == 4) {
      double M[16];
      mass_of(data.beam, *b, M);
      const double v[] = {f.rdot[0], f.rdot[1], f.omega, b->eta_rate};
      for (int i = 0; i < 16; ++i) energy += 0.5 * v[i / 4] * M[i] * v[i % 4];
    } else {
      energy += 0.5 * (data.mass * dot(f.rdot, f.rdot) + data.inertia * f.omega * f.omega);
    }
    ++b;
  }
  return energy;
}

double ModalBodies::potential_energy(double, const void* states) const {
  const State* b = all(states);
  double energy = 0;
  for (const Data& data : data_) {
    energy -= data.mass * dot(b->frame.r, g_);
    if (data.width == 4) {
      const Beam& m = data.beam;
      const Axes at(*b);
      energy += 0.5 * m.k * b->eta * b->eta - m.S * dot(at.e, g_) - m.c1 * b->eta * dot(at.n, g_);
    }
    ++b;
  }
  return energy;
}

void ModalBodies::wrench(const void*, ConstVectorView Q, double* force, double* torque) const {
  force[0] = Q[0], force[1] = Q[1], force[2] = 0;
  torque[0] = torque[1] = 0, torque[2] = Q[2];
}

void ModalBodies::column_values(const void* state, VectorView out) const {
  const State& b = *all(state);
  const double values[] = {b.frame.r[0],    b.frame.r[1],  b.frame.phi, b.frame.rdot[0],
                           b.frame.rdot[1], b.frame.omega, b.eta,       b.eta_rate};
  std::copy(values, values + 8, out.data);
}

void ModalBodies::acceleration_values(const void*, ConstVectorView a, VectorView out) const {
  std::copy(a.data, a.data + 4, out.data);
}

namespace {

/// What the formulas of a frame share; x is along the beam, of a rigid body any point.
struct Point {
  Point(const State& b, const double* local) : at(b), s(local[0]), eta(b.eta), rate(b.eta_rate), w(b.frame.omega) {
    if (b.beam != nullptr) shape = b.beam->shape(s);
    across = local[1] + shape.value * eta;
  }
  Axes at;
  double s, eta, rate, w;
  Shape shape{0, 0};
  double across;  ///< of the undeformed point and of the deflection
};

}  // namespace

void ModalBodies::point(const void* state, const double* local, ConstVectorView a, double* position, double* velocity,
                        double* acceleration) const {
  const State& b = *all(state);
  const Point p(b, local);
  const double *e = p.at.e, *n = p.at.n;
  for (int k = 0; k < 2; ++k) {
    position[k] = b.frame.r[k] + p.s * e[k] + p.across * n[k];
    velocity[k] = b.frame.rdot[k] + p.w * (p.s * n[k] - p.across * e[k]) + p.shape.value * p.rate * n[k];
    if (a.data == nullptr) continue;
    acceleration[k] = a[k] + a[2] * (p.s * n[k] - p.across * e[k]) + p.shape.value * a[3] * n[k] -
                      p.w * p.w * (p.s * e[k] + p.across * n[k]) - 2 * p.shape.value * p.rate * p.w * e[k];
  }
  position[2] = velocity[2] = 0;
  if (a.data != nullptr) acceleration[2] = 0;
}

bool ModalBodies::has_frame(Index body, const double* local) const {
  const Beam& beam = data(body).beam;
  const double rounding = 1e-9 * (beam.end - beam.begin);
  return data(body).width == 4 && std::abs(local[1]) <= rounding && local[0] >= beam.begin - rounding &&
         local[0] <= beam.end + rounding;
}

void ModalBodies::frame(Index, const double* local, const void* state, void* frame) const {
  const State& b = *all(state);
  const Point p(b, local);
  PlanarBodyState& out = *static_cast<PlanarBodyState*>(frame);
  double position[3], velocity[3];
  point(state, local, {}, position, velocity, nullptr);
  std::copy(position, position + 2, out.r);
  std::copy(velocity, velocity + 2, out.rdot);
  out.phi = b.frame.phi + p.shape.slope * p.eta;
  out.omega = p.w + p.shape.slope * p.rate;
  out.c = std::cos(out.phi), out.s = std::sin(out.phi);
}

void ModalBodies::jacobian(Index, const double* local, const void* state, double* J, double* kappa) const {
  const Point p(*all(state), local);
  std::fill_n(J, 12, 0.0);
  J[0] = J[4] = J[8] = 1;
  for (int k = 0; k < 2; ++k) {
    J[6 + k] = p.s * p.at.n[k] - p.across * p.at.e[k];
    J[9 + k] = p.shape.value * p.at.n[k];
    if (kappa == nullptr) continue;
    kappa[k] = -(p.s * p.w * p.w + 2 * p.shape.value * p.rate * p.w) * p.at.e[k] - p.across * p.w * p.w * p.at.n[k];
  }
  J[11] = p.shape.slope;
  if (kappa != nullptr) kappa[2] = 0;
}

void ModalBodies::jacobian_gradient(Index, const double* local, const void* state, const double* x, double* out) const {
  const State& b = *all(state);
  const Point p(b, local);
  const double turn = x != nullptr ? x[2] : p.w, bend = p.shape.value * (x != nullptr ? x[3] : p.rate);
  std::fill_n(out, 12, 0.0);
  for (int k = 0; k < 2; ++k) {
    out[6 + k] = -turn * (p.s * p.at.e[k] + p.across * p.at.n[k]) - bend * p.at.e[k];
    out[9 + k] = -turn * p.shape.value * p.at.e[k];
  }
}

void ModalBodies::transpose_gradient(Index, const double* local, const void* state, const double* y,
                                     double* out) const {
  const Point p(*all(state), local);
  std::fill_n(out, 16, 0.0);
  out[10] = -p.s * dot(y, p.at.e) - p.across * dot(y, p.at.n);
  out[11] = out[14] = -p.shape.value * dot(y, p.at.e);
}

void ModalBodies::kappa_gradient(Index, const double* local, const void* state, double* out_q, double* out_v) const {
  const Point p(*all(state), local);
  const double psi = p.shape.value, w = p.w;
  std::fill_n(out_q, 12, 0.0);
  std::fill_n(out_v, 12, 0.0);
  for (int k = 0; k < 2; ++k) {
    const double e = p.at.e[k], n = p.at.n[k];
    out_q[6 + k] = -(p.s * w * w + 2 * psi * p.rate * w) * n + p.across * w * w * e;
    out_q[9 + k] = -psi * w * w * n;
    out_v[6 + k] = -2 * (p.s * w + psi * p.rate) * e - 2 * p.across * w * n;
    out_v[9 + k] = -2 * psi * w * e;
  }
}

}  // namespace acme::modal
