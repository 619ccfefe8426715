#!/usr/bin/env python3
"""Figures 1 to 3 and 5 to 7 of Wu, Chiou and Lin (2000) as SVG files, from the results of the studies beside this script.

Usage: plot_figures.py TRAMMEL FOLDER [RESULTS]
Runs regions_study, table_3_study and figure_7_study and writes FOLDER/figure_1.svg to figure_3.svg and figure_5.svg to
figure_7.svg. RESULTS keeps what the studies write, and a second run goes on from there.
"""
import csv
import math
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
LEFT, TOP, WIDTH, HEIGHT, BELOW = 70, 20, 560, 260, 50  # of a diagram, in pixels
POINTS = 1000      # of a curve; finer runs are drawn at every so many steps
COLOURS = ("#c0392b", "#1f5fa8", "#2e8b57", "#8e5ea2")


def study(trammel, results, name):
    folder = results / name
    subprocess.run([trammel, "study", str(HERE / f"{name}.json"), "--quiet", "--no-timing", "-o", str(folder)], check=True)
    return folder


def errors(case):
    """Times and norms of the position constraints at the steps of a case, from the first that commits an error."""
    with open(case / "results.csv", newline="") as table:
        points = [(float(row["t"]), float(row["constraint.position"])) for row in csv.DictReader(table)]
    stride = max(1, (len(points) - 1) // POINTS)
    return [point for point in points[::stride] if point[1] > 0]


def diagram(path, title, curves, least, largest):
    """`curves`: name, points; norms of 10^least to 10^largest on a logarithmic axis, 10 s."""
    bottom = TOP + HEIGHT
    across = lambda t: LEFT + WIDTH * t / 10
    up = lambda norm: bottom - HEIGHT * (min(max(math.log10(norm), least), largest) - least) / (largest - least)
    parts = [f'<rect x="{LEFT}" y="{TOP}" width="{WIDTH}" height="{HEIGHT}" class="frame"/>']
    for t in range(0, 11, 2):
        parts.append(f'<path d="M{across(t):.1f} {bottom}v-5"/><text x="{across(t):.1f}" y="{bottom + 16}">{t}</text>')
    for decade in range(least, largest + 1, 2):
        at = up(10.0 ** decade)
        parts.append(f'<path d="M{LEFT} {at:.1f}h5"/><text x="{LEFT - 6}" y="{at + 4:.1f}" class="left">1e{decade}</text>')
    for i, (name, points) in enumerate(curves):
        colour = COLOURS[i]
        line = " ".join(f"{across(t):.1f},{up(norm):.1f}" for t, norm in points)
        parts.append(f'<polyline points="{line}" stroke="{colour}"/>')
        parts.append(f'<text x="{LEFT + WIDTH / 2}" y="{bottom - 10 - 16 * i}" class="name" fill="{colour}">{name}</text>')
    parts.append(f'<text x="{LEFT + WIDTH / 2}" y="{bottom + 36}">{title}</text>')
    style = ("text{font:12px sans-serif;text-anchor:middle}.left{text-anchor:end}.name{text-anchor:start}"
             ".frame,path{fill:none;stroke:#222}polyline{fill:none;stroke-width:1}")
    path.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + 20} {bottom + BELOW}">'
                    f'<style>{style}</style><rect width="100%" height="100%" fill="#fff"/>\n' + "\n".join(parts) + "\n</svg>\n")


def main(trammel, target, results):
    regions = study(trammel, results, "regions_study")
    for number in (1, 2, 3):
        shutil.copy(regions / f"figure_{number}.svg", target)
    table_3 = study(trammel, results, "table_3_study") / "cases"
    for number, h, least, largest in ((5, "0.01", -14, -4), (6, "0.001", -18, -6)):
        curves = [(f"{method.upper()}_3", errors(table_3 / f"integrator.type={method},integrator.step={h}")) for method in ("ampc", "mampc")]
        diagram(target / f"figure_{number}.svg", f"Figure {number}: norm of the constraint errors, m, over time, s; "
                f"\u03b1 = \u03b2 = 5, h = {h} s", curves, least, largest)
    figure_7 = study(trammel, results, "figure_7_study") / "cases"
    curves = [(f"{method.upper()}_3, \u03b1 = {alpha}", errors(figure_7 / f"{method}_{alpha}"))
              for method, alpha in (("ampc", 168), ("ampc", 167), ("mampc", 188), ("mampc", 168))]
    diagram(target / "figure_7.svg", "Figure 7: norm of the constraint errors, m, over time, s; h = 0.01 s", curves, -14, 0)


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as kept:
        out = pathlib.Path(sys.argv[2])
        out.mkdir(parents=True, exist_ok=True)
        main(sys.argv[1], out, pathlib.Path(sys.argv[3] if len(sys.argv) == 4 else kept))
