// Elements that threads share: same numbers, same failures, names of whose code hangs or throws.
#include "model/element_round.h"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "loaded_model.h"
#include "model/worker_pool.h"

using namespace trammel;

namespace {

/// A chain of hinges, or of ball joints, with springs along it: more elements than one thread keeps for itself.
std::string chain(bool planar, const char* joint, bool springs, int broken = -1) {
  const int links = 2500;
  std::string bodies, joints, forces;
  const auto comma = [](int i) { return i == 0 ? "" : ", "; };
  for (int i = 0; i < links; ++i) {
    const std::string name = "b" + std::to_string(i), x = std::to_string(i + 0.5);
    const std::string parent = i == 0 ? "ground" : "b" + std::to_string(i - 1);
    const std::string pair = "[\"" + parent + "\", \"" + name + "\"]";
    bodies += comma(i) + ("\"" + name + "\": {\"mass\": " + std::to_string(1 + i % 3) + ", \"inertia\": ") +
              (planar ? "0.3" : "[0.3, 0.4, 0.5]") + ", \"position\": [" + x + (planar ? ", 0.1]" : ", 0.1, 0.2]") +
              "}";
    joints +=
        comma(i) +
        ("\"j" + std::to_string(i) + "\": {\"type\": \"" + joint + "\", \"bodies\": " + pair + ", \"at\": [" +
         std::to_string(i)) +
        (planar ? ", 0]" : ", 0, 0]") +
        (std::string(joint) == "revolute" && !planar ? i % 2 == 0 ? ", \"axis\": [0, 0, 1]" : ", \"axis\": [0, 1, 1]"
                                                     : "") +
        "}";
    if (springs)
      forces += comma(i) + ("\"s" + std::to_string(i) + "\": {\"type\": \"tsda\", \"bodies\": " + pair +
                            ", \"point_i\": [0.1, 0.9], \"point_j\": [-0.2, -0.5], \"stiffness\": 50, \"damping\": 2, "
                            "\"free_length\": 1}");
  }
  if (broken >= 0) {  // drivers that ask for negative lengths from 0.1 s on
    for (const int i : {broken, broken + 900})
      joints += ", \"rod" + std::to_string(i) + "\": {\"type\": \"distance_driver\", \"bodies\": [\"ground\", \"b" +
                std::to_string(i) + "\"], \"point_i\": [" + std::to_string(i + 0.5) +
                (planar ? ", 1.1]" : ", 1.1, 0.2]") +
                ", \"function\": {\"type\": \"polynomial\", \"coefficients\": [1, -10]}}";
  }
  return std::string("\"type\": \"") + (planar ? "planar" : "spatial") +
         "\", \"gravity\": " + (planar ? "[0, -9.81]" : "[0, -9.81, 1]") + ", \"bodies\": {" + bodies +
         "}, \"constraints\": {" + joints + "}" + (springs ? ", \"forces\": {" + forces + "}" : "");
}

struct ThreadedModel {
  ThreadedModel(const std::filesystem::path& file, const char* solver, Index threads)
      : run(load_run_file(file, {std::string("analysis.solver=") + solver})),
        host({{std::string(TRAMMEL_BUILD_DIR) + "/lib/trammel/plugins", "test"}}),
        model(run, host, threads),
        numbers(model) {}

  /// Beside the start by random amounts.
  Status evaluate(double size) {
    std::vector<double> q = model.q0(), v = model.v0();
    std::mt19937 generator(7);
    std::uniform_real_distribution<double> amount(-size, size);
    for (double& x : q) x += amount(generator);
    for (double& x : v) x += 10 * amount(generator);
    return numbers.evaluate(0.3, LoadedModel::view(q), LoadedModel::view(v), {}, evaluate_dynamics | evaluate_Phi);
  }
  /// Accelerations and multipliers, Phi, Q.
  std::vector<double> everything() {
    REQUIRE(evaluate(0.01));
    REQUIRE(numbers.factorize(ProjectionWeights::mass));
    const auto n = static_cast<std::size_t>(numbers.coordinates()), m = static_cast<std::size_t>(numbers.constraints());
    std::vector<double> all(n + m);
    REQUIRE(numbers.solve(numbers.Q(), numbers.gamma(), {all.data(), numbers.coordinates()},
                          {all.data() + n, numbers.constraints()}));
    const ConstVectorView Phi = numbers.Phi(), Q = numbers.Q();
    all.insert(all.end(), Phi.data, Phi.data + Phi.size);
    all.insert(all.end(), Q.data, Q.data + Q.size);
    return all;
  }

  RunFile run;
  PluginHost host;
  Model model;
  ConstrainedModel numbers;
};

}  // namespace

TEST_CASE("large models have the same bits for any number of threads") {
  const std::string systems[] = {chain(true, "revolute", true), chain(false, "revolute", false),
                                 chain(false, "spherical", false)};
  for (const std::string& system : systems) {
    const std::filesystem::path file = system_file(system);
    for (const char* solver : {"range_space", "articulated"}) {
      CAPTURE(solver);
      const std::vector<double> alone = ThreadedModel(file, solver, 1).everything();
      for (const Index threads : {2, 3}) CHECK(ThreadedModel(file, solver, threads).everything() == alone);
    }
  }
}

TEST_CASE("the first element in order is the one that fails, whatever thread meets one first") {
  const std::filesystem::path file = system_file(chain(false, "spherical", false, 700));
  for (const Index threads : {1, 2, 3}) {
    ThreadedModel m(file, "range_space", threads);
    const Status status = m.evaluate(0);
    CHECK(status.code == StatusCode::out_of_domain);
    REQUIRE(m.numbers.point().failed() != nullptr);
    CHECK(m.numbers.point().failed()->name == "rod700");
  }
}

TEST_CASE("an exception passes with the name of the element whose code threw it") {
  const WorkerPool pool(3);
  ElementRound round(&pool, 5000);
  const PhaseScope scope("none", "none", "evaluation");
  for (int turn = 0; turn < 20; ++turn) {
    CHECK_THROWS_WITH_AS(round.each([](Index i) -> Status {
      mark_element("vendor", i == 3100 ? "culprit" : "other");
      if (i == 3100) throw std::runtime_error("thrown by 3100");
      return i == 4000 ? Status::failure(StatusCode::failed, "no") : Status::success();
    }),
                         "thrown by 3100", std::runtime_error);
    CHECK(std::string(breadcrumb.element.load()) == "culprit");
    const ElementRound::Failure failure =
        round.each([](Index i) { return i < 4000 ? Status::success() : Status::failure(StatusCode::failed, "no"); });
    CHECK(failure.call == 4000);
    CHECK(round.each([](Index) { return Status::success(); }).call == -1);
  }
}

TEST_CASE("while it waits for the others, a thread has the mark of one that still works") {
  const WorkerPool pool(2);
  const PhaseScope scope("kernel", "nothing", "evaluation");
  const Breadcrumb& mine = breadcrumb;
  std::atomic<bool> begun{false}, seen{false};
  struct Work {
    const Breadcrumb& main;
    std::atomic<bool>&begun, &seen;
  } work{mine, begun, seen};
  // One job on each thread; the one on the other thread ends when the mark is seen, or after ten seconds.
  pool.run(
      2,
      [](void* data, Index) {
        Work& w = *static_cast<Work*>(data);
        if (&breadcrumb == &w.main) return w.begun.wait(false);
        mark_element("vendor", "slow");
        w.begun = true;
        w.begun.notify_one();
        for (int i = 0; i < 1000 && !w.seen; ++i) {
          std::this_thread::sleep_for(std::chrono::milliseconds(10));
          w.seen = std::string(w.main.element.load()) == "slow";
        }
      },
      &work);
  CHECK(seen);
  CHECK(std::string(breadcrumb.element.load()) == "nothing");
}

TEST_CASE(
    "a job that throws is heard of when all others have ended, and rounds inside of rounds stay with their thread") {
  const WorkerPool pool(3);
  for (int turn = 0; turn < 50; ++turn) {
    struct Work {
      const WorkerPool& pool;
      std::atomic<int> jobs{0}, inner{0};
    } work{pool, {}, {}};
    const auto job = [](void* data, Index i) {
      Work& w = *static_cast<Work*>(data);
      ++w.jobs;
      w.pool.run(
          4, [](void* inner, Index) { ++static_cast<Work*>(inner)->inner; }, data);
      if (i == 5) throw std::runtime_error("job 5");
    };
    CHECK_THROWS_WITH_AS(pool.run(40, job, &work), "job 5", std::runtime_error);
    CHECK(work.inner == 4 * work.jobs);
    const int before = work.jobs;
    CHECK(before >= 1);
    pool.run(
        3, [](void* data, Index) { ++static_cast<Work*>(data)->jobs; }, &work);
    CHECK(work.jobs == before + 3);
  }
}
