// OwnProcess: that the process which writes results is the one that began them.
#pragma once

#include <unistd.h>

#include "trammel/error.h"

namespace trammel {

/// A plugin may copy the process (fork) and return in both: two would write the same files then.
class OwnProcess {
 public:
  /// Whoever finds a copy says the same, because copies may be found at several places and print in any order.
  static constexpr const char* copied = "trammel: a plugin copied the process (fork); the copy ends here";

  bool is_copy() const { return ::getpid() != process_; }
  /// [step] Throws Error(plugin) in a copy.
  void require() const {
    if (is_copy()) throw Error(ErrorKind::plugin, copied);
  }

 private:
  pid_t process_ = ::getpid();
};

}  // namespace trammel
