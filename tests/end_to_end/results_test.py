"""What a run writes: the same bits twice, the channels asked for, output times, summary; and what it prints."""
import os
import pathlib
import pty
import subprocess

from support import Case, DROP, EXAMPLES, PENDULUM, TRAMMEL, changed, main

BODY = ["x", "y", "z", "e0", "e1", "e2", "e3", "vx", "vy", "vz", "wx", "wy", "wz"]
COMMON = ["energy.kinetic", "energy.potential", "energy.total", "energy.dissipated", "energy.work",
          "constraint.position", "constraint.velocity", "step"]


def of(owner, names):
    return [f"{owner}.{name}" for name in names]


class Reproducible(Case):
    def test_two_runs_give_the_same_bytes(self):
        for example in sorted(EXAMPLES.glob("*.json")):
            with self.subTest(example.name):
                for folder in ("first", "second"):
                    result = self.trammel("run", example, "-o", folder, "--set", "analysis.duration=0.3")
                    self.assertEqual(result.returncode, 0, result.stderr)
                text = example.read_text()
                static = any(f'"type": "{analysis}"' in text for analysis in ("assembly", "equilibrium", "modes", "frequency_response"))
                first, second = ((self.folder / folder / "results.csv").read_bytes() for folder in ("first", "second"))
                self.assertGreater(first.count(b"\n"), 1 if static else 5)
                self.assertTrue(first == second, "results.csv differs between two runs of one file")

    def test_the_resolved_run_in_the_summary_gives_the_same_bytes(self):
        self.succeed(changed(PENDULUM, parameters={"m": 2}, system__bodies__arm__mass="=m"), "--set", "parameters.m=3")
        resolved = self.summary()["run"]
        self.assertEqual(resolved["system"]["bodies"]["arm"]["mass"], 3)
        first = (self.folder / "out" / "results.csv").read_bytes()
        self.succeed(resolved)
        self.assertEqual(first, (self.folder / "out" / "results.csv").read_bytes())

    def test_set_is_as_good_as_the_file(self):
        self.succeed(changed(PENDULUM, system__bodies__arm__mass=3, system__gravity=[0, -1, 0], title="It's set"))
        first = (self.folder / "out" / "results.csv").read_bytes()
        self.succeed(PENDULUM, "--set", "system.bodies.arm.mass=3", "--set", "system.gravity=[0, -1, 0]", "--set",
                     "title=It's set")
        self.assertEqual(first, (self.folder / "out" / "results.csv").read_bytes())
        self.assertEqual(self.summary()["title"], "It's set")


class Channels(Case):
    def header(self, **output):
        self.succeed(changed(PENDULUM, output={"step": 0.1, **output}))
        header, rows = self.table()
        self.assertEqual(len(rows), 6)
        return header

    def test_default(self):
        tip = of("tip", ["x", "y", "z", "vx", "vy", "vz"])
        self.assertEqual(self.header(), ["t"] + of("arm", BODY) + tip + COMMON)

    def test_all(self):
        turn = of("arm", ["roll", "pitch", "yaw"])
        accelerations = of("arm", ["ax", "ay", "az", "alphax", "alphay", "alphaz"]) + of("tip", ["ax", "ay", "az"])
        joint = of("pin", ["angle", "rate"] + [f"lambda.{row}" for row in range(5)] +
                   ["force.x", "force.y", "force.z", "torque.x", "torque.y", "torque.z"])
        header = self.header(channels="all")
        self.assertEqual(len(header), len(set(header)))
        tip = of("tip", ["x", "y", "z", "vx", "vy", "vz"])
        spring = of("spring", ["length", "rate", "force"])
        self.assertEqual(set(header), {"t", *of("arm", BODY), *turn, *tip, *accelerations, *joint, *spring, *COMMON})

    def test_selection_in_the_order_asked_for(self):
        self.assertEqual(self.header(channels=["step", "tip.x", "energy.total", "pin.force", "pin.lambda", "arm.ax"]),
                         ["t", "step", "tip.x", "energy.total"] + of("pin.force", "xyz") +
                         [f"pin.lambda.{row}" for row in range(5)] + ["arm.ax"])
        self.assertEqual(self.header(channels=["arm.acceleration"]),
                         ["t"] + of("arm", ["ax", "ay", "az", "alphax", "alphay", "alphaz"]))
        self.assertEqual(self.header(channels=["spring", "constraint"]),
                         ["t", "spring.length", "spring.rate", "spring.force", "constraint.position",
                          "constraint.velocity"])

    def test_planar_and_plain_problems(self):
        planar = {"trammel": 2, "system": {"type": "planar", "bodies": {"a": {"mass": 1, "inertia": 1}}},
                  "analysis": {"type": "dynamics", "duration": 1}, "formulation": {"type": "direct"},
                  "integrator": {"type": "rk4", "step": 0.5}}
        self.succeed(planar)
        self.assertEqual(self.table()[0], ["t"] + of("a", ["x", "y", "phi", "vx", "vy", "omega"]) + COMMON)
        self.succeed(changed(planar, output={"channels": ["a.acceleration"]}))
        self.assertEqual(self.table()[0], ["t", "a.ax", "a.ay", "a.alpha"])
        self.succeed(changed(planar, system={"type": "pendulum_angle"}, formulation=DROP))
        self.assertEqual(self.table()[0], ["t", "theta", "theta_dot"] + COMMON[:5] + ["step"])

    def test_accelerations_are_derivatives_of_velocities(self):
        self.succeed(changed(PENDULUM, output={"step": 1e-3, "channels": ["arm", "arm.acceleration", "tip", "tip.ay"]}))
        header, rows = self.table()
        for rate, derivative in (("arm.vy", "arm.ay"), ("arm.wz", "arm.alphaz"), ("tip.vy", "tip.ay"),
                                 ("arm.y", "arm.vy")):
            v, a = header.index(rate), header.index(derivative)
            for before, here, after in zip(rows, rows[1:], rows[2:]):
                self.assertAlmostEqual((after[v] - before[v]) / 2e-3, here[a], delta=1e-3)  # h^2 times a derivative


class Times(Case):
    def test_step_of_the_output(self):
        self.succeed(changed(PENDULUM, output={"step": 0.03}))
        _, rows = self.table()
        for i, row in enumerate(rows[:-1]):
            self.assertEqual(row[0], i * 0.03)
        self.assertEqual(rows[-1][0], 0.5)  # the end, which is no multiple
        self.assertEqual(len(rows), 18)  # 0, 0.03, ..., 0.48, 0.5

    def test_a_row_per_step(self):
        for output in ({"at": "steps"}, {}):
            self.succeed(changed(PENDULUM, output=output))
            header, rows = self.table()
            self.assertEqual(len(rows), self.summary()["statistics"]["steps"] + 1)
            self.assertEqual(rows[-1][0], 0.5)
            h = header.index("step")
            for before, here in zip(rows, rows[1:]):
                self.assertAlmostEqual(here[0] - before[0], here[h], delta=1e-14)

    def test_output_does_not_change_the_motion(self):
        self.succeed(changed(PENDULUM, output={"at": "steps"}))
        last = self.table()[1][-1]
        self.succeed(changed(PENDULUM, output={"step": 0.001}))
        self.assertEqual(self.table()[1][-1], last)


class Summary(Case):
    def test_contents(self):
        self.succeed(PENDULUM)
        summary = self.summary()
        self.assertEqual(summary["status"], "completed")
        self.assertEqual(summary["message"], "")
        self.assertEqual(summary["title"], "Pendulum")
        self.assertEqual(summary["warnings"], [])
        self.assertEqual(summary["redundant"], [])
        self.assertEqual(summary["dimensions"], {"bodies": 1, "coordinates": 7, "constraints": 6, "redundant": 0,
                                                 "degrees_of_freedom": 1})
        self.assertEqual({plugin["id"] for plugin in summary["plugins"]},
                         {"csv", "spatial", "revolute", "tsda", "constant", "projection", "runge_kutta",
                          "articulated", "dense", "range_space", "sparse"})  # "auto" asks every linear solver
        self.assertEqual((summary["linear_solver"], summary["linear_solver_plugin"]), ("articulated", "articulated"))
        for plugin in summary["plugins"]:
            self.assertTrue(pathlib.Path(plugin["path"]).is_file())
            self.assertTrue(plugin["version"] and plugin["build_id"])
        self.assertEqual(set(summary["statistics"]), {
            "steps", "rejected", "evaluations", "jacobians", "factorizations", "newton_iterations",
            "constraint_projections", "placements", "partitions", "restarts", "events", "work"})
        self.assertEqual(set(summary["timing"]), {"setup_s", "solve_s", "output_s"})
        self.assertEqual(set(summary["max"]), {"constraint_position", "constraint_velocity", "constraint_acceleration",
                                               "multiplier_residual", "energy_drift", "energy_exchanged",
                                               "energy_drift_relative"})
        exchanged = summary["max"].pop("energy_exchanged")
        self.assertGreater(exchanged, 0)
        for value in summary["max"].values():
            self.assertLess(value, 1e-6)
        header, rows = self.table()
        self.assertEqual(summary["final"]["t"], 0.5)
        self.assertEqual(summary["final"]["channels"], dict(zip(header[1:], rows[-1][1:])))

    def test_who_watches_the_rank(self):
        """A solver that looks at rows one by one inside steps, or the kernel at their ends; nobody without rows."""
        for solver, watch in (("articulated", "every evaluation"), ("range_space", "every evaluation"), ("sparse", "ends of steps"),
                              ("dense", "ends of steps")):
            with self.subTest(solver):
                self.succeed(changed(PENDULUM, analysis__solver=solver))
                self.assertEqual((self.summary()["linear_solver"], self.summary()["rank_watch"]), (solver, watch))
        self.succeed({"trammel": 2, "system": {"type": "pendulum_angle"},
                      "analysis": {"type": "dynamics", "duration": 0.1}, "integrator": {"type": "dopri5"}})
        self.assertNotIn("rank_watch", self.summary())

    def test_a_small_correction_is_made_and_told(self):
        off = changed(PENDULUM, system__constraints__pin={
            "type": "revolute", "bodies": ["ground", "arm"], "point_i": [0.001, 0, 0], "point_j": [-0.5, 0, 0],
            "axis_i": [0, 0, 1], "axis_j": [0, 0, 1]})
        result = self.succeed(off)
        self.assertIn("warning: the initial positions violated the constraints by 0.001; a minimal correction moved "
                      "arm.x by 0.001", result.stderr)
        self.assertEqual(len(self.summary()["warnings"]), 1)
        self.assertAlmostEqual(self.table()[1][0][1], 0.501, delta=1e-9)


class Printing(Case):
    def test_pipe_and_quiet(self):
        result = self.succeed(changed(PENDULUM, analysis__duration=1000))
        self.assertEqual(result.stderr, "")  # no progress in a pipe
        self.assertTrue(result.stdout.startswith("Pendulum\n"))
        self.assertIn("out/results.csv", result.stdout)
        result = self.succeed(PENDULUM, "--quiet")
        self.assertEqual((result.stdout, result.stderr), ("", ""))

    def terminal(self, *arguments):
        """Output on standard error, a terminal."""
        master, slave = pty.openpty()
        process = subprocess.Popen([TRAMMEL, *arguments], cwd=self.folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=slave)
        os.close(slave)
        shown = b""
        while True:
            try:
                part = os.read(master, 65536)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            shown += part
        os.close(master)
        self.assertEqual(process.wait(), 0)
        return shown.decode()

    def test_progress_on_a_terminal(self):
        self.write(changed(PENDULUM, analysis__duration=1500))  # half a second or so
        shown = self.terminal("run", "run.json")
        for word in ("%  t = ", " of 1500 s", " steps  h = ", " s left", "\r"):
            self.assertIn(word, shown)
        self.assertTrue(shown.endswith("\r\x1b[K"), "the bar stays on the screen")
        self.assertEqual(self.terminal("run", "run.json", "--quiet"), "")

    def test_default_folder(self):
        self.write(PENDULUM, "swing.json")
        result = self.trammel("run", "swing.json")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertTrue((self.folder / "results" / "swing" / "results.csv").is_file())


main()
