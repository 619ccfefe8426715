// An installed tree that was moved: finds its library and plugins, and lets a stranger build a plugin against it.
#include <doctest/doctest.h>

#include "process.h"

using namespace trammel;

TEST_CASE("install, move, list, build a plugin outside") {
  const TemporaryFolder folder;
  const std::string here = folder.path().string(), tree = here + "/moved tree";
  const ProcessResult install = run_process("cmake --install '" TRAMMEL_BUILD_DIR "' --prefix '" + here + "/first'");
  REQUIRE_MESSAGE(install.code == 0, install.err);
  std::filesystem::rename(here + "/first", tree);

  const std::string trammel = "'" + tree + "/bin/trammel'";
  const ProcessResult doctor = run_process(trammel + " doctor");
  CHECK_MESSAGE(doctor.code == 0, doctor.out);
  CHECK(doctor.out.find(tree + "/lib/trammel/plugins (beside libtrammel): ") != std::string::npos);
  CHECK(doctor.out.find("warnings: 0") != std::string::npos);
  CHECK(doctor.out.find(TRAMMEL_BUILD_DIR) == std::string::npos);
  const ProcessResult libraries = run_process("ldd " + trammel);
  CHECK(libraries.out.find(tree + "/bin/../lib/libtrammel.so") != std::string::npos);
  CHECK(std::filesystem::is_directory(tree + "/share/trammel/configs/examples"));

  const std::string build = here + "/build";
  const ProcessResult configure =
      run_process("cmake -G Ninja -S '" TRAMMEL_SOURCE_DIR "/tests/plugin/stranger' -B '" + build +
                  "' -DCMAKE_PREFIX_PATH='" + tree + "' && cmake --build '" + build + "'");
  REQUIRE_MESSAGE(configure.code == 0, configure.out, configure.err);
  const ProcessResult describe = run_process(trammel + " describe stranger.wave --plugin-path '" + build + "'");
  CHECK(describe.code == 0);
  CHECK(describe.out.find("height  Height of the crests.") != std::string::npos);
  const ProcessResult loads = run_process(trammel + " doctor stranger.wave --plugin-path '" + build + "'");
  CHECK_MESSAGE(loads.code == 0, loads.out);

  // Without one plugin's files exactly the runs that need it fail.
  const auto run = [&](const std::string& name) {
    return run_process(trammel + " run '" + tree + "/share/trammel/configs/examples/" + name +
                       ".json' --set analysis.duration=0.1 -o '" + here + "/" + name + "'");
  };
  for (const char* ending : {".so", ".trammel.json"}) {
    std::filesystem::remove(tree + "/lib/trammel/plugins/tsda" + ending);
  }
  const ProcessResult without = run("spring_mass");
  CHECK(without.code == 3);
  CHECK(without.err.find("there is no force type 'tsda' for planar models") != std::string::npos);
  CHECK(without.err.find(tree + "/lib/trammel/plugins (beside libtrammel): ") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(here + "/spring_mass"));
  const ProcessResult others = run("slider_crank");
  CHECK_MESSAGE(others.code == 0, others.err);
}
