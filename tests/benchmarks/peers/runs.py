"""Processes and their processor time, and runs of Trammel: what side_by_side.py and targets.py share."""
import csv
import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "configs" / "benchmarks"), str(ROOT / "tests" / "benchmarks")]
import make_model  # noqa: E402


class Failed(Exception):
    """A program that ended otherwise than with 0; the text says how."""


def limited(gibibytes):
    def set_limit():
        resource.setrlimit(resource.RLIMIT_AS, (int(gibibytes * 2**30),) * 2)
    return set_limit if gibibytes else None


def timed(command, seconds=900, gibibytes=None, folder=None):
    """Temporary files go to the folder. Processor seconds, wall seconds, the largest resident memory in bytes, and what the command prints."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as errors:
        begin = os.times().elapsed
        # The limit on processor time ends what hangs; SIGXCPU then is the reason.
        cap = ["prlimit", f"--cpu={seconds}", "--"]
        process = subprocess.Popen([*cap, *map(str, command)], stdout=out, stderr=errors, preexec_fn=limited(gibibytes),
                                   env={**os.environ, **({"TMPDIR": str(folder)} if folder else {})})
        _, status, usage = os.wait4(process.pid, 0)
        wall = os.times().elapsed - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0), errors.seek(0)
        if process.returncode != 0:
            said = errors.read().strip().splitlines()
            raise Failed(f"exit code {process.returncode} after {usage.ru_utime + usage.ru_stime:.0f} s"
                         + (f": {said[-1][:300]}" if said else ""))
        return usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss * 1024, out.read()


class Trammel:
    """Runs of one build, each with its results in a folder that the next one replaces."""

    def __init__(self, build, folder):
        self.build, self.folder = Path(build).resolve(), Path(folder)
        self.program = self.build / "bin" / "trammel"
        self.out = self.folder / "out"

    def generated(self, family, size):
        file = self.folder / f"{family}_{size}.json"
        if not file.exists():
            file.write_text(make_model.text(make_model.model(family, size)))
        return file

    def run(self, file, sets=(), options=(), **limits):
        """As `timed`. Sets are texts PATH=VALUE."""
        words = [word for text in sets for word in ("--set", text)]
        return timed([self.program, "run", file, "--quiet", "-o", self.out, *words, *options], **limits)

    def integration(self, file, duration, sets=(), options=(), rounds=3):
        """Processor seconds of the run without its start: less those of the same run over a trifle of the time."""
        def least(end):
            own = [*sets, f"analysis.duration={end}", f"output.step={end}"]
            return min(self.run(file, own, options)[0] for _ in range(rounds))
        return least(duration) - least(duration * 1e-6)

    def per_step(self, file, step, few, many, sets=(), rounds=3):
        """Processor seconds of one fixed step, by the difference of two durations."""
        def least(steps):
            end = step * steps
            own = [*sets, "integrator.step_check=false", f"analysis.duration={end}", f"output.step={end}"]
            return min(self.run(file, own)[0] for _ in range(rounds))
        return (least(many) - least(few)) / (many - few)

    def last_row(self):
        with open(self.out / "results.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        return {name: float(value) for name, value in rows[-1].items()}

    def summary(self):
        return json.loads((self.out / "summary.json").read_text())
