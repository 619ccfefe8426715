"""What diagrams and tables of a page do so that the eye is not misled: one scale for paths, no noise, no hidden lines, no cut tables."""
import unittest

from browsing import LACKING, VIEWER, BrowserCase
from support import changed, main

WHEELS = {  # two equal wheels: what one does, the other does
    "trammel": 2, "title": "Wheels",
    "system": {"type": "planar", "bodies": {
        "wheel": {"mass": 1, "inertia": 0.1, "angular_velocity": 3},
        "twin": {"mass": 2, "inertia": 0.1, "position": [0, 2], "angular_velocity": 3}},
        "points": {"rim": {"body": "wheel", "point": [0.5, 0]}, "other": {"body": "twin", "point": [0.5, 0]}},
        "constraints": {"a": {"type": "revolute", "bodies": ["ground", "wheel"], "at": [0, 0]},
                        "b": {"type": "revolute", "bodies": ["ground", "twin"], "at": [0, 2]}},
        "forces": {"push": {"type": "applied_force", "body": "wheel", "force": [3, 0]}}},
    "analysis": {"type": "dynamics", "duration": 4}, "formulation": {"type": "projection"},
    "integrator": {"type": "dopri5", "rtol": 1e-8, "atol": 1e-10},
    "output": {"step": 0.01, "channels": ["rim", "other", "a", "b", "wheel", "twin"]}}


@unittest.skipUnless(VIEWER.exists(), "built without the report's viewer (Debian: esbuild libjs-three libjs-chart.js)")
@unittest.skipIf(LACKING, "no browser to look with; Debian packages missing: " + " ".join(LACKING))
class Diagrams(BrowserCase):
    def open_run(self, run):
        result = self.run_file(run, "--report", "--quiet")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.open("out")

    def test_paths_have_one_scale(self):
        """A circle is round, however wide the diagram; curves over other units fill it."""
        self.open_run(WHEELS)
        pixels = ("const plot = trammel.plots.append({y: [arguments[1]], x: arguments[0]}); const {x, y} = plot.chart.scales;"
                  "return [x.getPixelForValue(0.4) - x.getPixelForValue(0), y.getPixelForValue(0) - y.getPixelForValue(0.4),"
                  "        x.min, x.max, y.min, y.max]")
        across, up, left, right, low, high = self.js(pixels, "rim.x", "rim.y")
        self.assertAlmostEqual(across / up, 1, delta=0.01)
        self.assertTrue(left < -0.5 < 0.5 < right and low < -0.5 < 0.5 < high, (left, right, low, high))
        self.assertLess(min(right - left, high - low), 1.2, "the circle fills the diagram one way")
        across, up, *_ = self.js(pixels, "rim.x", "rim.vx")
        self.assertGreater(across / up, 2)
        self.silent()

    def test_lines_on_each_other_are_told_apart(self):
        self.open_run(WHEELS)
        dashes = ("return trammel.plots.append({y: arguments[0]}).chart.data.datasets.map(({borderDash}) => borderDash.length)")
        self.assertEqual(self.js(dashes, ["rim.x", "other.x"]), [2, 0])
        self.assertEqual(self.js(dashes, ["rim.x", "rim.y"]), [0, 0])
        self.assertEqual(self.js(dashes, ["a.angle", "rim.y", "b.angle"]), [2, 0, 0])
        self.silent()

    def test_rounding_errors_do_not_fill_a_diagram(self):
        """Columns that rounding alone moves are straight lines; small motions beside large ones are not."""
        self.open_run(WHEELS)
        self.js("const {table} = trammel; const noise = table.column('a.force.y'); for (let i = 0; i < noise.length; ++i) "
                "noise[i] = 1e-16 * Math.sin(i * i); const still = table.column('twin.y'); "
                "for (let i = 0; i < still.length; ++i) still[i] = 2 + 4e-16 * (i % 2);"
                "const small = table.column('b.force.x'); for (let i = 0; i < small.length; ++i) small[i] = 1e-6 * Math.sin(i);")
        share = ("const plot = trammel.plots.append({y: [arguments[0]]}); const {min, max} = plot.chart.scales.y;"
                 "const values = plot.chart.data.datasets[0].data.map(({y}) => y);"
                 "return (Math.max(...values) - Math.min(...values)) / (max - min)")
        self.assertLess(self.js(share, "a.force.y"), 1e-9)
        self.assertLess(self.js(share, "twin.y"), 1e-9)
        self.assertGreater(self.js(share, "b.force.x"), 0.4)
        self.silent()

    def test_a_table_of_cases_stands_in_the_page_as_a_whole(self):
        """What is printed or taken as a picture has all rows; cases that agree are seen in the diagram, all of them."""
        spring = {"type": "tsda", "bodies": ["ground", "wheel"], "point_i": [1, 0], "stiffness": 100, "damping": "=0*c"}
        self.write(changed(WHEELS, analysis__duration=0.1, parameters={"c": 1}, system__forces={"spring": spring},
                           output__channels="all"))
        study = {"trammel_study": 1, "base": "run.json",
                 "vary": {"parameters.c": [1, 2, 3, 4, 5, 6, 7, 8], "system.forces.spring.stiffness": [100, 200, 300]},
                 "metrics": {"pull": {"type": "max", "channel": "=abs(spring.force)"}}}
        result = self.trammel("study", self.write(study, "study.json"), "-o", "out", "--report", "--quiet")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.open("out")
        frame = self.js("const f = document.querySelector('[aria-label=Cases].scroll'); return [f.scrollHeight, f.clientHeight, f.querySelectorAll('tbody tr').length]")
        self.assertEqual(frame[2], 24)
        self.assertLessEqual(frame[0], frame[1] + 1)
        self.assertIn("pull (N)", self.js("return trammel.explorer.diagrams[0].chart.options.scales.y.title.text"))
        self.js("trammel.explorer.append({title: '', x: 'system.forces.spring.stiffness', y: 'pull', along: 'system.forces.spring.stiffness'})")
        radii = self.js("return trammel.explorer.diagrams.at(-1).chart.data.datasets.map(({pointRadius}) => pointRadius)")
        self.assertEqual(radii, [4 + 3 * k for k in range(7, -1, -1)])
        self.silent()


if __name__ == "__main__":
    main()
