"""results.h5 as h5py reads it, against results.csv: whole runs, killed, interrupted and restarted ones, full disks; and
what the commands that read results.csv say where it is not there."""
import json
import os
import resource
import signal
import sqlite3
import subprocess
import time

import h5py
import numpy

from support import EXAMPLES, PENDULUM, TRAMMEL, Case, changed, main

STOP = EXAMPLES / "pendulum_against_stop.json"
BOTH = ["csv", {"type": "hdf5"}]


class Hdf5Case(Case):
    def hdf5(self, folder="out"):
        """Names, units, matrix of rows and attributes of results.h5."""
        with h5py.File(self.folder / folder / "results.h5", "r", swmr=True) as file:
            return (list(file["names"].asstr()[:]), list(file["units"].asstr()[:]), file["values"][:].T.copy(),
                    dict(file.attrs))

    def csv(self, folder="out"):
        """Names and rows of results.csv; a last line that a killed run left unfinished is left out."""
        lines = (self.folder / folder / "results.csv").read_text().split("\n")[:-1]
        return lines[0].split(","), numpy.array([[float(cell) for cell in line.split(",")] for line in lines[1:]])

    def same_rows(self, folder="out"):
        names, _, rows, _ = self.hdf5(folder)
        text_names, text_rows = self.csv(folder)
        self.assertEqual(names, text_names)
        self.assertEqual(rows.tobytes(), text_rows.tobytes())


class Files(Hdf5Case):
    def test_rows_names_units_and_notes(self):
        self.succeed(changed(PENDULUM, output__writers=BOTH))
        self.same_rows()
        names, units, _, notes = self.hdf5()
        summary = self.summary()
        self.assertEqual(dict(zip(names, units)), {"t": "s", **summary["columns"]})
        self.assertEqual(summary["files"], ["results.csv", "results.h5"])
        self.assertEqual((notes["title"], notes["status"], notes["message"]), ("Pendulum", "completed", ""))
        self.assertTrue(notes["program"].startswith("trammel "))
        self.assertEqual(json.loads(notes["run"]), summary["run"])
        self.assertEqual(json.loads(notes["summary"]), summary)
        self.assertEqual(json.loads(notes["plugins"]), summary["plugins"])

    def test_results_csv_is_the_same_with_and_without(self):
        self.succeed(PENDULUM)
        alone = (self.folder / "out" / "results.csv").read_bytes()
        self.succeed(changed(PENDULUM, output__writers=BOTH))
        self.assertEqual((self.folder / "out" / "results.csv").read_bytes(), alone)
        self.succeed(changed(PENDULUM, output__writers=["hdf5"]))
        self.assertFalse((self.folder / "out" / "results.csv").exists())

    def test_output_names_the_files(self):
        result = self.succeed(changed(PENDULUM, output__writers=["hdf5", "csv"]))
        self.assertIn("Results: out/results.h5\n         out/results.csv\n         out/summary.json\n", result.stdout)

    def test_readable_while_it_runs(self):
        process = subprocess.Popen([TRAMMEL, "run", self.write(changed(
            PENDULUM, analysis__duration=1e6, output__writers=[{"type": "hdf5", "block_rows": 100}])), "-o", "out"],
            cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            seen = [0]
            deadline = time.monotonic() + 60
            while len(seen) < 4 and time.monotonic() < deadline:
                time.sleep(0.05)
                try:
                    _, _, rows, notes = self.hdf5()
                except (OSError, KeyError):
                    continue  # it has not begun
                if len(rows) > seen[-1]:
                    self.assertTrue(numpy.isfinite(rows).all())
                    self.assertEqual(notes["status"], "running")
                    seen.append(len(rows))
            self.assertEqual(len(seen), 4)
        finally:
            process.kill()
            process.wait()


class Endings(Hdf5Case):
    def start(self, run, *arguments):
        return subprocess.Popen([TRAMMEL, "run", run, "-o", "part", *arguments], cwd=self.folder, stdin=subprocess.DEVNULL,
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def test_killed_at_any_moment(self):
        """Whole rows, bit for bit those of results.csv, however the moment falls."""
        run = self.write(changed(PENDULUM, analysis__duration=9e4, output__step=0.001,
                                 output__writers=["csv", {"type": "hdf5", "block_rows": 32}]))
        longest = 0
        for i in range(12):
            process = self.start(run)
            file = self.folder / "part" / "results.h5"
            deadline = time.monotonic() + 60
            while not (file.exists() and file.stat().st_size > 50000) and time.monotonic() < deadline:
                time.sleep(0.001)
            time.sleep(0.0137 * i)
            process.kill()
            process.wait()
            names, _, rows, notes = self.hdf5("part")
            text_names, text_rows = self.csv("part")
            self.assertEqual(names, text_names)
            self.assertEqual(notes["status"], "running")
            common = min(len(rows), len(text_rows))
            self.assertGreater(len(rows), 0)
            self.assertEqual(rows[:common].tobytes(), text_rows[:common].tobytes())
            self.assertTrue(numpy.isfinite(rows).all())
            longest = max(longest, common)
            for name in ("results.csv", "results.h5"):
                (self.folder / "part" / name).unlink()
        self.assertGreater(longest, 100)

    def test_interrupted(self):
        run = self.write(changed(PENDULUM, analysis__duration=9e4, output__step=0.001, output__writers=BOTH))
        process = self.start(run)
        file = self.folder / "part" / "results.csv"
        while not (file.exists() and file.stat().st_size > 100000):
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=60), 130)
        self.same_rows("part")
        self.assertEqual(self.hdf5("part")[3]["status"], "interrupted")

    def arguments(self, *writers):
        return ["--checkpoint-every", "0.1", "--set", "analysis.events.slow.action=record", "--set",
                "analysis.duration=60", "--set", "output.writers=" + json.dumps(writers)]

    def check_restart(self, *writers):
        arguments = self.arguments(*writers)
        self.assertEqual(self.trammel("run", STOP, "-o", "whole", *arguments).returncode, 0)
        process = self.start(STOP, *arguments)
        while process.poll() is None and not (self.folder / "part" / "checkpoint.json").exists():
            time.sleep(0.001)
        time.sleep(0.05)
        self.assertIsNone(process.poll(), "the run was over before it could be killed")
        process.kill()
        process.wait()
        again = self.trammel("run", STOP, "-o", "part", "--restart", "part/checkpoint.json", *arguments)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual(self.hdf5("part")[2].tobytes(), self.hdf5("whole")[2].tobytes())
        self.assertEqual(self.hdf5("part")[3]["status"], "completed")

    def test_restart_after_a_kill(self):
        self.check_restart("hdf5")

    def test_restart_of_both_after_a_kill(self):
        self.check_restart("csv", {"type": "hdf5", "compression": 2, "flush_interval": 0.01})
        self.same_rows("part")

    def test_restart_in_another_folder(self):
        arguments = self.arguments(*BOTH)
        self.assertEqual(self.trammel("run", STOP, "-o", "whole", *arguments).returncode, 0)
        again = self.trammel("run", STOP, "-o", "part", "--restart", "whole/checkpoint.json", *arguments)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.same_rows("part")
        self.assertEqual(self.hdf5("part")[2].tobytes(), self.hdf5("whole")[2].tobytes())
        (self.folder / "whole" / "results.h5").unlink()
        again = self.trammel("run", STOP, "-o", "part", "--restart", "whole/checkpoint.json", *arguments)
        self.assertEqual(again.returncode, 2)
        self.assertIn("whole/results.h5: is missing beside the checkpoint", again.stderr)

    def test_a_file_that_is_not_the_runs(self):
        arguments = self.arguments("hdf5")
        self.assertEqual(self.trammel("run", STOP, "-o", "whole", *arguments).returncode, 0)
        (self.folder / "whole" / "results.h5").write_text("t\n0\n")
        again = self.trammel("run", STOP, "-o", "whole", "--restart", "whole/checkpoint.json", *arguments)
        self.assertEqual(again.returncode, 2)
        self.assertIn("whole/results.h5: cannot be read: ", again.stderr)


class Disks(Hdf5Case):
    def fails(self, words, writers=("csv", {"type": "hdf5", "block_rows": 64}), **options):
        run = changed(PENDULUM, analysis__duration=20, output__step=0.001, output__writers=list(writers))
        result = self.run_file(run, **options)
        self.assertEqual(result.returncode, 4, result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        self.assertIn(words, result.stderr)
        return result

    def test_a_full_disk(self):
        (self.folder / "out").mkdir()
        (self.folder / "out" / "results.h5").symlink_to("/dev/full")
        self.fails("out/results.h5: cannot be written: it is no regular file")

    def test_a_folder_in_its_place(self):
        (self.folder / "out" / "results.h5").mkdir(parents=True)
        self.fails("out/results.h5: cannot be written: Is a directory")

    def limit(self, size, *writers):
        name = "results.csv" if writers[0] == "csv" else "results.h5"
        self.fails(f"out/{name}: cannot be written: File too large", writers,
                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)))
        self.assertEqual(self.summary()["status"], "failed")
        self.assertLessEqual(os.path.getsize(self.folder / "out" / "results.h5"), size)
        names, _, rows, notes = self.hdf5()
        self.assertGreater(len(rows), 100)
        self.assertTrue(numpy.isfinite(rows).all())
        return rows, notes

    def test_a_disk_that_fills_up_in_the_middle(self):
        rows, notes = self.limit(900000, {"type": "hdf5", "block_rows": 64})
        self.assertEqual(notes["status"], "running")
        self.succeed(changed(PENDULUM, analysis__duration=20, output__step=0.001))
        self.assertEqual(rows.tobytes(), self.csv()[1][:len(rows)].tobytes())

    def test_the_other_file_is_ended(self):
        """Text needs more room, so that it fails first."""
        rows, notes = self.limit(900000, "csv", {"type": "hdf5", "block_rows": 64})
        self.assertEqual(notes["status"], "failed")
        self.assertIn("out/results.csv: cannot be written: File too large", notes["message"])
        text_rows = self.csv()[1]
        self.assertEqual(rows[:len(text_rows)].tobytes(), text_rows.tobytes())

    def test_a_device_without_room(self):
        """A file system of some megabytes, where the tests may mount one."""
        (self.folder / "small").mkdir()
        mount = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", self.folder / "small"], capture_output=True)
        if mount.returncode != 0:
            self.skipTest("no file system can be mounted here")
        self.addCleanup(subprocess.run, ["umount", self.folder / "small"])
        run = self.write(changed(PENDULUM, analysis__duration=20, output__step=0.001,
                                 output__writers=[{"type": "hdf5", "block_rows": 64}]))
        result = self.trammel("run", run, "-o", "small")
        self.assertEqual(result.returncode, 4, result.stderr)
        self.assertIn("small/results.h5: cannot be written: No space left on device", result.stderr)
        _, _, rows, _ = self.hdf5("small")
        self.assertGreater(len(rows), 100)
        self.assertTrue(numpy.isfinite(rows).all())


class Readers(Hdf5Case):
    def setUp(self):
        super().setUp()
        self.run_json = self.write(changed(PENDULUM, output__writers=["hdf5"]))

    def refused(self, *arguments):
        result = self.trammel(*arguments)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1)
        self.assertIn("reads results.csv, and the run's rows are in results.h5 only; add \"csv\" to the writers of the output",
                      result.stderr)

    def test_report_and_verify_want_text(self):
        self.refused("run", self.run_json, "-o", "out", "--report")
        self.refused("verify", self.run_json, "-o", "out")
        self.assertFalse((self.folder / "out").exists())
        self.assertEqual(self.trammel("run", self.run_json, "-o", "out").returncode, 0)
        self.refused("report", "out")

    def test_verify_with_both(self):
        run = self.write(changed(PENDULUM, output__writers=BOTH))
        result = self.trammel("verify", run, "-o", "out")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.same_rows()

    def test_studies(self):
        """Metrics need no file; finished cases are known; a case to compare with needs text."""
        study = {"trammel_study": 1, "base": "run.json", "cases": [{"name": "a"}, {"name": "b", "set": {"integrator.rtol": 1e-6}}],
                 "metrics": {"x": {"type": "final_value", "channel": "arm.x"}}}
        self.write(study, "study.json")
        result = self.trammel("study", "study.json", "-o", "study")
        self.assertEqual(result.returncode, 0, result.stderr)
        file = self.folder / "study" / "cases" / "a" / "results.h5"
        written = file.stat().st_mtime_ns
        self.assertEqual(self.trammel("study", "study.json", "-o", "study").returncode, 0)
        self.assertEqual(file.stat().st_mtime_ns, written)
        study["metrics"]["error"] = {"type": "error", "against": "a"}
        self.write(study, "study.json")
        result = self.trammel("study", "study.json", "-o", "study")
        self.assertEqual(result.returncode, 4, result.stderr)
        self.assertIn("metric 'error' reads results.csv, and the run's rows are in results.h5 only",
                      result.stderr + (self.folder / "study" / "study.json").read_text())

    def test_trajectories_of_a_sample(self):
        """Whoever computes a case writes the same rows, and they end where its metric says."""
        run = changed(PENDULUM, output__writers=["hdf5"])
        run["parameters"] = {"extra": 0.0}
        run["system"]["bodies"]["arm"]["mass"] = "=2 + extra"
        self.write(run)
        study = {"trammel_study": 1, "base": "run.json", "keep": "files",
                 "sample": {"count": 6, "distributions": {"parameters.extra": {"type": "uniform", "min": 0, "max": 1}}},
                 "metrics": {"x": {"type": "final_value", "channel": "arm.x"}}}
        self.write(study, "study.json")
        found = []
        for jobs in ("1", "2"):
            folder = "by" + jobs
            result = self.trammel("study", "study.json", "-o", folder, "--jobs", jobs)
            self.assertEqual(result.returncode, 0, result.stderr)
            store = sqlite3.connect(self.folder / folder / "study.db")
            last = dict(store.execute("SELECT name, x FROM results"))
            self.assertEqual(len(last), 6)
            for name, x in last.items():
                names, _, rows, _ = self.hdf5(f"{folder}/cases/{name}")
                self.assertEqual(rows[-1][names.index("arm.x")], x)
                found.append((jobs, name, rows.tobytes()))
        by_one, by_two = ([rest for who, *rest in sorted(found) if who == jobs] for jobs in ("1", "2"))
        self.assertEqual(by_one, by_two)


main()
