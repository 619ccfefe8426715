// Watch: channels that an observer asked for, evaluated beside the output columns.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "plugin/breadcrumb.h"
#include "results/columns.h"
#include "run/plant/plant.h"
#include "trammel/error.h"
#include "trammel/host/simulation.h"
#include "trammel/host/step_observer.h"
#include "trammel/text/suggest.h"

namespace trammel {

class Watch {
 public:
  /// [setup] Throws Error(input) naming the first channel that is no column, with the nearest; the channel is its key;
  /// or the first time that does not ascend.
  Watch(const Model& model, Plant& plant, MethodChannels method, const std::vector<std::string>& channels,
        const std::vector<double>& times, ChannelObserver& observer)
      : columns_(model, plant.model(), plant.observation(), method),
        times_(times),
        observer_(observer),
        inside_(dynamic_cast<StepObserver*>(&observer)) {
    for (std::size_t i = 0; i < times.size(); ++i) {
      const bool ordered = i == 0 ? !std::isnan(times[i]) : times[i] >= times[i - 1];
      if (ordered) continue;
      throw Error(ErrorKind::input,
                  fmt::format("times[{}] = {:g}: the times to watch must ascend and be numbers", i, times[i]));
    }
    const std::vector<std::string> known = columns_.available();
    for (const std::string& channel : channels) {
      if (std::find(known.begin(), known.end(), channel) != known.end()) continue;
      throw Error::parameter(channel, "there is no column '" + channel + "'" + did_you_mean(channel, known));
    }
    // Selecting nothing would mean the default selection.
    if (!channels.empty()) columns_.select(channels, false);
    values_.assign(channels.size(), 0.0);
    energy_ =
        std::any_of(channels.begin(), channels.end(), [](const std::string& c) { return c.starts_with("energy."); });
  }

  /// [step] The next time asked for, if it is not after `t`.
  const double* next_time(double t) const {
    return next_ < times_.size() && times_[next_] <= t ? &times_[next_] : nullptr;
  }
  /// [step] Done with it.
  void skip_time() { ++next_; }

  /// The observer as one that looks inside steps, or nullptr; and whether it looks at energies.
  StepObserver* inside() const { return inside_; }
  bool energy() const { return energy_; }
  /// [step] The channels of the state observed last.
  const double* row(const Sample& sample) {
    if (!values_.empty()) columns_.row(sample, {values_.data(), static_cast<Index>(values_.size())});
    mark_element(nullptr, nullptr);  // what the observer throws is no plugin's doing
    return values_.data();
  }

  /// [step] `sample` describes the state observed last.
  void tell(ChannelObserver::At at, double t, const Sample& sample) {
    const double* const values = row(sample);
    observer_.sample(at, t, sample.h, {values, static_cast<Index>(values_.size())});
  }

 private:
  Columns columns_;
  std::vector<double> times_, values_;
  std::size_t next_ = 0;
  ChannelObserver& observer_;
  StepObserver* inside_;
  bool energy_ = false;
};

}  // namespace trammel
