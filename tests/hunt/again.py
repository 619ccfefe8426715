#!/usr/bin/python3
"""Runs of the hunt once more, one by one: their verdicts, and how far each row is off.

again.py --trammel build/release/bin/trammel SEED LABEL... [--rows] [--out FOLDER]

A label is one of the log ("hybrid/dopri5/1e-08", "index3/hht/T/250"); one that ends with * stands for all that begin with it, at every
tolerance or step. The run files are left in FOLDER.
"""
import argparse
import json
import pathlib
import sys

import hunt
import judge
import methods
import runner


def wanted(labels, types):
    """The combinations that the labels stand for, at every tolerance and step."""
    for formulation, method, controlled in methods.combinations(types):
        for value in methods.TOLERANCES if controlled else [*methods.STEPS, 4 * methods.STEPS[-1]]:
            combination = (formulation, method, value if controlled else None, None if controlled else value)
            name = methods.label(combination)
            if any(name == label or (label.endswith("*") and name.startswith(label[:-1])) for label in labels):
                yield combination


def print_rows(document, meta, reference, outcome):
    """The worst channel of each group in every row."""
    truth = {name: values[::judge.FINER] for name, values in reference.columns.items()}
    sizes = judge.scales(reference.columns, document, meta)
    for row, t in enumerate(truth["t"][:len(outcome.columns["t"])]):
        worst = []
        for group, names in judge.groups(truth, document).items():
            off, name = max(((abs(outcome.columns[n][row] - truth[n][row]) / sizes[group], n) for n in names), default=(0.0, ""))
            worst.append(f"{name} {off:.2g}")
        print(f"  {t:.6g}  {'  '.join(worst)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trammel", default="build/release/bin/trammel")
    parser.add_argument("seed", type=int)
    parser.add_argument("labels", nargs="+")
    parser.add_argument("--rows", action="store_true", help="how far each row is off")
    parser.add_argument("--out", default="hunt_again")
    options = parser.parse_args()
    trammel = runner.Trammel(options.trammel)
    folder = pathlib.Path(options.out)
    folder.mkdir(parents=True, exist_ok=True)
    document, meta, reference = hunt.prepared(options.seed, trammel, hunt.language_of(trammel))
    if document is None or reference.columns is None:
        print(f"set aside: {reference.message if document is None else reference.why}")
        return 1
    court = judge.Judge(document, meta, reference, trammel)
    for combination in wanted(options.labels, trammel.types("integrator")):
        case = methods.applied(document, combination, meta)
        outcome = trammel.run(case)
        verdict, off, channel, at = court.classify(combination, outcome)
        name = methods.label(combination)
        (folder / f"{options.seed}_{name.replace('/', '_')}.json").write_text(json.dumps(case, indent=1) + "\n")
        print(f"{name}: {verdict}, {off:.3g} of the range of {channel or 'nothing'} at t = {at:.6g} {outcome.message[:200]}")
        for warning in outcome.warnings:
            print(f"  warning: {warning[:300]}")
        if options.rows and outcome.columns.get("t"):
            print_rows(document, meta, reference, outcome)
    runner.clean()
    return 0


if __name__ == "__main__":
    sys.exit(main())
