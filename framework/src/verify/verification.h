// Verification of a finished run: another way at a tighter tolerance, compared channel by channel.
#pragma once

#include <string>
#include <vector>

#include "verify/compare.h"
#include "verify/run_record.h"

namespace trammel {

enum class Verdict {
  agrees,
  chaotic,    ///< agrees up to a time; what comes after it is explained by the growth of the tolerances
  confirmed,  ///< the second way disagreed, a third one agrees with the run
  disagrees,
  not_verified,  ///< no second way exists, or none of them ended
};

/// A way that was gone, or tried.
struct WayTaken {
  std::string what;     ///< "dopri853 under projection, rtol 1e-10, atol 1e-12"
  std::string failure;  ///< why it says nothing; "": it ended
  std::vector<std::string> warnings;
};

struct Verification {
  Verdict verdict = Verdict::not_verified;
  std::string text;      ///< the verdict in words
  std::string own;       ///< the run's way
  std::string compared;  ///< the way whose differences `comparison` holds
  std::vector<WayTaken> ways;
  std::string limit;  ///< what counts as disagreement, in words
  Comparison comparison;
  std::string analysis;

  bool good() const {
    return verdict == Verdict::agrees || verdict == Verdict::chaotic || verdict == Verdict::confirmed;
  }
  /// Fewest digits of all channels compared; 16 without any.
  double digits() const;
  /// Largest difference relative to the channel's scale.
  double error() const;
};

const char* verdict_name(Verdict verdict);

struct VerifyOrder {
  std::filesystem::path file;
  std::vector<std::string> set;
  PluginSearch plugins;
  /// Results of the completed run of this file; those of the other ways go to DIR/verification.
  std::filesystem::path folder;
};

/// Goes the other ways, and writes the outcome to `folder`: verification.json, and `verification` in summary.json.
/// Throws Error(input) as a run does; Error(compute) where nothing can be written, or the user interrupted.
Verification verify_run(const VerifyOrder& order, VerifyObserver& observer);

VerifyJson to_json(const Verification& verification);
/// A table for people.
std::string to_text(const Verification& verification);

}  // namespace trammel
