// From links and joints to bodies: positions from the joints, links without mass, checks of masses and tensors.
#pragma once

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "trammel/sdk/import/model.h"

namespace trammel::sdk {

/// Joints of the tree in an order in which parents come first. Throws Error(input): a cycle, or two joints that carry
/// the same link, with the place of the second.
inline std::vector<int> tree_order(const ImportModel& model) {
  std::vector<int> carried_by(model.links.size(), -1), order;
  for (std::size_t k = 0; k < model.joints.size(); ++k) {
    const Joint& joint = model.joints[k];
    if (joint.loop || joint.child == ground_link) continue;
    int& owner = carried_by[static_cast<std::size_t>(joint.child)];
    if (owner >= 0) {
      refuse_file(joint.place,
                  "link '" + model.link(joint.child).original + "' is the child of joint '" +
                      model.joints[static_cast<std::size_t>(owner)].original +
                      "' already; a joint that closes a loop is written as <loop>, or in a side file (--loops)");
    }
    owner = static_cast<int>(k);
  }
  std::vector<char> state(model.joints.size(), 0);  // 1: begun, 2: in the order
  for (std::size_t k = 0; k < model.joints.size(); ++k) {
    std::vector<int> chain;
    int at = static_cast<int>(k);
    while (at >= 0 && state[static_cast<std::size_t>(at)] == 0) {
      const Joint& joint = model.joints[static_cast<std::size_t>(at)];
      if (joint.loop || joint.child == ground_link) break;
      state[static_cast<std::size_t>(at)] = 1;
      chain.push_back(at);
      at = joint.parent == ground_link ? -1 : carried_by[static_cast<std::size_t>(joint.parent)];
      if (at >= 0 && state[static_cast<std::size_t>(at)] == 1) {
        refuse_file(joint.place,
                    "joint '" + joint.original + "' closes a circle of parents and children; no link of it is a root");
      }
    }
    for (auto joint = chain.rbegin(); joint != chain.rend(); ++joint) {
      state[static_cast<std::size_t>(*joint)] = 2;
      order.push_back(*joint);
    }
  }
  return order;
}

/// Places and velocities of all links behind their roots, from the joints' values and rates.
inline void place_links(ImportModel& model, const std::vector<int>& order) {
  for (const int k : order) {
    const Joint& joint = model.joint(k);
    Link& child = model.link(joint.child);
    const Link still;
    const Link& parent = joint.parent == ground_link ? still : model.link(joint.parent);
    const Frame at_joint = parent.start * joint.in_parent;
    child.start = at_joint * joint.motion() * joint.in_child.inverse();
    const Eigen::Vector3d axis = at_joint.R * joint.axis.normalized();
    child.omega = parent.omega;
    if (joint.turns()) child.omega += joint.rate * axis;
    if (joint.kind == Joint::Kind::spherical) child.omega += child.start.R * joint.in_child.R * joint.spin;
    const Eigen::Vector3d p = at_joint.point(joint.motion().r);
    Eigen::Vector3d v = parent.velocity + parent.omega.cross(p - parent.start.r);
    if (joint.kind == Joint::Kind::prismatic) v += joint.rate * axis;
    if (joint.kind == Joint::Kind::screw) v += joint.rate * joint.pitch / 6.283185307179586 * axis;
    child.velocity = v + child.omega.cross(child.start.r - p);
  }
}

/// Links without mass: at fixed joints they become points of what carries them, at the end of a chain they go.
inline void settle_massless_links(ImportModel& model, const std::vector<int>& order, ImportNotes& notes) {
  for (auto k = order.rbegin(); k != order.rend(); ++k) {  // from the ends inward
    Joint& joint = model.joint(*k);
    Link& child = model.link(joint.child);
    if (!child.inertia.empty() || child.ground) continue;
    if (joint.kind == Joint::Kind::fixed) {
      child.carried = true, child.carrier = joint.parent;
      child.on_carrier = joint.in_parent * joint.in_child.inverse();
      joint.dropped = true;
      continue;
    }
    // What moves behind this joint.
    const bool holds = std::any_of(model.joints.begin(), model.joints.end(), [&](const Joint& other) {
      if (other.dropped || &other == &joint) return false;
      const auto belongs = [&](int link) {
        while (link != ground_link && link != joint.child && model.link(link).carried) link = model.link(link).carrier;
        return link == joint.child;
      };
      return belongs(other.parent) || belongs(other.child);
    });
    if (holds && joint.kind != Joint::Kind::free) continue;
    notes.lost(joint.place,
               "joint '" + joint.original + "' moves link '" + child.original +
                   "', which has no mass and carries none: nothing says how it moves, and it is fixed as drawn");
    child.carried = true, child.carrier = joint.parent;
    child.on_carrier = joint.in_parent * joint.motion() * joint.in_child.inverse();
    joint.dropped = true;
  }
}

/// Masses and tensors as bodies take them: refuses what no body has, mends tensors that violate the triangle inequality
/// by what is needed, and says so.
inline void check_inertia(Link& link, ImportNotes& notes) {
  MassProperties& m = link.inertia;
  const auto text = [](const Eigen::Vector3d& v) {
    char out[96];
    std::snprintf(out, sizeof out, "%.6g, %.6g, %.6g", v[0], v[1], v[2]);
    return std::string(out);
  };
  if (!(m.mass >= 0) || !std::isfinite(m.mass) || !m.centre.allFinite() || !m.tensor.allFinite())
    refuse_file(link.place, "mass or inertia of '" + link.original + "' is negative or no number");
  if (m.empty()) return;
  if (m.mass == 0) refuse_file(link.place, "'" + link.original + "' has an inertia and no mass");
  if (m.tensor.isZero(0)) {
    if (link.point_mass) return;
    notes.remark(link.place, "the inertia of '" + link.original + "' is zero: kept, it turns without resistance");
    return;
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(m.tensor);
  Eigen::Vector3d moments = solver.eigenvalues();
  const double tolerance = 1e-11 * moments.cwiseAbs().maxCoeff();
  if (moments[0] < -tolerance)
    refuse_file(link.place, "principal moments of '" + link.original + "' may not be negative: " + text(moments));
  const double missing = moments[2] - moments[0] - moments[1];
  if (missing <= tolerance) return;
  notes.approximated(link.place, "no body has the principal moments of '" + link.original + "', " + text(moments) +
                                     ": the two smaller ones are raised by " + json_number(missing / 2) + " each");
  moments[0] += missing / 2, moments[1] += missing / 2;
  m.tensor = solver.eigenvectors() * moments.asDiagonal() * solver.eigenvectors().transpose();
  m.tensor = (0.5 * (m.tensor + m.tensor.transpose())).eval();
}

/// All of the above, in order.
inline void settle_model(ImportModel& model, ImportNotes& notes) {
  const std::vector<int> order = tree_order(model);
  for (Link& link : model.links) {
    if (!link.ground) check_inertia(link, notes);
  }
  place_links(model, order);
  settle_massless_links(model, order, notes);
}

}  // namespace trammel::sdk
