// Reading diagrams from SVG.
#include "check/picture.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <set>

#include "check/check.h"

namespace trammel::conformance {
namespace {

constexpr double sharp = 0.011;  // coordinates have two digits behind the point
constexpr double beside = 40;    // from a frame to the labels of its ticks, pixels

std::string resolved(const std::string& text) {
  static const std::pair<const char*, char> entities[] = {
      {"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}};
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] != '&') {
      out += text[i++];
      continue;
    }
    const auto* known = std::find_if(std::begin(entities), std::end(entities), [&](const auto& entity) {
      return text.compare(i, std::strlen(entity.first), entity.first) == 0;
    });
    require(known != std::end(entities), "a bare '&' in '{}'", text);
    out += known->second, i += std::strlen(known->first);
  }
  return out;
}

/// What stands between < and > of one tag.
PictureElement element_of(const std::string& tag) {
  PictureElement element;
  std::size_t at = tag.find_first_of(" \t\n/");
  element.name = tag.substr(0, at);
  require(!element.name.empty(), "a tag without a name: <{}>", tag);
  while (at < tag.size()) {
    at = tag.find_first_not_of(" \t\n", at);
    if (at >= tag.size() || tag[at] == '/') break;
    const std::size_t equals = tag.find('=', at);
    require(equals != std::string::npos && equals + 1 < tag.size() && tag[equals + 1] == '"',
            "an attribute without a value in <{}>", tag);
    const std::size_t end = tag.find('"', equals + 2);
    require(end != std::string::npos, "a value without its end in <{}>", tag);
    const std::string key = tag.substr(at, equals - at);
    require(element.attributes.emplace(key, resolved(tag.substr(equals + 2, end - equals - 2))).second,
            "'{}' twice in <{}>", key, tag);
    at = end + 1;
  }
  return element;
}

std::optional<double> whole_number(const std::string& text) {
  char* end = nullptr;
  const double x = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != 0) return {};
  return x;
}

/// Largest distance in pixels between the ticks and the line through the first and the last.
double bend(const std::vector<double>& pixels, const std::vector<double>& values) {
  double most = 0;
  const double slope = (pixels.back() - pixels.front()) / (values.back() - values.front());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double missed = pixels[i] - pixels.front() - slope * (values[i] - values.front());
    most = std::isfinite(missed) ? std::max(most, std::abs(missed)) : INFINITY;
  }
  return most;
}

std::vector<double> logarithms(std::vector<double> values) {
  for (double& value : values) value = std::log10(value);
  return values;
}

std::string style_of(const PictureElement& element) {
  const auto value = [&](const char* key) {
    const auto found = element.attributes.find(key);
    return found != element.attributes.end() ? found->second : std::string();
  };
  return value("stroke") + " " + value("stroke-dasharray");
}

bool is_frame(const PictureElement& e) {
  const auto fill = e.attributes.find("fill");
  return e.name == "rect" && fill != e.attributes.end() && fill->second == "none";
}

/// Puts what follows a frame into it, element by element.
class Reader {
 public:
  explicit Reader(const std::string& document) : elements_(elements_of(document)) {
    require(!elements_.empty() && elements_.front().name == "svg", "the first element is not <svg>");
    const std::string view = elements_.front().attributes["viewBox"];
    double left = 0, top = 0;
    require(std::sscanf(view.c_str(), "%lf %lf %lf %lf", &left, &top, &width_, &height_) == 4 && left == 0 &&
                top == 0 && width_ > 0 && height_ > 0,
            "its viewBox is '{}'; \"0 0 WIDTH HEIGHT\" was expected", view);
    const double width = elements_.front().number("width", width_),
                 height = elements_.front().number("height", height_);
    require(std::abs(width * height_ - height * width_) < 1e-6 * width_ * height_,
            "it is {} x {} large, and shows {} x {}: everything is distorted", width, height, width_, height_);
    for (const PictureElement& e : elements_) {
      if (is_frame(e))
        frames_.push_back({e.number("x"), e.number("y"), e.number("width"), e.number("height"), {}, {}, {}});
    }
  }

  std::vector<PictureFrame> read() {
    for (std::size_t i = 0; i < elements_.size(); ++i) {
      const PictureElement& e = elements_[i];
      const PictureElement* next = i + 1 < elements_.size() ? &elements_[i + 1] : nullptr;
      if (e.name == "text") need_inside(e.number("x"), e.number("y"), e.text);
      if (is_frame(e)) {
        need_inside(e.number("x"), e.number("y"), "a frame");
        need_inside(e.number("x") + e.number("width"), e.number("y") + e.number("height"), "a frame");
      }
      if (e.name == "path") take_path(e, next != nullptr && next->name == "text" ? next : nullptr);
    }
    for (PictureFrame& frame : frames_) finish(frame);
    return frames_;
  }

 private:
  void need_inside(double x, double y, const std::string& what) const {
    require(x >= 0 && x <= width_ && y >= 0 && y <= height_,
            "{} at ({:g}, {:g}) is outside of the view, which has {:g} x {:g}", what, x, y, width_, height_);
  }

  void take_path(const PictureElement& e, const PictureElement* label) {
    const auto commands = e.attributes.find("d");
    require(commands != e.attributes.end(), "a path without points");
    PicturePoints all;
    for (const PicturePoints& piece : points_of_path(commands->second))
      all.insert(all.end(), piece.begin(), piece.end());
    for (const auto& [x, y] : all) need_inside(x, y, "a point of a curve");
    if (all.empty()) return;
    const std::optional<double> value = label != nullptr ? whole_number(label->text) : std::nullopt;
    PictureFrame* const frame = frame_around(all);
    if (frame != nullptr && value && take_tick(*frame, all, *label, *value)) return;
    if (frame != nullptr) {
      frame->curves.push_back({style_of(e), all});
      return;
    }
    require(label != nullptr && all.size() == 2, "a curve leaves its frame");
    require(
        label->number("x") > std::max(all[0].first, all[1].first) && std::abs(label->number("y") - all[1].second) < 8,
        "the name '{}' does not stand behind its line in the legend", label->text);
    const auto [known, is_new] = legends_.emplace(style_of(e), label->text);
    require(is_new, "'{}' and '{}' have the same line in the legend", known->second, label->text);
    for (const auto& [x, y] : legend_places_)
      require(std::abs(x - label->number("x")) > 10 || std::abs(y - label->number("y")) > 10,
              "'{}' lies on another text", label->text);
    legend_places_.emplace_back(label->number("x"), label->number("y"));
  }

  PictureFrame* frame_around(const PicturePoints& points) {
    for (PictureFrame& f : frames_) {
      if (std::all_of(points.begin(), points.end(), [&](const auto& p) {
            return p.first >= f.left - sharp && p.first <= f.left + f.width + sharp && p.second >= f.top - sharp &&
                   p.second <= f.top + f.height + sharp;
          }))
        return &f;
    }
    return nullptr;
  }

  /// A line from edge to edge with a number next to its end.
  static bool take_tick(PictureFrame& f, const PicturePoints& line, const PictureElement& label, double value) {
    if (line.size() != 2) return false;
    const auto [x0, y0] = line[0];
    const auto [x1, y1] = line[1];
    const double x = label.number("x"), y = label.number("y");
    if (y0 == y1 && std::abs(x0 - f.left) < sharp && std::abs(x1 - f.left - f.width) < sharp) {
      require(x < f.left && x > f.left - beside && std::abs(y - y0) < 8,
              "the label '{}' does not stand beside its line", label.text);
      f.y.pixels.push_back(y0), f.y.values.push_back(value);
      return true;
    }
    if (x0 == x1 && std::abs(y0 - f.top) < sharp && std::abs(y1 - f.top - f.height) < sharp) {
      require(y > f.top + f.height && y < f.top + f.height + beside && std::abs(x - x0) < 1,
              "the label '{}' does not stand below its line", label.text);
      f.x.pixels.push_back(x0), f.x.values.push_back(value);
      return true;
    }
    return false;
  }

  void finish(PictureFrame& frame) const {
    for (const auto& [axis, name] : {std::pair{&frame.x, "horizontal"}, {&frame.y, "vertical"}}) {
      if (axis->values.size() < 2) continue;
      require(axis->linear(0.1) || axis->logarithmic(0.1), "labels of the {} axis are not the values at their lines",
              name);
    }
    int number = 0;
    for (PictureCurve& curve : frame.curves) {
      ++number;
      const auto legend = legends_.find(curve.name);
      require(legend != legends_.end() || legends_.empty(), "curve {} is not in the legend", number);
      curve.name = legend != legends_.end() ? legend->second : std::to_string(number);
    }
  }

  std::vector<PictureElement> elements_;
  double width_ = 0, height_ = 0;
  std::vector<PictureFrame> frames_;
  std::map<std::string, std::string> legends_;  ///< names by styles
  PicturePoints legend_places_;
};

}  // namespace

double PictureElement::number(const char* attribute, double otherwise) const {
  const auto found = attributes.find(attribute);
  return found == attributes.end() ? otherwise : std::strtod(found->second.c_str(), nullptr);
}

std::vector<PictureElement> elements_of(const std::string& document) {
  std::vector<PictureElement> elements;
  std::vector<std::size_t> open;
  for (std::size_t at = 0; at < document.size();) {
    const std::size_t begin = document.find('<', at);
    const std::string between = document.substr(at, begin == std::string::npos ? begin : begin - at);
    if (open.empty())
      require(between.find_first_not_of(" \t\n") == std::string::npos, "text outside of all elements");
    else
      elements[open.back()].text += resolved(between);
    if (begin == std::string::npos) break;
    const std::size_t end = document.find('>', begin);
    require(end != std::string::npos, "a tag without its end");
    const std::string tag = document.substr(begin + 1, end - begin - 1);
    at = end + 1;
    if (tag.starts_with("?") || tag.starts_with("!")) continue;
    if (tag.starts_with("/")) {
      require(!open.empty() && tag.substr(1) == elements[open.back()].name, "<{}> ends what it does not begin", tag);
      open.pop_back();
      continue;
    }
    elements.push_back(element_of(tag));
    if (!tag.ends_with("/")) open.push_back(elements.size() - 1);
  }
  require(open.empty(), "an element has no end");
  return elements;
}

std::vector<PicturePoints> points_of_path(const std::string& commands) {
  std::vector<PicturePoints> pieces;
  double x = 0, y = 0;
  char command = 0;
  const char* at = commands.c_str();
  const auto number = [&] {
    while (*at == ' ' || *at == ',') ++at;
    char* end = nullptr;
    const double value = std::strtod(at, &end);
    require(end != at && std::isfinite(value), "no number where one belongs in the path '{}'", commands.substr(0, 80));
    at = end;
    return value;
  };
  for (;;) {
    while (*at == ' ' || *at == ',' || *at == '\n') ++at;
    if (*at == 0) return pieces;
    if (std::isalpha(static_cast<unsigned char>(*at)) != 0) command = *at++;
    const bool relative = std::islower(static_cast<unsigned char>(command)) != 0;
    const auto kind = static_cast<char>(std::toupper(static_cast<unsigned char>(command)));
    if (kind == 'Z') continue;
    require(kind == 'M' || kind == 'L' || kind == 'H' || kind == 'V', "a path with the command '{}'", command);
    if (kind != 'V') x = number() + (relative ? x : 0);
    if (kind != 'H') y = number() + (relative ? y : 0);
    if (kind == 'M' || pieces.empty()) pieces.emplace_back();
    pieces.back().emplace_back(x, y);
  }
}

bool PictureAxis::linear(double tolerance) const { return bend(pixels, values) <= tolerance; }
bool PictureAxis::logarithmic(double tolerance) const {
  return std::all_of(values.begin(), values.end(), [](double x) { return x > 0; }) &&
         bend(pixels, logarithms(values)) <= tolerance;
}
std::optional<double> PictureAxis::place(double value, bool by_logarithm) const {
  if (values.size() < 2) return {};
  const auto scaled = [&](double x) { return by_logarithm ? std::log10(x) : x; };
  const double a = scaled(values.front()), b = scaled(values.back());
  return pixels.front() + (pixels.back() - pixels.front()) * (scaled(value) - a) / (b - a);
}

std::vector<PictureFrame> frames_of(const std::string& document) { return Reader(document).read(); }

}  // namespace trammel::conformance
