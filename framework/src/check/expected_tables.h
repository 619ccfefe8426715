// What files of results should say: tables, JSON, texts and diagrams.
#pragma once

#include <filesystem>
#include <string>

#include "config/node.h"

namespace trammel::conformance {

/// Fails where `found` has not what `wanted` has: members of objects by name (null: none), numbers to `agreement` of the larger of 1
/// and their size.
void require_contents(const Node& found, const Node& wanted, double agreement, const std::string& path);

/// Fails where the two files differ: in shape, in text, or in a number by more than 1e-8 of the larger of 1 and its size.
/// Of JSON, `found` may have more. `expected` may be PICTURE.svg.csv with the columns frame, curve, x and y: points of
/// curves of the diagram `found`, which are read by the labels of its ticks; frames from 1. Rows whose curve is called "ticks of x"
/// or "ticks of y" list the ticks of an axis in the column x.
void require_file(const std::filesystem::path& found, const std::filesystem::path& expected);
/// The file of results that such a file is about.
std::filesystem::path file_of_results(const std::filesystem::path& expected);

}  // namespace trammel::conformance
