// Forces against independent definitions: values, gradients, potential, power.
#include "force_check.h"
#include "oracle_pose.h"
#include "scalar_oracle.h"
#include "trammel/sdk/elements/auto_force.h"
#include "trammel/sdk/elements/joint_geometry.h"

namespace conformance {
namespace {

template <class State>
class TsdaOracle final : public sdk::AutoForce<TsdaOracle<State>, State, 2> {
 public:
  TsdaOracle(BodyRef i, BodyRef j, const LocalVector<State>& s_i, const LocalVector<State>& s_j)
      : sdk::AutoForce<TsdaOracle<State>, State, 2>(i, j), s_i_(s_i), s_j_(s_j) {}

  template <class T>
  void force(const T&, const Motion<State, T>* b, Load<State, T>* loads) const {
    const auto d = b[1].point(s_j_) - b[0].point(s_i_);
    const auto d1 = b[1].point_velocity(s_j_) - b[0].point_velocity(s_i_);
    const T l = sdk::norm(d), F = 40.0 * (l - 0.8) + 3.0 * (sdk::dot(d, d1) / l);
    const auto pull = (F / l) * d;
    loads[0].add_force(b[0], s_i_, pull);
    loads[1].add_force(b[1], s_j_, -pull);
  }

 private:
  LocalVector<State> s_i_, s_j_;
};

class PlanarRsdaOracle final : public sdk::AutoForce<PlanarRsdaOracle, PlanarBodyState, 2> {
 public:
  using AutoForce::AutoForce;
  template <class T>
  void force(const T&, const Motion<PlanarBodyState, T>* b, Load<PlanarBodyState, T>* loads) const {
    const T torque = 7.0 * (b[1].phi - b[0].phi - 0.2) + 2.0 * (b[1].omega - b[0].omega);
    loads[0].add_torque(b[0], torque);
    loads[1].add_torque(b[1], -torque);
  }
};

/// Force (kind 0) or torque (kind 1), global or body frame, with the factor 1 + t^2.
template <class State>
class AppliedOracle final : public sdk::AutoForce<AppliedOracle<State>, State, 1> {
 public:
  AppliedOracle(BodyRef body, bool torque, bool body_frame, const Vec3<>& load, const LocalVector<State>& s)
      : sdk::AutoForce<AppliedOracle<State>, State, 1>(body),
        torque_(torque),
        body_frame_(body_frame),
        load_(load),
        s_(s) {}

  template <class T>
  void force(const T& t, const Motion<State, T>* b, Load<State, T>* loads) const {
    const T factor = 1.0 + t * t;
    if constexpr (State::coordinates == 7) {
      const Vec3<T> global{T(load_.x), T(load_.y), T(load_.z)};
      if (!torque_) {
        loads[0].add_force(b[0], s_, factor * (body_frame_ ? turned(b[0], load_) : global));
      } else if (!body_frame_) {
        loads[0].add_torque(b[0], factor * global);
      } else {  // 2 G^T T', entry by entry
        const T e[4] = {b[0].p.e0, b[0].p.e.x, b[0].p.e.y, b[0].p.e.z}, k = 2.0 * factor;
        loads[0].Q[3] += k * (-e[1] * load_.x - e[2] * load_.y - e[3] * load_.z);
        loads[0].Q[4] += k * (e[0] * load_.x - e[3] * load_.y + e[2] * load_.z);
        loads[0].Q[5] += k * (e[3] * load_.x + e[0] * load_.y - e[1] * load_.z);
        loads[0].Q[6] += k * (-e[2] * load_.x + e[1] * load_.y + e[0] * load_.z);
      }
    } else {
      const Vec2<> f{load_.x, load_.y};
      const Vec2<T> global{T(load_.x), T(load_.y)};
      if (torque_)
        loads[0].add_torque(b[0], factor * load_.x);
      else
        loads[0].add_force(b[0], s_, factor * (body_frame_ ? turned(b[0], f) : global));
    }
  }

 private:
  bool torque_, body_frame_;
  Vec3<> load_;
  LocalVector<State> s_;
};

class OnePlusSquare final : public Function {
 public:
  Status evaluate(double x, int order, double* value) const override {
    const double all[4] = {1 + x * x, 2 * x, 2, 0};
    std::copy(all, all + order + 1, value);
    return Status::success();
  }
};

const std::vector<std::vector<std::int32_t>> pairs_of_bodies = {{0, 1}, {-1, 1}, {0, -1}};

template <class State>
void check_tsda(const std::string& name) {
  check_force<State>(
      name, pairs_of_bodies, [](const std::vector<std::int32_t>& bodies, const Model<State>& model, Random& random) {
        const ComponentRecord& record = find_component("tsda", ComponentKind::force, model.host());
        const LocalVector<State> s_i = random_local<State>(random), s_j = random_local<State>(random);
        ParameterFill fill(record.parameters);
        fill.bodies("bodies", bodies).vector("point_i", s_i).vector("point_j", s_j);
        fill.number("stiffness", 40).number("damping", 3).number("free_length", 0.8);
        return std::pair(std::make_unique<Component<ForceElement>>(record, std::move(fill), model),
                         std::make_unique<TsdaOracle<State>>(BodyRef{bodies[0]}, BodyRef{bodies[1]}, s_i, s_j));
      });
}

template <class State>
void check_applied(const std::string& type, bool torque, bool body_frame) {
  static const OnePlusSquare factor;
  const std::string name = type + (body_frame ? " body" : " global") + (State::coordinates == 3 ? " (planar)" : "");
  check_force<State>(
      name, {{0}}, [&](const std::vector<std::int32_t>& bodies, const Model<State>& model, Random& random) {
        const ComponentRecord& record = find_component(type, ComponentKind::force, model.host());
        const Vec3<> load = random_vec3(random, 10);
        const LocalVector<State> s = random_local<State>(random);
        ParameterFill fill(record.parameters);
        fill.body("body", bodies[0]).function("function", &factor);
        if (torque && State::coordinates == 3)
          fill.number("torque", load.x);
        else
          fill.vector(torque ? "torque" : "force", load).choice("frame", body_frame ? 1 : 0);
        if (!torque) fill.vector("point", s);
        return std::pair(std::make_unique<Component<ForceElement>>(record, std::move(fill), model),
                         std::make_unique<AppliedOracle<State>>(BodyRef{bodies[0]}, torque, body_frame, load, s));
      });
}

TEST_CASE("forces, gradients and power equal the oracle's") {
  check_tsda<SpatialBodyState>("tsda");
  check_tsda<PlanarBodyState>("tsda (planar)");
  check_force<SpatialBodyState>("rsda", pairs_of_bodies, [](const auto& bodies, const auto& model, Random& random) {
    const ComponentRecord& record = find_component("rsda", ComponentKind::force, Host::spatial);
    const Vec3<> h_i = random_vec3(random), h_j = random_vec3(random);
    ParameterFill fill(record.parameters);
    fill.bodies("bodies", bodies).vector("axis_i", h_i).vector("axis_j", h_j);
    fill.number("stiffness", 7).number("damping", 2).number("free_angle", 0.2).number("initial_angle", 0.5);
    const BodyRef refs[2] = {{bodies[0]}, {bodies[1]}};
    const double none = left_out();
    const sdk::SpatialAxes axes =
        sdk::spatial_axes({{refs, 2}}, {{none, none, none}, {h_i.x, h_i.y, h_i.z}, {h_j.x, h_j.y, h_j.z}}, model);
    const auto torque = [](const auto& angle, const auto& rate, const auto&) {
      return 7.0 * (angle + 0.5 - 0.2) + 2.0 * rate;  // initial_angle 0.5, free_angle 0.2
    };
    return std::pair(std::make_unique<Component<ForceElement>>(record, std::move(fill), model),
                     scalar_oracle<SpatialBodyState>(refs[0], refs[1], RelativeAngle{axes}, torque));
  });
  check_force<PlanarBodyState>("rsda (planar)", pairs_of_bodies, [](const auto& bodies, const auto& model, Random&) {
    const ComponentRecord& record = find_component("rsda", ComponentKind::force, Host::planar);
    ParameterFill fill(record.parameters);
    fill.bodies("bodies", bodies).number("stiffness", 7).number("damping", 2).number("free_angle", 0.2);
    return std::pair(std::make_unique<Component<ForceElement>>(record, std::move(fill), model),
                     std::make_unique<PlanarRsdaOracle>(BodyRef{bodies[0]}, BodyRef{bodies[1]}));
  });
  for (const bool body_frame : {false, true}) {
    check_applied<SpatialBodyState>("applied_force", false, body_frame);
    check_applied<SpatialBodyState>("applied_torque", true, body_frame);
    check_applied<PlanarBodyState>("applied_force", false, body_frame);
  }
  check_applied<PlanarBodyState>("applied_torque", true, false);
}

}  // namespace
}  // namespace conformance
