// The importer of decks of Adams' solver.
#pragma once

#include "trammel/importer.h"
#include "trammel/sdk/plugin.h"

namespace trammel::adams_deck {

class AdamsImporter final : public Importer {
 public:
  struct Parameters {
    double duration;
    bool markers;
  };
  static constexpr auto parameters = sdk::table<Parameters>(
      TRAMMEL_FIELD(Parameters, duration, "s", "Duration of the run file's analysis, which decks do not have.")
          .above(0)
          .otherwise("10"),
      TRAMMEL_FIELD(Parameters, markers, "1", "Whether markers become named points of the run file.")
          .otherwise("true"));

  explicit AdamsImporter(const Parameters& given) : given_(given) {}

  const char* file_endings() const override { return "adm"; }
  bool recognises(const char* beginning, std::int64_t size) const override;
  bool read(const ImportRequest& request, ImportedFile& out, Refusal& refusal) const override;

 private:
  Parameters given_;
};

}  // namespace trammel::adams_deck
