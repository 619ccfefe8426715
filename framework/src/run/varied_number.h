// The derivative of a model by one number, from differences over steps that are sought.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace trammel {

/// Entries first .. last - 1 of f that are judged together, by the largest of them.
struct DifferenceGroup {
  std::size_t first, last;
  double size;  ///< of what they are differences of, whose rounding they carry; 0: their own
};

/// f(p + h) for any p + h; throws Error(input) or Error(compute) where there is none.
using VariedNumber = std::function<std::vector<double>(double)>;

/// f_p at p, f(p) = `at`. Of every group from the step that leaves least of truncation, by what the derivative changes
/// with the step, and of rounding, by what the values look like they are off by over the step: from 1e-3 |p| downwards,
/// and upwards to 0.1 max(1, |p|) where rounding hides what p does. 0 where it is less than what rounding leaves, or no
/// bit changes. At the end of what p may be from one side.
/// Throws Error(compute), with `name` of p: f jumps or has a kink there, is on no side of p, or what is left is more than
/// 1e-8 of the largest entry of f_p and of f / max(1, |p|).
std::vector<double> varied_derivative(const VariedNumber& f, double p, const std::vector<double>& at,
                                      const std::vector<DifferenceGroup>& groups, const std::string& name);

}  // namespace trammel
