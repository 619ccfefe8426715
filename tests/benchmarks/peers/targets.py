"""Targets of speed that are not forward dynamics, each measured by a command of ours.

A target is (name, unit, an earlier figure, wanted, call); the call returns what is obtained. One that raises Failed
becomes a row that says why it has no figure. The earlier figures are those of commit 2f2240e on an Intel processor with
AVX-512 at 3.6 GHz, idle: compare ratios, and instruction counts (tests/benchmarks/instructions.json), rather than them.
"""
import csv
import json
import math

from runs import ROOT, Failed  # first: it says where instructions.py is
from instructions import ONE_BODY
from side_by_side import evaluation

CONFIGS = ROOT / "configs"
SANDU = CONFIGS / "papers" / "sandu"
HHT = '{"type": "hht", "step": 1e-3, "alpha": -0.2}'
TEN_STEPS = ["formulation={\"type\": \"direct\"}", 'integrator={"type": "rk4", "step": 1e-3, "step_check": false}',
             "analysis.duration=0.01", "output.step=0.01", 'output.channels=["step"]', "analysis.constraint_limit=1"]


class Targets:
    def __init__(self, trammel, rounds, seconds):
        self.trammel, self.rounds, self.seconds = trammel, rounds, seconds

    def jacobian(self, family):
        return min(evaluation(self.trammel, f"jacobian/{family}/256", self.seconds) for _ in range(self.rounds))

    def hht_step(self, family):
        file = self.trammel.generated(family, 256)
        one = self.trammel.per_step(file, 1e-3, 20, 220, ["formulation=null", f"integrator={HHT}"], self.rounds)
        return 1e9 * one / 256

    def p2(self):
        """The cheapest of the settings whose positions at 1 s are right within 1e-6 m."""
        file = CONFIGS / "benchmarks" / "revolute_chain_256.json"
        with open(CONFIGS / "benchmarks" / "revolute_chain_256.csv", newline="", encoding="utf-8") as table:
            right = {k: float(x) for k, x in list(csv.DictReader(table))[-1].items()}
        found = []
        for formulation in ({"type": "baumgarte", "alpha": 10}, {"type": "direct"}, {"type": "projection"}):
            for tolerance in (1e-4, 4e-5, 2e-5, 1e-5):
                method = {"type": "dopri853", "rtol": tolerance, "atol": tolerance, "step_check": False}
                sets = [f"formulation={json.dumps(formulation)}", f"integrator={json.dumps(method)}"]
                seconds = self.trammel.integration(file, 1, sets, rounds=self.rounds)
                self.trammel.run(file, [*sets, "analysis.duration=1", "output.step=1"])
                row = self.trammel.last_row()
                if max(abs(row[k] - x) for k, x in right.items() if k != "t") <= 1e-6:
                    found.append(seconds)
                    break
        if not found:
            raise Failed("no setting is right within 1e-6 m")
        return 1e3 * min(found)

    def index_3_step(self):
        file = CONFIGS / "papers" / "bustos" / "dae_pendulum.json"
        return 1e6 * self.trammel.per_step(file, 1e-3, 1000, 21000, ["integrator.tolerance=1e-10"], self.rounds)

    def implicit(self, name):
        sets = ["integrator.rtol=1e-3", "integrator.atol=1e-3", "integrator.step_check=false"]
        return self.trammel.integration(SANDU / name, 5, sets, rounds=self.rounds)

    def explicit_over_implicit(self):
        """Per second of motion; the explicit run covers 0.05 s."""
        span = 0.05
        explicit = min(self.trammel.integration(SANDU / "hmmwv_stiff.json", span, [
            f'integrator={{"type": "{method}", "rtol": 1e-3, "atol": 1e-3, "step_check": false}}'], rounds=1)
            for method in ("ddeabm", "dopri5", "dopri853"))
        return explicit / span / (self.implicit("hmmwv_stiff.json") / 5)

    def process(self, file, sets=()):
        return 1e3 * min(self.trammel.run(file, sets)[0] for _ in range(3 * self.rounds))

    def one_body(self):
        file = self.trammel.folder / "one_body.json"
        file.write_text(json.dumps(ONE_BODY))
        return self.process(file)

    def p4_rows(self):
        method = '{"type": "dopri853", "rtol": 3e-8, "atol": 3e-8}'
        file = CONFIGS / "examples" / "slider_crank_planar.json"
        return self.process(file, [f"integrator={method}", "output.step=0.01"])

    def large(self, family, options=()):
        """Processor and wall seconds of set-up and 40 evaluations of 10^5 links, and the bytes of memory per link."""
        file = self.trammel.generated(family, 100000)
        cpu, wall, memory, _ = self.trammel.run(file, TEN_STEPS, options)
        return cpu, wall, memory / 1e5

    def memory(self):
        file = self.trammel.generated("revolute_chain", 10000)
        return self.trammel.run(file, TEN_STEPS)[2] / 1e4 / 1e3

    def two_threads(self):
        """Wall seconds with one thread over those with two, set-up left out by a run of a tenth of the steps."""
        file, more = self.trammel.generated("revolute_chain", 100000), ["analysis.duration=0.1", "output.step=0.1"]
        def wall(threads):
            options = ["--threads", str(threads)]
            return self.trammel.run(file, TEN_STEPS + more, options)[1] - self.trammel.run(file, TEN_STEPS, options)[1]
        return wall(1) / wall(2)

    def million(self, family, size):
        """Microseconds per body and hht step of a million bodies within 12 GiB."""
        file = self.trammel.generated(family, size)
        sets = ["formulation=null", f"integrator={HHT}", "integrator.step_check=false", 'output.channels=["step"]']
        few, many = (self.trammel.run(file, [*sets, f"analysis.duration={s}", f"output.step={s}"], gibibytes=12)[0]
                     for s in (0.002, 0.012))
        return 1e6 * (many - few) / 10 / 1e6


def table(targets, large):
    """(name, unit, earlier, wanted, call); wanted is the largest, for ratios of speed the least."""
    rows = [
        ("exact Jacobian, revolute chain 256", "ns per body", 1771, 350, lambda: targets.jacobian("revolute_chain")),
        ("exact Jacobian, planar chain 256", "ns per body", 304, 100, lambda: targets.jacobian("planar_chain")),
        ("exact Jacobian, spatial ladder 256", "ns per body", 2275, 500, lambda: targets.jacobian("four_bar_ladder")),
        ("hht step, revolute chain 256", "ns per body", 2600, 800, lambda: targets.hht_step("revolute_chain")),
        ("hht step, planar chain 256", "ns per body", 760, 300, lambda: targets.hht_step("planar_chain")),
        ("P2: revolute chain 256, 1 s, 1e-6 m", "ms", 37, 14, targets.p2),
        ("index-3 step of 5 unknowns", "us", 0.94, 0.4, targets.index_3_step),
        ("HMMWV 18 at 1e-3, 5 s", "ms", 165, 75, lambda: 1e3 * targets.implicit("hmmwv.json")),
        ("hmmwv_stiff at 1e-3, 5 s", "ms", 175, 80, lambda: 1e3 * targets.implicit("hmmwv_stiff.json")),
        ("hmmwv_stiff: explicit over implicit", "times, at least", 282, 400, targets.explicit_over_implicit),
        ("whole process: one-body run", "ms", 9.7, 4, targets.one_body),
        ("whole process: P4 with 1001 rows", "ms", 18.4, 6, targets.p4_rows),
        ("memory, revolute chain 10^4", "kB per body", 38, 6, targets.memory),
    ]
    if large:
        rows += [
            ("10^5 planar links: set-up + 40 evaluations", "s", 230, 6, lambda: targets.large("planar_chain")[0]),
            ("10^5 revolute links: set-up + 40 evaluations", "s", math.inf, 15,
             lambda: targets.large("revolute_chain")[0]),
            ("two threads on 10^5 revolute links", "times, at least", 1.0, 1.6, targets.two_threads),
            ("10^6 bodies, planar chain, hht step, 12 GiB", "us per body", math.inf, math.inf,
             lambda: targets.million("planar_chain", 10**6)),
            ("10^6 bodies, spatial ladder, hht step, 12 GiB", "us per body", math.inf, 1.5,
             lambda: targets.million("four_bar_ladder", 5 * 10**5)),
        ]
    return rows


def measure(trammel, rounds, seconds, large, only, say):
    """Rows {target, unit, before, wanted, obtained or reason, met}."""
    for name, unit, before, wanted, call in table(Targets(trammel, rounds, seconds), large):
        if only not in name:
            continue
        say(name)
        row = {"target": name, "unit": unit, "before": before if math.isfinite(before) else None,
               "wanted": wanted if math.isfinite(wanted) else None}
        try:
            row["obtained"] = call()
            row["met"] = row["obtained"] >= wanted if "at least" in unit else row["obtained"] <= wanted
        except Failed as failed:
            row["obtained"], row["met"], row["reason"] = None, False, str(failed)
        yield row


def markdown(rows):
    def text(value):
        return "-" if value is None else f"{value:.3g}" if value < 100 else f"{value:.0f}"
    lines = ["| target | unit | earlier | obtained | wanted | |", "|---|---|---|---|---|---|"]
    for row in rows:
        verdict = row.get("reason") or ("met" if row["met"] else "missed")
        wanted = "runs" if row["wanted"] is None else text(row["wanted"])
        cells = [row["target"], row["unit"], text(row["before"]), text(row["obtained"]), wanted, verdict]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)
