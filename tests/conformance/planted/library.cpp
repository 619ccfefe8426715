// A function in a library with a mistake of its own: FLUSH makes loading it set flush-to-zero.
#include <trammel/function.h>
#include <trammel/sdk/plugin.h>

#if defined(FLUSH)
#include <xmmintrin.h>
#endif

namespace {

using namespace trammel;

#if defined(FLUSH)
[[maybe_unused]] const int flushed = (_MM_SET_FLUSH_ZERO_MODE(_MM_FLUSH_ZERO_ON), 0);
#endif

class Line final : public Function {
 public:
  int max_order() const override { return 3; }
  Status evaluate(double x, int order, double* out) const override {
    for (int k = 0; k <= order; ++k) out[k] = k == 0 ? x : k == 1 ? 1 : 0;
    return Status::success();
  }
};

}  // namespace

/// What a library exports that was not built by trammel_add_plugin alone.
extern "C" __attribute__((visibility("default"))) int planted_extra_symbol() { return 1; }

TRAMMEL_PLUGIN(PLANTED_ID, "1.0.0", "BSD-3-Clause", component<Line>(Host::any, "good", "A line."));
