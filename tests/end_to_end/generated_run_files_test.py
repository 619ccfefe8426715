"""Generated run files and tables are what their scripts write, so that nobody edits one without the other; references are what
their scripts compute, to the accuracy that their pages state."""
import csv
import math
import pathlib
import re
import subprocess
import sys
import tempfile

configs = pathlib.Path(sys.argv[1])
GENERATED = {
    "examples/chain_64.json": ("examples/make_chain.py", "64"),
    "papers/wu/stability_regions.csv": ("papers/wu/stability_regions.py",),
    "papers/wu/constraint_errors.csv": ("papers/wu/constraint_errors.py",),
    "papers/haug/adams_tables.csv": ("papers/haug/adams_tables.py",),
    "papers/bustos/swing.csv": ("papers/bustos/make_swing.py",),
}
for n in (1, 2, 10, 40):
    GENERATED[f"benchmarks/a02_four_bar_{n}.json"] = ("benchmarks/make_model.py", "planar_ladder", str(n))

for n in (1, 2, 10, 40):
    GENERATED[f"benchmarks/a02_revolutes_{n}.json"] = ("benchmarks/make_model.py", "four_bar_ladder_redundant", str(n))
for n in (10, 40, 64):
    GENERATED[f"benchmarks/hanging_chain_{n}.json"] = ("benchmarks/make_model.py", "hanging_chain", str(n))
GENERATED["benchmarks/planar_chain_64.json"] = ("benchmarks/make_model.py", "planar_chain", "64")
GENERATED["benchmarks/beam_20.json"] = ("benchmarks/make_model.py", "beam", "20")
for n in (64, 256):
    GENERATED[f"benchmarks/revolute_chain_{n}.json"] = ("benchmarks/make_model.py", "revolute_chain", str(n))

for file, (script, *arguments) in GENERATED.items():
    written = subprocess.run([sys.executable, configs / script, *arguments], check=True, capture_output=True, text=True)
    if written.stdout != (configs / file).read_text():
        sys.exit(f"{file} differs from the output of {script} {' '.join(arguments)}")

REFERENCES = {  # script, largest difference
    "papers/haug/example_7_3_1.csv": ("papers/haug/make_example_7_3_1.py", 3e-13),
    "papers/haug/four_bar.csv": ("papers/haug/make_four_bar.py", 1e-11),  # rates of 10/s, angles 1e-12
}


def numbers(lines):
    rows = list(csv.reader(lines))
    return rows[0], [[float(value) for value in row] for row in rows[1:]]


for file, (script, accuracy) in REFERENCES.items():
    written = subprocess.run([sys.executable, configs / script], check=True, capture_output=True, text=True)
    names, wanted = numbers(written.stdout.splitlines())
    columns, found = numbers((configs / file).read_text().splitlines())
    if columns != names or len(found) != len(wanted):
        sys.exit(f"{file} has other columns or rows than {script} writes")
    worst = max(abs(a - b) for x, y in zip(found, wanted) for a, b in zip(x, y))
    if worst > accuracy:
        sys.exit(f"{file} differs from what {script} computes by {worst}; at most {accuracy} is stated")

with tempfile.TemporaryDirectory() as folder:
    subprocess.run([sys.executable, configs / "papers/sandu/make_hmmwv.py", folder], check=True)
    for written in sorted(pathlib.Path(folder).iterdir()):
        if written.read_text() != (configs / "papers/sandu" / written.name).read_text():
            sys.exit(f"{written.name} differs from the output of make_hmmwv.py")

expected = subprocess.run([sys.executable, configs / "benchmarks/make_expected.py"], check=True, capture_output=True, text=True)
for line in expected.stdout.splitlines():
    study, case, metric, value = line.split()
    text = (configs / "benchmarks" / study).read_text()
    found = re.search(rf'"case": "{re.escape(case)}", "metric": "{metric}", "value": ([-0-9.e]+)', text)
    if not found or not math.isclose(float(found[1]), float(value), rel_tol=1e-12):
        sys.exit(f"{study}: {case}, {metric}: {found and found[1]} where make_expected.py computes {value}")
