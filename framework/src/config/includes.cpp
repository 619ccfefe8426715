// Reading included files and joining their objects with those of the run file.
#include "config/includes.h"

#include <algorithm>
#include <functional>
#include <vector>

#include "config/json_source.h"
#include "config/problems.h"
#include "config/set_argument.h"

namespace trammel {
namespace {

namespace fs = std::filesystem;

/// Key that merge_includes leaves behind; no file can have it by mistake.
constexpr const char* included_key = "(included)";

[[noreturn]] void refuse(const Place& place, const std::string& path, const std::string& message) {
  throw Error(ErrorKind::input, message_at(place, path, message));
}

Node take_member(Node& object, const std::string& key) {
  const Member* const found = object.find_member(key);
  Node value = found->value;
  object.members.erase(found);
  return value;
}

void drop_member(Node& object, const std::string& key) {
  if (const Member* const found = object.find_member(key)) object.members.erase(found);
}

std::string units_text(const Node& document) {
  const Node* const units = document.find("units");
  return units == nullptr ? std::string("SI") : to_line(*units);
}

class IncludeReader {
 public:
  IncludeReader(const fs::path& file, const fs::path& folder, std::string units)
      : folder_(folder), shown_(file.parent_path()), units_(std::move(units)) {
    stack_.push_back(file.filename());
  }

  bool any() const { return any_; }

  /// `below`: the folder of the including file as seen from the run file's.
  void merge_whole(Node& document, const fs::path& below) {
    if (document.find("include") != nullptr) {
      const Node named = take_member(document, "include");
      const bool one = named.is_text();
      if (!one && !named.is_array())
        refuse(named.place, "/include", "must be a file, or an array of files, not " + describe(named));
      const std::size_t count = one ? 1 : named.items.size();
      for (std::size_t i = 0; i < count; ++i) {
        const Node& name = one ? named : named.items[i];
        const std::string path = one ? "/include" : "/include/" + std::to_string(i);
        Node included = read(name, path, below, [&](Node& content, const fs::path& at) { merge_whole(content, at); });
        for (const char* key : {"trammel", "$schema", "title", "units", included_key}) drop_member(included, key);
        join(document, included, "");
      }
    }
    if (Node* const system = document.find("system")) merge_definitions(*system, below, "/system");
  }

 private:
  template <class Continue>
  Node read(const Node& name, const std::string& path, const fs::path& below, const Continue& go_on) {
    if (!name.is_text() || name.text.empty())
      refuse(name.place, path, "must be the name of a file, not " + describe(name));
    any_ = true;
    const fs::path relative = (below / name.text).lexically_normal();
    const fs::path real = (folder_ / relative).lexically_normal();
    std::error_code code;
    if (!fs::is_regular_file(real, code))
      refuse(name.place, path, "there is no file '" + name.text + "' (looked for " + real.string() + ")");
    refuse_circle(name, path, relative);
    stack_.push_back(relative);
    Node content = parse_json(read_text_file(real), (shown_ / relative).string());
    check(content, name, path);
    go_on(content, relative.parent_path());
    stack_.pop_back();
    return content;
  }

  void refuse_circle(const Node& name, const std::string& path, const fs::path& relative) const {
    const auto same = [&](const fs::path& open) {
      std::error_code code;
      return open == relative || fs::equivalent(folder_ / open, folder_ / relative, code);
    };
    const auto found = std::find_if(stack_.begin(), stack_.end(), same);
    if (found == stack_.end()) return;
    std::string circle;
    for (auto open = found; open != stack_.end(); ++open) circle += open->string() + " -> ";
    refuse(name.place, path, "the files include each other in a circle: " + circle + relative.string());
  }

  void check(const Node& content, const Node& name, const std::string& path) const {
    if (!content.is_object()) refuse(content.place, "", "an included file is a JSON object, not " + describe(content));
    if (const Member* plugins = content.find_member("plugins"))
      refuse(plugins->place, "/plugins",
             "an included file is data and names no plugins; write this into the run file itself");
    const Node* version = content.find("trammel");
    if (version != nullptr && !(version->is_number() && version->number == 2))
      refuse(version->place, "/trammel",
             "an included file has format 2, or does not say it, not " + describe(*version));
    const std::string units = units_text(content);
    if (units == units_) return;
    refuse(name.place, path,
           "'" + name.text + "' is in " + (units == "SI" ? "SI units" : "units " + units) + " and the run file in " +
               (units_ == "SI" ? "SI units" : "units " + units_) + "; all files of a model have the same 'units'");
  }

  /// The file of each sub-model that is one of its own: below `submodels`, and where a part has it written in place.
  void merge_definitions(Node& owner, const fs::path& below, const std::string& path) {
    if (!owner.is_object()) return;
    if (Node* const submodels = owner.find("submodels"); submodels != nullptr && submodels->is_object()) {
      for (Member& member : submodels->members)
        merge_definition(member.value, below, path + "/submodels/" + member.key);
    }
    Node* const parts = owner.find("parts");
    if (parts == nullptr || !parts->is_object()) return;
    for (Member& member : parts->members) {
      Node* const submodel = member.value.find("submodel");
      if (submodel != nullptr && submodel->is_object())
        merge_definition(*submodel, below, path + "/parts/" + member.key + "/submodel");
    }
  }

  void merge_definition(Node& submodel, const fs::path& below, const std::string& path) {
    const Node* const named = submodel.find("include");
    if (named == nullptr) return merge_definitions(submodel, below, path);
    for (const Member& member : submodel.members) {
      if (member.key == "include") continue;
      refuse(
          member.place, path + "/" + member.key,
          "beside 'include' stands nothing else; a part changes parameters of its sub-model by its own 'parameters'");
    }
    Node content = read(*named, path + "/include", below,
                        [&](Node& whole, const fs::path& at) { merge_definition(whole, at, ""); });
    for (const char* key : {"trammel", "$schema", "title", "units"}) drop_member(content, key);
    submodel = std::move(content);
  }

  void join(Node& into, Node& from, const std::string& path) {
    for (Member& member : from.members) {
      Node* const present = into.find(member.key);
      if (present == nullptr) {
        into.members.push_back(std::move(member));
        continue;
      }
      const std::string at = path + "/" + member.key;
      if (!present->is_object() || !member.value.is_object())
        refuse(member.place, at, "stands in " + present->place.text() + " already, which includes this file");
      join(*present, member.value, at);
    }
  }

  const fs::path folder_, shown_;
  const std::string units_;
  std::vector<fs::path> stack_;  ///< files being read, as seen from the run file's folder
  bool any_ = false;
};

}  // namespace

bool merge_includes(Node& document, const fs::path& file, const fs::path& folder) {
  if (!document.is_object()) return false;
  IncludeReader reader(file, folder, units_text(document));
  reader.merge_whole(document, "");
  if (!reader.any()) return false;
  Node mark = Node::make_text("", document.place);
  document.members.push_back({included_key, document.place, std::move(mark)});
  return true;
}

bool is_composed(const Node& document) {
  if (document.find(included_key) != nullptr || document.find("units") != nullptr) return true;
  const Node* const system = document.find("system");
  return system != nullptr && (system->find("submodels") != nullptr || system->find("parts") != nullptr);
}

bool names_part_of_submodel(const Node& document, const std::string& path) {
  const Node* const system = document.find("system");
  const Node* const parts = system == nullptr ? nullptr : system->find("parts");
  if (parts == nullptr) return false;
  for (const std::string map : {"system.bodies.", "system.points.", "system.constraints.", "system.forces."}) {
    if (!path.starts_with(map)) continue;
    const std::string rest = path.substr(map.size());
    return parts->find(rest.substr(0, rest.find_first_of(".["))) != nullptr;
  }
  return false;
}

void drop_composition(Node& document) {
  for (const char* key : {included_key, "units"}) drop_member(document, key);
  Node* const system = document.find("system");
  if (system == nullptr) return;
  for (const char* key : {"submodels", "parts"}) drop_member(*system, key);
}

fs::path folder_of(const Place& place, const fs::path& file, const fs::path& folder) {
  if (place.source == nullptr || place.line == 0 || *place.source == file.string()) return folder;
  const fs::path shown = file.parent_path(), source = *place.source;
  const fs::path relative = shown.empty() ? source : source.lexically_relative(shown);
  return relative.empty() ? folder : (folder / relative.parent_path()).lexically_normal();
}

namespace {

using PlaceFile = std::function<void(Node&)>;

void place_shapes_of(Node* owner, const PlaceFile& place_file) {
  Node* shape = owner != nullptr ? owner->find("shape") : nullptr;
  if (shape == nullptr) return;
  const auto place = [&](Node& one) {
    const Node* type = one.find("type");
    Node* name = one.find("file");
    if (type != nullptr && type->is_text() && type->text == "mesh" && name != nullptr && name->is_text())
      place_file(*name);
  };
  if (!shape->is_array()) return place(*shape);
  for (Node& one : shape->items) place(one);
}

}  // namespace

void place_meshes(Node& document, const fs::path& file, const fs::path& folder) {
  Node* const system = document.find("system");
  if (system == nullptr) return;
  const PlaceFile place_file = [&](Node& name) {
    name.text = fs::absolute(folder_of(name.place, file, folder) / name.text).lexically_normal().string();
  };
  place_shapes_of(system->find("ground"), place_file);
  Node* const bodies = system->find("bodies");
  for (std::size_t i = 0; bodies != nullptr && i < bodies->members.size(); ++i)
    place_shapes_of(&bodies->members[i].value, place_file);
}

}  // namespace trammel
