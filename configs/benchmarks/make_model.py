"""Writes a mechanism of any size as a run file: make_model.py FAMILY N > model.json

Families (N counts links, loops or joints):
  revolute_chain           N links on spatial revolutes, axes alternating between z and (0, 1, 1), released from rest
  spherical_chain          N links on ball joints
  planar_chain             N links on planar revolutes
  planar_ladder            N-four-bar: N + 1 cranks and N couplers on planar revolutes
  four_bar_ladder          the same in space, each loop with revolute, universal and spherical joints: none redundant
  four_bar_ladder_redundant  the same in space with revolutes only: 3 N redundant rows
  binary_tree              N bodies (1, 3, 7, 15, ...), body i hanging by a ball joint from body (i - 1) // 2
  net                      N x N bodies joined to their neighbours by rods (distance joints), hung by one corner
  hub                      one body that N arms are hinged to
  hanging_chain            N (even) planar links, 5 m and 4 kg together, between (0, 0) and (3, 0.5), drawn as a V: its equilibrium
  hub_and_loop             the same beside one loop of four_bar_ladder, which passes its singular positions
  beam                     N planar links, a steel strip of 1 m clamped at one end, with stiffness-proportional damping, 10 N at its tip
"""
import json
import math
import sys

PLANAR_FAMILIES = ("planar_chain", "planar_ladder", "hanging_chain")


def rod(length, mass, planar, thickness=0.02):
    across = mass * length**2 / 12
    return {"mass": mass, "inertia": across if planar else [mass * thickness**2 / 2, across, across]}


def chain(n, joint, planar):
    length, mass = 0.1, 0.05
    bodies, joints = {}, {}
    for i in range(1, n + 1):
        middle = [(i - 0.5) * length, 0] + ([] if planar else [0])
        bodies[f"link{i}"] = rod(length, mass, planar) | {"position": middle}
        ends = ["ground" if i == 1 else f"link{i - 1}", f"link{i}"]
        hinge = {"type": joint, "bodies": ends, "at": [(i - 1) * length, 0] + ([] if planar else [0])}
        if joint == "revolute" and not planar:
            hinge["axis"] = [0, 0, 1] if i % 2 else [0, 1, 1]
        joints[f"hinge{i}"] = hinge
    return bodies, joints


def ladder(n, planar, redundant=False):
    """Problem A02 of the multibody benchmark library: cranks upright, their tips moving at 1 m/s."""
    def place(x, y, upright):
        if planar:
            return {"position": [x, y]} | ({"angle": math.pi / 2} if upright else {})
        turn = {"rotation": {"axis": [0, 0, 1], "angle": math.pi / 2}} if upright else {}
        return {"position": [x, y, 0]} | turn

    def joint(kind, bodies, x, y):
        given = {"type": kind, "bodies": bodies, "at": [x, y] + ([] if planar else [0])}
        if not planar and kind != "spherical":
            given["axis"] = [0, 0, 1]
        if kind == "universal":
            given["second_axis"] = [0, 1, 0]
        return given

    second, third = ("revolute", "revolute") if planar or redundant else ("universal", "spherical")
    still = [] if planar else [0]
    bodies, joints = {}, {}
    for i in range(n + 1):
        spin = -1 if planar else [0, 0, -1]
        bodies[f"crank{i}"] = rod(1, 1, planar) | place(i, 0.5, True) | {
            "velocity": [0.5, 0] + still, "angular_velocity": spin}
        joints[f"pivot{i}"] = joint("revolute", ["ground", f"crank{i}"], i, 0)
        if i > 0:
            bodies[f"coupler{i}"] = rod(1, 1, planar) | place(i - 0.5, 1, False) | {"velocity": [1, 0] + still}
            joints[f"near{i}"] = joint(second, [f"crank{i - 1}", f"coupler{i}"], i - 1, 1)
            joints[f"far{i}"] = joint(third, [f"coupler{i}", f"crank{i}"], i, 1)
    return bodies, joints


def binary_tree(n):
    bodies, joints, top = {}, {}, {0: (0.0, 0.0, 0.0)}
    for i in range(n):
        level = (i + 1).bit_length() - 1
        # Children lean to either side, each level turned by a right angle about the vertical.
        side = 0 if i == 0 else (1 if i % 2 else -1)
        turn, length = level * math.pi / 2, 0.8**level
        lean = [side * 0.6 * math.cos(turn), side * 0.6 * math.sin(turn), -0.8 if side else -1.0]
        start = top[i]
        end = tuple(s + length * d for s, d in zip(start, lean))
        top[2 * i + 1] = top[2 * i + 2] = end
        inertia = length**2 / 12
        bodies[f"link{i}"] = {"mass": 1, "inertia": [inertia] * 3, "position": [(s + e) / 2 for s, e in zip(start, end)]}
        parent = "ground" if i == 0 else f"link{(i - 1) // 2}"
        joints[f"ball{i}"] = {"type": "spherical", "bodies": [parent, f"link{i}"], "at": list(start)}
    return bodies, joints


def net(n):
    bodies, joints = {}, {}
    for row in range(n):
        for column in range(n):
            name = f"knot{row}_{column}"
            bodies[name] = {"mass": 0.1, "inertia": [1e-4] * 3, "position": [column, 0, -row]}
            for other_row, other_column in ((row - 1, column), (row, column - 1)):
                if other_row >= 0 and other_column >= 0:
                    joints[f"rod{other_row}_{other_column}_{row}_{column}"] = {
                        "type": "distance", "bodies": [f"knot{other_row}_{other_column}", name],
                        "point_i": [0, 0, 0], "point_j": [0, 0, 0], "length": 1}
    joints["hook"] = {"type": "spherical", "bodies": ["ground", "knot0_0"], "at": [0, 0, 0]}
    return bodies, joints


def hub(n):
    bodies = {"hub": {"mass": 10, "inertia": [1, 1, 2]}}
    joints = {}
    for i in range(n):
        angle = 2 * math.pi * i / n
        out = [math.cos(angle), math.sin(angle), 0]
        across = [-math.sin(angle), math.cos(angle), 0]
        bodies[f"arm{i}"] = rod(1, 0.1, False) | {"position": [1.5 * x for x in out],
                                                 "rotation": {"axis": [0, 0, 1], "angle": angle}}
        joints[f"hinge{i}"] = {"type": "revolute", "bodies": ["hub", f"arm{i}"], "at": out, "axis": across}
    return bodies, joints


def hanging_chain(n):
    length, mass, span, rise = 5 / n, 4 / n, 3, 0.5
    chord, slope = math.hypot(span, rise), math.atan2(rise, span)
    lean = math.acos(chord / 5)  # of either half against the chord
    bodies, joints, at = {}, {}, [0.0, 0.0]
    for i in range(1, n + 1):
        angle = slope - lean if i <= n // 2 else slope + lean
        along = [length * math.cos(angle), length * math.sin(angle)]
        bodies[f"link{i}"] = rod(length, mass, True) | {"position": [x + 0.5 * d for x, d in zip(at, along)], "angle": angle}
        ends = ["ground" if i == 1 else f"link{i - 1}", f"link{i}"]
        joints[f"hinge{i - 1}"] = {"type": "revolute", "bodies": ends, "at": at}
        at = [x + d for x, d in zip(at, along)]
    joints[f"hinge{n}"] = {"type": "revolute", "bodies": [f"link{n}", "ground"], "at": [span, rise]}
    return bodies, joints


def statics_of_hanging_chain(n):
    bodies, joints = hanging_chain(n)
    points = {f"joint{i}": {"body": f"link{i}", "point": [2.5 / n, 0]} for i in range(1, n + 1)}
    return {
        "trammel": 2,
        "title": f"Hanging chain of {n} links",
        "system": {"type": "planar", "gravity": [0, -9.81], "bodies": bodies, "points": points, "constraints": joints},
        "analysis": {"type": "equilibrium", "method": "minimum_potential"},
    }


def beam(n):
    """A cantilever of steel, 1 m x 50 mm x 10 mm, as n rigid links with hinge springs of EI/l and dampers of 1 ms times that.

    Half a spring more at the clamp than between links: half a link bends there.
    """
    length, mass, bending = 1 / n, 7800 * 0.05 * 0.01 / n, 2.1e11 * 0.05 * 0.01**3 / 12
    bodies, joints, springs = {}, {}, {}
    for i in range(1, n + 1):
        bodies[f"link{i}"] = rod(length, mass, True) | {"position": [(i - 0.5) * length, 0]}
        ends = ["ground" if i == 1 else f"link{i - 1}", f"link{i}"]
        joints[f"hinge{i}"] = {"type": "revolute", "bodies": ends, "at": [(i - 1) * length, 0]}
        stiffness = (2 if i == 1 else 1) * bending / length
        springs[f"spring{i}"] = {"type": "rsda", "bodies": ends, "stiffness": stiffness, "damping": 1e-3 * stiffness}
    springs["load"] = {"type": "applied_force", "body": f"link{n}", "point": [length / 2, 0], "force": [0, -10]}
    return {
        "trammel": 2,
        "title": f"Cantilever of {n} links, loaded at its tip",
        "system": {"type": "planar", "bodies": bodies, "points": {"tip": {"body": f"link{n}", "point": [length / 2, 0]}},
                   "constraints": joints, "forces": springs},
        "analysis": {"type": "dynamics", "duration": 0.5},
        "integrator": {"type": "auto", "rtol": 1e-5, "atol": 1e-8},
        "output": {"step": 0.005, "channels": ["tip", "energy"]},
    }


def hub_and_loop(n):
    bodies, joints = hub(n)
    for whole, part in zip((bodies, joints), ladder(1, False)):
        whole.update(part)
    return bodies, joints


FAMILIES = {
    "beam": beam,
    "hanging_chain": hanging_chain,
    "revolute_chain": lambda n: chain(n, "revolute", False),
    "spherical_chain": lambda n: chain(n, "spherical", False),
    "planar_chain": lambda n: chain(n, "revolute", True),
    "planar_ladder": lambda n: ladder(n, True),
    "four_bar_ladder": lambda n: ladder(n, False),
    "four_bar_ladder_redundant": lambda n: ladder(n, False, redundant=True),
    "binary_tree": binary_tree,
    "net": net,
    "hub": hub,
    "hub_and_loop": hub_and_loop,
}


def model(family, n):
    if family == "hanging_chain":
        return statics_of_hanging_chain(n)
    if family == "beam":
        return beam(n)
    bodies, joints = FAMILIES[family](n)
    planar = family in PLANAR_FAMILIES
    gravity = [0, -9.81] if planar else [0, -9.81, 0]
    if family in ("binary_tree", "net", "hub", "hub_and_loop"):
        gravity = [0, 0, -9.81]
    return {
        "trammel": 2,
        "title": f"{family} of size {n}",
        "system": {"type": "planar" if planar else "spatial", "gravity": gravity, "bodies": bodies,
                   "constraints": joints},
        "analysis": {"type": "dynamics", "duration": 1},
        "formulation": {"type": "projection"},
        "integrator": {"type": "dopri5", "rtol": 1e-8, "atol": 1e-10},
        "output": {"step": 0.05},
    }


def text(document):
    """JSON with one line per body, joint or other small part."""
    def write(value, indent):
        if not isinstance(value, dict) or not any(isinstance(entry, dict) for entry in value.values()):
            return json.dumps(value)
        inner = " " * (indent + 1)
        entries = (f"{inner}{json.dumps(key)}: {write(entry, indent + 1)}" for key, entry in value.items())
        return "{\n" + ",\n".join(entries) + "\n" + " " * indent + "}"
    return write(document, 0)


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in FAMILIES or not sys.argv[2].isdigit():
        sys.exit(__doc__)
    print(text(model(sys.argv[1], int(sys.argv[2]))))
