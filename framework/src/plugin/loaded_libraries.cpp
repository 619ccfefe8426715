// The table of loaded plugins. What handlers call here neither allocates nor locks.
#include "plugin/loaded_libraries.h"

#include <link.h>

#include <algorithm>
#include <cstring>
#include <mutex>

namespace trammel {
namespace {

LoadedLibraries own_table;
std::atomic<LoadedLibraries*> current_table{&own_table};

struct Extent {
  std::uintptr_t inside, begin, end;
};

/// For dl_iterate_phdr: the loaded object that holds the address.
int look_at(dl_phdr_info* object, std::size_t, void* data) {
  auto& wanted = *static_cast<Extent*>(data);
  std::uintptr_t begin = UINTPTR_MAX, end = 0;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = object->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD) continue;
    begin = std::min<std::uintptr_t>(begin, object->dlpi_addr + segment.p_vaddr);
    end = std::max<std::uintptr_t>(end, object->dlpi_addr + segment.p_vaddr + segment.p_memsz);
  }
  if (wanted.inside < begin || wanted.inside >= end) return 0;
  wanted.begin = begin, wanted.end = end;
  return 1;
}

}  // namespace

const LoadedLibrary* LoadedLibraries::find(std::uintptr_t address) const {
  const std::size_t known = std::min(count.load(std::memory_order_acquire), most);
  for (std::size_t i = 0; i < known; ++i) {
    if (address >= entries[i].begin && address < entries[i].end) return &entries[i];
  }
  return nullptr;
}

std::size_t LoadedLibraries::foreign_names(char* text, std::size_t capacity) const {
  std::size_t used = 0, named = 0;
  const auto add = [&](const char* part) {
    while (*part != 0 && used + 1 < capacity) text[used++] = *part++;
  };
  const std::size_t known = std::min(count.load(std::memory_order_acquire), most);
  for (std::size_t i = 0; i < known; ++i) {
    if (entries[i].own) continue;
    add(named++ == 0 ? "'" : ", '");
    add(entries[i].id);
    add("'");
  }
  if (capacity > 0) text[used] = 0;
  return named;
}

LoadedLibraries& loaded_libraries() { return *current_table.load(); }

void keep_loaded_libraries_in(LoadedLibraries& place) { current_table.store(&place); }

void note_loaded_library(const char* id, const void* inside, bool own) {
  static std::mutex& guard = *new std::mutex;
  const std::lock_guard<std::mutex> lock(guard);
  LoadedLibraries& table = loaded_libraries();
  Extent extent{reinterpret_cast<std::uintptr_t>(inside), 0, 0};
  if (table.find(extent.inside) != nullptr || table.count.load() >= LoadedLibraries::most) return;
  dl_iterate_phdr(look_at, &extent);
  LoadedLibrary& entry = table.entries[table.count.load()];
  std::strncpy(entry.id, id, sizeof entry.id - 1);
  entry.begin = extent.begin, entry.end = extent.end, entry.own = own;
  table.count.fetch_add(1, std::memory_order_release);
}

}  // namespace trammel
