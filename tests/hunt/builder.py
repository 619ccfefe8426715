"""A mechanism under construction: bodies, joints that close by construction, forces; in a unit world, scaled afterwards."""
import math

import functions
from functions import log_uniform, number, short
from geometry import add, norm, scaled, to_body, unit

PLANAR_JOINTS = ["revolute"] * 6 + ["translational"] * 2 + ["point_on_line", "distance", "revolute_translational", "fixed"]
SPATIAL_JOINTS = (["revolute"] * 5 + ["spherical"] * 3 + ["universal"] * 2 + ["cylindrical"] * 2 + ["translational"] * 2 +
                  ["screw", "planar_joint", "in_line", "in_plane", "point", "dot2", "distance", "spherical_spherical",
                   "revolute_spherical", "fixed", "parallel_axes", "dot1", "point"])
WITH_ANGLE = {"revolute", "cylindrical", "screw", "parallel_axes", "planar_joint", "revolute_spherical", "universal"}
WITH_DISPLACEMENT = {"translational", "cylindrical", "screw", "in_line", "point_on_line", "revolute_translational"}


class Mechanism:
    """Grows a run file. Everything random comes from `rng`."""

    def __init__(self, rng, host, language):
        self.rng, self.host, self.language = rng, host, language
        self.size = 2 if host == "planar" else 3
        self.duration = number(rng, 1, 4)
        self.features = functions.Features()
        self.bodies, self.constraints, self.forces = {}, {}, {}
        self.gravity = [0] * self.size
        self.relatable = True  # whether rotations of the whole are possible

    # -- places -------------------------------------------------------------------------------------------------------
    def vector(self, length=1.0):
        return [number(self.rng, -length, length) for _ in range(self.size)]

    def direction(self):
        while True:
            v = self.vector()
            if norm(v) > 0.2:
                break
        if self.rng.random() < 0.3:  # along an axis of the frame
            v = [0] * self.size
            v[self.rng.randrange(self.size)] = 1
        return v

    def pull_down(self):
        self.gravity = [0] * self.size
        self.gravity[-1] = -9.81

    # -- bodies -------------------------------------------------------------------------------------------------------
    def body(self, position, turned=True, mass=None):
        rng = self.rng
        name = f"b{len(self.bodies) + 1}"
        mass = mass or short(log_uniform(rng, 0.3, 3))
        if self.host == "planar":
            body = {"mass": mass, "inertia": short(mass * rng.uniform(0.02, 0.3)), "position": list(position)}
            if turned:
                body["angle"] = number(rng, -1.5, 1.5)
        else:
            a, b, c = (rng.uniform(0.01, 0.2) for _ in range(3))
            body = {"mass": mass, "inertia": [short(mass * (b + c)), short(mass * (a + c)), short(mass * (a + b))],
                    "position": list(position)}
            if turned:
                body["rotation"] = {"axis": self.direction(), "angle": number(rng, -1.5, 1.5)}
        self.bodies[name] = body
        return name

    def position(self, name):
        return [0] * self.size if name == "ground" else self.bodies[name]["position"]

    def local(self, name, point):
        """Body-fixed coordinates of a global point, on ground the point itself."""
        return list(point) if name == "ground" else to_body(self.bodies[name], point, self.host)

    # -- joints -------------------------------------------------------------------------------------------------------
    def joint(self, kind, first, second, at, axis=None):
        """A joint of any kind that is closed where the bodies stand; returns its name."""
        rng = self.rng
        axis = axis or self.direction()
        name = f"j{len(self.constraints) + 1}"
        joint = {"type": kind, "bodies": [first, second]}
        if kind in ("distance", "spherical_spherical", "revolute_spherical"):
            end = add(at, self.vector(0.8))
            if norm([x - y for x, y in zip(at, end)]) < 0.2:
                end = add(end, [0.5] + [0] * (self.size - 1))
            joint.update(point_i=self.local(first, at), point_j=self.local(second, end))
            if kind == "revolute_spherical":
                between = unit([y - x for x, y in zip(at, end)])
                # The hinge's axis is perpendicular to the link.
                along = sum(x * y for x, y in zip(between, axis))
                across = [a - along * b for a, b in zip(axis, between)]
                if norm(across) < 0.1:
                    across = [-between[1], between[0], 0] if abs(between[2]) < 0.9 else [1, 0, 0]
                    along = sum(x * y for x, y in zip(between, across))
                    across = [a - along * b for a, b in zip(across, between)]
                joint["axis"] = unit(across)
        elif kind == "revolute_translational":
            joint.update(point_i=self.local(first, at), point_j=self.local(second, add(at, scaled(axis, 0.2))), axis=axis)
        elif kind == "dot2":
            joint.update(at=at, axis=axis)
        elif kind == "parallel_axes":
            joint.update(axis=axis)
        elif kind in ("revolute", "point", "spherical", "fixed") and (self.host == "planar" or kind in ("point", "spherical", "fixed")):
            joint["at"] = list(at)
        elif kind in ("universal", "dot1"):
            joint.update(axis=axis, second_axis=self.across(axis, self.direction()))
            if kind == "universal":
                joint["at"] = list(at)
        else:
            joint.update(at=list(at), axis=list(axis))
            if kind == "screw":
                joint["pitch"] = short(rng.choice([-1, 1]) * 10 ** rng.uniform(-2.5, 0))
        self.constraints[name] = joint
        return name

    @staticmethod
    def across(axis, other):
        """The part of `other` perpendicular to `axis`, or some perpendicular direction."""
        n = unit(axis)
        for candidate in (other, [1, 0, 0], [0, 1, 0]):
            along = sum(x * y for x, y in zip(n, candidate))
            rest = [c - along * a for c, a in zip(candidate, n)]
            if norm(rest) > 0.2:
                return unit(rest)
        return [0, 0, 1]

    def add_constraint(self, **keys):
        name = f"c{len(self.constraints) + 1}"
        self.constraints[name] = keys
        return name

    # -- forces -------------------------------------------------------------------------------------------------------
    def add_force(self, **keys):
        name = f"f{len(self.forces) + 1}"
        self.forces[name] = keys
        return name

    def time_function(self):
        return functions.of_time(self.rng, self.duration, self.features, self.language)

    def torque(self, size=1.0):
        return short(self.rng.uniform(-size, size)) if self.host == "planar" else self.vector(size)

    def random_point(self, name):
        """Body-fixed point near a body; on ground a global point."""
        return self.vector(1.5) if name == "ground" else self.vector(0.4)

    def between(self):
        """Two different bodies, ground among them."""
        names = list(self.bodies)
        second = self.rng.choice(names)
        first = self.rng.choice([n for n in ["ground"] * 2 + names if n != second])
        return first, second

    def length(self, first, point_i, second, point_j):
        from geometry import attitude, sub, turn
        ends = []
        for name, point in ((first, point_i), (second, point_j)):
            ends.append(list(point) if name == "ground" else
                        add(self.bodies[name]["position"], turn(attitude(self.bodies[name], self.host), point)))
        return norm(sub(*ends))

    # -- start and document -------------------------------------------------------------------------------------------
    def spin(self, fast=False):
        """Random velocities; the runner makes them consistent."""
        rate = 15.0 if fast else 4.0
        for body in self.bodies.values():
            body["velocity"] = self.vector(1.0)
            body["angular_velocity"] = number(self.rng, -rate, rate) if self.host == "planar" else self.vector(rate)

    def document(self, title):
        system = {"type": self.host, "bodies": self.bodies, "constraints": self.constraints, "forces": self.forces}
        if any(self.gravity):
            system["gravity"] = self.gravity
        for part in ("constraints", "forces"):
            if not system[part]:
                del system[part]
        return {"trammel": 2, "title": title, "system": system, "analysis": {"type": "dynamics", "duration": self.duration},
                "formulation": {"type": "projection"}, "integrator": {"type": "dopri5", "rtol": 1e-8, "atol": 1e-10},
                "output": {"step": self.duration / 50}}


def finite_or(value, other):
    return value if math.isfinite(value) else other
