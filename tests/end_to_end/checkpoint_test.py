"""Runs that are killed and restarted: the same bytes as the uninterrupted ones; checkpoints that do not fit are refused."""
import json
import os
import signal
import subprocess
import time
import unittest

from support import EXAMPLES, PENDULUM, TRAMMEL, Case, changed

STOP = EXAMPLES / "pendulum_against_stop.json"
PARTITIONED = '{"type": "coordinate_partitioning"}'
RECURSIVE = '{"type": "recursive"}'


class Checkpoints(Case):
    def rows(self, folder):
        return (self.folder / folder / "results.csv").read_bytes()

    def killed(self, folder, *arguments):
        """Starts a run, kills it once it has written a checkpoint and some time has passed; False if it was faster."""
        process = subprocess.Popen([TRAMMEL, "run", STOP, "-o", folder, "--checkpoint-every", "0.1", *arguments],
                                   cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        checkpoint = self.folder / folder / "checkpoint.json"
        while process.poll() is None and not checkpoint.exists():
            time.sleep(0.001)
        time.sleep(0.02)
        early = process.poll() is None
        process.send_signal(signal.SIGKILL)
        process.wait()
        return early

    def check_restart(self, integrator, long=60):
        arguments = ["--set", "formulation=" + PARTITIONED, "--set", "integrator=" + integrator, "--set",
                     "analysis.events.slow.action=record", "--set", "analysis.duration=%d" % long]
        whole = self.trammel("run", STOP, "-o", "whole", "--checkpoint-every", "0.1", *arguments)
        self.assertEqual(whole.returncode, 0, whole.stderr)
        self.assertTrue(self.killed("part", *arguments), "the run was over before it could be killed")
        self.assertFalse((self.folder / "part" / "summary.json").exists())
        again = self.trammel("run", STOP, "-o", "part", "--checkpoint-every", "0.1", "--restart", "part/checkpoint.json",
                             *arguments)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual(self.rows("whole"), self.rows("part"))
        self.assertEqual((self.folder / "whole/events.csv").read_bytes(), (self.folder / "part/events.csv").read_bytes())
        whole, part = self.summary("whole"), self.summary("part")
        for key in ("steps", "rejected", "events", "restarts"):
            self.assertEqual(whole["statistics"][key], part["statistics"][key], key)
        self.assertEqual(whole["max"], part["max"])

    def test_embedded_runge_kutta(self):
        self.check_restart('{"type": "dopri5", "rtol": 1e-8, "atol": 1e-10}')

    def test_fixed_steps(self):
        self.check_restart('{"type": "rk4", "step": 0.002}')

    def test_rosenbrock_nystrom(self):
        self.check_restart('{"type": "rosenbrock_nystrom", "rtol": 1e-7, "atol": 1e-9}')

    def test_multistep(self):
        self.check_restart('{"type": "adams", "order": 8, "control": "haug", "rtol": 1e-8, "atol": 1e-10}')

    def test_self_controlled(self):
        self.check_restart('{"type": "ddeabm", "rtol": 1e-8, "atol": 1e-10}')

    def check_second_half(self, run, *arguments):
        """Restarted from the only checkpoint of a finished run: the same rows."""
        self.assertEqual(self.trammel("run", run, "-o", "a", "--checkpoint-every", "0.3", *arguments).returncode, 0)
        again = self.trammel("run", run, "-o", "b", "--restart", "a/checkpoint.json", *arguments)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual(self.rows("a"), self.rows("b"), arguments)

    def test_matrices_kept_from_step_to_step(self):
        crank = EXAMPLES / "slider_crank.json"
        for integrator in ("hht", "newmark", "generalized_alpha"):
            self.check_second_half(crank, "--set", "formulation=null", "--set", "analysis.duration=0.5", "--set",
                                   'integrator={"type": "%s", "step": 0.0005}' % integrator)
        for integrator in ('{"type": "sdirk4", "step": 0.0005}', '{"type": "bdf", "rtol": 1e-6, "atol": 1e-8}'):
            for formulation in (PARTITIONED, RECURSIVE):
                self.check_second_half(crank, "--set", "formulation=" + formulation, "--set", "analysis.duration=0.5",
                                       "--set", "integrator=" + integrator)
        for example in ("slider_crank", "spatial_double_pendulum", "spatial_four_bar"):
            for integrator in ('{"type": "dopri5", "rtol": 1e-6, "atol": 1e-8}', '{"type": "ddeabm", "rtol": 1e-6, "atol": 1e-8}'):
                self.check_second_half(EXAMPLES / (example + ".json"), "--set", "formulation=" + RECURSIVE, "--set",
                                       "analysis.duration=0.5", "--set", "integrator=" + integrator)

    def test_internal_states_of_forces(self):
        crane = EXAMPLES / "actuator_with_lag.json"
        methods = [("null", '{"type": "hht", "step": 0.001}'), ("null", '{"type": "rattle", "step": 0.001}')]
        methods += [(PARTITIONED, '{"type": "%s", "rtol": 1e-6, "atol": 1e-8}' % method) for method in ("rodas43", "sdirk4", "bdf")]
        methods += [(RECURSIVE, '{"type": "%s", "rtol": 1e-6, "atol": 1e-8}' % method) for method in ("rodas43", "dopri5")]
        methods.append(('{"type": "projection"}', '{"type": "dopri5", "rtol": 1e-6, "atol": 1e-8}'))
        for formulation, integrator in methods:
            self.check_second_half(crane, "--set", "formulation=" + formulation, "--set", "analysis.duration=0.5",
                                   "--set", "integrator=" + integrator)

    def test_analyses_without_time_have_none(self):
        run = self.write(changed(PENDULUM, analysis={"type": "equilibrium"}))
        result = self.trammel("run", run, "-o", "a", "--checkpoint-every", "0.3")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("runs over time", result.stderr)
        self.assertFalse((self.folder / "a").exists())

    def test_into_another_folder(self):
        run = self.write(changed(PENDULUM, analysis__duration=1))
        self.assertEqual(self.trammel("run", run, "-o", "a", "--checkpoint-every", "0.3").returncode, 0)
        self.assertEqual(json.loads((self.folder / "a/checkpoint.json").read_text())["trammel_checkpoint"], 1)
        again = self.trammel("run", run, "-o", "b", "--restart", "a/checkpoint.json")
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual(self.rows("a"), self.rows("b"))
        plain = self.trammel("run", run, "-o", "c")
        self.assertEqual(plain.returncode, 0, plain.stderr)
        self.assertEqual(self.rows("a"), self.rows("c"))
        self.assertFalse((self.folder / "c/checkpoint.json").exists())

    def test_those_of_an_earlier_run_do_not_stay(self):
        run = self.write(changed(PENDULUM, analysis__duration=1))
        assemble = self.write(changed(PENDULUM, analysis={"type": "assembly"}), "assemble.json")
        balance = self.write(changed(PENDULUM, analysis={"type": "equilibrium"}), "balance.json")
        self.assertEqual(self.trammel("run", run, "-o", "other", "--checkpoint-every", "0.7").returncode, 0)
        for arguments in ((run,), (assemble,), (balance,), (run, "--restart", "other/checkpoint.json")):
            with self.subTest(arguments):
                self.assertEqual(self.trammel("run", run, "-o", "a", "--checkpoint-every", "0.3").returncode, 0)
                result = self.trammel("run", *arguments, "-o", "a")
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertFalse((self.folder / "a/checkpoint.json").exists())
        result = self.trammel("run", run, "-o", "other", "--restart", "other/checkpoint.json")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertTrue((self.folder / "other/checkpoint.json").exists())

    def test_checkpoints_that_do_not_fit(self):
        run = self.write(changed(PENDULUM, analysis__duration=1))
        self.assertEqual(self.trammel("run", run, "-o", "a", "--checkpoint-every", "0.3").returncode, 0)
        checkpoint = self.folder / "a/checkpoint.json"
        content = json.loads(checkpoint.read_text())

        def refused(expected, *arguments, file="a/checkpoint.json", code=2):
            result = self.trammel("run", run, "-o", "b", "--restart", file, *arguments)
            self.assertEqual(result.returncode, code, result.stderr)
            self.assertIn(expected, result.stderr)
            self.assertFalse((self.folder / "b").exists())

        refused("belongs to another run file", "--set", "system.bodies.arm.mass=3")
        refused("is no checkpoint", file=run)
        refused("does not exist", file="nowhere.json", code=1)
        for key, value, expected in (("trammel_checkpoint", 2, "this version of Trammel reads format 1"),
                                     ("kernel", "0", "another build of Trammel"),
                                     ("plugins", dict(content["plugins"], tsda="0"), "another build of the plugin 'tsda'"),
                                     ("numbers", {}, "checksum"), ("numbers", {"state": "12"}, "cut off"),
                                     ("numbers", dict(content["numbers"], state="0" * 16), "checksum"),
                                     ("t", 1e9, "checksum"), ("t", -5, "checksum")):
            (self.folder / "other.json").write_text(json.dumps(dict(content, **{key: value})))
            refused(expected, file="other.json")
        for damage in ({"numbers": 3}, {"texts": {"a": 1}}):
            (self.folder / "other.json").write_text(json.dumps({**content, **damage}))
            refused("other.json: is damaged: ", file="other.json")
            told = self.trammel("run", run, "-o", "b", "--restart", "other.json").stderr
            self.assertNotIn("exception", told)
        for seconds in ("nan", "inf", "0", "-1", "soon"):
            result = self.trammel("run", run, "-o", "b", "--checkpoint-every", seconds)
            self.assertEqual(result.returncode, 1, seconds)
            self.assertIn("must be a number of seconds > 0, not " + seconds, result.stderr)
        (self.folder / "alone").mkdir()
        (self.folder / "alone/checkpoint.json").write_text(checkpoint.read_text())
        result = self.trammel("run", run, "-o", "b", "--restart", "alone/checkpoint.json")
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("alone/results.csv: is missing beside the checkpoint", result.stderr)
        (self.folder / "a/results.csv").write_text("t\n0\n")
        result = self.trammel("run", run, "-o", "a", "--restart", "a/checkpoint.json")
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("does not hold the rows before the checkpoint", result.stderr)
        result = self.trammel("run", run, "--checkpoint-every", "0")
        self.assertEqual(result.returncode, 1)


if __name__ == "__main__":
    unittest.main()
