// Sizes that components declare, looked at before they are used.
#include "model/declared_sizes.h"

#include <fmt/format.h>

#include <limits>
#include <new>

#include "trammel/body_state.h"
#include "trammel/error.h"

namespace trammel {

Index declared(Index value, Index most, const char* what, const std::string& whose) {
  if (value >= 0 && value <= most) return value;
  throw Error(ErrorKind::plugin, fmt::format("{}: {} is {}; valid are 0 to {}", whose, what, value, most));
}

void make_room(const MemorySize& size, const std::string& whose, std::initializer_list<std::vector<double>*> blocks) {
  const Index sizes[] = {size.state, size.scratch, size.cache};
  const char* const names[] = {"memory().state", "memory().scratch", "memory().cache"};
  std::size_t i = 0;
  for (std::vector<double>* block : blocks) {
    const Index wanted = declared(sizes[i], std::numeric_limits<Index>::max() / 2, names[i], whose);
    try {
      block->assign(static_cast<std::size_t>(wanted), 0.0);
    } catch (const std::bad_alloc&) {
      throw Error(ErrorKind::plugin,
                  fmt::format("{}: {} is {}: so many numbers do not fit into the memory that is left", whose, names[i],
                              wanted));
    }
    ++i;
  }
}

void require_body_sizes(const BodySystem& system, Host host, const std::string& type, const std::string& plugin) {
  constexpr Index most_bytes = 1 << 20;
  const bool planar = host == Host::planar;
  const auto require = [&](const char* what, Index value, Index wanted, bool more_is_allowed) {
    if (value == wanted || (more_is_allowed && value > wanted && value <= most_bytes)) return;
    throw Error(ErrorKind::plugin,
                fmt::format("plugin '{}': system '{}': {} is {}; a host of {} bodies has {}{}", plugin, type, what,
                            value, planar ? "planar" : "spatial", wanted, more_is_allowed ? " or more" : ""));
  };
  // Planar bodies that deform have up to three coordinates more; of spatial ones nothing knows how to yet.
  constexpr Index most_planar = SpatialBodyState::coordinates - 1;
  const bool deforms = planar && system.coordinates() > PlanarBodyState::coordinates;
  if (deforms && system.coordinates() > most_planar) {
    throw Error(ErrorKind::plugin,
                fmt::format("plugin '{}': system '{}': coordinates() is {}; planar bodies that deform "
                            "have at most {}",
                            plugin, type, system.coordinates(), most_planar));
  }
  if (!deforms) {
    require("coordinates()", system.coordinates(),
            planar ? PlanarBodyState::coordinates : SpatialBodyState::coordinates, false);
  }
  if (const BodyReduction* reduction = system.reduction())
    require("reduced_coordinates()", reduction->reduced_coordinates(), planar ? 3 : 6, deforms);
  require("state_bytes()", system.state_bytes(),
          static_cast<Index>(planar ? sizeof(PlanarBodyState) : sizeof(SpatialBodyState)), true);
}

}  // namespace trammel
