// Writing a plot as SVG.
#include "study/svg_plot.h"

#include <fmt/format.h>

#include <cmath>

namespace trammel {
namespace {

constexpr double left = 70, top = 40, width = 560, height = 380, legend = 250, bottom = 60;

/// M. Okabe, K. Ito, Color Universal Design (2008).
constexpr const char* colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#000000", "#e69f00", "#56b4e9"};
constexpr const char* dashes[] = {"", "6 3", "2 2", "8 3 2 3"};

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  return out;
}

/// 1, 2 or 5 times a power of ten: about six ticks over a span.
double tick_distance(double span) {
  const double power = std::pow(10, std::floor(std::log10(span / 6)));
  const double part = span / 6 / power;
  return power * (part < 1.5 ? 1 : part < 3.5 ? 2 : part < 7.5 ? 5 : 10);
}

std::string label(double x, double y, const char* anchor, const std::string& text, const char* more = "") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y, anchor, more,
                     escaped(text));
}

}  // namespace

std::string SvgPlot::place(const Point& point) const {
  return fmt::format("{:.2f} {:.2f}", left + width * (point.first - x_.low) / (x_.high - x_.low),
                     top + height * (y_.high - point.second) / (y_.high - y_.low));
}

void SvgPlot::add_curve(const std::string& name, const std::vector<Point>& points) {
  std::string path;
  bool drawing = false;
  const double beyond = y_.high + 10 * (y_.high - y_.low);  // far outside: the frame cuts it off
  for (const Point& point : points) {
    const bool shown = std::isfinite(point.second) && point.second < beyond;
    if (shown) path += (drawing ? "L" : "M") + place(point);
    drawing = shown;
  }
  curves_.push_back({name, path});
}

void SvgPlot::add_segments(const std::string& name, const std::vector<Point>& ends) {
  std::string path;
  for (std::size_t i = 0; i + 1 < ends.size(); i += 2) path += "M" + place(ends[i]) + "L" + place(ends[i + 1]);
  curves_.push_back({name, path});
}

std::string SvgPlot::frame() const {
  std::string text = fmt::format(
      "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#444\"/>\n<g fill=\"#222\" "
      "stroke=\"none\">\n",
      left, top, width, height);
  const auto ticks = [&](const Range& range, bool horizontal) {
    const double distance = tick_distance(range.high - range.low);
    for (double k = std::ceil(range.low / distance - 1e-9); k * distance <= range.high + 1e-9 * distance; ++k) {
      const double value = k * distance, s = (value - range.low) / (range.high - range.low);
      const double x = horizontal ? left + s * width : left, y = horizontal ? top + height : top + (1 - s) * height;
      text += fmt::format("<path d=\"M{:.2f} {:.2f}{}\" stroke=\"#444\"/>\n", x, y, horizontal ? "v5" : "h-5");
      const std::string number = fmt::format("{:.4g}", value == 0 ? 0 : value);
      text += horizontal ? label(x, y + 18, "middle", number) : label(x - 8, y + 4, "end", number);
    }
  };
  ticks(x_, true);
  ticks(y_, false);
  text += label(left + width / 2, top + height + 42, "middle", x_label_);
  const double middle = top + height / 2;
  text += label(20, middle, "middle", y_label_, fmt::format(" transform=\"rotate(-90 20 {:.1f})\"", middle).c_str());
  text += label(left + width / 2, top - 14, "middle", title_, " font-weight=\"bold\"");
  return text + "</g>\n";
}

std::string SvgPlot::text() const {
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
      "font-family=\"sans-serif\" font-size=\"13\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
      "<clipPath id=\"frame\"><rect x=\"{2}\" y=\"{3}\" width=\"{4}\" height=\"{5}\"/></clipPath>\n",
      left + width + legend, top + height + bottom, left, top, width, height);
  for (const double level : levels_) {
    text += fmt::format("<path d=\"M{}L{}\" stroke=\"#999\"/>\n", place({x_.low, level}), place({x_.high, level}));
  }
  for (std::size_t i = 0; i < curves_.size(); ++i) {
    const std::string style =
        fmt::format("stroke=\"{}\" stroke-width=\"2\" stroke-dasharray=\"{}\" fill=\"none\"",
                    colours[i % std::size(colours)], dashes[i / std::size(colours) % std::size(dashes)]);
    text += fmt::format("<path clip-path=\"url(#frame)\" {} d=\"{}\"/>\n", style, curves_[i].path);
    const double x = left + width + 14, y = top + 12 + 20 * static_cast<double>(i);
    text += fmt::format("<path {} d=\"M{} {}h26\"/>\n", style, x, y) + label(x + 32, y + 4, "start", curves_[i].name);
  }
  return text + frame() + "</svg>\n";
}

}  // namespace trammel
