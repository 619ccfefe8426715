"""Parts of sub-models behave the same wherever they are placed: turned at random, inside of one another, by whole turns."""
import math
import random

from quaternions import product, turn, turned
from support import Case, main

METHOD = {"analysis": {"type": "dynamics", "duration": 0.5}, "formulation": {"type": "projection"},
          "integrator": {"type": "dopri5", "rtol": 1e-10, "atol": 1e-12}}


def plus(a, b):
    return [x + y for x, y in zip(a, b)]


def leg(position, rotation, at, axis, spring, force):
    return {"bodies": {"rod": {"mass": 1.5, "inertia": [0.1, 0.2, 0.25], "position": position, "rotation": rotation}},
            "constraints": {"hip": {"type": "revolute", "bodies": ["ground", "rod"], "at": at, "axis": axis}},
            "forces": {"tie": {"type": "tsda", "bodies": ["ground", "rod"], "point_i": spring, "point_j": [0.1, 0.2, 0.3],
                               "stiffness": 30, "damping": 1, "free_length": 0.3},
                       "push": {"type": "applied_force", "body": "rod", "point": [0.2, 0, 0.1], "force": force,
                                "function": {"type": "harmonic", "amplitude": 1, "omega": 3}}}}


class Placement(Case):
    def columns(self, system):
        self.succeed({"trammel": 2, "system": system, **METHOD, "output": {"step": 0.1, "channels": "all"}})
        header, rows = self.table()
        return {name: [row[i] for row in rows] for i, name in enumerate(header)}

    def test_places_inside_of_places(self):
        """Against the same model with every place turned by quaternions here."""
        for seed in range(6):
            with self.subTest(seed):
                chance = random.Random(seed)

                def vector(size=1.0):
                    return [chance.uniform(-size, size) for _ in range(3)]

                def direction():
                    v = [chance.gauss(0, 1) for _ in range(3)]
                    return [x / math.hypot(*v) for x in v]

                outer, inner = ({"axis": direction(), "angle": chance.uniform(-9, 9)} for _ in range(2))
                p, q, d, e = turn(**outer), turn(**inner), vector(2), vector(2)
                own = {"axis": direction(), "angle": chance.uniform(-3, 3)}
                position, at, axis, spring, force = vector(), vector(), direction(), vector(), vector(2)
                placed = self.columns({
                    "type": "spatial", "gravity": [0, 0, -9.81],
                    "submodels": {"leg": leg(position, own, at, axis, spring, force),
                                  "side": {"parts": {"in": {"submodel": "leg", "position": e, "rotation": inner}}}},
                    "parts": {"out": {"submodel": "side", "position": d, "rotation": outer}}})

                def way(v):
                    return turned(p, turned(q, v))

                def place(v):
                    return plus(d, turned(p, plus(e, turned(q, v))))

                written = self.columns({
                    "type": "spatial", "gravity": [0, 0, -9.81],
                    **leg(place(position), {"euler_parameters": product(p, product(q, turn(**own)))}, place(at), way(axis),
                          place(spring), way(force))})
                for name in ("rod.x", "rod.y", "rod.z", "rod.wx", "rod.wy", "rod.wz", "hip.force.x", "tie.force"):
                    for x, y in zip(placed["out.in." + name], written[name], strict=True):
                        self.assertAlmostEqual(x, y, delta=1e-8, msg=name)

    def test_planar_parts_are_the_same_in_every_direction(self):
        """Without gravity no direction differs: nor do angles from the floor, whichever turn the placement has."""
        expected = None
        for angle in (0, 2, 4, 5.5, -3.5, 11, math.pi, -math.pi):
            with self.subTest(angle):
                found = self.columns({
                    "type": "planar",
                    "submodels": {"leg": {
                        "bodies": {"rod": {"mass": 1, "inertia": 0.2, "position": [0.5, 0], "angle": 0.3}},
                        "constraints": {"hip": {"type": "revolute", "bodies": ["ground", "rod"], "at": [0, 0]}},
                        "forces": {"wound": {"type": "rsda", "bodies": ["ground", "rod"], "stiffness": 4, "free_angle": 0.1}}}},
                    "parts": {"leg": {"submodel": "leg", "position": [1, 2], "angle": angle}}})
                self.assertAlmostEqual(found["leg.wound.angle"][0], 0.3, delta=1e-12)
                expected = expected or found
                for name in ("leg.wound.angle", "leg.wound.torque", "leg.hip.angle", "energy.total"):
                    for x, y in zip(found[name], expected[name], strict=True):
                        self.assertAlmostEqual(x, y, delta=1e-9, msg=name)


main()
