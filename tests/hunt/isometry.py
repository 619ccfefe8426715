"""Mechanisms turned, moved and mirrored, and what their columns become; joints by body-fixed points instead of places."""
import copy
import math

import geometry as g

LOCAL = (("point_i", "axis_i", "points"), ("point_j", "axis_j"))  # fixed in the first, in the second body



def elements(document):
    for part in ("constraints", "forces"):
        yield from document["system"].get(part, {}).values()


def isometry(document, r, shift, mirror=False):
    """x' = r x + shift for all that is given in the ground's axes; a mirror changes body axes as well."""
    document = copy.deepcopy(document)
    system = document["system"]
    planar = system["type"] == "planar"
    sign = -1 if mirror else 1

    def vector(v):
        return g.turn(r, v)

    def point(v):
        return g.add(g.turn(r, v), shift)

    def axial(v):
        return g.scaled(g.turn(r, v), sign) if isinstance(v, list) else sign * v
    if "gravity" in system:
        system["gravity"] = vector(system["gravity"])
    for body in system["bodies"].values():
        attitude = g.attitude(body, system["type"])
        body["position"] = point(body.get("position", [0] * len(shift)))
        if "velocity" in body:
            body["velocity"] = vector(body["velocity"])
        if "angular_velocity" in body:
            body["angular_velocity"] = axial(body["angular_velocity"])
        if planar:
            body["angle"] = -body.get("angle", 0) if mirror else body.get("angle", 0) + math.atan2(r[1][0], r[0][0])
        else:
            turned = g.product(g.product(r, attitude), g.transposed(r)) if mirror else g.product(r, attitude)
            body["rotation"] = {"matrix": turned}
    for e in elements(document):
        owners = e.get("bodies", [e.get("body"), None])
        for key in ("at",):
            if key in e:
                e[key] = point(e[key])
        for key in ("axis", "second_axis", "acceleration", "wind"):
            if key in e:
                e[key] = vector(e[key])
        if "force" in e and e["type"] == "applied_force" and (e.get("frame") != "body" or mirror):
            e["force"] = vector(e["force"])
        if "torque" in e and e["type"] == "applied_torque" and (e.get("frame") != "body" or mirror):
            e["torque"] = axial(e["torque"])
        if "pitch" in e:
            e["pitch"] *= sign
        if "point" in e and mirror:
            e["point"] = vector(e["point"])
        for keys, owner in zip(LOCAL, owners if e["type"] != "gravity" else ()):
            if owner == "ground" and len(owners) > 1 and keys[0] == "point_i" and e["type"] != "applied_force":
                e.setdefault("point_i", [0] * len(shift)) if e["type"] in ("tsda", "stop", "impact", "distance", "gear", "six_component_force") else None
            for key in keys:
                if key in e and (owner == "ground" or mirror):
                    move = vector if key.startswith("axis") or owner != "ground" else point
                    if key == "points":
                        size = len(shift)
                        e[key] = [x for i in range(0, len(e[key]), size) for x in move(e[key][i:i + size])]
                    else:
                        e[key] = move(e[key])
        if e["type"] == "bushing":
            if planar:
                e["angle"] = e.get("angle", 0) + math.atan2(r[1][0], r[0][0])
            else:
                e["rotation"] = {"matrix": g.product(r, g.attitude({"rotation": e.get("rotation")}, "spatial"))}
        if e["type"] == "six_component_force":
            if planar:
                e["angle_i"] = e.get("angle_i", 0) + math.atan2(r[1][0], r[0][0])
            else:
                e["rotation_i"] = {"matrix": r}
    return document


def quaternion(r):
    """Euler parameters of a proper rotation matrix."""
    e0 = math.sqrt(max(0.0, 1 + r[0][0] + r[1][1] + r[2][2])) / 2
    if e0 > 0.1:
        return [e0, (r[2][1] - r[1][2]) / (4 * e0), (r[0][2] - r[2][0]) / (4 * e0), (r[1][0] - r[0][1]) / (4 * e0)]
    i = max(range(3), key=lambda k: r[k][k])
    j, k = (i + 1) % 3, (i + 2) % 3
    root = math.sqrt(max(0.0, 1 + r[i][i] - r[j][j] - r[k][k])) / 2
    e = [0.0] * 4
    e[0], e[i + 1], e[j + 1], e[k + 1] = (r[k][j] - r[j][k]) / (4 * root), root, (r[j][i] + r[i][j]) / (4 * root), (r[k][i] + r[i][k]) / (4 * root)
    return e


def moved_columns(columns, document, r, shift, mirror=False, boost=None):
    """What the columns of bodies become under the same isometry."""
    out = {"t": columns["t"]}
    planar, sign = document["system"]["type"] == "planar", -1 if mirror else 1
    q = None if planar else quaternion(r) if not mirror else None
    for name in document["system"]["bodies"]:
        keys = ("x", "y") if planar else ("x", "y", "z")
        for stem, offset in (("", shift), ("v", [0] * len(shift))):
            triples = [g.add(g.turn(r, list(v)), offset) for v in zip(*(columns[f"{name}.{stem}{k}"] for k in keys))]
            for i, k in enumerate(keys):
                out[f"{name}.{stem}{k}"] = [v[i] + (boost[i] * (t if stem == "" else 1) if boost else 0) for v, t in zip(triples, columns["t"])]
        if planar:
            turn = 0 if mirror else math.atan2(r[1][0], r[0][0])
            out[f"{name}.phi"] = [sign * x + turn for x in columns[f"{name}.phi"]]
            out[f"{name}.omega"] = [sign * x for x in columns[f"{name}.omega"]]
            continue
        triples = [g.scaled(g.turn(r, list(v)), sign) for v in zip(*(columns[f"{name}.w{k}"] for k in keys))]
        for i, k in enumerate(keys):
            out[f"{name}.w{k}"] = [v[i] for v in triples]
        es = [columns[f"{name}.e{i}"] for i in range(4)]
        if mirror:  # A' = S A S: the axis turns as an axial vector does
            vectors = [g.scaled(g.turn(r, [b, c, d]), -1) for b, c, d in zip(*es[1:])]
            turned = [[a] + v for a, v in zip(es[0], vectors)]
        else:
            turned = [[q[0] * a - g.dot(q[1:], [b, c, d])] +
                      g.add(g.add(g.scaled([b, c, d], q[0]), g.scaled(q[1:], a)), g.cross(q[1:], [b, c, d])) for a, b, c, d in zip(*es)]
        for i in range(4):
            out[f"{name}.e{i}"] = [v[i] for v in turned]
    return out


def localise(document):
    """Joints by body-fixed points and axes instead of places in the drawing; False where one has none."""
    system = document["system"]
    fixed = {"revolute": "ij", "translational": "ij", "cylindrical": "ij", "spherical": "", "point": "", "fixed": "", "in_line": "i",
             "in_plane": "i", "point_on_line": "i", "parallel_axes": "ij", "revolute_translational": "i"}
    for e in system.get("constraints", {}).values():
        if "at" not in e and "axis" not in e:
            continue
        if e["type"] not in fixed:
            return False
        at, axis = e.pop("at", None), e.pop("axis", None)
        for end, owner in zip("ij", e["bodies"]):
            body = system["bodies"].get(owner)
            if at is not None:
                e["point_" + end] = at if body is None else g.to_body(body, at, system["type"])
            if axis is not None and end in fixed[e["type"]]:
                e["axis_" + end] = axis if body is None else g.turn(g.transposed(g.attitude(body, system["type"])), axis)
    return True
