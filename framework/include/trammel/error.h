// The one exception type: wrong input, or a component that cannot do what was asked of it in setup. It does not cross
// the plugin boundary: the SDK turns it into a Refusal, the kernel turns that into an Error of its own.
#pragma once

#include <stdexcept>
#include <string>

#include "trammel/refusal.h"

namespace trammel {

/// Thrown in setup phases only; numerical failure is a Status. Components may throw it in their constructors.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}

  /// Wrong value of the parameter called `key` of the component that throws: the kernel turns the key into file,
  /// line and JSON path.
  static Error parameter(const std::string& key, const std::string& message) {
    Error error(ErrorKind::input, message);
    error.key_ = key;
    return error;
  }

  ErrorKind kind() const { return kind_; }
  const std::string& key() const { return key_; }

 private:
  ErrorKind kind_;
  std::string key_;
};

}  // namespace trammel
