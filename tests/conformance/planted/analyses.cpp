// Analyses with one mistake each: type bad_<check>.
#include <trammel/analysis.h>
#include <trammel/sdk/plugin.h>

#include <fstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

namespace {

using namespace trammel;

enum class Bug { none, create, completes, repeats, checkpoint, between, rest, files, pictures };

int created = 0;

/// One body that hangs on nothing is moved by hand: x = t, without the mistake.
template <Bug bug>
class Hand final : public Integrator {
 public:
  IntegratorTraits traits() const override {
    IntegratorTraits traits;
    traits.view = ViewKind::constrained;
    traits.self_controlled = true;
    return traits;
  }
  MemorySize memory(const ProblemSize&) const override { return {1, 0}; }
  Status start(const Problem&, const ConstStateView& state, const Memory& memory) const override {
    memory.state[0] = state.x[0];
    return Status::success();
  }
  StepResult attempt(const Problem&, const ConstStateView& state, double h, const StateView& next, VectorView,
                     const Memory& memory) const override {
    StepResult result;
    result.h = h, result.h_next = 0.1;
    for (const auto& [to, from] : {std::pair{next.x, state.x}, {next.v, state.v}, {next.a, state.a}})
      to.map() = from.map();
    next.x[0] = memory.state[0] + state.t + h;
    if (bug == Bug::checkpoint) next.x[0] += 1e-3 * ++steps_;
    if (bug == Bug::repeats) next.x[0] += 1e-6 * created;
    if (bug == Bug::completes && state.t > 0.5)
      result.status = Status::failure(StatusCode::failed, "a search by chance");
    return result;
  }
  Status interpolate(const Problem&, const ConstStateView& from, const ConstStateView& to, double t,
                     const StateView& out, const Memory&) const override {
    const double share = (t - from.t) / (to.t - from.t);
    for (const auto& [at, a, b] : {std::tuple{out.x, from.x, to.x}, {out.v, from.v, to.v}, {out.a, from.a, to.a}})
      at.map() = a.map() + share * (b.map() - a.map());
    if (bug == Bug::between) out.x[1] += 1e-3 * share * (1 - share);  // off the rail
    return Status::success();
  }

 private:
  mutable int steps_ = 0;
};

template <Bug bug>
class Planted final : public Analysis {
 public:
  struct Parameters {
    bool search;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, search, "1", "Whether it looks for one state, without a mistake.").otherwise("false"));

  explicit Planted(const Parameters& p) : search_(p.search) {
    if (++created > 1 && bug == Bug::create) throw std::runtime_error("there is one already");
  }
  AnalysisTraits traits() const override {
    AnalysisTraits traits;
    traits.over_time = !search_;
    traits.at_rest = bug == Bug::rest;  // which bodies in free fall are not
    return traits;
  }
  bool begin(AnalysisHost& host, Refusal&) override {
    host_ = &host;
    return true;
  }
  Status search() override { return host_->show(0, host_->q(), host_->v()); }
  const Integrator* motion() const override { return &hand_; }
  double longest_step() const override { return 0.1; }
  bool write(const char* folder, Refusal&) const override {
    std::ofstream(std::string(folder) + "/numbers.csv")
        << "name,number\nhalf," << (bug == Bug::files ? -0.5 : 0.5) << "\n";
    // A line from (1, 0) to (3, 20).
    std::ofstream(std::string(folder) + "/line.svg")
        << "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 200 100\">\n"
           "<rect x=\"50\" y=\"10\" width=\"100\" height=\"60\" fill=\"none\"/>\n"
           "<path d=\"M50 70h100\"/><text x=\"44\" y=\"74\">0</text>\n"
           "<path d=\"M50 40h100\"/><text x=\"44\" y=\"44\">"
        << (bug == Bug::pictures ? 12 : 10)
        << "</text>\n"
           "<path d=\"M50 10h100\"/><text x=\"44\" y=\"14\">20</text>\n"
           "<path d=\"M50 10v60\"/><text x=\"50\" y=\"84\">1</text>\n"
           "<path d=\"M150 10v60\"/><text x=\"150\" y=\"84\">3</text>\n"
           "<path stroke=\"red\" d=\"M50 70L150 10\"/>\n"
           "<path stroke=\"red\" d=\"M160 20h10\"/><text x=\"172\" y=\"24\">a &lt; b</text>\n</svg>\n";
    return true;
  }

 private:
  bool search_;
  AnalysisHost* host_ = nullptr;
  Hand<bug> hand_;
};

template <Bug bug>
constexpr ComponentRecord planted(const char* type) {
  return sdk::component<Planted<bug>>(Host::any, type, "An analysis with a mistake.");
}

}  // namespace

TRAMMEL_PLUGIN("planted_analyses", "1.0.0", "BSD-3-Clause", planted<Bug::none>("good"),
               planted<Bug::create>("bad_create"), planted<Bug::completes>("bad_completes"),
               planted<Bug::repeats>("bad_repeats"), planted<Bug::checkpoint>("bad_checkpoint"),
               planted<Bug::between>("bad_between"), planted<Bug::rest>("bad_rest"), planted<Bug::files>("bad_files"),
               planted<Bug::pictures>("bad_pictures"));
