"""trammel verify: a run in other ways, the digits that hold, who is wrong where two disagree; every analysis."""
import math

from support import Case, EXAMPLES, changed, main

# A mass on a spring, drawn out by a tenth of a metre: x = 1 + cos(w t) / 10 with w^2 = k / m = 40.
OSCILLATOR = {
    "trammel": 2,
    "title": "Mass on a spring",
    "system": {
        "type": "planar",
        "bodies": {"m": {"mass": 1, "inertia": 1, "position": [1.1, 0]}},
        "constraints": {"rail": {"type": "translational", "bodies": ["ground", "m"], "at": [0, 0], "axis": [1, 0]}},
        "forces": {"k": {"type": "tsda", "bodies": ["ground", "m"], "stiffness": 40, "free_length": 1}},
    },
    "analysis": {"type": "dynamics", "duration": 3},
    "formulation": {"type": "projection"},
    "integrator": {"type": "dopri5", "rtol": 1e-4, "atol": 1e-6},
    "output": {"step": 0.05},
}


class Verify(Case):
    def verify(self, content, code, *arguments):
        name = content if not isinstance(content, dict) else self.write(content)
        result = self.trammel("verify", name, "-o", "out", *arguments)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result, self.summary()["verification"]

    def channel(self, verification, name):
        return next(c for c in verification["channels"] if c["name"] == name)


class Dynamics(Verify):
    def test_the_estimated_error_is_the_error(self):
        result, verification = self.verify(OSCILLATOR, 0)
        header, rows = self.table()
        x = header.index("m.x")
        error = max(abs(row[x] - 1 - 0.1 * math.cos(math.sqrt(40) * row[0])) for row in rows)
        estimate = self.channel(verification, "m.x")["estimated_error"]
        self.assertGreater(error, 1e-9)
        self.assertLess(abs(estimate - error), 0.1 * error)
        self.assertEqual(verification["verdict"], "agrees")
        self.assertIn("m.x", result.stdout)
        self.assertNotEqual(verification["ways"][0]["way"].split(",")[0], "dopri5 under projection")
        self.assertNotIn("step", [c["name"] for c in verification["channels"]])
        self.assertEqual(self.summary("out/verification/second")["status"], "completed")

    def test_a_wrong_run_is_told_from_its_judges(self):
        coarse = changed(OSCILLATOR, integrator={"type": "euler", "step": 0.01})
        result, verification = self.verify(coarse, 4)
        self.assertEqual(verification["verdict"], "disagrees")
        self.assertIn("the run is wrong", result.stderr)
        self.assertIn("agree with each other", result.stderr)
        self.assertGreaterEqual(len(verification["ways"]), 3)

    def test_a_loose_atol_hides_nothing(self):
        long = {"type": "dynamics", "duration": 50}
        tight = {"type": "dopri5", "rtol": 1e-8, "atol": 1e-10}
        _, verification = self.verify(changed(OSCILLATOR, analysis=long, integrator=tight), 0)
        self.assertEqual(verification["verdict"], "agrees")
        result, verification = self.verify(changed(OSCILLATOR, analysis=long, integrator={**tight, "atol": 1e-2}), 4)
        self.assertEqual(verification["verdict"], "disagrees")
        self.assertIn("the run is wrong", result.stderr)
        self.assertIn("atol 0.01 is loose for this motion", result.stderr)

    def test_small_motions_are_measured_by_their_own_range(self):
        small = changed(OSCILLATOR, analysis={"type": "dynamics", "duration": 20}, integrator={"type": "dopri5"})
        small["system"]["bodies"]["m"]["position"] = [1e-6, 0]
        small["system"]["forces"] = {"k": {"type": "six_component_force", "bodies": ["ground", "m"], "force_x": "-40*x"}}
        result, _ = self.verify(small, 4)
        self.assertIn("atol 1e-08 is loose for this motion", result.stderr)
        _, verification = self.verify(changed(small, integrator={"type": "dopri5", "atol": 1e-14}), 0)
        self.assertEqual(verification["verdict"], "agrees")

    def test_a_good_fixed_step_gets_its_error(self):
        _, verification = self.verify(changed(OSCILLATOR, integrator={"type": "rk4", "step": 0.01}), 0)
        header, rows = self.table()
        x = header.index("m.x")
        error = max(abs(row[x] - 1 - 0.1 * math.cos(math.sqrt(40) * row[0])) for row in rows)
        self.assertLess(abs(self.channel(verification, "m.x")["estimated_error"] - error), 0.1 * error)

    def test_chaos_is_told_with_its_time(self):
        result, verification = self.verify(EXAMPLES / "planar_double_pendulum.json", 0, "--set", "analysis.duration=40", "--set",
                                           'integrator={"type":"dopri5","rtol":1e-6,"atol":1e-8}', "--set", "output.step=0.1")
        self.assertEqual(verification["verdict"], "chaotic", result.stdout)
        self.assertGreater(verification["agree_until"], 3)
        self.assertLess(verification["agree_until"], 39)
        self.assertIn("chaotic", result.stdout)

    def test_impacts_have_times(self):
        _, verification = self.verify(EXAMPLES / "bouncing_ball.json", 0)
        impact = next(e for e in verification["events"] if e["name"] == "floor.impact")
        self.assertGreater(impact["count"], 3)
        self.assertEqual(impact["count"], impact["other_count"])
        self.assertLess(impact["estimated_error"], 1e-6)

    def test_a_plain_problem(self):
        problem = {"trammel": 2, "system": {"type": "exponential"}, "analysis": {"type": "dynamics", "duration": 1},
                   "integrator": {"type": "dopri5", "rtol": 1e-6}, "output": {"step": 0.1}}
        self.verify(problem, 0)

    def test_channels_of_the_own_method_are_left_out(self):
        problem = {"trammel": 2, "system": {"type": "exponential"}, "analysis": {"type": "dynamics", "duration": 2},
                   "integrator": {"type": "adams", "order": 8, "control": "haug", "rtol": 1e-8, "atol": 1e-10},
                   "output": {"at": "steps", "channels": ["x", "step", "order", "local_error"]}}
        _, verification = self.verify(problem, 0)
        self.assertEqual([c["name"] for c in verification["channels"]], ["x"])
        self.assertEqual(verification["not_compared"], ["step", "order", "local_error"])

    def test_the_command(self):
        self.write(OSCILLATOR)
        result = self.trammel("verify", "run.json", "-o", "out", "--quiet")
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))
        self.assertEqual(self.trammel("verify", "nope.json").returncode, 2)
        self.assertEqual(self.trammel("verify").returncode, 1)
        self.assertIn("verify", self.trammel("--help").stdout)


class OtherAnalyses(Verify):
    def test_examples(self):
        for name in ("assemble_four_bar", "balanced_lamp", "quick_return", "robot_arm_inverse", "three_masses_modes"):
            with self.subTest(name):
                result, verification = self.verify(EXAMPLES / f"{name}.json", 0)
                self.assertEqual(verification["verdict"], "agrees", result.stdout)
                self.assertGreater(verification["digits"], 3)

    def test_mode_shapes_are_compared(self):
        _, verification = self.verify(EXAMPLES / "three_masses_modes.json", 0)
        shapes = [c for c in verification["channels"] if c["name"].startswith("shape of mode")]
        self.assertGreaterEqual(len(shapes), 3)
        self.assertLess(max(c["estimated_error"] for c in shapes), 1e-6)

    def test_equal_eigenvalues_share_their_directions(self):
        # Two equal pendulums that do not touch: any mixture of their motions is a mode.
        rod = {"mass": 1, "inertia": 0.1}
        twins = {"trammel": 2,
                 "system": {"type": "planar", "gravity": [0, -9.81],
                            "bodies": {"a": {**rod, "position": [0, -1]}, "b": {**rod, "position": [3, -1]}},
                            "constraints": {"p": {"type": "revolute", "bodies": ["ground", "a"], "at": [0, 0]},
                                            "q": {"type": "revolute", "bodies": ["ground", "b"], "at": [3, 0]}}},
                 "analysis": {"type": "modes"}}
        _, verification = self.verify(twins, 0)
        self.assertEqual(len([c for c in verification["channels"] if c["name"].startswith("shape")]), 2)

    def test_an_equilibrium_that_another_method_finds_elsewhere(self):
        # A rod that stands on its hinge is in equilibrium for Newton's method; where the potential is least it hangs.
        rod = {"trammel": 2,
               "system": {"type": "planar", "gravity": [0, -9.81],
                          "bodies": {"rod": {"mass": 1, "inertia": 0.1, "position": [0, 1], "angle": 1.5707963267948966}},
                          "constraints": {"pin": {"type": "revolute", "bodies": ["ground", "rod"], "at": [0, 0]}}},
               "analysis": {"type": "equilibrium", "method": "newton"}}
        _, verification = self.verify(rod, 0)
        self.assertIn("minimum_potential found another equilibrium", verification["message"])

    def test_equilibria_of_small_models_are_compared_in_their_own_size(self):
        # A spring of 1 rad/s, free at 1 um: equilibria that are off by as much never agree.
        small = {"trammel": 2,
                 "system": {"type": "planar", "bodies": {"b": {"mass": 1, "inertia": 1e-12, "position": [2e-6, 0]}},
                            "constraints": {"g": {"type": "translational", "bodies": ["ground", "b"], "at": [0, 0],
                                                  "axis": [1, 0]}},
                            "forces": {"f": {"type": "tsda", "bodies": ["ground", "b"], "stiffness": 1, "free_length": 1e-6}}},
                 "analysis": {"type": "equilibrium", "method": "minimum_potential"}}
        _, verification = self.verify(small, 0)
        self.assertEqual(verification["verdict"], "agrees")
        self.assertGreater(verification["digits"], 5)

    def test_no_second_way_is_said(self):
        crank = {"trammel": 2,
                 "system": {"type": "planar", "bodies": {"rod": {"mass": 1, "inertia": 0.1, "position": [1, 0]}},
                            "constraints": {"pin": {"type": "revolute", "bodies": ["ground", "rod"], "at": [0, 0]},
                                            "motor": {"type": "angle_driver", "bodies": ["ground", "rod"],
                                                      "function": {"type": "polynomial", "coefficients": [0, 1]}}}},
                 "analysis": {"type": "kinematics", "duration": 1}, "output": {"step": 0.02}}
        _, verification = self.verify(crank, 0)
        self.assertIn("d(rod.x)/dt - rod.vx", [c["name"] for c in verification["channels"]])

    def test_a_study_takes_it_as_a_metric(self):
        self.write(changed(OSCILLATOR, integrator={"type": "dopri5", "rtol": 1e-4, "atol": 1e-10}))
        self.write({"trammel_study": 1, "base": "run.json", "verify": True,
                    "vary": {"integrator.rtol": [1e-4, 1e-8]}, "expect": [{"metric": "verify", "above": 2}]}, "study.json")
        result = self.trammel("study", "study.json", "-o", "st", "--quiet")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        header = (self.folder / "st" / "study.csv").read_text().splitlines()
        column = header[0].split(",").index("verify")
        loose, tight = (float(line.split(",")[column]) for line in header[1:])
        self.assertGreater(tight, loose + 2)


main()
