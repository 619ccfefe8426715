// Plugin: coupler, a linear relation between the coordinates of two joints.
#include <array>
#include <cstring>

#include "trammel/constraint.h"
#include "trammel/element_extensions.h"
#include "trammel/model_info.h"
#include "trammel/sdk/offer_extensions.h"
#include "trammel/sdk/plugin.h"

//   Phi = x_2 - ratio x_1 - offset: every derivative is the same combination of the coordinates' own, which the joints
//   offer as rows over their two bodies. Blocks of bodies that both joints attach to are added up.
namespace trammel::coupler {

enum class Choice : std::int32_t { first, angle, displacement };

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
  double factor = 1;
  Index place[2] = {0, 0};  ///< of the joint's bodies in the coupler's list
};

class Coupler final : public Constraint, CountedAngles {
 public:
  using Parameters = coupler::Parameters;
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, first, "1", "First joint, above this one in the run file."),
      TRAMMEL_FIELD(Parameters, second, "1", "Second joint, above this one in the run file."),
      TRAMMEL_FIELD(Parameters, first_coordinate, "1",
                    "Which coordinate of the first joint; its first one if left out.")
          .choices("first|angle|displacement")
          .otherwise("\"first\""),
      TRAMMEL_FIELD(Parameters, second_coordinate, "1",
                    "Which coordinate of the second joint; its first one if left out.")
          .choices("first|angle|displacement")
          .otherwise("\"first\""),
      TRAMMEL_FIELD(Parameters, ratio, "1", "Second coordinate by the first: rad/rad, m/rad, rad/m or m/m."),
      TRAMMEL_FIELD(Parameters, offset, "rad or m",
                    "Second coordinate where the first is zero; from the initial configuration if left out.")
          .optional());

  Coupler(const Parameters& given, const ModelInfo& model) : c_(model.host() == Host::planar ? 3 : 7) {
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
    initial({references, angles_});
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
    if (angles_ == 0) return nullptr;
    return sdk::offer_extensions<CountedAngles>(id, this);
  }

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

  Index count() const override { return angles_; }
  void initial(VectorView angle) const override {
    for (const Term& term : terms_) {
      if (term.angle != nullptr) term.angle->initial({angle.data + term.angle_index, 1});
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
    if (offered == nullptr || offered->count() == 0) {
      throw Error::parameter(key, "this constraint has no joint coordinate that a coupler could use");
    }
    const char* names[] = {"", "angle", "displacement"};
    Term result;
    for (Index k = 0; k < offered->count() && result.row == nullptr; ++k) {
      if (choice == Choice::first || std::strcmp(offered->name(k), names[static_cast<int>(choice)]) == 0) {
        result.row = &offered->coordinate(k);
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
};

}  // namespace trammel::coupler

TRAMMEL_PLUGIN("coupler", "1.0.0", "BSD-3-Clause",
               component<trammel::coupler::Coupler>(Host::spatial, "coupler",
                                                    "A linear relation between the coordinates of two joints."),
               component<trammel::coupler::Coupler>(Host::planar, "coupler",
                                                    "A linear relation between the coordinates of two joints."));
