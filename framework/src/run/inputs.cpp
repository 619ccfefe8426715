// Values from outside.
#include "run/inputs.h"

#include <fmt/format.h>

#include <algorithm>

#include "trammel/error.h"
#include "trammel/text/suggest.h"

namespace trammel {

Inputs::Inputs(Model& model) : model_(model) {
  for (const Model::InputSlot& slot : model.inputs()) names_.push_back(slot.name);
}

std::size_t Inputs::find(const std::string& name) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  if (found != names_.end()) return static_cast<std::size_t>(found - names_.begin());
  throw Error(ErrorKind::input, fmt::format("there is no input '{}'{}", name,
                                            names_.empty() ? "; the run file has no function of type 'input'"
                                                           : did_you_mean(name, names_)));
}

void Inputs::set(std::size_t i, double value) {
  if (value == this->value(i)) return;
  model_.set_input(i, value);
  changed_.push_back(names_[i]);
}

void Inputs::remember(Archive& archive) {
  for (std::size_t i = 0; i < names_.size(); ++i) {
    double value = this->value(i);
    archive.values("input." + names_[i], value);
    if (archive.restores()) model_.set_input(i, value);
  }
}

}  // namespace trammel
