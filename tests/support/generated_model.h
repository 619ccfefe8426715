// Mechanisms of any size: what configs/benchmarks/make_model.py writes.
#pragma once

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

#include "loaded_model.h"

namespace trammel {

/// A run file of `n` bodies or cells of this family ("revolute_chain", "four_bar", ...).
inline std::filesystem::path generated(const std::string& family, int n) {
  const std::filesystem::path file = temporary_run_file("", family + ".json");
  const std::string command = std::string("python3 ") + TRAMMEL_SOURCE_DIR + "/configs/benchmarks/make_model.py " +
                              family + " " + std::to_string(n) + " > " + file.string();
  REQUIRE(std::system(command.c_str()) == 0);
  return file;
}

}  // namespace trammel
