// How the tree grows: from ground, the joint that takes most freedoms first, and from a free body where no joint leads on.
#include "tree.h"

#include <cmath>
#include <queue>
#include <tuple>

namespace trammel::recursive {
namespace {

Vec4<> product(const Vec4<>& a, const Vec4<>& b) {
  return {a.e0 * b.e0 - dot(a.e, b.e), a.e0 * b.e + b.e0 * a.e + cross(a.e, b.e)};
}

/// Euler parameters of the rotation whose matrix has these columns; the largest of them is computed first (Haug, 9.3).
Vec4<> parameters_of(const std::array<Vec3<>, 3>& a) {
  const double xx = a[0].x, yy = a[1].y, zz = a[2].z;
  const double squares[] = {1 + xx + yy + zz, 1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz};
  int k = 0;
  for (int i = 1; i < 4; ++i) k = squares[i] > squares[k] ? i : k;
  const double x = a[1].z - a[2].y, y = a[2].x - a[0].z, z = a[0].y - a[1].x;
  const double xy = a[0].y + a[1].x, xz = a[2].x + a[0].z, yz = a[1].z + a[2].y, s = squares[k];
  const Vec4<> p = k == 0   ? Vec4<>{s, {x, y, z}}
                   : k == 1 ? Vec4<>{x, {s, xy, xz}}
                   : k == 2 ? Vec4<>{y, {xy, s, yz}}
                            : Vec4<>{z, {xz, yz, s}};
  return (1 / norm(p)) * p;
}

void finish(Joint& joint) {
  joint.frame[0] = parameters_of(joint.axes[0]);
  joint.frame[1] = parameters_of(joint.axes[1]);
  joint.frame[1].e = -joint.frame[1].e;
  joint.still = product(joint.frame[0], joint.frame[1]);
  joint.turned = product(joint.frame[0], product({0, {0, 0, 1}}, joint.frame[1]));
  const Vec3<>&f = joint.axes[0][0], &g = joint.axes[1][0];
  joint.angle = std::atan2(f.y, f.x) - std::atan2(g.y, g.x);
}

/// The form seen from attached body number `parent`.
Joint seen_from(const JointPlacementForm& form, Index parent) {
  Joint joint;
  for (Index k = 0; k < 2; ++k) {
    const Index of = k == 0 ? parent : 1 - parent;
    joint.point[k] = sdk::vec3(form.point[of]);
    for (std::size_t a = 0; a < 3; ++a) joint.axes[k][a] = sdk::vec3(form.axes[of] + 3 * a);
  }
  joint.slides = form.slides;
  joint.slides_on_child = parent == 1;
  joint.turn = form.turn == JointTurn::none         ? Turn::none
               : form.turn == JointTurn::third      ? Turn::third
               : form.turn == JointTurn::first_then ? Turn::two
                                                    : Turn::all;
  if (parent == 1) joint.first = 1, joint.second = 0;
  joint.lead = parent == 1 ? -form.lead : form.lead;  // the turn counts the other way
  joint.offset = form.offset;
  finish(joint);
  return joint;
}

/// A joint that may be of the tree.
struct Candidate {
  Index constraint, rows;
  Index bodies[2];
  const JointPlacement* placement;
};

std::vector<Candidate> candidates(const SystemConstraints& constraints, const std::vector<bool>& rigid, bool spatial) {
  std::vector<Candidate> found;
  for (Index i = 0; i < constraints.constraint_count(); ++i) {
    const ConstraintPlace place = constraints.constraint(i);
    const auto* placement = find_extension<JointPlacement>(*place.element);
    if (placement == nullptr || place.velocity_rows > 0 || place.element->body_count() != 2) continue;
    const Index a = place.element->body(0).index, b = place.element->body(1).index;
    const auto fits = [&](Index body) { return body < 0 || rigid[static_cast<std::size_t>(body)]; };
    const Joint joint = seen_from(placement->placement(), 0);
    const int freedoms = joint.slide_count() + (joint.turn == Turn::all ? 3 : joint.turn_count());
    if (a == b || !fits(a) || !fits(b) || place.rows + freedoms != (spatial ? 6 : 3)) continue;
    if (!spatial && (joint.turn == Turn::two || joint.turn == Turn::all || joint.slides > 3)) continue;
    found.push_back({i, place.rows, {a, b}, placement});
  }
  return found;
}

}  // namespace

Tree::Tree(const ConstrainedLayout& of)
    : system(&of),
      n(of.coordinates()),
      m(of.constraints()),
      nz(of.internal_states()),
      constraints(find_extension<SystemConstraints>(of)) {
  const auto* layout = find_extension<BodyLayout>(of);
  const Index bodies = layout != nullptr && constraints != nullptr ? layout->bodies() : 0;
  spatial = bodies == 0 || layout->dimensions() == 3;
  std::vector<bool> rigid(static_cast<std::size_t>(bodies));
  for (Index b = 0; b < bodies; ++b) {
    const BodySlice slice = layout->body(b);
    rigid[static_cast<std::size_t>(b)] = slice.kind == BodyKind::rigid && slice.count == (spatial ? 7 : 3);
  }
  const std::vector<Candidate> joints =
      bodies > 0 ? candidates(*constraints, rigid, spatial) : std::vector<Candidate>();
  std::vector<std::vector<std::size_t>> of_body(static_cast<std::size_t>(bodies) + 1);  // of ground last
  const auto place_of = [&](Index body) { return static_cast<std::size_t>(body < 0 ? bodies : body); };
  for (std::size_t c = 0; c < joints.size(); ++c) {
    for (const Index body : joints[c].bodies) of_body[place_of(body)].push_back(c);
  }

  // Grows in any order; parents are bodies here.
  struct Grown {
    Index parent = -1, candidate = -1;
    bool placed = false;
    std::vector<Index> children;
  };
  std::vector<Grown> grown(static_cast<std::size_t>(bodies) + 1);
  std::vector<Index> roots;
  using Entry = std::tuple<Index, long, Index>;  // rows, minus the order, candidate
  std::priority_queue<Entry> frontier;
  long order = 0;
  const auto reach = [&](Index body) {
    for (const std::size_t c : of_body[place_of(body)]) {
      frontier.emplace(joints[c].rows, -order++, static_cast<Index>(c));
    }
  };
  const auto spread = [&] {
    while (!frontier.empty()) {
      const Index c = std::get<2>(frontier.top());
      frontier.pop();
      const Candidate& joint = joints[static_cast<std::size_t>(c)];
      const auto placed = [&](Index body) { return body < 0 || grown[static_cast<std::size_t>(body)].placed; };
      if (placed(joint.bodies[0]) && placed(joint.bodies[1])) continue;
      const Index side = placed(joint.bodies[0]) ? 0 : 1, parent = joint.bodies[side], child = joint.bodies[1 - side];
      Grown& body = grown[static_cast<std::size_t>(child)];
      body.parent = parent, body.candidate = c, body.placed = true;
      if (parent < 0)
        roots.push_back(child);
      else
        grown[static_cast<std::size_t>(parent)].children.push_back(child);
      reach(child);
    }
  };
  reach(-1);
  spread();
  for (Index b = 0; b < bodies; ++b) {
    if (grown[static_cast<std::size_t>(b)].placed) continue;
    grown[static_cast<std::size_t>(b)].placed = true;
    roots.push_back(b);
    reach(b);
    spread();
  }

  // Depth first, without recursion: chains may have a million links.
  std::vector<bool> of_tree(static_cast<std::size_t>(m), false);
  std::vector<Index> stack(roots.rbegin(), roots.rend()), link_of_body(static_cast<std::size_t>(bodies) + 1, -1);
  while (!stack.empty()) {
    const Index b = stack.back();
    stack.pop_back();
    const Grown& body = grown[static_cast<std::size_t>(b)];
    const BodySlice slice = layout->body(b);
    Link link;
    link.body = b, link.first = slice.first, link.count = slice.count;
    link.own = !rigid[static_cast<std::size_t>(b)];
    if (body.candidate >= 0) {
      const Candidate& joint = joints[static_cast<std::size_t>(body.candidate)];
      const ConstraintPlace place = constraints->constraint(joint.constraint);
      link.parent = body.parent < 0 ? -1 : link_of_body[static_cast<std::size_t>(body.parent)];
      link.constraint = joint.constraint;
      link.joint = seen_from(joint.placement->placement(), joint.bodies[0] == body.parent ? 0 : 1);
      for (Index r = 0; r < place.rows; ++r) of_tree[static_cast<std::size_t>(place.first_row + r)] = true;
    } else if (!spatial && !link.own) {
      link.joint.turn = Turn::third, link.joint.slides = 3;
    }
    const Index intrinsic = constraints->intrinsic_row(b);
    if (intrinsic >= 0 && !link.own) of_tree[static_cast<std::size_t>(intrinsic)] = true;
    link_of_body[static_cast<std::size_t>(b)] = static_cast<Index>(links.size());
    links.push_back(link);
    stack.insert(stack.end(), body.children.rbegin(), body.children.rend());
  }
  Index behind = 0;
  for (const Link& link : links) behind = std::max(behind, static_cast<Index>(link.first + link.count));
  if (behind < n) {  // internal states in the place of coordinates, and systems without bodies
    Link rest;
    rest.first = behind, rest.count = n - behind, rest.own = true;
    links.push_back(rest);
  }
  for (std::size_t l = 0; l < links.size(); ++l) {
    Link& link = links[l];
    link.end = static_cast<Index>(l) + 1;
    link.theta = thetas;
    link.thetas = link.own ? link.count : link.joint.slide_count() + link.joint.turn_count();
    thetas += link.thetas;
    if (!link.own && link.joint.turn == Turn::all) ++gauges;
    link_of.insert(link_of.end(), static_cast<std::size_t>(link.thetas), static_cast<Index>(l));
  }
  for (std::size_t l = links.size(); l-- > 0;) {
    const Index parent = links[l].parent;
    if (parent < 0) continue;
    Index& end = links[static_cast<std::size_t>(parent)].end;
    end = std::max(end, links[l].end);
  }
  for (Index r = 0; r < m; ++r) {
    if (!of_tree[static_cast<std::size_t>(r)]) cuts.push_back(r);
  }
}

// A screw's way knows the direction of its axis.
void Tree::face(ConstVectorView q) {
  if (!spatial) return;
  const auto parameters = [&](const Link& link) { return sdk::vec4(q.data + link.first + 3); };
  for (Link& link : links) {
    Joint& joint = link.joint;
    if (link.constraint < 0 || joint.lead != 0 || (joint.turn != Turn::third && joint.turn != Turn::none)) continue;
    const Vec4<> of_parent =
        link.parent < 0 ? Vec4<>{1, {0, 0, 0}} : parameters(links[static_cast<std::size_t>(link.parent)]);
    const auto opposed = [&](std::size_t k) {
      return dot(sdk::rotate(of_parent, joint.axes[0][k]), sdk::rotate(parameters(link), joint.axes[1][k])) < 0;
    };
    const bool third = opposed(2), first = joint.turn == Turn::none && opposed(0);
    const bool turns[3] = {first, first != third, third};
    for (std::size_t k = 0; k < 3; ++k) {
      if (turns[k]) joint.axes[1][k] = -joint.axes[1][k];
    }
    if (first || third) finish(joint);
  }
}

}  // namespace trammel::recursive
