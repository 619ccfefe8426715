// Plugin: coupler, a linear relation between the coordinates of two joints.
#include <array>
#include <cstring>

#include "trammel/constraint.h"
#include "trammel/extensions/element_extensions.h"
#include "trammel/model_info.h"
#include "trammel/sdk/elements/bodies.h"
#include "trammel/sdk/offer_extensions.h"
#include "trammel/sdk/plugin.h"

//   Phi = x_2 - ratio x_1 - offset: every derivative is the same combination of the coordinates' own, which the joints
//   offer as rows over their two bodies. Blocks of bodies that both joints attach to are added up.
namespace trammel::coupler {

enum class Choice : std::int32_t { first, angle, displacement, second_angle };

struct Parameters {
  ElementRef first;
  ElementRef second;
  Choice first_coordinate;
  Choice second_coordinate;
  double ratio;
  double offset;
};

constexpr Index largest_block = 7 * 7;

/// One coordinate with its factor in the row.
struct Term {
  const Constraint* row = nullptr;
  const CountedAngles* angle = nullptr;
  Index angle_index = -1;
  const char* unit = "";
  double factor = 1;
  Index place[2] = {0, 0};  ///< of the joint's bodies in the coupler's list
};

class Coupler;

/// `.first .first_rate .second .second_rate`: the two coordinates.
class CouplerChannels final : public ElementChannels {
 public:
  explicit CouplerChannels(const Coupler& coupler) : coupler_(coupler) {}

  Index channel_count() const override { return 4; }
  const char* channel_name(Index i) const override {
    constexpr const char* names[] = {"first", "first_rate", "second", "second_rate"};
    return names[i];
  }
  const char* channel_unit(Index i) const override;
  Status channel_values(const ElementState& s, VectorView out) const override;

 private:
  const Coupler& coupler_;
};

class Coupler final : public Constraint, CountedAngles, DriverEffort {
 public:
  using Parameters = coupler::Parameters;
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, first, "1", "First joint, above this one in the run file."),
      TRAMMEL_FIELD(Parameters, second, "1", "Second joint, above this one in the run file."),
      TRAMMEL_FIELD(Parameters, first_coordinate, "1",
                    "Which coordinate of the first joint; its first one if left out.")
          .choices("first|angle|displacement|second_angle")
          .otherwise("\"first\""),
      TRAMMEL_FIELD(Parameters, second_coordinate, "1",
                    "Which coordinate of the second joint; its first one if left out.")
          .choices("first|angle|displacement|second_angle")
          .otherwise("\"first\""),
      TRAMMEL_FIELD(Parameters, ratio, "1", "Second coordinate by the first: rad/rad, m/rad, rad/m or m/m."),
      TRAMMEL_FIELD(Parameters, offset, "rad or m",
                    "Second coordinate where the first is zero; from the initial configuration if left out.")
          .optional());

  Coupler(const Parameters& given, const ModelInfo& model)
      : c_(model.host() == Host::planar ? 3 : 7), channels_(*this) {
    terms_[0] = term(given.first, given.first_coordinate, "first", model);
    terms_[1] = term(given.second, given.second_coordinate, "second", model);
    if (terms_[0].row == terms_[1].row) {
      throw Error::parameter("second", "a coupler needs two different joint coordinates");
    }
    terms_[0].factor = -given.ratio;
    if (trammel::given(given.offset)) {
      offset_ = given.offset;
      return;
    }
    const void* states[4];
    for (Index k = 0; k < count_; ++k) states[k] = model.initial_state(bodies_[k]);
    double references[2] = {0, 0};
    initial_angles({references, angles_});
    ElementState s;
    s.bodies = states, s.angle_references = references;
    double Phi = 0;
    ConstraintOutput out;
    out.Phi = {&Phi, 1};
    if (!evaluate(s, out).ok()) throw Error::parameter("first", "the coordinates are not defined at the start");
    offset_ = Phi;
  }

  Index rows() const override { return 1; }
  Index body_count() const override { return count_; }
  BodyRef body(Index i) const override { return bodies_[i]; }
  const void* extension(const char* id) const override {
    return sdk::offer_extensions<CountedAngles, ElementChannels, DriverEffort>(id, angles_ > 0 ? this : nullptr,
                                                                               &channels_, this);
  }

  /// The reaction is -lambda along the second coordinate, and ratio lambda along the first.
  double effort_sign() const override { return -1; }

  Status evaluate(const ElementState& s, const ConstraintOutput& out) const override {
    if (out.Phi.data != nullptr) out.Phi[0] = -offset_;
    if (out.nu.data != nullptr) out.nu[0] = 0;
    if (out.gamma.data != nullptr) out.gamma[0] = 0;
    if (out.Phi_q != nullptr) clear(out.Phi_q, count_);
    for (const Term& term : terms_) {
      Local local(*this, term, s);
      double Phi = 0, gamma = 0;
      ConstraintOutput part;
      if (out.Phi.data != nullptr) part.Phi = {&Phi, 1};
      if (out.gamma.data != nullptr) part.gamma = {&gamma, 1};
      if (out.Phi_q != nullptr) part.Phi_q = local.rows(out.Phi_q);
      const Status status = term.row->evaluate(local.state, part);
      if (!status) return status;
      if (out.Phi.data != nullptr) out.Phi[0] += term.factor * Phi;
      if (out.gamma.data != nullptr) out.gamma[0] += term.factor * gamma;
      if (out.Phi_q != nullptr) local.add_rows(out.Phi_q);
    }
    return Status::success();
  }

  Status jacobian_gradient(const ElementState& s, const ConstVectorView* x, const MatrixView* out) const override {
    clear(out, count_);
    for (const Term& term : terms_) {
      Local local(*this, term, s);
      const ConstVectorView own[2] = {x[term.place[0]], x[term.place[1]]};
      const Status status = term.row->jacobian_gradient(local.state, own, local.rows(out));
      if (!status) return status;
      local.add_rows(out);
    }
    return Status::success();
  }

  Status multiplier_gradient(const ElementState& s, ConstVectorView lambda, const MatrixView* out) const override {
    clear(out, count_ * count_);
    for (const Term& term : terms_) {
      Local local(*this, term, s);
      const MatrixView* blocks = local.squares(out);
      const Status status = term.row->multiplier_gradient(local.state, lambda, blocks);
      if (!status) return status;
      for (Index i = 0; i < 2; ++i) {
        for (Index j = 0; j < 2; ++j) add(blocks[2 * i + j], term.factor, out[term.place[i] * count_ + term.place[j]]);
      }
    }
    return Status::success();
  }

  Status acceleration_gradient(const ElementState& s, const ConstVectorView* a, const MatrixView* out_q,
                               const MatrixView* out_v) const override {
    clear(out_q, count_), clear(out_v, count_);
    for (const Term& term : terms_) {
      Local by_q(*this, term, s), by_v(*this, term, s);
      const ConstVectorView own[2] = {a[term.place[0]], a[term.place[1]]};
      const Status status = term.row->acceleration_gradient(by_q.state, own, by_q.rows(out_q), by_v.rows(out_v));
      if (!status) return status;
      by_q.add_rows(out_q), by_v.add_rows(out_v);
    }
    return Status::success();
  }

  const char* unit(Index k) const { return terms_[k].unit; }
  /// Coordinate k and its rate.
  Status coordinate(Index k, const ElementState& s, double& value, double& rate) const {
    Local local(*this, terms_[k], s);
    for (Index b = 0; b < 2; ++b) local.views[b] = {local.storage + b * largest_block, 1, c_, 1};
    ConstraintOutput out;
    out.Phi = {&value, 1}, out.Phi_q = local.views;
    const Status status = terms_[k].row->evaluate(local.state, out);
    rate = 0;
    for (Index b = 0; b < 2; ++b) {
      double q[7], v[7];
      if (c_ == 3)
        sdk::coordinates_of(local.state.body<PlanarBodyState>(b), q, v);
      else
        sdk::coordinates_of(local.state.body<SpatialBodyState>(b), q, v);
      for (Index n = 0; n < c_; ++n) rate += local.views[b](0, n) * v[n];
    }
    return status;
  }

 private:
  /// A term's own view of the state, and blocks for its results.
  struct Local {
    const Coupler& owner;
    const Term& term;
    const void* attached[2];
    ElementState state;
    double storage[4 * largest_block];
    MatrixView views[4];

    Local(const Coupler& coupler, const Term& t, const ElementState& s)
        : owner(coupler), term(t), attached{s.bodies[t.place[0]], s.bodies[t.place[1]]}, state(s) {
      state.bodies = attached;
      state.angle_references =
          t.angle_index >= 0 && s.angle_references != nullptr ? s.angle_references + t.angle_index : nullptr;
    }
    const MatrixView* rows(const MatrixView* like) {
      for (Index k = 0; k < 2; ++k) {
        views[k] = like[term.place[k]] ? MatrixView{storage + k * largest_block, 1, owner.c_, 1} : MatrixView{};
      }
      return views;
    }
    const MatrixView* squares(const MatrixView* like) {
      for (Index k = 0; k < 4; ++k) {
        const bool wanted = static_cast<bool>(like[term.place[k / 2] * owner.count_ + term.place[k % 2]]);
        views[k] = wanted ? MatrixView{storage + k * largest_block, owner.c_, owner.c_, owner.c_} : MatrixView{};
      }
      return views;
    }
    void add_rows(const MatrixView* out) const {
      for (Index k = 0; k < 2; ++k) add(views[k], term.factor, out[term.place[k]]);
    }
  };

  static void clear(const MatrixView* blocks, Index count) {
    for (Index k = 0; k < count; ++k) {
      if (blocks[k]) blocks[k].map().setZero();
    }
  }
  static void add(const MatrixView& from, double factor, const MatrixView& to) {
    if (to) to.map() += factor * from.map();
  }

  Index angle_count() const override { return angles_; }
  void initial_angles(VectorView angle) const override {
    for (const Term& term : terms_) {
      if (term.angle != nullptr) term.angle->initial_angles({angle.data + term.angle_index, 1});
    }
  }
  void angles(const ElementState& s, VectorView angle) const override {
    for (const Term& term : terms_) {
      if (term.angle == nullptr) continue;
      term.angle->angles(Local(*this, term, s).state, {angle.data + term.angle_index, 1});
    }
  }

  Term term(ElementRef joint, Choice choice, const char* key, const ModelInfo& model) {
    const Constraint* element = model.constraint(joint);
    if (element == nullptr) throw Error::parameter(key, "the joint must stand above the coupler in the run file");
    const JointCoordinates* offered = find_extension<JointCoordinates>(*element);
    if (offered == nullptr || offered->coordinate_count() == 0) {
      throw Error::parameter(key, "this constraint has no joint coordinate that a coupler could use");
    }
    const char* names[] = {"", "angle", "displacement", "second_angle"};
    Term result;
    for (Index k = 0; k < offered->coordinate_count() && result.row == nullptr; ++k) {
      if (choice == Choice::first || std::strcmp(offered->coordinate_name(k), names[static_cast<int>(choice)]) == 0) {
        result.row = &offered->coordinate(k);
        result.unit = std::strcmp(offered->coordinate_name(k), "displacement") == 0 ? "m" : "rad";
      }
    }
    if (result.row == nullptr) {
      throw Error::parameter(std::string(key) + "_coordinate",
                             std::string("the joint has no ") + names[static_cast<int>(choice)]);
    }
    result.angle = find_extension<CountedAngles>(*result.row);
    if (result.angle != nullptr) result.angle_index = angles_++;
    for (Index k = 0; k < 2; ++k) result.place[k] = place(result.row->body(k));
    return result;
  }

  Index place(BodyRef body) {
    for (Index k = 0; k < count_; ++k) {
      if (bodies_[k].index == body.index) return k;
    }
    bodies_[count_] = body;
    return count_++;
  }

  Index c_;
  Index count_ = 0;   ///< bodies
  Index angles_ = 0;  ///< that count turns
  std::array<BodyRef, 4> bodies_{};
  std::array<Term, 2> terms_{};
  double offset_ = 0;
  CouplerChannels channels_;
};

const char* CouplerChannels::channel_unit(Index i) const {
  const bool angle = std::strcmp(coupler_.unit(i / 2), "rad") == 0;
  if (i % 2 == 0) return coupler_.unit(i / 2);
  return angle ? "rad/s" : "m/s";
}

Status CouplerChannels::channel_values(const ElementState& s, VectorView out) const {
  for (Index k = 0; k < 2; ++k) {
    const Status status = coupler_.coordinate(k, s, out[2 * k], out[2 * k + 1]);
    if (!status) return status;
  }
  return Status::success();
}

}  // namespace trammel::coupler

TRAMMEL_PLUGIN("coupler", "1.0.0", "BSD-3-Clause",
               component<trammel::coupler::Coupler>(Host::spatial, "coupler",
                                                    "A linear relation between the coordinates of two joints."),
               component<trammel::coupler::Coupler>(Host::planar, "coupler",
                                                    "A linear relation between the coordinates of two joints."));
