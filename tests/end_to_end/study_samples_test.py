"""Studies with samples: estimates, Sobol's indices beside OpenTURNS', the store and its queries, extensions.

Run as: /usr/bin/python3 study_samples_test.py TRAMMEL
"""
import csv
import json
import math
import sqlite3

from support import DROP, Case, changed, main

# Ishigami's function as the place of a body that nothing moves: y = sin a + 7 sin^2 b + 0.1 c^4 sin a.
ISHIGAMI = {
    "trammel": 2,
    "parameters": {"a": 0, "b": 0, "c": 0},
    "system": {"type": "planar",
               "bodies": {"point": {"mass": 1, "inertia": 1,
                                    "position": ["=sin(a) + 7*sin(b)^2 + 0.1*c^4*sin(a)", "=a"]}}},
    "analysis": {"type": "assembly"},
}
AROUND = {"type": "uniform", "min": -math.pi, "max": math.pi}
STUDY = {
    "trammel_study": 1,
    "title": "Ishigami",
    "base": "run.json",
    "sample": {"method": "sobol", "count": 64, "indices": True,
               "distributions": {f"parameters.{name}": AROUND for name in "abc"}},
    "metrics": {
        "y": {"type": "final_value", "channel": "point.x"},
        "spread": {"type": "estimate", "of": "y", "quantiles": [0.1, 0.9], "below": 3.5},
        "shares": {"type": "sobol_indices", "of": "y"},
    },
}
# A pendulum of random length and start.
PENDULUM = {
    "trammel": 2,
    "parameters": {"length": 1, "angle": -1},
    "system": {"type": "pendulum_angle", "length": "=length", "angle": "=angle"},
    "analysis": {"type": "dynamics", "duration": 0.5},
    "integrator": {"type": "rk4", "step": 0.02},
    "output": {"step": 0.5},
}
SWINGS = {
    "trammel_study": 1,
    "base": "run.json",
    "sample": {"method": "monte_carlo", "count": 40, "seed": 5, "distributions": {
        "parameters.length": {"type": "truncated_normal", "mean": 1, "deviation": 0.1, "min": 0.7, "max": 1.3},
        "parameters.angle": {"type": "normal", "mean": -1.2, "deviation": 0.05}},
        "correlations": [{"between": ["parameters.length", "parameters.angle"], "value": -0.5}]},
    "metrics": {"last": {"type": "final_value", "channel": "theta"}, "steps": {"type": "counter", "of": "steps"},
                "spread": {"type": "estimate", "of": "last"}},
}


class SampleCase(Case):
    def study(self, study, run, *arguments, code=0, out="out"):
        self.write(run)
        self.write(study, "study.json")
        result = self.trammel("study", "study.json", "-o", out, *arguments)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result

    def report(self):
        return json.loads((self.folder / "out" / "study.json").read_text())

    def query(self, sql, out="out"):
        database = sqlite3.connect(self.folder / out / "study.db")
        try:
            return database.execute(sql).fetchall()
        finally:
            database.close()

    def dump(self, out="out"):
        result = self.trammel("study", "study.json", "-o", out, "--dump")
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout


class Ishigami(SampleCase):
    def test_indices_are_those_of_openturns(self):
        import openturns as ot  # Debian's python3-openturns; scripts/extras installs it

        self.study(STUDY, ISHIGAMI)
        rows = self.query('SELECT "parameters.a", "parameters.b", "parameters.c", y FROM results ORDER BY id')
        self.assertEqual(len(rows), 64 * 5)
        for a, b, c, y in rows:
            self.assertAlmostEqual(y, math.sin(a) + 7 * math.sin(b)**2 + 0.1 * c**4 * math.sin(a), delta=1e-12)
        theirs = ot.SaltelliSensitivityAlgorithm(ot.Sample([row[:3] for row in rows]), ot.Sample([row[3:] for row in rows]), 64)
        ours = {entry["metric"]: entry["value"] for entry in self.report()["estimates"]}
        for i, name in enumerate("abc"):
            self.assertAlmostEqual(ours[f"shares.first.parameters.{name}"], theirs.getFirstOrderIndices()[i], delta=1e-12)
            self.assertAlmostEqual(ours[f"shares.total.parameters.{name}"], theirs.getTotalOrderIndices()[i], delta=1e-12)

    def test_expectations_about_estimates(self):
        pi, b = math.pi, 0.1  # closed forms of mean and first indices
        variance = 0.5 + b * pi**4 / 5 + b * b * pi**8 / 18 + 49 / 8
        study = changed(STUDY, sample__count=1024, expect=[
            {"metric": "spread.mean", "value": 3.5, "abs": 0.05, "source": "closed form"},
            {"metric": "spread.deviation", "value": math.sqrt(variance), "abs": 0.1, "source": "closed form"},
            {"metric": "shares.first.parameters.b", "value": 49 / 8 / variance, "abs": 0.03, "source": "closed form"},
            {"metric": "shares.first.parameters.c", "below": 0.05, "above": -0.05}])
        result = self.study(study, ISHIGAMI)
        self.assertIn("4 expectations met", result.stdout)
        self.assertIn("spread.quantile.0.9", result.stdout)
        study["expect"][0]["value"] = 4
        self.assertRegex(self.study(study, ISHIGAMI, code=4).stderr, r"missed for 'spread.mean': obtained 3\.(4[5-9]|5[0-4])")

    def test_estimates_are_made_of_independent_points(self):
        # Of Saltelli's design A and B alone: the others are made of their coordinates.
        self.study(STUDY, ISHIGAMI)
        estimates = {entry["metric"]: entry for entry in self.report()["estimates"]}
        y = [row[0] for row in self.query("SELECT y FROM results ORDER BY id LIMIT 128")]
        mean = sum(y) / 128
        deviation = math.sqrt(sum((value - mean)**2 for value in y) / 127)
        student = 1.97881953  # quantile 0.975 with 127 degrees of freedom
        self.assertEqual(estimates["spread.count"]["value"], 128)
        self.assertAlmostEqual(estimates["spread.mean"]["value"], mean, delta=1e-12)
        self.assertAlmostEqual(estimates["spread.mean"]["high"] - mean, student * deviation / math.sqrt(128), delta=1e-6)

    def test_points_that_do_not_count(self):
        # Eight of the forty have no length.
        run = changed(PENDULUM, parameters={"k": 1}, system__length="=sqrt(4.5 - k)", system__angle=-1)
        study = {**SWINGS, "sample": {"method": "latin_hypercube", "count": 40, "distributions": {
                     "parameters.k": {"type": "discrete", "values": [1, 2, 3, 4, 5]}}},
                 "metrics": {"last": {"type": "counter", "of": "steps"}, "spread": {"type": "estimate", "of": "last"}}}
        self.study(study, run, code=4)
        estimates = {entry["metric"]: entry["value"] for entry in self.report()["estimates"]}
        self.assertEqual((estimates["spread.count"], estimates["spread.failed"], estimates["spread.not_finite"]), (32, 8, 0))
        with open(self.folder / "out" / "convergence.csv", newline="") as file:
            points = [int(row["points"]) for row in csv.DictReader(file) if row["estimate"] == "spread.mean"]
        self.assertEqual(points, [8, 16, 32])

    def test_infinite_points_do_not_count(self):
        metrics = {"last": {"type": "final_value", "channel": "=1/(theta - theta)"}, "spread": {"type": "estimate", "of": "last"}}
        self.study({**SWINGS, "metrics": metrics}, PENDULUM)
        estimates = {entry["metric"]: entry["value"] for entry in self.report()["estimates"]}
        self.assertEqual((estimates["spread.count"], estimates["spread.failed"], estimates["spread.not_finite"]), (0, 0, 40))
        self.assertEqual(self.query("SELECT DISTINCT last FROM results"), [(math.inf,)])

    def test_convergence_ends_with_all_points(self):
        self.study(changed(SWINGS, sample__count=20), PENDULUM)
        with open(self.folder / "out" / "convergence.csv", newline="") as file:
            points = [int(row["points"]) for row in csv.DictReader(file) if row["estimate"] == "spread.mean"]
        self.assertEqual(points, [8, 16, 20])

    def test_convergence_is_a_table(self):
        self.study(STUDY, ISHIGAMI)
        with open(self.folder / "out" / "convergence.csv", newline="") as file:
            rows = [row for row in csv.DictReader(file) if row["estimate"] == "shares.first.parameters.b"]
        self.assertEqual([int(row["points"]) for row in rows], [8, 16, 32, 64])
        self.assertTrue(all(float(row["low"]) <= float(row["value"]) <= float(row["high"]) for row in rows))
        last = {entry["metric"]: entry for entry in self.report()["estimates"]}["shares.first.parameters.b"]
        self.assertEqual(float(rows[-1]["value"]), last["value"])


class Store(SampleCase):
    def test_equal_dumps_for_any_number_of_workers(self):
        dumps = []
        for jobs in (1, 2, 4):
            self.study(SWINGS, PENDULUM, "--jobs", jobs)
            dumps.append(self.dump())
            (self.folder / "out").rename(self.folder / f"out{jobs}")
        self.assertEqual(dumps[0].count("\ncase ") + 1, 40)
        self.assertIn("settings 0 parameters.length", dumps[0])
        self.assertEqual(dumps[0], dumps[1])
        self.assertEqual(dumps[0], dumps[2])

    def test_a_name_with_a_dot_needs_quotes(self):
        self.study(changed(SWINGS, sample__count=2), PENDULUM)
        for sql, text in (("SELECT parameters.length FROM results", 'needs double quotes: "parameters.length"'),
                          ("SELECT 1; SELECT 2", "a query is one statement; after it stands 'SELECT 2'"),
                          ("", "a query is empty")):
            with self.subTest(sql):
                shown = self.trammel("study", "study.json", "-o", "out", "--show", sql)
                self.assertEqual(shown.returncode, 1)
                self.assertIn(text, shown.stderr)

    def test_a_case_is_the_same_alone(self):
        self.study(SWINGS, PENDULUM)
        alone = self.trammel("study", "study.json", "-o", "alone", "--case", "sample=17")
        self.assertEqual(alone.returncode, 0, alone.stderr)
        (last,), = self.query("SELECT last FROM results WHERE name = 'sample=17'")
        self.assertEqual(json.loads(alone.stdout)["metrics"]["last"], last)
        length, angle = self.query('SELECT "parameters.length", "parameters.angle" FROM results WHERE id = 16')[0]
        run = self.run_file(changed(PENDULUM, parameters={"length": length, "angle": angle}))
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(self.table()[1][-1][1], last)

    def test_more_points_keep_those_that_are_there(self):
        self.study(SWINGS, PENDULUM)
        before = self.query("SELECT timing.*, name FROM timing JOIN cases ON id = case_id ORDER BY id")
        self.study(changed(SWINGS, sample__count=60), PENDULUM)
        after = self.query("SELECT timing.*, name FROM timing JOIN cases ON id = case_id ORDER BY id")
        self.assertEqual(len(after), 60)
        self.assertEqual(after[:40], before)
        self.study(SWINGS, PENDULUM)  # and fewer forget the others
        self.assertEqual(self.query("SELECT timing.*, name FROM timing JOIN cases ON id = case_id ORDER BY id"), before)
        self.study(changed(SWINGS, sample__seed=6), PENDULUM)
        self.assertNotEqual(self.query("SELECT last FROM results"), [row[-2:-1] for row in before])

    def test_a_resumed_study_reports_the_same(self):
        self.study(SWINGS, PENDULUM)
        first = [(self.folder / "out" / name).read_bytes() for name in ("study.json", "study.csv", "study.md")]
        self.study(SWINGS, PENDULUM)
        self.assertEqual(first, [(self.folder / "out" / name).read_bytes() for name in ("study.json", "study.csv", "study.md")])
        self.assertFalse((self.folder / "out" / "cases").exists())
        self.assertFalse((self.folder / "out" / "workers").exists())

    def test_queries(self):
        self.study(SWINGS, PENDULUM)
        result = self.trammel("study", "study.json", "-o", "out", "--show",
                              "SELECT count(*) AS cases, min(steps) AS least FROM results WHERE status = 'completed'")
        self.assertEqual(result.stdout.split(), ["cases", "least", "40", "25"])
        wrong = self.trammel("study", "study.json", "-o", "out", "--show", "SELECT nowhere FROM results")
        self.assertEqual(wrong.returncode, 1)
        self.assertIn("no such column: nowhere", wrong.stderr)
        self.assertIn("'SELECT * FROM results LIMIT 3' shows the columns", wrong.stderr)
        changes = self.trammel("study", "study.json", "-o", "out", "--show", "DELETE FROM cases")
        self.assertEqual(changes.returncode, 1)
        self.assertEqual(self.query("SELECT count(*) FROM cases"), [(40,)])
        nowhere = self.trammel("study", "study.json", "-o", "nowhere", "--show", "SELECT 1")
        self.assertIn("run the study first", nowhere.stderr)

    def test_names_that_differ_by_case(self):
        study = {"trammel_study": 1, "base": "run.json", "keep": "numbers",
                 "vary": {"parameters.k": [1, 2], "parameters.K": [3, 4]},
                 "metrics": {"Last": SWINGS["metrics"]["last"], "last": SWINGS["metrics"]["steps"]}}
        run = changed(PENDULUM, parameters={"k": 1, "K": 1}, system__length="=1 + k/K", system__angle=-1)
        self.study(study, run)
        rows = self.query('SELECT "parameters.k", "parameters.K~2", "Last", "last~2" FROM results ORDER BY id')
        self.assertEqual([row[:2] for row in rows], [(1, 3), (1, 4), (2, 3), (2, 4)])
        self.assertEqual([row[3] for row in rows], [25] * 4)
        self.assertEqual([case["metrics"] for case in self.report()["cases"]], [{"Last": row[2], "last": row[3]} for row in rows])
        before = self.dump()
        self.assertIn('settings 0 parameters.K "3"', before)
        self.study(study, run)
        self.assertEqual(self.dump(), before)
        self.assertEqual([case["metrics"]["last"] for case in self.report()["cases"]], [25] * 4)

    def test_trajectories_on_request(self):
        self.study(changed(SWINGS, sample__count=3, keep="files"), PENDULUM)
        self.assertTrue((self.folder / "out" / "cases" / "sample=2" / "results.csv").exists())
        self.assertEqual(len(self.query("SELECT last FROM results")), 3)

    def test_the_best_case_is_marked(self):
        vary = {"parameters.length": {"from": 0.5, "to": 2, "count": 4}}
        study = {**{key: SWINGS[key] for key in ("trammel_study", "base")}, "vary": vary,
                 "metrics": {"last": SWINGS["metrics"]["last"]}, "best": {"metric": "last", "goal": "largest"}}
        result = self.study(study, PENDULUM)
        values = {case["name"]: case["metrics"]["last"] for case in self.report()["cases"]}
        self.assertEqual(list(values), [f"parameters.length={value}" for value in ("0.5", "1", "1.5", "2")])
        best = max(values, key=values.get)
        self.assertEqual(self.report()["best"], best)
        self.assertIn(f"{best} (best)", result.stdout)
        self.assertIn(f"best case: {best}", (self.folder / "out" / "study.md").read_text())


class Messages(SampleCase):
    def test_wrong_samples(self):
        for changes, text in (
                ({"sample__distributions": {"parameters.lenght": AROUND}, "sample__correlations": DROP}, "/sample/distributions/parameters.lenght: no formula uses the parameter 'lenght'"),
                ({"sample__distributions": {"parameters.length": {"type": "normal", "mean": 1}}, "sample__correlations": DROP},
                 "/sample/distributions/parameters.length"),
                ({"metrics__shares": {"type": "sobol_indices", "of": "last"}}, "needs the design of \"sample\": {\"indices\": true}"),
                ({"metrics__spread__of": "lst"}, "there is no metric 'lst'; did you mean 'last'?"),
                ({"metrics__sure": {"type": "verify"}}, "needs files of cases, and this study keeps numbers only"),
                ({"best": {"metric": "lst"}}, "/best/metric: there is no metric 'lst'"),
                ({"expect": [{"case": "nowhere", "metric": "spread.mean", "below": 1}]}, "no cases of a sample share the name"),
        ):
            with self.subTest(text):
                self.assertIn(text, self.study(changed(SWINGS, **changes), PENDULUM, code=2).stderr)
                self.assertFalse((self.folder / "out").exists())
        plain = {key: value for key, value in SWINGS.items() if key != "sample"}
        self.assertIn("needs a \"sample\"", self.study(plain, PENDULUM, code=2).stderr)


main()
