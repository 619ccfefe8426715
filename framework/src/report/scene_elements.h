// What constraints and forces add to a scene: markers of joints, springs, guides - and the points they hold bodies by.
#pragma once

#include <vector>

#include "report/scene.h"

namespace trammel {

/// Where an element touches its bodies.
struct Attachment {
  std::string name, type;
  int bodies[2] = {ground, ground};
  bool has[2] = {false, false};
  Eigen::Vector3d points[2] = {Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero()};  ///< body-fixed, m
  Eigen::Vector3d axis = Eigen::Vector3d::Zero();                                  ///< fixed in the second body, or 0
  bool force = false;
  const ReportJson* json = nullptr;
};

/// All elements of the model whose ends are points, in the order of the run file. `scene` has its bodies and points.
std::vector<Attachment> attachments_of(const ReportJson& system, const Scene& scene);

/// Markers, links and guides; `scene.size` and `scene.unit` are known.
void add_elements(const std::vector<Attachment>& attachments, Scene& scene);

}  // namespace trammel
