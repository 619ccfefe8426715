// MJCF: the models of MuJoCo in XML.
#pragma once

#include "urdf.h"

namespace trammel::robot_xml {

class MjcfImporter final : public Importer {
 public:
  struct Parameters {
    Text keyframe;
    LimitKeys limit;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, keyframe, "1",
                    "Name or number of the <key> that the motion starts from; the reference configuration if left out.")
          .optional(),
      TRAMMEL_EMBED(Parameters, limit, UrdfImporter::limit_fields));

  explicit MjcfImporter(const Parameters& given) : given_(given) {}

  const char* file_endings() const override { return "xml mjcf"; }
  bool recognises(const char* beginning, std::int64_t size) const override;
  bool read(const ImportRequest& request, ImportedFile& out, Refusal& refusal) const override;

 private:
  Parameters given_;
};

}  // namespace trammel::robot_xml
