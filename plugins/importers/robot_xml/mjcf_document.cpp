// Includes, defaults and orientations of MJCF.
#include "mjcf_document.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>

namespace trammel::robot_xml {
namespace {

namespace fs = std::filesystem;
constexpr double degree = 3.14159265358979323846 / 180;

/// The attribute's value, which must be one of these words.
std::string one_of(const XmlNode& node, const char* name, const char* words) {
  const std::string value = node.get(name, "");
  std::istringstream stream(words);
  std::string all;
  for (std::string word; stream >> word;) {
    if (word == value) return value;
    all += (all.empty() ? "" : ", ") + word;
  }
  node.refuse("attribute '" + std::string(name) + "' must be one of " + all + ", not '" + value.substr(0, 60) + "'");
}

}  // namespace

const XmlNode* Defaulted::with(const char* name) const {
  if (node_.has(name)) return &node_;
  for (const XmlNode* node : defaults_) {
    if (node->has(name)) return node;
  }
  return nullptr;
}
std::string Defaulted::get(const char* name, const std::string& otherwise) const {
  const XmlNode* node = with(name);
  return node == nullptr ? otherwise : node->get(name, otherwise);
}
double Defaulted::number(const char* name, double otherwise) const {
  const XmlNode* node = with(name);
  return node == nullptr ? otherwise : node->number(name, otherwise);
}
std::vector<double> Defaulted::numbers(const char* name, std::size_t least, std::size_t most) const {
  const XmlNode* node = with(name);
  return node == nullptr ? std::vector<double>() : node->numbers(name, least, most);
}
Eigen::Vector3d Defaulted::vector(const char* name, const Eigen::Vector3d& otherwise) const {
  const XmlNode* node = with(name);
  return node == nullptr ? otherwise : node->vector(name, otherwise);
}
std::string Defaulted::choice(const char* name, const char* words, const std::string& otherwise) const {
  const XmlNode* node = with(name);
  return node == nullptr ? otherwise : one_of(*node, name, words);
}
std::string Defaulted::given(const std::vector<const char*>& names) const {
  std::string found;
  for (const char* name : names) {
    if (has(name)) found += (found.empty() ? "" : ", ") + std::string(name);
  }
  return found;
}
const XmlNode* Defaulted::nearest(const std::vector<const char*>& names) const {
  const auto holds = [&](const XmlNode& node) {
    return std::any_of(names.begin(), names.end(), [&](const char* name) { return node.holds(name); });
  };
  if (holds(node_)) return &node_;
  const auto found =
      std::find_if(defaults_.begin(), defaults_.end(), [&](const XmlNode* node) { return holds(*node); });
  return found == defaults_.end() ? nullptr : *found;
}
bool Defaulted::boolean(const char* name, bool otherwise) const {
  const XmlNode* node = with(name);
  return node == nullptr ? otherwise : node->boolean(name, otherwise);
}

MjcfDocument::MjcfDocument(const std::string& file) : file_(file), root_(read_xml(file)) {
  if (root_.tag != "mujoco" && root_.tag != "mujocoinclude")
    root_.refuse("is no MJCF: the first element is not <mujoco>");
  included_ = {fs::weakly_canonical(file).string()};
  include(root_);
  classes_["main"] = {};
  for (const XmlNode* section : root_.all("default")) read_defaults(*section, "");
  angle_unit_ = compiler_choice("angle", "degree radian", "degree") == "radian" ? 1 : degree;
  if (compiler_choice("coordinate", "local global", "local") == "global")
    root_.refuse("coordinates are global (compiler), which is not read; MuJoCo 2.3.3 and later refuse it too");
}

// An included file stands for its children, as MuJoCo reads it.
void MjcfDocument::include(XmlNode& node) {
  std::deque<XmlNode> children;
  for (XmlNode& child : node.children) {
    if (child.tag != "include") {
      include(child);
      children.push_back(std::move(child));
      continue;
    }
    const std::string name = child.need_text("file");
    const fs::path path = fs::path(name).is_absolute() ? fs::path(name) : fs::path(file_).parent_path() / name;
    std::error_code code;
    if (!fs::is_regular_file(path, code)) child.refuse("there is no file '" + path.string() + "'");
    if (!included_.insert(fs::weakly_canonical(path).string()).second)
      child.refuse("file '" + name + "' is included for the second time, or by itself");
    XmlNode included = read_xml(path.string());
    if (included.tag != "mujoco" && included.tag != "mujocoinclude")
      included.refuse("is no MJCF: the first element of an included file is <mujocoinclude>");
    include(included);
    for (XmlNode& part : included.children) children.push_back(std::move(part));
    included.children.clear();
    child.visit();
    includes_.push_back(std::move(child)), includes_.push_back(std::move(included));
  }
  node.children = std::move(children);
}

void MjcfDocument::read_defaults(const XmlNode& node, const std::string& parent) {
  node.visit();
  const std::string name = parent.empty() ? node.get("class", "main") : node.need_text("class");
  const std::string own = parent.empty() ? "main" : name;
  std::vector<const XmlNode*> chain{&node};
  if (!parent.empty()) {
    if (classes_.count(own) > 0) node.refuse("a second class '" + own + "'");
    const std::vector<const XmlNode*>& above = classes_[parent];
    chain.insert(chain.end(), above.begin(), above.end());
  } else {
    const std::vector<const XmlNode*>& before = classes_["main"];  // several sections add up, the last one counts first
    chain.insert(chain.end(), before.begin(), before.end());
  }
  classes_[own] = chain;
  if (parent.empty() && name != "main") classes_[name] = chain;
  for (const XmlNode* child : node.all("default")) read_defaults(*child, own);
}

void MjcfDocument::need_class(const std::string& name, const XmlNode& user) const {
  if (classes_.count(name) == 0) user.refuse("there is no class '" + name + "' of defaults");
}

Defaulted MjcfDocument::defaulted(const XmlNode& node, const std::string& childclass, const char* kind) const {
  return defaulted(node, childclass, std::vector<std::string>{kind != nullptr ? kind : node.tag});
}

Defaulted MjcfDocument::defaulted(const XmlNode& node, const std::string& childclass,
                                  const std::vector<std::string>& kinds) const {
  const std::string name = node.has("class") ? node.get("class", "") : childclass.empty() ? "main" : childclass;
  need_class(name, node);
  const auto found = classes_.find(name);
  std::vector<const XmlNode*> defaults;
  for (const XmlNode* section : found->second) {
    for (auto n = section->children.rbegin(); n != section->children.rend(); ++n) {
      if (std::find(kinds.begin(), kinds.end(), n->tag) != kinds.end()) defaults.push_back(&n->visit());
    }
  }
  return {node, std::move(defaults)};
}

std::string MjcfDocument::compiler(const char* name, const std::string& otherwise) const {
  std::string value = otherwise;
  for (const XmlNode* node : root_.all("compiler")) value = node->get(name, value);
  return value;
}
std::string MjcfDocument::compiler_choice(const char* name, const char* words, const std::string& otherwise) const {
  std::string value = otherwise;
  for (const XmlNode* node : root_.all("compiler")) {
    if (node->has(name)) value = one_of(*node, name, words);
  }
  return value;
}
bool MjcfDocument::limited(const Defaulted& element, const char* flag, bool has_range) const {
  const std::string says = element.choice(flag, "true false auto", "auto");
  return says == "true" || (says == "auto" && has_range && compiler_flag("autolimits", true));
}
double MjcfDocument::compiler_number(const char* name, double otherwise) const {
  double value = otherwise;
  for (const XmlNode* node : root_.all("compiler")) value = node->number(name, value);
  return value;
}

const XmlNode* MjcfDocument::option_with(const char* name) const {
  const XmlNode* found = nullptr;
  for (const XmlNode* node : root_.all("option")) {
    if (node->has(name)) found = node;
  }
  return found;
}

const XmlNode* MjcfDocument::flag_with(const char* flag) const {
  const XmlNode* found = nullptr;
  for (const XmlNode* option : root_.all("option")) {
    for (const XmlNode* node : option->all("flag")) {
      if (node->has(flag)) found = node;
    }
  }
  return found;
}

bool MjcfDocument::disabled(const char* flag) const {
  const XmlNode* node = flag_with(flag);
  return node != nullptr && one_of(*node, flag, "enable disable") == "disable";
}

Eigen::Matrix3d rotation_of_quaternion(const std::vector<double>& quat, const XmlNode& node) {
  Eigen::Quaterniond q(quat[0], quat[1], quat[2], quat[3]);
  if (!(q.norm() > 1e-14)) node.refuse("a quaternion may not be zero");
  q.normalize();
  return q.toRotationMatrix();
}

Eigen::Matrix3d rotation_of_z(const Eigen::Vector3d& z) {
  const Eigen::Vector3d to = z.normalized(), axis = Eigen::Vector3d::UnitZ().cross(to);
  const double sine = axis.norm(), angle = std::atan2(sine, to[2]);
  const Eigen::Vector3d about = sine < 1e-14 ? Eigen::Vector3d::UnitX() : Eigen::Vector3d(axis / sine);
  return Eigen::AngleAxisd(angle, about).toRotationMatrix();
}

Eigen::Matrix3d MjcfDocument::orientation(const Defaulted& element) const {
  // As in MuJoCo, every other way counts before a quat, even where the quat is the element's own and the other way comes
  // from its defaults; of the others, the nearest one.
  const XmlNode* node = element.nearest({"axisangle", "euler", "xyaxes", "zaxis"});
  if (node == nullptr) node = element.nearest({"quat"});
  if (node == nullptr) return Eigen::Matrix3d::Identity();
  int ways = 0;
  for (const char* way : {"quat", "axisangle", "euler", "xyaxes", "zaxis"}) ways += node->holds(way);
  if (ways > 1) node->refuse("has more than one orientation: which of them counts is not said");
  if (node->has("quat")) return rotation_of_quaternion(node->numbers("quat", 4, 4), *node);
  if (node->has("axisangle")) {
    const std::vector<double> v = node->numbers("axisangle", 4, 4);
    const Eigen::Vector3d axis(v[0], v[1], v[2]);
    if (!(axis.norm() > 1e-14)) node->refuse("the axis of an axisangle may not be zero");
    return Eigen::AngleAxisd(v[3] * angle_unit_, axis.normalized()).toRotationMatrix();
  }
  if (node->has("euler")) {
    const std::vector<double> v = node->numbers("euler", 3, 3);
    const std::string sequence = compiler("eulerseq", "xyz");
    if (sequence.size() != 3 || sequence.find_first_not_of("xyzXYZ") != std::string::npos)
      node->refuse("eulerseq '" + sequence + "' must be three of x y z X Y Z");
    Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
    for (std::size_t k = 0; k < 3; ++k) {
      const bool fixed = sequence[k] >= 'X' && sequence[k] <= 'Z';  // about axes that stay, else that turn along
      const int axis = fixed ? sequence[k] - 'X' : sequence[k] - 'x';
      const Eigen::Matrix3d turn =
          Eigen::AngleAxisd(v[k] * angle_unit_, Eigen::Vector3d::Unit(axis)).toRotationMatrix();
      R = fixed ? Eigen::Matrix3d(turn * R) : Eigen::Matrix3d(R * turn);
    }
    return R;
  }
  if (node->has("xyaxes")) {
    const std::vector<double> v = node->numbers("xyaxes", 6, 6);
    const Eigen::Vector3d first(v[0], v[1], v[2]);
    if (!(first.norm() > 1e-14)) node->refuse("the x axis of xyaxes may not be zero");
    const Eigen::Vector3d x = first.normalized();
    Eigen::Vector3d y(v[3], v[4], v[5]);
    y -= x.dot(y) * x;
    if (!(y.norm() > 1e-14)) node->refuse("the axes of xyaxes may not be parallel");
    y.normalize();
    Eigen::Matrix3d R;
    R << x, y, x.cross(y);
    return R;
  }
  const Eigen::Vector3d z = node->vector("zaxis", Eigen::Vector3d::UnitZ());
  if (!(z.norm() > 1e-14)) node->refuse("a zaxis may not be zero");
  return rotation_of_z(z);
}

sdk::Frame MjcfDocument::frame(const Defaulted& element) const {
  return {orientation(element), element.vector("pos", Eigen::Vector3d::Zero())};
}

std::string MjcfDocument::asset_file(const std::string& name, const char* folder_key) const {
  const std::string plain = compiler_flag("strippath", false) ? fs::path(name).filename().string() : name;
  if (fs::path(plain).is_absolute()) return plain;
  const std::string folder = compiler(folder_key, compiler("assetdir", ""));
  return (fs::path(file_).parent_path() / folder / plain).string();
}

}  // namespace trammel::robot_xml
