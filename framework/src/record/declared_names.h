// DeclaredNames: what stands in the columns of results.csv, as components declare it; summary.json keeps it for readers.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "trammel/plugin.h"

namespace trammel {

struct DeclaredNames {
  using Units = std::vector<std::pair<std::string, std::string>>;  ///< name and SI unit; "": nobody declares it

  Host host = Host::any;  ///< of the bodies, if there are any
  Units coordinates;      ///< of every body, or of the problem without bodies
  Units columns;          ///< of results.csv
};

}  // namespace trammel
