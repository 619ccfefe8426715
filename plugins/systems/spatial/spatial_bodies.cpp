// Kinematics, inertia, own forces and output of spatial bodies with Euler parameters.
#include "spatial_bodies.h"

#include <type_traits>

#include "trammel/sdk/math/wide.h"

// Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems I (1989), chapter 11; J in body axes,
// omega' = 2 G(p) pdot; a point mass has the first terms of (1) and nothing else:
//   T = m rdot.rdot/2 + omega'.J omega'/2,  M_rr = m I,  M_pp = 4 G^T J G                                         (1)
//   Q_p = -8 G(pdot)^T J G(p) pdot = 8 G(pdot)^T J G(pdot) p                                                      (2)
//   (Q_p)_p = 8 G(pdot)^T J G(pdot),  (Q_p)_v = -8 Z(J G(p) pdot) - 8 G(pdot)^T J G(p)                            (3)
//   (M x)_p = 4 Z(J G(p) x) - 4 G(p)^T J G(x),  where G(y)^T g = Z(g) y, Z(g) = [0, -g^T; g, -skew(g)]            (4)
//   W_p = G^T R / (2 p.p),  R R^T = J^-1,  so that W_p W_p^T = G^T J^-1 G / (4 (p.p)^2) = M_pp^+                  (5)
namespace trammel::spatial {
namespace {

using sdk::G_apply;
using sdk::G_transpose;
using sdk::parameter_rates;
using sdk::parameters;
using sdk::Vec3;
using sdk::vec3;
using sdk::Vec4;
using sdk::vec4;

const SpatialBodyState* bodies(const void* states) { return static_cast<const SpatialBodyState*>(states); }

/// 3x3 block m I.
void write_mass(double m, double* block) {
  for (int i = 0; i < 9; ++i) block[i] = i % 4 == 0 ? m : 0;
}

constexpr Vec4<> unit(int k) {
  return {k == 0 ? 1.0 : 0.0, {k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0, k == 3 ? 1.0 : 0.0}};
}

/// Z(g) y, equation (4).
Vec4<> Z_apply(const Vec3<>& g, const Vec4<>& y) { return G_transpose(y, g); }

/// The columns of W_p, equation (5): R is upper triangular, so column k combines the first k + 1 rows of G.
struct ReducedColumns {
  Vec4<> w0, w1, w2;

  TRAMMEL_INLINE ReducedColumns(const BodyData& data, const SpatialBodyState& b) {
    const double e0 = b.p[0], x = b.p[1], y = b.p[2], z = b.p[3], k = 0.5 / b.pp;
    const Vec4<> g0{-x, {e0, z, -y}}, g1{-y, {-z, e0, x}}, g2{-z, {y, -x, e0}};  // the rows of G
    w0 = (k * data.R[0]) * g0;
    w1 = (k * data.R[1]) * g0 + (k * data.R[2]) * g1;
    w2 = (k * data.R[3]) * g0 + (k * data.R[4]) * g1 + (k * data.R[5]) * g2;
  }
};

/// Writes a 7x7 block: rr on the diagonal of the first three, and the p columns `column(k)`.
template <class Column>
TRAMMEL_INLINE void write_block(double* block, double rr, const Column& column) {
  for (int i = 0; i < 49; ++i) block[i] = 0;
  block[0] = block[8] = block[16] = rr;
  // One by one: the unit vectors then cost nothing.
  sdk::store(column(0), block + 24), sdk::store(column(1), block + 31);
  sdk::store(column(2), block + 38), sdk::store(column(3), block + 45);
}

}  // namespace

SpatialBodies::SpatialBodies(const double* gravity, const ModelInfo& model) {
  runs_.share(find_extension<Workers>(model));
  for (Index k = 0; k < model.body_count(); ++k) {
    start_.push_back(static_cast<const BodyParameters*>(model.body_parameters(k)));
    bool singular = false;
    data_.push_back(prepare_body(model.body_name(k), *start_.back(), gravity, singular));
    reducible_ = reducible_ && !singular;
    runs_.add(data_.back().point);
  }
}

void SpatialBodies::describe(Index body, BodyShape& shape) const {
  static constexpr Index place_and_velocity[] = {0, 1, 2, 7, 8, 9}, acceleration[] = {0, 1, 2};
  if (!data_[static_cast<std::size_t>(body)].point) return;
  shape = {BodyKind::point_mass, 3, 3, false, place_and_velocity, 6, acceleration, 3};
}

void SpatialBodies::initial(Index body, VectorView q, VectorView v) const {
  const BodyParameters& start = *start_[static_cast<std::size_t>(body)];
  sdk::store(vec3(start.position), q.data);
  sdk::store(vec3(start.velocity), v.data);
  if (start.type == BodyType::point_mass) return;
  const Vec4<> p = vec4(start.rotation);
  sdk::store((1 / sdk::norm(p)) * p, q.data + 3);
  sdk::store(sdk::euler_rate(vec4(q.data + 3), vec3(start.angular_velocity)), v.data + 3);
}

void SpatialBodies::ground_state(void* state) const {
  SpatialBodyState& ground = *static_cast<SpatialBodyState*>(state);
  ground = {};
  ground.p[0] = ground.A[0] = ground.A[4] = ground.A[8] = ground.pp = 1;
}

void SpatialBodies::kinematics(ConstVectorView q, ConstVectorView v, void* states) const {
  runs_.in_parts([&](const sdk::BodyPart& part) {
    sdk::wide([&] {
      SpatialBodyState* b = static_cast<SpatialBodyState*>(states) + part.begin;
      const double* coordinate = q.data + part.coordinates;
      const double* rate = v.data != nullptr ? v.data + part.coordinates : nullptr;
      runs_.each(
          part, data_,
          [&](const BodyData&) TRAMMEL_INLINE_LAMBDA {
            for (int k = 0; k < 3; ++k) b->r[k] = coordinate[k];
            for (int k = 0; k < 4; ++k) b->p[k] = coordinate[3 + k];
            if (rate != nullptr) {
              for (int k = 0; k < 3; ++k) b->rdot[k] = rate[k];
              for (int k = 0; k < 4; ++k) b->pdot[k] = rate[3 + k];
              rate += 7;
            } else {
              for (double& x : b->rdot) x = 0;
              for (double& x : b->pdot) x = 0;
            }
            const Vec4<> p = parameters(*b);
            sdk::rotation_matrix(p, b->A);
            b->pp = sdk::dot(p, p);
            ++b, coordinate += 7;
          },
          [&](const BodyData&) TRAMMEL_INLINE_LAMBDA {
            *b = {};
            for (int k = 0; k < 3; ++k) b->r[k] = coordinate[k];
            for (int k = 0; rate != nullptr && k < 3; ++k) b->rdot[k] = rate[k];
            if (rate != nullptr) rate += 3;
            b->p[0] = b->A[0] = b->A[4] = b->A[8] = b->pp = 1;
            ++b, coordinate += 3;
          });
    });
  });
}

Status SpatialBodies::force(double, const void* states, VectorView Q) const {
  runs_.in_parts([&](const sdk::BodyPart& part) {
    sdk::wide([&] {
      const SpatialBodyState* b = bodies(states) + part.begin;
      double* out = Q.data + part.coordinates;
      runs_.each(
          part, data_,
          [&](const BodyData& data) TRAMMEL_INLINE_LAMBDA {
            const Vec4<> p = parameters(*b), v = parameter_rates(*b);
            sdk::store(data.weight, out);
            sdk::store(G_transpose(v, -8.0 * (data.J * G_apply(p, v))), out + 3);  // (2)
            ++b, out += 7;
          },
          [&](const BodyData& data) TRAMMEL_INLINE_LAMBDA {
            sdk::store(data.weight, out);
            ++b, out += 3;
          });
    });
  });
  return Status::success();
}

Status SpatialBodies::force_gradients(double, const void* states, double* Q_q, double* Q_v) const {
  sdk::wide([&] {
    const SpatialBodyState* b = bodies(states);
    double *q = Q_q, *v_block = Q_v;
    runs_.each(
        data_,
        [&](const BodyData& data) TRAMMEL_INLINE_LAMBDA {
          const Vec4<> p = parameters(*b), v = parameter_rates(*b);
          const Vec3<> h = data.J * G_apply(p, v);
          write_block(q, 0, [&](int k) TRAMMEL_INLINE_LAMBDA {
            return G_transpose(v, 8.0 * (data.J * G_apply(v, unit(k))));  // (3)
          });
          write_block(v_block, 0, [&](int k) TRAMMEL_INLINE_LAMBDA {
            return -8.0 * (Z_apply(h, unit(k)) + G_transpose(v, data.J * G_apply(p, unit(k))));
          });
          ++b, q += 49, v_block += 49;
        },
        [&](const BodyData&) TRAMMEL_INLINE_LAMBDA {
          write_mass(0, q), write_mass(0, v_block);
          ++b, q += 9, v_block += 9;
        });
  });
  return Status::success();
}

void SpatialBodies::mass_blocks(const void* states, double* M) const {
  sdk::wide([&] {
    const SpatialBodyState* b = bodies(states);
    double* block = M;
    runs_.each(
        data_,
        [&](const BodyData& data) TRAMMEL_INLINE_LAMBDA {
          const Vec4<> p = parameters(*b);
          write_block(block, data.mass, [&](int k) TRAMMEL_INLINE_LAMBDA {
            return G_transpose(p, 4.0 * (data.J * G_apply(p, unit(k))));  // (1)
          });
          ++b, block += 49;
        },
        [&](const BodyData& data) TRAMMEL_INLINE_LAMBDA {
          write_mass(data.mass, block);
          ++b, block += 9;
        });
  });
}

void SpatialBodies::apply_mass(const void* states, ConstVectorView x, VectorView out) const {
  const SpatialBodyState* b = bodies(states);
  const double* in = x.data;
  double* result = out.data;
  runs_.each(
      data_,
      [&](const BodyData& data) TRAMMEL_INLINE_LAMBDA {
        const Vec4<> p = parameters(*b);
        sdk::store(data.mass * vec3(in), result);
        sdk::store(G_transpose(p, 4.0 * (data.J * G_apply(p, vec4(in + 3)))), result + 3);  // (1)
        ++b, in += 7, result += 7;
      },
      [&](const BodyData& data) TRAMMEL_INLINE_LAMBDA {
        sdk::store(data.mass * vec3(in), result);
        ++b, in += 3, result += 3;
      });
}

void SpatialBodies::mass_gradient(const void* states, ConstVectorView x, double* out) const {
  sdk::wide([&] {
    const SpatialBodyState* b = bodies(states);
    const double* in = x.data;
    double* block = out;
    runs_.each(
        data_,
        [&](const BodyData& data) TRAMMEL_INLINE_LAMBDA {
          const Vec4<> p = parameters(*b), y = vec4(in + 3);
          const Vec3<> h = data.J * G_apply(p, y);
          write_block(block, 0, [&](int k) TRAMMEL_INLINE_LAMBDA {
            return 4.0 * (Z_apply(h, unit(k)) - G_transpose(p, data.J * G_apply(y, unit(k))));  // (4)
          });
          ++b, in += 7, block += 49;
        },
        [&](const BodyData&) TRAMMEL_INLINE_LAMBDA {
          write_mass(0, block);
          ++b, in += 3, block += 9;
        });
  });
}

namespace {

using Double2 [[gnu::vector_size(16)]] = double;
using Double4 [[gnu::vector_size(32)]] = double;

/// reduced = full W_b for as many rows as V holds, of columns of m numbers. Copies, because blocks have no alignment.
template <class V>
TRAMMEL_INLINE void reduce_rows(double inverse_root_mass, const ReducedColumns& W, const double* f, double* r,
                                Index m) {
  const auto move = [&](Index column) TRAMMEL_INLINE_LAMBDA {
    V x;
    __builtin_memcpy(&x, f + column * m, sizeof(V));
    x *= inverse_root_mass;
    __builtin_memcpy(r + column * m, &x, sizeof(V));
  };
  move(0), move(1), move(2);
  V p0, p1, p2, p3;
  __builtin_memcpy(&p0, f + 3 * m, sizeof(V)), __builtin_memcpy(&p1, f + 4 * m, sizeof(V));
  __builtin_memcpy(&p2, f + 5 * m, sizeof(V)), __builtin_memcpy(&p3, f + 6 * m, sizeof(V));
  const auto combine = [&](Index column, const Vec4<>& w) TRAMMEL_INLINE_LAMBDA {
    const V x = p0 * w.e0 + p1 * w.e.x + (p2 * w.e.y + p3 * w.e.z);
    __builtin_memcpy(r + column * m, &x, sizeof(V));
  };
  combine(3, W.w0), combine(4, W.w1), combine(5, W.w2);
}

/// All m rows, a constant where it is known, so that addresses are constants too.
template <class Rows>
TRAMMEL_INLINE void reduce_block(double inverse_root_mass, const ReducedColumns& W, const double* f, double* r,
                                 Rows m) {
  Index row = 0;
  for (; row + 4 <= m; row += 4) reduce_rows<Double4>(inverse_root_mass, W, f + row, r + row, m);
  if (row + 2 <= m) {
    reduce_rows<Double2>(inverse_root_mass, W, f + row, r + row, m);
    row += 2;
  }
  if (row < m) reduce_rows<double>(inverse_root_mass, W, f + row, r + row, m);
}

template <Index value>
using Constant = std::integral_constant<Index, value>;

}  // namespace

void SpatialBodies::reduce(const void* states, const ReductionBlock* blocks, Index count) const {
  runs_.in_parts(count, [&](Index begin, Index end) {
    sdk::wide([&] {
      const SpatialBodyState* all = bodies(states);
      for (const ReductionBlock *block = blocks + begin, *last = blocks + end; block != last;) {
        const Index body = block->body;
        const BodyData& data = data_[static_cast<std::size_t>(body)];
        if (data.point) {
          for (Index i = 0; i < 3 * block->rows; ++i) block->reduced[i] = data.inverse_root_mass * block->full[i];
          ++block;
          continue;
        }
        const ReducedColumns W(data, all[body]);
        const double k = data.inverse_root_mass;
        // In a chain the second body of an element is the first one of the next.
        for (; block != last && block->body == body; ++block) {
          switch (block->rows) {
            case 1: reduce_block(k, W, block->full, block->reduced, Constant<1>()); break;
            case 2: reduce_block(k, W, block->full, block->reduced, Constant<2>()); break;
            case 3: reduce_block(k, W, block->full, block->reduced, Constant<3>()); break;
            case 4: reduce_block(k, W, block->full, block->reduced, Constant<4>()); break;
            case 5: reduce_block(k, W, block->full, block->reduced, Constant<5>()); break;
            default: reduce_block(k, W, block->full, block->reduced, block->rows); break;
          }
        }
      }
    });
  });
}

void SpatialBodies::reduce_force(const void* states, ConstVectorView Q, VectorView w) const {
  runs_.in_parts([&](const sdk::BodyPart& part) {
    sdk::wide([&] {
      const SpatialBodyState* b = bodies(states) + part.begin;
      const double* in = Q.data + part.coordinates;
      double* out = w.data + part.reduced;
      runs_.each(
          part, data_,
          [&](const BodyData& data) TRAMMEL_INLINE_LAMBDA {
            const ReducedColumns W(data, *b);
            const Vec4<> Q_p = vec4(in + 3);
            sdk::store(data.inverse_root_mass * vec3(in), out);
            out[3] = sdk::dot(W.w0, Q_p), out[4] = sdk::dot(W.w1, Q_p), out[5] = sdk::dot(W.w2, Q_p);
            ++b, in += 7, out += 6;
          },
          [&](const BodyData& data) TRAMMEL_INLINE_LAMBDA {
            sdk::store(data.inverse_root_mass * vec3(in), out);
            ++b, in += 3, out += 3;
          });
    });
  });
}

void SpatialBodies::expand(const void* states, ConstVectorView w, ConstVectorView g, VectorView x) const {
  runs_.in_parts([&](const sdk::BodyPart& part) {
    sdk::wide([&] {
      const SpatialBodyState* b = bodies(states) + part.begin;
      const double* in = w.data != nullptr ? w.data + part.reduced : nullptr;
      const double* row = g.data != nullptr ? g.data + part.rigid : nullptr;
      double* out = x.data + part.coordinates;
      if (in == nullptr) {
        runs_.each(
            part, data_,
            [&](const BodyData&) TRAMMEL_INLINE_LAMBDA {
              sdk::store(Vec3<>{0, 0, 0}, out);
              sdk::store((*row++ / b->pp) * parameters(*b), out + 3);
              ++b, out += 7;
            },
            [&](const BodyData&) TRAMMEL_INLINE_LAMBDA {
              sdk::store(Vec3<>{0, 0, 0}, out);
              ++b, out += 3;
            });
        return;
      }
      runs_.each(
          part, data_,
          [&](const BodyData& data) TRAMMEL_INLINE_LAMBDA {
            const ReducedColumns W(data, *b);
            // G p = 0, so only the part along p reaches the normalisation row: p.x_p = g.
            const double sigma = row != nullptr ? *row++ / b->pp : 0;
            sdk::store(data.inverse_root_mass * vec3(in), out);
            sdk::store(in[3] * W.w0 + in[4] * W.w1 + in[5] * W.w2 + sigma * parameters(*b), out + 3);
            ++b, in += 6, out += 7;
          },
          [&](const BodyData& data) TRAMMEL_INLINE_LAMBDA {
            sdk::store(data.inverse_root_mass * vec3(in), out);
            ++b, in += 3, out += 3;
          });
    });
  });
}

void SpatialBodies::intrinsic_multipliers(const void* states, ConstVectorView R, VectorView mu) const {
  const SpatialBodyState* b = bodies(states);
  const double* in = R.data;
  double* out = mu.data;
  runs_.each(
      data_,
      [&](const BodyData&) TRAMMEL_INLINE_LAMBDA {
        // p.(M_pp a_p) = 0, so the component of M a + Phi_q^T lambda + mu p = Q along p gives mu.
        *out++ = sdk::dot(parameters(*b), vec4(in + 3)) / b->pp;
        ++b, in += 7;
      },
      [&](const BodyData&) TRAMMEL_INLINE_LAMBDA { ++b, in += 3; });
}

double SpatialBodies::kinetic_energy(const void* states) const {
  const SpatialBodyState* b = bodies(states);
  double energy = 0;
  for (const BodyData& data : data_) {
    const Vec3<> rdot = vec3(b->rdot), omega = 2.0 * G_apply(parameters(*b), parameter_rates(*b));
    energy += 0.5 * data.mass * sdk::dot(rdot, rdot) + 0.5 * sdk::dot(omega, data.J * omega);  // (1)
    ++b;
  }
  return energy;
}

double SpatialBodies::potential_energy(double, const void* states) const {
  const SpatialBodyState* b = bodies(states);
  double energy = 0;
  for (const BodyData& data : data_) energy -= sdk::dot(data.weight, vec3((b++)->r));
  return energy;
}

}  // namespace trammel::spatial
