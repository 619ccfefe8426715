// Plugin: importers of robot descriptions in XML.
#include "mjcf.h"
#include "sdf.h"
#include "urdf.h"

TRAMMEL_PLUGIN("robot_xml", "1.0.0", "BSD-3-Clause",
               component<trammel::robot_xml::UrdfImporter>(
                   Host::any, "urdf", "Robots in ROS's URDF, with the loops and couplings of URDF+.",
                   "URDF XML specification 1.0; Chignoli and others, arXiv 2411.19753 (URDF+)"),
               component<trammel::robot_xml::MjcfImporter>(Host::any, "mjcf", "Models of MuJoCo in XML (MJCF).",
                                                           "MuJoCo XML reference, version 2.2.2"),
               component<trammel::robot_xml::SdfImporter>(Host::any, "sdf", "Models of Gazebo in SDF.",
                                                          "SDFormat specification 1.9"));
