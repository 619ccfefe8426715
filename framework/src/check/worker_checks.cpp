// Level 3 of systems: one thread or two, the same bits.
#include <cstring>
#include <deque>
#include <set>

#include "check/cases.h"
#include "check/element_point.h"
#include "compose/compose.h"
#include "config/json_source.h"
#include "trammel/extensions/free_directions.h"

namespace trammel::conformance {
namespace {

constexpr Index enough = 2600;  // bodies: four of the parts in which the SDK shares them, and some

/// A run file with the bodies of a case over and over, without what acts on them; empty: it has none.
std::string many_bodies(const RunFile& run) {
  const Node* bodies = run.system.node->find("bodies");
  if (bodies == nullptr || bodies->members.empty()) return "";
  std::string parameters, copies;
  for (const Member& member : run.system.node->members) {
    static const std::set<std::string> parts = {"bodies", "ground", "points", "constraints", "forces"};
    if (parts.count(member.key) == 0) parameters += json_quoted(member.key) + ": " + to_json(member.value) + ", ";
  }
  for (Index count = 0; count < enough;) {
    for (const Member& body : bodies->members) {
      copies +=
          (count > 0 ? ",\n" : "") + json_quoted(fmt::format("{}_{}", body.key, count)) + ": " + to_json(body.value);
      ++count;
    }
  }
  return "{ \"trammel\": 2, \"system\": { " + parameters + "\"bodies\": {\n" + copies +
         "} },\n\"analysis\": { \"type\": \"assembly\" } }\n";
}

/// A model on some threads, and what its system makes of a state.
class Crowd {
 public:
  Crowd(const RunFile& run, PluginHost& host, Index threads) : model_(run, host, threads), numbers_(model_) {}

  /// Everything that bodies work out together. `seed`: of the state.
  std::vector<double> outputs(std::uint32_t seed) {
    const BodySystem& system = numbers_.assembly().system;
    const BodyMotion& motion = system.motion();
    const BodyTable& table = numbers_.assembly().table;
    const Index bodies = model_.body_count(), n = table.coordinates();
    Random random(seed);
    VectorXd q = Eigen::Map<const VectorXd>(model_.q0().data(), n), v(n), x(n);
    for (Index k = 0; k < n; ++k) q[k] += uniform(random, -0.1, 0.1), v[k] = uniform(random), x[k] = uniform(random);
    std::vector<double> states(static_cast<std::size_t>(bodies + 1) *
                               (static_cast<std::size_t>(system.state_bytes()) / sizeof(double) + 1));
    out_.clear();
    motion.kinematics(view_of(std::as_const(q)), {}, states.data());
    out_.insert(out_.end(), states.begin(), states.end());
    motion.kinematics(view_of(std::as_const(q)), view_of(std::as_const(v)), states.data());
    out_.insert(out_.end(), states.begin(), states.end());
    const void* at = states.data();
    const Index squares = table.square(bodies);
    (void)motion.force(0.3, at, room(n));
    double* const by_q = room(squares).data;
    (void)motion.force_gradients(0.3, at, by_q, room(squares).data);
    motion.mass_blocks(at, room(squares).data);
    motion.apply_mass(at, view_of(std::as_const(x)), room(n));
    motion.mass_gradient(at, view_of(std::as_const(x)), room(squares).data);
    out_.push_back(motion.kinetic_energy(at));
    out_.push_back(motion.potential_energy(0.3, at));
    VectorXd g(table.intrinsic_rows());
    for (double& one : g) one = uniform(random);
    if (const BodyReduction* reduction = system.reduction(); reduction != nullptr)
      reduced(*reduction, at, random, x, g);
    const auto* form = find_extension<TwistForm>(model_.system());
    const bool rigid = n == bodies * system.coordinates();
    if (form != nullptr && rigid) twists(*form, at, random, x, g);
    return out_;
  }

 private:
  /// Numbers that are written, behind those before. Room does not move: there is enough for all.
  VectorView room(Index count) {
    out_.reserve(std::size_t{1} << 24);
    const std::size_t begin = out_.size();
    out_.resize(begin + static_cast<std::size_t>(count), 0.0);
    return {out_.data() + begin, count};
  }
  void reduced(const BodyReduction& reduction, const void* at, Random& random, const VectorXd& x, const VectorXd& g) {
    const BodyTable& table = numbers_.assembly().table;
    VectorXd w(table.reduced_coordinates());
    for (double& one : w) one = uniform(random);
    reduction.reduce_force(at, view_of(x), room(static_cast<Index>(w.size())));
    reduction.expand(at, view_of(std::as_const(w)), view_of(g), room(table.coordinates()));
    if (g.size() > 0) {
      reduction.expand(at, {}, view_of(g), room(table.coordinates()));
      reduction.intrinsic_multipliers(at, view_of(x), room(static_cast<Index>(g.size())));
    }
    std::vector<ReductionBlock> blocks;
    for (Index b = 0; b < model_.body_count(); ++b)
      blocks.push_back({b, 2, rows(random).data(), room(2 * table.local()).data});
    reduction.reduce(at, blocks.data(), static_cast<Index>(blocks.size()));
  }
  void twists(const TwistForm& form, const void* at, Random& random, const VectorXd& x, const VectorXd& g) {
    const BodyTable& table = numbers_.assembly().table;
    const Index bodies = model_.body_count(), stride = form.size() == 6 ? 8 : 4;
    VectorXd moving(bodies * stride);
    for (double& one : moving) one = uniform(random);
    form.inertia(at, room(bodies * (form.size() == 6 ? 7 : 2)).data);
    form.wrenches(at, view_of(x), room(bodies * stride).data);
    form.accelerations(at, moving.data(), view_of(g), room(table.coordinates()));
    if (g.size() > 0) form.along_intrinsic(at, view_of(x), room(static_cast<Index>(g.size())));
    std::vector<TwistRows> blocks;
    for (Index b = 0; b < bodies; ++b) {
      double* const along = g.size() > 0 ? room(2).data : nullptr;
      blocks.push_back({b, 2, rows(random).data(), room(2 * stride).data, along});
    }
    form.rows(at, blocks.data(), static_cast<Index>(blocks.size()));
  }
  /// Two rows of a body.
  const std::vector<double>& rows(Random& random) {
    std::vector<double>& full = rows_.emplace_back(static_cast<std::size_t>(2 * numbers_.assembly().table.local()));
    for (double& one : full) one = uniform(random);
    return full;
  }

  Model model_;
  ConstrainedModel numbers_;
  std::vector<double> out_;
  std::deque<std::vector<double>> rows_;
};

void workers(Subject& subject) {
  bool any = false;
  for (const auto& file : subject.cases) {
    const std::string text = many_bodies(composed(load_run_file(file), subject.host->catalogue()));
    if (text.empty()) continue;
    any = true;
    const RunFile run = load_run_file(write_run_file(text));
    const std::uint32_t seed = subject.random();
    const std::vector<double> alone = Crowd(run, *subject.host, 1).outputs(seed),
                              shared = Crowd(run, *subject.host, 2).outputs(seed);
    require(alone.size() == shared.size(), "{}: it works out {} numbers on one thread, {} on two",
            file.filename().string(), alone.size(), shared.size());
    for (std::size_t i = 0; i < alone.size(); ++i) {
      require(std::memcmp(&alone[i], &shared[i], sizeof(double)) == 0,
              "{}: with its bodies {} times two threads give {:.17g} where one gives {:.17g}", file.filename().string(),
              enough, shared[i], alone[i]);
    }
  }
  if (!any) skip("it hosts no bodies");
}

}  // namespace

void add_worker_checks(std::vector<Check>& checks) {
  checks.push_back({"math.workers", Level::mathematics, "two threads give the bits of one",
                    "a part of the bodies that begins where another one does", workers, "math.body_mass"});
}

}  // namespace trammel::conformance
