// The places of bodies' coordinates, from what the system says of each body.
#include "model/body_table.h"

#include <fmt/format.h>

#include "linalg/model_unit.h"
#include "trammel/error.h"

namespace trammel {
namespace {

bool possible(const BodySystem& system, const BodyShape& shape, Index most_reduced) {
  const BodyOutput& output = system.output();
  const Index c = system.coordinates();
  const auto rising = [](const Index* list, Index count, Index most) {
    for (Index i = 0; list != nullptr && i < count; ++i) {
      if (list[i] < 0 || list[i] >= most || (i > 0 && list[i] <= list[i - 1])) return false;
    }
    return count >= 0 && (list != nullptr || count == most);
  };
  return shape.coordinates > 0 && shape.coordinates <= c && shape.reduced_coordinates <= most_reduced &&
         (shape.reduced_coordinates > 0 || most_reduced == 0) &&
         (!shape.intrinsic || (system.intrinsic() != nullptr && shape.coordinates == c)) &&
         rising(shape.columns, shape.column_count, output.column_count()) &&
         rising(shape.acceleration_columns, shape.acceleration_column_count, output.acceleration_column_count());
}

}  // namespace

BodyTable::BodyTable(const BodySystem& system, Index bodies, const std::string& plugin) : local_(system.coordinates()) {
  for (Index k = 0; k < local_; ++k) displaces_.push_back(is_displacement(system, k) ? 1 : 0);
  const BodyReduction* const reduction = system.reduction();
  if (reduction != nullptr) most_reduced_ = reduction->reduced_coordinates();
  const BodyOutput& output = system.output();
  first_ = reduced_first_ = squares_ = {0};
  for (Index b = 0; b < bodies; ++b) {
    BodyShape shape{BodyKind::rigid, local_,
                    most_reduced_,   system.intrinsic() != nullptr,
                    nullptr,         output.column_count(),
                    nullptr,         output.acceleration_column_count()};
    system.describe(b, shape);
    if (reduction == nullptr) shape.reduced_coordinates = 0;
    if (!possible(system, shape, most_reduced_)) {
      throw Error(ErrorKind::plugin,
                  fmt::format("plugin '{}': describe({}) gives a body {} of {} coordinates, {} of {} reduced ones and "
                              "{} intrinsic row; fewer than all go without that row, columns rise",
                              plugin, b, shape.coordinates, local_, shape.reduced_coordinates, most_reduced_,
                              shape.intrinsic ? "an" : "no"));
    }
    if (shape.intrinsic) {
      intrinsic_bodies_.push_back(b);
      intrinsic_firsts_.push_back(first_.back());
    }
    mixed_ = mixed_ || shape.coordinates < local_ || local_ != frame_columns();
    body_of_.insert(body_of_.end(), static_cast<std::size_t>(shape.coordinates), b);
    first_.push_back(first_.back() + shape.coordinates);
    reduced_first_.push_back(reduced_first_.back() + shape.reduced_coordinates);
    squares_.push_back(squares_.back() + shape.coordinates * shape.coordinates);
    shapes_.push_back(shape);
  }
}

}  // namespace trammel
