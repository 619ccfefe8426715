// Dynamics in a second way, in a disturbed second way, in a third way.
#include "verify/verify_dynamics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "config/validate.h"
#include "trammel/error.h"
#include "verify/column_kinds.h"
#include "verify/growth.h"
#include "verify/second_way.h"

namespace trammel {
namespace {

// Two runs disagree where they differ by more than this multiple of the tolerance, at most by `apart`.
constexpr double multiple = 1000, apart = 0.05;
constexpr double of_rounding = 1e-9;  // of the largest values: what is left of channels that should be zero

double largest_of(const Node* node, double left_out) {
  if (node == nullptr) return left_out;
  double largest = node->number;
  for (const Node& item : node->items) largest = std::max(largest, item.number);
  return largest;
}

class DynamicsVerifier {
 public:
  DynamicsVerifier(const RunFile& run, PluginHost& host, const RunRecord& own, const VerifyOrder& order,
                   VerifyObserver& observer)
      : run_(run),
        own_(own),
        order_(order),
        observer_(observer),
        has_bodies_(model_host(run, host.catalogue()) != Host::any) {
    const Node& integrator = *run.integrator.node;
    const bool step_given =
        integrator.find("step") != nullptr && integrator.find("rtol") == nullptr && integrator.find("atol") == nullptr;
    const std::string rule = own.summary.value("step_rule", "");
    fixed_ = step_given || !rule.empty();
    tolerance_ = fixed_
                     ? Tolerance{1e-7, 1e-9}
                     : Tolerance{largest_of(integrator.find("rtol"), 1e-6), largest_of(integrator.find("atol"), 1e-8)};
    // What the run's atol allows is measured by what moved: a second way at a hundredth of a loose one is no judge.
    moving_ = least_moving(own, has_bodies_);
    loose_ = !fixed_ && moving_.range > 0 && tolerance_.atol > tolerance_.rtol * moving_.range;
    const double atol = loose_ ? std::max(tolerance_.rtol, 1e-12) * moving_.range : tolerance_.atol;
    tighter_ = {std::max(tolerance_.rtol / 100, 1e-12), std::max(atol / 100, 1e-14)};
    own_way_ = own_way(run, host);
    ways_ = other_ways(run, own_way_, has_bodies_, host);
    // Both runs must not step over the same thing: the second looks 500 times at least.
    max_step_ = std::min(run.analysis.duration / 500, largest_of(integrator.find("max_step"), run.analysis.duration));
    const ColumnKinds declared(own.summary);
    for (const std::string& column : own.columns) {
      if (declared.is_comparable(column)) columns_.push_back(column);
    }
    allowance_ = fixed_
                     ? Allowance{apart, 1e-12}
                     : Allowance{std::min(multiple * tolerance_.rtol, apart), multiple * tolerance_.atol, of_rounding};
    result_.analysis = "dynamics";
    result_.own =
        own_way_.text() + (step_given ? fmt::format(", fixed step {:g} s", largest_of(integrator.find("step"), 0))
                           : fixed_   ? ", steps that follow " + rule
                                      : fmt::format(", rtol {:g}, atol {:g}", tolerance_.rtol, tolerance_.atol));
    result_.limit =
        fixed_ ? fmt::format("without tolerances: {:g} % of a channel's range", 100 * apart)
               : fmt::format(
                     "{:g} of a channel's range (the lesser of {:g} rtol and {:g}), and {:g} of the largest values",
                     allowance_.relative, multiple, apart, of_rounding);
  }

  Verification run() {
    RunRecord second;
    const Way* second_way = go_next(second, tighter_, nullptr);
    if (second_way == nullptr) {
      result_.text =
          "no second way exists: " + (result_.ways.empty() ? std::string("no other method is installed") : failures());
      return result_;
    }
    take(own_, second, result_.ways.back().what);
    if (result_.comparison.agrees) return agree(Verdict::agrees);
    const Comparison first_and_second = result_.comparison;
    if (look_at_chaos(*second_way, second)) return result_;
    judge(*second_way, second);
    if (result_.verdict == Verdict::disagrees && loose_) {
      result_.text += fmt::format(
          "; atol {:g} is loose for this motion, {:.2g} of the range of {}, where rtol is {:g}: try "
          "\"atol\": {:.0e}",
          tolerance_.atol, tolerance_.atol / moving_.range, moving_.channel, tolerance_.rtol,
          std::max(tolerance_.rtol * moving_.range, 1e-14));
    }
    return result_;
  }

 private:
  void take(const RunRecord& a, const RunRecord& b, const std::string& with) {
    result_.comparison = compare(a, b, allowance_);
    result_.compared = with;
  }

  Verification agree(Verdict verdict) {
    result_.verdict = verdict;
    const ChannelDifference* worst = result_.comparison.worst();
    result_.text =
        worst == nullptr
            ? "nothing to compare"
            : fmt::format(
                  "{:.1f} digits hold in all channels; the largest error, {:.3g} in {} at t = {:.6g}, is {:.2g} of "
                  "what counts as disagreement",
                  result_.digits(), worst->error, worst->name, worst->t,
                  worst->allowed > 0 ? worst->error / worst->allowed : 0.0);
    if (worst == nullptr) result_.verdict = Verdict::not_verified;
    const std::string missed = result_.comparison.t.size() + result_.comparison.skipped < own_.rows()
                                   ? fmt::format("; the other way ended at t = {:.9g}",
                                                 result_.comparison.t.empty() ? 0 : result_.comparison.t.back())
                                   : std::string();
    result_.text += missed;
    return result_;
  }

  std::string failures() const {
    std::string text;
    for (const WayTaken& way : result_.ways) {
      text += (text.empty() ? "" : "; ") + way.what + ": " + way.failure.substr(0, way.failure.find('\n'));
    }
    return text;
  }

  RunRecord go(const Way& way, const Tolerance& tolerance, const char* folder, bool bounded) {
    const std::string what = fmt::format("{}, rtol {:g}, atol {:g}", way.text(), tolerance.rtol, tolerance.atol);
    observer_.begin(what);
    RunOrder order{order_.file, order_.set, order_.plugins, order_.folder / "verification" / folder, columns_,
                   own_.t,      0};
    for (const std::string& set : settings_of(way, tolerance, max_step_, run_.document->find("formulation") != nullptr))
      order.set.push_back(set);
    // Channels that the file asks for may be its own method's; those compared are watched, whatever is written.
    if (!run_.output.channels.empty()) order.set.emplace_back("output.channels=null");
    const long steps = own_.summary.contains("statistics") ? own_.summary["statistics"].value("steps", 0L) : 0L;
    if (bounded) order.most_steps = 100 * steps + 50000;
    RunRecord record = collect(order, observer_);
    if (record.interrupted) throw Error(ErrorKind::compute, "interrupted during " + what);
    WayTaken taken{what, record.completed ? "" : record.message, {}};
    if (record.summary.is_object()) taken.warnings = record.summary.value("warnings", std::vector<std::string>());
    result_.ways.push_back(std::move(taken));
    return record;
  }

  /// The next way that ends; its treatment and family are not those of `besides`, where there is one left.
  const Way* go_next(RunRecord& record, const Tolerance& tolerance, const Way* besides) {
    for (const bool strict : {true, false}) {
      for (std::size_t i = 0; i < ways_.size(); ++i) {
        const Way& way = ways_[i];
        if (std::find(gone_.begin(), gone_.end(), i) != gone_.end()) continue;
        const bool same = besides != nullptr &&
                          (way.family == besides->family || (has_bodies_ && way.treatment == besides->treatment));
        if (strict && same) continue;
        gone_.push_back(i);
        record = go(way, tolerance, besides == nullptr ? "second" : "third", i + 1 < ways_.size());
        if (record.completed) return &way;
      }
    }
    return nullptr;
  }

  /// The second way again at ten times its tolerance: how fast the motion itself lets errors grow.
  bool look_at_chaos(const Way& second_way, const RunRecord& second) {
    const Tolerance disturbed{10 * tighter_.rtol, 10 * tighter_.atol};
    const RunRecord other = go(second_way, disturbed, "disturbed", false);
    if (!other.completed) return false;
    RunRecord of_own_rows = second;
    of_own_rows.summary = own_.summary;
    const Comparison sensitivity = compare(of_own_rows, other, allowance_);
    const Growth growth = growth_of(sensitivity.t, sensitivity.difference);
    if (!growth.exponential) return false;
    std::vector<double> t, d, s;
    std::size_t j = 0;
    for (std::size_t i = 0; i < result_.comparison.t.size(); ++i) {
      while (j < sensitivity.t.size() && sensitivity.t[j] < result_.comparison.t[i]) ++j;
      if (j == sensitivity.t.size() || sensitivity.t[j] != result_.comparison.t[i]) continue;
      t.push_back(sensitivity.t[j]), d.push_back(result_.comparison.difference[i]),
          s.push_back(sensitivity.difference[j]);
    }
    const double own = fixed_ ? disturbed.rtol : tolerance_.rtol;
    if (!is_explained(t, d, s, own, disturbed.rtol)) return false;
    result_.verdict = Verdict::chaotic;
    result_.text = fmt::format(
        "the runs agree up to t = {:.6g}; after that the motion is chaotic: two runs of {} at rtol {:g} and {:g} part "
        "as "
        "exp({:.3g} t), by a factor of {:.2g} in the last three quarters of the time until they are apart, and the run "
        "parts no faster than they do from the level of its own tolerance. After that time single values are "
        "no result, in any program",
        result_.comparison.agree_until, second_way.text(), tighter_.rtol, disturbed.rtol, growth.rate, growth.factor);
    return true;
  }

  void judge(const Way& second_way, const RunRecord& second) {
    const Comparison with_second = result_.comparison;
    const std::string second_text = result_.compared;
    const ChannelDifference worst = with_second.worst() != nullptr ? *with_second.worst() : ChannelDifference{};
    const std::string where = fmt::format(
        "{} differs by {:.3g} at t = {:.6g}, {:.2g} of its range; the runs agree up to t = {:.6g}", worst.name,
        worst.error, worst.t, worst.scale > 0 ? worst.error / worst.scale : 0.0, with_second.agree_until);
    result_.verdict = Verdict::disagrees;
    RunRecord third;
    if (go_next(third, tighter_, &second_way) == nullptr) {
      result_.text = where + "; there is no third way to judge between the two";
      return;
    }
    const std::string third_text = result_.ways.back().what;
    const Comparison own_and_third = compare(own_, third, allowance_);
    RunRecord of_own_rows = second;
    of_own_rows.summary = own_.summary;
    const Comparison second_and_third = compare(of_own_rows, third, allowance_);
    if (own_and_third.agrees && !second_and_third.agrees) {
      take(own_, third, third_text);
      agree(Verdict::confirmed);
      result_.text = fmt::format("{} agrees with the run, {} is the one that is wrong ({}); {}", third_text,
                                 second_text, where, result_.text);
      return;
    }
    if (second_and_third.agrees) {
      result_.text =
          fmt::format("the run is wrong, {} and {} agree with each other: {}", second_text, third_text, where);
      return;
    }
    result_.text = fmt::format("no two of the three ways agree: {}; {} and {} agree up to t = {:.6g}", where,
                               second_text, third_text, second_and_third.agree_until);
  }

  const RunFile& run_;
  const RunRecord& own_;
  const VerifyOrder& order_;
  VerifyObserver& observer_;
  bool has_bodies_, fixed_ = false;
  bool loose_ = false;  ///< atol allows more than rtol does of
  MovingKind moving_;
  Tolerance tolerance_{}, tighter_{};
  Way own_way_;
  std::vector<Way> ways_;
  std::vector<std::size_t> gone_;
  std::vector<std::string> columns_;
  Allowance allowance_{};
  double max_step_ = 0;
  Verification result_;
};

}  // namespace

Verification verify_dynamics(const RunFile& run, PluginHost& host, const RunRecord& own, const VerifyOrder& order,
                             VerifyObserver& observer) {
  return DynamicsVerifier(run, host, own, order, observer).run();
}

}  // namespace trammel
