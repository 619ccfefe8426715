"""What large models take: memory of a run per body, from two lengths of a chain, and the same results as ever."""
import json
import os
import subprocess
import sys

from support import Case, RUN_SECONDS, SOURCE, TRAMMEL, main

sys.path.insert(0, str(SOURCE / "configs" / "benchmarks"))
import make_model  # noqa: E402

# kB per body; what was measured is in docs/performance.md.
LIMITS = {"planar_chain": 14, "revolute_chain": 24}


class Memory(Case):
    def peak(self, family, n):
        """kB of resident memory at most, of ten steps of rk4."""
        model = make_model.model(family, n)
        model["analysis"]["duration"] = 0.01
        model["formulation"] = {"type": "direct"}
        model["integrator"] = {"type": "rk4", "step": 0.001, "step_check": False}
        model["output"] = {"step": 0.01}
        name = self.write(make_model.text(model), f"{family}_{n}.json")
        child = subprocess.Popen([TRAMMEL, "run", name, "-o", f"{family}_{n}", "--quiet"], cwd=self.folder,
                                 stdin=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(child.returncode, 0)
        summary = json.loads((self.folder / f"{family}_{n}" / "summary.json").read_text())
        self.assertEqual(len(summary["run"]["system"]["bodies"]), n)  # what was freed meanwhile is told all the same
        self.assertEqual(summary["run"]["system"]["constraints"]["hinge2"]["bodies"], ["link1", "link2"])
        return usage.ru_maxrss

    def test_memory_per_body(self):
        if RUN_SECONDS > 120:
            self.skipTest("sanitizers take memory of their own")
        for family, limit in LIMITS.items():
            with self.subTest(family):
                few, many = 1000, 4000
                per_body = (self.peak(family, many) - self.peak(family, few)) / (many - few)
                self.assertLess(per_body, limit, "kB per body")


main()
