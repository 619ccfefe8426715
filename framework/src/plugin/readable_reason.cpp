// Looking at memory that may not be there.
#include "plugin/readable_reason.h"

#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>

#include "plugin/utf8_text.h"

namespace trammel {
namespace {

constexpr std::size_t longest = 1000;

/// As much as can be read from there, through the system: a wrong address is an error then and no crash.
std::size_t read_memory(const char* from, char* to, std::size_t size) {
  constexpr std::uintptr_t page = 4096;
  std::size_t done = 0;
  while (done < size) {
    const std::uintptr_t at = reinterpret_cast<std::uintptr_t>(from) + done;
    const std::size_t part = std::min<std::size_t>(size - done, page - at % page);
    iovec local{to + done, part}, remote{reinterpret_cast<void*>(at), part};
    if (::process_vm_readv(::getpid(), &local, 1, &remote, 1, 0) == static_cast<ssize_t>(part)) {
      done += part;
      continue;
    }
    int ends[2];  // where the call above is forbidden
    if (::pipe2(ends, 0) != 0) return done;
    const bool readable = ::write(ends[1], reinterpret_cast<const void*>(at), part) == static_cast<ssize_t>(part) &&
                          ::read(ends[0], to + done, part) == static_cast<ssize_t>(part);
    ::close(ends[0]), ::close(ends[1]);
    if (!readable) return done;
    done += part;
  }
  return done;
}

}  // namespace

Status with_readable_reason(const Status& status) {
  if (status.ok()) return status;
  Status told = status;
  char text[longest + 1];
  const std::size_t known = status.what == nullptr ? 0 : read_memory(status.what, text, sizeof text);
  if (known == 0)
    told.what = status.what == nullptr ? "" : "(a reason at an address where nothing is)";
  else if (!is_utf8_text(text, known, true))
    told.what = "(a reason that is no text)";
  if (status.code < StatusCode::ok || status.code > StatusCode::failed) told.code = StatusCode::failed;
  return told;
}

}  // namespace trammel
