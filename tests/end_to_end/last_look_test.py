"""A last look at every run: what is wrong beyond the tolerances is said, what is right is not accused."""
from support import Case, changed, main

MASS = {
    "trammel": 2,
    "system": {
        "type": "planar",
        "bodies": {"mass": {"mass": 2, "inertia": 0.1}},
        "forces": {"push": {"type": "applied_force", "body": "mass", "force": [4, 0],
                            "function": {"type": "piecewise", "breaks": [5, 5.001], "jumps": True, "pieces": [0, 1000, 0]}}},
    },
    "analysis": {"type": "dynamics", "duration": 10.0},
    "formulation": {"type": "projection"},
    "integrator": {"type": "dopri5"},
    "output": {"step": 0.1, "channels": ["mass", "energy"]},
}

# 1 kg on a spring of 1e6 N/m, 1000 rad/s.
OSCILLATOR = {
    "trammel": 2,
    "system": {
        "type": "planar",
        "bodies": {"m": {"mass": 1, "inertia": 0.1, "position": [1.001, 0]}},
        "constraints": {"g": {"type": "translational", "bodies": ["ground", "m"], "at": [1, 0], "axis": [1, 0]}},
        "forces": {"k": {"type": "tsda", "bodies": ["ground", "m"], "stiffness": 1e6, "free_length": 1}},
    },
    "analysis": {"type": "dynamics", "duration": 1.0},
    "formulation": {"type": "projection"},
    "integrator": {"type": "ampc", "order": 4, "step": 0.0012},
    "output": {"step": 0.01},
}

DOUBLE_PENDULUM = {
    "trammel": 2,
    "system": {
        "type": "planar",
        "gravity": [0, -9.81],
        "bodies": {"a": {"mass": 1, "inertia": "=1/12", "position": [0.5, 0]},
                   "b": {"mass": 1, "inertia": "=1/12", "position": [1.5, 0]}},
        "constraints": {"p": {"type": "revolute", "bodies": ["ground", "a"], "at": [0, 0]},
                        "q": {"type": "revolute", "bodies": ["a", "b"], "at": [1, 0]}},
        "forces": {"s": {"type": "tsda", "bodies": ["ground", "b"], "point_i": [0, 1], "stiffness": 50, "free_length": 1}},
    },
    "analysis": {"type": "dynamics", "duration": 1},
    "formulation": {"type": "projection"},
    "integrator": {"type": "rk4", "step": 0.5},
    "output": {"step": 0.01},
}

# A flywheel whose law has the wrong sign: the torque drives it away from rest, 1e3 1/s^2 per rad.
WRONG_SIGN = {
    "trammel": 2,
    "system": {
        "type": "planar",
        "bodies": {"wheel": {"mass": 1, "inertia": 1, "angular_velocity": 1}},
        "constraints": {"axle": {"type": "revolute", "bodies": ["ground", "wheel"], "at": [0, 0]}},
        "forces": {"shaft": {"type": "rsda", "bodies": ["ground", "wheel"], "law": "-1000*angle"}},
    },
    "analysis": {"type": "dynamics", "duration": 50},
    "formulation": {"type": "direct"},
    "integrator": {"type": "dopri5"},
    "output": {"step": 0.5},
}


class LastLook(Case):
    def test_work_of_a_pulse(self):
        """4000 N for 1 ms on 2 kg: 2 m/s and 4 J, all of it work; the power is zero at both ends of the pulse."""
        self.succeed(MASS)
        summary = self.summary()
        final = summary["final"]["channels"]
        self.assertAlmostEqual(final["energy.work"], 4, delta=1e-8)
        self.assertAlmostEqual(final["energy.total"], 4, delta=1e-8)
        self.assertLess(summary["max"]["energy_drift_relative"], 1e-9)
        self.assertAlmostEqual(summary["max"]["energy_exchanged"], 8, delta=1e-7)
        self.assertEqual(summary["warnings"], [])

    def test_unstable_run_stops(self):
        result = self.run_file(OSCILLATOR)
        self.assertEqual(result.returncode, 4)
        message = self.summary()["message"]
        for words in ("the energy has grown by", "steps of 0.0012 s", "'ampc under projection'", "smaller step"):
            self.assertIn(words, message)

    def test_steps_far_too_long(self):
        self.succeed(changed(DOUBLE_PENDULUM, integrator__step=0.25))
        warnings = " ".join(self.summary()["warnings"])
        self.assertIn("the energy balance is off by up to", warnings)
        self.assertIn("steps of 0.25 s are too long for 'rk4 under projection'", warnings)
        self.succeed(changed(DOUBLE_PENDULUM, integrator__step=0.001))
        self.assertEqual(self.summary()["warnings"], [])

    def test_tolerances_keep_the_balance(self):
        for method in ("dopri5", "dopri853", "fehlberg45", "ddeabm"):
            self.succeed(changed(DOUBLE_PENDULUM, integrator={"type": method}))
            self.assertEqual(self.summary()["warnings"], [], method)

    def test_the_force_that_drives_is_named(self):
        result = self.run_file(WRONG_SIGN)
        self.assertEqual(result.returncode, 4)
        message = self.summary()["message"]
        self.assertIn("driven by force 'shaft'", message)
        self.assertNotIn("axle", message)


main()
