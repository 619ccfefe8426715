"""`"observe_steps": false`: steps without a row are looked at only for what no run can do without; nothing that is shown changes."""
from support import Case, PENDULUM, changed, main

METHODS = {
    "dopri5": {"type": "dopri5", "rtol": 1e-7, "atol": 1e-9},
    "adams": {"type": "adams", "order": 4, "step": 1e-3},
    "conditionally_explicit": {"type": "conditionally_explicit", "step": 1e-3},
    "hht": {"type": "hht", "step": 1e-3},
}
WITHOUT_FORMULATION = ("conditionally_explicit", "hht")

# A parallelogram that passes the position in which all four bars lie on one line.
LINKS = {
    "a": {"mass": 1, "inertia": 0.1, "position": [0, 0.5], "angle": "=pi/2", "velocity": [-2, 0], "angular_velocity": 4},
    "b": {"mass": 2, "inertia": 0.8, "position": [1, 1], "velocity": [-4, 0]},
    "c": {"mass": 1, "inertia": 0.1, "position": [2, 0.5], "angle": "=pi/2", "velocity": [-2, 0], "angular_velocity": 4},
}
JOINTS = {"o": ("ground", "a", [0, 0]), "p": ("a", "b", [0, 1]), "q": ("b", "c", [2, 1]), "r": ("ground", "c", [2, 0])}
PARALLELOGRAM = {
    "trammel": 2,
    "system": {"type": "planar", "bodies": LINKS, "constraints": {
        name: {"type": "revolute", "bodies": [i, j], "at": at} for name, (i, j, at) in JOINTS.items()}},
    "analysis": {"type": "dynamics", "duration": 1},
    "formulation": {"type": "projection"},
    "integrator": {"type": "dopri5", "rtol": 1e-6, "atol": 1e-8, "max_step": 0.02},
    "output": {"step": 1},
}


class ObserveSteps(Case):
    def both(self, document, *arguments):
        """The run as it is and with the key: exit code, bytes of the rows, summary; the messages are the same."""
        found = []
        for observed in (True, False):
            result = self.run_file(changed(document, integrator__observe_steps=observed), *arguments)
            found.append((result.returncode, result.stderr.replace("out", ""),
                          (self.folder / "out/results.csv").read_bytes(), self.summary()))
        self.assertEqual(found[0][:3], found[1][:3])
        return found[0][3], found[1][3]

    def test_rows_and_what_every_step_tells_are_the_same(self):
        for name, method in METHODS.items():
            with self.subTest(name):
                document = changed(PENDULUM, integrator=method, output__step=0.1)
                if name in WITHOUT_FORMULATION:
                    del document["formulation"]
                full, light = self.both(document)
                self.assertEqual(full["warnings"], light["warnings"])
                self.assertEqual(full["statistics"]["steps"], light["statistics"]["steps"])
                self.assertEqual(full["final"], light["final"])
                for key in ("constraint_position", "energy_drift", "energy_exchanged"):
                    self.assertEqual(full["max"][key], light["max"][key], key)
                for key in ("constraint_velocity", "constraint_acceleration", "multiplier_residual"):
                    self.assertLessEqual(light["max"][key], full["max"][key], key)
                self.assertNotIn("observe_steps", full.get("integrator_note", ""))
                self.assertIn('"observe_steps": false', light["integrator_note"])

    def test_rows_at_steps_and_events_observe_every_step(self):
        for document in (changed(PENDULUM, output={"at": "steps"}),
                         changed(PENDULUM, output__step=1, analysis__events={"past": {"when": "pin.angle + 0.3"}})):
            full, light = self.both(document)
            self.assertEqual(full["max"], light["max"])

    def test_drivers_observe_every_step(self):
        motor = {"type": "angle_driver", "bodies": ["ground", "top"], "axis": [0, 0, 1], "function": {"type": "polynomial", "coefficients": [0, 0, 1]}}
        free = changed(PENDULUM, system__bodies__top={"mass": 1, "inertia": [0.1, 0.1, 0.1], "position": [5, 0, 0]},
                       system__constraints__motor=motor)
        full, light = self.both(free)
        self.assertEqual(full["max"], light["max"])
        self.assertGreater(full["max"]["energy_exchanged"], 0)

    def test_violations_between_rows_stop_the_run(self):
        full, light = self.both(changed(PENDULUM, formulation={"type": "direct"}, output__step=10, analysis__duration=10,
                                        integrator={"type": "rk4", "step": 0.02}, analysis__constraint_limit=1e-7))
        self.assertEqual((full["status"], light["status"]), ("failed", "failed"))
        self.assertIn("constraint violation", light["message"])

    def test_singular_positions_between_rows_are_told(self):
        full, light = self.both(PARALLELOGRAM)
        for summary in (full, light):
            self.assertTrue(any("singular" in text for text in summary["warnings"]), summary["warnings"])


main()
