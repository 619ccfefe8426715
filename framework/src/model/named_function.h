// NamedFunction: a function of the run file as elements get it: what it does wrong is told with its own name.
#pragma once

#include <string>

#include "model/component.h"
#include "trammel/function.h"

namespace trammel {

/// Passes everything on. While the plugin's code runs it bears the mark, so that a crash, a hang or an exception is not
/// laid to the element that asked; values that are not finite become a failure that names it.
class NamedFunction final : public Function, public FunctionIntegral {
 public:
  /// `path`: where it stands in the run file. The component outlives this.
  NamedFunction(const Component& component, const std::string& path);
  /// A function of the kernel's own, which outlives this; `what`: "signal 'ramp'".
  NamedFunction(const Function& function, const std::string& path, const std::string& what);

  Status evaluate(double x, int order, double* value) const override;
  int max_order() const override { return function_->max_order(); }
  /// Throws Error(plugin): more than can be, others than it counted, not finite, not ascending, or written elsewhere.
  Index break_points(double* x, Index capacity) const override;
  Status antiderivative(double x, double* value) const override;
  const void* extension(const char* id) const override;
  /// Made of the kernel's own.
  bool is_signal() const { return is_signal_; }
  /// "forces/push/function"
  const char* name() const { return name_; }

 private:
  const Function* function_;
  const FunctionIntegral* integral_;
  const char* plugin_;
  const char* name_;
  bool is_signal_ = false;
  std::string not_finite_, overrun_;
};

}  // namespace trammel
