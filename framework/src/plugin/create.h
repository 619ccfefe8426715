// Creating a component through its record, and what components refuse.
#pragma once

#include <string>

#include "trammel/model_info.h"
#include "trammel/plugin.h"
#include "trammel/refusal.h"

namespace trammel {

/// Buffers for a plugin's reasons.
class RefusalBuffer {
 public:
  RefusalBuffer();
  RefusalBuffer(const RefusalBuffer&) = delete;
  RefusalBuffer& operator=(const RefusalBuffer&) = delete;

  Refusal& refusal() { return refusal_; }
  /// Throws Error: of kind `input` with the key of the parameter that is wrong, otherwise with these names. `nothing`:
  /// where the plugin gave no reason.
  [[noreturn]] void raise(const std::string& plugin, const std::string& element, const char* phase,
                          const std::string& nothing);

 private:
  char key_[128] = "", text_[4096] = "";
  Refusal refusal_;
};

/// [setup] Never nullptr. `plugin`: its id; `element`: the component's name in the run file, or "". Throws Error: of
/// kind `input` with the key of the parameter that is wrong, otherwise with the names of plugin and element.
void* create_component(const ComponentRecord& record, const std::string& plugin, const std::string& element,
                       const void* parameters, const ModelInfo& model);

}  // namespace trammel
