"""The papers' pictures are what their studies give: the scripts draw them again from the studies' results, and their curves
lie on those of the pictures that are shown.

Arguments: TRAMMEL STUDIES [unittest arguments]; STUDIES holds the results that the study tests leave. Copies of them are gone on
from: what is missing or of another build is run.
"""
import math
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
PAPERS = pathlib.Path(__file__).resolve().parents[2] / "configs" / "papers"
APART = 1.0  # pixels between curves: a change of 1 % where a curve takes a third of its diagram's height
FAR = 0.01   # share of points that may be farther, where noise of rounding is drawn
CELL = 8     # pixels


def segments(data):
    """Pairs of points of a path of M and L, or of a polyline's points."""
    result = []
    for piece in filter(None, data.split("M")):
        numbers = [float(n) for n in re.findall(r"-?[0-9.]+", piece)]
        points = list(zip(numbers[::2], numbers[1::2]))
        result += list(zip(points, points[1:])) or [(points[0], points[0])]
    return result


class Picture:
    """Curves by what they look like, and all the rest as text."""

    def __init__(self, text):
        self.curves, self.rest = {}, text
        for element in re.findall(r"<(?:polyline|path)[^>]*>", text):
            data = re.search(r'(?: d| points)="([^"]*)"', element)
            if data and not re.search("[a-zKN-Z]", data[1]):  # ticks are relative
                look = element.replace(data[1], "")
                self.curves.setdefault(look, []).extend(segments(data[1]))
                self.rest = self.rest.replace(data[1], "", 1)


def cells(first, second):
    (x0, x1), (y0, y1) = sorted((first[0], second[0])), sorted((first[1], second[1]))
    for i in range(math.floor((x0 - APART) / CELL), math.floor((x1 + APART) / CELL) + 1):
        for k in range(math.floor((y0 - APART) / CELL), math.floor((y1 + APART) / CELL) + 1):
            yield i, k


def distance(point, segment):
    (x, y), ((x0, y0), (x1, y1)) = point, segment
    length = (x1 - x0) ** 2 + (y1 - y0) ** 2
    share = 0 if length == 0 else min(1, max(0, ((x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)) / length))
    return math.hypot(x - x0 - share * (x1 - x0), y - y0 - share * (y1 - y0))


def off(curve, other):
    """Points of a curve that do not lie on the other."""
    near = {}
    for segment in other:
        for cell in cells(*segment):
            near.setdefault(cell, []).append(segment)
    points = {point for segment in curve for point in segment}
    lost = [p for p in points if not any(distance(p, s) <= APART for s in near.get((p[0] // CELL, p[1] // CELL), []))]
    return lost if len(lost) > FAR * len(points) else []


class Pictures(unittest.TestCase):
    def drawn(self, paper, script, *studies):
        with tempfile.TemporaryDirectory() as target, tempfile.TemporaryDirectory() as results:
            for name in studies:
                if (STUDIES / paper / f"{name}_study").exists():
                    shutil.copytree(STUDIES / paper / f"{name}_study", pathlib.Path(results) / f"{name}_study")
            run = subprocess.run([sys.executable, PAPERS / paper / script, TRAMMEL, target, *([results] if studies else [])],
                                 capture_output=True, text=True)
            self.assertEqual(run.returncode, 0, run.stderr)
            pictures = {path.name: path.read_text() for path in pathlib.Path(target).glob("*.svg")}
        self.assertTrue(pictures)
        for name, text in pictures.items():
            shown, now = Picture((PAPERS / paper / name).read_text()), Picture(text)
            with self.subTest(name):
                self.assertTrue(shown.curves)
                self.assertEqual(shown.rest, now.rest)
                self.assertEqual(list(shown.curves), list(now.curves))
                for look, curve in shown.curves.items():
                    self.assertEqual(off(curve, now.curves[look]), [], look)
                    self.assertEqual(off(now.curves[look], curve), [], look)
        return sorted(pictures)

    def test_bustos(self):
        self.assertEqual(self.drawn("bustos", "plot_figures.py", "table_3", "figure_4", "figure_5", "figure_7", "figure_8", "figure_9"),
                         ["figure_8.svg", "figures_3_and_4.svg", "figures_5_and_6.svg", "figures_7_and_9.svg"])
        self.assertEqual(self.drawn("bustos", "plot_figure_11.py"), ["figure_11.svg"])

    def test_wu(self):
        self.assertEqual(self.drawn("wu", "plot_figures.py", "regions", "table_3", "figure_7"),
                         [f"figure_{i}.svg" for i in (1, 2, 3, 5, 6, 7)])

    def test_a_curve_that_is_off_is_told(self):
        curve = segments("10,10 20,20 30,15 200,50")
        self.assertEqual(off(curve, segments("10,10.4 20,20.4 30,15.4 100,29.8 200,50.4")), [])
        self.assertEqual(off(curve, segments("10,10 20,20 30,17 200,50")), [(30.0, 15.0)])


if __name__ == "__main__":
    TRAMMEL, STUDIES = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]) / "configs" / "papers"
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
