"""The Python package where NumPy is not installed, against the command line's results.

Arguments: TRAMMEL PACKAGE_FOLDER RUN_FILES_FOLDER [unittest arguments]; PACKAGE_FOLDER is - where the package is installed.
"""
import array
import contextlib
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import unittest

TRAMMEL, PACKAGE = sys.argv.pop(1), sys.argv.pop(1)
EXAMPLES = pathlib.Path(sys.argv.pop(1))
if PACKAGE != "-":
    sys.path.insert(0, PACKAGE)
    sys.modules["numpy"] = None  # as if it were not installed
import trammel  # noqa: E402

CRANK = EXAMPLES / "slider_crank.json"
SHORT = {"analysis.duration": 0.5}


class WithoutNumPy(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="trammel_test_")
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def test_it_is_not_there(self):
        with self.assertRaises(ImportError):
            import numpy  # noqa: F401
        self.assertFalse(trammel._kernel.has_numpy)

    def test_numbers_are_those_of_the_command_line(self):
        out = self.folder / "out"
        subprocess.run([TRAMMEL, "run", CRANK, "-o", out, "--quiet", "--set", "analysis.duration=0.5"], check=True, timeout=120)
        results = trammel.read_results(out)
        sim = trammel.Simulation(CRANK, set=SHORT)
        history = sim.record()
        self.assertEqual(sim.run(), "completed")
        self.assertEqual(history.channels, results.channels)
        for name, values in history.to_dict().items():
            self.assertIsInstance(values, array.array)
            self.assertEqual(values, results[name], name)
        self.assertEqual(history.t, results.t)
        self.assertEqual(sim.channel_values(), array.array("d", [results[name][-1] for name in sim.channels]))

    def test_views_show_each_step_and_keep_the_simulation(self):
        sim = trammel.Simulation(CRANK, set=SHORT)
        views = {name: getattr(sim, name) for name in ("positions", "velocities", "accelerations", "multipliers")}
        before = {name: view.tolist() for name, view in views.items()}
        self.assertEqual((views["positions"].format, len(views["positions"])), ("d", 14))
        for name, view in views.items():
            self.assertTrue(view.readonly, name)
            with self.assertRaises(TypeError):
                view[0] = 1.0
        sim.step()
        for name, view in views.items():
            self.assertNotEqual(view.tolist(), before[name], name)
        last = views["velocities"].tolist()
        del sim
        self.assertEqual(views["velocities"].tolist(), last)

    def test_arrays_are_values(self):
        model = {"trammel": 2, "system": {"type": "planar", "bodies": {"mass": {"mass": 2, "inertia": 0.1}},
                                          "forces": {"push": {"type": "applied_force", "body": "mass", "force": [0, 0]}}},
                 "analysis": {"type": "dynamics", "duration": 1}, "integrator": {"type": "rk4", "step": 0.1},
                 "formulation": "projection"}
        sim = trammel.Simulation(model, set={"system.forces.push.force": array.array("d", [4, 0])})
        sim.run()
        self.assertAlmostEqual(sim.velocities[0], 2, delta=1e-12)

    def test_what_needs_numpy_says_so(self):
        history = trammel.Simulation(CRANK, set=SHORT).record()
        with self.assertRaisesRegex(ImportError, "a structured array needs NumPy"):
            history.to_array()

    def test_studies(self):
        with contextlib.closing(sqlite3.connect(self.folder / "study.db")) as database:
            database.execute("CREATE TABLE results (id INTEGER, k REAL, name TEXT)")
            database.executemany("INSERT INTO results VALUES (?, ?, ?)", [(1, 0.5, "a"), (2, None, "b")])
            database.commit()
        table = trammel.read_study(self.folder)
        self.assertEqual(table["k"][0], 0.5)
        self.assertNotEqual(table["k"][1], table["k"][1])
        self.assertEqual(table["name"], ["a", "b"])


unittest.main(verbosity=1)
