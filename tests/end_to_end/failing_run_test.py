"""Runs that break off: divergence, limits, interrupts, disks. Results up to there stay, and are readable."""
import json
import os
import resource
import shutil
import signal
import subprocess
import time

from support import Case, PENDULUM, TRAMMEL, changed, main

EULER = {"type": "euler", "step": 0.05}


class Divergence(Case):
    def broken_off(self, content, *words):
        """The run ends with exit 4 and says when and what; returns its rows."""
        result = self.run_file(content)
        self.assertEqual(result.returncode, 4, result.stderr)
        lines = [line for line in result.stderr.splitlines() if not line.startswith("warning: ")]
        self.assertEqual(len(lines), 1, result.stderr)
        self.assertTrue(lines[0].startswith("run.json: "), result.stderr)
        summary = self.summary()
        self.assertEqual(summary["status"], "failed")
        self.assertIn(summary["message"], result.stderr)
        for word in words:
            self.assertIn(word, summary["message"])
        self.assertIn("failed at t = ", result.stdout)
        _, rows = self.table()
        self.assertGreater(len(rows), 1)
        self.assertLessEqual(rows[-1][0], summary["final"]["t"] + 1e-9)
        self.assertEqual([row[0] for row in rows], sorted(row[0] for row in rows))
        return rows

    def test_euler_explodes_under_direct(self):
        self.broken_off(changed(PENDULUM, formulation={"type": "direct"}, integrator=EULER, analysis__duration=50,
                                analysis__constraint_limit=1e300, system__forces__spring__stiffness=1e5),
                        " t = ")

    def test_projection_does_not_converge(self):
        self.broken_off(changed(PENDULUM, integrator=EULER, analysis__duration=50,
                                system__forces__spring__stiffness=1e7),
                        "the step from t = ", "position correction not converged")

    def test_rows_at_the_iterate_that_depend_on_others(self):
        twice = json.loads(json.dumps(PENDULUM))
        constraints = twice["system"]["constraints"]
        constraints["again"] = dict(next(iter(constraints.values())))
        del twice["formulation"]
        method = {"type": "conditionally_explicit", "set": "ones", "newton_matrix": "iterate", "step": 0.01}
        result = self.run_file(changed(twice, integrator=method))
        self.assertEqual(result.returncode, 4, result.stderr)
        self.assertIn('rows depend on others at this position; "newton_matrix": "step" leaves them out', result.stderr)
        del method["newton_matrix"]
        self.assertEqual(self.run_file(changed(twice, integrator=method)).returncode, 0)

    def test_overflow(self):
        exponential = {"trammel": 2, "system": {"type": "exponential", "rate": 1000},
                       "analysis": {"type": "dynamics", "duration": 10}, "output": {"step": 0.01}}
        rows = self.broken_off(changed(exponential, integrator={"type": "rk4", "step": 0.01}), "not finite at 'x'",
                               "the step from t = 1.08 to 1.09 failed")
        self.assertEqual(len(rows), 109)
        rows = self.broken_off(changed(exponential, integrator={"type": "dopri5"}), "derivative not finite at 'x'")
        self.assertAlmostEqual(rows[-1][0], 0.7)  # e^709 is the largest number

    def test_constraint_limit(self):
        direct = changed(PENDULUM, formulation={"type": "direct"}, integrator={"type": "euler", "step": 0.02},
                         analysis__duration=50, output__step=0.02)
        self.broken_off(direct, "constraint violation", "exceeds the limit 0.001 at t = ", "'projection'")
        header, rows = self.table()
        violation = header.index("constraint.position")
        self.assertLessEqual(max(row[violation] for row in rows), 1e-3)
        # A larger limit gets further.
        self.broken_off(changed(direct, analysis__constraint_limit=0.1), "exceeds the limit 0.1 at t = ")
        self.assertGreater(len(self.table()[1]), len(rows))

    def test_step_size_collapses(self):
        # A one-sided spring of this stiffness at this tolerance asks for smaller steps than are allowed.
        stiff = {"type": "tsda", "bodies": ["ground", "arm"], "point_i": [0.5, -0.7, 0], "point_j": [0.5, 0, 0],
                 "stiffness": 1e9, "free_length": 0.2, "one_sided": "compression"}
        self.broken_off(changed(PENDULUM, system__forces__stop=stiff, analysis__duration=2, output__step=0.01,
                                integrator={"type": "dopri5", "rtol": 1e-9, "atol": 1e-11, "min_step": 1e-4}),
                        "the step size fell below 0.0001 at t = ",
                        "of body 'arm', held by 'pin', acted on by 'spring', 'stop' has the dominant error",
                        "looser tolerances")

    def test_tolerances_beyond_rounding(self):
        # Reachable on paper (a hundred roundings), not in a motion of many steps: the run breaks off with advice.
        result = self.run_file(changed(PENDULUM, integrator={"type": "dopri5", "rtol": 1e-15, "atol": 0, "min_step": 1e-3}))
        self.assertEqual(result.returncode, 4, result.stderr)
        self.assertIn("the step size fell below 0.001 at t = ", result.stderr)
        self.assertIn("looser tolerances", result.stderr)


class Interrupts(Case):
    def interrupt(self, number):
        """Interrupts a run once its results are growing."""
        shutil.rmtree(self.folder / "out", ignore_errors=True)
        self.write(changed(PENDULUM, analysis__duration=1e6, output__step=0.01))
        process = subprocess.Popen([TRAMMEL, "run", "run.json", "-o", "out"], cwd=self.folder, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        results = self.folder / "out" / "results.csv"
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and not (results.exists() and results.stat().st_size > 100000):
            time.sleep(0.02)
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
        return process.returncode, out, err

    def test_sigint_and_sigterm_keep_results(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number):
                code, out, err = self.interrupt(number)
                self.assertEqual(code, 130)
                self.assertIn("run.json: interrupted at t = ", err)
                self.assertIn("interrupted at t = ", out)
                summary = self.summary()
                self.assertEqual(summary["status"], "interrupted")
                _, rows = self.table()
                self.assertGreater(len(rows), 100)
                self.assertLess(summary["final"]["t"] - rows[-1][0], 0.01)  # everything up to the interrupt is there

    def test_a_killed_run_leaves_whole_rows(self):
        """But for the last: the system may end a write between two pages. Readers leave out a row without its line break."""
        code, _, _ = self.interrupt(signal.SIGKILL)
        self.assertEqual(code, -signal.SIGKILL)
        results = self.folder / "out" / "results.csv"
        results.write_text(results.read_text().rpartition("\n")[0] + "\n")
        _, rows = self.table()
        self.assertGreater(len(rows), 100)
        self.assertFalse((self.folder / "out" / "summary.json").exists())


class Disks(Case):
    def fails_to_write(self, *words, **options):
        result = self.run_file(changed(PENDULUM, analysis__duration=20, output__step=0.001), **options)
        self.assertEqual(result.returncode, 4, result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)
        return result

    def test_a_file_in_place_of_the_folder(self):
        (self.folder / "out").write_text("mine")
        self.fails_to_write("out: cannot be created", "out' is a file; '-o DIR' names another folder")
        self.assertEqual((self.folder / "out").read_text(), "mine")

    def test_a_folder_that_cannot_be_made(self):
        result = self.trammel("run", self.write(PENDULUM), "-o", "/dev/null/results")
        self.assertEqual(result.returncode, 4)
        self.assertIn("/dev/null/results: cannot be created", result.stderr)

    def test_results_that_cannot_be_opened_leave_the_old_summary(self):
        (self.folder / "out" / "results.csv").mkdir(parents=True)
        (self.folder / "out" / "summary.json").write_text("old")
        self.fails_to_write("out/results.csv: cannot be written: Is a directory")
        self.assertEqual((self.folder / "out" / "summary.json").read_text(), "old")

    def test_a_full_disk(self):
        (self.folder / "out").mkdir()
        (self.folder / "out" / "results.csv").symlink_to("/dev/full")
        self.fails_to_write("out/results.csv: cannot be written: No space left on device")

    def test_a_disk_that_fills_up_in_the_middle(self):
        limit = 200000
        self.fails_to_write("out/results.csv: cannot be written: File too large",
                            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        self.assertEqual(self.summary()["status"], "failed")
        _, rows = self.table()  # whole rows only
        self.assertGreater(len(rows), 100)
        self.assertLessEqual(os.path.getsize(self.folder / "out" / "results.csv"), limit)

    def test_no_half_written_summary(self):
        (self.folder / "out").mkdir()
        (self.folder / "out" / "summary.json.tmp").symlink_to("/dev/full")
        self.fails_to_write("out/summary.json: cannot be written: No space left on device")
        self.assertFalse((self.folder / "out" / "summary.json").exists())

    def test_other_files_in_the_folder_stay(self):
        (self.folder / "out").mkdir()
        (self.folder / "out" / "notes.txt").write_text("mine")
        (self.folder / "out" / "events.csv").write_text("of an earlier run")
        self.succeed(PENDULUM)
        self.assertEqual((self.folder / "out" / "notes.txt").read_text(), "mine")
        self.assertFalse((self.folder / "out" / "events.csv").exists())
        json.loads((self.folder / "out" / "summary.json").read_text())


main()
