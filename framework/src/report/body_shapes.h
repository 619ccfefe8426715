// The solids and curves of one body: as its `shape` says, or made up from where its joints are.
#pragma once

#include <vector>

#include "report/scene.h"

namespace trammel {

/// Adds what `shape` (one object or an array) describes; `body`, its colour and the model's size come from `scene`.
void add_shapes(const ReportJson& shape, int body, const std::string& color, Scene& scene);

/// Adds solids for a body without `shape`. `attached`: body-fixed points of its joints and forces.
/// Two points make a rod, one a rod to the centre of mass (or beyond, if the inertia is that of a rod whose end it is),
/// more a star about the centre of mass, none a box or disc of the body's inertia.
void add_default_shape(const ReportJson& body, int index, const std::vector<Eigen::Vector3d>& attached, Scene& scene);

/// Farthest point of what `shape` describes from the centre of mass, m; 0 for what has no size.
double reach_of(const ReportJson& shape);

/// Half the diagonal of the box that has a body's mass and inertia, m; 0 without them.
double reach_of_inertia(const ReportJson& body);

/// A unit cylinder from `from` to `to`.
Eigen::Affine3d cylinder_between(const Eigen::Vector3d& from, const Eigen::Vector3d& to, double radius);

}  // namespace trammel
