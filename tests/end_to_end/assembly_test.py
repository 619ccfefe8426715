"""analysis.type assembly: positions from a sketch, conditions, weights, and what is said where there is no such state."""
import json
import math

from support import Case, DROP, EXAMPLES, PENDULUM, changed, main, paper_row


def planar(bodies, constraints, **analysis):
    return {"trammel": 2, "system": {"type": "planar", "bodies": bodies, "constraints": constraints},
            "analysis": {"type": "assembly", **analysis}}


def body(x, y, angle=0.0):
    return {"mass": 1, "inertia": 0.1, "position": [x, y], "angle": angle}


def link(x, y, z):
    return {"mass": 1, "inertia": [0.1, 0.1, 0.1], "position": [x, y, z]}


class Assembly(Case):
    def assembled(self, content):
        """The row of results.csv by column, and the report."""
        self.succeed(content)
        header, rows = self.table()
        self.assertEqual(len(rows), 1)
        summary = self.summary()
        self.assertEqual(summary["status"], "completed")
        self.assertLess(summary["max"]["constraint_position"], 1e-12)
        self.assertLess(summary["max"]["constraint_velocity"], 1e-11)
        return dict(zip(header, rows[0])), summary["assembly"]

    def refused(self, content, path, *words):
        result = self.run_file(content)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn(path + ": ", result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)
        return result.stderr

    def test_four_bar_from_a_sketch(self):
        result = self.trammel("run", EXAMPLES / "assemble_four_bar.json", "-o", "out")
        self.assertEqual(result.returncode, 0, result.stderr)
        header, rows = self.table()
        at = dict(zip(header, rows[0]))
        # The closed loop at a crank angle of 60 degrees, and Freudenstein's relations for the velocities.
        a, b, c, d, t2, omega = 0.15, 0.40, 0.30, 0.45, math.pi / 3, 10
        e = math.hypot(d - a * math.cos(t2), a * math.sin(t2))
        t3 = math.atan2(-a * math.sin(t2), d - a * math.cos(t2)) + math.acos((b * b + e * e - c * c) / (2 * b * e))
        t4 = math.atan2(a * math.sin(t2) + b * math.sin(t3), a * math.cos(t2) + b * math.cos(t3) - d)
        expected = {"crank.phi": t2, "coupler.phi": t3, "rocker.phi": t4, "A.angle": t2, "crank.omega": omega,
                    "coupler.omega": a * omega / b * math.sin(t4 - t2) / math.sin(t3 - t4),
                    "rocker.omega": a * omega / c * math.sin(t3 - t2) / math.sin(t3 - t4)}
        for column, value in expected.items():
            self.assertTrue(paper_row("Haug, (7.2.4), (7.2.5)", "four-bar from a sketch: " + column, at[column],
                                      independent=value, tolerance=1e-11), column)
        report = self.summary()["assembly"]
        self.assertEqual(report["positions"], {"freedoms": 0, "undetermined": []})
        self.assertAlmostEqual(report["conditions"][0]["rate"], 10, delta=1e-11)
        self.assertIn("A.angle", [entry["element"] for entry in report["violated_before"]])

    def test_weighted_minimal_change(self):
        # The nearest point of the line x = y from (1, 0) in the metric (wx, wy) is wx / (wx + wy).
        line = {"line": {"type": "point_on_line", "bodies": ["ground", "a"], "point_i": [0, 0], "axis_i": [1, 1],
                         "point_j": [0, 0]}}
        for weights, expected in (({}, 0.5), ({"a.x": 3}, 0.75), ({"a": 7}, 0.5), ({"a": 7, "a.y": 1}, 0.875)):
            at, report = self.assembled(planar({"a": body(1, 0, 0.3)}, line, weights=weights))
            self.assertAlmostEqual(at["a.x"], expected, delta=1e-9)
            self.assertAlmostEqual(at["a.y"], expected, delta=1e-9)
            self.assertEqual(at["a.phi"], 0.3)
            self.assertEqual(report["positions"]["freedoms"], 2)
        # On a circle the change is a true minimum, not one Newton path's end: (x, y) = (cos s, sin s) nearest to (3, 1) with
        # weights 1 and 9 minimizes (cos s - 3)^2 + 9 (sin s - 1)^2.
        rod = {"rod": {"type": "distance", "bodies": ["ground", "a"], "point_i": [0, 0], "point_j": [0, 0], "length": 1}}
        at, _ = self.assembled(planar({"a": body(3, 1)}, rod, weights={"a.y": 9}))
        s = min((k * 1e-5 for k in range(160000)), key=lambda s: (math.cos(s) - 3) ** 2 + 9 * (math.sin(s) - 1) ** 2)
        self.assertAlmostEqual(math.atan2(at["a.y"], at["a.x"]), s, delta=2e-5)

    def test_far_start_in_space(self):
        # Three links of a spatial four-bar, all at the origin: nothing but body-fixed points says where they go.
        joints = {
            "p": {"type": "revolute", "bodies": ["ground", "crank"], "point_i": [0, 0, 0], "point_j": [-0.5, 0, 0],
                  "axis_i": [0, 0, 1], "axis_j": [0, 0, 1]},
            "u": {"type": "spherical", "bodies": ["crank", "rod"], "point_i": [0.5, 0, 0], "point_j": [-1, 0, 0]},
            "s": {"type": "spherical", "bodies": ["rod", "rocker"], "point_i": [1, 0, 0], "point_j": [0.75, 0, 0]},
            "q": {"type": "revolute", "bodies": ["ground", "rocker"], "point_i": [2, 1, 0], "point_j": [-0.75, 0, 0],
                  "axis_i": [1, 0, 0], "axis_j": [0, 0, 1]},
        }
        model = {"trammel": 2, "analysis": {"type": "assembly", "conditions": [{"of": "crank.wz", "rate": 2}]},
                 "system": {"type": "spatial", "constraints": joints,
                            "bodies": {name: link(0, 0, 0) for name in ("crank", "rod", "rocker")}}}
        at, report = self.assembled(model)
        self.assertAlmostEqual(at["crank.wz"], 2, delta=1e-11)
        self.assertAlmostEqual(math.hypot(at["crank.x"], at["crank.y"]), 0.5, delta=1e-12)
        self.assertEqual(report["positions"]["freedoms"], 2)  # the crank, and the rod about its own axis
        self.assertEqual(report["velocities"]["freedoms"], 1)
        self.assertTrue(all(name.startswith("rod.e") for name in report["velocities"]["undetermined"]))

    def test_joints_that_disagree_are_named_with_amounts(self):
        # A point one metre from two points three metres apart: half a metre is missing to either.
        def rod(x, length=1):
            return {"type": "distance", "bodies": ["ground", "a"], "point_i": [x, 0], "point_j": [0, 0], "length": length}
        constraints = {"near": rod(0), "far": rod(3), "other": {**rod(7), "bodies": ["ground", "b"]}}
        bodies = {"a": body(0.5, 0.4), "b": body(6.5, 0)}
        text = self.refused(planar(bodies, constraints), "/system/constraints/near", "'near' by 0.5", "'far' by 0.5",
                            "it can be assembled without 'near' (then violated by 1", " or without 'far' (then violated by 1")
        self.assertNotIn("'other' by", text)
        # The same as a start of a motion, where Newton's method alone fails.
        dynamics = changed(planar(bodies, constraints), analysis={"type": "dynamics", "duration": 1},
                           formulation={"type": "projection"}, integrator={"type": "rk4", "step": 0.1})
        self.refused(dynamics, "/system/constraints/near", "'near' by 0.5", "'far' by 0.5")
        # A condition that nothing can meet disagrees like a joint.
        self.refused(planar({"a": body(1, 0)}, {"near": rod(0)}, conditions=[{"of": "a.x", "value": 2}]),
                     "", "and conditions", "'a.x' by 0.5", "'near' by 0.5")

    def test_state_that_has_to_be_determined(self):
        pin = {"pin": {"type": "revolute", "bodies": ["ground", "a"], "point_i": [0, 0], "point_j": [-1, 0]}}
        free = planar({"a": body(1, 0)}, pin, determine="state", conditions=[{"of": "a.phi", "value": 0.2}])
        self.refused(free, "/analysis/determine", "do not determine the velocities: 1 more condition is needed",
                     "undetermined are 'a.x', 'a.y', 'a.phi'")
        at, _ = self.assembled(changed(free, analysis__conditions=[{"of": "pin.angle", "value": 0.2, "rate": -3}]))
        self.assertAlmostEqual(at["a.phi"], 0.2, delta=1e-12)
        self.assertAlmostEqual(at["a.vy"], -3 * math.cos(0.2), delta=1e-11)
        self.refused(changed(free, analysis__conditions=[{"of": "a.phi", "rate": 1}, {"of": "a.vy", "rate": 0}]),
                     "/analysis/conditions/1/of", "there is no coordinate 'a.vy'; did you mean 'a.y'?")
        self.refused(changed(free, analysis__conditions=[{"of": "a.phi", "rate": 1}, {"of": "a.y", "rate": 0}]),
                     "/system/constraints/pin", "contradict each other", "'a.y' by 0.333", "'a.phi' by 0.333")

    def test_angles_count_turns(self):
        pin = {"pin": {"type": "revolute", "bodies": ["ground", "a"], "point_i": [0, 0, 0], "point_j": [-1, 0, 0],
                       "axis_i": [0, 0, 1], "axis_j": [0, 0, 1]}}
        model = {"trammel": 2, "system": {"type": "spatial", "bodies": {"a": link(1, 0, 0)}, "constraints": pin},
                 "analysis": {"type": "assembly", "conditions": [{"of": "pin.angle", "value": 9}]},
                 "output": {"channels": ["a", "pin.angle"]}}
        at, _ = self.assembled(model)
        self.assertAlmostEqual(at["pin.angle"], 9, delta=1e-11)
        self.assertAlmostEqual(at["a.x"], math.cos(9), delta=1e-11)

    def test_motion_from_conditions(self):
        start = changed(PENDULUM, analysis__conditions=[{"of": "tip.y", "value": -0.6}, {"of": "arm.wz", "rate": 2}])
        self.succeed(start)
        header, rows = self.table()
        self.assertAlmostEqual(rows[0][header.index("tip.y")], -0.6, delta=1e-11)
        self.assertAlmostEqual(rows[0][header.index("arm.wz")], 2, delta=1e-11)
        self.assertGreater(len(rows), 5)  # at the start only: it moves on
        self.assertNotAlmostEqual(rows[-1][header.index("tip.y")], -0.6, delta=1e-2)
        self.assertEqual(self.summary()["warnings"], [])

    def test_wrong_keys(self):
        model = changed(PENDULUM, analysis={"type": "assembly"}, integrator=DROP, formulation=DROP)
        for analysis, path, words in (
                ({"conditions": {}}, "/analysis/conditions", "must be an array"),
                ({"conditions": [{"value": 1}]}, "/analysis/conditions/0/of", 'needs "of"'),
                ({"conditions": [{"of": "arm.x"}]}, "/analysis/conditions/0", "'value', a 'rate', or both"),
                ({"conditions": [{"of": "arm.x", "valu": 1}]}, "/analysis/conditions/0/valu", "did you mean 'value'?"),
                ({"conditions": [{"of": "arm.wz", "value": 1}]}, "/analysis/conditions/0/value", "is a velocity"),
                ({"weights": {"arm": 0}}, "/analysis/weights/arm", "must be a number > 0"),
                ({"weights": {"amr": 1}}, "/analysis/weights/amr", "did you mean 'arm'"),
                ({"determine": "all"}, "/analysis/determine", "")):
            with self.subTest(analysis):
                self.refused(changed(model, analysis={"type": "assembly", **analysis}), path, words)
        self.refused({"trammel": 2, "system": {"type": "exponential"}, "analysis": {"type": "assembly"}}, "/system",
                     "has no bodies to assemble")

    def test_opposed_axes(self):
        """A joint of a sketch that is half a turn off holds with opposed axes: said. Drawn so, it is meant."""
        hinge = {"type": "revolute", "bodies": ["ground", "b"], "point_i": [0, 0, 0], "point_j": [-0.5, 0, 0],
                 "axis_i": [0, 1, 0], "axis_j": [0, -1, 0]}
        model = {"trammel": 2, "system": {"type": "spatial", "gravity": [0, 0, -9.81],
                                          "bodies": {"b": {"mass": 1, "inertia": [0.1, 0.1, 0.1], "position": [0.5, 0, 0]}},
                                          "constraints": {"j": hinge}},
                 "analysis": {"type": "dynamics", "duration": 0.1, "correction_limit": 1}, "output": {"step": 0.05, "channels": ["j"]}}
        drawn = self.succeed(model)
        self.assertIn("under recursive", drawn.stdout)
        self.assertEqual(self.summary()["warnings"], [])
        header, rows = self.table()
        self.assertAlmostEqual(rows[-1][header.index("j.angle")], 9.81 * 0.5 / 0.35 * 0.1 ** 2 / 2, delta=1e-4)
        model["system"]["constraints"]["j"] = {**hinge, "axis_j": [0.2, -1, 0.1]}
        self.succeed(model)
        self.assertTrue([w for w in self.summary()["warnings"] if "assembly left axes of 'j' in opposite directions" in w])
        model["system"]["constraints"]["j"] = {**hinge, "axis_j": [0.2, 1, 0.1]}
        self.succeed(model)
        self.assertFalse([w for w in self.summary()["warnings"] if "opposite directions" in w])

    def test_same_bits_twice(self):
        content = json.loads(json.dumps(planar({"a": body(0.3, 0.1)}, {"rod": {
            "type": "distance", "bodies": ["ground", "a"], "point_i": [0, 0], "point_j": [0, 0], "length": 1}})))
        self.succeed(content)
        first = (self.folder / "out" / "results.csv").read_bytes()
        self.succeed(content)
        self.assertEqual((self.folder / "out" / "results.csv").read_bytes(), first)


main()
