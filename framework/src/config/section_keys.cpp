// The table of keys that are read by hand.
#include "config/section_keys.h"

#include <map>
#include <stdexcept>
#include <utility>

namespace trammel {
namespace {

const std::vector<SectionKey> run_file_keys = {
    {"$schema", "text", "1", "Address of a JSON schema, for editors; not used by Trammel."},
    {"trammel", "2", "1", "Version of the format; 1 in older files, which 'trammel migrate' rewrites.", false},
    {"title", "text", "1", "Title, shown in summaries and reports.", true, "\"\""},
    {"include", "file, or array of files", "1", "Files whose sections join those of this one; see docs/submodels.md."},
    {"units", "object", "1", "Units of the numbers in parameters, system and conditions; SI if left out."},
    {"units.length", "m | mm | cm | km | um | in | ft", "1", "Unit of lengths.", true, "\"m\""},
    {"units.mass", "kg | g | t | lb", "1", "Unit of masses.", true, "\"kg\""},
    {"units.angle", "rad | deg", "1", "Unit of angles.", true, "\"rad\""},
    {"units.force", "N | mN | kN | MN | kgf | lbf", "1", "Unit of forces; if left out, that of mass and length."},
    {"parameters", "object of numbers or formulas by name", "1", "Numbers that formulas of the file may use."},
    {"signals", "object of numbers, formulas or objects with a type by name", "1",
     "Values that forces, drivers, events and other signals name; see docs/signals.md."},
    {"plugins", "object", "1", "Where plugins are found."},
    {"plugins.search", "array of folders", "1",
     "Folders that are searched for plugins first, relative to the run file; see 'trammel trust'."},
    {"plugins.require", "object of versions by plugin", "1",
     "Plugins that the file needs, in versions such as \">=1.2\" or \">=1.2, <2\"; a version alone is that one only."},
    {"system", "object with a type", "1", "What is simulated; see 'trammel describe system/TYPE'.", false},
    {"analysis", "object", "1", "What is computed; see 'trammel describe analysis'.", false},
    {"formulation", "type, or object with a type", "1",
     "How the constraints are treated: \"auto\", a type, or {\"type\": ...} with the keys of 'trammel describe "
     "formulation/TYPE'. If left out, one is chosen where the integrator needs one; see docs/which_method.md."},
    {"integrator", "type, or object with a type", "1",
     "How time is stepped: \"auto\", a type, or {\"type\": ...} with the keys of 'trammel describe integrator/TYPE'. "
     "If dynamics leaves it out, or an object its 'type', \"auto\"; see docs/which_method.md.",
     true, "\"auto\""},
    {"output", "object", "1", "What is recorded, and when; see 'trammel describe output'."},
    {"report", "object", "1", "How the page of the results looks at first; see 'trammel describe report'."}};

const std::vector<SectionKey> system_keys = {
    {"bodies", "object of bodies by name", "1", "Bodies of the model, at least one.", false},
    {"ground", "object", "1", "What stands still, in pictures."},
    {"ground.shape", "shape or array of shapes", "1", "Shape of the ground; see 'trammel describe shape'."},
    {"points", "object of points by name", "1", "Body-fixed points; see 'trammel describe points'."},
    {"constraints", "object of constraints by name", "1",
     "Joints and drivers; see 'trammel describe constraint/TYPE'."},
    {"forces", "object of forces by name", "1", "Force elements; see 'trammel describe force/TYPE'."}};

const std::vector<SectionKey> submodel_keys = {
    {"submodels", "object of sub-models by name", "1", "Groups of parts that are written once; see docs/submodels.md."},
    {"submodels.NAME.include", "file", "1", "File that holds the sub-model, instead of all other keys."},
    {"submodels.NAME.parameters", "object of numbers, formulas or null by name", "1",
     "Numbers that formulas inside may use, with their defaults; null: a part has to say it."},
    {"submodels.NAME.connect", "array of names", "1", "Names inside for bodies, points and joints outside."},
    {"submodels.NAME.bodies", "object of bodies by name", "1", "Its bodies."},
    {"submodels.NAME.points", "object of points by name", "1", "Its points."},
    {"submodels.NAME.constraints", "object of constraints by name", "1", "Its joints and drivers."},
    {"submodels.NAME.forces", "object of forces by name", "1", "Its force elements."},
    {"submodels.NAME.submodels", "object of sub-models by name", "1", "Sub-models that only it knows."},
    {"submodels.NAME.parts", "object of parts by name", "1", "Uses of sub-models in it."},
    {"parts", "object of parts by name", "1", "Uses of sub-models: leg.knee is the knee of the part leg."},
    {"parts.NAME.submodel", "name, or a sub-model", "1", "What it is a use of.", false},
    {"parts.NAME.count", "integer", "1", "How many there are: leg[0], leg[1], ...; one without an index if left out."},
    {"parts.NAME.parameters", "object of numbers or formulas by name", "1",
     "Values of parameters of the sub-model; formulas know the parameters outside and, with 'count', index and count."},
    {"parts.NAME.connect", "object of names by name", "1",
     "What the names in the sub-model's 'connect' are: \"trunk\", \"link[index - 1].rod\", or {\"first\": ..., "
     "\"others\": ...}."},
    {"parts.NAME.position", "vector", "m", "Where the origin of the sub-model is.", true},
    {"parts.NAME.rotation", "rotation", "1", "Spatial: axes of the sub-model to those outside."},
    {"parts.NAME.angle", "number", "rad", "Planar: of the sub-model's x axis."}};

const std::vector<SectionKey> body_keys = {
    {"name", "text", "1", "Another name, for people; constraints, forces and points take one as well."},
    {"shape", "shape or array of shapes", "1", "Shape of the body, for pictures only; see 'trammel describe shape'."}};

const std::vector<SectionKey> analysis_keys = {
    {"solver", "type, or object with a type", "1",
     "Linear algebra of the equations of motion: \"auto\", the name of a solver, or {\"type\": ...} with the keys of "
     "'trammel describe linear_solver/TYPE'.",
     true, "\"auto\""},
    {"conditions", "array of objects", "1",
     "Conditions that hold at the start in addition to the constraints, and at no other time."},
    {"conditions[].of", "name of a coordinate", "1",
     "Coordinate of a body, a point or a joint: crank.x, tip.y, pin.angle.", false},
    {"conditions[].value", "number", "m or rad", "Value at the start; 'value', 'rate' or both are required."},
    {"conditions[].rate", "number", "m/s or rad/s", "Rate at the start."},
    {"weights", "object of numbers > 0 by body or coordinate", "1",
     "How much a change of the body or coordinate counts in assembly; 1 if not named."},
    {"events", "object of events by name", "1", "Events of dynamics, located where their formulas pass zero."},
    {"events.NAME.when", "formula of columns and t", "1", "The event happens where this formula passes zero.", false},
    {"events.NAME.direction", "any | rising | falling", "1", "Passages that count.", true, "\"any\""},
    {"events.NAME.action", "record | stop | restart | set", "1",
     "What happens at the event; the default is \"set\" if 'set' is given.", true, "\"record\""},
    {"events.NAME.set", "object of values by path", "unit of the key",
     "New values of keys of forces, for the action 'set': {\"forces.spring.stiffness\": 0}."}};

const std::vector<SectionKey> output_keys = {
    {"channels", "\"all\" or array of names", "1",
     "Columns of the results: names of parts (\"pin\") or of single channels (\"pin.force\"), \"all\" for everything; "
     "if left out, a selection that depends on the analysis."},
    {"writers", "array of types or objects with a type", "1",
     "Files that the rows are written to: \"csv\", or {\"type\": \"hdf5\", ...} with the keys of 'trammel describe "
     "writer/TYPE'; several at a time.",
     true, "[\"csv\"]"}};

const std::vector<SectionKey> report_keys = {
    {"author", "text", "1", "Who made the model; shown below the title."},
    {"text", "text", "1", "Free text, shown below the title."},
    {"degrees", "true or false", "1", "Whether diagrams show angles in degrees.", true, "false"},
    {"labels", "object of texts by channel or part", "1",
     "Names for people: {\"strut.force\": \"Force of the strut\", \"seat\": \"Seat\"}."},
    {"diagrams", "array of objects", "1",
     "Diagrams, from the top; if left out, the channels that the output requests and what moves and pushes."},
    {"diagrams[].title", "text", "1", "Title."},
    {"diagrams[].x", "name of a channel", "1", "Channel of the horizontal axis.", true, "\"t\""},
    {"diagrams[].y", "array of names of channels", "1", "Recorded channels, one line each.", false},
    {"diagrams[].log", "true or false", "1", "Logarithmic vertical axis.", true, "false"},
    {"diagrams[].spectrum", "true or false", "1", "Amplitudes over frequency in place of values over time.", true,
     "false"},
    {"view", "object", "1", "How the mechanism is looked at."},
    {"view.from", "oblique | front | back | left | right | top | bottom", "1",
     "Standard view; front for planar models, else oblique."},
    {"view.camera", "array of 6 numbers", "m", "Place of the camera and the point it looks at, in place of 'from'."},
    {"view.parallel", "true or false", "1", "Parallel projection in place of perspective.", true, "false"},
    {"view.follow", "name of a body, or \"\"", "1", "Body that the camera follows."},
    {"view.traces", "array of names of bodies and points", "1", "What leaves traces."},
    {"view.forces", "true or false", "1", "Recorded forces as arrows.", true, "false"},
    {"view.velocities", "true or false", "1", "Velocities as arrows.", true, "false"},
    {"view.contacts", "true or false", "1", "Points of contact while a force acts there.", true, "true"},
    {"view.arrow_scale", "number > 0", "1", "Factor on the length of the arrows.", true, "1"},
    {"view.joints", "true or false", "1", "Markers of joints and points.", true, "true"},
    {"view.ground", "true or false", "1", "Grid and shadows.", true, "true"}};

}  // namespace

const std::vector<SectionKey>& section_keys(RunFilePart part) {
  switch (part) {
    case RunFilePart::run_file: return run_file_keys;
    case RunFilePart::system: return system_keys;
    case RunFilePart::submodels: return submodel_keys;
    case RunFilePart::body: return body_keys;
    case RunFilePart::analysis: return analysis_keys;
    case RunFilePart::output: return output_keys;
    case RunFilePart::report: return report_keys;
  }
  throw std::logic_error("no such part of a run file");
}

// Looked up once per thread: whoever runs many models reads many run files.
const std::vector<std::string>& keys_below(RunFilePart part, const std::string& parent) {
  static thread_local std::map<std::pair<RunFilePart, std::string>, std::vector<std::string>> known;
  const auto [at, is_new] = known.try_emplace({part, parent});
  std::vector<std::string>& names = at->second;
  if (!is_new) return names;
  const std::string before = parent.empty() ? "" : parent + ".";
  for (const SectionKey& key : section_keys(part)) {
    const std::string name = key.name;
    if (name.rfind(before, 0) != 0) continue;
    const std::string rest = name.substr(before.size());
    if (rest.find_first_of(".[") == std::string::npos) names.push_back(rest);
  }
  return names;
}

const char* key_description(RunFilePart part, const std::string& name) {
  for (const SectionKey& key : section_keys(part)) {
    if (key.name == name) return key.description;
  }
  throw std::logic_error("no such key of a run file: " + name);
}

}  // namespace trammel
