// Inputs: values that are set from outside while a run goes on.
#pragma once

#include <string>
#include <vector>

#include "model/archive.h"
#include "model/model.h"

namespace trammel {

class Inputs {
 public:
  /// [setup] Those of the model's functions of type 'input'.
  explicit Inputs(Model& model);

  const std::vector<std::string>& names() const { return names_; }
  /// Throws Error(input): there is no such input.
  std::size_t find(const std::string& name) const;
  double value(std::size_t i) const { return model_.inputs()[i].value; }
  /// [step] What the model sees from now on; what follows from a new value is the caller's matter.
  void set(std::size_t i, double value);
  /// Names of those set since the last `taken`.
  const std::vector<std::string>& changed() const { return changed_; }
  void taken() { changed_.clear(); }
  /// With the state: an input may have been set before the checkpoint.
  void remember(Archive& archive);

 private:
  Model& model_;
  std::vector<std::string> names_, changed_;
};

}  // namespace trammel
