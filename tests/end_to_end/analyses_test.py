"""Kinematics, inverse dynamics, equilibrium and modes from the command line: files, exit codes, messages."""
import csv
import json
import re
import signal
import subprocess
import time

from support import DROP, SOURCE, TRAMMEL, Case, changed, main

DRIVEN = {
    "trammel": 2,
    "system": {
        "type": "planar",
        "gravity": [0, -9.81],
        "bodies": {"arm": {"mass": 2, "inertia": 0.2, "position": [0.4, 0.1]}},
        "constraints": {
            "pin": {"type": "revolute", "bodies": ["ground", "arm"], "point_i": [0, 0], "point_j": [-0.5, 0]},
            "motor": {"type": "angle_driver", "bodies": ["ground", "arm"],
                      "function": {"type": "polynomial", "coefficients": [0, 2]}},
        },
    },
    "analysis": {"type": "kinematics", "duration": 1},
}
HANGING = changed(DRIVEN, system__constraints__motor=DROP, analysis={"type": "equilibrium"})


class Analyses(Case):
    def rows(self, name="results.csv"):
        with open(self.folder / "out" / name, newline="") as file:
            return list(csv.DictReader(file))

    def refused(self, content, path, words):
        result = self.run_file(content)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn(path + ": ", result.stderr)
        self.assertIn(words, result.stderr)

    def test_kinematics_has_accelerations_and_two_hundred_rows(self):
        self.succeed(DRIVEN)
        rows = self.rows()
        self.assertEqual(len(rows), 201)
        self.assertAlmostEqual(float(rows[-1]["arm.phi"]), 2, places=12)
        self.assertAlmostEqual(float(rows[-1]["arm.ax"]), -0.5 * 4 * -0.4161468365471424, places=10)
        self.assertNotIn("motor.effort", rows[0])
        self.assertIn("violated_before", self.summary()["assembly"])

    def test_inverse_dynamics_has_efforts_and_reactions(self):
        self.succeed(changed(DRIVEN, analysis__type="inverse_dynamics", output={"step": 0.5}))
        rows = self.rows()
        self.assertEqual([float(row["t"]) for row in rows], [0, 0.5, 1])
        self.assertAlmostEqual(float(rows[0]["motor.effort"]), 2 * 9.81 * 0.5, places=10)
        self.assertAlmostEqual(float(rows[0]["pin.force.x"]), -2 * 0.5 * 4, places=10)

    def test_drivers_that_are_missing(self):
        self.refused(changed(DRIVEN, system__constraints__motor=DROP), "/system", "1 driver is missing; nothing drives 'pin.angle'")

    def test_duration_is_needed(self):
        self.refused(changed(DRIVEN, analysis={"type": "inverse_dynamics"}), "/analysis", "missing key 'duration'")

    def test_equilibrium_has_one_row(self):
        for method in ("minimum_potential", "settling", "newton"):
            with self.subTest(method):
                start = changed(HANGING, system__bodies__arm__position=[0.2, -0.4], system__bodies__arm__angle=-1.2)
                self.succeed(changed(start, analysis__method=method))
                rows = self.rows()
                self.assertEqual(len(rows), 1)
                self.assertAlmostEqual(float(rows[0]["arm.y"]), -0.5, places=9)
                self.assertAlmostEqual(float(rows[0]["pin.force.y"]), 2 * 9.81, places=4)
                summary = self.summary()
                self.assertTrue(summary["stable"])
                self.assertTrue(summary["equilibrium"]["method"].startswith(method))
                self.assertEqual(summary["equilibrium"]["unstable"], 0)

    def test_bad_values(self):
        for analysis, path, words in (
                ({"method": "setling"}, "/analysis/method", "did you mean 'settling'?"),
                ({"optimizer": "bfgs"}, "/analysis/optimizer", "did you mean 'lbfgs'?"),
                ({"damping": -1}, "/analysis/damping", ">= 0"),
                ({"acceleration_tolerance": 0}, "/analysis/acceleration_tolerance", "> 0"),
                ({"matrices": 1}, "/analysis/matrices", "")):
            with self.subTest(analysis):
                self.refused(changed(HANGING, analysis={"type": "equilibrium", **analysis}), path, words)
        self.refused({"trammel": 2, "system": {"type": "exponential"}, "analysis": {"type": "modes"}}, "/system", "has no bodies")

    def test_keys_of_other_analyses_are_refused(self):
        equilibrium = {"type": "equilibrium"}
        dynamics = {"type": "dynamics", "duration": 1}
        for analysis, key, owner in (
                ({**equilibrium, "method": "settling", "optimizer": "lbfgs"}, "optimizer", "method 'minimum_potential'"),
                ({**equilibrium, "method": "minimum_potential", "damping": 1}, "damping", "method 'settling'"),
                ({**equilibrium, "velocity_tolerance": 1e-5}, "velocity_tolerance", "method 'settling'"),
                ({**equilibrium, "matrices": True}, "matrices", "type 'modes'"),
                ({**dynamics, "method": "newton"}, "method", "type 'equilibrium'"),
                ({**equilibrium, "start": "equilibrium"}, "start", "type 'dynamics'"),
                ({**equilibrium, "events": {}}, "events", "type 'dynamics'"),
                ({"type": "modes", "method": "newton"}, "method", "\"at\": \"equilibrium\"")):
            with self.subTest(analysis):
                self.refused(changed(HANGING, analysis=analysis), "/analysis/" + key, "means nothing in an analysis of type")
                self.refused(changed(HANGING, analysis=analysis), "/analysis/" + key, owner)
        start = changed(HANGING, system__bodies__arm__position=[0.2, -0.4], system__bodies__arm__angle=-1.2)
        self.succeed(changed(start, analysis={**equilibrium, "method": "settling", "damping": 3, "duration": 500,
                                              "velocity_tolerance": 1e-5}))
        self.succeed(changed(start, analysis={"type": "modes", "at": "equilibrium", "method": "newton"}))

    def test_rigid_stops_are_for_dynamics(self):
        floor = {"type": "impact", "bodies": ["ground", "arm"], "point_i": [0, -2], "axis_i": [0, 1], "restitution": 0.5}
        for analysis in ({"type": "equilibrium"}, {"type": "equilibrium", "method": "settling"},
                         {"type": "modes", "at": "equilibrium"}):
            with self.subTest(analysis):
                self.refused(changed(HANGING, system__constraints__floor=floor, analysis=analysis),
                             "/system/constraints/floor", "use the compliant force 'stop'")
        self.refused(changed(DRIVEN, system__constraints__floor=floor), "/system/constraints/floor",
                     "'floor' (type 'impact') is a rigid stop, which acts on the velocities of dynamics only")
        self.succeed(changed(HANGING, system__constraints__floor=floor, analysis={"type": "modes"}))
        closed = changed(floor, point_i=[0, 0.1])
        self.refused(changed(HANGING, system__constraints__floor=closed, analysis={"type": "modes"}),
                     "/system/constraints/floor", "not on modes")
        self.refused(changed(HANGING, system__constraints__floor=floor, system__bodies__arm__position=[0.5, 0], integrator={"type": "dopri5"},
                             formulation={"type": "projection"},
                             analysis={"type": "dynamics", "duration": 1, "start": "equilibrium"}),
                     "/analysis/start", "is a rigid stop")

    def test_internal_states_are_carried_or_refused(self):
        """A view that left them at their start would find an equilibrium that is none."""
        motor = {"type": "actuator", "joint": "pin", "law": "3 - 0.4*rate", "lag": 0.25}
        def with_motor(analysis, **methods):
            return changed(HANGING, system__forces__motor=motor, analysis=analysis, **methods)
        projected = {"type": "projection"}
        equilibrium = {"type": "equilibrium"}
        settling = {**equilibrium, "method": "settling"}
        self.succeed(with_motor(settling, integrator={"type": "dopri5"}, formulation=projected,
                                output={"channels": ["motor"]}))
        self.assertAlmostEqual(self.summary()["final"]["channels"]["motor.force"], 3, delta=1e-6)
        self.succeed(with_motor({**equilibrium, "method": "newton"}))
        # Methods for index-3 and second-order systems carry states as well.
        methods = [({"type": "hht"}, None), ({"type": "generalized_alpha", "step": 0.002}, None)]
        methods += [({"type": method}, {"type": "coordinate_partitioning"})
                    for method in ("rosenbrock_nystrom", "trapezoidal", "sdirk4", "bdf")]
        for integrator, formulation in methods:
            with self.subTest(integrator):
                view = {} if formulation is None else {"formulation": formulation}
                self.succeed(with_motor(settling, integrator=integrator, output={"channels": ["motor"]}, **view))
                self.assertAlmostEqual(self.summary()["final"]["channels"]["motor.force"], 3, delta=1e-6)
        self.succeed(with_motor({"type": "modes", "at": "equilibrium", "method": "settling"}, integrator={"type": "hht"}))
        for analysis in (equilibrium, {"type": "modes", "at": "equilibrium"}):
            with self.subTest(analysis):
                self.refused(with_motor(analysis), "/system", "\"settling\" or \"newton\"")
        self.refused(with_motor({"type": "dynamics", "duration": 1, "start": "equilibrium"}, integrator={"type": "dopri5"},
                                formulation=projected), "/analysis/start", "has an internal state")
        left = self.succeed(changed(DRIVEN, system__forces__pull=motor))
        self.assertIn("force 'pull' (type 'actuator') has an internal state, which stays at its start in a motion that "
                      "constraints and drivers determine", left.stderr)
        self.refused(changed(DRIVEN, system__forces__pull=motor, analysis={"type": "inverse_dynamics", "duration": 1}),
                     "/system", "use dynamics")

    def test_events_that_have_no_value_or_no_zero_are_named(self):
        def falling(when):
            return changed(HANGING, system__bodies__arm__position=[0.5, 0], integrator={"type": "dopri5"},
                           formulation={"type": "projection"},
                           analysis={"type": "dynamics", "duration": 0.1, "events": {"far": {"when": when}}})
        self.refused(falling("sqrt(arm.y - 5)"), "/analysis/events/far/when", "event 'far' has no finite value at the start")
        self.assertIn("run.json:", self.run_file(falling("1/arm.y")).stderr)
        result = self.succeed(falling("3 - 2"))
        self.assertIn("/analysis/events/far/when: never passes zero", result.stderr)
        self.assertIn("never passes zero", self.summary()["warnings"][0])
        self.assertIn("never passes zero: the formula stays between -3 and -2.9", self.succeed(falling("t - 3")).stderr)
        for when in ("t - 0.1", "arm.y - 3"):
            self.assertNotIn("passes zero", self.succeed(falling(when)).stderr)
        late = self.run_file(falling("sqrt(0.05 - t)"))
        self.assertEqual(late.returncode, 4)
        self.assertIn("event 'far' of the run file cannot be evaluated at t = ", late.stderr)

    def test_a_double_zero_is_one_event_and_a_pole_none(self):
        def events(when):
            self.succeed(changed(HANGING, system__bodies__arm__position=[0.5, 0], formulation={"type": "projection"},
                                 integrator={"type": "dopri5"}, output={"step": 0.1},
                                 analysis={"type": "dynamics", "duration": 1, "events": {"x": {"when": when}}}))
            file = self.folder / "out" / "events.csv"
            return file.read_text().splitlines()[1:] if file.exists() else []
        touches = events("(t - 0.7)^2")
        self.assertLessEqual(len(touches), 1)  # rounding decides whether the one point is met
        for row in touches:
            self.assertAlmostEqual(float(row.split(",")[0]), 0.7, delta=1e-4)  # the square is below 1e-8 there
        self.assertEqual(events("1/(t - sqrt(0.3))"), [])
        self.assertEqual(len(events("t - sqrt(0.3)")), 1)

    def test_an_analysis_without_time_tells_none(self):
        result = self.succeed(changed(HANGING, system__bodies__arm__position=[0.2, -0.4], system__bodies__arm__angle=-1.2))
        self.assertIn("Outcome    completed\n", result.stdout)

    def test_a_search_can_be_interrupted(self):
        chain = SOURCE / "configs" / "benchmarks" / "revolute_chain_64.json"
        process = subprocess.Popen([TRAMMEL, "run", chain, "-o", "out", "--set", 'analysis={"type": "equilibrium"}'],
                                   cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while process.poll() is None and not (self.folder / "out" / "results.csv").exists():
            time.sleep(0.001)
        process.send_signal(signal.SIGINT)
        told = process.communicate(timeout=60)[1]
        self.assertEqual(process.returncode, 130, told)
        self.assertIn("interrupted after ", told)
        self.assertEqual(self.summary()["status"], "interrupted")

    def test_describe_and_schema_know_the_keys(self):
        schema = json.loads(self.trammel("schema").stdout)
        run = schema["$defs"]["run"]["properties"]
        own = run["analysis"]["allOf"][0]["then"]["properties"]  # of the kernel's analyses
        for part, pages in (("run_file", run), ("analysis", own), ("output", run["output"]["properties"])):
            text = self.trammel("describe", part).stdout
            described, = json.loads(self.trammel("describe", part, "--json").stdout)
            self.assertEqual(described["part"], part)
            keys = [key["name"] for key in described["parameters"]]
            self.assertEqual({key for key in keys if "." not in key}, set(pages))
            for key in keys:
                self.assertRegex(text, rf"(?m)^    {re.escape(key)} +[A-Z].*\.$")
        self.assertIn("    events.NAME.direction   Passages that count.\n"
                      "                            any | rising | falling, default \"any\"\n", self.trammel("describe", "analysis").stdout)

    def test_describe_shows_the_parts_of_models(self):
        model, = json.loads(self.trammel("describe", "system/planar", "--json").stdout)
        self.assertEqual([key["name"] for key in model["body_keys"]], ["name", "shape"])
        names = {key["name"] for key in model["model_keys"]}
        self.assertEqual(names, {"bodies", "ground", "ground.shape", "points", "constraints", "forces"})
        for key in names:
            self.assertIn(f"    {key} ", self.trammel("describe", "system/planar").stdout)
        self.assertRegex(self.trammel("describe", "points").stdout, "    body +Body")
        self.assertIn("  keys of type 'cylinder':\n    from ", self.trammel("describe", "shape").stdout)

    def test_starts_that_overlap_and_wrong_formulas_have_a_place(self):
        ball = changed(DRIVEN, system__bodies={"b": {"mass": 1, "inertia": 0.1, "position": [0, -0.1]}},
                       system__constraints={"floor": {"type": "impact", "bodies": ["ground", "b"], "axis_i": [0, 1], "restitution": 0.5}},
                       analysis={"type": "dynamics", "duration": 1}, formulation={"type": "projection"},
                       integrator={"type": "dopri5", "rtol": 1e-8, "atol": 1e-10})
        self.refused(ball, "/system/constraints/floor", "overlap by 0.1 m at the start")
        result = self.run_file(changed(ball, analysis__events={"a": {"when": "=b.vy"}}))
        self.assertEqual(result.returncode, 2)
        self.assertIn("unknown name 'b.vy'", result.stderr)
        self.assertNotIn("an event needs", result.stderr)

    def test_modes_write_their_files(self):
        self.succeed(changed(HANGING, analysis={"type": "modes", "at": "equilibrium", "matrices": True}))
        mode, = self.rows("modes.csv")
        omega = (2 * 9.81 * 0.5 / (0.2 + 2 * 0.25))**0.5
        self.assertAlmostEqual(float(mode["omega"]), omega, places=9)
        self.assertEqual(list(mode), ["mode", "real", "imag", "omega", "frequency", "damping_ratio"])
        shape, = self.rows("mode_shapes.csv")
        self.assertEqual(list(shape), ["mode", "arm.x", "arm.y", "arm.phi"])
        self.assertEqual(float(shape["arm.phi"]), 1)
        self.assertAlmostEqual(float(shape["arm.x"]), 0.5, places=9)
        self.assertEqual(len(self.rows("state_matrix.csv")), 2)
        self.assertEqual(len(self.rows("output_matrix.csv")), 3)
        self.assertAlmostEqual(self.summary()["modes"]["omega.1"], omega, places=9)
        self.succeed(HANGING)  # files of another analysis do not stay
        self.assertFalse((self.folder / "out" / "modes.csv").exists())
        self.assertFalse((self.folder / "out" / "state_matrix.csv").exists())

    def test_same_bits_twice(self):
        for content in (DRIVEN, HANGING):
            self.succeed(content)
            first = (self.folder / "out" / "results.csv").read_bytes()
            self.succeed(content)
            self.assertEqual((self.folder / "out" / "results.csv").read_bytes(), first)


main()
