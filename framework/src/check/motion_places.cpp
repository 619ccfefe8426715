// Runs of cases, and the states that they pass through.
#include "check/motion_places.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <functional>
#include <string>

#include "check/element_point.h"
#include "trammel/error.h"
#include "trammel/force.h"
#include "trammel/host/simulation.h"

namespace trammel::conformance {
namespace {

constexpr int looks_at_motion = 120;
constexpr std::chrono::seconds longest_motion(1);

bool all_finite(const std::vector<double>& x) {
  for (const double value : x) {
    if (!std::isfinite(value)) return false;
  }
  return true;
}

/// Every check has a process of its own: the first one that asks for a motion leaves it in the folder of the checks.
std::filesystem::path kept_motion(const std::filesystem::path& file) {
  return check_folder() / ("motion_" + std::to_string(std::hash<std::string>()(file.string())));
}

std::vector<MotionState> followed(const Subject& subject, const std::filesystem::path& file) {
  std::vector<MotionState> states;
  try {
    const auto begin = std::chrono::steady_clock::now();
    Simulation run(file, {{}, {subject.file.parent_path()}});
    const double start = run.time(), length = run.end_time() - start;
    for (int k = 1; k < looks_at_motion && std::chrono::steady_clock::now() - begin < longest_motion; ++k) {
      if (!run.advance_to(start + k * length / looks_at_motion)) break;
      const ConstVectorView q = run.positions(), v = run.velocities();
      MotionState state{run.time(), {q.data, q.data + q.size}, {v.data, v.data + v.size}};
      if (!all_finite(state.q) || !all_finite(state.v)) break;
      states.push_back(std::move(state));
    }
  } catch (const Error&) {
  }
  return states;
}

}  // namespace

std::vector<MotionState> states_along(const Subject& subject, const std::filesystem::path& file) {
  const std::filesystem::path kept = kept_motion(file);
  if (std::ifstream in{kept, std::ios::binary}) {
    std::size_t count = 0, n = 0;
    in >> count >> n;
    in.get();
    std::vector<MotionState> states(count, {0, std::vector<double>(n), std::vector<double>(n)});
    const auto read = [&](double* to, std::size_t size) {
      in.read(reinterpret_cast<char*>(to), static_cast<std::streamsize>(size * sizeof(double)));
    };
    for (MotionState& s : states) read(&s.t, 1), read(s.q.data(), n), read(s.v.data(), n);
    if (in) return states;
  }
  std::vector<MotionState> states = followed(subject, file);
  std::ofstream out(kept, std::ios::binary);
  out << states.size() << ' ' << (states.empty() ? 0 : states[0].q.size()) << '\n';
  const auto write = [&](const double* from, std::size_t size) {
    out.write(reinterpret_cast<const char*>(from), static_cast<std::streamsize>(size * sizeof(double)));
  };
  for (const MotionState& s : states) write(&s.t, 1), write(s.q.data(), s.q.size()), write(s.v.data(), s.v.size());
  return states;
}

namespace {

const std::vector<MotionState>& motion_of(const Subject& subject, CaseModel& model) {
  if (!model.motion) model.motion = states_along(subject, model.run.file);
  return *model.motion;
}

void look_near(Random& random, const MotionState& state, const std::function<std::unique_ptr<ElementPoint>()>& made,
               const LookAtPoint& look) {
  constexpr double lengths[] = {1, 1.02, 0.97};
  try {
    at_one_of_three([&](int tried) {
      const std::unique_ptr<ElementPoint> point = made();
      point->take(state);
      point->disturb(random, 1e-3, lengths[tried]);
      look(*point);
    });
  } catch (const Failed& failure) {
    fail("near {:.4g} s of its motion: {}", state.t, failure.what());
  }
}

}  // namespace

void at_one_of_three(const std::function<void(int)>& look) {
  for (int tried = 0;; ++tried) {
    try {
      look(tried);
      return;
    } catch (const Failed&) {
      if (tried == 2) throw;
    }
  }
}

void along_motion(Subject& subject, CaseModel& model, const ForceSlot& slot, const LookAtPoint& look) {
  const std::vector<MotionState>& states = motion_of(subject, model);
  const auto made = [&] { return std::make_unique<ElementPoint>(model, slot, slot.force); };
  std::vector<std::pair<double, std::size_t>> acting;
  const std::unique_ptr<ElementPoint> point = made();
  VectorXd Q(point->size());
  for (std::size_t k = 0; k < states.size(); ++k) {
    point->take(states[k]);
    Q.setZero();
    if (!slot.force->force(point->at(), point->segments(Q).data()) || !Q.allFinite()) continue;
    if (Q.squaredNorm() > 0) acting.emplace_back(Q.norm(), k);
  }
  if (acting.empty()) return;
  std::sort(acting.begin(), acting.end());
  look_near(subject.random, states[acting.back().second], made, look);
  look_near(subject.random, states[acting[acting.size() / 2].second], made, look);
}

void along_motion(Subject& subject, CaseModel& model, const ConstraintSlot& slot, const LookAtPoint& look) {
  const std::vector<MotionState>& states = motion_of(subject, model);
  const auto made = [&] { return std::make_unique<ElementPoint>(model, slot); };
  for (const std::size_t part : {3U, 7U}) {
    if (!states.empty()) look_near(subject.random, states[states.size() * part / 10], made, look);
  }
}

void look_at_force(Subject& subject, CaseModel& model, const ForceSlot& slot, int near_start, const LookAtPoint& look) {
  try {
    for (int k = 0; k < near_start; ++k) {
      ElementPoint point(model, slot, slot.force);
      point.set_time(uniform(subject.random, 0.1, 0.9) * model.run.analysis.duration);
      point.disturb(subject.random, 0.05, 1);
      look(point);
    }
    along_motion(subject, model, slot, look);
  } catch (const Failed& failure) {
    fail("{}: {}", place_of(model, slot), failure.what());
  }
}

}  // namespace trammel::conformance
