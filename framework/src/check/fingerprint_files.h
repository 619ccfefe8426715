// Fingerprints of what studies and files are made by: parts of fingerprint.cpp, one source each.
#pragma once

#include "check/check.h"
#include "check/digest.h"

namespace trammel::conformance {

/// Words that begin with a digit.
std::size_t numbers_in(const std::string& text);

/// Numbers and curves of runs of random samples.
void digest_metrics(Subject& subject, int calls, Digest& digest);
/// Files of random rows, and what the writer reads from them.
void digest_writers(Subject& subject, int calls, Digest& digest);
/// What the files of the cases become, numbers and words changed at random; until so many values came out.
void digest_importers(Subject& subject, int calls, Digest& digest);
/// Rows and files of the cases, numbers changed at random; until so many numbers came out.
void digest_analyses(Subject& subject, int calls, Digest& digest);

}  // namespace trammel::conformance
