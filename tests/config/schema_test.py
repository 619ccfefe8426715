"""Shipped run files and studies meet the schema that `trammel schema` prints; files with planted errors do not.

Usage: schema_test.py TRAMMEL EXAMPLE.json FOLDER... [--without PLUGIN_FOLDER...]

The judge is Debian's python3-jsonschema, which shares no code with Trammel. `trammel validate` has to agree with it.
"""
import copy
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    sys.exit("this test needs Debian's package python3-jsonschema")


def without_comments(text):
    """Blanks // and /* */ comments outside of strings."""
    out, i, n = [], 0, len(text)
    while i < n:
        if text[i] == '"':
            end = i + 1
            while text[end] != '"':
                end += 2 if text[end] == "\\" else 1
            out.append(text[i:end + 1])
            i = end + 1
        elif text.startswith("//", i):
            while i < n and text[i] != "\n":
                i += 1
        elif text.startswith("/*", i):
            i = text.index("*/", i) + 2
        else:
            out.append(text[i])
            i += 1
    return "".join(out)


def change(document, path, value):
    """A copy with the value at the dotted path replaced, added, or (value is None) removed."""
    document = copy.deepcopy(document)
    at = document
    *steps, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    for step in steps:
        at = at[step]
    if value is None:
        del at[last]
    else:
        at[last] = value
    return document


# Path, wrong value. Each alone makes the example wrong.
PLANTED = [
    ("trammel", 3), ("trammel", None), ("outptu", {}), ("title", 5), ("system", None), ("analysis", None),
    ("parameters.L", True), ("parameters.2L", 1), ("plugins.serach", []), ("plugins.search", "x"),
    ("system.type", "no_such_system"), ("system.gravty", [0, 0, 0]), ("system.gravity", [0, 0]),
    ("system.bodies.crank.mas", 1), ("system.bodies.crank.mass", -1), ("system.bodies.crank.mass", 0),
    ("system.bodies.crank.mass", True), ("system.bodies.crank.mass", "1"), ("system.bodies.crank.mass", None),
    ("system.bodies.crank.inertia", [1, 2]), ("system.bodies.crank.rotation", {"axis": [0, 0, 1]}),
    ("system.bodies.crank.rotation", {"euler_parameters": [1, 0, 0]}), ("system.bodies.crank.shape.type", "ball"),
    ("system.bodies.crank.shape.radius", 0), ("system.ground", {"shape": {"type": "disc"}}), ("system.ground", {"mass": 1}), ("system.bodies.energy", {"mass": 1, "inertia": [1, 1, 1]}),
    ("system.points.tip.point", [1, 2]), ("system.points.tip.bdy", "crank"),
    ("system.constraints.pin.type", None), ("system.constraints.pin.type", "revolut"),
    ("system.constraints.pin.axes", [0, 0, 1]), ("system.constraints.pin.bodies", ["ground"]),
    ("system.constraints.pin.bodies", ["crank", "crank"]), ("system.constraints.pin.bodies", "crank"),
    ("system.forces.spring.stiffness", -1), ("system.forces.spring.stifness", 1),
    ("analysis.type", "dynamic"), ("analysis.duration", 0), ("analysis.duration", None), ("analysis.at", "end"),
    ("formulation.alpha", -1), ("formulation.type", "baumgart"), ("formulation", "baumgart"),
    ("formulation", {"type": "auto", "alpha": 5}), ("integrator", "autp"), ("integrator", 3),
    ("integrator", {"type": "auto", "order": 3}), ("integrator", {"type": "auto", "rtol": [1e-6, 1e-6]}),
    ("integrator", {"rtol": 1e-6, "order": 3}), ("integrator", {"tpye": "dopri5"}), ("integrator", {"step": 0.01}),
    ("integrator.order", 3.9),
    ("integrator.order", -1), ("integrator.order", True), ("integrator.mode", "both"), ("integrator.step", 0),
    ("integrator.rtol", "1e-6"), ("integrator.norm", "rsm"), ("output.step", 0),
    ("output.at", "steps"), ("output.channels", "some"), ("output.channels", [1]),
    ("output.writers", "csv"), ("output.writers", []), ("output.writers", [3]), ("output.writers", ["csf"]),
    ("output.writers", [{"type": "csv", "digits": 3}]), ("output.writers", [{"type": "csf"}]),
    ("analysis.solver", "spars"), ("analysis.solver", 3), ("analysis.solver", {"type": "dense", "digits": 3}), ("analysis.solver", {"type": "auto"}),
]

# The same for a study; only the schema is asked, its names and files are `validate`'s.
PLANTED_STUDY = [
    ("trammel_study", 2), ("bass", "x"), ("base", 3), ("vary", [1]), ("vary.integrator.step", None), ("cases", []),
    ("cases", [{"set": {}}]), ("cases", [{"name": "a", "sets": {}}]), ("metrics.error.type", "eror"),
    ("metrics.error.against", None), ("metrics.error.grid", "mine"), ("metrics.error.until", "=1"),
    ("metrics.order.over", None), ("metrics.order.ower", "x"), ("expect.0.value", "3"), ("expect.0.abs", -1),
    ("expect.0.vale", 3), ("table", {"digits": 0}), ("table", {"columns": "error"}),
]


def main():
    trammel, example_file, *folders = sys.argv[1:]
    left_out = []
    if "--without" in folders:
        at = folders.index("--without")
        folders, left_out = folders[:at], folders[at + 1:]
    schema = json.loads(subprocess.run([trammel, "schema"], check=True, capture_output=True, text=True).stdout)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    failures = []

    shipped = [pathlib.Path(example_file)]
    for file in sorted(file for folder in folders for file in pathlib.Path(folder).rglob("*.json")):
        if any(file.is_relative_to(plugin) or f"_{pathlib.Path(plugin).name}_study" in file.name for plugin in left_out):
            continue
        document = json.loads(without_comments(file.read_text()))
        if document.get("trammel") in (1, 2) or document.get("trammel_study") == 1:
            shipped.append(file)
    for file in shipped:
        document = json.loads(without_comments(file.read_text()))
        for error in validator.iter_errors(document):
            deepest = jsonschema.exceptions.best_match([error])
            failures.append(f"{file}: schema: /{'/'.join(map(str, deepest.absolute_path))}: {deepest.message[:200]}")
        told = subprocess.run([trammel, "validate", str(file)], capture_output=True, text=True)
        if told.returncode != 0:
            failures.append(f"{file}: trammel validate: {told.stderr}")

    example = json.loads(without_comments(pathlib.Path(example_file).read_text()))
    with tempfile.TemporaryDirectory() as scratch:
        wrong = pathlib.Path(scratch) / "wrong.json"
        for path, value in PLANTED:
            document = change(example, path, value)
            if validator.is_valid(document):
                failures.append(f"the schema accepts {path} = {json.dumps(value)}")
            wrong.write_text(json.dumps(document))
            told = subprocess.run([trammel, "validate", str(wrong)], capture_output=True, text=True)
            if told.returncode not in (2, 3) or "wrong.json" not in told.stderr:
                failures.append(f"trammel validate accepts {path} = {json.dumps(value)}: {told.returncode} {told.stderr}")

        for integrator in ({"rtol": 1e-6}, {}):  # an object without a type is "auto"
            document = change(change(example, "integrator", integrator), "formulation", "projection")
            failures += [f"the schema refuses {integrator}: {error.message[:200]}" for error in validator.iter_errors(document)]
            wrong.write_text(json.dumps(document))
            told = subprocess.run([trammel, "validate", str(wrong)], capture_output=True, text=True)
            if told.returncode != 0:
                failures.append(f"trammel validate refuses {integrator}: {told.stderr}")

    study = next(json.loads(without_comments(file.read_text())) for file in shipped
                 if file.name == "pendulum_orders_study.json")
    for path, value in PLANTED_STUDY:
        if path == "vary.integrator.step":  # dots inside of a key
            wrong_study = dict(study, vary={"integrator.step": 3})
        else:
            wrong_study = change(study, path, value)
        if validator.is_valid(wrong_study):
            failures.append(f"the schema accepts the study with {path} = {json.dumps(value)}")

    print(f"{len(shipped)} files, {len(PLANTED) + len(PLANTED_STUDY)} planted errors")
    if failures:
        sys.exit("\n".join(failures))


main()
