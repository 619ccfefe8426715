// All contractions of a model at one point.
#include "model/linearization.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "linalg/sizes.h"
#include "model/model_point.h"
#include "plugin/breadcrumb.h"

namespace trammel {
Linearization::Linearization(ModelPoint& point)
    : point_(point), assembly_(point.assembly()), c_(assembly_.body_coordinates()) {}

void Linearization::make_room() const {
  if (made_) return;
  made_ = true;
  const Assembly& assembly = assembly_;
  const BodyTable& table = assembly.table;
  Index pair_size = 0, row_size = 0;
  struct PairsOf {
    const ElementSlot& slot;
    bool damped;
  };
  const auto add_pairs = [&](const PairsOf& element) {
    for (Index row_body : element.slot.bodies) {
      for (Index column_body : element.slot.bodies) {
        if (row_body < 0 || column_body < 0) continue;
        pairs_.push_back(pair_of(row_body, column_body, pair_size, element.damped));
        pair_size += pairs_.back().size();
      }
    }
  };
  for (Index b = 0; b < assembly.bodies(); ++b) {
    pairs_.push_back(pair_of(b, b, pair_size, true));
    pair_size += pairs_.back().size();
  }
  std::size_t most = 1;
  for (const ConstraintSlot& slot : assembly.constraints) {
    first_pair_of_constraint_.push_back(pairs_.size());
    add_pairs({.slot = slot, .damped = false});
    most = std::max(most, slot.bodies.size());
    for (Index body : slot.bodies) {
      if (body < 0) continue;
      row_blocks_.push_back({slot.first_row, slot.rows, table.first(body), table.width(body), row_size});
      row_size += slot.rows * c_;
    }
  }
  for (Index b = 0; b < assembly.intrinsic_rows(); ++b) {
    row_blocks_.push_back({assembly.element_rows() + b, 1, table.first(table.intrinsic_body(b)), c_, row_size});
    row_size += c_;
  }
  for (const ForceSlot& slot : assembly.forces) {
    first_pair_of_force_.push_back(pairs_.size());
    add_pairs({.slot = slot, .damped = true});
    most = std::max(most, slot.bodies.size());
  }
  K_.assign(count(pair_size), 0.0);
  C_.assign(count(pair_size), 0.0);
  G_q_.assign(count(row_size), 0.0);
  G_v_.assign(count(row_size), 0.0);
  views_.resize(most * most);
  views2_.resize(most * most);
  locals_.resize(most);
  force_locals_.resize(most);
  Index widest = c_;  // scratch: all blocks of one row group, or the mass gradients of all bodies
  for (const ConstraintSlot& slot : assembly.constraints) {
    widest = std::max(widest, slot.rows * c_ * static_cast<Index>(slot.bodies.size()));
  }
  zero_.assign(count(std::max(assembly.coordinates(), c_)), 0.0);
  wide_locals_.assign(most * count(c_), 0.0);
  if (table.mixed()) wide_.assign(most * most * count(c_ * c_), 0.0), wide2_ = wide_;
  scratch_.assign(count(std::max(widest, assembly.bodies() * c_ * c_)), 0.0);
}

void Linearization::forget() {
  const auto release = [](auto&... lists) { ((lists = std::decay_t<decltype(lists)>()), ...); };  // = {} keeps room
  made_ = false;
  release(pairs_, merged_, row_blocks_, K_, C_, G_q_, G_v_, scratch_, zero_, wide_, wide2_, wide_locals_,
          first_pair_of_constraint_, first_pair_of_force_, differenced_);
}

Linearization::PairBlock Linearization::pair_of(Index row_body, Index column_body, Index offset, bool damped) const {
  const BodyTable& table = assembly_.table;
  return {row_body,
          column_body,
          table.first(row_body),
          table.first(column_body),
          table.width(row_body),
          table.width(column_body),
          offset,
          damped};
}

MatrixView Linearization::wide_view(const PairBlock& pair, std::vector<double>& numbers, std::vector<double>& wide,
                                    std::size_t i) {
  if (pair.size() == c_ * c_) return {numbers.data() + pair.offset, c_, c_, c_};
  double* room = wide.data() + i * count(c_ * c_);
  std::fill_n(room, c_ * c_, 0.0);
  return {room, c_, c_, c_};
}

void Linearization::cut(const PairBlock& pair, std::vector<double>& numbers, const MatrixView& view) const {
  if (pair.size() == c_ * c_) return;
  MatrixView{numbers.data() + pair.offset, pair.rows, pair.columns, pair.rows}.map() =
      view.map().topLeftCorner(pair.rows, pair.columns);
}

Status Linearization::compute(ConstVectorView a, ConstVectorView lambda) {
  at_.note(point_, a, lambda);
  differenced_.clear();
  formed_ = false;
  if (deferring_ && !asked_) return Status::success();
  asked_ = false;
  return form_blocks();
}

void Linearization::defer() {
  if (deferring_) return;
  deferring_ = true;
  if (asked_) return;
  forget();
  formed_ = false;
}

Status Linearization::settle() {
  asked_ = true;
  return formed_ ? Status::success() : at_.visit(point_, [&] { return form_blocks(); });
}

Status Linearization::compute_forces() {
  if (assembly_.forces.empty()) return Status::success();
  make_room();
  differenced_.clear();
  const auto first = static_cast<std::ptrdiff_t>(pairs_[first_pair_of_force_.front()].offset);
  std::fill(K_.begin() + first, K_.end(), 0.0);
  std::fill(C_.begin() + first, C_.end(), 0.0);
  for (std::size_t e = 0; e < assembly_.forces.size(); ++e) {
    if (const Status status = force_gradients(e); !status) return status;
  }
  return Status::success();
}

Status Linearization::form_blocks() {
  const ConstVectorView a = this->a(), lambda = this->lambda();
  const BodyMotion& motion = assembly_.motion;
  const BodyTable& table = assembly_.table;
  const Index diagonal = table.square(assembly_.bodies()), block = c_ * c_;
  const void* states = point_.body_state(0);
  make_room();
  formed_ = true;

  // Bodies: (M a)_q - Q_q and -Q_v of their own forces. scratch_ holds (M a)_q meanwhile.
  motion.mass_gradient(states, a, scratch_.data());
  Status status = motion.force_gradients(point_.t(), states, K_.data(), C_.data());
  if (!status) return status;
  double *K = K_.data(), *C = C_.data();
  const double* of_mass = scratch_.data();
  for (Index i = 0; i < diagonal; ++i) K[i] = of_mass[i] - K[i], C[i] = -C[i];

  if (ExtraForce* extra = point_.extra_force())
    extra->add_gradients(point_, {K_.data(), diagonal}, {C_.data(), diagonal});

  // Intrinsic rows act on one body each: their multiplier gradient is added to that body's block.
  const Constraint* intrinsic = assembly_.system.intrinsic();
  std::size_t row_block = 0;
  for (const ConstraintSlot& slot : assembly_.constraints) {
    row_block +=
        static_cast<std::size_t>(std::count_if(slot.bodies.begin(), slot.bodies.end(), [](Index b) { return b >= 0; }));
  }
  for (Index b = 0; b < assembly_.intrinsic_rows(); ++b) {
    const Index body = table.intrinsic_body(b);
    const void* state = point_.body_state(body);
    const ElementState s{point_.t(), &state, nullptr, nullptr};
    const Index row = assembly_.element_rows() + b;
    const MatrixView gradient{scratch_.data(), c_, c_, c_};
    status = intrinsic->multiplier_gradient(s, lambda.segment(row, 1), &gradient);
    for (Index i = 0; i < block; ++i) K_[count(table.square(body) + i)] += scratch_[count(i)];
    const RowBlock& rows = row_blocks_[row_block++];
    const MatrixView out_q{G_q_.data() + rows.offset, 1, c_, 1}, out_v{G_v_.data() + rows.offset, 1, c_, 1};
    const ConstVectorView local = a.segment(table.first(body), c_);
    if (status) status = intrinsic->acceleration_gradient(s, &local, &out_q, &out_v);
    if (!status) return status;
  }

  status = form_elements();
  return status ? compute_forces() : status;
}

// Elements write all of every block.
Status Linearization::form_elements() {
  const ConstVectorView a = this->a(), lambda = this->lambda();
  const BodyTable& table = assembly_.table;
  std::size_t row_block = 0;
  for (std::size_t e = 0; e < assembly_.constraints.size(); ++e) {
    const ConstraintSlot& slot = assembly_.constraints[e];
    const ElementState s = point_.element_state(slot);
    const std::size_t k = slot.bodies.size();
    std::size_t pair = first_pair_of_constraint_[e];
    for (std::size_t i = 0; i < k * k; ++i) {
      const bool both = slot.bodies[i / k] >= 0 && slot.bodies[i % k] >= 0;
      views_[i] = both ? wide_view(pairs_[pair++], K_, wide_, i) : MatrixView{};
    }
    const ElementMark mark(slot.plugin.c_str(), slot.name.c_str());
    Status status = slot.constraint->multiplier_gradient(s, lambda.segment(slot.first_row, slot.rows), views_.data());
    if (!status) return status;
    pair = first_pair_of_constraint_[e];
    for (std::size_t i = 0; table.mixed() && i < k * k; ++i) {
      if (views_[i]) cut(pairs_[pair++], K_, views_[i]);
    }
    for (std::size_t i = 0; i < k; ++i) {
      const Index body = slot.bodies[i];
      locals_[i] =
          body >= 0 ? table.widened(body, a, wide_locals_.data() + i * count(c_)) : ConstVectorView{zero_.data(), c_};
      views_[i] = views2_[i] = MatrixView{};
      if (body < 0) continue;
      const RowBlock& rows = row_blocks_[row_block++];
      views_[i] = {G_q_.data() + rows.offset, rows.rows, c_, rows.rows};
      views2_[i] = {G_v_.data() + rows.offset, rows.rows, c_, rows.rows};
    }
    status = slot.constraint->acceleration_gradient(s, locals_.data(), views_.data(), views2_.data());
    if (!status) return status;
  }
  return Status::success();
}

Status Linearization::force_gradients(std::size_t e) {
  const ForceSlot& slot = assembly_.forces[e];
  const std::size_t k = slot.bodies.size();
  std::size_t pair = first_pair_of_force_[e];
  for (std::size_t i = 0; i < k * k; ++i) {
    views_[i] = views2_[i] = MatrixView{};
    if (slot.bodies[i / k] < 0 || slot.bodies[i % k] < 0) continue;
    views_[i] = wide_view(pairs_[pair], K_, wide_, i);
    views2_[i] = wide_view(pairs_[pair++], C_, wide2_, i);
  }
  const ElementMark mark(slot.plugin.c_str(), slot.name.c_str());
  Status status = slot.force->gradients(point_.element_state(slot), views_.data(), views2_.data());
  if (status.code == StatusCode::unsupported) {
    differenced_.push_back(static_cast<Index>(e));
    status = force_differences(slot, views_.data(), views2_.data());
  }
  for (std::size_t i = 0; i < k * k; ++i) {  // Q_q -> -Q_q
    if (views_[i]) views_[i].map() = -views_[i].map();
    if (views2_[i]) views2_[i].map() = -views2_[i].map();
  }
  pair = first_pair_of_force_[e];
  for (std::size_t i = 0; assembly_.table.mixed() && i < k * k; ++i) {
    if (!views_[i]) continue;
    cut(pairs_[pair], K_, views_[i]);
    cut(pairs_[pair++], C_, views2_[i]);
  }
  return status;
}

// Central differences with a step of cbrt(eps), error about 1e-10 relative. All states are recomputed at each perturbed
// point: the host only knows how to do all bodies, and this is the slow way that the summary names.
Status Linearization::force_differences(const ForceSlot& slot, const MatrixView* Q_q, const MatrixView* Q_v) {
  constexpr double relative_step = 6e-6;
  const std::size_t k = slot.bodies.size();
  std::vector<double> q = point_.q(), v = point_.v();
  std::vector<double> values(2 * k * count(c_));
  std::vector<VectorView> local(k);
  const ElementState s = point_.element_state(slot);
  Status status;
  const auto force_at = [&](std::size_t side) {
    point_.move_states(q, v);
    for (std::size_t i = 0; i < k; ++i) {
      local[i] = slot.bodies[i] < 0 ? VectorView{} : VectorView{values.data() + (side * k + i) * count(c_), c_};
      if (local[i].data != nullptr) local[i].map().setZero();
    }
    const ElementMark mark(slot.plugin.c_str(), slot.name.c_str());
    const Status result = slot.force->force(s, local.data());
    if (!result) status = result;
  };
  for (std::vector<double>* x : {&q, &v}) {
    const MatrixView* out = x == &q ? Q_q : Q_v;
    for (std::size_t j = 0; j < k; ++j) {
      if (slot.bodies[j] < 0) continue;
      for (Index column = 0; column < assembly_.table.width(slot.bodies[j]); ++column) {
        double& entry = (*x)[count(assembly_.table.first(slot.bodies[j]) + column)];
        const double base = entry, h = relative_step * std::max(1.0, std::abs(base));
        entry = base + h;
        force_at(0);
        entry = base - h;
        force_at(1);
        entry = base;
        for (std::size_t i = 0; i < k; ++i) {
          if (slot.bodies[i] < 0) continue;
          for (Index r = 0; r < c_; ++r) {
            const std::size_t at = i * count(c_) + count(r);
            out[i * k + j](r, column) += (values[at] - values[k * count(c_) + at]) / (2 * h);
          }
        }
      }
    }
  }
  point_.move_states(q, v);
  return status;
}

namespace {

/// out += A x, A (rows x c).
template <int c>
void add_block_product(const double* A, Index rows, const double* x, double* out) {
  for (int j = 0; j < c; ++j, A += rows) {
    for (Index i = 0; i < rows; ++i) out[i] += A[i] * x[j];
  }
}
template <int c>
void add_square_product(const double* A, const double* x, double* out) {
  double sum[c];
  for (int i = 0; i < c; ++i) sum[i] = out[i];
  for (int j = 0; j < c; ++j, A += c) {
    for (int i = 0; i < c; ++i) sum[i] += A[i] * x[j];
  }
  for (int i = 0; i < c; ++i) out[i] = sum[i];
}

/// The same for a block of any size.
void add_any_product(const double* A, Index rows, Index columns, const double* x, double* out) {
  for (Index j = 0; j < columns; ++j, A += rows) {
    for (Index i = 0; i < rows; ++i) out[i] += A[i] * x[j];
  }
}

bool is_zero(ConstVectorView x) { return (x.map().array() == 0).all(); }

}  // namespace

// A vector that is zero costs nothing: the columns of state-space Jacobians have dq = 0 in their velocity part.
template <int c>
void Linearization::add_products(const double* K, const double* G, ConstVectorView x, VectorView f,
                                 VectorView g) const {
  if (is_zero(x)) return;
  for (const PairBlock& pair : pairs_) {
    if (pair.size() == c * c)
      add_square_product<c>(K + pair.offset, x.data + pair.column, f.data + pair.row);
    else
      add_any_product(K + pair.offset, pair.rows, pair.columns, x.data + pair.column, f.data + pair.row);
  }
  for (const RowBlock& rows : row_blocks_) {
    if (rows.columns == c)
      add_block_product<c>(G + rows.offset, rows.rows, x.data + rows.column, g.data + rows.first_row);
    else
      add_any_product(G + rows.offset, rows.rows, rows.columns, x.data + rows.column, g.data + rows.first_row);
  }
}

Status Linearization::apply(ConstVectorView dq, ConstVectorView dv, VectorView f, VectorView g) {
  const Status status = settle();
  f.map().setZero();
  g.map().setZero();
  if (c_ == 3) {
    add_products<3>(K_.data(), G_q_.data(), dq, f, g);
    add_products<3>(C_.data(), G_v_.data(), dv, f, g);
  } else {
    add_products<7>(K_.data(), G_q_.data(), dq, f, g);
    add_products<7>(C_.data(), G_v_.data(), dv, f, g);
  }
  return status;
}

}  // namespace trammel
