"""The wheel of scripts/wheel, made of a finished build: installed in an empty environment, used without compiler and NumPy.

Arguments: TRAMMEL BUILD_FOLDER [unittest arguments]
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import support
from support import Case, main

BUILD = pathlib.Path(sys.argv.pop(1))
BARE = {"PATH": "/nowhere", "HOME": "/nowhere"}  # no compiler, no other Trammel


def setUpModule():
    global ENVIRONMENT, WHEEL, SITE
    holder = tempfile.TemporaryDirectory(prefix="trammel_wheel_test_")
    unittest.addModuleCleanup(holder.cleanup)
    folder = pathlib.Path(holder.name)
    made = subprocess.run([support.SOURCE / "scripts" / "wheel", "--built", BUILD, "-o", folder / "made"],
                          capture_output=True, text=True, timeout=600)
    if made.returncode != 0:
        raise AssertionError(made.stdout + made.stderr)
    (WHEEL,) = (folder / "made").glob("*.whl")
    ENVIRONMENT = folder / "an environment"
    subprocess.run(["/usr/bin/python3", "-m", "venv", ENVIRONMENT], check=True, capture_output=True, timeout=200)
    subprocess.run([ENVIRONMENT / "bin" / "python", "-m", "pip", "install", "--no-index", "--quiet", WHEEL], check=True,
                   capture_output=True, timeout=300, env={**BARE, "PIP_DISABLE_PIP_VERSION_CHECK": "1"})
    (SITE,) = ENVIRONMENT.glob("lib/python3*/site-packages")
    support.TRAMMEL = str(ENVIRONMENT / "bin" / "trammel")


class Wheel(Case):
    def test_the_package_works_without_numpy(self):
        test = support.SOURCE / "tests" / "embedding" / "without_numpy_test.py"
        result = subprocess.run([ENVIRONMENT / "bin" / "python", test, support.TRAMMEL, "-", support.EXAMPLES], env=BARE,
                                cwd=self.folder, capture_output=True, text=True, timeout=300)
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_every_plugin_loads(self):
        result = self.trammel("doctor", env=BARE)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        built = len(list((BUILD / "lib" / "trammel" / "plugins").glob("*.trammel.json")))
        self.assertIn(f"plugins examined: {built}, refused: 0; warnings: 0", result.stdout)
        self.assertIn(str(SITE / "trammel" / "lib" / "trammel" / "plugins"), result.stdout)

    def test_nothing_is_taken_from_elsewhere(self):
        """All libraries but glibc's and the C++ runtime are the wheel's, with the licences of their packages."""
        package = SITE / "trammel"
        system = re.compile(r"(ld-linux.*|lib(c|m|dl|pthread|resolv|rt|util|stdc\+\+|gcc_s))\.so\.\d+$")
        programs = [package / "bin" / "trammel", package / "bin" / "trammel-sidecar", *package.rglob("*.so"),
                    *(package / "lib" / "bundled").iterdir()]
        self.assertGreater(len(programs), 80)
        for file in programs:
            for line in subprocess.run(["ldd", file], check=True, capture_output=True, text=True).stdout.splitlines():
                name, _, path = line.strip().partition(" => ")
                path = path.split(" (")[0]
                if path and not system.match(name):
                    self.assertTrue(pathlib.Path(path).resolve().is_relative_to(SITE.resolve()), f"{file}: {line}")
        licences = {file.name for file in SITE.glob("trammel-*.dist-info/licenses/*")}
        self.assertIn("libklu1", licences)
        self.assertLessEqual(len(licences), len(list((package / "lib" / "bundled").iterdir())))

    def test_a_report_and_the_sdk_are_inside(self):
        result = self.trammel("run", support.EXAMPLES / "heavy_top.json", "-o", "out", "--report", "--set",
                              "analysis.duration=0.1", env=BARE)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertTrue((self.folder / "out" / "report.html").is_file())
        result = self.trammel("new", "function", "acme.step", env=BARE)
        self.assertEqual(result.returncode, 0, result.stderr)
        configured = subprocess.run(["cmake", "-G", "Ninja", "-S", "step", "-B", "built",
                                     f"-DCMAKE_PREFIX_PATH={SITE / 'trammel'}"], cwd=self.folder, capture_output=True,
                                    text=True, timeout=200, env={**os.environ})
        self.assertEqual(configured.returncode, 0, configured.stdout + configured.stderr)

    def test_older_systems_refuse_it(self):
        """Its name says which glibc it needs, so that pip refuses what would not load."""
        glibc = os.confstr("CS_GNU_LIBC_VERSION").split()[1].replace(".", "_")
        self.assertRegex(WHEEL.name, rf"^trammel-[\d.]+-cp3\d+-cp3\d+-manylinux_{glibc}_x86_64\.whl$")


main()
