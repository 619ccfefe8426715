// Amplification matrices from unit changes of everything a method remembers.
#include "stability/stability.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/dense.h"
#include "linalg/fence.h"
#include "stability/test_equation.h"
#include "trammel/error.h"

namespace trammel {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Steps after which starting procedures are over and histories full.
constexpr int warm_up = 48;
/// Longest cycle of a ring buffer.
constexpr int longest_cycle = 16;

/// Scales rows and columns by powers of two until they have about equal norms (Parlett, Reinsch, Numer. Math. 13 (1969)
/// 293-304): entries in metres and in m/s^4 stand side by side.
void balance(Eigen::MatrixXd& A) {
  bool changed = true;
  for (int sweep = 0; changed && sweep < 100; ++sweep) {
    changed = false;
    for (Eigen::Index i = 0; i < A.rows(); ++i) {
      const double row = A.row(i).norm(), column = A.col(i).norm();
      if (row == 0 || column == 0) continue;
      const double f = std::exp2(std::round(0.5 * std::log2(row / column)));
      if (f == 1) continue;
      A.row(i) /= f;
      A.col(i) *= f;
      changed = true;
    }
  }
}

/// Keeps what the first `outputs` entries depend on, over however many steps. Left out are leftovers of starting
/// procedures and estimates, which nothing reads: they would show their own eigenvalues.
Eigen::MatrixXd observed_part(const Eigen::MatrixXd& A, Eigen::Index outputs) {
  std::vector<Eigen::Index> kept;
  std::vector<bool> known(static_cast<std::size_t>(A.rows()), false);
  const auto keep = [&](Eigen::Index i) {
    if (!known[static_cast<std::size_t>(i)]) kept.push_back(i);
    known[static_cast<std::size_t>(i)] = true;
  };
  for (Eigen::Index i = 0; i < outputs; ++i) keep(i);
  for (std::size_t k = 0; k < kept.size(); ++k) {
    for (Eigen::Index j = 0; j < A.cols(); ++j) {
      if (A(kept[k], j) != 0) keep(j);
    }
  }
  return A(kept, kept);
}

}  // namespace

/// One run of the method on the test equation, whose state and memory can be set.
class StabilityProbe::Run {
 public:
  Run(const Integrator& integrator, std::complex<double> z, double h)
      : integrator_(integrator), view_(integrator.traits().view), h_(h), equation_(view_, z / h) {
    const ProblemSize size = equation_.size();
    const Index parts = view_ == ViewKind::ode ? 1 : view_ == ViewKind::second_order ? 2 : 3;
    const MemorySize memory = integrator.memory(size);
    if (memory.state < 0 || memory.scratch < 0 || memory.cache < 0)
      throw Error(ErrorKind::plugin, "the method declares a negative size of its memory");
    state_size_ = static_cast<std::size_t>(parts * size.n);
    data_.assign(state_size_ + static_cast<std::size_t>(memory.state), 0.0);
    next_.assign(state_size_, 0.0);
    scratch_.assign(static_cast<std::size_t>(memory.scratch), 0.0);
    cache_.assign(static_cast<std::size_t>(memory.cache), 0.0);
    const bool estimates = integrator.traits().error_order > 0;
    error_.assign(estimates ? static_cast<std::size_t>((view_ == ViewKind::ode ? 1 : 2) * size.n) : 0, 0.0);
    for (std::vector<double>* block : {&data_, &next_, &scratch_, &cache_, &error_}) build_fence(*block);
    problem_ = equation_.problem();
    problem_.tolerances = {.rtol = {&tolerance_, 1}, .atol = {&tolerance_, 1}, .max_norm = true};
    from_ = view(data_.data(), size.n), to_ = view(next_.data(), size.n);
  }

  /// From the two numbers of the state, accelerations included.
  Status start(const double (&y)[2]) {
    std::copy(y, y + 2, data_.begin());
    if (view_ == ViewKind::constrained) {
      problem_.constrained->evaluate(0, from_.x, from_.v, {}, evaluate_force);
      data_[2] = problem_.constrained->Q()[0];
    }
    from_.t = 0;
    return integrator_.start(problem_, from_, memory());
  }

  Status step() {
    to_.t = from_.t + h_;
    const StepResult result =
        integrator_.attempt(problem_, from_, h_, to_, {error_.data(), static_cast<Index>(error_.size())}, memory());
    for (const std::vector<double>* block : {&data_, &next_, &scratch_, &cache_, &error_}) {
      if (!fence_stands(*block)) return Status::failure(StatusCode::failed, "the method wrote beyond its memory");
    }
    if (!result.status) return result.status;
    if (result.rejected || (result.h != 0 && result.h != h_)) {
      return Status::failure(StatusCode::unsupported, "the method took another step than it was asked to");
    }
    std::copy(next_.begin(), next_.end(), data_.begin());
    from_.t = to_.t;
    integrator_.accept(problem_, from_, false, memory());
    return Status::success();
  }

  Status steps(int count) {
    Status status;
    for (int i = 0; i < count && status; ++i) status = step();
    return status;
  }

  /// The state, then memory.state.
  const std::vector<double>& data() const { return data_; }
  void set(const std::vector<double>& data) { std::copy(data.begin(), data.end(), data_.begin()); }

  /// Steps under which the entries in `linear` are kept from growing or dying out.
  Status steady_steps(int count, const std::vector<Index>& linear) {
    constexpr double large = 1e50;
    for (int i = 0; i < count; ++i) {
      const Status status = step();
      if (!status) return status;
      double size = 0;
      for (const Index k : linear) size = std::max(size, std::abs(data_[static_cast<std::size_t>(k)]));
      if (size < large && size > 1 / large) continue;
      for (const Index k : linear) data_[static_cast<std::size_t>(k)] *= size > 0 ? 1 / size : 1;
    }
    return Status::success();
  }

 private:
  Memory memory() { return {data_.data() + state_size_, scratch_.data(), cache_.data()}; }
  StateView view(double* data, Index n) const {
    StateView s;
    s.x = {data, view_ == ViewKind::ode ? 2 : n};
    if (view_ != ViewKind::ode) s.v = {data + n, n};
    if (view_ == ViewKind::constrained) s.a = {data + 2 * n, n};
    return s;
  }

  const Integrator& integrator_;
  ViewKind view_;
  double h_;
  TestEquation equation_;
  Problem problem_;
  double tolerance_ = 1e-10;
  std::size_t state_size_ = 0;
  std::vector<double> data_, next_, scratch_, cache_, error_;
  StateView from_, to_;
};

StabilityProbe::StabilityProbe(const Integrator& integrator, double h) : integrator_(integrator), h_(h) {
  const IntegratorTraits traits = integrator.traits();
  if (traits.self_controlled || traits.restart_only) {
    status_ = Status::failure(StatusCode::unsupported, "the method chooses its own steps");
  } else {
    try {
      status_ = find_linear_entries();
    } catch (const Error&) {  // parameters that fit the run's system only
      status_ = Status::failure(StatusCode::unsupported, "the method refuses a system with one coordinate");
    }
  }
}

// Additivity tells linear entries from constants (flags, step sizes), counters and norms. On a slow vibration, where
// nothing grows or dies out before histories are full.
Status StabilityProbe::find_linear_entries() {
  const std::complex<double> slow(0, 0.1);
  constexpr double starts[3][2] = {{1, 0.3}, {-0.4, 0.7}, {0.6, 1}};  // the third is the sum of the others
  std::vector<double> data[3];
  for (int k = 0; k < 3; ++k) {
    Run run(integrator_, slow, h_);
    Status status = run.start(starts[k]);
    if (status) status = run.steps(warm_up);
    if (!status) return status;
    data[k] = run.data();
  }
  constexpr double tolerance = 1e-6;  // beyond what iterations leave
  for (std::size_t i = 0; i < data[0].size(); ++i) {
    const double a = data[0][i], b = data[1][i], sum = data[2][i];
    if (!std::isfinite(a + b + sum))
      return Status::failure(StatusCode::not_finite, "memory", static_cast<Index>(i), sum);
    const double size = std::abs(a) + std::abs(b);
    if (size > 0 && std::abs(a + b - sum) <= tolerance * size) linear_.push_back(static_cast<Index>(i));
  }
  return Status::success();
}

Status StabilityProbe::amplification(std::complex<double> z, Amplification& result) const {
  if (!status_) return status_;
  Run run(integrator_, z, h_);
  Status status = run.start({1, 0.3});
  if (status) status = run.steady_steps(warm_up, linear_);
  if (!status) return status;

  // The steps after which all entries but the linear ones, and those that never come back, are what they were.
  std::vector<bool> is_linear(run.data().size(), false);
  for (const Index k : linear_) is_linear[static_cast<std::size_t>(k)] = true;
  std::vector<std::vector<double>> after = {run.data()};
  for (int p = 1; p <= 2 * longest_cycle && status; ++p) {
    status = run.steady_steps(1, linear_);
    after.push_back(run.data());
  }
  if (!status) return status;
  const auto cycle_of = [&](std::size_t i) {
    for (int p = 1; p <= longest_cycle; ++p) {
      bool repeats = true;
      for (std::size_t k = 0; repeats && k + static_cast<std::size_t>(p) < after.size(); ++k) {
        repeats = after[k][i] == after[k + static_cast<std::size_t>(p)][i];
      }
      if (repeats) return p;
    }
    return 1;  // a counter
  };
  int cycle = 1;
  for (std::size_t i = 0; i < is_linear.size(); ++i) {
    if (!is_linear[i]) cycle = std::max(cycle, cycle_of(i));
  }

  std::vector<double> base = after.back();
  for (const Index k : linear_) base[static_cast<std::size_t>(k)] = 0;
  const auto n = static_cast<Eigen::Index>(linear_.size());
  Eigen::VectorXd rest(n);
  const auto carry = [&](const std::vector<double>& data, auto&& column) {
    run.set(data);
    status = run.steps(cycle);
    for (Eigen::Index i = 0; status && i < n; ++i) {
      column[i] = run.data()[static_cast<std::size_t>(linear_[static_cast<std::size_t>(i)])];
    }
  };
  carry(base, rest);
  Eigen::MatrixXd A(n, n);
  for (Eigen::Index k = 0; k < n && status; ++k) {
    std::vector<double> unit = base;
    unit[static_cast<std::size_t>(linear_[static_cast<std::size_t>(k)])] = 1;
    carry(unit, A.col(k));
    A.col(k) -= rest;
  }
  if (!status) return status;
  if (!A.allFinite()) return Status::failure(StatusCode::not_finite, "amplification");
  const auto outputs = std::count_if(linear_.begin(), linear_.end(), [&](Index k) { return k < 2; });
  result.matrix = observed_part(A, outputs);
  result.steps = cycle;
  balance(result.matrix);
  return status;
}

std::vector<std::complex<double>> Amplification::eigenvalues() const {
  std::vector<std::complex<double>> values;
  if (matrix.size() == 0) return values;
  const Eigen::VectorXcd all = dense::eigenvalues(matrix);
  for (const std::complex<double>& value : all) {
    values.push_back(steps == 1 || value == 0.0 ? value : std::pow(value, 1.0 / steps));
  }
  std::stable_sort(values.begin(), values.end(),
                   [](const auto& a, const auto& b) { return std::abs(a) > std::abs(b); });
  return values;
}

double Amplification::spectral_radius() const {
  const std::vector<std::complex<double>> values = eigenvalues();
  return values.empty() ? 0 : std::abs(values.front());
}

// log2 |A^n| for n = 2^10 less that for 2^9, by repeated squaring: before rounding splits a multiple eigenvalue far
// enough to show.
double Amplification::growth_exponent() const {
  constexpr double rounding = 1e-6;  // beyond its square root
  if (spectral_radius() > 1 + rounding) return infinity;
  constexpr int squarings = 10;
  Eigen::MatrixXd power = matrix;
  double logarithm = 0, before = 0;  // log2 of the factor taken out of `power`
  for (int i = 0;; ++i) {
    const double size = power.norm();
    if (!(size > 0)) return 0;
    power /= size;
    logarithm += std::log2(size);
    if (i == squarings) break;
    before = logarithm;
    power = (power * power).eval();
    logarithm *= 2;
  }
  return std::max(0.0, logarithm - before);
}

double StabilityProbe::spectral_radius(std::complex<double> z) const {
  Amplification result;
  return amplification(z, result) ? result.spectral_radius() : infinity;
}

}  // namespace trammel
