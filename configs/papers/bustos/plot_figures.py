#!/usr/bin/env python3
"""Figures 3 to 9 of Fernandez de Bustos et al. (2024) as SVG files, from the results of their studies.

Usage: plot_figures.py TRAMMEL FOLDER [RESULTS]
Runs the studies and writes FOLDER/figures_3_and_4.svg, FOLDER/figures_5_and_6.svg, FOLDER/figures_7_and_9.svg and
FOLDER/figure_8.svg. RESULTS keeps what the studies write, and a second run goes on from there.
"""
import csv
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
COMMON = ["AB4", "AB5", "HHT", "RK3", "RK4", "central_differences"]
sys.path.insert(0, str(HERE.parent))
from diagram import Diagram, write  # noqa: E402


class Study:
    def __init__(self, trammel, results, name):
        self.folder = results / f"{name}_study"
        subprocess.run([trammel, "study", str(HERE / f"{name}_study.json"), "-o", str(self.folder), "--quiet", "--no-timing"],
                       check=True)

    def columns(self, case, file, *names):
        with open(self.folder / "cases" / case.replace(" ", "_") / file, newline="") as table:
            rows = list(csv.DictReader(table))
        return [[float(row[name]) for row in rows] for name in names]


def radii(row, study, cases, x_end, y_range, y_ticks, title):
    """Curves of the spectral radius over h omega, as far as the frame shows them."""
    diagram = Diagram(row, [0, x_end], y_range)
    diagram.ticks([x_end * k / 6 for k in range(7)], y_ticks)
    diagram.level(1)
    for case, name in cases:
        diagram.curve(*study.columns(case, "limit.csv", "h_lambda", "radius"), name)
    diagram.title(title)
    return diagram


def envelope(t, x, width):
    """The least and the largest x of every stretch of time, which fast vibrations fill."""
    times, ends = [], []
    for at, value in zip(t, x):
        if not times or at - times[-1] > width:
            times += [at, at]
            ends += [value, value]
        ends[-2:] = [min(ends[-2], value), max(ends[-1], value)]
    return times, ends


def motion(row, study, case, t_end, reach, title):
    t, x = envelope(*study.columns(case, "results.csv", "t", "x"), t_end / 400)
    diagram = Diagram(row, [0, t_end], [-reach, reach])
    diagram.ticks([t_end * k / 5 for k in range(6)], [-reach, 0, reach])
    diagram.curve(t, x, case)
    diagram.title(title)
    return diagram


def main(trammel, target, results):
    target.mkdir(parents=True, exist_ok=True)
    three, four = Study(trammel, results, "table_3"), Study(trammel, results, "figure_4")
    write(target / "figures_3_and_4.svg",
          radii(0, three, [("alpha_1", "\u03b1 = 1"), ("alpha_4_3", "\u03b1 = 4/3"), ("alpha_2", "\u03b1 = 2")], 3, [0, 4],
                [0, 1, 2, 3, 4], "Figure 3: spectral radius of degree 3 over h\u03c9"),
          radii(1, four, [(case, case.replace("_", " ")) for case in COMMON], 4.2, [0, 4], [0, 1, 2, 3, 4],
                "Figure 4: spectral radius of common methods over h\u03c9"))
    five = Study(trammel, results, "figure_5")
    write(target / "figures_5_and_6.svg",
          motion(0, five, "alpha_1,integrator.step=2.1", 60, 40, "Figure 5: x of the vibration, h = 2.1, \u03b1 = 1"),
          motion(1, five, "alpha_1,integrator.step=2.0", 500, 1.5, "Figure 6: x of the vibration, h = 2, \u03b1 = 1"))
    seven, nine = Study(trammel, results, "figure_7"), Study(trammel, results, "figure_9")
    write(target / "figures_7_and_9.svg",
          radii(0, seven, [("alpha_5_4", "\u03b1 = 5/4"), ("alpha_3_4", "\u03b1 = 3/4"), ("AB4", "AB4"), ("RK3", "RK3")], 3,
                [0, 3], [0, 1, 2, 3], "Figure 7: spectral radius of degree 4 over h\u03c9"),
          radii(1, nine, [("alpha_4_5", "\u03b1 = 4/5, others 1"), ("RK4", "RK4")], 3, [0, 3], [0, 1, 2, 3],
                "Figure 9: spectral radius of degree 5 over h\u03c9"))
    eight = Study(trammel, results, "figure_8")
    write(target / "figure_8.svg",
          motion(0, eight, "h=0.1,1000 s", 1000, 0.1, "Figure 8, above: x of degree 4, \u03b1 = 5/4, h = 0.1"),
          motion(1, eight, "h=0.01,1000 s", 1000, 0.02, "Figure 8, below: the same with h = 0.01"))


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as kept:
        main(sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3] if len(sys.argv) == 4 else kept))
