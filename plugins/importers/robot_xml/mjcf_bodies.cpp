// Bodies of MJCF: several joints of one body become joints in a row, with massless frames between them.
#include <algorithm>
#include <cmath>

#include "mjcf_reader.h"

namespace trammel::robot_xml {
namespace {

using Kind = sdk::Joint::Kind;

}  // namespace

sdk::MassProperties MjcfReader::inertial(const XmlNode& node, const std::string& name) const {
  const Defaulted element(node, {});
  const sdk::Frame at = document_.frame(element);
  sdk::MassProperties m;
  node.need_text("pos");
  m.mass = node.need_number("mass");
  if (m.mass < 0) node.refuse("the mass of body '" + name + "' is negative");
  const std::vector<double> full = node.numbers("fullinertia", 6, 6), diagonal = node.numbers("diaginertia", 3, 3);
  if (!full.empty() && !diagonal.empty())
    node.refuse("body '" + name + "' has a fullinertia and a diaginertia: which of them counts is not said");
  if (!full.empty()) {
    for (const char* way : {"quat", "axisangle", "euler", "xyaxes", "zaxis"}) {
      if (node.holds(way))
        node.refuse("body '" + name + "' has a fullinertia and an orientation of it: which of them counts is not said");
    }
    m.tensor << full[0], full[3], full[4], full[3], full[1], full[5], full[4], full[5], full[2];
  } else if (!diagonal.empty()) {
    m.tensor = Eigen::Vector3d(diagonal[0], diagonal[1], diagonal[2]).asDiagonal();
  }
  m = m.in(at);
  m.tensor = (0.5 * (m.tensor + m.tensor.transpose())).eval();
  return m;
}

/// A massless link between two joints of one body.
int MjcfReader::chained_link(const XmlNode& node, const std::string& body, int count) {
  const int link = model_.add_link(body + "_frame" + (count > 1 ? std::to_string(count) : ""), node.place());
  sdk::Link& between = model_.link(link);
  between.comment = "between two joints of body '" + body + "'";
  return link;
}

/// The joints of a body in their order, those within a <frame> with where it lies in the body.
void MjcfReader::joint_nodes(const XmlNode& node, const sdk::Frame& offset, const std::string& childclass,
                             std::vector<JointNode>& out) const {
  for (const XmlNode& child : node.children) {
    if (child.tag == "joint" || child.tag == "freejoint") out.push_back({&child.visit(), offset, childclass});
    if (child.tag == "frame")
      joint_nodes(child, offset * document_.frame(Defaulted(child, {})), child.get("childclass", childclass), out);
  }
}

void MjcfReader::joints(const XmlNode& node, int link, int parent, const sdk::Frame& at, const std::string& inherited) {
  std::vector<JointNode> nodes;
  joint_nodes(node, {}, inherited, nodes);
  const std::string body = model_.link(link).name;
  int from = parent;
  sdk::Frame before = at;  // of the body's frame in what the next joint starts from
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const XmlNode& own = *nodes[k].node;
    const std::string& childclass = nodes[k].childclass;
    const sdk::Frame& inside = nodes[k].frame;
    const Defaulted joint = document_.defaulted(own, childclass, "joint");
    const bool free_tag = own.tag == "freejoint";
    const std::string type = free_tag ? "free" : joint.get("type", "hinge"), name = own.get("name", "");
    if (type == "free") {
      if (parent != sdk::ground_link) own.refuse("a free joint of a body that is not a child of the world");
      if (nodes.size() > 1) own.refuse("a free joint beside other joints of the same body");
      model_.link(link).start = at;
      notes_.remark(own.place(), "body '" + body + "' moves freely: a free joint is no part of the run file");
      places_.push_back({&own, childclass, -1, link, qpos_, qvel_, at});
      qpos_ += 7, qvel_ += 6;
      if (!name.empty()) joints_[name] = -1;
      return;
    }
    if (type != "hinge" && type != "slide" && type != "ball")
      own.refuse("'" + type + "' is no type of joint: free, ball, slide, hinge");
    const int index =
        model_.add_joint(name, body + "_joint" + (nodes.size() > 1 ? std::to_string(k + 1) : ""), own.place());
    const bool last = k + 1 == nodes.size();
    const int to = last ? link : chained_link(own, body, static_cast<int>(k) + 1);
    sdk::Joint& made = model_.joint(index);
    made.kind = type == "hinge" ? Kind::revolute : type == "slide" ? Kind::prismatic : Kind::spherical;
    made.parent = from, made.child = to;
    const sdk::Frame local{Eigen::Matrix3d::Identity(), inside.point(joint.vector("pos", Eigen::Vector3d::Zero()))};
    made.in_parent = before * local, made.in_child = local;
    made.axis = joint.vector("axis", Eigen::Vector3d::UnitZ());
    if (type == "ball") made.axis = Eigen::Vector3d::UnitZ();
    made.axis = inside.R * sdk::unit_vector(made.axis);
    if (made.axis.isZero(0)) own.refuse("the axis of joint '" + name + "' may not be zero");
    const double unit = type == "hinge" ? document_.angle_unit() : 1;
    made.zero = made.value = type == "ball" ? 0 : joint.number("ref", 0) * unit;
    if (!name.empty() && !joints_.emplace(name, index).second) own.refuse("a second joint '" + name + "'");
    places_.push_back({&own, childclass, index, link, qpos_, qvel_, {}});
    qpos_ += type == "ball" ? 4 : 1, qvel_ += type == "ball" ? 3 : 1;
    from = to, before = {};
  }
  if (!nodes.empty()) return;
  // Welded to its parent.
  if (parent == sdk::ground_link || model_.link(parent).ground) {
    model_.link(link).ground = true;
    model_.link(link).start = (parent == sdk::ground_link ? sdk::Frame{} : model_.link(parent).start) * at;
    return;
  }
  const int index = model_.add_joint("", body + "_weld", node.place());
  sdk::Joint& weld = model_.joint(index);
  weld.original = weld.name;
  weld.parent = parent, weld.child = link, weld.in_parent = at;
}

void MjcfReader::contents(const XmlNode& node, int link, const sdk::Frame& offset, const std::string& childclass,
                          bool with_mass) {
  const std::string owner = link == sdk::ground_link ? "world" : model_.link(link).original;
  for (const char* tag : {"joint", "freejoint", "inertial"}) {
    if (const XmlNode* part = link == sdk::ground_link ? node.child(tag) : nullptr; part != nullptr)
      part->refuse("the world does not move, and has neither joints nor inertia");
  }
  for (const XmlNode* geom : node.all("geom")) {
    const Defaulted defaulted = document_.defaulted(*geom, childclass);
    const bool counted = geometry_.in_inertia_groups(defaulted) && with_mass;
    GeomParts parts = geometry_.geom(defaulted, counted, owner);
    parts.shape.place = offset * parts.shape.place;
    if (link != sdk::ground_link) model_.link(link).inertia.add(parts.inertia.in(offset));
    if (parts.drawn)
      (link == sdk::ground_link ? model_.ground_shapes : model_.link(link).shapes).push_back(parts.shape);
  }
  for (const XmlNode* site : node.all("site")) {
    const Defaulted defaulted = document_.defaulted(*site, childclass);
    const std::string name = site->get("name", "");
    const Site here{link, offset * document_.frame(defaulted)};
    if (!name.empty() && !sites_.emplace(name, here).second) site->refuse("a second site '" + name + "'");
    // A point of the run file.
    const int point = model_.add_link(name.empty() ? owner + "_site" : name, site->place());
    sdk::Link& at = model_.link(point);
    at.carried = true, at.carrier = link, at.on_carrier = here.frame;
  }
  for (const char* tag : {"camera", "light"}) {
    for (const XmlNode* view : node.all(tag)) {
      const std::string name = view->get("name", "");
      view->lose(notes_, name.empty() ? "views are not carried over" : "'" + name + "': views are not carried over");
    }
  }
  for (const char* tag : {"composite", "flexcomp", "plugin", "replicate", "attach"}) {
    for (const XmlNode* part : node.all(tag))
      part->refuse(
          "bodies that MuJoCo makes from this element are not computed here, and the model is nothing without them");
  }
  for (const XmlNode* frame : node.all("frame")) {
    const std::string inner = frame->get("childclass", childclass);
    if (frame->has("childclass")) document_.need_class(inner, *frame);
    frame->get("name");
    if (const XmlNode* part = frame->child("inertial"); part != nullptr)
      part->refuse("stands within a <frame>, and a body has its inertia; put it into the body itself");
    const sdk::Frame at = offset * document_.frame(Defaulted(*frame, {}));
    contents(*frame, link, at, inner, with_mass);
  }
  for (const XmlNode* child : node.all("body")) body(*child, link, offset, childclass);
}

/// Whether a body has a geom that its mass may come from.
bool MjcfReader::has_solids(const XmlNode& node, const std::string& childclass) const {
  return std::any_of(node.children.begin(), node.children.end(), [&](const XmlNode& child) {
    if (child.tag == "frame") return has_solids(child, child.get("childclass", childclass));
    return child.tag == "geom" && geometry_.in_inertia_groups(document_.defaulted(child, childclass));
  });
}

void MjcfReader::body(const XmlNode& node, int parent, const sdk::Frame& offset, const std::string& childclass) {
  const std::string given = node.get("name", ""), inner = node.get("childclass", childclass);
  const std::string name = given.empty() ? "body" + std::to_string(++unnamed_) : given;
  if (node.has("childclass")) document_.need_class(inner, node);
  if (name == "world") node.refuse("'world' is the name of what does not move");
  const int link = model_.add_link(name, node.place());
  if (!bodies_.emplace(name, link).second) node.refuse("a second body '" + name + "'");
  if (given.empty()) model_.link(link).comment = "without a name in the file";
  const sdk::Frame at = offset * document_.frame(Defaulted(node, {}));
  if (node.boolean("mocap", false))
    notes_.lost(node.place(), "body '" + name + "' is moved by a program (mocap): it stands still");
  if (node.number("gravcomp", 0) != 0) notes_.lost(node.place(), "compensation of gravity of body '" + name + "'");
  joints(node, link, parent, at, inner);
  const std::string from_geom = document_.compiler_choice("inertiafromgeom", "false true auto", "auto");
  const XmlNode* given_inertia = node.child("inertial");
  // A body without such geoms keeps what it says, also where the compiler takes inertia from geoms.
  const bool by_geom = given_inertia == nullptr ? from_geom != "false" : from_geom == "true" && has_solids(node, inner);
  if (given_inertia != nullptr && !by_geom) {
    model_.link(link).inertia = inertial(*given_inertia, name);
    model_.link(link).place = given_inertia->place();
  }
  if (given_inertia != nullptr && by_geom) {
    given_inertia->lose_nothing(notes_, "not used: the compiler takes the inertia of '" + name + "' from its geoms");
  }
  // Bodies that stand still count where all masses together are given.
  const bool counts = !model_.link(link).ground || document_.compiler_number("settotalmass", -1) > 0;
  contents(node, link, {}, inner, by_geom && counts);
}

/// What the compiler does to masses when all bodies are read.
void MjcfReader::bound_masses() {
  const double least_mass = document_.compiler_number("boundmass", 0),
               least = document_.compiler_number("boundinertia", 0),
               total = document_.compiler_number("settotalmass", -1);
  const bool balance = document_.compiler_flag("balanceinertia", false);
  double sum = 0;
  for (auto& [name, index] : bodies_) {
    sdk::Link& link = model_.link(index);
    sdk::MassProperties& m = link.inertia;
    if (least_mass > 0) m.mass = std::max(m.mass, least_mass);
    if (!link.ground && (least > 0 || balance)) {
      const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(m.tensor);
      Eigen::Vector3d moments = solver.eigenvalues();
      const bool low = least > 0 && moments[0] < least;
      if (low) moments = moments.cwiseMax(least);
      const bool odd = balance && moments[0] + moments[1] < moments[2];
      if (odd) {
        moments.setConstant(moments.mean());
        notes_.remark(link.place,
                      "the moments of inertia of '" + name + "' are made equal, as balanceinertia asks for");
      }
      if (low || odd) m.tensor = solver.eigenvectors() * moments.asDiagonal() * solver.eigenvectors().transpose();
      if (low || odd) m.tensor = (0.5 * (m.tensor + m.tensor.transpose())).eval();
    }
    sum += m.mass;
  }
  if (!(total > 0) || !(sum > 0)) return;
  for (auto& [name, index] : bodies_) {
    sdk::Link& link = model_.link(index);
    if (!link.ground) link.inertia.mass *= total / sum, link.inertia.tensor *= total / sum;
  }
}

}  // namespace trammel::robot_xml
