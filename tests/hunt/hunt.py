#!/usr/bin/python3
"""The hunt: random mechanisms under random treatments and methods, judged against references of bounded steps.

hunt.py --trammel build/release/bin/trammel --models 300 --runs 20000 --seed 1 --jobs 2 --out FOLDER
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import sys
import time

import generate
import judge
import methods
import minimise
import runner


def channels_of(document):
    """Bodies, joints with coordinates, energy and constraint columns."""
    joints = []
    for name, joint in document["system"].get("constraints", {}).items():
        if joint["type"] in ("revolute", "cylindrical", "screw", "universal"):
            joints.append(f"{name}.angle")
        if joint["type"] in ("translational", "cylindrical", "screw"):
            joints.append(f"{name}.displacement")
    return list(document["system"]["bodies"]) + joints + ["energy", "constraint"]


def language_of(trammel):
    """What formulas of this build may use."""
    return {"if": trammel.knows("if(t > 0.5, 1, 0)"), "and": trammel.knows("if(t > 0.5 and t < 0.7, 1, 0)"), "floor": trammel.knows("floor(t)")}


def prepared(seed, trammel, language):
    """(document, meta, reference) of a seed; the document is None where the model is refused."""
    document, meta = generate.mechanism(seed, language)
    document, outcome = generate.started(document, trammel)
    if document is None:
        return None, meta, outcome
    document["output"]["channels"] = channels_of(document)
    return document, meta, judge.Reference(document, meta, trammel)


def hunt_model(seed, runs, trammel, language, types, folder, minimising):
    """All runs of one seed: a record for the log."""
    started = time.time()
    document, meta, reference = prepared(seed, trammel, language)
    record = {"seed": seed, "family": meta["family"], "host": meta["host"], "runs": []}
    if document is None:
        record["set_aside"] = "no start: " + runner.kind_of(reference.message or "?")
        return record
    if reference.columns is None:
        record["set_aside"] = runner.kind_of(reference.why)
        return record
    if not judge.moves(reference.columns, document):
        record["set_aside"] = "nothing moves"
        return record
    record.update(agreement=reference.agreement, condition=reference.condition)
    court = judge.Judge(document, meta, reference, trammel)
    for combination in methods.sample(types, seed, runs):
        outcome = trammel.run(methods.applied(document, combination, meta))
        verdict, off, channel, at = court.classify(combination, outcome)
        entry = {"method": methods.label(combination), "verdict": verdict, "error": off if off == off else None,
                 "controlled": bool(combination[2])}
        if verdict not in (judge.RIGHT, judge.COARSE):
            entry.update(channel=channel, t=at, message=runner.kind_of(outcome.message) if outcome.code else "",
                         warnings=[w[:300] for w in outcome.warnings if runner.accuses(w)])
        if verdict == judge.SILENT or (verdict == judge.LOOSE_RUN and minimising == "all"):
            entry["case"] = store(document, meta, combination, entry, folder, trammel, minimising)
        record["runs"].append(entry)
    record["seconds"] = time.time() - started
    return record


def store(document, meta, combination, entry, folder, trammel, minimising):
    """Writes the disagreement as it is, and minimised where that is asked for; returns the file's name."""
    stem = f"{meta['seed']}_{methods.label(combination)}".replace("/", "_").replace("(", "_").replace(")", "").replace(",", "_")
    case = methods.applied(document, combination, meta)
    if minimising:
        case, meta = minimise.smallest(document, meta, combination, trammel)
    text = (f"// Hunt, seed {meta['seed']}, {meta['family']}, {meta['host']}: {methods.label(combination)} is off by {entry['error']:.3g} of the range of\n"
            f"// {entry['channel']} at t = {entry['t']:.6g}, completed without a warning; two references of bounded steps agree.\n")
    (folder / f"{stem}.json").write_text(text + json.dumps(case, indent=1) + "\n")
    return f"{stem}.json"


def tally(records):
    """The counts, printed and returned."""
    verdicts, by_method, alarms, failures, set_aside, families = (collections.Counter() for _ in range(6))
    controlled = collections.Counter()
    worst = []
    for record in records:
        if "set_aside" in record:
            set_aside[record["set_aside"]] += 1
            continue
        for entry in record["runs"]:
            verdicts[entry["verdict"]] += 1
            if entry["controlled"]:
                controlled[entry["verdict"]] += 1
            if entry["verdict"] in (judge.SILENT, judge.LOOSE_RUN, judge.WARNED):
                by_method[entry["verdict"], entry["method"].rsplit("/", 1)[0]] += 1
                families[entry["verdict"], record["family"]] += 1
                worst.append((record["seed"], record["family"], record["host"], entry))
            for warning in entry.get("warnings", []):
                alarms[entry["verdict"], runner.kind_of(warning)] += 1
            if entry.get("message"):
                failures[entry["verdict"], entry["message"]] += 1
    total = sum(verdicts.values())
    judged = len({r["seed"] for r in records if "set_aside" not in r})
    print(f"\n{len(records)} models, {judged} with a reference; {total} runs")
    for verdict, count in verdicts.most_common():
        print(f"  {count:6d}  {verdict}" + (f"  ({controlled[verdict]} error-controlled)" if controlled[verdict] else ""))
    ended = max(1, sum(controlled.values()) - sum(controlled[v] for v in (judge.REFUSED, judge.FAILED, judge.SLOW)))
    right = max(1, verdicts[judge.RIGHT] + verdicts[judge.FALSE_ALARM])
    print(f"error-controlled runs that ended: {ended}, wrong with a warning {100 * controlled[judge.WARNED] / ended:.2g} %, loose {controlled[judge.LOOSE_RUN]}; "
          f"false alarms {1000 * verdicts[judge.FALSE_ALARM] / right:.2g} in 1000 right runs")
    for title, counter, most in (("set aside", set_aside, 12), ("warnings that accuse", alarms, 40), ("failures and refusals", failures, 25),
                                 ("by method", by_method, 40), ("by family", families, 30)):
        if counter:
            print(f"{title}:")
            for key, count in counter.most_common(most):
                print(f"  {count:6d}  {key if isinstance(key, str) else '  '.join(map(str, key))}")
    print("silent wrong:" if verdicts[judge.SILENT] else "silent wrong: none")
    for seed, family, host, entry in worst:
        if entry["verdict"] == judge.SILENT:
            print(f"  seed {seed} ({family}, {host})  {entry['method']}  {entry['error']:.3g}  {entry['channel']} t={entry['t']:.4g}")
    return verdicts


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trammel", default="build/release/bin/trammel")
    parser.add_argument("--seed", type=int, default=1, help="first seed; models have consecutive ones")
    parser.add_argument("--models", type=int, default=30)
    parser.add_argument("--runs", type=int, default=900, help="in all")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=0, help="no model is begun after this time")
    parser.add_argument("--out", default="hunt_results", help="folder of log (resumed) and cases")
    parser.add_argument("--minimise", choices=["no", "silent", "all"], default="silent", help="what is made small before it is stored")
    parser.add_argument("--fresh", action="store_true", help="forget what the log has")
    parser.add_argument("--only-report", action="store_true", help="count what the log has, run nothing")
    parser.add_argument("--allowed", type=int, default=0, help="silent wrong runs that do not fail the hunt")
    options = parser.parse_args()
    folder = pathlib.Path(options.out)
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / "hunt.jsonl"
    if options.fresh:
        log.unlink(missing_ok=True)
    records = [json.loads(line) for line in log.read_text().splitlines() if line.endswith("}")] if log.exists() else []
    done = {r["seed"] for r in records}
    if not options.only_report:
        trammel = runner.Trammel(options.trammel)
        types = trammel.types("integrator")
        language = language_of(trammel)
        seeds = [s for s in range(options.seed, options.seed + options.models) if s not in done]
        per_model = max(1, options.runs // options.models)
        begin = time.time()
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool, open(log, "a") as file:
            def one(seed):
                if options.seconds and time.time() - begin > options.seconds:
                    return None
                return hunt_model(seed, per_model, trammel, language, types, folder, None if options.minimise == "no" else options.minimise)
            for count, record in enumerate(pool.map(one, seeds), 1):
                if record is None:
                    continue
                records.append(record)
                file.write(json.dumps(record) + "\n")
                file.flush()
                silent = sum(e["verdict"] == judge.SILENT for r in records for e in r["runs"])
                left = (time.time() - begin) / count * (len(seeds) - count)
                if sys.stderr.isatty() or count % 10 == 0:
                    print(f"{count}/{len(seeds)} models, {silent} silent wrong, {left:.0f} s left", file=sys.stderr)
    runner.clean()
    verdicts = tally(records)
    return 4 if verdicts[judge.SILENT] > options.allowed else 0


if __name__ == "__main__":
    os.environ.pop("TRAMMEL_PLUGIN_PATH", None)
    sys.exit(main())
