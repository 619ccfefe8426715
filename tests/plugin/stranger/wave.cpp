// A function of a third party.
#include <trammel/function.h>
#include <trammel/sdk/plugin.h>

#include <cmath>

namespace {

class Wave final : public trammel::Function {
 public:
  struct Parameters {
    double height;
  };
  static constexpr auto parameters =
      trammel::sdk::table<Parameters>(TRAMMEL_FIELD(Parameters, height, "m", "Height of the crests.").at_least(0));

  explicit Wave(const Parameters& p) : height_(p.height) {}

  trammel::Status evaluate(double x, int order, double* value) const override {
    for (int i = 0; i <= order; ++i) value[i] = height_ * std::sin(x + i * std::acos(0.0));
    return trammel::Status::success();
  }

 private:
  double height_;
};

}  // namespace

TRAMMEL_PLUGIN("stranger.wave", "0.1.0", "MIT", component<Wave>(Host::any, "stranger.wave", "Waves."));
