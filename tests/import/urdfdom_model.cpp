// What liburdfdom reads of a URDF, as JSON, to hold an import against.
//
//   urdfdom_model MODEL.urdf
#include <urdf_parser/urdf_parser.h>

#include <cstdio>

namespace {

void print_frame(const urdf::Pose& pose) {
  double x = 0, y = 0, z = 0, w = 0;
  pose.rotation.getQuaternion(x, y, z, w);
  std::printf("\"position\": [%.17g, %.17g, %.17g], \"quaternion\": [%.17g, %.17g, %.17g, %.17g]", pose.position.x,
              pose.position.y, pose.position.z, w, x, y, z);
}

void print_link(const urdf::Link& link) {
  if (!link.inertial) return (void)std::printf("null");
  const urdf::Inertial& i = *link.inertial;
  std::printf("{\"mass\": %.17g, \"inertia\": [%.17g, %.17g, %.17g, %.17g, %.17g, %.17g], ", i.mass, i.ixx, i.iyy,
              i.izz, i.ixy, i.ixz, i.iyz);
  print_frame(i.origin);
  std::printf("}");
}

void print_joint(const urdf::Joint& joint) {
  std::printf("{\"type\": %d, \"parent\": \"%s\", \"child\": \"%s\", \"axis\": [%.17g, %.17g, %.17g], ",
              static_cast<int>(joint.type), joint.parent_link_name.c_str(), joint.child_link_name.c_str(), joint.axis.x,
              joint.axis.y, joint.axis.z);
  if (joint.limits) std::printf("\"limits\": [%.17g, %.17g], ", joint.limits->lower, joint.limits->upper);
  if (joint.dynamics)
    std::printf("\"damping\": %.17g, \"friction\": %.17g, ", joint.dynamics->damping, joint.dynamics->friction);
  if (joint.mimic)
    std::printf("\"mimic\": [\"%s\", %.17g, %.17g], ", joint.mimic->joint_name.c_str(), joint.mimic->multiplier,
                joint.mimic->offset);
  print_frame(joint.parent_to_joint_origin_transform);
  std::printf("}");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return std::fprintf(stderr, "usage: urdfdom_model MODEL.urdf\n"), 1;
  const urdf::ModelInterfaceSharedPtr model = urdf::parseURDFFile(argv[1]);
  if (!model) return 2;
  std::printf("{\"links\": {");
  const char* comma = "";
  for (const auto& [name, link] : model->links_) {
    std::printf("%s\"%s\": ", comma, name.c_str());
    print_link(*link), comma = ",\n";
  }
  std::printf("},\n\"joints\": {"), comma = "";
  for (const auto& [name, joint] : model->joints_) {
    std::printf("%s\"%s\": ", comma, name.c_str());
    print_joint(*joint), comma = ",\n";
  }
  std::printf("}}\n");
  return 0;
}
