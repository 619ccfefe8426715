// Numbers that components declare about themselves, before the kernel makes room by them.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "trammel/linalg.h"
#include "trammel/memory.h"
#include "trammel/plugin.h"
#include "trammel/system.h"

namespace trammel {

/// [setup] `value`, which "'spring' (type 'acme.spring')" declares as `what` ("rows()"). Throws Error(plugin) unless
/// 0 <= value <= `most`.
Index declared(Index value, Index most, const char* what, const std::string& whose);

/// [setup] The same of a method's memory; `blocks` get room for it, set to zero. Throws Error(plugin): a negative size, or more
/// than there is.
void make_room(const MemorySize& size, const std::string& whose, std::initializer_list<std::vector<double>*> blocks);

/// [setup] Throws Error(plugin) unless the sizes of a host of bodies are those of its kind: coordinates, reduced
/// coordinates, a state that holds at least what elements read.
void require_body_sizes(const BodySystem& system, Host host, const std::string& type, const std::string& plugin);

}  // namespace trammel
