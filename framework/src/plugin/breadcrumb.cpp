// Naming the plugin in errors that come out of its code.
#include "plugin/breadcrumb.h"

#include <fmt/format.h>

#include "trammel/error.h"

namespace trammel {

thread_local constinit Breadcrumb breadcrumb;

namespace {

std::string where(const char* plugin, const char* element, const char* phase) {
  if (*element == 0) return fmt::format("plugin '{}', {}", plugin, phase);
  return fmt::format("plugin '{}', '{}', {}", plugin, element, phase);
}

}  // namespace

void rethrow_named(const char* plugin, const char* element, const char* phase) {
  try {
    throw;
  } catch (const Error& error) {
    // Wrong input found by the plugin: the reader of the run file adds file, line and path to it.
    if (!error.key().empty()) throw Error::parameter(error.key(), error.what());
    throw Error(error.kind(), fmt::format("{}: {}", where(plugin, element, phase), error.what()));
  } catch (const std::exception& error) {
    throw Error(ErrorKind::plugin,
                fmt::format("{}: the plugin threw: {}", where(plugin, element, phase), error.what()));
  } catch (...) {
    throw Error(ErrorKind::plugin, fmt::format("{}: the plugin threw something that is not a std::exception",
                                               where(plugin, element, phase)));
  }
}

void blame_marked() {
  const char* plugin = breadcrumb.plugin.load();
  const char* element = breadcrumb.element.load();
  const char* phase = breadcrumb.phase.load();
  try {
    throw;
  } catch (const Error&) {
    throw;
  } catch (...) {
    if (plugin == nullptr) throw;
    rethrow_named(plugin, element != nullptr ? element : "", phase != nullptr ? phase : "evaluation");
  }
}

}  // namespace trammel
