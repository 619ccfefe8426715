"""What large models take: memory of a run per body, from two lengths of a chain, and that nothing is missing for it."""
import json
import os
import subprocess

from support import Case, RUN_SECONDS, SOURCE, TRAMMEL, main

# kB per body, a quarter above what docs/performance.md names.
LIMITS = {"planar_chain": 16, "revolute_chain": 32}
TEN_STEPS = ["analysis.duration=0.01", 'formulation={"type": "direct"}',
             'integrator={"type": "rk4", "step": 0.001, "step_check": false}', "output.step=0.01"]


class Memory(Case):
    def peak(self, family, n):
        """kB of resident memory at most, of ten steps of rk4. The kernel counts what this process has when it starts the
        other one, so that this one stays small and reads no large file."""
        name = f"{family}_{n}"
        with (self.folder / f"{name}.json").open("w") as file:
            subprocess.run(["/usr/bin/python3", SOURCE / "configs/benchmarks/make_model.py", family, str(n)], stdout=file,
                           check=True)
        sets = [word for setting in TEN_STEPS for word in ("--set", setting)]
        child = subprocess.Popen([TRAMMEL, "run", f"{name}.json", "-o", name, "--quiet", *sets], cwd=self.folder,
                                 stdin=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(child.returncode, 0)
        return usage.ru_maxrss

    def test_memory_per_body(self):
        if RUN_SECONDS > 120:
            self.skipTest("sanitizers take memory of their own")
        for family, limit in LIMITS.items():
            with self.subTest(family):
                few, many = 1000, 4000
                per_body = (self.peak(family, many) - self.peak(family, few)) / (many - few)
                self.assertLess(per_body, limit, "kB per body")

    def test_what_was_freed_is_told_all_the_same(self):
        self.peak("planar_chain", 5)
        run = json.loads((self.folder / "planar_chain_5" / "summary.json").read_text())["run"]
        self.assertEqual(list(run["system"]["bodies"]), [f"link{i}" for i in range(1, 6)])
        self.assertEqual(run["system"]["constraints"]["hinge2"]["bodies"], ["link1", "link2"])


main()
