"""The example of a third party's repository, sdk/examples/acme_dynamics: copied out of an installed tree, built and tested.

Arguments: TRAMMEL BUILD_FOLDER [unittest arguments]
"""
import json
import math
import pathlib
import re
import shutil
import subprocess
import sys

import support
from support import Case, main

BUILD = pathlib.Path(sys.argv.pop(1))
SOURCE = pathlib.Path(__file__).resolve().parents[2] / "sdk" / "examples" / "acme_dynamics"
PLUGINS = sorted(folder.parent.name for folder in SOURCE.glob("*/CMakeLists.txt"))


def setUpModule():
    global PREFIX
    PREFIX = support.install(BUILD)


class AcmeDynamics(Case):
    def test_out_of_tree(self):
        folder = self.folder / "acme_dynamics"
        shutil.copytree(PREFIX / "share" / "trammel" / "sdk" / "examples" / "acme_dynamics", folder)
        told = support.build_and_test(folder, PREFIX, "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Wpedantic -Werror")
        self.assertRegex(told, "100% tests passed, 0 tests failed out of ")
        # Every plugin is checked at the highest level, and every run file and study is one of its tests.
        names = set(re.findall(r"Test +#\d+: (\S+)", told))
        expected = {f"check/acme.{plugin}" for plugin in PLUGINS} | {"gauss/coefficients", "modal/frames"}
        for file in folder.glob("*/cases/*.json"):
            expected.add(("study/" if "trammel_study" in file.read_text() else "run/") + file.stem)
        expected.add("study/stabilizations_study")
        self.assertEqual(names, expected)
        for plugin in PLUGINS:
            self.assertIn("CHECK_LEVEL 4", (folder / plugin / "CMakeLists.txt").read_text())
        result = self.trammel("plugins", "--json", "--plugin-path", folder / "build" / "plugins")
        self.assertEqual(result.returncode, 0, result.stderr)
        for plugin in PLUGINS:
            self.assertIn(f"acme.{plugin}", json.dumps(json.loads(result.stdout)))
        # Steps of 0.01 s would be too long for `maximum`, but `reach` keeps the feedback from it.
        result = self.trammel("run", folder / "adaptive_baumgarte" / "cases" / "adaptive_baumgarte.json", "-o", "coarse",
                              "--plugin-path", folder / "build" / "plugins", "--set",
                              'integrator={"type":"rk4","step":0.01}')
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertFalse(any("unstable" in warning for warning in self.summary("coarse").get("warnings", [])))
        # The cam is drawn as its plugin says.
        result = self.trammel("run", folder / "cam_follower" / "cases" / "cam_roller.json", "-o", "cam",
                              "--plugin-path", folder / "build" / "plugins", "--set", "analysis.duration=0.1")
        self.assertEqual(result.returncode, 0, result.stderr)
        contact = self.summary("cam")["drawing"]["constraints"]["contact"]
        self.assertEqual((contact["symbol"], contact["bodies"]), ("curve", ["cam", "follower"]))
        self.assertEqual(contact["points"], [None, [0, 0, 0]])
        # Points of a circle of 0.3 m about (0.1, 0), which ends where it began.
        for x, y, z in contact["curve"]:
            self.assertAlmostEqual(math.hypot(x - 0.1, y), 0.3, delta=1e-5)
        for first, last in zip(contact["curve"][0], contact["curve"][-1]):
            self.assertAlmostEqual(first, last, delta=1e-12)
        # Installed and packaged, with their pages, for the interfaces that they need.
        for command in (["cmake", "--install", "build", "--prefix", "tree"], ["cpack", "-B", "packages"]):
            made = subprocess.run(command, cwd=folder / "build" if command[0] == "cpack" else folder, capture_output=True,
                                  text=True, timeout=200)
            self.assertEqual(made.returncode, 0, made.stdout + made.stderr)
        result = self.trammel("doctor", "--plugin-path", folder / "tree" / "lib" / "trammel" / "plugins")
        self.assertEqual(result.returncode, 0, result.stdout)
        (package,) = (folder / "build" / "packages").glob("*.deb")
        depends = subprocess.run(["dpkg-deb", "-f", package, "Package", "Depends"], check=True, capture_output=True, text=True)
        self.assertRegex(depends.stdout, r"Package: acme-dynamics\nDepends: .*trammel-abi-\d+ \(>= \d+\.\d+\)")
        listed = subprocess.run(["dpkg-deb", "-c", package], check=True, capture_output=True, text=True).stdout
        for plugin in PLUGINS:
            for suffix in (".so", ".trammel.json", ".md"):
                self.assertTrue((folder / "tree" / "lib" / "trammel" / "plugins" / f"acme.{plugin}{suffix}").is_file(), plugin)
                self.assertIn(f"/usr/lib/trammel/plugins/acme.{plugin}{suffix}\n", listed)
        # A run file that needs a later version is refused.
        needs = (folder / "gauss" / "cases" / "gauss_pendulum.json").read_text()
        (folder / "gauss" / "cases" / "later.json").write_text(needs.replace('">=1.0"', '">=2"'))
        result = self.trammel("run", folder / "gauss" / "cases" / "later.json", "-o", "later", "--plugin-path",
                              folder / "build" / "plugins")
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn("/plugins/require/acme.gauss: plugin 'acme.gauss' is required in version >=2; found is version 1.0.0, ",
                      result.stderr)
        # Each README comes to the reference.
        result = self.trammel("reference", "-o", "pages", "--plugin-path", folder / "build" / "plugins")
        self.assertEqual(result.returncode, 0, result.stderr)
        page = (self.folder / "pages" / "integrator" / "acme.gauss.md").read_text()
        for section in ("Equations", "Example"):
            self.assertRegex(page, rf"(?m)^## {section}\n\n\S")

    def test_it_includes_installed_headers_only(self):
        for file in (support.SOURCE / "sdk" / "examples" / "acme_dynamics").rglob("*"):
            if file.suffix not in (".h", ".cpp"):
                continue
            for line in file.read_text().splitlines():
                if not line.startswith("#include"):
                    continue
                with self.subTest(file=file.name, line=line):
                    if line.startswith('#include "'):  # of its own folder
                        self.assertTrue((file.parent / line.split('"')[1]).is_file())
                    else:
                        self.assertRegex(line, r"^#include <(trammel/[\w/.]+|Eigen/\w+|[a-z_]+)>$")


main()
