"""Imported URDF beside liburdfdom's reading of the same file: masses, tensors, frames, axes, limits, damping, mimics."""
import json
import re
import subprocess
import sys

URDFDOM = sys.argv.pop(2)  # program urdfdom_model

from import_case import CASES, ImportCase, MODELS
from support import main

REVOLUTE, CONTINUOUS, PRISMATIC = 1, 2, 3  # urdf::Joint


def matrix(q):
    w, x, y, z = q
    return [[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]]


def product(A, B):
    return [[sum(A[i][k] * B[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


def transposed(A):
    return [list(column) for column in zip(*A)]


def turned(A, v):
    return [sum(a * x for a, x in zip(row, v)) for row in A]


def moved(frame, v):
    return [a + b for a, b in zip(turned(frame[0], v), frame[1])]


def unit(v):
    return [x / sum(a * a for a in v) ** 0.5 for x in v]


def composed(frame, of):
    """`of`: position and quaternion in the frame."""
    return product(frame[0], matrix(of["quaternion"])), moved(frame, of["position"])


class BesideUrdfdom(ImportCase):
    def near(self, value, wanted, delta=1e-14):
        self.assertEqual(len(value), len(wanted))
        for a, b in zip(value, wanted):
            self.assertAlmostEqual(a, b, delta=delta)

    def beside(self, file):
        told = json.loads(subprocess.run([URDFDOM, file], capture_output=True, text=True, check=True).stdout)
        system = self.imported(file)[0]["system"]
        name = lambda original: re.sub(r"\W", "_", original)
        frames = {}

        def frame(link):
            """Where a link is with all coordinates at zero, or at the limit nearest to it."""
            if link not in frames:
                joint = next((j for j in told["joints"].values() if j["child"] == link), None)
                frames[link] = (matrix([1, 0, 0, 0]), [0, 0, 0]) if joint is None else composed(frame(joint["parent"]), joint)
            return frames[link]

        checked = 0
        for original, link in told["links"].items():
            body, (R, origin) = system["bodies"].get(name(original)), frame(original)
            if body is None:
                continue
            checked += 1
            if body.get("type") == "massless":
                self.assertTrue(link is None or link["mass"] == 0)
                self.near(body["position"], origin)
                continue
            self.assertEqual(body["mass"], link["mass"])
            xx, yy, zz, xy, xz, yz = link["inertia"]
            T = matrix(link["quaternion"])
            J = product(product(T, [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]), transposed(T))
            wanted = [J[0][0], J[1][1], J[2][2], J[0][1], J[0][2], J[1][2]]
            self.near(body["inertia"] + [0] * (6 - len(body["inertia"])), wanted)
            self.near(body["position"], moved(frame(original), link["position"]))
            if "rotation" in body:
                turn = matrix(body["rotation"]["euler_parameters"])
                for row, expected in zip(turn, R):
                    self.near(row, expected)
        self.assertEqual(checked, len(system["bodies"]))

        moving = {n: j for n, j in told["joints"].items() if j["type"] in (REVOLUTE, CONTINUOUS, PRISMATIC)}
        for original, joint in moving.items():
            mine = system["constraints"][name(original)]
            self.assertEqual(mine["type"], "translational" if joint["type"] == PRISMATIC else "revolute")
            # The child's axes are the joint's at zero.
            self.near(unit(mine["axis_j"]), unit(joint["axis"]))
            for key, kind, known in (("limit", "joint_limit", "limits"), ("friction", "joint_friction", "damping")):
                force = system.get("forces", {}).get(f"{name(original)}_{key}")
                if force is None:
                    self.assertTrue(known not in joint or joint["type"] == CONTINUOUS or not joint[known], (original, key))
                elif key == "limit":
                    self.assertEqual((force["type"], force["lower"], force["upper"]), (kind, *joint["limits"]))
                else:
                    self.assertEqual(force["damping"], [joint["damping"]])
                    self.assertEqual(force.get("friction", [0]), [joint["friction"]])
            if "mimic" in joint:
                leader, ratio, offset = joint["mimic"]
                self.assertEqual(system["constraints"][name(original) + "_mimic"],
                                 {"type": "coupler", "first": name(leader), "second": name(original), "ratio": ratio,
                                  "offset": offset})
        return system

    def test_arm(self):
        self.beside(CASES / "arm.urdf")

    def test_walker(self):
        self.beside(MODELS / "walker.urdf")

    def test_crane(self):
        self.beside(MODELS / "crane.urdf")

    def test_machines_with_loops(self):
        """Assembly moves bodies of loops by a few 1e-6, and urdfdom passes over <loop>: masses, tensors and axes count."""
        for file in ("gripper.urdf", "delta.urdf", "leg.urdf"):
            text = re.sub(r"<(loop|coupling) .*?</\1>", "", (MODELS / file).read_text(), flags=re.S)
            self.write(re.sub(r"<mimic [^>]*/>", "", text), file)
            self.beside(self.folder / file)


main()
