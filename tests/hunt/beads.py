"""Families beside those of rigid bodies: point masses on rods, ball joints, lines and springs; discs that roll."""
import math

import elements
import functions
from functions import number, short
from geometry import add, norm, sub


def bead(m, place):
    """A point mass at a place."""
    name = f"b{len(m.bodies) + 1}"
    m.bodies[name] = {"type": "point_mass", "mass": short(functions.log_uniform(m.rng, 0.2, 2)), "position": list(place)}
    return name


def is_bead(m, name):
    return m.bodies.get(name, {}).get("type") == "point_mass"


def place_on(m, name):
    """Body-fixed point; a point mass has its own place only."""
    return [0] * m.size if is_bead(m, name) else m.random_point(name)


def beads(m):
    """Point masses held by ground, rigid bodies and each other."""
    rng = m.rng
    for _ in range(rng.randint(0, 2)):
        at = m.vector(0.5)
        carrier = m.body(add(at, m.vector(0.5)))
        if rng.random() < 0.8:
            m.joint("revolute" if m.host == "planar" or rng.random() < 0.5 else "spherical", "ground", carrier, at)
    for _ in range(rng.randint(1, 3)):
        holder = rng.choice(["ground"] + list(m.bodies))
        place = add(m.position(holder), m.vector(1.0))
        kind = rng.choice(["rod", "rod", "ball", "line", "free"])
        if kind == "ball" and holder != "ground" and not is_bead(m, holder):
            m.joint("revolute" if m.host == "planar" else "spherical", holder, bead(m, place), place)
        elif kind == "line" and not is_bead(m, holder):
            m.joint("point_on_line" if m.host == "planar" else rng.choice(["in_line", "in_plane"]), holder, bead(m, place), place)
        elif kind != "free":
            point = place_on(m, holder)
            end = bead(m, place)
            if m.length(holder, point, end, [0] * m.size) > 0.25:
                m.add_constraint(type="distance", bodies=[holder, end], point_i=point, point_j=[0] * m.size)
        else:
            bead(m, place)
    for _ in range(rng.randint(1, 3)):
        rng.choice([link, link, pull, push, elements.drag, field])(m)
    m.relatable = False  # the relations turn bodies, and compare their rotations


def link(m):
    """A spring, or an actuator with lag, between two bodies."""
    rng = m.rng
    first, second = m.between()
    p, q = place_on(m, first), place_on(m, second)
    length = m.length(first, p, second, q)
    if length < 0.4:
        return
    if rng.random() < 0.3:
        m.add_force(type="actuator", bodies=[first, second], point_i=p, point_j=q, lag=short(functions.log_uniform(rng, 0.005, 0.5)),
                    law=f"{number(rng, 2, 20)}*({number(rng, 0.2, 1)}-x)-{number(rng, 0.1, 2)}*rate", minimum=-3, maximum=3)
        return
    k = short(functions.log_uniform(rng, 5, 500))
    m.add_force(type="tsda", bodies=[first, second], point_i=p, point_j=q, stiffness=k, damping=short(rng.choice([0, 0.02, 0.1]) * k),
                free_length=short(length * rng.uniform(0.6, 1.2)))


def pull(m):
    """Forces by formulas in the axes of ground."""
    k = short(functions.log_uniform(m.rng, 10, 200))
    second = m.rng.choice(list(m.bodies))
    formulas = {f"force_{axis}": f"-{k}*{axis}-{short(0.02 * k)}*v{axis}" for axis in "xyz"[:m.size]}
    m.add_force(type="six_component_force", bodies=["ground", second], point_i=m.position(second), **formulas)


def push(m):
    m.add_force(type="applied_force", body=m.rng.choice(list(m.bodies)), force=m.vector(4), function=m.time_function())


def field(m):
    first, second = m.between()
    if m.length(first, [0] * m.size, second, [0] * m.size) > 0.5:
        m.add_force(type="point_gravity", bodies=[first, second], constant=number(m.rng, 0.5, 4), **({"mass_i": 1} if first == "ground" else {}))


def rolling(m):
    """A disc on the ground, some with a rider hinged to it or a spring to a post."""
    rng = m.rng
    m.host, m.size, m.gravity = "spatial", 3, [0, 0, -9.81]
    radius, tilt = number(rng, 0.2, 0.6), number(rng, 0.6, 2.5)
    disc = m.body([0, 0, short(radius * math.sin(tilt), 9)], turned=False)
    mass = m.bodies[disc]["mass"]
    m.bodies[disc].update(inertia=[short(0.26 * mass * radius ** 2)] * 2 + [short(0.5 * mass * radius ** 2)],
                          rotation={"axis": [0, 1, 0], "angle": tilt})
    m.add_constraint(type="rolling_disc", bodies=["ground", disc], radius=radius, axis_i=[0, 0, 1], axis_j=[0, 0, 1])
    if rng.random() < 0.5:
        at = m.position(disc) if rng.random() < 0.5 else add(m.position(disc), [0.1, 0.05, 0.1])
        m.joint(rng.choice(["revolute", "spherical", "universal"]), disc, m.body(add(at, m.vector(0.2))), at)
    if rng.random() < 0.5:
        post = [number(rng, -2, 2), number(rng, 1, 2), 1]
        k = short(functions.log_uniform(rng, 1, 50))
        m.add_force(type="tsda", bodies=["ground", disc], point_i=post, point_j=[0, 0, 0], stiffness=k, damping=short(0.05 * k),
                    free_length=short(norm(sub(post, m.position(disc)))))
    if rng.random() < 0.3:
        elements.push(m)
    m.bodies[disc].update(velocity=m.vector(1.0), angular_velocity=m.vector(6.0))
    m.duration = number(rng, 0.5, 2)
    m.relatable = False  # ground's plane would have to turn as well
