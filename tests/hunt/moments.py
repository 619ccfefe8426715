#!/usr/bin/python3
"""Random events of run files on motions known in closed form: every passage through zero is found once, at its time, in its direction.

moments.py --trammel build/release/bin/trammel --models 60 --seed 1

Body a moves straight, b swings on a spring, c turns. Functions are built from distances to places passed by, heights of the swing (grazed
ones too), angles and comparisons, and put together by min, max, if and products; some are positive for 1e-5 of the run only. A second kind
of model sets a force while a body is inside a window, a third has a law that is zero at both ends of one: the speed behind it is known.
A run is silently wrong if a passage is missing or invented, or off by more than a thousandth of the run, or the speed by more than 5 %,
without a warning. Exit code 4 if one was.
"""
import math
import sys

import closed_forms

APART, OFF = 2e-6, 1e-3  # of the run: passages nearer to each other are set aside; how far one may be off


class Signal:
    """A function of time by its changes of sign: the sign is `first` until changes[0]. A motion that is off by more than a tenth of `margin`,
    of its range, may have others. `apart` is the least time between changes of parts: max(cos(x), cos(3*x)) touches zero, or passes twice."""

    def __init__(self, formula, first, changes, margin=1.0, apart=math.inf):
        self.formula, self.first, self.changes, self.margin, self.apart = formula, first, changes, margin, apart

    def positive(self, t):
        return (self.first > 0) == (sum(1 for c in self.changes if c < t) % 2 == 0)


def combined(formula, parts, rule, duration):
    """The signal whose sign is rule(signs of the parts)."""
    times = sorted(c for part in parts for c in part.changes)
    middles = [0.5 * (a + b) for a, b in zip([0.0] + times, times + [duration])]
    signs = [rule([part.positive(t) for part in parts]) for t in middles]
    changes = [t for t, before, after in zip(times, signs, signs[1:]) if before != after]
    apart = min([b - a for a, b in zip(times, times[1:])] + [part.apart for part in parts])
    return Signal(formula, 1 if signs[0] else -1, changes, min(part.margin for part in parts), apart)


class Motion:
    """a.x = speed t; b.x = size sin(w t); c.phi = turn t."""

    def __init__(self, rng):
        self.duration = round(rng.uniform(1, 20), 2)
        self.speed = round(rng.choice([1, 30]) * rng.uniform(0.5, 5), 3)
        self.w = round(2 * math.pi * rng.uniform(0.5, 12) / self.duration, 3)
        self.size = round(rng.uniform(0.2, 3), 3)
        self.turn = round(rng.uniform(-1, 1) * 2 * math.pi * 8 / self.duration, 3)

    def document(self, events):
        return {"trammel": 2, "system": {"type": "planar", "bodies": {
            "a": {"mass": 1, "inertia": 1, "velocity": [self.speed, 0]},
            "b": {"mass": 1, "inertia": 1, "velocity": [self.size * self.w, 0]},
            "c": {"mass": 1, "inertia": 1, "angular_velocity": self.turn}},
            "forces": {"spring": {"type": "six_component_force", "bodies": ["ground", "b"], "force_x": f"{-self.w ** 2!r}*x"},
                       "push": {"type": "six_component_force", "bodies": ["ground", "a"], "force_x": "0"}}},
            "analysis": {"type": "dynamics", "duration": self.duration, "events": events},
            "output": {"step": self.duration / 20, "channels": ["a", "b", "c"]}}

    def place(self, rng):
        return round(rng.uniform(0.05, 0.95) * self.speed * self.duration, 4)

    def width(self, rng):
        """Of a window on the way of a: 1e-5 to 0.1 of it."""
        return float(f"{self.speed * self.duration * 10 ** rng.uniform(-5, -1):.3g}")

    def line(self, rng):
        p, sign = self.place(rng), rng.choice([1, -1])
        return Signal(f"{sign}*(a.x-{p})", -sign, [p / self.speed])

    def window(self, rng):
        """Negative while a is inside."""
        p, r = self.place(rng), 0.5 * self.width(rng)
        changes = [(p - r) / self.speed, (p + r) / self.speed]
        aside = float(f"{r * rng.choice([0.0, 0.3, 1.0, 3.0]):.3g}")
        form = rng.choice(["distance", "square", "min", "abs", "product", "branch"])
        if form == "distance":
            return Signal(f"sqrt((a.x-{p})^2+{aside}^2)-{math.hypot(r, aside)!r}", 1, changes)
        if form == "square":
            return Signal(f"(a.x-{p})^2-{r * r!r}", 1, changes)
        if form == "min":
            return Signal(f"-min(a.x-{p - r!r}, {p + r!r}-a.x)", 1, changes)
        if form == "abs":
            return Signal(f"abs(a.x-{p})-{r!r}", 1, changes)
        if form == "product":
            return Signal(f"0.5-(a.x>{p - r!r})*(a.x<{p + r!r})", 1, changes)
        return Signal(f"if(a.x>{p - r!r}, if(a.x<{p + r!r}, -1, 1), 1)", 1, changes)

    def swing(self, rng):
        share = rng.choice([rng.uniform(-0.9, 0.9), 1 - 10 ** rng.uniform(-6, -1)])
        angle = math.asin(share)
        times = sorted(t for k in range(-1, 16) for t in ((angle + 2 * math.pi * k) / self.w, (math.pi - angle + 2 * math.pi * k) / self.w))
        height = self.size * share
        return Signal(f"b.x-{height!r}", -1 if share > 0 else 1, [t for t in times if 0 < t < self.duration], 1 - abs(share))

    def off(self, columns):
        """How far the rows are off, as a share of the ranges."""
        way = self.speed * self.duration
        return max(max(abs(x - self.speed * t) / way, abs(y - self.size * math.sin(self.w * t)) / self.size,
                       abs(angle - self.turn * t) / max(1.0, abs(self.turn * self.duration)))
                   for t, x, y, angle in zip(columns["t"], columns["a.x"], columns["b.x"], columns["c.phi"]))

    def angle(self, rng):
        k = rng.randint(1, 3)
        half = math.pi / abs(k * self.turn)
        count = int(self.duration / half) + 1
        return Signal(f"cos({k}*c.phi)", 1, [half * (i + 0.5) for i in range(count) if half * (i + 0.5) < self.duration])

    def signal(self, rng, depth=0):
        if depth < 2 and rng.random() < 0.4:
            parts = [self.signal(rng, depth + 1) for _ in range(2)]
            form = rng.choice(["min", "max", "both", "if"])
            f, g = (part.formula for part in parts)
            if form == "min":
                return combined(f"min({f}, {g})", parts, all, self.duration)
            if form == "max":
                return combined(f"max({f}, {g})", parts, any, self.duration)
            if form == "both":
                return combined(f"({f}>0)*({g}>0)-0.5", parts, all, self.duration)
            return combined(f"if({f}>0, {g}, -1)", parts, all, self.duration)
        return rng.choice([self.line, self.window, self.window, self.swing, self.angle])(rng)


def clear(signal, duration):
    """Whether its passages are apart from each other and from the ends of the run."""
    times = [0.0] + signal.changes + [duration]
    return signal.apart > APART * duration and all(after - before > APART * duration for before, after in zip(times, times[1:]))


def passages(signal, direction):
    signs = [signal.first * (-1) ** i for i in range(len(signal.changes))]  # before each change
    wanted = {"any": (1, -1), "rising": (-1,), "falling": (1,)}[direction]
    return [(t, -before) for t, before in zip(signal.changes, signs) if before in wanted]


def recorded(rng):
    """(document, judge) of a model whose events are written down."""
    motion = Motion(rng)
    signals = {}
    while len(signals) < 3:
        signal = motion.signal(rng)
        if clear(signal, motion.duration):
            signals[f"e{len(signals)}"] = (signal, rng.choice(["any", "rising", "falling"]))
    events = {name: {"when": signal.formula, "direction": direction, "action": rng.choice(["record", "record", "restart"])}
              for name, (signal, direction) in signals.items()}

    def judge(outcome):
        off = motion.off(outcome.columns)
        for name, (signal, direction) in signals.items():
            if 10 * off > min(signal.margin, OFF):
                continue
            found = [(t, way) for t, element, event, way in outcome.events if element == "analysis" and event == name]
            wanted = passages(signal, direction)
            if len(found) != len(wanted):
                return f"{name}: {len(found)} passages of {len(wanted)}", False
            for (t, way), (exact, exact_way) in zip(found, wanted):
                if abs(t - exact) > OFF * motion.duration or way != exact_way:
                    return f"{name}: at {t:.9g} ({way}) in place of {exact:.9g} ({exact_way})", False
        return "", False
    return motion.document(events), judge


def pushed(rng):
    """(document, judge) of a model with a force inside a window: at most 0.9 of the kinetic energy goes there."""
    motion = Motion(rng)
    p, width = motion.place(rng), motion.width(rng)
    force = float(f"{rng.uniform(-0.9, 3) * 0.5 * motion.speed ** 2 / width:.6g}")
    f = f"min(a.x-{p}, {p + width!r}-a.x)"
    one = rng.random() < 0.5
    inside, outside = (f, f) if one else (f"a.x-{p}", f"a.x-{p + width!r}")
    events = {"in": {"when": inside, "direction": "rising", "set": {"forces.push.force_x": repr(force)}},
              "out": {"when": outside, "direction": "falling" if one else "rising", "set": {"forces.push.force_x": "0"}}}
    speed = math.sqrt(motion.speed ** 2 + 2 * force * width)
    reaches = p / motion.speed + 2 * width / (motion.speed + speed) < motion.duration

    def judge(outcome):
        found = outcome.columns["a.vx"][-1]
        off = abs(found - speed) / max(speed, motion.speed) if reaches else 0
        return f"speed {found:.9g} in place of {speed:.9g}" if off > 0.05 else "", False  # what is said may be of the swing
    return motion.document(events), judge


def hump(rng):
    """(document, judge) of a force of the way that is zero at both ends of a window: what it is worth becomes kinetic energy."""
    motion = Motion(rng)
    p, half = motion.place(rng), 0.5 * motion.width(rng)
    form, area = rng.choice([("max(0, {f}*(1-((x-{p})/{w})^2))", 4 / 3), ("max(0, {f}*(1-abs(x-{p})/{w}))", 1),
                             ("if(abs(x-{p})<{w}, {f}*(1-((x-{p})/{w})^2), 0)", 4 / 3)])
    share = rng.uniform(-0.9, 3)
    force = float(f"{share * 0.5 * motion.speed ** 2 / (area * half):.6g}")
    formula = form.format(f=abs(force), p=p, w=half)
    speed = math.sqrt(motion.speed ** 2 + 2 * force * area * half)
    passed = p / motion.speed + 4 * half / min(motion.speed, speed) < motion.duration
    document = motion.document({})
    document["system"]["forces"]["push"]["force_x"] = formula if force > 0 else f"-({formula})"

    def judge(outcome):
        found = outcome.columns["a.vx"][-1]
        off = abs(found - speed) / max(speed, motion.speed) if passed else 0
        return f"speed {found:.9g} in place of {speed:.9g}" if off > 0.05 else "", False  # what is said may be of the swing
    return document, judge


def model(rng):
    return rng.choice([recorded, recorded, pushed, hump])(rng)


if __name__ == "__main__":
    sys.exit(closed_forms.hunt(closed_forms.options_of(__doc__, 60, 8), "moments", model, (5, 9), [250, 1000, 4000]))
