// The search of a function of time.
#include "run/time_scan.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "trammel/extensions/function_bounds.h"

namespace trammel {
namespace {

// What the polynomial may miss: a share of the range of the function, or of the area between it and its mean.
constexpr double share_of_range = 1e-4, share_of_area = 1e-3;
constexpr double parts_per_step = 2;
constexpr long least_samples = 16;        // of a piece between break points
constexpr long most_refinements = 40000;  // further evaluations of one function
constexpr std::size_t most_breaks = 20000;
constexpr double epsilon = std::numeric_limits<double>::epsilon();

class Scan {
 public:
  Scan(const Function& f, const TimeScanOptions& options)
      : f_(f),
        bounds_(find_extension<FunctionBounds>(f)),
        options_(options),
        order_(options.moves && f.max_order() >= 2 ? 2 : 0) {}

  void run(TimeProfile& profile) {
    find_pieces();
    if (bounds_ != nullptr && stays_constant())
      return profile.add({}, {}, (options_.to - options_.from) / static_cast<double>(options_.samples));
    sample();
    if (constant_ && stays_constant()) return profile.add({}, {}, width_);
    divide();
    look_between_samples();
    if (look_for_breaks()) {  // pieces between what was found are smooth
      merge_breaks();
      sample();
      divide();
      look_between_samples();
    }
    if (options_.change > 0) bound_changes();
    std::vector<TimeProfile::Part> parts;
    for (const Cell& cell : cells_) {
      if (cell.step < cell.piece) parts.push_back({cell.begin, cell.end, cell.step});
    }
    profile.add(parts, found_, width_);
  }

 private:
  struct Values {
    double f = 0, f2 = 0;
  };
  struct Piece {
    double begin, end;
    long first, cells;  ///< of the samples
  };
  struct Cell {
    double begin, end, step, piece;
  };

  /// As far as is known.
  bool stays_constant() const {
    double range[2] = {0, 0};
    return bounds_ == nullptr || (bounds_->bounds(options_.from, options_.to, range).ok() && range[0] == range[1]);
  }

  double left_of(double t) const { return t - 4 * epsilon * std::max(1.0, std::abs(t)); }

  /// A formula may have the value before it at a jump where a piece begins ("if(t > 0, ...)" at 0): that is nothing to
  /// look for.
  double right_of(double t) const {
    double value[4];
    return f_.evaluate(t, 0, value) ? t + 4 * epsilon * std::max(1.0, std::abs(t)) : t;
  }
  double first_of(double begin) const {
    return std::binary_search(ends_.begin(), ends_.end(), begin) ? right_of(begin) : begin;
  }

  Values at(double t) const {
    double value[4] = {0, 0, 0, 0};
    if (!f_.evaluate(t, order_, value)) return {};
    return {value[0], order_ == 2 ? value[2] : 0};
  }
  double slope(double t, int derivative) const {
    double value[4] = {0, 0, 0, 0};
    return f_.evaluate(t, derivative, value) ? value[derivative] : 0;
  }

  void find_pieces() {
    std::vector<double> points(static_cast<std::size_t>(f_.break_points(nullptr, 0)));
    if (!points.empty()) f_.break_points(points.data(), static_cast<Index>(points.size()));
    ends_ = {options_.from};
    for (const double t : points) {
      if (t > ends_.back() && t < options_.to) ends_.push_back(t);
    }
    ends_.push_back(options_.to);
  }

  void merge_breaks() {
    ends_.insert(ends_.end(), found_.begin(), found_.end());
    std::sort(ends_.begin(), ends_.end());
    ends_.erase(std::unique(ends_.begin(), ends_.end()), ends_.end());
  }

  void sample() {
    pieces_.clear(), samples_.clear();
    width_ = 0;
    const double duration = options_.to - options_.from;
    for (std::size_t k = 0; k + 1 < ends_.size(); ++k) {
      const double length = ends_[k + 1] - ends_[k];
      long cells = least_samples;
      while (length / static_cast<double>(cells) > duration / static_cast<double>(options_.samples)) cells *= 2;
      pieces_.push_back({ends_[k], ends_[k + 1], static_cast<long>(samples_.size()), cells});
      for (long i = 0; i < cells; ++i)
        samples_.push_back(
            at(i == 0 ? right_of(ends_[k]) : ends_[k] + length * static_cast<double>(i) / static_cast<double>(cells)));
      samples_.push_back(at(left_of(ends_[k + 1])));
      width_ = std::max(width_, length / static_cast<double>(cells));
    }
    judge_range();
  }

  void judge_range() {
    Values low = samples_.front(), high = low, mean;
    const double share = 1 / static_cast<double>(samples_.size());
    for (const Values& v : samples_) {
      low = {std::min(low.f, v.f), std::min(low.f2, v.f2)};
      high = {std::max(high.f, v.f), std::max(high.f2, v.f2)};
      mean.f += share * v.f, mean.f2 += share * v.f2;
    }
    area_ = {};
    for (const Piece& p : pieces_) {
      const double width = (p.end - p.begin) / static_cast<double>(p.cells);
      for (long i = 0; i < p.cells; ++i) {
        const Values& v = samples_[static_cast<std::size_t>(p.first + i)];
        area_.f += width * std::abs(v.f - mean.f), area_.f2 += width * std::abs(v.f2 - mean.f2);
      }
    }
    constexpr double rounding = 1e-12;
    rounding_ = {rounding * std::max(std::abs(low.f), std::abs(high.f)),
                 rounding * std::max(std::abs(low.f2), std::abs(high.f2))};
    tolerance_ = {share_of_range * (high.f - low.f) + rounding_.f, share_of_range * (high.f2 - low.f2) + rounding_.f2};
    span_ = high.f - low.f;
    constant_ = !(high.f > low.f) && !(high.f2 > low.f2);
  }

  // Whether the polynomial through every `n`-th of 4 n + 1 values meets those between (Lagrange's form).
  bool meets(const Values* v, long n, double length) const {
    const double allowed = std::min(tolerance_.f, std::max(share_of_area * area_.f / length, rounding_.f));
    const double allowed2 = std::min(tolerance_.f2, std::max(share_of_area * area_.f2 / length, rounding_.f2));
    for (long i = 1; i < 4 * n; ++i) {
      if (i % n == 0) continue;
      const double s = static_cast<double>(i) / static_cast<double>(n);
      const double a = s, b = s - 1, c = s - 2, d = s - 3, e = s - 4;
      const double w0 = b * c * d * e / 24, w1 = -a * c * d * e / 6, w2 = a * b * d * e / 4, w3 = -a * b * c * e / 6,
                   w4 = a * b * c * d / 24;
      if (std::abs(v[i].f - (w0 * v[0].f + w1 * v[n].f + w2 * v[2 * n].f + w3 * v[3 * n].f + w4 * v[4 * n].f)) >
          allowed)
        return false;
      if (order_ < 2) continue;
      if (std::abs(v[i].f2 - (w0 * v[0].f2 + w1 * v[n].f2 + w2 * v[2 * n].f2 + w3 * v[3 * n].f2 + w4 * v[4 * n].f2)) >
          allowed2)
        return false;
    }
    return true;
  }

  void divide() {
    cells_.clear();
    refinements_ = 0;
    for (const Piece& piece : pieces_) divide(piece, 0, piece.cells);
  }

  double time_of(const Piece& piece, long i) const {
    return i == piece.cells
               ? piece.end
               : piece.begin + (piece.end - piece.begin) * static_cast<double>(i) / static_cast<double>(piece.cells);
  }

  void divide(const Piece& piece, long from, long to) {
    const double begin = time_of(piece, from), end = time_of(piece, to);
    if (meets(&samples_[static_cast<std::size_t>(piece.first + from)], (to - from) / 4, end - begin))
      return keep(piece, begin, end);
    if (to - from <= 8) return refine(piece, begin, end);
    divide(piece, from, (from + to) / 2);
    divide(piece, (from + to) / 2, to);
  }

  void keep(const Piece& piece, double begin, double end) {
    cells_.push_back({begin, end, parts_per_step * (end - begin), piece.end - piece.begin});
  }

  // Narrower than the samples: by samples of its own, down to the rounding of times, where it jumps.
  void refine(const Piece& piece, double begin, double end) {
    constexpr long n = 4;
    Values v[4 * n + 1];
    refinements_ += 4 * n + 1;
    for (long i = 0; i <= 4 * n; ++i) {
      const double t = begin + (end - begin) * static_cast<double>(i) / (4 * n);
      v[i] = at(i == 4 * n && end == piece.end ? left_of(end) : i == 0 ? first_of(begin) : t);
    }
    const double narrowest = 1e-10 * (options_.to - options_.from);
    if (end - begin < narrowest || refinements_ > most_refinements || meets(v, n, end - begin))
      return keep(piece, begin, end);
    refine(piece, begin, 0.5 * (begin + end));
    refine(piece, 0.5 * (begin + end), end);
  }

  // Where the bounds on a cell leave room for more than was seen in it: is there anything? What is narrower than the
  // distance of the samples is known from nothing else.
  void look_between_samples() {
    if (bounds_ == nullptr) return;
    std::vector<Cell> seen;
    seen.swap(cells_);
    looks_ = 0;
    for (const Cell& cell : seen) {
      const double length = cell.end - cell.begin;
      for (int k = 0; k < 5; ++k)
        nodes_[k] = at(k == 4 ? left_of(cell.end) : k == 0 ? first_of(cell.begin) : cell.begin + 0.25 * k * length).f;
      const std::size_t before = cells_.size();
      if (!look(cell, cell.begin, cell.end)) {
        cells_.resize(before);
        cells_.push_back(cell);
      }
    }
  }

  double expected(const Cell& cell, double t) const {
    const double a = 4 * (t - cell.begin) / (cell.end - cell.begin), b = a - 1, c = a - 2, d = a - 3, e = a - 4;
    return b * c * d * e / 24 * nodes_[0] - a * c * d * e / 6 * nodes_[1] + a * b * d * e / 4 * nodes_[2] -
           a * b * c * e / 6 * nodes_[3] + a * b * c * d / 24 * nodes_[4];
  }

  // Divides [begin, end] of a cell as far as its bounds ask for. Whether there was something that the cell did not
  // show.
  bool look(const Cell& cell, double begin, double end) {
    constexpr long most_looks = 20000;
    constexpr double room =
        2;  // bounds are as much wider than the function: its own range, and more than may be missed
    constexpr double jump = 10;
    double range[2] = {0, 0}, least = std::numeric_limits<double>::infinity(), most = -least;
    bool here_hidden = false;
    const double rounding = 1e-11 * std::max(std::abs(nodes_[0]), std::abs(nodes_[2]));
    for (int k = 0; k <= 4; ++k) {
      const double t = k == 0 ? first_of(begin) : begin + 0.25 * k * (end - begin), here = k == 4 ? left_of(end) : t,
                   f = at(here).f;
      least = std::min(least, f), most = std::max(most, f);
      here_hidden = here_hidden || std::abs(f - expected(cell, here)) > jump * share_of_range * span_ + rounding_.f;
    }
    const double allowed = room * (most - least) + jump * share_of_range * std::max(span_, most - least) + rounding;
    const bool known =
        bounds_->bounds(begin, end, range).ok() && range[1] - most <= allowed && least - range[0] <= allowed;
    const bool narrow = end - begin < 1e-13 * (options_.to - options_.from);
    span_ = std::max(span_, most - least);
    if (known || narrow || ++looks_ > most_looks) {
      if (!here_hidden) {
        cells_.push_back({begin, end, parts_per_step * (end - begin), cell.piece});
        return false;
      }
      tolerance_.f = std::max(tolerance_.f, share_of_range * span_);
      area_.f = std::max(area_.f, span_ * (end - begin));
      refine({begin, begin + cell.piece, 0, 0}, begin, end);
      return true;
    }
    const double middle = 0.5 * (begin + end);
    const bool left = look(cell, begin, middle), right = look(cell, middle, end);
    return left || right || here_hidden;
  }

  // Cells much narrower than some near them: is it a jump of the function or of its slope?
  bool look_for_breaks() {
    constexpr std::size_t near = 4;
    constexpr double much = 8;
    found_.clear();
    for (std::size_t i = 0; i < cells_.size() && found_.size() < most_breaks; ++i) {
      const double length = cells_[i].end - cells_[i].begin;
      double wider = 0;
      for (std::size_t k = i > near ? i - near : 0; k < std::min(cells_.size(), i + near + 1); ++k) {
        wider = std::max(wider, cells_[k].end - cells_[k].begin);
      }
      if (wider < much * length && length > 1e-6 * cells_[i].piece) continue;
      for (int derivative = 0; derivative <= (order_ == 2 ? 2 : 1); ++derivative) {
        double t = 0;
        if (!jumps(cells_[i], derivative, t)) continue;
        found_.push_back(t);
        break;
      }
    }
    std::sort(found_.begin(), found_.end());
    const double rounding = 1e-12 * std::max(1.0, options_.to);
    const auto same = [&](double a, double b) { return b - a <= rounding; };
    found_.erase(std::unique(found_.begin(), found_.end(), same), found_.end());
    std::erase_if(found_, [&](double t) {
      const auto next = std::lower_bound(ends_.begin(), ends_.end(), t - rounding);
      return next != ends_.end() && *next <= t + rounding;
    });
    return !found_.empty();
  }

  // By bisection towards the larger change: a jump keeps it while the part shrinks, anything smooth loses it. A jump
  // where two cells meet belongs to the first one.
  bool jumps(const Cell& cell, int derivative, double& t) const {
    const bool ends_piece = std::binary_search(ends_.begin(), ends_.end(), cell.end);
    double low = first_of(cell.begin), high = ends_piece ? left_of(cell.end) : cell.end;
    double f_low = slope(low, derivative), f_high = slope(high, derivative);
    const double first = std::abs(f_high - f_low);
    const double size = std::max(std::abs(f_low), std::abs(f_high));
    if (!(first > 1e-6 * size) || first == 0) return false;
    for (int i = 0; i < 60 && high - low > 4 * epsilon * std::max(1.0, std::abs(high)); ++i) {
      const double middle = 0.5 * (low + high), f = slope(middle, derivative);
      if (std::abs(f - f_low) > std::abs(f_high - f))
        high = middle, f_high = f;
      else
        low = middle, f_low = f;
      if (i >= 6 && std::abs(f_high - f_low) < 0.3 * first) return false;
    }
    t = high;
    return true;
  }

  // So much of a cell that the driver moves by no more than it may.
  void bound_changes() {
    std::size_t k = 0;
    for (Cell& cell : cells_) {
      while (k + 1 < pieces_.size() && pieces_[k].end <= cell.begin) ++k;
      const Piece& piece = pieces_[k];
      const double width = (piece.end - piece.begin) / static_cast<double>(piece.cells);
      const auto from = std::max(0L, std::lround((cell.begin - piece.begin) / width));
      const auto to = std::min(piece.cells, std::max(from + 1, std::lround((cell.end - piece.begin) / width)));
      double steepest = 0;
      for (long i = from; i < to; ++i) {
        const auto s = static_cast<std::size_t>(piece.first + i);
        steepest = std::max(steepest, std::abs(samples_[s + 1].f - samples_[s].f));
      }
      if (steepest > 0) cell.step = std::min(cell.step, options_.change * width / steepest);
    }
  }

  const Function& f_;
  const FunctionBounds* bounds_;
  const TimeScanOptions& options_;
  int order_;
  std::vector<double> ends_, found_;
  std::vector<Piece> pieces_;
  std::vector<Values> samples_;
  std::vector<Cell> cells_;
  Values tolerance_, area_, rounding_;
  double width_ = 0, span_ = 0;
  double nodes_[5] = {0, 0, 0, 0, 0};
  long refinements_ = 0, looks_ = 0;
  bool constant_ = false;
};

}  // namespace

void scan_function_of_time(const Function& f, const TimeScanOptions& options, TimeProfile& profile) {
  if (!(options.to > options.from)) return;
  Scan(f, options).run(profile);
}

}  // namespace trammel
