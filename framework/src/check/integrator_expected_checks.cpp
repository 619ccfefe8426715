// Level 3 of integrators: their steps, one by one, are those that another program computed.
//
// Order and stability say nothing of how a method chooses its steps and orders, when it ends an iteration, or what its
// estimate multiplies. Files of the folder `expected` beside the run files of `cases` do:
//   { "integrator": {keys}, "system": {keys}, "rtol": 1e-4, "atol": 1e-6, "norm": "rms", "fixed": false,
//     "h": first step that its own proposals follow, or [steps to take], "rel": 1e-9, "source": what computed it,
//     "steps": [{ "t", "y": [x, then x'], "error": [...], "middle": [...], "order", "iterations", "rejected" }, ...] }
// Of a step only `t` and `y` are needed. `rejected` counts the void attempts before it, `middle` is the dense output at 0.4
// of the step, `advised` whether it has advised against itself by then; "at_most" cuts the step off, "moved": [...] changes its end as a projection would, "void": true attempts the step twice, "again": true
// lets the method start anew behind it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "check/bench.h"
#include "config/json_source.h"

namespace trammel::conformance {
namespace {

namespace fs = std::filesystem;

double number_of(const Node& node, const char* key, double otherwise) {
  const Node* value = node.find(key);
  return value != nullptr ? value->number : otherwise;
}

VectorXd numbers_of(const Node& list) {
  VectorXd x(static_cast<Index>(list.items.size()));
  for (std::size_t i = 0; i < list.items.size(); ++i) x[static_cast<Index>(i)] = list.items[i].number;
  return x;
}

double largest(const VectorXd& x) { return x.size() > 0 ? x.lpNorm<Eigen::Infinity>() : 0; }

/// One file against a bench of its own.
class Comparison {
 public:
  Comparison(Subject& subject, const fs::path& file, const Node& expected)
      : name_(file.filename().string()),
        expected_(expected),
        rel_(number_of(expected, "rel", 1e-9)),
        rtol_(number_of(expected, "rtol", 1e-6)),
        atol_(number_of(expected, "atol", 1e-8)),
        bench_(*subject.host, {to_json(*expected.find("integrator")), name_}, to_json(*expected.find("system"))) {
    const Node *norm = expected.find("norm"), *fixed = expected.find("fixed");
    Tolerances& tolerances = bench_.problem().tolerances;
    tolerances.rtol = {&rtol_, 1}, tolerances.atol = {&atol_, 1};
    tolerances.max_norm = norm != nullptr && norm->text == "max";
    tolerances.fixed_steps = fixed != nullptr && fixed->boolean;
    bench_.restart();
  }

  void run() {
    const Node &h = *expected_.find("h"), &steps = *expected_.find("steps");
    double proposed = h.is_array() ? 0 : h.number;
    for (std::size_t i = 0; i < steps.items.size(); ++i) {
      const Node& wanted = steps.items[i];
      where_ = fmt::format("{}: step {}", name_, i + 1);
      if (h.is_array()) proposed = h.items[i % h.items.size()].number;
      const double most = number_of(wanted, "at_most", std::abs(proposed));
      if (std::abs(proposed) > most) proposed = std::copysign(most, proposed);
      if (flag(wanted, "void")) attempt(proposed), bench_.reject();
      proposed = compare(wanted, proposed);
      if (const Node* moved = wanted.find("moved")) {
        bench_.accept_moved(numbers_of(*moved));
      } else {
        bench_.accept();
      }
      if (wanted.find("advised") != nullptr)
        require(bench_.advises() == flag(wanted, "advised"), "{}: its advice {}", where_,
                bench_.advises() ? "was not expected yet" : "is missing");
      if (flag(wanted, "again")) bench_.restart();
    }
  }

 private:
  static bool flag(const Node& node, const char* key) {
    const Node* value = node.find(key);
    return value != nullptr && value->boolean;
  }

  StepResult attempt(double h) {
    const StepResult result = bench_.attempt(h);
    require(result.status.ok(), "{} fails with h = {:g}: {}", where_, h, result.status.what);
    return result;
  }

  /// One step up to its acceptance; returns what the method proposes for the next.
  double compare(const Node& wanted, double h) {
    const double begin = bench_.t();
    StepResult result = attempt(h);
    int rejected = 0;
    for (; result.rejected; ++rejected) {
      require(rejected < 20, "{} is rejected 20 times", where_);
      bench_.reject();
      result = attempt(result.h_next);
    }
    require_number(wanted, "rejected", rejected, "void attempts");
    require_number(wanted, "order", result.order, "its order");
    require_number(wanted, "iterations", result.newton_iterations, "iterations");
    require_number(wanted, "t", bench_.attempted_time(), "its end");
    require_vector(wanted, "y", bench_.attempted(), rel_, rel_);
    if (wanted.find("error") != nullptr) {
      const double cancelled = 1e-13 * (1 + largest(bench_.attempted()));
      require_vector(wanted, "error", bench_.error(), std::max(1e-6, rel_), cancelled);
    }
    VectorXd middle;
    if (wanted.find("middle") != nullptr) {
      require(bench_.interpolate(begin + 0.4 * (bench_.attempted_time() - begin), middle), "{} has no dense output",
              where_);
      require_vector(wanted, "middle", middle, rel_, rel_);
    }
    return result.h_next;
  }

  void require_number(const Node& wanted, const char* key, double found, const char* what) {
    const Node* value = wanted.find(key);
    if (value == nullptr) return;
    require(std::abs(found - value->number) <= rel_ * std::max(std::abs(value->number), 1.0),
            "{}: {}: {:.12g}; {:.12g} was expected", where_, what, found, value->number);
  }

  /// To `rel` of the largest component, and `least`.
  void require_vector(const Node& wanted, const char* key, const VectorXd& found, double rel, double least) {
    const VectorXd value = numbers_of(*wanted.find(key));
    require(found.size() == value.size(), "{}: {} has {} entries; {} were expected", where_, key, found.size(),
            value.size());
    for (Index k = 0; k < value.size(); ++k) {
      require(std::abs(found[k] - value[k]) <= rel * largest(value) + least,
              "{}: {}[{}] is {:.15g}; {:.15g} was expected", where_, key, k, found[k], value[k]);
    }
  }

  std::string name_, where_;
  const Node& expected_;
  double rel_, rtol_, atol_;
  Bench bench_;
};

void expected_steps(Subject& subject) {
  int compared = 0;
  for (const fs::path& folder : case_folders(subject)) {
    if (!fs::is_directory(folder / "expected")) continue;
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder / "expected")) {
      if (entry.path().extension() == ".json") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) {
      const Node expected = read_json_file(file);
      for (const char* key : {"integrator", "system", "h", "steps", "source"})
        require(expected.find(key) != nullptr, "{}: \"{}\" is needed", file.string(), key);
      const Node* type = expected.find("integrator")->find("type");
      if (type == nullptr || type->text != subject.component->type) continue;
      Comparison(subject, file, expected).run();
      ++compared;
    }
  }
  if (compared == 0) skip("no folder `expected` in `cases` says what its steps are");
}

}  // namespace

void add_expected_step_check(std::vector<Check>& checks) {
  checks.push_back({"math.steps", Level::mathematics, "its steps are those of the folder `expected`",
                    "a constant of the choice of step and order, of the estimate, or of the end of an iteration",
                    expected_steps, "contract.attempt"});
}

}  // namespace trammel::conformance
