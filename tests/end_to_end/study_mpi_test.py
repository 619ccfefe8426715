"""`mpirun -np N trammel-mpi study` as a user meets it: the same results as `trammel study`, messages, interrupts.

Run as: /usr/bin/python3 study_mpi_test.py TRAMMEL
"""
import json
import os
import pathlib
import signal
import subprocess
import time

from support import RUN_SECONDS, TRAMMEL, Case, changed, main

MPI = pathlib.Path(TRAMMEL).parent / "trammel-mpi"
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


class Mpi(Case):
    def mpi(self, ranks, *arguments):
        return ["mpirun", "--oversubscribe", "--allow-run-as-root", "-np", str(ranks), str(MPI), "study", "study.json",
                *map(str, arguments)]

    def run_mpi(self, ranks, *arguments, code=0):
        result = subprocess.run(self.mpi(ranks, *arguments), cwd=self.folder, stdin=subprocess.DEVNULL,
                                capture_output=True, text=True, timeout=RUN_SECONDS)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result

    def dump(self, out):
        return self.trammel("study", "study.json", "-o", out, "--dump").stdout

    def setUp(self):
        super().setUp()
        self.write(RUN)
        self.write(STUDY, "study.json")

    def test_the_same_for_any_number_of_ranks(self):
        self.assertEqual(self.trammel("study", "study.json", "-o", "alone").returncode, 0)
        for ranks in (1, 2, 4):
            result = self.run_mpi(ranks, "-o", f"ranks{ranks}")
            self.assertIn("64 cases", result.stdout)
            self.assertEqual(self.dump(f"ranks{ranks}"), self.dump("alone"))

    def test_cases_that_leave_files_and_compare_with_others(self):
        study = {"trammel_study": 1, "base": "run.json", "cases": [
            {"name": "fine", "set": {"integrator.step": 0.001}}, {"name": "coarse"}],
            "metrics": {"error": {"type": "error", "against": "fine", "columns": {"theta": "theta"}}}}
        self.write(study, "study.json")
        self.run_mpi(2, "-o", "out")
        cases = json.loads((self.folder / "out" / "study.json").read_text())["cases"]
        self.assertLess(cases[1]["metrics"]["error"], 1e-6)
        self.assertTrue((self.folder / "out" / "cases" / "coarse" / "results.csv").exists())

    def test_wrong_input_is_told_once(self):
        self.write(changed(STUDY, metrics__last__type="final_valu"), "study.json")
        result = self.run_mpi(3, "-o", "out", code=3)
        self.assertEqual(result.stderr.count("there is no metric type 'final_valu'"), 1)

    def test_an_interrupted_study_goes_on(self):
        self.write(changed(RUN, analysis__duration=3000, integrator__step_check=False, output__step=1000))
        process = subprocess.Popen(self.mpi(2, "-o", "out"), cwd=self.folder, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        time.sleep(3)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertNotEqual(process.returncode, 0)
        self.write(RUN)
        self.run_mpi(2, "-o", "out")
        self.assertEqual(self.trammel("study", "study.json", "-o", "alone").returncode, 0)
        self.assertEqual(self.dump("out"), self.dump("alone"))


os.environ["OMPI_MCA_rmaps_base_oversubscribe"] = "1"
main()
