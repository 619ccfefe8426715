// Failed operations in words.
#include "run/plant/status_text.h"

#include <fmt/format.h>

#include "plugin/readable_reason.h"

namespace trammel {

std::string explain(const Status& failed, Plant& plant) {
  const Status status = with_readable_reason(failed);
  if (status.code == StatusCode::not_finite) {
    const std::string culprit = plant.find_not_finite();
    if (!culprit.empty()) return culprit;
  }
  const std::string subject = plant.subject(status), what = status.what;
  if (status.code == StatusCode::failed && what.ends_with(':')) return what.substr(0, what.size() - 1);  // a sentence
  const bool conditioned = status.code == StatusCode::singular && status.subject < 0 && status.value > 1;
  const bool iterated = status.code == StatusCode::not_converged && status.value != 0;
  if (status.code == StatusCode::out_of_domain && what.find("no finite value") != std::string::npos) {
    return fmt::format(
        "{}{}; look for roots and logarithms of negative numbers and divisions by zero in its formulas "
        "and functions",
        what, subject.empty() ? "" : " at " + subject);
  }
  const std::string number = conditioned ? fmt::format(" (condition {:.2g})", status.value)
                             : iterated  ? fmt::format(" (last change {:.3g})", status.value)
                                         : std::string();
  return fmt::format("{}{}{}{}{}", status.what, *status.what != '\0' ? " " : "", status_name(status.code), number,
                     subject.empty() ? "" : " at " + subject);
}

}  // namespace trammel
