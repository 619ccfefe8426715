// Indices of Eigen as sizes of the standard library, and its vectors as views.
#pragma once

#include <vector>

#include "trammel/linalg.h"

namespace trammel {

inline std::size_t count(Index n) { return static_cast<std::size_t>(n); }
inline VectorView view(std::vector<double>& x) { return {x.data(), static_cast<Index>(x.size())}; }
inline VectorView view(Eigen::VectorXd& x) { return {x.data(), static_cast<Index>(x.size())}; }

}  // namespace trammel
