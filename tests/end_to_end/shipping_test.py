"""trammel_install_plugin with libraries of somebody else, and what it and trammel_package_plugins refuse.

Arguments: TRAMMEL BUILD_FOLDER [unittest arguments]
"""
import pathlib
import subprocess
import sys

import support
from support import Case, main

BUILD = pathlib.Path(sys.argv.pop(1))
PLUGIN = """
#include <trammel/sdk/elements/auto_function.h>
#include <trammel/sdk/plugin.h>
double outer();
using namespace trammel;
class Level final : public sdk::AutoFunction<Level> {
 public:
  struct Parameters { double factor; };
  static constexpr auto parameters = sdk::table<Parameters>(TRAMMEL_FIELD(Parameters, factor, "1", "Factor.").otherwise("1"));
  explicit Level(const Parameters& p) : level_(p.factor * outer()) {}
  template <class T> T value(const T&) const { return T(level_); }
 private:
  double level_;
};
TRAMMEL_PLUGIN("acme.level", "1.0.0", "MIT", component<Level>(Host::any, "acme.level", "A constant.", ""));
"""
PROJECT = """
cmake_minimum_required(VERSION 3.22)
project(acme_level VERSION 1.0 LANGUAGES CXX)
find_package(Trammel CONFIG REQUIRED)
trammel_add_plugin(acme.level SOURCES level.cpp)
"""
RUN = {"trammel": 2,
       "system": {"type": "planar", "bodies": {"cart": {"mass": 2, "inertia": 0.1}},
                  "forces": {"push": {"type": "applied_force", "body": "cart", "force": [1, 0],
                                      "function": {"type": "acme.level", "factor": 2}}}},
       "analysis": {"type": "dynamics", "duration": 1}, "formulation": "direct", "integrator": {"type": "rk4", "step": 0.1},
       "output": {"step": 1, "channels": ["cart.vx"]}}


def setUpModule():
    global PREFIX
    PREFIX = support.install(BUILD)


class Shipping(Case):
    def call(self, *command, fails=False):
        result = subprocess.run([str(part) for part in command], cwd=self.folder, capture_output=True, text=True, timeout=250)
        self.assertEqual(result.returncode != 0, fails, result.stdout + result.stderr)
        return " ".join((result.stdout + result.stderr).split())

    def configure(self, rest, fails=False):
        (self.folder / "level.cpp").write_text(PLUGIN)
        (self.folder / "CMakeLists.txt").write_text(PROJECT + rest)
        return self.call("cmake", "-G", "Ninja", "-B", "build", f"-DCMAKE_PREFIX_PATH={PREFIX}", fails=fails)

    def test_libraries_of_a_vendor(self):
        """One needs the other, neither knows where it lies, both are known by a name with a version, and all of it is moved."""
        vendor = self.folder / "opt" / "vendor"
        vendor.mkdir(parents=True)
        for name, source, others in (("inner", "double inner() { return 3; }", []),
                                     ("outer", "double inner(); double outer() { return inner(); }", ["-linner"])):
            (vendor / f"{name}.cpp").write_text(source)
            self.call("g++", "-shared", "-fPIC", vendor / f"{name}.cpp", "-o", vendor / f"lib{name}.so.3.1", f"-L{vendor}",
                      f"-Wl,-soname,lib{name}.so.3", *others)
            for link in (f"lib{name}.so.3", f"lib{name}.so"):
                (vendor / link).symlink_to(f"lib{name}.so.3.1")
        self.configure(f"""
set(vendor {vendor})
target_link_libraries(trammel_plugin_acme.level PRIVATE ${{vendor}}/libouter.so)
target_link_options(trammel_plugin_acme.level PRIVATE "LINKER:-rpath-link,${{vendor}}")
add_library(vendor::inner SHARED IMPORTED)
set_target_properties(vendor::inner PROPERTIES IMPORTED_LOCATION ${{vendor}}/libinner.so)
trammel_install_plugin(acme.level DESTINATION plugins LIBRARIES ${{vendor}}/libouter.so vendor::inner)
""")
        self.call("cmake", "--build", "build")
        self.call("cmake", "--install", "build", "--prefix", "tree")
        (self.folder / "tree").rename(self.folder / "else where")
        vendor.rename(self.folder / "gone")
        plugins = self.folder / "else where" / "plugins"
        self.assertEqual(sorted(file.relative_to(plugins).as_posix() for file in plugins.rglob("*")),
                         ["acme.level.libs", "acme.level.libs/libinner.so.3", "acme.level.libs/libouter.so.3",
                          "acme.level.so", "acme.level.trammel.json"])
        self.succeed(RUN, "--plugin-path", plugins)
        self.assertAlmostEqual(self.table()[1][-1][1], 3.0, delta=1e-12)  # 2 * 3 N for 1 s on 2 kg

    def test_what_is_refused(self):
        refused = [
            ("trammel_install_plugin(acme.levle)", "trammel_install_plugin(acme.levle): there is no such plugin"),
            ("trammel_install_plugin(acme.level LIBRARIES libnone.so)", "there is no target and no file 'libnone.so'"),
            ("trammel_install_plugin(acme.level LIBRARIES level.cpp)", "level.cpp' is no shared library"),
            ("trammel_install_plugin(acme.level TO plugins)", "expected LIBRARIES, DESTINATION or COMPONENT, not 'TO;plugins'"),
            ("add_library(part STATIC level.cpp)\ntrammel_install_plugin(acme.level LIBRARIES part)",
             "'part' is a STATIC_LIBRARY; only shared libraries come along"),
            ("trammel_package_plugins(CONTACT \"A <a@b.example>\")", "no plugin is installed"),
            ("trammel_install_plugin(acme.level)\ntrammel_package_plugins()", "expected CONTACT \"name <address>\""),
        ]
        for rest, message in refused:
            with self.subTest(rest=rest):
                self.assertIn(message, self.configure(rest, fails=True))

    def test_what_was_set_before_is_kept(self):
        self.configure("""
trammel_install_plugin(acme.level)
set(CPACK_PACKAGE_NAME other-name)
set(CPACK_GENERATOR TGZ)
trammel_package_plugins(CONTACT "A <a@b.example>")
""")
        written = (self.folder / "build" / "CPackConfig.cmake").read_text()
        self.assertIn('set(CPACK_PACKAGE_NAME "other-name")', written)
        self.assertIn('set(CPACK_GENERATOR "TGZ")', written)
        self.assertIn('set(CPACK_PACKAGE_CONTACT "A <a@b.example>")', written)
        self.assertRegex(written, r'set\(CPACK_DEBIAN_PACKAGE_DEPENDS "trammel-abi-\d+ \(>= \d+\.\d+\)"\)')


main()
