#!/usr/bin/python3
"""Random pushes on a free body, whose velocity is known in closed form, under every method: fixed steps and tolerances.

pulses.py --trammel build/release/bin/trammel --models 40 --seed 1

Pushes are sums of Gaussians, trains of them and boxes, from far narrower than a step to far wider. A run is silently wrong if the velocity
in one of 41 rows is off by more than 5 % of the largest one, or the way at the end by 5 % of its range, without a warning. Exit code 4 if one was.
"""
import math
import sys

import closed_forms

WRONG, NOTHING = 0.05, 1e-3


class Gaussian:
    def __init__(self, height, centre, width):
        self.height, self.centre, self.width = height, centre, width

    def formula(self):
        return f"{self.height}*exp(-((t-{self.centre})/{self.width})^2)"

    def velocity(self, t):
        return self.height * self.width * math.sqrt(math.pi) / 2 * (math.erf((t - self.centre) / self.width) + math.erf(self.centre / self.width))


class Box:
    def __init__(self, height, begin, end):
        self.height, self.begin, self.end = height, begin, end

    def formula(self):
        return f"if(t > {self.begin}, if(t < {self.end}, {self.height}, 0), 0)"

    def velocity(self, t):
        return self.height * (min(max(t, self.begin), self.end) - self.begin)


def pushes(rng, duration):
    """Parts of a push that add up."""
    parts = [Box(round(rng.uniform(-1, 1), 3), 0, 2 * duration)]
    for _ in range(rng.randint(1, 3)):
        width = float(f"{duration * math.exp(rng.uniform(math.log(2e-4), math.log(0.1))):.3g}")
        height = float(f"{rng.choice([-1, 1]) * rng.uniform(0.3, 1) * duration / width:.3g}")
        centre = round(rng.uniform(0.1, 0.8) * duration, 4)
        kind = rng.choice(["pulse", "train", "box"])
        if kind == "box":
            parts.append(Box(height, centre, round(centre + width, 6)))
        else:
            distance = width * rng.uniform(2, 9)
            count = 1 if kind == "pulse" else min(rng.randint(2, 12), 1 + int(0.15 * duration / distance))
            parts += [Gaussian(height, round(centre + i * distance, 5), width) for i in range(count)]
    return parts


def document_of(parts, duration):
    formula = " + ".join(f"({part.formula()})" for part in parts)
    return {"trammel": 2, "system": {"type": "planar", "bodies": {"b": {"mass": 1, "inertia": 1}},
            "forces": {"push": {"type": "applied_force", "body": "b", "force": [1, 0], "function": {"type": "expression", "formula": formula}}}},
            "analysis": {"type": "dynamics", "duration": duration}, "output": {"step": duration / 40, "channels": ["b"]}}


def exact(parts, duration):
    """Velocity as a function, the way at the end, and the largest of both; the way by Simpson's rule, no part being narrower than its steps."""
    nodes = {0.0, duration}
    for part in parts:
        edges = ([part.centre + k * part.width / 4 for k in range(-24, 25)] if isinstance(part, Gaussian) else [part.begin, part.end])
        nodes.update(min(max(edge, 0.0), duration) for edge in edges)
    times = sorted(nodes)
    x, largest_v, least_x, most_x = 0.0, 0.0, 0.0, 0.0

    def v(t):
        return sum(part.velocity(t) for part in parts)
    for left, right in zip(times, times[1:]):
        x += (right - left) / 6 * (v(left) + 4 * v((left + right) / 2) + v(right))
        largest_v, least_x, most_x = max(largest_v, abs(v(right))), min(least_x, x), max(most_x, x)
    return v, x, largest_v, max(most_x - least_x, 1e-3)


def model(rng):
    """(document, judge) of one body under a push."""
    duration = round(rng.uniform(0.5, 12), 2)
    parts = pushes(rng, duration)
    v, x, v_size, x_size = exact(parts, duration)

    def judge(outcome):
        rates = max(abs(own - v(t)) for t, own in zip(outcome.columns["t"], outcome.columns["b.vx"]))
        off = max(rates / v_size, abs(outcome.columns["b.x"][-1] - x) / x_size)
        return f"{off:.3g}" if off > WRONG else "", off < NOTHING
    return document_of(parts, duration), judge


if __name__ == "__main__":
    sys.exit(closed_forms.hunt(closed_forms.options_of(__doc__, 40, 15), "pulses", model, (4, 8), [40, 250, 1000, 4000]))
