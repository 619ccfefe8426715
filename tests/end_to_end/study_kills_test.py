"""A study of many cases whose processes are killed again and again: nothing lost, nothing counted twice, nothing run again.

Run as: /usr/bin/python3 study_kills_test.py TRAMMEL ENGINE CASES KILLS, where ENGINE is jobs, mpi or slurm (which needs a
cluster in the environment: scripts/slurm_test).
"""
import os
import pathlib
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time

from support import TRAMMEL, Case, main

ENGINE, CASES, KILLS = sys.argv.pop(1), int(sys.argv.pop(1)), int(sys.argv.pop(1))
SECONDS = 600
RUN = {
    "trammel": 2,
    "parameters": {"length": 1, "angle": -1},
    "system": {"type": "pendulum_angle", "length": "=length", "angle": "=angle"},
    "analysis": {"type": "dynamics", "duration": 6},
    "integrator": {"type": "rk4", "step": 0.001, "step_check": False},
    "output": {"step": 3},
}
STUDY = {
    "trammel_study": 1,
    "base": "run.json",
    "sample": {"method": "latin_hypercube", "count": CASES, "distributions": {
        "parameters.length": {"type": "uniform", "min": 0.7, "max": 1.3},
        "parameters.angle": {"type": "normal", "mean": -1.2, "deviation": 0.05}}},
    "metrics": {"last": {"type": "final_value", "channel": "theta"}, "drift": {"type": "energy_drift"}},
}


def command(out):
    study = ["study", "study.json", "-o", out, "--quiet"]
    if ENGINE == "mpi":
        mpi = pathlib.Path(TRAMMEL).parent / "trammel-mpi"
        return ["mpirun", "--oversubscribe", "--allow-run-as-root", "-np", "4", str(mpi), *study]
    if ENGINE == "slurm":
        return [TRAMMEL, *study, "--slurm", "--wait", "--chunks", "8"]
    return [TRAMMEL, *study, "--jobs", "4"]


class Kills(Case):
    def processes(self):
        """All processes of the study: their numbers by what they do."""
        found = {"master": [], "worker": [], "chunk": []}
        for entry in pathlib.Path("/proc").iterdir():
            if not entry.name.isdigit() or int(entry.name) == os.getpid():
                continue
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
                if (entry / "cwd").resolve() != self.folder.resolve():
                    continue
            except OSError:
                continue
            if b"study.json" not in b" ".join(words) or not words[0].split(b"/")[-1].startswith((b"trammel", b"mpirun")):
                continue
            role = "worker" if b"--worker" in words else "chunk" if b"--chunk" in words else "master"
            found[role].append(int(entry.name))
        return found

    def rows(self, folder="out"):
        """Timing of every finished case by its number, which no second run would give again."""
        copy = self.folder / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        copy.mkdir()
        for file in (self.folder / folder).glob("study.db*"):
            shutil.copy(file, copy)
        database = sqlite3.connect(copy / "study.db")
        try:
            rows = database.execute("SELECT id, timing.* FROM cases JOIN timing ON case_id = id WHERE finished").fetchall()
        except sqlite3.OperationalError:  # killed before the tables were made
            return {}
        finally:
            database.close()
        self.assertEqual(len(rows), len({row[0] for row in rows}))
        return {row[0]: row[1:] for row in rows}

    def dump(self, out):
        result = self.trammel("study", "study.json", "-o", out, "--dump")
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def progress(self):
        """Cases that the study has, as far as its files tell while they are written."""
        parts = rows = 0
        try:
            parts = sum(file.read_bytes().count(b"\n") for file in (self.folder / "out" / "parts").glob("*.jsonl"))
            rows = len(self.rows())
        except (sqlite3.DatabaseError, OSError):  # copied while it changed, or gone since it was found
            pass
        return max(parts, rows)

    def wait_for_silence(self):
        end = time.monotonic() + 60
        while any(self.processes()["master"]) or (ENGINE != "slurm" and self.processes()["worker"]):
            self.assertLess(time.monotonic(), end, "processes outlive their master")
            time.sleep(0.05)

    def test_kills(self):
        self.write(RUN)
        self.write(STUDY, "study.json")
        seed = int(os.environ.get("TRAMMEL_TEST_SEED", random.randrange(10**6)))
        print("seed", seed, flush=True)
        chance = random.Random(seed)
        # Places to kill at: some while processes start, the others where the study has so many cases.
        places = sorted([0] * (KILLS // 5) + [chance.randrange(CASES * 9 // 10) for _ in range(KILLS - KILLS // 5)])
        killed_at = []
        kept, killed, ended, process = {}, {"master": 0, "worker": 0, "chunk": 0}, False, None
        begin = time.monotonic()
        while not ended:
            self.assertLess(time.monotonic() - begin, SECONDS)
            if process is None:
                process = subprocess.Popen(command("out"), cwd=self.folder, stdout=subprocess.DEVNULL,
                                           stderr=subprocess.PIPE, text=True)
            time.sleep(chance.uniform(0.05, 0.3))
            alive = self.processes()
            roles = [role for role in ("worker", "chunk", "master", "worker") if alive[role]]
            done = self.progress()
            if len(killed_at) < KILLS and done >= places[len(killed_at)] and roles:
                role = chance.choice(roles)
                victim = chance.choice(alive[role])
                try:
                    os.kill(victim, signal.SIGKILL)
                    killed[role] += 1
                    killed_at.append(done)
                except ProcessLookupError:
                    pass
            if process.poll() is None:
                continue
            told = process.communicate()[1]
            ended = process.returncode == 0
            process = None
            self.wait_for_silence()
            now = self.rows()
            for number, timing in kept.items():
                self.assertEqual(now.get(number), timing, f"case {number} ran again or was lost")
            kept = now
            if not ended:
                print(f"{len(kept)} of {CASES} cases after {len(killed_at)} kills; {told.strip()[-200:]}", flush=True)
        print("killed", killed, f"in {time.monotonic() - begin:.0f} s, with so many cases done:", killed_at, flush=True)
        self.assertEqual(len(killed_at), KILLS, "the study was done before all kills")
        self.assertEqual(len(kept), CASES)
        (status,), = sqlite3.connect(self.folder / "out" / "study.db").execute("SELECT count(*) FROM cases WHERE status = 'completed'")
        self.assertEqual(status, CASES)
        alone = subprocess.run([TRAMMEL, "study", "study.json", "-o", "alone", "--quiet", "--jobs", "1"], cwd=self.folder,
                               stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS)
        self.assertEqual(alone.returncode, 0, alone.stderr)
        self.assertEqual(self.dump("out"), self.dump("alone"))


main()
