// LawSwitches of an element in two lines: what switches, and the member function that evaluates it.
#pragma once

#include <vector>

#include "trammel/extensions/element_extensions.h"
#include "trammel/text/expression.h"

namespace trammel::sdk {

/// A member of the element, offered in its `extension`:
///
///   switches_.add("law", formula_);                       in the constructor, in the order of evaluation
///   OwnSwitches<Damper> switches_{*this, &Damper::switch_values};
///
/// with `Status switch_values(const ElementState& s, double* out) const` that writes what was added, a formula's by
/// `formula_.switches(variables, out)`. Everything is NaN before, which says that it does not matter here.
template <class Element>
class OwnSwitches final : public LawSwitches {
 public:
  using Values = Status (Element::*)(const ElementState& s, double* out) const;

  OwnSwitches(const Element& element, Values values) : element_(element), values_(values) {}

  /// [setup] One function, or all of a formula. `name`: of the event, a literal.
  void add(const char* name) { names_.push_back(name); }
  void add(const char* name, const Expression& formula) { names_.insert(names_.end(), formula.switches(), name); }

  Index switch_count() const override { return static_cast<Index>(names_.size()); }
  const char* switch_name(Index i) const override { return names_[static_cast<std::size_t>(i)]; }
  Status switch_values(const ElementState& s, VectorView out) const override {
    return (element_.*values_)(s, out.data);
  }

 private:
  const Element& element_;
  Values values_;
  std::vector<const char*> names_;
};

}  // namespace trammel::sdk
