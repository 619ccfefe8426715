// plugin_driver FOLDER TYPE [behind | inside]: creates the function TYPE and evaluates it, guarded as the command line guards
// plugins; then the kernel works for a second, behind a plugin's call or inside one.
#include <chrono>
#include <cstdio>
#include <string>
#include <thread>

#include "cli/crash_guard.h"
#include "cli/end_record.h"
#include "model/no_model.h"
#include "plugin/breadcrumb.h"
#include "plugin/create.h"
#include "plugin/floating_point_mode.h"
#include "plugin/host.h"
#include "trammel/error.h"
#include "trammel/function.h"

namespace {

/// As where bodies' forces are evaluated, and where a method has the kernel solve for it.
void work(const std::string& place, const char* plugin) {
  using namespace trammel;
  const auto second = [] { std::this_thread::sleep_for(std::chrono::milliseconds(1200)); };
  if (place == "behind") {
    {
      const ElementMark mark(plugin, "");
      mark_element(plugin, "f");
    }
    second();
  } else if (place == "inside") {
    const PhaseScope scope(plugin, "", "step");
    const ElementMark kernel(nullptr, "");
    second();
  }
}

}  // namespace

int main(int argc, char** argv) {
  using namespace trammel;
  cli::install_crash_guard();
  try {
    PluginHost host({{argv[1], "driver"}});
    const LoadedComponent component = host.find(ComponentKind::function, Host::any, argv[2]);
    const NoModel model;
    const FloatingPointMode mode = FloatingPointMode::current();
    const std::string& id = component.plugin->id;
    void* object = create_component(*component.record, id, "f", nullptr, model);
    double value[1];
    guarded(id, "f", "evaluate", [&] { static_cast<Function*>(object)->evaluate(0, 0, value); });
    component.record->destroy(object);
    if (argc > 3) work(argv[3], id.c_str());
    if (const char* changed = mode.difference(FloatingPointMode::current())) {
      std::printf("changed: %s\n", changed);
      mode.restore();
      std::printf("restored: %s\n", mode.difference(FloatingPointMode::current()) == nullptr ? "yes" : "no");
    }
    cli::begin_to_end(0);
    return 0;
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    cli::begin_to_end(static_cast<int>(error.kind()));
    return static_cast<int>(error.kind());
  }
}
