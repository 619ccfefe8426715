// LoadedLibraries: which plugins this process has loaded and where their code lies. For signal handlers, and for the process
// that watches this one: plain data, no locks, nothing that is ever freed.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>

namespace trammel {

struct LoadedLibrary {
  char id[128] = "";         ///< cut where it is longer
  std::uintptr_t begin = 0;  ///< of the library in memory, to `end`
  std::uintptr_t end = 0;
  bool own = false;  ///< installed with Trammel
};

struct LoadedLibraries {
  static constexpr std::size_t most = 256;
  LoadedLibrary entries[most];        ///< later ones are not told of
  std::atomic<std::size_t> count{0};  ///< of complete entries

  /// The library whose code or data an address is in, or nullptr.
  const LoadedLibrary* find(std::uintptr_t address) const;
  /// "'a', 'b'" of those that were not installed with Trammel, into a buffer that takes `capacity` bytes; how many.
  std::size_t foreign_names(char* text, std::size_t capacity) const;
};

/// Of this process.
LoadedLibraries& loaded_libraries();
/// From now on the entries are there: memory that another process sees, too. Before anything is loaded.
void keep_loaded_libraries_in(LoadedLibraries& place);

/// [setup] `inside`: an address in the library.
void note_loaded_library(const char* id, const void* inside, bool own);

}  // namespace trammel
