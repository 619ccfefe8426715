// Points at which elements are checked.
#include "check/element_point.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstring>

#include "trammel/extensions/accepted_step.h"

namespace trammel::conformance {
namespace {

/// Coordinates of a body turned by p (or angle) and shifted by r: q' of the body at q.
void move_body(const VectorXd& motion, double* q, Index c) {
  if (c >= 7) {
    const Eigen::Quaterniond turn(motion[3], motion[4], motion[5], motion[6]), p(q[3], q[4], q[5], q[6]);
    const Eigen::Vector3d r = turn * Eigen::Vector3d(q[0], q[1], q[2]) + motion.head<3>();
    const Eigen::Quaterniond turned = turn * p;
    q[0] = r.x(), q[1] = r.y(), q[2] = r.z();
    q[3] = turned.w(), q[4] = turned.x(), q[5] = turned.y(), q[6] = turned.z();
    return;
  }
  const double s = std::sin(motion[2]), n = std::cos(motion[2]), x = q[0], y = q[1];
  q[0] = n * x - s * y + motion[0], q[1] = s * x + n * y + motion[1], q[2] += motion[2];
}

}  // namespace

ElementPoint::ElementPoint(const CaseModel& model, const ElementSlot& slot, const ForceElement* force)
    : system_(model.numbers->assembly().system),
      table_(model.numbers->assembly().table),
      slot_(slot),
      c_(system_.coordinates()),
      all_q_(model.q),
      all_v_(model.v) {
  while (stand_in_ < table_.bodies() && table_.width(stand_in_) < c_) ++stand_in_;
  if (stand_in_ == table_.bodies()) skip("no body of the case has all coordinates");
  first_ = table_.first(stand_in_);
  const auto count = static_cast<Index>(slot.bodies.size());
  q_ = v_ = VectorXd::Zero(count * c_);
  for (Index b = 0; b < count; ++b) {
    const Index body = slot.bodies[static_cast<std::size_t>(b)];
    free_.push_back(body >= 0);
    if (c_ == 7) q_[b * c_ + 3] = 1;
  }
  gather(model.q, model.v);
  const auto doubles = static_cast<std::size_t>(system_.state_bytes()) / sizeof(double) + 1;
  const auto bodies = static_cast<std::size_t>(model.model.body_count());
  all_states_.resize((bodies + 1) * doubles);
  states_.resize(free_.size() * doubles);
  for (std::size_t b = 0; b < free_.size(); ++b) attached_.push_back(states_.data() + b * doubles);
  if (slot.angles != nullptr) {
    references_.resize(static_cast<std::size_t>(slot.angles->angle_count()));
    slot.angles->initial_angles({references_.data(), slot.angles->angle_count()});
  }
  if (force != nullptr && force->internal_states() > 0) {
    z_.setZero(force->internal_states());
    force->initial_internal_states({z_.data(), static_cast<Index>(z_.size())});
  }
  z0_ = z_;
  const Assembly& assembly = model.numbers->assembly();
  memory_ = force != nullptr ? std::make_unique<StartMemory>(assembly, static_cast<const ForceSlot&>(slot), 1.0)
                             : std::make_unique<StartMemory>(assembly, static_cast<const ConstraintSlot&>(slot));
  back();
  require_ok(memory_->begin(at()), "initial_memory");
}

void ElementPoint::gather(const std::vector<double>& q, const std::vector<double>& v) {
  for (Index b = 0; b < bodies(); ++b) {
    const Index body = slot_.bodies[static_cast<std::size_t>(b)];
    if (body < 0) continue;
    const Index first = table_.first(body), width = table_.width(body);
    q_.segment(b * c_, width) = Eigen::Map<const VectorXd>(q.data() + first, width);
    v_.segment(b * c_, width) = Eigen::Map<const VectorXd>(v.data() + first, width);
  }
}

void ElementPoint::take(const MotionState& state) {
  gather(state.q, state.v);
  set_time(state.t);
}

void ElementPoint::update(const VectorXd& q, const VectorXd& v) {
  const auto bytes = static_cast<std::size_t>(system_.state_bytes());
  for (Index b = 0; b < bodies(); ++b) {  // one body of the model stands for each
    std::copy_n(q.data() + b * c_, c_, all_q_.data() + first_);
    std::copy_n(v.data() + b * c_, c_, all_v_.data() + first_);
    system_.motion().kinematics({all_q_.data(), static_cast<Index>(all_q_.size())},
                                {all_v_.data(), static_cast<Index>(all_v_.size())}, all_states_.data());
    std::memcpy(const_cast<void*>(attached_[static_cast<std::size_t>(b)]),
                reinterpret_cast<const char*>(all_states_.data()) + static_cast<std::size_t>(stand_in_) * bytes, bytes);
  }
}

void ElementPoint::move(const VectorXd& dq, const VectorXd& dv, double dt, const VectorXd& dz) {
  const VectorXd q = dq.size() > 0 ? VectorXd(q_ + dq) : q_, v = dv.size() > 0 ? VectorXd(v_ + dv) : v_;
  update(q, v);
  moved_v_ = v;
  t_ = time_ + dt;
  z_ = dz.size() > 0 ? VectorXd(z0_ + dz) : z0_;
}

void ElementPoint::set_time(double time) {
  time_ = time;
  back();
}

void ElementPoint::disturb(Random& random, double size, double length) {
  for (Index b = 0; b < bodies(); ++b) {
    if (!free(b)) continue;
    for (Index k = 0; k < c_; ++k) q_[b * c_ + k] += uniform(random, -size, size), v_[b * c_ + k] += uniform(random);
    if (c_ != 7) continue;
    auto p = q_.segment(b * c_ + 3, 4);
    auto rate = v_.segment(b * c_ + 3, 4);
    p *= length / p.norm();
    if (length == 1) rate -= p.dot(rate) * p;
  }
  for (Index k = 0; k < z0_.size(); ++k) z0_[k] += uniform(random);
  back();
  if (slot_.angles != nullptr) {  // the branch of this point
    std::vector<double> angles(references_.size());
    slot_.angles->angles(at(), {angles.data(), slot_.angles->angle_count()});
    references_ = angles;
  }
}

Eigen::Matrix3d ElementPoint::move_rigidly(Random& random, const Eigen::Vector3d* axis) {
  VectorXd motion(spatial() ? 7 : 3);
  for (Index k = 0; k < motion.size(); ++k) motion[k] = uniform(random);
  if (spatial() && axis != nullptr) {
    const Eigen::Quaterniond about(Eigen::AngleAxisd(3 * motion[3], *axis));
    motion.head(3) -= axis->dot(motion.head<3>()) * *axis;
    motion.tail(4) << about.w(), about.x(), about.y(), about.z();
  }
  if (spatial()) motion.tail(4).normalize();
  // Velocities turn along; the motion itself is at rest.
  VectorXd still = motion;
  still.head(spatial() ? 3 : 2).setZero();
  for (Index b = 0; b < bodies(); ++b) {
    move_body(motion, q_.data() + b * c_, c_);
    double* v = v_.data() + b * c_;
    const double omega = v[2];
    move_body(still, v, c_);
    if (!spatial()) v[2] = omega;
  }
  back();
  if (!spatial()) return Eigen::AngleAxisd(motion[2], Eigen::Vector3d::UnitZ()).toRotationMatrix();
  return Eigen::Quaterniond(motion[3], motion[4], motion[5], motion[6]).toRotationMatrix();
}

void ElementPoint::add_rigid_velocity(Random& random) {
  Eigen::Vector3d u, omega;
  for (Index k = 0; k < 3; ++k) u[k] = uniform(random), omega[k] = uniform(random);
  for (Index b = 0; b < bodies(); ++b) {
    const double* q = q_.data() + b * c_;
    double* v = v_.data() + b * c_;
    if (!spatial()) {
      v[0] += u.x() - omega.z() * q[1], v[1] += u.y() + omega.z() * q[0], v[2] += omega.z();
      continue;
    }
    Eigen::Map<Eigen::Vector3d>{v} += u + omega.cross(Eigen::Vector3d(q[0], q[1], q[2]));
    // p' = (0, omega) p / 2 in the global frame.
    const Eigen::Quaterniond p(q[3], q[4], q[5], q[6]), spin(0, omega.x(), omega.y(), omega.z()), rate = spin * p;
    v[3] += rate.w() / 2, v[4] += rate.x() / 2, v[5] += rate.y() / 2, v[6] += rate.z() / 2;
  }
  back();
}

VectorXd ElementPoint::local(Random& random) const {
  VectorXd x = VectorXd::Zero(size());
  for (Index k = 0; k < x.size(); ++k) {
    if (free(k / c_)) x[k] = uniform(random, -2, 2);
  }
  return x;
}

std::vector<MatrixView> ElementPoint::row_blocks(MatrixXd& matrix) const {
  std::vector<MatrixView> views;
  const auto m = static_cast<Index>(matrix.rows());
  for (Index b = 0; b < bodies(); ++b) {
    views.push_back(free(b) ? MatrixView{matrix.data() + b * c_ * m, m, c_, m} : MatrixView{});
  }
  return views;
}

std::vector<MatrixView> ElementPoint::square_blocks(MatrixXd& matrix) const {
  std::vector<MatrixView> views;
  const auto n = static_cast<Index>(matrix.rows());
  for (Index i = 0; i < bodies(); ++i) {
    for (Index j = 0; j < bodies(); ++j) {
      const bool wanted = free(i) && free(j);
      views.push_back(wanted ? MatrixView{matrix.data() + i * c_ + j * c_ * n, c_, c_, n} : MatrixView{});
    }
  }
  return views;
}

std::vector<VectorView> ElementPoint::segments(VectorXd& vector, bool all) const {
  std::vector<VectorView> views;
  for (Index b = 0; b < bodies(); ++b) {
    views.push_back(all || free(b) ? VectorView{vector.data() + b * c_, c_} : VectorView{});
  }
  return views;
}

std::vector<ConstVectorView> ElementPoint::segments(const VectorXd& vector) const {
  std::vector<ConstVectorView> views;
  for (Index b = 0; b < bodies(); ++b) views.push_back({vector.data() + b * c_, c_});
  return views;
}

double difference_error(const VectorXd& expected, const std::function<VectorXd(double)>& f) {
  constexpr double c[] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  double best = INFINITY;
  if (expected.size() == 0) return 0;
  const double scale = std::max({1.0, expected.cwiseAbs().maxCoeff(), f(0).cwiseAbs().maxCoeff()});
  for (const double h : {1e-2, 2e-3, 4e-4, 8e-5, 1e-5}) {
    VectorXd sum = VectorXd::Zero(expected.size());
    for (int k = 1; k <= 4; ++k) sum += (c[k - 1] / h) * (f(k * h) - f(-k * h));
    const double error = (expected - sum).cwiseAbs().maxCoeff() / scale;
    if (error < best) best = error;
    if (best < 1e-10) break;  // smaller steps only add rounding
  }
  return best;
}

void Wrench::add(const BodyOutput& output, const void* state, ConstVectorView Q) {
  double f[3] = {0, 0, 0}, torque[3] = {0, 0, 0}, r[3], rdot[3];
  const double centre[3] = {0, 0, 0};
  output.wrench(state, Q, f, torque);
  output.point(state, centre, {}, r, rdot, nullptr);
  const Eigen::Map<const Eigen::Vector3d> F(f), T(torque), at(r);
  force += F;
  moment += T + Eigen::Vector3d(at).cross(Eigen::Vector3d(F));
}

const ForceClaims& claims_of(const ForceElement& force) {
  static const struct : ForceClaims {
  } defaults;
  const auto* claims = find_extension<ForceClaims>(force);
  return claims != nullptr ? *claims : defaults;
}

std::string place_of(const CaseModel& model, const ElementSlot& slot) {
  return fmt::format("'{}' of {}", slot.name, model.run.file.filename().string());
}

namespace {

template <class Slots, class Action>
void for_each(const Subject& subject, const Slots& slots_of, const Action& action) {
  int count = 0;
  for (const std::filesystem::path& file : subject.cases) {
    CaseModel model(file, *subject.host);
    if (model.numbers == nullptr) continue;
    for (const auto& slot : slots_of(model.numbers->assembly())) {
      if (slot.type != subject.component->type) continue;
      ++count;
      action(model, slot);
    }
  }
  require(count > 0, "no run file uses it: give one with --case, or put it into a folder `cases` beside the plugin");
}

}  // namespace

void for_each_constraint(const Subject& subject, const std::function<void(CaseModel&, const ConstraintSlot&)>& action) {
  for_each(
      subject, [](const Assembly& assembly) -> const auto& { return assembly.constraints; }, action);
}

void for_each_force(const Subject& subject, const std::function<void(CaseModel&, const ForceSlot&)>& action) {
  for_each(
      subject, [](const Assembly& assembly) -> const auto& { return assembly.forces; }, action);
}

}  // namespace trammel::conformance
