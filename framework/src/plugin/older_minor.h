// What tables of plugins of an earlier minor version mean.
#pragma once

#include "plugin/catalogue.h"

namespace trammel {

/// Minor 0 had no types for directions and points of bodies: vectors called axis, axis_i, axis_j and second_axis were
/// made of length 1, and point, point_i and point_j could be names of points. Its plugins rely on that still.
void read_as_its_minor_meant(PluginInfo& plugin);

}  // namespace trammel
