// Numbers of a plain run file in its own units, made numbers in SI.
#pragma once

#include <string>
#include <vector>

#include "compose/expander.h"
#include "compose/units.h"
#include "config/run_file.h"
#include "plugin/catalogue.h"

namespace trammel {

/// Goes by the units in the types' parameter tables. `system` and the conditions, weights and settings of events in
/// `analysis` are in the file's units; methods, outputs and what else speaks of results is in SI.
class UnitPass {
 public:
  UnitPass(const RunFile& run, const Catalogue& catalogue, Host host, const Units& units,
           const ParameterValues& parameters, const std::vector<WrittenEntry>& entries, Problems& problems)
      : run_(run),
        catalogue_(catalogue),
        host_(host),
        units_(units),
        parameters_(parameters),
        entries_(entries),
        problems_(problems) {}

  void convert(Node& document) const;

 private:
  void table(Node& node, const std::vector<ParameterInfo>& table, const std::string& path) const;
  void key(const Node& owner, Node& value, const ParameterInfo& info, const std::string& path) const;
  void numbers(Node& value, const UnitFactor& factor) const;
  void rotation(Node& value) const;
  void function(const Node& owner, Node& value, const ParameterInfo& info, const std::string& path) const;
  void angles_of_function(Node& value) const;
  void formula(const Node& owner, Node& value, const ParameterInfo& info, const std::string& path) const;
  void shapes(Node& shape) const;
  void element(ComponentKind kind, Node& node, const std::string& path) const;
  void conditions(Node& analysis) const;
  void event_settings(Node& analysis, const Node& system) const;
  /// Of one unit, or of that of several which the owner's `coordinate` decides for; nothing, and a problem, if none fits.
  std::optional<UnitFactor> factor(const Node& owner, const std::string& unit, const Node& value,
                                   const std::string& path) const;

  const RunFile& run_;
  const Catalogue& catalogue_;
  Host host_;
  const Units& units_;
  const ParameterValues& parameters_;
  const std::vector<WrittenEntry>& entries_;
  Problems& problems_;
};

}  // namespace trammel
