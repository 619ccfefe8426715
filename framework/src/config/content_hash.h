// Hashes that tell changed inputs from unchanged ones: of run files with the files they name, and of the kernel.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "config/run_file.h"

namespace trammel {

/// FNV-1a, 64 bits: nobody forges a study or a checkpoint.
class ContentHash {
 public:
  void add(std::string_view text);
  /// The resolved run file, and the contents of the files that its texts name (tables of splines and the like).
  void add(const RunFile& run);
  std::string text() const;

 private:
  void add_files(const Node& node, const std::filesystem::path& folder);
  void mix(std::uint64_t byte) { state_ = (state_ ^ byte) * 0x100000001b3ULL; }

  std::uint64_t state_ = 0xcbf29ce484222325ULL;
};

/// Build-id of the kernel library, or its version where there is none.
const std::string& kernel_build_id();

}  // namespace trammel
