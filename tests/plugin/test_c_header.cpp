// The C header against the C++ headers: the place of every function in its table, and the ABI tag.
#include <doctest/doctest.h>

#include <cstddef>
#include <cstring>
#include <string>

#include "trammel/abi_tag.h"
#include "trammel/analysis.h"
#include "trammel/c_defaults.h"
#include "trammel/extensions/accepted_step.h"
#include "trammel/extensions/body_frames.h"
#include "trammel/extensions/carries_velocity_rows.h"
#include "trammel/extensions/contact.h"
#include "trammel/extensions/drawing.h"
#include "trammel/extensions/equilibrium_finder.h"
#include "trammel/extensions/event.h"
#include "trammel/extensions/factor_services.h"
#include "trammel/extensions/force_claims.h"
#include "trammel/extensions/formulation_extensions.h"
#include "trammel/extensions/function_bounds.h"
#include "trammel/extensions/host_services.h"
#include "trammel/extensions/integrator_extensions.h"
#include "trammel/extensions/least_solver_cost.h"
#include "trammel/extensions/parameter_derivatives.h"
#include "trammel/extensions/system_constraints.h"
#include "trammel/extensions/velocity_rows.h"
#include "trammel/function.h"
#include "trammel/model_info.h"

namespace {

struct Entry {
  const char* name;
  std::ptrdiff_t in_cpp;
  std::size_t in_c;
};

#if defined(__x86_64__)
/// Itanium C++ ABI 2.3: a pointer to a virtual function is 1 plus its offset in the table.
template <class Function>
std::ptrdiff_t place(Function function) {
  std::ptrdiff_t word[2];
  static_assert(sizeof(word) == sizeof(function));
  std::memcpy(word, &function, sizeof(word));
  return word[0] - 1;
}

#include "c_layout.inc"
#endif

}  // namespace

#if defined(__x86_64__)
TEST_CASE("every function of every table is where the compiler puts the virtual function") {
  std::size_t count = 0;
  for (const Entry& entry : entries) {
    CAPTURE(std::string(entry.name));
    CHECK(static_cast<std::size_t>(entry.in_cpp) == entry.in_c);
    ++count;
  }
  CHECK(count > 200);
}
#endif

TEST_CASE("the tag of the C header is that of the C++ headers") {
  CHECK(std::string(TRAMMEL_C_ABI_TAG) == trammel::abi_tag.data);
  CHECK(TRAMMEL_INTERFACE_EPOCH == trammel::interface_epoch);
  CHECK(TRAMMEL_SDK_MINOR == trammel::sdk_minor);
  CHECK(TRAMMEL_DESCRIPTOR_MAGIC == trammel::descriptor_magic);
}
