// Columns: all channels a run can write, the selection a run file asks for, and their values at a state.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/model.h"
#include "run/engine.h"

namespace trammel {

/// A state ready for output.
struct Sample {
  const Observation* observation = nullptr;
  double h = 0;           ///< the step that led here
  double dissipated = 0;  ///< J
  double work = 0;        ///< J
};

/// Channels that are computed together.
class ColumnGroup {
 public:
  virtual ~ColumnGroup() = default;
  std::vector<std::string> names;
  /// Not meant by the owner's bare name: accelerations.
  bool on_request = false;
  /// Part of the default selection.
  bool by_default = false;
  /// [step] All values, in the order of `names`.
  virtual void values(const Sample& sample, VectorView out) const = 0;
};

class Columns {
 public:
  /// [setup] All channels of the model and, unless `engine` is null, of the integrator, in the order of DESIGN section
  /// 7.
  Columns(const Model& model, Plant& plant, const Engine* engine);

  /// [setup] Selects by exact names or dotted prefixes ("crank", "pin.force", "crank.acceleration"); `all`: everything;
  /// empty: the default. Throws Error(input) with the nearest name; the position in `channels` is in Error::key().
  void select(const std::vector<std::string>& channels, bool all);

  const std::vector<std::string>& names() const { return names_; }
  /// [step] One row, without t.
  void row(const Sample& sample, VectorView out);
  /// Every name there is.
  std::vector<std::string> available() const;

 private:
  struct Source {
    std::size_t group;
    Index position;
  };

  std::vector<std::unique_ptr<ColumnGroup>> groups_;
  std::vector<Source> sources_;
  std::vector<std::string> names_;
  std::vector<std::size_t> needed_;
  std::vector<Index> first_value_;
  std::vector<double> values_;
};

}  // namespace trammel
