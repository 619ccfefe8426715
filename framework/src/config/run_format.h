// The format of a run file: the number at its key `trammel`.
#pragma once

#include "config/run_file.h"

namespace trammel {

/// 1 or 2, of a run file that was read.
inline int format_of(const RunFile& run) { return static_cast<int>(run.document->find("trammel")->number); }

}  // namespace trammel
