"""What coordinates count from: every joint, driver and spring from a sketch far from the assembled position, against closed forms."""
import math

from quaternions import product, turn, turned
from support import Case, DROP, changed, main

GROUND = [0.7, -0.4, 0.3]  # P_i
ARM = [0.2, 0.1, -0.15]    # P_j in the second body
AXIS = [2 / 3, -1 / 3, 2 / 3]
ACROSS = [1 / 3, -2 / 3, -2 / 3]  # unit, across AXIS
TURN, SLIDE = 0.9, 0.35


def plus(*vectors):
    return [sum(x) for x in zip(*vectors)]


def times(factor, v):
    return [factor * x for x in v]


def spatial(constraints, forces=None, conditions=(), body=None, **analysis):
    """A body sketched far away, turned by half a radian and more, in a joint with the ground."""
    sketch = {"mass": 1, "inertia": [0.1, 0.2, 0.25], "position": [0.1, 0.5, -0.2],
              "rotation": {"euler_parameters": product(turn([0, 0.6, 0.8], 0.35), turn(AXIS, 0.5))}, **(body or {})}
    return {"trammel": 2, "system": {"type": "spatial", "bodies": {"b": sketch}, "constraints": constraints, "forces": forces or {}},
            "analysis": {"type": "assembly", "conditions": list(conditions), **analysis}, "output": {"channels": "all"}}


def planar(constraints, forces=None, conditions=(), body=None, **analysis):
    sketch = {"mass": 1, "inertia": 0.1, "position": [-0.4, 0.8], "angle": 0.4, **(body or {})}
    return {"trammel": 2, "system": {"type": "planar", "bodies": {"b": sketch}, "constraints": constraints, "forces": forces or {}},
            "analysis": {"type": "assembly", "conditions": list(conditions), **analysis}, "output": {"channels": "all"}}


def joint(kind, **keys):
    return {"type": kind, "bodies": ["ground", "b"], "point_i": GROUND, "point_j": ARM, "axis_i": AXIS, "axis_j": AXIS, **keys}


REFERENCES = {"reference_i": ACROSS, "reference_j": ACROSS}


class Coordinates(Case):
    def row(self, content):
        self.succeed(content)
        header, rows = self.table()
        return dict(zip(header, rows[0]))

    def zeros(self):
        return {entry["coordinate"]: entry for entry in self.summary()["coordinates"]}

    def near(self, values, **expected):
        for name, value in expected.items():
            column = name.replace("__", ".")
            self.assertAlmostEqual(values[column], value, delta=1e-11, msg=column)

    def placed(self, values, turn_angle, slide):
        """The body where its marker has turned and slid from the ground's."""
        p = turn(AXIS, turn_angle)
        centre = plus(GROUND, times(slide, AXIS), times(-1, turned(p, ARM)))
        sign = 1 if values["b.e0"] * p[0] > 0 else -1
        for column, value in zip(("x", "y", "z", "e0", "e1", "e2", "e3"), [*centre, *times(sign, p)]):
            self.assertAlmostEqual(values["b." + column], value, delta=1e-11, msg=column)


class Spatial(Coordinates):
    def test_angles_count_between_references(self):
        for kind, slides in (("revolute", False), ("cylindrical", True), ("planar_joint", True), ("parallel_axes", True)):
            with self.subTest(kind):
                keys = joint(kind, **REFERENCES)
                if kind == "parallel_axes":
                    keys = {key: value for key, value in keys.items() if not key.startswith("point")}
                at = self.row(spatial({"j": keys}, conditions=[{"of": "j.angle", "value": TURN}]))
                self.near(at, j__angle=TURN)
                p = turn(AXIS, TURN)
                for column, value in zip(("e0", "e1", "e2", "e3"), p):
                    self.assertAlmostEqual(at["b." + column], math.copysign(value, at["b." + column]), delta=1e-11)
                if not slides:
                    self.placed(at, TURN, 0)
                self.assertEqual(self.zeros()["j.angle"]["from"], "references")
                self.assertAlmostEqual(self.zeros()["j.angle"]["start"], TURN, delta=1e-11)

    def test_displacements_count_between_points(self):
        for kind, keys in (("translational", REFERENCES), ("cylindrical", REFERENCES), ("in_line", {})):
            with self.subTest(kind):
                element = joint(kind, **keys)
                if kind == "in_line":
                    del element["axis_j"]
                at = self.row(spatial({"j": element}, conditions=[{"of": "j.displacement", "value": SLIDE}]))
                self.near(at, j__displacement=SLIDE)
                point = plus([at["b.x"], at["b.y"], at["b.z"]], turned([at[f"b.e{k}"] for k in range(4)], ARM))
                for value, expected in zip(point, plus(GROUND, times(SLIDE, AXIS))):
                    self.assertAlmostEqual(value, expected, delta=1e-11)
                if kind == "translational":
                    self.placed(at, 0, SLIDE)
                self.assertEqual(self.zeros()["j.displacement"]["from"], "points")

    def test_a_translational_joint_stands_as_its_references_say(self):
        at = self.row(spatial({"j": joint("translational", reference_i=ACROSS, reference_j=turned(turn(AXIS, -0.4), ACROSS))},
                              conditions=[{"of": "j.displacement", "value": 0}]))
        self.placed(at, 0.4, 0)

    def test_a_screw_has_the_offset_that_is_given(self):
        lead = 0.05
        screw = joint("screw", pitch=2 * math.pi * lead, offset=0.12, **REFERENCES)
        at = self.row(spatial({"j": screw}, conditions=[{"of": "j.angle", "value": TURN}]))
        self.near(at, j__angle=TURN, j__displacement=0.12 + lead * TURN)
        self.placed(at, TURN, 0.12 + lead * TURN)

    def test_a_screw_without_offset_keeps_what_is_drawn(self):
        lead, drawn = 0.05, {"position": plus(GROUND, times(0.3, AXIS), times(-1, turned(turn(AXIS, 0.2), ARM))),
                             "rotation": {"axis": AXIS, "angle": 0.2}}
        screw = joint("screw", pitch=2 * math.pi * lead, **REFERENCES)
        at = self.row(spatial({"j": screw}, conditions=[{"of": "j.angle", "value": TURN}], body=drawn))
        self.placed(at, TURN, 0.3 + lead * (TURN - 0.2))
        self.near(at, j__displacement=0.3 + lead * (TURN - 0.2))

    def test_a_universal_joint_counts_each_angle_from_its_reference(self):
        cross = joint("universal", axis_i=[1, 0, 0], axis_j=[0, 1, 0], reference_i=[0, 1, 0], reference_j=[1, 0, 0])
        at = self.row(spatial({"j": cross}, conditions=[{"of": "j.angle", "value": 0.6}, {"of": "j.second_angle", "value": -0.8}]))
        p = product(turn([1, 0, 0], 0.6), turn([0, 1, 0], -0.8))
        for k in range(4):
            self.assertAlmostEqual(at[f"b.e{k}"], math.copysign(1, at["b.e0"] * p[0]) * p[k], delta=1e-11)
        self.near(at, j__angle=0.6, j__second_angle=-0.8)

    def test_a_link_counts_from_its_reference(self):
        link = joint("revolute_spherical", length=0.5, axis_i=[0, 0, 1], axis_j=DROP, reference_i=[0, 1, 0.3])
        del link["axis_j"]
        at = self.row(spatial({"j": link}, conditions=[{"of": "j.angle", "value": TURN}],
                              body={"position": plus(GROUND, [0.3, 0.4, 0.2])}))
        point = plus([at["b.x"], at["b.y"], at["b.z"]], turned([at[f"b.e{k}"] for k in range(4)], ARM))
        for value, expected in zip(point, plus(GROUND, [-0.5 * math.sin(TURN), 0.5 * math.cos(TURN), 0])):
            self.assertAlmostEqual(value, expected, delta=1e-11)

    def test_drivers_drive_what_joints_count(self):
        motor = {**joint("angle_driver", function=TURN, **REFERENCES)}
        del motor["point_i"], motor["point_j"]
        piston = joint("translation_driver", function=SLIDE)
        del piston["axis_j"]
        at = self.row(spatial({"j": joint("cylindrical", **REFERENCES), "motor": motor, "piston": piston}))
        self.placed(at, TURN, SLIDE)
        self.near(at, j__angle=TURN, motor__angle=TURN, j__displacement=SLIDE, piston__displacement=SLIDE)
        self.assertEqual(self.summary()["warnings"], [])

    def test_a_spring_is_free_at_its_reference(self):
        spring = joint("rsda", stiffness=3, damping=1, **REFERENCES)
        del spring["point_i"], spring["point_j"]
        at = self.row(spatial({"j": joint("revolute", **REFERENCES)}, {"spring": spring}, [{"of": "j.angle", "value": TURN, "rate": 2}]))
        self.near(at, spring__angle=TURN, spring__torque=3 * TURN + 2)

    def test_references_need_not_be_across_the_axis(self):
        slanted = plus(ACROSS, times(0.7, AXIS))
        at = self.row(spatial({"j": joint("revolute", reference_i=slanted, reference_j=times(5, ACROSS))},
                              conditions=[{"of": "j.angle", "value": TURN}]))
        self.placed(at, TURN, 0)

    def test_a_global_axis_may_have_references(self):
        hinge = {"type": "revolute", "bodies": ["ground", "b"], "at": GROUND, "axis": AXIS, **REFERENCES}
        drawn = {"position": plus(GROUND, times(-1, turned(turn(AXIS, 0.2), ARM))), "rotation": {"axis": AXIS, "angle": 0.2}}
        at = self.row(spatial({"j": hinge}, body=drawn))
        self.near(at, j__angle=0.2)

    def test_rack_and_pinion(self):
        # The pinion is the first body; its rack is fixed, along x.
        rack = {"type": "rack_and_pinion", "bodies": ["b", "ground"], "axis_i": [0, 0, 1], "axis_j": [1, 0, 0], "radius": 0.2,
                "point_j": [0.1, 0, 0], "reference_i": [1, 0, 0], "reference_j": [1, 0, 0]}
        guide = {"type": "planar_joint", "bodies": ["ground", "b"], "point_i": [0, 0, 0], "point_j": [0, 0, 0], "axis_i": [0, 0, 1],
                 "axis_j": [0, 0, 1]}
        level = {"type": "coordinate_driver", "body": "b", "coordinate": "y", "function": 0.2}
        drawn = {"position": [0.5, 0.2, 0], "rotation": {"axis": [0, 0, 1], "angle": 0.3}}
        at = self.row(spatial({"g": guide, "l": level, "r": rack}, body=drawn, conditions=[{"of": "b.x", "value": 0.7}]))
        # Forward by 0.2 turns it back by one radian.
        self.near(at, r__displacement=0.1 - 0.7, r__angle=0.3 - 1)

    def test_couplers_see_displacements_between_points(self):
        model = spatial({"j": joint("cylindrical", **REFERENCES),
                         "c": {"type": "coupler", "first": "j", "first_coordinate": "angle", "second": "j",
                               "second_coordinate": "displacement", "ratio": 0.2, "offset": 0.1}},
                        conditions=[{"of": "j.angle", "value": TURN}])
        at = self.row(model)
        self.placed(at, TURN, 0.1 + 0.2 * TURN)

    def test_turns_are_counted_on(self):
        at = self.row(spatial({"j": joint("revolute", **REFERENCES)}, conditions=[{"of": "j.angle", "value": 8}]))
        self.near(at, j__angle=8)

    def test_recursive_places_bodies_by_the_same_coordinates(self):
        lead = 0.05
        drawn = {"position": plus(GROUND, times(0.3, AXIS), times(-1, turned(turn(AXIS, 0.2), ARM))),
                 "rotation": {"axis": AXIS, "angle": 0.2}}
        ends = {}
        for formulation in ("projection", "recursive"):
            for name, keys in (("references", REFERENCES), ("drawing", {})):
                for kind, own in (("revolute", {}), ("cylindrical", {}), ("screw", {"pitch": 2 * math.pi * lead}), ("translational", {})):
                    body = dict(drawn)
                    if kind == "revolute":
                        body["position"] = plus(GROUND, times(-1, turned(turn(AXIS, 0.2), ARM)))
                    if kind == "translational" and keys:
                        body.update(position=plus(GROUND, times(0.3, AXIS), times(-1, ARM)), rotation={"axis": AXIS, "angle": 0})
                    model = spatial({"j": joint(kind, **own, **keys)}, body=body)
                    model["system"]["gravity"] = [1, 2, -9]
                    model.update(analysis={"type": "dynamics", "duration": 0.4}, formulation={"type": formulation},
                                 integrator={"type": "dopri5", "rtol": 1e-10, "atol": 1e-12})
                    self.succeed(model)
                    header, rows = self.table()
                    end = {column: value for column, value in zip(header, rows[-1]) if column.startswith(("j.angle", "j.disp", "b."))}
                    other = ends.setdefault((name, kind), end)
                    for column, value in end.items():
                        self.assertAlmostEqual(value, other[column], delta=1e-8, msg=f"{kind} {name} {column}")
        for kind in ("revolute", "cylindrical", "screw"):  # references count 0.2 more than the drawing
            self.assertAlmostEqual(ends["references", kind]["j.angle"], ends["drawing", kind]["j.angle"] + 0.2, delta=1e-8)


class Planar(Coordinates):
    JOINT = {"bodies": ["ground", "b"], "point_i": [0.5, 0.2], "point_j": [0.3, 0.1]}

    def test_angles(self):
        for keys, offset, zero in (({}, 0, "bodies"), ({"reference_i": [0, 2], "reference_j": [1, 0]}, -math.pi / 2, "references"),
                                   ({"reference_j": [-1, 1]}, 3 * math.pi / 4, "references"),
                                   ({"initial_angle": 0.1}, 0.1 - 0.4, "given")):
            motor = {"type": "angle_driver", "bodies": ["ground", "b"], "function": TURN, **keys}
            spring = {"type": "rsda", "bodies": ["ground", "b"], "stiffness": 2, **keys}
            with self.subTest(zero):
                at = self.row(planar({"j": {"type": "revolute", **self.JOINT, **keys}, "motor": motor}, {"spring": spring}))
                phi = TURN - offset
                c, s = math.cos(phi), math.sin(phi)
                self.near(at, b__phi=phi, b__x=0.5 - 0.3 * c + 0.1 * s, b__y=0.2 - 0.3 * s - 0.1 * c, j__angle=TURN,
                          motor__angle=TURN, spring__angle=TURN, spring__torque=2 * TURN)
                self.assertEqual({name: entry["from"] for name, entry in self.zeros().items()},
                                 {"j.angle": zero, "motor.angle": zero, "spring.angle": zero})

    def test_displacements(self):
        u = [0.6, 0.8]
        for kind, keys in (("translational", {"axis_j": u}), ("point_on_line", {}), ("revolute_translational", {"distance": 0})):
            slide = {"type": kind, **self.JOINT, "axis_i": u, **keys}
            piston = {"type": "translation_driver", **self.JOINT, "axis_i": u, "function": SLIDE}
            with self.subTest(kind):
                at = self.row(planar({"j": slide, "piston": piston}))
                c, s = math.cos(at["b.phi"]), math.sin(at["b.phi"])
                if kind == "translational":
                    self.near(at, b__phi=0)
                self.near(at, b__x=0.5 + SLIDE * 0.6 - 0.3 * c + 0.1 * s, b__y=0.2 + SLIDE * 0.8 - 0.3 * s - 0.1 * c,
                          j__displacement=SLIDE, piston__displacement=SLIDE)
                self.assertEqual({entry["from"] for entry in self.zeros().values()}, {"points"})
                self.assertEqual(self.summary()["warnings"], [])

    def test_rack_and_pinion(self):
        rack = {"type": "rack_and_pinion", "bodies": ["b", "ground"], "axis_j": [1, 0], "radius": 0.2, "point_j": [0.1, 0]}
        level = {"type": "coordinate_driver", "body": "b", "coordinate": "y", "function": 0.2}
        at = self.row(planar({"l": level, "r": rack}, body={"position": [0.5, 0.2], "angle": 0.3}, conditions=[{"of": "b.x", "value": 0.7}]))
        self.near(at, r__displacement=0.1 - 0.7, r__angle=0.3 - 1, b__phi=0.3 - 1)

    def test_gears_count_as_their_bodies(self):
        model = planar({"p": {"type": "revolute", "bodies": ["ground", "b"], "point_i": [0, 0], "point_j": [0, 0]},
                        "q": {"type": "revolute", "bodies": ["ground", "c"], "point_i": [0.3, 0], "point_j": [0, 0]},
                        "g": {"type": "gear", "bodies": ["b", "c"], "radius_i": 0.1, "radius_j": 0.2}},
                       body={"position": [0, 0]}, conditions=[{"of": "p.angle", "value": 1}])
        model["system"]["bodies"]["c"] = {"mass": 1, "inertia": 1, "position": [0.3, 0], "angle": 0.5}
        at = self.row(model)
        self.near(at, b__phi=1, c__phi=0.5 - 0.3, g__angle=0.2 - 1, q__angle=0.2)


class Drawing(Coordinates):
    """Where nothing else defines a zero, and what is said of it."""
    HINGE = {"type": "revolute", "bodies": ["ground", "b"], "at": [0, 0, 0], "axis": [0, 0, 1]}
    AT = {"position": [1, 0, 0], "rotation": {"axis": [0, 0, 1], "angle": 0}}

    def test_it_is_said(self):
        model = spatial({"hinge": self.HINGE, "slide": {**joint("cylindrical"), "initial_displacement": 7}}, body=self.AT)
        model["system"]["bodies"]["c"] = {"mass": 1, "inertia": [1, 1, 1]}
        model["system"]["constraints"]["slide"].update(bodies=["ground", "c"], point_i=[0, 0, 0], point_j=[0, 0, 0])
        result = self.succeed(model)
        self.assertIn("  Zero       in the drawing: hinge.angle, slide.angle\n", result.stdout)
        self.assertEqual({name: (entry["from"], entry["drawing"]) for name, entry in self.zeros().items()},
                         {"hinge.angle": ("drawing", 0), "slide.angle": ("drawing", 0), "slide.displacement": ("given", 7)})
        said = self.trammel("validate", "run.json")
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertIn("run.json: valid\n  Zero       in the drawing: hinge.angle, slide.angle\n", said.stdout)
        for word in ("reference_i", "drawing"):
            self.assertIn(word, self.trammel("describe", "constraint/spatial/revolute").stdout)

    def test_the_value_in_the_drawing_may_be_given(self):
        at = self.row(spatial({"hinge": {**self.HINGE, "initial_angle": 2}, "m": {"type": "angle_driver", "bodies": ["ground", "b"],
                               "axis": [0, 0, 1], "initial_angle": 2, "function": 2.5}}, body=self.AT))
        self.near(at, hinge__angle=2.5, b__x=math.cos(0.5), b__y=math.sin(0.5))

    def test_both_zeros_are_refused(self):
        for kind, keys, key in (("revolute", {**REFERENCES, "initial_angle": 0}, "initial_angle"),
                                ("revolute", {"reference_i": ACROSS}, "reference_j"),
                                ("revolute", {"reference_i": AXIS, "reference_j": ACROSS}, "reference_i"),
                                ("universal", {"axis_i": [1, 0, 0], "axis_j": [0, 1, 0], "reference_i": [0, 1, 0], "initial_angle": 1},
                                 "initial_angle")):
            with self.subTest(keys):
                result = self.run_file(spatial({"j": joint(kind, **keys)}))
                self.assertEqual(result.returncode, 2)
                self.assertIn("/system/constraints/j" + ("/" + key if key in keys else ""), result.stderr)
                self.assertIn(key, result.stderr)

    def test_a_sketch_that_coordinates_count_from_is_a_warning(self):
        sketch = joint("revolute")
        model = spatial({"j": sketch}, conditions=[{"of": "j.angle", "value": TURN}])
        self.succeed(model)
        self.assertIn("the drawing is a sketch: assembly moved", self.summary()["warnings"][0])
        self.assertIn("'j.angle' counts from the drawing; 'reference_i' and 'reference_j' define a zero", self.summary()["warnings"][0])
        # A drawing that only the condition moves is none.
        self.succeed(spatial({"j": self.HINGE}, conditions=[{"of": "j.angle", "value": TURN}], body=self.AT))
        self.assertEqual(self.summary()["warnings"], [])

    def test_a_driver_from_the_drawing_is_a_warning(self):
        motor = {"type": "angle_driver", "bodies": ["ground", "b"], "axis": [0, 0, 1], "function": 0.2}
        self.succeed(spatial({"j": self.HINGE, "m": motor}, body=self.AT))
        [warning] = self.summary()["warnings"]
        self.assertIn("/system/constraints/m: this driver counts from the drawing", warning)
        self.assertIn("'reference_i' and 'reference_j'", warning)


class RatesStart(Coordinates):
    """Drivers by rate start with the drawn coordinate, or where assembly puts it."""

    def test_as_drawn(self):
        at = self.row(planar({"j": {"type": "revolute", **Planar.JOINT}, "m": {"type": "angle_driver", "bodies": ["ground", "b"], "rate": 3}}))
        self.near(at, b__phi=0.4, b__omega=3)

    def test_where_a_condition_puts_it(self):
        at = self.row(planar({"j": {"type": "revolute", **Planar.JOINT}, "m": {"type": "angle_driver", "bodies": ["ground", "b"], "rate": 3}},
                             conditions=[{"of": "j.angle", "value": 1.5}]))
        self.near(at, b__phi=1.5, b__omega=3, m__angle=1.5)
        self.assertEqual((self.zeros()["m.angle"]["drawing"], self.zeros()["m.angle"]["start"]), (0.4, at["m.angle"]))
        self.assertEqual(self.summary()["warnings"], [])

    def test_the_motion_goes_on_from_there(self):
        model = planar({"j": {"type": "revolute", **Planar.JOINT}, "m": {"type": "angle_driver", "bodies": ["ground", "b"], "rate": 3}},
                       conditions=[{"of": "j.angle", "value": 1.5}])
        model["analysis"].update(type="kinematics", duration=1)
        model["output"]["step"] = 0.25
        self.succeed(model)
        header, rows = self.table()
        for values in rows:
            self.assertAlmostEqual(values[header.index("b.phi")], 1.5 + 3 * values[0], delta=1e-10)

    def test_where_joints_put_it(self):
        # A stop of the drawing: a crank whose rod is too short to reach the crank's drawn angle.
        model = planar({"j": {"type": "revolute", "bodies": ["ground", "b"], "point_i": [0, 0], "point_j": [-1, 0]},
                        "rod": {"type": "distance", "bodies": ["ground", "b"], "point_i": [0, 2.5], "point_j": [1, 0], "length": 0.6},
                        "m": {"type": "angle_driver", "bodies": ["ground", "b"], "rate": 0}}, body={"position": [1, 0], "angle": 0})
        at = self.row(model)
        # The rod's end on a circle of 0.6 about (0, 2.5), the tip on one of 2 about the origin.
        sine = (4 + 2.5 ** 2 - 0.36) / (2 * 2 * 2.5)
        self.near(at, b__phi=math.asin(sine))
        self.assertIn("/system/constraints/m: this driver gives a rate and starts where assembly put it",
                      "\n".join(self.summary()["warnings"]))

    def test_a_contradiction_is_still_one(self):
        result = self.run_file(planar({"j": {"type": "revolute", **Planar.JOINT}, "k": {"type": "revolute", **Planar.JOINT, "point_i": [3, 3]},
                                       "m": {"type": "angle_driver", "bodies": ["ground", "b"], "rate": 3}}))
        self.assertEqual(result.returncode, 2)
        self.assertIn("cannot be made consistent", result.stderr)


class FormatOne(Coordinates):
    """Files of format 1 count displacements from the drawing, as they did."""

    def test_displacements_count_from_the_drawing(self):
        u = [0.6, 0.8]
        for kind, keys in (("translational", {"axis_j": u}), ("point_on_line", {}), ("revolute_translational", {"distance": 0})):
            model = planar({"j": {"type": kind, **Planar.JOINT, "axis_i": u, **keys},
                            "piston": {"type": "translation_driver", **Planar.JOINT, "axis_i": u, "function": SLIDE}}, body={"angle": 0})
            drawn = 0.6 * (-0.4 + 0.3 - 0.5) + 0.8 * (0.8 + 0.1 - 0.2)
            with self.subTest(kind):
                at = self.row(changed(model, trammel=1))
                c, s = math.cos(at["b.phi"]), math.sin(at["b.phi"])
                along = 0.6 * (at["b.x"] + 0.3 * c - 0.1 * s - 0.5) + 0.8 * (at["b.y"] + 0.3 * s + 0.1 * c - 0.2)
                self.assertAlmostEqual(along, drawn + SLIDE, delta=1e-11)
                self.near(at, j__displacement=SLIDE, piston__displacement=SLIDE)
                [warning] = [w for w in self.summary()["warnings"] if "in format 1" in w]
                self.assertIn(f"2 coordinates count from the drawing, in format 2 from their markers: 'j.displacement' ({drawn:+.6g} m), "
                              f"'piston.displacement' ({drawn:+.6g} m); 'trammel migrate run.json'", warning)

    def test_a_file_in_which_nothing_changes_gets_no_warning(self):
        model = planar({"j": {"type": "revolute", **Planar.JOINT}}, body={"position": [0.2, 0.1], "angle": 0})
        self.succeed(changed(model, trammel=1))
        self.assertEqual(self.summary()["warnings"], [])

    def test_other_formats_are_refused(self):
        for number, words in ((3, "the format version must be 2, or 1 of older files, not 3; this file needs a newer Trammel"),
                              (0, "must be 2, or 1 of older files, not 0"), (1.5, "not 1.5"), ("2", "not the text '2'")):
            result = self.run_file(changed(planar({}), trammel=number))
            self.assertEqual(result.returncode, 2)
            self.assertIn("/trammel: ", result.stderr)
            self.assertIn(words, result.stderr)
        result = self.run_file(changed(planar({}), trammel=DROP))
        self.assertIn("missing key 'trammel', the format version: a run file has \"trammel\": 2", result.stderr)

    def test_set_changes_the_format(self):
        model = planar({"j": {"type": "point_on_line", **Planar.JOINT, "axis_i": [1, 0]}})
        self.succeed(model, "--set", "trammel=1")
        self.assertEqual(self.zeros()["j.displacement"]["from"], "drawing")
        self.succeed(model, "--set", "system.constraints.j.initial_displacement=0")
        self.assertEqual(self.zeros()["j.displacement"]["from"], "given")
        self.succeed(model)
        self.assertEqual(self.zeros()["j.displacement"]["from"], "points")


class Angles(Coordinates):
    """Roll, pitch and yaw, and degrees."""

    def test_what_is_given_comes_back(self):
        for angles in ([0.4, -0.7, 2.1], [-3, 1.5, -0.2], [0, 0, 3]):
            model = {"trammel": 2, "system": {"type": "spatial", "bodies": {"b": {"mass": 1, "inertia": [1, 1, 1], "rotation": {"rpy": angles}}}},
                     "analysis": {"type": "assembly"}, "output": {"channels": ["b", "b.roll", "b.pitch", "b.yaw"]}}
            at = self.row(model)
            self.near(at, b__roll=angles[0], b__pitch=angles[1], b__yaw=angles[2])
            p = product(product(turn([0, 0, 1], angles[2]), turn([0, 1, 0], angles[1])), turn([1, 0, 0], angles[0]))
            for k in range(4):
                self.assertAlmostEqual(at[f"b.e{k}"], p[k], delta=1e-14)
            self.assertNotIn("b.roll", self.row({**model, "output": {"channels": ["b"]}}))

    def test_degrees(self):
        model = planar({"m": {"type": "angle_driver", "bodies": ["ground", "b"], "function": {"type": "expression", "formula": "30*deg + t"}}},
                       body={"angle": "=20*deg"})
        self.near(self.row(model), b__phi=math.pi / 6)
        # A parameter of that name takes its place.
        self.near(self.row({**model, "parameters": {"deg": 0.01}}), b__phi=0.3)


if __name__ == "__main__":
    main()
