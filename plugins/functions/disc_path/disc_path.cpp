// Plugin `disc_path`: how high the centre of a rigid disc rises as it rolls over a half-cylinder that lies on a plane.
//
//   D = R + r,  u(s) = sqrt(D^2 - s^2),  h = u - R for |s| <= sqrt(D^2 - R^2), else 0                              (1)
//   u' = -s / u,  u'' = -D^2 / u^3,  u''' = -3 D^2 s / u^5                                                         (2)
//
// The slope jumps where the disc meets the cylinder and leaves it: break points. A point that followed the cylinder
// itself would meet a vertical wall.
#include <cmath>

#include "trammel/function.h"
#include "trammel/sdk/math/bounds.h"
#include "trammel/sdk/offer_extensions.h"
#include "trammel/sdk/plugin.h"

namespace trammel {

class DiscPath final : public Function, public FunctionBounds {
 public:
  struct Parameters {
    double centre;
    double disc_radius;
    double cylinder_radius;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, centre, "m", "Argument over the cylinder's axis."),
      TRAMMEL_FIELD(Parameters, disc_radius, "m", "Radius R of the disc.").above(0),
      TRAMMEL_FIELD(Parameters, cylinder_radius, "m", "Radius r of the half-cylinder.").above(0));

  explicit DiscPath(const Parameters& p)
      : centre_(p.centre),
        R_(p.disc_radius),
        D_(p.disc_radius + p.cylinder_radius),
        half_(std::sqrt(D_ * D_ - R_ * R_)) {}

  Status evaluate(double x, int order, double* value) const override {
    const double s = x - centre_;
    double h[4] = {0, 0, 0, 0};
    if (std::abs(s) < half_) {
      const double u = std::sqrt(D_ * D_ - s * s), D2 = D_ * D_;
      h[0] = u - R_;                                                                      // (1)
      h[1] = -s / u, h[2] = -D2 / (u * u * u), h[3] = -3 * D2 * s / (u * u * u * u * u);  // (2)
    }
    for (int k = 0; k <= order; ++k) value[k] = h[k];
    return Status::success();
  }
  Index break_points(double* x, Index capacity) const override {
    const double both[2] = {centre_ - half_, centre_ + half_};
    for (Index k = 0; k < capacity && k < 2; ++k) x[k] = both[k];
    return 2;
  }
  /// Highest over the axis, falling on both sides.
  Status bounds(double from, double to, double* range) const override {
    double f[3] = {0, 0, 0};
    evaluate(from, 0, f), evaluate(to, 0, f + 1),
        evaluate(from > centre_ ? from
                 : to < centre_ ? to
                                : centre_,
                 0, f + 2);
    return sdk::write_bounds(sdk::hull(f[2], sdk::hull(f[0], f[1])), range);
  }
  const void* extension(const char* id) const override { return sdk::offer_extensions<FunctionBounds>(id, this); }

 private:
  double centre_, R_, D_, half_;
};

}  // namespace trammel

TRAMMEL_PLUGIN("disc_path", "1.0.0", "BSD-3-Clause",
               component<DiscPath>(Host::any, "disc_path", "Path of a rigid disc's centre over a half-cylinder."));
