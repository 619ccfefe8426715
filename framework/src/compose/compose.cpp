// Parameters, sub-models, settings of their parts, units: in this order.
#include "compose/compose.h"

#include <algorithm>
#include <unordered_map>

#include "compose/expander.h"
#include "compose/unit_pass.h"
#include "config/includes.h"
#include "config/part_name.h"
#include "config/validate.h"
#include "trammel/extensions/coordinate_zeros.h"

namespace trammel {
namespace {

class Composer {
 public:
  Composer(const RunFile& run, const Catalogue& catalogue, Problems& problems)
      : run_(run), catalogue_(catalogue), problems_(problems), host_(model_host(run, catalogue)) {}

  void compose(RunFile& run) {
    const std::size_t before = problems_.size();
    Node document = run_.written.read();
    std::vector<const Setting*> of_parts;
    for (const Setting& setting : run_.settings) {
      if (names_part_of_submodel(document, setting.path))
        of_parts.push_back(&setting);
      else
        apply_setting(document, setting);
    }
    refuse_format();
    const Units units = document.find("units") == nullptr ? Units() : read_units(*document.find("units"), problems_);
    if (problems_.size() > before) return;
    Node parameters;
    parameters.kind = Node::Kind::object;
    if (const Node* const written = document.find("parameters")) parameters = *written;
    const ParameterValues values = resolve_parameters(parameters, "/parameters", problems_);
    resolve(document, values);
    Expander expander(run_, rewriter(units), host_, units.angle.value(), problems_);
    if (Node* const system = document.find("system"); system != nullptr && system->is_object())
      expander.write_out(*system, values);
    if (problems_.size() > before) return;
    drop_composition(document);
    for (const Setting* setting : of_parts) apply_setting(document, *setting);
    resolve(document, values);
    if (!units.is_si())
      UnitPass(run_, catalogue_, host_, units, values, expander.entries(), problems_).convert(document);
    if (problems_.size() > before) return;
    replace(run, std::move(document), values, expander.entries());
  }

 private:
  const PartRewriter& rewriter(const Units& units) {
    return rewriter_.emplace(run_, catalogue_, host_, units.angle.value(), problems_);
  }

  void refuse_format() {
    const Node* const version = run_.document->find("trammel");
    if (version->number == newest_run_format) return;
    problems_.add(
        version->place, "/trammel",
        "sub-models, included files and units need \"trammel\": 2; 'trammel migrate' rewrites older files first");
  }

  /// All formulas outside of sub-models, as the reader of run files does.
  void resolve(Node& document, const ParameterValues& values) {
    for (Member& member : document.members) {
      const std::string path = "/" + member.key;
      if (member.key == "parameters" || member.key == "title" || member.key == "$schema" || member.key == "report")
        continue;
      if (member.key != "system") {
        resolve_expressions(member.value, path, values, problems_);
        continue;
      }
      for (Member& part : member.value.members) {
        if (part.key != "submodels" && part.key != "parts")
          resolve_expressions(part.value, path + "/" + part.key, values, problems_);
      }
    }
  }

  void replace(RunFile& run, Node document, const ParameterValues& values, const std::vector<WrittenEntry>& entries) {
    RunFile plain = make_run_file(WrittenDocument(std::move(document)), run.file, run.folder, {}, problems_, run.use);
    plain.written = run.written, plain.settings = run.settings;
    for (std::size_t i = 0; i < values.names.size(); ++i) {
      const auto& names = plain.parameters.names;
      const auto found = std::find(names.begin(), names.end(), values.names[i]);
      if (found == names.end() || i >= values.named.size() || values.named[i] == 0) continue;
      plain.parameters.note_use(static_cast<std::size_t>(found - names.begin()));
    }
    if (problems_.empty()) check(plain, entries);
    if (problems_.empty()) run = std::move(plain);
  }

  /// Everything wrong with it, by the paths that were written; later checks know only those of the plain file.
  void check(RunFile& plain, const std::vector<WrittenEntry>& entries) {
    std::unordered_map<std::string, const std::string*> written;
    for (const WrittenEntry& entry : entries) written.emplace(entry.name, &entry.path);
    std::vector<std::pair<Section*, std::string>> renamed;
    for (auto* sections : {&plain.bodies, &plain.points, &plain.constraints, &plain.forces}) {
      for (Section& section : *sections) {
        const auto found = written.find(section.name);
        if (found == written.end()) continue;
        renamed.emplace_back(&section, section.path);
        section.path = *found->second;
      }
    }
    validate(plain, catalogue_, problems_);
    for (const auto& [section, path] : renamed) section->path = path;
  }

  const RunFile& run_;
  const Catalogue& catalogue_;
  Problems& problems_;
  Host host_;
  std::optional<PartRewriter> rewriter_;
};

}  // namespace

void compose(RunFile& run, const Catalogue& catalogue, Problems& problems) {
  if (is_composed(*run.document)) Composer(run, catalogue, problems).compose(run);
}

RunFile composed(RunFile run, const Catalogue& catalogue) {
  Problems problems;
  compose(run, catalogue, problems);
  problems.raise();
  return run;
}

}  // namespace trammel
