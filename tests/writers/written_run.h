// Runs that write files of rows, and their files read by the writers themselves.
#pragma once

#include <doctest/doctest.h>

#include <bit>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "config/json_source.h"
#include "model/component.h"
#include "model/no_model.h"
#include "plugin/create.h"
#include "process.h"
#include "trammel/host/simulation.h"
#include "trammel/writer.h"

namespace trammel {

inline const std::filesystem::path built_plugins = std::string(TRAMMEL_BUILD_DIR) + "/lib/trammel/plugins";

inline std::filesystem::path shipped_run(const char* name) {
  return std::filesystem::path(TRAMMEL_SOURCE_DIR) / "configs/examples" / (std::string(name) + ".json");
}

/// What a file of rows holds, column by column.
struct ReadFile {
  std::vector<std::string> names, units;
  std::vector<std::vector<double>> columns;
};

/// Reads through the extension RowReader of a writer.
inline ReadFile read_rows(const char* type, const std::filesystem::path& file) {
  PluginHost host({{built_plugins, "test"}});
  const LoadedComponent loaded = host.find(ComponentKind::writer, Host::any, type);
  const Node section = parse_json("{\"type\": \"" + std::string(type) + "\"}", "test");
  const Component component(loaded, bind(loaded.record->parameters, section, {}), NoModel(), "", section, "");
  RowReader* reader = find_extension<RowReader>(component.as<Writer>());
  REQUIRE(reader != nullptr);
  RefusalBuffer refusal;
  REQUIRE_MESSAGE(reader->open(file.c_str(), refusal.refusal()), refusal.refusal().text);
  ReadFile read;
  for (Index k = 0; k < reader->column_count(); ++k) {
    read.names.emplace_back(reader->column(k).name);
    read.units.emplace_back(reader->column(k).unit);
    std::vector<double>& values = read.columns.emplace_back(static_cast<std::size_t>(reader->row_count()));
    REQUIRE(reader->read(k, 0, reader->row_count(), values.data(), refusal.refusal()));
  }
  return read;
}

inline bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::bit_cast<std::uint64_t>(a[i]) != std::bit_cast<std::uint64_t>(b[i])) return false;
  }
  return true;
}

}  // namespace trammel
