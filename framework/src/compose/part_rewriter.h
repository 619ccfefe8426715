// What a body, point or element says inside of a sub-model, said in the model: names, places and formulas.
#pragma once

#include <string>
#include <vector>

#include "compose/scope.h"
#include "config/run_file.h"
#include "plugin/catalogue.h"

namespace trammel {

/// Scales the angles of a rotation, an object in one of its forms; some have none.
void scale_angles(Node& rotation, double unit);

/// Goes by the types' parameter tables, those of plugins as well: which keys are names, which are places or directions
/// in the frame of the sub-model's floor (FrameUse), which are formulas of its parameters, which are files.
class PartRewriter {
 public:
  /// `angle_unit`: rad by the file's unit of angles.
  PartRewriter(const RunFile& run, const Catalogue& catalogue, Host host, double angle_unit, Problems& problems)
      : run_(run), catalogue_(catalogue), host_(host), angle_unit_(angle_unit), problems_(problems) {}

  /// Rewrites the entry in place. `path`: as written, for messages.
  void body(Node& node, const std::string& path, const Scope& scope) const;
  void point(Node& node, const std::string& path, const Scope& scope) const;
  void element(ComponentKind kind, Node& node, const std::string& path, const Scope& scope) const;

 private:
  /// An object that a table describes.
  struct Part {
    Node& node;
    const std::vector<ParameterInfo>& table;
    const std::string& path;
    const Scope& scope;
    bool on_floor[2] = {false,
                        false};  ///< whether the first and the second body are the sub-model's floor, its "ground"
    bool global_form = false;    ///< whether a place at the start is given
    bool in_body = false;        ///< whether global vectors are in the body's axes (`frame` is "body")
    bool has_turn = true;        ///< whether a body has a rotation or an angle
  };

  void rewrite(Part& part) const;
  void look(Part& part) const;
  void name_bodies(Part& part, const ParameterInfo& info, Node& value) const;
  void reference(const Part& part, Node& value, const std::string& path, bool axis) const;
  void geometry(Part& part, const ParameterInfo& info) const;
  void turned(Part& part, const ParameterInfo& info, bool assumed) const;
  void angle(Part& part, const ParameterInfo& info, bool assumed) const;
  void vector(Part& part, const ParameterInfo& info, bool place) const;
  void planar_references(Part& part) const;
  void formula(const Part& part, Node& value, const std::string& path) const;
  void file(Node& value) const;
  void function(const Part& part, Node& value, const std::string& path) const;
  Node* value_or_default(Part& part, const ParameterInfo& info) const;
  void refuse(const Part& part, const ParameterInfo& info, const std::string& why) const;

  const RunFile& run_;
  const Catalogue& catalogue_;
  Host host_;
  double angle_unit_;
  Problems& problems_;
};

}  // namespace trammel
