"""Constraints, forces, integrators and metrics that break their contract: the second table of docs/hostile_plugins.md."""
import json
import pathlib
import re
import shutil
import tempfile

INTRODUCTION = """
## What elements, methods and metrics can do

Each is right in all else; what happens late happens in the seventh call. `run`: `trammel run`, for metrics `trammel study`.
Exit code 0 means that the results are, byte for byte, those of the component that keeps its contract.

| case | what was done | `trammel run` prints | exit | `trammel check` finds |
|---|---|---|---|---|
"""

ACTS = {
    "crashes": "writes to a null pointer, late",
    "throws": "throws, late",
    "not_finite": "writes NaN and returns success, late",
    "negative_size": "its size is -1",
    "huge_size": "its size is 1000 million",
    "size_changes": "its size grows, late",
    "beyond": "writes one number more than it was given room for",
    "wrong_body": "attaches to body 999",
    "no_text": "`channel` returns a null pointer",
}
WORDS = {"rail": "constraint", "pull": "force", "method": "integrator", "last": "metric"}
CASES = [f"{stem}_{act}" for stem, acts in (
    ("rail", "crashes throws not_finite negative_size huge_size size_changes beyond wrong_body"),
    ("pull", "crashes throws not_finite negative_size huge_size size_changes beyond wrong_body"),
    ("method", "crashes throws not_finite negative_size huge_size size_changes beyond"),
    ("last", "crashes throws not_finite negative_size huge_size beyond no_text")) for act in acts.split()]


def model(kind):
    """A block on a rail with a pull, each of the honest kind but one."""
    stem = kind.split("_")[0]
    types = {name: kind if name == stem else name for name in ("rail", "pull", "method")}
    return {"trammel": 2, "system": {
        "type": "planar", "gravity": [0, -9.81], "bodies": {"block": {"mass": 1, "inertia": 1}},
        "constraints": {"rail": {"type": types["rail"], "bodies": ["ground", "block"]}},
        "forces": {"pull": {"type": types["pull"], "bodies": ["ground", "block"]}}},
        "analysis": {"type": "dynamics", "duration": 1}, "formulation": {"type": "projection"},
        "integrator": {"type": types["method"], "step": 0.1}, "output": {"step": 0.1}}


def study(kind):
    return {"trammel_study": 1, "title": "One", "base": "run.json", "cases": [{"name": "one"}],
            "metrics": {"it": {"type": kind}}, "expect": [{"metric": "it", "value": -0.05, "abs": 1e-9, "source": "F t^2 / 2 m"}]}


class Table:
    """`run(command, folder)` -> exit code and the line that tells; `checked(library, folder, kind)` -> what check finds."""

    def __init__(self, library, run, checked):
        self.library, self.run, self.checked = library, run, checked
        self.faults = []

    def result(self, folder, kind):
        for file in (self.library, self.library.with_suffix(".trammel.json")):
            shutil.copy(file, folder)
        (folder / "run.json").write_text(json.dumps(model(kind)))
        shutil.rmtree(folder / "out", ignore_errors=True)
        if kind.startswith("last"):
            (folder / "study.json").write_text(json.dumps(study(kind)))
            return self.run(["study", "study.json", "-o", "out", "--quiet", "--plugin-path", folder], folder)
        return self.run(["run", "run.json", "-o", "out", "--quiet", "--plugin-path", folder], folder)

    def row(self, kind):
        stem, act = kind.split("_", 1)
        with tempfile.TemporaryDirectory(prefix="trammel_test_") as name:
            folder = pathlib.Path(name)
            code, said = self.result(folder, kind)
            file = folder / "out" / "results.csv"
            if code == 0 and stem != "last" and file.read_bytes() != self.reference:
                self.faults.append(f"{kind}: exit code 0 with wrong results")
            if code < 0 or code > 4 or (code != 0 and not said):
                self.faults.append(f"{kind}: exit code {code}, {said!r}")
            found = self.checked(folder / self.library.name, folder, kind)
            if found == "nothing":
                self.faults.append(f"{kind}: trammel check finds nothing")
        return f"| {kind} | {WORDS[stem]}: {ACTS[act]} | {said or '(nothing)'} | {code} | {found} |\n"

    def text(self):
        with tempfile.TemporaryDirectory(prefix="trammel_test_") as name:
            folder = pathlib.Path(name)
            code, said = self.result(folder, "rail")
            assert code == 0, said
            self.reference = (folder / "out" / "results.csv").read_bytes()
            code, said = self.result(folder, "last")
            assert code == 0, said
        return INTRODUCTION + "".join(re.sub(r"0x[0-9a-f]+", "0x...", self.row(kind)) for kind in CASES)
