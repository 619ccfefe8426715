// A run file's model with its numbers, for tests of the kernel; run files from text are written to a folder that is
// removed when the program ends.
#pragma once

#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "config/run_file.h"
#include "model/constrained_model.h"
#include "model/model.h"
#include "process.h"

namespace trammel {

inline std::filesystem::path temporary_run_file(const std::string& text, const std::string& name = "run.json") {
  static const TemporaryFolder folder;
  write_text(folder.path() / name, text);
  return folder.path() / name;
}

/// A run file with this system (the text between its braces), whose analysis does not matter.
inline std::filesystem::path system_file(const std::string& system) {
  return temporary_run_file(R"json({ "trammel": 1, "system": { )json" + system + R"json( },
    "analysis": { "type": "dynamics", "duration": 1 }, "formulation": { "type": "direct" },
    "integrator": { "type": "dopri5", "rtol": 1e-6, "atol": 1e-6 } })json");
}

struct LoadedModel {
  /// `sets`: --set arguments, such as analysis.solver=dense.
  explicit LoadedModel(const std::filesystem::path& file, const std::vector<std::string>& sets = {})
      : run(load_run_file(file, sets)),
        host({{std::string(TRAMMEL_BUILD_DIR) + "/lib/trammel/plugins", "test"}}),
        model(run, host),
        numbers(model),
        q(model.q0()),
        v(model.v0()),
        z(static_cast<std::size_t>(numbers.internal_states()), 0.0) {
    numbers.point().initial_internal({z.data(), static_cast<Index>(z.size())});
  }

  /// Moves positions and velocities by random amounts; Euler parameters leave |p| = 1 on purpose.
  void disturb(unsigned seed, double size) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<double> amount(-size, size);
    for (std::size_t i = 0; i < q.size(); ++i) {
      q[i] = model.q0()[i] + amount(generator);
      v[i] = model.v0()[i] + 10 * amount(generator);
    }
  }
  Status evaluate(unsigned parts) { return numbers.evaluate(0.3, view(q), view(v), view(z), parts); }
  static VectorView view(std::vector<double>& x) { return {x.data(), static_cast<Index>(x.size())}; }

  RunFile run;
  PluginHost host;
  Model model;
  ConstrainedModel numbers;
  std::vector<double> q, v, z;
};

}  // namespace trammel
