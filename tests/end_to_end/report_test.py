"""`trammel report` and `--report`: the page is one safe file with the run's numbers; what is missing is said."""
import base64
import json
import math
import os
import pathlib
import re
import shutil
import struct
import unittest

from support import Case, EXAMPLES, PENDULUM, TRAMMEL, changed, main

LIBRARY = pathlib.Path(TRAMMEL).resolve().parent.parent / "lib"
VIEWER = LIBRARY / "trammel" / "report" / "report.js"
CODINGS = {"f64": ("d", 8), "f32": ("f", 4), "u16": ("H", 2)}


def element(page, identifier):
    """Text of a script element of the page."""
    return re.search(rf'<script type="[^"]*" id="{identifier}">(.*?)</script>', page, re.S).group(1)


def columns_of(page):
    """The columns as a browser decodes them."""
    data = json.loads(element(page, "content"))["data"]
    block = base64.b64decode(element(page, "data"))
    columns = {}
    for name, coding, offset, *scale in data["columns"]:
        letter, width = CODINGS[coding]
        values = struct.unpack_from(f"<{data['rows']}{letter}", block, offset)
        if coding == "u16":
            values = [math.nan if k == 65535 else scale[0] + scale[1] * k for k in values]
        columns[name] = list(values)
    return columns


@unittest.skipUnless(VIEWER.exists(), "built without the report's viewer (Debian: esbuild libjs-three libjs-chart.js)")
class Report(Case):
    def page(self, folder="out"):
        return (self.folder / folder / "report.html").read_text()

    def test_run_writes_it_on_request_only(self):
        self.succeed(PENDULUM)
        self.assertFalse((self.folder / "out" / "report.html").exists())
        result = self.succeed(PENDULUM, "--report")
        self.assertIn("out/report.html", result.stdout)
        self.assertIn("<title>Pendulum</title>", self.page())

    def test_report_of_a_folder_prints_the_path(self):
        self.succeed(PENDULUM)
        result = self.trammel("report", "out")
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "out/report.html\n", ""))

    def test_all_digits_of_a_short_run(self):
        self.succeed(PENDULUM, "--report")
        header, rows = self.table()
        columns = columns_of(self.page())
        self.assertEqual(list(columns), header)
        for i, name in enumerate(header):
            self.assertEqual(columns[name], [row[i] for row in rows], name)

    def test_nothing_is_fetched(self):
        self.succeed(PENDULUM, "--report")
        page = self.page()
        self.assertIn("Content-Security-Policy", page)
        self.assertIn("default-src 'none'", page)
        self.assertEqual(re.findall(r'<(?:link|img|iframe)\b|<script[^>]*\bsrc=|@import|url\(\s*["\']?http', page), [])

    def test_a_title_is_a_text(self):
        title = '</script><script>alert(1)</script><img src=x onerror="alert(2)">&amp;'
        run = changed(PENDULUM, title=title)
        self.succeed(run, "--report")
        page = self.page()
        self.assertNotIn("<script>alert", page)
        self.assertNotIn("<img", page)
        self.assertIn("<title>&lt;/script&gt;", page)
        content = json.loads(element(page, "content"))
        self.assertEqual(content["title"], title)
        self.assertEqual(json.loads(content["run_file"])["title"], title)

    def test_a_failed_run_has_a_report(self):
        run = changed(PENDULUM, analysis__constraint_limit=1e-6, formulation={"type": "direct"},
                      integrator={"type": "euler", "step": 0.05})
        result = self.run_file(run, "--report")
        self.assertEqual(result.returncode, 4, result.stderr)
        content = json.loads(element(self.page(), "content"))
        self.assertEqual(content["summary"]["status"], "failed")
        self.assertIn("t = ", content["summary"]["message"])

    def test_a_killed_run_has_a_report(self):
        self.succeed(PENDULUM)
        results = self.folder / "out" / "results.csv"
        results.write_text(results.read_text()[:-40])
        (self.folder / "out" / "summary.json").unlink()
        self.assertEqual(self.trammel("report", "out").returncode, 0)
        content = json.loads(element(self.page(), "content"))
        self.assertIsNone(content["summary"])
        self.assertTrue(content["data"]["cut"])
        self.assertEqual(content["data"]["rows"], len(results.read_text().split("\n")) - 2)
        self.assertEqual([body["name"] for body in content["scene"]["bodies"]], ["arm"])

    def test_joints_are_drawn_from_the_summary_only(self):
        self.succeed(PENDULUM, "--report")
        content = json.loads(element(self.page(), "content"))
        self.assertTrue(any(piece["marker"] for piece in content["scene"]["pieces"]))
        self.assertNotIn("drawing", content["summary"])
        summary = json.loads((self.folder / "out" / "summary.json").read_text())
        for name, constraint in summary["drawing"]["constraints"].items():
            self.assertIn(name, summary["run"]["system"]["constraints"])
            self.assertEqual(len(constraint["points"]), 2)
        del summary["drawing"]
        (self.folder / "out" / "summary.json").write_text(json.dumps(summary))
        self.assertEqual(self.trammel("report", "out").returncode, 0)
        scene = json.loads(element(self.page(), "content"))["scene"]
        self.assertFalse(any(piece["body"] == -1 and piece["marker"] for piece in scene["pieces"]))
        self.assertTrue(any(piece["body"] == 0 for piece in scene["pieces"]))

    def test_a_planar_system_of_any_type_is_drawn_as_planar(self):
        result = self.trammel("run", EXAMPLES / "slider_crank_planar.json", "-o", "out", "--set", "analysis.duration=0.1")
        self.assertEqual(result.returncode, 0, result.stderr)
        path = self.folder / "out" / "summary.json"
        summary = json.loads(path.read_text())
        self.assertEqual(summary["model"], {"host": "planar", "coordinates": {"x": "m", "y": "m", "phi": "rad"}})
        summary["run"]["system"]["type"] = "vendor.flat"
        path.write_text(json.dumps(summary))
        self.assertEqual(self.trammel("report", "out").returncode, 0)
        content = json.loads(element(self.page(), "content"))
        self.assertTrue(content["scene"]["planar"])
        self.assertEqual(content["missing"], [])
        self.assertEqual(content["units"], summary["columns"])
        self.assertNotIn("columns", content["summary"])

    def test_a_summary_without_declarations_is_no_obstacle(self):
        self.succeed(PENDULUM)
        path = self.folder / "out" / "summary.json"
        summary = json.loads(path.read_text())
        del summary["model"], summary["columns"]
        path.write_text(json.dumps(summary))
        self.assertEqual(self.trammel("report", "out").returncode, 0)
        content = json.loads(element(self.page(), "content"))
        self.assertNotIn("units", content)
        self.assertEqual(content["missing"], [])

    def test_columns_that_the_animation_lacks_are_named(self):
        self.succeed(PENDULUM, "--set", 'output.channels=["tip", "arm.x"]', "--report")
        content = json.loads(element(self.page(), "content"))
        self.assertEqual(content["missing"], ["arm.y", "arm.z", "arm.e0", "arm.e1", "arm.e2", "arm.e3"])

    def test_wrong_folders(self):
        (self.folder / "empty").mkdir()
        for folder in ("empty", "absent"):
            result = self.trammel("report", folder)
            self.assertEqual(result.returncode, 2)
            self.assertIn(f"{folder}: holds no results", result.stderr)
        (self.folder / "broken").mkdir()
        (self.folder / "broken" / "results.csv").write_text("t,x\n0,1\n1,zwei\n")
        result = self.trammel("report", "broken")
        self.assertEqual(result.returncode, 2)
        self.assertIn("results.csv:3: column 2 ('x') holds no number", result.stderr)

    def test_damaged_results_and_studies_are_told_in_a_line(self):
        self.succeed(PENDULUM)
        for damage in ('{"status": ', "[1, 2]", '{"run": {"system": {"bodies": 3}}}', '{"run": 7, "title": []}',
                       '{"run": {"system": {"bodies": {"arm": {}}}}, "drawing": {"constraints": {"pin": {"bodies": [1]}}}}'):
            with self.subTest(damage):
                (self.folder / "out" / "summary.json").write_text(damage)
                result = self.trammel("report", "out")
                self.assertNotIn("exception", result.stderr)
                self.assertLessEqual(result.stderr.count("\n"), 1)
                if damage.endswith(" "):
                    self.assertEqual(result.returncode, 2)
                    self.assertIn("summary.json: is damaged: no valid JSON", result.stderr)
        (self.folder / "study").mkdir()
        (self.folder / "study" / "study.json").write_text("{}")
        result = self.trammel("report", "study", "--gltf", "motion.glb")
        self.assertEqual(result.returncode, 2)
        self.assertIn("study: holds a study, which has no motion of its own", result.stderr)

    def test_the_report_section_says_what_is_wrong(self):
        for section, words in (
                ({"diagram": []}, "/report/diagram: unknown key for the report; did you mean 'diagrams'?"),
                ({"degrees": 1}, "/report/degrees: must be true or false, not 1"),
                ({"text": 7}, "/report/text: must be a text, not 7"),
                ({"labels": {"pin.forze.x": "F"}}, "/report/labels/pin.forze.x: there is no channel 'pin.forze.x'; did you mean 'pin.force.x'?"),
                ({"diagrams": {}}, "/report/diagrams: must be an array of diagrams"),
                ({"diagrams": [{"x": "t"}]}, "/report/diagrams/0/y: a diagram needs \"y\""),
                ({"diagrams": [{"y": []}]}, "/report/diagrams/0/y: a diagram needs \"y\""),
                ({"diagrams": [{"y": ["arm.w"]}]}, "/report/diagrams/0/y/0: there is no channel 'arm.w'"),
                ({"diagrams": [{"y": ["tip.x"], "x": "pin.angle"}]}, "/report/diagrams/0/x: the channel 'pin.angle' is not recorded; add it to output.channels"),
                ({"diagrams": [{"y": ["tip.x"], "fft": True}]}, "/report/diagrams/0/fft: unknown key for a diagram"),
                ({"view": {"from": "frnt"}}, "/report/view/from: there is no standard view 'frnt'; did you mean 'front'?"),
                ({"view": {"follow": "arms"}}, "/report/view/follow: there is no body 'arms'; did you mean 'arm'?"),
                ({"view": {"traces": ["tipp"]}}, "/report/view/traces/0: there is no body or point 'tipp'; did you mean 'tip'?"),
                ({"view": {"camera": [1, 2, 3]}}, "/report/view/camera: must be six numbers"),
                ({"view": {"camera": [1, 2, 3, 0, 0, 0], "from": "top"}}, "/report/view/camera: give either 'from' or 'camera', not both"),
                ({"view": {"arrow_scale": 0}}, "/report/view/arrow_scale: must be a number > 0, not 0"),
                ({"view": {"joint": True}}, "/report/view/joint: unknown key for the view; did you mean 'joints'?"),
                ([], "/report: must be an object, not an empty array")):
            with self.subTest(section):
                result = self.run_file({**PENDULUM, "report": section}, "--quiet")
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertIn(words, result.stderr)

    def test_the_report_section_changes_no_result(self):
        self.succeed(PENDULUM)
        before = (self.folder / "out" / "results.csv").read_bytes()
        section = {"text": "=1+1", "diagrams": [{"y": ["tip.x"], "x": "t"}], "view": {"follow": "", "traces": ["arm", "tip"]}}
        self.succeed({**PENDULUM, "report": section}, "--report")
        self.assertEqual((self.folder / "out" / "results.csv").read_bytes(), before)
        content = json.loads(element(self.page(), "content"))
        self.assertEqual(content["report"], section)
        self.assertRegex(content["date"], r"^\d{4}-\d\d-\d\d \d\d:\d\d UTC$")

    def test_parts_requests_and_contacts_are_in_the_page(self):
        run = changed(PENDULUM, output__channels=["pin", "arm", "tip"])
        run["system"]["forces"]["floor"] = {"type": "stop", "bodies": ["ground", "arm"], "point_i": [0, -0.3, 0], "axis_i": [0, 2, 0],
                                            "point_j": [0.5, 0, 0], "stiffness": 1e4}
        self.succeed(run, "--report")
        content = json.loads(element(self.page(), "content"))
        self.assertEqual(content["requested"], ["pin", "arm", "tip"])
        self.assertEqual(content["parts"]["bodies"], [{"name": "arm", "mass": 2, "inertia": [0.01, 0.2, 0.2]}])
        self.assertEqual([one["name"] for one in content["parts"]["elements"]], ["pin", "spring", "floor"])
        floor = [one for one in content["scene"]["elements"] if one["name"] == "floor"][0]
        self.assertEqual(floor["push"], {"body": -1, "direction": [0, 1, 0], "reach": 0})
        self.assertEqual(floor["points"], [[0, -0.3, 0], [0.5, 0, 0]])
        self.assertEqual(floor["bodies"], [-1, 0])

    def test_meshes(self):
        """Beside the file that names them, in whatever units and turn; what is lost later is left out, what is broken refused."""
        (self.folder / "parts").mkdir()
        self.write("v 0 0 0\nv 4 0 0\nv 0 2 0\nv 0 0 6\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n", "parts/wedge.obj")
        body = {"mass": 1, "inertia": [1e6, 1e6, 1e6], "position": [0, 0, 0],
                "shape": {"type": "mesh", "file": "wedge.obj", "scale": [0.01, 0.01, -0.01], "center": [30, 0, 0],
                          "rotation": {"axis": [0, 0, 1], "angle": 90}}}
        units = {"length": "mm", "angle": "deg"}
        self.write({"units": units, "bodies": {"block": body}}, "parts/wedge.json")
        run = {"trammel": 2, "units": units,
               "system": {"type": "spatial", "submodels": {"wedge": {"include": "parts/wedge.json"}},
                          "parts": {"w": {"submodel": "wedge"}}},
               "analysis": {"type": "dynamics", "duration": 0.1}}
        self.succeed(run, "--report")
        page = json.loads(element(self.page(), "content"))
        mesh, = page["scene"]["meshes"]
        self.assertEqual((len(mesh["points"]), len(mesh["corners"])), (12, 12))
        self.assertEqual((min(mesh["points"]), max(mesh["points"])), (-0.5, 0.5))
        piece, = [p for p in page["scene"]["pieces"] if p["solid"] == "mesh"]
        # Rows: x of the file along y, y along -x; extents 0.04, 0.02, 0.06 m; the middle of the box.
        for value, wanted in zip(piece["place"], [0, -0.02, 0, 0.03 - 0.01, 0.04, 0, 0, 0.02, 0, 0, 0.06, -0.03]):
            self.assertAlmostEqual(value, wanted, delta=1e-6)
        # z is mirrored: the fourth corner is below, and faces go round the other way, so that their outsides stay outside.
        self.assertEqual(mesh["points"][9:], [-0.5, -0.5, -0.5])
        self.assertEqual(mesh["corners"][:3], [0, 1, 2])
        (self.folder / "parts" / "wedge.obj").rename(self.folder / "gone.obj")
        result = self.trammel("report", "out")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertNotIn('"solid":"mesh"', self.page())
        result = self.run_file(run)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("there is no file", result.stderr)

    def test_reports_of_cases(self):
        self.write(PENDULUM)
        study = {"trammel_study": 1, "base": "run.json", "vary": {"system.bodies.arm.mass": [1, 2]},
                 "metrics": {"low": {"type": "min", "channel": "tip.y"}}}
        result = self.trammel("study", self.write(study, "study.json"), "-o", "out", "--quiet")
        self.assertEqual(result.returncode, 0, result.stderr)
        result = self.trammel("report", "out", "--cases")
        self.assertEqual((result.returncode, result.stdout), (0, "2 reports of cases\nout/report.html\n"), result.stderr)
        cases = json.loads(element(self.page(), "content"))["study"]["cases"]
        for case in cases:
            self.assertTrue((self.folder / "out" / case["report"]).exists())
        result = self.trammel("report", "out", "--overlay", "out")
        self.assertEqual(result.returncode, 1)
        self.assertIn("holds a study", result.stderr)

    def test_another_prefix_with_and_without_the_viewer(self):
        """The viewer is looked for beside libtrammel, wherever that was moved to."""
        self.succeed(PENDULUM)
        library = self.folder / "moved" / "lib"
        library.mkdir(parents=True)
        for file in LIBRARY.glob("libtrammel.so.*"):
            shutil.copy(file, library)
        environment = {**os.environ, "LD_LIBRARY_PATH": str(library)}
        result = self.trammel("report", "out", env=environment)
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn(str(library / "trammel" / "report" / "report.js"), result.stderr)
        self.assertIn("libjs-three", result.stderr)
        result = self.run_file(PENDULUM, "--report", env=environment)
        self.assertEqual(result.returncode, 3, "a run whose report cannot be written starts")
        shutil.copytree(VIEWER.parent, library / "trammel" / "report")
        self.assertEqual(self.trammel("report", "out", env=environment).returncode, 0)


if __name__ == "__main__":
    main()
