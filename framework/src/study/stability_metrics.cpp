// Taking and drawing the metrics of stability.
#include "study/stability_metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "model/lone_integrator.h"
#include "plugin/breadcrumb.h"
#include "results/atomic_file.h"
#include "results/csv_table.h"
#include "stability/stability.h"
#include "study/case_record.h"
#include "study/svg_plot.h"
#include "trammel/error.h"

namespace trammel {
namespace {

struct RadiusOptions {
  double re, im;
};
struct LimitOptions {
  double re, im, until, tolerance;
  std::int64_t points;
};
struct AreaOptions {
  double re_min, re_max, im_max;
  std::int64_t columns;
};

constexpr ParameterRecord number(const char* name, std::size_t offset, const char* description, const char* otherwise,
                                 double minimum = -no_bound) {
  return {.name = name,
          .type = ParameterType::number,
          .offset = static_cast<std::uint32_t>(offset),
          .unit = "1",
          .description = description,
          .default_json = otherwise,
          .minimum = minimum};
}
constexpr ParameterRecord count(const char* name, std::size_t offset, const char* description, const char* otherwise) {
  return {.name = name,
          .type = ParameterType::integer,
          .offset = static_cast<std::uint32_t>(offset),
          .unit = "1",
          .description = description,
          .default_json = otherwise,
          .minimum = 2,
          .maximum = 100000};
}

constexpr ParameterRecord radius_records[] = {
    number("re", offsetof(RadiusOptions, re), "Real part of h lambda.", "0"),
    number("im", offsetof(RadiusOptions, im), "Imaginary part of h lambda: h omega of an undamped vibration.", "1"),
};
constexpr ParameterRecord limit_records[] = {
    number("re", offsetof(LimitOptions, re), "Direction in the plane of h lambda, real part.", "0"),
    number("im", offsetof(LimitOptions, im), "Direction, imaginary part; 0 and 1: the undamped vibration.", "1"),
    number("until", offsetof(LimitOptions, until), "Largest |h lambda| looked at.", "4", 1e-3),
    number("tolerance", offsetof(LimitOptions, tolerance), "Spectral radius above 1 that counts as rounding.", "1e-9",
           0),
    count("points", offsetof(LimitOptions, points), "Points of the curve.", "400"),
};
constexpr ParameterRecord region_records[] = {
    number("re_min", offsetof(AreaOptions, re_min), "Window in the plane of h lambda: left end.", "-4"),
    number("re_max", offsetof(AreaOptions, re_max), "Right end.", "1"),
    number("im_max", offsetof(AreaOptions, im_max), "Upper end; the lower half mirrors the upper.", "4", 1e-3),
    count("columns", offsetof(AreaOptions, columns), "Cells along the real axis.", "80"),
};

double fixed_step(const RunFile& run) {
  const Node* step = run.integrator.node->find("step");
  return step != nullptr && step->is_number() ? step->number : 1;
}

using Results = std::vector<std::pair<std::string, double>>;
constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

Results radius(const RadiusOptions& o, const StabilityProbe& probe) {
  Amplification amplification;
  if (!probe.amplification({o.re, o.im}, amplification)) return {{"", nothing}};
  const double rho = amplification.spectral_radius();
  return {{"", rho}, {"excess", rho - 1}, {"growth_exponent", amplification.growth_exponent()}};
}

Results limit(const LimitOptions& o, const StabilityProbe& probe, const std::filesystem::path& file) {
  const RayOptions ray{o.re, o.im, o.until, static_cast<int>(o.points), o.tolerance};
  std::string csv = "h_lambda,radius\n";
  for (const StabilityPoint& point : stability_curve(probe, ray)) {
    if (std::isfinite(point.radius))
      csv += fmt::format("{:.9g},{:.17g}\n", std::hypot(point.re, point.im), point.radius);
  }
  write_atomically(file, csv);
  const StabilityLimit found = find_stability_limit(probe, ray);
  const bool never = found.limit == 0;
  return {{"", found.limit},
          {"growth", never ? found.growth : nothing},
          {"growth_power", never ? found.growth_power : nothing}};
}

Results region(const AreaOptions& o, const StabilityProbe& probe, const std::filesystem::path& file) {
  const StabilityRegion found = stability_region(probe, {o.re_min, o.re_max, o.im_max, static_cast<int>(o.columns)});
  std::string csv = "re_1,im_1,re_2,im_2\n";
  for (const auto& [a, b] : found.boundary) csv += fmt::format("{:.7g},{:.7g},{:.7g},{:.7g}\n", a.re, a.im, b.re, b.im);
  write_atomically(file, csv);
  return {{"", 2 * found.area}};
}

std::vector<SvgPlot::Point> curve_points(const CsvTable& table) {
  std::vector<SvgPlot::Point> points;
  for (std::size_t i = 0; i < table.rows(); ++i) points.emplace_back(table.row(i)[0], table.row(i)[1]);
  return points;
}

std::vector<SvgPlot::Point> boundary_points(const CsvTable& table) {
  std::vector<SvgPlot::Point> ends;
  for (const double side : {1.0, -1.0}) {  // the lower half mirrors the upper
    for (std::size_t i = 0; i < table.rows(); ++i) {
      const double* row = table.row(i);
      ends.emplace_back(row[0], side * row[1]);
      ends.emplace_back(row[2], side * row[3]);
    }
  }
  return ends;
}

}  // namespace

ParameterTable spectral_radius_table() {
  return {radius_records, static_cast<std::int32_t>(std::size(radius_records)), sizeof(RadiusOptions),
          alignof(RadiusOptions)};
}
ParameterTable stability_limit_table() {
  return {limit_records, static_cast<std::int32_t>(std::size(limit_records)), sizeof(LimitOptions),
          alignof(LimitOptions)};
}
ParameterTable stability_region_table() {
  return {region_records, static_cast<std::int32_t>(std::size(region_records)), sizeof(AreaOptions),
          alignof(AreaOptions)};
}

bool is_stability_metric(OwnMetric kind) {
  return kind == OwnMetric::spectral_radius || kind == OwnMetric::stability_limit ||
         kind == OwnMetric::stability_region;
}

Results stability_results(const StudyFile& study, const MetricSection& metric, const RunFile& run, PluginHost& host,
                          const std::filesystem::path& folder) {
  const Component component = lone_integrator(run, run.integrator, host);
  const PhaseScope scope(component.plugin_id().c_str(), run.integrator.type.c_str(), "search of stability");
  const StabilityProbe probe(component.as<Integrator>(), fixed_step(run));
  if (!probe.status()) {
    throw Error(ErrorKind::input, message_at(metric.place, metric.path,
                                             fmt::format("the stability of '{}' cannot be found: {}",
                                                         run.integrator.type, probe.status().what)));
  }
  const std::filesystem::path file = folder / (metric.name + ".csv");
  switch (find_own_metric(metric.type)->kind) {
    case OwnMetric::spectral_radius: return radius(*MetricOptions<RadiusOptions>(study, metric), probe);
    case OwnMetric::stability_limit: return limit(*MetricOptions<LimitOptions>(study, metric), probe, file);
    default: return region(*MetricOptions<AreaOptions>(study, metric), probe, file);
  }
}

std::vector<std::string> draw_stability(const StudyFile& study, const std::filesystem::path& folder) {
  std::vector<std::string> pictures;
  for (const MetricSection& metric : study.metrics) {
    const OwnMetricType* own = find_own_metric(metric.type);
    const bool curves = own != nullptr && own->kind == OwnMetric::stability_limit;
    if (!curves && (own == nullptr || own->kind != OwnMetric::stability_region)) continue;
    const std::string title = study.title.empty() ? metric.name : study.title;
    SvgPlot plot = [&] {
      if (curves) {
        const MetricOptions<LimitOptions> o(study, metric);
        return SvgPlot(title, "|h lambda|", "spectral radius", {0, o->until}, {0, 2});
      }
      const MetricOptions<AreaOptions> o(study, metric);
      return SvgPlot(title, "Re h lambda", "Im h lambda", {o->re_min, o->re_max}, {-o->im_max, o->im_max});
    }();
    if (curves) plot.add_level(1);
    for (const StudyCase& c : study.cases) {
      const std::filesystem::path file = case_folder(folder, c) / (metric.name + ".csv");
      std::error_code ignored;
      if (!metric.applies_to(c) || !std::filesystem::is_regular_file(file, ignored)) continue;
      const CsvTable table = read_csv(file);
      if (curves)
        plot.add_curve(c.name, curve_points(table));
      else
        plot.add_segments(c.name, boundary_points(table));
    }
    pictures.push_back(metric.name + ".svg");
    write_atomically(folder / pictures.back(), plot.text());
  }
  return pictures;
}

}  // namespace trammel
