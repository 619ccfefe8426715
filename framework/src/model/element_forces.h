// ElementForces: where the forces of a model's elements go, and their sum.
#pragma once

#include <vector>

#include "model/assembly.h"
#include "model/element_round.h"

namespace trammel {

class ModelPoint;

/// Elements write `local` numbers for every body. On bodies that all have these, they add to Q at once; where there are many
/// forces, each has numbers of its own, which threads write and the kernel adds up in order. What a body cannot take
/// has room of its own: shared by all forces on a body that turns, of each force on one that does not.
class ElementForces {
 public:
  /// [setup] `Q`: of all coordinates, in place for life.
  ElementForces(const Assembly& assembly, const Workers& workers, double* Q);
  /// [hot] Adds the forces at the point to Q, and writes the rates of their internal states.
  Status add(ModelPoint& point, double* z_rate);

 private:
  void bind();
  void separate();
  Status call(const ModelPoint& point, Index number, double* z_rate) const;
  Status add_wide(ModelPoint& point);

  const Assembly& assembly_;
  double* Q_;
  std::vector<VectorView> views_;  // k per force, empty for ground
  std::vector<std::size_t> first_view_;
  /// Of a body with fewer coordinates than elements write, `local` numbers. `only`: all of them come from this force, which
  /// must not turn the body; null: from all forces on a body that turns.
  struct Wide {
    Index body;
    const ForceSlot* only;
  };
  std::vector<Wide> wide_;
  std::vector<double> wide_numbers_;
  /// Of a model with many forces.
  struct Own {
    VectorView sum;
    const double* numbers;
  };
  std::vector<double> own_numbers_;
  std::vector<Own> own_;
  ElementRound in_order_, shared_;
};

/// Whether a force or a row on a body without rotation turns it; x: its numbers, `stride` apart, as many as a frame has.
/// Points drawn at a point mass miss it by rounding. With the Euler parameters (1, 0, 0, 0) the first of them says nothing
/// of rotations.
bool turns(const double* x, Index stride, Index frame);
/// What is said then.
extern const char* const turns_point_mass;

}  // namespace trammel
