#!/usr/bin/env python3
"""Figures 2, 4 and 5 of Sandu et al. (2001) as SVG files, drawn without any library.

Usage: plot_figures.py TRAMMEL FOLDER   runs the two models and writes FOLDER/figure_2.svg and FOLDER/figures_4_and_5.svg
"""
import csv
import math
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
LEFT, TOP, WIDTH, HEIGHT, GAP = 70, 20, 560, 200, 50  # of a diagram, in pixels
LEAST_MOVE = 0.7  # points nearer to the last one drawn are left out


def run(trammel, folder, file, *changes):
    """Columns by name of a run with the given --set changes, results at accepted steps or output times as the file says."""
    command = [trammel, "run", str(HERE / file), "--quiet", "-o", folder]
    for change in changes:
        command += ["--set", change]
    subprocess.run(command, check=True)
    with open(pathlib.Path(folder) / "results.csv", newline="") as table:
        names, *rows = csv.reader(table)
    return {name: [float(row[i]) for row in rows] for i, name in enumerate(names)}


class Diagram:
    """One curve over linear or logarithmic axes, `row` diagrams below the top of the picture."""

    def __init__(self, row, x_range, y_range, logarithmic=False):
        self.x_range, self.logarithmic = x_range, logarithmic
        self.y_range = [math.log10(y) for y in y_range] if logarithmic else y_range
        self.bottom = TOP + row * (HEIGHT + GAP) + HEIGHT
        self.parts = [f'<rect x="{LEFT}" y="{self.bottom - HEIGHT}" width="{WIDTH}" height="{HEIGHT}" class="frame"/>']

    def place(self, x, y):
        y = math.log10(y) if self.logarithmic else y
        part = lambda value, limits: (value - limits[0]) / (limits[1] - limits[0])
        return LEFT + WIDTH * part(x, self.x_range), self.bottom - HEIGHT * part(y, self.y_range)

    def ticks(self, xs, ys, labels=None):
        for x in xs:
            at, _ = self.place(x, 10 ** self.y_range[0] if self.logarithmic else self.y_range[0])
            self.parts.append(f'<path d="M{at:.1f} {self.bottom}v-5"/><text x="{at:.1f}" y="{self.bottom + 16}">{x:g}</text>')
        for y, label in zip(ys, labels or [f"{y:g}" for y in ys]):
            _, at = self.place(self.x_range[0], y)
            self.parts.append(f'<path d="M{LEFT} {at:.1f}h5"/>'
                              f'<text x="{LEFT - 6}" y="{at + 4:.1f}" class="left">{label}</text>')

    def title(self, text):
        self.parts.append(f'<text x="{LEFT + WIDTH / 2}" y="{self.bottom + 34}">{text}</text>')

    def level(self, y):
        _, at = self.place(self.x_range[0], y)
        self.parts.append(f'<path d="M{LEFT} {at:.1f}h{WIDTH}" class="level"/>')

    def curve(self, xs, ys):
        drawn = []
        for x, y in zip(xs, ys):
            at = self.place(x, y)
            if not drawn or math.dist(at, drawn[-1]) > LEAST_MOVE:
                drawn.append(at)
        self.parts.append('<polyline points="' + " ".join(f"{x:.1f},{y:.1f}" for x, y in drawn) + '"/>')


def write(path, *diagrams):
    size = f"{LEFT + WIDTH + 20} {TOP + len(diagrams) * (HEIGHT + GAP)}"
    style = ("text{font:12px sans-serif;text-anchor:middle;fill:#222}.left{text-anchor:end}"
             ".frame,path{fill:none;stroke:#222}.level{stroke:#999;stroke-dasharray:4 3}"
             "polyline{fill:none;stroke:#1f5fa8;stroke-width:1.5}")
    body = "\n".join(part for diagram in diagrams for part in diagram.parts)
    path.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}"><style>{style}</style>'
                    f'<rect width="100%" height="100%" fill="#fff"/>\n{body}\n</svg>\n')


def figure_2(trammel, target):
    with tempfile.TemporaryDirectory() as folder:
        motion = run(trammel, folder, "double_pendulum_planar.json", "integrator.rtol=1e-5", "integrator.atol=1e-5",
                     "output.step=0.005")
    settled = 3 * math.pi / 2
    angle = Diagram(0, [0, motion["t"][-1]], [3.5, 6.5])
    angle.ticks([0, 0.5, 1, 1.5, 2], [3.5, 4, settled, 5.25, 2 * math.pi], ["3.5", "4", "3\u03c0/2", "5.25", "2\u03c0"])
    angle.level(settled)
    angle.curve(motion["t"], motion["rod_1.phi"])
    angle.title("Figure 2, left: \u03b8\u2081 of the stiff double pendulum over time, rad and s")
    rate = Diagram(1, [0, motion["t"][-1]], [-11, 8])
    rate.ticks([0, 0.5, 1, 1.5, 2], [-10, -5, 0, 5, 7])
    rate.level(0)
    rate.curve(motion["t"], motion["rod_1.omega"])
    rate.title("Figure 2, right: its rate, rad/s; the text has it between -10 and 7")
    write(target / "figure_2.svg", angle, rate)


def figures_4_and_5(trammel, target):
    with tempfile.TemporaryDirectory() as folder:
        motion = run(trammel, folder, "hmmwv_stiff.json", "integrator.rtol=1e-3", "integrator.atol=1e-3", "output.step=0.005")
        steps = run(trammel, folder, "hmmwv_stiff.json", "integrator.rtol=1e-3", "integrator.atol=1e-3", 'output={"channels": ["step"]}')
    height = Diagram(0, [0, 5], [0.66, 0.72])
    height.ticks([0, 1, 2, 3, 4, 5], [0.66, 0.68, 0.7, 0.72])
    height.curve(motion["t"], motion["chassis.z"])
    height.title("Figure 4: height of the chassis, m, over time, s")
    size = Diagram(1, [0, 5], [1e-9, 1], logarithmic=True)
    size.ticks([0, 1, 2, 3, 4, 5], [1e-8, 1e-6, 1e-4, 1e-2, 1], ["1e-8", "1e-6", "1e-4", "1e-2", "1"])
    size.curve(steps["t"][1:], steps["step"][1:])
    size.title("Figure 5: step size of rosenbrock_nystrom at 1e-3, s")
    write(target / "figures_4_and_5.svg", height, size)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    out = pathlib.Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    figure_2(sys.argv[1], out)
    figures_4_and_5(sys.argv[1], out)
