// Pictures of diagrams as a reader sees them: frames, ticks with their labels, curves; from the text of an SVG file.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace trammel::conformance {

struct PictureElement {
  std::string name;
  std::map<std::string, std::string> attributes;
  std::string text;  ///< between its tags, entities resolved

  double number(const char* attribute, double otherwise = 0) const;
};

/// Elements of a document in their order. Throws Failed where it is not well-formed.
std::vector<PictureElement> elements_of(const std::string& document);

using PicturePoints = std::vector<std::pair<double, double>>;
/// Of the commands M, L, H, V, Z, absolute or relative, straight lines. Throws Failed for others.
std::vector<PicturePoints> points_of_path(const std::string& commands);

/// One axis of a diagram: pixels of its ticks, and what stands beside them.
struct PictureAxis {
  std::vector<double> pixels, values;

  /// Whether the labels grow with the pixels by a line, or their logarithms do; `tolerance` in pixels.
  bool linear(double tolerance) const;
  bool logarithmic(double tolerance) const;
  /// Where this value is drawn, in pixels; nothing without two ticks.
  std::optional<double> place(double value, bool by_logarithm) const;
};

struct PictureCurve {
  std::string name;  ///< that stands beside a piece of a line of the same style, or its number in the frame, from 1
  PicturePoints points;
};

/// A rectangle that is not filled, what is drawn in it, and the grid lines across it with the labels that follow them.
struct PictureFrame {
  double left, top, width, height;
  PictureAxis x, y;
  std::vector<PictureCurve> curves;
};

/// Throws Failed with what is wrong with a picture whatever it shows: not well-formed, something outside of the view, a
/// tick whose label is not the value at its place, a curve outside of all frames, or one of two whose legends are alike.
std::vector<PictureFrame> frames_of(const std::string& document);

}  // namespace trammel::conformance
