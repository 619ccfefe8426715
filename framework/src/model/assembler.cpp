// Damped Gauss-Newton search for assembled positions, and the smallest change among them.
#include "model/assembler.h"

#include <fmt/format.h>

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <random>

#include "linalg/dense.h"
#include "linalg/dependence.h"
#include "trammel/body_state.h"
#include "trammel/error.h"
#include "trammel/text/suggest.h"

// Positions: minimize |F(q)|^2, F = (Phi, Phi' - value), by d = -W^-1 J^T (J W^-1 J^T + mu I)^-1 F with mu steered by
// the agreement of |F(q + d)|^2 with its linear model (Levenberg, Marquardt). Where F = 0 cannot be reached, the
// iteration ends at J^T F = 0: the rows with F != 0 hold each other like forces in equilibrium, and just these
// contradict each other. Smallest change: with the target r = q_given - q, steps along r - W^-1 J^T (J W^-1 J^T)^-1 J
// r, each followed by a return to F = 0, until nothing of r is left in the tangent space: the condition of the minimum
// of |q - q_given|_W. F, J, d and r are those of the model as drawn in its own unit (ModelUnit).
namespace trammel {
namespace {

constexpr int largest_iteration_count = 200;
constexpr double assembled =
    1e-9;  // of the unit or rad: constraints hold; rounding of coordinates is removed afterwards
constexpr double largest_turn = 0.4;  // of an angle or Euler parameter in one step: counted angles stay on their branch
constexpr double iterations_per_radian = 3;  // of a driven angle; steps turn bodies by up to twice `largest_turn`
constexpr double smallest_damping = 1e-12;
constexpr double noteworthy = 1e-9;
// Rows that bodies carry by themselves are never given up for others: steps stay in their tangent space, and
// `normalise` returns to them.
constexpr double intrinsic_weight = 1e3;

std::vector<std::string> coordinate_names(const ConstrainedModel& model) {
  std::vector<std::string> names;
  for (Index i = 0; i < model.coordinates(); ++i) names.emplace_back(model.coordinate_name(i));
  return names;
}

}  // namespace

Assembler::Assembler(ConstrainedModel& model, const StartOptions& options, double t, ConstVectorView z)
    : model_(model), t_(t), z_(z), conditions_(options.conditions) {
  const Assembly& assembly = model.assembly();
  const Index n = model.coordinates();
  inverse_weights_ = Eigen::VectorXd::Ones(n);
  turning_.resize(n);
  condition_sizes_.assign(conditions_.size(), 1.0);
  for (Index i = 0; i < n; ++i) turning_[i] = assembly.table.displaces(i) ? 0 : 1;
  for (std::size_t i = 0; i < conditions_.size(); ++i) {
    const std::string key = fmt::format("conditions/{}", i);
    try {
      condition_rows_.emplace_back(model, conditions_[i].of);
    } catch (const Error& error) {
      throw Error::parameter(key + "/of", error.what());
    }
    if (condition_rows_.back().velocity_only() && given(conditions_[i].value)) {
      throw Error::parameter(key + "/value", fmt::format("'{}' is a velocity: give its 'rate'", conditions_[i].of));
    }
  }
  for (const StartWeight& weight : options.weights) {
    bool found = false;
    for (Index i = 0; i < n; ++i) {
      const std::string coordinate = assembly.coordinate_name(i);
      const std::string& body = assembly.body_names[static_cast<std::size_t>(assembly.table.body_of(i))];
      if (weight.of != coordinate && weight.of != body) continue;
      inverse_weights_[i] = 1 / weight.weight;
      found = true;
    }
    if (found) continue;
    std::vector<std::string> names = coordinate_names(model);
    names.insert(names.end(), assembly.body_names.begin(), assembly.body_names.end());
    throw Error::parameter("weights/" + weight.of,
                           "there is no body or coordinate of this name" + did_you_mean(weight.of, names));
  }
  const VectorView references = model.point().angle_references();
  angles_.assign(references.data, references.data + references.size);
}

void Assembler::add_constraints(bool positions, std::vector<Eigen::Triplet<double>>& entries) const {
  const std::vector<unsigned char>& velocity = model_.parts().kkt.velocity_rows();
  const bool some_left_out = positions && !velocity.empty();
  const KktMatrix& k = model_.parts().kkt.scaled(model_.parts().kkt.matrix());
  for (Index i = 0; i < k.block_count; ++i) {
    const JacobianBlock& block = k.blocks[i];
    for (Index j = 0; j < block.columns; ++j) {
      for (Index r = 0; r < block.rows; ++r) {
        const double value = k.Phi_q[block.offset + j * block.rows + r];
        if (some_left_out && velocity[static_cast<std::size_t>(block.first_row + r)] != 0) continue;
        if (value != 0) entries.emplace_back(block.first_row + r, block.column + j, value);
      }
    }
  }
  for (Index b = 0; b < k.intrinsic_rows; ++b) {
    for (Index j = 0; j < k.coordinates; ++j) {
      entries.emplace_back(k.rows + b, k.intrinsic_first[b] + j, intrinsic_weight * k.intrinsic[b * k.coordinates + j]);
    }
  }
}

bool Assembler::evaluate(ConstVectorView q, ConstVectorView v, Rows which, Eigen::VectorXd& F, Matrix& J) {
  const bool of_velocities = which == Rows::velocities;
  const unsigned parts = evaluate_Phi | evaluate_jacobian | (of_velocities ? evaluate_nu : 0u);
  if (!model_.evaluate(t_, q, v, z_, parts)) return false;
  const Index m = model_.constraints();
  F = Eigen::VectorXd::Zero(rows());
  if (of_velocities) {
    model_.apply_jacobian(v, {F.data(), m});
    F.head(m) -= model_.nu().map();
  } else {
    F.head(m) = model_.Phi().map();
    driven_.count(F);
  }
  const ModelUnit& unit = model_.unit();
  unit.divide_rows({F.data(), m});
  F.segment(model_.parts().kkt.matrix().rows, model_.parts().kkt.matrix().intrinsic_rows) *= intrinsic_weight;
  std::vector<Eigen::Triplet<double>> entries;
  add_constraints(!of_velocities, entries);
  std::vector<RowEntry> gradient;
  for (std::size_t i = 0; i < conditions_.size(); ++i) {
    const double wanted = of_velocities ? conditions_[i].rate : conditions_[i].value;
    double value = 0;
    if (!condition_rows_[i].evaluate(model_, value, gradient)) return false;
    if (!given(wanted)) continue;
    const Index row = m + static_cast<Index>(i);
    double rate = 0, length = 0;
    for (const RowEntry& entry : gradient) length = std::hypot(length, entry.value * unit.column(entry.column));
    const double size = unit.size_of_row(length);
    for (const RowEntry& entry : gradient) {
      entries.emplace_back(row, entry.column, entry.value * unit.column(entry.column) / size);
      if (of_velocities) rate += entry.value * v[entry.column];
    }
    F[row] = ((of_velocities ? rate : value) - wanted) / size;
    condition_sizes_[i] = size;
  }
  for (const ConstraintSlot* skipped : skipped_) {
    F.segment(skipped->first_row, skipped->rows).setZero();
    std::erase_if(entries, [&](const auto& entry) {
      return entry.row() >= skipped->first_row && entry.row() < skipped->first_row + skipped->rows;
    });
  }
  J.resize(rows(), model_.coordinates());
  J.setFromTriplets(entries.begin(), entries.end());
  return F.allFinite();
}

void Assembler::begin_angles(bool count) {
  const VectorView references = model_.point().angle_references();
  std::copy(angles_.begin(), angles_.end(), references.data);
  for (StartRow& row : condition_rows_) row.begin_angle_reference();
  driven_.begin(count);
  model_.point().invalidate();
}

void Assembler::follow_angles() {
  model_.point().update_angle_references();
  for (StartRow& row : condition_rows_) row.update_angle_reference(model_);
  driven_.follow();
}

/// Euler parameters of the same rotations, of the sign nearer to the given ones: a whole turn is none of them.
void Assembler::near_signs(VectorView q, const Eigen::VectorXd& given) const {
  const BodyTable& table = model_.assembly().table;
  for (Index body = 0; body < table.bodies(); ++body) {
    if (!table.turns(body)) continue;
    const Index first = table.first(body) + SpatialBodyState::coordinates - 4;
    auto p = q.segment(first, 4).map();
    if (p.dot(given.segment(first, 4)) < 0) p = -p;
  }
}

bool Assembler::normalise(VectorView q) {
  const KktMatrix& k = model_.parts().kkt.matrix();
  for (int i = 0; k.intrinsic_rows > 0 && i < 4; ++i) {
    if (!model_.evaluate(t_, q, {}, z_, evaluate_Phi | evaluate_jacobian)) return false;
    for (Index b = 0; b < k.intrinsic_rows; ++b) {
      const Eigen::Map<const Eigen::VectorXd> row(k.intrinsic + b * k.coordinates, k.coordinates);
      q.segment(k.intrinsic_first[b], k.coordinates).map() -= model_.Phi()[k.rows + b] / row.squaredNorm() * row;
    }
  }
  return q.map().allFinite();
}

bool Assembler::damped_step(const Matrix& J, const Eigen::VectorXd& F, double mu, Eigen::VectorXd& d) {
  const Matrix transposed = J.transpose();
  Matrix S = J * inverse_weights_.asDiagonal() * transposed;
  Matrix identity(S.rows(), S.cols());
  identity.setIdentity();
  S += mu * identity;
  const Eigen::SimplicialLDLT<Matrix> factor(S);
  if (factor.info() != Eigen::Success) return false;
  const Eigen::VectorXd y = factor.solve(F);
  d = -(inverse_weights_.asDiagonal() * (transposed * y));
  return d.allFinite();
}

double Assembler::weighted_length(const Eigen::VectorXd& d) const {
  return std::sqrt((d.array().square() / inverse_weights_.array()).sum());
}

/// Damped Gauss-Newton from q. True if all rows vanish at the end; `squares`: what is left of |F|^2.
bool Assembler::search(VectorView q, AssemblyReport& report, double& squares) {
  Eigen::VectorXd d, trial = q.map();
  if (!normalise(q) || !evaluate(q, {}, Rows::positions, F_, J_)) return false;
  double mu = 1e-4 * std::max(1.0, inverse_weights_.maxCoeff());
  squares = F_.squaredNorm();
  int idle = 0;
  const int most = largest_iteration_count + static_cast<int>(iterations_per_radian * driven_.farthest());
  for (int i = 0; i < most && idle < 12; ++i) {
    ++report.iterations;
    if (!damped_step(J_, F_, mu, d)) return false;
    const double turn = (d.array() * turning_.array()).abs().maxCoeff();
    if (turn > largest_turn) d *= largest_turn / turn;
    const double predicted = squares - (F_ + J_ * d).squaredNorm();
    if (!(predicted > 1e-16 * squares) || d.lpNorm<Eigen::Infinity>() < 1e-15) break;
    trial = q.map() + in_metres(d);
    const bool evaluated =
        normalise({trial.data(), q.size}) && evaluate({trial.data(), q.size}, {}, Rows::positions, trial_F_, trial_J_);
    const double reached = evaluated ? trial_F_.squaredNorm() : squares;
    if (evaluated && squares - reached > 1e-4 * predicted) {
      idle = squares - reached < 1e-10 * squares ? idle + 1 : 0;
      mu = std::max(smallest_damping, squares - reached > 0.5 * predicted ? 0.1 * mu : mu);
      q.map() = trial;
      F_.swap(trial_F_), J_.swap(trial_J_), squares = reached;
      follow_angles();
    } else {
      mu = 10 * std::max(mu, 1e-10), ++idle;
    }
  }
  return F_.lpNorm<Eigen::Infinity>() <= assembled;
}

/// Back to F = 0 from nearby.
bool Assembler::restore(VectorView q) {
  Eigen::VectorXd d;
  double before = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 20; ++i) {
    if (!evaluate(q, {}, Rows::positions, trial_F_, trial_J_)) return false;
    const double size = trial_F_.lpNorm<Eigen::Infinity>();
    if (size <= 1e-13 || (size <= assembled && size > 0.5 * before)) return true;
    if (!(size < 2 * before) || !damped_step(trial_J_, trial_F_, smallest_damping, d)) return false;
    q.map() += in_metres(d);
    before = size;
  }
  return false;
}

void Assembler::reduce_change(VectorView q, const Eigen::VectorXd& given) {
  Eigen::VectorXd part, trial;
  double length = weighted_length(in_unit(q.map() - given));
  double step = 1;
  for (int i = 0; i < largest_iteration_count && step > 1e-3; ++i) {
    if (!evaluate(q, {}, Rows::positions, F_, J_)) return;
    const Eigen::VectorXd wish = in_unit(given - q.map());
    const Eigen::VectorXd normal = J_ * wish;
    if (!damped_step(J_, normal, smallest_damping, part)) return;
    Eigen::VectorXd d = wish + part;
    const double turn = (d.array() * turning_.array()).abs().maxCoeff();
    if (turn > largest_turn) d *= largest_turn / turn;
    if (d.lpNorm<Eigen::Infinity>() <= 1e-10 * (1 + wish.lpNorm<Eigen::Infinity>())) return;
    trial = q.map() + step * in_metres(d);
    const bool returned = restore({trial.data(), q.size});
    const double reached = weighted_length(in_unit(trial - given));
    if (!returned || !(reached < length)) {
      step *= 0.5;
      continue;
    }
    q.map() = trial;
    length = reached;
    step = std::min(1.0, 2 * step);
    follow_angles();
  }
}

bool Assembler::positions(VectorView q, AssemblyReport& report) {
  report.made = report.asked = true;
  const Eigen::VectorXd given = q.map();
  Eigen::VectorXd best = given, best_F;
  driven_.begin(false);
  if (!evaluate(q, {}, Rows::positions, F_, J_)) return false;
  driven_.find(model_);
  collect(F_);
  report.demands.clear();
  for (const Miss& miss : misses_) report.demands.push_back({miss.name, miss.amount});
  const double extent =
      std::max(0.1 * model_.unit().length(), (given.array() * (1 - turning_.array())).abs().maxCoeff());
  std::mt19937 generator(1);
  std::uniform_real_distribution<double> amount(-1, 1);
  double least = std::numeric_limits<double>::infinity();
  bool found = false;
  // The given positions first; then disturbed ones, ever farther, always the same.
  for (const double size : {0.0, 0.03, 0.1, 0.1, 0.3, 0.3, 0.3, 0.6, 0.6, 0.6, 1.0, 1.0, 1.0, 1.0}) {
    ++report.attempts;
    const bool first = size == 0;
    begin_angles(first && driven_.any());
    for (Index i = 0; i < q.size; ++i) q[i] = given[i] + size * (turning_[i] > 0 ? 1 : extent) * amount(generator);
    double squares = std::numeric_limits<double>::infinity();
    found = search(q, report, squares);
    report.counted_turns = found && driven_.matter();
    if (!found && driven_.matter()) {  // no such way: the driver's angle may still be met whole turns off
      q.map() = given;
      begin_angles(false);
      found = search(q, report, squares);
    }
    if (found) break;
    if (squares < 0.999 * least) least = squares, best = q.map(), best_F = F_;
    if (quick_ && report.attempts >= 3) break;
  }
  if (!found) {
    q.map() = best;
    if (best_F.size() > 0) collect(best_F);
    return false;
  }
  if (report.counted_turns) near_signs(q, given);
  restore(q);
  reduce_change(q, given);
  evaluate(q, {}, Rows::positions, F_, J_);
  report.remaining = F_.size() > 0 ? F_.lpNorm<Eigen::Infinity>() : 0;
  report.positions = change(q.map() - given);
  return true;
}

bool Assembler::velocities(ConstVectorView q, VectorView v, AssemblyReport& report) {
  const Eigen::VectorXd given = v.map();
  Eigen::VectorXd d;
  for (int i = 0; i < 4; ++i) {
    if (!evaluate(q, v, Rows::velocities, F_, J_)) return false;
    if (i > 0 && F_.lpNorm<Eigen::Infinity>() <= 1e-14) break;
    if (!damped_step(J_, F_, smallest_damping, d)) return false;
    v.map() += in_metres(d);
  }
  if (!evaluate(q, v, Rows::velocities, F_, J_)) return false;
  collect(F_);
  if (F_.size() == 0) return true;
  report.velocities = change(v.map() - given);
  std::vector<RowEntry> gradient;
  report.conditions.clear();
  for (std::size_t i = 0; i < conditions_.size(); ++i) {
    AssemblyReport::Condition obtained{conditions_[i].of};
    condition_rows_[i].evaluate(model_, obtained.value, gradient);
    obtained.rate = 0;
    for (const RowEntry& entry : gradient) obtained.rate += entry.value * v[entry.column];
    if (condition_rows_[i].velocity_only()) obtained.value = left_out();
    report.conditions.push_back(obtained);
  }
  return F_.lpNorm<Eigen::Infinity>() <= 1e-8 * (1 + model_.unit().largest_coordinate(v));
}

AssemblyReport::Change Assembler::change(const Eigen::VectorXd& d) const {
  AssemblyReport::Change result;
  if (d.size() == 0) return result;
  Index largest = 0;
  result.largest = d.cwiseAbs().maxCoeff(&largest);
  result.coordinate = model_.coordinate_name(largest);
  result.weighted = weighted_length(d);
  return result;
}

Eigen::VectorXd Assembler::in_metres(Eigen::VectorXd d) const {
  model_.unit().multiply_coordinates({d.data(), static_cast<Index>(d.size())});
  return d;
}

Eigen::VectorXd Assembler::in_unit(Eigen::VectorXd dq) const {
  model_.unit().divide_coordinates({dq.data(), static_cast<Index>(dq.size())});
  return dq;
}

double Assembler::violation(const ConstraintSlot& slot) const {
  return model_.Phi().segment(slot.first_row, slot.rows).map().lpNorm<Eigen::Infinity>();
}

void Assembler::collect(const Eigen::VectorXd& F) {
  const Assembly& assembly = model_.assembly();
  misses_.clear();
  const auto add = [&](const std::string& name, const std::string& key, double amount, double size) {
    if (amount > noteworthy) misses_.push_back({name, key, amount * size});
  };
  for (const ConstraintSlot& slot : assembly.constraints) {
    if (slot.rows == 0) continue;
    Index worst = 0;
    const double amount = F.segment(slot.first_row, slot.rows).cwiseAbs().maxCoeff(&worst);
    add(slot.name, "constraints/" + slot.name, amount, model_.unit().row(slot.first_row + worst));
  }
  for (Index b = 0; b < assembly.intrinsic_rows(); ++b) {
    const Index row = assembly.element_rows() + b;
    add(assembly.row_name(row),
        "bodies/" + assembly.body_names[static_cast<std::size_t>(assembly.table.intrinsic_body(b))],
        std::abs(F[row]) / intrinsic_weight, 1);
  }
  for (std::size_t i = 0; i < conditions_.size(); ++i) {
    add(conditions_[i].of, fmt::format("conditions/{}", i), std::abs(F[model_.constraints() + static_cast<Index>(i)]),
        condition_sizes_[i]);
  }
  std::stable_sort(misses_.begin(), misses_.end(), [](const Miss& a, const Miss& b) { return a.amount > b.amount; });
}

/// Names of all coordinates that a motion of the null space of J moves.
std::vector<std::string> Assembler::null_space(const Matrix& J, long& freedoms) const {
  if (J.rows() == 0) {
    freedoms = J.cols();
    return coordinate_names(model_);
  }
  Eigen::MatrixXd transposed = Eigen::MatrixXd(J.transpose());
  for (Eigen::Index i = 0; i < transposed.cols(); ++i) {
    if (const double length = transposed.col(i).norm(); length > 0) transposed.col(i) /= length;
  }
  const Eigen::MatrixXd T = dense::left_null_space(transposed, dependence_threshold);
  freedoms = static_cast<long>(T.cols());
  std::vector<std::string> names;
  for (Eigen::Index i = 0; i < T.rows(); ++i) {
    if (T.cols() > 0 && T.row(i).norm() > dependence_threshold)
      names.emplace_back(model_.coordinate_name(static_cast<Index>(i)));
  }
  return names;
}

void Assembler::find_undetermined(ConstVectorView q, ConstVectorView v, AssemblyReport& report) {
  report.rank_known = q.size <= largest_dense_null_space;
  if (!report.rank_known) return;
  if (evaluate(q, v, Rows::positions, F_, J_)) report.undetermined_positions = null_space(J_, report.free_positions);
  if (evaluate(q, v, Rows::velocities, F_, J_)) report.undetermined_velocities = null_space(J_, report.free_velocities);
}

}  // namespace trammel
