"""What a run's numbers are worth: errors against references by groups of channels, and classes of outcomes."""
import json
import math
import random
import statistics

import methods
from runner import about_method, accuses, kind_of

WRONG = 0.05          # of the range of a group of channels
LOOSE = 1000          # times the relative tolerance
SPREAD = 100          # times the median of the explicit methods: ill-conditioned or coarse
AGREE = 1e-7          # what two references have to agree to
ILL = 20              # times what a start moved by rtol changes: a wrong run of an ill-conditioned model
HOP = 2e-2            # at most, what contacts that hop at rest explain
FINER = 10            # rows of the reference per row of a run: ranges are those of the motion between rows too
CONDITION = 1e5       # error of a tolerance, in tolerances, beyond which a model is left out as chaotic

POSITION, TURN, VELOCITY, SPIN = "position", "turn", "velocity", "spin"
SUFFIXES = {"x": POSITION, "y": POSITION, "z": POSITION, "phi": TURN, "e0": TURN, "e1": TURN, "e2": TURN, "e3": TURN,
            "vx": VELOCITY, "vy": VELOCITY, "vz": VELOCITY, "omega": SPIN, "wx": SPIN, "wy": SPIN, "wz": SPIN}
JOINT = {"angle": TURN, "displacement": POSITION}


def groups(columns, document):
    """Channels of bodies and joints by group."""
    bodies, joints = document["system"]["bodies"], document["system"].get("constraints", {})
    out = {POSITION: [], TURN: [], VELOCITY: [], SPIN: []}
    for name in columns:
        owner, _, suffix = name.partition(".")
        if owner in bodies and suffix in SUFFIXES:
            out[SUFFIXES[suffix]].append(name)
        elif owner in joints and suffix in JOINT:
            out[JOINT[suffix]].append(name)
    return out


def scales(columns, document, meta):
    """The range of each group; floors keep rounding from counting where nothing moves."""
    duration = document["analysis"]["duration"]
    by_group = groups(columns, document)

    def span(names, absolute=False):
        best = 0.0
        for name in names:
            values = columns[name]
            best = max(best, max(values) - min(values), max(map(abs, values)) if absolute else 0.0)
        return best
    position = max(span(by_group[POSITION]), 1e-3 * meta["length"])
    turn = max(span(by_group[TURN]), 1e-3)
    velocity = max(span(by_group[VELOCITY], True), position / duration)
    # Spin that moves points of the mechanism by a thousandth of its speed is rounding of a motion that does not turn.
    return {POSITION: position, TURN: turn, VELOCITY: velocity,
            SPIN: max(span(by_group[SPIN], True), turn / duration, 1e-3 * velocity / meta["length"])}


def same_sign(columns, reference, name, row):
    """Euler parameters and their negatives are the same attitude."""
    owner = name.rpartition(".")[0]
    keys = [f"{owner}.e{i}" for i in range(4)]
    if name not in keys or any(k not in columns or k not in reference for k in keys):
        return 1.0
    return -1.0 if sum(columns[k][row] * reference[k][row] for k in keys) < 0 else 1.0


def jumps_between(impacts, reference):
    """Between the times of one impact in two runs, velocities have jumped in one of them only: intervals, impacts paired with the nearest."""
    pairs = [(t, min(impacts[element], key=lambda other: abs(other - t))) for element, times in reference.items() if impacts.get(element)
             for t in times]
    return [(min(pair), max(pair)) for pair in pairs]


def promised(sizes, rtol, document, meta):
    """Ranges as the tolerances mean them: below atol / rtol errors are absolute; velocities at rest on a stop, which hop, are known to a hop."""
    hop = max((2 * c["rest_speed"] for c in document["system"].get("constraints", {}).values() if c["type"] == "impact"), default=0.0)
    floor = methods.absolute(rtol, meta) / rtol
    hops = {VELOCITY: hop, SPIN: hop / meta["length"]}
    return {group: max(size, floor, hops.get(group, 0.0) / (LOOSE * rtol)) for group, size in sizes.items()}


def error(columns, reference, document, meta, jumps=(), rtol=None):
    """Largest error over all groups relative to their ranges, and where: (error, channel, time). `columns` has all rows of the reference
    or every FINER-th. Rows inside `jumps` do not count. With `rtol` the ranges are those that the tolerances mean."""
    if not columns.get("t"):
        return math.inf, "no rows", 0.0
    sizes = scales(reference, document, meta)
    if rtol:
        sizes = promised(sizes, rtol, document, meta)
    rows, stride = len(columns["t"]), 1
    if rows != len(reference["t"]):
        stride = FINER
    if (rows - 1) * stride != len(reference["t"]) - 1:
        return math.inf, "rows missing", 0.0
    reference = {name: values[::stride] for name, values in reference.items()}
    counted = [r for r in range(rows) if not any(low <= reference["t"][r] <= high for low, high in jumps)]
    worst = (0.0, "", 0.0)
    for group, names in groups(reference, document).items():
        for name in names:
            values = columns.get(name)
            if values is None:
                return math.inf, f"{name} is missing", 0.0
            truth = reference[name]
            for row in counted:
                off = abs(values[row] - truth[row])
                if off > worst[0] * sizes[group] and name[-2:-1] == "e":
                    off = abs(same_sign(columns, reference, name, row) * values[row] - truth[row])
                if not off <= worst[0] * sizes[group]:
                    if math.isnan(off):
                        return math.inf, name, reference["t"][row]
                    worst = (off / sizes[group], name, reference["t"][row])
    return worst


def finer(document):
    """The document with more rows."""
    return dict(document, output=dict(document["output"], step=document["output"]["step"] / FINER))


def nearby(document, meta, reference, rtol, seed):
    """The document with the start moved by `rtol` of the ranges, up or down at random."""
    rng, sizes, moved = random.Random(seed), scales(reference, document, meta), json.loads(json.dumps(document))
    axes = "xy" if document["system"]["type"] == "planar" else "xyz"

    def shifted(values, group):
        return [v + rng.choice((-1, 1)) * rtol * sizes[group] for v in values]
    for body in moved["system"]["bodies"].values():
        body["position"] = shifted(body.get("position", [0] * len(axes)), POSITION)
        body["velocity"] = shifted(body.get("velocity", [0] * len(axes)), VELOCITY)
        if body.get("type") == "point_mass":
            continue
        if axes == "xy":
            body["angular_velocity"], = shifted([body.get("angular_velocity", 0)], SPIN)
        else:
            body["angular_velocity"] = shifted(body.get("angular_velocity", [0] * 3), SPIN)
    return moved


class Reference:
    """Columns that two runs of bounded steps agree on; `columns` is None where there are none, `why` says why."""

    def __init__(self, document, meta, trammel, limit=30):
        self.columns, self.why, self.agreement, self.condition = None, "", math.inf, 0.0
        self.impacts = {}
        self.warnings = []
        runs = []
        document = finer(document)
        for reference in methods.references(document, meta, meta["seed"]):
            outcome = trammel.run(reference, limit=limit)
            if not outcome.completed:
                self.why = f"reference ends with {outcome.code}: {outcome.message[:100]}"
                return
            runs.append(outcome)
        self.agreement = error(runs[1].columns, runs[0].columns, document, meta)[0]
        if not self.agreement <= AGREE:
            self.why = "references disagree"
            return
        plain = trammel.run(methods.applied(document, (methods.FORMULATIONS[2], {"type": "dopri5", "max_step":
                            min(document["analysis"]["duration"] / 500, meta["finest"])}, 1e-8, None), meta), limit=limit)
        self.condition = error(plain.columns, runs[0].columns, document, meta)[0] / 1e-8 if plain.completed else math.inf
        if not self.condition <= CONDITION:
            self.why = "chaotic or ill-conditioned"
            return
        self.columns, self.impacts = runs[0].columns, runs[0].impacts
        self.warnings = [w for run in runs for w in run.warnings]


def moves(columns, document):
    """Whether anything moves at all."""
    return any(max(columns[n]) - min(columns[n]) > 1e-12 for names in groups(columns, document).values() for n in names)


RIGHT, SILENT, WARNED, LOOSE_RUN, COARSE, FAILED, REFUSED, SLOW, FALSE_ALARM, INEXACT = (
    "right", "SILENT WRONG", "wrong, warned", "loose", "coarse or ill-conditioned", "failed", "refused", "time limit", "false alarm", "inexact, warned")


class Judge:
    """Classes of the runs of one model; explicit yardsticks are run when they are asked for."""

    def __init__(self, document, meta, reference, trammel):
        self.document, self.meta, self.reference, self.trammel = document, meta, reference, trammel
        self.medians, self.moved, self.hop = {}, {}, None

    def median(self, rtol):
        """Median error of the explicit methods at a tolerance."""
        if rtol not in self.medians:
            errors = []
            for combination in methods.yardsticks(rtol):
                outcome = self.trammel.run(methods.applied(self.document, combination, self.meta))
                errors.append(self.error(outcome)[0] if outcome.completed else math.inf)
            self.medians[rtol] = statistics.median(errors)
        return self.medians[rtol]

    def sensitivity(self, rtol):
        """Largest change of the motion when the start moves by a tolerance of the ranges (two random directions)."""
        if rtol not in self.moved:
            changes = []
            for direction in (1, 2):
                start = nearby(self.document, self.meta, self.reference.columns, rtol, f"{self.meta['seed']} {direction}")
                outcome = self.trammel.run(methods.applied(start, (methods.FORMULATIONS[2], {"type": "dopri853"}, 1e-12, None), self.meta))
                changes.append(self.error(outcome)[0] if outcome.completed else math.inf)
            self.moved[rtol] = max(changes)
        return self.moved[rtol]

    def hops(self):
        """Change of the motion when contacts at rest hop half as fast again: what the model's own `rest_speed` leaves open, 0 without contacts."""
        if self.hop is None:
            other = json.loads(json.dumps(self.document))
            contacts = [c for c in other["system"].get("constraints", {}).values() if c["type"] == "impact"]
            for contact in contacts:
                contact["rest_speed"] *= 1.5
            outcome = self.trammel.run(methods.applied(other, (methods.FORMULATIONS[2], {"type": "dopri853"}, 1e-12, None), self.meta)) if contacts else None
            self.hop = min(self.error(outcome)[0], HOP) if outcome and outcome.completed else 0.0
        return self.hop

    def shared(self, rtol):
        """The error that explicit methods, a start a tolerance away and `rest_speed` explain: what is ill-conditioned, or coarse at this tolerance."""
        return max(SPREAD * max(self.median(rtol), min(self.sensitivity(rtol), 1e4 * rtol)), self.hops())

    def error(self, outcome, rtol=None):
        return error(outcome.columns, self.reference.columns, self.document, self.meta, jumps_between(outcome.impacts, self.reference.impacts), rtol)

    def classify(self, combination, outcome):
        """(class, error, channel, time)."""
        rtol = combination[2]
        if outcome.code == -1:
            return SLOW, math.nan, "", 0.0
        if outcome.code != 0:
            return (REFUSED if outcome.code in (1, 2) else FAILED), math.nan, "", 0.0
        off, channel, time = self.error(outcome)
        warned = any(accuses(w) for w in outcome.warnings)
        if off > WRONG:
            if warned:
                return WARNED, off, channel, time
            # Explicit methods that all share a large error: the tolerance is coarse for this model, not the run wrong.
            if rtol and off <= min(SPREAD * self.median(rtol), 1.0) and self.median(rtol) > LOOSE * rtol:
                return COARSE, off, channel, time
            # Nor is it where a start that differs by a tolerance goes nearly as far.
            if rtol and off <= ILL * self.sensitivity(rtol):
                return COARSE, off, channel, time
            return SILENT, off, channel, time
        if rtol and off > LOOSE * rtol and self.error(outcome, rtol)[0] > LOOSE * rtol:
            return (INEXACT if warned else COARSE if off <= self.shared(rtol) else LOOSE_RUN), off, channel, time
        within = off <= LOOSE * rtol if rtol else off <= 1e-3
        if warned and within:
            # What a reference is told too is true of the model.
            of_model = {kind_of(w) for w in self.reference.warnings}
            if all(about_method(w) or kind_of(w) in of_model for w in outcome.warnings if accuses(w)):
                return RIGHT, off, channel, time
            # It may be right in its rows alone.
            between = self.error(self.trammel.run(methods.applied(finer(self.document), combination, self.meta)))
            return (INEXACT if between[0] > (LOOSE * rtol if rtol else 1e-3) else FALSE_ALARM), *between
        return (INEXACT if warned else RIGHT), off, channel, time
