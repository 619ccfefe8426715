// A model's constrained view, handed through to the classes that work at its point.
#include "model/constrained_model.h"

#include <cstring>

#include "model/model.h"

namespace trammel {

ModelParts::ModelParts(const Assembly& assembly, const Model& model)
    : layout(assembly), point(assembly, model.services().workers()), kkt(point, model) {}

ConstrainedModel::ConstrainedModel(const Model& model) : ConstrainedModel(*model.assembly(), model) {}

ConstrainedModel::ConstrainedModel(const Assembly& assembly, const Model& model)
    : parts_(assembly, model), derivatives_(parts_) {}

const char* ConstrainedModel::coordinate_name(Index i) const {
  const auto [name, is_new] = coordinate_names_.try_emplace(i);
  if (is_new) name->second = assembly().coordinate_name(i);
  return name->second.c_str();
}

const char* ConstrainedModel::row_name(Index i) const {
  const auto [name, is_new] = row_names_.try_emplace(i);
  if (is_new) name->second = assembly().row_name(i);
  return name->second.c_str();
}

// What formulations ask for in every step comes first.
const void* ConstrainedModel::extension(const char* id) const {
  if (std::strcmp(id, CoordinateSizes::id) == 0) return static_cast<const CoordinateSizes*>(&parts_.kkt.unit());
  if (std::strcmp(id, RowChoice::id) == 0) return static_cast<const RowChoice*>(&parts_.rank);
  if (std::strcmp(id, BlockSolve::id) == 0) return static_cast<const BlockSolve*>(&parts_.block_solve);
  if (std::strcmp(id, PartitionSolve::id) == 0) return static_cast<const PartitionSolve*>(&parts_.partition);
  if (std::strcmp(id, PartitionQuality::id) == 0) return static_cast<const PartitionQuality*>(&parts_.partition);
  if (std::strcmp(id, StateSpaceSolve::id) == 0) return static_cast<const StateSpaceSolve*>(&parts_.sparse_state_space);
  if (std::strcmp(id, StateSpaceDerivatives::id) == 0)
    return static_cast<const StateSpaceDerivatives*>(&parts_.reduction);
  if (std::strcmp(id, VelocityLevel::id) == 0) return static_cast<const VelocityLevel*>(&parts_.velocity_level);
  if (std::strcmp(id, SystemConstraints::id) == 0) return static_cast<const SystemConstraints*>(&parts_.constraints);
  if (std::strcmp(id, BodyLayout::id) == 0) return static_cast<const BodyLayout*>(&parts_.layout);
  return nullptr;
}

void ConstrainedModel::remember(Archive& archive) {
  parts_.point.remember(archive);
  std::vector<double> dropped(parts_.kkt.dropped().begin(), parts_.kkt.dropped().end());
  archive.block("model.dropped_rows", dropped);
  Index redundant = parts_.rank.redundant();
  RankWatch& closest = parts_.kkt.closest();
  archive.values("model", redundant, closest.smallest_kept, closest.smallest_kept_row, closest.largest_dropped,
                 closest.largest_dropped_row, closest.weak, closest.weak_row, parts_.kkt.factorizations,
                 parts_.point.jacobians, parts_.projection.projections, parts_.point.placements);
  if (!archive.restores()) return;
  parts_.rank.restore(dropped, redundant);
  parts_.implicit_factors.forget();
  parts_.partition.forget();
  parts_.sparse_state_space.forget();
}

}  // namespace trammel
