// Columns: all channels a run can write, the selection a run file asks for, and their values at a state.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/constrained_model.h"
#include "model/model.h"
#include "record/declared_names.h"
#include "record/method_channels.h"
#include "record/sample.h"

namespace trammel {

/// Channels that are computed together.
class ColumnGroup {
 public:
  virtual ~ColumnGroup() = default;
  std::vector<std::string> names;
  /// SI unit of each, "1" without one; "": nobody declares it.
  std::vector<std::string> units;
  /// Not meant by the owner's bare name: accelerations.
  bool on_request = false;
  /// Part of the default selection.
  bool by_default = false;
  /// [step] All values, in the order of `names`.
  virtual void values(const Sample& sample, VectorView out) const = 0;
};

class Columns {
 public:
  /// [setup] All channels of the model, with its numbers (null: a problem without bodies), and of the method, in a fixed
  /// order. `observation` is that of the initial state.
  Columns(const Model& model, ConstrainedModel* numbers, const Observation& observation, MethodChannels method);

  /// [setup] Selects by exact names or dotted prefixes ("crank", "pin.force", "crank.acceleration"); `all`: everything;
  /// empty: the default. Throws Error(input) with the nearest name; the position in `channels` is in Error::key().
  void select(const std::vector<std::string>& channels, bool all);

  /// [setup] Frees what only `select` and `available` need, which know no channel from now on.
  void keep_selected();

  const std::vector<std::string>& names() const { return names_; }
  /// Of the same columns, as ColumnGroup has them.
  const std::vector<std::string>& units() const { return units_; }
  /// [step] One row, without t.
  void row(const Sample& sample, VectorView out);
  /// Every name there is.
  std::vector<std::string> available() const;

 private:
  struct Source {
    std::uint32_t group;
    Index position;
  };

  std::vector<std::unique_ptr<ColumnGroup>> groups_;
  std::vector<Source> sources_;
  std::vector<std::string> names_, units_;
  std::vector<std::size_t> needed_;
  std::vector<Index> first_value_;  ///< of each group among `values_`, and their end
  std::vector<double> values_;
};

/// [setup] Of a model with `coordinates` coordinates, and of the columns as they are selected.
DeclaredNames declared_names(const Model& model, Index coordinates, const Columns& columns);

}  // namespace trammel
