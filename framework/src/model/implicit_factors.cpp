// Implicit KKT matrices by handle.
#include "model/implicit_factors.h"

#include "plugin/breadcrumb.h"

namespace trammel {

Status ImplicitFactors::prepare(const KktMatrix& kkt, Index first, const Shift* shifts, Index count) {
  const ElementMark kernel(nullptr, "");  // of a large model it may take longer than a method may
  const auto end = static_cast<std::size_t>(first + count);
  if (end > factors_.size()) factors_.resize(end);
  Status status;
  for (Index k = 0; status && k < count; ++k) {
    const Shift& s = shifts[k];
    Factors& f = factors_[static_cast<std::size_t>(first + k)];
    if (s.real()) {
      if (f.real == nullptr) f.real = std::make_unique<ImplicitKkt>(linearization_, internal_);
      status = f.real->prepare(kkt, s.c0, s.c1);
    } else {
      if (f.complex == nullptr) f.complex = std::make_unique<ComplexKkt>(linearization_, internal_);
      status = f.complex->prepare(kkt, {s.c0, s.c0_imag}, {s.c1, s.c1_imag});
    }
  }
  return status;
}

}  // namespace trammel
