// Did-you-mean: the nearest of the valid words, if one is near enough to be meant.
#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

namespace trammel {

/// Damerau-Levenshtein distance (optimal string alignment): insertions, deletions, replacements and swaps of
/// neighbours, each counting 1. Upper and lower case are the same.
inline std::size_t edit_distance(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  const std::size_t width = b.size() + 1;
  std::vector<std::size_t> table((a.size() + 1) * width);
  const auto cell = [&](std::size_t i, std::size_t j) -> std::size_t& { return table[i * width + j]; };
  for (std::size_t i = 0; i <= a.size(); ++i) cell(i, 0) = i;
  for (std::size_t j = 0; j <= b.size(); ++j) cell(0, j) = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = cell(i - 1, j - 1) + (lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1);
      cell(i, j) = std::min({replace, cell(i - 1, j) + 1, cell(i, j - 1) + 1});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) cell(i, j) = std::min(cell(i, j), cell(i - 2, j - 2) + 1);
    }
  }
  return cell(a.size(), b.size());
}

/// The word of `valid` nearest to `word`, or "". Near enough: at most 1 + length/5 edits and at most half the
/// letters; or `word`, of three letters or more, is the beginning of the valid word or holds it as its beginning. Of words
/// equally near, one of the same length: letters are swapped or mistaken more often than left out.
template <class Words>
std::string nearest(std::string_view word, const Words& valid) {
  std::string best;
  std::size_t best_distance = static_cast<std::size_t>(-1);
  if (word.size() > 64) return best;
  for (const auto& entry : valid) {
    const std::string_view candidate(entry);
    if (candidate.empty() || candidate.size() > 128) continue;
    const std::size_t longest = std::max(word.size(), candidate.size());
    const std::size_t shortest = std::min(word.size(), candidate.size());
    std::size_t distance = edit_distance(word, candidate);
    const bool begins = shortest >= 3 && word.substr(0, shortest) == candidate.substr(0, shortest);
    const bool near_enough = (distance <= 1 + longest / 5 && 2 * distance <= longest) || begins;
    const bool nearer = distance < best_distance ||
                        (distance == best_distance && candidate.size() == word.size() && best.size() != word.size());
    if (near_enough && nearer) {
      best_distance = distance;
      best = std::string(candidate);
    }
  }
  return best;
}

/// "; did you mean 'x'?" or "": to be appended to a message.
template <class Words>
std::string did_you_mean(std::string_view word, const Words& valid) {
  const std::string best = nearest(word, valid);
  return best.empty() ? std::string() : "; did you mean '" + best + "'?";
}

}  // namespace trammel
