// Fingerprints: what the components of a plugin give in many random calls, as one number each. Two builds of a plugin with
// equal fingerprints do the same as far as calls can tell.
#include <algorithm>
#include <cmath>

#include "check/bench.h"
#include "check/bodies_at_random.h"
#include "check/cases.h"
#include "check/check.h"
#include "check/digest.h"
#include "check/element_channels.h"
#include "check/element_point.h"
#include "check/fingerprint_files.h"
#include "check/function_cases.h"
#include "check/isolated.h"
#include "plugin/host.h"
#include "trammel/constraint.h"
#include "trammel/error.h"
#include "trammel/force.h"

namespace trammel::conformance {
namespace {

void digest_constraints(Subject& subject, int calls, Digest& digest) {
  for_each_constraint(subject, [&](CaseModel& model, const ConstraintSlot& slot) {
    const Index m = slot.rows;
    for (int i = 0; i < calls; i += 50) {
      ElementPoint point(model, slot);
      point.set_time(uniform(subject.random, 0, 1) * model.run.analysis.duration);
      point.disturb(subject.random, i % 100 == 0 ? 0.05 : 0.5, uniform(subject.random, 0.95, 1.05));
      const Index n = point.size();
      const VectorXd x = point.local(subject.random), lambda = VectorXd::LinSpaced(m, 1, 2);
      VectorXd dq(n), dv(n);
      for (int k = 0; k < 50; ++k) {
        for (Index c = 0; c < n; ++c) dq[c] = uniform(subject.random) * 0.1, dv[c] = uniform(subject.random);
        point.move(dq, dv, uniform(subject.random), {});
        VectorXd Phi = VectorXd::Zero(m), nu = Phi, gamma = Phi;
        MatrixXd Phi_q = MatrixXd::Zero(m, n), x_q = Phi_q, a_q = Phi_q, a_v = Phi_q, l_q = MatrixXd::Zero(n, n);
        const auto jacobian = point.row_blocks(Phi_q);
        const ConstraintOutput out{{Phi.data(), m}, jacobian.data(), {nu.data(), m}, {gamma.data(), m}};
        digest.add(slot.constraint->evaluate(point.at(), out));
        const auto segments = point.segments(x);
        slot.constraint->jacobian_gradient(point.at(), segments.data(), point.row_blocks(x_q).data());
        slot.constraint->multiplier_gradient(point.at(), {lambda.data(), m}, point.square_blocks(l_q).data());
        slot.constraint->acceleration_gradient(point.at(), segments.data(), point.row_blocks(a_q).data(),
                                               point.row_blocks(a_v).data());
        for (const VectorXd* part : {&Phi, &nu, &gamma}) digest.add(*part);
        for (const MatrixXd* part : {&Phi_q, &x_q, &a_q, &a_v, &l_q}) digest.add(*part);
        if (k % 10 == 0) digest.add(see_channels(*slot.constraint, point.at()).values);
      }
    }
  });
}

void digest_forces(Subject& subject, int calls, Digest& digest) {
  for_each_force(subject, [&](CaseModel& model, const ForceSlot& slot) {
    for (int i = 0; i < calls; i += 50) {
      ElementPoint point(model, slot, slot.force);
      point.set_time(uniform(subject.random, 0, 1) * model.run.analysis.duration);
      point.disturb(subject.random, i % 100 == 0 ? 0.05 : 0.5, uniform(subject.random, 0.95, 1.05));
      const Index n = point.size(), nz = point.internal_states();
      VectorXd dq(n), dv(n);
      for (int k = 0; k < 50; ++k) {
        for (Index c = 0; c < n; ++c) dq[c] = uniform(subject.random) * 0.1, dv[c] = uniform(subject.random);
        point.move(dq, dv, uniform(subject.random), {});
        VectorXd Q = VectorXd::Zero(n), Q_t = Q, rate = VectorXd::Zero(nz);
        MatrixXd Q_q = MatrixXd::Zero(n, n), Q_v = Q_q;
        digest.add(slot.force->force(point.at(), point.segments(Q).data()));
        slot.force->gradients(point.at(), point.square_blocks(Q_q).data(), point.square_blocks(Q_v).data());
        slot.force->time_gradient(point.at(), point.segments(Q_t).data());
        if (nz > 0) slot.force->internal_rate(point.at(), {rate.data(), nz});
        ForceEnergy energy;
        slot.force->energy(point.at(), energy);
        for (const VectorXd* part : {&Q, &Q_t, &rate}) digest.add(*part);
        digest.add(Q_q), digest.add(Q_v);
        for (const double e : {energy.potential, energy.dissipation, energy.work}) digest.add(e);
        if (k % 10 == 0) digest.add(see_channels(*slot.force, point.at()).values);
      }
    }
  });
}

void digest_functions(Subject& subject, int calls, Digest& digest) {
  for_each_function(subject, [&](const FunctionUse& use) {
    for (int i = 0; i < calls; ++i) {
      double value[4] = {0, 0, 0, 0};
      const double x = uniform(subject.random, -3, 3) * std::pow(10, i % 4 - 1);
      digest.add(use.function->evaluate(x, use.function->max_order(), value));
      for (const double v : value) digest.add(v);
    }
    std::vector<double> points(static_cast<std::size_t>(std::max<Index>(0, use.function->break_points(nullptr, 0))));
    use.function->break_points(points.data(), static_cast<Index>(points.size()));
    for (const double point : points) digest.add(point);
  });
}

void digest_systems(Subject& subject, int calls, Digest& digest) {
  for (const auto& file : subject.cases) {
    const CaseModel model(file, *subject.host);
    if (model.numbers == nullptr) continue;
    for (int i = 0; i < calls / 20; ++i) {
      Bodies at(model, subject.random, uniform(subject.random, 0.97, 1.03));
      VectorXd blocks = at.room(), q_blocks = blocks, v_blocks = blocks;
      digest.add(at.mass()), digest.add(at.force()), digest.add(at.energy());
      at.motion.mass_gradient(at.states(), {at.v.data(), at.n}, blocks.data());
      at.motion.force_gradients(0.3, at.states(), q_blocks.data(), v_blocks.data());
      for (const VectorXd* part : {&blocks, &q_blocks, &v_blocks}) digest.add(*part);
    }
  }
}

/// False: of this kind nothing can be told.
bool digest_of(Subject& subject, int calls, Digest& digest) {
  switch (subject.component->kind) {
    case ComponentKind::constraint: digest_constraints(subject, calls, digest); return true;
    case ComponentKind::force: digest_forces(subject, calls, digest); return true;
    case ComponentKind::function: digest_functions(subject, calls, digest); return true;
    case ComponentKind::integrator: digest_integrators(subject, calls, digest); return true;
    case ComponentKind::formulation: digest_formulations(subject, calls, digest); return true;
    case ComponentKind::linear_solver: digest_linear_solvers(subject, calls, digest); return true;
    case ComponentKind::system: digest_systems(subject, calls, digest); return true;
    case ComponentKind::metric: digest_metrics(subject, calls, digest); return true;
    case ComponentKind::writer: digest_writers(subject, calls, digest); return true;
    case ComponentKind::importer: digest_importers(subject, calls, digest); return true;
    case ComponentKind::analysis: digest_analyses(subject, calls, digest); return true;
    default: return false;
  }
}

}  // namespace

std::string fingerprint(Subject& subject, int calls, double timeout) {
  const std::string folder = check_folder().string();
  const IsolatedEnd end = run_isolated({timeout, 4, folder.c_str()}, [&](std::string& text) {
    Digest digest;
    try {
      if (!digest_of(subject, calls, digest)) return 1;
    } catch (const std::exception& error) {
      text = error.what();
      return 1;
    }
    text = fmt::format("{:016x}", digest.value());
    return 0;
  });
  return end.how == IsolatedEnd::How::done && end.code == 0 ? end.text : "none";
}

}  // namespace trammel::conformance
