// Where laws of forces switch: zeros of their switching functions, and break points of their functions of positions.
#pragma once

#include <string>
#include <vector>

#include "model/assembly.h"
#include "trammel/extensions/element_extensions.h"
#include "trammel/function.h"

namespace trammel {

class ConstrainedModel;

/// Watches arguments x against ascending points (switching functions: against zero). From a step's start x lies in a
/// window between two points; the function that the search for events looks at is positive inside and negative outside,
/// however many points x has passed.
class Kinks {
 public:
  /// [setup] Of all elements that tell them. Forces of these names may change: they get room for more switches.
  Kinks(const Assembly& assembly, const std::vector<std::string>& changing);

  std::size_t count() const { return kinks_.size(); }
  /// Numbers per kink that travel behind the functions: argument, window, largest argument so far.
  static constexpr std::size_t notes_each = 3;
  const std::string& element(std::size_t i) const { return sources_[kinks_[i].source].slot->name; }
  const char* name(std::size_t i) const { return kinks_[i].name; }
  /// 1 if the argument left its window upwards in the last `evaluate`, else -1.
  int direction(std::size_t i) const;

  /// [step] A step begins where `values` and `notes` were found: windows move to the side on which the arguments are.
  void begin_step(double* values, double* notes);
  /// [step] The functions at the model's last evaluated state.
  void evaluate(const ConstrainedModel& model, double* values, double* notes);
  /// [step] Forces were made anew. Throws Error(input): one has more switches than there is room for.
  void rebuild();

 private:
  struct Argument {
    const FunctionSwitches* switches;  ///< of the function, may be null
    bool sharp, smooth;                ///< whether it has break points of this kind
  };
  /// An element that tells something, and its part of the kinks.
  struct Source {
    const ElementSlot* slot;
    const ForceSlot* force;  ///< the slot, if it is a force's
    std::size_t first, room;
    const LawSwitches* law = nullptr;
    const StateFunctions* functions = nullptr;
    std::vector<Argument> arguments = {};  ///< of its functions
  };
  struct Kink {
    std::size_t source;
    const char* name = "";
    std::vector<double> points = {};  ///< none: nothing to watch
    std::size_t reach = 0;            ///< points inside a window on either side
    double low = 0, high = 0;         ///< the present window
    double segment = 0;               ///< number of points below it, negative: not chosen yet
    double largest = 0;               ///< argument so far
    double x = 0;                     ///< the last one
  };

  void add(const ElementSlot& slot, const ForceSlot* force, const Extensible& element, bool changes);
  /// What the element tells, now.
  std::vector<Kink> list(const Extensible& element, Source& source) const;
  void find_arguments(const ConstrainedModel& model, const Source& source);
  void make_room(const Source& source);
  static void open(Kink& kink, double segment);
  static double inside(const Kink& kink);

  std::vector<Source> sources_;
  std::vector<Kink> kinks_;
  std::vector<double> value_, rate_, switch_;
};

/// [setup] Whether the law of an element switches at `s`, within rounding: one of its switching functions vanishes, or the
/// argument of one of its functions stands on a break point where that is not smooth.
bool at_switch(const Extensible& element, const ElementState& s);

}  // namespace trammel
