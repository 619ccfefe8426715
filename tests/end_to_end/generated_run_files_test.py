"""Generated run files and tables are what their scripts write, so that nobody edits one without the other."""
import pathlib
import subprocess
import sys

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

for n in (1, 2, 10):
    GENERATED[f"benchmarks/a02_revolutes_{n}.json"] = ("benchmarks/make_model.py", "four_bar_ladder_redundant", str(n))
for n in (10, 40, 64):
    GENERATED[f"benchmarks/hanging_chain_{n}.json"] = ("benchmarks/make_model.py", "hanging_chain", str(n))
GENERATED["benchmarks/planar_chain_64.json"] = ("benchmarks/make_model.py", "planar_chain", "64")
for n in (64, 256):
    GENERATED[f"benchmarks/revolute_chain_{n}.json"] = ("benchmarks/make_model.py", "revolute_chain", str(n))

for file, (script, *arguments) in GENERATED.items():
    written = subprocess.run([sys.executable, configs / script, *arguments], check=True, capture_output=True, text=True)
    if written.stdout != (configs / file).read_text():
        sys.exit(f"{file} differs from the output of {script} {' '.join(arguments)}")
