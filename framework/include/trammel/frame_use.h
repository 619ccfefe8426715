// FrameUse: what a parameter of an element says about the frame that its value is given in, for sub-models, which are
// placed as a whole.
#pragma once

#include <cstdint>

namespace trammel {

/// Value of ParameterRecord::count_min for vectors, directions, rotations and single numbers. A sub-model is moved and
/// turned with its bodies, and with everything else whose frame is that of its own floor. A vector that does not say its
/// frame cannot stand in a sub-model that is placed; a number that does not say it has none.
enum class FrameUse : std::int32_t {
  unsaid = 0,
  at_start = 1,        ///< global, in the initial configuration; of planar models also an angle
  on_first_body = 2,   ///< fixed in the first body of the element, or in its one body
  on_second_body = 3,  ///< fixed in its second body
  global =
      4,  ///< components along the ground's axes, no place; body-fixed where the key `frame` of the element is "body"
  of_body = 5,   ///< place, attitude or angle of a body at the start
  own_axes = 6,  ///< along axes of the element's own: of its frames, or of its body
  ground = 7     ///< of the ground wherever the sub-model is: the element cannot stand in one that is placed
};

}  // namespace trammel
