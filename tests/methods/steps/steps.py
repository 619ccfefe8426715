#!/usr/bin/python3
"""Steps of methods as programs of their own find them: files for `math.steps` of `trammel check`.

    steps.py PLUGINS [--write]

PLUGINS is the folder of the integrators. The programs beside this file are written from the literature that the methods'
notes name, and share no code with the plugins. Without --write, the files in the plugins' `cases/expected` are compared with
what the programs give.
"""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import adams
import bdf
import conditional
import ddeabm
import radau
import structural
import trapezoidal
import verlet

PROGRAMS = {"adams": adams, "bdf": bdf, "conditionally_explicit": conditional, "ddeabm": ddeabm, "generalized_alpha": structural, "radau_iia": radau,
            "trapezoidal": trapezoidal, "verlet": verlet}


def rows_of(run, h, count):
    """Accepted steps of a method that proposes them itself; some are cut off, and behind some the state is moved."""
    rows = []
    while len(rows) < count:
        i, rejected, marks = len(rows) + 1, 0, {}
        if i % 13 == 0:
            marks["at_most"] = h = h / 3
        row, h = run.attempt(h)
        while row is None:
            rejected += 1
            row, h = run.attempt(h)
        if i % 29 == 0 and getattr(run, "move", None):
            marks["moved"] = [1e-2 * (k + 1) for k in range(len(row["y"]))]
            run.move([a + b for a, b in zip(row["y"], marks["moved"])])
        rows.append({**row, "rejected": rejected, **marks})
    return rows


def text_of(program, keys, problem, control, steps):
    head = {"integrator": keys, "system": problem.json, **control, "source": f"{program}.py of tests/methods/steps"}
    lines = [f'  "{key}": {json.dumps(value)},' for key, value in head.items()]
    rows = ["    " + json.dumps(row) for row in steps]
    return "{\n" + "\n".join(lines) + '\n  "steps": [\n' + ",\n".join(rows) + "\n  ]\n}\n"


def same(a, b):
    """Equal but for the last digits, which depend on the library of mathematics."""
    if isinstance(a, dict):
        return isinstance(b, dict) and a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, list):
        return isinstance(b, list) and len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, float) or isinstance(b, float):
        return abs(a - b) <= 1e-9 * max(1, abs(a))
    return a == b


def main():
    plugins, write = pathlib.Path(sys.argv[1]), "--write" in sys.argv
    wrong = 0
    for plugin, program in PROGRAMS.items():
        for name, keys, problem, control, run, count in program.files():
            steps = run if isinstance(run, list) else rows_of(run, control["h"], count)
            file = plugins / plugin / "cases" / "expected" / f"{name}.json"
            text = text_of(program.__name__, keys, problem, control, steps)
            if write:
                file.parent.mkdir(exist_ok=True)
                file.write_text(text)
            elif not file.exists() or not same(json.loads(file.read_text()), json.loads(text)):
                print(f"{file} is not what {program.__name__}.py gives", file=sys.stderr)
                wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
