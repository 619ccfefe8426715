"""Drivers of angles in space that start far from the drawing: assembly turns as far as they say, against closed forms."""
import math

from support import Case, main

AT = {"mass": 1, "inertia": [0.1, 0.2, 0.25], "position": [0, 0, 0]}


def model(constraints):
    return {"trammel": 2, "system": {"type": "spatial", "bodies": {"b": AT}, "constraints": constraints},
            "analysis": {"type": "assembly"}, "output": {"channels": "all"}}


CRANK, ROD, LEVER, BASE = 0.15, 0.4, 0.3, 0.45


def closed_four_bar(angle, circuit):
    """Centres and angles of crank, rod and lever, by the triangle between the crank's pin and the lever's hinge."""
    pin = CRANK * complex(math.cos(angle), math.sin(angle))
    way = BASE - pin
    along = (ROD ** 2 - LEVER ** 2 + abs(way) ** 2) / (2 * abs(way))
    end = pin + way / abs(way) * complex(along, circuit * math.sqrt(ROD ** 2 - along ** 2))

    def between(p, q):
        return (p + q).real / 2, (p + q).imag / 2, math.atan2((q - p).imag, (q - p).real)

    return {"crank": between(0j, pin), "rod": between(pin, end), "lever": between(complex(BASE), end)}


def linkage(drawn, motor):
    bodies = {name: {"mass": 1, "inertia": [0.1, 0.1, 0.1], "position": [x, y, 0], "rotation": {"axis": [0, 0, 1], "angle": angle}}
              for name, (x, y, angle) in drawn.items()}
    pins = {"A": ("ground", 0, "crank", -CRANK / 2), "B": ("crank", CRANK / 2, "rod", -ROD / 2),
            "C": ("rod", ROD / 2, "lever", LEVER / 2), "D": ("ground", BASE, "lever", -LEVER / 2)}
    joints = {name: {"type": "revolute", "bodies": [i, j], "point_i": [p, 0, 0], "point_j": [q, 0, 0], "axis_i": [0, 0, 1],
                     "axis_j": [0, 0, 1]} for name, (i, p, j, q) in pins.items()}
    return {"trammel": 2, "system": {"type": "spatial", "bodies": bodies, "constraints": {**joints, "m": motor}},
            "analysis": {"type": "assembly"}, "output": {"channels": "all"}}


class DrivenTurns(Case):
    def row(self, content):
        self.succeed(content)
        header, rows = self.table()
        return dict(zip(header, rows[0]))

    def near(self, values, **expected):
        for name, value in expected.items():
            column = name.replace("__", ".")
            self.assertAlmostEqual(values[column], value, delta=1e-9, msg=column)

    SCREW = {"type": "screw", "bodies": ["ground", "b"], "at": [0, 0, 0], "axis": [0, 0, 1], "pitch": 0.2, "initial_angle": 0.1}
    MOTOR = {"type": "angle_driver", "bodies": ["ground", "b"], "axis": [0, 0, 1], "initial_angle": 0.1}

    def screwed(self, start):
        return model({"j": self.SCREW, "m": {**self.MOTOR, "function": start}})

    def test_assembly_turns_as_far_as_a_driver_says(self):  # as the nut shows
        for start in (3.2, -3, 3.3, -3.1, 20, -40, 100, 0.1 + 2 * math.pi):
            at = self.row(self.screwed(start))
            self.near(at, m__angle=start, j__angle=start, b__z=0.2 * (start - 0.1) / (2 * math.pi))
            self.assertEqual([w for w in self.summary()["warnings"] if "half a turn" in w], [])

    def test_a_driver_that_starts_out_of_reach_is_a_warning(self):  # more turns than assembly follows
        at = self.row(self.screwed(0.2 + 200 * math.pi))
        self.near(at, m__angle=0.2 + 200 * math.pi, j__angle=0.2, b__z=0.2 * 0.1 / (2 * math.pi))
        self.lost_turns("j")
        # A search is no motion: the rocker is met a turn less than drawn, and its hinge counts that.
        drawn = closed_four_bar(1.0, 1)
        at = self.row(linkage(drawn, {**self.MOTOR, "bodies": ["ground", "lever"], "initial_angle": 1, "function": 1 - 2 * math.pi}))
        self.near(at, m__angle=1 - 2 * math.pi, D__angle=-2 * math.pi, lever__x=drawn["lever"][0], crank__x=drawn["crank"][0])

    def lost_turns(self, joint):
        [said] = [w for w in self.summary()["warnings"] if "more than half a turn from the drawing" in w]
        self.assertIn("/system/constraints/m: ", said)
        self.assertRegex(said, f"angles of [^;]*'{joint}' count from there")

    def test_a_linkage_stays_on_the_branch_of_its_drawing(self):  # of two circuits of a crank and rocker, far from the drawing
        for circuit in (1, -1):
            for start in (1.0, 3.5, -4.4, 7.5, -11):
                motor = {**self.MOTOR, "bodies": ["ground", "crank"], "initial_angle": 1, "function": start}
                found = self.row(linkage(closed_four_bar(1.0, circuit), motor))
                for name, (x, y, _) in closed_four_bar(start, circuit).items():
                    for column, value in (("x", x), ("y", y)):
                        self.assertAlmostEqual(found[f"{name}.{column}"], value, delta=1e-9, msg=(circuit, start, name, column))
                self.assertAlmostEqual(found["A.angle"], start - 1, delta=1e-9)


main()
