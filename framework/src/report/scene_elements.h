// What constraints and forces add to a scene: markers of joints, springs, guides - and the points they hold bodies by.
#pragma once

#include <vector>

#include "report/scene.h"
#include "trammel/extensions/drawing.h"

namespace trammel {

/// What an element told of its picture.
struct Attachment {
  std::string name;
  Symbol symbol = Symbol::nothing;
  bool force = false;
  std::string word;  ///< of the symbol
  int count = 0;     ///< of bodies
  int bodies[2] = {ground, ground};
  bool has[2] = {false, false};
  Eigen::Vector3d points[2] = {Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero()};  ///< body-fixed, m
  std::string frame;                                    ///< of a contact's push; empty: it is none
  Eigen::Vector3d direction = Eigen::Vector3d::Zero();  ///< of the push
  double reach = 0;                                     ///< m
  Eigen::Vector3d axes[2] = {Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero()};  ///< body-fixed units, or 0
  std::vector<Eigen::Vector3d> curve;                                            ///< fixed in the first body, m
  std::vector<Eigen::Vector3d> still;                                            ///< road or profile, global, m
};

/// All elements of a summary's `drawing`, in its order. `scene` has its bodies.
std::vector<Attachment> attachments_of(const ReportJson& drawing, const Scene& scene);

/// Markers, links and guides; `scene.size` and `scene.unit` are known.
void add_elements(const std::vector<Attachment>& attachments, Scene& scene);

}  // namespace trammel
