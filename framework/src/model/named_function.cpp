// Marks the plugin of a function while its code runs.
#include "model/named_function.h"

#include <fmt/format.h>

#include <cmath>
#include <mutex>
#include <set>
#include <string_view>

#include "plugin/breadcrumb.h"

namespace trammel {
namespace {

/// "forces/push/function" of "/system/forces/push/function". Kept for good: whoever tells of a failure may outlive the
/// model.
const std::string& short_name(std::string_view path) {
  static std::set<std::string>& names = *new std::set<std::string>;  // exit() in a plugin destroys statics first
  static std::mutex& guard = *new std::mutex;
  constexpr std::string_view system = "/system/";
  const std::lock_guard<std::mutex> lock(guard);
  return *names.emplace(path.substr(0, system.size()) == system ? path.substr(system.size()) : path).first;
}

}  // namespace

NamedFunction::NamedFunction(const Component& component, const std::string& path)
    : function_(&component.as<Function>()),
      integral_(find_extension<FunctionIntegral>(*function_)),
      plugin_(component.plugin_id().c_str()),
      name_(short_name(path).c_str()),
      not_finite_(
          fmt::format("function '{}' (type '{}', plugin '{}')", name_, component.type(), component.plugin_id())) {}

Status NamedFunction::evaluate(double x, int order, double* value) const {
  const ElementMark mark(plugin_, name_);
  const Status status = function_->evaluate(x, order, value);
  if (!status) return status;
  for (int i = 0; i <= order; ++i) {
    if (!std::isfinite(value[i])) return Status::failure(StatusCode::not_finite, not_finite_.c_str());
  }
  return status;
}

Status NamedFunction::antiderivative(double x, double* value) const {
  const ElementMark mark(plugin_, name_);
  const Status status = integral_->antiderivative(x, value);
  if (status && !std::isfinite(*value)) return Status::failure(StatusCode::not_finite, not_finite_.c_str());
  return status;
}

const void* NamedFunction::extension(const char* id) const {
  if (std::string_view(id) != FunctionIntegral::id) return function_->extension(id);
  return integral_ == nullptr ? nullptr : static_cast<const FunctionIntegral*>(this);
}

}  // namespace trammel
