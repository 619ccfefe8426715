// Wrong functions in run files are refused with the place and the reason.
#include <fstream>

#include "loaded_function.h"

namespace trammel {
namespace {

void check_refused(const std::string& json, const char* message) {
  CAPTURE(json);
  CHECK_THROWS_WITH_AS(LoadedFunction{json}, doctest::Contains(message), Error);
}

TEST_CASE("messages name the key and the reason") {
  check_refused(R"json({ "type": "step", "begin": 2, "end": 2 })json",
                "run.json:4: /system/forces/f/function/end: 'end' must be greater than 'begin'");
  check_refused(R"json({ "type": "expression", "formula": "sin(tt)" })json",
                "/system/forces/f/function/formula: unknown name 'tt' at column 5; did you mean 't'?");
  check_refused(R"json({ "type": "expression", "formula": "t", "break_points": [1, 1] })json",
                "break_points: break points ascend; entry 2 does not");
  check_refused(R"json({ "type": "fourier", "omega": 1, "frequency": 1, "sines": [1] })json",
                "takes either 'frequency'");
  check_refused(R"json({ "type": "fourier", "omega": 1 })json", "needs 'cosines', 'sines' or both");
  check_refused(R"json({ "type": "chirp", "begin": 1, "end": 0, "begin_frequency": 1, "end_frequency": 2 })json",
                "function/end: 'end' must be greater than 'begin'");
  check_refused(
      R"json({ "type": "chirp", "end": 1, "begin_frequency": 0, "end_frequency": 2, "sweep": "exponential" })json",
      "function/begin_frequency: an exponential sweep needs frequencies above zero");
  check_refused(R"json({ "type": "sum", "of": [1, 2], "weights": [1] })json",
                "function/weights: there are 2 functions in 'of' but 1 weights");
  check_refused(R"json({ "type": "sum", "of": [1, { "type": "step", "begin": 1, "end": 0 }] })json",
                "function/of/1/end: 'end' must be greater than 'begin'");
  check_refused(R"json({ "type": "piecewise", "pieces": [1, 2], "breaks": [1, 2] })json",
                "function/breaks: 2 pieces need 1 breaks, not 2");
  check_refused(R"json({ "type": "piecewise", "pieces": [1, 1, 1], "breaks": [2, 1] })json",
                "function/breaks: breaks ascend; entry 2 does not");
  check_refused(R"json({ "type": "piecewise", "pieces": [1, 3], "breaks": [2] })json",
                "function/pieces: the value jumps by 2.000000 at 2.000000; set 'continue_value'");
  check_refused(R"json({ "type": "integral", "of": { "type": "expression", "formula": "t" } })json",
                "function/until: this function does not know its integral in closed form");
  check_refused(R"json({ "type": "integral", "until": -1, "of": { "type": "expression", "formula": "t" } })json",
                "function/until: 'until' must be greater than 'from'");
  check_refused(R"json({ "type": "integral", "until": 1, "of": { "type": "expression", "formula": "log(t-2)" } })json",
                "function/of: the function is not defined everywhere between 0.0");
  check_refused(
      R"json({ "type": "integral", "until": 2, "of": { "type": "expression", "formula": "1/abs(t-0.77)" } })json",
      "function/of: the integral does not converge near 0.7");
}

TEST_CASE("splines say what is wrong with their table") {
  const std::string head = R"json({ "type": "spline", )json";
  check_refused(head + R"json("ends": "natural" })json", "a spline needs its points: 'x' and 'y', or 'file'");
  check_refused(head + R"json("x": [1, 2], "y": [1] })json",
                "function/y: there are 2 arguments in 'x' but 1 values in 'y'");
  check_refused(head + R"json("x": [1], "y": [1] })json", "function/x: a cubic spline needs at least 2 points, not 1");
  check_refused(head + R"json("x": [1, 2, 3], "y": [1, 2, 1], "ends": "periodic" })json",
                "function/x: a periodic spline needs at least 4 points, not 3");
  check_refused(head + R"json("x": [1, 2, 3, 4], "y": [1, 2, 1, 2], "ends": "periodic" })json",
                "function/y: the first and the last value of a periodic spline must be equal");
  check_refused(head + R"json("x": [1, 3, 2], "y": [1, 2, 1] })json",
                "function/x: the arguments of a spline ascend; point 3 (2.000000) does not exceed the one before");
  check_refused(head + R"json("x": [1, 2], "y": [1, 2], "x_column": "t" })json",
                "function/x_column: columns belong to 'file'");
  check_refused(head + R"json("file": "nowhere.csv" })json", "function/file: there is no file 'nowhere.csv'");

  const std::filesystem::path folder = temporary_run_file("").parent_path();
  const auto csv = [&](const char* text) { std::ofstream(folder / "bad.csv") << text; };
  csv("t,x\n0,1\n1,two\n");
  check_refused(head + R"json("file": "bad.csv" })json", "bad.csv:3: 'two' is not a number");
  csv("t,x\n0,1\n\n1\n");
  check_refused(head + R"json("file": "bad.csv" })json", "bad.csv:4: has 1 column, column 2 is needed");
  csv("time,lift\n0,1\n1,2\n");
  check_refused(head + R"json("file": "bad.csv", "y_column": "lif" })json",
                "bad.csv has no column 'lif'; did you mean 'lift'?");
  csv("0,1\n1,2\n");
  check_refused(head + R"json("file": "bad.csv", "y_column": "lift" })json", "bad.csv has no header row");
  csv("t,x\n0,1\n");
  check_refused(head + R"json("file": "bad.csv" })json",
                "function/file: a cubic spline needs at least 2 points, not 1");
}

}  // namespace
}  // namespace trammel
