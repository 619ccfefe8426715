"""What is wrong with studies, told before their cases run: with its place, its value and what is near it.

Run as: /usr/bin/python3 study_refusals_test.py TRAMMEL
"""
import time

from support import DROP, Case, changed, main

RUN = {
    "trammel": 2,
    "parameters": {"length": 1},
    "system": {"type": "pendulum_angle", "length": "=length", "angle": -1},
    "analysis": {"type": "dynamics", "duration": 0.1},
    "integrator": {"type": "rk4", "step": 0.01},
    "output": {"step": 0.1},
}
LAST = {"type": "final_value", "channel": "theta"}
STUDY = {
    "trammel_study": 1,
    "base": "run.json",
    "sample": {"count": 4, "distributions": {"parameters.length": {"type": "uniform", "min": 1, "max": 2}}},
    "metrics": {"y": LAST, "peak": {"type": "max", "channel": "theta"}, "e": {"type": "estimate", "of": "y"}},
}
VARIED = {"trammel_study": 1, "base": "run.json", "vary": {"parameters.length": [1, 2]}, "metrics": {"y": LAST}}


class Refusals(Case):
    def setUp(self):
        super().setUp()
        self.write(RUN)

    def study(self, study, *arguments, code=0):
        result = self.trammel("study", self.write(study, "study.json"), "-o", "out", *arguments)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result

    def refused(self, base, *pairs):
        for changes, text in pairs:
            with self.subTest(text):
                told = self.study(changed(base, **changes), code=2).stderr
                self.assertIn(text, told)
                self.assertFalse((self.folder / "out" / "study.md").exists())

    def test_numbers_that_metrics_do_not_have(self):
        self.refused(
            STUDY,
            ({"expect": [{"metric": "e.maen", "below": 1}]}, "/expect/0/metric: the metric 'e' has no number 'e.maen'; did you mean 'e.mean'?"),
            ({"expect": [{"metric": "e", "below": 1}]}, "the metric 'e' has several numbers and none of its own name"),
            ({"expect": [{"metric": "peak.tmie", "below": 1}]}, "/expect/0/metric: the metric 'peak' has no number 'peak.tmie'; did you mean 'peak.time'?"),
            ({"best": {"metric": "e.mean"}}, "/best/metric: must be a metric of each case; 'e.mean' (type 'estimate')"),
            ({"table": {"columns": ["y", "e.mean"]}}, "/table/columns/1: must be a metric of each case"),
            ({"metrics__e__of": "e"}, "/metrics/e/of: a metric cannot be made of itself"),
            ({"metrics__e__of": "peak.tme"}, "/metrics/e/of: the metric 'peak' has no number 'peak.tme'"),
            ({"metrics__f": {"type": "estimate", "of": "e.mean"}}, "/metrics/f/of: must be a metric of each case"),
            ({"metrics__e__quantiles": [0.5, 0.5]}, "/metrics/e/quantiles/1: the quantile 0.5 is given twice"),
            ({"metrics__y__channel": "thetta"}, "/metrics/y"),
            ({"metrics__y__cases": ["sample=1"]}, "/metrics/y/cases/0: there is no case 'sample=1'"),
            ({"sample__seed": 9007199254740993}, "/sample/seed"),
            ({"sample__distributions": {}}, "it names no parameter"),
            ({"sample__distributions": {f"parameters.p{i}": {"type": "uniform", "min": 1, "max": 2} for i in range(1501)}},
             "/sample/distributions: more than 1500 different paths are set"))

    def test_an_unknown_channel_stops_at_the_first_case(self):
        self.study(changed(STUDY, sample__count=2000, metrics__y__channel="thetta"), code=2)
        # Cases of other systems may have other channels: they are rows.
        study = changed(VARIED, vary={"system.type": ["pendulum_angle", "exponential"]})
        self.assertEqual(self.study(study, code=2).returncode, 2)

    def test_values_and_ranges(self):
        self.refused(
            VARIED,
            ({"vary": {"parameters.length": [1, 1.0]}}, "'parameters.length=1.0' is the same number as 'parameters.length=1'"),
            ({"vary": {"parameters.length": {"from": 1, "to": 2, "count": 0}}}, "/vary/parameters.length/count: must be at least 1, not 0"),
            ({"vary": {"parameters.lenght": [1, 2]}}, "/vary/parameters.lenght: no formula uses the parameter 'lenght'"),
            ({"vary": {"parameters.length": [1, None]}}, "(in the case 'parameters.length=null')"))

    def test_equal_cases_are_named(self):
        study = changed(VARIED, vary=DROP, cases=[{"name": "a"}, {"name": "b"}])
        self.assertIn("remark: the cases 'a' and 'b' have equal base and settings", self.study(study).stderr)

    def test_options_that_would_be_ignored(self):
        self.study(VARIED)
        for arguments in (("--show", "SELECT 1", "--dump"), ("--show", "SELECT 1", "--jobs", 4), ("--show", "SELECT 1", "--slurm"),
                          ("--slurm", "--case", "x"), ("--gather", "--jobs", 2), ("--dump", "--report"), ("--slurm", "--report"),
                          ("--slurm", "--jobs", 3), ("--gather", "--slurm")):
            with self.subTest(arguments):
                told = self.study(VARIED, *arguments, code=1).stderr
                self.assertIn(arguments[0], told)

    def test_a_gathered_study_tells_what_is_missing(self):
        told = self.study(VARIED, "--gather", code=130).stderr
        self.assertIn("nothing was run (--gather); 2 of 2 cases are missing: the study without --gather continues", told)

    def test_one_case_has_the_limits_of_the_study(self):
        endless = changed(VARIED, limits={"time": 1}, set={"analysis.duration": 1e9, "output.step": 1e8})
        begin = time.monotonic()
        told = self.study(endless, "--case", "parameters.length=1", code=4).stderr
        self.assertIn("not done after 1 s, the limit of time", told)
        self.assertLess(time.monotonic() - begin, 60)


main()
