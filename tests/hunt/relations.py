#!/usr/bin/python3
"""Metamorphic relations: a changed mechanism whose motion follows from that of the first without any reference.

relations.py --trammel build/release/bin/trammel --models 50 --seed 1
"""
import argparse
import collections
import copy
import json
import math
import os
import pathlib
import random
import sys
import tempfile

import generate
import geometry as g
import hunt
import judge
import methods
import runner
import transform
from isometry import elements, isometry, localise, moved_columns

TIGHT = {"type": "dopri853", "rtol": 1e-11, "atol": 1e-13}
UNIT = {"length": 1.0, "time": 1.0}
LIMIT = 1e-5  # of a channel group's range


def plain(columns, document):
    return {k: v for k, v in columns.items() if k == "t" or k.partition(".")[0] in document["system"]["bodies"]}


def kinds(document):
    return {e["type"] for e in elements(document)}


def names_ground(document):
    return any("ground" in e.get("bodies", []) or "body" in e and e["type"] in ("coordinate_driver", "tyre_vertical", "aerodynamic_drag")
               for e in elements(document))


# Angles of planar joints to ground are those of the body: what depends on them does not turn with the whole.
ABSOLUTE = {"rsda", "actuator", "six_component_force", "coordinate_driver", "tyre_vertical", "angle_driver"}


def rotate(document, rng):
    if kinds(document) & ({"coordinate_driver", "tyre_vertical"} if document["system"]["type"] == "spatial" else ABSOLUTE):
        return None
    if document["system"]["type"] == "planar":
        r, shift = g.plane_matrix(rng.uniform(-3, 3)), [0.0, 0.0]
    else:
        r, shift = g.matrix_of([rng.uniform(-1, 1), 0.3, rng.uniform(-1, 1)], rng.uniform(-3, 3)), [0.0] * 3
    return isometry(document, r, shift), lambda c: moved_columns(c, document, r, shift)


def centred(document):
    """Whether something is attracted by the origin."""
    return any(e["type"] == "point_gravity" and "ground" in e["bodies"] for e in elements(document))


def translate(document, rng):
    if centred(document) or kinds(document) & {"tyre_vertical", "coordinate_driver"}:
        return None
    size = 2 if document["system"]["type"] == "planar" else 3
    r = [[float(i == j) for j in range(size)] for i in range(size)]
    length = max([abs(x) for b in document["system"]["bodies"].values() for x in b.get("position", [0])] + [1e-3])
    shift = [rng.uniform(-5, 5) * length for _ in range(size)]
    return isometry(document, r, shift), lambda c: moved_columns(c, document, r, shift)


def boost(document, rng):
    if names_ground(document):
        return None
    size = 2 if document["system"]["type"] == "planar" else 3
    speed = max([abs(x) for b in document["system"]["bodies"].values() for x in b.get("velocity", [0])] + [0.1])
    velocity = [rng.uniform(-2, 2) * speed for _ in range(size)]
    other = copy.deepcopy(document)
    for body in other["system"]["bodies"].values():
        body["velocity"] = g.add(body.get("velocity", [0] * size), velocity)
    r = [[float(i == j) for j in range(size)] for i in range(size)]
    return other, lambda c: moved_columns(c, document, r, [0.0] * size, boost=velocity)


def mirror(document, rng):
    if kinds(document) & (ABSOLUTE | {"bushing", "six_component_force", "translation_driver", "coupler", "rack_and_pinion", "gear", "gear_pair",
                                      "joint_friction", "revolute_translational", "universal", "revolute_spherical"}):
        return None
    size = 2 if document["system"]["type"] == "planar" else 3
    r = [[float(i == j) * (-1 if i == size - 1 else 1) for j in range(size)] for i in range(size)]
    return isometry(document, r, [0.0] * size, mirror=True), lambda c: moved_columns(c, document, r, [0.0] * size, mirror=True)


def permute(document, rng):
    other = copy.deepcopy(document)
    names = list(other["system"]["bodies"])
    rng.shuffle(names)
    other["system"]["bodies"] = {n: other["system"]["bodies"][n] for n in names}
    for part in ("constraints", "forces"):
        items = list(other["system"].get(part, {}).items())
        first = [i for i in items if i[1]["type"] != "coupler"]
        rng.shuffle(first)
        if items:
            other["system"][part] = dict(first + [i for i in items if i[1]["type"] == "coupler"])
    return other, lambda c: plain(c, document)


def swap_ends(document, rng):
    """Joints between the second and the first body."""
    other, swapped = copy.deepcopy(document), 0
    used = {e.get(k) for e in elements(document) for k in ("joint", "first", "second")}
    for name, e in other["system"].get("constraints", {}).items():
        if e["type"] in ("revolute", "spherical", "point", "cylindrical", "translational", "fixed", "distance", "spherical_spherical", "screw",
                         "parallel_axes", "planar_joint") and name not in used and "rate" not in e and "function" not in e:
            e["bodies"].reverse()
            if "point_i" in e or "point_j" in e:
                first, second = e.pop("point_i", None), e.pop("point_j", None)
                e.update({k: v for k, v in (("point_i", second), ("point_j", first)) if v is not None})
            swapped += 1
    for e in other["system"].get("forces", {}).values():
        if e["type"] == "tsda":
            e["bodies"].reverse()
            first, second = e.pop("point_i", None), e.pop("point_j", None)
            e.update({k: v for k, v in (("point_i", second), ("point_j", first)) if v is not None})
            swapped += 1
    return (other, lambda c: plain(c, document)) if swapped else None


def units(document, rng):
    """The same in mm, g and ms, or in other units; results come back in the first ones."""
    factors = rng.choice([(1e3, 1e3, 1e3), (1e3, 1e-3, 1), (1e-3, 1, 1), (1, 1e6, 1), (1, 1, 1e-2), (1e3, 1, 1e3)])
    length, mass, time = factors
    other = transform.rescale(document, *factors)
    other["integrator"]["atol"] *= min(1, length, length / time)

    def expected(columns):
        out = {"t": [t * time for t in columns["t"]]}
        for name, values in plain(columns, document).items():
            group = judge.SUFFIXES.get(name.rpartition(".")[2])
            factor = {judge.POSITION: length, judge.VELOCITY: length / time, judge.SPIN: 1 / time}.get(group, 1)
            if name != "t":
                out[name] = [v * factor for v in values]
        return out
    return other, expected, {"length": length, "time": time}


def in_space(document, rng):
    """A planar mechanism in the host of space."""
    if document["system"]["type"] != "planar" or kinds(document) - {"revolute", "translational", "distance", "fixed", "tsda", "rsda", "gravity",
                                                                    "applied_force", "applied_torque", "stop", "impact", "point_gravity"}:
        return None
    if any(e["type"] == "rsda" for e in elements(document)) and any("angle" in b for b in document["system"]["bodies"].values()):
        return None  # angles count from the drawing there
    other = copy.deepcopy(document)
    system = other["system"]
    system["type"] = "spatial"
    if "gravity" in system:
        system["gravity"] = system["gravity"] + [0]
    for body in system["bodies"].values():
        body["inertia"] = [body["inertia"]] * 3
        body["position"] = body.get("position", [0, 0]) + [0]
        if "velocity" in body:
            body["velocity"] = body["velocity"] + [0]
        if "angular_velocity" in body:
            body["angular_velocity"] = [0, 0, body["angular_velocity"]]
        body["rotation"] = {"axis": [0, 0, 1], "angle": body.pop("angle", 0)}
    for e in elements(other):
        for key in ("at", "axis", "point", "point_i", "point_j", "axis_i", "axis_j", "force", "acceleration"):
            if key in e and isinstance(e[key], list):
                e[key] = e[key] + [0]
        if e["type"] in ("revolute", "rsda"):
            e["axis"] = [0, 0, 1]
        if e["type"] == "applied_torque":
            e["torque"] = [0, 0, e["torque"]]

    def expected(columns):
        out = {"t": columns["t"]}
        for name in document["system"]["bodies"]:
            for a, b in (("x", "x"), ("y", "y"), ("vx", "vx"), ("vy", "vy"), ("omega", "wz")):
                out[f"{name}.{b}"] = columns[f"{name}.{a}"]
        return out
    return other, expected


def extra_body(document, rng):
    other = copy.deepcopy(document)
    size = 2 if document["system"]["type"] == "planar" else 3
    mass = next(iter(document["system"]["bodies"].values()))
    other["system"]["bodies"] = {"stranger": dict(mass=mass["mass"], inertia=mass["inertia"], position=[0] * size), **other["system"]["bodies"]}
    return other, lambda c: plain(c, document)


def conserving(document):
    """The mechanism without what gains, loses or depends on time; None where drivers hold it."""
    document = copy.deepcopy(document)
    system = document["system"]
    if any("driver" in e["type"] or e["type"] in ("impact", "coupler") for e in system.get("constraints", {}).values()):
        return None
    keep = {}
    for name, e in system.get("forces", {}).items():
        plain_spring = e["type"] == "tsda" and not set(e) & {"law", "friction", "damper"} and not isinstance(e.get("free_length"), dict)
        if plain_spring or e["type"] in ("gravity", "point_gravity") or (e["type"] == "stop" and not e.get("dissipation")):
            keep[name] = dict(e, damping=0) if plain_spring else e
    system["forces"] = keep
    if not keep:
        del system["forces"]
    return document if localise(document) else None


def reversed_time(document, meta, trammel):
    """(error, channel, time, warned): there and back again; None where that is not possible."""
    there = conserving(document)
    if there is None:
        return None
    planar = there["system"]["type"] == "planar"
    first = trammel.run(there)
    if first.code != 0 or not judge.moves(first.columns, there):
        return None
    back = copy.deepcopy(there)
    for name, body in back["system"]["bodies"].items():
        end = {k: first.columns[f"{name}.{k}"][-1] for k in (("x", "y", "phi", "vx", "vy", "omega") if planar else
                                                           ("x", "y", "z", "e0", "e1", "e2", "e3", "vx", "vy", "vz", "wx", "wy", "wz"))}
        body["position"] = [end["x"], end["y"]] + ([] if planar else [end["z"]])
        body["velocity"] = [-end["vx"], -end["vy"]] + ([] if planar else [-end["vz"]])
        body["angular_velocity"] = -end["omega"] if planar else [-end["wx"], -end["wy"], -end["wz"]]
        if planar:
            body["angle"] = end["phi"]
        else:
            body["rotation"] = {"euler_parameters": [end[f"e{i}"] for i in range(4)]}
    second = trammel.run(back)
    if second.code != 0:
        return math.inf, f"exit {second.code}: {runner.kind_of(second.message)[:80]}", 0.0, True
    truth = {}
    for name, values in plain(first.columns, there).items():
        group = judge.SUFFIXES.get(name.rpartition(".")[2])
        truth[name] = values if name == "t" else [(-1 if group in (judge.VELOCITY, judge.SPIN) else 1) * v for v in reversed(values)]
    off, channel, at = judge.error(second.columns, truth, there, meta)
    return off, channel, at, any(runner.accuses(w) for w in first.warnings + second.warnings)


RELATIONS = [rotate, translate, boost, mirror, permute, swap_ends, units, in_space, extra_body]


def compared(document, meta, relation, trammel, rng, base, combination=None):
    """None where the relation does not apply, else (error, channel, time, warned, changed document, exit code)."""
    made = relation(document, rng)
    if made is None:
        return None
    other, expected = made[:2]
    if len(made) > 2:
        meta = dict(meta, length=meta["length"] * made[2]["length"], time=meta["time"] * made[2]["time"])
    other["output"]["channels"] = [n for n in other["system"]["bodies"]] + ["energy"]
    outcome = trammel.run(other)
    if outcome.code != 0:
        return math.inf, f"exit {outcome.code}: {runner.kind_of(outcome.message)[:80]}", 0.0, outcome.code != 0, other
    truth = expected(base.columns)
    off, channel, at = judge.error(outcome.columns, truth, other, meta)
    return off, channel, at, any(runner.accuses(w) for w in outcome.warnings), other


def bits(document, trammel, rng):
    """[(name, differs)]: another output step, a second run, a run split by a checkpoint."""
    document = copy.deepcopy(document)
    first = trammel.run(document)
    again = trammel.run(document)
    step = document["output"]["step"]
    dense = trammel.run(dict(document, output=dict(document["output"], step=step / 3)))
    out = []
    if first.code == 0:
        out.append(("run twice", first.columns != again.columns))
        own = {k: v for k, v in first.columns.items() if k.partition(".")[0] in document["system"]["bodies"]}
        out.append(("output.step", dense.code != 0 or any(abs(dense.columns[k][-1] - v[-1]) > 0 for k, v in own.items())))
        with tempfile.TemporaryDirectory(dir=runner.SCRATCH) as folder:
            every = document["analysis"]["duration"] * 0.4
            whole = trammel.run(document, "--checkpoint-every", repr(every), keep=os.path.join(folder, "a"))
            point = os.path.join(folder, "a", "checkpoint.json")
            if whole.code == 0 and os.path.exists(point):
                rest = trammel.run(document, "--checkpoint-every", repr(every), "--restart", point, keep=os.path.join(folder, "b"))
                # The sparse solver's pivots are not in the file: equal to rounding (docs/checkpoints.md).
                out.append(("checkpoint", rest.code != 0 or judge.error(rest.columns, whole.columns, document, UNIT)[0] > 1e-9))
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trammel", default="build/release/bin/trammel")
    parser.add_argument("--models", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", default="relation_results")
    options = parser.parse_args()
    folder = pathlib.Path(options.out)
    folder.mkdir(parents=True, exist_ok=True)
    trammel = runner.Trammel(options.trammel)
    types = trammel.types("integrator")
    language = hunt.language_of(trammel)
    counts, violated = collections.Counter(), []
    for seed in range(options.seed, options.seed + options.models):
        document, meta = generate.mechanism(seed, language)
        document, _ = generate.started(document, trammel)
        if document is None:
            continue
        rng = random.Random(f"relations {seed}")
        document["formulation"] = {"type": "projection"}
        # Tight enough that what is left is the mechanism's; no bound on steps, so that leaps show as well.
        document["integrator"] = dict(TIGHT, atol=methods.absolute(1e-11, meta))
        document["output"]["channels"] = list(document["system"]["bodies"]) + ["energy"]
        base = trammel.run(document)
        check = trammel.run(dict(document, integrator=dict(document["integrator"], rtol=1e-9, atol=methods.absolute(1e-9, meta))))
        if base.code != 0 or check.code != 0 or judge.error(check.columns, base.columns, document, meta)[0] > 1e-6:
            counts["set aside"] += 1
            continue
        for relation in RELATIONS:
            result = compared(document, meta, relation, trammel, rng, base)
            if result is None:
                continue
            off, channel, at, warned, other = result
            good = off <= LIMIT
            counts[relation.__name__, "holds" if good else "warned or refused" if warned else "VIOLATED"] += 1
            if not good:
                violated.append((seed, meta["family"], meta["host"], relation.__name__, off, channel, at, warned))
                (folder / f"{seed}_{relation.__name__}.json").write_text(
                    f"// Relation {relation.__name__} violated by {off:.3g} at {channel}, t = {at:.6g}: first this, second {seed}_{relation.__name__}_other.json\n"
                    + json.dumps(document, indent=1))
                (folder / f"{seed}_{relation.__name__}_other.json").write_text(json.dumps(other, indent=1))
        result = reversed_time(document, meta, trammel)
        if result:
            good = result[0] <= 100 * LIMIT  # the way back starts from the errors of the way there
            counts["reversed time", "holds" if good else "warned or refused" if result[3] else "VIOLATED"] += 1
            if not good:
                violated.append((seed, meta["family"], meta["host"], "reversed time", *result))
        combination = methods.sample(types, seed, 3)[rng.randrange(3)]
        for name, differs in bits(methods.applied(document, combination, meta), trammel, rng):
            counts[name, "VIOLATED" if differs and combination[1]["type"] not in ("cvode", "arkode", "ida") else "holds"] += 1
            if differs:
                violated.append((seed, meta["family"], meta["host"], name, math.inf, methods.label(combination), 0.0, False))
    for key, count in sorted(counts.items(), key=str):
        print(f"  {count:6d}  {key if isinstance(key, str) else '  '.join(key)}")
    for seed, family, host, name, off, channel, at, warned in violated:
        print(f"  seed {seed} ({family}, {host})  {name}{' (warned)' if warned else ''}  {off:.3g}  {channel} t={at:.4g}")
    runner.clean()
    return 4 if any(k[1] == "VIOLATED" for k in counts if not isinstance(k, str)) else 0


if __name__ == "__main__":
    sys.exit(main())
