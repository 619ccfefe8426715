// Plugin `failing_memory`: a force whose memory fails in one way or another.
#include <trammel/extensions/accepted_step.h>
#include <trammel/force.h>
#include <trammel/sdk/plugin.h>

#include <cstring>
#include <limits>

namespace {

using namespace trammel;

class FailingMemory final : public ForceElement, AcceptedMemory {
 public:
  struct Parameters {
    BodyRef body;
    std::int64_t way;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, body, "1", "Body."),
      TRAMMEL_FIELD(Parameters, way, "1", "0: refuses to begin, 1: begins with NaN, 2: refuses a step, 3: keeps NaN."));

  FailingMemory(const Parameters& p, const ModelInfo&) : p_(p) {}
  Index body_count() const override { return 1; }
  BodyRef body(Index) const override { return p_.body; }
  const void* extension(const char* id) const override {
    return std::strcmp(id, AcceptedMemory::id) == 0 ? static_cast<const AcceptedMemory*>(this) : nullptr;
  }
  Status force(const ElementState&, const VectorView*) const override { return Status::success(); }
  Status gradients(const ElementState&, const MatrixView*, const MatrixView*) const override {
    return Status::success();
  }
  Status energy(const ElementState&, ForceEnergy&) const override { return Status::success(); }

 private:
  Index memory_size() const override { return 1; }
  Status initial_memory(const ElementState&, VectorView memory) const override {
    memory[0] = p_.way == 1 ? std::numeric_limits<double>::quiet_NaN() : 0;
    return p_.way == 0 ? Status::failure(StatusCode::out_of_domain, "no begin") : Status::success();
  }
  Status accepted(const ElementState& s, VectorView memory) const override {
    memory[0] = p_.way == 3 && s.t > 0.25 ? std::numeric_limits<double>::quiet_NaN() : 0;
    return p_.way == 2 && s.t > 0.25 ? Status::failure(StatusCode::out_of_domain, "worn out") : Status::success();
  }

  Parameters p_;
};

}  // namespace

TRAMMEL_PLUGIN("failing_memory", "1.0.0", "BSD-3-Clause",
               component<FailingMemory>(Host::planar, "failing_memory", "A memory that fails.", ""));
