"""What the end-to-end tests share: a folder per test, the executable, and run files to change.

Every test file is run as: /usr/bin/python3 FILE TRAMMEL [unittest arguments]
"""
import copy
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

TRAMMEL = sys.argv.pop(1) if len(sys.argv) > 1 else "trammel"
RUN_SECONDS = float(os.environ.get("TRAMMEL_TEST_RUN_SECONDS", 120))  # more under the sanitizers
SOURCE = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = SOURCE / "configs" / "examples"

# A pendulum on a spring: every section of a run file, valid as it stands.
PENDULUM = {
    "trammel": 2,
    "title": "Pendulum",
    "system": {
        "type": "spatial",
        "gravity": [0, -9.81, 0],
        "bodies": {"arm": {"mass": 2, "inertia": [0.01, 0.2, 0.2], "position": [0.5, 0, 0]}},
        "points": {"tip": {"body": "arm", "point": [0.5, 0, 0]}},
        "constraints": {"pin": {"type": "revolute", "bodies": ["ground", "arm"], "at": [0, 0, 0], "axis": [0, 0, 1]}},
        "forces": {"spring": {"type": "tsda", "bodies": ["ground", "arm"], "point_i": [0, 1, 0], "stiffness": 10,
                              "free_length": 1}},
    },
    "analysis": {"type": "dynamics", "duration": 0.5},
    "formulation": {"type": "projection"},
    "integrator": {"type": "dopri5", "rtol": 1e-8, "atol": 1e-10},
    "output": {"step": 0.05},
}


def changed(document, **changes):
    """A copy with values at dotted paths (dots written as __) replaced, added or, with the value DROP, removed."""
    document = copy.deepcopy(document)
    for path, value in changes.items():
        at = document
        *steps, last = path.split("__")
        for step in steps:
            at = at.setdefault(step, {})
        if value is DROP:
            del at[last]
        else:
            at[last] = value
    return document


DROP = object()


class Case(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="trammel_test_")
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def write(self, content, name="run.json"):
        """Writes a run file, given as text or as a document (one key or value per line)."""
        text = content if isinstance(content, str) else json.dumps(content, indent=1)
        (self.folder / name).write_text(text)
        return name

    def trammel(self, *arguments, **options):
        """Runs the executable in the test's folder; no terminal anywhere."""
        return subprocess.run([TRAMMEL, *map(str, arguments)], cwd=self.folder, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=RUN_SECONDS, **options)

    def run_file(self, content, *arguments, **options):
        return self.trammel("run", self.write(content), "-o", "out", *arguments, **options)

    def succeed(self, content, *arguments):
        result = self.run_file(content, *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result

    def summary(self, folder="out"):
        return json.loads((self.folder / folder / "summary.json").read_text())

    def table(self, folder="out"):
        """Header and rows (numbers) of results.csv; fails on anything that is no row of finite numbers."""
        lines = (self.folder / folder / "results.csv").read_text().split("\n")
        self.assertEqual(lines[-1], "", "results.csv does not end with a line break")
        header = lines[0].split(",")
        rows = [[float(cell) for cell in line.split(",")] for line in lines[1:-1]]
        for row in rows:
            self.assertEqual(len(row), len(header))
            self.assertTrue(all(abs(cell) < float("inf") for cell in row), row)
        return header, rows


def paper_row(row, what, obtained, printed=None, independent=None, tolerance=0.0):
    """Prints a figure of a printed work for scripts/papers, and says whether it is within the tolerance of the
    independent figure, or of the printed one where there is no other."""
    expected = printed if independent is None else independent
    figure = {"row": row, "what": what, "obtained": obtained, "printed": printed, "independent": independent,
              "tolerance": tolerance, "ok": abs(obtained - expected) <= tolerance,
              "test": pathlib.Path(sys.argv[0]).resolve().relative_to(SOURCE).as_posix()}
    print("paper_row", json.dumps({key: value for key, value in figure.items() if value is not None}))
    return figure["ok"]


def install(build):
    """In setUpModule: installs the build folder's tree and moves it, as a stranger may have it; it goes with the module.

    Returns its folder, whose name has a space in it. From then on tests run its executable.
    """
    global TRAMMEL
    holder = tempfile.TemporaryDirectory(prefix="trammel_sdk_")
    unittest.addModuleCleanup(holder.cleanup)
    first, prefix = pathlib.Path(holder.name) / "first", pathlib.Path(holder.name) / "moved tree"
    subprocess.run(["cmake", "--install", build, "--prefix", first], check=True, capture_output=True)
    first.rename(prefix)
    TRAMMEL = str(prefix / "bin" / "trammel")
    return prefix


def build_and_test(folder, prefix, *options):
    """Configures and builds the project in `folder` against an installed tree, out of tree, and runs its tests, two at a
    time. Returns what ctest said."""
    for command in (["cmake", "-G", "Ninja", "-B", "build", f"-DCMAKE_PREFIX_PATH={prefix}", *options],
                    ["cmake", "--build", "build"], ["ctest", "--test-dir", "build", "--output-on-failure", "-j", "2"]):
        result = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=250)
        if result.returncode != 0:
            raise AssertionError(f"{command}: exit code {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout


def main():
    os.environ.pop("TRAMMEL_PLUGIN_PATH", None)
    unittest.main(verbosity=1)
