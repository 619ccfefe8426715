// SvgPlot: curves over two axes as a picture that any browser shows.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace trammel {

class SvgPlot {
 public:
  struct Range {
    double low, high;
  };
  using Point = std::pair<double, double>;

  SvgPlot(std::string title, std::string x_label, std::string y_label, Range x, Range y)
      : title_(std::move(title)), x_label_(std::move(x_label)), y_label_(std::move(y_label)), x_(x), y_(y) {}

  /// A curve through the points; it is interrupted at values that are not finite, and cut off at the frame.
  void add_curve(const std::string& name, const std::vector<Point>& points);
  /// Unconnected pieces, two points each.
  void add_segments(const std::string& name, const std::vector<Point>& ends);
  /// A thin line across the frame at this y.
  void add_level(double y) { levels_.push_back(y); }

  /// The document. Colours are told apart by colour-blind readers too, and dashed in turn.
  std::string text() const;

 private:
  struct Curve {
    std::string name, path;
  };
  std::string place(const Point& point) const;
  std::string frame() const;

  std::string title_, x_label_, y_label_;
  Range x_, y_;
  std::vector<Curve> curves_;
  std::vector<double> levels_;
};

}  // namespace trammel
