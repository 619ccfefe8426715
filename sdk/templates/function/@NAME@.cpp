// Plugin `@TYPE@`: a function of one argument. EDIT: which one.
//
//   f(x) = height tanh((x - centre) / width)                                                                      (1)
#include <trammel/sdk/elements/auto_function.h>
#include <trammel/sdk/plugin.h>

namespace {

using namespace trammel;

class @CLASS@ final : public sdk::AutoFunction<@CLASS@> {
 public:
  struct Parameters {  // EDIT: what users give in the run file
    double height, centre, width;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, height, "1", "Value far to the right."),
      TRAMMEL_FIELD(Parameters, centre, "1", "Argument at which the function is zero.").otherwise("0"),
      TRAMMEL_FIELD(Parameters, width, "1", "Width of the passage.").above(0));

  explicit @CLASS@(const Parameters& p) : p_(p) {}

  /// EDIT: the function. T is a number that carries three derivatives; the functions of jet.h work on it. If a
  /// derivative jumps somewhere, override `break_points` (function.h).
  template <class T>
  T value(const T& x) const {
    return p_.height * tanh((x - p_.centre) / p_.width);  // (1)
  }

 private:
  Parameters p_;
};

}  // namespace

TRAMMEL_PLUGIN("@TYPE@", "0.1.0", "BSD-3-Clause",
               component<@CLASS@>(Host::any, "@TYPE@", "Smooth passage from one value to another.", ""));
