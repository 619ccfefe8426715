"""Counts the instructions of fixed pieces of work with callgrind, and holds them against the figures of a file.

    instructions.py --trammel TRAMMEL --count-work COUNT_WORK [--figures FILE] [--write] [--only TEXT] [--jobs N]

Counts depend on the program, the compiler and the processor's vector instructions, not on time or load. Figures that
differ by more than the file's tolerance, up or down, are named, with exit code 4: a gain is written down as well
(--write), so that it cannot be lost unseen. Exit code 77: this processor has other vector instructions than the file's.
"""
import argparse
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "configs" / "benchmarks"))
import make_model  # noqa: E402

FAMILIES = ("revolute_chain", "spherical_chain", "planar_chain", "four_bar_ladder", "four_bar_ladder_redundant",
            "planar_ladder")
SIZE = 64
OTHER_KERNELS = 77
ONE_BODY = {
    "trammel": 1,
    "system": {
        "type": "planar", "gravity": [0, -9.81],
        "bodies": {"bob": {"mass": 1, "inertia": 0.1, "position": [1, 0]}},
        "constraints": {"pin": {"type": "revolute", "bodies": ["ground", "bob"], "at": [0, 0]}},
    },
    "analysis": {"type": "dynamics", "duration": 1},
    "formulation": {"type": "projection"},
    "integrator": {"type": "dopri5"},
    "output": {"step": 0.5},
}


class Counter:
    """Programs under callgrind. The folder keeps models and callgrind's files."""

    def __init__(self, trammel, count_work, folder):
        self.trammel, self.count_work = str(Path(trammel).resolve()), str(Path(count_work).resolve())
        self.folder = Path(folder)
        self.kernels = set()

    def model(self, family, size):
        """Files have names of their own for each caller: they are written at the same time."""
        with tempfile.NamedTemporaryFile("w", dir=self.folder, suffix=".json", delete=False) as file:
            file.write(make_model.text(make_model.model(family, size)))
        return file.name

    def count(self, *command, only=None):
        """Instructions of the command, or those inside the function `only`; and what the command prints."""
        with tempfile.TemporaryDirectory(dir=self.folder) as scratch:
            counts = Path(scratch) / "callgrind"
            options = [f"--callgrind-out-file={counts}"] + ([f"--toggle-collect={only}"] if only else [])
            result = subprocess.run(["valgrind", "--tool=callgrind", *options, *command], cwd=scratch, check=False,
                                    capture_output=True, text=True, env={"PATH": os.environ["PATH"], "LC_ALL": "C"})
            if result.returncode != 0:
                raise RuntimeError(f"{' '.join(command)}: exit code {result.returncode}\n{result.stderr[-2000:]}")
            found = re.search(r"^(?:summary|totals): (\d+)", counts.read_text(), re.MULTILINE)
            if not found or int(found[1]) == 0:
                raise RuntimeError(f"{' '.join(command)}: callgrind counted nothing")
            return int(found[1]), result.stdout

    def work(self, file, what, repetitions):
        """Instructions of one repetition, and the number of bodies."""
        total, text = self.count(self.count_work, str(file), what, str(repetitions), only="counted_work")
        said = json.loads(text)
        self.kernels.add(said["kernels"])
        return total / repetitions, said["bodies"]

    def per_body(self, what, family, repetitions):
        total, bodies = self.work(self.model(family, SIZE), what, repetitions)
        return total / bodies

    def set_up_per_body(self, family, size):
        """By the difference to a model four times as large, so that reading the plugins does not count."""
        (small, fewer), (large, more) = (self.work(self.model(family, n), "set_up", 1) for n in (size, 4 * size))
        return (large - small) / (more - fewer)

    def run(self, file, *sets):
        options = [word for text in sets for word in ("--set", text)]
        return self.count(self.trammel, "run", str(file), "--quiet", "-o", "out", *options)[0]

    def one_body_run(self):
        file = self.folder / "one_body.json"
        file.write_text(json.dumps(ONE_BODY))
        return self.run(file)

    def per_step(self, file, step, *sets, steps=200):
        """By the difference of two durations, so that the start of the program does not count."""
        def until(end):
            own = ["integrator.step_check=false", f"analysis.duration={end}", f"output.step={end}"]
            return self.run(file, *sets, *own)
        return (until(3 * steps * step) - until(steps * step)) / (2 * steps)

    def hht_step_per_body(self, family):
        method = '{"type": "hht", "step": 1e-3, "alpha": -0.2}'
        return self.per_step(self.model(family, SIZE), 1e-3, "formulation=null", f"integrator={method}", steps=5) / SIZE

    def index_3_step(self):
        """One iteration per step, as the paper's costs are."""
        return self.per_step(ROOT / "configs/papers/bustos/dae_pendulum.json", 1e-3, "integrator.tolerance=1e-10")

    def state_space_run(self):
        """Half a second of the stiff vehicle: stages, Jacobians, dependent coordinates, energy account, search of laws."""
        file = ROOT / "configs/papers/sandu/hmmwv_stiff.json"
        own = ["integrator.rtol=1e-3", "integrator.atol=1e-3", "integrator.step_check=false"]
        early, late = (self.run(file, *own, f"analysis.duration={end}", f"output.step={end}") for end in (0.5, 1))
        return late - early


def cases(counter):
    """{name: call that counts}"""
    found = {}
    for family in FAMILIES:
        found[f"evaluation/{family} per body"] = lambda f=family: counter.per_body("evaluation", f, 10)
    for family in ("revolute_chain", "planar_chain", "four_bar_ladder"):
        found[f"jacobian/{family} per body"] = lambda f=family: counter.per_body("jacobian", f, 4)
    for family in ("revolute_chain", "planar_chain"):
        found[f"hht step/{family} per body"] = lambda f=family: counter.hht_step_per_body(f)
    for family, size in (("revolute_chain", SIZE), ("planar_chain", SIZE), ("four_bar_ladder_redundant", SIZE // 4)):
        found[f"set-up/{family} per body"] = lambda f=family, n=size: counter.set_up_per_body(f, n)
    found["index-3 step/pendulum of 5 unknowns"] = counter.index_3_step
    found["state space/hmmwv_stiff, 0.5 s at 1e-3"] = counter.state_space_run
    found["process/one body, 1 s"] = counter.one_body_run
    return found


def measure(trammel, count_work, only="", jobs=1):
    """{name: instructions}, and the kernels that the emulated processor chose."""
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        counter = Counter(trammel, count_work, folder)
        futures = {name: pool.submit(call) for name, call in cases(counter).items() if only in name}
        counts = {name: round(future.result()) for name, future in futures.items()}
        return counts, " and ".join(sorted(counter.kernels))


def differences(figures, counts, tolerance):
    """One line per figure that differs, and per name that only one side has."""
    lines = []
    for name in list(figures) + [n for n in counts if n not in figures]:
        if name not in counts:
            lines.append(f"{name}: {figures[name]} in the file, no longer counted")
        elif name not in figures:
            lines.append(f"{name}: {counts[name]} counted, not in the file")
        elif abs(counts[name] - figures[name]) > tolerance * figures[name]:
            change = counts[name] / figures[name] - 1
            lines.append(f"{name}: {figures[name]} -> {counts[name]} instructions ({change:+.1%})")
    return lines


def arguments(parser):
    parser.add_argument("--trammel", required=True)
    parser.add_argument("--count-work", required=True)
    parser.add_argument("--figures", type=Path, default=Path(__file__).with_name("instructions.json"))
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments(parser)
    parser.add_argument("--write", action="store_true", help="write what is counted into the file of figures")
    parser.add_argument("--only", default="", help="figures whose name contains this text")
    options = parser.parse_args()
    document = json.loads(options.figures.read_text(encoding="utf-8"))
    counts, kernels = measure(options.trammel, options.count_work, options.only, options.jobs)
    if kernels not in ("", document["kernels"]):
        print(f"figures are for {document['kernels']}, this processor runs {kernels}", file=sys.stderr)
        return OTHER_KERNELS
    known = {name: value for name, value in document["figures"].items() if options.only in name}
    lines = differences(known, counts, document["tolerance"])
    print("\n".join(lines) or f"{len(counts)} figures hold within {document['tolerance']:.0%}")
    if options.write:
        document["figures"] = {**document["figures"], **counts} if options.only else counts
        options.figures.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
        return 0
    return 4 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
