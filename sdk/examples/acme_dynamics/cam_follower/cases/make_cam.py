"""Writes the run files of the eccentric circular cam and, from its closed form, eccentric.csv.

The cam is a circle of radius R whose centre lies at the distance e from its axle; it turns with the angle w t, and the
follower moves along the y axis. With theta = w t:

    flat face    y = e sin theta + R
    roller       y = e sin theta + sqrt((R + rho)^2 - e^2 cos^2 theta)        y: the roller's centre

The profile that the plugin is given are N points of the circle: the spline through them differs from it by about
R (2 pi / N)^4 / 400.
"""
import json
import math

R, e, rho, w, N, duration = 0.3, 0.1, 0.1, 4.0, 48, 2.0


def motions(t):
    """y, y', y'' of flat face and roller."""
    s, c = e * math.sin(w * t), e * math.cos(w * t)  # e sin, e cos
    L = math.sqrt((R + rho) ** 2 - c * c)
    L1 = c * s * w / L                               # L L' = c s w
    L2 = (w * w * (c * c - s * s) - L1 * L1) / L
    return [s + R, w * c, -w * w * s, s + L, w * c + L1, -w * w * s + L2]


def run_file(kind):
    y, ydot, *_ = motions(0)[:2] if kind == "flat" else motions(0)[3:5]
    points = [x for k in range(N) for x in (e + R * math.cos(2 * math.pi * k / N), R * math.sin(2 * math.pi * k / N))]
    contact = {"type": "acme.cam_follower", "bodies": ["cam", "follower"], "follower": kind}
    if kind == "roller":
        contact["radius"] = rho
    contact["points"] = points
    return {
        "trammel": 2,
        "title": f"Cam follower: an eccentric circle and a {kind}" + (" face" if kind == "flat" else ""),
        "plugins": {"search": ["../../build/plugins"]},
        "system": {
            "type": "planar",
            "gravity": [0, -9.81],
            "bodies": {
                "cam": {"mass": 3, "inertia": 0.15, "angular_velocity": w},
                "follower": {"mass": 0.5, "inertia": 0.001, "position": [0, y], "velocity": [0, ydot]},
            },
            "constraints": {
                "axle": {"type": "revolute", "bodies": ["ground", "cam"], "at": [0, 0]},
                "guide": {"type": "translational", "bodies": ["ground", "follower"], "at": [0, y], "axis": [0, 1]},
                "contact": contact,
                "drive": {"type": "angle_driver", "bodies": ["ground", "cam"], "at": [0, 0], "rate": w},
            },
        },
        "analysis": {"type": "dynamics", "duration": duration},
        "formulation": {"type": "projection"},
        "integrator": {"type": "dopri5", "rtol": 1e-9, "atol": 1e-11, "max_step": 0.01},
        "output": {"step": 0.02, "channels": ["cam", "follower", "follower.ay", "contact", "energy", "constraint"]},
    }


def text_of(value, depth=0):
    """JSON with one line for everything below the third level."""
    if depth > 2 or not isinstance(value, dict) or not any(isinstance(x, (dict, list)) for x in value.values()):
        return json.dumps(value)
    indent = "  " * (depth + 1)
    return "{\n" + ",\n".join(f"{indent}{json.dumps(k)}: {text_of(x, depth + 1)}" for k, x in value.items()) + "\n" + indent[2:] + "}"


for kind in ("flat", "roller"):
    with open(f"cam_{kind}.json", "w") as file:
        file.write("// Written by make_cam.py: the points lie on a circle, so that the motion is known in closed form.\n")
        file.write(text_of(run_file(kind)) + "\n")
with open("eccentric.csv", "w") as file:
    file.write("t,flat_y,flat_vy,flat_ay,roller_y,roller_vy,roller_ay\n")
    for k in range(101):
        t = duration * k / 100
        file.write(",".join(f"{x:.17g}" for x in [t, *motions(t)]) + "\n")
