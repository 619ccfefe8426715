// Owners of SUNDIALS objects.
#pragma once

#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>
#include <sundials/sundials_nonlinearsolver.h>

#include <memory>
#include <new>

namespace trammel::sundials {

struct Deleter {
  void operator()(N_Vector v) const { N_VDestroy(v); }
  void operator()(SUNMatrix A) const { SUNMatDestroy(A); }
  void operator()(SUNLinearSolver solver) const { SUNLinSolFree(solver); }
  void operator()(SUNNonlinearSolver solver) const { SUNNonlinSolFree(solver); }
  void operator()(SUNContext context) const { SUNContext_Free(&context); }
};

template <class Pointer>
using Owner = std::unique_ptr<std::remove_pointer_t<Pointer>, Deleter>;

/// Throws std::bad_alloc where SUNDIALS had no memory, which is the only way in which its constructors fail here.
template <class Pointer>
Owner<Pointer> own(Pointer object) {
  if (object == nullptr) throw std::bad_alloc();
  return Owner<Pointer>(object);
}

inline Owner<SUNContext> make_context() {
  SUNContext context = nullptr;
  SUNContext_Create(nullptr, &context);
  return own(context);
}

}  // namespace trammel::sundials
