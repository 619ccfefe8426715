"""`trammel migrate`: the same motion in the newest format, the layout kept, and nothing half written.

tests/data/format_1 has run files of format 1 as they were shipped, those in which a coordinate counts from elsewhere.
"""
import json
import os
import shutil
import stat
import threading

from support import SOURCE, Case, changed, main

FORMAT_1 = SOURCE / "tests" / "data" / "format_1"

COMPACT = """// A slide, drawn 0.3 m away.
{ "trammel": 1, /* old */ "title": "slide",
  "system": { "type": "planar", "bodies": { "m": {"mass":1,"inertia":1,"position":[0.3,0]} },
    "constraints": {
      "g": {"type":"point_on_line","bodies":["ground","m"],"point_i":[0,0],"point_j":[0,0],"axis_i":[1,0]},  // the guide
      "d": {
        "bodies": ["ground", "m"],
        "type": "translation_driver",   // by 0.1
        "point_i": [0, 0], "point_j": [0, 0], "axis_i": [1, 0], "function": 0.1
      },
      "r": {"type":"angle_driver","bodies":["ground","m"],"function":0.1} } },
  "analysis": {"type":"kinematics","duration":1}, "output": {"step":0.5, "channels":["m","d","r","g"]} }
"""
MIGRATED = """// A slide, drawn 0.3 m away.
{ "trammel": 2, /* old */ "title": "slide",
  "system": { "type": "planar", "bodies": { "m": {"mass":1,"inertia":1,"position":[0.3,0]} },
    "constraints": {
      "g": {"type":"point_on_line", "initial_displacement": 0,"bodies":["ground","m"],"point_i":[0,0],"point_j":[0,0],"axis_i":[1,0]},  // the guide
      "d": {
        "bodies": ["ground", "m"],
        "type": "translation_driver",
        "initial_displacement": 0,   // by 0.1
        "point_i": [0, 0], "point_j": [0, 0], "axis_i": [1, 0], "function": 0.1
      },
      "r": {"type":"angle_driver","bodies":["ground","m"],"function":0.1} } },
  "analysis": {"type":"kinematics","duration":1}, "output": {"step":0.5, "channels":["m","d","r","g"]} }
"""


class Migrate(Case):
    def read(self, name="run.json"):
        return (self.folder / name).read_text()

    def migrate(self, *arguments, code=0):
        result = self.trammel("migrate", *arguments)
        self.assertEqual(result.returncode, code, result.stderr)
        return result

    def rows_of(self, file, folder):
        result = self.trammel("run", file, "-o", folder, "--quiet")
        self.assertEqual(result.returncode, 0, result.stderr)
        return self.table(folder)

    def test_layout_and_comments_stay(self):
        for line_end in ("\n", "\r\n"):
            with self.subTest(repr(line_end)):
                (self.folder / "run.json").write_bytes(COMPACT.replace("\n", line_end).encode())
                result = self.migrate("run.json")
                self.assertEqual((self.folder / "run.json").read_bytes().decode(), MIGRATED.replace("\n", line_end))
                self.assertEqual(result.stdout.splitlines(), [
                    "run.json:2: /trammel: format 2",
                    "run.json:5: /system/constraints/g: added \"initial_displacement\": 0, as 'g.displacement' counts from the drawing; "
                    "between its points it is +0.3 m more in the drawing",
                    "run.json:6: /system/constraints/d: added \"initial_displacement\": 0, as 'd.displacement' counts from the drawing; "
                    "between its points it is +0.3 m more in the drawing"])

    def test_a_byte_order_mark_stays(self):
        text = "\ufeff" + COMPACT.split("\n", 1)[1].replace("\n", " ").replace("// the guide", "").replace("// by 0.1", "")
        self.write(text)
        self.migrate("run.json")
        self.assertTrue(self.read().startswith('\ufeff{ "trammel": 2, /* old */ "title": "slide",'))

    def test_the_motion_stays(self):
        self.write(COMPACT)
        before = self.rows_of("run.json", "before")
        self.migrate("run.json", "-o", "new.json")
        self.assertEqual(self.read(), COMPACT)
        self.assertEqual(self.rows_of("new.json", "after"), before)
        said = [text for text in self.summary("before")["warnings"] if "in format 1" not in text]
        self.assertEqual(len(said), 1)
        self.assertIn("this driver counts from the drawing", said[0])
        self.assertEqual(self.summary("after")["warnings"], [])  # which the file now says itself

    def test_shipped_files_of_format_1_keep_their_results(self):
        files = sorted(FORMAT_1.glob("*.json"))
        self.assertGreater(len(files), 3)
        warned = 0
        for file in files:
            with self.subTest(file.name):
                shutil.copy(file, self.folder)
                run = ("run", file.name, "--quiet", "--set", "output.channels=all", "-o")
                self.assertEqual(self.trammel(*run, "before").returncode, 0)
                warned += any("in format 1" in warning for warning in self.summary("before")["warnings"])
                self.assertIn("added \"initial_", self.migrate(file.name).stdout)
                self.assertEqual(self.trammel(*run, "after").returncode, 0)
                self.assertFalse(any("in format 1" in warning for warning in self.summary("after")["warnings"]))
                (names, before), (names_after, after) = self.table("before"), self.table("after")
                self.assertEqual(names, names_after)
                self.assertEqual(len(before), len(after))
                for old, new in zip(before, after):
                    for name, a, b in zip(names, old, new):
                        self.assertLessEqual(abs(a - b), 1e-10 * max(1, abs(a)), name)
        self.assertGreater(warned, 3)  # the others have formulas that may move a marker

    def test_a_file_in_which_nothing_changes(self):
        model = {"trammel": 1, "system": {"type": "planar", "bodies": {"m": {"mass": 1, "inertia": 1}}, "constraints": {
            "g": {"type": "point_on_line", "bodies": ["ground", "m"], "point_i": [0, 0], "point_j": [0, 0], "axis_i": [1, 0]}}},
            "analysis": {"type": "assembly"}}
        self.write(model)
        self.assertEqual(self.migrate("run.json").stdout, "run.json:2: /trammel: format 2\n")
        self.assertEqual(self.read(), json.dumps(changed(model, trammel=2), indent=1))
        self.assertEqual(self.migrate("run.json").stdout, "run.json: has format 2 already\n")

    def test_formulas_may_move_a_marker(self):
        model = json.loads("".join(line.split("//")[0].split("/*")[0] + (line.split("*/")[1] if "*/" in line else "")
                                   for line in COMPACT.splitlines()))
        model["parameters"] = {"shift": 0}
        model["system"]["bodies"]["m"]["position"] = ["=shift", 0]
        self.write(model)
        before = self.trammel("run", "run.json", "-o", "before", "--set", "parameters.shift=0.4")
        self.assertEqual(before.returncode, 0, before.stderr)
        result = self.migrate("run.json")
        self.assertIn("the same with these parameters, but formulas move them", result.stdout)
        after = self.trammel("run", "run.json", "-o", "after", "--set", "parameters.shift=0.4")
        self.assertEqual(after.returncode, 0, after.stderr)
        self.assertEqual(self.table("after"), self.table("before"))

    def test_studies(self):
        model = {"trammel": 1, "system": {"type": "planar", "bodies": {"m": {"mass": 1, "inertia": 1}}, "constraints": {
            "g": {"type": "point_on_line", "bodies": ["ground", "m"], "point_i": [0, 0], "point_j": [0, 0], "axis_i": [1, 0]}}},
            "analysis": {"type": "assembly"}}
        study = {"trammel_study": 1, "base": "run.json", "metrics": {"x": {"type": "final", "channel": "g.displacement"}},
                 "cases": [{"name": "as_drawn"}, {"name": "moved", "set": {"system.bodies.m.position": [0.5, 0]}}]}
        self.write(model)
        self.write(study, "study.json")
        result = self.migrate("study.json")
        self.assertIn("+0.5 m more in case 'moved' of study.json", result.stdout)
        self.assertEqual(json.loads(self.read())["system"]["constraints"]["g"]["initial_displacement"], 0)
        # A case that replaces the element is named, and nothing is written.
        self.write(model)
        study["cases"][1]["set"] = {"system.constraints.g": {**model["system"]["constraints"]["g"], "point_i": [0.2, 0]}}
        self.write(study, "study.json")
        result = self.migrate("study.json", code=2)
        self.assertIn("case 'moved' of study.json replaces 'g', whose displacement counts from the drawing", result.stderr)
        self.assertIn("/system.constraints.g: ", result.stderr)
        self.assertEqual(json.loads(self.read()), model)

    def test_nothing_is_written_where_one_file_is_refused(self):
        self.write(COMPACT)
        for name, text, code, words in (("wrong.json", COMPACT.replace("mass", "mas"), 2, "did you mean 'mass'"),
                                        ("broken.json", COMPACT[:-5], 2, "broken.json:"),
                                        ("plugin.json", COMPACT.replace("angle_driver", "acme.driver"), 3, "acme.driver"),
                                        ("newer.json", COMPACT.replace('"trammel": 1', '"trammel": 3'), 2, "needs a newer Trammel")):
            with self.subTest(name):
                (self.folder / name).write_text(text)
                result = self.migrate("run.json", name, code=code)
                self.assertIn(words, result.stderr)
                self.assertEqual(result.stdout, "")
                self.assertEqual(self.read(), COMPACT)
                self.assertEqual(self.read(name), text)
        self.assertEqual(self.migrate("run.json", "absent.json", code=2).stdout, "")
        self.migrate("run.json", "wrong.json", "-o", "new.json", code=1)
        self.assertEqual(sorted(file.name for file in self.folder.iterdir()),
                         ["broken.json", "newer.json", "plugin.json", "run.json", "wrong.json"])

    def test_links_and_permissions_stay(self):
        (self.folder / "real.json").write_text(COMPACT)
        os.chmod(self.folder / "real.json", 0o640)
        (self.folder / "run.json").symlink_to("real.json")
        self.migrate("run.json")
        self.assertTrue((self.folder / "run.json").is_symlink())
        self.assertEqual(self.read("real.json"), MIGRATED)
        self.assertEqual(stat.S_IMODE(os.stat(self.folder / "real.json").st_mode), 0o640)

    def test_pipes_are_written_to(self):
        """As devices are: no file takes their place."""
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        received = []
        reader = threading.Thread(target=lambda: received.append(pipe.read_text()), daemon=True)
        reader.start()
        self.migrate(self.write(COMPACT), "-o", "pipe")
        reader.join(20)
        self.assertEqual(received, [MIGRATED])
        self.assertTrue(stat.S_ISFIFO(pipe.stat().st_mode))

    def test_a_folder_that_cannot_be_written(self):
        result = self.trammel("migrate", self.write(COMPACT), "-o", "absent/new.json")
        self.assertEqual(result.returncode, 4)
        self.assertIn("absent/new.json: cannot be written: No such file or directory", result.stderr)

    def test_rack_and_pinion(self):
        model = {"trammel": 1, "system": {"type": "planar", "bodies": {"p": {"mass": 1, "inertia": 1, "position": [0.5, 0.2], "angle": 0.3}},
                                          "constraints": {"r": {"type": "rack_and_pinion", "bodies": ["p", "ground"], "axis_j": [1, 0],
                                                                "radius": 0.2, "point_j": [0.1, 0]}}},
                 "analysis": {"type": "assembly", "conditions": [{"of": "p.x", "value": 0.7}]}, "output": {"channels": "all"}}
        self.write(model)
        before = self.rows_of("run.json", "before")
        self.migrate("run.json")
        self.assertEqual(self.rows_of("run.json", "after"), before)
        rack = json.loads(self.read())["system"]["constraints"]["r"]
        self.assertEqual((rack["initial_angle"], rack["initial_displacement"]), (0, 0))


if __name__ == "__main__":
    main()
