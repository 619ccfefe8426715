"""What people do with a report: pictures without a window, diagrams of their own, overlays, files to keep, studies to sort."""
import json
import math
import re
import subprocess
import sys
import unittest

from browsing import CHROMIUM, LACKING, VIEWER, BrowserCase, pixels
from support import EXAMPLES, SOURCE, changed, main

try:
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import Select
except ImportError:
    pass

OSCILLATOR = {  # x'' + w^2 x = 0 with w = 2 pi 3: x = 0.2 cos(w t)
    "trammel": 1, "title": "Oscillator",
    "system": {"type": "planar", "bodies": {"mass": {"mass": 1, "inertia": 1, "position": [0.2, 0]}},
               "constraints": {"slide": {"type": "translational", "bodies": ["ground", "mass"], "at": [0, 0], "axis": [1, 0]}},
               "forces": {"spring": {"type": "tsda", "bodies": ["ground", "mass"], "point_i": [-10, 0], "stiffness": 355.3057584392169,
                                     "free_length": 10}}},
    "analysis": {"type": "dynamics", "duration": 4}, "formulation": {"type": "projection"},
    "integrator": {"type": "dopri853", "rtol": 1e-10, "atol": 1e-12},
    "output": {"step": 0.01, "channels": ["spring", "slide", "mass", "energy"]},
}


@unittest.skipUnless(VIEWER.exists(), "built without the report's viewer (Debian: esbuild libjs-three libjs-chart.js)")
@unittest.skipIf(LACKING, "no browser to look with; Debian packages missing: " + " ".join(LACKING))
class Use(BrowserCase):
    def open_run(self, run, *arguments):
        result = self.run_file(run, "--report", "--quiet", *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.open("out")

    def saved(self):
        """Name and text of the file that the page handed out last."""
        return self.browser.execute_async_script(
            "const done = arguments[0]; const look = () => window.trammel.saved ? window.trammel.saved.blob.arrayBuffer().then((bytes) => "
            "{ const name = window.trammel.saved.name; window.trammel.saved = undefined; done([name, [...new Uint8Array(bytes)]]); }) "
            ": setTimeout(look, 50); look()")

    def save(self, menu, words):
        self.js("const m = document.querySelector(arguments[0]); m.open = true; "
                "[...m.querySelectorAll('button')].find((b) => b.textContent.includes(arguments[1])).click()", menu, words)
        name, numbers = self.saved()
        return name, bytes(numbers)

    # Pictures without a window ------------------------------------------------------------------------------------

    def shot(self, page, *arguments):
        picture = self.folder / "shot.png"
        picture.unlink(missing_ok=True)
        subprocess.run([CHROMIUM, "--headless", "--no-sandbox", "--hide-scrollbars", "--force-device-scale-factor=1", "--window-size=1280,900",
                        f"--screenshot={picture}", f"--user-data-dir={self.folder / 'profile'}", *arguments, page],
                       check=True, capture_output=True, timeout=200)
        return pixels(picture.read_bytes())

    def test_pictures_of_a_page_just_loaded_have_mechanism_and_diagrams(self):
        """`chromium --headless --screenshot` takes the picture before any frame, with and without 3-D graphics."""
        run = self.trammel("run", EXAMPLES / "slider_crank.json", "-o", "out", "--report", "--quiet", "--set", "analysis.duration=1")
        self.assertEqual(run.returncode, 0, run.stderr)
        page = (self.folder / "out" / "report.html").as_uri()
        for arguments in ((), ("--disable-3d-apis",)):
            with self.subTest(arguments):
                rows = self.shot(page, *arguments)
                body = [pixel for row in rows[100:600] for pixel in row[30:660]]
                blue = sum(1 for r, g, b in body if b > r + 40 and b > g + 10)  # the crank, #4477aa
                red = sum(1 for r, g, b in body if r > g + 40 and r > b + 25)  # the rod, #cc6677
                self.assertGreater(blue, 300, "the crank is not to be seen")
                self.assertGreater(red, 300, "the rod is not to be seen")
                lines = sum(1 for row in rows[100:880] for r, g, b in row[700:1260] if b > r + 60 and b > g + 30)
                self.assertGreater(lines, 300, "no line in a diagram")

    # Diagrams -----------------------------------------------------------------------------------------------------

    def test_requested_channels_come_first(self):
        self.open_run(OSCILLATOR)
        first = self.js("return trammel.plots.plots[0].names")
        self.assertTrue(all(name.startswith(("spring.", "slide.")) for name in first), first)
        self.assertEqual(self.js("return trammel.plots.plots.some((plot) => plot.names.includes('energy.total'))"), False)
        self.assertIn("Accuracy", self.browser.find_element(By.CSS_SELECTOR, "details.numerics summary").text)
        self.silent()

    def test_a_spectrum_has_its_peak_where_the_motion_swings(self):
        self.open_run(OSCILLATOR)
        points = self.js("const {plots} = trammel; const plot = plots.append({y: ['mass.x'], spectrum: true});"
                         "return plot.chart.data.datasets[0].data.map(({x, y}) => [x, y])")
        frequency, amplitude = max(points, key=lambda point: point[1])
        self.assertAlmostEqual(frequency, 3, delta=0.07)  # lines are 1 / (4 * 4 s) apart
        self.assertAlmostEqual(amplitude, 0.2, delta=0.2 * 0.02)
        axis = "plots.append({y: ['mass.x'], spectrum: true}).chart.options.scales.x.title.text"
        self.assertEqual(self.js(f"const {{plots}} = trammel; return {axis}"), "frequency (Hz)")
        self.assertIn("one row in 3", self.js(f"const {{plots, table}} = trammel; table.stride = 3; return {axis}"))
        self.silent()

    def test_any_channel_over_any_other(self):
        self.open_run(OSCILLATOR)
        header, rows = self.table()
        plot = self.js("const plot = trammel.plots.append({y: ['mass.vx'], x: 'mass.x'});"
                       "return plot.chart.data.datasets[0].data.map(({x, y}) => [x, y])")
        x, v = header.index("mass.x"), header.index("mass.vx")
        self.assertEqual([tuple(p) for p in plot], [(row[x], row[v]) for row in rows])
        omega = 6 * math.pi
        for place, speed in plot:
            self.assertAlmostEqual(math.hypot(place, speed / omega), 0.2, delta=1e-8)  # the phase portrait is an ellipse
        self.assertEqual(self.js("return trammel.plots.plots.at(-1).chart.options.scales.x.title.text"), "mass.x (m)")
        self.silent()

    def test_degrees(self):
        self.open_example("planar_four_bar", "--set", "analysis.duration=0.2")
        name = "A.angle"
        radians = self.js("return trammel.table.column(arguments[0])[5]", name)
        self.browser.find_element(By.ID, "degrees").click()
        shown = self.js("return [trammel.plots.channels.values(arguments[0])[5], trammel.plots.channels.unit(arguments[0])]", name)
        self.assertAlmostEqual(shown[0], math.degrees(radians), places=10)
        self.assertEqual(shown[1], "°")
        self.silent()

    def test_files_to_keep(self):
        self.open_run(OSCILLATOR)
        header, rows = self.table()
        self.js("trammel.plots.plots.slice().forEach((plot) => trammel.plots.remove(plot));"
                "trammel.plots.append({y: ['mass.x', 'mass.vx'], title: 'Swing & <more>'})")
        name, text = self.save(".plot details.menu", "CSV")
        self.assertEqual(name, "swing_more.csv")
        lines = text.decode().strip().split("\n")
        self.assertEqual(lines[0], "t (s),mass.x (m),mass.vx (m/s)")
        at = [header.index(column) for column in ("t", "mass.x", "mass.vx")]
        self.assertEqual([[float(cell) for cell in line.split(",")] for line in lines[1:]], [[row[k] for k in at] for row in rows])
        name, text = self.save(".plot details.menu", "SVG")
        drawing = text.decode()
        self.assertIn("Swing &amp; &lt;more&gt;", drawing)
        self.assertEqual(len(re.findall("<polyline", drawing)), 2)
        parsed = self.js("return new DOMParser().parseFromString(arguments[0], 'image/svg+xml').documentElement.nodeName", drawing)
        self.assertEqual(parsed, "svg")
        name, picture = self.save(".plot details.menu", "PNG")
        self.assertGreater(len({pixel for row in pixels(picture)[::3] for pixel in row[::3]}), 3)
        name, picture = self.save(".stage details.menu", "PNG")
        self.assertGreater(sum(1 for row in pixels(picture) for r, g, b in row if b > r + 30), 50, "the body is not in the picture")
        name, text = self.save(".stage details.menu", "SVG")
        self.assertGreater(len(re.findall("<polygon", text.decode())), 20)
        self.silent()

    # Overlays -----------------------------------------------------------------------------------------------------

    def test_another_run_and_a_measured_table_over_this_one(self):
        self.succeed(OSCILLATOR)
        (self.folder / "out").rename(self.folder / "other")
        (self.folder / "measured.csv").write_text("# a comment\ntime (s),place (mm)\n" + "".join(f"{k / 10},{k}\n" for k in range(30)))
        self.assertEqual(self.run_file(OSCILLATOR, "--set", "system.bodies.mass.position=[0.1,0]").returncode, 0)
        result = self.trammel("report", "out", "--overlay", "other", "--overlay", "measured.csv")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.open("out")
        sets = self.js("const plot = trammel.plots.append({y: ['mass.x', 'C: place']});"
                       "return plot.chart.data.datasets.map(({label, data, borderDash}) => [label, data.length, data[0].y, borderDash.length])")
        self.assertEqual([one[0] for one in sets], ["mass.x", "B: mass.x", "C: place"])
        self.assertEqual([one[2] for one in sets], [0.1, 0.2, 0])
        self.assertEqual(sets[1][3], 2)
        self.assertEqual(sets[2][1], 30)
        self.silent()

    def test_a_table_opened_in_the_page(self):
        self.open_run(OSCILLATOR)
        (self.folder / "measured.csv").write_text("t;mass.x\n0;0.2\n1;0,5\n")
        field = self.browser.find_element(By.CSS_SELECTOR, ".overlays input[type=file]")
        field.send_keys(str(self.folder / "measured.csv"))
        error = lambda: self.browser.find_element(By.CSS_SELECTOR, ".overlay-error").text
        self.wait(lambda: error() != "")
        self.assertIn("measured.csv, line 3, column 2 ('mass.x'): '0,5' is no number", error())
        (self.folder / "measured.csv").write_text("t;mass.x\n0;0.2\n1;0.5\n")
        field.send_keys(str(self.folder / "measured.csv"))
        self.wait(lambda: self.js("return trammel.plots.channels.overlays.length") == 1)
        self.assertEqual(error(), "")

    def test_wrong_overlays(self):
        self.succeed(OSCILLATOR)
        (self.folder / "one.csv").write_text("t\n0\n1\n")
        (self.folder / "back.csv").write_text("t,x\n1,0\n0,1\n")
        for overlay, words in (("absent", "absent"), ("one.csv", "at least two columns"), ("back.csv", "does not ascend")):
            result = self.trammel("report", "out", "--overlay", overlay)
            self.assertEqual(result.returncode, 2, overlay)
            self.assertIn(words, result.stderr)

    # Arrangement --------------------------------------------------------------------------------------------------

    def test_the_address_keeps_what_was_set_up(self):
        self.open_run(OSCILLATOR)
        self.js("trammel.plots.plots.slice(1).forEach((plot) => trammel.plots.remove(plot))")
        self.js("const [plot] = trammel.plots.plots; plot.titleInput.value = 'Mine'; plot.changed(); trammel.clock.set(1.5)")
        self.browser.find_element(By.ID, "degrees").click()
        Select(self.browser.find_element(By.ID, "standard-view")).select_by_value("top")
        self.browser.find_element(By.ID, "show-velocities").click()
        self.wait(lambda: "velocities" in self.js("return decodeURIComponent(location.hash)"))
        address = self.browser.current_url
        self.browser.get("about:blank")
        self.browser.get(address)
        self.settle()
        self.assertEqual(self.js("return [trammel.plots.plots.length, trammel.plots.plots[0].titleInput.value, trammel.clock.t]"), [1, "Mine", 1.5])
        self.assertTrue(self.browser.find_element(By.ID, "degrees").is_selected())
        self.assertTrue(self.js("return trammel.stage.view.arrows.kinds.velocity.group.visible"))
        self.assertEqual(self.js("return trammel.stage.view.eye.standard"), "top")
        self.silent()
        for junk in ("#report=%7B", "#report=null", "#report=%7B%22diagrams%22%3A7%2C%22view%22%3A%5B1%5D%7D", "#elsewhere"):
            self.browser.get("about:blank")
            self.browser.get(address.split("#")[0] + junk)
            self.settle()
            self.assertGreater(self.js("return trammel.plots.plots.length"), 1)
            self.silent()

    def test_the_run_file_sets_up_the_page_and_gets_it_back(self):
        run = {**OSCILLATOR, "report": {
            "author": "A. Maker", "text": "Free <b>text</b>", "degrees": True, "labels": {"spring.force": "Pull", "mass": "The mass"},
            "diagrams": [{"title": "Portrait", "x": "mass.x", "y": ["mass.vx"]}, {"y": ["spring.force"], "spectrum": True}],
            "view": {"from": "back", "parallel": True, "traces": ["mass"], "forces": True, "arrow_scale": 2, "joints": False}}}
        self.open_run(run)
        text = self.browser.find_element(By.TAG_NAME, "header").text
        self.assertIn("A. Maker", text)
        self.assertIn("Free <b>text</b>", text)
        self.assertEqual(self.js("return trammel.plots.plots.map((plot) => plot.spec)"),
                         [{"title": "Portrait", "x": "mass.x", "y": ["mass.vx"]}, {"y": ["spring.force"], "spectrum": True}])
        self.assertEqual(self.js("return ['spring.force', 'mass.x', 'slide.displacement'].map((name) => trammel.plots.channels.label(name))"),
                         ["Pull", "The mass, x", "slide.displacement"])
        view = self.js("const {eye, arrows, solids, traces} = trammel.stage.view; return [eye.standard, eye.parallel, arrows.scale, "
                       "arrows.kinds.force.group.visible, solids.markers.visible, traces.length]")
        self.assertEqual(view[:2], ["back", True])
        self.assertAlmostEqual(view[2], 2, places=9)
        self.assertEqual(view[3:], [True, False, 1])
        section = self.js("return trammel.arrangement.section")
        self.assertEqual(section, run["report"])
        again = self.write({**OSCILLATOR, "report": section}, "again.json")
        self.assertEqual(self.trammel("validate", again).returncode, 0)
        self.silent()

    # The mechanism ------------------------------------------------------------------------------------------------

    def test_arrows_have_the_length_and_direction_of_the_channels(self):
        self.open_run(OSCILLATOR)
        header, rows = self.table()
        self.browser.find_element(By.ID, "show-forces").click()
        row = rows[13]
        self.at(row[0])
        vector = self.js("const {arrows} = trammel.stage.view; const s = arrows.sources.find(({name, from}) => name === 'spring' && from.body === 0);"
                         "const from = trammel.stage.view.followedPoint === undefined ? null : new (trammel.stage.view.up.constructor)();"
                         "const v = arrows.vector(s, 13, 0, from); return [v.toArray(), from.toArray()]")
        force = row[header.index("spring.force")]  # tension pulls the mass to the left
        self.assertAlmostEqual(vector[0][0], -force, delta=1e-9 * abs(force))
        self.assertAlmostEqual(vector[1][0], row[header.index("mass.x")], places=9)
        self.silent()

    def test_parallel_projection_keeps_lengths(self):
        self.open_example("slider_crank", "--set", "analysis.duration=0.2")
        self.browser.find_element(By.ID, "show-parallel").click()
        Select(self.browser.find_element(By.ID, "standard-view")).select_by_value("front")
        self.settle()
        places = self.js("const v = trammel.stage.view; return [[0, 0, 0], [0.1, 0, 0], [0, 0, 0.3], [0.1, 0, 0.3]].map((p) => v.project(p))")
        self.assertAlmostEqual(math.dist(places[0], places[1]), math.dist(places[2], places[3]), places=6)  # however deep
        self.assertAlmostEqual(math.dist(places[0], places[2]), 0, places=6)  # along the view
        self.silent()

    def test_roads_and_contacts_are_drawn(self):
        result = self.trammel("run", EXAMPLES / "half_car.json", "-o", "out", "--report", "--quiet")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.open("out")
        header, rows = self.table()
        roads = self.js("return trammel.stage.scene.curves.filter(({still}) => still).map(({points}) => points)")
        self.assertEqual(len(roads), 2)
        for road in roads:
            self.assertLess(road[0][0], -1.4)
            self.assertGreater(road[-1][0], rows[-1][header.index("front_wheel.x")])
            for x, y, _ in road:
                exact = 0.04 * (1 - math.cos(2 * math.pi * (x - 6) / 1.5)) if 6 < x < 7.5 else 0
                self.assertAlmostEqual(y, exact, delta=1e-5)  # pages have six digits
        force = header.index("front_tyre.force")
        for row in rows[::20]:
            self.at(row[0])
            touching = self.js("const {arrows} = trammel.stage.view; return arrows.balls.map((ball) => ball.visible)")
            self.assertEqual(touching[0], row[force] > 0, f"t = {row[0]}")
        self.silent()

    def test_the_mechanism_stays_in_sight_while_the_diagrams_go_by(self):
        self.open_example("slider_crank", "--set", "analysis.duration=1")
        self.browser.set_window_size(1400, 800)
        self.addCleanup(self.browser.set_window_size, 1280, 900)
        self.js("trammel.plots.numericDetails.open = true")
        self.settle()
        self.js("window.scrollTo(0, 700)")
        self.settle()
        box = self.js("const b = document.querySelector('.stage').getBoundingClientRect(); return [b.top, b.bottom, window.innerHeight, window.scrollY]")
        self.assertGreater(box[3], 300, "the page is too short to scroll")
        self.assertGreaterEqual(box[0], 0)
        self.assertLessEqual(box[1], box[2] + 1)

    def test_parts_are_listed(self):
        self.open_run(OSCILLATOR)
        self.js("document.querySelectorAll('details.model-table').forEach((one) => { one.open = true; })")
        text = self.browser.find_element(By.CLASS_NAME, "below").text
        for words in ("Bodies (1)", "Joints and drivers (1)", "Forces (1)", "translational", "tsda", "stiffness 355.31"):
            self.assertIn(words, text)

    def test_menus_obey_the_keyboard(self):
        self.open_run(OSCILLATOR)
        summary = self.browser.find_element(By.CSS_SELECTOR, ".plot details.menu > summary")
        summary.send_keys(Keys.ENTER)
        self.assertTrue(self.js("return document.querySelector('.plot details.menu').open"))
        self.browser.switch_to.active_element.send_keys(Keys.ESCAPE)
        self.assertFalse(self.js("return document.querySelector('.plot details.menu').open"))
        self.assertTrue(self.js("return document.activeElement.matches('.plot details.menu > summary')"))

    def test_long_runs_open_quickly(self):
        """10 000 rows of 30 bodies: the mechanism within seconds, also on a busy machine with software graphics."""
        result = self.trammel("run", EXAMPLES / "chain_64.json", "-o", "out", "--quiet", "--set", "analysis.duration=0.05")
        self.assertEqual(result.returncode, 0, result.stderr)
        header, rows = self.table()
        kept = [k for k, name in enumerate(header) if not re.match(r"link(3\d|[4-6]\d)\.", name)]
        lines = [",".join(header[k] for k in kept)]
        lines += [",".join([repr(n * 1e-3)] + [repr(rows[n % len(rows)][k]) for k in kept[1:]]) for n in range(10000)]
        (self.folder / "out" / "results.csv").write_text("\n".join(lines) + "\n")
        self.assertEqual(self.trammel("report", "out").returncode, 0)
        self.open("out")
        self.assertLess(self.js("return trammel.ready"), 20000)

    # Studies ------------------------------------------------------------------------------------------------------

    def test_a_study_is_sorted_judged_and_mapped(self):
        self.write(OSCILLATOR)
        study = {"trammel_study": 1, "title": "Damped", "base": "run.json",
                 "vary": {"system.forces.spring.damping": [0.5, 2, 8], "system.forces.spring.stiffness": [100, 200]},
                 "metrics": {"last": {"type": "final_value", "channel": "energy.total"}, "pull": {"type": "max", "channel": "spring.force"}},
                 "table": {"columns": ["last", "pull"]}}
        result = self.trammel("study", self.write(study, "study.json"), "-o", "out", "--report", "--quiet")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.open("out")
        cases = json.loads((self.folder / "out" / "study.json").read_text())["cases"]
        best = min(cases, key=lambda case: abs(case["metrics"]["last"]))
        spoken = ", ".join(setting.rsplit(".", 1)[1].replace("=", " = ") for setting in best["name"].split(","))
        self.assertEqual("★ " + spoken, self.browser.find_element(By.ID, "best-case").text)
        heads = self.js("return [...document.querySelectorAll('th button.sort')].map((b) => b.textContent)")
        self.assertEqual(heads[:6], ["case", "damping", "stiffness", "status", "last (J)", "pull (N)"])
        axes = self.js("return trammel.explorer.diagrams.map(({chart}) => [chart.options.scales.x.title.text, chart.options.scales.y.title.text])")
        self.assertIn(["damping", "last (J)"], axes)
        column = lambda: self.js("return [...document.querySelectorAll('[aria-label=Cases] tbody tr')].map((row) => Number(row.cells[4].textContent.replace('−', '-')))")
        head = self.browser.find_element(By.XPATH, "//th/button[text()='last (J)']")
        head.click()
        self.assertEqual(column(), sorted(column()))
        head.send_keys(Keys.ENTER)
        self.assertEqual(column(), sorted(column(), reverse=True))
        self.assertEqual(head.find_element(By.XPATH, "..").get_attribute("aria-sort"), "descending")
        links = self.js("return [...document.querySelectorAll('[aria-label=Cases] tbody a')].map((a) => a.getAttribute('href'))")
        for link in links:
            self.assertTrue((self.folder / "out" / link).exists(), link)
        cells = self.js("return [...document.querySelectorAll('table.heat tbody td')].map((cell) => cell.textContent)")
        self.assertEqual(len(cells), 6)
        self.assertEqual(sum("★" in cell for cell in cells), 1)
        titles = self.js("return trammel.explorer.diagrams.map(({heading}) => heading.textContent)")
        self.assertFalse([title for title in titles if "Work" in title], "gains are no methods")
        legend = self.js("return trammel.explorer.diagrams[0].chart.data.datasets.map(({label}) => label)")
        self.assertEqual(legend, ["stiffness = 100", "stiffness = 200"])
        self.silent()

    def test_a_sample_is_scattered_and_estimated(self):
        """Random points span no grid and make no lines; the case that the study calls the best is marked."""
        self.write(changed(OSCILLATOR, analysis__duration=0.5, parameters={"c": 1, "k": 100}, system__forces__spring__damping="=c",
                           system__forces__spring__stiffness="=k"))
        study = {"trammel_study": 1, "base": "run.json", "best": {"metric": "pull", "goal": "largest"},
                 "sample": {"count": 300, "distributions": {"parameters.c": {"type": "uniform", "min": 0.5, "max": 8},
                                                            "parameters.k": {"type": "uniform", "min": 100, "max": 200}}},
                 "metrics": {"pull": {"type": "max", "channel": "spring.force"}, "spread": {"type": "estimate", "of": "pull"}}}
        result = self.trammel("study", self.write(study, "study.json"), "-o", "out", "--report", "--quiet")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.open("out")
        told = json.loads((self.folder / "out" / "study.json").read_text())
        best = max(told["cases"], key=lambda case: case["metrics"]["pull"])
        self.assertEqual(told["best"], best["name"])
        self.assertIn(best["name"], self.browser.find_element(By.ID, "best-case").text)
        self.assertEqual(self.js("return document.querySelectorAll('[aria-label=Cases] tbody tr.best').length"), 1)
        self.assertEqual(self.js("return document.querySelectorAll('[aria-label=Cases] tbody tr').length"), 300)
        self.assertFalse(self.js("return document.querySelectorAll('table.heat').length"), "300 x 300 cells of nothing")
        lines = self.js("return trammel.explorer.diagrams[0].chart.data.datasets.map((d) => [d.data.length, d.showLine])")
        self.assertEqual(lines, [[300, False]])
        rows = self.js("return [...document.querySelectorAll('[aria-label=Estimates] tbody tr')].map((row) => [...row.cells].map((c) => c.textContent))")
        values = {one["metric"]: one["value"] for one in told["estimates"]}
        self.assertEqual([row[0] for row in rows], list(values))
        self.assertAlmostEqual(float(rows[0][1].replace("\u2212", "-")), values[rows[0][0]], delta=1e-3 * abs(values[rows[0][0]]))
        self.silent()


if __name__ == "__main__":
    if LACKING:
        print("skipped: no browser to look with; Debian packages missing:", " ".join(LACKING), file=sys.stderr)
    main()
