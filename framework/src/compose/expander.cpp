// Uses of sub-models, one after another.
#include "compose/expander.h"

#include <algorithm>

#include "config/part_name.h"
#include "config/rotation.h"
#include "trammel/text/suggest.h"

namespace trammel {
namespace {

constexpr const char* map_names[] = {"bodies", "points", "constraints", "forces"};
constexpr long most_uses = 1000000;

const std::vector<std::string>& submodel_keys() {
  static const std::vector<std::string> keys = {"parameters",  "connect", "bodies",    "points",
                                                "constraints", "forces",  "submodels", "parts"};
  return keys;
}

}  // namespace

/// A sub-model where a part uses it.
struct Expander::Use {
  const Node* part = nullptr;      ///< the part's object
  const Node* submodel = nullptr;  ///< the sub-model's
  std::string name;                ///< of the part
  std::string path;                ///< of the part, as written
  std::string submodel_path;
  std::string subject;
  const Definitions* definitions = nullptr;  ///< around the sub-model
  long count = -1;
  Place place;
};

void Expander::refuse_unknown(const Node& object, const std::string& path, const std::string& subject,
                              const std::vector<std::string>& known) {
  for (const Member& member : object.members) {
    if (std::find(known.begin(), known.end(), member.key) != known.end()) continue;
    problems_.add(member.place, path + "/" + member.key,
                  "unknown key for " + subject + did_you_mean(member.key, known));
  }
}

bool Expander::name_is_good(const Member& member, const std::string& path) {
  const std::vector<std::string>& reserved = reserved_names();
  const std::size_t before = problems_.size();
  if (!is_name(member.key))
    problems_.add(member.place, path, "a name consists of letters, digits and '_', and starts with no digit");
  if (std::find(reserved.begin(), reserved.end(), member.key) != reserved.end())
    problems_.add(member.place, path, "the name '" + member.key + "' is reserved; choose another");
  return problems_.size() == before;
}

void Expander::write_out(Node& system, const ParameterValues& values) {
  Scope model;
  model.where = "the model", model.subject = "the model";
  model.parameters = values, model.of_file = &values;
  Definitions definitions{system.find("submodels"), "/system/submodels", nullptr};
  model.definitions = &definitions;
  if (definitions.submodels != nullptr && !definitions.submodels->is_object())
    return problems_.add(definitions.submodels->place, "/system/submodels",
                         "must be an object of sub-models by name, not " + describe(*definitions.submodels));
  for (std::size_t m = 0; m < 4; ++m) {
    Node* const map = system.find(map_names[m]);
    if (map == nullptr || !map->is_object()) continue;
    for (Member& member : map->members) {
      model.entries.insert(member.key);
      rewrite(static_cast<Map>(m), member.value, std::string("/system/") + map_names[m] + "/" + member.key, model);
    }
  }
  if (const Node* const all = system.find("parts")) {
    for (const Member& member : all->members) {
      const std::size_t before = problems_.size();
      const Node* const count = member.value.find("count");
      model.parts[member.key] =
          count == nullptr ? -1 : count_of(count, "/system/parts/" + member.key + "/count", model);
      if (problems_.size() > before) return;
      if (!model.entries.contains(member.key)) continue;
      problems_.add(member.place, "/system/parts/" + member.key,
                    "the name '" + member.key + "' is taken already by a body, point, constraint or force");
    }
    parts(*all, "/system/parts", model);
  }
  for (std::size_t i = 0; i < model.parameters.named.size(); ++i) {
    if (model.parameters.named[i] != 0) values.note_use(i);
  }
  for (std::size_t m = 0; m < 4; ++m) {
    if (written_[m].empty()) continue;
    Node* map = system.find(map_names[m]);
    if (map == nullptr) {
      system.members.push_back({map_names[m], system.place, Node()});
      map = &system.members.back().value;
      map->kind = Node::Kind::object, map->place = system.place;
    }
    if (!map->is_object()) continue;
    const bool before = m == constraints || m == forces;
    SlimVector<Member> there = std::move(map->members);
    map->members = {};
    for (SlimVector<Member>* list : {before ? &written_[m] : &there, before ? &there : &written_[m]}) {
      for (Member& member : *list) map->members.push_back(std::move(member));
    }
    map->members.fit();
    written_[m] = {};
  }
}

void Expander::parts(const Node& all, const std::string& path, const Scope& scope) {
  if (!all.is_object())
    return problems_.add(all.place, path, "must be an object of parts by name, not " + describe(all));
  for (const Member& member : all.members) part(member, path + "/" + member.key, scope);
}

void Expander::part(const Member& member, const std::string& path, const Scope& outer) {
  const std::size_t before = problems_.size();
  if (!name_is_good(member, path)) return;
  if (!member.value.is_object())
    return problems_.add(member.value.place, path,
                         "must be an object {\"submodel\": ...}, not " + describe(member.value));
  const char* const turn = host_ == Host::planar ? "angle" : "rotation";
  refuse_unknown(member.value, path, "a part", {"submodel", "count", "parameters", "connect", "position", turn});
  Use use;
  use.part = &member.value, use.name = member.key, use.path = path, use.place = member.place;
  if (!find_submodel(use, member.value, path, outer)) return;
  if (const Node* const count = member.value.find("count")) use.count = count_of(count, path + "/count", outer);
  if (problems_.size() > before) return;
  const auto circle =
      std::find_if(open_.begin(), open_.end(), [&](const auto& open) { return open.first == use.submodel; });
  if (circle != open_.end()) {
    std::string names;
    for (auto open = circle; open != open_.end(); ++open) names += open->second + " -> ";
    return problems_.add(member.place, path, "sub-models contain each other in a circle: " + names + circle->second);
  }
  const Node* const name = member.value.find("submodel");
  open_.emplace_back(use.submodel, name->is_text() ? name->text : use.name);
  if (use.count < 0) instance(use, -1, outer);
  // What is wrong with one of them is wrong with most, and said once.
  for (long k = 0; k < use.count && problems_.size() == before; ++k) instance(use, k, outer);
  open_.pop_back();
}

bool Expander::find_submodel(Use& use, const Node& part, const std::string& path, const Scope& outer) {
  const Node* const submodel = part.find("submodel");
  if (submodel == nullptr) {
    problems_.add(part.place, path, "missing key 'submodel': the name of a sub-model, or an object with what is in it");
    return false;
  }
  if (submodel->is_object()) {
    use.submodel = submodel, use.submodel_path = path + "/submodel",
    use.subject = "the sub-model of '" + use.name + "'";
    use.definitions = outer.definitions;
  } else if (submodel->is_text()) {
    std::vector<std::string> known;
    for (const Definitions* d = outer.definitions; d != nullptr && use.submodel == nullptr; d = d->outer) {
      if (d->submodels == nullptr) continue;
      const Member* const found = d->submodels->find_member(submodel->text);
      for (const Member& other : d->submodels->members) known.push_back(other.key);
      if (found == nullptr) continue;
      use.submodel = &found->value, use.definitions = d, use.submodel_path = d->path + "/" + found->key;
      // A file of its own has paths of its own.
      if (found->value.place.source != found->place.source) use.submodel_path.clear();
    }
    if (use.submodel == nullptr) {
      problems_.add(submodel->place, path + "/submodel",
                    "there is no sub-model '" + submodel->text + "'" + did_you_mean(submodel->text, known));
      return false;
    }
    use.subject = "the sub-model '" + submodel->text + "'";
  } else {
    problems_.add(submodel->place, path + "/submodel",
                  "must be the name of a sub-model, or an object with what is in it, not " + describe(*submodel));
    return false;
  }
  if (!use.submodel->is_object()) {
    problems_.add(use.submodel->place, use.submodel_path, "a sub-model is an object, not " + describe(*use.submodel));
    return false;
  }
  if (part.find("submodel")->is_object() && submodel->place.source != part.place.source) use.submodel_path.clear();
  refuse_unknown(*use.submodel, use.submodel_path, "a sub-model", submodel_keys());
  return true;
}

long Expander::count_of(const Node* written, const std::string& path, const Scope& outer) {
  Node count = *written;
  resolve_expressions(count, path, outer.parameters, problems_);
  if (count.is_wrong_expression()) return 0;
  if (count.is_integer() && count.number >= 0 && count.number <= most_uses) return static_cast<long>(count.number);
  problems_.add(count.place, path,
                "must be a whole number from 0 to " + std::to_string(most_uses) + ", not " + describe(count));
  return 0;
}

/// What formulas of a part know: the parameters outside, and which of several it is.
ParameterValues Expander::values_for(const Use& use, long index, const Scope& outer) {
  ParameterValues values;
  values.names = outer.parameters.names, values.values = outer.parameters.values;
  if (index < 0) return values;
  for (const auto& [name, value] : {std::pair<const char*, long>{"index", index}, {"count", use.count}}) {
    if (std::find(values.names.begin(), values.names.end(), name) != values.names.end())
      problems_.add(use.place, use.path,
                    std::string("the parameter '") + name +
                        "' has a meaning in parts with a 'count'; choose another name for it");
    values.names.emplace_back(name);
    values.values.push_back(static_cast<double>(value));
  }
  return values;
}

void Expander::instance(const Use& use, long index, const Scope& outer) {
  const std::size_t before = problems_.size();
  Scope scope;
  scope.where = outer.prefix + use.name + (index < 0 ? "" : "[" + std::to_string(index) + "]");
  scope.prefix = scope.where + ".";
  scope.subject = use.subject;
  scope.of_file = outer.of_file;
  const ParameterValues given = values_for(use, index, outer);
  parameters(use, given, scope);
  connections(use, given, outer, scope);
  scope.placement = placement(use, given).inside(outer.placement);
  for (std::size_t i = 0; i < std::min(given.named.size(), outer.parameters.names.size()); ++i) {
    if (given.named[i] != 0) outer.parameters.note_use(i);
  }
  if (problems_.size() > before) return;
  content(use, scope.where + ": " + use.submodel_path, scope);
}

void Expander::parameters(const Use& use, const ParameterValues& given, Scope& scope) {
  const Node* const declared = use.submodel->find("parameters");
  const Node* const set = use.part->find("parameters");
  const std::string path = use.submodel_path + "/parameters", set_path = use.path + "/parameters";
  Node values;
  values.kind = Node::Kind::object, values.place = use.submodel->place;
  if (declared != nullptr && !declared->is_object())
    return problems_.add(declared->place, path, "must be an object of numbers by name, not " + describe(*declared));
  if (declared != nullptr) values = *declared;
  if (set != nullptr && !set->is_object())
    return problems_.add(set->place, set_path, "must be an object of numbers by name, not " + describe(*set));
  for (std::size_t i = 0; set != nullptr && i < set->members.size(); ++i) {
    const Member& member = set->members[i];
    Node* const value = values.find(member.key);
    if (value == nullptr) {
      std::vector<std::string> known;
      for (const Member& other : values.members) known.push_back(other.key);
      problems_.add(member.place, set_path + "/" + member.key,
                    use.subject + " has no parameter '" + member.key + "'" + did_you_mean(member.key, known));
      continue;
    }
    *value = member.value;
    resolve_expressions(*value, set_path + "/" + member.key, given, problems_);
    if (!value->is_number() && !value->is_wrong_expression())
      problems_.add(value->place, set_path + "/" + member.key,
                    "must be a number or a text '=expression', not " + describe(member.value));
  }
  for (const Member& member : values.members) {
    if (member.value.kind == Node::Kind::null && !member.value.is_wrong_expression())
      problems_.add(use.place, use.path,
                    "missing parameter '" + member.key + "' of " + use.subject + ", which has no default");
  }
  values.members.remove_if([](const Member& member) { return member.value.kind == Node::Kind::null; });
  scope.parameters = resolve_parameters(values, path, problems_);
}

void Expander::connections(const Use& use, const ParameterValues& given, const Scope& outer, Scope& scope) {
  const Node* const declared = use.submodel->find("connect");
  const Node* const set = use.part->find("connect");
  const std::string path = use.path + "/connect";
  std::vector<std::string> wanted;
  if (declared != nullptr && !declared->is_array())
    return problems_.add(declared->place, use.submodel_path + "/connect",
                         "must be an array of names, for example [\"base\"], not " + describe(*declared));
  for (std::size_t i = 0; declared != nullptr && i < declared->items.size(); ++i) {
    const Node& name = declared->items[i];
    if (!name.is_text() || !is_name(name.text) || name.text == "ground")
      problems_.add(name.place, use.submodel_path + "/connect/" + std::to_string(i),
                    "must be a name that the sub-model uses for something outside, not " + describe(name));
    wanted.push_back(name.text);
  }
  if (set != nullptr && !set->is_object())
    return problems_.add(set->place, path, "must be an object such as {\"base\": \"trunk\"}, not " + describe(*set));
  const std::size_t before = problems_.size();
  for (std::size_t i = 0; set != nullptr && i < set->members.size(); ++i) {
    const std::string& name = set->members[i].key;
    if (std::find(wanted.begin(), wanted.end(), name) != wanted.end()) continue;
    problems_.add(set->members[i].place, path + "/" + name,
                  use.subject + " does not declare '" + name + "' in its own 'connect'" + did_you_mean(name, wanted));
  }
  if (problems_.size() > before) return;
  for (const std::string& name : wanted) {
    const Node* target = set == nullptr ? nullptr : set->find(name);
    if (target == nullptr) {
      problems_.add(use.place, use.path, "'connect' does not say what '" + name + "' of " + use.subject + " is");
      continue;
    }
    std::string at = path + "/" + name;
    if (target->is_object()) {
      refuse_unknown(*target, at, "a connection", {"first", "others"});
      if (use.count < 0) {
        problems_.add(target->place, at, "only a part with a 'count' has a first one and others; give a name");
        continue;
      }
      const char* const key =
          given.values[given.values.size() - 2] == 0 ? "first" : "others";  // behind it stands `count`
      const Node* const chosen = target->find(key);
      if (chosen == nullptr) {
        problems_.add(target->place, at,
                      std::string("missing key '") + key + "': {\"first\": ..., \"others\": ...} says both");
        continue;
      }
      target = chosen, at += std::string("/") + key;
    }
    if (!target->is_text()) {
      problems_.add(target->place, at, "must be the name of a body, a point or a part, not " + describe(*target));
      continue;
    }
    const std::string name_outside = with_indices(target->text, given, target->place, at, problems_);
    scope.connections[name] = name_in_model(outer, name_outside, target->place, at, problems_);
  }
}

Placement Expander::placement(const Use& use, const ParameterValues& given) {
  const std::size_t before = problems_.size();
  const auto read = [&](const char* key) {
    Node value;
    if (const Node* const written = use.part->find(key)) {
      value = *written;
      resolve_expressions(value, use.path + "/" + key, given, problems_);
    }
    return value;
  };
  PlaceVector d = {0, 0, 0};
  const int count = host_ == Host::planar ? 2 : 3;
  const Node position = read("position");
  if (use.part->find("position") != nullptr && problems_.size() == before)
    read_numbers(position, use.path + "/position", count, d.data(), problems_);
  const char* const key = host_ == Host::planar ? "angle" : "rotation";
  Node turn = read(key);
  if (use.part->find(key) == nullptr || problems_.size() > before) return {d, std::array<double, 4>{1, 0, 0, 0}};
  if (host_ == Host::planar) {
    if (!turn.is_number()) problems_.add(turn.place, use.path + "/angle", "must be a number, not " + describe(turn));
    return {d, turn.number * angle_unit_};
  }
  scale_angles(turn, angle_unit_);
  std::array<double, 4> p = {1, 0, 0, 0};
  read_rotation(turn, use.path + "/rotation", p.data(), problems_);
  return {d, p};
}

/// All names first: entries refer to each other in any order.
void Expander::declare(const Use& use, const std::string& path, Scope& scope) {
  const auto take = [&](const Member& member, const std::string& at) {
    if (!name_is_good(member, at)) return;
    const bool taken = scope.entries.contains(member.key) || scope.parts.contains(member.key);
    if (taken || scope.connections.contains(member.key))
      problems_.add(member.place, at, "the name '" + member.key + "' is taken already in " + use.subject);
  };
  for (const char* map : map_names) {
    const Node* const entries = use.submodel->find(map);
    if (entries == nullptr) continue;
    if (!entries->is_object())
      problems_.add(entries->place, path + "/" + map, "must be an object, not " + describe(*entries));
    for (const Member& member : entries->members) {
      take(member, path + "/" + map + "/" + member.key);
      scope.entries.insert(member.key);
    }
  }
  const Node* const inner = use.submodel->find("parts");
  for (std::size_t i = 0; inner != nullptr && i < inner->members.size(); ++i) {
    const Member& member = inner->members[i];
    take(member, path + "/parts/" + member.key);
    const Node* const count = member.value.find("count");
    scope.parts[member.key] = count == nullptr ? -1 : count_of(count, path + "/parts/" + member.key + "/count", scope);
  }
}

void Expander::content(const Use& use, const std::string& path, Scope& scope) {
  const std::size_t before = problems_.size();
  declare(use, path, scope);
  if (problems_.size() > before) return;
  for (std::size_t m = 0; m < 4; ++m) {
    const Node* const map = use.submodel->find(map_names[m]);
    if (map == nullptr) continue;
    for (const Member& member : map->members)
      entry(static_cast<Map>(m), member, path + "/" + map_names[m] + "/" + member.key, scope);
  }
  const Node* const inner = use.submodel->find("parts");
  if (inner == nullptr) return;
  const Definitions own{use.submodel->find("submodels"), use.submodel_path + "/submodels", use.definitions};
  scope.definitions = &own;
  parts(*inner, path + "/parts", scope);
}

void Expander::entry(Map map, const Member& member, const std::string& path, const Scope& scope) {
  Member made{scope.prefix + member.key, member.place, member.value};
  resolve_expressions(made.value, path, scope.parameters, problems_);
  rewrite(map, made.value, path, scope);
  entries_.push_back({made.key, path});
  written_[map].push_back(std::move(made));
}

void Expander::rewrite(Map map, Node& node, const std::string& path, const Scope& scope) const {
  switch (map) {
    case bodies: return rewriter_.body(node, path, scope);
    case points: return rewriter_.point(node, path, scope);
    case constraints: return rewriter_.element(ComponentKind::constraint, node, path, scope);
    case forces: return rewriter_.element(ComponentKind::force, node, path, scope);
  }
}

}  // namespace trammel
