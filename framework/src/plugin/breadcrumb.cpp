// Naming the plugin in errors that come out of its code.
#include "plugin/breadcrumb.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "trammel/error.h"

namespace trammel {

thread_local constinit Breadcrumb breadcrumb;
thread_local constinit Culprit culprit{};

namespace {

template <std::size_t size>
void copy(const std::atomic<const char*>& from, char (&to)[size]) {
  const char* text = from.load(std::memory_order_relaxed);
  const std::size_t length = text == nullptr ? 0 : ::strnlen(text, size - 1);
  std::copy_n(text, length, to);
  to[length] = 0;
}

std::string where(const char* plugin, const char* element, const char* phase) {
  if (*element == 0) return fmt::format("plugin '{}', {}", plugin, phase);
  return fmt::format("plugin '{}', '{}', {}", plugin, element, phase);
}

std::string thrown_by(const char* plugin, const char* element, const char* phase) {
  return culprit.known ? where(culprit.plugin, culprit.element, *culprit.phase != 0 ? culprit.phase : phase)
                       : where(plugin, element, phase);
}

}  // namespace

void Culprit::note() {
  if (known || breadcrumb.plugin.load() == nullptr) return;
  copy(breadcrumb.plugin, plugin), copy(breadcrumb.element, element), copy(breadcrumb.phase, phase);
  known = true;
}

void rethrow_named(const char* plugin, const char* element, const char* phase) {
  try {
    throw;
  } catch (const Error& error) {
    // Wrong input found by the plugin: the reader of the run file adds file, line and path to it.
    if (!error.key().empty()) throw Error::parameter(error.key(), error.what());
    const std::string said = error.what();
    if (said.starts_with("plugin '")) throw;  // it names the one it means
    throw Error(error.kind(), fmt::format("{}: {}", where(plugin, element, phase), said));
  } catch (const std::exception& error) {
    throw Error(ErrorKind::plugin,
                fmt::format("{}: the plugin threw: {}", thrown_by(plugin, element, phase), error.what()));
  } catch (...) {
    throw Error(ErrorKind::plugin,
                thrown_by(plugin, element, phase) + ": the plugin threw something that is not a std::exception");
  }
}

void rethrow_marked(const char* phase) {
  const char* plugin = breadcrumb.plugin.load();
  const char* element = breadcrumb.element.load();
  rethrow_named(plugin != nullptr ? plugin : "", element != nullptr ? element : "", phase);
}

void blame_marked() {
  const char* plugin = breadcrumb.plugin.load();
  const char* phase = breadcrumb.phase.load();
  try {
    throw;
  } catch (const Error&) {
    throw;
  } catch (...) {
    if (plugin == nullptr && !culprit.known) throw;
    rethrow_marked(phase != nullptr ? phase : "evaluation");
  }
}

}  // namespace trammel
