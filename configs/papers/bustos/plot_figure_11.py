#!/usr/bin/env python3
"""Figure 11 of Fernandez de Bustos et al. (2024) as an SVG file: the path of the top's centre of gravity seen from above.

Usage: plot_figure_11.py TRAMMEL FOLDER   runs top.json and writes FOLDER/figure_11.svg
"""
import csv
import math
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
LENGTH, SIZE, REACH = 0.05, 480, 0.05  # of the top, m; of the picture, pixels; half its width, m


def path(trammel, folder):
    """Points (x, y) in metres every 5 ms of 10 s."""
    subprocess.run([trammel, "run", str(HERE / "top.json"), "--quiet", "--set", "output.step=0.005", "-o", str(folder)], check=True)
    with open(folder / "results.csv", newline="") as table:
        for row in csv.DictReader(table):
            phi, theta = float(row["phi"]), float(row["theta"])
            yield LENGTH * math.sin(phi) * math.sin(theta), -LENGTH * math.cos(phi) * math.sin(theta)


def main(trammel, folder):
    folder = pathlib.Path(folder)
    place = lambda value, sign: SIZE / 2 * (1 + sign * value / REACH)
    points = " ".join(f"{place(x, 1):.1f},{place(y, -1):.1f}" for x, y in path(trammel, folder / "top"))
    middle = SIZE / 2
    (folder / "figure_11.svg").write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE} {SIZE}" font-family="sans-serif" font-size="12">\n'
        f'<rect width="{SIZE}" height="{SIZE}" fill="white" stroke="black"/>\n'
        f'<path d="M{middle - 6} {middle}h12M{middle} {middle - 6}v12" stroke="black"/>\n'
        f'<polyline points="{points}" fill="none" stroke="#4477aa"/>\n'
        f'<text x="8" y="{SIZE - 8}">x, y from -{REACH} to {REACH} m; + is the fixed point</text>\n</svg>\n')


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
