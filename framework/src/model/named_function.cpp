// Marks the plugin of a function while its code runs.
#include "model/named_function.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <set>
#include <string_view>
#include <vector>

#include "plugin/breadcrumb.h"
#include "plugin/readable_reason.h"
#include "trammel/error.h"

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
          fmt::format("function '{}' (type '{}', plugin '{}')", name_, component.type(), component.plugin_id())),
      overrun_(not_finite_ + " writes more values than it was asked for:") {}

NamedFunction::NamedFunction(const Function& function, const std::string& path, const std::string& what)
    : function_(&function),
      integral_(find_extension<FunctionIntegral>(function)),
      plugin_("trammel"),
      name_(short_name(path).c_str()),
      is_signal_(true),
      not_finite_(what),
      overrun_(what + " writes more values than it was asked for:") {}

Status NamedFunction::evaluate(double x, int order, double* value) const {
  const ElementMark mark(plugin_, name_);
  // One value too many would land in memory of the element that asked.
  constexpr int most = 4;
  constexpr double untouched = -7.25e77;
  double own[most + 1];
  double* const values = order < most ? own : value;
  if (order < most) own[order + 1] = untouched;
  const Status status = function_->evaluate(x, order, values);
  if (order < most && own[order + 1] != untouched) return Status::failure(StatusCode::failed, overrun_.c_str());
  if (!status) return with_readable_reason(status);
  for (int i = 0; i <= order; ++i) {
    if (!std::isfinite(values[i])) return Status::failure(StatusCode::not_finite, not_finite_.c_str());
    value[i] = values[i];
  }
  return status;
}

Index NamedFunction::break_points(double* x, Index capacity) const {
  constexpr Index most = 10'000'000;
  constexpr std::size_t room = 64;  // behind the points, where nothing may be written
  const auto refuse = [this](const std::string& why) {
    throw Error(ErrorKind::plugin, fmt::format("{}: break_points() {}", not_finite_, why));
  };
  const auto ask = [&](double* to, Index size) {
    return guarded(plugin_, name_, "break_points", [&] { return function_->break_points(to, size); });
  };
  const Index count = ask(nullptr, 0);
  if (count < 0 || count > most) refuse(fmt::format("returns {}; valid are 0 to {}", count, most));
  if (x == nullptr || capacity <= 0 || count == 0) return count;
  constexpr double untouched = -7.25e77;
  const auto size = static_cast<std::size_t>(count);
  std::vector<double> points(size + room, untouched);
  const Index again = ask(points.data(), count);
  if (again != count) refuse(fmt::format("returns {}, then {}", count, again));
  for (std::size_t i = 0; i < room; ++i) {
    if (points[size + i] != untouched) refuse(fmt::format("writes beyond its capacity of {}", count));
  }
  for (std::size_t i = 0; i < size; ++i) {
    if (!std::isfinite(points[i])) refuse(fmt::format("gives {} as point {}", points[i], i));
    if (i > 0 && points[i] < points[i - 1])
      refuse(fmt::format("gives {} behind {}: they must ascend", points[i], points[i - 1]));
  }
  std::copy_n(points.begin(), std::min(count, capacity), x);
  return count;
}

Status NamedFunction::antiderivative(double x, double* value) const {
  const ElementMark mark(plugin_, name_);
  const Status status = with_readable_reason(integral_->antiderivative(x, value));
  if (status && !std::isfinite(*value)) return Status::failure(StatusCode::not_finite, not_finite_.c_str());
  return status;
}

const void* NamedFunction::extension(const char* id) const {
  if (std::string_view(id) != FunctionIntegral::id) return function_->extension(id);
  return integral_ == nullptr ? nullptr : static_cast<const FunctionIntegral*>(this);
}

}  // namespace trammel
