#!/usr/bin/python3
"""Known wrong answers, each with its exact value: cases.py --trammel BUILD/bin/trammel [--before OTHER/bin/trammel] [NAME...]

Prints one row per case: right, told (a warning or a refusal), or SILENT WRONG. Exit code 4 if one is silent wrong, or if a case
that a run can get right is not.
"""
import argparse
import math
import os
import pathlib
import subprocess
import sys
import tempfile

import known
import runner

FOLDER = pathlib.Path(__file__).resolve().parent / "cases"
RIGHT, TOLD, SILENT, LEFT_OUT = "right", "told", "SILENT WRONG", "left out"


def judged(trammel, name, check):
    """(verdict, what was obtained) of one case."""
    path = FOLDER / f"{name}.json"
    if "study" in name:
        with tempfile.TemporaryDirectory() as out:
            code, _, said = trammel.call("study", str(path), "-o", out, "--quiet")
        if check.must:
            return (RIGHT, "as expected") if code == 0 else (SILENT, said.strip()[-100:])
        return (TOLD, said.strip()[-100:]) if code == 2 else (SILENT, f"exit {code}")
    outcome = trammel.run_file(path)
    warnings = [w for w in outcome.warnings if runner.accuses(w)] if check.accusing else outcome.warnings
    if outcome.code == 3 and "there is no integrator type" in outcome.message:
        return LEFT_OUT, "a build without SUNDIALS"
    if outcome.code != 0:
        return TOLD, f"exit {outcome.code}: {outcome.message[-110:]}"
    obtained, holds = check.value(outcome, trammel, path)
    if holds:
        return RIGHT, obtained
    return (TOLD, f"{obtained}; {warnings[0][:90]}") if warnings else (SILENT, obtained)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trammel", required=True)
    parser.add_argument("--before", help="an older executable, for a table of both")
    parser.add_argument("--all", action="store_true", help="cases that are known to be open count as well")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    names = options.names or list(known.CHECKS)
    bad = 0
    for name in names:
        check = known.CHECKS[name]
        row = f"{name:40s} | exact {check.exact:28s}"
        if options.before:
            verdict, obtained = judged(runner.Trammel(options.before), name, check)
            row += f" | before: {verdict:12s} {obtained[:40]:40s}"
        verdict, obtained = judged(runner.Trammel(options.trammel), name, check)
        fails = verdict == SILENT or (check.must and verdict not in (RIGHT, LEFT_OUT))
        open_one = name in known.OPEN and not options.all
        bad += fails and not open_one
        print(f"{row} | {verdict:12s} {obtained[:150]}" + ("   <-- OPEN" if fails and open_one else "   <-- FAILS" if fails else ""), flush=True)
    shipped = {p.stem for p in FOLDER.glob("*.json")} - {"base", "jumps_base"}
    missing = shipped - set(known.CHECKS)
    if missing:
        print("no expectation:", ", ".join(sorted(missing)))
    runner.clean()
    print(f"{len(names)} cases, {bad} fail")
    return 4 if bad or missing else 0


if __name__ == "__main__":
    os.environ.pop("TRAMMEL_PLUGIN_PATH", None)
    sys.exit(main())
