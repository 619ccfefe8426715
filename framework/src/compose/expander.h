// Sub-models written out: every use of one becomes bodies, points, constraints and forces of the model.
#pragma once

#include <string>
#include <vector>

#include "compose/part_rewriter.h"
#include "compose/scope.h"

namespace trammel {

/// Where an entry of the written-out model was written: "leg[2]: /system/submodels/leg/bodies/knee".
struct WrittenEntry {
  std::string name, path;
};

class Expander {
 public:
  Expander(const RunFile& run, const PartRewriter& rewriter, Host host, double angle_unit, Problems& problems)
      : run_(run), rewriter_(rewriter), host_(host), angle_unit_(angle_unit), problems_(problems) {}

  /// Writes the parts of `system` into its maps, bodies and points behind those that are there, constraints and forces
  /// before them, so that they can be built on. `parameters`: of the run file.
  void write_out(Node& system, const ParameterValues& parameters);

  const std::vector<WrittenEntry>& entries() const { return entries_; }

 private:
  enum Map : std::size_t { bodies, points, constraints, forces };
  struct Use;

  void parts(const Node& all, const std::string& path, const Scope& scope);
  void part(const Member& member, const std::string& path, const Scope& outer);
  bool find_submodel(Use& use, const Node& part, const std::string& path, const Scope& outer);
  long count_of(const Node* count, const std::string& path, const Scope& outer);
  void instance(const Use& use, long index, const Scope& outer);
  ParameterValues values_for(const Use& use, long index, const Scope& outer);
  void parameters(const Use& use, const ParameterValues& given, Scope& scope);
  void connections(const Use& use, const ParameterValues& given, const Scope& outer, Scope& scope);
  Placement placement(const Use& use, const ParameterValues& given);
  void content(const Use& use, const std::string& path, Scope& scope);
  void declare(const Use& use, const std::string& path, Scope& scope);
  void entry(Map map, const Member& member, const std::string& path, const Scope& scope);
  void rewrite(Map map, Node& node, const std::string& path, const Scope& scope) const;
  void refuse_unknown(const Node& object, const std::string& path, const std::string& subject,
                      const std::vector<std::string>& known);
  bool name_is_good(const Member& member, const std::string& path);

  const RunFile& run_;
  const PartRewriter& rewriter_;
  Host host_;
  double angle_unit_;
  Problems& problems_;
  std::vector<std::pair<const Node*, std::string>> open_;  ///< sub-models being written out
  SlimVector<Member> written_[4];
  std::vector<WrittenEntry> entries_;
};

}  // namespace trammel
