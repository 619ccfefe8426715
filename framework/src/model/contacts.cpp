// Impacts of one-sided contacts.
#include "model/contacts.h"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

#include "trammel/error.h"

// With impulses p >= 0 along the gaps' gradients G and Lambda of the constraints (Brogliato, Nonsmooth Mechanics
// (2016), chapters 4 and 6):
//   M (v+ - v-) + Phi_q^T Lambda = G p,   Phi_q v+ = nu                                                            (1)
//   0 <= p  perpendicular to  G^T v+ - w >= 0,   w = max(-e g'(-), rest speed) where g'(-) < 0, else 0             (2)
// v- is first made consistent by (1) with p = 0. Then v+ = v- + X p, [M Phi_q^T; Phi_q 0][X; .] = [G; 0], and (2) is a
// linear complementarity problem with the matrix A = G^T X, symmetric and positive semidefinite.
namespace trammel {
namespace {

constexpr double touching = 1e-10;  // m: gaps of a located impact are off zero by rounding only
constexpr double standing = 1e-9;   // m/s

}  // namespace

Contacts::Contacts(const Assembly& assembly)
    : coordinates_(assembly.coordinates()), body_coordinates_(assembly.body_coordinates()) {
  std::size_t most = 0;
  for (const ConstraintSlot& slot : assembly.constraints) {
    const auto* contact = find_extension<UnilateralContact>(*slot.constraint);
    if (contact == nullptr) continue;
    if (slot.rows != 0) {
      throw Error(ErrorKind::plugin,
                  fmt::format("'{}' (type '{}') is a one-sided contact and may have no rows", slot.name, slot.type));
    }
    contacts_.push_back({&slot, contact});
    most = std::max(most, slot.bodies.size());
  }
  if (contacts_.empty()) return;
  const auto n = static_cast<std::size_t>(coordinates_), m = static_cast<std::size_t>(assembly.rows());
  blocks_.assign(most * static_cast<std::size_t>(body_coordinates_), 0.0);
  zero_n_.assign(n, 0.0), momentum_ = zero_n_;
  zero_m_.assign(m, 0.0), work_m_ = zero_m_, lambda_ = zero_m_;
  touching_.reserve(contacts_.size());
  G_.resize(coordinates_, count()), X_ = G_;
}

Status Contacts::row(const ConstrainedModel& model, const Contact& contact, double& gap, double* gradient,
                     double* gamma) const {
  const std::vector<Index>& bodies = contact.slot->bodies;
  MatrixView views[8];
  if (bodies.size() > std::size(views))
    return Status::failure(StatusCode::unsupported, "a contact of more than 8 bodies");
  double* values = const_cast<double*>(blocks_.data());
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    if (bodies[k] >= 0) views[k] = {values + k * static_cast<std::size_t>(body_coordinates_), 1, body_coordinates_, 1};
  }
  ConstraintOutput out;
  out.Phi = {&gap, 1};
  if (gradient != nullptr) out.Phi_q = views;
  if (gamma != nullptr) out.gamma = {gamma, 1};
  const Status status = contact.contact->gap().evaluate(model.point().element_state(*contact.slot), out);
  if (!status || gradient == nullptr) return status;
  std::fill(gradient, gradient + coordinates_, 0.0);
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    if (bodies[k] < 0) continue;
    const BodyTable& table = model.assembly().table;
    std::copy_n(views[k].data, table.width(bodies[k]), gradient + table.first(bodies[k]));
  }
  return status;
}

Status Contacts::gaps(const ConstrainedModel& model, VectorView out) const {
  Status status;
  for (std::size_t i = 0; status.ok() && i < contacts_.size(); ++i) {
    status = row(model, contacts_[i], out[static_cast<Index>(i)], nullptr, nullptr);
  }
  return status;
}

// The active set grows and shrinks by sign until (2) holds; redundant contacts (four legs) share by least squares.
void Contacts::solve_impulses(Index size) {
  std::vector<char> active(static_cast<std::size_t>(size), 1);
  impulse_.setZero(size);
  for (Index pass = 0; pass < 10 * size + 10; ++pass) {
    std::vector<Index> rows;
    for (Index i = 0; i < size; ++i) {
      if (active[static_cast<std::size_t>(i)]) rows.push_back(i);
    }
    impulse_.setZero(size);
    if (!rows.empty()) {
      const auto k = static_cast<Index>(rows.size());
      Eigen::MatrixXd part(k, k);
      Eigen::VectorXd right(k);
      for (Index i = 0; i < k; ++i) {
        right[i] = wanted_[rows[i]] - rate_[rows[i]];
        for (Index j = 0; j < k; ++j) part(i, j) = A_(rows[i], rows[j]);
      }
      const Eigen::VectorXd p = part.completeOrthogonalDecomposition().solve(right);
      for (Index i = 0; i < k; ++i) impulse_[rows[i]] = p[i];
    }
    Index worst = -1;
    double amount = 1e-12 * std::max(impulse_.cwiseAbs().maxCoeff(), 1e-300);
    for (Index i = 0; i < size; ++i) {
      if (-impulse_[i] > amount) amount = -impulse_[i], worst = i;
    }
    if (worst >= 0) {
      active[static_cast<std::size_t>(worst)] = 0;
      continue;
    }
    const Eigen::VectorXd after = rate_ + A_ * impulse_ - wanted_;
    amount = 1e-12 * std::max(1e-6, rate_.cwiseAbs().maxCoeff());
    for (Index i = 0; i < size; ++i) {
      if (!active[static_cast<std::size_t>(i)] && -after[i] > amount) amount = -after[i], worst = i;
    }
    if (worst < 0) return;
    active[static_cast<std::size_t>(worst)] = 1;
  }
}

Status Contacts::collide(ConstrainedModel& model, double t, ConstVectorView q, ConstVectorView z,
                         const std::vector<char>& met, VectorView v, std::vector<double>& approach, Impact& impact) {
  const Index n = coordinates_, m = model.constraints();
  const VectorView residual{work_m_.data(), m}, lambda{lambda_.data(), m}, momentum{momentum_.data(), n};
  Status status = model.evaluate(t, q, v, z, evaluate_jacobian | evaluate_nu);
  if (status) status = model.factorize(ProjectionWeights::mass);
  if (!status) return status;
  const auto kinetic = [&] {
    model.apply_mass(v, momentum);
    return 0.5 * v.map().dot(momentum.map());
  };
  const double before = kinetic();
  double work = 0;
  const auto add_impulse = [&](ConstVectorView f, ConstVectorView g, double scale, double* dv) {
    status = model.solve(f, g, {dv, n}, lambda);
    if (status) work -= scale * lambda.map().dot(model.nu().map());
    return status;
  };
  model.apply_jacobian(v, residual);
  residual.map() = model.nu().map() - residual.map();
  const ConstVectorView no_force{zero_n_.data(), n}, no_rate{zero_m_.data(), m};
  if (!add_impulse(no_force, residual, 1, X_.data())) return status;
  v.map() += X_.col(0);

  approach.assign(contacts_.size(), 0.0);
  touching_.clear();
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    double gap = 0;
    const auto column = static_cast<Index>(touching_.size());
    status = row(model, contacts_[i], gap, G_.col(column).data(), nullptr);
    if (!status) return status;
    if (met[i] || gap <= touching) touching_.push_back(static_cast<Index>(i));
  }
  const auto size = static_cast<Index>(touching_.size());
  rate_.resize(size), wanted_.setZero(size), A_.resize(size, size);
  for (Index i = 0; i < size; ++i) {
    status = model.solve({G_.col(i).data(), n}, no_rate, {X_.col(i).data(), n}, {});
    if (!status) return status;
    rate_[i] = G_.col(i).dot(v.map());
    const auto which = static_cast<std::size_t>(touching_[static_cast<std::size_t>(i)]);
    const UnilateralContact& contact = *contacts_[which].contact;
    const double speed = -rate_[i];
    // Bodies that lie on each other at the start meet with a speed of rounding.
    if (!(speed > 0) && !(met[which] && speed > -standing)) continue;
    wanted_[i] = std::max(contact.restitution(std::abs(speed)) * speed, contact.rest_speed());
    approach[which] = std::max(speed, standing);
  }
  A_ = G_.leftCols(size).transpose() * X_.leftCols(size);
  if (size > 0) solve_impulses(size);
  // Once more with all impulses together: v+ obeys the constraints to rounding, and the drivers' work comes with it.
  momentum.map() = G_.leftCols(size) * impulse_.head(size);
  if (size > 0) {
    const std::vector<double> pushed = momentum_;
    if (!add_impulse({pushed.data(), n}, no_rate, 1, X_.data())) return status;
    v.map() += X_.col(0);
  }
  const double after = kinetic();
  impact.work += work;
  impact.dissipated += before + work - after;
  return std::isfinite(after) ? Status::success() : Status::failure(StatusCode::not_finite, "impact");
}

Status Contacts::time_of_flight(const ConstrainedModel& model, ConstVectorView v, ConstVectorView a,
                                double& time) const {
  time = std::numeric_limits<double>::infinity();
  std::vector<double> gradient(static_cast<std::size_t>(coordinates_));
  for (const Contact& contact : contacts_) {
    double gap = 0, gamma = 0;
    const Status status = row(model, contact, gap, gradient.data(), &gamma);
    if (!status) return status;
    const ConstVectorView G{gradient.data(), coordinates_};
    const double rate = G.map().dot(v.map()), acceleration = G.map().dot(a.map()) - gamma;
    if (gap <= touching && rate > 0 && acceleration < 0) time = std::min(time, -2 * rate / acceleration);
  }
  return Status::success();
}

}  // namespace trammel
