// Plugin `@TYPE@`: a function that a library computes. EDIT: which library, and what of it.
//
//   f(x) = scale K(x), with K, K', K'', K''' of the library                                                       (1)
#include <trammel/function.h>
#include <trammel/sdk/plugin.h>

#include "library/bell.h"  // EDIT: the header of your library

namespace {

using namespace trammel;

class @CLASS@ final : public Function {
 public:
  struct Parameters {  // EDIT: what users give in the run file
    double scale, width;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, scale, "1", "Largest value.").otherwise("1"),
      TRAMMEL_FIELD(Parameters, width, "1", "Argument at which it has fallen to exp(-1/2) of that.").above(0));

  /// EDIT: open what the library needs here, and close it in the destructor. What it refuses is told with the key.
  explicit @CLASS@(const Parameters& p) : scale_(p.scale), bell_(bell_open(p.width)) {
    if (bell_ == nullptr) throw Error::parameter("width", "the library has no function of this width");
  }
  ~@CLASS@() { bell_close(bell_); }
  @CLASS@(const @CLASS@&) = delete;
  @CLASS@& operator=(const @CLASS@&) = delete;

  /// EDIT: as many derivatives as the library gives, 2 at least.
  int max_order() const override { return 3; }
  /// Called in the inner loop, from several threads: the library may not allocate, lock, print or keep the last argument.
  Status evaluate(double x, int order, double* value) const override {
    if (bell_values(bell_, x, order, value) != 0)  // EDIT: no exception and no exit of the library gets out of here
      return Status::failure(StatusCode::out_of_domain, "the library has no value here", 0, x);
    for (int k = 0; k <= order; ++k) value[k] *= scale_;  // (1)
    return Status::success();
  }

 private:
  double scale_;
  bell* bell_;
};

}  // namespace

TRAMMEL_PLUGIN("@TYPE@", "0.1.0", "BSD-3-Clause",
               component<@CLASS@>(Host::any, "@TYPE@", "A bell-shaped function of a library.", ""));
