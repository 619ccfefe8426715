// Refusal: why a component cannot do what is asked of it in setup; how plugins tell without exceptions.
#pragma once

#include <cstdint>

namespace trammel {

/// What went wrong, as the command line's exit codes distinguish it.
enum class ErrorKind : std::int32_t {
  usage = 1,    ///< the command line
  input = 2,    ///< a file's content
  plugin = 3,   ///< a plugin or type not found, refused, or broken
  compute = 4,  ///< the computation failed, or its results could not be written
};

/// Plain data with buffers of the kernel, which are empty texts when a plugin gets it. Texts are UTF-8, end with a zero
/// and are cut where a buffer ends. sdk/refuse.h fills it from an exception.
struct Refusal {
  std::uint32_t struct_size;  ///< sizeof(Refusal) as the kernel sees it
  ErrorKind kind;             ///< `input` unless the plugin sets it
  char* key;                  ///< the parameter whose value is wrong, or "": the kernel adds file, line and path
  std::uint32_t key_capacity;
  std::uint32_t text_capacity;
  char* text;  ///< one sentence, without plugin and element
};

}  // namespace trammel
