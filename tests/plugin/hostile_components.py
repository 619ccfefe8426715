"""Components of all kinds that break their contract: the last table of docs/hostile_plugins.md."""
import json
import pathlib
import re
import shutil
import tempfile

INTRODUCTION = """
## What components of each kind can do

Each is right in all else; what happens late happens in the seventh call. `run`: `trammel run`, for metrics `trammel study`,
for importers `trammel import`. Exit code 0 means that the results are, byte for byte, those of the component that keeps its
contract, unless the row says why nobody can know.

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
    "no_text": "a text of its own is a null pointer, or points to nothing",
    "lies": "",
    "refuses_badly": "refuses without a reason",
}
LIES = {"lines": "leaves out rows, late", "start": "ends its search without a state", "factors": "keeps the last factors, late",
        "falling": "says the type of the system twice"}
WORDS = {"rail": "constraint", "pull": "force", "method": "integrator", "last": "metric", "treatment": "formulation",
         "decay": "system", "lines": "writer", "start": "analysis", "factors": "linear solver", "falling": "importer"}
# Exit code 0 beside other results: what nothing but `check` can know.
UNKNOWABLE = {"lines_lies": "the form of a writer's file is its own, and what it leaves out only its reader sees"}
CASES = [f"{stem}_{act}" for stem, acts in (
    ("rail", "crashes throws not_finite negative_size huge_size size_changes beyond wrong_body"),
    ("pull", "crashes throws not_finite negative_size huge_size size_changes wrong_body"),
    ("method", "crashes throws not_finite negative_size huge_size size_changes beyond"),
    ("last", "crashes throws not_finite negative_size huge_size beyond no_text"),
    ("treatment", "crashes throws not_finite negative_size huge_size beyond no_text"),
    ("decay", "crashes throws not_finite negative_size huge_size beyond no_text"),
    ("lines", "crashes throws negative_size no_text lies refuses_badly"),
    ("start", "crashes throws not_finite negative_size huge_size beyond no_text lies refuses_badly"),
    ("factors", "crashes throws not_finite beyond no_text lies"),
    ("falling", "crashes throws not_finite beyond no_text lies refuses_badly")) for act in acts.split()]


def model(kind):
    """A block on a rail with a pull, each of the honest kind but one."""
    stem = kind.split("_")[0]
    plain = stem not in ("rail", "pull", "method", "last")
    types = {name: kind if name == stem else name for name in ("rail", "pull", "method")}
    rail, pull, method = ("translational", "applied_force", "rk4") if plain else types.values()
    elements = {"constraints": {"rail": {"type": rail, "bodies": ["ground", "block"]}},
                "forces": {"pull": {"type": pull, "bodies": ["ground", "block"]}}}
    if plain:
        elements = {"constraints": {"rail": {"type": rail, "bodies": ["ground", "block"], "at": [0, 0], "axis": [1, 0]}},
                    "forces": {"pull": {"type": pull, "body": "block", "force": [-0.1, 0]}}}
    run = {"trammel": 2, "system": {
        "type": "planar", "gravity": [0, -9.81], "bodies": {"block": {"mass": 1, "inertia": 1}}, **elements},
        "analysis": {"type": "dynamics", "duration": 1}, "formulation": {"type": "projection"},
        "integrator": {"type": method, "step": 0.1}, "output": {"step": 0.1}}
    if stem == "treatment":
        run["formulation"]["type"] = kind
    if stem == "decay":
        run["system"] = {"type": kind}
        del run["formulation"]
    if stem == "lines":
        run["output"]["writers"] = ["csv", {"type": kind}]
    if stem == "start":
        run["analysis"] = {"type": kind}
        del run["integrator"], run["formulation"], run["output"]
    if stem == "factors":  # a matrix that changes with the motion
        run["system"]["bodies"]["block"]["position"] = [0.5, 0]
        run["system"]["constraints"] = {"rail": {"type": "revolute", "bodies": ["ground", "block"], "at": [0, 0]}}
        run["analysis"]["solver"] = {"type": kind}
    return run


def study(kind):
    return {"trammel_study": 1, "title": "One", "base": "run.json", "cases": [{"name": "one"}],
            "metrics": {"it": {"type": kind}}, "expect": [{"metric": "it", "value": -0.05, "abs": 1e-9, "source": "F t^2 / 2 m"}]}


class Table:
    """`run(command, folder)` -> exit code and the line that tells; `checked(library, folder, kind)` -> what check finds;
    `steady(kind, line)` -> the line without what differs from run to run."""

    def __init__(self, libraries, run, checked, steady):
        self.libraries, self.run, self.checked, self.steady = libraries, run, checked, steady
        self.faults, self.references = [], {}

    def library(self, kind):
        return self.libraries[0 if kind.split("_")[0] in ("rail", "pull", "method", "last") else 1]

    def result(self, folder, kind):
        for file in (self.library(kind), self.library(kind).with_suffix(".trammel.json")):
            shutil.copy(file, folder)
        (folder / "run.json").write_text(json.dumps(model(kind)))
        shutil.rmtree(folder / "out", ignore_errors=True)
        plugins = ["--plugin-path", folder]
        if kind.startswith("last"):
            (folder / "study.json").write_text(json.dumps(study(kind)))
            return self.run(["study", "study.json", "-o", "out", "--quiet", *plugins], folder)
        if kind.startswith("falling"):
            (folder / "cases").mkdir()
            (folder / "cases" / "stone.falling").write_text("anything\n")
            (folder / "out").mkdir()
            return self.run(["import", "cases/stone.falling", "--type", kind, "-o", "out/results.json", *plugins], folder)
        return self.run(["run", "run.json", "-o", "out", "--quiet", *plugins], folder)

    @staticmethod
    def files(folder):
        return {file.name: file.read_bytes() for file in (folder / "out").glob("results.*")}

    def row(self, kind):
        stem, act = kind.split("_", 1)
        with tempfile.TemporaryDirectory(prefix="trammel_test_") as name:
            folder = pathlib.Path(name)
            code, said = self.result(folder, kind)
            said = self.steady(kind, said)
            if code == 0 and stem != "last" and self.files(folder) != self.references[stem]:
                if kind in UNKNOWABLE:
                    said = f"(nothing: {UNKNOWABLE[kind]})"
                else:
                    self.faults.append(f"{kind}: exit code 0 with wrong results")
            if code < 0 or code > 4 or (code != 0 and not said):
                self.faults.append(f"{kind}: exit code {code}, {said!r}")
            found = self.checked(folder / self.library(kind).name, folder, kind)
            # What the kernel asks once may change afterwards: nobody sees it, and results are right.
            if found == "nothing" and code != 0:
                self.faults.append(f"{kind}: trammel check finds nothing")
        return f"| {kind} | {WORDS[stem]}: {LIES[stem] if act == 'lies' else ACTS[act]} | {said or '(nothing)'} | {code} | {found} |\n"

    def text(self):
        for stem in WORDS:
            with tempfile.TemporaryDirectory(prefix="trammel_test_") as name:
                folder = pathlib.Path(name)
                kind = "rail" if stem in ("pull", "method") else stem
                code, said = self.result(folder, kind)
                assert code == 0, (stem, said)
                self.references[stem] = self.files(folder)
        return INTRODUCTION + "".join(re.sub(r"0x[0-9a-f]+", "0x...", self.row(kind)) for kind in CASES)
