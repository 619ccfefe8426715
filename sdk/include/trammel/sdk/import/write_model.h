// Writes a settled model into the run file: bodies, points, joints and elements, in the order of the file.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "trammel/sdk/import/tree.h"

namespace trammel::sdk {

/// One model into one file. Bodies have their axes along their link's and their origin in the centre of mass.
class ModelWriter {
 public:
  ModelWriter(const ImportModel& model, ImportNotes& notes, ImportedFile& out)
      : model_(model), notes_(notes), out_(out) {}

  void write() {
    out_.put("/title", json_text(model_.title).c_str(), model_.comment.c_str());
    out_.put("/system/type", "\"spatial\"", "");
    out_.put("/system/gravity", json_vector(model_.gravity).c_str(), model_.gravity_comment.c_str());
    write_bodies();
    write_ground();
    write_points();
    write_joints();
    write_elements();
    JsonObject analysis;
    analysis.text("type", "dynamics").number("duration", model_.duration);
    if (!model_.conditions.empty()) analysis.add("conditions", "[" + joined(model_.conditions) + "]");
    put("/analysis", analysis, "");
    out_.put("/formulation", R"({"type": "projection"})", "");
    out_.put("/integrator", R"({"type": "dopri5", "rtol": 1e-8, "atol": 1e-10})", "");
    out_.put("/output", R"({"step": 0.01})", "");
  }

  /// A frame of a link as elements take it: the body's name and the frame in the body.
  struct OnBody {
    std::string body;
    Frame frame;
  };
  OnBody on_body(int link, Frame frame) const {
    while (link != ground_link && model_.link(link).carried) {
      frame = model_.link(link).on_carrier * frame;
      link = model_.link(link).carrier;
    }
    if (link == ground_link) return {"ground", frame};
    const Link& owner = model_.link(link);
    if (owner.ground) return {"ground", owner.start * frame};
    frame.r -= owner.inertia.centre;
    return {owner.name, frame};
  }

  /// As the run file's rotation, turning the frame's axes into those of what it sits in.
  static std::string rotation(const Eigen::Matrix3d& R) {
    Eigen::Quaterniond p(R);
    p.normalize();
    if (p.w() < 0) p.coeffs() *= -1;
    const double e[4] = {p.w(), p.x(), p.y(), p.z()};
    return JsonObject().add("euler_parameters", json_numbers(e, 4)).str();
  }

 private:
  /// Squares and products of these numbers must be doubles.
  static void refuse_too_large(const Link& link) {
    constexpr double largest = 1e60;
    for (const auto& [what, value] :
         {std::pair("mass", link.inertia.mass),
          {"inertia", link.inertia.tensor.cwiseAbs().maxCoeff()},
          {"distance from the origin", link.start.point(link.inertia.centre).cwiseAbs().maxCoeff()}}) {
      if (!(value <= largest))
        refuse_file(link.place, std::string("the ") + what + " of '" + link.original + "' is " + json_number(value) +
                                    ": numbers beyond 1e60 cannot be computed with");
    }
  }
  static bool unturned(const Eigen::Matrix3d& R) { return R.isIdentity(0); }
  /// What the file calls it, where a name of a run file cannot be that.
  static void add_original(const std::string& original, const std::string& name, JsonObject& keys) {
    if (!original.empty() && original != name) keys.text("name", original);
  }

  void write_bodies() {
    bool any = false;
    for (const Link& link : model_.links) {
      if (link.ground || link.carried) continue;
      any = true;
      refuse_too_large(link);
      JsonObject body;
      if (link.inertia.empty()) {
        body.text("type", "massless");
      } else if (link.point_mass) {
        body.text("type", "point_mass").number("mass", link.inertia.mass);
      } else {
        const Eigen::Matrix3d& J = link.inertia.tensor;
        body.number("mass", link.inertia.mass);
        const bool principal = J(0, 1) == 0 && J(0, 2) == 0 && J(1, 2) == 0;
        const double entries[6] = {J(0, 0), J(1, 1), J(2, 2), J(0, 1), J(0, 2), J(1, 2)};
        body.add("inertia", json_numbers(entries, principal ? 3 : 6));
      }
      const Eigen::Vector3d centre = link.start.point(link.inertia.centre);
      body.vector("position", centre);
      if (!unturned(link.start.R) && !link.point_mass) body.add("rotation", rotation(link.start.R));
      const Eigen::Vector3d velocity = link.velocity + link.omega.cross(centre - link.start.r);
      if (!velocity.isZero(0)) body.vector("velocity", velocity);
      if (!link.omega.isZero(0) && !link.point_mass) body.vector("angular_velocity", link.omega);
      std::vector<std::string> shapes;
      add_shapes(link.shapes, Frame{Eigen::Matrix3d::Identity(), -link.inertia.centre}, shapes);
      for (const Link& other : model_.links) {
        if (!other.carried || other.shapes.empty()) continue;
        const OnBody place = on_body(index(other), {});
        if (place.body == link.name) add_shapes(other.shapes, place.frame, shapes);
      }
      if (!shapes.empty()) body.add("shape", list(shapes));
      add_original(link.original, link.name, body);
      put("/system/bodies/" + link.name, body, link.comment, link.place);
    }
    if (!any)
      refuse_file({model_.links.empty() ? "" : model_.links[0].place.file, 0, ""},
                  "no link has mass and moves: there is nothing to simulate");
  }
  void write_ground() {
    std::vector<std::string> shapes;
    add_shapes(model_.ground_shapes, {}, shapes);
    for (const Link& link : model_.links) {
      const OnBody place = on_body(index(link), {});
      if (place.body == "ground") add_shapes(link.shapes, place.frame, shapes);
    }
    if (!shapes.empty()) put("/system/ground", JsonObject().add("shape", list(shapes)), "");
  }
  void write_points() {
    for (const Link& link : model_.links) {
      if (!link.carried && !link.ground) continue;
      const OnBody place = on_body(index(link), {});
      JsonObject point;
      point.text("body", place.body).vector("point", place.frame.r);
      if (!unturned(place.frame.R)) point.add("rotation", rotation(place.frame.R));
      add_original(link.original, link.name, point);
      put("/system/points/" + link.name, point, link.comment, link.place);
    }
  }
  void write_joints() {
    for (const Joint& joint : model_.joints) {
      if (joint.dropped) continue;
      if (joint.kind == Joint::Kind::free) {
        notes_.remark(joint.place, "joint '" + joint.original + "' lets its link move freely: no part of the run file");
        continue;
      }
      const OnBody i = on_body(joint.parent, joint.in_parent), j = on_body(joint.child, joint.in_child);
      if (i.body == j.body) {
        notes_.lost(joint.place, "joint '" + joint.original + "' connects parts of the same body, '" + i.body + "'");
        continue;
      }
      if (joint.loop && joint.kind == Joint::Kind::fixed && !agrees(joint)) {
        weld_frames(joint, i, j);
        continue;
      }
      if (joint.kind == Joint::Kind::universal && joint.skew) {
        skew_cross(joint, i, j);
        continue;
      }
      JsonObject keys;
      keys.text("type", type(joint.kind)).texts("bodies", {i.body, j.body});
      // Displacements count from point to point: the second point stands where the coordinate's zero wants it.
      const Eigen::Vector3d shift = joint.kind == Joint::Kind::prismatic
                                        ? Eigen::Vector3d(joint.zero * joint.axis.normalized())
                                        : Eigen::Vector3d::Zero();
      keys.vector("point_i", i.frame.r).vector("point_j", j.frame.point(shift));
      if (joint.kind != Joint::Kind::fixed && joint.kind != Joint::Kind::spherical) {
        const Eigen::Vector3d& second = joint.kind == Joint::Kind::universal ? joint.second_axis : joint.axis;
        keys.vector("axis_i", Eigen::Vector3d(i.frame.R * joint.axis))
            .vector("axis_j", Eigen::Vector3d(j.frame.R * second));
      }
      if (joint.kind == Joint::Kind::screw) keys.number("pitch", joint.pitch);
      add_zero(joint, i.frame.R, j.frame.R, keys);
      add_original(joint.original, joint.name, keys);
      put("/system/constraints/" + joint.name, keys, joint.comment, joint.place);
    }
  }
  /// A cross whose arms are not at a right angle.
  void skew_cross(const Joint& joint, const OnBody& i, const OnBody& j) {
    JsonObject point, axes;
    point.text("type", "spherical").texts("bodies", {i.body, j.body});
    point.vector("point_i", i.frame.r).vector("point_j", j.frame.r);
    axes.text("type", "dot1").texts("bodies", {i.body, j.body});
    axes.vector("axis_i", Eigen::Vector3d(i.frame.R * joint.axis))
        .vector("axis_j", Eigen::Vector3d(j.frame.R * joint.second_axis))
        .number("value", joint.axis.normalized().dot(joint.second_axis.normalized()));
    const std::string path = "/system/constraints/" + joint.name;
    add_original(joint.original, joint.name, point);
    put(path, point, "with " + joint.name + "_axes a universal joint whose axes are not at a right angle", joint.place);
    put(path + "_axes", axes, "", joint.place);
  }
  /// Whether the axes of the joint's two frames are the same in the drawing, to rounding: `fixed` holds bodies as drawn.
  bool agrees(const Joint& joint) const {
    const auto axes = [&](int link, const Frame& frame) {
      return link == ground_link ? frame.R : Eigen::Matrix3d(model_.link(link).start.R * frame.R);
    };
    return axes(joint.parent, joint.in_parent).isApprox(axes(joint.child, joint.in_child), 1e-13);
  }
  /// A weld of frames that do not lie on each other yet: their z axes, and x of the one across y of the other.
  void weld_frames(const Joint& joint, const OnBody& i, const OnBody& j) {
    JsonObject hinge, turn;
    hinge.text("type", "revolute").texts("bodies", {i.body, j.body});
    hinge.vector("point_i", i.frame.r).vector("point_j", j.frame.r);
    hinge.vector("axis_i", Eigen::Vector3d(i.frame.R.col(2))).vector("axis_j", Eigen::Vector3d(j.frame.R.col(2)));
    turn.text("type", "dot1").texts("bodies", {i.body, j.body});
    turn.vector("axis_i", Eigen::Vector3d(i.frame.R.col(0))).vector("axis_j", Eigen::Vector3d(j.frame.R.col(1)));
    const std::string path = "/system/constraints/" + joint.name;
    add_original(joint.original, joint.name, hinge);
    put(path, hinge, "with " + joint.name + "_turn a weld of the two frames", joint.place);
    put(path + "_turn", turn, "", joint.place);
  }
  /// Angles count between directions of the two frames, and turns beyond half a one from the drawing.
  static void add_zero(const Joint& joint, const Eigen::Matrix3d& R_i, const Eigen::Matrix3d& R_j, JsonObject& keys) {
    constexpr double half_turn = 3.1415;
    if (joint.kind == Joint::Kind::universal && std::abs(joint.axis.dot(joint.second_axis)) < 1e-9) {
      keys.vector("reference_i", Eigen::Vector3d(R_i * joint.second_axis))
          .vector("reference_j", Eigen::Vector3d(R_j * joint.axis));
      return;
    }
    const bool turns = joint.turns() || joint.kind == Joint::Kind::planar;
    if (!turns && joint.kind != Joint::Kind::prismatic) return;
    if (turns && std::abs(joint.value) > half_turn) {
      keys.number("initial_angle", joint.value);
      return;
    }
    const Eigen::Vector3d axis = joint.axis.normalized();
    Eigen::Index least = 0;
    axis.cwiseAbs().minCoeff(&least);
    const Eigen::Vector3d across = (Eigen::Vector3d::Unit(least) - axis[least] * axis).normalized();
    const double zero = turns ? joint.zero : 0;
    const Eigen::Vector3d back = zero == 0 ? across : Eigen::Vector3d(Eigen::AngleAxisd(zero, axis) * across);
    keys.vector("reference_i", Eigen::Vector3d(R_i * across)).vector("reference_j", Eigen::Vector3d(R_j * back));
  }
  void write_elements() {
    for (const ImportElement& element : model_.elements)
      put((element.constraint ? "/system/constraints/" : "/system/forces/") + element.name, element.keys,
          element.comment, element.place);
  }

  static const char* type(Joint::Kind kind) {
    constexpr const char* names[] = {
        "fixed", "revolute", "translational", "cylindrical", "spherical", "universal", "planar_joint", "screw", ""};
    return names[static_cast<int>(kind)];
  }
  int index(const Link& link) const { return static_cast<int>(&link - model_.links.data()); }
  void put(const std::string& path, const JsonObject& value, const std::string& comment,
           const ImportPlace& place = {}) {
    out_.put(path.c_str(), value.str().c_str(), comment.c_str());
    notes_.source(path, place);
  }
  static std::string list(const std::vector<std::string>& shapes) {
    return shapes.size() == 1 ? shapes[0] : "[" + joined(shapes) + "]";
  }
  static std::string joined(const std::vector<std::string>& values) {
    std::string out;
    for (const std::string& value : values) out += (out.empty() ? "" : ", ") + value;
    return out;
  }

  static void add_shapes(const std::vector<LinkShape>& shapes, const Frame& frame, std::vector<std::string>& out) {
    for (const LinkShape& shape : shapes) out.push_back(shape_json(shape, frame * shape.place));
  }
  static std::string shape_json(const LinkShape& shape, const Frame& at) {
    JsonObject out;
    switch (shape.kind) {
      case LinkShape::Kind::cylinder:
      case LinkShape::Kind::capsule: {
        const Eigen::Vector3d half(0, 0, shape.size[1] / 2);
        out.text("type", shape.kind == LinkShape::Kind::cylinder ? "cylinder" : "rod");
        out.vector("from", at.point(-half)).vector("to", at.point(half)).number("radius", shape.size[0]);
        break;
      }
      case LinkShape::Kind::sphere:
        out.text("type", "sphere").number("radius", shape.size[0]);
        if (!at.r.isZero(0)) out.vector("center", at.r);
        break;
      case LinkShape::Kind::box:
        if (unturned(at.R)) {
          out.text("type", "box").vector("size", shape.size);
          if (!at.r.isZero(0)) out.vector("center", at.r);
          break;
        }
        lines(box_edges(shape.size / 2), at, out);
        break;
      case LinkShape::Kind::ellipsoid: lines(ellipses(shape.size), at, out); break;
      case LinkShape::Kind::lines: lines(shape.points, at, out); break;
      case LinkShape::Kind::mesh:
        out.text("type", "mesh").text("file", shape.file);
        if (shape.size != Eigen::Vector3d::Ones()) out.vector("scale", shape.size);
        if (!at.r.isZero(0)) out.vector("center", at.r);
        if (!unturned(at.R)) out.add("rotation", rotation(at.R));
        break;
    }
    if (!shape.color.empty()) out.text("color", shape.color);
    return out.str();
  }
  static void lines(const std::vector<Eigen::Vector3d>& points, const Frame& at, JsonObject& out) {
    std::string all;
    for (const Eigen::Vector3d& p : points) {
      const Eigen::Vector3d q = at.point(p);
      for (int k = 0; k < 3; ++k) {
        char digits[24];  // a picture
        std::snprintf(digits, sizeof digits, "%.5g", std::abs(q[k]) < 1e-12 ? 0.0 : q[k]);
        all += (all.empty() ? "[" : ", ") + std::string(digits);
      }
    }
    out.text("type", "line").add("points", all + "]");
  }
  /// Boxes of the run file lie along the body's axes; others are drawn by their edges, in one go.
  static std::vector<Eigen::Vector3d> box_edges(const Eigen::Vector3d& h) {
    std::vector<Eigen::Vector3d> points;
    for (const int corner : {0, 1, 3, 2, 0, 4, 5, 1, 5, 7, 3, 7, 6, 2, 6, 4})
      points.emplace_back(corner & 1 ? h[0] : -h[0], corner & 2 ? h[1] : -h[1], corner & 4 ? h[2] : -h[2]);
    return points;
  }
  static std::vector<Eigen::Vector3d> ellipses(const Eigen::Vector3d& a) {
    std::vector<Eigen::Vector3d> points;
    for (int plane = 0; plane < 3; ++plane) {
      for (int k = 0; k <= 24; ++k) {
        const double phi = 6.283185307179586 * k / 24;
        Eigen::Vector3d p = Eigen::Vector3d::Zero();
        p[plane] = a[plane] * std::cos(phi), p[(plane + 1) % 3] = a[(plane + 1) % 3] * std::sin(phi);
        points.push_back(p);
      }
    }
    return points;
  }

  const ImportModel& model_;
  ImportNotes& notes_;
  ImportedFile& out_;
};

}  // namespace trammel::sdk
