// Checkpoint files: all bits come back; files of others, damaged and cut ones are refused with what is wrong.
#include "run/checkpoint_file.h"

#include <doctest/doctest.h>

#include <bit>
#include <cstdint>
#include <limits>

#include "loaded_model.h"
#include "process.h"
#include "refusal.h"

using namespace trammel;

namespace {

std::vector<std::uint64_t> bits(const std::vector<double>& values) {
  std::vector<std::uint64_t> all;
  for (const double value : values) all.push_back(std::bit_cast<std::uint64_t>(value));
  return all;
}

RunFile run_file(const std::string& duration, const std::string& name) {
  return load_run_file(temporary_run_file(R"({ "trammel": 1, "system": { "type": "pendulum_angle" },
      "analysis": { "type": "dynamics", "duration": )" +
                                              duration + R"( },
      "integrator": { "type": "rk4", "step": 0.1 } })",
                                          name));
}

struct Written {
  Written() : owner(run_file("3", "checkpoint_run.json"), {}), file(folder.path() / "checkpoint.json") {
    owner.plugins = {{"pendulum", "12ab"}, {"runge_kutta", "34cd"}};
    archive.list("state", state);
    archive.values("counters", count, flag);
    archive.list("names", names);
    write_checkpoint(file, owner, 1.5, archive);
  }
  std::string refused() const {
    const std::string text = refusal([&] { read_checkpoint(file, owner); });
    CHECK(text.rfind(file.string() + ": ", 0) == 0);
    return text.substr(std::min(text.size(), file.string().size() + 2));
  }
  /// With the first `from` behind `after` replaced.
  void change(const std::string& after, const std::string& from, const std::string& to) const {
    std::string text = text_of(file);
    const std::size_t at = text.find(from, text.find(after));
    REQUIRE(at != std::string::npos);
    write_text(file, text.replace(at, from.size(), to));
  }

  TemporaryFolder folder;
  CheckpointOwner owner;
  std::filesystem::path file;
  Archive archive;
  std::vector<double> state{0.1,
                            -0.0,
                            1 / 3.0,
                            1e-310,
                            std::numeric_limits<double>::infinity(),
                            -std::numeric_limits<double>::quiet_NaN(),
                            std::numeric_limits<double>::max()};
  std::vector<std::string> names{"two\nlines", "", "\"quoted\""};
  long count = 123456789012;
  bool flag = true;
};

}  // namespace

TEST_CASE("numbers come back with all their bits, texts with all their characters") {
  const Written written;
  Archive archive = read_checkpoint(written.file, written.owner);
  REQUIRE(archive.restores());
  std::vector<double> state;
  std::vector<std::string> names;
  long count = 0;
  bool flag = false;
  archive.list("state", state);
  archive.list("names", names);
  archive.values("counters", count, flag);
  CHECK(bits(state) == bits(written.state));
  CHECK(names == written.names);
  CHECK(count == written.count);
  CHECK(flag);
}

TEST_CASE("blocks that the file does not have, or has in another size, are refused by name") {
  const Written written;
  Archive archive = read_checkpoint(written.file, written.owner);
  std::vector<double> block(6), other(7);
  CHECK(refusal([&] { archive.block("state", block); }) == "'state' has another size");
  CHECK(refusal([&] { archive.list("steps", block); }) == "'steps' is missing");
  archive.block("state", other);
  CHECK(bits(other) == bits(written.state));
}

TEST_CASE("the checkpoint of another run file, kernel or plugin is refused with what differs") {
  Written written;
  SUBCASE("another run file") {
    written.owner.run_hash = CheckpointOwner(run_file("4", "another_run.json"), {}).run_hash;
    CHECK(written.refused().rfind("the checkpoint belongs to another run file", 0) == 0);
  }
  SUBCASE("the same run file in another place and with other spaces") {
    std::string text = text_of(run_file("3", "checkpoint_run.json").folder / "checkpoint_run.json");
    text.insert(1, "\n\n");
    CHECK(CheckpointOwner(load_run_file(temporary_run_file(text, "spaces.json")), {}).run_hash ==
          written.owner.run_hash);
  }
  SUBCASE("another kernel") {
    written.owner.kernel += "1";
    CHECK(written.refused() == "the checkpoint was written by another build of Trammel");
  }
  SUBCASE("another build of a plugin") {
    written.owner.plugins[1].second = "34ce";
    CHECK(written.refused() == "the checkpoint was written with another build of the plugin 'runge_kutta'");
  }
  SUBCASE("a plugin that was not there") {
    written.owner.plugins.emplace_back("tsda", "56ef");
    CHECK(written.refused() == "the checkpoint was written without the plugin 'tsda'");
  }
}

TEST_CASE("a file that was changed is refused, wherever it was changed") {
  const Written written;
  const std::string checksum = "is damaged: its checksum does not fit; take another checkpoint, or start the run again";
  SUBCASE("one digit of a number") {
    written.change("\"state\"", "3fb", "3fc");  // 0.1 begins with 3fb9
    CHECK(written.refused() == checksum);
  }
  SUBCASE("a character of a text") {
    written.change("\"names\"", "lines", "limes");
    CHECK(written.refused() == checksum);
  }
  SUBCASE("the time") {
    written.change("", "\"t\": 1.5", "\"t\": 1.25");
    CHECK(written.refused() == checksum);
  }
  SUBCASE("digits that are none") {
    written.change("\"state\"", "3fb", "xyz");
    CHECK(written.refused() ==
          "is damaged: a block of numbers cannot be read; take another checkpoint, or start the run again");
  }
  SUBCASE("a part that is missing") {
    written.change("", "\"texts\"", "\"text\"");
    CHECK(written.refused().rfind("is damaged: it lacks a part", 0) == 0);
  }
  SUBCASE("another format") {
    written.change("", "\"trammel_checkpoint\": 1", "\"trammel_checkpoint\": 2");
    CHECK(written.refused() == "has format 2; this version of Trammel reads format 1");
  }
}

TEST_CASE("a file cut off anywhere is refused") {
  const Written written;
  const std::string text = text_of(written.file);
  for (std::size_t size = 0; size + 2 < text.size(); size += 7) {
    CAPTURE(size);
    write_text(written.file, text.substr(0, size));
    REQUIRE(written.refused() == "is no checkpoint of a run");
  }
  std::filesystem::remove(written.file);
  CHECK(written.refused() == "cannot be read");
  write_text(written.file, text);
  CHECK(read_checkpoint(written.file, written.owner).restores());
}

TEST_CASE("checkpoints are due at multiples of their step, behind the time passed last") {
  CHECK_FALSE(CheckpointSchedule().wanted());
  CheckpointSchedule schedule(0.1);
  CHECK(schedule.wanted());
  for (const auto& [t, next] : {std::pair(0.0, 0.1), {0.05, 0.1}, {0.1 + 0.2, 0.4}, {0.3 - 1e-14, 0.4}, {7.777, 7.8}}) {
    schedule.pass(t);
    CHECK(schedule.next() == doctest::Approx(next).epsilon(1e-12));
  }
}
