// Plugin code that throws, exits, crashes, hangs or meddles: who it was is said, and the exit code is 3.
#include <doctest/doctest.h>

#include "manifest_for.h"

using namespace trammel;

namespace {

const std::string misbehaving = TRAMMEL_FIXTURES "/misbehaving";

ProcessResult drive(const std::string& folder, const std::string& type) {
  return run_process("TRAMMEL_WATCHDOG=0.5 '" TRAMMEL_DRIVER "' '" + folder + "' " + type);
}

void check_fails(const ProcessResult& result, const std::string& message) {
  CHECK(result.code == 3);
  CHECK(result.err.find(message + "\n") != std::string::npos);
}

}  // namespace

TEST_CASE("failures at creation") {
  check_fails(drive(misbehaving, "throws"), "plugin 'misbehaving', 'f', create: the plugin threw: no reason");
  check_fails(drive(misbehaving, "ends"),
              "plugin 'misbehaving', 'f', create: the plugin ended the process with exit()");
  const std::string aborted =
      "plugin 'misbehaving', 'f', create: the plugin aborted (SIGABRT: failed assertion, damaged heap, or an exception "
      "nobody may "
      "catch)";
  check_fails(drive(misbehaving, "aborts"), aborted);
  check_fails(drive(misbehaving, "terminates"), aborted);
}

TEST_CASE("failures at evaluation") {
  const std::string crashed =
      "plugin 'misbehaving', 'f', evaluate: the plugin crashed (SIGSEGV: invalid memory access)";
  check_fails(drive(misbehaving, "overflows"), crashed);
  check_fails(
      drive(misbehaving, "hangs"),
      "plugin 'misbehaving', 'f', evaluate: the plugin does not return (limit: TRAMMEL_WATCHDOG seconds, 0 for none)");
#if !defined(__SANITIZE_ADDRESS__)  // the undefined-behaviour sanitizer reports the write itself
  check_fails(drive(misbehaving, "crashes"), crashed);
#endif
}

TEST_CASE("the watchdog accuses no plugin while the kernel works, behind a call or inside one") {
  for (const char* place : {"behind", "inside"}) {
    CAPTURE(place);
    const ProcessResult result = drive(misbehaving, std::string("rounds ") + place);
    CHECK(result.code == 0);
    CHECK(result.err == "");
  }
}

TEST_CASE("a changed floating-point mode is found and put right") {
  const ProcessResult result = drive(misbehaving, "rounds");
  CHECK(result.code == 0);
  CHECK(result.out == "changed: rounding direction\nrestored: yes\n");
}

TEST_CASE("failures while the library is loaded") {
  const TemporaryFolder crash, leave, hang;
  place("crashes_at_load", crash.path());
  place("exits_at_load", leave.path());
  place("hangs_at_load", hang.path());
  check_fails(drive(crash.path(), "hostile"),
              "plugin 'crashes_at_load', loading: the plugin crashed (SIGSEGV: invalid memory access)");
  check_fails(drive(leave.path(), "hostile"),
              "plugin 'exits_at_load', loading: the plugin ended the process with exit()");
  check_fails(
      drive(hang.path(), "hostile"),
      "plugin 'hangs_at_load', loading: the plugin does not return (limit: TRAMMEL_WATCHDOG seconds, 0 for none)");
}

TEST_CASE("doctor survives plugins that do not, and tells which they are") {
  const TemporaryFolder folder;
  place("crashes_at_load", folder.path(), [](PluginInfo& p) { p.components.resize(1); });
  std::filesystem::copy_file(TRAMMEL_FIXTURES "/good/good.so", folder.path() / "good.so");
  std::filesystem::copy_file(TRAMMEL_FIXTURES "/good/good.trammel.json", folder.path() / "good.trammel.json");
  const ProcessResult result =
      run_process("'" TRAMMEL_EXECUTABLE "' doctor hostile --plugin-path '" + folder.path().string() + "'");
  CHECK(result.code == 3);
  CHECK(result.out.find("REFUSED  crashes_at_load 1.0.0: plugin 'crashes_at_load', loading: the plugin crashed "
                        "(SIGSEGV: invalid memory access)") != std::string::npos);
  const ProcessResult fine =
      run_process("'" TRAMMEL_EXECUTABLE "' doctor zero --plugin-path '" + folder.path().string() + "'");
  CHECK(fine.code == 0);
  CHECK(fine.out.find("a run that names function 'zero' loads " + (folder.path() / "good.so").string()) !=
        std::string::npos);
}
