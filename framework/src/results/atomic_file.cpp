// Writing through a temporary file and a rename.
#include "results/atomic_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>

#include "trammel/error.h"

namespace trammel {

void write_atomically(const std::filesystem::path& file, const std::string& text) {
  // Devices and pipes (/dev/null, /dev/stdout) are written to: a rename would put a file in their place.
  std::error_code unknown;
  const std::filesystem::file_status there = std::filesystem::status(file, unknown);
  const bool in_place = std::filesystem::exists(there) && !std::filesystem::is_regular_file(there);
  const std::filesystem::path temporary = in_place ? file : std::filesystem::path(file.string() + ".tmp");
  const auto fail = [&] {
    const std::string reason = std::strerror(errno);
    std::error_code ignored;
    if (!in_place) std::filesystem::remove(temporary, ignored);
    throw Error(ErrorKind::compute, file.string() + ": cannot be written: " + reason);
  };
  {
    std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
    out << text;
    out.close();
    if (!out) fail();
  }
  if (in_place) return;
  std::error_code error;
  std::filesystem::rename(temporary, file, error);
  if (error) {
    errno = error.value();
    fail();
  }
}

}  // namespace trammel
