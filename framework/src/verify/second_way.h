// Which other treatments and methods a run is repeated with.
#pragma once

#include <string>
#include <vector>

#include "config/run_file.h"
#include "plugin/host.h"

namespace trammel {

struct Way {
  std::string treatment;  ///< type of the formulation; "" where there is none
  std::string method;     ///< type of the integrator
  std::string family;     ///< that the method declares, "Adams", or its plugin
  bool implicit = false;  ///< as the method declares it

  bool operator==(const Way&) const = default;
  std::string text() const { return treatment.empty() ? method : method + " under " + treatment; }
};

struct Tolerance {
  double rtol, atol;
};

/// The run file's own way.
Way own_way(const RunFile& run, PluginHost& host);

/// Ways that differ from `own`, the most independent first: other treatment and other family, then one of the two.
/// Implicit methods come first where the run's own is implicit, explicit ones otherwise. Of what is installed only.
std::vector<Way> other_ways(const RunFile& run, const Way& own, bool has_bodies, PluginHost& host);

/// The --set arguments that make the run file go this way. `max_step`: seconds.
std::vector<std::string> settings_of(const Way& way, const Tolerance& tolerance, double max_step, bool has_formulation);

}  // namespace trammel
