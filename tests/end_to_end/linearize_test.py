"""Small motions as matrices, their frequency response, and modes of spinning bodies, against closed forms."""
import cmath
import csv
import json
import math
import re

from support import Case, changed, main

MASS = {
    "trammel": 2,
    "parameters": {"m": 2, "k": 300, "c": 1.5},
    "system": {
        "type": "planar",
        "bodies": {"mass": {"mass": "=m", "inertia": 1, "position": [1, 0]}},
        "constraints": {"rail": {"type": "translational", "bodies": ["ground", "mass"], "at": [1, 0], "axis": [1, 0]}},
        "forces": {
            "spring": {"type": "tsda", "bodies": ["ground", "mass"], "stiffness": "=k", "damping": "=c", "free_length": 1},
            "push": {"type": "applied_force", "body": "mass", "force": [0, 0]},
            "jet": {"type": "applied_force", "body": "mass", "force": [1, 0], "function": {"type": "input", "name": "thrust"}},
        },
    },
    "analysis": {"type": "linearize", "inputs": ["push", "thrust", "parameters.k"],
                 "outputs": ["mass.x", "mass.vx", "mass.ax", "spring.force"]},
}

# Sprung mass over a wheel whose tyre stands on a road of any height.
QUARTER = {"ms": 320, "mu": 40, "ks": 18000, "cs": 1000, "kt": 180000}
QUARTER_CAR = {
    "trammel": 2,
    "parameters": QUARTER,
    "system": {
        "type": "planar",
        "gravity": [0, -9.81],
        "bodies": {"car": {"mass": "=ms", "inertia": 1, "position": [0, 0.8]},
                   "wheel": {"mass": "=mu", "inertia": 1, "position": [0, 0.3]}},
        "constraints": {"guide": {"type": "translational", "bodies": ["ground", "car"], "at": [0, 0.8], "axis": [0, 1]},
                        "strut": {"type": "translational", "bodies": ["ground", "wheel"], "at": [0, 0.3], "axis": [0, 1]}},
        "forces": {
            "suspension": {"type": "tsda", "bodies": ["wheel", "car"], "stiffness": "=ks", "damping": "=cs",
                           "free_length": "=0.5 + ms*9.81/ks"},
            "tyre": {"type": "tyre_vertical", "body": "wheel", "stiffness": "=kt", "radius": "=0.3 + (ms + mu)*9.81/kt",
                     "contact": "bonded", "road": {"type": "input", "name": "road"}}},
    },
    "analysis": {"type": "frequency_response", "at": "equilibrium", "outputs": ["car.y", "car.ay", "suspension.force"],
                 "from": 0.1, "to": 100, "count": 61},
}

TOP = {"m": 1, "l": 0.1, "J": 0.012, "Jp": 0.001, "g": 9.81}  # J about the pivot


def top(tilt, omega):
    """A top on its point; `omega` in space. The pivot is the origin."""
    axis = [math.sin(tilt), 0, math.cos(tilt)]
    return {
        "trammel": 2,
        "system": {
            "type": "spatial",
            "gravity": [0, 0, -TOP["g"]],
            "bodies": {"top": {
                "mass": 1, "inertia": [0.002, 0.002, 0.001], "position": [0.1 * x for x in axis],
                "rotation": {"axis": [0, 1, 0], "angle": tilt}, "angular_velocity": omega,
                "velocity": [0.1 * x for x in cross(omega, axis)]}},
            "constraints": {"point": {"type": "spherical", "bodies": ["ground", "top"], "at": [0, 0, 0]}},
        },
        "analysis": {"type": "modes"},
    }


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


class Linearize(Case):
    def systems(self, document, *arguments):
        self.succeed(document, *arguments)
        return json.loads((self.folder / "out/linear_system.json").read_text())["systems"]

    def rows(self, name):
        with open(self.folder / "out" / name, newline="") as file:
            return list(csv.DictReader(file))

    def near(self, found, expected, share=1e-9, least=1e-9):
        self.assertEqual(len(found), len(expected))
        for i, (a, b) in enumerate(zip(found, expected)):
            with self.subTest(row=i):
                if isinstance(a, list):
                    self.near(a, b, share, least)
                else:
                    self.assertLessEqual(abs(a - b), share * abs(b) + least)

    def frequencies(self, document):
        """omega of all modes, the zeros left out."""
        self.succeed(document)
        return sorted(float(row["omega"]) for row in self.rows("modes.csv") if float(row["omega"]) > 1e-6)

    def test_mass_on_a_spring(self):
        [s] = self.systems(changed(MASS, system__bodies__mass__position=[1.1, 0]))
        m, k, c = 2, 300, 1.5
        self.assertEqual(s["inputs"], ["push.force.x", "push.force.y", "thrust", "parameters.k"])
        self.assertEqual(s["states"], ["mass.x", "rate of mass.x"])
        self.near(s["A"], [[0, 1], [-k / m, -c / m]])
        self.near(s["B"], [[0, 0, 0, 0], [1 / m, 0, 1 / m, -0.1 / m]])
        self.near(s["C"], [[1, 0], [0, 1], [-k / m, -c / m], [k, c]], 1e-9, 1e-7)
        self.near(s["D"], [[0] * 4, [0] * 4, [1 / m, 0, 1 / m, -0.1 / m], [0, 0, 0, 0.1]], 1e-8)
        delta = cmath.sqrt((c / m) ** 2 - 4 * k / m)
        self.near([abs(complex(*e)) for e in s["eigenvalues"]], [abs((-c / m + delta) / 2)] * 2)

    def test_resonance_without_damping_is_warned_of(self):
        """k / m = (2 pi)^2: at 1 Hz there is no bound; beside it |G| = 1 / |k - m w^2|."""
        document = changed(MASS, parameters={"m": 2, "k": 8 * math.pi ** 2, "c": 0}, analysis={
            "type": "frequency_response", "inputs": ["push"], "outputs": ["mass.x"], "frequencies": [0.5, 1, 1.001]})
        self.succeed(document)
        told = [w for w in self.summary()["warnings"] if "no bound" in w]
        self.assertEqual(len(told), 1)
        self.assertIn("at 1 Hz", told[0])
        rows = self.rows("frequency_response.csv")
        for row in (rows[0], rows[2]):
            expected = 1 / abs(8 * math.pi ** 2 - 2 * (2 * math.pi * float(row["frequency"])) ** 2)
            self.assertAlmostEqual(float(row["mass.x/push.force.x.magnitude"]) / expected, 1, delta=1e-8)

    def test_times_need_a_method(self):
        document = changed(MASS, analysis={"type": "linearize", "outputs": ["mass.x"], "times": [0, 0.5], "duration": 1})
        result = self.run_file(document)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("/analysis", result.stderr)
        self.assertIn('"integrator": "auto"', result.stderr)
        self.succeed(changed(document, integrator="auto", formulation="auto"))

    def test_kinks_are_warned_of(self):
        """A spring that only pulls, slack or taut or just at its free length."""
        for length, stiffness, warned in ((1.1, -150, False), (1.2, 0, False), (1.1 + 1e-9, None, True)):
            with self.subTest(length):
                document = changed(MASS, system__bodies__mass__position=[1.1, 0] if warned else [1.15, 0],
                                   system__forces__spring={"type": "tsda", "bodies": ["ground", "mass"], "stiffness": 300,
                                                           "free_length": length, "one_sided": "tension"})
                document["analysis"] = {"type": "linearize", "outputs": ["mass.x"]}
                [s] = self.systems(document)
                if stiffness is not None:
                    self.assertAlmostEqual(s["A"][1][0], stiffness, delta=1e-9)
                self.assertEqual("a force has a kink" in " ".join(self.summary()["warnings"]), warned)

    def test_tables_and_octave_say_the_same(self):
        [s] = self.systems(MASS)
        for name in "ABCD":
            rows = self.rows(f"{name}.csv")
            self.assertEqual([[float(x) for x in list(row.values())[1:]] for row in rows], s[name])
        script = (self.folder / "out/linear_system.m").read_text()
        self.assertIn("linear(1).states = {'mass.x', 'rate of mass.x'};", script)
        text = re.search(r"linear\(1\)\.A = \[(.*?)\];", script, re.S).group(1)
        self.assertEqual([[float(x) for x in row.split(",")] for row in text.split(";")], s["A"])

    def test_quarter_car_on_a_road(self):
        self.succeed(QUARTER_CAR)
        ms, mu, ks, cs, kt = QUARTER.values()
        rows = self.rows("frequency_response.csv")
        self.assertEqual(len(rows), 61)
        for row in rows:
            s = 2j * math.pi * float(row["frequency"])
            strut = ks + cs * s
            wheel = kt / (mu * s * s + strut + kt - strut * strut / (ms * s * s + strut))
            car = strut * wheel / (ms * s * s + strut)
            for name, expected in (("car.y", car), ("car.ay", s * s * car), ("suspension.force", strut * (car - wheel))):
                found = cmath.rect(float(row[f"{name}/road.magnitude"]), float(row[f"{name}/road.phase"]))
                self.assertLess(abs(found - expected), 1e-8 * abs(expected), (name, row["frequency"]))
        self.assertIn("<svg", (self.folder / "out/bode.svg").read_text())

    def test_a_force_that_depends_on_what_the_response_measures_passes_through(self):
        document = changed(MASS, analysis={"type": "frequency_response", "inputs": ["thrust"], "outputs": ["mass.ax"],
                                           "frequencies": [0.5, 1e5]})
        self.succeed(document)
        last = self.rows("frequency_response.csv")[-1]
        self.assertLess(abs(float(last["mass.ax/thrust.magnitude"]) - 0.5), 1e-6)  # D = 1 / m

    def test_double_pendulum_with_a_torque(self):
        m, l, g = 1.0, 1.0, 9.81  # two point-like bobs of small inertia
        inertia = 1e-3
        document = {
            "trammel": 2,
            "system": {
                "type": "planar", "gravity": [0, -g],
                "bodies": {"a": {"mass": m, "inertia": inertia, "position": [0, -l]},
                           "b": {"mass": m, "inertia": inertia, "position": [0, -2 * l]}},
                "constraints": {"pin": {"type": "revolute", "bodies": ["ground", "a"], "point_i": [0, 0], "point_j": [0, l]},
                                "elbow": {"type": "revolute", "bodies": ["a", "b"], "point_i": [0, 0], "point_j": [0, l]}},
                "forces": {"motor": {"type": "applied_torque", "body": "a", "torque": 0}}},
            "analysis": {"type": "linearize", "inputs": ["motor"], "outputs": ["a.phi", "b.phi"]}}
        [s] = self.systems(document)
        M = [[2 * m * l * l + inertia, m * l * l], [m * l * l, m * l * l + inertia]]  # of a.phi, b.phi
        K = [[2 * m * g * l, 0], [0, m * g * l]]
        det = M[0][0] * M[1][1] - M[0][1] ** 2
        inverse = [[M[1][1] / det, -M[0][1] / det], [-M[0][1] / det, M[0][0] / det]]
        # In any independent coordinates: C A^2 = -M^-1 K C and C A B = M^-1 (1, 0) with C of both angles.
        A, B, C = s["A"], s["B"], s["C"]
        times = lambda X, Y: [[sum(a * b for a, b in zip(row, column)) for column in zip(*Y)] for row in X]
        CA = times(C, A)
        MK = [[inverse[i][0] * K[0][j] + inverse[i][1] * K[1][j] for j in range(2)] for i in range(2)]
        minus = [[-x for x in row] for row in times(MK, C)]
        self.near(times(CA, A), minus, 1e-8, 1e-8)
        self.near(times(CA, B), [[inverse[0][0]], [inverse[1][0]]], 1e-8)

    def test_along_a_swing(self):
        g = 9.81
        document = {
            "trammel": 2,
            "system": {"type": "planar", "gravity": [0, -g],
                       "bodies": {"bob": {"mass": 1, "inertia": 0.25, "position": [0.5, 0], "angle": 0}},
                       "constraints": {"pin": {"type": "revolute", "bodies": ["ground", "bob"], "at": [0, 0]}}},
            "analysis": {"type": "linearize", "duration": 1, "times": [0, 0.3, 1], "inputs": [], "outputs": ["bob.phi"]},
            "formulation": "projection", "integrator": {"type": "dopri5", "rtol": 1e-10, "atol": 1e-12},
            "output": {"step": 0.1, "channels": ["bob.phi"]}}
        systems = self.systems(document)
        self.assertEqual([s["t"] for s in systems], [0, 0.3, 1])
        angle = {round(float(row["t"]), 6): float(row["bob.phi"]) for row in self.rows("results.csv")}
        for s in systems:  # (I + m r^2) phi'' = -m g r cos phi: a product of eigenvalues that no coordinate changes
            [e1, e2] = [complex(*e) for e in s["eigenvalues"]]
            self.assertLess(abs(e1 * e2 + 0.5 * g * math.sin(angle[round(s["t"], 6)]) / 0.5), 1e-7)
        self.assertTrue((self.folder / "out/A.3.csv").exists())
        self.assertIn("change along the motion", " ".join(self.summary()["warnings"]))

    def test_free_symmetric_rotor(self):
        document = {
            "trammel": 2,
            "system": {"type": "spatial", "bodies": {"rotor": {
                "mass": 3, "inertia": [0.02, 0.02, 0.03], "position": [0, 0, 0], "rotation": {"axis": [1, 2, -1], "angle": 0.7},
                "angular_velocity": [0, 0, 0]}}},
            "analysis": {"type": "modes"}}
        # About its own axis, wherever that points: the third column of the rotation.
        a, n = 0.7, [x / math.sqrt(6) for x in (1, 2, -1)]
        z = [math.sin(a) * n[1] + (1 - math.cos(a)) * n[0] * n[2], -math.sin(a) * n[0] + (1 - math.cos(a)) * n[1] * n[2],
             math.cos(a) + (1 - math.cos(a)) * n[2] * n[2]]
        document["system"]["bodies"]["rotor"]["angular_velocity"] = [50 * x for x in z]
        self.near(self.frequencies(document), [75.0], 1e-9)  # Jp / J omega
        self.assertNotIn("change along the motion", " ".join(self.summary()["warnings"]))
        self.assertNotIn("half", " ".join(self.summary()["warnings"]))
        verified = self.trammel("verify", "run.json", "-o", "out")
        self.assertEqual(verified.returncode, 0, verified.stderr + verified.stdout)

    def test_sleeping_top(self):
        spin = 400
        J, Jp, mgl = TOP["J"], TOP["Jp"], TOP["m"] * TOP["g"] * TOP["l"]
        root = math.sqrt((Jp * spin) ** 2 - 4 * J * mgl)
        self.near(self.frequencies(top(0, [0, 0, spin])), [(Jp * spin - root) / (2 * J), (Jp * spin + root) / (2 * J)], 1e-9)

    def test_rotor_in_elastic_bearings(self):
        spin, k, kappa = 300, 4e5, 900
        document = {
            "trammel": 2,
            "system": {
                "type": "spatial",
                "bodies": {"housing": {"mass": 2, "inertia": [0.01, 0.01, 0.02], "position": [0, 0, 0]},
                           "rotor": {"mass": 6, "inertia": [0.03, 0.03, 0.05], "position": [0, 0, 0],
                                     "angular_velocity": [0, 0, spin]}},
                "constraints": {"shaft": {"type": "revolute", "bodies": ["housing", "rotor"], "at": [0, 0, 0], "axis": [0, 0, 1]}},
                "forces": {"bearing": {"type": "bushing", "bodies": ["ground", "housing"], "at": [0, 0, 0],
                                       "stiffness": [k, k, k], "torsional_stiffness": [kappa, kappa, kappa]}}},
            "analysis": {"type": "modes"}}
        J, Jp, m = 0.04, 0.05, 8
        root = math.sqrt((Jp * spin) ** 2 + 4 * J * kappa)
        expected = [math.sqrt(k / m)] * 3 + [math.sqrt(kappa / 0.02)] + [(root - Jp * spin) / (2 * J), (root + Jp * spin) / (2 * J)]
        self.near(self.frequencies(document), sorted(expected), 1e-9)

    def test_steady_precession_in_axes_that_precess(self):
        tilt, turning = 0.6, 5.0
        J, Jp, mgl = TOP["J"], TOP["Jp"], TOP["m"] * TOP["g"] * TOP["l"]
        n = (mgl + J * turning ** 2 * math.cos(tilt)) / (Jp * turning)  # the spin along the axis that this takes
        along = n - turning * math.cos(tilt)
        omega = [along * math.sin(tilt), 0, along * math.cos(tilt) + turning]
        document = changed(top(tilt, omega), analysis={"type": "linearize", "outputs": ["top.x"], "turning": [0, 0, turning]})
        [s] = self.systems(document)
        nutation = math.sqrt((turning * math.sin(tilt)) ** 2 + (2 * turning * math.cos(tilt) - Jp * n / J) ** 2)
        found = sorted(abs(complex(*e)) for e in s["eigenvalues"])
        self.near(found[-2:], [nutation] * 2, 1e-7)
        self.assertLess(found[-3], 1e-3)  # the others are 0, doubly
        self.assertNotIn("change along", " ".join(self.summary()["warnings"]))
        self.succeed(changed(document, analysis__turning=[0, 0, 0]))
        self.assertIn("change along the motion", " ".join(self.summary()["warnings"]))

    def test_what_does_not_fit_is_refused_at_its_place(self):
        for changes, words in (
                ({"analysis__inputs": ["pusch"]}, ("/analysis/inputs", "there is no input 'pusch'", "did you mean 'push'")),
                ({"analysis__inputs": ["spring"]}, ("/analysis/inputs", "no given 'force' or 'torque'")),
                ({"analysis__inputs": ["parameters.kk"]}, ("/analysis/inputs", "did you mean 'k'")),
                ({"analysis__outputs": ["mass.xx"]}, ("/analysis/outputs", "mass.x")),
                ({"analysis__turning": [1, 0, 0]}, ("/analysis/turning", "planar")),
                ({"analysis__turning": [1, 0]}, ("/analysis/turning", "has 2 numbers")),
                ({"analysis__times": [0.5, 0.2], "analysis__duration": 1}, ("/analysis/times", "must ascend")),
                ({"analysis__at": "equilibirum"}, ("/analysis/at", "did you mean 'equilibrium'"))):
            with self.subTest(changes):
                result = self.run_file(changed(MASS, **changes))
                self.assertEqual(result.returncode, 2, result.stderr)
                for word in words:
                    self.assertIn(word, result.stderr)
        result = self.run_file(changed(MASS, analysis={"type": "linearize", "inputs": ["system.bodies.mass.position.1"]}))
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("moves a constraint", result.stderr)


if __name__ == "__main__":
    main()
