"""Without a plugin's two files exactly the runs that need it fail: exit 3, and where was searched.

Usage: missing_plugin_test.py TRAMMEL BUILD_FOLDER [PLUGIN...]. The plugins are taken from a tree installed for this test;
without names each is tried.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from support import SOURCE

BUILD, *PLUGINS = sys.argv[1:]
del sys.argv[1:]
os.environ.pop("TRAMMEL_PLUGIN_PATH", None)


def is_run_file(file):
    if file.parent.name == "cases" and not (pathlib.Path(BUILD) / "lib/trammel/plugins" / f"{file.parent.parent.name}.so").exists():
        return False  # plugins of libraries that are not there
    return re.search(r'"trammel": [12]\b', file.read_text()) is not None


RUN_FILES = [str(file) for folder in ("configs/examples", "plugins") for file in sorted((SOURCE / folder).rglob("*.json"))
             if is_run_file(file)]


class MissingPlugin(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory(prefix="trammel_test_")
        cls.addClassCleanup(cls.holder.cleanup)
        cls.folder = pathlib.Path(cls.holder.name)
        cls.tree = cls.folder / "installed"
        subprocess.run(["cmake", "--install", BUILD, "--prefix", cls.tree], check=True, stdout=subprocess.DEVNULL)
        cls.needs = {}
        for file in RUN_FILES:
            result = cls.run_one(file)
            if result.returncode != 0:
                raise AssertionError(result.stderr)
            summary = json.loads((cls.folder / "out" / "summary.json").read_text())
            # Without one linear solver "auto" chooses another.
            optional = {"articulated", "dense", "range_space", "sparse"} - set(re.findall(r'"solver": (?:\{ "type": )?"(\w+)"', pathlib.Path(file).read_text()))
            cls.needs[file] = {plugin["id"] for plugin in summary["plugins"]} - optional

    @classmethod
    def trammel(cls, *arguments):
        return subprocess.run([cls.tree / "bin" / "trammel", *arguments], cwd=cls.folder, capture_output=True, text=True)

    @classmethod
    def run_one(cls, file):
        return cls.trammel("run", file, "--set", "analysis.duration=0.2", "-o", "out")

    def test_plugins(self):
        plugins = self.tree / "lib" / "trammel" / "plugins"
        ids = sorted(file.name.removesuffix(".trammel.json") for file in plugins.glob("*.trammel.json"))
        self.assertLess({"revolute", "spatial", "planar", "projection", "runge_kutta", "tsda"}, set(ids))
        for plugin in PLUGINS or ids:
            with self.subTest(plugin):
                files = [plugins / f"{plugin}.so", plugins / f"{plugin}.trammel.json"]
                for file in files:
                    file.rename(self.folder / file.name)
                try:
                    self.check(plugin)
                finally:
                    for file in files:
                        (self.folder / file.name).rename(file)

    def check(self, plugin):
        expected = {file for file, needed in self.needs.items() if plugin in needed}
        told = self.trammel("validate", *RUN_FILES)
        # What an included file says is told with its name.
        parts = {file: [str(pathlib.Path(file).parent / part) for part in
                        re.findall(r'"include": "([^"]+)"', pathlib.Path(file).read_text())] for file in RUN_FILES}
        refused = {file for file in RUN_FILES if any(f"{name}:" in told.stderr for name in (file, *parts[file]))}
        self.assertEqual(refused, expected)
        self.assertEqual(told.returncode, 3 if expected else 0, told.stderr)
        failing, running = sorted(expected)[:1], sorted(set(RUN_FILES) - expected)[:1]
        for file in failing:
            result = self.run_one(file)
            self.assertEqual(result.returncode, 3, result.stderr)
            self.assertIn("there is no ", result.stderr)
            self.assertIn(f"searched, in this order:\n  {self.tree}/lib/trammel/plugins (beside libtrammel): ",
                          result.stderr)
        for file in running:
            result = self.run_one(file)
            self.assertEqual(result.returncode, 0, result.stderr)


unittest.main(verbosity=1)
