// StateLayout: the parts of a block of engine-owned memory, declared once: sizes and places follow from the same lines.
#pragma once

#include <utility>

#include "trammel/linalg.h"
#include "trammel/memory.h"

namespace trammel::sdk {

/// Parts stand one behind another, in the order in which they are asked for. A method lists them in the constructor of a
/// struct, its first parameter a StateLayout&, the others the sizes that it needs:
///
///   struct Kept {
///     Kept(sdk::StateLayout& at, Index n) : known(at.number()), a(at.vector(n)), stages(at.vectors(n, 3)) {}
///     double& known;
///     VectorView a;
///     sdk::StateLayout::Vectors stages;
///   };
///
/// `size<Kept>(n)` is then what MemorySize declares, `place<Kept>(memory.state, n)` gives the views. A layout that is a
/// part of another one is a member that is constructed from the same `at`. Parts in front may be placed without those
/// behind them, by a struct of their own: numbers that are read where n is not known. The constructor writes nothing.
class StateLayout {
 public:
  using Map = Eigen::Map<Eigen::VectorXd>;
  using Matrix = Eigen::Map<Eigen::MatrixXd>;

  /// n doubles, as a view and as a vector of Eigen.
  struct Vector : VectorView {
    operator Map() const { return map(); }
  };
  /// `count` vectors of n doubles.
  struct Vectors {
    double* data;
    Index n, count;

    Map operator[](Index i) const { return Map(data + i * n, n); }
    VectorView view(Index i) const { return {data + i * n, n}; }
    VectorView all() const { return {data, n * count}; }
  };

  /// Adds up sizes.
  constexpr StateLayout() : measures_(true) {}
  /// Hands out the parts of a block.
  constexpr explicit StateLayout(double* block) : block_(block) {}
  /// Doubles of the parts so far.
  constexpr Index used() const { return used_; }

  /// [setup] Doubles of all parts.
  template <class Parts, class... Sizes>
  static constexpr Index size(Sizes&&... sizes) {
    StateLayout at;
    const Parts parts(at, std::forward<Sizes>(sizes)...);
    (void)parts;
    return at.used_;
  }
  /// [hot] The parts of a block of at least that size.
  template <class Parts, class... Sizes>
  static constexpr Parts place(double* block, Sizes&&... sizes) {
    StateLayout at(block);
    return Parts(at, std::forward<Sizes>(sizes)...);
  }

  constexpr double& number() { return measures_ ? (++used_, nowhere) : *numbers(1); }
  /// For what keeps its numbers in an order of its own.
  constexpr double* numbers(Index count) {
    double* const first = measures_ ? nullptr : block_ + used_;
    used_ += count;
    return first;
  }
  constexpr Vector vector(Index n) { return {{numbers(n), n}}; }
  constexpr Vectors vectors(Index n, Index count) { return {numbers(n * count), n, count}; }
  /// Column by column.
  Matrix matrix(Index rows, Index cols) { return Matrix(numbers(rows * cols), rows, cols); }
  /// Memory for another component, as it declares it.
  Memory memory(const MemorySize& size) { return {numbers(size.state), numbers(size.scratch), numbers(size.cache)}; }

 private:
  /// What numbers refer to while sizes are added up; never read or written.
  static inline double nowhere = 0;

  double* block_ = nullptr;
  bool measures_ = false;
  Index used_ = 0;
};

/// The blocks of a component, for structs whose parts stand in several of them: the first parameter of their constructor
/// is a MemoryLayout&.
struct MemoryLayout {
  /// [setup] What the component declares.
  template <class Parts, class... Sizes>
  static MemorySize size(Sizes&&... sizes) {
    MemoryLayout at;
    const Parts parts(at, std::forward<Sizes>(sizes)...);
    (void)parts;
    return {at.state.used(), at.scratch.used(), at.cache.used()};
  }
  /// [hot]
  template <class Parts, class... Sizes>
  static Parts place(const Memory& memory, Sizes&&... sizes) {
    MemoryLayout at{StateLayout(memory.state), StateLayout(memory.scratch), StateLayout(memory.cache)};
    return Parts(at, std::forward<Sizes>(sizes)...);
  }

  /// Memory for another component, as it declares it.
  Memory memory(const MemorySize& size) {
    return {state.numbers(size.state), scratch.numbers(size.scratch), cache.numbers(size.cache)};
  }

  StateLayout state, scratch, cache;
};

}  // namespace trammel::sdk
