// Which element of a model is to blame, in words.
#pragma once

#include <string>

namespace trammel {

class ModelPoint;

/// The element whose evaluation failed last ("'spring' (type 'tsda')"), "" if none did.
std::string failed_element(const ModelPoint& point);
/// Its place in the run file's system: "forces/spring".
std::string failed_element_key(const ModelPoint& point);
/// The element whose outputs at the last (finite) point are not finite, in words, or "".
std::string find_not_finite(const ModelPoint& point);

}  // namespace trammel
