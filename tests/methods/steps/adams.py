"""Adams-Bashforth-Moulton PECE with Haug's control of order and step (Computer Aided Kinematics and Dynamics, 7.4.4).

Coefficients from the generating functions (Hairer, Norsett, Wanner, Solving ODEs I, III.1); what the text leaves open is as
in the notes of plugins/integrators/adams. The interpolating polynomial is evaluated by Newton's formula for its points.
"""
import math
from fractions import Fraction

from problems import Norm, Pendulum, Vibration, add, rates


def coefficients(count, moulton):
    """gamma_i, or gamma*_i, exactly: sum_{k<=i} g_k / (i + 1 - k) = 1, or 0 for i > 0."""
    g = []
    for i in range(count):
        g.append(Fraction(0 if moulton and i > 0 else 1) - sum(g[k] / (i + 1 - k) for k in range(i)))
    return [float(x) for x in g]


GAMMA, STAR = coefficients(15, False), coefficients(15, True)
TOLERATED, SIGNIFICANT = 0.1, 0.5  # of an error with 2 h; another order is better by this


def differences(values):
    """nabla^i of the first, of values at t, t - h, t - 2 h, ..."""
    D = []
    while values:
        D.append(values[0])
        values = [add((1, a), (-1, b)) for a, b in zip(values, values[1:])]
    return D


def polynomial_at(D, s):
    """What interpolates the differences, s steps behind their newest point."""
    y, weight = D[0], 1.0
    for j in range(1, len(D)):
        weight *= (s + j - 1) / j
        y = add((1, y), (weight, D[j]))
    return y


def integral_weights(count, lower, upper):
    """Of the basis s (s + 1) ... (s + i - 1) / i! from lower to upper, in exact polynomials."""
    basis, weights = [Fraction(1)], []
    for i in range(count):
        primitive = [Fraction(0)] + [c / (k + 1) for k, c in enumerate(basis)]
        value = lambda s: math.fsum(float(c) * s**k for k, c in enumerate(primitive))
        weights.append(value(upper) - value(lower))
        moved = [Fraction(0)] + basis
        basis = [(a + i * b) / (i + 1) for a, b in zip(moved, basis + [Fraction(0)])]
    return weights


class Run:
    def __init__(self, problem, order, rtol, atol, largest=False):
        self.f, self.norm = rates(problem), Norm(rtol, atol, largest)
        self.k_max, self.t, self.y = order, 0.0, problem.x + problem.v
        self.D, self.grid = [], 0.0  # differences of f, spacing
        self.known = False           # f of the newest point is among them
        self.k, self.starting, self.voids, self.settled = 1, True, 0, 0

    def attempt(self, h):
        if not self.known:
            new, f = [], self.f(self.t, self.y)
            for d in [None] + self.D:
                f = f if d is None else add((1, new[-1]), (-1, d))
                new.append(f)
            self.D, self.known = new[:self.k_max + 2], True
        D, k = self.D, self.k
        if len(D) > 1 and abs(h - self.grid) > 1e-8 * abs(h):
            used = min(len(D), k + 1 if abs(h) > abs(self.grid) else k + 2)
            # As many points at the new spacing, from the polynomial through the newest ones.
            D = differences([polynomial_at(D[:used], -i * h / self.grid) for i in range(used)])
        known = len(D)
        y_p = add((1, self.y), *((h * GAMMA[i], D[i]) for i in range(k)))
        E = [self.f(self.t + h, y_p)]
        for d in D:
            E.append(add((1, E[-1]), (-1, d)))
        y = add((1, self.y), *((h * STAR[i], E[i]) for i in range(k + 1)))
        weighted = lambda c, e: abs(h * c) * self.norm(e, self.y, y_p)
        if known == k:  # the start
            error = [-h * GAMMA[k] * e for e in E[k]]
            here, exponent = weighted(GAMMA[k], E[k]), k + 1
        else:
            error = [-h * STAR[k + 1] * e for e in E[k + 1]]
            here, exponent = weighted(STAR[k + 1], E[k + 1]), k + 2
        lower = higher = math.inf
        if k > 1:
            below = weighted(STAR[k - 1], E[k - 1]) if k > 2 else 0
            lower = max(below, weighted(STAR[k], E[k]) / (SIGNIFICANT if k == 2 else 1))
        if k < self.k_max and known > k + 2:
            higher = weighted(STAR[k + 2], D[k + 2])
        if here > 1:
            return None, self.shorter(h, here, lower, higher)
        weights = integral_weights(k + 1, -1, -0.6)
        middle = add((1, self.y), *((h * weights[i], E[i]) for i in range(k + 1)))
        order, starting, settled, h_next = k, False, 0, h
        if self.starting:
            doubles = here * 2**exponent <= TOLERATED
            rises = not doubles and k < self.k_max and (k < 2 or here < lower)
            order, starting, h_next = k + rises, rises or doubles, 2 * h if doubles else h
        else:
            settled = self.settled + 1
            if lower < here:
                order = k - 1
            if self.settled >= k + 1 and order == k:
                doubled = [lower * 2**(k + 1), here * 2**exponent, higher * 2**(k + 3)]
                if min(doubled) <= TOLERATED:
                    order, h_next, settled = k + doubled.index(min(doubled)) - 1, 2 * h, 0
                elif higher < SIGNIFICANT * here:
                    order, settled = k + 1, 0
        row = {"t": self.t + h, "y": y, "error": error, "middle": middle, "order": k + 1}
        self.t, self.y, self.D, self.grid, self.known = self.t + h, y, D, h, False
        self.k, self.starting, self.settled, self.voids = order, starting, settled, 0
        return row, h_next

    def move(self, y):
        self.y = y

    def shorter(self, h, here, lower, higher):
        self.starting, self.settled = len(self.D) <= 1, 0
        self.voids += 1
        if self.voids >= 4:
            self.voids, self.D, self.k, self.starting = 0, self.D[:1], 1, True
        elif lower < here:
            self.k -= 1
        elif self.voids > 1 and higher < SIGNIFICANT * here:
            self.k += 1
        return h / 2


def accurate(f, t, y, h):
    """y(t + h), to rounding or nearly: 200 steps of the classical method of order 4, twice, extrapolated."""
    def steps(count):
        q, x = h / count, y
        for i in range(count):
            u = t + i * q
            k1 = f(u, x)
            k2 = f(u + q / 2, add((1, x), (q / 2, k1)))
            k3 = f(u + q / 2, add((1, x), (q / 2, k2)))
            k4 = f(u + q, add((1, x), (q, k3)))
            x = add((1, x), (q / 6, k1), (q / 3, k2), (q / 3, k3), (q / 6, k4))
        return x
    return add((16 / 15, steps(200)), (-1 / 15, steps(100)))


class Grid:
    """Values of f at equal distances, and a step from the newest of them with predictor and corrector of these orders."""
    def __init__(self, f, h):
        self.f, self.h, self.values = f, h, []

    def push(self, f):
        self.values.insert(0, f)

    def step(self, t, y, predictor, corrector, zeros=False):
        h = self.h
        D = differences(self.values[:predictor])
        D += [[0.0] * len(y)] * (predictor - len(D)) if zeros else []
        self.D, self.E = D, None
        y_p = add((1, y), *((h * GAMMA[i], D[i]) for i in range(predictor)))
        if corrector == 0:
            return y_p
        E = [self.f(t + h, y_p)]
        for d in D[:corrector - 1]:
            E.append(add((1, E[-1]), (-1, d)))
        self.E = E
        return add((1, y), *((h * STAR[i], E[i]) for i in range(corrector)))

    def middle(self, y, s=0.4):
        of, lower = (self.D, 0) if self.E is None else (self.E, -1)
        w = integral_weights(len(of), lower, lower + s)
        return add((1, y), *((self.h * q, e) for q, e in zip(w, of)))


def fixed(problem, k, corrector, start, h, count, short=0.0):
    """`corrector`: how much higher its order is than the predictor's, or None."""
    f, t, y = rates(problem), 0.0, problem.x + problem.v
    grid, rows = Grid(f, h), []
    parts = math.ceil(h / short - 1e-6) if short else 1
    fine = Grid(f, h / parts)
    orders = lambda p: (p, 0 if corrector is None else p + corrector)
    for _ in range(count):
        grid.push(f(t, y))
        points, begin, middle = len(grid.values), y, None
        if start == "zero_differences" or points >= k or start == "ramp":
            y = grid.step(t, y, *orders(k if start == "zero_differences" else min(points, k)), zeros=True)
            middle = grid.middle(begin)
        elif start == "small_steps":
            for i in range(parts):
                fine.push(f(t + i * h / parts, y))
                y = fine.step(t + i * h / parts, y, *orders(min(len(fine.values), k)))
        else:
            y = accurate(f, t, y, h)
        t += h
        rows.append({"t": t, "y": y} if middle is None else {"t": t, "y": y, "middle": middle})
    return rows


def files():
    for name, problem, order, norm, (rtol, atol, h), count in (
            ("pendulum", Pendulum(), 8, "rms", (1e-6, 1e-7, 1e-4), 70),
            ("long", Pendulum(), 11, "max", (1e-9, 1e-9, 0.5), 60),
            ("forced", Vibration(2, 0.05, 1, 3), 5, "rms", (1e-3, 1e-4, 1e-3), 60)):
        run = Run(problem, order, rtol, atol, norm == "max")
        keys = {"type": "adams", "order": order, "control": "haug"}
        yield f"haug_{name}", keys, problem, {"rtol": rtol, "atol": atol, "norm": norm, "h": h}, run, count
    forced = Vibration(5, 0.1, 1, 3)
    for name, keys, k, corrector, start in (
            ("predictor", {"mode": "predictor", "start": "runge_kutta"}, 4, None, "accurate"),
            ("ramp", {}, 5, 1, "ramp"), ("predictor_ramp", {"mode": "predictor"}, 3, None, "ramp"),
            ("runge_kutta", {"start": "runge_kutta"}, 6, 1, "accurate"),
            ("small_steps", {"start": "small_steps", "h_start": 0.0031}, 4, 1, "small_steps"),
            ("zero_differences", {"start": "zero_differences"}, 4, 1, "zero_differences")):
        rows = fixed(forced, k, corrector, start, 0.01, 20, keys.get("h_start", 0))
        yield name, {"type": "adams", "order": k, **keys}, forced, {"h": [0.01]}, rows, len(rows)
    for method, corrector in (("ampc", 0), ("mampc", 1)):
        for k in (3, 7):
            rows = fixed(forced, k, corrector, "accurate", 0.01, 16)
            keys = {"type": method, "order": k, "start_error": 1e-14}
            yield f"{method}_{k}", keys, forced, {"h": [0.01]}, rows, len(rows)
