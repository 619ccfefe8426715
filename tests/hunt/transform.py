"""Changes of a run file that change its motion in a known way: other units, turned, moved, mirrored."""
import copy
import re

# Dimension of numbers by element type and key: powers of length, mass, time. Keys that are absent have none, or are
# functions or formulas (below).
L, V, F, K, C = (1, 0, 0), (1, 0, -1), (1, 1, -2), (0, 1, -2), (0, 1, -1)
TORQUE, KT, CT, NONE = (2, 1, -2), (2, 1, -2), (2, 1, -1), (0, 0, 0)
LENGTHS = {"at", "point", "point_i", "point_j", "length", "distance", "radius", "radius_i", "radius_j", "points", "pitch",
           "initial_displacement"}
NUMBERS = {
    "tsda": {"stiffness": K, "damping": C, "friction": F, "friction_speed": V},
    "rsda": {"stiffness": KT, "damping": CT, "friction": TORQUE, "friction_speed": (0, 0, -1)},
    "bushing": {"stiffness": K, "damping": C, "torsional_stiffness": KT, "torsional_damping": CT, "preload": F, "torsional_preload": TORQUE},
    "applied_force": {"force": F}, "applied_torque": {"torque": TORQUE},
    "aerodynamic_drag": {"area": (2, 0, 0), "density": (-3, 1, 0), "linear": C, "wind": V},
    "gravity": {"acceleration": (1, 0, -2)}, "point_gravity": {"constant": (3, -1, -2), "mass_i": (0, 1, 0), "mass_j": (0, 1, 0)},
    "stop": {"dissipation": (-1, 0, 1)}, "impact": {"rest_speed": V}, "tyre_vertical": {"stiffness": K, "damping": C},
    "actuator": {"lag": (0, 0, 1)}, "dot2": {"value": L},
}
# Functions: dimensions of argument and value. Formulas: of variables and value.
TIME = (0, 0, 1)
FUNCTIONS = {
    "tsda": {"spring": (L, F), "damper": (V, F), "free_length": (TIME, L)}, "rsda": {"spring": (NONE, TORQUE), "damper": ((0, 0, -1), TORQUE)},
    "applied_force": {"function": (TIME, NONE)}, "applied_torque": {"function": (TIME, NONE)}, "aerodynamic_drag": {"function": (TIME, NONE)},
    "tyre_vertical": {"road": (L, L)}, "angle_driver": {"rate": (TIME, (0, 0, -1)), "function": (TIME, NONE)},
    "translation_driver": {"rate": (TIME, V), "function": (TIME, L)}, "distance_driver": {"rate": (TIME, V), "function": (TIME, L)},
    "coordinate_driver": {"rate": (TIME, V), "function": (TIME, L)},
}
VARIABLES = {
    "tsda": {"l": L, "length": L, "rate": V, "t": TIME}, "rsda": {"rate": (0, 0, -1), "t": TIME},
    "six_component_force": {"x": L, "y": L, "z": L, "vx": V, "vy": V, "vz": V, "wx": (0, 0, -1), "wy": (0, 0, -1), "wz": (0, 0, -1),
                            "omega": (0, 0, -1), "t": TIME},
}
FORMULAS = {"tsda": {"law": F}, "rsda": {"law": TORQUE},
            "six_component_force": {"force_x": F, "force_y": F, "force_z": F, "torque": TORQUE, "torque_x": TORQUE, "torque_y": TORQUE, "torque_z": TORQUE}}


class Units:
    def __init__(self, length, mass, time):
        self.length, self.mass, self.time = length, mass, time

    def of(self, dimension):
        return self.length ** dimension[0] * self.mass ** dimension[1] * self.time ** dimension[2]


def times(value, factor):
    return [times(x, factor) for x in value] if isinstance(value, list) else value * factor


def rescaled_formula(formula, factor, variables):
    """factor * formula with each variable divided by its own unit."""
    for name, unit in variables.items():
        if unit != 1:
            formula = re.sub(rf"\b{name}\b(?!\()", f"({name}/{unit!r})", formula)
    return formula if factor == 1 else f"{factor!r}*({formula})"


def rescaled_function(f, argument, value):
    if isinstance(f, (int, float)):
        return f * value
    if isinstance(f, str):
        return rescaled_formula(f, value, {"t": argument, "x": argument})
    f = copy.deepcopy(f)
    kind = f["type"]
    for key in {"step": ("begin", "end"), "bump": ("begin", "end"), "chirp": ("begin", "end"), "spline": ("x",), "piecewise": ("breaks",),
                "expression": ("break_points",), "integral": ("from", "until"), "disc_path": ("centre", "disc_radius", "cylinder_radius")}.get(kind, ()):
        if key in f:
            f[key] = times(f[key], argument)
    for key in {"constant": ("value",), "step": ("from", "to"), "bump": ("height",), "harmonic": ("amplitude", "offset"),
                "chirp": ("amplitude", "offset"), "fourier": ("cosines", "sines", "offset"), "spline": ("y",), "product": ("factor",),
                "sum": ("offset",), "integral": ("initial",)}.get(kind, ()):
        if key in f:
            f[key] = times(f[key], value)
    if kind == "step":
        f.setdefault("to", value)
    for key in ("frequency", "omega", "begin_frequency", "end_frequency"):
        if key in f:
            f[key] = f[key] / argument
    for key in ("begin_slope", "end_slope"):
        if key in f:
            f[key] = f[key] * value / argument
    if kind == "polynomial":
        f["coefficients"] = [c * value / argument ** i for i, c in enumerate(f["coefficients"])]
    elif kind == "expression":
        f["formula"] = rescaled_formula(f["formula"], value, {"t": argument, "x": argument})
    elif kind == "piecewise":
        f["pieces"] = [rescaled_function(p, argument, value) for p in f["pieces"]]
    elif kind == "sum":
        f["of"] = [rescaled_function(p, argument, value) for p in f["of"]]
    elif kind == "product":
        f["of"] = [rescaled_function(p, argument, 1) for p in f["of"]]
        f.setdefault("factor", value)
    elif kind == "integral":
        f["of"] = rescaled_function(f["of"], argument, value / argument)
    return f


def coordinate_unit(system, joint, which, units):
    """Unit of a joint's coordinate: length where it slides."""
    kind = system["constraints"][joint]["type"]
    slides = which == "displacement" or (which == "first" and kind in ("translational", "point_on_line", "in_line", "revolute_translational"))
    return units.length if slides else 1


def rescaled_element(e, units, system):
    kind = e["type"]
    for key, value in list(e.items()):
        if key in FUNCTIONS.get(kind, {}):
            argument, result = FUNCTIONS[kind][key]
            e[key] = rescaled_function(value, units.of(argument), units.of(result))
        elif key in FORMULAS.get(kind, {}):
            e[key] = rescaled_formula(value, units.of(FORMULAS[kind][key]), {n: units.of(d) for n, d in VARIABLES[kind].items()})
        elif key in NUMBERS.get(kind, {}):
            e[key] = times(value, units.of(NUMBERS[kind][key]))
        elif key in LENGTHS:
            e[key] = times(value, units.length)
    if kind == "stop":
        e["stiffness"] *= units.of(F) / units.length ** e.get("exponent", 1.5)
    elif kind == "coupler":
        e["ratio"] *= (coordinate_unit(system, e["second"], e.get("second_coordinate", "first"), units) /
                       coordinate_unit(system, e["first"], e.get("first_coordinate", "first"), units))
    elif kind == "joint_friction":
        joint = system["constraints"][e["joint"]]["type"]
        slides = {"translational": [True], "cylindrical": [False, True]}.get(joint, [False])
        for key, pair in (("damping", (CT, C)), ("friction", (TORQUE, F))):
            if key in e:
                values = e[key] if isinstance(e[key], list) else [e[key]]
                e[key] = [v * units.of(pair[s]) for v, s in zip(values, slides)]
        if "friction_speed" in e:
            e["friction_speed"] *= units.of((0, 0, -1)) if slides == [False] else units.of(V)
    elif kind == "actuator":
        unit = coordinate_unit(system, e["joint"], e.get("coordinate", "first"), units) if "joint" in e else units.length
        effort = units.of(F) * units.length / unit
        for key in ("initial_force", "minimum", "maximum"):
            if key in e:
                e[key] *= effort
        if "function" in e:
            e["function"] = rescaled_function(e["function"], units.time, effort)
        if "law" in e:
            e["law"] = rescaled_formula(e["law"], effort, {"x": unit, "rate": unit / units.time, "force": effort, "t": units.time})


def rescale(document, length, mass, time):
    """The similar mechanism whose lengths, masses and times are these multiples."""
    document = copy.deepcopy(document)
    units, system = Units(length, mass, time), document["system"]
    if "gravity" in system:
        system["gravity"] = times(system["gravity"], units.of((1, 0, -2)))
    for body in system["bodies"].values():
        for key, dimension in (("mass", (0, 1, 0)), ("inertia", (2, 1, 0)), ("position", L), ("velocity", V), ("angular_velocity", (0, 0, -1))):
            if key in body:
                body[key] = times(body[key], units.of(dimension))
    for part in ("constraints", "forces"):
        for element in system.get(part, {}).values():
            rescaled_element(element, units, system)
    document["analysis"]["duration"] *= time
    document["output"]["step"] *= time
    integrator = document.get("integrator", {})
    for key in ("step", "max_step", "min_step", "initial_step"):
        if key in integrator:
            integrator[key] *= time
    return document
