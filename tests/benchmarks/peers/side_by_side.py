"""One forward dynamics of Trammel and of every peer that is built, alternating within the same minutes."""
import json

from runs import Failed, make_model, timed

CHAINS = ("revolute_chain", "spherical_chain", "planar_chain")
LADDERS = ("four_bar_ladder", "four_bar_ladder_redundant", "planar_ladder")
PEERS = ("simbody", "dart", "mujoco")
# Sizes above which a peer is left out: Simbody needs the cube of the loops, MuJoCo the square of a chain's length. For
# large redundant ladders Trammel's own states take minutes.
LARGEST = {("simbody", "four_bar_ladder"): 256, ("simbody", "planar_ladder"): 256,
           ("simbody", "four_bar_ladder_redundant"): 64, ("mujoco", "four_bar_ladder_redundant"): 256,
           **{("mujoco", chain): 256 for chain in CHAINS}, **{("dart", ladder): 0 for ladder in LADDERS}}
SLOW = 2  # s of a whole process: such a peer has one round only
# Targets in ns per body, for one core of a processor of 3.6 GHz that does nothing else.
WANTED = {("revolute_chain", 1024): 130, ("spherical_chain", 1024): 115, ("planar_chain", 1024): 28,
          ("four_bar_ladder", 256): 200, ("four_bar_ladder_redundant", 256): 280, ("planar_ladder", 256): 45}
STATE_SPAN, STATE_STEP = 0.1, 0.05  # s


class States:
    """Run files of make_model.py with three states each, tight enough to compare accelerations with."""

    def __init__(self, trammel):
        self.trammel = trammel

    def write(self, family, size):
        """The run file and its results.csv."""
        file = self.trammel.folder / f"states_{family}_{size}.json"
        results = self.trammel.folder / f"states_{family}_{size}"
        if not results.exists():
            document = make_model.model(family, size)
            planar = document["system"]["type"] == "planar"
            rates = ("ax", "ay", "alpha") if planar else ("ax", "ay", "az", "alphax", "alphay", "alphaz")
            channels = [c for body in document["system"]["bodies"] for c in (body, *(f"{body}.{r}" for r in rates))]
            document["output"] = {"step": STATE_STEP, "channels": channels}
            document["analysis"]["duration"] = STATE_SPAN
            document["integrator"] = {"type": "dopri853", "rtol": 1e-10, "atol": 1e-12}
            file.write_text(json.dumps(document))
            timed([self.trammel.program, "run", file, "--quiet", "-o", results])
        return file, results / "results.csv"


def evaluation(trammel, name, seconds):
    """ns per body of a benchmark of benchmark_evaluation."""
    text = timed([trammel.build / "bin" / "benchmark_evaluation", "--benchmark_format=json",
                  f"--benchmark_filter=^{name}$", f"--benchmark_min_time={seconds}"], folder=trammel.folder)[3]
    return 1e9 * json.loads(text)["benchmarks"][0]["per_body"]


def measure(trammel, peers, sizes, rounds, seconds, only, say):
    """Rows {family, size, trammel, peers: {name: {ns_per_body, difference, exact, ...} or reason}, wanted}."""
    states = States(trammel)
    for family in CHAINS + LADDERS:
        for size in sizes:
            if only not in f"{family} {size}":
                continue
            say(f"{family} {size}")
            row = {"family": family, "size": size, "trammel": None, "peers": {}, "wanted": WANTED.get((family, size))}
            able = {name: p for name, p in peers.items() if size <= LARGEST.get((name, family), size)}
            arguments = [*states.write(family, size), seconds] if able else []
            for _ in range(rounds):
                keep_least(row, "trammel", evaluation(trammel, f"{family}/{size}", seconds))
                for name, program in able.items():
                    one_peer(row["peers"], name, program, arguments)
            yield row


def keep_least(row, key, value):
    row[key] = value if row[key] is None else min(row[key], value)


def one_peer(found, name, program, arguments):
    known = found.get(name)
    if isinstance(known, str) or known and known["process_s"] > SLOW:
        return
    try:
        spent, _, _, text = timed([program, *arguments], seconds=120)
        line = {**json.loads(text), "process_s": spent}
    except Failed as failed:
        if str(failed).startswith(("exit code 1 ", "exit code 4 ")):  # a fault of ours, or other accelerations
            raise
        found[name] = str(failed)
        return
    if known:
        line["ns_per_body"] = min(line["ns_per_body"], known["ns_per_body"])
    found[name] = line


def versions(rows):
    """{peer: its name with version}"""
    return {name: entry["peer"] for row in rows for name, entry in row["peers"].items() if not isinstance(entry, str)}


def markdown(rows):
    names = versions(rows)
    lines = ["| family | N | Trammel | " + " | ".join(f"{names[n]} | ratio" for n in names) + " | wanted |",
             "|---|---|---|" + "---|---|" * len(names) + "---|"]
    for row in rows:
        cells = []
        for name in names:
            entry = row["peers"].get(name, "")
            if isinstance(entry, str):
                cells += ["-", "-"]
            else:
                soft = "" if entry["exact"] else " (soft)"
                cells += [f"{entry['ns_per_body']:.0f}{soft}", f"{entry['ns_per_body'] / row['trammel']:.1f}"]
        wanted = row["wanted"]
        mark = "" if wanted is None else f"{wanted} ({'met' if row['trammel'] <= wanted else 'missed'})"
        lines.append(" | ".join([f"| {row['family']}", str(row["size"]), f"{row['trammel']:.0f}", *cells, mark]) + " |")
    return "\n".join(lines)
