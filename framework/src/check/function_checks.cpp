// Functions: derivatives, integrals and break points.
#include <algorithm>
#include <cmath>

#include "check/element_point.h"
#include "check/function_cases.h"
#include "check/roughness.h"
#include "config/problems.h"
#include "trammel/extensions/function_bounds.h"

namespace trammel::conformance {

void for_each_function(Subject& subject, const std::function<void(const FunctionUse&)>& look) {
  int count = 0;
  for (const std::filesystem::path& file : subject.cases) {
    const RunFile run = load_run_file(file);
    Model model(run, *subject.host);
    std::vector<TypedNode> found;
    for (const char* part : {"constraints", "forces"}) {
      const Node* elements = run.system.node->find(part);
      if (elements == nullptr) continue;
      for (const Member& element : elements->members) {  // below the elements: those have types as well
        for (const Member& key : element.value.members) {
          find_typed(key.value, "/system/" + std::string(part) + "/" + element.key + "/" + key.key,
                     subject.component->type, found);
        }
      }
    }
    for (const TypedNode& typed : found) {
      Problems problems;
      FunctionUse use;
      use.function = model.resolver().function(*typed.node, typed.path, problems);
      use.again = model.resolver().function(*typed.node, typed.path, problems);
      problems.raise();
      use.place = file.filename().string() + typed.path;
      ++count;
      look(use);
    }
  }
  require(count > 0, "no run file uses it: give one with --case, or put it into a folder `cases` beside the plugin");
}

namespace {

/// Arguments at which it is looked at: around break points, never at one.
std::vector<double> sample_arguments(const Function& f, std::mt19937& random) {
  std::vector<double> points(static_cast<std::size_t>(std::max<Index>(0, f.break_points(nullptr, 0))));
  f.break_points(points.data(), static_cast<Index>(points.size()));
  const double low = points.empty() ? -1 : points.front() - 0.5, high = points.empty() ? 2 : points.back() + 0.5;
  std::vector<double> chosen;
  for (int i = 0; i < 400 && chosen.size() < 40; ++i) {
    const double x = uniform(random, low, high);
    const auto near = [&](double p) { return std::abs(p - x) < 1e-3; };
    double value[4];
    if (std::none_of(points.begin(), points.end(), near) && f.evaluate(x, 0, value).ok()) chosen.push_back(x);
  }
  return chosen;
}

VectorXd derivative_at(const Function& f, double x, int order) {
  double value[4] = {0, 0, 0, 0};
  const Status status = f.evaluate(x, order, value);
  return VectorXd::Constant(1, status ? value[order] : std::nan(""));
}

void shapes(Subject& subject) {
  for_each_function(subject, [&](const FunctionUse& use) {
    const int most = use.function->max_order();
    require(most == 2 || most == 3, "{}: max_order() is {}, allowed are 2 and 3", use.place, most);
    for (const double x : sample_arguments(*use.function, subject.random)) {
      for (int order = 0; order <= most; ++order) {
        double value[6] = {0, 0, 0, 0, -1.5e77, -1.5e77};
        for (int k = order + 1; k < 4; ++k) value[k] = -1.5e77;
        const Status status = use.function->evaluate(x, order, value);
        for (int k = order + 1; k < 6; ++k) {
          require(value[k] == -1.5e77, "{}: evaluate({:g}, {}) writes value[{}]", use.place, x, order, k);
        }
        require(!status.ok() || std::isfinite(value[order]),
                "{}: evaluate({:g}, {}) is ok, but the number is not finite", use.place, x, order);
        double other[4] = {0, 0, 0, 0};
        use.again->evaluate(x, order, other);
        require(!status.ok() || other[order] == value[order], "{}: two of its kind differ at {:g}", use.place, x);
      }
    }
  });
}

void derivatives(Subject& subject) {
  for_each_function(subject, [&](const FunctionUse& use) {
    for (const double x : sample_arguments(*use.function, subject.random)) {
      for (int order = 1; order <= use.function->max_order(); ++order) {
        const VectorXd here = derivative_at(*use.function, x, order);
        if (!here.allFinite()) continue;
        const double error =
            difference_error(here, [&](double e) { return derivative_at(*use.function, x + e, order - 1); });
        require(error < derivative_tolerance,
                "{}: derivative {} at {:g} differs from differences of derivative {} by {:.1e}", use.place, order, x,
                order - 1, error);
      }
    }
  });
}

void integral(Subject& subject) {
  bool applies = false;
  for_each_function(subject, [&](const FunctionUse& use) {
    const auto* known = find_extension<FunctionIntegral>(*use.function);
    if (known == nullptr) return;
    applies = true;
    for (const double x : sample_arguments(*use.function, subject.random)) {
      const VectorXd here = derivative_at(*use.function, x, 0);
      const double error = difference_error(here, [&](double e) {
        double F = std::nan("");
        if (!known->antiderivative(x + e, &F)) F = std::nan("");
        return VectorXd(VectorXd::Constant(1, F));
      });
      require(error < derivative_tolerance, "{}: the derivative of its integral at {:g} differs from it by {:.1e}",
              use.place, x, error);
    }
  });
  if (!applies) skip("it does not know its integral");
}

/// Intervals of all widths; where nothing is known bounds may be infinite.
void bounds_hold(Subject& subject) {
  constexpr int looks = 20;
  bool applies = false;
  for_each_function(subject, [&](const FunctionUse& use) {
    const auto* known = find_extension<FunctionBounds>(*use.function);
    if (known == nullptr) return;
    applies = true;
    for (const double x : sample_arguments(*use.function, subject.random)) {
      const double to = x + std::pow(10, uniform(subject.random, -5, 0.5));
      double range[2] = {0, 0}, value = 0;
      if (!known->bounds(x, to, range)) continue;
      require(!(range[0] > range[1]), "{}: its bounds from {:g} to {:g} are {} and {}", use.place, x, to, range[0],
              range[1]);
      const double rounding = 1e-12 * std::max({1.0, std::abs(range[0]), std::abs(range[1])});
      for (int look = 0; look < looks; ++look) {
        const double at = look == 0 ? x : look == 1 ? to : uniform(subject.random, x, to);
        if (!use.function->evaluate(at, 0, &value).ok()) continue;
        require(value >= range[0] - rounding && value <= range[1] + rounding,
                "{}: it is {} at {:g}, but its bounds from {:g} to {:g} are {} and {}", use.place, value, at, x, to,
                range[0], range[1]);
      }
      if (!known->bounds(x, x, range) || !use.function->evaluate(x, 0, &value).ok()) continue;
      const double near = 1e-9 * (1 + std::abs(value)), width = range[1] - range[0];
      require(!(width > near), "{}: its bounds at the point {:g} are {} apart: they do not close in on the value",
              use.place, x, width);
    }
  });
  if (!applies) skip("it tells no bounds");
}

void break_points(Subject& subject) {
  for_each_function(subject, [&](const FunctionUse& use) {
    const Index count = use.function->break_points(nullptr, 0);
    require(count >= 0, "{}: break_points() returns {}", use.place, count);
    std::vector<double> points(static_cast<std::size_t>(count) + 1, -1.5e77);
    const Index again = use.function->break_points(points.data(), count);
    require(again == count, "{}: break_points() returns {}, then {}", use.place, count, again);
    require(points.back() == -1.5e77, "{}: break_points() writes beyond its capacity", use.place);
    for (Index i = 1; i < count; ++i) {
      require(points[static_cast<std::size_t>(i)] > points[static_cast<std::size_t>(i) - 1],
              "{}: break points do not ascend", use.place);
    }
  });
}

/// The interval of arguments that is looked at, in parts of the size that features have.
void kinks(Subject& subject) {
  for_each_function(subject, [&](const FunctionUse& use) {
    const Function& f = *use.function;
    const auto* told = find_extension<FunctionSwitches>(f);
    std::vector<double> points(static_cast<std::size_t>(std::max<Index>(0, f.break_points(nullptr, 0))));
    f.break_points(points.data(), static_cast<Index>(points.size()));
    const double low = points.empty() ? -1 : points.front() - 0.5, high = points.empty() ? 2 : points.back() + 0.5;
    const auto switches = [&](double from, double to) {
      for (const double p : points) {
        if (from <= p && p <= to) return true;
      }
      const auto count = static_cast<std::size_t>(told == nullptr ? 0 : told->switch_count());
      std::vector<double> a(count, std::nan("")), b = a;
      if (count > 0) told->switch_values(from, a.data()), told->switch_values(to, b.data());
      for (std::size_t i = 0; i < count; ++i) {
        if (std::isnan(a[i]) != std::isnan(b[i]) || a[i] * b[i] <= 0) return true;
      }
      return false;
    };
    for (int look = 0; look < 40; ++look) {
      const double half = (high - low) * std::pow(10, uniform(subject.random, -2, -0.3));
      const double middle = uniform(subject.random, low + half, std::max(low + half, high - half));
      for (int order = 0; order <= 1; ++order) {  // where the next one jumps, this one bends
        const auto value = [&](double s) { return derivative_at(f, middle + s * half, order)[0]; };
        double scale = 0;
        for (int i = -20; i <= 20; ++i) scale = std::max(scale, std::abs(value(i / 20.0)));
        if (!(scale > 0) || !std::isfinite(scale)) continue;
        const double s = roughest(value, scale), x = middle + s * half, near = 4 * roughness_width * half;
        if (std::isnan(s) || switches(x - near, x + near)) continue;
        fail(
            "{}: {} jumps or has a kink at {:.6g}, where there is no break point and no switching function passes zero",
            use.place,
            order == 0   ? "it"
            : order == 1 ? "its first derivative"
                         : "its second derivative",
            x);
      }
    }
  });
}

}  // namespace

void add_function_checks(std::vector<Check>& checks) {
  checks.push_back({"contract.shapes", Level::contract, "evaluate writes value[0 .. order] and nothing else",
                    "all four derivatives written whatever was asked for", shapes, "contract.create"});
  checks.push_back({"math.derivatives", Level::mathematics, "each derivative is that of the one before",
                    "a chain-rule factor left out, or a break point that is not reported", derivatives,
                    "contract.shapes"});
  checks.push_back({"math.integral", Level::mathematics, "the derivative of the integral is the function",
                    "a constant that jumps between pieces", integral, "contract.shapes"});
  checks.push_back({"math.bounds", Level::mathematics,
                    "bounds on an interval hold all values, and close in on a point's",
                    "an extreme inside the interval that was passed over", bounds_hold, "contract.shapes"});
  checks.push_back({"math.break_points", Level::mathematics,
                    "break points ascend, and their number is the same at every call",
                    "points not sorted, or capacity not obeyed", break_points, "contract.shapes"});
  checks.push_back({"math.kinks", Level::mathematics, "it is smooth between its break points and switches",
                    "a break point that is not reported, or reported elsewhere", kinks, "contract.shapes"});
}

}  // namespace trammel::conformance
