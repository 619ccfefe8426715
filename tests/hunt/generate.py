"""Random mechanisms from a seed: skeletons of many families, decorated with random forces, scaled, started consistently."""
import json
import math
import random

import beads
import elements
import transform
from builder import PLANAR_JOINTS, SPATIAL_JOINTS, Mechanism
from functions import log_uniform, number, short
from geometry import add, norm, scaled


def tree(m, count=None, joints=None):
    """Bodies on ground or on each other by random joints."""
    rng = m.rng
    joints = joints or (PLANAR_JOINTS if m.host == "planar" else SPATIAL_JOINTS)
    count = count or rng.randint(1, 4)
    for _ in range(count):
        parent = rng.choice(["ground"] + list(m.bodies) * 2) if m.bodies else "ground"
        at = add(m.position(parent), m.vector(0.8)) if parent != "ground" else m.vector(0.5)
        while True:
            arm = m.vector(0.8)
            if norm(arm) > 0.15:
                break
        child = m.body(add(at, arm))
        if parent == "ground" or rng.random() < 0.93:
            m.joint(rng.choice(joints), parent, child, at)


def loop(m):
    """A closed chain of hinged links; in space with parallel axes (redundant) or with ball and universal joints."""
    rng = m.rng
    count = rng.choice([2, 3, 3, 3, 4])
    points = [[0.0, 0.0], [0.3 + 0.3 * rng.random(), 0.3 * rng.random() + 0.2]]
    for _ in range(count - 1):
        points.append([points[-1][0] + rng.uniform(0.5, 1.2), points[-1][1] + rng.uniform(-0.5, 0.5)])
    if m.host == "spatial":
        lift = rng.random() < 0.3
        points = [[x, 0.3 * rng.uniform(-1, 1) if lift else 0.0, y] for x, y in points]
    points = [[short(x, 6) for x in p] for p in points]
    axis = [0, 1, 0]
    kinds = ["revolute"] * (count + 1)
    style = rng.choice(["hinges", "slider", "space"])
    if m.host == "spatial" and style == "space" and count == 3:
        kinds = ["revolute", "spherical", rng.choice(["universal", "spherical"]), "revolute"]
    names = [m.body([short((a + b) / 2, 6) for a, b in zip(p, q)], turned=rng.random() < 0.5) for p, q in zip(points, points[1:])]
    previous = "ground"
    for kind, name, point in zip(kinds, names, points):
        m.joint(kind, previous, name, point, axis)
        previous = name
    if style == "slider" and m.host == "planar":
        m.joint(rng.choice(["point_on_line", "revolute_translational"]), "ground", previous, points[-1], [1, 0])
    elif style == "slider":
        m.joint("in_line", "ground", previous, points[-1], [1, 0, 0])
    else:
        m.joint(kinds[-1], "ground", previous, points[-1], axis)


def slide(m):
    """Bodies on rails: one freedom each, where kinks and pulses show."""
    for _ in range(m.rng.randint(1, 2)):
        at = m.vector(0.6)
        m.joint("translational", "ground", m.body(at, turned=False), at)


def free(m):
    """Bodies without joints, some on rods."""
    for _ in range(m.rng.randint(1, 3)):
        m.body(m.vector(1.2))
    names = list(m.bodies)
    if len(names) > 1 and m.rng.random() < 0.6:
        m.add_constraint(type="distance", bodies=names[:2], point_i=m.vector(0.2), point_j=m.vector(0.2))
    m.spin(fast=m.rng.random() < 0.3)


def doubled(m):
    """Joints that meet twice: doors, shafts in bearings, frames on guides, parallelograms."""
    rng = m.rng
    parent = "ground"
    if rng.random() < 0.4:
        at = m.vector(0.3)
        parent = m.body(add(at, [0.4] * m.size))
        m.joint(rng.choice(["revolute", "translational"]), "ground", parent, at)
    at, axis = add(m.position(parent), m.vector(0.5)), m.direction()
    if m.host == "planar":
        child = m.body(add(at, [0.5, 0.2]))
        m.joint("translational", parent, child, at, axis)
        m.joint(rng.choice(["translational", "point_on_line"]), parent, child, add(at, scaled(axis, 0.7)), axis)
        return
    kind = rng.choice(["revolute", "revolute", "spherical", "fixed", "cylindrical", "translational", "mixed"])
    child = m.body(add(at, m.vector(0.5)))
    for i in range(2 if rng.random() < 0.8 else 3):
        place = add(at, scaled(axis, i * rng.uniform(0.4, 0.9)))
        m.joint(rng.choice(["revolute", "spherical", "cylindrical"]) if kind == "mixed" else kind, parent, child, place, axis)


def gears(m):
    rng = m.rng
    if m.host == "spatial":
        return gears_in_space(m)
    a, b = number(rng, 0.1, 0.5), number(rng, 0.1, 0.5)
    kind = rng.choice(["planetary", "pair", "rack", "belt"])
    if kind == "rack":
        pinion, rack = m.body([0, a]), m.body([0.3, 0], turned=False)
        m.joint("revolute", "ground", pinion, [0, a])
        m.joint("translational", "ground", rack, [0, 0], [1, 0])
        m.add_constraint(type="rack_and_pinion", bodies=[pinion, rack], axis=[1, 0], radius=a, point_j=m.local(rack, [0, 0]))
    elif kind == "belt":
        tree(m, 2, ["revolute"])
        elements.coupler(m)
    elif kind == "pair":
        first, second = m.body([0, 0]), m.body([a + b, 0])
        m.joint("revolute", "ground", first, [0, 0])
        m.joint("revolute", "ground", second, [a + b, 0])
        m.add_constraint(type="gear", bodies=[first, second], radius_i=a, radius_j=b)
    else:
        sun, arm, planet = m.body([0, 0]), m.body([(a + b) / 2, 0], turned=False), m.body([a + b, 0])
        m.joint("revolute", "ground", sun, [0, 0])
        m.joint("revolute", "ground", arm, [0, 0])
        m.joint("revolute", arm, planet, [a + b, 0])
        m.add_constraint(type="gear", bodies=[sun, planet], radius_i=a, radius_j=b)
        if rng.random() < 0.7:
            m.add_constraint(type="gear", bodies=["ground", planet], radius_i=a + 2 * b, radius_j=b, internal=True)


def gears_in_space(m):
    rng = m.rng
    axis, a = m.direction(), number(rng, 0.1, 0.5)
    if rng.random() < 0.4:
        pinion, rack = m.body([0, 0, a]), m.body([0.3, 0, 0], turned=False)
        m.joint("revolute", "ground", pinion, [0, 0, a], [0, 1, 0])
        m.joint("translational", "ground", rack, [0, 0, 0], [1, 0, 0])
        m.add_constraint(type="rack_and_pinion", bodies=[pinion, rack], axis=[0, 1, 0], second_axis=[1, 0, 0], radius=a,
                         point_i=m.local(pinion, [0, 0, a]), point_j=m.local(rack, [0, 0, 0]))
        return
    first, second = m.body([0, 0, 0]), m.body([0.5, 0.2, 0])
    m.joint("revolute", "ground", first, [0, 0, 0], axis)
    other = axis if rng.random() < 0.5 else m.direction()
    m.joint("revolute", "ground", second, [0.5, 0.2, 0], other)
    m.add_constraint(type="gear_pair", bodies=[first, second], axis=axis, second_axis=other, ratio=short(rng.choice([-1, 1]) * log_uniform(rng, 0.3, 3)))


def cam(m):
    """A follower or bead on a spline curve."""
    rng = m.rng
    count = rng.randint(6, 10)
    points = []
    radius = number(rng, 0.5, 1)
    for i in range(count):
        angle = 2 * math.pi * i / count
        r = radius * rng.uniform(0.85, 1.15)
        place = [r * math.cos(angle), r * math.sin(angle)] + ([0.2 * rng.uniform(-1, 1)] if m.host == "spatial" else [])
        points.append([short(x, 5) for x in place])
    bead = m.body(points[0])
    m.add_constraint(type="point_on_spline", bodies=["ground", bead], points=[x for p in points for x in p], closed=True)
    if rng.random() < 0.5:
        m.bodies[bead]["velocity"] = m.vector(2)


def contact(m):
    """Dropped bodies and bodies between walls."""
    rng = m.rng
    for _ in range(rng.randint(1, 2)):
        m.body(m.vector(0.8))
    m.pull_down()
    m.spin(fast=rng.random() < 0.4)
    rigid = rng.random() < 0.6
    for _ in range(rng.randint(1, 3)):
        elements.stop(m, rigid)
    m.duration = number(rng, 0.3, 1.0)


def orbit(m):
    rng = m.rng
    body = m.body([1] + [0] * (m.size - 1))
    m.bodies[body]["velocity"] = [0, number(rng, 0.7, 1.2)] + [0] * (m.size - 2)
    m.add_force(type="point_gravity", bodies=["ground", body], constant=number(rng, 0.8, 1.3), mass_i=1)


def calm(m):
    """One body, still or in uniform motion, and something that acts for a while or in one place: what long steps pass over."""
    rng = m.rng
    at = m.vector(0.5)
    body = m.body(at, turned=rng.random() < 0.3)
    axis = [1] + [0] * (m.size - 1)
    style = rng.choice(["free", "rail", "rail", "hinge"])
    if style == "rail":
        m.joint("translational", "ground", body, at, axis)
    elif style == "hinge":
        m.joint("revolute", "ground", body, add(at, [0.4] * m.size), [0, 1, 0])
    m.duration = number(rng, 2, 10)
    if rng.random() < 0.5:
        m.bodies[body].update(velocity=[number(rng, -2, 2)] + [0] * (m.size - 1))
        if style == "free":
            m.bodies[body]["angular_velocity"] = m.torque(8)
    for _ in range(rng.randint(1, 2)):
        kind = rng.choice(["time", "time", "place", "place", "law", "stop", "push"])
        far = [-20] + at[1:]
        if kind == "time":
            elements.push(m)
        elif kind == "place":  # a spring force that acts in an interval ahead
            gap = number(rng, 0.1, 4)
            k = short(log_uniform(rng, 10, 3000))
            wide = short(log_uniform(rng, 0.01, 1))
            law = rng.choice([{"type": "piecewise", "breaks": [gap, gap + wide], "jumps": True, "pieces": [0, short(k * wide), 0]},
                              {"type": "bump", "begin": gap, "end": gap + wide, "height": short(k * wide)},
                              {"type": "expression", "formula": f"{k}*max(0, x-{gap})"},
                              {"type": "expression", "formula": f"{k}*max(0, {wide}-abs(x-{gap + wide}))"},
                              {"type": "expression", "formula": f"{short(k * wide)}*exp(-((x-{gap + wide})/{wide})^2)"}])
            m.add_force(type="tsda", bodies=["ground", body], point_i=far, free_length=short(20 + at[0], 6), spring=law)
        elif kind == "law":
            m.add_force(type="tsda", bodies=["ground", body], point_i=far, stiffness=short(log_uniform(rng, 10, 3000)), damping=number(rng, 0, 5),
                        free_length=short(20 + at[0] + number(rng, 0.2, 3), 6), one_sided="tension")
        elif kind == "stop":
            elements.stop(m, rigid=rng.random() < 0.4)
        else:
            m.add_force(type="applied_force", body=body, force=[number(rng, -4, 4)] + [0] * (m.size - 1))


def passing(m):
    """Bodies that fly at each other or past a place, for long and for a short touch; some beside an oscillator that keeps steps short."""
    rng = m.rng
    m.duration = number(rng, 2, 10)
    speed, reach = short(log_uniform(rng, 1, 20)), short(log_uniform(rng, 0.03, 0.5))
    way = speed * m.duration * rng.uniform(0.2, 0.8)
    aside = short(rng.uniform(-0.8, 0.8) * reach)
    first = m.body([0] * m.size, turned=False)
    m.bodies[first]["velocity"] = [speed] + [0] * (m.size - 1)
    second = "ground"
    goal = [short(way), aside] + [0] * (m.size - 2)
    if rng.random() < 0.6:
        second = m.body(goal, turned=False)
        m.bodies[second]["velocity"] = [short(-speed * rng.uniform(-0.5, 0.5))] + [0] * (m.size - 1)
    k = short(0.3 * speed * speed / reach / reach)
    law = rng.choice([{"stiffness": k, "free_length": reach, "one_sided": "compression"},
                      {"law": f"-{k}*max({reach} - l, 0)"},
                      {"law": f"-{short(k * reach)}*exp(-(l/{short(reach / 2)})^2)"},
                      {"spring": {"type": "expression", "formula": f"{short(k * reach)}*exp(-((x - {reach})/{short(reach / 3)})^2)"}}])
    if second == "ground":
        m.add_force(type="tsda", bodies=[second, first], point_i=goal, **law)
    else:
        m.add_force(type="tsda", bodies=[second, first], **law)
    if rng.random() < 0.4:  # an oscillator of about one period per second
        other = m.body([0, 5] + [0] * (m.size - 2), turned=False)
        m.add_force(type="tsda", bodies=["ground", other], point_i=[short(-2 - rng.random()), 5] + [0] * (m.size - 2), stiffness=number(rng, 20, 80),
                    free_length=2)
    m.features.finest = min(m.features.finest, short(reach / speed / 10))


FAMILIES = [passing] * 3 + [calm] * 6 + [tree] * 5 + [loop] * 4 + [slide] * 4 + [free] * 2 + [doubled] * 3 + [gears] * 3 + [cam, contact, contact, contact, orbit]
OTHERS = [beads.beads, beads.beads, beads.rolling]  # complete with their loads


def mechanism(seed, language):
    """A run file and what is known of it: {"finest": narrowest feature, s; "length", "time": the model's units}."""
    rng, other = random.Random(f"trammel hunt {seed}"), random.Random(f"trammel hunt, other families {seed}")
    m = Mechanism(rng, rng.choice(["planar", "spatial"]), language)
    family = rng.choice(FAMILIES)
    if other.random() < 0.15:
        family = other.choice(OTHERS)
    family(m)
    if family in OTHERS:
        if family is beads.beads and rng.random() < 0.6:
            m.pull_down()
        return finished(m, seed, family)
    if rng.random() < (0 if family is passing else 0.25 if family is calm else 0.65):
        m.pull_down()
    if family not in (free, calm, passing) and rng.random() < 0.4:
        m.spin(fast=rng.random() < 0.3)
    joints = list(m.constraints)
    if joints and rng.random() < 0.25:
        elements.driver(m, rng.choice(joints))
        if rng.random() < 0.3 and len(joints) > 1:
            elements.driver(m, rng.choice(joints[:-1]))
    if rng.random() < 0.06:
        rng.choice([elements.driven_coordinate, elements.driven_distance])(m)
    if rng.random() < 0.08:
        elements.coupler(m)
    for _ in range(0 if family in (calm, passing) else rng.choice([0, 1, 1, 2, 2, 3])):
        rng.choice(elements.FORCES)(m)
    if rng.random() < 0.12:
        elements.stop(m, rigid=rng.random() < 0.5)
    if not m.forces and not any(m.gravity) and not any("velocity" in b for b in m.bodies.values()):
        elements.push(m)
    if rng.random() < 0.15:  # masses far apart
        for body in m.bodies.values():
            factor = short(10 ** rng.uniform(-3, 3))
            body["mass"] *= factor
            body["inertia"] = body["inertia"] * factor if m.host == "planar" else [x * factor for x in body["inertia"]]
    return finished(m, seed, family)


def finished(m, seed, family):
    """The run file in some units, and what is known of it."""
    rng = m.rng
    document = json.loads(json.dumps(m.document(f"hunt {seed}: {family.__name__}, {m.host}")))  # no list is shared
    length = time = 1.0
    if rng.random() < 0.3:
        length = 10 ** rng.randint(-3, 3)
        time = rng.choice([1.0, math.sqrt(length)])
        document = transform.rescale(document, length, 10 ** rng.randint(-3, 3), time)
    finest = min(m.features.finest * time, document["analysis"]["duration"])
    return document, {"seed": seed, "family": family.__name__, "host": m.host, "finest": finest, "length": length, "time": time,
                      "relatable": m.relatable}


def started(document, trammel):
    """The document with velocities that satisfy its constraints, or None where the model is refused or cannot start."""
    names = list(document["system"]["bodies"])
    probe = dict(document, formulation={"type": "projection"}, output={"step": document["analysis"]["duration"]},
                 analysis={"type": "dynamics", "duration": document["analysis"]["duration"] * 1e-9, "correction_limit": 1e12},
                 integrator={"type": "rk4", "step": document["analysis"]["duration"] * 1e-9})
    outcome = trammel.run(probe)
    if outcome.code != 0 or not outcome.columns.get("t"):
        return None, outcome
    if not any(b.get("velocity") or b.get("angular_velocity") for b in document["system"]["bodies"].values()):
        drivers = any("driver" in c["type"] for c in document["system"].get("constraints", {}).values())
        if not drivers:
            return document, outcome
    planar = document["system"]["type"] == "planar"
    for name in names:
        body = document["system"]["bodies"][name]
        turns = body.get("type") != "point_mass"
        rates = ("omega",) if planar else ("wx", "wy", "wz")
        first = {key: outcome.columns[f"{name}.{key}"][0] for key in (("vx", "vy") if planar else ("vx", "vy", "vz")) + (rates if turns else ())}
        if not all(math.isfinite(v) for v in first.values()):
            return None, outcome
        body["velocity"] = [first["vx"], first["vy"]] + ([] if planar else [first["vz"]])
        if turns:
            body["angular_velocity"] = first["omega"] if planar else [first["wx"], first["wy"], first["wz"]]
    return document, outcome
