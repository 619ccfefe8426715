// Reading SDF: links with poses of their own, joints in any graph, frames.
#include "sdf.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "mesh_file.h"
#include "picture.h"
#include "sdf_poses.h"
#include "sdf_values.h"
#include "trammel/sdk/import/write_model.h"
#include "xml_tree.h"

namespace trammel::robot_xml {
namespace {

using Kind = sdk::Joint::Kind;

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
    sdk::refuse_loops(request_);
    version_ = version_of(root_, notes_);
    model_.gravity = {0, 0, -9.8};
    model_.gravity_comment = "not in the file: the default of SDF";
    model_.title = "SDF model";
    const std::vector<const XmlNode*> worlds = root_.all("world");
    if (worlds.size() > 1) worlds[1]->refuse("a second world beside that of line " + std::to_string(worlds[0]->line));
    for (const XmlNode* world : worlds) {
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
      for (const XmlNode* node : world->all("joint")) {
        node->ignore();
        notes_.unconstrained(node->place(), "joint '" + node->get("name", "") + "' of the world, between models");
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
  /// An axis with limits, dynamics, ... of a joint.
  struct On {
    const XmlNode* axis;
    int joint;
    std::string type;
    bool second;
    std::size_t first = 0, last = 0;  ///< joints of the same model
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
    if (const XmlNode* own = node.child("name"); own != nullptr)
      notes_.remark(own->place(), "'" + name_of(*own) + "': links of the model keep their own names");
    notes_.reads(file);
    included_.push_back(read_xml(file));
    const XmlNode& root = included_.back();
    if (root.tag != "sdf" && root.tag != "gazebo") root.refuse("is no SDF: the first element is not <sdf>");
    const int version = version_;
    version_ = version_of(root, notes_);
    model(root.need("model"), &node);
    version_ = version;
    root.report_unread(notes_);
  }

  /// `from`: the <include> that has its own place and state of rest, or nullptr.
  void model(const XmlNode& node, const XmlNode* from) {
    for (const char* tag : {"include", "model"}) {
      for (const XmlNode* inner : node.all(tag)) inner->refuse("a model within a model, which is not read");
    }
    node.get("name");
    const XmlNode *own_pose = node.child("pose"), *still = node.child("static");
    std::string placed = node.get("placement_frame", "");
    if (from != nullptr) {
      if (const XmlNode* pose = from->child("pose"); pose != nullptr) own_pose = pose;
      if (const XmlNode* fixed = from->child("static"); fixed != nullptr) still = fixed;
      if (const XmlNode* frame = from->child("placement_frame"); frame != nullptr) placed = name_of(*frame);
    }
    sdk::Frame place = own_pose != nullptr ? Poses::own(*own_pose) : sdk::Frame{};
    const bool fixed = still != nullptr && still->truth();
    Poses poses;
    const XmlNode* first = node.child("link");
    const std::string canonical = node.get("canonical_link", first != nullptr ? first->get("name", "") : "");
    poses.canonical(canonical);
    bool there = canonical.empty();
    for (const XmlNode* link : node.all("link"))
      poses.add(*link, "__model__"), there = there || link->get("name", "") == canonical;
    if (!there) node.refuse("its canonical_link '" + canonical + "' is no link of it");
    for (const XmlNode* joint : node.all("joint")) {
      const XmlNode* child = joint->child("child");
      poses.add(*joint, child != nullptr ? name_of(*child) : "__model__");
    }
    for (const XmlNode* frame : node.all("frame")) {
      poses.add(*frame, frame->get("attached_to", "__model__"));
    }
    if (!placed.empty()) place = place * poses.of(placed, node).inverse();
    std::map<std::string, int> links;
    for (const XmlNode* link : node.all("link")) links[link->get("name", "")] = this->link(*link, poses, place, fixed);
    const std::size_t joints_before = model_.joints.size(), axes_before = on_joints_.size();
    for (const XmlNode* joint : node.all("joint")) this->joint(*joint, poses, place, links);
    for (std::size_t k = axes_before; k < on_joints_.size(); ++k)
      on_joints_[k].first = joints_before, on_joints_[k].last = model_.joints.size();
    for (const XmlNode* frame : node.all("frame")) this->frame(*frame, poses, place, links);
    for (const char* tag : {"plugin", "self_collide", "enable_wind", "allow_auto_disable", "gripper"}) {
      for (const XmlNode* part : node.all(tag)) part->lose(notes_, "belongs to the simulator");
    }
  }
  static std::string name_of(const XmlNode& node) { return node.words(); }

  /// A point of the run file on the link that the frame is attached to.
  void frame(const XmlNode& node, Poses& poses, const sdk::Frame& place, const std::map<std::string, int>& links) {
    const std::string name = node.need_text("name"), carrier = poses.link_of(name, node);
    const sdk::Frame at = place * poses.of(name, node);
    const int on = carrier == "world" ? sdk::ground_link : links.at(carrier),
              index = model_.add_link(name, node.place());
    sdk::Link& point = model_.link(index);
    point.carried = true, point.carrier = on;
    point.on_carrier = on == sdk::ground_link ? at : model_.link(on).start.inverse() * at;
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
        const double xx = child_number(*J, "ixx", 1), yy = child_number(*J, "iyy", 1), zz = child_number(*J, "izz", 1);
        m.tensor << xx, xy, xz, xy, yy, yz, xz, yz, zz;
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
    if (const XmlNode* gravity = node.child("gravity"); gravity != nullptr && !gravity->truth())
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
    node.get("name");
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
      if (!why.empty()) return give_up("'" + name_of(uri) + "': " + why);
      notes_.reads(found);
    } else {
      return give_up("shapes of this kind are not drawn");
    }
    shape.color = color(node);
    const bool long_one = shape.kind == sdk::LinkShape::Kind::cylinder || shape.kind == sdk::LinkShape::Kind::capsule;
    if (shape.kind != sdk::LinkShape::Kind::mesh &&
        (!(shape.size[0] > 0) || (long_one && !(shape.size[1] > 0)) ||
         (shape.kind == sdk::LinkShape::Kind::box && !(shape.size.minCoeff() > 0))))
      return notes_.lost(node.place(), what + ": its size is not above zero");
    model_.link(index).shapes.push_back(shape);
  }

  /// Of the material; what else it has is not drawn.
  std::string color(const XmlNode& visual) {
    for (const char* tag : {"transparency", "cast_shadows", "laser_retro", "visibility_flags", "meta"}) {
      for (const XmlNode* part : visual.all(tag)) part->lose(notes_, "of a picture: is not drawn");
    }
    const XmlNode* material = visual.child("material");
    if (material == nullptr) return "";
    std::string found, rest;
    for (const char* tag : {"diffuse", "ambient"}) {
      const XmlNode* color = found.empty() ? material->child(tag) : nullptr;
      if (color != nullptr) found = html_color(color->text_numbers(3, 4));
    }
    const std::vector<std::string> known = {"ambient", "diffuse",  "specular",     "emissive",     "script",   "shader",
                                            "pbr",     "lighting", "double_sided", "render_order", "shininess"};
    for (const XmlNode& part : material->children) {
      if (std::find(known.begin(), known.end(), part.tag) == known.end()) continue;
      if (found.empty() || (part.tag != "diffuse" && (part.tag != "ambient" || material->child("diffuse") != nullptr)))
        rest += (rest.empty() ? "" : ", ") + part.tag, part.ignore();
    }
    if (!rest.empty()) notes_.lost(material->place(), "of a picture: " + rest + " are not drawn");
    return found;
  }

  void joint(const XmlNode& node, Poses& poses, const sdk::Frame& place, const std::map<std::string, int>& links) {
    const std::string name = node.need_text("name"), type = node.need_text("type");
    const auto end = [&](const char* tag) {
      const XmlNode& part = node.need(tag);
      const std::string wanted = name_of(part);
      if (wanted == "world" && part.tag == "child") part.refuse("the child of a joint may not be the world");
      if (wanted.empty()) part.refuse("names nothing; a link, a frame or the world is expected");
      const std::string link = wanted == "world" ? wanted : poses.link_of(wanted, part);
      return link == "world" ? sdk::ground_link : links.at(link);
    };
    const std::map<std::string, Kind> kinds = {{"revolute", Kind::revolute},   {"continuous", Kind::revolute},
                                               {"prismatic", Kind::prismatic}, {"fixed", Kind::fixed},
                                               {"ball", Kind::spherical},      {"universal", Kind::universal},
                                               {"revolute2", Kind::universal}, {"screw", Kind::screw}};
    const auto kind = kinds.find(type);
    if (kind == kinds.end()) {
      node.ignore();
      return notes_.unconstrained(
          node.place(), "joint '" + name + "' of type '" + type +
                            "': revolute, continuous, prismatic, fixed, ball, universal, revolute2, screw are read");
    }
    const int index = model_.add_joint(name, "joint", node.place());
    sdk::Joint& joint = model_.joint(index);
    joint.loop = true;  // links have poses of their own: nothing follows from joints
    joint.parent = end("parent"), joint.child = end("child");
    if (joint.parent == joint.child) node.refuse("joint '" + name + "' has the same link as parent and child");
    joint.kind = kind->second;
    const sdk::Frame at = place * poses.of(name, node);
    const auto within = [&](int link) {
      return link == sdk::ground_link ? at : model_.link(link).start.inverse() * at;
    };
    joint.in_parent = within(joint.parent), joint.in_child = within(joint.child);
    if (const XmlNode* pitch = node.child("screw_thread_pitch"); pitch != nullptr) joint.pitch = pitch->text_number();
    if (joint.kind == Kind::screw && joint.pitch == 0) {
      if (const XmlNode* pitch = node.child("thread_pitch"); pitch != nullptr && pitch->text_number() != 0)
        joint.pitch = -6.283185307179586 / pitch->text_number();
    }
    if (joint.kind == Kind::screw && joint.pitch == 0) node.refuse("screw '" + name + "' has no pitch");
    if (const XmlNode* axis = node.child("axis"); axis != nullptr) {
      joint.axis = direction(*axis, poses, place, at);
      on_joints_.push_back({axis, index, type, false});
    } else if (joint.has_coordinate() || joint.kind == Kind::universal) {
      joint.axis = Eigen::Vector3d::UnitZ();
    }
    if (const XmlNode* axis2 = node.child("axis2"); axis2 != nullptr) {
      if (joint.kind != Kind::universal) {
        axis2->lose(notes_, "of joint '" + name + "': a joint of type '" + type + "' has no second axis");
      } else {
        joint.second_axis = direction(*axis2, poses, place, at);
        on_joints_.push_back({axis2, index, type, true});
      }
    }
    if (joint.kind == Kind::universal) {
      if (node.child("axis2") == nullptr) node.refuse("joint '" + name + "' of type '" + type + "' has no <axis2>");
      const double cosine = joint.axis.dot(joint.second_axis);
      if (std::abs(cosine) > 1 - 1e-9) node.refuse("the two axes of joint '" + name + "' are parallel");
      joint.skew = std::abs(cosine) > 1e-12;
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
    const bool of_model = version_ < 5 || (old != nullptr && old->truth());
    v = sdk::unit_vector(v);
    if (v.isZero(0)) axis.refuse("an axis may not be zero");
    if (in.empty()) return of_model ? Eigen::Vector3d(at.R.transpose() * place.R * v) : v;
    return at.R.transpose() * place.R * poses.of(in, axis).R * v;
  }

  void put_on(const On& on) {
    const sdk::Joint& joint = model_.joint(on.joint);
    const bool cross = elements_.has_two_angles(on.joint), usable = cross || elements_.usable(on.joint);
    const std::string what = std::string(on.second ? " of the second axis" : "") + " of joint '" + joint.original + "'";
    const std::string why = what + (joint.kind == Kind::universal ? ", whose axes are not at a right angle"
                                                                  : ": it has no coordinate for it");
    if (const XmlNode* limit = on.axis->child("limit"); limit != nullptr) {
      const double lower = child_bound(*limit, "lower", -1e16), upper = child_bound(*limit, "upper", 1e16);
      const double a = lower <= -1e15 ? -no_limit : lower, b = upper >= 1e15 ? no_limit : upper;
      const bool bounded = !std::isinf(a) || !std::isinf(b);
      if (bounded && usable && on.type != "continuous")
        elements_.limit(on.joint, limit->place(), a, b, on.second);
      else if (bounded)
        notes_.lost(limit->place(), "limits" + (usable ? what + ": a continuous joint has none" : why));
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
      const double damping = child_number(*dynamics, "damping", 0), dry = child_number(*dynamics, "friction", 0),
                   stiffness = child_number(*dynamics, "spring_stiffness", 0),
                   reference = child_number(*dynamics, "spring_reference", 0);
      if (cross) {
        elements_.of_axis(on.joint, on.second, dynamics->place(), damping, dry, stiffness, reference);
      } else if (usable) {
        elements_.friction(on.joint, dynamics->place(), damping, dry);
        elements_.spring(on.joint, dynamics->place(), stiffness, reference);
      } else {
        for (const auto& [name, value] :
             {std::pair("damping", damping), {"friction", dry}, {"spring_stiffness", stiffness}}) {
          if (value != 0) notes_.lost(dynamics->place(), name + why);
        }
      }
    }
    for (const XmlNode* mimic : on.axis->all("mimic")) {
      const std::string leader = mimic->need_text("joint");
      const auto end = model_.joints.begin() + static_cast<std::ptrdiff_t>(on.last);
      const auto found = std::find_if(model_.joints.begin() + static_cast<std::ptrdiff_t>(on.first), end,
                                      [&](const sdk::Joint& j) { return j.original == leader; });
      if (found == end) mimic->refuse("there is no joint '" + leader + "' in this model");
      const int first = static_cast<int>(found - model_.joints.begin());
      const double ratio = child_number(*mimic, "multiplier", 1), offset = child_number(*mimic, "offset", 0),
                   reference = child_number(*mimic, "reference", 0);
      if (first == on.joint) mimic->refuse("joint '" + leader + "' mimics itself");
      if (!cross && usable && elements_.usable(first))
        elements_.couple(joint.name + "_mimic", mimic->place(), first, on.joint, ratio, offset - ratio * reference);
      else
        notes_.unconstrained(mimic->place(),
                             "of joint '" + joint.original + "': it, or '" + leader + "', has no coordinate");
    }
    for (const XmlNode* part : on.axis->all("initial_position")) part->lose(notes_, what.substr(1));
  }

  const ImportRequest& request_;
  sdk::ImportNotes notes_;
  ImportedFile& out_;
  XmlNode root_;
  std::deque<XmlNode> included_;
  int version_ = 7;  ///< behind "1."
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
