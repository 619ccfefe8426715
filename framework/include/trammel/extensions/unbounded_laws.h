// UnboundedLaws: force laws that grow without limit towards a place that bodies may pass closely.
#pragma once

namespace trammel {

/// Beside `StateLaws`, of translational forces: a share of the law's range so far says nothing about such a law, since
/// one close pass makes the range so large that the next one disappears in it. Steps are judged by the law's values in
/// the step itself, and by the momentum of the lightest body that the force acts on.
class UnboundedLaws {
 public:
  static constexpr const char* id = "trammel.unbounded_laws/1";

 protected:
  ~UnboundedLaws() = default;
};

}  // namespace trammel
