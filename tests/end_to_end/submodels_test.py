"""Sub-models, arrays, included files and units: against the same models written out by hand, and what is said of mistakes."""
import json
import math
import pathlib

from support import Case, EXAMPLES, SOURCE, changed, main

LEG = {
    "parameters": {"length": 0.4, "mass": 1.5},
    "connect": ["base"],
    "bodies": {"rod": {"mass": "=mass", "inertia": ["=mass*length^2/12", 0.001, "=mass*length^2/12"],
                       "position": [0, "=-length/2", 0], "velocity": [0, 0, 0]}},
    "points": {"tip": {"body": "rod", "point": [0, "=-length/2", 0]}},
    "constraints": {"hip": {"type": "revolute", "bodies": ["base", "rod"], "at": [0, 0, 0], "axis": [1, 0, 0]}},
    "forces": {"tie": {"type": "tsda", "bodies": ["ground", "rod"], "point_i": [0, 0.2, 0.1], "point_j": [0, "=-length/2", 0],
                       "stiffness": 40, "free_length": 0.3},
               "push": {"type": "applied_force", "body": "rod", "point": "tip", "force": [0, 0, 1.5],
                        "function": {"type": "harmonic", "frequency": 1}}},
}
MODEL = {
    "trammel": 2,
    "parameters": {"a": 0.7},
    "system": {
        "type": "spatial",
        "gravity": [0, 0, -9.81],
        "submodels": {"leg": LEG},
        "bodies": {"hull": {"mass": 5, "inertia": [0.2, 0.3, 0.4], "position": [0, 0, 1]}},
        "parts": {"leg": {"submodel": "leg", "count": 3, "connect": {"base": "hull"},
                          "parameters": {"length": "=0.3 + 0.1*index"},
                          "position": ["=a*cos(2*pi/3*index)", "=a*sin(2*pi/3*index)", 1],
                          "rotation": {"axis": [0, 0, 1], "angle": "=2*pi/3*index"}}},
    },
    "analysis": {"type": "dynamics", "duration": 0.4},
    "formulation": {"type": "projection"},
    "integrator": {"type": "dopri5", "rtol": 1e-10, "atol": 1e-12},
    "output": {"step": 0.1},
}


def written_out(a=0.7):
    """MODEL by hand: places turned and moved by plain trigonometry."""
    model = {key: value for key, value in MODEL.items() if key not in ("parameters", "system")}
    system = {key: value for key, value in MODEL["system"].items() if key not in ("submodels", "parts")}
    system["bodies"], system["points"], system["constraints"], system["forces"] = dict(system["bodies"]), {}, {}, {}
    for k in range(3):
        c, s, length = math.cos(2 * math.pi / 3 * k), math.sin(2 * math.pi / 3 * k), 0.3 + 0.1 * k

        def turned(v, c=c, s=s):
            return [c * v[0] - s * v[1], s * v[0] + c * v[1], v[2]]

        def placed(v, c=c, s=s, turned=turned):
            x = turned(v)
            return [a * c + x[0], a * s + x[1], 1 + x[2]]

        system["bodies"][f"rod{k}"] = {
            "mass": 1.5, "inertia": [1.5 * length**2 / 12, 0.001, 1.5 * length**2 / 12], "position": placed([0, -length / 2, 0]),
            "rotation": {"axis": [0, 0, 1], "angle": 2 * math.pi / 3 * k}}
        system["points"][f"tip{k}"] = {"body": f"rod{k}", "point": [0, -length / 2, 0]}
        system["constraints"][f"hip{k}"] = {"type": "revolute", "bodies": ["hull", f"rod{k}"], "at": placed([0, 0, 0]),
                                            "axis": turned([1, 0, 0])}
        system["forces"][f"tie{k}"] = {"type": "tsda", "bodies": ["ground", f"rod{k}"], "point_i": placed([0, 0.2, 0.1]),
                                       "point_j": [0, -length / 2, 0], "stiffness": 40, "free_length": 0.3}
        system["forces"][f"push{k}"] = {"type": "applied_force", "body": f"rod{k}", "point": [0, -length / 2, 0],
                                        "force": turned([0, 0, 1.5]), "function": {"type": "harmonic", "frequency": 1}}
    return {**model, "system": system}


class SubModels(Case):
    def columns(self, content, folder="out"):
        self.succeed(content) if folder == "out" else self.assertEqual(
            self.trammel("run", self.write(content, folder + ".json"), "-o", folder).returncode, 0)
        header, rows = self.table(folder)
        return {name: [row[i] for row in rows] for i, name in enumerate(header)}

    def same(self, one, other, names, tolerance):
        for mine, theirs in names.items():
            for x, y in zip(one[mine], other[theirs], strict=True):
                self.assertLessEqual(abs(x - y), tolerance, f"{mine}: {x} and {y}")

    def test_placed_legs_equal_legs_written_out(self):
        one, other = self.columns(MODEL), self.columns(written_out(), "by_hand")
        names = {f"leg[{k}].{part}.{c}": f"{part}{k}.{c}" for k in range(3) for part in ("rod", "tip") for c in "xyz"}
        names.update({f"hull.{c}": f"hull.{c}" for c in ("x", "y", "z", "e0", "e1", "wx", "wz")})
        self.same(one, other, names, 1e-9)
        self.assertGreater(max(abs(z - 1) for z in one["hull.z"]), 0.1)

    def test_chain_by_count_has_the_bits_of_the_one_written_out(self):
        for name in ("chain_64", "chain_by_count"):
            result = self.trammel("run", EXAMPLES / f"{name}.json", "-o", name)
            self.assertEqual(result.returncode, 0, result.stderr)
        cells = {}
        for name in ("chain_64", "chain_by_count"):
            lines = (self.folder / name / "results.csv").read_text().splitlines()
            header = lines[0].split(",")
            cells[name] = {column: [line.split(",")[i] for line in lines[1:]] for i, column in enumerate(header)}
        for column, values in cells["chain_64"].items():
            owner, _, rest = column.partition(".")
            if owner == "tip" or owner in ("t", "energy", "constraint", "step"):
                continue
            mine = f"link[{int(owner[4:]) - 1}].rod.{rest}"
            self.assertEqual(cells["chain_by_count"][mine], values, column)
        self.assertEqual(cells["chain_by_count"]["energy.total"], cells["chain_64"]["energy.total"])

    def test_units(self):
        for name in ("slider_crank_planar", "slider_crank_mm"):
            result = self.trammel("run", EXAMPLES / f"{name}.json", "-o", name, "--set", "analysis.duration=2")
            self.assertEqual(result.returncode, 0, result.stderr)
        (header, rows), (other, theirs) = self.table("slider_crank_planar"), self.table("slider_crank_mm")
        self.assertEqual(header, other)
        for row, twin in zip(rows, theirs, strict=True):
            for name, x, y in zip(header, row, twin):
                if name.split(".")[0] not in ("constraint", "step"):
                    self.assertLessEqual(abs(x - y), 1e-7 * (1 + abs(x)), name)

    def test_forces_functions_and_formulas_in_units(self):
        """A mass on springs that are given by a stiffness, a table and a formula, in SI and in mm, kg, deg and N."""
        def model(units, L, F, extra):
            document = {
                "trammel": 2,
                "system": {
                    "type": "planar",
                    "bodies": {"m": {"mass": 2, "inertia": 0.5 * L * L, "position": [0.3 * L, 0.1 * L], "velocity": [0, 0.5 * L]},
                               "arm": {"mass": 1, "inertia": 0.02 * L * L, "position": [2 * L, 0]}},
                    "constraints": {
                        "pin": {"type": "revolute", "bodies": ["ground", "arm"], "at": [2 * L, 0]},
                        "wobble": {"type": "coordinate_driver", "body": "m", "coordinate": "x", "function":
                                   {"type": "step", "begin": 0, "end": 1, "from": 0.3 * L, "to": 0.4 * L}}},
                    "forces": {
                        "a": {"type": "tsda", "bodies": ["ground", "m"], "stiffness": 100 * F / L, "damping": 2 * F / L,
                              "free_length": 0.2 * L},
                        "b": {"type": "tsda", "bodies": ["ground", "m"], "point_i": [0, 1 * L], "spring":
                              {"type": "spline", "x": [-2 * L, 0, 1 * L, 2 * L], "y": [-30 * F, 0, 20 * F, 60 * F]}},
                        "c": {"type": "tsda", "bodies": ["ground", "m"], "point_i": [1 * L, 0],
                              "law": f"{3 * F}*(l/{0.1 * L} - 1)^2 + {0.5 * F / L}*rate*(1 + t)"},
                        "d": {"type": "joint_spring", "joint": "pin", "coordinate": "angle",
                              "law": extra},
                    },
                },
                "analysis": {"type": "dynamics", "duration": 1, "conditions": [{"of": "pin.angle", "value": 0.5}]},
                "formulation": {"type": "projection"},
                "integrator": {"type": "dopri5", "rtol": 1e-11, "atol": 1e-13},
                "output": {"step": 0.25},
            }
            if units:
                document["units"] = units
                document["analysis"]["conditions"][0]["value"] = 0.5 * 180 / math.pi
            return document
        si = self.columns(model(None, 1, 1, "2*x + 0.1*rate"))
        k = math.pi / 180
        units = {"length": "mm", "angle": "deg", "force": "N"}
        mm = self.columns(model(units, 1000, 1, f"{2000 * k!r}*x + {100 * k!r}*rate"), "mm")
        names = [name for name in si if name.split(".")[0] in ("m", "arm")]
        self.same(si, mm, {name: name for name in names}, 1e-8)
        self.assertGreater(max(si["m.y"]) - min(si["m.y"]), 0.05)
        self.assertGreater(max(si["arm.phi"]) - min(si["arm.phi"]), 0.5)

    def test_set_reaches_written_and_written_out_names(self):
        out = self.run_file(MODEL, "--set", "system.bodies.leg[1].rod.mass=2.5", "--set", "system.parts.leg.count=2",
                            "--set", "parameters.a=0.8", "--set", "system.submodels.leg.parameters.mass=1.25")
        self.assertEqual(out.returncode, 0, out.stderr)
        bodies = self.summary()["run"]["system"]["bodies"]
        self.assertEqual(list(bodies), ["hull", "leg[0].rod", "leg[1].rod"])
        self.assertEqual((bodies["leg[0].rod"]["mass"], bodies["leg[1].rod"]["mass"]), (1.25, 2.5))
        self.assertAlmostEqual(bodies["leg[0].rod"]["position"][0], 0.8)

    def test_names_in_channels_conditions_events_and_metrics(self):
        model = changed(MODEL, analysis__conditions=[{"of": "leg[1].hip.angle", "value": 0.1}],
                        analysis__events={"cut": {"when": "leg[1].hip.angle - 0.05", "set": {"forces.leg[1].tie.stiffness": 0}},
                                          "mark": {"when": "leg[0].rod.z - 0.99"}},
                        output__channels=["leg[2].rod", "leg[1].hip.angle", "leg[0].rod.ax", "leg[1].tie"])
        self.succeed(model)
        header, rows = self.table()
        self.assertEqual([name for name in header if name.startswith("leg[2].rod")],
                         [f"leg[2].rod.{c}" for c in ("x", "y", "z", "e0", "e1", "e2", "e3", "vx", "vy", "vz", "wx", "wy", "wz")])
        self.assertIn("leg[0].rod.ax", header)
        self.assertAlmostEqual(rows[0][header.index("leg[1].hip.angle")], 0.1, 9)
        self.write(changed(model, output__channels=["leg[0].rod", "leg[2].rod", "leg[1].tie"]), "base.json")
        study = {"trammel_study": 1, "base": "base.json", "vary": {"system.bodies.leg[2].rod.mass": [1, 2]},
                 "metrics": {"last": {"type": "final_value", "channel": "leg[2].rod.z"},
                             "formula": {"type": "max", "channel": "=leg[2].rod.z - 2*leg[0].rod.z + t"}}}
        result = self.trammel("study", self.write(study, "study.json"), "-o", "study_out")
        self.assertEqual(result.returncode, 0, result.stderr)
        cases = json.loads((self.folder / "study_out" / "study.json").read_text())["cases"]
        self.assertEqual(len({case["metrics"]["last"] for case in cases}), 2)

    def test_commands_know_the_names(self):
        for arguments in (("validate", self.write(MODEL)), ("validate", "--mobility", "run.json")):
            result = self.trammel(*arguments)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("leg[0].hip.angle", result.stdout)
        result = self.trammel("run", "run.json", "-o", "out", "--report")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("leg[2].rod", (self.folder / "out" / "report.html").read_text())
        result = self.trammel("describe", "submodels")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("parts.NAME.count", result.stdout)

    def test_resolved_file_runs_to_the_same_bits(self):
        self.succeed(MODEL)
        rows = (self.folder / "out" / "results.csv").read_text()
        resolved = self.summary()["run"]
        self.assertNotIn("parts", resolved["system"])
        self.assertEqual(self.trammel("run", self.write(resolved, "plain.json"), "-o", "plain").returncode, 0)
        self.assertEqual((self.folder / "plain" / "results.csv").read_text(), rows)

    def test_planar_parts_turn_with_their_angles(self):
        arm = {"bodies": {"b": {"mass": 1, "inertia": 0.1, "position": [0.5, 0], "angular_velocity": 0}},
               "points": {"peg": {"body": "ground", "point": [0, 0.3]}},
               "constraints": {"pin": {"type": "revolute", "bodies": ["ground", "b"], "point_i": [0, 0], "point_j": [-0.5, 0]}},
               "forces": {"s": {"type": "rsda", "bodies": ["ground", "b"], "stiffness": 3, "free_angle": 0.4},
                          "tie": {"type": "tsda", "bodies": ["ground", "b"], "point_i": "peg", "stiffness": 5, "free_length": 0.1}}}
        base = {"trammel": 2, "system": {"type": "planar", "submodels": {"arm": arm}},
                "analysis": {"type": "dynamics", "duration": 1}, "integrator": {"type": "dopri5", "rtol": 1e-10, "atol": 1e-12},
                "formulation": {"type": "projection"}, "output": {"step": 0.2, "channels": ["all"]}}
        base["system"]["parts"] = {"one": {"submodel": "arm"}, "two": {"submodel": "arm", "position": [3, -1], "angle": 2.1}}
        x = self.columns(base)
        channels = ("pin.angle", "pin.rate", "s.angle", "s.torque", "tie.length", "tie.force")
        self.same(x, x, {f"one.{c}": f"two.{c}" for c in channels}, 1e-9)
        c, s = math.cos(2.1), math.sin(2.1)
        for k in range(len(x["t"])):
            self.assertAlmostEqual(x["two.b.x"][k], 3 + c * x["one.b.x"][k] - s * x["one.b.y"][k], 9)
            self.assertAlmostEqual(x["two.b.y"][k], -1 + s * x["one.b.x"][k] + c * x["one.b.y"][k], 9)
            self.assertAlmostEqual(x["two.b.phi"][k], 2.1 + x["one.b.phi"][k], 9)
        self.assertGreater(max(abs(a) for a in x["one.pin.angle"]), 0.3)

    def test_sub_models_in_sub_models(self):
        nested = changed(MODEL)
        del nested["system"]["parts"]["leg"]["position"], nested["system"]["parts"]["leg"]["rotation"]
        pair = {"parameters": {"a": None}, "connect": ["hull"],
                "parts": {"leg": dict(MODEL["system"]["parts"]["leg"])}}
        nested["system"]["submodels"]["trio"] = pair
        nested["system"]["parts"] = {"every": {"submodel": "trio", "connect": {"hull": "hull"}, "parameters": {"a": "=a"}}}
        one, other = self.columns(nested), self.columns(MODEL, "flat")
        self.same(one, other, {f"every.leg[{k}].rod.{c}": f"leg[{k}].rod.{c}" for k in range(3) for c in "xyz"}, 0)


class Includes(Case):
    def leg_file(self, **more):
        (self.folder / "parts").mkdir(exist_ok=True)
        (self.folder / "parts" / "leg.json").write_text(json.dumps({**LEG, **more}, indent=1))
        return changed(MODEL, system__submodels={"leg": {"include": "parts/leg.json"}})

    def test_sub_model_of_a_file(self):
        self.succeed(MODEL)
        rows = (self.folder / "out" / "results.csv").read_text()
        self.succeed(self.leg_file())
        self.assertEqual((self.folder / "out" / "results.csv").read_text(), rows)

    def test_files_beside_an_included_file(self):
        leg = changed(LEG)
        leg["forces"]["push"]["function"] = {"type": "spline", "file": "push.csv", "outside": "linear"}
        model = self.leg_file(**leg)
        (self.folder / "parts" / "push.csv").write_text("t,f\n0,0\n0.2,1\n0.4,0\n1,0\n")
        self.succeed(model)
        self.assertEqual(self.summary()["run"]["system"]["forces"]["leg[0].push"]["function"]["file"], "parts/push.csv")

    def test_sections_of_files_join(self):
        self.write({"parameters": {"a": 0.7}, "system": {"submodels": {"leg": LEG}}}, "library.json")
        model = changed(MODEL, include="library.json")
        del model["parameters"], model["system"]["submodels"]
        self.succeed(model)
        wrong = changed(MODEL, include=["library.json"])
        result = self.run_file(wrong)
        self.assertEqual(result.returncode, 2)
        self.assertRegex(result.stderr, r"library\.json:3: /parameters/a: stands in run\.json:\d+ already")

    def check(self, content, *words, name="run.json"):
        for command in (("validate",), ("run", "-o", "out")):
            result = self.trammel(command[0], self.write(content, name), *command[1:])
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertEqual(len(result.stderr.strip().splitlines()), 1, result.stderr)
            for word in words:
                self.assertIn(word, result.stderr)

    def test_missing_files_and_circles(self):
        self.check(changed(MODEL, system__submodels={"leg": {"include": "parts/lge.json"}}),
                   "run.json:", "/system/submodels/leg/include: there is no file 'parts/lge.json'")
        self.write({"include": "b.json"}, "a.json")
        self.write({"include": "a.json"}, "b.json")
        self.check(changed(MODEL, include="a.json"),
                   "b.json:2: /include: the files include each other in a circle:", "a.json -> b.json -> a.json")
        self.write("{ \"bodies\": {", "broken.json")
        self.check(changed(MODEL, include="broken.json"), "broken.json:1: the file ends too early")

    def test_included_files_are_data(self):
        self.write({"plugins": {"search": ["."]}}, "library.json")
        self.check(changed(MODEL, include="library.json"), "library.json:2: /plugins:",
                   "an included file is data and names no plugins")

    def test_units_of_all_files_are_the_same(self):
        self.check(self.leg_file(units={"length": "mm"}), "'parts/leg.json' is in units", "the run file in SI units")

    def test_mistakes_name_the_file_the_use_and_the_path(self):
        leg = changed(LEG)
        leg["bodies"]["rod"]["mass"] = "=mass*(2 - index)"
        self.check(self.leg_file(**leg), "parts/leg.json:", "leg[0]: /bodies/rod/mass: in the expression",
                   "unknown name 'index'")
        leg["bodies"]["rod"]["mass"] = "=0.5 - length"
        self.check(self.leg_file(**leg), "parts/leg.json:", "leg[2]: /bodies/rod/mass: must be > 0 kg")
        leg["bodies"]["rod"] = dict(LEG["bodies"]["rod"], masss=1)
        for body in (leg,):
            result = self.trammel("validate", self.write(self.leg_file(**body)))
            self.assertIn("leg[0]: /bodies/rod/masss: unknown key for a body; did you mean 'mass'?", result.stderr)


class Mistakes(Includes):
    def with_part(self, **changes):
        model = changed(MODEL)
        for key, value in changes.items():
            if value is None:
                del model["system"]["parts"]["leg"][key]
            else:
                model["system"]["parts"]["leg"][key] = value
        return model

    def test_counts(self):
        self.check(self.with_part(count=2.5),
                   "/system/parts/leg/count: must be a whole number from 0 to 1000000, not 2.5")
        self.check(self.with_part(count=-1), "/system/parts/leg/count: must be a whole number")
        self.check(self.with_part(count="three"), "must be a whole number from 0 to 1000000, not the text 'three'")

    def test_names(self):
        self.check(self.with_part(submodel="lge"),
                   "/system/parts/leg/submodel: there is no sub-model 'lge'; did you mean 'leg'?")
        self.check(self.with_part(parameters={"lenght": 1}), "has no parameter 'lenght'; did you mean 'length'?")
        self.check(self.with_part(connect={"bse": "hull"}),
                   "does not declare 'bse' in its own 'connect'; did you mean 'base'?")
        self.check(self.with_part(psition=[0, 0, 0]), "unknown key for a part; did you mean 'position'?")
        self.check(self.with_part(connect={"base": "hul"}), "there is no 'hul' in the model; did you mean 'hull'?")
        model = changed(MODEL)
        model["system"]["submodels"]["leg"]["constraints"]["hip"]["bodies"] = ["base", "rdo"]
        self.check(model, "leg[0]: /system/submodels/leg/constraints/hip/bodies/1:",
                   "there is no 'rdo' in the sub-model 'leg'; did you mean 'rod'?")
        self.check(changed(MODEL, output__channels=["leg[3].rod"]), "nothing in the model is called 'leg[3].rod'")

    def test_circle_of_sub_models(self):
        model = changed(MODEL)
        model["system"]["submodels"]["leg"]["parts"] = {"toe": {"submodel": "leg", "connect": {"base": "rod"}}}
        self.check(model, "sub-models contain each other in a circle: leg -> leg")

    def test_required_parameters(self):
        model = changed(MODEL)
        model["system"]["submodels"]["leg"]["parameters"]["stiffness"] = None
        self.check(model,
                   "/system/parts/leg: missing parameter 'stiffness' of the sub-model 'leg', which has no default")

    def test_what_cannot_be_placed(self):
        model = changed(MODEL)
        model["system"]["submodels"]["leg"]["constraints"]["drive"] = {
            "type": "coordinate_driver", "body": "rod", "coordinate": "x", "function": 0}
        self.check(model, "leg[0]: /system/submodels/leg/constraints/drive/coordinate:",
                   "this belongs to the ground, so that it cannot stand in")

    def test_formats_and_names(self):
        self.check(changed(MODEL, trammel=1), "sub-models, included files and units need \"trammel\": 2")
        plain = changed(written_out())
        plain["system"]["bodies"]["hull.x"] = {"mass": 1, "inertia": [1, 1, 1]}
        self.check(plain, "the name 'hull.x' looks like a channel of 'hull'")

    def test_parameters_from_outside_are_not_known_inside(self):
        model = changed(MODEL)
        model["system"]["submodels"]["leg"]["forces"]["tie"] = {"type": "tsda", "bodies": ["ground", "rod"], "law": "a*l"}
        self.check(model,
                   "/forces/tie/law: 'a' is a parameter of the run file, and the sub-model 'leg' knows its own ones only")

    def test_units(self):
        self.check(changed(MODEL, units={"length": "mmm"}), "/units/length: must be one of m, mm, cm,",
                   "not the text 'mmm'")
        self.check(changed(MODEL, units={"time": "ms"}),
                   "/units/time: unknown key for units; time is in s everywhere")
        model = changed(MODEL, units={"length": "mm"})
        model["system"]["submodels"]["leg"]["forces"]["spring"] = {"type": "joint_spring", "joint": "hip", "stiffness": 3}
        self.check(model,
                   "leg[0]: /system/submodels/leg/forces/spring/stiffness: its unit is N m/rad or N/m;", "say which by")


if __name__ == "__main__":
    main()
