// `trammel new`: a folder with a working plugin, copied from the templates of the installed tree.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <fstream>
#include <map>
#include <set>
#include <string>

#include "cli/command.h"
#include "cli/commands.h"
#include "cli/reserved_names.h"
#include "config/json_source.h"
#include "plugin/descriptor_check.h"
#include "plugin/installed_tree.h"
#include "trammel/error.h"

namespace trammel::cli {
namespace {

namespace fs = std::filesystem;

/// What can be made, and the variants of it; the first is the default.
struct Kind {
  const char* name;
  std::vector<std::string> hosts, flavours;
};

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all = {{"integrator", {}, {"runge_kutta", "multistep", "implicit"}},
                                        {"constraint", {"spatial", "planar"}, {"plain", "driver"}},
                                        {"force", {"spatial", "planar"}, {"plain", "states"}},
                                        {"formulation", {}, {}},
                                        {"system", {}, {"problem", "bodies"}},
                                        {"function", {}, {"formula", "library"}},
                                        {"metric", {}, {}},
                                        {"writer", {}, {}},
                                        {"importer", {}, {}},
                                        {"analysis", {}, {}},
                                        {"linear_solver", {}, {}}};
  return all;
}

struct NewArguments {
  std::string kind, name, host, flavour;
  fs::path folder;
};

Error misuse(const std::string& message) { return Error(ErrorKind::usage, message); }

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

const Kind& find_kind(const std::string& name) {
  std::vector<std::string> names;
  for (const Kind& kind : kinds()) {
    if (name == kind.name) return kind;
    names.emplace_back(kind.name);
  }
  throw misuse(fmt::format("trammel new: there is no kind '{}'; known are {}", name, joined(names)));
}

/// The chosen variant, or the default; "" for kinds without any.
std::string variant(const Kind& kind, const char* option, const std::vector<std::string>& known,
                    const std::string& given) {
  if (given.empty()) return known.empty() ? "" : known.front();
  if (known.empty()) throw misuse(fmt::format("trammel new: {} has no meaning for a new {}", option, kind.name));
  if (std::find(known.begin(), known.end(), given) != known.end()) return given;
  throw misuse(fmt::format("trammel new: {} is one of {}, not '{}'", option, joined(known), given));
}

/// my_rk -> MyRk, and system -> MySystem, since System is taken.
std::string class_name(const std::string& snake) {
  std::string name;
  bool upper = true;
  for (const char c : snake) {
    if (c != '_') name += upper ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    upper = c == '_';
  }
  return is_reserved_class_name(name) ? "My" + name : name;
}

using Words = std::map<std::string, std::string>;

std::string replaced(std::string text, const Words& words) {
  for (const auto& [key, value] : words) {
    const std::string mark = "@" + key + "@";
    for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos; at += value.size()) {
      text.replace(at, mark.size(), value);
    }
  }
  return text;
}

/// Copies one layer of templates; later layers add files, and replace those of earlier ones.
void copy_layer(const fs::path& layer, const fs::path& target, const Words& words, std::set<std::string>& written) {
  if (!fs::is_directory(layer)) return;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(layer)) {
    if (!entry.is_regular_file()) continue;
    const std::string name = replaced(fs::relative(entry.path(), layer).string(), words);
    fs::create_directories((target / name).parent_path());
    std::ofstream stream(target / name, std::ios::binary);
    stream << replaced(read_text_file(entry.path()), words);
    stream.close();
    if (!stream) throw Error(ErrorKind::compute, fmt::format("{}: cannot be written", (target / name).string()));
    written.insert(name);
  }
}

/// As one word of a shell.
std::string shell_word(const std::string& text) {
  const auto plain = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || std::strchr("/._-+=:@%,", c); };
  if (std::all_of(text.begin(), text.end(), plain)) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

/// The commands that build the new plugin. They need an installed tree, which a build tree can make.
void print_what_next(const fs::path& target) {
  const fs::path tree = library_folder().parent_path();
  std::string prefix = tree.string();
  if (fs::exists(tree / "lib" / "cmake" / "Trammel" / "TrammelConfig.cmake")) {
    fmt::print("\nBuild and test it:\n");
  } else {
    fmt::print(
        "\nBuild and test it against an installed Trammel. This one runs from its build tree; install it once, to a "
        "folder\n"
        "DIR of your choice:\n  cmake --install {} --prefix DIR\nThen, with DIR as an absolute path:\n",
        shell_word(prefix));
    prefix = "DIR";
  }
  fmt::print("  cd {}\n  cmake -B build {}\n  cmake --build build\n  ctest --test-dir build\n",
             shell_word(target.string()), shell_word("-DCMAKE_PREFIX_PATH=" + prefix));
}

int execute(const NewArguments& options) {
  const Kind& kind = find_kind(options.kind);
  if (!is_type_id(options.name)) {
    throw misuse(fmt::format("trammel new: '{}' is no name for a type: write [vendor.]snake_case, such as acme.my_{}",
                             options.name, kind.name));
  }
  const std::string name = options.name.substr(options.name.find('.') + 1);
  const std::string host = variant(kind, "--host", kind.hosts, options.host);
  const std::string flavour = variant(kind, "--flavour", kind.flavours, options.flavour);
  const bool planar = host == "planar";
  const Words words = {{"TYPE", options.name},
                       {"NAME", name},
                       {"CLASS", class_name(name)},
                       {"HOST", host},
                       {"STATE", planar ? "PlanarBodyState" : "SpatialBodyState"},
                       {"VEC", planar ? "vec2" : "vec3"},
                       {"VECTOR", planar ? "Vec2" : "Vec3"}};

  const fs::path templates = data_folder() / "templates";
  if (!fs::is_directory(templates / kind.name)) {
    throw Error(ErrorKind::compute, fmt::format("{}: the templates of this Trammel are missing", templates.string()));
  }
  const fs::path target = options.folder.empty() ? fs::path(name) : options.folder;
  if (fs::exists(target)) throw misuse(fmt::format("{}: exists already; nothing was written", target.string()));
  std::error_code error;
  fs::create_directories(target, error);
  if (error)
    throw Error(ErrorKind::compute, fmt::format("{}: cannot be created: {}", target.string(), error.message()));

  std::set<std::string> written;
  for (const std::string& layer :
       {std::string("common"), std::string(kind.name), fmt::format("{}_{}", kind.name, host),
        fmt::format("{}_{}", kind.name, flavour), fmt::format("{}_{}_{}", kind.name, flavour, host)}) {
    copy_layer(templates / layer, target, words, written);
  }
  fmt::print("{}/\n", target.string());
  for (const std::string& file : written) fmt::print("  {}\n", file);
  print_what_next(target);
  return 0;
}

}  // namespace

Action declare_new(CLI::App& app) {
  auto options = std::make_shared<NewArguments>();
  app.add_option("KIND", options->kind,
                 "integrator, constraint, force, formulation, system, function, metric, writer, importer, analysis or "
                 "linear_solver")
      ->required();
  app.add_option("NAME", options->name, "Its type: [vendor.]snake_case")->required();
  app.add_option("-o", options->folder, "Folder to create (default: the name without the vendor)")->type_name("DIR");
  app.add_option("--host", options->host, "Constraints and forces: spatial (default) or planar");
  app.add_option(
      "--flavour", options->flavour,
      "Integrators: runge_kutta (default), multistep or implicit; constraints: plain (default) or driver; "
      "forces: plain (default) or states; systems: problem (default) or bodies; functions: formula (default) "
      "or library");
  return [options] { return execute(*options); };
}

}  // namespace trammel::cli
