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
  /// Throws Error of the plugin's kind: "<subject>: <reason>", or `nothing` as the reason.
  [[noreturn]] void raise_about(const std::string& subject, const std::string& nothing);
  /// As a plugin gets it.
  void clear() { refusal_.kind = ErrorKind::input, key_[0] = text_[0] = 0; }

 private:
  char key_[128] = "", text_[4096] = "";
  Refusal refusal_;
};

/// [setup] Never nullptr. `plugin`: its id; `element`: the component's name in the run file, or "". Throws Error: of
/// kind `input` with the key of the parameter that is wrong, otherwise with the names of plugin and element.
void* create_component(const ComponentRecord& record, const std::string& plugin, const std::string& element,
                       const void* parameters, const ModelInfo& model);

}  // namespace trammel
