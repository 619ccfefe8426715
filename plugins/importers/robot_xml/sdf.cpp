// Reading SDF: links with poses of their own, joints in any graph, frames.
#include "sdf.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <set>

#include "mesh_file.h"
#include "trammel/sdk/import/write_model.h"
#include "xml_tree.h"

namespace trammel::robot_xml {
namespace {

using Kind = sdk::Joint::Kind;

/// Where the links, joints and frames of one model are, in the model's frame.
class Poses {
 public:
  void add(const XmlNode& node, const std::string& otherwise) {
    const std::string name = node.need_text("name");
    if (!nodes_.emplace(name, Entry{&node, otherwise}).second)
      node.refuse("a second link, joint or frame '" + name + "'");
  }
  sdk::Frame of(const std::string& name, const XmlNode& user) {
    if (name == "__model__" || name.empty()) return {};
    const auto found = nodes_.find(name);
    if (found == nodes_.end()) user.refuse("there is no link, joint or frame '" + name + "'");
    if (!open_.insert(name).second) user.refuse("the pose of '" + name + "' is relative to itself");
    const sdk::Frame frame = of(*found->second.node, found->second.otherwise);
    open_.erase(name);
    return frame;
  }
  /// Of an element with a <pose>; `otherwise`: to what it is relative unless it says so.
  sdk::Frame of(const XmlNode& node, const std::string& otherwise) {
    const XmlNode* pose = node.child("pose");
    if (pose == nullptr) return of(otherwise, node);
    const std::string to = pose->get("relative_to", pose->get("frame", ""));
    return of(to.empty() ? otherwise : to, *pose) * parse(*pose);
  }
  /// Of a <pose> that may only be relative to the element it stands in.
  static sdk::Frame own(const XmlNode& pose) {
    const std::string to = pose.get("relative_to", pose.get("frame", ""));
    if (!to.empty() && to != "world" && to != "__model__")
      pose.refuse("is relative to '" + to + "', which is read for links, joints and frames of a model only");
    return parse(pose);
  }
  static sdk::Frame parse(const XmlNode& pose) {
    const double unit = pose.boolean("degrees", false) ? 3.14159265358979323846 / 180 : 1;
    if (pose.get("rotation_format", "euler_rpy") == "quat_xyzw") {
      const std::vector<double> v = pose.text_numbers(7, 7);
      Eigen::Quaterniond q(v[6], v[3], v[4], v[5]);
      if (!(q.norm() > 1e-14)) pose.refuse("a quaternion may not be zero");
      return {q.normalized().toRotationMatrix(), {v[0], v[1], v[2]}};
    }
    if (pose.text.find_first_not_of(" \t\r\n") == std::string::npos) return {};
    const std::vector<double> v = pose.text_numbers(6, 6);
    return {sdk::rotation_from_rpy(unit * Eigen::Vector3d(v[3], v[4], v[5])), {v[0], v[1], v[2]}};
  }

 private:
  struct Entry {
    const XmlNode* node;
    std::string otherwise;
  };
  std::map<std::string, Entry> nodes_;
  std::set<std::string> open_;
};

double child_number(const XmlNode& node, const char* name, double otherwise) {
  const XmlNode* child = node.child(name);
  return child == nullptr ? otherwise : child->text_number();
}

/// A number that may be "inf" or "-inf", as Gazebo writes what has no bound: 1e16 stands for it, as in the format.
double child_bound(const XmlNode& node, const char* name, double otherwise) {
  const XmlNode* child = node.child(name);
  if (child == nullptr) return otherwise;
  std::string text;
  for (const char c : child->text) {
    if (std::isspace(static_cast<unsigned char>(c)) == 0)
      text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  if (text == "inf" || text == "+inf" || text == "infinity") return child->visit(), 1e16;
  if (text == "-inf" || text == "-infinity") return child->visit(), -1e16;
  return child->text_number();
}

class SdfReader {
 public:
  SdfReader(const SdfImporter::Parameters& given, const ImportRequest& request, ImportedFile& out)
      : request_(request),
        notes_(out),
        out_(out),
        root_(read_xml(request.file)),
        elements_(model_, notes_, given.limit) {}

  void read() {
    if (root_.tag != "sdf" && root_.tag != "gazebo") root_.refuse("is no SDF: the first element is not <sdf>");
    version_ = root_.number("version", 1.7);
    model_.gravity = {0, 0, -9.8};
    model_.gravity_comment = "not in the file: the default of SDF";
    model_.title = "SDF model";
    for (const XmlNode* world : root_.all("world")) {
      model_.title = world->get("name", "world");
      if (const XmlNode* g = world->child("gravity"); g != nullptr) {
        const std::vector<double> v = g->text_numbers(3, 3);
        model_.gravity = {v[0], v[1], v[2]}, model_.gravity_comment = "";
      }
      models(*world);
      for (const char* tag : {"light", "scene", "physics", "gui", "plugin", "atmosphere", "wind", "magnetic_field",
                              "audio", "spherical_coordinates", "state", "actor", "road", "population"}) {
        for (const XmlNode* node : world->all(tag)) node->lose(notes_, "belongs to the simulator");
      }
    }
    models(root_);
    if (model_.links.empty()) root_.refuse("holds no <model> with links");
    sdk::settle_model(model_, notes_);
    for (const On& on : on_joints_) put_on(on);
    root_.report_unread(notes_);
    sdk::ModelWriter(model_, notes_, out_).write();
  }

 private:
  struct On {
    const XmlNode* axis;
    int joint;
  };

  void models(const XmlNode& owner) {
    for (const XmlNode* node : owner.all("include")) include(*node);
    for (const XmlNode* node : owner.all("model")) {
      if (model_.title == "SDF model") model_.title = node->get("name", "SDF model");
      model(*node, nullptr);
    }
  }

  /// A model of a file of its own, where the <include> says.
  void include(const XmlNode& node) {
    const XmlNode& uri = node.need("uri");
    const std::string name = name_of(uri), file = find_model(name, request_.file, request_);
    if (file.empty()) {
      const std::string last = name.substr(name.find_last_of('/') + 1);
      if (last != "sun" && last != "ground_plane")
        uri.refuse("there is no model '" + name + "'; --package-path says where model:// leads");
      return node.lose(notes_, "'" + last + "' of Gazebo's library: no link hangs on it");
    }
    node.child("name");
    included_.push_back(read_xml(file));
    const XmlNode& root = included_.back();
    if (root.tag != "sdf" && root.tag != "gazebo") root.refuse("is no SDF: the first element is not <sdf>");
    const double version = version_;
    version_ = root.number("version", 1.7);
    model(root.need("model"), &node);
    version_ = version;
    root.report_unread(notes_);
  }

  /// `from`: the <include> that has its own place and state of rest, or nullptr.
  void model(const XmlNode& node, const XmlNode* from) {
    for (const char* tag : {"include", "model"}) {
      for (const XmlNode* inner : node.all(tag)) inner->refuse("a model within a model, which is not read");
    }
    node.get("name"), node.get("canonical_link");
    const XmlNode *own_pose = node.child("pose"), *still = node.child("static");
    std::string placed = node.get("placement_frame", "");
    if (from != nullptr) {
      if (const XmlNode* pose = from->child("pose"); pose != nullptr) own_pose = pose;
      if (const XmlNode* fixed = from->child("static"); fixed != nullptr) still = fixed;
      if (const XmlNode* frame = from->child("placement_frame"); frame != nullptr) placed = name_of(*frame);
    }
    sdk::Frame place = own_pose != nullptr ? Poses::own(*own_pose) : sdk::Frame{};
    if (own_pose != nullptr) own_pose->ignore();
    const bool fixed = still != nullptr && (still->text == "true" || still->text == "1");
    Poses poses;
    for (const XmlNode* link : node.all("link")) poses.add(*link, "__model__");
    for (const XmlNode* joint : node.all("joint")) {
      const XmlNode* child = joint->child("child");
      poses.add(*joint, child != nullptr ? name_of(*child) : "__model__");
    }
    for (const XmlNode* frame : node.all("frame")) {
      frame->visit();
      poses.add(*frame, frame->get("attached_to", "__model__"));
    }
    if (!placed.empty()) place = place * poses.of(placed, node).inverse();
    std::map<std::string, int> links;
    for (const XmlNode* link : node.all("link")) links[link->get("name", "")] = this->link(*link, poses, place, fixed);
    for (const XmlNode* joint : node.all("joint")) this->joint(*joint, poses, place, links);
    for (const char* tag : {"plugin", "self_collide", "enable_wind", "allow_auto_disable", "gripper"}) {
      for (const XmlNode* part : node.all(tag)) part->lose(notes_, "belongs to the simulator");
    }
  }
  static std::string name_of(const XmlNode& node) {
    const std::size_t first = node.text.find_first_not_of(" \t\r\n"), last = node.text.find_last_not_of(" \t\r\n");
    return first == std::string::npos ? "" : node.text.substr(first, last - first + 1);
  }

  int link(const XmlNode& node, Poses& poses, const sdk::Frame& place, bool fixed) {
    const std::string name = node.need_text("name");
    const int index = model_.add_link(name, node.place());
    model_.link(index).start = place * poses.of(name, node);
    model_.link(index).ground = fixed;
    sdk::MassProperties m{1, Eigen::Vector3d::Zero(), Eigen::Matrix3d::Identity()};
    if (const XmlNode* inertial = node.child("inertial"); inertial != nullptr) {
      m.mass = child_number(*inertial, "mass", 1);
      if (!(m.mass > 0)) inertial->refuse("the mass of link '" + name + "' must be above zero");
      if (const XmlNode* J = inertial->child("inertia"); J != nullptr) {
        const double xy = child_number(*J, "ixy", 0), xz = child_number(*J, "ixz", 0), yz = child_number(*J, "iyz", 0);
        m.tensor << child_number(*J, "ixx", 1), xy, xz, xy, child_number(*J, "iyy", 1), yz, xz, yz,
            child_number(*J, "izz", 1);
      }
      if (inertial->boolean("auto", false))
        inertial->refuse("the inertia of link '" + name +
                         "' is to be computed from its shapes (auto), which is not done here");
      const XmlNode* pose = inertial->child("pose");
      m = m.in(pose != nullptr ? Poses::own(*pose) : sdk::Frame{});
      m.tensor = (0.5 * (m.tensor + m.tensor.transpose())).eval();
      for (const char* tag : {"density", "fluid_added_mass"}) {
        for (const XmlNode* part : inertial->all(tag)) part->lose(notes_, "of link '" + name + "'");
      }
    } else if (!fixed) {
      notes_.remark(node.place(), "link '" + name + "' has no <inertial>: 1 kg and 1 kg m^2, the defaults of SDF");
    }
    model_.link(index).inertia = m;
    for (const XmlNode* visual : node.all("visual")) picture(*visual, index);
    for (const XmlNode* collision : node.all("collision"))
      collision->lose(notes_, "collision shape of link '" + name + "': contact between shapes is not computed");
    if (const XmlNode* gravity = node.child("gravity");
        gravity != nullptr && (gravity->text == "false" || gravity->text == "0"))
      notes_.lost(gravity->place(), "gravity of link '" + name + "' is off: it has its weight here");
    if (const XmlNode* damping = node.child("velocity_decay"); damping != nullptr)
      damping->lose(notes_, "of link '" + name + "'");
    for (const char* tag : {"sensor", "light", "projector", "audio_sink", "audio_source", "battery", "self_collide",
                            "kinematic", "must_be_base_link", "enable_wind", "particle_emitter"}) {
      for (const XmlNode* part : node.all(tag)) part->lose(notes_, "of link '" + name + "'");
    }
    return index;
  }

  void picture(const XmlNode& node, int index) {
    const std::string what = "picture of link '" + model_.link(index).original + "'";
    sdk::LinkShape shape;
    const auto give_up = [&](const std::string& why) { node.lose(notes_, what + ": " + why); };
    if (const XmlNode* pose = node.child("pose"); pose != nullptr) {
      const std::string to = pose->get("relative_to", pose->get("frame", ""));
      if (!to.empty()) return give_up("its pose is relative to '" + to + "'");
      shape.place = Poses::parse(*pose);
    }
    const XmlNode* geometry = node.child("geometry");
    if (geometry == nullptr) return give_up("no geometry");
    if (const XmlNode* box = geometry->child("box"); box != nullptr) {
      const std::vector<double> v = box->need("size").text_numbers(3, 3);
      shape.kind = sdk::LinkShape::Kind::box, shape.size = {v[0], v[1], v[2]};
    } else if (const XmlNode* cylinder = geometry->child("cylinder"); cylinder != nullptr) {
      shape.kind = sdk::LinkShape::Kind::cylinder;
      shape.size = {child_number(*cylinder, "radius", 1), child_number(*cylinder, "length", 1), 0};
    } else if (const XmlNode* capsule = geometry->child("capsule"); capsule != nullptr) {
      shape.kind = sdk::LinkShape::Kind::capsule;
      shape.size = {child_number(*capsule, "radius", 0.5), child_number(*capsule, "length", 1), 0};
    } else if (const XmlNode* sphere = geometry->child("sphere"); sphere != nullptr) {
      shape.kind = sdk::LinkShape::Kind::sphere, shape.size[0] = child_number(*sphere, "radius", 1);
    } else if (const XmlNode* mesh = geometry->child("mesh"); mesh != nullptr) {
      const XmlNode& uri = mesh->need("uri");
      const XmlNode* scale = mesh->child("scale");
      const std::vector<double> factors = scale == nullptr ? std::vector<double>{1, 1, 1} : scale->text_numbers(3, 3);
      const std::string found = find_mesh(name_of(uri), *node.file, request_);
      const std::string why =
          found.empty() ? "there is no file" : mesh_picture(found, {factors[0], factors[1], factors[2]}, shape);
      if (!why.empty()) return give_up("'" + uri.text + "': " + why);
    } else {
      return give_up("shapes of this kind are not drawn");
    }
    node.ignore();
    const bool long_one = shape.kind == sdk::LinkShape::Kind::cylinder || shape.kind == sdk::LinkShape::Kind::capsule;
    if (shape.kind != sdk::LinkShape::Kind::mesh &&
        (!(shape.size[0] > 0) || (long_one && !(shape.size[1] > 0)) ||
         (shape.kind == sdk::LinkShape::Kind::box && !(shape.size.minCoeff() > 0))))
      return notes_.lost(node.place(), what + ": its size is not above zero");
    model_.link(index).shapes.push_back(shape);
  }

  void joint(const XmlNode& node, Poses& poses, const sdk::Frame& place, const std::map<std::string, int>& links) {
    const std::string name = node.need_text("name"), type = node.need_text("type");
    const auto end = [&](const char* tag) {
      const XmlNode& part = node.need(tag);
      const std::string link = name_of(part);
      if (link == "world") return sdk::ground_link;
      const auto found = links.find(link);
      if (found == links.end()) part.refuse("there is no link '" + link + "' in this model");
      return found->second;
    };
    const int index = model_.add_joint(name, "joint", node.place());
    sdk::Joint& joint = model_.joint(index);
    joint.loop = true;  // links have poses of their own: nothing follows from joints
    joint.parent = end("parent"), joint.child = end("child");
    if (joint.parent == joint.child) node.refuse("joint '" + name + "' has the same link as parent and child");
    const std::map<std::string, Kind> kinds = {{"revolute", Kind::revolute},   {"continuous", Kind::revolute},
                                               {"prismatic", Kind::prismatic}, {"fixed", Kind::fixed},
                                               {"ball", Kind::spherical},      {"universal", Kind::universal},
                                               {"screw", Kind::screw}};
    const auto kind = kinds.find(type);
    if (kind == kinds.end())
      node.refuse("joints of type '" + type +
                  "' are not read: revolute, continuous, prismatic, fixed, ball, universal, screw are");
    joint.kind = kind->second;
    const sdk::Frame at = place * poses.of(name, node);
    const auto within = [&](int link) {
      return link == sdk::ground_link ? at : model_.link(link).start.inverse() * at;
    };
    joint.in_parent = within(joint.parent), joint.in_child = within(joint.child);
    if (const XmlNode* pitch = node.child("screw_thread_pitch"); pitch != nullptr) joint.pitch = pitch->text_number();
    if (const XmlNode* pitch = node.child("thread_pitch"); pitch != nullptr && joint.kind == Kind::screw) {
      if (joint.pitch == 0 && pitch->text_number() != 0) joint.pitch = -6.283185307179586 / pitch->text_number();
    }
    if (joint.kind == Kind::screw && joint.pitch == 0) node.refuse("screw '" + name + "' has no pitch");
    if (const XmlNode* axis = node.child("axis"); axis != nullptr) {
      joint.axis = direction(*axis, poses, place, at);
      if (joint.has_coordinate())
        on_joints_.push_back({axis, index});
      else if (joint.kind != Kind::universal)
        axis->ignore();
    } else if (joint.has_coordinate() || joint.kind == Kind::universal) {
      joint.axis = Eigen::Vector3d::UnitZ();
    }
    if (const XmlNode* axis2 = node.child("axis2"); axis2 != nullptr) {
      joint.second_axis = direction(*axis2, poses, place, at);
      for (const char* tag : {"limit", "dynamics"}) {
        for (const XmlNode* part : axis2->all(tag)) part->lose(notes_, "of the second axis of joint '" + name + "'");
      }
    }
    for (const char* tag : {"physics", "sensor", "gearbox_ratio", "gearbox_reference_body"}) {
      for (const XmlNode* part : node.all(tag)) part->lose(notes_, "of joint '" + name + "'");
    }
  }

  /// In the joint's frame.
  Eigen::Vector3d direction(const XmlNode& axis, Poses& poses, const sdk::Frame& place, const sdk::Frame& at) {
    Eigen::Vector3d v = Eigen::Vector3d::UnitZ();
    std::string in;
    if (const XmlNode* xyz = axis.child("xyz"); xyz != nullptr) {
      const std::vector<double> n = xyz->text_numbers(3, 3);
      v = {n[0], n[1], n[2]};
      in = xyz->get("expressed_in", "");
    }
    const XmlNode* old = axis.child("use_parent_model_frame");
    const bool of_model = version_ < 1.5 || (old != nullptr && (old->text == "1" || old->text == "true"));
    if (!(v.norm() > 0)) axis.refuse("an axis may not be zero");
    if (in.empty()) return of_model ? Eigen::Vector3d(at.R.transpose() * place.R * v) : v;
    return at.R.transpose() * place.R * poses.of(in, axis).R * v;
  }

  void put_on(const On& on) {
    const sdk::Joint& joint = model_.joint(on.joint);
    const std::string what = " of joint '" + joint.original + "'";
    if (const XmlNode* limit = on.axis->child("limit"); limit != nullptr) {
      const double lower = child_bound(*limit, "lower", -1e16), upper = child_bound(*limit, "upper", 1e16);
      const double a = lower <= -1e15 ? -no_limit : lower, b = upper >= 1e15 ? no_limit : upper;
      if (!std::isinf(a) || !std::isinf(b)) elements_.limit(on.joint, limit->place(), a, b);
      for (const char* tag : {"effort", "velocity"}) {
        const double bound = child_bound(*limit, tag, -1);
        if (bound >= 0 && bound < 1e15)
          notes_.lost(limit->place(), std::string(tag) + " limit " + sdk::json_number(bound) + what +
                                          ": it bounds a motor, and the file has none");
      }
      for (const char* tag : {"stiffness", "dissipation"}) {
        for (const XmlNode* part : limit->all(tag)) part->lose(notes_, "of the limit" + what);
      }
    }
    if (const XmlNode* dynamics = on.axis->child("dynamics"); dynamics != nullptr) {
      elements_.friction(on.joint, child_number(*dynamics, "damping", 0), child_number(*dynamics, "friction", 0));
      elements_.spring(on.joint, dynamics->place(), child_number(*dynamics, "spring_stiffness", 0),
                       child_number(*dynamics, "spring_reference", 0));
    }
    if (const XmlNode* mimic = on.axis->child("mimic"); mimic != nullptr) {
      const std::string leader = mimic->need_text("joint");
      const auto found = std::find_if(model_.joints.begin(), model_.joints.end(),
                                      [&](const sdk::Joint& j) { return j.original == leader; });
      if (found == model_.joints.end()) mimic->refuse("there is no joint '" + leader + "'");
      const int first = static_cast<int>(found - model_.joints.begin());
      const double ratio = child_number(*mimic, "multiplier", 1);
      elements_.couple(joint.name + "_mimic", mimic->place(), first, on.joint, ratio,
                       child_number(*mimic, "offset", 0) - ratio * child_number(*mimic, "reference", 0));
    }
    for (const char* tag : {"initial_position"}) {
      for (const XmlNode* part : on.axis->all(tag)) part->lose(notes_, what.substr(4));
    }
  }

  const ImportRequest& request_;
  sdk::ImportNotes notes_;
  ImportedFile& out_;
  XmlNode root_;
  std::deque<XmlNode> included_;
  double version_ = 1.7;
  sdk::ImportModel model_;
  JointElements elements_;
  std::vector<On> on_joints_;
};

}  // namespace

bool SdfImporter::recognises(const char* beginning, std::int64_t size) const {
  const std::string first = first_element(beginning, size);
  return first == "sdf" || first == "gazebo";
}

bool SdfImporter::read(const ImportRequest& request, ImportedFile& out, Refusal& refusal) const {
  return sdk::or_refuse(refusal, [&] { return SdfReader(given_, request, out).read(), true; });
}

}  // namespace trammel::robot_xml
