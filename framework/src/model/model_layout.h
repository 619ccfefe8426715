// ModelLayout: whose coordinates are which, for formulations and integrators.
#pragma once

#include "model/assembly.h"
#include "trammel/extensions/system_extensions.h"

namespace trammel {

class ModelLayout final : public BodyLayout {
 public:
  explicit ModelLayout(const Assembly& assembly) : assembly_(assembly) {}
  Index dimensions() const override { return assembly_.table.frame_columns() == PlanarBodyState::coordinates ? 2 : 3; }
  Index bodies() const override { return assembly_.bodies(); }
  BodySlice body(Index body) const override {
    const BodyTable& table = assembly_.table;
    return {assembly_.body_names[static_cast<std::size_t>(body)].c_str(), table.shape(body).kind, table.first(body),
            table.width(body)};
  }

 private:
  const Assembly& assembly_;
};

}  // namespace trammel
