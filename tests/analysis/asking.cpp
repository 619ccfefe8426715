// Plugin 'asking': an analysis that asks the kernel for the equilibrium near positions of its own.
#include <trammel/analysis.h>
#include <trammel/extensions/equilibrium_finder.h>
#include <trammel/sdk/plugin.h>

#include <cmath>
#include <fstream>
#include <string>

namespace {

using namespace trammel;

enum class Results : std::int32_t { good, unnamed, twice };

class Asking final : public Analysis {
 public:
  struct Parameters {
    double angle;
    Results results;
    bool fails;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, angle, "rad", "Where the search begins, of a pendulum of 1 m about the origin."),
      TRAMMEL_FIELD(Parameters, results, "1", "How results are named.")
          .choices("good|unnamed|twice")
          .otherwise("\"good\""),
      TRAMMEL_FIELD(Parameters, fails, "1", "Whether the search fails after it has shown what it found.")
          .otherwise("false"));

  explicit Asking(const Parameters& p) : p_(p) {}

  AnalysisTraits traits() const override { return {}; }
  bool begin(AnalysisHost& host, Refusal&) override {
    host_ = &host;
    return true;
  }
  Status search() override {
    double q[3] = {std::cos(p_.angle), std::sin(p_.angle), p_.angle};
    Status status = find_extension<EquilibriumFinder>(*host_)->find_equilibrium({q, 3});
    const double rest[3] = {0, 0, 0};
    if (status) status = host_->show(0, {q, 3}, {rest, 3});
    return status && p_.fails ? Status::failure(StatusCode::not_converged, "wanting to") : status;
  }
  Index result_count() const override { return p_.results == Results::twice ? 2 : 1; }
  AnalysisResult result(Index) const override { return {p_.results == Results::unnamed ? nullptr : "turns", "1", 1}; }
  bool write(const char* folder, Refusal&) const override {
    std::ofstream(std::string(folder) + "/asking.txt") << "found\n";
    return true;
  }

 private:
  Parameters p_;
  AnalysisHost* host_ = nullptr;
};

}  // namespace

TRAMMEL_PLUGIN("asking", "1.0.0", "BSD-3-Clause",
               component<Asking>(Host::planar, "asking", "The equilibrium near a given angle."));
