// Plugin `input`: f(x) = u, a value that the program around the simulation sets between steps.
#include <string>

#include "trammel/function.h"
#include "trammel/host/host_input.h"
#include "trammel/sdk/math/bounds.h"
#include "trammel/sdk/offer_extensions.h"
#include "trammel/sdk/plugin.h"

namespace trammel {

class Input final : public Function, public HostInput, public FunctionBounds {
 public:
  struct Parameters {
    Text name;
    double value;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, name, "1", "What programs call it; functions of the same name get the same values."),
      TRAMMEL_FIELD(Parameters, value, "1", "Until a program sets another one, in the unit its user expects.")
          .otherwise("0"));

  explicit Input(const Parameters& p) : name_(p.name.view()), value_(p.value) {}

  Status evaluate(double, int order, double* value) const override {
    value[0] = value_;
    for (int k = 1; k <= order; ++k) value[k] = 0;
    return Status::success();
  }

  const char* name() const override { return name_.c_str(); }
  double value() const override { return value_; }
  void set(double value) override { value_ = value; }
  /// As long as the program sets no other.
  Status bounds(double, double, double* range) const override { return sdk::write_bounds(value_, range); }
  const void* extension(const char* id) const override {
    return sdk::offer_extensions<HostInput, FunctionBounds>(id, this, this);
  }

 private:
  std::string name_;
  double value_;
};

}  // namespace trammel

TRAMMEL_PLUGIN("input", "1.0.0", "BSD-3-Clause",
               component<Input>(Host::any, "input",
                                "A value that the program around the simulation sets between steps."));
