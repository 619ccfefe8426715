// Walks through a run file section by section, looking types up and checking objects against their tables.
#include "config/validate.h"

#include <algorithm>

#include "config/method_request.h"
#include "config/opened_analysis.h"
#include "config/parameter_use.h"
#include "config/part_name.h"
#include "config/signal_options.h"
#include "config/step_control_keys.h"
#include "config/version_range.h"
#include "trammel/text/suggest.h"

namespace trammel {
namespace {

std::string models(Host host) { return std::string(" for ") + host_name(host) + " models"; }

std::string kind_with_article(ComponentKind kind) {
  const bool vowel = kind == ComponentKind::integrator || kind == ComponentKind::analysis;
  return (vowel ? "an " : "a ") + std::string(kind_name(kind));
}

/// The type's entry, or nullptr and a problem that says where else the type exists or which is nearest.
const Catalogue::Entry* find_type(const Catalogue& catalogue, ComponentKind kind, Host host, const std::string& type,
                                  const Place& place, const std::string& path, Problems& problems) {
  if (const Catalogue::Entry* entry = catalogue.find(kind, host, type)) {
    if (entry->withheld != nullptr) problems.add_once(place, path, *entry->withheld, ErrorKind::plugin);
    return entry;
  }
  std::string message = std::string("there is no ") + kind_name(kind) + " type '" + type + "'";
  const bool of_models = kind != ComponentKind::system && kind != ComponentKind::writer &&
                         kind != ComponentKind::analysis && kind != ComponentKind::linear_solver;
  if (host != Host::any && of_models) message += models(host);
  std::string hint;
  for (const Catalogue::Entry& other : catalogue.entries()) {
    if (other.component->type != type) continue;
    if (other.component->kind == kind)
      hint = "; it exists" + models(other.component->host);
    else if (hint.empty())
      hint = "; it is " + kind_with_article(other.component->kind);
  }
  if (hint.empty()) {
    std::vector<std::string> known;
    if (kind == ComponentKind::analysis) known = built_in_analyses();
    if (kind == ComponentKind::linear_solver || kind == ComponentKind::integrator || kind == ComponentKind::formulation)
      known.emplace_back("auto");
    for (const Catalogue::Entry* other : catalogue.available(kind, host)) known.push_back(other->component->type);
    hint = did_you_mean(type, known);
    if (hint.empty() && kind == ComponentKind::analysis) {
      for (const std::string& name : known) hint += (hint.empty() ? "; there are '" : ", '") + name + "'";
    }
  }
  // A misspelt analysis of the kernel is a matter of the file, and no plugin is missing.
  const bool misspelt = kind == ComponentKind::analysis && !nearest(type, built_in_analyses()).empty();
  problems.add(place, path, message + hint, misspelt ? ErrorKind::input : ErrorKind::plugin);
  return nullptr;
}

const Place& type_place(const Node& node) {
  const Node* type = node.find("type");
  return type == nullptr ? node.place : type->place;
}

/// Checks functions by their tables; creates nothing.
class StaticResolver final : public NameResolver {
 public:
  StaticResolver(const RunFile& run, const Catalogue& catalogue, Host host, Problems& problems)
      : NameResolver(run, host, problems), run_(run), catalogue_(catalogue), host_(host) {}

  FunctionRef function(const Node& node, const std::string& path, Problems& problems) override {
    if (node.is_number()) {  // stands for the constant function, which is a plugin like the others
      find_type(catalogue_, ComponentKind::function, host_, "constant", node.place, path, problems);
      return nullptr;
    }
    if (node.is_text()) {
      std::vector<std::string> signals;
      for (const Section& signal : run_.signals) signals.push_back(signal.name);
      if (std::find(signals.begin(), signals.end(), node.text) == signals.end())
        problems.add(node.place, path, "there is no signal '" + node.text + "'" + did_you_mean(node.text, signals));
      return nullptr;
    }
    const Node* type = node.find("type");
    if (type == nullptr || !type->is_text()) {
      problems.add(node.place, path, "a function needs a \"type\", a text");
      return nullptr;
    }
    const Catalogue::Entry* entry =
        find_type(catalogue_, ComponentKind::function, host_, type->text, type->place, path + "/type", problems);
    if (entry == nullptr) return nullptr;
    Section section;
    section.type = type->text;
    section.path = path;
    check(entry->component->parameters, node, bind_context(run_, section, host_, this), problems);
    return nullptr;
  }

 private:
  const RunFile& run_;
  const Catalogue& catalogue_;
  Host host_;
};

class Validator {
 public:
  Validator(const RunFile& run, const Catalogue& catalogue, Problems& problems)
      : run_(run),
        catalogue_(catalogue),
        problems_(problems),
        host_(model_host(run, catalogue)),
        resolver_(run, catalogue, host_, problems) {}

  void validate() {
    validate_required_plugins();
    check_signals(run_, host_, resolver_, problems_);
    if (run_.system && !run_.system.type.empty()) validate_system();
    component(ComponentKind::formulation, run_.formulation);
    component(ComponentKind::integrator, run_.integrator);
    component(ComponentKind::analysis, run_.opened_analysis);
    component(ComponentKind::linear_solver, run_.solver);
    for (const Section& writer : run_.output.writers) component(ComponentKind::writer, writer);
    if (host_ != Host::any) validate_channels();
    for (const RunEvent& event : run_.events) validate_event(event);
  }

 private:
  /// `plugins.require`, also where the run uses nothing of the plugin: its author may have another case in mind.
  void validate_required_plugins() {
    Problems told_when_read;
    for (const RequiredPlugin& required : required_plugins(*run_.document, told_when_read)) {
      const Catalogue::Entry* found = nullptr;
      std::vector<std::string> known;
      for (const Catalogue::Entry& entry : catalogue_.entries()) {
        known.push_back(entry.plugin->id);
        if (found == nullptr && entry.plugin->id == required.id) found = &entry;
      }
      const auto refuse = [&](const std::string& message) {
        problems_.add(required.place, required.path, message, ErrorKind::plugin);
      };
      const std::string wanted = "plugin '" + required.id + "' is required in version " + required.written;
      if (found == nullptr) {
        refuse(wanted + ", and none is found" + did_you_mean(required.id, known));
        continue;
      }
      if (found->withheld != nullptr)
        problems_.add_once(required.place, required.path, *found->withheld, ErrorKind::plugin);
      const std::optional<Version> version = Version::parse(found->plugin->version);
      if (version && required.range.contains(*version)) continue;
      refuse(wanted + "; found is " + (version ? "version " : "a version that cannot be compared, ") +
             found->plugin->version + ", " + found->plugin->library.string());
    }
  }

  void validate_system() {
    const Catalogue::Entry* system = component(ComponentKind::system, run_.system);
    if (system == nullptr) return;
    if (host_ == Host::any) return refuse_model_parts();
    const Node* bodies = run_.system.node->find("bodies");
    if (run_.bodies.empty() && (bodies == nullptr || bodies->is_object())) {
      problems_.add(run_.system.node->place, "/system", "a model needs \"bodies\", at least one");
    }
    for (const Section& body : run_.bodies) {
      check(system->component->body_parameters, *body.node, bind_context(run_, body, host_, &resolver_), problems_);
      const Node* shape = body.node->find("shape");
      if (shape != nullptr) check_shape(*shape, body.path + "/shape", host_, problems_);
    }
    if (const Node* ground = run_.system.node->find("ground"))
      check_ground(*ground, "/system/ground", host_, problems_);
    for (const Section& constraint : run_.constraints) component(ComponentKind::constraint, constraint);
    for (const Section& force : run_.forces) component(ComponentKind::force, force);
  }

  void refuse_model_parts() {
    for (const char* key : {"bodies", "ground", "points", "constraints", "forces"}) {
      const Member* member = run_.system.node->find_member(key);
      if (member == nullptr) continue;
      problems_.add(member->place, "/system/" + std::string(key),
                    "a system of type '" + run_.system.type + "' has no " + key);
    }
  }

  const Catalogue::Entry* component(ComponentKind kind, const Section& section) {
    if (!section || section.type.empty()) return nullptr;
    const bool method = kind == ComponentKind::formulation || kind == ComponentKind::integrator;
    if (method && is_automatic(section)) return nullptr;  // its keys were checked when the file was read
    const Catalogue::Entry* entry =
        find_type(catalogue_, kind, host_, section.type, type_place(*section.node), section.type_path(), problems_);
    if (entry == nullptr) return nullptr;
    BindContext context = bind_context(run_, section, host_, &resolver_);
    context.frames = attaches_to_frames(kind);
    if (kind == ComponentKind::integrator) {
      static const std::vector<ParameterInfo> common = parameter_infos(step_control_table());
      std::vector<ParameterInfo> table = entry->component->parameters;
      table.insert(table.end(), common.begin(), common.end());
      check(table, *section.node, context, problems_);
    } else {
      check(entry->component->parameters, *section.node, context, problems_);
    }
    return entry;
  }

  void validate_channels() {
    // The last two are what some integrators tell about a step; a run refuses them where they do not exist.
    std::vector<std::string> known = {"t", "step", "energy", "constraint", "order", "local_error"};
    for (const auto* sections : {&run_.bodies, &run_.points, &run_.constraints, &run_.forces, &run_.signals}) {
      for (const Section& section : *sections) known.push_back(section.name);
    }
    const Node* output = run_.document->find("output");
    const Node* channels = output == nullptr ? nullptr : output->find("channels");
    if (channels == nullptr) return;
    for (std::size_t i = 0; i < channels->items.size(); ++i) {
      const Node& channel = channels->items[i];
      if (!channel.is_text() || channel.text == "all") continue;
      const auto is_known = [&](std::string_view owner) {
        return std::find(known.begin(), known.end(), owner) != known.end();
      };
      if (owner_length(channel.text, is_known) != std::string_view::npos) continue;
      const std::string name = channel.text.substr(0, channel.text.find('.', channel.text.rfind(']') + 2));
      problems_.add(channel.place, "/output/channels/" + std::to_string(i),
                    "nothing in the model is called '" + name + "'" + did_you_mean(name, known));
    }
  }

  /// Forces that the event changes, as they are after it.
  void validate_event(const RunEvent& event) {
    if (run_.analysis.type != AnalysisType::dynamics) return;  // refused as an idle key
    for (const Setting& setting : event.set) {
      const ForceKey first = split_force_key(setting.path);
      const auto [name, key] = owner_and_key(first.force + "." + first.key, run_.forces);
      const ForceKey target{name, key};
      std::vector<std::string> names;
      for (const Section& force : run_.forces) {
        names.push_back(force.name);
        if (force.name != target.force) continue;
        Node changed = *force.node;
        apply_setting(changed, {target.key, setting.value});
        Section after = force;
        after.node = &changed;
        component(ComponentKind::force, after);
      }
      if (std::find(names.begin(), names.end(), target.force) != names.end()) continue;
      problems_.add(setting.value.place, event.path + "/set/" + setting.path,
                    "there is no force '" + target.force + "'" + did_you_mean(target.force, names));
    }
  }

  const RunFile& run_;
  const Catalogue& catalogue_;
  Problems& problems_;
  Host host_;
  StaticResolver resolver_;
};

}  // namespace

Host model_host(const RunFile& run, const Catalogue& catalogue) {
  const Catalogue::Entry* system = catalogue.find(ComponentKind::system, Host::any, run.system.type);
  return system == nullptr ? Host::any : system->component->host;
}

void validate(const RunFile& run, const Catalogue& catalogue, Problems& problems) {
  Validator(run, catalogue, problems).validate();
}

void require_valid(const RunFile& run, const Catalogue& catalogue, const std::string& search_trace) {
  Problems problems;
  validate(run, catalogue, problems);
  if (problems.empty()) refuse_idle_settings(run, problems);
  try {
    problems.raise();
  } catch (const Error& error) {
    if (problems.kind() != ErrorKind::plugin) throw;
    throw Error(ErrorKind::plugin, std::string(error.what()) + "\n" + search_trace);
  }
}

}  // namespace trammel
