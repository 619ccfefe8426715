"""A stranger's first hour: an installed and moved tree, `trammel new`, build, ctest, check, run.

Arguments: TRAMMEL BUILD_FOLDER [unittest arguments]
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

import support
from support import Case, main

BUILD = pathlib.Path(sys.argv.pop(1))


def setUpModule():
    global PREFIX
    PREFIX = support.install(BUILD)


class Stranger(Case):
    def new(self, *arguments):
        result = self.trammel("new", *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result

    def build(self, name, *options, tests=3):
        """Configures, builds, and runs the plugin's own tests: the kit, the run file, and as a rule a study."""
        told = support.build_and_test(self.folder / name, PREFIX, *options)
        self.assertIn(f"100% tests passed, 0 tests failed out of {tests}", told)

    def check(self, name, *options):
        result = self.trammel("check", self.folder / name / "build" / f"acme.{name}.so", "--json", *options)
        report = json.loads(result.stdout)
        failures = [check for check in report["checks"] if check["outcome"] == "failed"]
        self.assertEqual(failures, [])
        self.assertEqual(result.returncode, 0)
        return report


class FirstPlugin(Stranger):
    def test_an_integrator_from_nothing(self):
        told = self.new("integrator", "acme.my_rk").stdout
        self.assertIn(f"\n  cmake -B build '-DCMAKE_PREFIX_PATH={PREFIX}'\n", told)
        self.build("my_rk")
        report = self.check("my_rk", "--level", "4")
        self.assertGreater(report["passed"], 20)
        # Cases are found in the folder beside the build folder, without being named.
        self.assertIn("contract.run", [check["id"] for check in report["checks"] if check["outcome"] == "passed"])
        result = self.trammel("run", "my_rk/cases/my_rk.json", "-o", "out", "--trust")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("acme.my_rk", [plugin["id"] for plugin in self.summary()["plugins"]])

    def test_from_a_build_tree(self):
        """No plugin can be built against it, so the way to an installed tree is told."""
        told = subprocess.run([BUILD / "bin" / "trammel", "new", "force", "acme.tug"], cwd=self.folder, check=True,
                              capture_output=True, text=True).stdout
        self.assertIn("cmake --install", told)
        self.assertIn("\n  cmake -B build -DCMAKE_PREFIX_PATH=DIR\n", told)

    def test_names_that_are_taken(self):
        """No generated class has the name of a type of the interfaces, the SDK or the templates."""
        headers = [header for part in ("framework/include", "sdk/include", "sdk/templates")
                   for header in (support.SOURCE / part).rglob("*") if header.suffix in (".h", ".cpp")]
        types = set()
        for header in headers:
            text = re.sub(r"//[^\n]*", "", header.read_text())
            types |= set(re.findall(r"\b(?:class|struct|enum|union|concept|typename|using)\s+([A-Z][A-Za-z0-9]*)\b", text))
        self.assertGreater(len(types), 250)
        for number, name in enumerate(sorted(types | {"Class", "Double", "Eigen"})):
            snake = re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
            self.new("function", f"acme.{snake}", "-o", str(number))
            text = (self.folder / str(number) / f"{snake}.cpp").read_text()
            made = re.search(r"class (\w+) final", text)[1]
            self.assertNotIn(made, types | {"Eigen"}, "add it to framework/src/cli/reserved_names.cpp")
            self.assertIn(made, (name, "My" + name))

    def test_they_compile(self):
        self.new("system", "acme.system")
        self.build("system")
        self.new("force", "acme.state", "--host", "planar")
        self.new("formulation", "acme.memory")
        for name in ("state", "memory"):
            subprocess.run(["g++", "-std=c++20", "-fsyntax-only", "-I", PREFIX / "include", "-isystem", "/usr/include/eigen3",
                            self.folder / name / f"{name}.cpp"], check=True, timeout=60)
        # The README goes with the library to wherever the plugins are put.
        (self.folder / "plugins").mkdir()
        for file in (self.folder / "system" / "build").glob("acme.system.*"):
            shutil.move(file, self.folder / "plugins")
        result = self.trammel("reference", "-o", "pages", "--plugin", "acme.system", "--plugin-path", "plugins")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("## Equations\n\n    m x'' = ", (self.folder / "pages" / "system" / "acme.system.md").read_text())

    def test_links_of_installed_pages(self):
        pages = [page for part in ("sdk", "docs") for page in (PREFIX / "share" / "trammel" / part).rglob("*.md")]
        self.assertGreater(len(pages), 20)
        links = [(page, link) for page in pages
                 for link in re.findall(r"(?<=\]\()(?!\w+:)[\w./-]+(?=[)#])", re.sub(r"(?ms)^```.*?^```", "", page.read_text()))]
        self.assertIn("../../docs/embedding.md", [link for _, link in links])
        self.assertEqual([(page.name, link) for page, link in links if not (page.parent / link).exists()], [])

    def test_the_folder_and_what_is_in_it(self):
        self.new("force", "acme.tug", "--host", "planar", "-o", "elsewhere")
        files = {str(file.relative_to(self.folder / "elsewhere"))
                 for file in (self.folder / "elsewhere").rglob("*") if file.is_file()}
        self.assertEqual(files, {".gitignore", "CMakeLists.txt", "README.md", "tug.cpp", "cases/tug.json",
                                 "cases/tug_study.json"})
        for file in (self.folder / "elsewhere").rglob("*"):
            if file.is_file():
                self.assertNotIn("@", file.read_text().replace("trammel@", ""), file)

    def test_refusals(self):
        (self.folder / "taken").mkdir()
        for arguments, code, words in (
                (["gear", "acme.x"], 1, "there is no kind 'gear'; known are integrator, constraint"),
                (["force", "AcmeForce"], 1, "'AcmeForce' is no name for a type: write [vendor.]snake_case"),
                (["force", "a.b.c"], 1, "'a.b.c' is no name"),
                (["force", "acme.x", "--host", "round"], 1, "--host is one of spatial, planar, not 'round'"),
                (["function", "acme.x", "--host", "planar"], 1, "--host has no meaning for a new function"),
                (["integrator", "acme.x", "--flavour", "sweet"], 1, "--flavour is one of runge_kutta, multistep, implicit"),
                (["constraint", "acme.x", "--flavour", "drive"], 1, "--flavour is one of plain, driver, not 'drive'"),
                (["system", "acme.x", "--flavour", "states"], 1, "--flavour is one of problem, bodies, not 'states'"),
                (["force", "taken"], 1, "taken: exists already; nothing was written"),
                (["force", "acme.x", "-o", "/dev/null/x"], 4, "/dev/null/x: cannot be created"),
                (["force"], 1, "NAME is required")):
            with self.subTest(arguments):
                result = self.trammel("new", *arguments)
                self.assertEqual(result.returncode, code, result.stderr)
                self.assertIn(words, result.stderr)
        self.assertEqual(sorted(os.listdir(self.folder)), ["taken"])

    def test_templates_are_short(self):
        """No more than 40 lines besides parameters, comments and what every source has."""
        for arguments in (["integrator", "rk"], ["integrator", "ab", "--flavour", "multistep"], ["constraint", "rod"],
                          ["force", "tug"], ["formulation", "feedback"], ["function", "tanh_step"]):
            self.new(*arguments)
            text = (self.folder / arguments[1] / f"{arguments[1]}.cpp").read_text()
            begin = text.find("  struct Parameters")
            if begin >= 0:
                end = text.index(");\n\n", begin)
                text = text[:begin] + text[end + 3:]
            lines = [line for line in text.splitlines() if line.strip() and not line.strip().startswith("//")]
            self.assertLessEqual(len(lines), 40, arguments)


class EveryKind(Stranger):
    def everything(self, kind, name, *options, tests=3):
        """From nothing to a run, which is one of the plugin's own tests; prints how long each stage takes."""
        begin = time.monotonic()
        self.new(kind, f"acme.{name}", *options)
        self.build(name, tests=tests)
        built = time.monotonic()
        self.check(name, "--level", "4")
        checked = time.monotonic()
        print(f"walk: {' '.join((kind, *options))}: {built - begin:.1f} s to a run, {checked - built:.1f} s check --level 4")

    def test_multistep(self):
        self.everything("integrator", "my_ab", "--flavour", "multistep")

    def test_implicit(self):
        self.everything("integrator", "my_sdirk", "--flavour", "implicit")

    def test_metric(self):
        self.everything("metric", "high_time")

    def test_constraint(self):
        self.everything("constraint", "rod")

    def test_planar_constraint(self):
        self.everything("constraint", "rod", "--host", "planar")

    def test_driver(self):
        self.everything("constraint", "lift", "--flavour", "driver")

    def test_planar_driver(self):
        self.everything("constraint", "lift", "--flavour", "driver", "--host", "planar")

    def test_force(self):
        self.everything("force", "tug")

    def test_planar_force(self):
        self.everything("force", "tug", "--host", "planar")

    def test_force_with_states(self):
        self.everything("force", "maxwell", "--flavour", "states")

    def test_planar_force_with_states(self):
        self.everything("force", "maxwell", "--flavour", "states", "--host", "planar")

    def test_formulation(self):
        self.everything("formulation", "feedback")

    def test_system(self):
        self.everything("system", "duffing")

    def test_system_of_bodies(self):
        self.everything("system", "drifters", "--flavour", "bodies")

    def test_function(self):
        self.everything("function", "tanh_step")

    def test_function_of_a_library(self):
        """Installed and moved, it finds the library beside it."""
        self.everything("function", "bell_push", "--flavour", "library")
        subprocess.run(["cmake", "--install", self.folder / "bell_push" / "build", "--prefix", self.folder / "first"],
                       check=True, capture_output=True)
        (self.folder / "first").rename(self.folder / "moved")
        shutil.rmtree(self.folder / "bell_push" / "build")
        result = self.trammel("run", "bell_push/cases/bell_push.json", "-o", "out", "--plugin-path",
                              "moved/lib/trammel/plugins")
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_importer(self):
        """Three tests: the kit, an import, and a run of what was imported."""
        self.everything("importer", "mass_file")
        broken = self.folder / "broken.masses"
        broken.write_text("# masses\nmass upper 1.5 0.3 0 -0.4\nrod first ground uper\n")
        result = self.trammel("import", "broken.masses", "--plugin-path", "mass_file/build")
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("broken.masses:3: <rod>: there is no mass 'uper' above", result.stderr)

    def test_writer(self):
        self.everything("writer", "tabs")

    def test_linear_solver(self):
        self.everything("linear_solver", "my_lu")

    def test_analysis(self):
        self.everything("analysis", "my_search", tests=2)


class Compilers(Stranger):
    """Both compilers, both build types, and other instruction sets than the kernel's."""

    def test_matrix(self):
        self.new("force", "acme.tug")
        for compiler in ("g++", "clang++"):
            if shutil.which(compiler) is None:
                continue
            for build_type in ("Release", "Debug"):
                for flags in ("", "-march=native"):
                    with self.subTest(compiler=compiler, build_type=build_type, flags=flags):
                        shutil.rmtree(self.folder / "tug" / "build", ignore_errors=True)
                        self.build("tug", f"-DCMAKE_CXX_COMPILER={compiler}", f"-DCMAKE_BUILD_TYPE={build_type}",
                                   f"-DCMAKE_CXX_FLAGS={flags} -Wall -Wextra -Wpedantic -Werror")

    def test_tarball(self):
        result = subprocess.run(["cpack", "-B", self.folder / "packages"], cwd=BUILD, capture_output=True, text=True,
                                timeout=250)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        (tarball,) = (self.folder / "packages").glob("trammel-*.*")
        subprocess.run(["tar", "xzf", tarball, "-C", self.folder], check=True)
        (tree,) = self.folder.glob("trammel-*")
        result = subprocess.run([tree / "bin" / "trammel", "doctor"], capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertIn("refused: 0; warnings: 0", result.stdout)
        self.assertTrue((tree / "share" / "trammel" / "templates" / "force").is_dir())
        self.assertTrue((tree / "lib" / "cmake" / "Trammel" / "TrammelConfig.cmake").is_file())


main()
