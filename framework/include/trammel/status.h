// Outcome of a numerical operation: a value, never an exception and never a log line.
#pragma once

#include <cstdint>

namespace trammel {

enum class StatusCode : std::int32_t {
  ok = 0,
  not_finite,      ///< a NaN or an infinity appeared
  singular,        ///< a matrix that had to be regular is not
  not_converged,   ///< an iteration used up its steps
  out_of_domain,   ///< a function or an element was evaluated where it is not defined
  step_too_small,  ///< the step size fell below its limit
  unsupported,     ///< the operation does not exist for this object; the caller has an alternative
  failed,          ///< anything else; the `what` text says it
};

/// `subject` is the index of the coordinate, row, body or element meant by `what`, or -1.
/// `what` points to a string literal of the library that returned it (libraries stay loaded until exit).
struct Status {
  StatusCode code = StatusCode::ok;
  std::int32_t subject = -1;
  double value = 0;  ///< the number that decided: a pivot, a residual, a distance
  const char* what = "";

  bool ok() const { return code == StatusCode::ok; }
  explicit operator bool() const { return ok(); }

  static constexpr Status success() { return {}; }
  static constexpr Status failure(StatusCode code, const char* what, std::int32_t subject = -1, double value = 0) {
    return {code, subject, value, what};
  }
};

/// Word for a code, as `summary.json` and messages use it.
constexpr const char* status_name(StatusCode code) {
  switch (code) {
    case StatusCode::ok: return "ok";
    case StatusCode::not_finite: return "not finite";
    case StatusCode::singular: return "singular";
    case StatusCode::not_converged: return "not converged";
    case StatusCode::out_of_domain: return "out of domain";
    case StatusCode::step_too_small: return "step too small";
    case StatusCode::unsupported: return "unsupported";
    case StatusCode::failed: break;
  }
  return "failed";
}

}  // namespace trammel
