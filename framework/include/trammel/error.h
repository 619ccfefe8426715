// The one exception type: wrong input, or a component that cannot do what was asked of it in setup.
#pragma once

#include <stdexcept>
#include <string>

namespace trammel {

/// What went wrong, as the command line's exit codes distinguish it.
enum class ErrorKind : int {
  usage = 1,    ///< the command line
  input = 2,    ///< a file's content
  plugin = 3,   ///< a plugin or type not found, refused, or broken
  compute = 4,  ///< the computation failed, or its results could not be written
};

/// Thrown in setup phases only; numerical failure is a Status. Plugins may throw it (or anything derived from
/// std::exception): the kernel catches once per phase, copies the text and adds plugin, element and phase.
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
