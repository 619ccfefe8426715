// In which frame a parameter is given, where sdk::Field has no word for it: sub-models are moved and turned by that.
//
//   sdk::in_frame(TRAMMEL_FIELD(Parameters, wind, "m/s", "Velocity of the air, global."), FrameUse::global).optional()
//
// Places at the start and what is fixed in bodies say it with Field::at_start and Field::on_body.
#pragma once

#include "trammel/frame_use.h"
#include "trammel/sdk/field.h"

namespace trammel::sdk {

constexpr Field in_frame(Field field, FrameUse use) {
  field.record.count_min = static_cast<std::int32_t>(use);
  return field;
}

}  // namespace trammel::sdk
