"""The Python package, against the command line's results.

Arguments: TRAMMEL PACKAGE_FOLDER RUN_FILES_FOLDER [unittest arguments]
"""
import ast
import gc
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import unittest

TRAMMEL, PACKAGE = sys.argv.pop(1), sys.argv.pop(1)
EXAMPLES = pathlib.Path(sys.argv.pop(1))
sys.path.insert(0, PACKAGE)
os.environ.pop("TRAMMEL_PLUGIN_PATH", None)

import numpy  # noqa: E402
import trammel  # noqa: E402

CRANK = EXAMPLES / "slider_crank.json"
MASS = {
    "trammel": 2,
    "system": {"type": "planar", "bodies": {"mass": {"mass": 2, "inertia": 0.1}},
               "forces": {"push": {"type": "applied_force", "body": "mass", "force": [4, 0],
                                   "function": {"type": "input", "name": "throttle"}}}},
    "analysis": {"type": "dynamics", "duration": 1},
    "formulation": {"type": "projection"},
    "integrator": {"type": "rk4", "step": 0.01},
    "output": {"step": 0.1},
}


def long_run(duration=1e6):
    return {**MASS, "analysis": {"type": "dynamics", "duration": duration}}


class Package(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="trammel_python_")
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def command_line(self, run_file, *options):
        subprocess.run([TRAMMEL, "run", run_file, "--quiet", "-o", self.folder / "cli", *options], check=True,
                       capture_output=True, timeout=120)
        return self.folder / "cli"

    def told(self, category, code, call):
        with self.assertRaises(trammel.Error) as caught:
            call()
        self.assertEqual((caught.exception.category, caught.exception.exit_code), (category, code))
        return str(caught.exception)

    # ---- results

    def test_results_are_those_of_the_command_line_bit_by_bit(self):
        cli = self.command_line(CRANK)
        sim = trammel.Simulation(CRANK)
        sim.write_results(self.folder / "python")
        history = sim.record()
        self.assertEqual(sim.run(), "completed")
        self.assertEqual((self.folder / "python/results.csv").read_bytes(), (cli / "results.csv").read_bytes())
        results = trammel.read_results(cli)
        self.assertEqual(results.channels, sim.channels)
        self.assertGreater(len(results.t), 20)
        for name, column in history.to_dict().items():
            self.assertEqual(column.tobytes(), results[name].tobytes(), name)
        self.assertEqual(results.summary["statistics"], sim.summary["statistics"])
        self.assertEqual(sim.channel_values().tobytes(), numpy.array([results[n][-1] for n in sim.channels]).tobytes())

    def test_the_unfinished_last_row_of_a_killed_run_is_left_out(self):
        cli = self.command_line(CRANK)
        whole = trammel.read_results(cli)
        file = cli / "results.csv"
        file.write_bytes(file.read_bytes()[:-30])
        cut = trammel.read_results(cli)
        self.assertEqual(cut.t.tolist(), whole.t[:-1].tolist())

    def test_recordings(self):
        sim = trammel.Simulation(MASS, set={"system.forces.push.function.value": 1})
        times = sim.record(["mass.vx"], times=numpy.array([0.123, 0.5]))
        sim.run()
        self.assertEqual(times.t.tolist(), [0.123, 0.5])
        numpy.testing.assert_allclose(times["mass.vx"], [0.246, 1.0], rtol=1e-12)
        sim = trammel.Simulation(MASS)
        steps = sim.record(["mass.x", "step"], at="steps")
        sim.run()
        self.assertEqual(len(steps.t), sim.summary["statistics"]["steps"] + 1)
        table = steps.to_array()
        self.assertEqual(table.dtype.names, ("t", "mass.x", "step"))
        self.assertEqual(table["t"].tolist(), steps.t.tolist())
        self.assertEqual(steps.channels, ["mass.x", "step"])
        with self.assertRaises(KeyError):
            steps["mass.y"]
        sim = trammel.Simulation(MASS)
        self.assertIn("did you mean 'mass.x'?", self.told("input", 2, lambda: sim.record(["mas.x"])))
        with self.assertRaisesRegex(ValueError, "at is one of 'output', 'steps', 'times'"):
            sim.record(["mass.x"], at="sometimes")

    def test_a_sweep(self):
        speeds = []
        for mass in (1, numpy.float64(2), numpy.int64(4)):
            sim = trammel.Simulation(MASS, set={"system.bodies.mass.mass": mass, "system.forces.push.force": numpy.array([8, 0]),
                                                "system.forces.push.function": {"type": "constant", "value": 0.5}})
            sim.run()
            speeds.append(float(sim.velocities[0]))
        numpy.testing.assert_allclose(speeds, [4, 2, 1], rtol=1e-12)

    # ---- states

    def test_views_show_the_next_step_and_cannot_be_written(self):
        sim = trammel.Simulation(CRANK)
        views = {name: getattr(sim, name) for name in ("positions", "velocities", "accelerations", "multipliers")}
        before = {name: array.copy() for name, array in views.items()}
        for name, array in views.items():
            self.assertFalse(array.flags.owndata, name)
            self.assertFalse(array.flags.writeable, name)
            self.assertIs(array.base, sim)
            self.assertGreater(len(array), 0)
            with self.assertRaises(ValueError):
                array[0] = 1
        for _ in range(5):
            self.assertTrue(sim.step())
        for name, array in views.items():
            self.assertFalse(numpy.array_equal(array, before[name]), name)
            self.assertEqual(array.ctypes.data, getattr(sim, name).ctypes.data, name)
            self.assertEqual(array.tobytes(), getattr(sim, name).tobytes(), name)

    def test_views_keep_the_simulation_alive(self):
        sim = trammel.Simulation(CRANK)
        sim.step()
        view = sim.positions
        expected = view.copy()
        others = sys.getrefcount(sim)
        del sim
        gc.collect()
        more = [trammel.Simulation(CRANK) for _ in range(3)]  # would use the memory if it were free
        self.assertEqual(view.tobytes(), expected.tobytes())
        self.assertGreater(others, 2)
        self.assertEqual(len(more), 3)

    def test_driving(self):
        sim = trammel.Simulation(MASS)
        self.assertEqual((sim.inputs, sim.input("throttle"), sim.end_time), (["throttle"], 0, 1))
        sim.set_input("throttle", 1)
        self.assertTrue(sim.advance_to(0.25, "step_end"))
        self.assertAlmostEqual(sim.velocities[0], 0.5, places=12)
        self.assertTrue(sim.advance_to(0.2567))
        self.assertEqual(sim.time, 0.2567)
        self.assertIn("step_end", self.told("usage", 1, lambda: sim.set_input("throttle", 2)))
        self.assertIn("time runs forward", self.told("usage", 1, lambda: sim.advance_to(0.1)))
        self.assertFalse(sim.advance_to(2))
        self.assertFalse(sim.step())
        self.assertEqual((sim.time, sim.status, sim.message), (1, "completed", ""))
        self.assertIn("rk4", sim.report())
        with self.assertRaisesRegex(ValueError, "landing is 'dense_output' or 'step_end'"):
            sim.advance_to(3, "somewhere")

    def test_checkpoints(self):
        first = trammel.Simulation(CRANK)
        first.write_results(self.folder)
        first.checkpoint_every(first.end_time / 2)
        first.run()
        second = trammel.Simulation(CRANK)
        second.restart(self.folder / "checkpoint.json")
        second.run()
        self.assertEqual(second.positions.tobytes(), first.positions.tobytes())

    # ---- errors

    def test_messages_are_those_of_the_command_line(self):
        for options, code, category in ((["system.constraints.pin.axs=[0, 0, 1]"], 2, "input"),
                                        (["integrator.type=no_such_method"], 3, "plugin")):
            path, value = options[0].split("=")
            cli = subprocess.run([TRAMMEL, "run", CRANK, "--set", options[0], "-o", self.folder], capture_output=True, text=True)
            self.assertEqual(cli.returncode, code)
            value = json.loads(value) if value.startswith("[") else value
            text = self.told(category, code, lambda: trammel.Simulation(CRANK, set={path: value}))
            shown = lambda message: message.replace('"', "")  # the shell's text has no quotes
            self.assertEqual(shown(text).strip(), shown(cli.stderr).strip())
        self.assertIn("/no/such.json", self.told("input", 2, lambda: trammel.Simulation("/no/such.json")))
        text = self.told("input", 2, lambda: trammel.Simulation({**MASS, "systm": {}}))
        self.assertRegex(text, r"^description:1: /systm: unknown key for a run file; did you mean 'system'\?")
        self.told("input", 2, lambda: trammel.Simulation(MASS, set={"output.step": float("nan")}))
        with self.assertRaises(TypeError):
            trammel.Simulation(MASS, set={"output.step": object()})

    def test_a_run_that_fails(self):
        sim = trammel.Simulation(CRANK, set={"analysis.constraint_limit": 1e-30})
        text = self.told("compute", 4, sim.run)
        self.assertIn("constraint violation", text)
        self.assertEqual((sim.status, sim.message), ("failed", text))

    # ---- interruption and threads

    def test_progress_interrupts(self):
        seen = []

        def progress(t, t_end, h, steps):
            seen.append((t, t_end, h, steps))
            return steps < 5

        sim = trammel.Simulation(MASS)
        self.assertEqual(sim.run(progress), "interrupted")
        self.assertEqual([steps for *_, steps in seen], [1, 2, 3, 4, 5])
        self.assertAlmostEqual(seen[-1][0], 0.05)
        self.assertEqual(sim.run(), "completed")

    def test_what_progress_raises_arrives(self):
        def progress(*_):
            raise RuntimeError("enough")

        with self.assertRaisesRegex(RuntimeError, "enough"):
            trammel.Simulation(MASS).run(progress)
        with self.assertRaisesRegex(RuntimeError, "enough"):
            trammel.Simulation(MASS).advance_to(1, progress=progress)

    def test_ctrl_c(self):
        sim = trammel.Simulation(long_run())
        timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            sim.run()
        timer.join()
        reached = sim.time
        self.assertGreater(reached, 0)
        sim.step()
        self.assertGreater(sim.time, reached)

    def test_python_goes_on_while_the_kernel_runs(self):
        sim, stop, counted = trammel.Simulation(long_run()), threading.Event(), []
        runner = threading.Thread(target=lambda: sim.run(lambda *_: not stop.is_set()))
        runner.start()
        other = threading.Thread(target=lambda: counted.extend(range(1000)))
        other.start()
        other.join(20)
        stop.set()
        runner.join(20)
        self.assertEqual(len(counted), 1000)
        self.assertFalse(runner.is_alive())

    def test_threads_take_turns(self):
        alone = trammel.Simulation(CRANK)
        alone.run()
        runs = [trammel.Simulation(CRANK) for _ in range(3)]
        threads = [threading.Thread(target=lambda sim=sim: [sim.step() for _ in range(100000) if sim.time < sim.end_time])
                   for sim in runs]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        for sim in runs:
            self.assertEqual(sim.positions.tobytes(), alone.positions.tobytes())

    def test_a_recording_is_read_while_another_thread_runs(self):
        for _ in range(3):
            sim = trammel.Simulation(CRANK, set={"analysis.duration": 20})
            history, first = sim.record(["crank.x"], at="steps"), sim.record(["crank.y", "crank.x"])
            runner = threading.Thread(target=sim.run)
            runner.start()
            while runner.is_alive():
                table = history.to_dict()
                self.assertEqual(len(table["t"]), len(table["crank.x"]))
                self.assertTrue((numpy.diff(history.t) > 0).all())
            runner.join(60)
            self.assertGreater(len(history.t), 100)
            self.assertGreater(len(first["crank.y"]), 20)

    def test_one_simulation_is_for_one_thread_at_a_time(self):
        sim, other, inside, stop = trammel.Simulation(long_run()), trammel.Simulation(MASS), threading.Event(), threading.Event()

        def progress(t, *_):
            inside.set()
            self.assertEqual(sim.time, t)  # the thread itself may look
            return not stop.is_set()

        runner = threading.Thread(target=lambda: sim.run(progress))
        runner.start()
        try:
            self.assertTrue(inside.wait(20))
            calls = [sim.step, sim.run, sim.finish, lambda: sim.set_input("throttle", 1), lambda: sim.input("throttle"),
                     lambda: sim.checkpoint_every(1), lambda: sim.record(["mass.x"]), sim.channel_values]
            calls += [lambda name=name: getattr(sim, name) for name in (
                "time", "status", "message", "warnings", "positions", "velocities", "accelerations", "multipliers", "summary")]
            for call in calls:
                self.assertIn("is running in another thread", self.told("usage", 1, call))
            self.assertEqual((other.time, other.status, other.input("throttle")), (0, "completed", 0))  # needs no turn
        finally:
            stop.set()
            runner.join(20)
        self.assertEqual(sim.status, "interrupted")

    def test_a_daemon_thread_that_runs_at_the_end_of_the_process(self):
        text = '''
import sys, threading
sys.path.insert(0, sys.argv[1])
import trammel
kept, inside = trammel.Simulation(sys.argv[2]), threading.Event()
def progress(*_):
    inside.set()
def go():
    inside.set() if sys.argv[3] == "alone" else None
    trammel.Simulation(sys.argv[2], set={"analysis.duration": 1e5}).run(None if sys.argv[3] == "alone" else progress)
threading.Thread(target=go, daemon=True).start()
assert inside.wait(20)
threading.Event().wait(0.2)
'''
        for how in ("alone", "told"):
            ended = subprocess.run([sys.executable, "-c", text, PACKAGE, CRANK, how], capture_output=True, text=True, timeout=60)
            self.assertEqual((ended.returncode, ended.stderr), (0, ""), how)

    # ---- misuse

    def test_a_simulation_that_was_not_made(self):
        class Early(trammel.Simulation):
            def __init__(self):
                self.seen = self.time
                super().__init__(CRANK)

        self.assertIn("super().__init__", self.told("usage", 1, Early))
        self.told("usage", 1, trammel.Simulation.__new__(trammel.Simulation).step)
        bare = trammel.Simulation.__new__(trammel.Simulation)
        self.told("usage", 1, lambda: bare.positions)
        del bare
        gc.collect()

    def test_what_progress_may_answer(self):
        self.assertEqual(trammel.Simulation(MASS).run(lambda *_: None), "completed")
        self.assertEqual(trammel.Simulation(MASS).run(lambda *_: numpy.bool_(False)), "interrupted")
        with self.assertRaisesRegex(TypeError, "progress returns True, False or None, not 'go on'"):
            trammel.Simulation(MASS).run(lambda *_: "go on")

    def test_results_after_finish(self):
        cli = self.command_line(CRANK)
        sim = trammel.Simulation(CRANK)
        sim.write_results(self.folder)
        self.told("usage", 1, lambda: sim.write_results(self.folder / "again"))
        sim.advance_to(sim.end_time / 3)
        sim.finish()
        self.assertEqual((sim.status, trammel.read_results(self.folder).summary["status"]), ("interrupted", "interrupted"))
        self.assertEqual(sim.run(), "completed")
        self.assertEqual((self.folder / "results.csv").read_bytes(), (cli / "results.csv").read_bytes())

    # ---- the package itself

    def test_declared_types_and_docstrings(self):
        declared = ast.parse((pathlib.Path(PACKAGE) / "trammel" / "__init__.pyi").read_text())
        classes = {node.name: node for node in declared.body if isinstance(node, ast.ClassDef)}
        functions = {node.name for node in declared.body if isinstance(node, ast.FunctionDef)}
        self.assertEqual(set(classes) | functions, set(trammel.__all__))
        inherited = {name for base in (Exception, dict) for name in dir(base)} | {"rows", "names"}
        for name, node in classes.items():
            members = {item.name for item in node.body if isinstance(item, ast.FunctionDef)}
            real = {item for item in dir(getattr(trammel, name)) if not item.startswith("_")} - inherited
            self.assertEqual({item for item in members if not item.startswith("_")} - inherited, real, name)
            for item in real:
                self.assertTrue(getattr(getattr(trammel, name), item).__doc__, f"{name}.{item}")
        self.assertTrue(trammel.read_results.__doc__)


unittest.main(verbosity=1)
