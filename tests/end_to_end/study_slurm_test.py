"""`trammel study --slurm` on a cluster of this machine's own: chunks, waiting, gathering, kills, messages.

Run as: /usr/bin/python3 study_slurm_test.py TRAMMEL; by scripts/slurm_test, which installs Slurm.
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

from slurm_cluster import Cluster
from support import TRAMMEL, Case, changed, main

RUN = {
    "trammel": 2,
    "parameters": {"length": 1},
    "system": {"type": "pendulum_angle", "length": "=length"},
    "analysis": {"type": "dynamics", "duration": 1},
    "integrator": {"type": "rk4", "step": 0.01},
    "output": {"step": 0.5},
}
STUDY = {
    "trammel_study": 1,
    "base": "run.json",
    "sample": {"method": "sobol", "count": 64, "distributions": {
        "parameters.length": {"type": "uniform", "min": 0.7, "max": 1.3}}},
    "metrics": {"last": {"type": "final_value", "channel": "theta"}},
}
PROGRAM = str(pathlib.Path(TRAMMEL).resolve())
cluster = None


def setUpModule():
    global cluster
    holder = tempfile.TemporaryDirectory(prefix="trammel_slurm_")
    unittest.addModuleCleanup(holder.cleanup)
    cluster = Cluster(holder.name)
    unittest.addModuleCleanup(cluster.stop)


class Slurm(Case):
    def setUp(self):
        super().setUp()
        self.write(RUN)
        self.write(STUDY, "study.json")

    def study(self, *arguments, code=0, environment=None):
        result = subprocess.run([PROGRAM, "study", "study.json", *map(str, arguments)], cwd=self.folder,
                                stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=240,
                                env=environment or cluster.environment)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr + self.logs())
        return result

    def logs(self):
        return "".join(f"--- {file.name}\n{file.read_text()}" for file in self.folder.glob("out/slurm/*.log"))

    def dump(self, out):
        return self.study("-o", out, "--dump").stdout

    def wait_for_jobs(self):
        end = time.monotonic() + 120
        while cluster.client("squeue", "--noheader").stdout.strip():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.5)

    def test_waiting_gives_what_one_machine_gives(self):
        self.study("-o", "alone", "--quiet")
        result = self.study("-o", "out", "--slurm", "--wait", "--chunks", 6, "--sbatch=--cpus-per-task=1")
        self.assertIn("submitted job", result.stdout)
        self.assertIn("6 chunks of at most 11 cases", result.stdout)
        self.assertIn("64 cases", result.stdout)
        self.assertEqual(self.dump("out"), self.dump("alone"))
        again = self.study("-o", "out", "--slurm", "--wait")  # nothing is missing
        self.assertNotIn("submitted", again.stdout)

    def test_names_of_folders_that_slurm_takes_for_patterns(self):
        for name in ("pct%a", "two%%", "back\\slash"):
            with self.subTest(name):
                told = self.study("-o", name, "--slurm", code=2).stderr
                self.assertIn(f"{name}/slurm: Slurm reads '%' and '\\' in paths as patterns", told)
        self.assertIn("64 cases", self.study("-o", "a b", "--slurm", "--wait").stdout)

    def test_without_waiting_a_job_gathers(self):
        self.study("-o", "alone", "--quiet")
        result = self.study("-o", "out", "--slurm", "--chunks", 4)
        self.assertIn("submitted job", result.stdout)
        second = self.study("-o", "out", "--slurm")
        self.assertIn("is on its way", second.stdout)
        self.wait_for_jobs()
        self.assertIn("64 cases", (self.folder / "out" / "study.md").read_text(), self.logs())
        self.assertEqual(self.dump("out"), self.dump("alone"))

    def test_cases_that_keep_files(self):
        study = {"trammel_study": 1, "base": "run.json", "vary": {"parameters.length": [0.8, 0.9, 1.1]},
                 "metrics": STUDY["metrics"]}
        self.write(study, "study.json")
        self.study("-o", "out", "--slurm", "--wait")
        self.assertTrue((self.folder / "out" / "cases" / "parameters.length=0.9" / "results.csv").exists())
        self.study("-o", "alone", "--quiet")
        self.assertEqual(self.dump("out"), self.dump("alone"))

    def test_a_failing_case_is_a_row(self):
        self.write(changed(STUDY, sample__method="monte_carlo", sample__count=24, sample__seed=2, sample__distributions={
            "parameters.length": {"type": "discrete", "values": [1, -1], "weights": [5, 1]}}), "study.json")
        self.study("-o", "alone", "--quiet", code=4)
        self.study("-o", "out", "--slurm", "--wait", "--chunks", 2, code=4)
        self.assertEqual(self.dump("out"), self.dump("alone"))
        self.assertIn(" failed ", self.dump("out"))

    def test_endless_cases_that_keep_files_are_rows_and_not_run_again(self):
        cases = [{"name": "endless", "set": {"analysis.duration": 1e9, "output.step": 1e8}}, {"name": "short"}]
        self.write(changed(RUN, integrator__step_check=False))
        self.write({"trammel_study": 1, "base": "run.json", "cases": cases, "limits": {"time": 2},
                    "metrics": STUDY["metrics"]}, "study.json")
        self.study("-o", "out", "--slurm")
        self.wait_for_jobs()
        self.assertIn("not done after 2 s", (self.folder / "out" / "study.md").read_text(), self.logs())
        again = self.study("-o", "out", "--slurm", "--wait", code=4)
        self.assertNotIn("submitted", again.stdout)

    def test_wrong_options_and_no_slurm(self):
        result = self.study("-o", "out", "--slurm", "--wait", "--sbatch=--partition=nowhere", code=4)
        self.assertRegex(result.stderr, "sbatch: .*partition")
        nothing = {**os.environ, "PATH": "/nonexistent"}
        result = self.study("-o", "out", "--slurm", code=4, environment=nothing)
        self.assertIn("Slurm has to be installed", result.stderr)
        self.study("-o", "out", "--wait", code=1)

    def test_a_study_killed_again_and_again(self):
        kills = pathlib.Path(__file__).with_name("study_kills_test.py")
        result = subprocess.run([sys.executable, str(kills), PROGRAM, "slurm", "1000", "20"], env=cluster.environment,
                                capture_output=True, text=True, timeout=1200)
        print(result.stdout, flush=True)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)


main()
