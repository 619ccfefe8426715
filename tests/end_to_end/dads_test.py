"""Haug, Figures 7.1.1 to 7.1.3: every part of DADS has the counterpart that docs/dads.md names, and the modes of analysis
find for a pendulum what it does in closed form."""
import math
import re

from support import Case, SOURCE, changed, main, paper_row

# Two metres long, from the horizontal: an inertia of 4 kg m^2 about the pin, a weight of 29.43 N at one metre.
ROD = {
    "trammel": 2,
    "system": {"type": "planar", "gravity": [0, -9.81],
               "bodies": {"rod": {"mass": 3, "inertia": 1, "position": [1, 0]}},
               "constraints": {"pin": {"type": "revolute", "bodies": ["ground", "rod"], "at": [0, 0]}}},
    "analysis": {"type": "dynamics", "duration": 0.5},
    "formulation": {"type": "hybrid"},
    "integrator": {"type": "ddeabm", "rtol": 1e-10, "atol": 1e-10},
    "output": {"step": 0.1},
}
PARTS = {"Figure 7.1.1": 8, "Figure 7.1.2": 4, "Figure 7.1.3": 6}


class Figures(Case):
    def judged(self, what, obtained, independent, tolerance):
        self.assertTrue(paper_row("Haug, Figures 7.1.1 to 7.1.3", what, obtained, independent=independent,
                                  tolerance=tolerance), f"{what}: {obtained} for {independent}")

    def last(self, content):
        self.succeed(content)
        header, rows = self.table()
        return dict(zip(header, rows[-1]))

    def test_every_part_has_its_counterpart(self):
        text = (SOURCE / "docs" / "dads.md").read_text()
        for figure, count in PARTS.items():
            section = text.split(f"({figure})")[1].split("\n## ")[0]
            parts = [line for line in section.splitlines() if line.startswith("| ") and "| Trammel |" not in line]
            missing = 0
            for part in parts:
                names = [name for name in re.findall(r"`([^`]+)`", part) if "/" in name]
                places = [SOURCE / name for name in names]
                places += [SOURCE / "docs" / target for target in re.findall(r"\]\(([^)#]+)", part)]
                missing += any(not place.exists() for place in places)
            self.judged(f"parts of {figure} with a counterpart", len(parts) - missing, count, 0)

    def test_modes_of_analysis(self):
        for method, tolerance in (("minimum_potential", 1e-8), ("settling", 1e-4)):
            at = self.last(changed(ROD, analysis={"type": "equilibrium", "method": method}))
            self.judged(f"equilibrium by {method}: sine of the angle", math.sin(at["rod.phi"]), -1, tolerance)
        at = self.last(ROD)
        rate = -math.sqrt(2 * 29.43 * -math.sin(at["rod.phi"]) / 4)
        self.judged("transient motion: rate over that of the energy", at["rod.omega"] / rate, 1, 1e-8)
        motor = {"type": "angle_driver", "bodies": ["ground", "rod"],
                 "function": {"type": "expression", "formula": "sin(3*t)"}}
        inverse = {"type": "inverse_dynamics", "duration": 0.5}
        at = self.last(changed(ROD, analysis=inverse, system__constraints__motor=motor))
        torque = -36 * math.sin(1.5) + 29.43 * math.cos(math.sin(1.5))
        what = "inverse dynamics: driving torque over 4 phi'' + 29.43 cos phi"
        self.judged(what, at["motor.effort"] / torque, 1, 1e-12)


main()
