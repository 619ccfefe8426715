"""The Debian packages of scripts/package, made of a finished build; lintian has accepted them. What is in them works.

Arguments: TRAMMEL BUILD_FOLDER [unittest arguments]
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import support
from support import Case, main

BUILD = pathlib.Path(sys.argv.pop(1))


def setUpModule():
    global PACKAGES, TREE, FOUND
    holder = tempfile.TemporaryDirectory(prefix="trammel_packages_test_")
    unittest.addModuleCleanup(holder.cleanup)
    FOUND, TREE = pathlib.Path(holder.name) / "made", pathlib.Path(holder.name) / "root" / "usr"
    made = subprocess.run([support.SOURCE / "scripts" / "package", "--built", BUILD, "-o", FOUND], capture_output=True,
                          text=True, timeout=1500)
    if made.returncode != 0:
        raise AssertionError((made.stdout + made.stderr)[-20000:])
    PACKAGES = {file.name.split("_")[0]: file for file in FOUND.glob("*.deb")}
    for file in PACKAGES.values():
        subprocess.run(["dpkg-deb", "-x", file, TREE.parent], check=True)
    support.TRAMMEL = str(TREE / "bin" / "trammel")


class Packages(Case):
    # Nothing in the packages has a path to its libraries: installed, they lie where the loader looks.
    environment = property(lambda self: {"LD_LIBRARY_PATH": str(TREE / "lib"), "PATH": "/usr/bin:/bin"})

    def fields(self, package):
        text = subprocess.run(["dpkg-deb", "-f", PACKAGES[package]], check=True, capture_output=True, text=True).stdout
        return dict(re.findall(r"^(\S+): (.*)$", text, re.MULTILINE))

    def test_which_there_are(self):
        expected = {"trammel", "libtrammel0", "libtrammel-dev", "trammel-plugins", "python3-trammel", "trammel-doc"}
        if (BUILD / "bin" / "trammel-mpi").is_file():
            expected.add("trammel-mpi")
        self.assertEqual(set(PACKAGES), expected)
        self.assertEqual(len(list(FOUND.glob("*.dsc"))), 1)

    def test_the_library_provides_the_interface(self):
        header = (support.SOURCE / "framework" / "include" / "trammel" / "plugin.h").read_text()
        epoch = re.search(r"interface_epoch = (\d+);", header)[1]
        minor = re.search(r"sdk_minor = (\d+);", header)[1]
        self.assertEqual(self.fields("libtrammel0")["Provides"], f"trammel-abi-{epoch} (= {epoch}.{minor})")

    def test_versions_agree(self):
        version = re.search(r"project\(Trammel VERSION ([\d.]+)", (support.SOURCE / "CMakeLists.txt").read_text())[1]
        for package in PACKAGES:
            self.assertEqual(self.fields(package)["Version"], version)

    def test_what_depends_on_what(self):
        self.assertRegex(self.fields("trammel")["Depends"], r"libtrammel0 \(= .*trammel-plugins \(= .*libsqlite3-0")
        self.assertRegex(self.fields("libtrammel0")["Depends"], r"libklu1")
        self.assertNotIn("numpy", self.fields("python3-trammel")["Depends"])
        self.assertRegex(self.fields("libtrammel-dev")["Depends"], r"libeigen3-dev.*libtrammel0 \(= .*trammel \(= ")

    def test_the_program_runs(self):
        result = self.trammel("doctor", env=self.environment)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("refused: 0; warnings: 0", result.stdout)
        self.assertIn(f"{TREE}/lib/trammel/plugins", result.stdout)
        example = TREE / "share" / "doc" / "trammel-doc" / "configs" / "examples" / "slider_crank.json"
        result = self.trammel("run", example, "-o", "out", "--report", "--set", "analysis.duration=0.1", env=self.environment)
        self.assertEqual(result.returncode, 0, result.stderr)
        for program in ("trammel", "trammel-sidecar"):
            self.assertTrue((TREE / "share" / "man" / "man1" / f"{program}.1.gz").is_file())

    def test_python_finds_the_package(self):
        script = ("import trammel; sim = trammel.Simulation({'trammel': 2, 'system': {'type': 'vibration', 'omega': 2, "
                  "'position': 1}, 'analysis': {'type': 'dynamics', 'duration': 1}, "
                  "'integrator': {'type': 'dopri5', 'rtol': 1e-10, 'atol': 1e-12}}); sim.run(); print(trammel.__file__, sim.positions[0])")
        result = subprocess.run(["/usr/bin/python3", "-c", script], cwd=self.folder, capture_output=True, text=True, timeout=120,
                                env={**self.environment, "PYTHONPATH": str(TREE / "lib" / "python3" / "dist-packages")})
        self.assertEqual(result.returncode, 0, result.stderr)
        file, position = result.stdout.split()
        self.assertTrue(file.startswith(str(TREE)))
        self.assertAlmostEqual(float(position), -0.4161468365471424, delta=1e-8)  # cos 2

    def test_plugins_are_built_against_it(self):
        self.assertEqual(self.trammel("new", "function", "acme.step", env=self.environment).returncode, 0)
        configured = subprocess.run(["cmake", "-G", "Ninja", "-S", "step", "-B", "built", f"-DCMAKE_PREFIX_PATH={TREE}"],
                                    cwd=self.folder, capture_output=True, text=True, timeout=200)
        self.assertEqual(configured.returncode, 0, configured.stdout + configured.stderr)


main()
