// Fingerprints of metrics.
#include "check/element_point.h"
#include "check/fingerprint_files.h"
#include "check/metric_bench.h"

namespace trammel::conformance {
namespace {

/// Steps of all sizes, now and then one of none: what a metric takes for a jump.
Signal random_signal(std::mt19937& random, double length, int samples) {
  Signal signal;
  double t = uniform(random) < 0.8 ? 0 : uniform(random, 0, 0.5);
  for (int i = 0; i < samples; ++i) {
    signal.times.push_back(t);
    if (i % 17 != 5) t += 2 * length / samples * std::pow(uniform(random, 0, 1), 2);
  }
  const double pitch = uniform(random, 1, 20), offset = uniform(random, -2, 2);
  signal.value = [&random, pitch, offset](Index channel, double at) {
    return offset + std::sin(pitch * at + static_cast<double>(channel)) + 0.3 * uniform(random);
  };
  return signal;
}

}  // namespace

void digest_metrics(Subject& subject, int calls, Digest& digest) {
  constexpr int samples = 500;
  const std::vector<MetricCase> uses = metric_cases(subject);
  for (const MetricCase& use : uses) {
    const CreatedMetric created(subject, use);
    const double length = 2.0 * stretches(subject, use);
    for (int done = 0; done < calls / static_cast<int>(uses.size()); done += samples) {
      Fed fed(created.metric);
      const Signal signal = random_signal(subject.random, length, samples);
      for (std::size_t i = 0; i < signal.times.size(); ++i) {
        fed.feed(signal.times[i], i == 0 ? 0 : signal.times[i] - signal.times[i - 1], signal);
        if (i % 100 == 7) digest.add(fed.results());
      }
      digest.add(fed.results());
      digest.add(fed.curve());
    }
  }
}

}  // namespace trammel::conformance
