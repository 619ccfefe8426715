// What the rank watch of a linear solver says of rows that hardly differ.
#pragma once

#include "check/check.h"

namespace trammel::conformance {

/// Fails where a watch names other rows than those that hardly differ, or other sines than theirs.
void judge_watch(Subject& subject);

}  // namespace trammel::conformance
