// The transfer function H(s) of a filter's shape, for tests.
#pragma once

#include "analog_filter.h"

namespace trammel::channel_statistics {

inline Complex response(const Shape& shape, Complex s) {
  Complex h = shape.gain;
  for (const Complex& zero : shape.zeros) h *= s - zero;
  for (const Complex& pole : shape.poles) h /= s - pole;
  return h;
}

}  // namespace trammel::channel_statistics
