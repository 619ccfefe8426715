"""Reports in headless Chromium: they start without a word on the console, move as results.csv does, and obey their controls."""
import json
import math
import sys
import time
import unittest

from browsing import LACKING, VIEWER, BrowserCase, centre_of, pixels
from support import EXAMPLES, SOURCE, main

try:
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import Select
except ImportError:
    pass


@unittest.skipUnless(VIEWER.exists(), "built without the report's viewer (Debian: esbuild libjs-three libjs-chart.js)")
@unittest.skipIf(LACKING, "no browser to look with; Debian packages missing: " + " ".join(LACKING))
class Browser(BrowserCase):
    # What is shown ------------------------------------------------------------------------------------------------

    def test_a_traced_body_moves_as_its_coordinates_do(self):
        self.open_example("slider_crank")
        self.js("trammel.stage.trace('b1')")  # the rod's centre: a ball in the first colour of traces
        Select(self.browser.find_element(By.ID, "follow")).select_by_visible_text("nothing")
        for box in ("show-joints", "show-ground"):
            self.browser.find_element(By.ID, box).click()
        # Nothing else may have the ball's colour: the bodies and the trace itself are taken away.
        self.js("trammel.stage.view.solids.bodies.visible = false;"
                "for (const trace of trammel.stage.view.traces) trace.all.visible = trace.past.visible = false;")
        header, rows = self.table()
        seen = []
        for row in (0, 55):
            self.at(rows[row][0])
            centre, count = centre_of(pixels(self.canvas().screenshot_as_png), (0xd1, 0x49, 0x5b))
            self.assertGreater(count, 20, "the traced point is not to be seen")
            point = [rows[row][header.index(f"rod.{axis}")] for axis in "xyz"]
            expected = self.js("return trammel.stage.view.project(arguments[0])", point)
            self.assertLess(math.dist(centre, expected), 2, "pixels: the ball is where the row says, up to rounding of pixels")
            seen.append(centre)
        self.assertGreater(math.dist(*seen), 30)
        self.silent()

    def test_the_bodies_are_to_be_seen(self):
        for example in ("slider_crank", "planar_four_bar", "spring_mass", "sarrus_linkage"):
            with self.subTest(example):
                self.open_example(example, "--set", "analysis.duration=0.2")
                self.at(0.1)
                colours = {pixel for row in pixels(self.canvas().screenshot_as_png)[::4] for pixel in row[::4]
                           if max(pixel) - min(pixel) > 60}
                self.assertGreater(len(colours), 3, "no coloured body on the stage")
                self.silent()

    def test_diagrams_show_the_numbers_of_the_table(self):
        self.open_example("slider_crank")
        header, rows = self.table()
        for plot in self.js("return trammel.plots.plots.map((plot) => plot.chart.data.datasets.map(({label, data}) => "
                            "[label, data.map(({x, y}) => [x, y])]))"):
            for label, points in plot:
                column = header.index(label)
                of_time = {row[0]: row[column] for row in rows}
                self.assertGreater(len(points), 200)
                for t, value in points:
                    if value is not None:  # zero on a logarithmic axis
                        self.assertEqual(value, of_time[t], f"{label} at {t}")
        self.js("document.querySelector('details.numerics').open = true")
        self.settle()
        shown = self.js("return trammel.plots.plots.map((plot) => plot.names).flat()")
        for name in ("energy.total", "constraint.position", "step"):
            self.assertIn(name, shown)
        self.silent()

    def test_a_point_is_where_the_animation_has_it(self):
        """The writer's columns and the viewer's mathematics against a named point, which the kernel computes."""
        self.open_example("slider_crank")
        header, rows = self.table()
        for row in (0, 100, 777):
            self.at(rows[row][0])
            point = self.js("const {scene} = trammel.stage; const p = scene.points[0];"
                            "return [...trammel.motion.point(p.body, p.at, new Float64Array(3))]")
            for k, axis in enumerate("xyz"):
                # Six digits of the point's place in its body.
                self.assertAlmostEqual(point[k], rows[row][header.index(f"slider.{axis}")], delta=1e-6)

    # Controls -----------------------------------------------------------------------------------------------------

    def test_controls(self):
        self.open_example("slider_crank")
        time_of = lambda: self.js("return trammel.clock.t")
        play = self.browser.find_element(By.ID, "play")
        self.assertEqual(play.get_attribute("aria-label"), "Play")
        Select(self.browser.find_element(By.ID, "speed")).select_by_value("5")
        play.click()
        self.assertEqual(play.get_attribute("aria-label"), "Pause")
        deadline = time.time() + 20
        while time_of() < 0.5 and time.time() < deadline:
            time.sleep(0.05)
        self.assertGreater(time_of(), 0.5)
        play.click()
        stopped = time_of()
        time.sleep(0.2)
        self.assertEqual(time_of(), stopped)

        stood_still = self.js(
            "const {clock} = trammel, real = window.requestAnimationFrame; window.requestAnimationFrame = (f) => { real.f = f; };"
            "clock.set(1); clock.play(true); real.f(performance.now() + 60000); clock.play(false);"
            "window.requestAnimationFrame = real; return clock.t")
        self.assertLessEqual(stood_still, 1 + 5 * 0.25)  # for a minute, and goes on from where it was
        scrub = self.browser.find_element(By.ID, "scrub")
        self.js("arguments[0].value = 4; arguments[0].dispatchEvent(new Event('input'))", scrub)
        self.assertEqual(time_of(), 4)
        self.assertEqual(scrub.get_attribute("aria-valuetext"), "4 s")
        self.browser.find_element(By.CSS_SELECTOR, "[aria-label='One row on']").click()
        self.assertAlmostEqual(time_of(), 4.01, places=12)
        self.browser.find_element(By.CSS_SELECTOR, "[aria-label='One row back']").click()
        self.assertAlmostEqual(time_of(), 4, places=12)
        self.canvas().send_keys(Keys.SPACE)
        self.assertTrue(self.js("return trammel.clock.playing"))
        self.canvas().send_keys(Keys.SPACE)
        self.assertFalse(self.js("return trammel.clock.playing"))

        Select(self.browser.find_element(By.ID, "follow")).select_by_visible_text("crank")
        Select(self.browser.find_element(By.ID, "follow")).select_by_visible_text("rod")
        for t in (0.3, 2.0):
            self.at(t)
            target, body = self.js("const view = trammel.stage.view; return [view.controls.target.toArray(), view.followedPoint().toArray()]")
            self.assertLess(math.dist(target, body), 1e-12)
        Select(self.browser.find_element(By.ID, "trace")).select_by_visible_text("slider")
        self.assertEqual(self.js("return trammel.stage.view.traces.length"), 1)
        self.browser.find_element(By.CSS_SELECTOR, "[aria-label='Stop tracing slider']").click()
        self.assertEqual(self.js("return trammel.stage.view.traces.length"), 0)

        before = self.js("return trammel.stage.view.camera.position.toArray()")
        self.canvas().send_keys(Keys.ARROW_LEFT, "+")
        self.assertGreater(math.dist(before, self.js("return trammel.stage.view.camera.position.toArray()")), 1e-3)
        self.silent()

    def test_a_click_chooses_a_body(self):
        self.open_example("slider_crank")
        followed = lambda: self.js("return trammel.stage.view.followed")
        self.assertIsNone(followed())
        bodies = self.js("return trammel.motion.scene.bodies.map((body) => body.name)")
        rod = bodies.index("rod")

        def click(place):
            box = self.js("const b = arguments[0].getBoundingClientRect(); return [b.width, b.height]", self.canvas())
            ActionChains(self.browser).move_to_element_with_offset(
                self.canvas(), round(place[0] - box[0] / 2), round(place[1] - box[1] / 2)).click().perform()
            self.settle()

        # The middle of the rod on the canvas: nothing of the others hides it.
        click(self.js("const v = trammel.stage.view; return v.project(trammel.motion.point(arguments[0], [0, 0, 0], new Float64Array(3)))", rod))
        self.assertEqual(followed(), rod)
        self.assertEqual(Select(self.browser.find_element(By.ID, "follow")).first_selected_option.text, "rod")
        orange = centre_of(pixels(self.canvas().screenshot_as_png), (242, 163, 58))[1]
        self.at(1.3)
        self.assertGreater(self.js("return trammel.stage.view.solids.chosen.length"), 0)
        self.assertGreater(orange, 20)
        ActionChains(self.browser).move_to_element_with_offset(self.canvas(), 0, 0).click_and_hold().move_by_offset(40, 10).release().perform()
        self.assertEqual(followed(), rod)  # that was orbiting
        click((6, 6))
        self.assertIsNone(followed())
        self.assertEqual(self.js("return trammel.stage.view.solids.chosen.length"), 0)
        self.silent()

    def test_zoom_and_cursor_are_shared(self):
        self.open_example("slider_crank")
        frame = self.browser.find_elements(By.CSS_SELECTOR, ".plot-frame")[0]
        area = self.js("return trammel.plots.plots[0].chart.chartArea")
        width, height = frame.size["width"], frame.size["height"]
        at = lambda share: int(area["left"] + share * (area["right"] - area["left"]) - width / 2)
        ActionChains(self.browser).move_to_element_with_offset(frame, at(0.25), 0).click().perform()
        self.assertAlmostEqual(self.js("return trammel.clock.t"), 2.5, delta=0.05)  # of 10 s: a pixel is 0.02 s
        ActionChains(self.browser).move_to_element_with_offset(frame, at(0.2), 0).click_and_hold().move_to_element_with_offset(
            frame, at(0.6), 0).release().perform()
        for plot in self.js("return trammel.plots.plots.map((plot) => [plot.chart.scales.x.min, plot.chart.scales.x.max])"):
            self.assertAlmostEqual(plot[0], 2, delta=0.05)
            self.assertAlmostEqual(plot[1], 6, delta=0.05)
        ActionChains(self.browser).move_to_element_with_offset(frame, at(0.5), 0).double_click().perform()
        self.assertEqual(self.js("return [trammel.plots.from, trammel.plots.to]"), [0, 10])
        frame.send_keys("+")
        narrow = self.js("return trammel.plots.to - trammel.plots.from")
        self.assertAlmostEqual(narrow, 5, places=9)
        self.browser.find_element(By.CSS_SELECTOR, "[aria-label='Whole time']").click()

        field = self.browser.find_elements(By.CSS_SELECTOR, ".plot-tools input[type=text]")[0]
        field.send_keys("crank.wz", Keys.TAB)
        self.assertIn("crank.wz", self.js("return trammel.plots.plots[0].names"))
        self.browser.find_element(By.CSS_SELECTOR, "[aria-label='Remove crank.wz']").click()
        self.assertNotIn("crank.wz", self.js("return trammel.plots.plots[0].names"))
        self.silent()

    def test_every_control_has_a_name_and_is_reached_by_keys(self):
        self.open_example("slider_crank", "--set", "analysis.duration=0.2")
        nameless = self.js("return [...document.querySelectorAll('button, input, select')].filter((control) => "
                           "!control.hidden && !control.getAttribute('aria-label') && !control.closest('label') && control.textContent.trim() === '')"
                           ".map((control) => control.outerHTML)")
        self.assertEqual(nameless, [])
        self.assertEqual(self.js("return [...document.querySelectorAll('[tabindex]')].filter((e) => e.tabIndex < 0).length"), 0)

    # Other kinds of pages -----------------------------------------------------------------------------------------

    def test_titles_and_names_run_nothing(self):
        title = "<img src=x onerror='window.hit = 1'></script><script>window.hit = 1</script>"
        self.open_example("slider_crank", "--set", "analysis.duration=0.1", "--set", "title=" + json.dumps(title))
        self.assertIsNone(self.js("return window.hit"))
        self.assertEqual(self.browser.find_element(By.TAG_NAME, "h1").text, title)
        self.assertEqual(self.browser.title, title)
        self.silent()

    def test_narrow_screens(self):
        self.open_example("slider_crank", "--set", "analysis.duration=0.2")
        self.browser.set_window_size(500, 900)
        self.addCleanup(self.browser.set_window_size, 1280, 900)
        self.settle()
        self.assertLessEqual(self.js("return document.documentElement.scrollWidth - window.innerWidth"), 0)

    def test_a_system_without_bodies_has_diagrams(self):
        run = SOURCE / "configs" / "papers" / "bustos" / "vibration.json"
        self.assertEqual(self.trammel("run", run, "-o", "out", "--report", "--quiet").returncode, 0)
        self.open("out")
        self.assertGreater(self.js("return trammel.plots.plots.length"), 0)
        self.assertEqual(self.browser.find_elements(By.ID, "view"), [])
        self.silent()

    def test_units_are_what_the_run_declares(self):
        run = SOURCE / "configs" / "examples" / "slider_crank_planar.json"
        result = self.trammel("run", run, "-o", "out", "--quiet", "--set", "analysis.duration=0.1")
        self.assertEqual(result.returncode, 0, result.stderr)
        path = self.folder / "out" / "summary.json"
        summary = json.loads(path.read_text())
        self.assertEqual(summary["columns"]["energy.total"], "J")
        summary["columns"].update({name: "erg" for name in summary["columns"] if name.startswith("energy.")})
        path.write_text(json.dumps(summary))
        self.assertEqual(self.trammel("report", "out").returncode, 0)
        self.open("out")
        self.js("document.querySelector('details.numerics').open = true")
        self.settle()
        titles = self.js("return trammel.plots.plots.map((plot) => plot.title())")
        self.assertIn("energy (erg)", titles)
        self.assertIn("step (s)", titles)
        self.silent()

    def test_little_is_left(self):
        """Results without rows, without a table, without a summary, without a body's columns."""
        result = self.trammel("run", EXAMPLES / "slider_crank.json", "-o", "out", "--quiet", "--set", "analysis.duration=0.1", "--set",
                              'output.channels=["crank", "energy"]')
        self.assertEqual(result.returncode, 0, result.stderr)
        table, summary = (self.folder / "out" / name for name in ("results.csv", "summary.json"))
        whole, told = table.read_text(), summary.read_text()

        def shown():
            self.assertEqual(self.trammel("report", "out").returncode, 0)
            self.open("out")
            self.at(0)
            self.silent()
            return self.browser.find_element(By.TAG_NAME, "body").text

        self.assertIn("rod.x, rod.y, rod.z", shown())
        table.write_text(whole.split("\n")[0] + "\n")
        self.assertIn("No rows were written", shown())
        table.unlink()
        self.assertIn("No rows were written", shown())
        table.write_text(whole[:-30])
        summary.unlink()
        text = shown()
        self.assertIn("killed", text)
        self.assertIn("ends within a row", text)
        summary.write_text(told.replace('"status": "completed"', '"status": "failed"').replace('"message": ""', '"message": "h < min_step"'))
        text = shown()
        self.assertIn("failed", text)
        self.assertIn("h < min_step", text)

    def test_an_equilibrium_is_told(self):
        result = self.trammel("run", EXAMPLES / "balanced_lamp.json", "-o", "out", "--quiet")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.trammel("report", "out").returncode, 0)
        self.open("out")
        self.silent()
        text = self.browser.find_element(By.TAG_NAME, "body").text
        for words in ("Equilibrium", "stable", "minimum potential", "largest acceleration left", "potential energy"):
            self.assertIn(words, text)

    def test_modes_swing(self):
        """modes.csv and mode_shapes.csv: displacements of the bodies' columns about the first row."""
        result = self.trammel("run", EXAMPLES / "planar_double_pendulum.json", "-o", "out", "--quiet", "--set",
                              'analysis={"type": "assembly"}')
        self.assertEqual(result.returncode, 0, result.stderr)
        header, rows = self.table()
        bodies = sorted({name.split(".")[0] for name in header if name.endswith(".phi")})
        (self.folder / "out" / "modes.csv").write_text(
            "mode,real,imag,omega,frequency,damping_ratio\n1,-0.1,3,3.0017,0.47774,0.0333\n2,0,7,7,1.1141,0\n")
        columns = [f"{body}.{suffix}" for body in bodies for suffix in ("x", "y", "phi")]
        shapes = [[0.1 * k for k in range(1, len(columns) + 1)], [-0.2 * k for k in range(1, len(columns) + 1)]]
        (self.folder / "out" / "mode_shapes.csv").write_text("\n".join(
            ["mode," + ",".join(columns + [f"{columns[0]}.imag"])] +
            [f"{i + 1}," + ",".join(map(repr, shape)) + f",{0 if i else 0.3}" for i, shape in enumerate(shapes)]) + "\n")
        self.assertEqual(self.trammel("report", "out").returncode, 0)
        self.open("out")
        self.js("trammel.clock.play(false)")
        self.browser.find_element(By.CSS_SELECTOR, "[aria-label='Show mode 2']").click()
        order = self.js("return trammel.stage.scene.bodies.map((body) => body.name)")
        displacement = {}
        for t in (0, 0.25, 0.75):
            self.at(t)
            displacement[t] = [self.js("return trammel.motion.places[arguments[0]]", 12 * i + 3) - rows[0][header.index(f"{name}.x")]
                               for i, name in enumerate(order)]
        self.assertTrue(all(abs(value) < 1e-12 for value in displacement[0]))
        expected = [shapes[1][columns.index(f"{name}.x")] for name in order]
        scale = displacement[0.25][0] / expected[0]
        self.assertNotEqual(scale, 0)
        for value, shape in zip(displacement[0.25], expected):
            self.assertAlmostEqual(value, scale * shape, places=12)
        for up, down in zip(displacement[0.25], displacement[0.75]):
            self.assertAlmostEqual(up, -down, places=12)
        self.browser.find_element(By.CSS_SELECTOR, "[aria-label='Show mode 1']").click()
        body = order.index(columns[0].split(".")[0])
        parts = []
        for t in (0, 0.25):  # Im dq, a quarter of a period before Re dq
            self.at(t)
            parts.append(self.js("return trammel.motion.places[arguments[0]]", 12 * body + 3) - rows[0][header.index(columns[0])])
        self.assertAlmostEqual(parts[0] / parts[1], 0.3 / 0.1, places=9)
        self.silent()

    def test_a_study_has_diagrams_in_log_log(self):
        study = SOURCE / "configs" / "benchmarks" / "pendulum_orders_study.json"
        result = self.trammel("study", study, "-o", "out", "--report", "--quiet", "--no-timing")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.open("out")
        written = json.loads((self.folder / "out" / "study.json").read_text())
        diagrams = self.js("return trammel.explorer.diagrams.map(({choice, chart}) => [choice, chart.scales.x.type, chart.scales.y.type,"
                           "chart.data.datasets.map(({label, data}) => [label, data.map(({x, y, name}) => [x, y, name])])])")
        self.assertGreaterEqual(len(diagrams), 2)
        by_name = {case["name"]: case for case in written["cases"]}
        for choice, x_type, y_type, lines in diagrams:
            self.assertEqual((x_type, y_type), ("logarithmic", "logarithmic"))
            self.assertEqual(sum(len(points) for _, points in lines), len(by_name))
            for _, points in lines:
                for x, y, name in points:
                    self.assertEqual(y, by_name[name]["metrics"][choice["y"]])
                    if choice["x"] == "statistics.evaluations":
                        self.assertEqual(x, by_name[name]["statistics"]["evaluations"])
        cells = self.js("return document.querySelectorAll('tbody tr').length")
        self.assertGreaterEqual(cells, len(by_name))
        self.silent()


if __name__ == "__main__":
    if LACKING:
        print("skipped: no browser to look with; Debian packages missing:", " ".join(LACKING), file=sys.stderr)
    main()
