"""Runs the executable on one run file, in a process of its own with a time limit, and reads what it left."""
import json
import math
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import tempfile

SCRATCH = tempfile.mkdtemp(prefix="trammel_hunt_", dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None)


class Outcome:
    """What one process left: exit code, status, warnings, columns of results.csv (name to list of numbers)."""

    def __init__(self, code, message):
        self.code, self.message = code, message
        self.status, self.warnings, self.columns, self.summary = "", [], {}, {}
        self.events, self.impacts = [], {}  # rows of events.csv; times of impacts by element

    @property
    def completed(self):
        return self.code == 0 and self.status in ("completed", "")


def read_table(path):
    """Header and columns of a CSV file; rows that are not complete end it."""
    columns = {}
    try:
        with open(path) as file:
            header = file.readline().rstrip("\n").split(",")
            lists = [[] for _ in header]
            for line in file:
                cells = line.rstrip("\n").split(",")
                if len(cells) != len(header):
                    break
                for column, cell in zip(lists, cells):
                    try:
                        column.append(float(cell))
                    except ValueError:
                        column.append(math.nan)
            columns = dict(zip(header, lists))
    except OSError:
        pass
    return columns


def read_events(path):
    """Rows of events.csv: (time, element, event, direction)."""
    try:
        with open(path) as file:
            rows = [line.strip().split(",") for line in file]
    except OSError:
        return []
    return [(float(row[0]), row[1], row[2], int(row[3])) for row in rows[1:] if len(row) > 3]


def impacts_of(events):
    """Times of impacts by element."""
    times = {}
    for t, element, event, _ in events:
        if event == "impact":
            times.setdefault(element, []).append(t)
    return times


def read_document(path):
    """A run file with // comment lines."""
    text = pathlib.Path(path).read_text()
    return json.loads("\n".join("" if line.lstrip().startswith("//") else line for line in text.split("\n")))


class Trammel:
    """The executable; `limit` is the CPU time in seconds after which a process is ended."""

    def __init__(self, executable, limit=8):
        self.executable, self.limit = os.path.abspath(executable), limit

    def call(self, *arguments, limit=None, cwd=None):
        """Exit code and what was said on stderr; code -1 stands for a time limit that was reached."""
        seconds = int(limit or self.limit)
        process = subprocess.Popen([self.executable, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True, cwd=cwd)
        try:
            resource.prlimit(process.pid, resource.RLIMIT_CPU, (seconds, seconds + 2))
        except ProcessLookupError:
            pass
        try:
            said, complaint = process.communicate(timeout=20 * seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return -1, "", "time limit"
        if process.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
            return -1, "", "time limit"
        return process.returncode, said, complaint

    def run(self, document, *arguments, limit=None, keep=None):
        """Runs a document; `keep` is a folder that stays (for checkpoints)."""
        folder = tempfile.mkdtemp(dir=SCRATCH)
        try:
            path = os.path.join(folder, "run.json")
            with open(path, "w") as file:
                json.dump(document, file)
            return self.run_file(path, *arguments, limit=limit, out=keep or os.path.join(folder, "out"))
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def run_file(self, path, *arguments, limit=None, out=None):
        own = out is None
        if own:
            out = tempfile.mkdtemp(dir=SCRATCH)
        try:
            code, _, said = self.call("run", str(path), "-o", out, "--quiet", *arguments, limit=limit)
            outcome = Outcome(code, said.strip())
            try:
                with open(os.path.join(out, "summary.json")) as file:
                    outcome.summary = json.load(file)
                outcome.status = outcome.summary.get("status", "")
                outcome.warnings = [str(w) for w in outcome.summary.get("warnings", [])]
            except (OSError, ValueError):
                pass
            if code in (0, 4):
                outcome.columns = read_table(os.path.join(out, "results.csv"))
                outcome.events = read_events(os.path.join(out, "events.csv"))
                outcome.impacts = impacts_of(outcome.events)
                outcome.tables = {name: read_table(os.path.join(out, name)) for name in ("modes.csv",)
                                  if os.path.exists(os.path.join(out, name))}
            return outcome
        finally:
            if own:
                shutil.rmtree(out, ignore_errors=True)

    def knows(self, formula):
        """Whether the language of formulas has what `formula` uses (probed, since builds differ)."""
        document = {"trammel": 2, "system": {"type": "planar", "bodies": {"m": {"mass": 1, "inertia": 1}},
                    "forces": {"f": {"type": "applied_force", "body": "m", "force": [1, 0],
                                     "function": {"type": "expression", "formula": formula}}}},
                    "analysis": {"type": "dynamics", "duration": 0.01}, "formulation": {"type": "projection"},
                    "integrator": {"type": "rk4", "step": 0.01}, "output": {"step": 0.01}}
        return self.run(document).code == 0

    def types(self, kind):
        """Names of the component types that can be loaded."""
        code, said, _ = self.call("plugins", "--json")
        return {c["type"] for plugin in json.loads(said) for c in plugin.get("components", []) if c["kind"] == kind} if code == 0 else set()


# Remarks that say something about the model or the start, not that the run's numbers may be off.
NEUTRAL = [r"initial velocit", r"initial position", r"redundant", r"differenced", r"zero in the drawing",
           r"same type .* twice", r"shadow", r"degrees? of freedom", r"searched", r"cannot move",
           r"looks stiff", r"no formula uses", r"counts from the drawing", r"never happened", r"angles are in radians", r"longer than the run",
           r"pressed in", r"is defined up to", r"acts on this body",
           r"shorter than the motion needs", r"in format 1", r"drawing is a sketch", r"starts where assembly put it"]


def accuses(warning):
    """Whether a warning puts the run's own accuracy in doubt."""
    return not any(re.search(pattern, warning, re.IGNORECASE) for pattern in NEUTRAL)


def about_method(warning):
    """Whether it is one that a method always gets, before the first step, however the run goes on."""
    return re.search(r"does not damp infinitely fast", warning) is not None


def kind_of(text):
    """A message without its numbers and names, for counting."""
    text = re.sub(r"\S*run\.json:\S* ?", "", text)
    text = re.sub(r"'[^']*'|/(system|integrator|formulation)\S*", "'..'", text)
    return re.sub(r"[-+]?\d+(\.\d*)?([eE][-+]?\d+)?", "#", text)[:150]


def clean():
    shutil.rmtree(SCRATCH, ignore_errors=True)
