// A mechanism between its file and a run file: links with frames, joints with a frame on each side, elements on joints.
#pragma once

#include <Eigen/Dense>
#include <string>
#include <utility>
#include <vector>

#include "trammel/sdk/import/json_text.h"
#include "trammel/sdk/import/names.h"
#include "trammel/sdk/import/notes.h"

namespace trammel::sdk {

/// Where a frame lies in another one: r = r + R r_local.
struct Frame {
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
  Eigen::Vector3d r = Eigen::Vector3d::Zero();

  Eigen::Vector3d point(const Eigen::Vector3d& local) const { return r + R * local; }
  Frame inverse() const { return {R.transpose(), -(R.transpose() * r)}; }
};
inline Frame operator*(const Frame& a, const Frame& b) { return {a.R * b.R, a.point(b.r)}; }

/// Along v, which may be as long or as short as a double can say; zero stays zero.
inline Eigen::Vector3d unit_vector(const Eigen::Vector3d& v) {
  const double largest = v.cwiseAbs().maxCoeff();
  return largest > 0 ? (v / largest).normalized() : Eigen::Vector3d(0, 0, 0);
}

/// R = Rz(yaw) Ry(pitch) Rx(roll), angles about fixed axes. Multiples of a quarter turn that were written with the
/// digits of a double are not cleaned up: what the file says counts.
inline Eigen::Matrix3d rotation_from_rpy(const Eigen::Vector3d& rpy) {
  return (Eigen::AngleAxisd(rpy[2], Eigen::Vector3d::UnitZ()) * Eigen::AngleAxisd(rpy[1], Eigen::Vector3d::UnitY()) *
          Eigen::AngleAxisd(rpy[0], Eigen::Vector3d::UnitX()))
      .toRotationMatrix();
}

/// Mass, centre and tensor about the centre, in a frame of the link.
struct MassProperties {
  double mass = 0;
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  Eigen::Matrix3d tensor = Eigen::Matrix3d::Zero();

  bool empty() const { return mass == 0 && tensor.isZero(0); }
  /// The same seen from outside of `frame`.
  MassProperties in(const Frame& frame) const {
    return {mass, frame.point(centre), frame.R * tensor * frame.R.transpose()};
  }
  /// Together with another part of the same body.
  MassProperties& add(const MassProperties& part) {
    const double sum = mass + part.mass;
    if (!(sum > 0)) return tensor += part.tensor, *this;
    const Eigen::Vector3d d = part.centre - centre;
    const double reduced = mass * part.mass / sum;
    tensor += part.tensor + reduced * (d.squaredNorm() * Eigen::Matrix3d::Identity() - d * d.transpose());
    centre += part.mass / sum * d;
    mass = sum;
    return *this;
  }
};

/// A picture of a part of a link, in the link's frame.
struct LinkShape {
  enum class Kind { box, cylinder, capsule, sphere, ellipsoid, lines, mesh };
  Kind kind = Kind::box;
  Frame place;
  Eigen::Vector3d size = Eigen::Vector3d::Zero();  ///< edges; radius and length; radius; half axes; of a mesh its scale
  std::vector<Eigen::Vector3d> points;             ///< of lines
  std::string color;                               ///< "#rrggbb" or ""
  std::string file;                                ///< of a mesh, as run files find it
};

inline constexpr int ground_link = -1;

struct Link {
  std::string original, name;  ///< in the file, in the run file
  ImportPlace place;
  MassProperties inertia;
  Frame start;                                         ///< of the link's frame, global
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();  ///< of the frame's origin, global
  Eigen::Vector3d omega = Eigen::Vector3d::Zero();     ///< global
  std::vector<LinkShape> shapes;
  std::string comment;
  bool ground = false;      ///< stands still: the run file has no body for it
  bool point_mass = false;  ///< a mass without axes
  /// A link without mass at a fixed joint is a point of another link: index of that one (or ground_link), and where.
  bool carried = false;
  int carrier = ground_link;
  Frame on_carrier;
};

struct Joint {
  enum class Kind { fixed, revolute, prismatic, cylindrical, spherical, universal, planar, screw, free };
  std::string original, name;
  ImportPlace place;
  Kind kind = Kind::fixed;
  int parent = ground_link, child = ground_link;
  Frame in_parent, in_child;  ///< of the joint's two frames; they agree where all coordinates are zero
  Eigen::Vector3d axis = Eigen::Vector3d::UnitX();         ///< in the joint's frame
  Eigen::Vector3d second_axis = Eigen::Vector3d::UnitY();  ///< universal: of the child's side
  double pitch = 0;                                        ///< screw: m per turn
  double value = 0, rate = 0;                              ///< of the first coordinate at the start: rad or m
  double zero = 0;                                         ///< of the coordinate where the two frames agree
  bool skew = false;  ///< universal: the two axes keep an angle that is no right one
  bool loop = false;  ///< closes a loop: positions of links do not follow from it
  std::string comment;
  bool dropped = false;

  bool turns() const { return kind == Kind::revolute || kind == Kind::cylindrical || kind == Kind::screw; }
  bool has_coordinate() const { return turns() || kind == Kind::prismatic; }
  Eigen::Matrix3d turned = Eigen::Matrix3d::Identity();  ///< spherical: at the start
  Eigen::Vector3d spin = Eigen::Vector3d::Zero();        ///< spherical: angular velocity at the start, child's axes
  /// The joint's motion at `value`.
  Frame motion() const {
    Frame moved;
    const Eigen::Vector3d unit = axis.normalized();
    const double way = value - zero;
    if (turns()) moved.R = Eigen::AngleAxisd(way, unit).toRotationMatrix();
    if (kind == Kind::prismatic) moved.r = way * unit;
    if (kind == Kind::screw) moved.r = way * pitch / 6.283185307179586 * unit;
    if (kind == Kind::spherical) moved.R = turned;
    return moved;
  }
};

/// A constraint or force beside the joints: its keys as JSON text.
struct ImportElement {
  bool constraint = false;
  std::string name, comment;
  JsonObject keys;
  ImportPlace place = {};
};

struct ImportModel {
  std::string title, comment;
  Eigen::Vector3d gravity = Eigen::Vector3d(0, 0, -9.81);
  std::string gravity_comment;
  ImportNames names;
  std::vector<Link> links;
  std::vector<Joint> joints;
  std::vector<ImportElement> elements;
  std::vector<LinkShape> ground_shapes;
  std::vector<std::string> conditions;  ///< of the analysis, JSON objects
  double duration = 10;

  int add_link(const std::string& original, const ImportPlace& place) {
    Link link;
    link.original = original, link.place = place;
    link.name = names.take(original, "body", "body");
    links.push_back(link);
    return static_cast<int>(links.size()) - 1;
  }
  int add_joint(const std::string& original, const std::string& fallback, const ImportPlace& place) {
    Joint joint;
    joint.original = original, joint.place = place;
    joint.name = names.take(original, fallback, "joint");
    joints.push_back(joint);
    return static_cast<int>(joints.size()) - 1;
  }
  ImportElement& add_element(bool constraint, const std::string& name, const std::string& type,
                             const ImportPlace& place = {}) {
    elements.push_back({constraint, names.take(name, type, type), "", {}, place});
    elements.back().keys.text("type", type);
    return elements.back();
  }
  /// The link whose body a link is a part of, or the ground.
  int body_of(int index) const {
    while (index != ground_link && link(index).carried) index = link(index).carrier;
    return index == ground_link || link(index).ground ? ground_link : index;
  }
  Link& link(int index) { return links[static_cast<std::size_t>(index)]; }
  const Link& link(int index) const { return links[static_cast<std::size_t>(index)]; }
  Joint& joint(int index) { return joints[static_cast<std::size_t>(index)]; }
  const Joint& joint(int index) const { return joints[static_cast<std::size_t>(index)]; }
};

}  // namespace trammel::sdk
