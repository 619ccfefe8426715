// Simbody: a tree of mobilizers, cut joints as constraints; realize(Stage::Acceleration).
#include <Simbody.h>

#include <stdexcept>

#include "measure.h"

namespace {

using namespace peers;
using SimTK::MobilizedBody;

SimTK::Vec3 vec(const Vector& v) { return {v[0], v[1], v[2]}; }
Vector eigen(const SimTK::Vec3& v) { return {v[0], v[1], v[2]}; }

SimTK::Transform transform(const Pose& pose) {
  const Eigen::Matrix3d& R = pose.linear();
  const SimTK::Mat33 m(R(0, 0), R(0, 1), R(0, 2), R(1, 0), R(1, 1), R(1, 2), R(2, 0), R(2, 1), R(2, 2));
  return {SimTK::Rotation(m, true), vec(pose.translation())};
}

/// Pins turn about z of their frames; universal joints about x of the first's and y of the second's.
Pose frame_of(const Joint& joint) {
  if (joint.kind == Kind::universal) return joint.frame(joint.axis, joint.second_axis);
  const Vector x = across(joint.axis);
  return joint.frame(x, joint.axis.cross(x));
}

class Simbody : public Peer {
 public:
  explicit Simbody(const Model& model) : model_(model), matter_(system_), forces_(system_) {
    SimTK::Force::UniformGravity(forces_, matter_, vec(model.gravity));
    mobilized_.resize(model.bodies.size());
    for (const Joint& joint : model.tree) add_tree_joint(joint);
    for (const Joint& joint : model.cuts) add_cut(joint);
    state_[0] = state_[1] = system_.realizeTopology();
  }

  void set_state(const std::vector<BodyState>& state, int slot) override {
    for (const Joint& joint : model_.tree) {
      const Relative motion = relative(model_, state, joint, frame_of(joint));
      const MobilizedBody& body = mobilized(joint.second);
      body.setQToFitRotation(state_[slot], transform(motion.pose).R());
    }
    system_.realize(state_[slot], SimTK::Stage::Position);
    for (const Joint& joint : model_.tree) {
      const Relative motion = relative(model_, state, joint, frame_of(joint));
      mobilized(joint.second).setUToFitAngularVelocity(state_[slot], vec(motion.angular_velocity));
    }
  }

  void forward_dynamics(int slot) override {
    state_[slot].updQ();  // what depends on coordinates is no longer valid
    system_.realize(state_[slot], SimTK::Stage::Acceleration);
    last_ = slot;
  }

  void acceleration(std::size_t body, Vector& linear, Vector& angular) override {
    linear = eigen(mobilized_[body].getBodyOriginAcceleration(state_[last_]));
    angular = eigen(mobilized_[body].getBodyAngularAcceleration(state_[last_]));
  }

 private:
  MobilizedBody& mobilized(int body) {
    return body < 0 ? static_cast<MobilizedBody&>(matter_.updGround()) : mobilized_[static_cast<std::size_t>(body)];
  }

  void add_tree_joint(const Joint& joint) {
    const Body& body = model_.bodies[static_cast<std::size_t>(joint.second)];
    const SimTK::Body::Rigid rigid(SimTK::MassProperties(body.mass, SimTK::Vec3(0), SimTK::Inertia(vec(body.inertia))));
    const SimTK::Transform first = transform(model_.in_body(joint.first, frame_of(joint))),
                           second = transform(model_.in_body(joint.second, frame_of(joint)));
    MobilizedBody& parent = mobilized(joint.first);
    MobilizedBody& made = mobilized_[static_cast<std::size_t>(joint.second)];
    switch (joint.kind) {
      case Kind::revolute: made = MobilizedBody::Pin(parent, first, rigid, second); break;
      case Kind::universal: made = MobilizedBody::Universal(parent, first, rigid, second); break;
      case Kind::spherical: made = MobilizedBody::Ball(parent, first, rigid, second); break;
    }
  }

  /// Planar cuts have the two rows in the plane; spatial revolutes those of a ball and two right angles.
  void add_cut(const Joint& joint) {
    const Pose frame = frame_of(joint);
    const Pose first = model_.in_body(joint.first, frame), second = model_.in_body(joint.second, frame);
    MobilizedBody &a = mobilized(joint.first), &b = mobilized(joint.second);
    const auto axis = [](const Pose& pose, int k) { return SimTK::UnitVec3(vec(pose.linear().col(k))); };
    if (model_.planar) {
      for (int k : {0, 1}) {
        const double height = first.linear().col(k).dot(first.translation());
        SimTK::Constraint::PointInPlane(a, axis(first, k), height, b, vec(second.translation()));
      }
      return;
    }
    if (joint.kind == Kind::universal) throw std::runtime_error("no universal joint as a constraint");
    SimTK::Constraint::Ball(a, vec(first.translation()), b, vec(second.translation()));
    if (joint.kind != Kind::revolute) return;
    for (int k : {0, 1}) SimTK::Constraint::ConstantAngle(a, axis(first, k), b, axis(second, 2));
  }

  const Model& model_;
  SimTK::MultibodySystem system_;
  SimTK::SimbodyMatterSubsystem matter_;
  SimTK::GeneralForceSubsystem forces_;
  std::vector<MobilizedBody> mobilized_;
  SimTK::State state_[2];
  int last_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  return run_peer(argc, argv, {PEER_VERSION},
                  [](const Model& model) -> std::unique_ptr<Peer> { return std::make_unique<Simbody>(model); });
}
