#!/usr/bin/python3
"""The other analyses on random mechanisms, each against a second way.

analyses.py --trammel build/release/bin/trammel --models 50 --seed 1

kinematics: another output step, drivers run backwards, dynamics of the same driven mechanism. inverse dynamics: the power of the
drivers against the change of energy. equilibrium: two other methods, and dynamics that starts there. modes: turned and in other
units, and the frequency of a small motion. states: equilibria of forces with states of their own under every kind of method.
assembly: residual of what was assembled.
"""
import argparse
import collections
import copy
import json
import math
import pathlib
import random
import sys

import elements
import functions
import generate
import hunt
import isometry
import judge
import methods
import relations
import runner
import transform
from builder import Mechanism

UNIT = {"length": 1.0, "time": 1.0}


SMOOTH = ["harmonic", "step", "bump", "fourier", "spline", "polynomial"]


def smooth_rate(m):
    """A rate without jumps, as kinematics asks for; now and then whole turns between two rows."""
    while True:
        f = m.time_function()
        if isinstance(f, dict) and f["type"] in SMOOTH:
            break
    if m.rng.random() < 0.2:
        begin = functions.short(m.rng.uniform(0.1, 0.8) * m.duration)
        f = {"type": "bump", "begin": begin, "end": begin + functions.short(0.02 * m.duration), "height": functions.number(m.rng, 50, 2000)}
    return f


def attempt(rng, language, title):
    """A mechanism that is meant to have all its freedoms driven."""
    m = Mechanism(rng, rng.choice(["planar", "spatial"]), language)
    if rng.random() < 0.5:
        generate.loop(m)
        driven_joints = ["j1"]
    else:
        generate.tree(m, rng.randint(1, 3), ["revolute", "revolute", "translational"])
        driven_joints = list(m.constraints)
    for name in driven_joints:
        joint = m.constraints[name]
        keys = {k: joint[k] for k in ("bodies", "at", "axis") if k in joint}
        turns = joint["type"] == "revolute"
        start = 0.0
        if m.host == "planar" and turns:
            keys.pop("axis", None)
            start = sum(sign * m.bodies.get(b, {}).get("angle", 0) for sign, b in zip((-1, 1), joint["bodies"]))
        m.add_constraint(type="angle_driver" if turns else "translation_driver",
                         function={"type": "integral", "of": smooth_rate(m), "initial": start, "until": m.duration}, **keys)
    m.pull_down()
    for _ in range(rng.randint(0, 2)):
        rng.choice([elements.spring, elements.torsion, elements.bushing, elements.friction])(m)
    document = json.loads(json.dumps(m.document(title)))
    document["output"]["channels"] = list(m.bodies) + [f"{n}.effort" for n, c in m.constraints.items() if "driver" in c["type"]]
    for key in ("formulation", "integrator"):
        document.pop(key)
    return document, m


def driven(seed, trammel, language):
    """The first of a few mechanisms that kinematics accepts."""
    for k in range(8):
        document, m = attempt(random.Random(f"driven {seed} {k}"), language, f"driven {seed} {k}")
        document["analysis"]["type"] = "kinematics"
        if trammel.run(dict(document, output={"step": document["analysis"]["duration"]})).code == 0:
            break
    return document, m


def bodies_only(document):
    return dict(document["output"], channels=list(document["system"]["bodies"]))


def kinematics(seed, trammel, language, out):
    document, m = driven(seed, trammel, language)
    document["analysis"]["type"] = "kinematics"
    document["output"] = bodies_only(document)
    fine = trammel.run(document)
    if fine.code != 0 or not judge.moves(fine.columns, document):
        out("kinematics", "set aside", seed, runner.kind_of(fine.message))
        return
    # The same rows from steps fifty times as long: turns and branches must not be lost.
    steps = len(fine.columns["t"]) - 1
    for factor in (5, 10, 25, 50):
        if steps % factor:
            continue
        coarse = trammel.run(dict(document, output=dict(document["output"], step=document["output"]["step"] * factor)))
        rows = {k: v[::factor] for k, v in fine.columns.items()}
        if coarse.code != 0:
            out("kinematics", "failed", seed, runner.kind_of(coarse.message))
            continue
        off = judge.error(coarse.columns, rows, document, UNIT)
        silent = not coarse.warnings or not any(runner.accuses(w) for w in coarse.warnings)
        out("kinematics, output step", "holds" if off[0] < 1e-8 else "SILENT WRONG" if silent else "warned", seed, off)
    # Dynamics of the same mechanism must find the same motion; it starts with the drivers' velocities.
    dynamic = dict(document, analysis={"type": "dynamics", "duration": document["analysis"]["duration"], "correction_limit": 1e12},
                   formulation={"type": "projection"},
                   integrator={"type": "dopri853", "rtol": 1e-10, "atol": 1e-12, "max_step": min(m.features.finest, document["analysis"]["duration"] / 500)})
    moved = trammel.run(dynamic)
    if moved.code == 0:
        off = judge.error(moved.columns, fine.columns, document, UNIT)
        told = any(runner.accuses(w) for w in moved.warnings + fine.warnings)
        out("kinematics, dynamics", "holds" if off[0] < 1e-5 else "warned" if told else "SILENT WRONG", seed, off)


def inverse_dynamics(seed, trammel, language, out):
    """Torques found by inverse dynamics, against the energy account of dynamics under the same drivers."""
    document, m = driven(seed, trammel, language)
    document["analysis"]["type"] = "inverse_dynamics"
    inverse = trammel.run(document)
    if inverse.code != 0:
        out("inverse dynamics", "set aside", seed, runner.kind_of(inverse.message))
        return
    efforts = [n for n in inverse.columns if n.endswith(".effort")]
    dynamic = dict(document, analysis={"type": "dynamics", "duration": document["analysis"]["duration"], "correction_limit": 1e12},
                   formulation={"type": "projection"},
                   integrator={"type": "dopri853", "rtol": 1e-10, "atol": 1e-12, "max_step": min(m.features.finest, document["analysis"]["duration"] / 500)})
    moved = trammel.run(dynamic)
    if moved.code != 0:
        out("inverse dynamics", "set aside", seed, runner.kind_of(moved.message))
        return
    size = max([max(map(abs, inverse.columns[n])) for n in efforts] + [1e-9])
    off = max((abs(a - b) / size, n, t) for n in efforts for a, b, t in zip(inverse.columns[n], moved.columns[n], inverse.columns["t"]))
    told = any(runner.accuses(w) for w in moved.warnings + inverse.warnings)
    out("inverse dynamics, forward", "holds" if off[0] < 1e-4 else "warned" if told else "SILENT WRONG", seed, off)


def sprung(seed, language):
    """A mechanism held by linear springs, with a state of rest near where it stands."""
    rng = random.Random(f"sprung {seed}")
    m = Mechanism(rng, rng.choice(["planar", "spatial"]), language)
    rng.choice([generate.tree, generate.tree, generate.slide, generate.loop, generate.doubled])(m)
    m.pull_down()
    for name in m.bodies:
        for _ in range(2 if m.host == "planar" else 3):
            p, q = m.vector(3), m.vector(0.3)
            length = m.length("ground", p, name, q)
            if length > 0.6:
                m.add_force(type="tsda", bodies=["ground", name], point_i=p, point_j=q, stiffness=functions.short(functions.log_uniform(rng, 100, 3000)),
                            damping=functions.number(rng, 1, 10), free_length=functions.short(length * rng.uniform(0.85, 1.0), 6))
    document = json.loads(json.dumps(m.document(f"sprung {seed}")))
    if rng.random() < 0.3:
        document = transform.rescale(document, 10 ** rng.randint(-3, 3), 10 ** rng.randint(-3, 3), 1)
    for key in ("formulation", "integrator"):
        document.pop(key)
    document["output"] = {"step": 1, "channels": list(m.bodies)}
    return document


def extent(document):
    return max([abs(x) for b in document["system"]["bodies"].values() for x in b["position"]] + [1e-12])


def in_length(columns, unit):
    """Positions of a mechanism whose lengths were multiplied by `unit`, as they were before."""
    return {k: [x / unit for x in v] if judge.SUFFIXES.get(k.rpartition(".")[2]) == judge.POSITION else v for k, v in columns.items()}


def at_rest(a, b, document):
    """Largest difference of positions over the model's extent, and of attitudes."""
    size, worst = extent(document), (0.0, "")
    for name in a:
        group = judge.SUFFIXES.get(name.rpartition(".")[2])
        if group in (judge.POSITION, judge.TURN) and name in b and a[name] and b[name]:
            sign = judge.same_sign(a, b, name, -1) if name[-2:-1] == "e" else 1
            worst = max(worst, (abs(sign * a[name][-1] - b[name][-1]) / (size if group == judge.POSITION else 1), name))
    return worst


def equilibrium(seed, trammel, language, out):
    document = sprung(seed, language)
    document["analysis"] = {"type": "equilibrium"}
    first = trammel.run(document)
    if first.code != 0:
        out("equilibrium", "set aside", seed, runner.kind_of(first.message))
        return
    if first.summary.get("stable"):
        # Settling from a little beside comes back: positions given by `at` are those of the first drawing, so the start is.
        settled = trammel.run(dict(document, analysis={"type": "equilibrium", "method": "settling"}))
        if settled.code == 0:
            off = at_rest(settled.columns, first.columns, document)
            same = off[0] < 1e-4 or settled.summary.get("stable")  # two stable states are both right
            out("equilibrium, settling", "holds" if same else "SILENT WRONG", seed, off)
    size = (1e3, 1, 1) if seed % 2 else (1e-3, 1e-3, 1)
    scaled = transform.rescale(dict(document, analysis={"type": "equilibrium", "duration": 1}), *size)
    scaled["analysis"] = {"type": "equilibrium"}
    other = trammel.run(scaled)
    if other.code != 0:
        out("equilibrium, units", "failed", seed, runner.kind_of(other.message))
        return
    off = at_rest(in_length(other.columns, size[0]), first.columns, document)
    stable = other.summary.get("stable"), first.summary.get("stable")
    same = off[0] < 1e-5 and stable[0] == stable[1] or all(stable)  # two stable states are both right
    out("equilibrium, units", "holds" if same else "warned" if other.warnings != first.warnings else "SILENT WRONG", seed, off)


def states(seed, trammel, language, out):
    """Forces with states of their own: settling under sampled methods against Newton's method. Those that cannot carry them refuse."""
    document = sprung(seed, language)
    rng = random.Random(f"states {seed}")
    body = rng.choice(list(document["system"]["bodies"]))
    ends = [[functions.number(rng, -2, 2) for _ in document["system"]["bodies"][body]["position"]] for _ in range(2)]
    forces = document["system"].setdefault("forces", {})
    load = functions.log_uniform(rng, 1e-3, 10)
    forces["lagging"] = {"type": "actuator", "lag": functions.short(functions.log_uniform(rng, 0.005, 0.5)), "bodies": ["ground", body],
                         "point_i": ends[0], "point_j": ends[1], "law": f"{functions.short(load)} - 0.1*rate",
                         "initial_force": functions.short(rng.choice([0, 1, -20, 1e3]) * load)}
    document["output"]["channels"].append("lagging")
    by_newton = trammel.run(dict(document, analysis={"type": "equilibrium", "method": "newton"}))
    if by_newton.code != 0 or not by_newton.summary.get("stable"):
        out("states", "set aside", seed, runner.kind_of(by_newton.message))
        return
    for formulation, method, adaptive in rng.sample(methods.combinations(trammel.types("integrator")), 6):
        steps = {} if adaptive else {"step": 1e-3}
        other = dict(document, analysis={"type": "equilibrium", "method": "settling", "duration": 50}, integrator=dict(method, **steps),
                     **({"formulation": formulation} if formulation else {}))
        settled = trammel.run(other)
        if settled.code != 0:
            out("states, settling", "refused" if settled.code == 2 else "failed", seed, runner.kind_of(settled.message))
            continue
        off = at_rest(settled.columns, by_newton.columns, document)
        force = [o.columns["lagging.force"][-1] for o in (settled, by_newton)]
        off = max(off, (abs(force[0] - force[1]) / abs(force[1]), "lagging.force"))
        told = any(runner.accuses(w) for w in settled.warnings)
        other_state = abs(force[0] - force[1]) < 1e-4 * abs(force[1]) and settled.summary.get("stable")  # two stable states are both right
        out("states, settling", "holds" if off[0] < 1e-3 or other_state else "warned" if told else "SILENT WRONG", seed, (method, off))


def eigenvalues(outcome):
    modes = outcome.tables.get("modes.csv", {})
    return sorted(zip(modes.get("omega", []), modes.get("real", [])))


def modes(seed, trammel, language, out):
    document = sprung(seed, language)
    document["analysis"] = {"type": "modes", "at": "equilibrium"}
    first = trammel.run(document)
    if first.code != 0:
        out("modes", "set aside", seed, runner.kind_of(first.message))
        return
    rng = random.Random(f"modes {seed}")
    variants = []
    timed = dict(document, analysis=dict(document["analysis"], duration=1), integrator={"type": "rk4"})
    for units in (rng.choice([(1e3, 1e3, 1e3), (1e-3, 1, 1), (1, 1e6, 1e-2)]), (10, 1, 1), (0.1, 1, 1), (1, 1, 10), (1, 1, 0.1)):
        variants.append(("modes, units", transform.rescale(timed, *units), units[0]))
    for name, relation in (("modes, turned", relations.rotate), ("modes, permuted", relations.permute), ("modes, in space", relations.in_space)):
        made = relation(timed, rng)
        if made:
            variants.append((name, made[0], 1))
    base, compared = eigenvalues(first), set()
    for name, other, length in variants:
        if name in compared:
            continue
        factor = other["analysis"].pop("duration")
        other.pop("integrator", None)
        outcome = trammel.run(other)
        if outcome.code != 0:
            out(name, "failed", seed, runner.kind_of(outcome.message))
            continue
        elsewhere = name == "modes, units" and at_rest(in_length(outcome.columns, length), first.columns, document)
        if elsewhere and elsewhere[0] > 1e-5 and outcome.summary.get("stable") and first.summary.get("stable"):
            out(name, "another stable state", seed, elsewhere)  # both are right; other units may lead to the same one
            continue
        compared.add(name)
        found = [(w * factor, r * factor) for w, r in eigenvalues(outcome)]
        if name == "modes, in space":  # the plane's modes are among them
            off = max([min(abs(w - x) + abs(r - s) for x, s in found) / max(1e-3, w) for w, r in base if found] + [0.0 if found or not base else 1.0])
        elif len(found) != len(base):
            off = math.inf
        else:
            top = max([w for w, _ in base] + [1e-9])
            off = max([(abs(w - x) + abs(r - s)) / max(w, 1e-6 * top) for (w, r), (x, s) in zip(base, found)] + [0.0])
        told = outcome.warnings != first.warnings
        out(name, "holds" if off < 1e-4 else "warned" if told else "SILENT WRONG", seed, (off, f"{len(base)} and {len(found)} modes"))


def assembly(seed, trammel, language, out):
    """A drawing that is off by a little, with body-fixed joints, closes; rows of its start are at rounding."""
    document, m = driven(seed, trammel, language)
    rng = random.Random(f"assembly {seed}")
    document["analysis"] = {"type": "assembly"}
    document["output"] = bodies_only(document)
    closed = trammel.run(document)
    if closed.code != 0:
        out("assembly", "set aside", seed, runner.kind_of(closed.message))
        return
    size = extent(document)
    sketch = copy.deepcopy(document)
    if not isometry.localise(sketch):
        return
    for body in sketch["system"]["bodies"].values():
        body["position"] = [x + 0.02 * size * rng.uniform(-1, 1) for x in body["position"]]
    opened = trammel.run(sketch)
    if opened.code != 0:
        out("assembly", "failed", seed, runner.kind_of(opened.message))
        return
    residual = opened.summary.get("assembly", {}).get("largest_violation", 0.0)
    out("assembly", "holds" if residual < 1e-9 * max(1, size) else "SILENT WRONG", seed, residual)


CHECKS = {"kinematics": kinematics, "inverse_dynamics": inverse_dynamics, "equilibrium": equilibrium, "modes": modes,
          "states": states, "assembly": assembly}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trammel", default="build/release/bin/trammel")
    parser.add_argument("--models", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=list(CHECKS))
    parser.add_argument("--allowed", type=int, default=0)
    options = parser.parse_args()
    trammel = runner.Trammel(options.trammel)
    language = hunt.language_of(trammel)
    counts, shown = collections.Counter(), []

    def out(what, verdict, seed, detail):
        counts[what, verdict] += 1
        if verdict != "holds":
            shown.append((what, verdict, seed, detail))
    for seed in range(options.seed, options.seed + options.models):
        for name, check in CHECKS.items():
            if options.only in (None, name):
                check(seed, trammel, language, out)
    for (what, verdict), count in sorted(counts.items()):
        print(f"  {count:6d}  {what}: {verdict}")
    for what, verdict, seed, detail in shown:
        print(f"  seed {seed}  {what}: {verdict}  {detail}")
    runner.clean()
    return 4 if sum(c for (_, v), c in counts.items() if v == "SILENT WRONG") > options.allowed else 0


if __name__ == "__main__":
    sys.exit(main())
