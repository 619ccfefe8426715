// A constraint Jacobian of random numbers with the structure of a mechanism, as the blocks of a KktMatrix and dense.
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <random>
#include <vector>

#include "trammel/kkt_solver.h"

namespace trammel {

/// Rows of one element, and the bodies they act on.
struct ElementRows {
  Index rows;
  std::vector<Index> bodies;
};

/// Joints of so many rows each: a body to the one before it, the first to ground.
inline std::vector<ElementRows> chain_of(Index bodies, Index rows) {
  std::vector<ElementRows> elements;
  for (Index b = 0; b < bodies; ++b) elements.push_back({rows, b == 0 ? std::vector{b} : std::vector{b - 1, b}});
  return elements;
}
/// The same with two outer bodies on each.
inline std::vector<ElementRows> tree_of(Index bodies, Index rows) {
  std::vector<ElementRows> elements;
  for (Index b = 0; b < bodies; ++b) elements.push_back({rows, b == 0 ? std::vector{b} : std::vector{(b - 1) / 2, b}});
  return elements;
}
/// A chain whose last body is held by ground too.
inline std::vector<ElementRows> loop_of(Index bodies, Index rows) {
  std::vector<ElementRows> elements = chain_of(bodies, rows);
  elements.push_back({rows, {bodies - 1}});
  return elements;
}

/// `dense` is the Jacobian, intrinsic rows last; after a change of its numbers `write` brings them into the blocks. The
/// bodies `narrow` have the first 2 (of 3) or 3 (of 7) coordinates and no intrinsic row.
class RandomJacobian {
 public:
  RandomJacobian(Index bodies, Index coordinates, std::vector<ElementRows> elements, bool intrinsic, unsigned seed,
                 const std::vector<Index>& narrow = {})
      : elements_(std::move(elements)) {
    k.bodies = bodies, k.coordinates = coordinates, k.mixed = !narrow.empty();
    first_ = {0};
    for (Index b = 0; b < bodies; ++b) {
      const bool fewer = std::find(narrow.begin(), narrow.end(), b) != narrow.end();
      if (intrinsic && !fewer) intrinsic_first_.push_back(first_.back());
      first_.push_back(first_.back() + (!fewer ? coordinates : coordinates == 3 ? 2 : 3));
    }
    k.first = k.reduced_first = first_.data();
    k.intrinsic_rows = static_cast<Index>(intrinsic_first_.size()), k.intrinsic_first = intrinsic_first_.data();
    Index offset = 0;
    for (std::size_t e = 0; e < elements_.size(); ++e) {
      for (const Index body : elements_[e].bodies) {
        blocks_.push_back({static_cast<Index>(e), body, k.rows, elements_[e].rows, offset, 0, k.first[body],
                           k.width(body), k.first[body], k.width(body)});
        offset += elements_[e].rows * coordinates;
      }
      first_row.push_back(k.rows);
      k.rows += elements_[e].rows;
    }
    Phi_q_.resize(static_cast<std::size_t>(offset));
    intrinsic_.resize(static_cast<std::size_t>(k.intrinsic_rows * coordinates));
    dropped.assign(static_cast<std::size_t>(k.rows + k.intrinsic_rows), 0);
    k.blocks = blocks_.data(), k.block_count = static_cast<Index>(blocks_.size());
    k.Phi_q = Phi_q_.data(), k.intrinsic = intrinsic_.data(), k.dropped = dropped.data();
    fill(seed);
  }
  RandomJacobian(const RandomJacobian&) = delete;
  RandomJacobian& operator=(const RandomJacobian&) = delete;

  void fill(unsigned seed) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<double> number(-1, 1);
    dense.setZero(k.rows + k.intrinsic_rows, k.size());
    for (double& x : Phi_q_) x = number(generator);  // columns that a body does not have say nothing
    for (const JacobianBlock& block : blocks_) {
      for (Index j = 0; j < block.columns; ++j) {
        for (Index r = 0; r < block.rows; ++r) {
          dense(block.first_row + r, block.column + j) = number(generator);
        }
      }
    }
    for (Index i = 0; i < k.intrinsic_rows * k.coordinates; ++i) {
      dense(k.rows + i / k.coordinates, k.intrinsic_first[i / k.coordinates] + i % k.coordinates) = number(generator);
    }
    write();
  }
  void write() {
    const Index c = k.coordinates;
    for (const JacobianBlock& block : blocks_) {
      Eigen::Map<Eigen::MatrixXd>(Phi_q_.data() + block.offset, block.rows, block.columns) =
          dense.block(block.first_row, block.column, block.rows, block.columns);
    }
    for (Index i = 0; i < k.intrinsic_rows * c; ++i)
      intrinsic_[static_cast<std::size_t>(i)] = dense(k.rows + i / c, k.intrinsic_first[i / c] + i % c);
  }
  const std::vector<ElementRows>& elements() const { return elements_; }

  KktMatrix k;
  Eigen::MatrixXd dense;
  std::vector<Index> first_row;        ///< of each element
  std::vector<unsigned char> dropped;  ///< per row; k.dropped

 private:
  std::vector<ElementRows> elements_;
  std::vector<JacobianBlock> blocks_;
  std::vector<Index> first_, intrinsic_first_;
  std::vector<double> Phi_q_, intrinsic_;
};

}  // namespace trammel
