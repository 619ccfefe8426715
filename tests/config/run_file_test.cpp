// Run files: what is read, what is refused without plugins, and what validation against a catalogue adds.
#include "config/run_file.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "config/method_request.h"
#include "config/remade_run.h"
#include "config/validate.h"
#include "example_catalogue.h"
#include "refusal.h"

using namespace trammel;

namespace {

/// A valid run file of 26 lines; tests change it by --set or by text.
const std::string example = R"({
  "trammel": 1,
  "title": "=not an expression",
  "parameters": { "L": 0.5, "m": "=2*L" },
  "plugins": { "search": ["../mine"] },
  "system": {
    "type": "spatial",
    "gravity": [0, -9.81, 0],
    "bodies": {
      "crank": { "mass": "=m", "inertia": [1, 1, 1], "position": [0, 0, 0],
                 "shape": { "type": "rod", "from": [0, 0, 0], "to": ["=L", 0, 0] } },
      "rod": { "mass": 1, "inertia": [1, 1, 1], "position": [0, 0, 0] }
    },
    "points": { "tip": { "body": "rod", "point": ["=L/2", 0, 0] } },
    "constraints": {
      "pin": { "type": "revolute", "bodies": ["ground", "crank"], "at": [0, 0, 0], "axis": [0, 0, 1] },
      "drive": { "type": "angle_driver", "joint": "pin", "function": { "type": "harmonic", "amplitude": 1 } }
    },
    "forces": { "wind": { "type": "push", "point": "tip", "force": [1, 0, 0] } }
  },
  "analysis": { "type": "dynamics", "duration": 10 },
  "formulation": { "type": "baumgarte", "alpha": 5 },
  "integrator": { "type": "rk4", "step": 1e-3 },
  "output": { "step": 0.01, "channels": ["crank", "pin.force", "energy"] }
}
)";

class Files {
 public:
  Files() : folder_(std::filesystem::temp_directory_path() / "trammel_run_file_test") {
    std::filesystem::create_directories(folder_);
  }
  ~Files() { std::filesystem::remove_all(folder_); }
  std::filesystem::path write(const std::string& text) const {
    std::ofstream(folder_ / "f.json") << text;
    return folder_ / "f.json";
  }
  std::filesystem::path folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
};

std::string replaced(const std::string& from, const std::string& to) {
  std::string text = example;
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

/// Everything `validate` says about a file, without the folder of the file.
std::string judged(const std::string& text, const std::vector<std::string>& sets = {},
                   ErrorKind kind = ErrorKind::input) {
  const Files files;
  const ExampleCatalogue catalogue;
  Problems problems;
  try {
    const RunFile run = load_run_file(files.write(text), sets, problems);
    validate(run, catalogue, problems);
  } catch (const Error& error) {
    problems.add(error);
  }
  if (problems.empty()) return "valid";
  CHECK(problems.kind() == kind);
  std::string all;
  const std::string folder = files.folder().string() + "/";
  for (std::string line : problems.lines()) {
    for (std::size_t at = line.find(folder); at != std::string::npos; at = line.find(folder))
      line.erase(at, folder.size());
    all += (all.empty() ? "" : "\n") + line;
  }
  return all;
}

std::string set(const std::string& argument, ErrorKind kind = ErrorKind::input) {
  const std::string text = judged(example, {argument}, kind);
  const std::string common = "--set " + argument + ": ";
  return text.rfind(common, 0) == 0 ? text.substr(common.size()) : text;
}

}  // namespace

TEST_CASE("a run file is read into its parts") {
  const Files files;
  const RunFile run = load_run_file(files.write(example));
  CHECK(run.title == "=not an expression");
  REQUIRE(run.plugin_search.size() == 1);
  CHECK(run.plugin_search[0] == std::filesystem::temp_directory_path() / "mine");
  CHECK(run.system.type == "spatial");
  REQUIRE(run.bodies.size() == 2);
  CHECK(run.bodies[0].name == "crank");
  CHECK(run.bodies[0].node->find("mass")->number == 1);
  CHECK(run.bodies[0].path == "/system/bodies/crank");
  CHECK(run.constraints[0].type == "revolute");
  CHECK(run.forces[0].name == "wind");
  CHECK(run.analysis.type == AnalysisType::dynamics);
  CHECK(run.analysis.duration == 10);
  CHECK_FALSE(given(run.analysis.constraint_limit));
  CHECK(run.analysis.method == EquilibriumMethod::none);
  CHECK(run.formulation.type == "baumgarte");
  CHECK(run.integrator.type == "rk4");
  CHECK(run.output.step == 0.01);
  CHECK_FALSE(run.output.at_steps);
  CHECK(run.output.channels == std::vector<std::string>{"crank", "pin.force", "energy"});
  CHECK(run.resolved_json().find("\"mass\": 1,") != std::string::npos);

  Problems problems;
  const NameResolver names(run, Host::spatial, problems);
  CHECK(problems.empty());
  CHECK(names.body("ground") == -1);
  CHECK(names.body("rod") == 1);
  CHECK(names.point("tip")->local[0] == 0.25);
  CHECK(names.point("tip")->body.index == 1);
  CHECK(names.element("drive") == 1);
  CHECK_FALSE(names.body("pin"));
}

TEST_CASE("the resolved run file is a run file that means the same") {
  const Files files;
  const std::string resolved = load_run_file(files.write(example), {"parameters.L=0.6"}).resolved_json();
  const RunFile again = load_run_file(files.write(resolved));
  CHECK(again.bodies[0].node->find("mass")->number == 1.2);
  CHECK(again.resolved_json() == resolved);
}

TEST_CASE("a folded run file still tells and makes all that it did") {
  const Files files;
  const std::filesystem::path file = files.write(example);
  const std::vector<std::string> sets = {"parameters.L=0.6"};
  const RunFile whole = load_run_file(file, sets);
  RunFile run = load_run_file(file, sets);
  run.fold();
  run.fold();  // once is enough
  CHECK(run.folded());
  CHECK(run.resolved_json() == whole.resolved_json());
  CHECK(to_json(run.whole_document()) == to_json(*whole.document));
  CHECK(number_at(run, "system.bodies.crank.mass") == 1.2);
  CHECK(number_at(run, "analysis.duration") == 10);
  CHECK(remade(run, {number_setting("system.bodies.rod.mass", 7)}).bodies[1].node->find("mass")->number == 7);
  // What is asked for while a run goes on stays; the rest is gone from memory.
  CHECK(run.system.node->find("type")->text == "spatial");
  CHECK(run.integrator.node->find("step") != nullptr);
  CHECK(run.bodies[0].name == "crank");
  CHECK(run.system.node->find("bodies")->members.empty());
  CHECK(run.system.node->find("constraints")->members.empty());
  CHECK(run.constraints[0].node == nullptr);
  CHECK(run.forces[0].node == nullptr);
}

TEST_CASE("a node of a document takes little memory, and copies of its rare parts are its own") {
  CHECK(sizeof(Node) <= 104);
  Node node;
  node.kind = Node::Kind::array;
  node.items.emplace_back().expression = "=2*a";
  node.items.push_back(Node::make_number(1, {}));
  Node copy = node;
  node.items[0].expression = "";
  node.items.erase(node.items.begin() + 1);
  CHECK(node.items.size() == 1);
  CHECK(node.items[0].expression.empty());
  REQUIRE(copy.items.size() == 2);
  CHECK(copy.items[0].expression.str() == "=2*a");
  CHECK(copy.items.back().number == 1);
  copy.items.remove_if([](const Node& item) { return item.is_number(); });
  CHECK(copy.items.size() == 1);
  CHECK(Node().items.begin() == Node().items.end());
}

TEST_CASE("the example is valid, and stays so under legal changes") {
  CHECK(judged(example) == "valid");
  CHECK(set("system.bodies.crank.mass=2") == "valid");
  CHECK(set("system.bodies.crank.shape=[{\"type\": \"sphere\", \"radius\": 1}]") == "valid");
  CHECK(set("system.bodies.crank.shape=[{\"type\": \"disc\", \"radius\": 1, \"axis\": [0, 1, 0]}, {\"type\": "
            "\"none\"}]") == "valid");
  CHECK(set("system.ground={\"shape\": {\"type\": \"line\", \"points\": [0, 0, 0, 1, 0, 0], \"closed\": true}}") ==
        "valid");
  CHECK(set("system.constraints.drive.function=3") == "valid");
  CHECK(set("system.constraints.drive.function==2*L") == "valid");
  CHECK(set("output={\"at\": \"steps\", \"channels\": \"all\"}") == "valid");
  CHECK(set("output={}") == "valid");
  CHECK(set("analysis.constraint_limit=1e-6") == "valid");
  CHECK(set("$schema=run.schema.json") == "valid");
}

TEST_CASE("a file that is no run file says so and nothing else") {
  CHECK(judged("{\"system\": {}}") ==
        "f.json:1: missing key 'trammel', the format version: a run file has \"trammel\": 2");
  CHECK(judged("{\"trammel\": 0}") == "f.json:1: /trammel: the format version must be 2, or 1 of older files, not 0");
  CHECK(
      judged("{\"trammel\": 3}") ==
      "f.json:1: /trammel: the format version must be 2, or 1 of older files, not 3; this file needs a newer Trammel");
  CHECK(judged("{\n\"trammel_study\": 1}") ==
        "f.json:2: /trammel_study: this is a study, not a run file; use 'trammel study'");
  CHECK(judged("[1]") == "f.json:1: a run file is a JSON object, not an array");
}

TEST_CASE("missing sections are asked for") {
  CHECK(judged("{\"trammel\": 1}") ==
        "f.json:1: missing key 'system': what is simulated, for example {\"type\": \"spatial\", \"bodies\": {...}}\n"
        "f.json:1: missing key 'analysis': what is computed, for example {\"type\": \"dynamics\", \"duration\": 10}");
  CHECK(judged(replaced(", \"duration\": 10", "")) ==
        "f.json:21: /analysis: missing key 'duration' for an analysis of type 'dynamics': simulated time, s");
}

TEST_CASE("methods may be named by their types alone, left out, or left to the program") {
  const std::string line = "  \"integrator\": { \"type\": \"rk4\", \"step\": 1e-3 },\n";
  CHECK(judged(replaced(line, "")) == "valid");
  CHECK(judged(replaced(line, "  \"integrator\": \"dopri5\",\n")) == "valid");
  CHECK(judged(replaced(line, "  \"integrator\": {\"type\": \"auto\", \"rtol\": 1e-7, \"max_step\": 0.1},\n")) ==
        "valid");
  CHECK(judged(replaced(line, "  \"integrator\": {\"type\": \"auto\", \"step\": 0.01},\n"))
            .find("/integrator/step: \"auto\" chooses its steps by \"rtol\" and \"atol\"") != std::string::npos);
  CHECK(
      judged(replaced(line, "  \"integrator\": {\"type\": \"auto\", \"atl\": 0.01},\n")).find("did you mean 'atol'?") !=
      std::string::npos);
  CHECK(judged(replaced(line, "  \"integrator\": 5,\n")).find("/integrator: must be an object, not 5") !=
        std::string::npos);
}

TEST_CASE("a choice takes the keys beside \"auto\" over, and leaves the document as it was written") {
  const Files files;
  const std::string line = "  \"integrator\": { \"type\": \"rk4\", \"step\": 1e-3 },\n";
  std::string text = example;
  text.replace(text.find(line), line.size(),
               "  \"formulation\": \"auto\", \"integrator\": {\"type\": \"auto\", \"rtol\": 1e-7},\n");
  text.erase(text.find("  \"formulation\": {"),
             std::string("  \"formulation\": { \"type\": \"baumgarte\", \"alpha\": 5 },\n").size());
  RunFile run = load_run_file(files.write(text));
  const std::string before = run.resolved_json();
  put_method(run, {"projection", "dopri853"});
  CHECK(run.integrator.type == "dopri853");
  CHECK(run.integrator.node->find("rtol")->number == 1e-7);
  CHECK(run.resolved_json() == before);
  CHECK(method_text(run).find("\"integrator\": { \"type\": \"dopri853\", \"rtol\": 1e-") != std::string::npos);
  CHECK(settings_of_choice(run).back().path == "integrator");
}

TEST_CASE("keys and values of the fixed sections are checked") {
  CHECK(judged(replaced("\"output\"", "\"outptu\"")) ==
        "f.json:24: /outptu: unknown key for a run file; did you mean 'output'?");
  CHECK(judged(replaced("\"duration\": 10", "\"duration\": -1")) ==
        "f.json:21: /analysis/duration: must be > 0 s, not -1");
  CHECK(set("analysis.type=dynamic") ==
        "/analysis/type: there is no analysis type 'dynamic'; did you mean 'dynamics'?");
  CHECK(
      set("analysis.type=3") ==
      "/analysis/type: must be assembly, kinematics, inverse_dynamics, dynamics, equilibrium, modes, or a type that a "
      "plugin brings ('trammel plugins' lists them), not 3");
  CHECK(set("title=5") == "/title: must be a text, not 5");
  CHECK(set("plugins.search=x") == "/plugins/search: must be an array of folders, not the text 'x'");
  CHECK(set("output.at=steps") == "/output/at: give either 'step' or 'at', not both");
  CHECK(set("output.channels=5") == "/output/channels: must be \"all\" or an array of names, not 5");
  CHECK(set("output.channels.0=crnak") ==
        "/output/channels/0: nothing in the model is called 'crnak'; did you mean 'crank'?");
  CHECK(set("system.bodies=[]") ==
        "/system/bodies: must be an object, not an empty array\n"
        "f.json:14: /system/points/tip/body: there is no body 'rod'\n"
        "f.json:16: /system/constraints/pin/bodies/1: there is no body 'crank'\n"
        "f.json:24: /output/channels/0: nothing in the model is called 'crank'");
}

TEST_CASE("names are legal, unique and not reserved") {
  CHECK(judged(replaced("\"tip\":", "\"2tip\":")) ==
        "f.json:14: /system/points/2tip: a name consists of letters, digits and '_', and starts with no digit\n"
        "f.json:19: /system/forces/wind/point: there is no point 'tip'; did you mean '2tip'?");
  CHECK(judged(replaced("\"wind\":", "\"energy\":")) ==
        "f.json:19: /system/forces/energy: the name 'energy' is reserved; choose another");
  CHECK(judged(replaced("\"wind\":", "\"crank\":")) ==
        "f.json:19: /system/forces/crank: the name 'crank' is taken already by /system/bodies/crank (f.json:10)");
  CHECK(judged(replaced("\"rod\": {", "\"crank\": {"))
            .rfind("f.json:12: duplicate key 'crank'; it stands in line 10", 0) == 0);
}

TEST_CASE("types must exist for the model's host; missing ones alone are exit code 3") {
  CHECK(set("system.constraints.pin.type=revolut", ErrorKind::plugin) ==
        "/system/constraints/pin/type: there is no constraint type 'revolut' for spatial models; did you mean "
        "'revolute'?");
  CHECK(set("system.constraints.pin.type=point_on_line", ErrorKind::plugin) ==
        "/system/constraints/pin/type: there is no constraint type 'point_on_line' for spatial models; it exists for "
        "planar models");
  CHECK(set("integrator.type=baumgarte", ErrorKind::plugin) ==
        "/integrator/type: there is no integrator type 'baumgarte' for spatial models; it is a formulation");
  CHECK(
      set("system.constraints.drive.function.type=harmonics", ErrorKind::plugin) ==
      "/system/constraints/drive/function/type: there is no function type 'harmonics' for spatial models; did you mean "
      "'harmonic'?");
  CHECK(set("integrator.type=Big Step") ==
        "/integrator/type: must be the name of a type, [vendor.]snake_case, not the text 'Big Step'");
  CHECK(judged(replaced("\"type\": \"revolute\", ", "")) ==
        "f.json:16: /system/constraints/pin: missing key 'type': the type of the constraint");
}

TEST_CASE("components are checked by their tables, wherever they stand") {
  CHECK(judged(replaced("\"axis\"", "\"axes\"")) ==
        "f.json:16: /system/constraints/pin/axes: unknown key for type 'revolute'; did you mean 'axis'?\n"
        "f.json:16: /system/constraints/pin: missing key 'axis' for type 'revolute': The axis.");
  CHECK(set("system.bodies.crank.mas=2") == "/system/bodies/crank/mas: unknown key for a body; did you mean 'mass'?");
  CHECK(set("system.bodies.crank.mass==-m") == "/system/bodies/crank/mass: must be > 0 kg, not -1 (from '=-m')");
  CHECK(set("system.bodies.crank.inertia=[1,2]") ==
        "/system/bodies/crank/inertia: must have at least 3 entries, not 2");
  CHECK(set("system.bodies.crank.shape.type=ball") == "/system/bodies/crank/shape/type: there is no shape 'ball'");
  CHECK(set("system.ground={\"shap\": 1}") == "/system/ground/shap: unknown key for the ground; it has a 'shape' only");
  CHECK(set("system.ground={\"shape\": {\"type\": \"disc\"}}").find("radius") != std::string::npos);
  CHECK(set("system.bodies.crank.shape.radius=0") == "/system/bodies/crank/shape/radius: must be > 0 m, not 0");
  CHECK(set("system.constraints.drive.function.amplitdue=1") ==
        "/system/constraints/drive/function/amplitdue: unknown key for type 'harmonic'; did you mean 'amplitude'?");
  CHECK(set("system.constraints.drive.joint=wind") == "/system/constraints/drive/joint: there is no constraint 'wind'");
  CHECK(set("system.constraints.pin.bodies=[\"crank\"]") ==
        "/system/constraints/pin/bodies: must have 2 entries, not 1");
  CHECK(set("formulation.alpha=0") == "/formulation/alpha: must be > 0 1/s, not 0");
  CHECK(set("system.gravty=[0,0,0]") == "/system/gravty: unknown key for type 'spatial'; did you mean 'gravity'?");
  CHECK(set("system.gravity=[0,0]") == "/system/gravity: must be an array of 3 numbers, not of 2");
  CHECK(judged(example, {"system={\"type\": \"spinning_top\", \"mass\": 1, \"bodies\": {}}"}) ==
        "--set system={\"type\": \"spinning_top\", \"mass\": 1, \"bodies\": {}}: /system/bodies: a system of type "
        "'spinning_top' has no bodies");
}

TEST_CASE("a wrong expression is reported once") {
  CHECK(judged(replaced("\"=m\"", "\"=mm\"")) ==
        "f.json:10: /system/bodies/crank/mass: in the expression '=mm': unknown name 'mm' at column 2; did you mean "
        "'m'?");
}

TEST_CASE("an error shows all lines, up to twenty") {
  const Files files;
  std::string text = "{\"trammel\": 1";
  for (int i = 0; i < 30; ++i) text += ",\n\"k" + std::to_string(i) + "\": 1";
  const std::string message = refusal([&] { load_run_file(files.write(text + "}")); });
  CHECK(std::count(message.begin(), message.end(), '\n') == 20);
  CHECK(message.find("\n... and 12 more errors") != std::string::npos);
}

TEST_CASE("missing types come with the search trace") {
  const Files files;
  const ExampleCatalogue catalogue;
  const RunFile run = load_run_file(files.write(example), {"integrator.type=missing"});
  const std::string message = refusal([&] { require_valid(run, catalogue, "searched: here"); }, ErrorKind::plugin);
  CHECK(message ==
        "--set integrator.type=missing: /integrator/type: there is no integrator type 'missing' for spatial "
        "models\nsearched: here");
}
