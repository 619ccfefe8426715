"""`trammel study` as a user meets it: tables, resuming, failing cases, verdicts, processes, messages.

Run as: /usr/bin/python3 study_test.py TRAMMEL
"""
import csv
import json
import signal
import subprocess
import time
import xml.dom.minidom

from support import DROP, TRAMMEL, Case, changed, main

# The pendulum in one coordinate and a study of it: four short cases.
RUN = {
    "trammel": 2,
    "system": {"type": "pendulum_angle"},
    "analysis": {"type": "dynamics", "duration": 0.5},
    "integrator": {"type": "rk4", "step": 0.01},
    "output": {"step": 0.1},
}
STUDY = {
    "trammel_study": 1,
    "title": "Steps",
    "source": "nowhere",
    "base": "run.json",
    "vary": {"integrator.type": ["heun", "rk4"], "integrator.step": [0.02, 0.01]},
    "metrics": {
        "angle": {"type": "final_value", "channel": "theta"},
        "top": {"type": "max", "channel": "=abs(theta_dot)"},
        "steps": {"type": "counter", "of": "steps"},
    },
}
HEUN = "integrator.type=heun,integrator.step=0.02"
LAST = "integrator.type=rk4,integrator.step=0.01"


class StudyCase(Case):
    def study(self, study=None, *arguments, run=None, code=0):
        self.write(RUN if run is None else run)
        self.write(STUDY if study is None else study, "study.json")
        result = self.trammel("study", "study.json", "-o", "out", *arguments)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result

    def report(self):
        return json.loads((self.folder / "out" / "study.json").read_text())

    def case(self, name):
        return next(case for case in self.report()["cases"] if case["name"] == name)

    def ages(self):
        """When each finished case was written."""
        return {file.parent.name: file.stat().st_mtime_ns for file in (self.folder / "out" / "cases").glob("*/case.json")}


class Tables(StudyCase):
    def test_files(self):
        result = self.study()
        self.assertEqual(result.stderr, "")
        self.assertIn("4 cases; 0 expectations met, 0 missed", result.stdout)
        report = self.report()
        self.assertEqual((report["title"], report["source"], report["status"]), ("Steps", "nowhere", "as expected"))
        first = report["cases"][0]
        self.assertEqual(first["name"], HEUN)
        self.assertEqual(first["set"], {"integrator.type": "heun", "integrator.step": 0.02})
        self.assertEqual((first["status"], first["message"]), ("completed", ""))
        self.assertEqual(first["metrics"]["steps"], 25)
        self.assertGreater(first["timing"]["solve_s"], 0)
        final = json.loads((self.folder / "out" / first["folder"] / "summary.json").read_text())["final"]["channels"]
        self.assertEqual(first["metrics"]["angle"], final["theta"])

        with open(self.folder / "out" / "study.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([row["case"] for row in rows], [case["name"] for case in report["cases"]])
        self.assertEqual(float(rows[3]["angle"]), report["cases"][3]["metrics"]["angle"])
        self.assertEqual(rows[3]["integrator.type"], "rk4")
        self.assertEqual(float(rows[3]["top.time"]), 0.5)  # it still falls
        markdown = (self.folder / "out" / "study.md").read_text()
        self.assertIn("# Steps", markdown)
        self.assertIn(f"| {LAST} ", markdown)

    def test_the_results_are_those_of_run(self):
        self.study()
        alone = self.trammel("run", "run.json", "-o", "alone", "--set", "integrator.step=0.02", "--set",
                             "integrator.type=heun")
        self.assertEqual(alone.returncode, 0, alone.stderr)
        self.assertEqual((self.folder / "alone" / "results.csv").read_bytes(),
                         (self.folder / "out" / "cases" / HEUN / "results.csv").read_bytes())

    def test_jobs_change_nothing(self):
        self.study(None, "--jobs", "3")
        parallel = self.report()
        self.trammel("study", "study.json", "-o", "serial")
        serial = json.loads((self.folder / "serial" / "study.json").read_text())
        for ours, theirs in zip(parallel["cases"], serial["cases"]):
            self.assertEqual(ours["metrics"], theirs["metrics"])

    def test_on_output_and_table(self):
        study = changed(STUDY, metrics__few={"type": "mean", "channel": "t", "on": "output"},
                        metrics__many={"type": "rms", "channel": "t"}, table={"columns": ["few"], "digits": 3})
        shown = self.study(study).stdout
        self.assertAlmostEqual(self.case(LAST)["metrics"]["few"], 0.25, delta=1e-12)
        self.assertAlmostEqual(self.case(LAST)["metrics"]["many"], 0.5 / 3**0.5, delta=1e-3)  # trapezoids of t^2
        self.assertIn("few", shown)
        self.assertNotIn("angle", shown)


class Several(StudyCase):
    def test_error_against_a_case_order_ratio_and_time(self):
        study = changed(STUDY, vary=DROP, cases=[
            {"name": "fine", "set": {"integrator.step": 0.001}},
            {"name": "coarse", "set": {"integrator.step": 0.05}},
            {"name": "middle", "set": {"integrator.step": 0.025}},
            {"name": "other", "set": {"integrator": {"type": "dopri5", "rtol": 1e-9}}}])
        study["metrics"] = {
            "error": {"type": "error", "against": "fine", "columns": {"theta": "theta"}},
            "order": {"type": "order", "of": "error", "over": "integrator.step", "cases": ["coarse", "middle"]},
            "steps": {"type": "counter", "of": "steps"},
            "share": {"type": "ratio", "of": "steps", "to": "fine"},
            "cpu": {"type": "cpu_time", "repeat": 3},
        }
        study["expect"] = [
            {"metric": "order", "value": 4, "abs": 0.2, "source": "order of rk4"},
            {"case": "other", "metric": "error", "below": 1e-8},
            {"metric": "cpu", "below": 1e-9, "timing": True},
        ]
        result = self.study(study, "--no-timing", run=changed(RUN, output={"step": 0.05}))
        self.assertIn("not judged (timing)", result.stdout)
        self.assertNotIn("error", self.case("fine")["metrics"])  # nothing to compare with
        self.assertEqual(self.case("middle")["metrics"]["share"], 20 / 500)
        times = self.case("coarse")["metrics"]
        self.assertGreater(times["cpu"], 0)
        self.assertLessEqual(times["cpu.minimum"], times["cpu"])
        self.study(study, run=changed(RUN, output={"step": 0.05}), code=4)  # the time is judged now

    def test_a_printed_figure_alone_is_shown_and_not_judged(self):
        printed = {"case": LAST, "metric": "steps", "printed": 1e9, "source": "Table 7"}
        result = self.study(dict(STUDY, expect=[printed]))
        line = next(line for line in result.stdout.splitlines() if "Table 7" in line)
        self.assertRegex(line, r"steps +1e\+0?9 +50 +not judged +Table 7")
        self.assertIn("0 expectations met, 0 missed", result.stdout)
        self.study(dict(STUDY, expect=[dict(printed, value=1e9, rel=0.1)]), code=4)  # with a value it is judged

    def test_error_against_a_file_with_a_closed_form(self):
        # Small swings about the downward vertical: theta = -pi/2 + A cos(w t) up to A^3.
        from math import cos, pi, sqrt
        rows = [(t / 50, -pi / 2 + 1e-3 * cos(sqrt(9.81) * t / 50)) for t in range(26)]
        (self.folder / "closed.csv").write_text("t,angle\n" + "".join(f"{t:.17g},{a:.17g}\n" for t, a in rows))
        study = changed(STUDY, metrics={
            "grid": {"type": "error", "against": "closed.csv", "columns": {"theta": "angle"}},
            "own": {"type": "error", "against": "closed.csv", "columns": {"=2*theta": "=2*angle"}, "grid": "own"}})
        self.study(study, run=changed(RUN, system__angle="=-pi/2 + 0.001"))
        fine = self.case(LAST)["metrics"]
        self.assertLess(fine["grid"], 1e-9)  # A^3
        self.assertLess(fine["own"], 1e-7)   # the cubic: 2 A w^4 dt^4 / 40
        self.assertGreater(self.case(HEUN)["metrics"]["grid"], 10 * fine["grid"])


class Resuming(StudyCase):
    def test_finished_cases_are_not_run_again(self):
        self.study()
        before = self.ages()
        self.assertEqual(len(before), 4)
        self.study()
        self.assertEqual(self.ages(), before)
        (self.folder / "out" / "cases" / LAST / "case.json").unlink()
        self.study()
        after = self.ages()
        self.assertEqual({name for name in before if before[name] != after[name]}, {LAST})

    def test_changed_inputs_are_noticed(self):
        self.study()
        before = self.ages()
        self.study(changed(STUDY, title="Other", expect=[{"status": "completed"}]))
        self.assertEqual(self.ages(), before)  # says nothing about the runs
        self.study(changed(STUDY, metrics__steps__of="evaluations"))
        metrics = self.ages()
        self.assertTrue(all(metrics[name] > before[name] for name in before))
        self.study(changed(STUDY, metrics__steps__of="evaluations"), run=changed(RUN, system__length=2))
        self.assertTrue(all(self.ages()[name] > metrics[name] for name in before))

    def test_another_build_of_a_plugin_is_noticed(self):
        self.study()
        before = self.ages()
        file = self.folder / "out" / "cases" / HEUN / "case.json"
        record = json.loads(file.read_text())
        self.assertIn("runge_kutta", {plugin["id"] for plugin in record["plugins"]})
        record["plugins"][0]["build_id"] = "0123"
        file.write_text(json.dumps(record))
        self.study()
        after = self.ages()
        self.assertEqual({name for name in before if name != HEUN and before[name] != after[name]}, set())
        self.assertNotEqual(json.loads(file.read_text())["plugins"][0]["build_id"], "0123")

    def test_an_interrupted_study_goes_on(self):
        self.write(RUN)
        endless = {"name": "endless", "set": {"analysis.duration": 1e9, "output.step": 1e8}}
        study = changed(STUDY, vary=DROP, cases=[{"name": "short"}, endless, {"name": "last"}])
        self.write(study, "study.json")
        process = subprocess.Popen([TRAMMEL, "study", "study.json", "-o", "out"], cwd=self.folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        running = self.folder / "out" / "cases" / "endless" / "results.csv"
        for _ in range(600):
            if running.exists():
                break
            time.sleep(0.1)
        process.send_signal(signal.SIGTERM)
        _, told = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        self.assertIn("interrupted; 2 of 3 cases are missing: the same command continues", told)
        self.assertEqual([case["status"] for case in self.report()["cases"]], ["completed", "interrupted", "not run"])
        self.assertEqual(self.report()["status"], "interrupted")
        short = self.ages()["short"]
        study["cases"][1]["set"] = {"analysis.duration": 1}
        self.study(study)
        self.assertEqual(self.ages()["short"], short)
        self.assertEqual([case["status"] for case in self.report()["cases"]], ["completed"] * 3)


class Failing(StudyCase):
    # e^800 is no double: the run to 800 s fails.
    def growing_run(self):
        return {**RUN, "system": {"type": "exponential"}, "analysis": {"type": "dynamics", "duration": 800}}

    def test_a_failed_case_is_a_row_with_its_message(self):
        study = changed(STUDY, vary={"analysis.duration": [1, 800]},
                        metrics={"x": {"type": "final_value", "channel": "x"}})
        result = self.study(study, run=self.growing_run(), code=4)
        failed = self.case("analysis.duration=800")
        self.assertEqual(failed["status"], "failed")
        self.assertIn("not finite", failed["message"])
        self.assertEqual(failed["metrics"], None)
        self.assertEqual(self.case("analysis.duration=1")["status"], "completed")
        self.assertIn("case 'analysis.duration=800' failed unexpectedly", result.stderr)
        self.assertIn(failed["message"], result.stdout)
        before = self.ages()
        self.study(study, run=self.growing_run(), code=4)
        self.assertEqual(self.ages(), before)  # it would fail again

    def test_an_expected_failure_is_a_result(self):
        expected = [{"case": "analysis.duration=800", "status": "failed"}]
        study = changed(STUDY, vary={"analysis.duration": [1, 800]}, expect=expected,
                        metrics={"x": {"type": "final_value", "channel": "x"}})
        self.study(study, run=self.growing_run())
        study["expect"] = [{"status": "failed"}]
        result = self.study(study, run=self.growing_run(), code=4)
        self.assertIn("study.json:", result.stderr)
        self.assertIn("/expect/0: missed in case 'analysis.duration=1': obtained status completed", result.stderr)

    def test_a_case_that_cannot_start_is_a_row_too(self):
        study = changed(STUDY, metrics={"x": {"type": "final_value", "channel": "thete"}})
        self.study(study, code=4)
        for case in self.report()["cases"]:
            self.assertEqual(case["status"], "failed")
            self.assertIn("/metrics/x: there is no column 'thete'; did you mean 'theta'?", case["message"])

    def test_missed_expectations(self):
        study = changed(STUDY, expect=[
            {"case": LAST, "metric": "steps", "printed": 49, "value": 49, "abs": 0.5, "source": "made up"},
            {"case": LAST, "metric": "top.time", "above": 0.4, "below": 0.6},
            {"metric": "steps", "below": 30}])
        result = self.study(study, code=4)
        self.assertIn("/expect/0: missed in case '" + LAST + "' for 'steps': obtained 50", result.stderr)
        verdicts = [(entry["case"], entry["verdict"]) for entry in self.report()["expectations"]]
        self.assertEqual(verdicts[:2], [(LAST, "missed"), (LAST, "met")])
        self.assertEqual([verdict for _, verdict in verdicts[2:]], ["met", "missed", "met", "missed"])
        self.assertEqual(self.report()["expectations"][0]["printed"], 49)
        self.assertIn("49 +- 0.5", (self.folder / "out" / "study.md").read_text())


class Messages(StudyCase):
    def refused(self, study, *texts, code=2):
        result = self.study(study, code=code)
        for text in texts:
            self.assertIn(text, result.stderr)
        self.assertFalse((self.folder / "out").exists(), "a refused study leaves a folder behind")

    def test_wrong_studies(self):
        for changes, text in (
                ({"metrics__top__type": "maxx"}, "/metrics/top/type: there is no metric type 'maxx'; did you mean 'max'?"),
                ({"metrics__top__chanel": "x"}, "/metrics/top/chanel: unknown key for a metric of type 'max'; did you mean "
                                                "'channel'?"),
                ({"metrics__o": {"type": "order", "of": "angel", "over": "integrator.step"}},
                 "/metrics/o/of: there is no metric 'angel'; did you mean 'angle'?"),
                ({"metrics__o": {"type": "order", "of": "angle", "over": "integrator.stp"}}, "no case gives a number to"),
                ({"metrics__e": {"type": "error", "against": "nowhere.csv"}}, "'nowhere.csv' is neither a file"),
                ({"metrics__steps__of": "equilibrium.iteration"},
                 "/metrics/steps/of: a summary has no number 'equilibrium.iteration'; did you mean 'equilibrium.iterations'?"),
                ({"metrics__steps__of": "evaluation"}, "did you mean 'evaluations'?"),
                ({"metrics__steps__of": "modes.omga.3"}, "a summary has no number 'modes.omga.3'"),
                ({"expect": [{"metric": "angel", "below": 1}]}, "/expect/0/metric: there is no metric 'angel'"),
                ({"expect": [{"case": "x", "status": "failed"}]}, "/expect/0/case: there is no case 'x'"),
                ({"table": {"columns": ["angel"]}}, "/table/columns/0: there is no metric 'angel'"),
                ({"vary": {"integrator.stp": [0.1]}}, "unknown key for type 'rk4'; did you mean 'step'?"),
                ({"vary": {"system.length": [-1]}}, "/system/length"),
                ({"vary": {"title": ["a", "b"]}}, "/title: changes no number of the run"),
                ({"vary": {"parameters.K": [1, 2]}}, "parameters.K: no formula uses the parameter 'K'"),
                ({"vary": DROP, "cases": [{"name": "one", "set": {"parameters.K": 1}}, {"name": "two", "set": {"parameters.K": 2}}]},
                 "parameters.K: no formula uses the parameter 'K'"),
        ):
            with self.subTest(text):
                wrong = changed(STUDY, **changes)
                self.refused(wrong, "study.json:", text, code=3 if "metric type" in text else 2)
                told = self.trammel("validate", "study.json")
                self.assertNotEqual(told.returncode, 0)
                self.assertIn(text, told.stderr)

    def test_validate_and_run(self):
        self.write(RUN)
        self.write(STUDY, "study.json")
        self.assertEqual(self.trammel("validate", "study.json", "run.json").returncode, 0)
        result = self.trammel("run", "study.json")
        self.assertEqual(result.returncode, 2)
        self.assertIn("use 'trammel study'", result.stderr)
        result = self.trammel("study", "run.json")
        self.assertEqual(result.returncode, 2)
        self.assertIn("use 'trammel run'", result.stderr)
        self.assertEqual(self.trammel("study", "study.json", "--jobs", "0").returncode, 1)
        self.assertEqual(self.trammel("study").returncode, 1)


class Stability(StudyCase):
    STUDY = changed(STUDY, metrics={
        "limit": {"type": "stability_limit", "until": 4, "points": 50},
        "region": {"type": "stability_region", "columns": 20},
        "radius": {"type": "spectral_radius", "im": 1.0},
    })

    def test_numbers_and_pictures(self):
        self.study(self.STUDY)
        self.assertAlmostEqual(self.case(LAST)["metrics"]["limit"], 8**0.5, places=6)
        self.assertEqual(self.case(HEUN)["metrics"]["limit"], 0)
        self.assertAlmostEqual(self.case(HEUN)["metrics"]["radius"], 1.25**0.5, places=12)  # |1 + i - 1/2|
        rows = list(csv.reader((self.folder / "out" / "cases" / LAST / "limit.csv").read_text().splitlines()))
        self.assertEqual((rows[0], len(rows)), (["h_lambda", "radius"], 51))
        for name in ("limit.svg", "region.svg"):
            picture = xml.dom.minidom.parse(str(self.folder / "out" / name))
            names = [node.firstChild.data for node in picture.getElementsByTagName("text")]
            self.assertIn(HEUN, names)
            self.assertIn("![%s](%s)" % (name, name), (self.folder / "out" / "study.md").read_text())

    def test_methods_that_choose_their_steps(self):
        run = changed(RUN, integrator={"type": "ddeabm", "rtol": 1e-6, "atol": 1e-8})
        result = self.study(changed(self.STUDY, vary=DROP), run=run, code=4)
        self.assertIn("/metrics/limit: the stability of 'ddeabm' cannot be found: the method chooses its own steps",
                      result.stdout + result.stderr)


main()
