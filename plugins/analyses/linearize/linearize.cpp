// Plugin `linearize`: small motions about states of a model as matrices, and what they answer to at frequencies.
//
//   x' = A x + B u,  y = C x + D u                                                                                 (1)
//   G(f) = C (2 pi i f - A)^-1 B + D                                                                               (2)
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <numbers>
#include <optional>
#include <string>

#include "linear_files.h"
#include "trammel/analysis.h"
#include "trammel/extensions/equilibrium_finder.h"
#include "trammel/extensions/host_services.h"
#include "trammel/extensions/linear_systems.h"
#include "trammel/model_info.h"
#include "trammel/sdk/offer_extensions.h"
#include "trammel/sdk/plugin.h"
#include "trammel/sdk/refuse.h"

namespace trammel {
namespace {

using Eigen::MatrixXcd;
using linearize::Response;
using linearize::System;
using Complex = std::complex<double>;
using std::numbers::pi;

enum class At : std::int32_t { initial, equilibrium };

/// Parameters as their tables have them, for both analyses.
struct CommonKeys {
  At at;
  Texts inputs, outputs;
  Numbers turning;
};

class Linearization {
 public:
  Linearization(const CommonKeys& keys, const ModelInfo& model) : keys_(keys), log_(find_extension<RunLog>(model)) {
    if (keys.turning.size != 0 && keys.turning.size != 1 && keys.turning.size != 3)
      throw Error::parameter("turning", "has " + std::to_string(keys.turning.size) +
                                            " numbers; an angular velocity has three, or one about the z axis");
  }

  bool begin(AnalysisHost& host, Refusal& refusal) {
    host_ = &host;
    systems_ = find_extension<LinearSystems>(host);
    if (systems_ == nullptr)
      return sdk::refuse(refusal, "", "this program offers no linear systems", ErrorKind::plugin);
    LinearSystemRequest request;
    request.all_inputs = keys_.inputs.data == nullptr, request.all_outputs = keys_.outputs.data == nullptr;
    request.inputs = keys_.inputs, request.outputs = keys_.outputs;
    if (keys_.turning.size == 1) request.turning[2] = keys_.turning[0];
    for (std::int64_t i = 0; keys_.turning.size == 3 && i < 3; ++i) request.turning[i] = keys_.turning[i];
    return systems_->choose(request, refusal);
  }

  /// The state that is looked for, and its system.
  Status search() {
    std::vector<double> q(host_->q().data, host_->q().data + host_->q().size),
        v(host_->v().data, host_->v().data + host_->v().size);
    const auto n = static_cast<Index>(q.size());
    if (keys_.at == At::equilibrium) {
      auto* finder = find_extension<EquilibriumFinder>(*host_);
      if (finder == nullptr) return Status::failure(StatusCode::unsupported, "search for an equilibrium");
      const Status found = finder->find_equilibrium({q.data(), n});
      if (!found) return found;
      std::fill(v.begin(), v.end(), 0.0);
    }
    const Status shown = host_->show(0, {q.data(), n}, {v.data(), n});
    return shown ? take(0) : shown;
  }

  Status take(double t) {
    const Status taken = systems_->take();
    if (!taken) return taken;
    System s;
    s.t = t;
    s.states = names(LinearSystems::Names::states), s.inputs = names(LinearSystems::Names::inputs);
    s.outputs = names(LinearSystems::Names::outputs);
    const auto matrix = [&](LinearSystems::Matrix which, const auto& rows, const auto& columns) {
      return Eigen::MatrixXd(Eigen::Map<const Eigen::MatrixXd>(
          systems_->matrix(which).data, static_cast<Index>(rows.size()), static_cast<Index>(columns.size())));
    };
    s.A = matrix(LinearSystems::Matrix::A, s.states, s.states),
    s.B = matrix(LinearSystems::Matrix::B, s.states, s.inputs);
    s.C = matrix(LinearSystems::Matrix::C, s.outputs, s.states),
    s.D = matrix(LinearSystems::Matrix::D, s.outputs, s.inputs);
    if (s.A.size() > 0) s.eigenvalues = Eigen::EigenSolver<Eigen::MatrixXd>(s.A, false).eigenvalues();
    std::sort(s.eigenvalues.begin(), s.eigenvalues.end(), [](const Complex& a, const Complex& b) {
      return a.real() != b.real() ? a.real() < b.real() : a.imag() < b.imag();
    });
    found_.push_back(std::move(s));
    return look_at_motion();
  }

  const std::vector<System>& found() const { return found_; }
  void warn(const std::string& text) const {
    if (log_ != nullptr) log_->warn(text.c_str());
  }
  /// Of all systems, 1/s.
  double growth() const {
    double largest = -std::numeric_limits<double>::infinity();
    for (const System& s : found_) {
      for (const Complex& e : s.eigenvalues) largest = std::max(largest, e.real());
    }
    return largest;
  }

 private:
  linearize::Names names(LinearSystems::Names of) const {
    linearize::Names all;
    for (Index i = 0; i < systems_->count(of); ++i) all.emplace_back(systems_->name(of, i));
    return all;
  }

  /// Warns where the equations are not those of a steady motion.
  Status look_at_motion() {
    constexpr double moving = 1e-6, unsteady = 1e-4;
    const System& s = found_.back();
    const double rate = s.eigenvalues.size() > 0 ? s.eigenvalues.cwiseAbs().maxCoeff() : 0;
    if (!(rate > 0) || !(host_->v().map().cwiseAbs().maxCoeff() > moving)) return Status::success();
    double change = 0;
    const Status status = systems_->change_along_motion(rate, change);
    if (!status || change <= unsteady) return status;
    char text[400];
    std::snprintf(
        text, sizeof text,
        "the linearized equations at t = %.6g change along the motion, by a share of %.2g while the fastest of "
        "their motions goes on by a radian: their eigenvalues are those of an instant, and do not tell whether "
        "motions grow; \"turning\" chooses axes in which a motion may be steady",
        s.t, change);
    warn(text);
    return status;
  }

  CommonKeys keys_;
  const RunLog* log_;
  AnalysisHost* host_ = nullptr;
  LinearSystems* systems_ = nullptr;
  std::vector<System> found_;
};

bool write_files(const char* folder, const std::vector<linearize::File>& files, Refusal& refusal) {
  for (const linearize::File& file : files) {
    std::ofstream out(std::string(folder) + "/" + file.name, std::ios::binary | std::ios::trunc);
    out << file.text;
    out.close();
    if (!out) return sdk::refuse(refusal, "", file.name + " cannot be written", ErrorKind::compute);
  }
  return true;
}

#define TRAMMEL_LINEARIZE_COMMON                                                                                 \
  TRAMMEL_FIELD(Parameters, inputs, "1",                                                                         \
                "Inputs u: functions of type input, forces with a given force or torque, paths of numbers; all " \
                "functions of type input if left out.")                                                          \
      .optional(),                                                                                               \
      TRAMMEL_FIELD(Parameters, outputs, "1", "Channels y; those of the output if left out.").optional(),        \
      TRAMMEL_FIELD(Parameters, turning, "rad/s",                                                                \
                    "Angular velocity of the axes in which displacements and turns of bodies are given: three "  \
                    "numbers, or one about the z axis; axes that stand still if left out.")                      \
          .optional()

class Linearize final : public Analysis, SeesDynamics {
 public:
  struct Parameters {
    At at;
    Numbers times;
    Texts inputs, outputs;
    Numbers turning;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, at, "1", "State that is linearized.")
          .choices("initial|equilibrium")
          .otherwise("\"initial\""),
      TRAMMEL_FIELD(Parameters, times, "s",
                    "Times of the motion of dynamics at which it is linearized, ascending; in place of `at`.")
          .at_least(0)
          .optional(),
      TRAMMEL_LINEARIZE_COMMON);

  Linearize(const Parameters& p, const ModelInfo& model)
      : times_(p.times.data, p.times.data + p.times.size),
        linearization_({p.at, p.inputs, p.outputs, p.turning}, model) {
    for (std::size_t i = 1; i < times_.size(); ++i) {
      if (!(times_[i] > times_[i - 1])) throw Error::parameter("times", "must ascend");
    }
    if (p.times.data != nullptr && times_.empty()) throw Error::parameter("times", "must have at least one number");
    if (!times_.empty() && p.at == At::equilibrium)
      throw Error::parameter("at", "means nothing beside 'times', which say where the motion is linearized");
  }

  AnalysisTraits traits() const override {
    AnalysisTraits traits;
    traits.over_time = !times_.empty();
    return traits;
  }
  const void* extension(const char* id) const override { return sdk::offer_extensions<SeesDynamics>(id, this); }
  bool begin(AnalysisHost& host, Refusal& refusal) override {
    if (!times_.empty() && times_.back() > host.duration())
      return sdk::refuse(refusal, "times",
                         "go beyond the end of the motion at " + linearize::number(host.duration()) + " s");
    return linearization_.begin(host, refusal);
  }
  Status search() override { return linearization_.search(); }
  Index time_count() const override { return static_cast<Index>(times_.size()); }
  double time(Index i) const override { return times_[static_cast<std::size_t>(i)]; }
  Status at_time(Index i) override { return linearization_.take(time(i)); }

  Index result_count() const override { return linearization_.found().empty() ? 0 : 3; }
  AnalysisResult result(Index i) const override {
    const System& first = linearization_.found().front();
    if (i == 0) return {"systems", "1", static_cast<double>(linearization_.found().size())};
    if (i == 1) return {"states", "1", static_cast<double>(first.states.size())};
    return {"largest_real_part", "1/s", linearization_.growth()};
  }
  bool write(const char* folder, Refusal& refusal) const override {
    const std::vector<System>& found = linearization_.found();
    if (found.size() < times_.size()) {
      linearization_.warn(
          std::to_string(found.size()) + " of " + std::to_string(times_.size()) +
          " times were passed: the motion ended before the others, or went on from a checkpoint behind them");
    }
    return write_files(folder, linearize::system_files(found), refusal);
  }

 private:
  std::vector<double> times_;
  Linearization linearization_;
};

class FrequencyResponse final : public Analysis, SeesDynamics {
 public:
  struct Parameters {
    At at;
    Texts inputs, outputs;
    Numbers turning, frequencies;
    double from, to;
    std::int64_t count;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, at, "1", "State that is linearized.")
          .choices("initial|equilibrium")
          .otherwise("\"initial\""),
      TRAMMEL_LINEARIZE_COMMON,
      TRAMMEL_FIELD(Parameters, frequencies, "Hz", "Frequencies, ascending; in place of `from`, `to` and `count`.")
          .above(0)
          .optional(),
      TRAMMEL_FIELD(Parameters, from, "Hz", "Lowest frequency; a decade below the slowest motion if left out.")
          .above(0)
          .optional(),
      TRAMMEL_FIELD(Parameters, to, "Hz", "Highest frequency; a decade above the fastest motion if left out.")
          .above(0)
          .optional(),
      TRAMMEL_FIELD(Parameters, count, "1", "Number of frequencies, with equal ratios.")
          .at_least(2)
          .at_most(100000)
          .otherwise("200"));

  FrequencyResponse(const Parameters& p, const ModelInfo& model)
      : p_(p),
        frequencies_(p.frequencies.data, p.frequencies.data + p.frequencies.size),
        linearization_({p.at, p.inputs, p.outputs, p.turning}, model) {
    for (std::size_t i = 1; i < frequencies_.size(); ++i) {
      if (!(frequencies_[i] > frequencies_[i - 1])) throw Error::parameter("frequencies", "must ascend");
    }
    if (!frequencies_.empty() && (given(p.from) || given(p.to)))
      throw Error::parameter(given(p.from) ? "from" : "to", "means nothing beside 'frequencies', which lists them");
    if (given(p.from) && given(p.to) && !(p.to > p.from)) throw Error::parameter("to", "must be above 'from'");
  }

  AnalysisTraits traits() const override { return {}; }
  const void* extension(const char* id) const override { return sdk::offer_extensions<SeesDynamics>(id, this); }
  bool begin(AnalysisHost& host, Refusal& refusal) override { return linearization_.begin(host, refusal); }
  Index time_count() const override { return 0; }
  double time(Index) const override { return 0; }
  Status at_time(Index) override { return Status::success(); }

  Status search() override {
    const Status status = linearization_.search();
    if (!status) return status;
    const System& s = linearization_.found().front();
    if (s.inputs.empty())
      return Status::failure(StatusCode::failed,
                             "the model has no function of type 'input', and \"inputs\" names nothing: a response");
    if (s.outputs.empty())
      return Status::failure(StatusCode::failed, "neither \"outputs\" nor the output name a channel: a response");
    if (frequencies_.empty()) choose_frequencies(s);
    respond(s);
    return status;
  }

  Index result_count() const override { return response_.G.empty() ? 0 : 2 + static_cast<Index>(2 * peaks_.size()); }
  AnalysisResult result(Index i) const override {
    if (i == 0) return {"frequencies", "1", static_cast<double>(frequencies_.size())};
    if (i == 1) return {"largest_real_part", "1/s", linearization_.growth()};
    const Peak& peak = peaks_[static_cast<std::size_t>((i - 2) / 2)];
    return i % 2 == 0 ? AnalysisResult{peak.name.c_str(), "output per input", peak.magnitude}
                      : AnalysisResult{peak.frequency_name.c_str(), "Hz", peak.frequency};
  }
  bool write(const char* folder, Refusal& refusal) const override {
    std::vector<linearize::File> files = linearize::system_files(linearization_.found());
    files.push_back(response_table(response_));
    files.push_back(bode_picture(response_));
    return write_files(folder, files, refusal);
  }

 private:
  struct Peak {
    std::string name, frequency_name;
    double magnitude = 0, frequency = 0;
  };

  void choose_frequencies(const System& s) {
    constexpr double nothing = 1e-9;  // of the largest eigenvalue: rounding of one that is zero
    const double largest = s.eigenvalues.size() > 0 ? s.eigenvalues.cwiseAbs().maxCoeff() : 0;
    double smallest = largest;
    for (const Complex& e : s.eigenvalues) {
      if (std::abs(e) > nothing * largest) smallest = std::min(smallest, std::abs(e));
    }
    const double from = given(p_.from) ? p_.from : largest > 0 ? 0.1 * smallest / (2 * pi) : 0.1;
    const double to = std::max(from, given(p_.to) ? p_.to : largest > 0 ? 10 * largest / (2 * pi) : 10);
    const auto last = static_cast<double>(p_.count - 1);
    for (std::int64_t i = 0; i < p_.count; ++i)
      frequencies_.push_back(i == p_.count - 1 ? to : from * std::pow(to / from, static_cast<double>(i) / last));
  }

  void respond(const System& s) {
    response_ = {frequencies_, s.inputs, s.outputs, {}};
    const MatrixXcd B = s.B.cast<Complex>(), C = s.C.cast<Complex>();
    for (const double frequency : frequencies_) {
      MatrixXcd shifted = -s.A.cast<Complex>();
      shifted.diagonal().array() += Complex(0, 2 * pi * frequency);
      response_.G.push_back(s.D.cast<Complex>());
      if (s.A.size() > 0) response_.G.back() += C * shifted.partialPivLu().solve(B);  // (2)
    }
    for (Eigen::Index j = 0; j < s.B.cols(); ++j) {
      for (Eigen::Index i = 0; i < s.C.rows(); ++i) {
        const std::string pair = s.outputs[static_cast<std::size_t>(i)] + "/" + s.inputs[static_cast<std::size_t>(j)];
        Peak peak{"peak." + pair, "peak_frequency." + pair};
        for (std::size_t k = 0; k < frequencies_.size(); ++k) {
          const double size = std::abs(response_.G[k](i, j));
          if (size > peak.magnitude || k == 0) peak.magnitude = size, peak.frequency = frequencies_[k];
        }
        peaks_.push_back(peak);
      }
    }
    warn_of_poles(s);
    const bool grows = std::any_of(s.eigenvalues.begin(), s.eigenvalues.end(),
                                   [](const Complex& e) { return e.real() > 1e-7 * std::abs(e) + 1e-9; });
    if (grows) {
      linearization_.warn(
          "small motions about this state grow by themselves: the frequency response is that of the linear equations, "
          "and no "
          "motion settles to it");
    }
  }

  /// Next to a motion without damping what is found is rounding: G = C (2 pi i f - A)^-1 B has no bound there.
  void warn_of_poles(const System& s) const {
    constexpr double near = 1e-8;  // of the eigenvalue, which is known to some 1e-12: four digits of G are left
    for (const double frequency : frequencies_) {
      const Complex at(0, 2 * pi * frequency);
      const bool meets = std::any_of(s.eigenvalues.begin(), s.eigenvalues.end(),
                                     [&](const Complex& e) { return std::abs(at - e) <= near * std::abs(e); });
      if (!meets) continue;
      char number[32];
      std::snprintf(number, sizeof number, "%.9g", frequency);
      linearization_.warn(
          std::string("at ") + number +
          " Hz a motion without damping is met: its response has no bound, and the magnitudes and phases "
          "of this frequency are rounding");
    }
  }

  Parameters p_;
  std::vector<double> frequencies_;
  Linearization linearization_;
  Response response_;
  std::vector<Peak> peaks_;
};

}  // namespace
}  // namespace trammel

TRAMMEL_PLUGIN(
    "linearize", "1.0.0", "BSD-3-Clause",
    component<Linearize>(Host::any, "linearize",
                         "Matrices A, B, C and D of small motions, for chosen inputs and outputs."),
    component<FrequencyResponse>(Host::any, "frequency_response",
                                 "What small motions answer to inputs at frequencies: magnitudes and phases."));
