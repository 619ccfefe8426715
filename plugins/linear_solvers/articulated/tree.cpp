// The spanning tree of a KKT matrix.
#include "tree.h"

#include <algorithm>
#include <numeric>

namespace trammel::articulated {
namespace {

bool left_out(const KktMatrix& k, Index row) { return k.dropped != nullptr && k.dropped[row] != 0; }

bool any_left_out(const KktMatrix& k, Index first, Index rows) {
  for (Index r = first; r < first + rows; ++r) {
    if (left_out(k, r)) return true;
  }
  return false;
}

}  // namespace

void Tree::collect_groups(const KktMatrix& k, const KktElements* elements, const std::vector<unsigned char>& as_loop) {
  candidates_.clear(), partly_.clear();
  for (Index i = 0; i < k.block_count;) {
    const JacobianBlock& block = k.blocks[i];
    Index end = i;
    while (end < k.block_count && k.blocks[end].element == block.element) ++end;
    Candidate candidate{};
    candidate.group = {block.element, block.first_row, block.rows};
    candidate.blocks[0] = i, candidate.blocks[1] = end - i > 1 ? i + 1 : -1;
    candidate.bodies[0] = block.body, candidate.bodies[1] = end - i > 1 ? k.blocks[i + 1].body : -1;
    const bool partly = any_left_out(k, block.first_row, block.rows);
    candidate.may_join = end - i <= 2 && as_loop[static_cast<std::size_t>(block.element)] == 0;
    if (elements != nullptr && candidate.may_join) {
      const Constraint& constraint = elements->constraint(block.element);
      candidate.may_join = !elements->has_velocity_rows(block.element);
      if (constraint.body_count() == 2) candidate.group.joint = find_extension<FreeDirections>(constraint);
    }
    candidate.joins = candidate.may_join && !partly;
    if (static_cast<std::size_t>(block.element) >= partly_.size())
      partly_.resize(static_cast<std::size_t>(block.element) + 1, 0);
    partly_[static_cast<std::size_t>(block.element)] = partly ? 1 : 0;
    candidates_.push_back(candidate);
    i = end;
  }
}

// Of several elements between two bodies the joint with the most rows comes first: the others' rows are added to its
// directions as long as they are not more than a body has.
void Tree::add_link(Index body, Index parent, const std::vector<RowGroup>& groups, int size) {
  Link link{body, parent, static_cast<Index>(edges.size()), 0, edge_rows, 0, 0};
  for (const RowGroup& group : groups) {
    edges.push_back(group);
    if (link.groups++ > 0) edges.back().joint = nullptr;
    link.rows = static_cast<std::int16_t>(link.rows + group.rows);
  }
  link.free = static_cast<std::int16_t>(size - link.rows);
  edge_rows += link.rows;
  const bool rigid = link.groups == 0 || (link.groups == 1 && edges.back().joint != nullptr);
  if (!rigid && parent >= 0) link.general = generals++;
  link_of_body[static_cast<std::size_t>(body)] = static_cast<Index>(links.size());
  links.push_back(link);
}

void Tree::build(const KktMatrix& k, int size, const KktElements* elements, const std::vector<unsigned char>& as_loop) {
  collect_groups(k, elements, as_loop);
  if (k.dropped != nullptr)
    seen_.assign(k.dropped, k.dropped + k.rows);
  else
    seen_.clear();
  links.clear(), edges.clear(), loops.clear(), attached.clear();
  edge_rows = generals = 0;
  link_of_body.assign(static_cast<std::size_t>(k.bodies), -1);
  const auto bodies = static_cast<std::size_t>(k.bodies);
  std::vector<std::vector<Index>> of_body(bodies + 1);  // candidates; of ground last
  const auto place = [&](Index body) { return body < 0 ? bodies : static_cast<std::size_t>(body); };
  for (std::size_t c = 0; c < candidates_.size(); ++c) {
    if (!candidates_[c].joins) continue;
    for (const Index body : candidates_[c].bodies) of_body[place(body)].push_back(static_cast<Index>(c));
  }
  const auto expand = [&](Index body, Index parent) {
    for (const Index c : of_body[place(body)]) {
      const Candidate& first = candidates_[static_cast<std::size_t>(c)];
      const Index child = first.bodies[0] == body ? first.bodies[1] : first.bodies[0];
      if (child < 0 || link_of_body[static_cast<std::size_t>(child)] >= 0) continue;
      std::vector<Index> between;
      for (const Index other : of_body[place(child)]) {
        const Candidate& o = candidates_[static_cast<std::size_t>(other)];
        if (o.bodies[0] == body || o.bodies[1] == body) between.push_back(other);
      }
      std::stable_sort(between.begin(), between.end(), [&](Index a, Index b) {
        const RowGroup &x = candidates_[static_cast<std::size_t>(a)].group,
                       &y = candidates_[static_cast<std::size_t>(b)].group;
        return std::pair(x.joint == nullptr, -x.rows) < std::pair(y.joint == nullptr, -y.rows);
      });
      std::vector<RowGroup> groups;
      Index rows = 0;
      for (const Index b : between) {
        Candidate& candidate = candidates_[static_cast<std::size_t>(b)];
        if (rows + candidate.group.rows > size) continue;
        rows += candidate.group.rows;
        candidate.used = true;
        RowGroup group = candidate.group;
        const bool second = candidate.bodies[1] == child;
        group.child_block = candidate.blocks[second ? 1 : 0], group.other_block = candidate.blocks[second ? 0 : 1];
        if (elements != nullptr) {
          const Constraint& constraint = elements->constraint(group.element);
          group.child = constraint.body(0).index == child ? 0 : 1;
        }
        groups.push_back(group);
      }
      add_link(child, parent, groups, size);
    }
  };
  std::size_t next = 0;
  const auto spread = [&] {
    for (; next < links.size(); ++next) expand(links[next].body, static_cast<Index>(next));
  };
  expand(-1, -1);
  spread();
  for (Index body = 0; body < k.bodies; ++body) {
    if (link_of_body[static_cast<std::size_t>(body)] >= 0) continue;
    add_link(body, -1, {}, size);
    spread();
  }
  for (auto link = links.rbegin(); link != links.rend(); ++link) {
    if (link->parent < 0) continue;
    Link& of = links[static_cast<std::size_t>(link->parent)];
    link->first = of.leaf, of.leaf = false;
  }
  for (const Candidate& candidate : candidates_) {
    if (candidate.used) continue;
    RowGroup group = candidate.group;
    group.joint = nullptr;
    group.first_attached = static_cast<Index>(attached.size());
    for (Index i = candidate.blocks[0]; i < k.block_count && k.blocks[i].element == group.element; ++i) {
      attached.push_back({i, link_of_body[static_cast<std::size_t>(k.blocks[i].body)]});
      ++group.attached;
    }
    loops.push_back(group);
  }
}

bool Tree::short_ways() const {
  const std::size_t most_ways = 64 + 6 * links.size(), most_couples = 400 * (100 + links.size());
  std::vector<Index> seen(links.size(), -1);
  std::vector<std::size_t> through(links.size(), 0);
  std::size_t ways = 0, couples = 0;
  for (std::size_t l = 0; l < loops.size(); ++l) {
    for (Index a = loops[l].first_attached; a < loops[l].first_attached + loops[l].attached; ++a) {
      for (Index link = attached[static_cast<std::size_t>(a)].link; link >= 0;
           link = links[static_cast<std::size_t>(link)].parent) {
        const auto at = static_cast<std::size_t>(link);
        if (seen[at] == static_cast<Index>(l)) break;
        seen[at] = static_cast<Index>(l);
        couples += 2 * through[at]++ + 1;
        if (++ways > most_ways || couples > most_couples) return false;
      }
    }
  }
  return true;
}

bool Tree::fits(const KktMatrix& k) {
  if (k.dropped == nullptr) return seen_.empty();
  if (seen_.size() == static_cast<std::size_t>(k.rows) && std::equal(seen_.begin(), seen_.end(), k.dropped))
    return true;
  for (const Candidate& candidate : candidates_) {
    const RowGroup& group = candidate.group;
    const bool partly = partly_[static_cast<std::size_t>(group.element)] != 0;
    if (candidate.may_join && partly != any_left_out(k, group.first_row, group.rows)) return false;
  }
  seen_.assign(k.dropped, k.dropped + k.rows);
  return true;
}

}  // namespace trammel::articulated
