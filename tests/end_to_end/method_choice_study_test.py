"""What "auto" costs at equal error beside the other methods of its study: at most three times the cheapest, 1.5 on average.

The study configs/benchmarks/method_choice_study.json gives error and work of every method at three tolerances. Between two of
them log(work) is linear in log(error). Work counts evaluations of the equations of motion, so that no load changes it.
`--table` prints what docs/which_method.md shows.
"""
import collections
import json
import math
import sys

from support import Case, SOURCE, main

STUDY = SOURCE / "configs" / "benchmarks" / "method_choice_study.json"
LEAST = 1e-12  # errors below are rounding of the references


def curves(study):
    """Problem -> method -> [(error, work), ...] from loose to tight; a failed case is left out."""
    found = collections.defaultdict(lambda: collections.defaultdict(list))
    for case in study["cases"]:
        problem, *method, tolerance = case["name"].split(" ")
        if tolerance == "reference" or case["status"] != "completed":
            continue
        error = case["metrics"].get("error_" + problem)
        found[problem][" ".join(method)].append((max(error, LEAST), case["metrics"]["work"]))
    return found


def work_at(error, curve):
    """Of a method for that error; None where none of its runs is as accurate."""
    loose = curve[0]
    if loose[0] <= error:
        return loose[1]
    for (e0, w0), (e1, w1) in zip(curve, curve[1:]):
        if e1 <= error < e0:
            share = math.log(e0 / error) / math.log(e0 / e1)
            return w0 * (w1 / w0) ** share
    return None


def ratios(study):
    """(problem, error, work of auto, cheapest method, its work)."""
    found = []
    for problem, methods in curves(study).items():
        for error, work in methods["auto"]:
            others = {name: work_at(error, curve) for name, curve in methods.items()}
            best = min((name for name in others if others[name] is not None), key=lambda name: others[name])
            found.append((problem, error, work, best, others[best]))
    return found


class Cost(Case):
    def test_auto_costs_little_more_than_the_cheapest(self):
        result = self.trammel("study", STUDY, "-o", "out", "--quiet", "--no-timing")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        found = ratios(json.loads((self.folder / "out" / "study.json").read_text()))
        self.assertGreaterEqual(len(found), 24)
        logs = [math.log(work / least) for _, _, work, _, least in found]
        worst = max(found, key=lambda row: row[2] / row[4])
        self.assertLessEqual(worst[2] / worst[4], 3, worst)
        self.assertLessEqual(math.exp(sum(logs) / len(logs)), 1.5)


if __name__ == "__main__":
    if "--table" in sys.argv:
        rows = ratios(json.load(open(sys.argv[-1], encoding="utf-8")))
        for problem, error, work, best, least in rows:
            print(f"| {problem} | {error:.1e} | {work:.0f} | {best} | {least:.0f} | {work / least:.2f} |")
        print(math.exp(sum(math.log(r[2] / r[4]) for r in rows) / len(rows)), max(r[2] / r[4] for r in rows))
    else:
        main()
