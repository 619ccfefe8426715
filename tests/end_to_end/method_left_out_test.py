"""Every shipped run file of dynamics without its methods: it runs at the first attempt, and agrees with the method it was shipped with.

"formulation" and "integrator" are removed; tolerances of the file are kept, and its "max_step". Two motions agree where they
differ by less than 3000 times what the tolerances allow in a step: errors grow along a motion, as those of a double pendulum do by
60 in two seconds.
"""
import json
import os
import pathlib
import re
import sys

from support import Case, SOURCE, main

FILES = sorted([*(SOURCE / "configs").rglob("*.json"), *(SOURCE / "plugins").rglob("cases/*.json")])
PART = [int(x) for x in os.environ.get("TRAMMEL_TEST_PART", "0/1").split("/")]  # which of how many
POSITIONS = re.compile(r"^\w+\.(x|y|z|phi)$")
# The choice between two motions that start from one state is not a matter of tolerance (bifurcations), and neither is where
# they meet after 10 s of chaos.
SHORTER = {"a02_four_bar_1": 0.9, "a02_four_bar_2": 0.9, "a02_four_bar_10": 0.9, "a02_four_bar_40": 0.9, "a02_revolutes_1": 0.9,
           "a02_revolutes_2": 0.9, "a02_revolutes_10": 0.9, "a02_revolutes_40": 0.9, "planar_double_pendulum": 2,
           "revolute_chain_256": 0.3, "chain_drive": 0.05, "hmmwv": 1.5, "hmmwv_10dof": 1.5, "hmmwv_stiff": 1.5, "decay": 100, "vibration": 100}


def without_comments(text):
    return re.sub(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/', lambda m: m.group(1) or "", text, flags=re.S)


def largest(value):
    return max(value) if isinstance(value, list) else value


class LeftOut(Case):
    def run_with(self, file, folder, sets):
        result = self.trammel("run", file, "-o", folder, "--quiet", *(x for s in sets for x in ("--set", s)))
        return result

    def compare(self, file):
        document = json.loads(without_comments(file.read_text()))
        if "trammel" not in document or document.get("analysis", {}).get("type") != "dynamics":
            return
        integrator = document.get("integrator", {})
        if integrator.get("type") == "auto":
            return
        rtol, atol = largest(integrator.get("rtol", 1e-6)), largest(integrator.get("atol", 1e-8))
        common = ["integrator.step_check=false"]
        if file.stem in SHORTER:
            common.append(f"analysis.duration={SHORTER[file.stem]}")
        if not document.get("output", {}).get("step"):
            duration = SHORTER.get(file.stem, document["analysis"]["duration"])
            if isinstance(duration, str):
                return
            common.append("output=" + json.dumps({"step": duration / 20}))  # channels may be the shipped method's own
        elif "writers" in document["output"]:
            common.append("output.writers=null")
        shipped = self.run_with(file, "shipped", common)
        self.assertEqual(shipped.returncode, 0, shipped.stderr)
        beside = {"type": "auto", "rtol": rtol, "atol": atol}
        if "max_step" in integrator:
            beside["max_step"] = integrator["max_step"]
        left = ["integrator=" + json.dumps(beside)] + (["formulation=null"] if "formulation" in document else []) + common
        result = self.run_with(file, "auto", left)
        self.assertEqual(result.returncode, 0, result.stderr)
        (header, rows), (columns, others) = self.table("shipped"), self.table("auto")
        times = {round(row[0], 9): row for row in others}
        for i, name in enumerate(header):
            if not POSITIONS.search(name) or name not in columns:
                continue
            size = max(max(abs(row[i]) for row in rows), 1)
            for row in rows:
                other = times.get(round(row[0], 9))
                if other is None:
                    continue
                allowed = 3000 * (rtol * size + atol) + (0.02 * size if "step" in integrator else 0)
                self.assertLess(abs(row[i] - other[columns.index(name)]), allowed,
                                f"{name} at t = {row[0]}: {row[i]}, {other[columns.index(name)]}")

    def test_every_shipped_file(self):
        for file in FILES[PART[0]::PART[1]]:
            with self.subTest(file.relative_to(SOURCE).as_posix()):
                self.compare(file)


if __name__ == "__main__":
    main()
