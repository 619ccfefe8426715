// RunStatus: how a run ended.
#pragma once

namespace trammel {

enum class RunStatus { completed, failed, interrupted };

}  // namespace trammel
