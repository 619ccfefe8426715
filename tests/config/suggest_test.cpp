// Did-you-mean: swaps count once, far words are not suggested.
#include "trammel/text/suggest.h"

#include <doctest/doctest.h>

using trammel::did_you_mean;
using trammel::edit_distance;
using trammel::nearest;

TEST_CASE("edit distance counts insertions, deletions, replacements and swaps") {
  CHECK(edit_distance("length", "length") == 0);
  CHECK(edit_distance("lenght", "length") == 1);
  CHECK(edit_distance("lengt", "length") == 1);
  CHECK(edit_distance("kitten", "sitting") == 3);
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("MASS", "mass") == 0);
}

TEST_CASE("only a near word is suggested") {
  const std::vector<std::string> valid = {"length", "stiffness", "damping", "axis", "bodies"};
  CHECK(nearest("lenght", valid) == "length");
  CHECK(nearest("stiff", valid) == "stiffness");
  CHECK(nearest("bodys", valid) == "bodies");
  CHECK(nearest("Axis", valid) == "axis");
  CHECK(nearest("colour", valid) == "");
  CHECK(nearest("x", valid) == "");
  CHECK(nearest("tpi", std::vector<std::string>{"pi", "tip", "tpa"}) == "tip");
  CHECK(did_you_mean("axes", valid) == "; did you mean 'axis'?");
  CHECK(did_you_mean("quaternion", valid) == "");
}
