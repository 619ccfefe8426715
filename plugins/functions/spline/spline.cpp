// Plugin `spline`: a cubic spline through a table, given in the run file or as a CSV file.
#include <algorithm>
#include <cmath>
#include <string>

#include "csv_table.h"
#include "cubic_spline.h"
#include "trammel/error.h"
#include "trammel/function.h"
#include "trammel/sdk/elements/function_parts.h"
#include "trammel/sdk/offer_extensions.h"
#include "trammel/sdk/plugin.h"

namespace trammel::spline {

class Spline final : public Function, public FunctionIntegral, public FunctionBounds {
 public:
  enum class EndsChoice : std::int32_t { natural, clamped, periodic };
  enum class Outside : std::int32_t { error, linear };
  struct Parameters {
    Numbers x;
    Numbers y;
    Text file;
    Text x_column;
    Text y_column;
    EndsChoice ends;
    double begin_slope;
    double end_slope;
    Outside outside;
    bool break_at_knots;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, x, "1", "Arguments of the points, ascending; with y, instead of file.").optional(),
      TRAMMEL_FIELD(Parameters, y, "1", "Values at the points.").optional(),
      TRAMMEL_FIELD(Parameters, file, "1", "CSV file with the points, instead of x and y.").file().optional(),
      TRAMMEL_FIELD(Parameters, x_column, "1", "Header of the column of arguments; the first column if left out.")
          .optional(),
      TRAMMEL_FIELD(Parameters, y_column, "1", "Header of the column of values; the second column if left out.")
          .optional(),
      TRAMMEL_FIELD(Parameters, ends, "1", "Zero second derivative, given slopes, or a repeating table.")
          .choices("natural|clamped|periodic")
          .otherwise("\"natural\""),
      TRAMMEL_FIELD(Parameters, begin_slope, "1", "Slope at the first point of a clamped spline.").otherwise("0"),
      TRAMMEL_FIELD(Parameters, end_slope, "1", "Slope at the last point of a clamped spline.").otherwise("0"),
      TRAMMEL_FIELD(Parameters, outside, "1", "Beyond the table: an error, or a straight line with the end's slope.")
          .choices("error|linear")
          .otherwise("\"error\""),
      TRAMMEL_FIELD(Parameters, break_at_knots, "1",
                    "Whether steps end at the knots, where the third derivative jumps.")
          .otherwise("true"));

  explicit Spline(const Parameters& p) : outside_(p.outside), periodic_(p.ends == EndsChoice::periodic) {
    const Points points = read(p);
    check(points, p.file.given() ? "file" : "x");
    segments_ = interpolate(points.x, points.y, static_cast<Ends>(p.ends), p.begin_slope, p.end_slope);
    begin_ = points.x.front(), end_ = points.x.back();
    double last[4];
    at(segments_.back(), end_, last);
    tail_ = {end_, {last[0], last[1], 0, 0}, area(segments_.back(), end_)};
    head_ = {begin_, {segments_[0].c[0], segments_[0].c[1], 0, 0}, 0};
    if (p.break_at_knots) collect_break_points();
  }

  Status evaluate(double x, int order, double* value) const override {
    double all[4];
    const Segment* const segment = find(x);
    if (segment == nullptr) {
      return Status::failure(StatusCode::out_of_domain, "the spline is asked for a value outside of its table", -1, x);
    }
    at(*segment, x, all);
    for (int k = 0; k <= order; ++k) value[k] = all[k];
    return Status::success();
  }
  Index break_points(double* x, Index capacity) const override { return sdk::write_points(breaks_, x, capacity); }
  Status antiderivative(double x, double* value) const override {
    const double turns = periodic_ ? std::floor((x - begin_) / (end_ - begin_)) : 0;
    const Segment* const segment = find(x);  // moves x into the table
    if (segment == nullptr) {
      return Status::failure(StatusCode::out_of_domain, "the spline is asked for its integral outside of its table", -1,
                             x);
    }
    *value = turns * tail_.area + area(*segment, x);
    return Status::success();
  }
  /// Piece by piece; over a period or more, the whole table.
  Status bounds(double from, double to, double* range) const override {
    const bool whole = periodic_ && !(to - from < end_ - begin_);
    double a = whole ? begin_ : from, b = whole ? end_ : to;
    const Segment *first = find(a), *last = find(b);
    if (first == nullptr || last == nullptr) return sdk::write_bounds(Interval::everything(), range);
    if (whole) {
      first = &segments_.front(), last = &segments_.back();
      a = begin_, b = end_;
    }
    if (periodic_ && b < a) {  // over the table's end
      const Interval before = over(first, &segments_.back(), a, end_),
                     after = over(&segments_.front(), last, begin_, b);
      return sdk::write_bounds(sdk::hull(before, after), range);
    }
    return sdk::write_bounds(over(first, last, a, b), range);
  }
  const void* extension(const char* id) const override {
    return sdk::offer_extensions<FunctionIntegral, FunctionBounds>(id, this, this);
  }

 private:
  static Points read(const Parameters& p) {
    if (p.file.given()) {
      if (p.x.size != 0 || p.y.size != 0) throw Error::parameter("file", "give either 'file' or 'x' and 'y'");
      return read_csv(p.file, p.x_column, p.y_column);
    }
    if (p.x_column.given() || p.y_column.given()) {
      throw Error::parameter(p.x_column.given() ? "x_column" : "y_column", "columns belong to 'file'");
    }
    if (p.x.size == 0) throw Error(ErrorKind::input, "a spline needs its points: 'x' and 'y', or 'file'");
    if (p.x.size != p.y.size) {
      throw Error::parameter("y", "there are " + std::to_string(p.x.size) + " arguments in 'x' but " +
                                      std::to_string(p.y.size) + " values in 'y'");
    }
    return {{p.x.data, p.x.data + p.x.size}, {p.y.data, p.y.data + p.y.size}};
  }

  void check(const Points& points, const char* key) const {
    const std::size_t count = points.x.size(), needed = periodic_ ? 4 : 2;
    if (count < needed) {
      throw Error::parameter(key, std::string("a ") + (periodic_ ? "periodic" : "cubic") + " spline needs at least " +
                                      std::to_string(needed) + " points, not " + std::to_string(count));
    }
    for (std::size_t k = 1; k < count; ++k) {
      if (!(points.x[k] > points.x[k - 1])) {
        throw Error::parameter(key, "the arguments of a spline ascend; point " + std::to_string(k + 1) + " (" +
                                        std::to_string(points.x[k]) + ") does not exceed the one before");
      }
    }
    double scale = 0;
    for (const double y : points.y) scale = std::max(scale, std::abs(y));
    if (periodic_ && std::abs(points.y.back() - points.y.front()) > 1e-9 * scale) {
      throw Error::parameter(key[0] == 'f' ? key : "y",
                             "the first and the last value of a periodic spline must be equal, not " +
                                 std::to_string(points.y.front()) + " and " + std::to_string(points.y.back()));
    }
  }

  /// The segment that holds at x, a periodic x moved into the table; nullptr: outside.
  const Segment* find(double& x) const {
    const double width = end_ - begin_, slack = 1e-12 * width;  // times that are sums of steps
    if (periodic_) {
      x -= width * std::floor((x - begin_) / width);
    } else if (x < begin_ || x > end_) {
      if (outside_ == Outside::linear) return x < begin_ ? &head_ : &tail_;
      if (!(x > begin_ - slack && x < end_ + slack)) return nullptr;
    }
    const auto above = std::upper_bound(segments_.begin(), segments_.end(), x,
                                        [](double value, const Segment& s) { return value < s.x; });
    return above == segments_.begin() ? &segments_.front() : &*(above - 1);
  }

  static void at(const Segment& s, double x, double* value) {
    const double u = x - s.x, *c = s.c;
    value[0] = c[0] + u * (c[1] + u * (c[2] + u * c[3]));
    value[1] = c[1] + u * (2 * c[2] + 3 * u * c[3]);
    value[2] = 2 * c[2] + 6 * u * c[3];
    value[3] = 6 * c[3];
  }
  static double area(const Segment& s, double x) {
    const double u = x - s.x, *c = s.c;
    return s.area + u * (c[0] + u * (c[1] / 2 + u * (c[2] / 3 + u * c[3] / 4)));
  }

  /// Bounds on [a, b], which begins in one segment and ends in another, or the lines before and behind the table.
  Interval over(const Segment* first, const Segment* last, double a, double b) const {
    double here[4];
    at(*first, a, here);
    Interval all(here[0]);
    const auto add = [&](const Segment& s, double x, double y) {
      all = sdk::hull(all, sdk::polynomial_bounds(s.c, 4, x - s.x, y - s.x));
    };
    if (first == last) {
      add(*first, a, b);
      return all;
    }
    if (first == &head_) {
      add(head_, a, begin_);
      first = &segments_.front();
      a = begin_;
    }
    if (last == &tail_) {
      add(tail_, end_, b);
      last = &segments_.back();
      b = end_;
    }
    for (const Segment* s = first; s <= last; ++s) {
      const double right = s < last ? (s + 1)->x : b;
      add(*s, a, right);
      a = right;
    }
    return all;
  }

  /// Knots whose two sides differ in the third derivative by more than rounding (ends: in any derivative), a periodic
  /// table's for the periods from x = 0 on, 1000 knots at most.
  void collect_break_points() {
    constexpr std::size_t most = 1000;
    double scale = 0;
    for (const Segment& s : segments_) scale = std::max(scale, std::abs(s.c[3]));
    std::vector<double> one;
    for (std::size_t k = 0; k < segments_.size(); ++k) {
      const Segment& before = k > 0 ? segments_[k - 1] : periodic_ ? segments_.back() : head_;
      if (std::abs(segments_[k].c[3] - before.c[3]) > 1e-12 * scale) one.push_back(segments_[k].x);
    }
    if (!periodic_) {
      if (segments_.back().c[3] != 0 || segments_.back().c[2] != 0) one.push_back(end_);
      breaks_ = one;
      return;
    }
    const double width = end_ - begin_, first = std::floor(-begin_ / width);
    for (double turn = first; !one.empty() && breaks_.size() + one.size() <= std::max(most, one.size()); turn += 1) {
      for (const double x : one) breaks_.push_back(x + turn * width);
    }
  }

  Outside outside_;
  bool periodic_;
  std::vector<Segment> segments_;
  Segment head_{}, tail_{};  ///< the straight lines beyond the table
  double begin_ = 0, end_ = 0;
  std::vector<double> breaks_;
};

}  // namespace trammel::spline

TRAMMEL_PLUGIN("spline", "1.0.0", "BSD-3-Clause",
               component<trammel::spline::Spline>(Host::any, "spline", "Cubic spline through a table of points.",
                                                  "de Boor, A Practical Guide to Splines (1978), chapter IV"));
