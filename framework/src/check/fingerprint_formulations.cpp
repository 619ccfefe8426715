// Fingerprints of formulations: everything that their interface gives, at random states of the kit's models and of the cases.
#include "check/digest.h"
#include "check/reduced_view.h"
#include "trammel/error.h"
#include "trammel/extensions/formulation_extensions.h"

namespace trammel::conformance {
namespace {

/// A formulation that refuses something has said something as well.
template <class Action>
void digest_or_refusal(Digest& digest, const Action& action) {
  try {
    action();
  } catch (const Failed& refusal) {
    digest.add(std::string_view(refusal.what()));
  }
}

VectorXd moved(const VectorXd& x, Random& random, double size) {
  return x + VectorXd::NullaryExpr(x.size(), [&] { return uniform(random, -size, size); });
}

void digest_place(Treated& treated, Random& random, int calls, Digest& digest) {
  const VectorXd here = treated.y;
  for (int i = 0; i < calls; ++i) {
    treated.y = moved(here, random, i % 2 == 0 ? 1e-3 : 0.05);
    digest_or_refusal(digest, [&] {
      digest.add(treated.rhs(treated.t, treated.y));
      treated.lift();
      for (const VectorXd* part : {&treated.q, &treated.v, &treated.z}) digest.add(*part);
    });
  }
  treated.y = moved(here, random, 0.01);
  digest_or_refusal(digest, [&] {
    if (const auto J = treated.jacobian()) digest.add(*J);
  });
  treated.y = here;
  digest.add(treated.mask());
  for (const double size : {1e-9, 1e-6, 1e-3}) {
    digest_or_refusal(digest, [&] {
      VectorXd error = moved(VectorXd::Zero(here.size()), random, 1e-4);
      digest.add(treated.corrected(moved(here, random, size)));
      treated.correct(error);
      digest.add(error), digest.add(treated.y);
    });
  }
}

void digest_first_order(Treated& treated, Random& random, int rounds, Digest& digest) {
  const auto* follower = find_extension<ToleranceFollower>(treated.formulation());
  const auto* counters = find_extension<FormulationCounters>(treated.formulation());
  const VectorXd q = treated.q, v = treated.v, z = treated.z;
  for (int round = 0; round < rounds; ++round) {
    treated.move_to(q, v), treated.z = z;
    digest_or_refusal(digest, [&] {
      treated.begin_moving(random);
      if (follower != nullptr) follower->follow(std::pow(10, uniform(random, -10, -3)), treated.memory());
      for (int i = 0; i < 20; ++i) {
        treated.step(i % 7 == 3 ? 0.02 : 0.005);
        digest.add(treated.y);
        if (i % 8 == 0) digest_place(treated, random, 10, digest);
      }
      if (const auto* observer = find_extension<AttemptObserver>(treated.formulation())) {
        treated.lift();
        const ConstVectorView at{treated.q.data(), static_cast<Index>(treated.q.size())};
        for (Index attempts = 1; attempts < 9; ++attempts)
          digest.add(observer->repeated(treated.numbers(), treated.t, at, {}, attempts, treated.memory()) ? 1.0 : 0.0);
        digest.add(treated.mask());
      }
    });
    for (Index i = 0; counters != nullptr && i < counters->counter_count(); ++i)
      digest.add(counters->counter(i, treated.memory())), digest.add(std::string_view(counters->counter_name(i)));
    treated.t = 0;
  }
}

void digest_problem(ReducedView& reduced, double t, Random& random, Digest& digest) {
  SecondOrderSystem& problem = reduced.problem();
  const Index d = problem.size();
  const VectorXd w = moved(reduced.w, random, 0.01), rate = moved(reduced.rate, random, 0.1);
  for (int i = 0; i < 10; ++i) digest.add(reduced.acceleration(t, moved(w, random, 0.01), moved(rate, random, 0.1)));
  const Status status = problem.linearize(t, {w.data(), d}, {rate.data(), d});
  digest.add(status);
  if (!status) return;
  VectorXd r = moved(VectorXd::Zero(d), random, 1), out(d), imaginary(d);
  const Shift shifts[2] = {{0.01, 0.1}, {0.01, 0.1, 0.02, -0.05}};
  digest.add(problem.apply_mass({r.data(), d}, {out.data(), d})), digest.add(out);
  digest.add(problem.apply_J1({r.data(), d}, {out.data(), d})), digest.add(out);
  digest.add(problem.apply_J2({r.data(), d}, {out.data(), d})), digest.add(out);
  digest.add(problem.time_gradient({out.data(), d})), digest.add(out);
  digest.add(problem.prepare(0, shifts, 1));
  digest.add(problem.solve(0, {r.data(), d}, {out.data(), d})), digest.add(out);
  if (!problem.prepare(0, shifts, 2)) return;
  const ConstVectorView right{r.data(), d};
  digest.add(problem.solve_complex(1, {right, right}, {{out.data(), d}, {imaginary.data(), d}}));
  digest.add(out), digest.add(imaginary);
}

void digest_reduced(Treated& treated, Random& random, int rounds, Digest& digest) {
  const auto* formulation = find_extension<SecondOrderFormulation>(treated.formulation());
  if (formulation == nullptr || treated.z.size() > 0) return;
  const auto* nearby = find_extension<NearbyLift>(treated.formulation());
  const VectorXd q = treated.q, v = treated.v;
  ReducedView reduced(treated, *formulation);
  for (int round = 0; round < rounds; ++round) {
    treated.t = 0, treated.move_to(q, v);
    digest_or_refusal(digest, [&] {
      treated.begin_moving(random);
      reduced.begin();
      for (int i = 0; i < 10; ++i) {
        const double from = treated.t;
        const VectorXd w = reduced.w, rate = reduced.rate;
        reduced.step(i % 4 == 3 ? 0.05 : 0.01);
        digest.add(reduced.w), digest.add(reduced.rate);
        const double h = treated.t - from;
        for (const double share : {0.2, 0.7, 1.6}) {
          const VectorXd at = w + share * (reduced.w - w), going = rate + share * (reduced.rate - rate);
          const VectorXd kept_q = treated.q, kept_v = treated.v;
          digest_or_refusal(digest, [&] {
            reduced.lift(from + share * h, at, going);
            digest.add(treated.q), digest.add(treated.v);
            if (nearby == nullptr || share > 1) return;
            reduced.lift_nearby(*nearby, from + share * h, at, going);
            digest.add(treated.q), digest.add(treated.v);
          });
          treated.move_to(kept_q, kept_v);
        }
        if (i % 5 == 2) digest_problem(reduced, treated.t, random, digest);
      }
    });
  }
}

}  // namespace

void digest_formulations(Subject& subject, int calls, Digest& digest) {
  const auto look = [&](const std::function<std::unique_ptr<Treated>()>& make, int rounds) {
    try {
      digest_first_order(*make(), subject.random, rounds, digest);
      digest_reduced(*make(), subject.random, rounds, digest);
    } catch (const Error&) {
      digest.add(-1.0);  // the text has the name of a file
    }
  };
  const std::vector<std::string> systems = {parallelogram(true), spatial_linkage,  parted_blocks(true),
                                            driven_block(),      lagging_carriage, redundant_pendulum};
  std::size_t ways = 0;
  for_each_way(subject, [&](const MethodCase&) { ++ways; });
  // A round makes some 200 calls.
  const int rounds = 1 + calls / 200 / static_cast<int>(ways * systems.size() + subject.cases.size());
  for_each_way(subject, [&](const MethodCase& method) {
    for (const std::string& system : systems)
      look([&] { return std::make_unique<Treated>(*subject.host, method, system); }, rounds);
  });
  for (const auto& file : subject.cases)
    look([&] { return std::make_unique<Treated>(*subject.host, load_run_file(file)); }, rounds);
}

}  // namespace trammel::conformance
