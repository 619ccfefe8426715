// Implicit KKT matrices by handle.
#include "model/implicit_factors.h"

#include <algorithm>

#include "model/model_kkt.h"
#include "plugin/breadcrumb.h"

namespace trammel {
namespace {

bool any_dropped(const KktMatrix& kkt) {
  return kkt.dropped != nullptr && std::any_of(kkt.dropped, kkt.dropped + kkt.rows, [](auto d) { return d != 0; });
}

}  // namespace

ImplicitFactors::Factors& ImplicitFactors::at(Index handle) {
  const auto k = static_cast<std::size_t>(handle);
  if (k >= factors_.size()) factors_.resize(k + 1);
  return factors_[k];
}

ImplicitKkt& ImplicitFactors::made(Index handle) {
  Factors& f = at(handle);
  if (f.real == nullptr) f.real = std::make_unique<ImplicitKkt>(linearization_, internal_);
  return *f.real;
}

Status ImplicitFactors::prepare(const KktMatrix& kkt, Index first, const Shift* shifts, Index count) {
  const ElementMark kernel(nullptr, "");  // of a large model it may take longer than a method may
  Status status = linearization_.settle();
  for (Index k = 0; status && k < count; ++k) {
    const Shift& s = shifts[k];
    if (s.real()) {
      status = made(first + k).prepare(kkt, s.c0, s.c1);
    } else {
      Factors& f = at(first + k);
      if (f.complex == nullptr) f.complex = std::make_unique<ComplexKkt>(linearization_, internal_);
      status = f.complex->prepare(kkt, {s.c0, s.c0_imag}, {s.c1, s.c1_imag});
    }
  }
  return status;
}

Status ImplicitFactors::prepare(ModelKkt& kkt, Index first, const Shift* shifts, Index count) {
  const KktMatrix& matrix = kkt.all_rows_on_demand();
  const ModelPoint& point = linearization_.point();
  const bool whole = !ImplicitKkt::is_small(point.assembly()) && !any_dropped(matrix) && point.extra_force() == nullptr;
  bool has_mass = false;
  for (Index k = 0; k < count; ++k) {
    const Shift& s = shifts[k];
    const bool in_twists = whole && by_twists_ && s.real();
    if (in_twists) {
      const Status status = made(first + k).prepare_twists(kkt, matrix, s.c0, s.c1);
      if (status) {
        linearization_.defer();
        continue;
      }
      if (status.code != StatusCode::singular && status.code != StatusCode::unsupported) return status;
    }
    if (!has_mass) kkt.mass_blocks();
    has_mass = true;
    if (const Status status = prepare(kkt.matrix_of_all_rows(), first + k, &s, 1); !status) return status;
    if (in_twists) by_twists_ = false;  // what no elimination can do says nothing
  }
  return Status::success();
}

}  // namespace trammel
