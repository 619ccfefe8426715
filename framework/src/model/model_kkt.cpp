// A model's KKT solves at its point.
#include "model/model_kkt.h"

#include <fmt/format.h>

#include <algorithm>

#include "linalg/sizes.h"
#include "model/model.h"
#include "model/solver_choice.h"
#include "trammel/extensions/host_services.h"

namespace trammel {

ModelKkt::ModelKkt(ModelPoint& point, const Model& model) : point_(point), model_(model), kkt_(point.matrix()) {
  const Assembly& assembly = point.assembly();
  reduced_.assign(count(assembly.reduced_block_size()), 0.0);
  mass_.assign(count(assembly.table.square(assembly.bodies())), 0.0);
  kkt_.reduced = reduced_.data();
  kkt_.weight = mass_.data();
  for (const JacobianBlock& block : assembly.blocks) {
    reductions_.push_back({block.body, block.rows, kkt_.Phi_q + block.offset, reduced_.data() + block.reduced_offset});
  }
  dropped_.assign(count(assembly.rows()), 0);
  weak_ = dropped_;
  if (assembly.velocity_rows() > 0) {
    left_of_positions_ = velocity_rows_ = dropped_;
    for (Index r = 0; r < assembly.rows(); ++r) velocity_rows_[count(r)] = assembly.is_velocity_row(r) ? 1 : 0;
  }
  kkt_.dropped = dropped_.data();
  mass_solver_ = choose_mass_solver(model, kkt_, point.rows);
  take_traits(true);
  identity_solver_ = choose_identity_solver(kkt_, row_space_);
}

void ModelKkt::take_traits(bool attached) {
  auto& solver = mass_solver_.as<KktSolver>();
  mass_traits_ = solver.traits();
  on_elements_ = attached && find_extension<WorksOnElements>(solver) != nullptr;
  point_.rows.turn(on_elements_);
}

bool ModelKkt::stops_at_body(const Status& status, ProjectionWeights weights) const {
  return status.code == StatusCode::singular && weights == ProjectionWeights::mass && on_elements_ &&
         status.subject >= kkt_.rows;
}

// The model may move on: what one elimination cannot do another one can.
void ModelKkt::fall_back(Index body) {
  const std::string before = mass_solver_.type();
  mass_solver_ = choose_other_solver(model_, kkt_, before);
  point_.rows.settle();
  take_traits(false);
  if (const auto* log = find_extension<RunLog>(model_)) {
    log->warn(
        fmt::format("linear solver '{}' stops at body '{}', whose inertia is rounding beside what hangs on it; '{}' "
                    "goes on from t = {:.9g} s",
                    before, assembly().body_names[count(body)], mass_solver_.type(), point_.t())
            .c_str());
  }
}

const KktMatrix& ModelKkt::with_all_numbers() {
  point_.rows.settle();
  mass_blocks();
  if (assembly().reduction != nullptr) reduce();
  return kkt_;
}

void ModelKkt::reduce() {
  assembly().reduction->reduce(kkt_.states, reductions_.data(), static_cast<Index>(reductions_.size()));
}

void ModelKkt::prepare_mass() {
  if (on_elements_) return;
  if (mass_traits_.reduced_blocks) {
    reduce();
  } else {
    mass_blocks();
  }
}

const double* ModelKkt::mass_blocks() {
  assembly().motion.mass_blocks(kkt_.states, mass_.data());
  return mass_.data();
}

const KktMatrix& ModelKkt::kept() {
  kkt_.dropped = dropped_.data();
  return scaled(matrix());
}

RowSpace& ModelKkt::lend_row_space() {
  identity_at_ = never;
  return row_space_;
}

const unsigned char* ModelKkt::dropped(RowLevel level) {
  if (level == RowLevel::all || velocity_rows_.empty()) return dropped_.data();
  for (std::size_t r = 0; r < dropped_.size(); ++r) {
    left_of_positions_[r] = static_cast<unsigned char>(dropped_[r] | velocity_rows_[r]);
  }
  return left_of_positions_.data();
}

const KktMatrix& ModelKkt::matrix_of_all_rows() {
  all_rows_on_demand();
  return matrix();
}

const KktMatrix& ModelKkt::all_rows_on_demand() {
  if (level_ == RowLevel::positions) {
    level_ = RowLevel::all;
    kkt_.dropped = dropped_.data();
    forget();
  }
  return kkt_;
}

const void* ModelKkt::system_extension(const char* id) const { return model_.extension(id); }

Status ModelKkt::factorize(ProjectionWeights weights, RowLevel level) {
  weights_ = weights;
  return refresh(weights, level);
}

Status ModelKkt::refresh(ProjectionWeights weights, RowLevel level) {
  long& done_at = weights == ProjectionWeights::mass ? mass_at_ : identity_at_;
  if (!velocity_rows_.empty() && level != level_) {
    forget();
    level_ = level;
  }
  if (done_at == point_.moves()) return Status::success();
  // Where the model comes back to that point, nobody knows any longer which rows were left out there.
  if (long& other_at = weights == ProjectionWeights::mass ? identity_at_ : mass_at_; other_at != point_.moves())
    other_at = never;
  ++factorizations;
  kkt_.dropped = dropped(level);
  const auto looked_at = [&]() -> const KktMatrix& {
    return weights == ProjectionWeights::mass ? kkt_ : scaled(matrix());
  };
  const auto factorize = [&] {
    const KktMatrix& matrix = looked_at();
    return by_solver(weights, [&] { return solver(weights).factorize(matrix); });
  };
  if (weights == ProjectionWeights::mass) prepare_mass();
  Status status = factorize();
  if (stops_at_body(status, weights)) {
    fall_back(status.subject - kkt_.rows);
    prepare_mass();
    status = factorize();
  }
  if (status.code == StatusCode::singular && (status = find_weak_rows(status))) status = factorize();
  // A solver that cannot keep them has lost its factors on the way.
  if (status && weights == ProjectionWeights::mass && !keep_rows_of_light_bodies()) status = factorize();
  done_at = status.ok() ? point_.moves() : never;
  if (const RankWatch* watch = solver(weights).watch(); status && watch != nullptr) {
    if (watch->smallest_kept < closest_.smallest_kept) {
      closest_.smallest_kept = watch->smallest_kept, closest_.smallest_kept_row = watch->smallest_kept_row;
    }
    if (watch->weak > closest_.weak) closest_.weak = watch->weak, closest_.weak_row = watch->weak_row;
  }
  return status;
}

// Solvers that do not look at rows one by one learn from the row space which ones to leave out here.
Status ModelKkt::find_weak_rows(const Status& singular) {
  const Status status = row_space_.factorize(scaled(matrix()));
  if (!status) return status;
  const RankWatch watch = row_space_.watch();
  if (watch.weak == 0) return singular;
  for (Index r = 0; r < kkt_.rows; ++r) weak_[count(r)] = row_space_.left_out(r) ? 1 : 0;
  kkt_.dropped = weak_.data();
  closest_.weak = std::max(closest_.weak, watch.weak), closest_.weak_row = watch.weak_row;
  return status;
}

// Between masses of 1e-6 and 1e3 kg a row is near the others in the metric of M^-1 that is far from them by geometry.
Status ModelKkt::keep_rows_of_light_bodies() {
  auto& solver = mass_solver_.as<KktSolver>();
  const RankWatch* watch = solver.watch();
  if (watch == nullptr || watch->weak == 0) return Status::success();
  auto* keeper = find_extension<KeepsRowsToRounding>(solver);
  if (keeper == nullptr) return Status::success();
  RowSpace& rows = lend_row_space();
  if (!rows.factorize(scaled(matrix())) || rows.watch().weak != 0) return Status::success();
  return by_solver(ProjectionWeights::mass, [&] { return keeper->factorize_to_rounding(kkt_); });
}

Status ModelKkt::solve(ConstVectorView f, ConstVectorView g, VectorView x, VectorView lambda) {
  const auto solve = [&] {
    return by_solver(weights_, [&] {
      return weights_ == ProjectionWeights::mass ? mass_solver_.as<KktSolver>().solve(kkt_, f, g, x, lambda)
                                                 : row_space_.unit().solve(*identity_solver_, kkt_, f, g, x, lambda);
    });
  };
  // Solvers read the bodies' states, and some finish the factorization here.
  if (weights_ == ProjectionWeights::mass && mass_at_ != point_.moves())
    return Status::failure(StatusCode::failed, "a solve at another point than that of the factorization");
  Status status = solve();
  if (!stops_at_body(status, weights_)) return status;
  fall_back(status.subject - kkt_.rows);
  mass_at_ = never;
  status = refresh(weights_, level_);
  return status ? solve() : status;
}

}  // namespace trammel
