// Signals of time alone, with their break points and switches.
#include "signals/signal_function.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "trammel/error.h"

namespace trammel {
namespace {

constexpr double factorial[] = {1, 1, 2, 6};

Index write_ascending(const std::vector<double>& points, double* x, Index capacity) {
  const auto count = static_cast<Index>(points.size());
  if (x != nullptr) std::copy_n(points.begin(), std::min(count, capacity), x);
  return count;
}

}  // namespace

TimeSignal::TimeSignal(const SignalGraph& graph, Index node) : network_(graph, {node}), slot_(network_.slot_of(node)) {
  for (const SignalBlock& block : network_.blocks()) {
    if (const auto* formula = std::get_if<FormulaBlock>(&block.law)) switches_ += formula->formula().switches();
    const auto* function = std::get_if<FunctionBlock>(&block.law);
    if (function == nullptr) continue;
    max_order_ = std::min(max_order_, function->function().max_order() - function->derivative());
    if (block.inputs[0] != 0) continue;  // where kinks of others lie in time is searched before the run
    if (const auto* switches = find_extension<FunctionSwitches>(function->function()))
      switches_ += static_cast<std::size_t>(switches->switch_count());
    const std::size_t before = break_points_.size();
    const Index count = function->function().break_points(nullptr, 0);
    break_points_.resize(before + static_cast<std::size_t>(count));
    function->function().break_points(break_points_.data() + before, count);
  }
  std::sort(break_points_.begin(), break_points_.end());
  break_points_.erase(std::unique(break_points_.begin(), break_points_.end()), break_points_.end());
}

Status TimeSignal::evaluate(double t, int order, double* value) const {
  if (order == 0) {
    SignalNetwork::Slots<double> slots;
    slots[0] = t;
    network_.evaluate(slots, nullptr, nullptr);
    value[0] = slots[slot_];
  } else {
    SignalNetwork::Slots<Taylor<3>> slots;
    slots[0] = Taylor<3>(t, 1);
    network_.evaluate(slots, nullptr, nullptr);
    for (int k = 0; k <= order; ++k) value[k] = factorial[k] * slots[slot_].c[static_cast<std::size_t>(k)];
  }
  for (int k = 0; k <= order; ++k) {
    if (!std::isfinite(value[k]))
      return Status::failure(StatusCode::out_of_domain, "a signal has no finite value or derivative here", -1, t);
  }
  return Status::success();
}

Index TimeSignal::break_points(double* t, Index capacity) const { return write_ascending(break_points_, t, capacity); }

void TimeSignal::switch_values(double t, double* out) const {
  SignalNetwork::Slots<double> slots;
  slots[0] = t;
  network_.evaluate(slots, nullptr, nullptr);
  double room[SignalBlock::most_inputs];
  for (const SignalBlock& block : network_.blocks()) {
    const auto* function = std::get_if<FunctionBlock>(&block.law);
    if (function != nullptr && block.inputs[0] == 0) {
      const auto* switches = find_extension<FunctionSwitches>(function->function());
      if (switches == nullptr) continue;
      switches->switch_values(t, out);
      out += switches->switch_count();
    }
    const auto* formula = std::get_if<FormulaBlock>(&block.law);
    if (formula == nullptr) continue;
    const double* const none = nullptr;
    formula->formula().switches(block.gather(slots.data(), none, nullptr, room).u, out);
    out += formula->formula().switches();
  }
}

Status TimeSignal::bounds(double from, double to, double* range) const {
  SignalNetwork::Slots<Interval> slots;
  slots[0] = {from, to};
  Interval::undecided = false;
  network_.evaluate(slots, nullptr, nullptr);
  const Interval all = Interval::undecided ? Interval::everything() : slots[slot_];
  range[0] = all.low, range[1] = all.high;
  return Status::success();
}

const void* TimeSignal::extension(const char* id) const {
  if (std::strcmp(id, FunctionSwitches::id) == 0) return static_cast<const FunctionSwitches*>(this);
  if (std::strcmp(id, FunctionBounds::id) == 0) return static_cast<const FunctionBounds*>(this);
  return nullptr;
}

SampleTimes::SampleTimes(const HoldBlock& hold, double end) {
  constexpr double most = 1e6;
  if ((end - hold.offset) / hold.period > most) {
    throw Error::parameter(
        "period", fmt::format("{:g} s are more than {:g} samples in the {:g} s of the run", hold.period, most, end));
  }
  for (double k = 0; hold.offset + k * hold.period <= end; ++k) times_.push_back(hold.offset + k * hold.period);
}

Status SampleTimes::evaluate(double t, int order, double* value) const {
  std::fill_n(value, order + 1, 0.0);
  const auto passed = std::upper_bound(times_.begin(), times_.end(), t) - times_.begin();
  value[0] = static_cast<double>(passed % 2);
  return Status::success();
}

Index SampleTimes::break_points(double* t, Index capacity) const { return write_ascending(times_, t, capacity); }

}  // namespace trammel
