// MuJoCo: mj_forward of a model without contacts. Its loops are equality constraints with a spring and a damper behind
// them (soft): their accelerations are close to those of the mechanism at best, and are not judged.
#include <mujoco/mujoco.h>
#include <stdlib.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "measure.h"

namespace {

using namespace peers;

std::string text(const char* key, const Vector& v) {
  std::ostringstream stream;
  stream.precision(17);
  stream << ' ' << key << "=\"" << v[0] << ' ' << v[1] << ' ' << v[2] << '"';
  return stream.str();
}

std::string turn(const char* key, const Eigen::Matrix3d& R) {
  const Eigen::Quaterniond q(R);
  std::ostringstream stream;
  stream.precision(17);
  stream << ' ' << key << "=\"" << q.w() << ' ' << q.x() << ' ' << q.y() << ' ' << q.z() << '"';
  return stream.str();
}

/// The model as files in a folder of its own: bodies stand inside their parents, and the reader of XML refuses elements
/// that lie deeper than some hundreds, so that every 64th level is a file that the one above includes.
class Files {
 public:
  explicit Files(const Model& model) : model_(model), children_(model.bodies.size() + 1) {
    std::string name = std::filesystem::temp_directory_path() / "trammel_mujoco_XXXXXX";
    if (!mkdtemp(name.data())) throw std::runtime_error("no folder for the model");
    folder_ = name;
    for (const Joint& joint : model.tree) children_[static_cast<std::size_t>(joint.first + 1)].push_back(&joint);
    std::ofstream main(path());
    main.precision(17);
    main << "<mujoco><compiler angle=\"radian\" boundmass=\"0\"/>\n<size njmax=\"" << 6 * model.cuts.size() + 100
         << "\" nconmax=\"10\"/>\n<option" << text("gravity", model.gravity)
         << " jacobian=\"sparse\"><flag contact=\"disable\" filterparent=\"disable\"/></option>\n<worldbody>\n";
    write(main, -1, 0);
    main << "</worldbody>\n";
    if (!model.cuts.empty()) write_cuts(main);
    main << "</mujoco>\n";
  }
  ~Files() { std::filesystem::remove_all(folder_); }
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;

  std::string path() const { return folder_ / "model.xml"; }

 private:
  void write(std::ofstream& out, int parent, int level) {
    for (const Joint* joint : children_[static_cast<std::size_t>(parent + 1)]) {
      const Body& body = model_.bodies[static_cast<std::size_t>(joint->second)];
      const Pose pose = model_.in_body(parent, body.drawing);
      out << "<body name=\"" << body.name << '"' << text("pos", pose.translation()) << turn("quat", pose.linear())
          << ">";
      out << "<inertial pos=\"0 0 0\" mass=\"" << body.mass << '"' << text("diaginertia", body.inertia) << "/>";
      const Pose inverse = body.drawing.inverse();
      const std::string at = text("pos", Vector(inverse * joint->at));
      const auto hinge = [&](const Vector& axis) {
        out << "<joint type=\"hinge\"" << at << text("axis", Vector(inverse.linear() * axis)) << "/>";
      };
      if (joint->kind == Kind::spherical) out << "<joint type=\"ball\"" << at << "/>";
      if (joint->kind != Kind::spherical) hinge(joint->axis);
      if (joint->kind == Kind::universal) hinge(joint->second_axis);
      write_inside(out, joint->second, level + 1);
      out << "</body>\n";
    }
  }

  void write_inside(std::ofstream& out, int body, int level) {
    if (level % 64 != 0 || children_[static_cast<std::size_t>(body + 1)].empty()) return write(out, body, level);
    const std::string name = "below_" + model_.bodies[static_cast<std::size_t>(body)].name + ".xml";
    out << "<include file=\"" << name << "\"/>";
    std::ofstream part(folder_ / name);
    part.precision(17);
    part << "<mujocoinclude>\n";
    write(part, body, level);
    part << "</mujocoinclude>\n";
  }

  /// A ball joint is one point that both have; a revolute joint in space two of them on its axis.
  void write_cuts(std::ofstream& out) {
    out << "<equality>\n";
    for (const Joint& joint : model_.cuts) {
      if (joint.kind == Kind::universal) throw std::runtime_error("no universal joint as a constraint");
      const bool two = joint.kind == Kind::revolute && !model_.planar;
      for (int k = 0; k < (two ? 2 : 1); ++k) {
        const Vector at = joint.at + 0.1 * k * joint.axis;
        out << "<connect body1=\"" << name(joint.first) << "\" body2=\"" << name(joint.second) << '"'
            << text("anchor", Vector(model_.drawing(joint.first).inverse() * at)) << "/>\n";
      }
    }
    out << "</equality>\n";
  }

  std::string name(int body) const { return body < 0 ? "world" : model_.bodies[static_cast<std::size_t>(body)].name; }

  const Model& model_;
  std::vector<std::vector<const Joint*>> children_;  ///< by parent, ground first
  std::filesystem::path folder_;
};

class Mujoco : public Peer {
 public:
  explicit Mujoco(const Model& model) : model_(model) {
    const Files files(model);
    char error[1000] = "";
    compiled_ = mj_loadXML(files.path().c_str(), nullptr, error, sizeof(error));
    if (!compiled_) throw std::runtime_error(error);
    data_ = mj_makeData(compiled_);
    for (const Body& body : model.bodies) index_.push_back(mj_name2id(compiled_, mjOBJ_BODY, body.name.c_str()));
  }
  ~Mujoco() override { mj_deleteData(data_), mj_deleteModel(compiled_); }
  Mujoco(const Mujoco&) = delete;
  Mujoco& operator=(const Mujoco&) = delete;

  void set_state(const std::vector<BodyState>& state, int slot) override {
    q_[slot].setZero(compiled_->nq), v_[slot].setZero(compiled_->nv);
    for (const Joint& joint : model_.tree) {
      const int first = compiled_->body_jntadr[index_[static_cast<std::size_t>(joint.second)]];
      double* q = q_[slot].data() + compiled_->jnt_qposadr[first];
      double* v = v_[slot].data() + compiled_->jnt_dofadr[first];
      const Pose frame = joint.frame(joint.axis, joint.second_axis);
      const Relative motion = relative(model_, state, joint, frame);
      const Eigen::Matrix3d& R = motion.pose.linear();
      if (joint.kind == Kind::spherical) {
        // Relative to the child's drawing; rates are in the child's own frame.
        const Relative own = relative(model_, state, joint, model_.drawing(joint.second));
        const Eigen::Quaterniond turn(own.pose.linear());
        q[0] = turn.w(), q[1] = turn.x(), q[2] = turn.y(), q[3] = turn.z();
        Eigen::Map<Vector>(v, 3) = own.pose.linear().transpose() * own.angular_velocity;
      } else if (joint.kind == Kind::revolute) {
        q[0] = std::atan2(R(2, 1), R(1, 1));
        v[0] = motion.angular_velocity[0];
      } else {
        // R = R_x(q0) R_y(q1), w = q0' x + q1' (0, cos q0, sin q0)
        q[0] = std::atan2(R(2, 1), R(1, 1)), q[1] = std::atan2(R(0, 2), R(0, 0));
        v[0] = motion.angular_velocity[0];
        v[1] = motion.angular_velocity.dot(Vector(0, std::cos(q[0]), std::sin(q[0])));
      }
    }
  }

  void forward_dynamics(int slot) override {
    std::copy(q_[slot].begin(), q_[slot].end(), data_->qpos);
    std::copy(v_[slot].begin(), v_[slot].end(), data_->qvel);
    mj_forward(compiled_, data_);
    looked_ = false;
  }

  /// mj_objectAcceleration gives what an accelerometer shows, without gravity.
  void acceleration(std::size_t body, Vector& linear, Vector& angular) override {
    if (!looked_) mj_rnePostConstraint(compiled_, data_);
    looked_ = true;
    double both[6];
    mj_objectAcceleration(compiled_, data_, mjOBJ_BODY, index_[body], both, 0);
    angular = Vector(both[0], both[1], both[2]);
    linear = Vector(both[3], both[4], both[5]) + model_.gravity;
  }

 private:
  const Model& model_;
  mjModel* compiled_ = nullptr;
  mjData* data_ = nullptr;
  std::vector<int> index_;
  Eigen::VectorXd q_[2], v_[2];
  bool looked_ = false;
};

}  // namespace

int main(int argc, char** argv) {
  return run_peer(argc, argv, {PEER_VERSION, true, true},
                  [](const Model& model) -> std::unique_ptr<Peer> { return std::make_unique<Mujoco>(model); });
}
