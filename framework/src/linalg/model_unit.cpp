// The unit of length of a model, from the levers of its constraint rows.
#include "linalg/model_unit.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "linalg/sizes.h"
#include "trammel/body_state.h"

namespace trammel {
namespace {

/// The power of 1024 next to a size: exact in binary, and coarse, so that ordinary models keep their numbers.
double rounded(double size) {
  if (!(size > 0) || !std::isfinite(size)) return 1;
  return std::exp2(10 * std::round(std::log2(size) / 10));
}

/// Where a body is, as drawn.
const double* position(const KktMatrix& k, Index body) {
  const char* state = static_cast<const char*>(k.states) + static_cast<std::ptrdiff_t>(body) * k.state_bytes;
  const bool planar = k.coordinates < SpatialBodyState::coordinates;
  return planar ? reinterpret_cast<const PlanarBodyState*>(state)->r
                : reinterpret_cast<const SpatialBodyState*>(state)->r;
}

/// The largest distance between bodies that an element connects, for models without levers: a cam at its dead centre
/// has none.
double largest_distance(const KktMatrix& k) {
  const Index dimensions = k.coordinates < SpatialBodyState::coordinates ? 2 : 3;
  double largest = 0;
  for (Index i = 0, first = 0; i < k.block_count; ++i) {
    if (k.blocks[i].element != k.blocks[first].element) first = i;
    const double *one = position(k, k.blocks[first].body), *other = position(k, k.blocks[i].body);
    double squared = 0;
    for (Index d = 0; d < dimensions; ++d) squared += (other[d] - one[d]) * (other[d] - one[d]);
    largest = std::max(largest, std::sqrt(squared));
  }
  return largest;
}

/// The lever of a row: what it demands of turning per what it demands of displacement. Of each element the longest, of
/// those the median: a row may happen to demand hardly any displacement, or no turning, as drawn.
double usual_lever(const KktMatrix& k, const std::vector<double>& displacement) {
  constexpr double noticeable = 1e-3;  // of the element's rows
  const std::size_t rows = count(k.rows);
  std::vector<double> displaced(rows, 0.0), turned(rows, 0.0);
  std::vector<Index> element(rows, -1);
  Index elements = 0;
  for (Index i = 0; i < k.block_count; ++i) {
    const JacobianBlock& block = k.blocks[i];
    elements = std::max(elements, block.element + 1);
    for (Index r = 0; r < block.rows; ++r) {
      const std::size_t row = count(block.first_row + r);
      element[row] = block.element;
      for (Index j = 0; j < block.columns; ++j) {
        double& largest = displacement[count(j)] != 0 ? displaced[row] : turned[row];
        largest = std::max(largest, std::abs(k.Phi_q[block.offset + j * block.rows + r]));
      }
    }
  }
  std::vector<double> most(count(elements), 0.0), levers(count(elements), 0.0);
  for (std::size_t r = 0; r < rows; ++r) {
    if (element[r] >= 0) most[count(element[r])] = std::max(most[count(element[r])], displaced[r]);
  }
  for (std::size_t r = 0; r < rows; ++r) {
    if (element[r] < 0 || !(displaced[r] > noticeable * most[count(element[r])])) continue;
    levers[count(element[r])] = std::max(levers[count(element[r])], turned[r] / displaced[r]);
  }
  // What rounding leaves of a lever is none.
  constexpr double rounding = 1e-12, no_length = 1e-9;  // of distances; m
  const double distance = largest_distance(k), least = std::max(rounding * distance, no_length);
  std::erase_if(levers, [&](double lever) { return !(lever > least) || !std::isfinite(lever); });
  if (levers.empty()) return distance > no_length ? distance : 1;
  const auto middle = levers.begin() + static_cast<std::ptrdiff_t>(levers.size() / 2);
  std::nth_element(levers.begin(), middle, levers.end());
  return *middle;
}

}  // namespace

void ModelUnit::measure(const KktMatrix& k, const BodySystem& system) {
  if (measured_) return;
  measured_ = true;
  std::vector<double> displacement(count(k.coordinates), 0.0);
  for (Index j = 0; j < k.coordinates; ++j) displacement[count(j)] = is_displacement(system, j);
  length_ = rounded(usual_lever(k, displacement));
  if (one()) return;
  of_coordinate_.clear();
  for (Index b = 0; b < k.bodies; ++b) {
    for (Index j = 0; j < k.width(b); ++j) of_coordinate_.push_back(displacement[count(j)] != 0 ? length_ : 1);
  }
  of_row_.assign(count(k.rows + k.intrinsic_rows), 0.0);
  Index size = 0;
  for (Index i = 0; i < k.block_count; ++i) {
    const JacobianBlock& block = k.blocks[i];
    size = std::max(size, block.offset + block.rows * k.coordinates);
    for (Index j = 0; j < block.columns; ++j) {
      for (Index r = 0; r < block.rows; ++r) {
        double& length = of_row_[count(block.first_row + r)];
        length =
            std::hypot(length, k.Phi_q[block.offset + j * block.rows + r] * of_coordinate_[count(block.column + j)]);
      }
    }
  }
  for (double& x : of_row_) x = rounded(x);
  std::fill(of_row_.begin() + static_cast<std::ptrdiff_t>(k.rows), of_row_.end(), 1.0);
  Phi_q_.assign(count(size), 0.0);
  f_.assign(count(k.size()), 0.0);
  g_.assign(of_row_.size(), 0.0);
}

double ModelUnit::size_of_row(double length) const {
  const bool of_displacements = length_ < 1 ? length < std::sqrt(length_) : length > std::sqrt(length_);
  return !one() && of_displacements ? length_ : 1;
}

const KktMatrix& ModelUnit::scaled(const KktMatrix& k) {
  if (one()) return k;
  for (Index i = 0; i < k.block_count; ++i) {
    const JacobianBlock& block = k.blocks[i];
    for (Index j = 0; j < block.columns; ++j) {
      for (Index r = 0; r < block.rows; ++r) {
        const Index place = block.offset + j * block.rows + r;
        Phi_q_[count(place)] =
            k.Phi_q[place] * of_coordinate_[count(block.column + j)] / of_row_[count(block.first_row + r)];
      }
    }
  }
  scaled_ = k;
  scaled_.Phi_q = Phi_q_.data();
  return scaled_;
}

// In the model's unit x' + J'^T lambda' = D f, J' x' = R^-1 g.
Status ModelUnit::solve(KktSolver& solver, const KktMatrix& k, ConstVectorView f, ConstVectorView g, VectorView x,
                        VectorView lambda) {
  if (one()) return solver.solve(k, f, g, x, lambda);
  const VectorView f_in{f_.data(), f.size}, g_in{g_.data(), g.size};
  f_in.map() = f.map();
  g_in.map() = g.map();
  multiply_coordinates(f_in);
  divide_rows(g_in);
  const Status status = solver.solve(scaled(k), f_in, g_in, x, lambda);
  multiply_coordinates(x);
  if (lambda.data != nullptr) divide_rows(lambda);
  return status;
}

void ModelUnit::weigh(ConstVectorView dq, VectorView out) const {
  for (Index i = 0; i < dq.size; ++i) out[i] = one() ? dq[i] : dq[i] / (column(i) * column(i));
}

void ModelUnit::multiply_coordinates(VectorView x) const {
  for (Index i = 0; !one() && i < x.size; ++i) x[i] *= column(i);
}

void ModelUnit::divide_coordinates(VectorView x) const {
  for (Index i = 0; !one() && i < x.size; ++i) x[i] /= column(i);
}

void ModelUnit::multiply_rows(VectorView x) const {
  for (Index r = 0; !one() && r < x.size; ++r) x[r] *= row(r);
}

void ModelUnit::divide_rows(VectorView x) const {
  for (Index r = 0; !one() && r < x.size; ++r) x[r] /= row(r);
}

double ModelUnit::largest_coordinate(ConstVectorView dq) const {
  if (one()) return dq.map().lpNorm<Eigen::Infinity>();
  double largest = 0;
  for (Index i = 0; i < dq.size; ++i) {
    const double size = std::abs(dq[i]) / column(i);
    if (!(size <= largest)) largest = size;  // NaN stays
  }
  return largest;
}

double ModelUnit::largest_row(ConstVectorView Phi) const {
  if (one()) return Phi.map().lpNorm<Eigen::Infinity>();
  double largest = 0;
  for (Index r = 0; r < Phi.size; ++r) largest = std::max(largest, std::abs(Phi[r]) / row(r));
  return largest;
}

double ModelUnit::norm_of_rows(ConstVectorView Phi) const {
  if (one()) return Phi.map().norm();
  double sum = 0;
  for (Index r = 0; r < Phi.size; ++r) sum += Phi[r] / row(r) * (Phi[r] / row(r));
  return std::sqrt(sum);
}

}  // namespace trammel
