// The order of elimination and the storage of a multifrontal factorization.
#include "linalg/front_structure.h"

#include <algorithm>
#include <set>

#include "linalg/minimum_degree.h"
#include "linalg/sizes.h"

namespace trammel {
namespace {

using Graph = std::vector<std::set<Index>>;

Graph body_graph(const MechanismPattern& pattern) {
  Graph graph(count(pattern.bodies));
  const auto connect = [&](Index a, Index b) {
    if (a == b) return;
    graph[count(a)].insert(b);
    graph[count(b)].insert(a);
  };
  for (const auto& rows : pattern.rows) {
    for (const Index a : rows.bodies) {
      for (const Index b : rows.bodies) connect(a, b);
    }
  }
  for (const auto& [a, b] : pattern.pairs) connect(a, b);
  return graph;
}

/// Bodies in their order of elimination. Trees are taken from their leaves towards ground, where no fill-in appears and
/// every joint can go with its outer body; what has loops by approximate minimum degree.
std::vector<Index> elimination_order(const MechanismPattern& pattern) {
  const Graph graph = body_graph(pattern);
  std::vector<Index> degree, order;
  for (const auto& neighbours : graph) degree.push_back(static_cast<Index>(neighbours.size()));
  std::vector<unsigned char> grounded(graph.size(), 0), taken(graph.size(), 0);
  for (const auto& rows : pattern.rows) {
    if (rows.bodies.size() == 1) grounded[count(rows.bodies[0])] = 1;
  }
  const auto is_leaf = [&](Index b) { return taken[count(b)] == 0 && degree[count(b)] + grounded[count(b)] <= 1; };
  for (Index b = 0; b < pattern.bodies; ++b) {
    for (Index leaf = b; leaf >= 0 && is_leaf(leaf);) {
      order.push_back(leaf);
      taken[count(leaf)] = 1;
      Index next = -1;
      for (const Index neighbour : graph[count(leaf)]) {
        --degree[count(neighbour)];
        if (taken[count(neighbour)] == 0) next = neighbour;
      }
      leaf = next;
    }
  }
  std::vector<Index> core, number(graph.size(), -1);
  for (Index b = 0; b < pattern.bodies; ++b) {
    if (taken[count(b)] != 0) continue;
    number[count(b)] = static_cast<Index>(core.size());
    core.push_back(b);
  }
  std::vector<std::vector<Index>> neighbours;
  for (const Index b : core) {
    neighbours.emplace_back();
    for (const Index neighbour : graph[count(b)]) {
      if (number[count(neighbour)] >= 0) neighbours.back().push_back(number[count(neighbour)]);
    }
  }
  for (const Index k : minimum_degree_order(neighbours)) order.push_back(core[count(k)]);
  return order;
}

/// Elements' rows by the body they are eliminated with.
std::vector<std::vector<Index>> assign_rows(const MechanismPattern& pattern, const std::vector<Index>& position,
                                            bool late) {
  std::vector<std::vector<Index>> of_body(count(pattern.bodies)), owned(count(pattern.bodies));
  std::vector<Index> free(pattern.coordinates);  // less intrinsic rows
  for (std::size_t b = 0; b < free.size(); ++b) free[b] -= pattern.intrinsic[b];
  std::vector<Index> last(pattern.rows.size(), -1);
  for (std::size_t e = 0; e < pattern.rows.size(); ++e) {
    for (const Index b : pattern.rows[e].bodies) {
      of_body[count(b)].push_back(static_cast<Index>(e));
      if (last[e] < 0 || position[count(b)] > position[count(last[e])]) last[e] = b;
    }
    if (pattern.rows[e].bodies.size() == 1) free[count(last[e])] -= pattern.rows[e].count;
  }
  std::vector<unsigned char> assigned(pattern.rows.size(), 0);
  std::vector<Index> order(count(pattern.bodies));
  for (Index b = 0; b < pattern.bodies; ++b) order[count(position[count(b)])] = b;
  for (const Index b : order) {
    for (const Index e : of_body[count(b)]) {
      if (assigned[count(e)] != 0) continue;
      const bool must = last[count(e)] == b;
      if (!must && (late || pattern.rows[count(e)].count > free[count(b)])) continue;
      if (!must) free[count(b)] -= pattern.rows[count(e)].count;
      assigned[count(e)] = 1;
      owned[count(b)].push_back(e);
    }
  }
  return owned;
}

}  // namespace

// Spans: the coordinates of body b are number b, its intrinsic row bodies + b, the rows of element e 2 bodies + e.
void FrontStructure::analyse(const MechanismPattern& pattern, bool late) {
  *this = FrontStructure();
  const Index bodies = pattern.bodies;
  Index n = 0;
  std::vector<Span> spans;
  for (const Index c : pattern.coordinates) spans.push_back({n, c}), n += c;
  Index rows = 0;
  for (const auto& r : pattern.rows) rows = std::max(rows, r.first + r.count);
  Index size = n + rows;
  for (const Index own : pattern.intrinsic) spans.push_back({size, own}), size += own;
  for (const auto& r : pattern.rows) spans.push_back({n + r.first, r.count});
  segment_of_.assign(count(size), -1);
  offset_in_.assign(segment_of_.size(), 0);
  std::vector<std::set<Index>> neighbours(spans.size());
  for (std::size_t s = 0; s < spans.size(); ++s) {
    for (Index i = 0; i < spans[s].count; ++i) {
      segment_of_[count(spans[s].unknown + i)] = static_cast<Index>(s);
      offset_in_[count(spans[s].unknown + i)] = i;
    }
  }
  const auto connect = [&](Index a, Index b) {
    if (a == b) return;
    neighbours[count(a)].insert(b);
    neighbours[count(b)].insert(a);
  };
  for (std::size_t e = 0; e < pattern.rows.size(); ++e) {
    for (const Index a : pattern.rows[e].bodies) {
      connect(a, 2 * bodies + static_cast<Index>(e));
      for (const Index b : pattern.rows[e].bodies) connect(a, b);
    }
  }
  for (const auto& [a, b] : pattern.pairs) connect(a, b);

  const std::vector<Index> order = elimination_order(pattern);
  std::vector<Index> position(count(bodies));
  for (std::size_t k = 0; k < order.size(); ++k) position[count(order[k])] = static_cast<Index>(k);
  const std::vector<std::vector<Index>> owned = assign_rows(pattern, position, late);
  front_of_span_.assign(spans.size(), -1);
  for (Index b = 0; b < bodies; ++b) {
    front_of_span_[count(b)] = front_of_span_[count(bodies + b)] = position[count(b)];
    for (const Index e : owned[count(b)]) front_of_span_[count(2 * bodies + e)] = position[count(b)];
  }
  std::vector<std::vector<Index>> borders(order.size()), children(order.size());
  for (Index k = 0; k < bodies; ++k) {
    const Index b = order[count(k)];
    std::vector<Index> pivots{b};
    if (pattern.intrinsic[count(b)] != 0) pivots.push_back(bodies + b);
    for (const Index e : owned[count(b)]) pivots.push_back(2 * bodies + e);
    std::set<std::pair<Index, Index>> border;  // by front, so that the parent comes first
    const auto meet = [&](Index span) {
      if (front_of_span_[count(span)] > k) border.emplace(front_of_span_[count(span)], span);
    };
    for (const Index span : pivots) std::for_each(neighbours[count(span)].begin(), neighbours[count(span)].end(), meet);
    for (const Index child : children[count(k)])
      std::for_each(borders[count(child)].begin(), borders[count(child)].end(), meet);
    for (const auto& [front, span] : border) borders[count(k)].push_back(span);
    add_front(k, pivots, borders[count(k)], spans);
    if (!border.empty()) {
      fronts_.back().parent = border.begin()->first;
      children[count(border.begin()->first)].push_back(k);
    }
  }
  add_sums();
}

void FrontStructure::add_front(Index, const std::vector<Index>& pivots, const std::vector<Index>& border,
                               const std::vector<Span>& spans) {
  Front front;
  front.begin = numbers_;
  front.first_segment = static_cast<Index>(segments_.size());
  front.pivot_segments = static_cast<Index>(pivots.size());
  for (const std::vector<Index>* part : {&pivots, &border}) {
    for (const Index span : *part) {
      segments_.push_back({spans[count(span)].unknown, spans[count(span)].count, front.size});
      span_of_segment_.push_back(span);
      front.size += spans[count(span)].count;
    }
    if (part == &pivots) front.pivots = front.size;
  }
  front.segments = static_cast<Index>(segments_.size()) - front.first_segment;
  // Kernels work on four rows at once and may touch three beyond the last.
  front.stride = (front.size + 3 + 3) / 4 * 4;
  numbers_ += front.stride * front.size;
  largest_ = std::max(largest_, front.stride);
  for (Index k = 0; k < front.pivots; ++k)
    work_ += static_cast<double>(front.size - k) * static_cast<double>(front.size - k);
  fronts_.push_back(front);
}

Index FrontStructure::position_in(const Front& front, Index span) const {
  for (Index s = front.first_segment; s < front.first_segment + front.segments; ++s) {
    if (span_of_segment_[count(s)] == span) return segments_[count(s)].at;
  }
  return -1;
}

// A border that lies together in the parent is added as one block.
void FrontStructure::add_sums() {
  for (Front& front : fronts_) {
    front.first_sum = static_cast<Index>(sums_.size());
    if (front.parent < 0) continue;
    const Front& parent = fronts_[count(front.parent)];
    struct Run {
      Index from, to, count;
    };
    std::vector<Run> runs;
    for (Index s = front.first_segment + front.pivot_segments; s < front.first_segment + front.segments; ++s) {
      const FrontSegment& segment = segments_[count(s)];
      const Index to = position_in(parent, span_of_segment_[count(s)]);
      if (!runs.empty() && runs.back().to + runs.back().count == to) {
        runs.back().count += segment.count;
      } else {
        runs.push_back({segment.at, to, segment.count});
      }
    }
    for (const Run& column : runs) {
      for (const Run& row : runs) {
        sums_.push_back({front.begin + column.from * front.stride + row.from,
                         parent.begin + column.to * parent.stride + row.to, row.count, column.count, front.stride,
                         parent.stride});
      }
    }
    front.sums = static_cast<Index>(sums_.size()) - front.first_sum;
  }
}

FrontStructure::Place FrontStructure::place(Index row, Index column) const {
  const Index row_span = segment_of_[count(row)], column_span = segment_of_[count(column)];
  const Front& front = fronts_[count(std::min(front_of_span_[count(row_span)], front_of_span_[count(column_span)]))];
  const Index i = position_in(front, row_span) + offset_in_[count(row)],
              j = position_in(front, column_span) + offset_in_[count(column)];
  return {front.begin + j * front.stride + i, front.stride};
}

}  // namespace trammel
