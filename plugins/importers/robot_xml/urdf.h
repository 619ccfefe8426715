// URDF: the Unified Robot Description Format of ROS, with <loop> and <coupling> of URDF+.
#pragma once

#include "joint_elements.h"
#include "trammel/importer.h"
#include "trammel/sdk/plugin.h"

namespace trammel::robot_xml {

enum class Base : std::int32_t { automatic, fixed, free };

class UrdfImporter final : public Importer {
 public:
  struct Parameters {
    Base base;
    double gravity[3];
    LimitKeys limit;
  };
  static constexpr auto limit_fields = sdk::group(
      TRAMMEL_FIELD(LimitKeys, limits, "1", "Limits of joints: elements that yield, rigid ones, or none.")
          .choices("compliant|rigid|none")
          .otherwise("\"compliant\""),
      TRAMMEL_FIELD(LimitKeys, limit_stiffness, "N m/rad or N/m", "Stiffness of limits where the file gives none.")
          .above(0)
          .otherwise("1e4"),
      TRAMMEL_FIELD(LimitKeys, limit_dissipation, "s/rad or s/m", "Dissipation of limits where the file gives none.")
          .at_least(0)
          .otherwise("0.5"),
      TRAMMEL_FIELD(LimitKeys, friction_speed, "rad/s or m/s", "Rate over which dry friction builds up.")
          .above(0)
          .otherwise("0.001"));
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, base, "1",
                    "Whether root links stand still or move freely; automatic: those without inertia are the ground, "
                    "the others stand still.")
          .choices("automatic|fixed|free")
          .otherwise("\"automatic\""),
      TRAMMEL_FIELD(Parameters, gravity, "m/s^2", "Gravity, which URDF does not have.")
          .three()
          .otherwise("[0, 0, -9.81]"),
      TRAMMEL_EMBED(Parameters, limit, limit_fields));

  explicit UrdfImporter(const Parameters& given) : given_(given) {}

  const char* file_endings() const override { return "urdf xacro"; }
  bool recognises(const char* beginning, std::int64_t size) const override;
  bool read(const ImportRequest& request, ImportedFile& out, Refusal& refusal) const override;

 private:
  Parameters given_;
};

}  // namespace trammel::robot_xml
