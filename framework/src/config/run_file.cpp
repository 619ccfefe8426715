// Reading a run file section by section.
#include "config/run_file.h"

#include <algorithm>
#include <map>

#include "config/idle_keys.h"
#include "config/includes.h"
#include "config/json_source.h"
#include "config/key_hints.h"
#include "config/method_request.h"
#include "config/opened_analysis.h"
#include "config/part_name.h"
#include "config/report_options.h"
#include "config/section_keys.h"
#include "config/signal_options.h"
#include "config/version_range.h"
#include "trammel/extensions/coordinate_zeros.h"
#include "trammel/text/suggest.h"

namespace trammel {
namespace {

/// `[vendor.]snake_case`
bool is_type_id(std::string_view text) {
  std::size_t dots = 0;
  char before = '.';
  for (const char c : text) {
    const bool letter = c >= 'a' && c <= 'z';
    const bool inside = letter || c == '_' || (c >= '0' && c <= '9');
    if (c == '.' ? before == '.' || ++dots > 1 : before == '.' ? !letter : !inside) return false;
    before = c;
  }
  return before != '.';
}

class RunFileReader {
 public:
  RunFileReader(RunFile& run, Problems& problems) : run_(run), document_(*run.document), problems_(problems) {}

  void read() {
    check_version();
    refuse_unknown(document_, "", "a run file", keys_below(RunFilePart::run_file));
    resolve();
    run_.title = text_or(document_.find("title"), "/title");
    read_plugins();
    read_system();
    run_.signals = read_signals(document_, run_.parameters, problems_);
    for (const Section& signal : run_.signals) check_name(signal);
    read_analysis();
    run_.formulation = method("formulation");
    run_.integrator = method("integrator");
    if (run_.analysis.method == EquilibriumMethod::settling && !run_.integrator) take_method_of_settling();
    const bool written = document_.find("integrator") != nullptr;
    if (!written && !run_.integrator && run_.analysis.type == AnalysisType::dynamics && analysis_known_ &&
        run_.use == RunFileUse::run) {
      run_.integrator = automatic("integrator");
    }
    check_automatic(run_, problems_);
    read_output();
    read_report();
  }

 private:
  /// Nothing else is worth saying about a file that is no run file, hence thrown.
  void check_version() {
    if (!document_.is_object()) {
      throw Error(ErrorKind::input,
                  message_at(document_.place, "", "a run file is a JSON object, not " + describe(document_)));
    }
    if (const Member* study = document_.find_member("trammel_study")) {
      throw Error(ErrorKind::input,
                  message_at(study->place, "/trammel_study", "this is a study, not a run file; use 'trammel study'"));
    }
    const Node* version = document_.find("trammel");
    if (version == nullptr) {
      throw Error(
          ErrorKind::input,
          message_at(document_.place, "", "missing key 'trammel', the format version: a run file has \"trammel\": 2"));
    }
    if (version->is_integer() && version->number >= 1 && version->number <= newest_run_format) return;
    const bool newer = version->is_integer() && version->number > newest_run_format;
    throw Error(ErrorKind::input,
                message_at(version->place, "/trammel",
                           "the format version must be 2, or 1 of older files, not " + describe(*version) +
                               (newer ? "; this file needs a newer Trammel" : "")));
  }

  void refuse_unknown(const Node& object, const std::string& path, const std::string& subject,
                      const std::vector<std::string>& known) {
    for (const Member& member : object.members) {
      if (std::find(known.begin(), known.end(), member.key) != known.end()) continue;
      problems_.add(member.place, path + "/" + member.key,
                    "unknown key for " + subject + elsewhere(member.key, did_you_mean(member.key, known)));
    }
  }

  void resolve() {
    if (Node* parameters = document_.find("parameters")) {
      run_.parameters = resolve_parameters(*parameters, "/parameters", problems_);
    }
    for (Member& member : document_.members) {
      const bool plain = member.key == "parameters" || member.key == "title" || member.key == "$schema" ||
                         member.key == "report";  // texts for readers
      if (!plain) resolve_expressions(member.value, "/" + member.key, run_.parameters, problems_);
    }
  }

  std::string text_or(const Node* node, const std::string& path) {
    if (node == nullptr) return "";
    if (!node->is_text()) problems_.add(node->place, path, "must be a text, not " + describe(*node));
    return node->text;
  }

  void missing(const std::string& key, const std::string& why) {
    problems_.add(document_.place, "", "missing key '" + key + "': " + why);
  }

  void read_plugins() {
    const Node* plugins = object_or_null(document_.find("plugins"), "/plugins");
    if (plugins == nullptr) return;
    refuse_unknown(*plugins, "/plugins", "plugins", keys_below(RunFilePart::run_file, "plugins"));
    required_plugins(document_, problems_);  // `validate` compares them with what is found
    const Node* search = plugins->find("search");
    if (search == nullptr) return;
    if (!search->is_array()) {
      return problems_.add(search->place, "/plugins/search", "must be an array of folders, not " + describe(*search));
    }
    for (std::size_t i = 0; i < search->items.size(); ++i) {
      const std::string folder = text_or(&search->items[i], "/plugins/search/" + std::to_string(i));
      run_.plugin_search.push_back((run_.folder / folder).lexically_normal());
    }
  }

  const Node* object_or_null(const Node* node, const std::string& path) {
    if (node == nullptr || node->is_object()) return node;
    if (!node->is_wrong_expression()) problems_.add(node->place, path, "must be an object, not " + describe(*node));
    return nullptr;
  }

  std::string read_type(const Node& node, const std::string& path, const std::string& what, bool plain = false) {
    const Node* type = node.find("type");
    if (type == nullptr && what == "integrator") return "auto";  // tolerances alone are for whatever is chosen
    if (type == nullptr) {
      const bool method = what == "formulation";
      problems_.add(
          node.place, path,
          "missing key 'type': the type of the " + what +
              (method ? "; keys belong to one type, for example {\"type\": \"baumgarte\", \"alpha\": 5}" : ""));
      return "";
    }
    if (!type->is_text() || !is_type_id(type->text)) {
      problems_.add(type->place, plain ? path : path + "/type",
                    "must be the name of a type, [vendor.]snake_case, not " + describe(*type));
      return "";
    }
    return type->text;
  }

  /// Dynamic settling takes any method of dynamics; here is one for files that name none.
  void take_method_of_settling() {
    run_.defaults = std::make_unique<Node>(parse_json(
        R"({"formulation": {"type": "projection"}, "integrator": {"type": "dopri5", "rtol": 1e-6, "atol": 1e-8}})",
        "the method of settling", true));
    if (!run_.formulation) run_.formulation = component("formulation", *run_.defaults);
    run_.integrator = component("integrator", *run_.defaults);
  }

  /// An integrator or a formulation, which may be named by its type alone.
  Section method(const std::string& key) {
    const Member* member = document_.find_member(key);
    if (member == nullptr || !member->value.is_text()) return component(key);
    Section section = typed_section(member->value, "/" + key, key.c_str(), "a type");
    section.place = member->place;
    return section;
  }

  /// As if the file said "auto".
  Section automatic(const std::string& key) {
    const Node type = Node::make_text("auto", document_.place);
    return typed_section(type, "/" + key, key.c_str(), "a type");
  }

  Section component(const std::string& key) { return component(key, document_); }
  Section component(const std::string& key, const Node& document) {
    Section section;
    const Member* member = document.find_member(key);
    section.path = "/" + key;
    if (member == nullptr || object_or_null(&member->value, section.path) == nullptr) return section;
    section.node = &member->value;
    section.place = member->place;
    section.type = read_type(*section.node, section.path, key);
    return section;
  }

  void read_system() {
    if (document_.find("system") == nullptr) {
      missing("system", "what is simulated, for example {\"type\": \"spatial\", \"bodies\": {...}}");
    }
    run_.system = component("system");
    if (!run_.system) return;
    read_map("bodies", "", run_.bodies);
    read_map("points", "", run_.points);
    read_map("constraints", "constraint", run_.constraints);
    read_map("forces", "force", run_.forces);
  }

  /// One of the maps from names to objects; `what` is the kind of component, or "".
  void read_map(const std::string& key, const std::string& what, std::vector<Section>& sections) {
    const std::string path = "/system/" + key;
    const Node* map = object_or_null(run_.system.node->find(key), path);
    if (map == nullptr) return;
    for (const Member& member : map->members) {
      Section section;
      section.name = member.key;
      section.path = path + "/" + member.key;
      section.place = member.place;
      check_name(section);
      section.node = object_or_null(&member.value, section.path);
      if (!section) continue;
      if (!what.empty()) section.type = read_type(*section.node, section.path, what);
      text_or(section.node->find("name"), section.path + "/name");
      sections.push_back(section);
    }
  }

  void check_name(const Section& section) {
    const std::vector<std::string>& reserved = reserved_names();
    if (!is_part_name(section.name)) {
      problems_.add(section.place, section.path, part_name_rule(section.name));
    } else if (std::find(reserved.begin(), reserved.end(), section.name) != reserved.end()) {
      problems_.add(section.place, section.path, "the name '" + section.name + "' is reserved; choose another");
    }
    const auto [first, is_new] = names_.try_emplace(section.name, section);
    if (is_new) return check_owner(section);
    problems_.add(section.place, section.path,
                  "the name '" + section.name + "' is taken already by " + first->second.path + " (" +
                      first->second.place.text() + ")");
  }

  /// "leg.x" beside "leg" could be a channel.
  void check_owner(const Section& section) {
    const auto clash = [&](const Section& longer, const Section& shorter) {
      problems_.add(longer.place, longer.path,
                    "the name '" + longer.name + "' looks like a channel of '" + shorter.name + "', which is " +
                        shorter.path + " (" + shorter.place.text() + "); choose another");
    };
    for (std::size_t dot = section.name.find('.'); dot != std::string::npos; dot = section.name.find('.', dot + 1)) {
      const auto shorter = names_.find(section.name.substr(0, dot));
      if (shorter != names_.end()) return clash(section, shorter->second);
    }
    const auto longer = names_.lower_bound(section.name + ".");
    if (longer != names_.end() && longer->first.starts_with(section.name + ".")) clash(longer->second, section);
  }

  void read_analysis() {
    const Node* node = document_.find("analysis");
    if (node == nullptr)
      return missing("analysis", "what is computed, for example {\"type\": \"dynamics\", \"duration\": 10}");
    BindContext context;
    context.path = "/analysis";
    context.subject = "the analysis";
    context.other_keys = keys_below(RunFilePart::analysis);
    const std::size_t before = problems_.size();
    Node common;
    if (!type_is_text(*node, problems_)) return;
    if (is_opened(*node)) {
      run_.opened_analysis = component("analysis");
      common = common_part(*node);
      node = &common;
    }
    const BoundParameters bound = bind(analysis_table(), *node, context, problems_);
    if (node->is_object()) read_start(*node, run_.start, problems_);
    read_events(*node, run_.parameters, run_.events, problems_);
    for (RunEvent& event : run_.events) event.when = expand_signals(run_, event.when);
    if (problems_.size() > before) return;
    analysis_known_ = true;
    run_.analysis = bound.as<AnalysisOptions>();
    run_.start.determine = run_.analysis.determine;
    run_.start.equilibrium = run_.analysis.start == StartState::equilibrium;
    run_.start.assemble = run_.analysis.type != AnalysisType::dynamics;
    read_solver(document_.find("analysis")->find("solver"));
    if (run_.opened_analysis) {
      run_.analysis.type = AnalysisType::plugin;
      return;
    }
    check_analysis_keys(*node, run_.analysis, problems_);
  }

  void read_solver(const Node* solver) {
    if (solver == nullptr || (solver->is_text() && solver->text == "auto")) return;
    run_.solver = typed_section(*solver, "/analysis/solver", "linear_solver", "\"auto\", a type of linear solver");
    const Node* type = run_.solver.node == nullptr ? nullptr : run_.solver.node->find("type");
    if (run_.solver.type != "auto") return;
    problems_.add(type->place, "/analysis/solver/type", "\"auto\" has no keys; write \"solver\": \"auto\"");
    run_.solver = {};
  }

  void read_output() {
    run_.output.step = left_out();
    const Node* node = document_.find("output");
    const Member* writers = node == nullptr ? nullptr : node->find_member("writers");
    if (writers == nullptr)
      add_writer(Node::make_text("csv", document_.place), document_.place, "/output/writers/0");
    else
      read_writers(*writers);
    if (node == nullptr) return;
    BindContext context;
    context.path = "/output";
    context.subject = "the output";
    context.other_keys = keys_below(RunFilePart::output);
    const BoundParameters bound = bind(output_table(), *node, context, problems_);
    if (!node->is_object()) return;
    if (const Node* step = node->find("step")) {
      if (const Member* at = node->find_member("at")) {
        problems_.add(at->place, "/output/at", "give either 'step' or 'at', not both");
      }
      run_.output.step = step->number;
      run_.output.at_steps = false;
    }
    read_channels(node->find("channels"));
  }

  void read_channels(const Node* channels) {
    if (channels == nullptr) return;
    if (channels->is_text() && channels->text == "all") {
      run_.output.all_channels = true;
      return;
    }
    if (!channels->is_array()) {
      return problems_.add(channels->place, "/output/channels",
                           "must be \"all\" or an array of names, not " + describe(*channels));
    }
    for (std::size_t i = 0; i < channels->items.size(); ++i) {
      const std::string name = text_or(&channels->items[i], "/output/channels/" + std::to_string(i));
      if (name == "all")
        run_.output.all_channels = true;
      else
        run_.output.channels.push_back(name);
    }
  }

  void read_report() {
    const Node* report = document_.find("report");
    if (report == nullptr) return;
    ReportNames names;
    for (const Section& body : run_.bodies) names.bodies.push_back(body.name);
    for (const Section& point : run_.points) names.points.push_back(point.name);
    check_report(*report, names, problems_);
  }

  void read_writers(const Member& writers) {
    const Node& list = writers.value;
    if (!list.is_array() || list.items.empty()) {
      return problems_.add(list.place, "/output/writers",
                           "must be an array of at least one type of writer, for example [\"csv\"], not " +
                               (list.is_array() ? std::string("an empty array") : describe(list)));
    }
    for (std::size_t i = 0; i < list.items.size(); ++i) {
      const std::string path = "/output/writers/" + std::to_string(i);
      add_writer(list.items[i], list.items[i].place, path);
    }
  }

  /// A component that may be named by its type alone: "csv" means {"type": "csv"}. Nothing, and a problem, if it is neither.
  Section typed_section(const Node& entry, const std::string& path, const char* kind, const std::string& expected) {
    Section section;
    if (entry.is_text()) {
      Node& object = run_.plain_types.emplace_back();
      object.kind = Node::Kind::object;
      object.place = entry.place;
      object.members.push_back({"type", entry.place, entry});
      section.node = &object;
      section.plain = true;
    } else if (entry.is_object()) {
      section.node = &entry;
    } else {
      problems_.add(entry.place, path, "must be " + expected + ", or an object with one, not " + describe(entry));
      return section;
    }
    section.path = path;
    section.place = entry.place;
    section.type = read_type(*section.node, path, kind, section.plain);
    return section;
  }

  void add_writer(const Node& entry, const Place& place, const std::string& path) {
    Section section = typed_section(entry, path, "writer", "a type of writer");
    if (!section) return;
    section.place = place;
    for (const Section& other : run_.output.writers) {
      if (!section.type.empty() && other.type == section.type)
        problems_.add(place, path, "a second writer of type '" + section.type + "', which would write the same file");
    }
    run_.output.writers.push_back(section);
  }

  RunFile& run_;
  Node& document_;
  Problems& problems_;
  std::map<std::string, Section> names_;
  bool analysis_known_ = false;
};

}  // namespace

RunFile load_run_file(const std::filesystem::path& file, const std::vector<std::string>& sets, Problems& problems) {
  return load_run_file(file, parse_settings(sets), problems);
}

RunFile load_run_file(const std::filesystem::path& file, const std::vector<Setting>& settings, Problems& problems,
                      RunFileUse use) {
  const std::filesystem::path folder = std::filesystem::absolute(file).parent_path();
  return make_run_file({read_text_file(file), file.string()}, file, folder, settings, problems, use);
}

RunFile make_run_file(const WrittenDocument& written, const std::filesystem::path& file,
                      const std::filesystem::path& folder, const std::vector<Setting>& settings, Problems& problems,
                      RunFileUse use) {
  RunFile run;
  run.use = use;
  run.file = file;
  run.folder = folder;
  run.document = std::make_unique<Node>(written.read());
  // The files are read once: what is made of them again is made of what they were.
  run.written = merge_includes(*run.document, file, folder) ? WrittenDocument(*run.document) : written;
  for (const Setting& setting : settings) {
    if (!names_part_of_submodel(*run.document, setting.path)) apply_setting(*run.document, setting);
  }
  run.settings = settings;
  Problems of_unfinished;  // which compose() tells, where it was written
  RunFileReader(run, is_composed(*run.document) ? of_unfinished : problems).read();
  place_meshes(*run.document, file, folder);
  return run;
}

RunFile load_run_file(const std::filesystem::path& file, const std::vector<std::string>& sets, RunFileUse use) {
  Problems problems;
  RunFile run = load_run_file(file, parse_settings(sets), problems, use);
  problems.raise();
  return run;
}

}  // namespace trammel
