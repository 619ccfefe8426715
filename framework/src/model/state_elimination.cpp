// Internal states eliminated from implicit matrices.
#include "model/state_elimination.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "linalg/sizes.h"

namespace trammel {
namespace {

double entry_of(ConstVectorView x, Index i) { return x[i]; }
std::complex<double> entry_of(const ConstComplexView& x, Index i) { return {x.re[i], x.im[i]}; }
void add_to(VectorView x, Index i, double value) { x[i] += value; }
void add_to(const ComplexView& x, Index i, std::complex<double> value) {
  x.re[i] += value.real(), x.im[i] += value.imag();
}
void set(VectorView x, Index i, double value) { x[i] = value; }
void set(const ComplexView& x, Index i, std::complex<double> value) { x.re[i] = value.real(), x.im[i] = value.imag(); }
bool is_empty(ConstVectorView x) { return x.size == 0; }
bool is_empty(const ConstComplexView& x) { return x.re.size == 0; }

/// B = A^-1 by Gauss-Jordan elimination with pivoting by rows; A (n x n, column-major) is lost. The smallest pivot.
template <class Scalar>
double invert(Scalar* A, Scalar* B, Index n) {
  double smallest = std::numeric_limits<double>::infinity();
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i < n; ++i) B[i + j * n] = i == j ? 1 : 0;
  }
  for (Index k = 0; k < n; ++k) {
    Index best = k;
    for (Index i = k + 1; i < n; ++i) {
      if (std::abs(A[i + k * n]) > std::abs(A[best + k * n])) best = i;
    }
    for (Index j = 0; best != k && j < n; ++j)
      std::swap(A[k + j * n], A[best + j * n]), std::swap(B[k + j * n], B[best + j * n]);
    const Scalar pivot = A[k + k * n];
    smallest = std::min(smallest, std::abs(pivot));
    if (pivot == Scalar(0)) return 0;
    for (Index j = 0; j < n; ++j) A[k + j * n] /= pivot, B[k + j * n] /= pivot;
    for (Index i = 0; i < n; ++i) {
      const Scalar factor = i == k ? Scalar(0) : A[i + k * n];
      for (Index j = 0; factor != Scalar(0) && j < n; ++j)
        A[i + j * n] -= factor * A[k + j * n], B[i + j * n] -= factor * B[k + j * n];
    }
  }
  return smallest;
}

/// C = factor A B, (m x k) (k x n), column-major; the columns of A have `stride` numbers, of which the first m count.
template <class Scalar, class Left, class Right>
void multiply(Scalar factor, const Left* A, Index stride, const Right* B, Index m, Index k, Index n, Scalar* C) {
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i < m; ++i) {
      Scalar sum = 0;
      for (Index l = 0; l < k; ++l) sum += A[i + l * stride] * B[l + j * k];
      C[i + j * m] = factor * sum;
    }
  }
}

}  // namespace

template <class Scalar>
StateElimination<Scalar>::StateElimination(const Linearization& linearization, const InternalLinearization& internal)
    : linearization_(linearization), internal_(internal), c_(linearization.assembly().body_coordinates()) {
  Index kept = 0, size = 0;
  std::size_t most = 0;
  for (std::size_t e = 0; e < internal.entries().size(); ++e) {
    const InternalLinearization::Entry& entry = internal.entries()[e];
    const ForceSlot& slot = linearization.assembly().forces[entry.force];
    parts_.push_back({e, blocks_.size(), entry.states, slot.first_z, kept, &slot.bodies});
    std::size_t pair = linearization.first_pair(entry.force);
    for (const Index row : slot.bodies) {
      for (const Index column : slot.bodies) {
        if (row < 0 || column < 0) continue;
        blocks_.push_back({pair, size});
        size += linearization.pairs()[pair++].size();
      }
    }
    kept += entry.states * (3 * c_ * static_cast<Index>(slot.bodies.size()) + entry.states);
    most = std::max(most, count(entry.states));
  }
  reaction_.assign(count(size), 0.0);
  kept_.assign(count(kept), 0.0);
  rate_.assign(most, 0.0);
  work_.assign(most * most, 0.0);
}

template <class Scalar>
Index StateElimination<Scalar>::place(const Part& part, Kind kind, std::size_t body) const {
  return part.at + (kind * static_cast<Index>(part.bodies->size()) + static_cast<Index>(body)) * part.states * c_;
}

template <class Scalar>
Status StateElimination<Scalar>::compute(Scalar c0, Scalar c1) {
  constexpr double smallest_pivot = 1e-14;  // two digits are left
  for (const Part& part : parts_) {
    const InternalLinearization::Entry& entry = internal_.entries()[part.entry];
    const Index nz = part.states;
    const double* g_z = internal_.rate_z(entry);
    double scale = 1;  // what D is made of, so that terms which cancel count as singular
    for (Index i = 0; i < nz * nz; ++i) {
      work_[count(i)] = (i % (nz + 1) == 0 ? 1.0 : 0.0) - c1 * g_z[i];
      scale = std::max(scale, std::abs(c1) * std::abs(g_z[i]));
    }
    Scalar* inverse = kept_.data() + place(part, kind_inverse);
    const double pivot = invert(work_.data(), inverse, nz);
    if (!(pivot > smallest_pivot * scale))
      return Status::failure(StatusCode::singular, "matrix of the internal states in the implicit step", -1, pivot);
    const std::vector<Index>& bodies = *part.bodies;
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      if (bodies[b] < 0) continue;
      multiply(c1, internal_.Q_z(entry, b), c_, inverse, c_, nz, nz, kept_.data() + place(part, kind_W, b));
      const double *g_q = internal_.rate_q(entry, b), *g_v = internal_.rate_v(entry, b);
      Scalar *G = kept_.data() + place(part, kind_G, b), *velocity = kept_.data() + place(part, kind_velocity, b);
      for (Index i = 0; i < nz * c_; ++i) G[i] = c0 * g_q[i] + c1 * g_v[i], velocity[i] = c0 * g_v[i];
    }
    auto block = blocks_.begin() + static_cast<std::ptrdiff_t>(part.first_block);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      for (std::size_t j = 0; j < bodies.size(); ++j) {
        if (bodies[i] < 0 || bodies[j] < 0) continue;
        const Linearization::PairBlock& pair = linearization_.pairs()[block->pair];
        multiply(Scalar(-1), kept_.data() + place(part, kind_W, i), c_, kept_.data() + place(part, kind_G, j),
                 pair.rows, nz, pair.columns, reaction_.data() + (block++)->offset);
      }
    }
  }
  return Status::success();
}

template <class Scalar>
void StateElimination<Scalar>::add_rates(const Part& part, const ConstVector& x, const ConstVector& u) const {
  const Index nz = part.states;
  for (std::size_t b = 0; b < part.bodies->size(); ++b) {
    const Index body = (*part.bodies)[b];
    if (body < 0) continue;
    const Scalar *G = kept_.data() + place(part, kind_G, b), *velocity = kept_.data() + place(part, kind_velocity, b);
    const BodyTable& table = linearization_.assembly().table;
    for (Index k = 0, at = table.first(body); k < table.width(body); ++k, ++at) {
      const Scalar of_x = entry_of(x, at), of_u = is_empty(u) ? Scalar(0) : entry_of(u, at);
      for (Index i = 0; i < nz; ++i) rate_[count(i)] += G[i + k * nz] * of_x + velocity[i + k * nz] * of_u;
    }
  }
}

template <class Scalar>
void StateElimination<Scalar>::add_force(const Part& part, double factor, const Vector& f) const {
  for (std::size_t b = 0; b < part.bodies->size(); ++b) {
    const Index body = (*part.bodies)[b];
    if (body < 0) continue;
    const Scalar* W = kept_.data() + place(part, kind_W, b);
    const BodyTable& table = linearization_.assembly().table;
    for (Index k = 0; k < part.states; ++k) {
      for (Index i = 0; i < table.width(body); ++i)
        add_to(f, table.first(body) + i, factor * W[i + k * c_] * rate_[count(k)]);
    }
  }
}

template <class Scalar>
void StateElimination<Scalar>::add_states(const ConstVector& r, const Vector& f) const {
  for (const Part& part : parts_) {
    for (Index k = 0; k < part.states; ++k) rate_[count(k)] = entry_of(r, part.first_z + k);
    add_force(part, 1, f);
  }
}

template <class Scalar>
void StateElimination<Scalar>::add_reaction(const ConstVector& x, const ConstVector& u, const Vector& f) const {
  for (const Part& part : parts_) {
    std::fill_n(rate_.begin(), part.states, Scalar(0));
    add_rates(part, x, u);
    add_force(part, -1, f);
  }
}

template <class Scalar>
void StateElimination<Scalar>::recover(const ConstVector& r, const ConstVector& x, const ConstVector& u,
                                       const Vector& y) const {
  for (const Part& part : parts_) {
    const Index nz = part.states;
    for (Index k = 0; k < nz; ++k) rate_[count(k)] = entry_of(r, part.first_z + k);
    add_rates(part, x, u);
    const Scalar* inverse = kept_.data() + place(part, kind_inverse);
    for (Index i = 0; i < nz; ++i) {
      Scalar sum = 0;
      for (Index k = 0; k < nz; ++k) sum += inverse[i + k * nz] * rate_[count(k)];
      set(y, part.first_z + i, sum);
    }
  }
}

template class StateElimination<double>;
template class StateElimination<std::complex<double>>;

}  // namespace trammel
