"""Random functions of time and of state, smooth and not, in a unit world (lengths, masses, times around 1)."""
import math


def log_uniform(rng, low, high):
    return math.exp(rng.uniform(math.log(low), math.log(high)))


def number(rng, low, high, digits=3):
    return float(f"%.{digits}g" % rng.uniform(low, high))


def short(value, digits=3):
    return float(f"%.{digits}g" % value)


def pulse_width(rng, duration):
    """Width of a feature in time: from a fraction of a thousandth of the run to a good part of it."""
    return short(duration * log_uniform(rng, 5e-4, 0.3))


class Features:
    """The narrowest feature in time that a model has: what references must not pass over."""

    def __init__(self):
        self.finest = math.inf

    def note(self, width):
        self.finest = min(self.finest, width)


def of_time(rng, duration, features, language):
    """A function of time with values around 1. `language` says whether formulas have conditions."""
    kind = rng.choice(["constant", "harmonic", "step", "bump", "bump", "chirp", "fourier", "spline", "jumps", "pieces",
                       "polynomial", "pulse", "pulse", "clipped", "abs", "ramp", "train", "product", "sum", "window"])
    width = pulse_width(rng, duration)
    begin = short(rng.uniform(0.05, 0.9) * (duration - width))
    height = short(rng.choice([-1, 1]) * min(30.0, rng.uniform(0.3, 1.0) * duration / width))
    omega = number(rng, 1, 25)
    if kind == "constant":
        return number(rng, -1, 1)
    if kind == "harmonic":
        features.note(6 / omega / 20)
        return {"type": "harmonic", "amplitude": number(rng, 0.3, 1.5), "omega": omega, "phase": number(rng, 0, 3),
                "offset": number(rng, -0.3, 0.3)}
    if kind == "step":
        features.note(width)
        return {"type": "step", "begin": begin, "end": begin + width, "from": number(rng, -1, 1), "to": number(rng, -1, 1)}
    if kind == "bump":
        features.note(width / 2)
        return {"type": "bump", "begin": begin, "end": begin + width, "height": height}
    if kind == "chirp":
        features.note(1 / 5 / 20)
        return {"type": "chirp", "amplitude": 1, "begin": 0, "end": duration, "begin_frequency": number(rng, 0.2, 1),
                "end_frequency": number(rng, 1, 5)}
    if kind == "fourier":
        features.note(2 / omega / 20)
        return {"type": "fourier", "cosines": [number(rng, -1, 1), number(rng, -1, 1)],
                "sines": [number(rng, -1, 1), number(rng, -1, 1), number(rng, -0.5, 0.5)], "omega": omega}
    if kind == "spline":
        count = rng.randint(4, 12)
        return {"type": "spline", "x": [short(duration * i / (count - 1), 6) for i in range(count - 1)] + [duration],
                "y": [number(rng, -1, 1) for _ in range(count)], "outside": "linear"}
    if kind == "jumps":
        features.note(width)
        return {"type": "piecewise", "breaks": [begin, begin + width], "jumps": True,
                "pieces": [number(rng, -0.5, 0.5), height, number(rng, -0.5, 0.5)]}
    if kind == "pieces":
        slope = number(rng, -2, 2)
        return {"type": "piecewise", "breaks": [begin], "continue_value": True,
                "pieces": [{"type": "polynomial", "coefficients": [0.2, slope]},
                           {"type": "polynomial", "coefficients": [0, number(rng, -2, 2)]}]}
    if kind == "polynomial":
        return {"type": "polynomial", "coefficients": [number(rng, -1, 1) for _ in range(rng.randint(1, 4))]}
    if kind == "product":
        return {"type": "product", "factor": number(rng, 0.5, 1.5),
                "of": [of_time(rng, duration, features, language) for _ in range(2)]}
    if kind == "sum":
        return {"type": "sum", "weights": [1, number(rng, -1, 1)],
                "of": [of_time(rng, duration, features, language) for _ in range(2)]}
    centre = begin + width / 2
    if kind == "pulse":
        features.note(width / 4)
        formula = rng.choice([f"{height}*exp(-((t-{centre:.6g})/{width / 2:.4g})^2)",
                              f"{height}/(1+((t-{centre:.6g})/{width / 4:.4g})^2)^2"])
    elif kind == "clipped":
        level = number(rng, -0.5, 0.97)
        features.note(2 * math.sqrt(2 * (1 - level)) / omega / 4)
        formula = f"{short(1 / (1 - level))}*max(0, sin({omega}*t)-{level})"
    elif kind == "abs":
        features.note(3 / omega / 10)
        formula = f"abs(sin({omega}*t))-{number(rng, 0, 0.6)}"
    elif kind == "ramp":
        features.note(width)
        formula = f"min(1, max(0, (t-{begin})/{width}))"
    elif kind == "train":
        period = short(duration / rng.randint(3, 20))
        features.note(period / 8)
        formula = f"2*max(0, 1-abs(8*(t/{period}-floor(t/{period}))-4))" if language["floor"] else \
            f"2*max(0, cos({short(6.2831853 / period, 5)}*t)-0.9)*10"
    else:
        features.note(width)
        formula = f"if(t > {begin} and t < {begin + width}, {height}, 0)" if language["and"] else (
            f"if(t > {begin}, if(t < {begin + width:.6g}, {height}, 0), 0)" if language["if"] else
            f"{height}*max(0, 1-abs((t-{centre:.6g})/{width / 2:.4g}))")
    return {"type": "expression", "formula": formula}


def of_stretch(rng, stiffness, reach, language, variable="x"):
    """A restoring force over a stretch (positive pulls back), of size stiffness * reach."""
    k = short(stiffness)
    gap = short(reach * rng.uniform(0.1, 0.6))
    kind = rng.choice(["cubic", "dead_band", "wall", "barrier", "spline", "one_sided", "condition", "clamped"])
    if kind == "cubic":
        return {"type": "polynomial", "coefficients": [0, k, 0, short(k / reach ** 2)]}
    if kind == "spline":
        return {"type": "spline", "x": [-2 * reach, -reach, 0, short(reach * 0.7), 2 * reach],
                "y": [short(-3 * k * reach), short(-k * reach), 0, short(0.5 * k * reach), short(3 * k * reach)], "outside": "linear"}
    if kind == "barrier":
        return {"type": "piecewise", "breaks": [gap, short(gap + reach * rng.uniform(0.02, 0.3))], "jumps": True,
                "pieces": [0, short(k * reach * rng.uniform(0.5, 5)), 0]}
    x = variable
    formulas = {"dead_band": f"{k}*(max(0, {x}-{gap})-max(0, -{x}-{gap}))", "wall": f"{short(30 * k)}*max(0, abs({x})-{gap})*{x}/(abs({x})+1e-9)",
                "one_sided": f"{short(5 * k)}*max(0, {x}-{gap})", "clamped": f"min({short(k * gap)}, max({short(-k * gap)}, {k}*{x}))",
                "condition": f"if({x} > {gap}, {short(4 * k)}*({x}-{gap}), 0)" if language["if"] else f"{short(4 * k)}*max(0, {x}-{gap})"}
    return {"type": "expression", "formula": formulas[kind]}


def of_rate(rng, damping, language, variable="x"):
    """A damper's force over its rate (positive resists)."""
    c = short(damping)
    x = variable
    kind = rng.choice(["linear", "asymmetric", "clamped", "square", "condition"])
    formula = {"linear": f"{c}*{x}", "asymmetric": f"{c}*max(0, {x})+{short(c / 4)}*min(0, {x})", "clamped": f"min({c}, max({-c}, {short(3 * c)}*{x}))",
               "square": f"{c}*{x}*abs({x})", "condition": f"if({x} > 0, {c}, {short(c / 3)})*{x}" if language["if"] else f"{c}*max(0, {x})"}[kind]
    return {"type": "expression", "formula": formula}
