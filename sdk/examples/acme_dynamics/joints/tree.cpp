// How the tree grows: from ground along the joints, and from a free body wherever no joint leads on.
#include "tree.h"

#include <algorithm>
#include <stdexcept>

namespace acme::joints {

using namespace trammel;

Tree::Tree(const ConstrainedLayout& of)
    : system(&of),
      constraints(find_extension<SystemConstraints>(of)),
      sizes(find_extension<CoordinateSizes>(of)),
      choice(find_extension<RowChoice>(of)),
      n(of.coordinates()),
      m(of.constraints()),
      nz(of.internal_states()),
      layout_(find_extension<BodyLayout>(of)) {
  if (constraints == nullptr || layout_ == nullptr) {
    throw std::runtime_error("needs a system of bodies that tells its layout and its constraints");
  }
  const Index bodies = layout_->bodies();
  columns = layout_->dimensions() == 2 ? PlanarBodyState::coordinates : SpatialBodyState::coordinates;
  std::vector<Index> link_of(static_cast<std::size_t>(bodies), -1);
  for (Index next = 0; next <= bodies; ++next) {
    // As far as joints lead, in their order; then the next body that none has reached.
    for (bool grown = true; grown;) {
      grown = false;
      for (Index joint = 0; joint < constraints->constraint_count(); ++joint) grown = carry(joint, link_of) || grown;
    }
    if (next < bodies && link_of[static_cast<std::size_t>(next)] < 0) add_free(next, link_of);
  }
  std::vector<bool> used(static_cast<std::size_t>(m), false);
  for (const Link& link : links) {
    widest = std::max(widest, link.width);
    if (link.free) continue;
    std::fill_n(used.begin() + link.first_row, link.rows, true);
    if (link.intrinsic >= 0) used[static_cast<std::size_t>(link.intrinsic)] = true;
  }
  for (Index row = 0; row < m; ++row) {
    if (!used[static_cast<std::size_t>(row)]) cuts.push_back(row);
  }
}

Link Tree::begin_link(Index body) const {
  const BodySlice slice = layout_->body(body);
  Link link{};
  link.body = body, link.parent = -1, link.free = true;
  link.first = slice.first, link.width = slice.count;
  link.first_theta = thetas;
  link.joint = -1;
  link.intrinsic = constraints->intrinsic_row(body);
  return link;
}

void Tree::add_free(Index body, std::vector<Index>& link_of) {
  Link link = begin_link(body);
  link.thetas = link.width;
  thetas += link.thetas;
  link_of[static_cast<std::size_t>(body)] = static_cast<Index>(links.size());
  links.push_back(link);
}

bool Tree::carry(Index joint, std::vector<Index>& link_of) {
  const ConstraintPlace place = constraints->constraint(joint);
  const Constraint& element = *place.element;
  const auto* offered = find_extension<JointCoordinates>(element);
  if (offered == nullptr || element.body_count() != 2 || element.rheonomic() || place.velocity_rows > 0) return false;
  const auto reached = [&](Index side) {
    const Index body = element.body(side).index;
    return body < 0 || link_of[static_cast<std::size_t>(body)] >= 0;
  };
  if (reached(0) == reached(1)) return false;  // a loop closes here, or the tree is not here yet
  const Index parent_side = reached(0) ? 0 : 1, child_side = 1 - parent_side;
  const Index body = element.body(child_side).index, parent = element.body(parent_side).index;
  Link link = begin_link(body);
  const Index count = offered->coordinate_count();
  if (place.rows + count + (link.intrinsic >= 0 ? 1 : 0) != link.width) return false;
  std::vector<Coordinate> own;
  for (Index i = 0; i < count; ++i) {
    const Constraint& row = offered->coordinate(i);
    if (row.rows() != 1 || row.body_count() != 2) return false;
    const Index child = row.body(0).index == body ? 0 : 1;
    if (row.body(child).index != body || row.body(1 - child).index != parent) return false;
    own.push_back({&row,
                   find_extension<CountedAngles>(row),
                   {constraints->body_state(row.body(0).index), constraints->body_state(row.body(1).index)},
                   child,
                   1 - child});
  }
  link.free = false;
  link.parent = parent < 0 ? -1 : link_of[static_cast<std::size_t>(parent)];
  link.thetas = count;
  link.joint = joint, link.first_row = place.first_row, link.rows = place.rows;
  link.child_side = child_side, link.parent_side = parent_side;
  link.first_coordinate = static_cast<Index>(coordinates.size());
  coordinates.insert(coordinates.end(), own.begin(), own.end());
  thetas += count;
  link_of[static_cast<std::size_t>(body)] = static_cast<Index>(links.size());
  links.push_back(link);
  return true;
}

}  // namespace acme::joints
