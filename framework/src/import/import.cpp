// From a file of another program to an assembled run file.
#include "import/import.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <set>
#include <sstream>

#include "config/json_source.h"
#include "import/assembled_start.h"
#include "model/component.h"
#include "model/no_model.h"
#include "plugin/breadcrumb.h"
#include "plugin/create.h"
#include "trammel/error.h"
#include "trammel/text/suggest.h"

namespace trammel {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t looked_at = 65536;  // bytes of a file by which importers recognise it

/// Keys of the importer that take a text, whose value may look like a number: the name of a keyframe.
std::set<std::string> text_keys(const PluginHost& host, const std::string& type) {
  std::set<std::string> keys;
  for (const Catalogue::Entry* entry : host.catalogue().available(ComponentKind::importer, Host::any)) {
    for (const ParameterInfo& parameter : entry->component->parameters) {
      if (entry->component->type == type && parameter.type == ParameterType::text) keys.insert(parameter.name);
    }
  }
  return keys;
}

/// {"type": ..., KEY: VALUE, ...}; a value that is no JSON is a text.
Node importer_section(const std::string& type, const std::vector<std::string>& settings,
                      const std::set<std::string>& texts) {
  Node node;
  node.kind = Node::Kind::object;
  node.members.push_back({"type", {}, Node::make_text(type, {})});
  for (const std::string& setting : settings) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0)
      throw Error(ErrorKind::usage, fmt::format("--set {}: expected KEY=VALUE", setting));
    const std::string key = setting.substr(0, equals), value = setting.substr(equals + 1);
    if (node.find(key) != nullptr)
      throw Error(ErrorKind::usage, fmt::format("--set {}: '{}' is set twice", setting, key));
    const Place place{std::make_shared<const std::string>("--set " + setting), 0, 0};
    if (texts.count(key) > 0 && value.rfind('"', 0) != 0) {
      node.members.push_back({key, place, Node::make_text(value, place)});
      continue;
    }
    try {
      node.members.push_back({key, place, parse_json(value, *place.source, true)});
    } catch (const JsonSyntaxError&) {
      node.members.push_back({key, place, Node::make_text(value, place)});
    }
  }
  return node;
}

/// An importer with its keys, for as long as it lives.
class CreatedImporter {
 public:
  CreatedImporter(PluginHost& host, const std::string& type, const std::vector<std::string>& settings)
      : node_(importer_section(type, settings, text_keys(host, type))) {
    section_.type = type, section_.node = &node_, section_.path = "";
    run_.folder = fs::current_path();
    component_ = make_component(host, run_, section_, ComponentKind::importer, no_model(), nullptr);
  }
  const Importer& operator*() const { return component_.as<Importer>(); }
  const std::string& plugin() const { return component_.plugin_id(); }

 private:
  Node node_;
  Section section_;
  RunFile run_;
  Component component_;
};

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return text;
}

std::string beginning_of(const fs::path& file) {
  std::error_code ignored;
  if (fs::is_directory(file, ignored))
    throw Error(ErrorKind::input, fmt::format("{}: is a folder; name a file", file.string()));
  // Asked for before it is opened: a pipe that nobody writes into would wait.
  if (fs::exists(file, ignored) && !fs::is_regular_file(file, ignored))
    throw Error(ErrorKind::input,
                fmt::format("{}: is a pipe or a device, and files are read more than once; write what it holds into a "
                            "file first",
                            file.string()));
  std::ifstream stream(file, std::ios::binary);
  if (!stream)
    throw Error(ErrorKind::input, fmt::format("{}: cannot be read: no such file, or no permission", file.string()));
  std::string text(looked_at, 0);
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  return text;
}

std::string list_of(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "'" : ", '") + word + "'";
  return text;
}

/// Where a run file is written before it takes its name.
fs::path partial(const fs::path& output) { return fs::path(output) += ".part"; }

/// A run file that takes the place of a file that it comes from would leave nothing to import again. Links count.
void keep_inputs(const fs::path& output, const std::vector<std::string>& inputs) {
  if (output.empty()) return;
  for (const fs::path& written : {output, partial(output)}) {
    for (const std::string& input : inputs) {
      std::error_code code;
      if (input.empty() || !fs::equivalent(written, input, code) || code) continue;
      throw Error(ErrorKind::usage,
                  fmt::format("-o {}: '{}' is read by this import, and writing would overwrite it; name "
                              "another file",
                              output.string(), input));
    }
  }
}

}  // namespace

std::string choose_importer(const fs::path& file, PluginHost& host) {
  const std::string beginning = beginning_of(file);
  const std::string extension = file.extension().string();
  const std::string ending = extension.empty() ? "" : lower(extension.substr(1));
  std::vector<std::string> all, by_ending, by_content;
  for (const Catalogue::Entry* entry : host.catalogue().available(ComponentKind::importer, Host::any)) {
    const std::string& type = entry->component->type;
    const CreatedImporter importer(host, type, {});
    all.push_back(type);
    std::istringstream endings(
        guarded(importer.plugin(), type, "file_endings", [&] { return std::string((*importer).file_endings()); }));
    bool ends = false;
    for (std::string word; endings >> word;) ends = ends || word == ending;
    const bool begins = guarded(importer.plugin(), type, "recognises", [&] {
      return (*importer).recognises(beginning.data(), static_cast<std::int64_t>(beginning.size()));
    });
    if (ends) by_ending.push_back(type);
    if (begins) by_content.push_back(type);
  }
  std::vector<std::string> both;
  for (const std::string& type : by_ending) {
    if (std::find(by_content.begin(), by_content.end(), type) != by_content.end()) both.push_back(type);
  }
  if (both.size() == 1) return both[0];
  if (by_content.size() == 1) return by_content[0];
  if (by_content.empty() && by_ending.size() == 1) return by_ending[0];
  throw Error(ErrorKind::input,
              all.empty()
                  ? fmt::format("{}: there is no plugin that imports files\n{}", file.string(), host.search_trace())
                  : fmt::format("{}: {}; name the format with --type, one of {}", file.string(),
                                by_content.empty() ? "is of no format that an importer recognises"
                                                   : "is recognised by " + list_of(by_content),
                                list_of(all)));
}

Imported import_file(const ImportOptions& options, PluginHost& host,
                     const std::function<void(const OwnedImportNote&)>& tell) {
  keep_inputs(options.output, {options.file.string(), options.loops.string()});
  const std::string type = options.type.empty() ? choose_importer(options.file, host) : options.type;
  beginning_of(options.file);
  if (!options.loops.empty()) beginning_of(options.loops);
  const CreatedImporter importer(host, type, options.settings);

  const std::string file = options.file.string(), loops = options.loops.string();
  std::vector<std::string> folders;
  std::vector<const char*> package_paths;
  for (const fs::path& folder : options.package_paths) folders.push_back(folder.string());
  for (const std::string& folder : folders) package_paths.push_back(folder.c_str());
  const ImportRequest request{sizeof(ImportRequest), static_cast<Index>(package_paths.size()), file.c_str(),
                              loops.c_str(), package_paths.data()};
  ImportedDocument document;
  RefusalBuffer refusal;
  const bool read =
      guarded(importer.plugin(), type, "read", [&] { return (*importer).read(request, document, refusal.refusal()); });
  // Also before a refusal: a misspelt word may be why the rest makes no sense.
  for (const OwnedImportNote& note : document.notes()) tell(note);
  if (!read) refusal.raise_about("not imported", "the importer gives no reason");
  document.check(importer.plugin());
  keep_inputs(options.output, document.files());
  if (const std::size_t missing = document.count(ImportLoss::constraint);
      missing > 0 && !options.allow_missing_constraints)
    throw Error(
        ErrorKind::input,
        fmt::format("{}: not imported: {} not carried over, and without {} the model moves as the file does not let "
                    "it; --allow-missing-constraints imports it all the same",
                    file, missing == 1 ? "1 constraint is" : fmt::format("{} constraints are", missing),
                    missing == 1 ? "it" : "them"));
  Imported imported;
  AssembledStart start = assemble(document, options.plugin_path, file);
  for (const OwnedImportNote& note : start.beyond) tell(note);
  imported.moved = std::move(start.moved);
  imported.bodies = document.members("/system/bodies");
  imported.constraints = document.members("/system/constraints");
  imported.forces = document.members("/system/forces");
  imported.text = document.text(fmt::format("From {} by `trammel import`.", options.file.filename().string()));
  return imported;
}

}  // namespace trammel
