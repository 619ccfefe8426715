// `trammel check`: the conformance kit on one plugin, for people and as JSON.
#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>

#include "check/check.h"
#include "cli/command.h"
#include "cli/commands.h"
#include "trammel/error.h"

namespace trammel::cli {
namespace {

using conformance::Outcome;
using conformance::Result;

struct CheckArguments : conformance::Request {
  bool json = false, quiet = false;
};

const char* outcome_word(Outcome outcome) {
  return outcome == Outcome::passed ? "passed" : outcome == Outcome::failed ? "failed" : "skipped";
}

struct Counts {
  int passed = 0, failed = 0, skipped = 0;
  void add(const Result& result) {
    ++(result.outcome == Outcome::passed ? passed : result.outcome == Outcome::failed ? failed : skipped);
  }
};

void print_result(const Result& result) {
  const std::string name = result.component.empty() ? result.id : fmt::format("{:28} {}", result.id, result.component);
  switch (result.outcome) {
    case Outcome::passed: fmt::print("ok       {}\n", name); break;
    case Outcome::skipped: fmt::print("skipped  {}\n           {}\n", name, result.message); break;
    case Outcome::failed:
      fmt::print("FAILED   {}\n           {}\n           expected: {}\n           likely cause: {}\n", name,
                 result.message, result.what, result.cause);
      break;
  }
}

nlohmann::ordered_json result_json(const Result& result) {
  nlohmann::ordered_json json = {{"id", result.id},
                                 {"component", result.component},
                                 {"level", static_cast<int>(result.level)},
                                 {"outcome", outcome_word(result.outcome)},
                                 {"what", result.what},
                                 {"seconds", result.seconds}};
  if (!result.message.empty()) json["message"] = result.message;
  if (!result.cause.empty()) json["cause"] = result.cause;
  return json;
}

int execute(const CheckArguments& options) {
  if (!std::filesystem::exists(options.plugin)) {
    throw Error(ErrorKind::usage, fmt::format("{}: there is no such file", options.plugin.string()));
  }
  if (options.fingerprint > 0) {
    run_fingerprints(options, [](const std::string& component, const std::string& print) {
      fmt::print("{} {}\n", print, component);
    });
    return 0;
  }
  const auto begin = std::chrono::steady_clock::now();
  Counts counts;
  const auto results = run_checks(options, [&](const Result& result) {
    counts.add(result);
    if (!options.json && !(options.quiet && result.outcome != Outcome::failed)) print_result(result);
  });
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (options.json) {
    nlohmann::ordered_json report = {{"plugin", std::filesystem::absolute(options.plugin).string()},
                                     {"level", options.level},
                                     {"seed", options.seed},
                                     {"passed", counts.passed},
                                     {"failed", counts.failed},
                                     {"skipped", counts.skipped},
                                     {"seconds", seconds}};
    report["checks"] = nlohmann::ordered_json::array();
    for (const Result& result : results) report["checks"].push_back(result_json(result));
    fmt::print("{}\n", report.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  } else {
    fmt::print("{}: {} checks passed, {} failed, {} skipped; level {}, seed {}, {:.1f} s\n",
               options.plugin.filename().string(), counts.passed, counts.failed, counts.skipped, options.level,
               options.seed, seconds);
  }
  return counts.failed == 0 ? 0 : static_cast<int>(ErrorKind::compute);
}

}  // namespace

Action declare_check(CLI::App& app) {
  auto options = std::make_shared<CheckArguments>();
  app.add_option("PLUGIN", options->plugin, "The plugin's library")->required();
  app.add_option("--level", options->level,
                 "1 load, 2 contract, 3 mathematics (default), 4 fuzz; each with those before")
      ->check(CLI::Range(1, 4));
  app.add_option("--seed", options->seed, "Seed of all random numbers (default 1)");
  app.add_option("--case", options->cases,
                 "Run file, or folder of run files, that use the plugin (default: the folder `cases` beside it)")
      ->allow_extra_args(false);
  app.add_option("--type", options->types, "Only the components of this type; may be repeated")
      ->allow_extra_args(false);
  app.add_option("--include", options->include, "Only checks whose id begins so; may be repeated")
      ->allow_extra_args(false);
  app.add_option("--exclude", options->exclude, "No checks whose id begins so; may be repeated")
      ->allow_extra_args(false);
  app.add_option("--timeout", options->timeout, "Seconds that one check may take (default 20)")
      ->check(CLI::PositiveNumber);
  app.add_option("--memory", options->memory, "GiB that one check may take (default 4; 0: no limit)")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--fingerprint", options->fingerprint,
                 "Run no checks: print for each component a number of its outputs in so many random calls, to compare "
                 "builds of a plugin")
      ->type_name("CALLS")
      ->check(CLI::PositiveNumber);
  app.add_flag("--json", options->json, "The report as JSON");
  app.add_flag("--quiet", options->quiet, "Print failures and the last line only");
  return [options] { return execute(*options); };
}

}  // namespace trammel::cli
