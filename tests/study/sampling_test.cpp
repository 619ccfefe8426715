// Samples: distributions against OpenTURNS, points against what defines them, and what wrong sections are told.
#include "study/sampling.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "config/json_source.h"
#include "study/estimates.h"
#include "study_text.h"

namespace trammel {
namespace {

Sampling read(const std::string& text, Problems& problems) { return Sampling(parse_json(text, "sample"), problems); }

Sampling read(const std::string& text) {
  Problems problems;
  Sampling sampling = read(text, problems);
  for (const std::string& line : problems.lines()) FAIL(line);
  return sampling;
}

std::string said(const std::string& text) {
  Problems problems;
  const Sampling sampling = read(text, problems);
  CHECK(sampling.size() == 0);
  std::string all;
  for (const std::string& line : problems.lines()) all += line + "\n";
  return all;
}

std::vector<double> column(const Sampling& sampling, std::size_t i) {
  std::vector<double> values;
  for (std::size_t k = 0; k < sampling.size(); ++k) values.push_back(sampling.value(k, i));
  return values;
}

double correlation(const std::vector<double>& x, const std::vector<double>& y) {
  const double confidence = 0.95, mx = estimate_mean(x, confidence).value, my = estimate_mean(y, confidence).value;
  double xy = 0;
  for (std::size_t k = 0; k < x.size(); ++k) xy += (x[k] - mx) * (y[k] - my);
  return xy / static_cast<double>(x.size() - 1) / estimate_deviation(x, confidence).value /
         estimate_deviation(y, confidence).value;
}

const char* const two_normal =
    R"({"method": "%", "count": 4096, "seed": 3, "distributions": {
        "parameters.a": {"type": "normal", "mean": 0, "deviation": 1},
        "parameters.b": {"type": "normal", "mean": 5, "deviation": 2}},
        "correlations": [{"between": ["parameters.b", "parameters.a"], "value": 0.7}]})";

std::string with_method(const std::string& method) {
  std::string text = two_normal;
  return text.replace(text.find('%'), 1, method);
}

}  // namespace

TEST_CASE("quantiles are those of OpenTURNS 1.20") {
  struct Row {
    const char* distribution;
    double at[4];  ///< quantiles of 0.001, 0.3, 0.5, 0.97, by computeQuantile
  };
  const Row rows[] = {
      {R"({"type": "uniform", "min": -1, "max": 3})", {-0.996, 0.19999999999999996, 1.0, 2.88}},
      {R"({"type": "log_uniform", "min": 0.1, "max": 10})",
       {0.10046157902783955, 0.39810717055349737, 1.0000000000000004, 8.709635899560809}},
      {R"({"type": "normal", "mean": 2, "deviation": 0.5})",
       {0.4548838469160934, 1.7377997436459796, 2.0, 2.9403968040756254}},
      {R"({"type": "lognormal", "log_mean": 0.3, "log_deviation": 0.4})",
       {0.39215703400129603, 1.09443669259742, 1.3498588075760032, 2.8642812418881873}},
      {R"({"type": "truncated_normal", "mean": 1, "deviation": 2, "min": 0, "max": 1.5})",
       {0.001648041005940959, 0.4704332626538352, 0.7669686513981371, 1.4550964463234524}},
      // By bisection of erfc: OpenTURNS is 1.5e-12 off at 0.97.
      {R"({"type": "truncated_normal", "mean": 0, "deviation": 1, "min": 4, "max": 9})",
       {4.000236764464562, 4.083618833258701, 4.161104278597881, 4.763750494574264}},
      {R"({"type": "triangular", "min": 1, "mode": 1.5, "max": 4})",
       {1.0387298334620743, 1.70871215252208, 2.0635083268962915, 3.525658350974743}},
      {R"({"type": "exponential", "mean": 2.5})",
       {0.0025012508339588334, 0.8916873598468308, 1.732867951399863, 8.766394743299951}},
      {R"({"type": "weibull", "shape": 1.7, "scale": 3})",
       {0.05158734289651376, 1.6358828402943182, 2.4181830515577625, 6.275372327064952}},
      {R"({"type": "gamma", "shape": 2.2, "scale": 0.5})",
       {0.03304189588515742, 0.6283798166104044, 0.9385705916795045, 2.8467401229880935}},
      {R"({"type": "beta", "alpha": 2, "beta": 3.5, "min": -1, "max": 1})",
       {-0.9772472084097317, -0.5156430682872939, -0.3078278995042595, 0.4910731150247858}},
  };
  for (const Row& row : rows) {
    Problems problems;
    const Distribution distribution(parse_json(row.distribution, "test"), "", problems);
    REQUIRE(problems.empty());
    INFO(std::string(row.distribution));
    const double shares[] = {0.001, 0.3, 0.5, 0.97};
    for (int i = 0; i < 4; ++i) CHECK(distribution.quantile(shares[i]) == doctest::Approx(row.at[i]).epsilon(1e-12));
  }
}

TEST_CASE("discrete values come as often as their weights say") {
  Problems problems;
  const Distribution distribution(
      parse_json(R"({"type": "discrete", "values": [3, 1, 7, 9], "weights": [1, 2, 1, 0]})", "test"), "", problems);
  REQUIRE(problems.empty());
  CHECK(distribution.quantile(1e-12) == 3);
  CHECK(distribution.quantile(0.25) == 3);
  CHECK(distribution.quantile(0.2500001) == 1);
  CHECK(distribution.quantile(0.75) == 1);
  CHECK(distribution.quantile(1 - 1e-16) == 7);  // 9 has no weight
}

TEST_CASE("Philox gives the numbers of its authors") {
  // kat_vectors of Random123: philox 4x32 10, counter and key 0: 6627e8d5 e169c58d ...
  const std::uint64_t bits = 0xe169c58d6627e8d5ULL;
  CHECK(random_number(0, 0, 0, 0) == (static_cast<double>(bits >> 12) + 0.5) * std::ldexp(1.0, -52));
}

TEST_CASE("a Latin hypercube has one point in each slice") {
  const std::size_t count = 100, dimensions = 3;
  const std::vector<double> points = unit_points(SampleMethod::latin_hypercube, count, dimensions, 7);
  for (std::size_t d = 0; d < dimensions; ++d) {
    std::set<int> slices;
    for (std::size_t k = 0; k < count; ++k)
      slices.insert(static_cast<int>(points[k * dimensions + d] * static_cast<double>(count)));
    CHECK(slices.size() == count);
  }
  CHECK(points != unit_points(SampleMethod::latin_hypercube, count, dimensions, 8));
}

TEST_CASE("Sobol's sequence is that of Joe and Kuo (2008), moved by a digital shift") {
  // Their direction numbers new-joe-kuo-6 in Gray code's order.
  const double expected[8][3] = {{0, 0, 0},
                                 {0.5, 0.5, 0.5},
                                 {0.75, 0.25, 0.25},
                                 {0.25, 0.75, 0.75},
                                 {0.375, 0.375, 0.625},
                                 {0.875, 0.875, 0.125},
                                 {0.625, 0.125, 0.875},
                                 {0.125, 0.625, 0.375}};
  const std::vector<double> points = unit_points(SampleMethod::sobol, 8, 3, 5);
  const double scale = std::ldexp(1.0, 52);
  const auto bits = [&](double u) { return static_cast<std::uint64_t>(u * scale); };
  for (std::size_t d = 0; d < 3; ++d) {
    const std::uint64_t shift = bits(points[d]);
    for (std::size_t k = 0; k < 8; ++k) CHECK((bits(points[3 * k + d]) ^ shift) == bits(expected[k][d]));
  }
  // The first 64 points of two dimensions are a net: one in each box of 1/8 by 1/8.
  const std::vector<double> net = unit_points(SampleMethod::sobol, 64, 2, 9);
  std::set<int> boxes;
  for (std::size_t k = 0; k < 64; ++k)
    boxes.insert(static_cast<int>(net[2 * k] * 8) * 8 + static_cast<int>(net[2 * k + 1] * 8));
  CHECK(boxes.size() == 64);
}

TEST_CASE("points do not depend on how many there are, except in Latin hypercubes") {
  for (const SampleMethod method : {SampleMethod::monte_carlo, SampleMethod::sobol}) {
    const std::vector<double> few = unit_points(method, 10, 4, 2), many = unit_points(method, 1000, 4, 2);
    CHECK(std::equal(few.begin(), few.end(), many.begin()));
  }
}

TEST_CASE("correlations are those of the normal variables") {
  for (const char* method : {"monte_carlo", "latin_hypercube", "sobol"}) {
    const Sampling sampling = read(with_method(method));
    const std::vector<double> a = column(sampling, 0), b = column(sampling, 1);
    INFO(std::string(method));
    CHECK(correlation(a, b) == doctest::Approx(0.7).epsilon(0.03));
    CHECK(std::abs(estimate_mean(a, 0.95).value) < 0.06);
    CHECK(estimate_mean(b, 0.95).value == doctest::Approx(5).epsilon(0.03));
    CHECK(estimate_deviation(b, 0.95).value == doctest::Approx(2).epsilon(0.03));
  }
}

TEST_CASE("Saltelli's design is A, B and A with one parameter of B each") {
  const Sampling sampling = read(R"({"count": 16, "indices": true, "distributions": {
      "parameters.a": {"type": "uniform", "min": 0, "max": 1}, "parameters.b": {"type": "uniform", "min": 0, "max": 1}}})");
  REQUIRE(sampling.size() == 64);
  CHECK(sampling.base_points() == 16);
  for (std::size_t k = 0; k < 16; ++k) {
    CHECK(sampling.value(32 + k, 0) == sampling.value(16 + k, 0));
    CHECK(sampling.value(32 + k, 1) == sampling.value(k, 1));
    CHECK(sampling.value(48 + k, 0) == sampling.value(k, 0));
    CHECK(sampling.value(48 + k, 1) == sampling.value(16 + k, 1));
    CHECK(sampling.value(k, 0) != sampling.value(16 + k, 0));
  }
}

TEST_CASE("wrong samples are refused with what would be right") {
  const auto of = [](const std::string& keys) {
    return said(R"({"count": 10, "distributions": {"parameters.a": {"type": "uniform", "min": 0, "max": 1},
                    "parameters.b": {"type": "normal", "mean": 0, "deviation": 1}, "parameters.c": {"type": "discrete", "values": [1, 2]}})" +
                keys + "}");
  };
  const auto with = [](const std::string& distribution) {
    return said(R"({"count": 10, "distributions": {"parameters.a": )" + distribution + "}}");
  };
  CHECK(of(R"(, "methd": "sobol")").find("did you mean 'method'?") != std::string::npos);
  CHECK(of(R"(, "method": "sobl")").find("/sample/method") != std::string::npos);
  CHECK(of(R"(, "correlations": [{"between": ["parameters.a", "parameters.d"], "value": 0.1}])")
            .find("/sample/correlations/0/between/1: no distribution is given for 'parameters.d'") !=
        std::string::npos);
  CHECK(of(R"(, "correlations": [{"between": ["parameters.a", "parameters.a"], "value": 0.1}])").find("twice") !=
        std::string::npos);
  CHECK(of(R"(, "correlations": [{"between": ["parameters.a", "parameters.b"], "value": 1}])").find("/value") !=
        std::string::npos);
  CHECK(of(R"(, "correlations": [{"between": ["parameters.a", "parameters.c"], "value": 0.5}])").find("discrete") !=
        std::string::npos);
  CHECK(of(R"(, "indices": true, "correlations": [{"between": ["parameters.a", "parameters.b"], "value": 0.5}])")
            .find("without correlations") != std::string::npos);
  CHECK(with(R"({"type": "normale", "mean": 0, "deviation": 1})").find("did you mean 'normal'?") != std::string::npos);
  CHECK(with(R"({"type": "normal", "mean": 0, "deviation": 0})").find("/deviation") != std::string::npos);
  CHECK(with(R"({"type": "normal", "mean": 0})").find("deviation") != std::string::npos);
  CHECK(with(R"({"type": "uniform", "min": 2, "max": 1})").find("must be less than") != std::string::npos);
  CHECK(with(R"({"type": "triangular", "min": 0, "mode": 2, "max": 1})").find("must lie between") != std::string::npos);
  CHECK(with(R"({"type": "log_uniform", "min": 0, "max": 1})").find("/min") != std::string::npos);
  CHECK(with(R"({"type": "discrete", "values": [1, 2], "weights": [1]})").find("2 values and 1 weights") !=
        std::string::npos);
  CHECK(with(R"({"type": "discrete", "values": [1, 2], "weights": [0, 0]})").find("greater than 0") !=
        std::string::npos);
  CHECK(with(R"({"type": "truncated_normal", "mean": 0, "deviation": 1, "min": 50, "max": 60})").find("nothing of") !=
        std::string::npos);
  CHECK(with("3").find("needs a \"type\"") != std::string::npos);
  CHECK(said(R"({"count": 10})").find("/sample/distributions") != std::string::npos);
  CHECK(said(R"({"count": 10, "distributions": {}})").find("it names no parameter") != std::string::npos);
  const std::string one = R"("count": 4, "distributions": {"parameters.a": {"type": "uniform", "min": 0, "max": 1}}})";
  CHECK(said(R"({"seed": 9007199254740993, )" + one).find("/sample/seed") != std::string::npos);
  CHECK(read(R"({"seed": 9007199254740991, )" + one).size() == 4);
  const std::string three = R"({"count": 10, "distributions": {"a": {"type": "normal", "mean": 0, "deviation": 1},
      "b": {"type": "normal", "mean": 0, "deviation": 1}, "c": {"type": "normal", "mean": 0, "deviation": 1}},
      "correlations": [{"between": ["a", "b"], "value": 0.9}, {"between": ["b", "c"], "value": 0.9}, {"between": ["a", "c"], "value": -0.9}]})";
  CHECK(said(three).find("contradict each other") != std::string::npos);
}

TEST_CASE("cases of a sample, ranges and the best case are read") {
  StudyText text(R"({"trammel_study": 1, "base": "run.json",
      "vary": {"integrator.step": {"from": 0.1, "to": 0.4, "step": 0.1}, "x": {"from": 1, "to": 100, "count": 3, "scale": "log"}},
      "sample": {"count": 5, "distributions": {"parameters.k": {"type": "uniform", "min": 1, "max": 2}}},
      "metrics": {"m": {"type": "counter", "of": "steps"}}, "best": {"metric": "m", "goal": "largest"},
      "limits": {"time": 5}})");
  const StudyFile study = text.read();
  CHECK(text.problems.empty());
  REQUIRE(study.cases.size() == 4 * 3 * 5);
  CHECK(study.cases[0].name == "integrator.step=0.1,x=1,sample=1");
  CHECK(study.cases[0].sampled_group() == "integrator.step=0.1,x=1");
  CHECK(study.cases[0].name_without("x") == "integrator.step=0.1,sample=1");
  CHECK(study.cases[5].name == "integrator.step=0.1,x=10,sample=1");
  CHECK(study.cases[59].name == "integrator.step=0.4,x=100,sample=5");
  CHECK(study.cases[0].find("parameters.k")->number == study.cases[5].find("parameters.k")->number);  // common points
  CHECK(study.keep == Keep::numbers);
  CHECK(study.limits.time == 5);
  CHECK(study.best.goal == BestOptions::Goal::largest);
  CHECK(study.sample.points == 5);
}

TEST_CASE("wrong ranges and parts are told") {
  const auto said_of = [](const std::string& keys) {
    return StudyText(R"({"trammel_study": 1, "base": "run.json", )" + keys + "}").said();
  };
  CHECK(said_of(R"("vary": {"x": {"from": 1, "to": 2}})").find("needs either \"count\" or \"step\"") !=
        std::string::npos);
  CHECK(said_of(R"("vary": {"x": {"from": 1, "to": 2, "count": 3, "step": 1}})").find("either") != std::string::npos);
  CHECK(said_of(R"("vary": {"x": {"from": 1, "to": 2, "step": -1}})").find("does not lead") != std::string::npos);
  CHECK(said_of(R"("vary": {"x": {"from": -1, "to": 2, "count": 4, "scale": "log"}})").find("same sign") !=
        std::string::npos);
  CHECK(said_of(R"("vary": {"x": {"from": 1, "to": 2, "cuont": 4}})").find("did you mean 'count'?") !=
        std::string::npos);
  CHECK(said_of(R"("vary": {"x": {"from": 0, "to": 20000, "step": 1}})").find("allows 1000000") != std::string::npos);
  CHECK(said_of(R"("keep": "file")").find("did you mean 'files'?") != std::string::npos);
  CHECK(said_of(R"("best": {"metrc": "m"})").find("did you mean 'metric'?") != std::string::npos);
  CHECK(said_of(R"("limits": {"time": -1})").find("/limits/time") != std::string::npos);
  CHECK(
      said_of(
          R"("set": {"a": 1}, "sample": {"count": 3, "distributions": {"a": {"type": "uniform", "min": 0, "max": 1}}})")
          .find("is set by the study as well") != std::string::npos);
}

}  // namespace trammel
