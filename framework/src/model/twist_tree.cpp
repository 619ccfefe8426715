// The tree of a model's bodies, and directions from rows by Gauss-Jordan elimination.
#include "model/twist_tree.h"

#include <algorithm>
#include <cmath>

#include "linalg/sizes.h"
#include "trammel/extensions/implicit_twists.h"

namespace trammel {
namespace {

// Links that carry more rows of loops than this cost more than fronts.
constexpr Index most_carried = 16;

}  // namespace

/// The bodies of an element without ground.
struct TwistTree::Ends {
  Index a = -1, b = -1;

  explicit Ends(const ElementSlot& slot) {
    for (const Index body : slot.bodies) {
      if (body >= 0) (a < 0 ? a : b) = body;
    }
  }
};

bool TwistTree::build(const Assembly& assembly, int size) {
  links.clear(), elements.clear(), row_of.clear();
  const std::size_t bodies = count(assembly.bodies());
  link_of_body.assign(bodies, -1);
  std::vector<std::vector<std::size_t>> of_body(bodies + 1);  // of ground last
  std::vector<Ends> ends;
  const auto place = [&](Index body) { return body < 0 ? bodies : count(body); };
  for (std::size_t e = 0; e < assembly.constraints.size(); ++e) {
    ends.emplace_back(assembly.constraints[e]);
    if (ends[e].a < 0 || assembly.constraints[e].bodies.size() > 2 || assembly.constraints[e].rows == 0) return false;
    of_body[place(ends[e].a)].push_back(e), of_body[place(ends[e].b)].push_back(e);
  }
  std::vector<unsigned char> used(ends.size(), 0);
  const auto expand = [&](Index body, Index parent) {
    for (const std::size_t e : of_body[place(body)]) {
      const Index child = ends[e].a == body ? ends[e].b : ends[e].a;
      if (child < 0) continue;
      const Index known = link_of_body[count(child)];
      if (known >= 0) {
        TwistLink& link = links[count(known)];
        if (link.parent != parent) continue;  // its own parent, or a loop: then it stays unused
        if (used[e] != 0 || link.rows + assembly.constraints[e].rows > size) continue;
        link.rows += assembly.constraints[e].rows;
        elements[count(known)].push_back(e);
        used[e] = 1;
        continue;
      }
      link_of_body[count(child)] = static_cast<Index>(links.size());
      links.push_back({child, parent, assembly.constraints[e].rows, 0, -1, -1});
      elements.push_back({e});
      used[e] = 1;
    }
  };
  std::size_t next = 0;
  const auto spread = [&] {
    for (; next < links.size(); ++next) expand(links[next].body, static_cast<Index>(next));
  };
  expand(-1, -1);
  spread();
  for (Index body = 0; body < assembly.bodies(); ++body) {
    if (link_of_body[count(body)] >= 0) continue;
    link_of_body[count(body)] = static_cast<Index>(links.size());
    links.push_back({body, -1, 0, 0, -1, -1});
    elements.emplace_back();
    spread();
  }
  for (std::size_t l = 0; l < links.size(); ++l) {
    if (links[l].rows > size) return false;
    links[l].first_row = static_cast<Index>(row_of.size());
    for (const std::size_t e : elements[l]) {
      for (Index r = 0; r < assembly.constraints[e].rows; ++r) row_of.push_back(assembly.constraints[e].first_row + r);
    }
  }
  for (std::size_t e = 0; e < used.size(); ++e) {
    if (used[e] == 0) loops.push_back(e);
  }
  return couples_neighbours(assembly) && close_loops(assembly, ends) && carry();
}

bool TwistTree::neighbours(Index a, Index b) const {
  const Index parent_of_a = links[count(link_of_body[count(a)])].parent;
  const Index parent_of_b = links[count(link_of_body[count(b)])].parent;
  return parent_of_a == link_of_body[count(b)] || parent_of_b == link_of_body[count(a)];
}

bool TwistTree::couples_neighbours(const Assembly& assembly) const {
  const auto fits = [&](const ElementSlot& slot) {
    for (const Index a : slot.bodies) {
      for (const Index b : slot.bodies) {
        if (a >= 0 && b >= 0 && a != b && !neighbours(a, b)) return false;
      }
    }
    return true;
  };
  const auto uncoupled = [](const ConstraintSlot& slot) {
    const auto* twists = find_extension<MultiplierTwists>(*slot.constraint);
    return slot.bodies.size() == 2 && twists != nullptr && !twists->couples();
  };
  return std::all_of(assembly.forces.begin(), assembly.forces.end(), fits) &&
         std::all_of(loops.begin(), loops.end(), [&](std::size_t e) {
           return uncoupled(assembly.constraints[e]) || fits(assembly.constraints[e]);
         });
}

// Each loop is carried by the links from its bodies to the root, so that links list them in the same order.
bool TwistTree::close_loops(const Assembly& assembly, const std::vector<Ends>& ends) {
  carried_.assign(links.size(), {});
  for (std::size_t k = 0; k < loops.size(); ++k) {
    const ConstraintSlot& slot = assembly.constraints[loops[k]];
    first_cut.push_back(static_cast<Index>(cut_row_of.size()));
    for (Index r = 0; r < slot.rows; ++r) cut_row_of.push_back(slot.first_row + r);
    for (const Index body : {ends[loops[k]].a, ends[loops[k]].b}) {
      for (Index l = body >= 0 ? link_of_body[count(body)] : -1; l >= 0; l = links[count(l)].parent) {
        std::vector<Index>& list = carried_[count(l)];
        if (!list.empty() && list.back() == static_cast<Index>(k)) break;
        list.push_back(static_cast<Index>(k));
        links[count(l)].carried += slot.rows;
        if (links[count(l)].carried > most_carried) return false;
      }
    }
  }
  first_cut.push_back(static_cast<Index>(cut_row_of.size()));
  return true;
}

bool TwistTree::carry() {
  for (std::size_t l = 0; l < links.size(); ++l) {
    TwistLink& link = links[l];
    link.first_carried = static_cast<Index>(cut.size());
    for (const Index k : carried_[l]) {
      for (Index row = first_cut[count(k)]; row < first_cut[count(k) + 1]; ++row)
        cut.push_back(row), above.push_back(-1);
    }
    if (link.parent < 0) continue;
    const TwistLink& parent = links[count(link.parent)];
    Index at = 0;  // both lists ascend, and the parent has all of them
    for (Index i = link.first_carried; i < link.first_carried + link.carried; ++i) {
      while (cut[count(parent.first_carried + at)] != cut[count(i)]) ++at;
      above[count(i)] = at;
    }
  }
  return true;
}

template <class S>
bool directions_of_rows(double (*J)[S::stride], Index rows, double (*basis)[S::stride]) {
  constexpr double least_pivot = 1e-6;  // of the row's largest entry
  double inverse[S::size][S::size] = {};
  int column_of[S::size];
  bool taken[S::size] = {};
  for (Index r = 0; r < rows; ++r) inverse[r][r] = 1;
  for (Index r = 0; r < rows; ++r) {
    double largest = 0, before = 0;
    int best = -1;
    for (int k = 0; k < S::size; ++k) {
      const double entry = std::abs(J[r][twist_place<S>(k)]);
      before = std::max(before, entry);
      if (!taken[k] && entry > largest) largest = entry, best = k;
    }
    if (best < 0 || !(largest > least_pivot * before) || !std::isfinite(before)) return false;
    taken[best] = true, column_of[r] = best;
    const double scale = 1 / J[r][twist_place<S>(best)];
    for (double& x : J[r]) x *= scale;
    for (double& x : inverse[r]) x *= scale;
    for (Index i = 0; i < rows; ++i) {
      if (i == r) continue;
      const double factor = J[i][twist_place<S>(best)];
      if (factor == 0) continue;
      for (int k = 0; k < S::stride; ++k) J[i][k] -= factor * J[r][k];
      for (int k = 0; k < S::size; ++k) inverse[i][k] -= factor * inverse[r][k];
    }
  }
  for (int k = 0; k < S::size; ++k) std::fill(basis[k], basis[k] + S::stride, 0.0);
  for (Index r = 0; r < rows; ++r) {
    for (Index i = 0; i < rows; ++i) basis[r][twist_place<S>(column_of[i])] = inverse[i][r];
  }
  Index next = rows;
  for (int k = 0; k < S::size; ++k) {
    if (taken[k]) continue;
    for (Index i = 0; i < rows; ++i) basis[next][twist_place<S>(column_of[i])] = -J[i][twist_place<S>(k)];
    basis[next++][twist_place<S>(k)] = 1;
  }
  return true;
}

template bool directions_of_rows<SpatialSize>(double (*)[SpatialSize::stride], Index, double (*)[SpatialSize::stride]);
template bool directions_of_rows<PlanarSize>(double (*)[PlanarSize::stride], Index, double (*)[PlanarSize::stride]);

}  // namespace trammel
