// SDF: the simulation description format of Gazebo.
#pragma once

#include "urdf.h"

namespace trammel::robot_xml {

class SdfImporter final : public Importer {
 public:
  struct Parameters {
    LimitKeys limit;
  };
  static constexpr auto parameters =
      sdk::table<Parameters>(TRAMMEL_EMBED(Parameters, limit, UrdfImporter::limit_fields));

  explicit SdfImporter(const Parameters& given) : given_(given) {}

  const char* file_endings() const override { return "sdf world"; }
  bool recognises(const char* beginning, std::int64_t size) const override;
  bool read(const ImportRequest& request, ImportedFile& out, Refusal& refusal) const override;

 private:
  Parameters given_;
};

}  // namespace trammel::robot_xml
