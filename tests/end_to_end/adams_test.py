"""`trammel import` of decks in the language of Adams' solver: closed forms with reactions, expressions, losses, broken decks."""
import json
import math
import random
import re
import unittest

from support import Case, SOURCE, main

CASES = SOURCE / "plugins" / "importers" / "adams_deck" / "cases"
HEAD = "deck\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\nMARKER/1, PART=1\n"
BODY = "PART/2, MASS=2, CM=20, IP=1,2,2.5\nMARKER/20, PART=2\n"


def uncommented(text):
    return json.loads(re.sub(r"^\s*//.*$", "", text, flags=re.M))


def matmul(A, B):
    return [[sum(A[i][k] * B[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


def times(A, v):
    return [sum(A[i][k] * v[k] for k in range(3)) for i in range(3)]


def transposed(A):
    return [[A[j][i] for j in range(3)] for i in range(3)]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def add(a, b, factor=1):
    return [x + factor * y for x, y in zip(a, b)]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def euler(a, b, c):
    """Turns about z, the new x, the new z."""
    def z(t):
        return [[math.cos(t), -math.sin(t), 0], [math.sin(t), math.cos(t), 0], [0, 0, 1]]
    x = [[1, 0, 0], [0, math.cos(b), -math.sin(b)], [0, math.sin(b), math.cos(b)]]
    return matmul(matmul(z(a), x), z(c))


class AdamsCase(Case):
    def imported(self, file, *options):
        result = self.trammel("import", file, "-o", "model.json", *options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return uncommented((self.folder / "model.json").read_text()), result.stderr

    def deck(self, text, *options, body=BODY):
        self.write(HEAD + body + text + "END\n", "deck.adm")
        return self.imported("deck.adm", *options)

    def refused(self, text, *words, name="bad.adm", whole=False):
        (self.folder / "model.json").unlink(missing_ok=True)
        self.write(text if whole else HEAD + BODY + text + "END\n", name)
        result = self.trammel("import", name, "-o", "model.json")
        self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
        self.assertFalse((self.folder / "model.json").exists())
        last = result.stderr.strip().split("\n")[-1]
        for word in words:
            self.assertIn(word, last)

    def results(self, model, *options):
        result = self.run_file(model, "--quiet", *options)
        self.assertEqual(result.returncode, 0, result.stderr)
        header, rows = self.table()
        return [dict(zip(header, row)) for row in rows]


class ClosedForms(AdamsCase):
    def test_driven_crank(self):
        """Reactions and the driving torque of a crank at constant speed, from Newton and Euler."""
        model, said = self.imported(CASES / "driven_crank.adm")
        system = model["system"]
        self.assertEqual(list(system["bodies"]), ["crank"])
        self.assertEqual(list(system["constraints"]), ["HINGE", "DRIVE"])
        self.assertEqual(list(system["points"]), ["BEARING", "PIVOT", "cm", "TIP"])
        # Products of inertia are positive integrals in decks, entries of the tensor here.
        for value, wanted in zip(system["bodies"]["crank"]["inertia"], [3e-3, 21e-3, 20e-3, -4e-4, 3e-4, -5e-4]):
            self.assertAlmostEqual(value, wanted, delta=1e-17)
        self.assertIn("driven_crank.adm:35: <REQUEST/1>: lost", said)
        self.assertIn("driven_crank.adm:40: lost: what stands here, behind END", said)
        self.assertIn("1 body, 2 constraints, 0 forces; 1 moved by assembly; 4 lost, 0 approximated", said)
        self.assertIn("assembly moved crank: 0 m, 0 rad; its velocity changed by 0.126 m/s", said)
        model["analysis"]["duration"] = 4
        model["output"] = {"step": 0.1, "channels": ["crank", "HINGE.angle", "HINGE.force", "HINGE.torque", "DRIVE.effort", "TIP"]}
        g, m, r, w, lever = 9.80665, 2.5, 0.08, math.pi / 2, 0.025
        for row in self.results(model):
            angle = w * row["t"]
            # The hinge's axis is -y; x of the crank starts along the global x axis and turns towards z.
            e = [math.cos(angle), 0, math.sin(angle)]
            a = [-r * w * w * x for x in e]
            force = [m * a[0], 0, m * (a[2] + g)]
            self.assertAlmostEqual(row["HINGE.angle"], angle, delta=1e-9)
            for k, axis in enumerate("xyz"):
                self.assertAlmostEqual(row["HINGE.force." + axis], force[k], delta=1e-7)
            # The tip from the bearing: 200 mm out, the marker's z axis 25 mm on from the pivot's, along -y.
            for value, wanted in zip((row["TIP.x"], row["TIP.y"], row["TIP.z"]),
                                     (0.1 + 0.2 * e[0], 0.0 - lever, 0.05 + 0.2 * e[2])):
                self.assertAlmostEqual(value, wanted, delta=1e-9)
            # About the axis: J' = 0 at constant speed, so the drive holds the weight: m g r cos(angle) about -y.
            self.assertAlmostEqual(row["DRIVE.effort"], m * g * r * math.cos(angle), delta=1e-7)
            # Moments that the hinge bears, in the crank's axes: dL/dt = omega x J omega about the centre of mass, less the arm's.
            R = [[e[0], -e[2], 0], [0, 0, -1], [e[2], e[0], 0]]
            Jw = times(R, [3e-4 * w, -5e-4 * w, 20e-3 * w])
            omega = times(R, [0, 0, w])
            total = cross(omega, Jw)
            arm = times(R, [-r, 0, -lever])
            needed = add(total, cross(arm, force), -1)
            drive = [0, -row["DRIVE.effort"], 0]
            for k, axis in enumerate("xyz"):
                self.assertAlmostEqual(row["HINGE.torque." + axis], needed[k] - drive[k], delta=1e-7)

    def test_sprung_slide(self):
        """A damped oscillation down an incline with the slide's reaction, and a load that steps in."""
        model, said = self.imported(CASES / "sprung_slide.adm")
        self.assertIn("0 lost, 0 approximated", said)
        model["analysis"]["duration"] = 1
        model["integrator"] = {"type": "dopri853", "rtol": 1e-11, "atol": 1e-12}
        model["output"] = {"step": 0.05, "channels": ["part_2", "joint_1", "part_3", "springdamper_1"]}
        # Along z of marker 10, tilted by 60 degrees about a horizontal axis: 0.5 up and 0.866 sideways.
        g, m, k, c = 9.80665, 4.0, 100 * math.pi ** 2, 0.8 * math.pi
        # The spring pushes by 7 - k (s - 0.3) - c s' along the slide, and starts at 0.25.
        axis, start = [math.sin(math.radians(60)), 0, 0.5], 0.25
        rest = 0.3 + (7 - m * g * 0.5) / k
        decay, natural = c / (2 * m), k / m
        damped = math.sqrt(natural - decay ** 2)
        for row in self.results(model):
            t = row["t"]
            s = rest + (start - rest) * math.exp(-decay * t) * (math.cos(damped * t) + decay / damped * math.sin(damped * t))
            self.assertAlmostEqual(row["joint_1.displacement"], s, delta=1e-9)
            # Across the slide the joint bears the weight's part, m g sin(60 deg), and nothing along it.
            across = [-0.5, 0, axis[0]]
            force = [row["joint_1.force." + a] for a in "xyz"]
            self.assertAlmostEqual(dot(force, across), m * g * math.sin(math.radians(60)), delta=1e-8)
            self.assertAlmostEqual(dot(force, axis), 0, delta=1e-8)
            self.assertAlmostEqual(force[1], 0, delta=1e-8)
            # x of the second mass: 10 (3 t^2 - 2 t^3) + sin(2 pi t)/2, twice integrated, by 2 kg.
            x = (10 * (t ** 4 / 4 - t ** 5 / 10) + 0.5 * (t / (2 * math.pi) - math.sin(2 * math.pi * t) / (4 * math.pi ** 2))) / 2
            self.assertAlmostEqual(row["part_3.x"], x, delta=1e-9)
            self.assertAlmostEqual(row["part_3.z"], -g * t * t / 2, delta=1e-9)

    def test_gears_and_couplers(self):
        """Two shafts with a pitch point between their axes, and one with a rack: speeds from the levers."""
        shafts = ("PART/2, MASS=1, CM=20, IP=1,1,1\nMARKER/20, PART=2\nPART/3, MASS=1, CM=30, IP=1,1,1, QG=3,0,0\nMARKER/30, PART=3\n"
                  "PART/4, MASS=1, CM=40, IP=1,1,1, QG=0,9,0\nMARKER/40, PART=4, REULER=0,90D,0\n"
                  "MARKER/2, PART=1, QP=3,0,0\nMARKER/3, PART=1, QP=1,0,0, REULER=0,90D,0\nMARKER/4, PART=1, QP=0,9,0, REULER=0,90D,0\n")
        model, _ = self.deck("JOINT/1, REVOLUTE, I=20, J=1\nJOINT/2, REVOLUTE, I=30, J=2\nJOINT/3, TRANS, I=40, J=4\n"
                             "GEAR/1, JOINTS=1,2, CV=3\nCOUPLER/1, JOINTS=1,3, TYPE=R:T, SCALES=0.5,1\n"
                             "MOTION/1, JOINT=1, FUNCTION=0.3*TIME\nACCGRAV/KGRAV=0\n", body=shafts)
        model["analysis"]["duration"] = 1
        model["output"] = {"step": 0.5, "channels": ["joint_1", "joint_2", "joint_3"]}
        last = self.results(model)[-1]
        self.assertAlmostEqual(last["joint_2.angle"], -0.15, delta=1e-9)  # levers 1 and 2, on both sides
        self.assertAlmostEqual(last["joint_3.displacement"], -0.15, delta=1e-9)

    def test_impact(self):
        """A ball on a compliant floor, k z^1.5 without damping: as fast up as down, as deep as its energy says."""
        model, _ = self.deck("SFORCE/1, TRANSLATIONAL, ACTIONONLY, I=20, J=1\n"
                             ", FUNCTION=IMPACT(DZ(20,1,1), VZ(20,1,1), 0.1, 1.0E4, 1.5, 0, 1E-3)\nACCGRAV/KGRAV=-10\n",
                             body="PART/2, MASS=2, CM=20, IP=1,1,1, QG=0,0,0.3\nMARKER/20, PART=2\n")
        model["analysis"]["duration"] = 0.5
        model["integrator"] = {"type": "dopri853", "rtol": 1e-11, "atol": 1e-12}
        model["output"] = {"step": 0.0005, "channels": ["part_2", "energy"]}
        rows = self.results(model)
        # m g (h + d) = k d^2.5 / 2.5 at the deepest point.
        d = 0.01
        for _ in range(200):
            d = (2.5 * 20 * (0.2 + d) / 1e4) ** 0.4
        self.assertAlmostEqual(min(row["part_2.z"] for row in rows), 0.1 - d, delta=1e-6)
        speed = max(row["part_2.vz"] for row in rows)
        # Fastest where the floor bears the weight, by the energy there.
        d = (20 / 1e4) ** (2 / 3)
        self.assertAlmostEqual(speed, math.sqrt(2 * 10 * (0.2 + d) - 2 * 1e4 / 2 * d ** 2.5 / 2.5), delta=1e-5)


class Expressions(AdamsCase):
    def test_measures(self):
        """Every measure of markers on two moving parts, at random states, against its definition."""
        rng = random.Random(5)
        def u():
            return rng.uniform(-1, 1)
        parts, markers = {1: ([0, 0, 0], euler(0, 0, 0), [0, 0, 0], [0, 0, 0])}, {}
        text = ""
        for part in (2, 3):
            a, q, v, w = [2 * u() for _ in range(3)], [u() for _ in range(3)], [u() for _ in range(3)], [u() for _ in range(3)]
            R = euler(*a)
            parts[part] = (q, R, v, times(R, w))
            text += (f"PART/{part}, MASS=1, CM={part}0, IP=1,1,1, QG={q[0]},{q[1]},{q[2]}, REULER={a[0]},{a[1]},{a[2]}\n"
                     f", VX={v[0]}, VY={v[1]}, VZ={v[2]}, WX={w[0]}, WY={w[1]}, WZ={w[2]}\nMARKER/{part}0, PART={part}\n")
        for name, part in ((21, 2), (22, 2), (31, 3), (32, 3), (11, 1)):
            a, p = [u() for _ in range(3)], [u() for _ in range(3)]
            q, R, v, w = parts[part]
            r = times(R, p)
            markers[name] = (add(q, r), matmul(R, euler(*a)), add(v, cross(w, r)), w)
            text += f"MARKER/{name}, PART={part}, QP={p[0]},{p[1]},{p[2]}, REULER={a[0]},{a[1]},{a[2]}\n"
        markers[0] = ([0, 0, 0], euler(0, 0, 0), [0, 0, 0], [0, 0, 0])

        def value(function, i, j=0, k=0, l=0):
            (pi, Ri, vi, wi), (pj, Rj, vj, wj), (_, Rk, _, _), (_, _, _, wl) = (markers[x] for x in (i, j, k, l))
            d, v, w = add(pi, pj, -1), add(vi, vj, -1), add(wi, wj, -1)
            axes = transposed(Rk)
            if function[0] == "D":
                return math.sqrt(dot(d, d)) if function[1] == "M" else dot(axes["XYZ".index(function[1])], d)
            if function[0] == "W":
                return math.sqrt(dot(w, w)) if function[1] == "M" else dot(axes["XYZ".index(function[1])], w)
            if function[0] == "A":
                I, J = transposed(Ri), transposed(Rj)
                return {"X": lambda: math.atan2(-dot(I[2], J[1]), dot(I[2], J[2])), "Y": lambda: math.atan2(dot(I[2], J[0]), dot(I[2], J[2])),
                        "Z": lambda: math.atan2(dot(I[0], J[1]), dot(I[0], J[0]))}[function[1]]()
            if function == "VR":
                return dot(d, v) / math.sqrt(dot(d, d))
            seen = add(v, cross(wl if function != "VM" else markers[k][3], d), -1)
            return math.sqrt(dot(seen, seen)) if function == "VM" else dot(axes["XYZ".index(function[1])], seen)

        calls = [("DM", 31, 21), ("DX", 31, 21, 22), ("DY", 32, 31, 22), ("DZ", 21, 31, 32), ("AX", 31, 21), ("AY", 21, 32), ("AZ", 31, 22),
                 ("VM", 31, 21), ("VR", 22, 32), ("VX", 31, 21, 21, 21), ("VY", 31, 22, 32), ("VZ", 32, 21, 22, 31), ("VX", 31, 21, 21),
                 ("WM", 31, 21), ("WX", 31, 21, 32), ("WY", 21, 31, 21), ("WZ", 31, 21, 22)]
        on_ground = [("DX", 31), ("DY", 31, 11, 11), ("VZ", 31), ("VX", 32, 11, 31), ("WY", 31, 0, 31), ("DZ", 31, 0, 0), ("AZ", 31, 11)]
        for i, calls, reaction, rm in ((31, calls, 21, 22), (31, calls, 21, 32), (31, on_ground, 11, 0), (31, on_ground, 11, 31)):
            statements = ""
            for n, (function, *ids) in enumerate(calls, 1):
                statements += (f"GFORCE/{n}, I={i}, JFLOAT={reaction}, RM={rm}, FX=2*{function}({','.join(map(str, ids))})\n"
                               f", \\TY=-{function}({', '.join(map(str, ids))})\n")
            self.write("measures\nPART/1, GROUND\nMARKER/1, PART=1\n" + text + statements + "END\n", "measures.adm")
            model, _ = self.imported("measures.adm")
            model["analysis"]["duration"] = 1e-6
            model["output"] = {"at": "steps", "channels": list(model["system"]["forces"])}
            row = self.results(model)[0]
            axes = transposed(markers[rm][1])
            for n, (function, *ids) in enumerate(calls, 1):
                wanted = value(function, *ids)
                for c in range(3):
                    with self.subTest(function=function, ids=ids, rm=rm):
                        self.assertAlmostEqual(row[f"gforce_{n}.force.{'xyz'[c]}"], 2 * wanted * axes[0][c], delta=1e-12)
                        self.assertAlmostEqual(row[f"gforce_{n}.torque.{'xyz'[c]}"], -wanted * axes[1][c], delta=1e-12)

    def formula_value(self, expression, time=0.3):
        """Of a force along z at a time, in the deck's units, mm and N."""
        self.write("f\nUNITS/LENGTH=MM, FORCE=NEWTON, MASS=KG, TIME=SEC\nPART/1, GROUND\nMARKER/1, PART=1\nPART/2, MASS=1E9, CM=20, IP=1,1,1\n"
                   "MARKER/20, PART=2\nVARIABLE/7, FUNCTION=3*TIME\n"
                   f"SFORCE/1, TRANS, ACTION, I=20, J=1, FUNCTION={expression}\nEND\n", "f.adm")
        model, _ = self.imported("f.adm")
        model["analysis"]["duration"] = time
        model["output"] = {"step": time, "channels": ["sforce_1.force"]}
        return self.results(model)[-1]["sforce_1.force.z"]

    def test_functions(self):
        t = 0.3
        def step(x, x0, h0, x1, h1):
            u = min(max((x - x0) / (x1 - x0), 0), 1)
            return h0 + (h1 - h0) * u * u * (3 - 2 * u)
        def impact(x, v, x1, k, e, c, d):
            return max(0, k * (x1 - x) ** e - c * v * step(x, x1 - d, 1, x1, 0)) if x < x1 else 0
        for expression, wanted in (
                ("2**3**2/4.0E1 - -1", 2 ** 9 / 40 + 1), ("-2**2*time", -4 * t), ("30D*RTOD", 30), ("SIN(90*DTOR)+PI", 1 + math.pi),
                ("STEP(TIME, 0, 1, 1, 3)", step(t, 0, 1, 1, 3)), ("step5(time,0.1,0,0.5,2)", 2 * (0.5 ** 3 * (10 - 15 * 0.5 + 6 * 0.25))),
                ("HAVSIN(TIME,0,1,1,5)", 3 - 2 * math.cos(0.3 * math.pi)), ("SHF(TIME, 0.1, 2, 4, 0.5, 7)", 2 * math.sin(4 * 0.2 - 0.5) + 7),
                ("IF(TIME-0.2: 1, 2, TIME*4)", 1.2), ("IF(TIME-0.4: 1, 2, 3)", 1), ("VARVAL(7)**2", 0.81), ("SIGN(3, -TIME)", -3),
                ("IMPACT(1-2*TIME, -2, 0.5, 800, 1.5, 9, 0.2)", impact(0.4, -2, 0.5, 800, 1.5, 9, 0.2)),
                ("BISTOP(10*TIME, 5, 1, 2, 100, 2, 4, 0.1)", min(0, -100 * 1 - 4 * 5)),
                ("BISTOP(TIME, -5, 1, 2, 100, 2, 4, 0.1)", max(0, 100 * 0.49 + 4 * 5)), ("BISTOP(5*TIME,1,1,2,1,1,0,0.1)", 0),
                ("POLY(TIME, 0.1, 1, 2, 3)", 1 + 2 * 0.2 + 3 * 0.04), ("FORCOS(TIME,0,2,1,4,5)", 1 + 4 * math.cos(0.6) + 5 * math.cos(1.2)),
                ("FORSIN(TIME,0.1,2,1,4)", 1 + 4 * math.sin(0.4)), ("MAX(TIME, 0.2)*MIN(2,3,1.5)+ABS(-1)", 0.45 + 1),
                ("LOG10(100)*EXP(0)*ATAN2(0,1)+SQRT(16)", 4), ("DIM(3,TIME)+DIM(TIME,3)", 2.7), ("(2\n, + 3*(TIME\n, *2))", 2 + 1.8),
                ("DX(20,1)*0 + DM(20,1)*1E-6 + 1", 1), ("1000*TIME**2/(1 + TIME)", 90 / 1.3)):
            with self.subTest(expression=expression):
                self.assertAlmostEqual(self.formula_value(expression), wanted, delta=1e-9 * (1 + abs(wanted)))

    def test_springs_as_expressions(self):
        model, _ = self.deck("SFORCE/1, TRANSLATIONAL, I=20, J=2, FUNCTION=-100*(DM(20,2)-0.5) - 3*VR(20,2)\nMARKER/2, PART=1, QP=1,0,0\n"
                             "SFORCE/2, ROTATIONAL, I=20, J=1, FUNCTION=-5*AZ(20,1)\n, -0.1*WZ(20,1,1)\n")
        self.assertEqual(model["system"]["forces"]["sforce_1"]["law"], "-(-100*(l - 0.5) - 3*rate)")
        self.assertEqual(model["system"]["forces"]["sforce_2"]["law"], "-(-5*theta - 0.1*rate)")

    def test_units(self):
        """The same machine in three systems of units gives the same numbers."""
        numbers = []
        for units, L, M, F in (("LENGTH=METER, MASS=KILOGRAM, FORCE=NEWTON", 1, 1, 1), ("LENGTH=MM, MASS=GRAM, FORCE=KNEWTON", 1e3, 1e3, 1e-3),
                               ("LENGTH=INCH, MASS=POUND_MASS, FORCE=POUND_FORCE", 1 / 0.0254, 1 / 0.45359237, 1 / 4.4482216152605)):
            self.write(f"u\nUNITS/{units}, TIME=SECOND\nPART/1, GROUND\nMARKER/1, PART=1, QP={0.1 * L!r},0,0\nPART/2, MASS={2 * M!r}, CM=20\n"
                       f", IP={M * L * L!r},{2 * M * L * L!r},{2 * M * L * L!r}, VX={3 * L!r}, QG={0.5 * L!r},0,0\nMARKER/20, PART=2\n"
                       f"SPRINGDAMPER/1, TRANSLATIONAL, I=20, J=1, K={50 * F / L!r}, C={F / L!r}, LENGTH={0.2 * L!r}, FORCE={2 * F!r}\n"
                       f"BUSHING/1, I=20, J=1, K={7 * F / L!r},0,0, CT=0,0,{4 * F * L!r}\n"
                       f"VTORQUE/1, I=20, JFLOAT=1, RM=1, TX={6 * F * L!r}*DX(20,1)/{L!r}\nACCGRAV/JGRAV={-9.81 * L!r}\nEND\n", "u.adm")
            model, _ = self.imported("u.adm")
            model["analysis"]["duration"] = 0.5
            model["output"] = {"step": 0.5, "channels": ["part_2", "energy"]}
            numbers.append(self.results(model)[-1])
        for other in numbers[1:]:
            for key, value in numbers[0].items():
                self.assertAlmostEqual(value, other[key], delta=1e-7)


class Losses(AdamsCase):
    def test_values_on_the_next_line(self):
        model, _ = self.deck("MARKER/21, PART=2\n, QP =\n, 10, 20, 30\n, REULER=\n, 90D, 0D\n, 0D\n")
        self.assertEqual(model["system"]["points"]["marker_21"]["rotation"]["euler_parameters"][0], math.cos(math.pi / 4))

    def test_named(self):
        _, said = self.deck("SFORCE/1, TRANS, I=20, J=1, FUNCTION=MODE*2\nSPLINE/4, X=1,2,3,4, Y=1,2,3,4\nCONTACT/1, IGEOM=1, JGEOM=2\n"
                            "WIBBLE/3\nMARKER/21, PART=2\nJOINT/1, REVOLUTE, I=20, J=21\nMOTION/1, JOINT=1, FUNC=TIME\nSFORCE/2, ROT, I=20, J=1, FUNCTION=USER(1,2)\n"
                            "VARIABLE/1, FUNCTION=2\nARRAY/1, IC, SIZE=1, NUM=0\n", "--allow-missing-constraints")
        for words in ("<SFORCE/1>: lost: the function MODE is not known here", "<SPLINE/4>: lost", "<CONTACT/1>: lost: contact",
                      "<WIBBLE/3>: lost: a statement that is unknown here", "<JOINT/1>: lost: it connects a part with itself",
                      "<MOTION/1>: lost constraint: JOINT/1, which it needs, is lost", "<SFORCE/2>: lost", "<ARRAY/1>: lost",
                      "8 lost, 0 approximated"):
            self.assertIn(words, said)
        result = self.trammel("import", "deck.adm", "-o", "strict.json", "--strict")
        self.assertEqual(result.returncode, 2)
        self.assertFalse((self.folder / "strict.json").exists())

    def test_refused(self):
        check = self.refused
        check("", "bad.adm: holds no statement", whole=True)
        check("\0\1\2", "holds a zero byte", whole=True)
        check(HEAD + BODY, "is broken off: there is no END", whole=True)
        check("title\nPART/2, MASS=1\nEND\n", "has a mass and no marker CM", whole=True)
        check("title\nMARKER/1, PART=1\nEND\n", "holds no PART", whole=True)
        check("JOINT/1, REVOLUTE, I=20, J=77\n", "bad.adm:7: <JOINT/1>: there is no MARKER/77")
        check("JOINT/1, I=20, J=1\n", "<JOINT/1>: has no type of joint")
        check("JOINT/1, REVOLUTE, I=20\n", "<JOINT/1>: has no J")
        check("MARKER/20, PART=2\n", "<MARKER/20>: stands for the second time; the first stands in line 6")
        check("MARKER/21, PART=9\n", "<MARKER/21>: there is no PART/9")
        check("MARKER/21, PART=2, QP=1,2\n", "QP must have 3 numbers, has 2")
        check("MARKER/21, PART=2, QP=1,2,3x\n", "QP must consist of numbers, not '3x'")
        check("PART/3, MASS=-1, CM=20\n", "its mass is negative")
        check("PART/3, MASS=1, CM=30, IP=1,1,-5\nMARKER/30, PART=3\n", "principal moments of 'part_3' may not be negative")
        check("SFORCE/1, TRANS, I=20, J=1, FUNCTION=2*(3\n", "bad.adm:7: <SFORCE/1>: a '(' that is not closed")
        check("SFORCE/1, TRANS, I=20, J=1, FUNCTION=2*+\n", "it ends where a number or a function is expected")
        check("SFORCE/1, TRANS, I=20, J=1, FUNCTION=STEP(1,2,3)\n", "STEP takes 5 arguments, has 3")
        check("SFORCE/1, TRANS, I=20, J=1, FUNCTION=DM(20,99)\n", "there is no MARKER/99")
        check("SFORCE/1, TRANS, I=20, J=1, FUNCTION=VARVAL(4)\n", "there is no VARIABLE/4")
        check("VARIABLE/4, FUNCTION=VARVAL(5)\nVARIABLE/5, FUNCTION=VARVAL(4)\nSFORCE/1, TRANS, I=20, J=1, FUNCTION=VARVAL(4)\n",
              "refer to each other in a circle")
        check("MOTION/1, JOINT=3, FUNCTION=1\n", "there is no JOINT/3")
        check("UNITS/LENGTH=FURLONG\n", "UNITS")
        check("some words\n", "bad.adm:7: is no statement of a deck: 'some words'")
        check("FLEX_BODY/1, QG=0,0,0\n", "<FLEX_BODY/1>: a flexible body")
        check("FE_PART/2\n, TYPE = 3DBEAM\n, SECTION = \n, 1, 2500, 2.1E6\n, 2, 2500, 2.1E6\n, MATERIAL = 1\n",
              "bad.adm:7: <FE_PART/2>: a flexible body")
        check("MARKER/21, PART=2, QP=\n, REULER=0,0,0\n", "bad.adm:7: <MARKER/21>: 'QP' has no value")
        check("SFORCE/1, TRANS, I=20, J=1, FUNCTION=" + "(" * 400 + "1" + ")" * 400 + "\n", "nested too deeply")

    def test_fuzz(self):
        """Cut off anywhere or with bytes changed: refused with a reason, or read; never a crash or a hang."""
        rng = random.Random(7)
        for file in sorted(CASES.glob("*.adm")):
            text = file.read_bytes()
            for k in range(25):
                at = rng.randrange(len(text))
                changed = text[:at] if k % 3 == 0 else text[:at] + bytes([rng.randrange(256)]) + text[at + 1:]
                if k % 3 == 2:
                    lines = text.split(b"\n")
                    del lines[rng.randrange(len(lines))]
                    changed = b"\n".join(lines)
                (self.folder / "fuzz.adm").write_bytes(changed)
                (self.folder / "fuzz.json").unlink(missing_ok=True)
                result = self.trammel("import", "fuzz.adm", "-o", "fuzz.json")
                self.assertIn(result.returncode, (0, 2), result.stderr)
                self.assertEqual(result.returncode == 0, (self.folder / "fuzz.json").exists())
                self.assertTrue(result.stderr.strip())


main()
