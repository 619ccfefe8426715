// MethodChoice: what the program chose for a run file that says "auto", and why.
#pragma once

#include <string>

#include "config/method_request.h"

namespace trammel {

struct MethodChoice {
  MethodTypes types;   ///< of the run, whoever named them
  std::string reason;  ///< a sentence; "": nothing was chosen
  std::string text;    ///< both sections, to paste into the run file

  bool made() const { return !reason.empty(); }
};

}  // namespace trammel
