"""Studies that are edited between their calls, and what their store tells of numbers that are none.

Run as: /usr/bin/python3 study_edits_test.py TRAMMEL
"""
import csv
import json
import math
import pathlib
import signal
import sqlite3
import subprocess
import time
import unittest

from support import TRAMMEL, Case, changed, main

MPI = pathlib.Path(TRAMMEL).parent / "trammel-mpi"
RUN = {
    "trammel": 2,
    "parameters": {"L": 1, "m": 1},
    "system": {"type": "pendulum_angle", "length": "=L*(1 + 0*m)", "angle": -1},
    "analysis": {"type": "dynamics", "duration": 0.1},
    "integrator": {"type": "rk4", "step": 0.01},
    "output": {"step": 0.1},
}
LAST = {"type": "final_value", "channel": "theta"}
INFINITE = {"type": "final_value", "channel": "=1/(theta - theta)"}
UNDEFINED = {"type": "final_value", "channel": "=(theta - theta)/(theta - theta)"}


def cases(*named, **keys):
    return {"trammel_study": 1, "base": "run.json", "keep": "numbers", "metrics": {"y": LAST},
            "cases": [{"name": name, "set": {f"parameters.{key}": value for key, value in sets.items()}}
                      for name, sets in named], **keys}


ABC = cases(("a", {"L": 1}), ("b", {"L": 2}), ("c", {"L": 3}))


class EditCase(Case):
    def setUp(self):
        super().setUp()
        self.write(RUN)

    def call(self, *arguments, code=0):
        result = self.trammel("study", "study.json", *arguments)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result

    def study(self, study, *arguments, out="out", code=0):
        self.write(study, "study.json")
        return self.call("-o", out, *arguments, code=code)

    def dump(self, out="out"):
        return self.call("-o", out, "--dump").stdout

    def tables(self, out):
        """What people and programs read, without times."""
        folder = self.folder / out
        database = sqlite3.connect(folder / "study.db")
        try:
            cursor = database.execute("SELECT * FROM results ORDER BY id")
            names = [column[0] for column in cursor.description]
            rows = [dict(zip(names, row)) for row in cursor]
        finally:
            database.close()
        with open(folder / "study.csv", newline="") as file:
            lines = list(csv.DictReader(file))
        for row in rows + lines:
            for name in list(row):
                if name.endswith("_s"):
                    del row[name]
        report = [(case["name"], case["set"], case["metrics"]) for case in json.loads((folder / "study.json").read_text())["cases"]]
        page = (folder / "study.md").read_text().split("Messages")[0]
        return rows, lines, report, page

    def query(self, sql, out="out"):
        database = sqlite3.connect(self.folder / out / "study.db")
        try:
            return database.execute(sql).fetchall()
        finally:
            database.close()


class Edits(EditCase):
    EDITS = {
        "reordered": cases(("b", {"L": 1}), ("c", {"L": 2}), ("a", {"L": 3})),
        "renamed": cases(("x", {"L": 1}), ("y", {"L": 2}), ("z", {"L": 3})),
        "another path with the value of the run file": cases(("a", {"m": 1}), ("b", {"L": 2}), ("c", {"L": 3})),
        "fewer": cases(("c", {"L": 1})),
        "other metrics": changed(ABC, metrics={"z": LAST, "n": {"type": "counter", "of": "steps"}}),
        "vary in place of cases": {**{key: ABC[key] for key in ("trammel_study", "base", "keep", "metrics")},
                                   "vary": {"parameters.L": [1, 2, 3]}},
        "as files": changed(ABC, keep="files"),
    }

    def same_as_fresh(self, label, *arguments):
        self.study(ABC, *arguments)
        self.study(self.EDITS[label], *arguments)
        self.study(self.EDITS[label], out="fresh")
        self.assertEqual(self.dump(), self.dump("fresh"))
        self.assertEqual(self.tables("out"), self.tables("fresh"))

    def test_names_and_settings_are_those_of_the_study(self):
        for label in self.EDITS:
            with self.subTest(label):
                self.same_as_fresh(label)
            for out in ("out", "fresh"):
                subprocess.run(["rm", "-r", self.folder / out], check=True)

    def test_by_two_workers(self):
        self.same_as_fresh("reordered", "--jobs", 2)

    def test_what_is_gathered(self):
        self.study(ABC)
        self.study(self.EDITS["reordered"], "--gather")
        self.study(self.EDITS["reordered"], out="fresh")
        self.assertEqual(self.dump(), self.dump("fresh"))

    @unittest.skipUnless(MPI.exists(), "without trammel-mpi")
    def test_under_mpi(self):
        self.study(ABC)
        self.write(self.EDITS["reordered"], "study.json")
        subprocess.run(["mpirun", "--oversubscribe", "--allow-run-as-root", "-np", "2", MPI, "study", "study.json", "-o", "out"],
                       cwd=self.folder, check=True, capture_output=True, stdin=subprocess.DEVNULL)
        self.call("-o", "fresh")
        self.assertEqual(self.dump(), self.dump("fresh"))

    def test_nothing_runs_again(self):
        self.study(ABC)
        before = self.query("SELECT solve_s FROM results ORDER BY id")
        self.study(self.EDITS["renamed"])
        self.assertEqual(self.query("SELECT solve_s FROM results ORDER BY id"), before)


class Numbers(EditCase):
    def test_what_is_not_finite_and_what_was_not_computed(self):
        study = cases(("a", {"L": 1}), ("other", {"L": 2}),
                      metrics={"y": LAST, "up": INFINITE, "down": changed(INFINITE, channel="=-1/(theta - theta)"), "none": UNDEFINED,
                               "one": {**UNDEFINED, "cases": ["other"]}})
        for _ in range(2):  # as computed, and as taken up
            self.study(study)
            self.assertEqual(self.query("SELECT up, down, none, one FROM results ORDER BY id"),
                             [(math.inf, -math.inf, None, None)] * 2)
            self.assertEqual(self.query("SELECT * FROM not_a_number"), [(0, "none"), (1, "none"), (1, "one")])
            with open(self.folder / "out" / "study.csv", newline="") as file:
                rows = [[row[name] for name in ("up", "down", "none", "one")] for row in csv.DictReader(file)]
            self.assertEqual(rows, [["inf", "-inf", "nan", ""], ["inf", "-inf", "nan", "nan"]])
            metrics = json.loads((self.folder / "out" / "study.json").read_text())["cases"][0]["metrics"]
            self.assertEqual([metrics[name] for name in ("up", "down", "none")], ["inf", "-inf", None])
            self.assertNotIn("one", metrics)

    def test_ratios_are_in_the_store(self):
        self.study(changed(ABC, metrics__by={"type": "ratio", "of": "y", "to": "a"}))
        rows = self.query("SELECT y, by FROM results ORDER BY id")
        self.assertEqual([by for _, by in rows], [y / rows[0][0] for y, _ in rows])

    def test_names_that_are_taken(self):
        names = ("id", "name", "Status", "message", "case_id", "steps", "key", "rowid")
        self.study(changed(ABC, metrics={name: LAST for name in names}))
        taken = ("id", "name", "Status", "message")
        columns = ", ".join(f'"{name}~2"' if name in taken else f'"{name}"' for name in names)
        rows = self.query(f"SELECT {columns} FROM results")
        self.assertTrue(all(len(set(row)) == 1 and isinstance(row[0], float) for row in rows), rows)
        self.assertEqual(self.query('SELECT DISTINCT "steps~2" FROM results'), [(10,)])
        with open(self.folder / "out" / "study.csv", newline="") as file:
            header = next(csv.reader(file))
        self.assertEqual(len(header), len({name.lower() for name in header}))

    def test_a_number_that_changed_on_the_disk(self):
        self.study(ABC)
        for change in ("UPDATE metrics SET y = y * (1 + 1e-12) WHERE case_id = 1", "UPDATE cases SET status = 'failed' WHERE id = 1",
                       "UPDATE settings SET \"parameters.L\" = 7 WHERE case_id = 1", "UPDATE plugins SET id = CAST(x'ff' AS TEXT)",
                       "UPDATE cases SET message = CAST(x'c3' AS TEXT) WHERE id = 1"):
            with self.subTest(change):
                file = self.folder / "out" / "study.db"
                whole = file.read_bytes()
                database = sqlite3.connect(file)
                database.execute(change)
                database.commit()
                database.close()
                told = self.call("-o", "out", code=2).stderr
                self.assertRegex(told, r"study.db: is damaged.*the rows of case [01] are not those that were written")
                file.write_bytes(whole)

    def test_a_killed_study_can_be_queried(self):
        self.write(changed(RUN, analysis__duration=100, integrator__step_check=False))
        study = {"trammel_study": 1, "base": "run.json", "metrics": {"y": LAST},
                 "sample": {"count": 200, "distributions": {"parameters.L": {"type": "uniform", "min": 1, "max": 2}}}}
        self.write(study, "study.json")
        for end, code in ((signal.SIGKILL, -signal.SIGKILL), (signal.SIGHUP, 130)):
            process = subprocess.Popen([TRAMMEL, "study", "study.json", "-o", f"out{end}"], cwd=self.folder, stdin=subprocess.DEVNULL,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            time.sleep(1)
            process.send_signal(end)
            _, told = process.communicate(timeout=60)
            self.assertEqual(process.returncode, code, told)
            count = self.call("-o", f"out{end}", "--show", "SELECT count(y) FROM results").stdout.split()[-1]
            self.assertGreaterEqual(int(count), 0)
        self.assertIn("cases are missing", told)


main()
