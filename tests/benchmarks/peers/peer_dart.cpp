// DART: a skeleton of revolute and ball joints; Skeleton::computeForwardDynamics. Its loops are rows of the impulses of
// a time step, not of accelerations, so that it has chains only.
#include <dart/dynamics/BallJoint.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <stdexcept>

#include "measure.h"

namespace {

using namespace peers;
namespace dynamics = dart::dynamics;

Pose frame_of(const Joint& joint) { return joint.frame(across(joint.axis), joint.axis.cross(across(joint.axis))); }

class Dart : public Peer {
 public:
  explicit Dart(const Model& model) : model_(model), skeleton_(dynamics::Skeleton::create("model")) {
    if (!model.cuts.empty()) throw std::runtime_error("no accelerations of loops");
    skeleton_->setGravity(model.gravity);
    nodes_.resize(model.bodies.size());
    for (const Joint& joint : model.tree) add(joint);
  }

  void set_state(const std::vector<BodyState>& state, int slot) override {
    q_[slot].setZero(static_cast<Eigen::Index>(skeleton_->getNumDofs())), v_[slot] = q_[slot];
    for (const Joint& joint : model_.tree) {
      const Relative motion = relative(model_, state, joint, frame_of(joint));
      const Eigen::Matrix3d& R = motion.pose.linear();
      const auto first = static_cast<Eigen::Index>(
          nodes_[static_cast<std::size_t>(joint.second)]->getParentJoint()->getIndexInSkeleton(0));
      if (joint.kind == Kind::spherical) {
        q_[slot].segment<3>(first) = dynamics::BallJoint::convertToPositions(R);
        v_[slot].segment<3>(first) = R.transpose() * motion.angular_velocity;
      } else {
        q_[slot][first] = std::atan2(R(1, 0), R(0, 0));
        v_[slot][first] = motion.angular_velocity[2];
      }
    }
  }

  void forward_dynamics(int slot) override {
    skeleton_->setPositions(q_[slot]);
    skeleton_->setVelocities(v_[slot]);
    skeleton_->computeForwardDynamics();
  }

  void acceleration(std::size_t body, Vector& linear, Vector& angular) override {
    linear = nodes_[body]->getLinearAcceleration();
    angular = nodes_[body]->getAngularAcceleration();
  }

 private:
  void add(const Joint& joint) {
    const Body& body = model_.bodies[static_cast<std::size_t>(joint.second)];
    dynamics::BodyNode* parent = joint.first < 0 ? nullptr : nodes_[static_cast<std::size_t>(joint.first)];
    dynamics::BodyNode::Properties node(dynamics::BodyNode::AspectProperties(body.name));
    node.mInertia = dynamics::Inertia(body.mass, Vector::Zero(), body.inertia.asDiagonal());
    dynamics::BodyNode*& made = nodes_[static_cast<std::size_t>(joint.second)];
    if (joint.kind == Kind::spherical) {
      dynamics::BallJoint::Properties properties;
      properties.mName = "to_" + body.name;
      made = with_frames(joint, skeleton_->createJointAndBodyNodePair<dynamics::BallJoint>(parent, properties, node));
    } else if (joint.kind == Kind::revolute) {
      dynamics::RevoluteJoint::Properties properties;
      properties.mName = "to_" + body.name;
      properties.mAxis = Vector::UnitZ();
      made =
          with_frames(joint, skeleton_->createJointAndBodyNodePair<dynamics::RevoluteJoint>(parent, properties, node));
    } else {
      throw std::runtime_error("no universal joints here");
    }
  }

  template <class Pair>
  dynamics::BodyNode* with_frames(const Joint& joint, const Pair& pair) {
    pair.first->setTransformFromParentBodyNode(model_.in_body(joint.first, frame_of(joint)));
    pair.first->setTransformFromChildBodyNode(model_.in_body(joint.second, frame_of(joint)));
    return pair.second;
  }

  const Model& model_;
  dynamics::SkeletonPtr skeleton_;
  std::vector<dynamics::BodyNode*> nodes_;
  Eigen::VectorXd q_[2], v_[2];
};

}  // namespace

int main(int argc, char** argv) {
  return run_peer(argc, argv, {PEER_VERSION},
                  [](const Model& model) -> std::unique_ptr<Peer> { return std::make_unique<Dart>(model); });
}
