// What embedding programs get wrong, and plugins do to them: told by an Error, never by lost data or a crash.
#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "embedded.h"
#include "refusal.h"

using namespace trammel;

namespace {

namespace fs = std::filesystem;

const std::string plugins = TRAMMEL_BUILD_DIR "/lib/trammel/plugins";

struct Counter final : ChannelObserver {
  void sample(At at, double, double, ConstVectorView values) override {
    of[static_cast<int>(at)] += 1;
    width = values.size;
  }
  int of[4] = {};
  Index width = 0;
};

void write(const fs::path& file, const std::string& text) {
  const fs::path fresh = file.string() + ".new";  // as linkers do: a new file under the old name
  std::ofstream(fresh, std::ios::binary) << text;
  fs::rename(fresh, file);
}

void replace(std::string& text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  text.replace(at, from.size(), to);
}

std::string bytes_of(const std::string& hexadecimal) {
  std::string bytes;
  for (std::size_t i = 0; i < hexadecimal.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(hexadecimal.substr(i, 2), nullptr, 16));
  }
  return bytes;
}

}  // namespace

TEST_CASE("a plugin that throws while the run is made is named, with the kind of its failure") {
  SimulationOptions with = options();
  with.plugin_path.push_back(TRAMMEL_BUILD_DIR "/tests/plugin_fixtures/misbehaving");
  RunDescription made = pushed_mass();
  made.set("system.forces.push.function", Value::object({{"type", "throws_late"}}));
  CHECK(refusal([&] { Simulation(made, with); }, ErrorKind::plugin) ==
        "plugin 'misbehaving', 'forces/push/function', evaluation: the plugin threw: no reason");
  made.set("system.forces.push.function", Value::object({{"type", "throws"}}));
  CHECK(refusal([&] { Simulation(made, with); }, ErrorKind::plugin).find("the plugin threw: no reason") !=
        std::string::npos);
  CHECK(Simulation(pushed_mass(), with).run() == RunStatus::completed);  // nobody is blamed afterwards
}

TEST_CASE("a plugin that was rebuilt while the process lives is refused") {
  const TemporaryFolder folder;
  const std::string id = "runge_kutta";
  const fs::path library = folder.path() / (id + ".so"), manifest = folder.path() / (id + ".trammel.json");
  fs::copy_file(plugins + "/" + id + ".so", library);
  fs::copy_file(plugins + "/" + id + ".trammel.json", manifest);
  const SimulationOptions own = {{}, {folder.path(), plugins}};
  CHECK(Simulation(pushed_mass(), own).run() == RunStatus::completed);
  CHECK(Simulation(pushed_mass(), own).run() == RunStatus::completed);

  std::string text = text_of(manifest), binary = text_of(library);
  const std::size_t key = text.find("\"build_id\""), begin = text.find('"', text.find(':', key)) + 1;
  const std::string before = text.substr(begin, text.find('"', begin) - begin);
  REQUIRE(before.size() >= 16);
  std::string after = before;
  after[0] = before[0] == '0' ? '1' : '0';
  replace(text, before, after);
  replace(binary, bytes_of(before), bytes_of(after));
  write(library, binary);
  write(manifest, text);
  const std::string told = refusal([&] { Simulation(pushed_mass(), own); }, ErrorKind::plugin);
  CHECK(told.find(library.string() + ": refused: the file changed (build-id '" + after + "')") != std::string::npos);
  CHECK(told.find("start a new process") != std::string::npos);
}

TEST_CASE("several observers watch one run") {
  Counter one, two;
  Simulation simulation(pushed_mass(), options());
  simulation.watch({"mass.x"}, {0, 0.5, 0.5, 1.23, 99}, one);
  simulation.watch({"mass.x", "mass.vx"}, {}, two);
  CHECK(simulation.run() == RunStatus::completed);
  CHECK(one.width == 1);
  CHECK(two.width == 2);
  CHECK(one.of[1] == two.of[1]);
  CHECK(one.of[2] == 20);
  CHECK(two.of[2] == 20);
  CHECK(one.of[3] == 4);
  CHECK(two.of[3] == 0);
}

TEST_CASE("times that do not ascend are refused by name") {
  Counter counter;
  Simulation simulation(pushed_mass(), options());
  const auto watch = [&](const std::vector<double>& times) {
    return refusal([&] { simulation.watch({"mass.x"}, times, counter); });
  };
  CHECK(watch({0.1, 0.5, 0.2}) == "times[2] = 0.2: the times to watch must ascend and be numbers");
  CHECK(watch({std::nan("")}).find("times[0] = nan: ") == 0);
  CHECK(watch({0.1, std::nan(""), 0.2}).find("times[1] = nan: ") == 0);
  CHECK(counter.of[0] == 0);
}

TEST_CASE("results go to one place; checkpoints need a positive time") {
  const TemporaryFolder folder;
  Simulation simulation(pushed_mass(), options());
  simulation.write_results(folder.path() / "one");
  CHECK(refusal([&] { simulation.write_results(folder.path() / "two"); }, ErrorKind::usage) ==
        "results are written to " + (folder.path() / "one").string() + " already");
  CHECK_FALSE(fs::exists(folder.path() / "two"));
  CHECK(refusal([&] { simulation.checkpoint_every(-1); }) == "checkpoint_every needs a number of seconds > 0, not -1");
  for (const double wrong : {0.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    CHECK(refusal([&] { simulation.checkpoint_every(wrong); }) != "accepted");
  }
  CHECK(refusal([&] { simulation.restart(folder.path() / "x"); }, ErrorKind::usage) ==
        "restart comes before write_results");
}

TEST_CASE("finish before the end says so; the run may go on, and loses no row") {
  const TemporaryFolder folder;
  Simulation plain(pushed_mass(), options()), halted(pushed_mass(), options());
  plain.write_results(folder.path() / "plain");
  REQUIRE(plain.run() == RunStatus::completed);
  halted.write_results(folder.path() / "halted");
  halted.advance_to(0.3);
  CHECK(halted.finish() == RunStatus::interrupted);
  CHECK(halted.message() == "interrupted at t = 0.3");
  const std::string summary = text_of(folder.path() / "halted/summary.json");
  CHECK(summary.find("\"status\": \"interrupted\"") != std::string::npos);
  CHECK(summary.find("interrupted at t = 0.3") != std::string::npos);
  const std::string rows = text_of(folder.path() / "plain/results.csv");
  CHECK(rows.find(text_of(folder.path() / "halted/results.csv")) == 0);

  halted.advance_to(1.1);
  CHECK(halted.finish() == RunStatus::interrupted);  // wherever the last step ended
  CHECK(halted.message() == "interrupted at t = 1.1");
  CHECK(halted.run() == RunStatus::completed);
  CHECK(halted.finish() == RunStatus::completed);
  CHECK(halted.message().empty());
  CHECK(text_of(folder.path() / "halted/results.csv") == rows);
  CHECK(text_of(folder.path() / "halted/summary.json").find("\"status\": \"completed\"") != std::string::npos);
}

TEST_CASE("a description that was moved away can be assigned to, and says so elsewhere") {
  RunDescription first = pushed_mass();
  RunDescription second = std::move(first);
  const std::string told = "this description was moved away: assign another one to it first";
  CHECK(refusal([&] { first.set("title", "x"); }, ErrorKind::usage) == told);  // NOLINT(bugprone-use-after-move)
  CHECK(refusal([&] { (void)first.get(); }, ErrorKind::usage) == told);
  CHECK(refusal([&] { first.add_body("b"); }, ErrorKind::usage) == told);
  CHECK(refusal([&] { RunDescription copy(first); }, ErrorKind::usage) == told);
  CHECK(refusal([&] { Simulation(first, options()); }, ErrorKind::usage) == told);
  first = second;
  CHECK(first.get() == second.get());
}
