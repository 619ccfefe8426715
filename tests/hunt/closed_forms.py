"""The driver of hunts on motions that are known in closed form: random models, each under random treatments and methods.

A model is a function of a random generator that returns (document, judge); judge(outcome) returns (what is wrong or "", whether the run is
so near to the closed form that a warning is a false alarm). Exit code 4 if a run was silently wrong.
"""
import argparse
import collections
import json
import pathlib
import random

import methods
import runner


def options_of(description, models, runs):
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trammel", default="build/release/bin/trammel")
    parser.add_argument("--models", type=int, default=models)
    parser.add_argument("--runs", type=int, default=runs, help="of each model")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--alarms", action="store_true", help="print false alarms as well")
    parser.add_argument("--keep", help="folder for the run files of silent wrong runs")
    return parser.parse_args()


def verdict_of(outcome, judge):
    """(class, what is wrong)"""
    if outcome.code != 0:
        return "failed or refused", ""
    wrong, near = judge(outcome)
    told = [w for w in outcome.warnings if runner.accuses(w)]
    if wrong:
        return ("wrong, warned" if told else "SILENT WRONG"), wrong
    if near and told and not all(runner.about_method(w) for w in told):
        return "false alarm", told[0][:150]
    return "right", ""


def hunt(options, name, model, exponents, steps):
    """`exponents` from-to of tolerances, `steps` of a run. The exit code."""
    trammel = runner.Trammel(options.trammel)
    combinations = methods.combinations(trammel.types("integrator"))
    verdicts, silent = collections.Counter(), []
    for seed in range(options.seed, options.seed + options.models):
        rng = random.Random(f"{name} {seed}")
        document, judge = model(rng)
        for formulation, method, controlled in rng.sample(combinations, options.runs):
            combination = (formulation, method, 10.0 ** -rng.randint(*exponents) if controlled else None, None if controlled else rng.choice(steps))
            case, label = methods.applied(document, combination, {"length": 1, "time": 1}), methods.label(combination)
            verdict, text = verdict_of(trammel.run(case), judge)
            verdicts[verdict] += 1
            if verdict == "SILENT WRONG":
                silent.append(f"  seed {seed}  {label}  {text}")
                if options.keep:
                    pathlib.Path(options.keep).mkdir(exist_ok=True)
                    file = pathlib.Path(options.keep, f"{seed}_{label}".replace("/", "_") + ".json")
                    file.write_text(json.dumps(case, indent=1), encoding="utf-8")
            elif verdict == "false alarm" and options.alarms:
                print(f"seed {seed}  {label}  {text}")
    runner.clean()
    for verdict, count in verdicts.most_common():
        print(f"{count:6d}  {verdict}")
    print("silent wrong:" + ("" if silent else " none"), *silent, sep="\n")
    return 4 if silent else 0
