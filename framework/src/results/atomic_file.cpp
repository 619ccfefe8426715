// Writing through a temporary file and a rename.
#include "results/atomic_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>

#include "trammel/error.h"

namespace trammel {

void write_atomically(const std::filesystem::path& file, const std::string& text) {
  const std::filesystem::path temporary = file.string() + ".tmp";
  const auto fail = [&] {
    const std::string reason = std::strerror(errno);
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    throw Error(ErrorKind::compute, file.string() + ": cannot be written: " + reason);
  };
  {
    std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
    out << text;
    out.close();
    if (!out) fail();
  }
  std::error_code error;
  std::filesystem::rename(temporary, file, error);
  if (error) {
    errno = error.value();
    fail();
  }
}

}  // namespace trammel
