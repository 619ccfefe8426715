"""The same mechanism in micrometres or kilometres, milligrams or kilotons: same freedoms, redundant rows, warnings and motion.

Each model is run as drawn and with all lengths, masses and times multiplied; by similarity the results are multiples as well.
Run with: python3 tests/hunt/similarity.py [--trammel build/release/bin/trammel] [--all] [--model NAME]"""
import argparse
import copy
import math
import sys

import runner
import transform

LENGTHS = (1e-6, 1e-3, 1.0, 1e3)
MASSES = (1e-6, 1.0, 1e6)
EXACT = {"formulation": {"type": "projection"}, "integrator": {"type": "dopri853", "rtol": 1e-9, "atol": 1e-11}}
TREATMENTS = {
    "projection": EXACT,
    "projection identity": {"formulation": {"type": "projection", "weights": "identity"}, "integrator": EXACT["integrator"]},
    "direct": {"formulation": {"type": "direct"}, "integrator": EXACT["integrator"]},
    "baumgarte": {"formulation": {"type": "baumgarte", "alpha": 10, "beta": 10}, "integrator": EXACT["integrator"]},
    "partitioning": {"formulation": {"type": "coordinate_partitioning"}, "integrator": EXACT["integrator"]},
    "hybrid": {"formulation": {"type": "hybrid"}, "integrator": EXACT["integrator"]},
    "rodas": {"formulation": {"type": "coordinate_partitioning"}, "integrator": {"type": "rodas43", "rtol": 1e-6, "atol": 1e-8}},
    "hht": {"integrator": {"type": "hht", "step": 1e-3}},
    "rattle": {"integrator": {"type": "rattle", "step": 1e-3}},
    "sparse": {"formulation": {"type": "projection"}, "integrator": EXACT["integrator"], "solver": "sparse"},
    "dense": {"formulation": {"type": "projection"}, "integrator": EXACT["integrator"], "solver": "dense"},
}
# Tolerances of its own for the rows' rates, 1e-5 whatever rtol says.
LOOSE = {"hybrid": 1e-4}
# Solvers of the full matrix [M Phi_q^T; Phi_q 0] that find it singular at some scale: shown, and not counted unless --all is given.
OPEN = {("spatial_four_bar", "dense"), ("light_on_heavy", "sparse"), ("light_on_heavy", "hht")}


def slider_crank():
    return planar({
        "crank": body(1, 0.1, [0.1316373842835559, 0.07191383079063045], 0.5, [-0.7191383079063045, 1.3163738428355588], 10.0),
        "rod": body(1, 1 / 12, [0.7580761438087501, 0.07191383079063045], -0.14432821464639636,
                    [-1.6295967909933226, 1.3163738428355588], -2.6604086178877377),
        "slider": body(2, 0.1, [1.2528775190503885, 0], 0, [-1.8209169661740364, 0], 0)}, {
            "o": joint("revolute", "ground", "crank", [0, 0]),
            "p": joint("revolute", "crank", "rod", [0.2632747685671118, 0.1438276615812609]),
            "q": joint("revolute", "rod", "slider", [1.2528775190503885, 0]),
            "g": joint("translational", "ground", "slider", [1.2528775190503885, 0], axis=[1, 0])}, 1.0)


def spatial_four_bar():
    """Three of its rows are redundant."""
    def link(mass, half, at, angle):
        return {"mass": mass, "inertia": [mass * half ** 2 / 30, mass * half ** 2 / 3, mass * half ** 2 / 3], "position": at + [0],
                "rotation": {"axis": [0, 0, 1], "angle": angle}}
    points = [[0, 0], [0.075, 0.12990381056766578], [0.4371611703247119, 0.2997251481817449], [0.45, 0]]
    bodies, joints = {}, {}
    for i, (a, b) in enumerate(zip(points, points[1:])):
        bodies[f"b{i}"] = link([0.3, 0.8, 0.6][i], math.dist(a, b) / 2, [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2],
                               math.atan2(b[1] - a[1], b[0] - a[0]))
    chain = ["ground", "b0", "b1", "b2", "ground"]
    for i, p in enumerate(points):
        joints[f"h{i}"] = joint("revolute", chain[i], chain[i + 1], p + [0], axis=[0, 0, 1])
    return document("spatial", [0, -9.81, 0], bodies, joints, 0.6)


def doors():
    """A chain of two bodies, each on two hinges of one line: ten rows too many."""
    bodies = {name: {"mass": 2, "inertia": [0.2, 0.3, 0.4], "position": at} for name, at in (("a", [0.5, 0.1, 0.2]), ("b", [1.4, 0.2, 0.1]))}
    joints = {}
    for first, second, x in (("ground", "a", 0), ("a", "b", 1)):
        for y in (0, 1):
            joints[f"{second}{y}"] = joint("revolute", first, second, [x, y, 0], axis=[0, 1, 0])
    return document("spatial", [1, -2, -9.81], bodies, joints, 0.6)


def cam_follower():
    r, e = 0.1, 0.02
    points = [x for k in range(12) for x in (
        (r + e * math.cos(2 * k * math.pi / 6)) * math.cos(k * math.pi / 6), (r + e * math.cos(2 * k * math.pi / 6)) * math.sin(k * math.pi / 6))]
    made = planar({"cam": body(3, 0.015, [0, 0], 0, [0, 0], 8), "follower": body(0.4, 0.001, [0, r - e + 0.1], 0, [0, 0], 0)}, {
        "axle": joint("revolute", "ground", "cam", [0, 0]),
        "guide": joint("translational", "ground", "follower", [0, r - e + 0.1], axis=[0, 1]),
        "contact": {"type": "point_on_spline", "bodies": ["cam", "follower"], "point_j": [0, -0.1], "closed": True, "points": points}}, 0.3)
    made["system"]["forces"] = {"spring": {"type": "tsda", "bodies": ["ground", "follower"], "point_i": [0, 0.6], "point_j": [0, 0.1],
                                           "stiffness": 400, "free_length": 0.4}}
    return made


def pendulum(light, heavy):
    """Two small discs on rods without mass, whose inertia is that of their size, hinged one behind the other."""
    return planar({"first": body(light, light * 1e-2, [0.8, -0.6], 0, [0, 0], 0), "second": body(heavy, heavy * 1e-2, [1.7, -0.4], 0, [0, 0], 0)},
                  {"o": joint("revolute", "ground", "first", [0, 0]), "p": joint("revolute", "first", "second", [0.8, -0.6])}, 0.6)


def planetary_gear():
    """Sun of 0.06 m, planet of 0.03 m on an arm, ring of 0.12 m that is fixed."""
    s, r = 0.06, 0.03
    made = planar({"sun": body(1, 0.002, [0, 0], 0, [0, 0], 0), "arm": body(0.5, 0.001, [(s + r) / 2, 0], 0, [0, 0], 0),
                   "planet": body(0.3, 0.00015, [s + r, 0], 0, [0, 0], 0)}, {
        "sun_hinge": joint("revolute", "ground", "sun", [0, 0]), "arm_hinge": joint("revolute", "ground", "arm", [0, 0]),
        "planet_hinge": joint("revolute", "arm", "planet", [s + r, 0]),
        "sun_mesh": {"type": "gear", "bodies": ["sun", "planet"], "radius_i": s, "radius_j": r},
        "ring_mesh": {"type": "gear", "bodies": ["ground", "planet"], "radius_i": s + 2 * r, "radius_j": r, "internal": True}}, 0.5)
    made["system"]["forces"] = {"motor": {"type": "applied_torque", "body": "sun", "torque": 0.1}}
    return made


def body(mass, inertia, position, angle, velocity, spin):
    return {"mass": mass, "inertia": inertia, "position": position, "angle": angle, "velocity": velocity, "angular_velocity": spin}


def joint(kind, first, second, at, **more):
    return {"type": kind, "bodies": [first, second], "at": at, **more}


def document(host, gravity, bodies, constraints, duration):
    return {"trammel": 2, "system": {"type": host, "gravity": gravity, "bodies": bodies, "constraints": constraints},
            "analysis": {"type": "dynamics", "duration": duration}, "output": {"step": duration / 6}}


def planar(bodies, constraints, duration):
    return document("planar", [0, -9.81], bodies, constraints, duration)


MODELS = {
    "slider_crank": slider_crank, "spatial_four_bar": spatial_four_bar, "doors": doors, "cam_follower": cam_follower,
    "planetary_gear": planetary_gear, "light_on_heavy": lambda: pendulum(1e3, 1e-6), "heavy_on_light": lambda: pendulum(1e-6, 1e3),
}


def treated(model, treatment):
    made = copy.deepcopy(model)
    made["formulation"] = treatment.get("formulation")
    made["integrator"] = dict(treatment["integrator"])
    if made["formulation"] is None:
        del made["formulation"]
    if "solver" in treatment:
        made["analysis"]["solver"] = treatment["solver"]
    return made


def rescaled(model, length, mass, time):
    made = transform.rescale(model, length, mass, time)
    if "atol" in made["integrator"]:
        made["integrator"]["atol"] *= min(1, length, length / time)
    return made


def answers(outcome):
    """What must not depend on units: counts, rows left out, and warnings without their numbers."""
    size = outcome.summary.get("dimensions", {})
    rows = sorted(row for s in outcome.summary.get("redundant", []) for row in s["rows"])
    return (outcome.code, size.get("degrees_of_freedom"), size.get("redundant"), rows, sorted(runner.kind_of(w) for w in outcome.warnings))


def difference(first, second, length, time):
    """Largest difference of positions and velocities of bodies, as a share of the largest of its kind."""
    worst, place = 0.0, ""
    kinds = {"x": length, "y": length, "z": length, "phi": 1, "vx": length / time, "vy": length / time, "vz": length / time, "omega": 1 / time,
             "wx": 1 / time, "wy": 1 / time, "wz": 1 / time}
    for suffixes in (("x", "y", "z"), ("phi",), ("vx", "vy", "vz"), ("omega", "wx", "wy", "wz")):
        names = [n for n in first if n.rpartition(".")[2] in suffixes and n in second]
        size = max((abs(x) for n in names for x in first[n]), default=0)
        for name in names:
            factor = kinds[name.rpartition(".")[2]]
            off = max((abs(y / factor - x) for x, y in zip(first[name], second[name])), default=math.inf) / max(size, 1e-300)
            if len(first[name]) != len(second[name]) or not off <= worst:
                worst, place = (off if len(first[name]) == len(second[name]) else math.inf), name
    return worst, place


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trammel", default="build/release/bin/trammel")
    parser.add_argument("--all", action="store_true", help="every treatment with every scale, not a selection")
    parser.add_argument("--model", choices=sorted(MODELS), help="this one only")
    options = parser.parse_args()
    trammel, bad, count = runner.Trammel(options.trammel, limit=60), 0, 0
    scales = [(l, m, 1.0) for l in LENGTHS for m in MASSES if (l, m) != (1.0, 1.0)] + [(1e-6, 1.0, 1e-3), (1e3, 1e6, 10.0)]
    for name in [options.model] if options.model else MODELS:
        for label, treatment in TREATMENTS.items():
            model = treated(MODELS[name](), treatment)
            base = trammel.run(model)
            allowed = max(1e3 * treatment["integrator"].get("rtol", 1e-8), LOOSE.get(label, 0))
            if base.code != 0 or any(runner.accuses(w) for w in base.warnings):
                bad += 1
                print(f"{name}, {label}: as drawn {base.code} {base.warnings} {base.message[-300:]}", flush=True)
            for i, (length, mass, time) in enumerate(scales):
                if not options.all and label != "projection" and i % 4 != len(label) % 4:
                    continue
                other = trammel.run(rescaled(model, length, mass, time))
                count += 1
                off, place = difference(base.columns, other.columns, length, time) if base.columns and other.columns else (math.inf, "nothing")
                same = answers(base) == answers(other)
                if same and off <= allowed:
                    continue
                known = (name, label) in OPEN and not options.all
                bad += not known
                said = "" if same else f"; {answers(base)} became {answers(other)} {other.message[-300:] if other.code else ''}"
                print(f"{name}, {label}, lengths x {length:g}, masses x {mass:g}, times x {time:g}: off by {off:.2g} ({place}){said}{'   <-- OPEN' if known else ''}", flush=True)
    runner.clean()
    print(f"{count} rescaled runs, {bad} differ")
    return 4 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
