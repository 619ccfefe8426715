"""Random forces and one-sided elements on a mechanism, every type that ships."""
import math

import functions
from functions import number, short
from builder import WITH_ANGLE, WITH_DISPLACEMENT


def spring(m):
    rng = m.rng
    first, second = m.between()
    p, q = m.random_point(first), m.random_point(second)
    length = m.length(first, p, second, q)
    if length < 0.3:
        p = [x + 0.7 for x in p] if first == "ground" else p
        length = m.length(first, p, second, q)
        if length < 0.3:
            return
    k = short(functions.log_uniform(rng, 5, 2000))
    reach = 0.3
    force = {"type": "tsda", "bodies": [first, second], "point_i": p, "point_j": q}
    free = short(length * rng.uniform(0.6, 1.2))
    kind = rng.choice(["linear"] * 3 + ["one_sided", "one_sided", "function", "function", "law", "moving", "friction"])
    if kind == "linear":
        force.update(stiffness=k, damping=short(rng.choice([0, 0.02, 0.1]) * k), free_length=free)
    elif kind == "one_sided":
        side = rng.choice(["compression", "tension"])
        free = short(length * (rng.uniform(0.3, 0.95) if side == "compression" else rng.uniform(1.02, 1.3)))
        force.update(stiffness=short(5 * k), damping=short(rng.choice([0, 0.02]) * k), free_length=free, one_sided=side)
    elif kind == "function":
        force.update(spring=functions.of_stretch(rng, k, reach, m.language), free_length=free)
        if rng.random() < 0.5:
            force["damper"] = functions.of_rate(rng, 0.05 * k, m.language)
    elif kind == "law":
        force["law"] = rng.choice([f"{k}*(l-{free})+{short(0.02 * k)}*rate*abs(rate)", f"{k}*max(0, l-{short(free * 1.05)})",
                                   f"{k}*(l-{free})*(1+0.3*sin(3*t))", f"min({k}, {short(2 * k)}*max(0, l-{free}))",
                                   f"if(l < {short(free)}, {short(3 * k)}, {k})*(l-{free})" if m.language["if"] else
                                   f"{k}*(l-{free})+{short(2 * k)}*min(0, l-{free})"])
    elif kind == "moving":
        omega = number(rng, 1, 15)
        m.features.note(0.3 / omega)
        force.update(stiffness=k, free_length={"type": "harmonic", "amplitude": short(0.2 * free), "omega": omega, "offset": free})
    else:
        force.update(stiffness=k, free_length=free, friction=short(k * 0.05), friction_speed=0.1)
    m.add_force(**force)


def torsion(m):
    """On a joint with an angle only: elsewhere the angle of a spatial rsda has no meaning."""
    rng = m.rng
    joints = [j for j in m.constraints.values() if j["type"] == "revolute"]
    if not joints:
        return
    joint = rng.choice(joints)
    k = short(functions.log_uniform(rng, 1, 200))
    force = {"type": "rsda", "bodies": joint["bodies"]}
    if m.host == "spatial":
        force["axis"] = joint["axis"]
    kind = rng.choice(["linear", "linear", "function", "law", "damper"])
    if kind == "linear":
        force.update(stiffness=k, damping=short(rng.choice([0, 0.05]) * k))
    elif kind == "function":
        force["spring"] = functions.of_stretch(rng, k, 0.6, m.language)
    elif kind == "law":
        force["law"] = rng.choice([f"{k}*sin(theta)", f"{k}*max(0, theta-0.3)", f"{k}*theta+{short(0.05 * k)}*rate",
                                   f"{k}*abs(theta)*theta", f"{k}*min(0.5, max(-0.5, theta))"])
    else:
        force.update(stiffness=k, damper=functions.of_rate(rng, 0.1 * k, m.language))
    m.add_force(**force)


def bushing(m):
    rng = m.rng
    first, second = m.between()
    k = functions.log_uniform(rng, 50, 3000)
    many = m.size
    force = {"type": "bushing", "bodies": [first, second], "at": m.position(second),
             "stiffness": [short(k * rng.uniform(0.3, 1)) for _ in range(many)], "damping": [short(0.01 * k)] * many}
    if m.host == "planar":
        force.update(angle=number(rng, -1, 1), torsional_stiffness=short(0.05 * k))
    else:
        force.update(rotation={"axis": m.direction(), "angle": number(rng, -1, 1)}, torsional_stiffness=[short(0.05 * k)] * 3,
                     torsional_damping=[short(0.001 * k)] * 3)
    m.add_force(**force)


def friction(m):
    rng = m.rng
    joints = [(n, j) for n, j in m.constraints.items() if j["type"] in ("revolute", "translational", "cylindrical")]
    if not joints:
        return
    name, joint = rng.choice(joints)
    count = 2 if joint["type"] == "cylindrical" else 1
    force = {"type": "joint_friction", "joint": name, "damping": [number(rng, 0.01, 1) for _ in range(count)]}
    if rng.random() < 0.5:
        force.update(friction=[number(rng, 0.1, 2) for _ in range(count)], friction_speed=0.1)
    m.add_force(**force)


def push(m):
    rng = m.rng
    body = rng.choice(list(m.bodies))
    if rng.random() < 0.6:
        force = {"type": "applied_force", "body": body, "force": m.vector(8), "function": m.time_function()}
        if rng.random() < 0.5:
            force["point"] = m.vector(0.3)
        if rng.random() < 0.3:
            force["frame"] = "body"
    else:
        force = {"type": "applied_torque", "body": body, "torque": m.torque(1), "function": m.time_function()}
        if m.host == "spatial" and rng.random() < 0.4:
            force["frame"] = "body"
    m.add_force(**force)


def actuator(m):
    rng = m.rng
    joints = [n for n, j in m.constraints.items() if j["type"] in ("revolute", "translational", "cylindrical")]
    force = {"type": "actuator", "lag": short(functions.log_uniform(rng, 0.005, 0.5)), "initial_force": number(rng, -1, 1)}
    if joints and rng.random() < 0.7:
        force["joint"] = rng.choice(joints)
    else:
        first, second = m.between()
        p, q = m.random_point(first), m.random_point(second)
        if m.length(first, p, second, q) < 0.4:
            return
        force.update(bodies=[first, second], point_i=p, point_j=q)
    if rng.random() < 0.5:
        force["function"] = m.time_function()
    else:
        force["law"] = f"{number(rng, 2, 20)}*({number(rng, -0.5, 0.5)}-x)-{number(rng, 0.1, 2)}*rate"
    if rng.random() < 0.5:
        force.update(minimum=-number(rng, 1, 3), maximum=number(rng, 1, 3))
    m.add_force(**force)


def drag(m):
    rng = m.rng
    force = {"type": "aerodynamic_drag", "body": rng.choice(list(m.bodies)), "area": number(rng, 0.1, 1), "coefficient": 1,
             "density": 1.225, "linear": number(rng, 0, 0.5), "wind": m.vector(3)}
    if rng.random() < 0.4:
        force["function"] = m.time_function()
    m.add_force(**force)


def six(m):
    rng = m.rng
    first, second = "ground", rng.choice(list(m.bodies))
    k = short(functions.log_uniform(rng, 10, 300))
    gap = number(rng, 0.05, 0.4)
    position = m.position(second)
    force = {"type": "six_component_force", "bodies": [first, second], "point_i": position,
             "force_x": rng.choice([f"-{k}*x", f"-{k}*max(0, x-{gap})+{k}*max(0, -x-{gap})", f"-{k}*x-{short(0.05 * k)}*vx*abs(vx)"]),
             "force_y": rng.choice([f"-{k}*y-{short(0.02 * k)}*vy", f"-{k}*min({gap}, max(-{gap}, y))"])}
    if m.host == "spatial":
        force["force_z"] = f"-{k}*z"
    else:
        force["torque"] = f"-{short(0.1 * k)}*phi"
    m.add_force(**force)


def attraction(m):
    first, second = m.between()
    if m.length(first, [0] * m.size, second, [0] * m.size) < 0.5:
        return
    force = {"type": "point_gravity", "bodies": [first, second], "constant": number(m.rng, 0.5, 4)}
    if first == "ground":
        force["mass_i"] = 1
    m.add_force(**force)


def stop(m, rigid=False):
    """A half-space of ground (or of a body) away from a point of a body, which it may meet."""
    rng = m.rng
    body = rng.choice(list(m.bodies))
    point = m.vector(0.4)
    normal = [0] * m.size
    axis = rng.randrange(m.size) if rng.random() < 0.4 else m.size - 1
    normal[axis] = 1 if axis == m.size - 1 else rng.choice([-1, 1])
    from geometry import add, attitude, turn
    place = add(m.position(body), turn(attitude(m.bodies[body], m.host), point))
    away = number(rng, 0.02, 0.7)
    wall = [x - away * n for x, n in zip(place, normal)]
    keys = {"bodies": ["ground", body], "point_i": [short(x, 6) for x in wall], "axis_i": normal, "point_j": point}
    if rigid:
        m.add_constraint(type="impact", restitution=number(rng, 0.2, 1), rest_speed=0.005, **keys)
    else:
        m.add_force(type="stop", stiffness=short(functions.log_uniform(rng, 1e3, 3e5)), exponent=rng.choice([1, 1.5, 2]),
                    dissipation=rng.choice([0, 0.2, 0.8]), **keys)


def tyre(m):
    rng = m.rng
    body = rng.choice(list(m.bodies))
    radius = number(rng, 0.2, 0.5)
    height = m.position(body)[-1] - radius
    x = m.position(body)[0]
    k = short(functions.log_uniform(rng, 300, 2e4))
    road = {"type": "sum", "offset": short(height - rng.choice([0, 0.01, 0.2]), 6), "of": [rng.choice([
        {"type": "harmonic", "amplitude": 0.03, "omega": number(rng, 2, 12)},
        {"type": "disc_path", "centre": short(x + 1), "disc_radius": 0.2, "cylinder_radius": number(rng, 0.05, 0.15)},
        {"type": "bump", "begin": short(x + 0.5), "end": short(x + 0.5 + functions.log_uniform(rng, 0.05, 0.6)), "height": number(rng, 0.02, 0.1)},
        {"type": "step", "begin": short(x + 0.4), "end": short(x + 0.6), "from": 0, "to": number(rng, -0.1, 0.1)}])]}
    m.add_force(type="tyre_vertical", body=body, stiffness=k, damping=short(0.01 * k), radius=radius, road=road,
                contact=rng.choice(["unilateral", "bonded"]))
    m.relatable = False
    if "velocity" not in m.bodies[body] and rng.random() < 0.7:
        m.bodies[body]["velocity"] = [number(rng, 1, 3)] + [0] * (m.size - 1)


def partial_gravity(m):
    field = [0] * m.size
    field[-1] = -number(m.rng, 3, 12)
    names = list(m.bodies)
    m.add_force(type="gravity", acceleration=field, bodies=m.rng.sample(names, m.rng.randint(1, len(names))))


FORCES = [spring] * 5 + [push] * 4 + [torsion] * 2 + [bushing, friction, friction, actuator, actuator, drag, six, attraction,
                                                     stop, stop, tyre, partial_gravity]


CLOSED = {"harmonic", "step", "bump", "polynomial", "constant"}  # functions whose integral is known in closed form


def driver(m, joint_name):
    """Drives a joint's freedom: by its rate, or by the integral of it where that is not known in closed form."""
    rng = m.rng
    joint = m.constraints[joint_name]
    kind = joint["type"]
    keys = {k: joint[k] for k in ("bodies", "at", "axis") if k in joint}
    rate = m.time_function()
    if rng.random() < 0.5:
        rate = {"type": "step", "begin": 0, "end": short(m.duration * rng.uniform(0.1, 0.9)), "from": 0, "to": number(rng, -6, 6)}
    turns = kind == "revolute" or (kind in ("cylindrical", "screw") and rng.random() < 0.5)
    if not turns and kind not in ("translational", "cylindrical", "screw"):
        return None
    start = 0
    if m.host == "planar" and turns:
        keys.pop("axis", None)
        start = sum(sign * m.bodies.get(b, {}).get("angle", 0) for sign, b in zip((-1, 1), joint["bodies"]))
    if isinstance(rate, dict) and rate["type"] not in CLOSED:
        motion = {"function": {"type": "integral", "of": rate, "initial": start, "until": m.duration}}
    else:
        motion = {"rate": rate}
    return m.add_constraint(type="angle_driver" if turns else "translation_driver", **motion, **keys)


def driven_coordinate(m):
    rng = m.rng
    body = rng.choice(list(m.bodies))
    m.add_constraint(type="coordinate_driver", body=body, coordinate=rng.choice("xy" if m.host == "planar" else "xyz"),
                     rate={"type": "harmonic", "amplitude": number(rng, 0.1, 1), "omega": number(rng, 1, 8)})
    m.relatable = False


def driven_distance(m):
    first, second = m.between()
    p, q = m.random_point(first), m.random_point(second)
    if m.length(first, p, second, q) > 0.5:
        m.add_constraint(type="distance_driver", bodies=[first, second], point_i=p, point_j=q,
                         rate={"type": "harmonic", "amplitude": number(m.rng, 0.05, 0.3), "omega": number(m.rng, 1, 8)})


def coupler(m):
    """Between two joints with one coordinate each."""
    joints = [n for n, j in m.constraints.items() if j["type"] in WITH_ANGLE & {"revolute"} or j["type"] in WITH_DISPLACEMENT & {"translational"}]
    if len(joints) > 1:
        first, second = sorted(m.rng.sample(joints, 2))
        m.add_constraint(type="coupler", first=first, second=second, ratio=short(m.rng.choice([-1, 1]) * math.exp(m.rng.uniform(-1, 1))))
