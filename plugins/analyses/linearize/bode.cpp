// Bode diagrams as SVG: magnitudes and phases over a logarithmic axis of frequency.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numbers>

#include "linear_files.h"

namespace trammel::linearize {
namespace {

using Eigen::Index;

constexpr double left = 70, width = 560, height = 260, top = 40, gap = 70, legend = 300;
constexpr std::size_t most_curves = 14;  // more cannot be told apart
/// M. Okabe, K. Ito, Color Universal Design (2008); dashed in a second round.
constexpr std::array<const char*, 7> colours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                "#000000", "#e69f00", "#56b4e9"};

struct Range {
  double low, high;
  double place(double x) const { return (x - low) / (high - low); }
};

template <class... Numbers>
std::string formatted(const char* format, Numbers... numbers) {
  char text[256];
  std::snprintf(text, sizeof text, format, numbers...);
  return text;
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  return out;
}

/// What values are shown in: whole steps of 1, 2 or 5 times a unit, eight at most.
Range range_of(const std::vector<std::vector<double>>& curves, double unit, double& step) {
  Range range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const std::vector<double>& curve : curves) {
    for (const double y : curve) {
      if (std::isfinite(y)) range.low = std::min(range.low, y), range.high = std::max(range.high, y);
    }
  }
  step = unit;
  if (!(range.low <= range.high)) return {0, unit};
  for (const double factor : {1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0}) {
    step = unit * factor;
    if ((range.high - range.low) / step <= 8) break;
  }
  range.low = step * std::floor(range.low / step), range.high = step * std::ceil(range.high / step);
  if (range.low == range.high) range.low -= step, range.high += step;
  return range;
}

struct Axes {
  Range x, y;
  double step, above;  ///< of the ticks of y; of the frame below the top of the picture

  std::string frame(const char* label) const {
    std::string text = formatted("<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" fill=\"none\" stroke=\"#444\"/>\n",
                                 left, above, width, height);
    for (double y_value = y.low; y_value <= y.high + 1e-9 * step; y_value += step) {
      const double at = above + height * (1 - y.place(y_value));
      text += formatted(
          "<path d=\"M%g %.2fh%g\" stroke=\"#ddd\"/><text x=\"%g\" y=\"%.2f\" text-anchor=\"end\">%g</text>\n", left,
          at, width, left - 6, at + 4, std::abs(y_value) < 1e-9 * step ? 0 : y_value);
    }
    const double decades = std::max(1.0, std::ceil((x.high - x.low) / 8));
    for (double power = std::ceil(x.low - 1e-9); power <= x.high + 1e-9; power += decades) {
      const double at = left + width * x.place(power);
      text += formatted(
          "<path d=\"M%.2f %gv%g\" stroke=\"#ddd\"/><text x=\"%.2f\" y=\"%g\" text-anchor=\"middle\">%g</text>\n", at,
          above, height, at, above + height + 18, std::pow(10, power));
    }
    const double middle = above + height / 2;
    text += formatted("<text x=\"%g\" y=\"%g\" text-anchor=\"middle\">frequency, Hz</text>\n", left + width / 2,
                      above + height + 38);
    text +=
        formatted("<text x=\"18\" y=\"%g\" text-anchor=\"middle\" transform=\"rotate(-90 18 %g)\">", middle, middle);
    return text + label + "</text>\n";
  }
  std::string curve(const std::vector<double>& frequencies, const std::vector<double>& values,
                    const std::string& style) const {
    std::string path;
    bool drawing = false;
    for (std::size_t k = 0; k < values.size(); ++k) {
      const bool shown = std::isfinite(values[k]);
      if (shown)
        path += (drawing ? "L" : "M") + formatted("%.2f %.2f", left + width * x.place(std::log10(frequencies[k])),
                                                  above + height * (1 - y.place(values[k])));
      drawing = shown;
    }
    return "<path " + style + " d=\"" + path + "\"/>\n";
  }
};

}  // namespace

File bode_picture(const Response& response) {
  Names names;
  std::vector<std::vector<double>> magnitudes, phases;
  for (std::size_t j = 0; j < response.inputs.size(); ++j) {
    for (std::size_t i = 0; i < response.outputs.size() && names.size() < most_curves; ++i) {
      const auto output = static_cast<Index>(i), input = static_cast<Index>(j);
      names.push_back(response.outputs[i] + " / " + response.inputs[j]);
      std::vector<double> magnitude, phase = response.phases(output, input);
      for (const Eigen::MatrixXcd& g : response.G) magnitude.push_back(20 * std::log10(std::abs(g(output, input))));
      for (double& angle : phase) angle *= 180 / std::numbers::pi;
      magnitudes.push_back(magnitude), phases.push_back(phase);
    }
  }
  Range x{std::log10(response.frequencies.front()), std::log10(response.frequencies.back())};
  if (!(x.high > x.low)) x.low -= 0.5, x.high += 0.5;
  Axes upper{x, {}, 0, top}, lower{x, {}, 0, top + height + gap};
  upper.y = range_of(magnitudes, 1, upper.step), lower.y = range_of(phases, 9, lower.step);
  const std::size_t all = response.inputs.size() * response.outputs.size();
  const double high = top + 2 * height + gap + 60;
  std::string text = formatted(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %g %g\" width=\"%g\" height=\"%g\" "
      "font-family=\"sans-serif\" "
      "font-size=\"13\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
      left + width + legend, high, left + width + legend, high);
  text += formatted("<text x=\"%g\" y=\"%g\" text-anchor=\"middle\" font-weight=\"bold\">Frequency response",
                    left + width / 2, top - 14);
  if (all > names.size()) text += ", the first " + std::to_string(names.size()) + " of " + std::to_string(all);
  text += "</text>\n" + upper.frame("magnitude, dB of output per input") + lower.frame("phase, degrees");
  for (std::size_t k = 0; k < names.size(); ++k) {
    const std::string style = std::string("fill=\"none\" stroke-width=\"2\" stroke=\"") + colours[k % colours.size()] +
                              (k < colours.size() ? "\"" : "\" stroke-dasharray=\"6 3\"");
    text +=
        upper.curve(response.frequencies, magnitudes[k], style) + lower.curve(response.frequencies, phases[k], style);
    const double y = top + 14 + 20 * static_cast<double>(k), begin = left + width + 14;
    text += "<path " + style + formatted(" d=\"M%g %gh26\"/><text x=\"%g\" y=\"%g\">", begin, y, begin + 32, y + 4) +
            escaped(names[k]) + "</text>\n";
  }
  return {"bode.svg", text + "</svg>\n"};
}

}  // namespace trammel::linearize
