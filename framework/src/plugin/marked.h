// A call with the mark of whose code runs in it.
#pragma once

#include <utility>

#include "plugin/breadcrumb.h"

namespace trammel {

/// [hot] As ElementMark around one call, whose value this returns: an exception passes with the mark left in place.
/// Without questions whether an exception is on its way, which cost more than the rows of a small model.
template <class F>
auto marked(const char* plugin, const char* element, F&& call) -> decltype(call()) {
  const char* const outer_plugin = breadcrumb.plugin.load(std::memory_order_relaxed);
  const char* const outer_element = breadcrumb.element.load(std::memory_order_relaxed);
  mark_element(plugin, element);
  decltype(call()) result = std::forward<F>(call)();
  mark_element(outer_plugin, outer_element);
  return result;
}

}  // namespace trammel
