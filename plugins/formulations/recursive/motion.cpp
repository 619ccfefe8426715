// The sweeps along the tree, outwards and inwards, for bodies in space and in a plane.
#include "motion.h"

#include <algorithm>

#include "planar.h"
#include "spatial.h"
#include "trammel/sdk/math/dual.h"
#include "trammel/sdk/math/wide.h"

namespace trammel::recursive {

TreeMotion::TreeMotion(const Tree& tree) : tree_(tree) {
  for (std::size_t l = 0; l < tree.links.size(); ++l) {
    const Link& link = tree.links[l];
    if (!link.own && link.joint.turn == Turn::all)
      balls_.push_back({static_cast<Index>(link.theta + link.joint.slide_count()), static_cast<Index>(l)});
  }
}

void TreeMotion::hold_lengths(const double* theta, const double* theta1, double* theta2) const {
  for (const Ball& ball : balls_) {
    const Vec4<> x = sdk::vec4(theta + ball.first), x2 = sdk::vec4(theta2 + ball.first);
    store(x2 + along_gauge(x, sdk::vec4(theta1 + ball.first), x2) * x, theta2 + ball.first);
  }
}

namespace {

template <class Host>
class HostMotion final : public TreeMotion {
  using Real = typename Host::template Frame<double>;
  using Seed = sdk::Dual<double, 1>;
  using Moved = typename Host::template Frame<Seed>;
  using Twist = typename Host::Twist;

 public:
  explicit HostMotion(const Tree& tree)
      : TreeMotion(tree),
        frames_(tree.links.size()),
        moved_(tree.links.size()),
        moves_(tree.links.size()),
        levers_(tree.links.size()),
        twists_(tree.links.size()) {}

  void place(const double* theta, const double* theta1, const double* theta2, const double* signs) override {
    theta_ = theta, theta1_ = theta1, theta2_ = theta2, signs_ = signs;
    const Real ground = Host::template ground<double>();
    sdk::wide([&] {
      for (std::size_t l = 0; l < tree_.links.size(); ++l) {
        const Link& link = tree_.links[l];
        if (link.own) continue;
        const Index x = link.theta;
        Host::step(link.joint, signs[l], link.parent < 0 ? ground : frames_[at(link.parent)], theta + x, theta1 + x,
                   theta2 + x, frames_[l], &levers_[l]);
      }
    });
  }

  void write(double* q, double* v, double* a) const override {
    sdk::wide([&] {
      for (std::size_t l = 0; l < tree_.links.size(); ++l) {
        const Link& link = tree_.links[l];
        const Index i = link.first, x = link.theta;
        if (link.own) {
          std::copy_n(theta_ + x, link.count, q + i);
          std::copy_n(theta1_ + x, link.count, v + i);
          std::copy_n(theta2_ + x, link.count, a + i);
        } else {
          Host::write(frames_[l], [&](Index k, double q_k, double v_k, double a_k) {
            q[i + k] = q_k, v[i + k] = v_k, a[i + k] = a_k;
          });
        }
      }
    });
  }

  void spread(const double* dtheta, double* dq) override {
    sdk::wide([&] {
      for (std::size_t l = 0; l < tree_.links.size(); ++l) {
        const Link& link = tree_.links[l];
        if (link.own) {
          std::copy_n(dtheta + link.theta, link.count, dq + link.first);
          continue;
        }
        const Twist parent = link.parent < 0 ? Twist{} : twists_[at(link.parent)];
        twists_[l] = Host::spread(link.joint, levers_[l], theta_ + link.theta, parent, dtheta + link.theta);
        Host::untwist(frames_[l], twists_[l], dq + link.first);
      }
    });
  }

  void relative(const double* dq, double* dtheta) override {
    sdk::wide([&] {
      for (std::size_t l = 0; l < tree_.links.size(); ++l) {
        const Link& link = tree_.links[l];
        if (link.own) {
          std::copy_n(dq + link.first, link.count, dtheta + link.theta);
          continue;
        }
        twists_[l] = Host::twist(frames_[l], dq + link.first);
        const Twist parent = link.parent < 0 ? Twist{} : twists_[at(link.parent)];
        Host::relative(link.joint, levers_[l], theta_ + link.theta, parent, twists_[l], dtheta + link.theta);
      }
    });
  }

  void gather(const double* f, double* out) override {
    for (std::size_t l = 0; l < tree_.links.size(); ++l) {
      const Link& link = tree_.links[l];
      if (!link.own) twists_[l] = Host::wrench(frames_[l], f + link.first);
    }
    for (std::size_t l = tree_.links.size(); l-- > 0;) {
      const Link& link = tree_.links[l];
      if (link.own) {
        std::copy_n(f + link.first, link.count, out + link.theta);
        continue;
      }
      Twist* const parent = link.parent < 0 ? nullptr : &twists_[at(link.parent)];
      Host::gather(link.joint, levers_[l], theta_ + link.theta, twists_[l], parent, out + link.theta);
    }
  }

  void derive(const double* dtheta, const double* dtheta1, double* dq, double* dv, double* da) override {
    for (double* x : {dq, dv, da}) std::fill_n(x, tree_.n, 0.0);
    Seed x[7], x1[7], x2[7];
    for (std::size_t l = 0; l < tree_.links.size(); ++l) {
      const Link& link = tree_.links[l];
      if (link.own) {
        std::copy_n(dtheta + link.theta, link.count, dq + link.first);
        std::copy_n(dtheta1 + link.theta, link.count, dv + link.first);
        continue;
      }
      const bool parent_moves = link.parent >= 0 && moves_[at(link.parent)] != 0;
      bool moves = parent_moves;
      for (Index i = 0; i < link.thetas; ++i) {
        const Index of = link.theta + i;
        x[i] = Seed(theta_[of]), x1[i] = Seed(theta1_[of]), x2[i] = Seed(theta2_[of]);
        x[i].d[0] = dtheta[of], x1[i].d[0] = dtheta1[of];
        moves = moves || dtheta[of] != 0 || dtheta1[of] != 0;
      }
      moves_[l] = moves ? 1 : 0;
      if (!moves) continue;
      const Moved parent = link.parent < 0 ? Host::template ground<Seed>()
                           : parent_moves  ? moved_[at(link.parent)]
                                           : Host::same(frames_[at(link.parent)], Seed());
      Host::step(link.joint, signs_[l], parent, x, x1, x2, moved_[l], nullptr);
      Host::write(moved_[l], [&](Index c, const Seed& q, const Seed& v, const Seed& a) {
        dq[link.first + c] = q.d[0], dv[link.first + c] = v.d[0], da[link.first + c] = a.d[0];
      });
    }
  }

  void measure(const double* q, const double* near, double* theta, double* signs) const override {
    for (std::size_t l = 0; l < tree_.links.size(); ++l) {
      const Link& link = tree_.links[l];
      if (link.own) {
        std::copy_n(q + link.first, link.count, theta + link.theta);
        signs[l] = 1;
        continue;
      }
      const double* parent = link.parent < 0 ? nullptr : q + tree_.links[at(link.parent)].first;
      signs[l] = Host::measure(link.joint, parent, q + link.first, near + link.theta, theta + link.theta);
    }
  }

 private:
  static std::size_t at(Index i) { return static_cast<std::size_t>(i); }

  std::vector<Real> frames_;
  std::vector<Moved> moved_;
  std::vector<unsigned char> moves_;  ///< by the last `derive`
  std::vector<typename Host::Levers> levers_;
  std::vector<Twist> twists_;
  const double *theta_ = nullptr, *theta1_ = nullptr, *theta2_ = nullptr, *signs_ = nullptr;
};

}  // namespace

std::unique_ptr<TreeMotion> TreeMotion::of(const Tree& tree) {
  if (tree.spatial) return std::make_unique<HostMotion<Spatial>>(tree);
  return std::make_unique<HostMotion<Planar>>(tree);
}

}  // namespace trammel::recursive
