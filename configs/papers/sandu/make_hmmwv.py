"""Writes hmmwv.json, hmmwv_10dof.json and hmmwv_stiff.json: a 14-body model of the HMMWV of Sandu et al. (2001), section 5.2.

Counts, spring, tyre and manoeuvre are the paper's. Hardpoints, masses and inertias are those of Project Chrono's public HMMWV data
(data/vehicle/hmmwv, numbers only); what neither gives is a choice that README.md lists. Metres, kilograms, seconds, newtons;
x forward, y left, z up; all bodies start with axes parallel to the ground's, at design height.

Usage: python3 make_hmmwv.py [FOLDER]
"""
import math
import pathlib
import sys

HEIGHT = 0.4959  # of the chassis' reference point R; puts the wheel centres one tyre radius above the road
RADIUS, BUMP = 0.4699, 0.05
SPEED = 4.4704  # 10 miles an hour
FRAMES = {"front": 1.688965, "rear": -1.688965}  # suspension frames, ahead of R

# Left side, suspension frame.
POINTS = {
    "front": {"uca": (-0.106, 0.589, 0.218), "lca": (0, 0.547, -0.059), "spindle": (-0.040, 0.875849, -0.026),
              "uca_bushes": ((-0.048, 0.446, 0.245), (-0.268, 0.478, 0.196)), "uca_axis": (0.966391, -0.140566, 0.215242),
              "lca_bushes": ((0.223, 0.307, 0.0), (-0.223, 0.307, 0.0)), "upper_ball": (-0.053, 0.716, 0.215),
              "lower_ball": (-0.036, 0.787, -0.118), "link": (-0.036, 0.709313, -0.098903),
              "tie_inner": (-0.250, 0.448, 0.054), "tie_outer": (-0.176, 0.821, -0.016), "hub": (-0.040, 0.910, -0.026)},
    "rear": {"uca": (0.124, 0.589, 0.221), "lca": (0, 0.547, -0.059), "spindle": (0.036, 0.875849, -0.026),
             "uca_bushes": ((0.349, 0.462, 0.228), (0.077, 0.462, 0.224)), "uca_axis": (0.999892, 0, 0.014704),
             "lca_bushes": ((0.223, 0.307, 0.0), (-0.223, 0.307, 0.0)), "upper_ball": (0.036, 0.716, 0.216),
             "lower_ball": (0.036, 0.787, -0.118), "link": (0.036, 0.709313, -0.098903),
             "tie_inner": (0.223, 0.416, 0.059), "tie_outer": (0.170, 0.821, -0.009), "hub": (0.036, 0.910, -0.026)},
}
CHASSIS = (0.056, 0.0, 0.213 + HEIGHT)
RACK = (FRAMES["front"] - 0.250, 0.0, 0.054 + HEIGHT)


# For pictures only: a body on a frame, seen from the centre of mass; colours as in HTML.
PAINT, GLASS, STEEL, TYRE, RIM, ROAD, MARK = "#8d9675", "#566472", "#6d7a88", "#3a4047", "#b4bcc5", "#cfd4da", "#b8652a"
HULL = [((3.9, 0.62, 0.16), (0, 0, -0.12), STEEL), ((4.55, 1.95, 0.10), (-0.05, 0, 0.40), PAINT),
        ((1.35, 1.50, 0.18), (1.45, 0, 0.54), PAINT), ((2.00, 1.75, 0.32), (-0.30, 0, 0.61), PAINT),
        ((1.92, 1.71, 0.26), (-0.30, 0, 0.90), GLASS), ((2.00, 1.75, 0.08), (-0.30, 0, 1.07), PAINT)]


def numbers(values):
    return "[" + ", ".join(f"{value:.10g}" if abs(value) > 1e-15 else "0" for value in values) + "]"


def place(end, side, point):
    return (FRAMES[end] + point[0], side * point[1], HEIGHT + point[2])


def local(point, centre):
    return numbers([a - b for a, b in zip(point, centre)])


def body(name, mass, inertia, position, shape):
    return (f'      "{name}": {{ "mass": {mass:.10g}, "inertia": {numbers(inertia)}, "position": {numbers(position)}, '
            f'"velocity": ["=speed", 0, 0],\n        "shape": {shape} }}')


def distance(name, i, j, point_i, point_j, centres):
    length = math.dist(point_i, point_j)
    return (f'      "{name}": {{ "type": "distance", "bodies": ["{i}", "{j}"], "point_i": {local(point_i, centres[i])}, '
            f'"point_j": {local(point_j, centres[j])}, "length": {length:.17g} }}')


def model(title, comment, lower_ball_joint, scale, settled):
    """`settled`: how far ahead of the design position the front wheels' centres are in the equilibrium that runs start from."""
    centres = {"chassis": CHASSIS, "rack": RACK}
    hull = ",\n          ".join(f'{{ "type": "box", "size": {numbers(size)}, "center": {numbers(centre)}, "color": "{color}" }}'
                             for size, centre, color in HULL)
    bodies = [body("chassis", 2086.52, (1078.52, 2955.66, 3570.20), CHASSIS, f"[{hull}]")]
    constraints, forces = [], []
    for end in ("front", "rear"):
        points = POINTS[end]
        for side, label in ((1, "left"), (-1, "right")):
            at = {key: place(end, side, value) for key, value in points.items() if not key.endswith(("bushes", "axis"))}
            names = {part: f"{part}_{end}_{label}" for part in ("uca", "lca", "spindle")}
            for part in names:
                centres[names[part]] = at[part]
            middle = {part: place(end, side, [(a + b) / 2 for a, b in zip(*points[part + "_bushes"])]) for part in ("uca", "lca")}
            arm = lambda part, ball: "[" + ", ".join(
                f'{{ "type": "rod", "from": {local(place(end, side, bush), at[part])}, "to": {local(at[ball], at[part])}, '
                f'"radius": 0.018, "color": "{STEEL}" }}' for bush in points[f"{part}_bushes"]) + "]"
            bodies += [
                body(names["uca"], 5.813, (0.03, 0.03, 0.06), at["uca"], arm("uca", "upper_ball")),
                body(names["lca"], 23.965, (0.4, 0.4, 0.8), at["lca"], arm("lca", "lower_ball")),
                body(names["spindle"], 90.555, (4.896272, 7.581220, 4.774342), at["spindle"],
                     f'[{{ "type": "cylinder", "from": [0, -0.159, 0], "to": [0, 0.159, 0], "radius": 0.4699, "color": "{TYRE}" }}, '
                     f'{{ "type": "disc", "axis": [0, 1, 0], "radius": 0.22, "thickness": 0.325, "color": "{RIM}" }}]'),
            ]
            axis = (points["uca_axis"][0], side * points["uca_axis"][1], points["uca_axis"][2])
            corner = f"{end}_{label}"
            constraints += [
                f'      "uca_pivot_{corner}": {{ "type": "revolute", "bodies": ["chassis", "{names["uca"]}"], '
                f'"at": {numbers(middle["uca"])}, "axis": {numbers(axis)} }}',
                f'      "lca_pivot_{corner}": {{ "type": "revolute", "bodies": ["chassis", "{names["lca"]}"], '
                f'"at": {numbers(middle["lca"])}, "axis": [1, 0, 0] }}',
                f'      "upper_ball_{corner}": {{ "type": "spherical", "bodies": ["{names["uca"]}", "{names["spindle"]}"], '
                f'"at": {numbers(at["upper_ball"])} }}',
            ]
            if lower_ball_joint:
                constraints.append(f'      "lower_ball_{corner}": {{ "type": "spherical", "bodies": ["{names["lca"]}", '
                                   f'"{names["spindle"]}"], "at": {numbers(at["lower_ball"])} }}')
            else:
                constraints.append(distance(f"lower_link_{corner}", names["lca"], names["spindle"], at["link"],
                                            at["lower_ball"], centres))
            inner = "rack" if end == "front" else "chassis"
            constraints.append(distance(f"tie_rod_{corner}", inner, names["spindle"], at["tie_inner"], at["tie_outer"], centres))
            upper = (at["upper_ball"][0], at["upper_ball"][1] - side * 0.10, at["upper_ball"][2] + 0.25)
            forces += [
                f'      "spring_{corner}": {{ "type": "tsda", "bodies": ["chassis", "{names["uca"]}"], '
                f'"point_i": {local(upper, CHASSIS)}, "point_j": {local(at["upper_ball"], at["uca"])},\n'
                f'        "stiffness": "=2e7*scale", "damping": "=2e6*scale", "free_length": {math.hypot(0.25, 0.10):.17g} }}',
                f'      "tyre_{corner}": {{ "type": "tyre_vertical", "body": "{names["spindle"]}", '
                f'"point": {local(at["hub"], at["spindle"])}, "stiffness": 296325, "damping": 3502,\n'
                f'        "radius": {RADIUS}, "contact": "bonded", "road": {{ "type": "disc_path", "centre": "=bump", '
                f'"disc_radius": {RADIUS}, "cylinder_radius": {BUMP} }} }}',
            ]
    bodies.append(body("rack", 9.072, (1, 1, 1), RACK, '{ "type": "rod", "from": [0, -0.448, 0], "to": [0, 0.448, 0], '
                                                      f'"radius": 0.02, "color": "{STEEL}" }}'))
    constraints += [
        f'      "rack_guide": {{ "type": "translational", "bodies": ["chassis", "rack"], "at": {numbers(RACK)}, "axis": [0, 1, 0] }}',
        f'      "steering": {{ "type": "translation_driver", "bodies": ["chassis", "rack"], "at": {numbers(RACK)}, '
        '"axis": [0, 1, 0], "function": 0 }',
    ]
    channels = ", ".join(f'"{name}"' for name in centres)
    first_touch = FRAMES["front"] + POINTS["front"]["hub"][0] + settled + math.sqrt((RADIUS + BUMP) ** 2 - RADIUS ** 2)
    return f"""// {comment}
// Written by make_hmmwv.py; README.md says what is the paper's, what is measured data and what is a choice.
{{
  "trammel": 2,
  "title": "{title}",
  "parameters": {{ "speed": {SPEED}, "scale": {scale}, "bump": "={first_touch:.17g} + 0.5*speed" }},
  "system": {{
    "type": "spatial",
    "gravity": [0, 0, -9.81],
    "bodies": {{
{(","  + chr(10)).join(bodies)}
    }},
    "ground": {{
      "shape": [{{ "type": "box", "size": [40, 7, 0.04], "center": [11, 0, -0.02], "color": "{ROAD}" }},
        {{ "type": "cylinder", "from": ["=bump", -3.5, 0], "to": ["=bump", 3.5, 0], "radius": {BUMP}, "color": "{MARK}" }}]
    }},
    "constraints": {{
{(","  + chr(10)).join(constraints)}
    }},
    "forces": {{
{(","  + chr(10)).join(forces)}
    }}
  }},
  "analysis": {{ "type": "dynamics", "duration": 5, "start": "equilibrium" }},
  "formulation": {{
    "type": "coordinate_partitioning",  // the others are chosen; with the chassis' own motion the steps are longest
    "criterion": "condition",
    "independent": ["chassis.x", "chassis.y", "chassis.z", "chassis.e1", "chassis.e2", "chassis.e3"]
  }},
  "integrator": {{ "type": "rosenbrock_nystrom", "rtol": 1e-4, "atol": 1e-4, "controller": "i" }},
  "output": {{ "step": 0.01, "channels": [{channels},
    "tyre_front_left", "tyre_rear_left", "step"] }}
}}
"""


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent)
    files = {
        "hmmwv.json": model("HMMWV, 18 degrees of freedom", "HMMWV of Sandu et al. (2001), section 5.2, over a half-cylinder at "
                            "10 mph.", False, 1, 0.00255163),
        "hmmwv_10dof.json": model("HMMWV, 10 degrees of freedom", "The HMMWV with textbook double wishbones: ball joints at both "
                                  "ends of the uprights.", True, 1, -0.00010726),
        "hmmwv_stiff.json": model("HMMWV, dominant eigenvalue -2.6e5", "The HMMWV with springs and dampers scaled so that the "
                                  "dominant eigenvalue is the paper's.", False, 13.7, 0.00256175),
    }
    for name, text in files.items():
        (folder / name).write_text(text)


main()
