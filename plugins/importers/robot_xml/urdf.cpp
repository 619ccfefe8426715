// Reading URDF: links with inertia and pictures, joints with everything on them, loops, couplings.
#include "urdf.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include "loops_file.h"
#include "mesh_file.h"
#include "picture.h"
#include "trammel/sdk/import/write_model.h"
#include "xml_tree.h"

namespace trammel::robot_xml {
namespace {

using Kind = sdk::Joint::Kind;

sdk::Frame origin(const XmlNode& node) {
  const XmlNode* at = node.child("origin");
  if (at == nullptr) return {};
  return {sdk::rotation_from_rpy(at->vector("rpy", Eigen::Vector3d::Zero())),
          at->vector("xyz", Eigen::Vector3d::Zero())};
}

class Reader {
 public:
  Reader(const UrdfImporter::Parameters& given, const ImportRequest& request, ImportedFile& out)
      : given_(given),
        request_(request),
        notes_(out),
        out_(out),
        root_(read_xml(request.file)),
        elements_(model_, notes_, given.limit) {}

  void read() {
    refuse_others();
    model_.title = root_.get("name", "robot");
    root_.get("version");
    model_.gravity = {given_.gravity[0], given_.gravity[1], given_.gravity[2]};
    model_.gravity_comment = "not in the file";
    for (const XmlNode* node : root_.all("material")) materials_[node->get("name", "")] = color_of(*node);
    for (const XmlNode* link : root_.all("link")) {  // colours that a link says hold for all
      for (const XmlNode* visual : link->all("visual")) {
        const XmlNode* material = visual->child("material");
        const XmlNode* color = material == nullptr ? nullptr : material->child("color");
        if (color != nullptr) materials_.emplace(material->get("name", ""), html_color(color->numbers("rgba", 3, 4)));
      }
    }
    for (const XmlNode* node : root_.all("link")) link(*node);
    if (model_.links.empty()) root_.refuse("holds no <link>");
    for (const XmlNode* node : root_.all("joint")) joint(*node);
    for (const XmlNode* node : root_.all("loop")) loop(*node);
    if (*request_.loops != 0) {
      read_loops(
          request_.loops,
          [this](const std::string& name, const sdk::ImportPlace& place) { return find_link(name, place); }, model_);
    }
    mimics();
    bases();
    sdk::settle_model(model_, notes_);
    put_on_joints();
    for (const XmlNode* node : root_.all("coupling")) coupling(*node);
    for (const XmlNode* node : root_.all("transmission"))
      node->lose(notes_,
                 "transmission '" + node->get("name", "") + "' (its motor is no part of the mechanics of the file)");
    for (const XmlNode* node : root_.all("gazebo")) gazebo(*node);
    root_.report_unread(notes_);
    sdk::ModelWriter(model_, notes_, out_).write();
  }

 private:
  /// Settings of Gazebo, and its way to close loops: joints of SDF.
  void gazebo(const XmlNode& node) {
    for (const XmlNode* joint : node.all("joint")) {
      joint->ignore();
      notes_.unconstrained(joint->place(),
                           "joint '" + joint->get("name", "") +
                               "', which Gazebo adds to the tree; write it as a <loop>, or in a side file (--loops)");
    }
    std::string all;
    for (const XmlNode& part : node.children) {
      if (part.tag != "joint") all += (all.empty() ? ": " : ", ") + part.tag;
    }
    const std::string of = node.get("reference", "");
    if (!all.empty() || node.children.empty())
      node.lose(notes_, "settings of the simulator Gazebo" + (of.empty() ? "" : " for '" + of + "'") + all);
  }
  void refuse_others() const {
    if (root_.tag != "robot") root_.refuse("is no URDF: the first element is not <robot>");
    refuse_xacro(root_);
  }
  void refuse_xacro(const XmlNode& node) const {
    if (node.tag.rfind("xacro:", 0) == 0) {
      node.refuse("a macro of xacro, which is not read; run `xacro " +
                  std::filesystem::path(request_.file).filename().string() + " > robot.urdf` first");
    }
    for (const XmlNode& child : node.children) refuse_xacro(child);
  }

  std::string color_of(const XmlNode& material) {
    for (const XmlNode* texture : material.all("texture"))
      texture->lose(notes_, "'" + texture->get("filename", "") + "' of material '" + material.get("name", "") +
                                "': textures are not drawn");
    const XmlNode* color = material.child("color");
    return color == nullptr ? "" : html_color(color->numbers("rgba", 3, 4));
  }

  int find_link(const std::string& name, const sdk::ImportPlace& place) const {
    const auto found = links_.find(name);
    if (found == links_.end()) sdk::refuse_file(place, "there is no link '" + name + "'");
    return found->second;
  }

  void link(const XmlNode& node) {
    const std::string name = node.need_text("name");
    node.get("type");
    const int index = model_.add_link(name, node.place());
    if (!links_.emplace(name, index).second) node.refuse("a second link '" + name + "'");
    if (const XmlNode* inertial = node.child("inertial"); inertial != nullptr) {
      const sdk::Frame at = origin(*inertial);
      sdk::MassProperties m;
      m.mass = inertial->need("mass").need_number("value");
      if (m.mass < 0) inertial->refuse("the mass of link '" + name + "' is negative");
      const XmlNode* inertia = inertial->child("inertia");
      if (inertia == nullptr) {
        notes_.approximated(inertial->place(), "link '" + name + "' has a mass and no <inertia>: taken as zero");
      } else {
        const double xy = inertia->number("ixy", 0), xz = inertia->number("ixz", 0), yz = inertia->number("iyz", 0);
        // All numbers before the list of them: a refusal amid it would leave it unfinished.
        const double xx = inertia->need_number("ixx"), yy = inertia->need_number("iyy");
        const double zz = inertia->need_number("izz");
        m.tensor << xx, xy, xz, xy, yy, yz, xz, yz, zz;
      }
      m = m.in(at);
      if (!at.R.isIdentity(0)) m.tensor = (0.5 * (m.tensor + m.tensor.transpose())).eval();
      model_.link(index).inertia = m;
      model_.link(index).place = inertial->place();
    }
    for (const XmlNode* visual : node.all("visual")) picture(*visual, index);
    for (const XmlNode* collision : node.all("collision"))
      collision->lose(notes_, "collision shape of link '" + name + "': contact between shapes is not computed");
  }

  void picture(const XmlNode& node, int index) {
    node.get("name");
    sdk::LinkShape shape;
    shape.place = origin(node);
    if (const XmlNode* material = node.child("material"); material != nullptr) {
      shape.color = color_of(*material);
      const std::string name = material->get("name", "");
      if (shape.color.empty() && materials_.count(name) > 0)
        shape.color = materials_[name];
      else if (shape.color.empty() && material->child("texture") == nullptr)
        notes_.lost(material->place(), "colour of a picture: no <material> of the name '" + name + "' has one");
    }
    const XmlNode* shown = node.child("geometry");
    if (shown == nullptr)
      return notes_.lost(node.place(), "picture of link '" + model_.link(index).original + "': it has no <geometry>");
    const XmlNode& geometry = *shown;
    if (const XmlNode* box = geometry.child("box"); box != nullptr) {
      shape.kind = sdk::LinkShape::Kind::box, shape.size = box->vector("size", Eigen::Vector3d::Zero());
    } else if (const XmlNode* cylinder = geometry.child("cylinder"); cylinder != nullptr) {
      shape.kind = sdk::LinkShape::Kind::cylinder;
      shape.size = {cylinder->need_number("radius"), cylinder->need_number("length"), 0};
    } else if (const XmlNode* capsule = geometry.child("capsule"); capsule != nullptr) {
      shape.kind = sdk::LinkShape::Kind::capsule;
      shape.size = {capsule->need_number("radius"), capsule->need_number("length"), 0};
    } else if (const XmlNode* sphere = geometry.child("sphere"); sphere != nullptr) {
      shape.kind = sdk::LinkShape::Kind::sphere, shape.size[0] = sphere->need_number("radius");
    } else if (const XmlNode* mesh = geometry.child("mesh"); mesh != nullptr) {
      const std::string file = mesh->need_text("filename");
      const std::string found = find_mesh(file, request_.file, request_);
      const Eigen::Vector3d scale = mesh->vector("scale", Eigen::Vector3d::Ones());
      const std::string why = found.empty() ? "there is no file" : mesh_picture(found, scale, shape);
      if (!why.empty())
        return notes_.lost(mesh->place(),
                           "picture of link '" + model_.link(index).original + "': '" + file + "': " + why);
      notes_.reads(found);
    } else {
      return notes_.lost(geometry.place(),
                         "picture of link '" + model_.link(index).original + "': no shape that is known here");
    }
    if (shape.kind != sdk::LinkShape::Kind::mesh &&
        (!(shape.size[0] > 0) || (shape.kind == sdk::LinkShape::Kind::box && !(shape.size.minCoeff() > 0)) ||
         (shape.kind == sdk::LinkShape::Kind::cylinder && !(shape.size[1] > 0))))
      return notes_.lost(geometry.place(),
                         "picture of link '" + model_.link(index).original + "': its size is not above zero");
    model_.link(index).shapes.push_back(shape);
  }

  void joint(const XmlNode& node) {
    const std::string name = node.need_text("name"), type = node.need_text("type");
    node.get("independent");
    const int index = model_.add_joint(name, "joint", node.place());
    if (!joints_.emplace(name, index).second) node.refuse("a second joint '" + name + "'");
    sdk::Joint& joint = model_.joint(index);
    if (!joint_kind(type, joint.kind)) {
      node.refuse("'" + type +
                  "' is no type of joint: revolute, continuous, prismatic, fixed, floating, planar; spherical, "
                  "cylindrical and universal are read as well");
    }
    joint.parent = find_link(node.need("parent").need_text("link"), node.place());
    joint.child = find_link(node.need("child").need_text("link"), node.place());
    if (joint.parent == joint.child) node.refuse("joint '" + name + "' has the same link as parent and child");
    joint.in_parent = origin(node);
    axis_of(node, joint);
    sources_.push_back({&node, index, type == "continuous"});
    if (const XmlNode* limit = node.child("limit");
        limit != nullptr && type != "continuous" && joint.has_coordinate()) {
      // Coordinates are zero as drawn, unless that is outside their limits.
      const double lower = limit->number("lower", 0), upper = limit->number("upper", 0);
      if (lower < upper) joint.value = std::clamp(0.0, lower, upper);
    }
  }

  /// Joints that have no axis may say one, and exporters of CAD programs write zero then.
  static void axis_of(const XmlNode& node, sdk::Joint& joint) {
    const XmlNode* axis = node.child("axis");
    if (axis == nullptr) return;
    const Eigen::Vector3d along = sdk::unit_vector(axis->vector("xyz", Eigen::Vector3d::UnitX()));
    if (joint.kind == Kind::fixed || joint.kind == Kind::free || joint.kind == Kind::spherical) return;
    if (along.isZero(0)) axis->refuse("the axis of " + node.tag + " '" + joint.original + "' may not be zero");
    joint.axis = along;
    // Universal: the second axis is y, or what is across the first one.
    if (joint.kind != Kind::universal) return;
    const XmlNode* second = node.child("axis2");
    if (second != nullptr) joint.second_axis = sdk::unit_vector(second->vector("xyz", Eigen::Vector3d::UnitY()));
    if (std::abs(joint.axis.dot(joint.second_axis)) > 1e-9 || joint.second_axis.isZero(0))
      node.refuse("the second axis of the universal " + node.tag + " '" + joint.original +
                  "', <axis2>, or y without one, is not perpendicular to its first one");
  }

  void loop(const XmlNode& node) {
    const std::string name = node.need_text("name"), type = node.need_text("type");
    const int index = model_.add_joint(name, "loop", node.place());
    sdk::Joint& joint = model_.joint(index);
    joint.loop = true;
    if (!joint_kind(type, joint.kind) || joint.kind == Kind::free)
      node.refuse("'" + type +
                  "' is no type of loop: revolute, prismatic, fixed, spherical, cylindrical, universal, planar");
    const XmlNode &first = node.need("predecessor"), &second = node.need("successor");
    joint.parent = find_link(first.need_text("link"), first.place());
    joint.child = find_link(second.need_text("link"), second.place());
    if (joint.parent == joint.child) node.refuse("loop '" + name + "' has the same link twice");
    joint.in_parent = origin(first), joint.in_child = origin(second);
    if (node.child("origin") != nullptr) joint.in_parent = origin(node);
    axis_of(node, joint);
    sources_.push_back({&node, index, false});
  }

  /// Followers start where their leaders say.
  void mimics() {
    for (const Source& source : sources_) {
      const XmlNode* mimic = source.node->child("mimic");
      if (mimic == nullptr) continue;
      const std::string leader = mimic->need_text("joint");
      const auto found = joints_.find(leader);
      if (found == joints_.end()) mimic->refuse("there is no joint '" + leader + "'");
      if (found->second == source.joint) mimic->refuse("joint '" + leader + "' mimics itself");
      mimics_.push_back(
          {mimic, found->second, source.joint, mimic->number("multiplier", 1), mimic->number("offset", 0)});
    }
    std::map<int, const Mimic*> of;  // each follower's
    for (const Mimic& m : mimics_) of.emplace(m.second, &m);
    std::set<int> known;
    for (const Mimic& m : mimics_) {  // up to a joint that leads, and down again
      std::vector<const Mimic*> chain;
      const Mimic* at = &m;
      for (; at != nullptr && known.count(at->second) == 0; at = of.count(at->first) > 0 ? of[at->first] : nullptr) {
        if (chain.size() > mimics_.size()) m.node->refuse("joints that mimic each other in a circle");
        chain.push_back(at);
      }
      for (auto k = chain.rbegin(); k != chain.rend(); ++k) {
        model_.joint((*k)->second).value = (*k)->ratio * model_.joint((*k)->first).value + (*k)->offset;
        known.insert((*k)->second);
      }
    }
  }

  /// Links that no joint carries.
  void bases() {
    std::string first;
    for (std::size_t k = 0; k < model_.links.size(); ++k) {
      sdk::Link& link = model_.links[k];
      const bool carried = std::any_of(model_.joints.begin(), model_.joints.end(),
                                       [&](const sdk::Joint& j) { return !j.loop && j.child == static_cast<int>(k); });
      if (carried) continue;
      if (!first.empty()) {
        sdk::refuse_file(link.place, "link '" + link.original + "' is a second root beside '" + first +
                                         "', and URDF has one: no joint has it as its child");
      }
      first = link.original;
      if (given_.base == Base::free && !link.inertia.empty()) {
        notes_.remark(link.place, "root link '" + link.original + "' moves freely (base=free)");
        continue;
      }
      link.ground = true;
      if (given_.base == Base::free)
        notes_.remark(link.place, "root link '" + link.original + "' has no inertia: it is the ground");
      else if (!link.inertia.empty())
        notes_.remark(link.place, "root link '" + link.original + "' stands still; --set base=free lets it move");
    }
  }

  void put_on_joints() {
    for (const Source& source : sources_) {
      const sdk::Joint& joint = model_.joint(source.joint);
      const bool usable = elements_.usable(source.joint);
      const std::string name = "joint '" + joint.original + "'";
      if (const XmlNode* limit = source.node->child("limit"); limit != nullptr) {
        const bool bounded = limit->has("lower") || limit->has("upper");
        const double lower = limit->number("lower", 0), upper = limit->number("upper", 0);
        if (joint.value != 0 && joint.value == (lower < upper ? std::clamp(0.0, lower, upper) : 0.0))
          notes_.remark(limit->place(), name + " starts at its limit " + sdk::json_number(joint.value) +
                                            ": zero lies outside of its limits");
        if (bounded && usable && !source.continuous && !(lower == 0 && upper == 0))
          elements_.limit(source.joint, limit->place(), lower, upper);
        else if (usable && !source.continuous)
          notes_.lost(limit->place(), "limits 0 and 0 of " + name + ", which stand for none here" +
                                          (bounded ? "" : " (what a <limit> without lower and upper says)"));
        else if (bounded && !(lower == 0 && upper == 0))
          notes_.lost(limit->place(), "limits of " + name +
                                          (source.continuous ? ": a continuous joint has none"
                                                             : ", which has no coordinate that they bound"));
        for (const char* of_motor : {"effort", "velocity"}) {
          if (limit->has(of_motor) && limit->number(of_motor, 0) != 0)
            notes_.lost(limit->place(), std::string(of_motor) + " limit " +
                                            sdk::json_number(limit->number(of_motor, 0)) + " of " + name +
                                            ": it bounds a motor, and the file has none");
        }
      }
      const std::string type = source.node->get("type", "");
      if ((type == "revolute" || type == "prismatic") && !joint.loop && source.node->child("limit") == nullptr)
        notes_.remark(source.node->place(), name + " of type " + type + " has no <limit>, and none here");
      if (const XmlNode* dynamics = source.node->child("dynamics"); dynamics != nullptr) {
        const double damping = dynamics->number("damping", 0), dry = dynamics->number("friction", 0);
        if (usable)
          elements_.friction(source.joint, dynamics->place(), damping, dry);
        else if (damping != 0 || dry != 0)
          notes_.lost(dynamics->place(), "damping and friction of " + name + ", which has no coordinate for them");
      }
      for (const char* tag : {"calibration", "safety_controller"}) {
        if (const XmlNode* node = source.node->child(tag); node != nullptr)
          node->lose(notes_, std::string("of ") + name + ": belongs to a controller");
      }
    }
    for (const Mimic& m : mimics_) {
      if (!elements_.usable(m.first) || !elements_.usable(m.second)) {
        notes_.unconstrained(m.node->place(), "joint '" + model_.joint(m.second).original +
                                                  "' or the one that it mimics has no coordinate");
        continue;
      }
      elements_.couple(model_.joint(m.second).name + "_mimic", m.node->place(), m.first, m.second, m.ratio, m.offset);
    }
  }

  /// URDF+: ratio * (angles from the nearest common ancestor to the predecessor) = the same to the successor.
  void coupling(const XmlNode& node) {
    const std::string name = node.need_text("name");
    const int ends[2] = {find_link(node.need("predecessor").need_text("link"), node.place()),
                         find_link(node.need("successor").need_text("link"), node.place())};
    const double ratio = node.need("ratio").need_number("value");
    std::vector<int> chains[2];
    for (int k = 0; k < 2; ++k) {
      for (int at = ends[k]; at != sdk::ground_link;) {
        const int by = carrier(at);
        if (by < 0) break;
        chains[k].push_back(by);
        at = model_.joint(by).parent;
      }
    }
    while (!chains[0].empty() && !chains[1].empty() && chains[0].back() == chains[1].back())
      chains[0].pop_back(), chains[1].pop_back();
    for (std::vector<int>& chain : chains) {
      chain.erase(
          std::remove_if(chain.begin(), chain.end(), [&](int j) { return model_.joint(j).kind == Kind::fixed; }),
          chain.end());
    }
    if (chains[0].size() != 1 || chains[1].size() != 1 || !elements_.usable(chains[0][0]) ||
        !elements_.usable(chains[1][0])) {
      node.refuse("coupling '" + name + "' leads over " + std::to_string(chains[0].size()) + " and " +
                  std::to_string(chains[1].size()) + " joints; only couplings of one joint with one other can be read");
    }
    elements_.couple(name, node.place(), chains[0][0], chains[1][0], ratio, 0);
  }
  int carrier(int link) const {
    for (std::size_t k = 0; k < model_.joints.size(); ++k) {
      if (!model_.joints[k].loop && model_.joints[k].child == link) return static_cast<int>(k);
    }
    return -1;
  }

  struct Source {
    const XmlNode* node;
    int joint;
    bool continuous;
  };
  struct Mimic {
    const XmlNode* node;
    int first, second;
    double ratio, offset;
  };

  const UrdfImporter::Parameters& given_;
  const ImportRequest& request_;
  sdk::ImportNotes notes_;
  ImportedFile& out_;
  XmlNode root_;
  sdk::ImportModel model_;
  JointElements elements_;
  std::map<std::string, std::string> materials_;
  std::map<std::string, int> links_, joints_;
  std::vector<Source> sources_;
  std::vector<Mimic> mimics_;
};

}  // namespace

bool UrdfImporter::recognises(const char* beginning, std::int64_t size) const {
  return first_element(beginning, size) == "robot";
}

bool UrdfImporter::read(const ImportRequest& request, ImportedFile& out, Refusal& refusal) const {
  return sdk::or_refuse(refusal, [&] { return Reader(given_, request, out).read(), true; });
}

}  // namespace trammel::robot_xml
