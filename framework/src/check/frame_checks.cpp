// Level 3 of systems whose bodies deform: the frames that elements attach to.
#include <array>
#include <cmath>
#include <utility>

#include "check/bodies_at_random.h"
#include "trammel/extensions/body_frames.h"

namespace trammel::conformance {
namespace {

/// One frame of the body b, fixed to the material at `local`, as the functions of (q, v) that its derivatives belong to.
struct FrameAt {
  Bodies& at;
  const BodyFrames& frames;
  Index b;
  const double* local;
  Index f = PlanarBodyState::coordinates, c = at.table.width(b);

  PlanarBodyState state() const {
    PlanarBodyState F{};
    frames.frame(b, local, at.state(b), &F);
    return F;
  }
  MatrixXd J() const {
    MatrixXd out(f, c);
    frames.jacobian(b, local, at.state(b), out.data(), nullptr);
    return out;
  }
  VectorXd kappa() const {
    VectorXd out(f);
    MatrixXd none(f, c);
    frames.jacobian(b, local, at.state(b), none.data(), out.data());
    return out;
  }
  void columns(const char* name, const MatrixXd& gradient, bool by_v, const std::function<VectorXd()>& value) const {
    at.require_columns(b, fmt::format("{} of a frame of body {}", name, b + 1), gradient, by_v, value);
  }
  void check(std::mt19937& random) const {
    const VectorXd v = at.v.segment(at.table.first(b), c);
    const PlanarBodyState F = state();
    const auto place = [&] {
      const PlanarBodyState now = state();
      return VectorXd(Eigen::Vector3d(now.r[0], now.r[1], now.phi));
    };
    columns("F_q", J(), false, place);
    const double off = (J() * v - Eigen::Vector3d(F.rdot[0], F.rdot[1], F.omega)).norm();
    require(off < 1e-11 * (1 + v.norm()), "the rates of a frame of body {} differ from J v by {:.1e}", b + 1, off);
    const double turned = std::hypot(F.c - std::cos(F.phi), F.s - std::sin(F.phi));
    require(turned < 1e-12, "c and s of a frame of body {} are not those of its angle", b + 1);
    VectorXd ahead = VectorXd::Zero(at.n);
    ahead.segment(at.table.first(b), c) = v;
    const double bent =
        difference_error(kappa(), at.along(ahead, VectorXd::Zero(at.n), [&] { return VectorXd(J() * v); }));
    require(bent < derivative_tolerance, "kappa of a frame of body {} differs from (J v)_q v by {:.1e}", b + 1, bent);
    VectorXd x(c), y(f);
    for (Index k = 0; k < c; ++k) x[k] = uniform(random, -2, 2);
    for (Index k = 0; k < f; ++k) y[k] = uniform(random, -2, 2);
    MatrixXd by_q(f, c), by_v(f, c), square(c, c);
    frames.jacobian_gradient(b, local, at.state(b), x.data(), by_q.data());
    columns("(J x)_q", by_q, false, [&] { return VectorXd(J() * x); });
    frames.jacobian_gradient(b, local, at.state(b), nullptr, by_q.data());
    columns("(J v)_q", by_q, false, [&] { return VectorXd(J() * v); });
    frames.transpose_gradient(b, local, at.state(b), y.data(), square.data());
    columns("(J^T y)_q", square, false, [&] { return VectorXd(J().transpose() * y); });
    frames.kappa_gradient(b, local, at.state(b), by_q.data(), by_v.data());
    columns("kappa_q", by_q, false, [&] { return kappa(); });
    columns("kappa_v", by_v, true, [&] { return kappa(); });
  }
};

void body_frames(Subject& subject) {
  bool any = false;
  for (const auto& file : subject.cases) {
    const CaseModel model(file, *subject.host);
    if (model.numbers == nullptr) continue;
    const auto* frames = find_extension<BodyFrames>(model.model.system());
    if (frames == nullptr || model.numbers->assembly().table.frame_columns() != PlanarBodyState::coordinates) continue;
    Bodies bodies(model, subject.random, 1);
    std::vector<std::pair<Index, std::array<double, 3>>> places;
    for (const PointSlot& point : model.numbers->assembly().points)
      places.push_back({point.body.index, {point.local[0], point.local[1], point.local[2]}});
    for (Index b = 0; b < bodies.count; ++b) places.insert(places.end(), {{b, {0, 0, 0}}, {b, {0.25, 0, 0}}});
    for (const auto& [body, local] : places) {
      if (body < 0 || !frames->has_frame(body, local.data())) continue;
      any = true;
      FrameAt{bodies, *frames, body, local.data()}.check(subject.random);
    }
  }
  if (!any) skip("no planar body with frames of its own");
}

}  // namespace

void add_frame_checks(std::vector<Check>& checks) {
  checks.push_back({"math.body_frames", Level::mathematics,
                    "frames of bodies that deform: J, kappa and their gradients are derivatives",
                    "a matrix written by rows, or a term of the deformation left out", body_frames, "math.body_mass"});
}

}  // namespace trammel::conformance
