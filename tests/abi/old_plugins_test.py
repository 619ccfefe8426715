"""Plugins built with frozen headers of an earlier minor version: they load, pass the kit, and move mechanisms as today's do.

old_plugins_test.py TRAMMEL PLUGINS FROZEN SOURCE_DIR
"""
import csv
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

TRAMMEL, PLUGINS, FROZEN, SOURCE = sys.argv[1], *(pathlib.Path(p) for p in sys.argv[2:5])

def trammel(*arguments):
    done = subprocess.run([TRAMMEL, *map(str, arguments)], capture_output=True, text=True, timeout=280)
    return done.returncode, done.stdout + done.stderr


def rows(folder):
    with (folder / "results.csv").open() as stream:
        return list(csv.reader(stream))


class OldPlugins(unittest.TestCase):
    def test_they_are_of_an_earlier_minor(self):
        """Otherwise the archive proves nothing: the headers of this tree were used instead of the frozen ones."""
        header = (FROZEN / "include/trammel/plugin.h").read_text()
        frozen = int(re.search(r"sdk_minor = (\d+);", header).group(1))
        current = int(re.search(r"sdk_minor = (\d+);", (SOURCE / "framework/include/trammel/plugin.h").read_text()).group(1))
        self.assertLess(frozen, current)
        for file in PLUGINS.glob("*.trammel.json"):
            self.assertEqual(json.loads(file.read_text())["sdk_minor"], frozen, file.name)

    def test_every_kind_is_there(self):
        kinds = {c["kind"] for file in PLUGINS.glob("*.trammel.json") for c in json.loads(file.read_text())["components"]}
        self.assertEqual(kinds, {"system", "constraint", "force", "formulation", "integrator", "function", "metric",
                                 "writer", "linear_solver", "analysis"})

    def test_conformance(self):
        for file in sorted(PLUGINS.glob("*.so")):
            cases = FROZEN / "plugins" / file.stem.removeprefix("old.") / "cases"
            options = ["--case", cases] if cases.exists() else []
            with self.subTest(plugin=file.name):
                code, text = trammel("check", file, "--level", 3, *options)
                self.assertEqual(code, 0, text)

    def test_generated_plugins_against_their_references(self):
        """What `trammel new` wrote at that minor: each study compares with a closed form or a built-in element."""
        for study in sorted(FROZEN.glob("plugins/*/cases/*_study.json")):
            with self.subTest(study=study.name), tempfile.TemporaryDirectory() as folder:
                code, text = trammel("study", study, "--plugin-path", PLUGINS, "--no-timing", "-o", folder)
                self.assertEqual(code, 0, text)

    def test_copies_move_as_todays_plugins(self):
        """Some frozen plugins are ours under the vendor `old`; without it their cases name today's."""
        for case in sorted(FROZEN.glob("plugins/*/cases/*.json")):
            today = re.sub(r'"type": "old\.(?!my_)', '"type": "', case.read_text())
            if today != case.read_text():
                with self.subTest(case=case.name), tempfile.TemporaryDirectory() as folder:
                    self.compare(case, today, pathlib.Path(folder))

    def compare(self, case, text_today, folder):
        for companion in case.parent.glob("*.csv"):
            (folder / companion.name).write_bytes(companion.read_bytes())
        (folder / "today.json").write_text(text_today)
        for file, results in ((folder / "today.json", folder / "today"), (case, folder / "old")):
            code, output = trammel("run", file, "--plugin-path", PLUGINS, "-o", results, "--quiet")
            self.assertEqual(code, 0, output)
        today, old = rows(folder / "today"), rows(folder / "old")
        self.assertEqual(today[0], old[0])
        self.assertEqual(len(today), len(old))
        for a, b in zip(today[1:], old[1:]):
            for column, x, y in zip(today[0], a, b):
                if column == "step":
                    continue
                # Today's plugins may round or step otherwise than the frozen ones; both keep tolerances of 1e-6 or tighter, but
                # for the frozen hht, whose estimate does not count velocities.
                allowed = 2e-2 if case.name == "hht.json" else 1e-5
                self.assertAlmostEqual(float(x), float(y), delta=allowed * max(1.0, abs(float(x))), msg=column)

    def test_names_that_had_a_meaning(self):
        """Minor 0 had no types for them: `axis_i` is made of length 1, `point_j` may be the name of a point."""
        case = (FROZEN / "plugins/stop/cases/stop.json").read_text()
        renamed = case.replace('"axis_i": [0, 0, 1]', '"axis_i": [0, 0, 3]').replace('"point_j": [0.45, 0, -0.02]', '"point_j": "edge"')
        renamed = renamed.replace('"constraints": {', '"points": {"edge": {"body": "bar", "point": [0.45, 0, -0.02]}}, "constraints": {', 1)
        self.assertEqual(renamed.count('"edge"'), 2)
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "stop.json").write_text(renamed)
            self.compare(folder / "stop.json", case.replace("old.stop", "stop"), folder)

    def test_constraints_without_a_drawing_are_a_ball_at_their_reaction(self):
        run = {"trammel": 1, "system": {"type": "planar", "bodies": {"arm": {"mass": 1, "inertia": 1, "position": [1, 0], "angle": 1}},
                                        "constraints": {"drive": {"type": "old.angle_driver", "bodies": ["ground", "arm"], "at": [0, 0],
                                                                  "rate": 0}}},
               "analysis": {"type": "dynamics", "duration": 0.01}, "formulation": {"type": "projection"},
               "integrator": {"type": "rk4", "step": 0.01}}
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "drive.json"
            file.write_text(json.dumps(run))
            code, text = trammel("run", file, "--plugin-path", PLUGINS, "-o", pathlib.Path(folder) / "out", "--quiet")
            self.assertEqual(code, 0, text)
            drawing = json.loads((pathlib.Path(folder) / "out/summary.json").read_text())["drawing"]
            self.assertEqual(drawing["constraints"], {"drive": {"symbol": "point", "bodies": ["arm"], "points": [[0, 0, 0]]}})

    def test_metric(self):
        base = (SOURCE / "configs/examples/slider_crank.json").resolve()
        study = {"trammel_study": 1, "title": "Metric of an earlier minor", "base": str(base), "cases": [{"name": "run"}],
                 "metrics": {"old": {"type": "old.final_value", "channel": "crank.x"},
                             "today": {"type": "final_value", "channel": "crank.x"}}}
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "metric_study.json"
            file.write_text(json.dumps(study))
            code, text = trammel("study", file, "--plugin-path", PLUGINS, "--no-timing", "-o", pathlib.Path(folder) / "out")
            self.assertEqual(code, 0, text)
            metrics = json.loads((pathlib.Path(folder) / "out/study.json").read_text())["cases"][0]["metrics"]
            self.assertEqual(metrics["old"], metrics["today"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
