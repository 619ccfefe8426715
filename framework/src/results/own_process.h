// OwnProcess: that the process which writes results is the one that began them.
#pragma once

#include <unistd.h>

#include "trammel/error.h"

namespace trammel {

/// A plugin may copy the process (fork) and return in both: two would write the same files then.
class OwnProcess {
 public:
  /// [step] Throws Error(plugin) in a copy.
  void require() const {
    if (::getpid() == process_) return;
    throw Error(
        ErrorKind::plugin,
        "a plugin copied the process (fork) and the copy went on with the run; it ends here, and the process that "
        "began the results goes on alone");
  }

 private:
  pid_t process_ = ::getpid();
};

}  // namespace trammel
