// Driven motion again on a grid four times as fine, and its rates against differences.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "trammel/error.h"
#include "verify/verify_other.h"

namespace trammel {
namespace {

constexpr double relative = 1e-6, absolute = 1e-9, energy_limit = 0.01;
constexpr int finer = 4;

/// The column whose rate `column` is, or "".
std::string integral_of(const std::string& column) {
  static const std::map<std::string, std::string> of = {
      {"vx", "x"},      {"vy", "y"},      {"vz", "z"},        {"omega", "phi"},  {"ax", "vx"},
      {"ay", "vy"},     {"az", "vz"},     {"alpha", "omega"}, {"rate", "angle"}, {"speed", "displacement"},
      {"alphax", "wx"}, {"alphay", "wy"}, {"alphaz", "wz"}};
  const std::size_t dot = column.rfind('.');
  if (dot == std::string::npos) return "";
  const auto found = of.find(column.substr(dot + 1));
  return found == of.end() ? "" : column.substr(0, dot + 1) + found->second;
}

/// Central differences over one and two rows, extrapolated; judged by how much the two differ, which is more than the
/// error.
void compare_rates(const RunRecord& fine, std::vector<ChannelDifference>& channels) {
  for (std::size_t rate = 0; rate < fine.columns.size(); ++rate) {
    const auto found = std::find(fine.columns.begin(), fine.columns.end(), integral_of(fine.columns[rate]));
    if (found == fine.columns.end() || fine.rows() < 5) continue;
    const auto value = static_cast<std::size_t>(found - fine.columns.begin());
    ChannelDifference c;
    c.name = "d(" + fine.columns[value] + ")/dt - " + fine.columns[rate];
    double low = fine.at(0, rate), high = low, size = 0, of_value = 0, excess = 0;
    for (std::size_t i = 0; i < fine.rows(); ++i) {
      low = std::min(low, fine.at(i, rate)), high = std::max(high, fine.at(i, rate));
      size = std::max(size, std::abs(fine.at(i, rate))), of_value = std::max(of_value, std::abs(fine.at(i, value)));
    }
    c.range = high - low, c.scale = std::max(c.range, 1e-3 * size) + absolute / relative;
    for (std::size_t i = 2; i + 2 < fine.rows(); ++i) {
      const double h = fine.t[i + 1] - fine.t[i], other = fine.t[i] - fine.t[i - 1];
      if (std::abs(h - other) > 1e-9 * h || std::abs(fine.t[i + 2] - fine.t[i - 2] - 4 * h) > 1e-9 * h) continue;
      const double one = (fine.at(i + 1, value) - fine.at(i - 1, value)) / (2 * h);
      const double two = (fine.at(i + 2, value) - fine.at(i - 2, value)) / (4 * h);
      const double error = std::abs((4 * one - two) / 3 - fine.at(i, rate));
      const double allowed = std::abs(one - two) + relative * c.scale + 1e-12 * of_value / h + absolute;
      if (error > c.error) c.error = error, c.t = fine.t[i];
      if (error / allowed > excess) excess = error / allowed, c.allowed = allowed;
    }
    // The row that exceeds its own allowance most speaks for the channel.
    c.allowed = excess > 0 ? std::max(c.error / excess, 1e-300) : absolute;
    channels.push_back(c);
  }
}

/// Kinetic and potential energy against the work of drivers and forces, of the finer run.
void compare_energy(const RunRecord& fine, std::vector<ChannelDifference>& channels) {
  const auto column = [&](const char* name) {
    return static_cast<std::size_t>(std::find(fine.columns.begin(), fine.columns.end(), name) - fine.columns.begin());
  };
  const std::size_t total = column("energy.total"), work = column("energy.work"), kinetic = column("energy.kinetic");
  if (total == fine.columns.size() || work == fine.columns.size() || kinetic == fine.columns.size() || fine.rows() == 0)
    return;
  double low = fine.at(0, total), high = low, moved = 0;
  for (std::size_t i = 0; i < fine.rows(); ++i) {
    low = std::min(low, fine.at(i, total)), high = std::max(high, fine.at(i, total));
    moved = std::max({moved, std::abs(fine.at(i, work)), fine.at(i, kinetic)});
  }
  ChannelDifference c;
  c.name = "energy - work";
  c.range = high - low, c.scale = std::max(c.range, moved);
  c.error = fine.summary["max"].value("energy_drift", 0.0);
  c.t = fine.t.back();
  c.allowed = energy_limit * c.scale + absolute;
  channels.push_back(c);
}

/// Of inverse dynamics efforts too, and the work that they do.
enum class Driven { kinematics, inverse_dynamics };

Verification verify_driven(const RunFile& run, const RunRecord& own, const VerifyOrder& order, VerifyObserver& observer,
                           Driven analysis) {
  const bool inverse = analysis == Driven::inverse_dynamics;
  Verification result;
  result.analysis = inverse ? "inverse_dynamics" : "kinematics";
  result.own = result.analysis + (run.output.at_steps ? "" : fmt::format(", rows every {:g} s", run.output.step));
  result.limit = fmt::format("{:g} of a channel's range; differences by what two step sizes of theirs leave open{}",
                             relative, inverse ? fmt::format("; energy against work {:g} %", 100 * energy_limit) : "");
  if (run.output.at_steps) {
    result.text =
        "no second way exists: without \"output\": {\"step\": ...} the rows are the steps of the continuation";
    return result;
  }
  const std::string what = fmt::format("{} with rows every {:g} s, and differences of its positions and velocities",
                                       result.analysis, run.output.step / finer);
  observer.begin(what);
  RunOrder again{order.file, order.set, order.plugins, order.folder / "verification" / "second", own.columns, own.t, 0};
  again.set.push_back(fmt::format("output.step={:.17g}", run.output.step / finer));
  const RunRecord second = collect(again, observer);
  if (second.interrupted) throw Error(ErrorKind::compute, "interrupted during " + what);
  result.ways.push_back({what, second.completed ? "" : second.message, {}});
  if (!second.completed) {
    result.verdict = Verdict::disagrees;
    result.text = "on a finer grid the run does not complete: " + second.message;
    return result;
  }
  result.compared = what;
  result.comparison = compare(own, second, {relative, absolute});
  const RunRecord fine = read_record_of(again.folder);
  compare_rates(fine, result.comparison.channels);
  if (inverse) compare_energy(fine, result.comparison.channels);
  const ChannelDifference* worst = result.comparison.worst();
  if (worst == nullptr) {
    result.text = "nothing to compare";
    return result;
  }
  const bool good = result.comparison.agrees && worst->error <= worst->allowed;
  result.verdict = good ? Verdict::agrees : Verdict::disagrees;
  result.text = good ? fmt::format("{:.1f} digits hold in all channels", result.digits())
                     : fmt::format("{} is off by {:.3g} at t = {:.6g}, {:.3g} is allowed", worst->name, worst->error,
                                   worst->t, worst->allowed);
  return result;
}

}  // namespace

Verification verify_kinematics(const RunFile& run, const RunRecord& own, const VerifyOrder& order,
                               VerifyObserver& observer) {
  return verify_driven(run, own, order, observer, Driven::kinematics);
}

Verification verify_inverse_dynamics(const RunFile& run, const RunRecord& own, const VerifyOrder& order,
                                     VerifyObserver& observer) {
  return verify_driven(run, own, order, observer, Driven::inverse_dynamics);
}

}  // namespace trammel
