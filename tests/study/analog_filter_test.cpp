// The filters of metrics: weightings against the tables of ISO 2631-1, Butterworth's against closed forms, and in time.
#include "analog_filter.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "shape_response.h"

using namespace trammel::channel_statistics;

namespace {

constexpr double pi = std::numbers::pi;

double magnitude(const Shape& shape, double frequency) { return std::abs(response(shape, {0, 2 * pi * frequency})); }

struct Printed {
  double frequency, thousandths, digit;  ///< Hz; the factor times 1000, and what its last digit is worth
};

/// Largest output of a settled filter for the input sin(omega t), given at samples and linear between them.
double settled_amplitude(const Shape& shape, double frequency, double h) {
  const AnalogFilter filter(shape);
  std::vector<double> memory(filter.size());
  filter.settle(0, memory.data());
  const double omega = 2 * pi * frequency, end = 60 / frequency;
  double largest = 0;
  for (double t = 0; t < end; t += h) {
    filter.advance(h, std::sin(omega * t), std::sin(omega * (t + h)), memory.data());
    if (t > end - 2 / frequency)
      largest = std::max(largest, std::abs(filter.output(std::sin(omega * (t + h)), memory.data())));
  }
  return largest;
}

}  // namespace

// ISO 2631-1:1997, Tables 3 and 4. W_d at 10 Hz is printed as 212, which its own formula contradicts (202); it is left out.
TEST_CASE("frequency weightings are those of the standard's tables") {
  const Printed of_k[] = {{0.1, 31.2, 0.1}, {0.125, 48.6, 0.1}, {0.16, 79.0, 0.1}, {0.2, 121, 1},  {0.25, 182, 1},
                          {0.315, 263, 1},  {0.4, 352, 1},      {0.5, 418, 1},     {0.63, 459, 1}, {0.8, 477, 1},
                          {1, 482, 1},      {1.25, 484, 1},     {1.6, 494, 1},     {2, 531, 1},    {2.5, 631, 1},
                          {3.15, 804, 1},   {4, 967, 1},        {5, 1039, 1},      {6.3, 1054, 1}, {8, 1036, 1},
                          {10, 988, 1},     {12.5, 902, 1},     {16, 768, 1},      {20, 636, 1},   {25, 513, 1},
                          {31.5, 405, 1},   {40, 314, 1},       {50, 246, 1},      {63, 186, 1},   {80, 132, 1},
                          {100, 88.7, 0.1}, {125, 54.0, 0.1},   {160, 28.5, 0.1}};
  const Printed of_d[] = {{0.1, 62.4, 0.1},  {0.125, 97.3, 0.1}, {0.16, 158, 1},  {0.2, 243, 1},   {0.25, 365, 1},
                          {0.315, 530, 1},   {0.4, 713, 1},      {0.5, 853, 1},   {0.63, 944, 1},  {0.8, 992, 1},
                          {1, 1011, 1},      {1.25, 1008, 1},    {1.6, 968, 1},   {2, 890, 1},     {2.5, 776, 1},
                          {3.15, 642, 1},    {4, 512, 1},        {5, 409, 1},     {6.3, 323, 1},   {8, 253, 1},
                          {12.5, 161, 1},    {16, 125, 1},       {20, 100, 1},    {25, 80.0, 0.1}, {31.5, 63.2, 0.1},
                          {40, 49.4, 0.1},   {50, 38.8, 0.1},    {63, 29.5, 0.1}, {80, 21.1, 0.1}, {100, 14.1, 0.1},
                          {125, 8.63, 0.01}, {160, 4.55, 0.01}};
  const Printed of_f[] = {
      {0.02, 24.2, 0.1}, {0.025, 37.7, 0.1}, {0.0315, 59.7, 0.1}, {0.04, 97.1, 0.1}, {0.05, 157, 1},   {0.063, 267, 1},
      {0.08, 461, 1},    {0.1, 695, 1},      {0.125, 895, 1},     {0.16, 1006, 1},   {0.2, 992, 1},    {0.25, 854, 1},
      {0.315, 619, 1},   {0.4, 384, 1},      {0.5, 224, 1},       {0.63, 116, 1},    {0.8, 53.0, 0.1}, {1, 23.5, 0.1}};
  const auto check = [](const Shape& shape, const auto& table) {
    for (const Printed& row : table) {
      CAPTURE(row.frequency);
      CHECK(std::abs(1000 * magnitude(shape, row.frequency) - row.thousandths) < row.digit);
    }
  };
  check(weighting(wk), of_k);
  check(weighting(wd), of_d);
  check(weighting(wf), of_f);
}

TEST_CASE("Butterworth's magnitudes") {
  for (const int order : {1, 2, 3, 5, 8}) {
    CAPTURE(order);
    for (const double f : {0.1, 1.0, 3.0, 7.0, 40.0}) {
      CAPTURE(f);
      CHECK(std::abs(magnitude(low_pass(order, 3), f) * std::sqrt(1 + std::pow(f / 3, 2 * order)) - 1) < 1e-12);
      CHECK(std::abs(magnitude(high_pass(order, 3), f) * std::sqrt(1 + std::pow(3 / f, 2 * order)) - 1) < 1e-12);
      const double x = (f * f - 2 * 8) / (f * (8 - 2));  // of the low-pass filter behind the band
      CHECK(std::abs(magnitude(band_pass(order, 2, 8), f) * std::sqrt(1 + std::pow(x * x, order)) - 1) < 1e-11);
    }
  }
}

TEST_CASE("in time, filters answer as their magnitudes say, whatever the samples") {
  for (const Shape& shape : {low_pass(4, 3), high_pass(3, 1), band_pass(2, 0.5, 4), weighting(wk), weighting(wd)}) {
    for (const double f : {0.9, 2.0}) {
      const double expected = magnitude(shape, f);
      // Chords of a sine of 500 samples are too small by (pi / 500)^2 / 3 in their own amplitude at most.
      CHECK(std::abs(settled_amplitude(shape, f, 1 / (500 * f)) / expected - 1) < 1e-4);
    }
  }
}

TEST_CASE("a step's answer is exact: one long step or many short ones") {
  const AnalogFilter filter(low_pass(2, 1));
  std::vector<double> one(filter.size()), many(filter.size());
  filter.settle(0, one.data()), filter.settle(0, many.data());
  filter.advance(0.4, 1, 1, one.data());
  for (int i = 0; i < 400; ++i) filter.advance(0.001, 1, 1, many.data());
  const double w = 2 * pi, a = w / std::sqrt(2.0), t = 0.4;  // 1 - e^{-at} (cos at + sin at)
  const double expected = 1 - std::exp(-a * t) * (std::cos(a * t) + std::sin(a * t));
  CHECK(std::abs(filter.output(1, one.data()) - expected) < 1e-13);
  CHECK(std::abs(filter.output(1, many.data()) - expected) < 1e-12);
  filter.settle(2.5, one.data());
  CHECK(std::abs(filter.output(2.5, one.data()) - 2.5) < 1e-14);
}
