"""The method of Shampine and Gordon (Computer Solution of Ordinary Differential Equations, 1975), chapters 5 to 10.

Divided differences from the points themselves (Hairer, Norsett, Wanner, Solving ODEs I, III.5): all sums of the book's are
replaced by Newton's interpolation, and its integrals by those of explicit polynomials.
"""
import math

from adams import STAR
from problems import Coupled, Norm, Pendulum, Vibration, add, rates

EPSILON = 2.0**-52


def polynomial_product(p, root):
    """p(s) (s - root), coefficients from the constant on."""
    return [a - root * b for a, b in zip([0.0] + p, p + [0.0])]


def integral(p, s):
    return sum(c * s**(k + 1) / (k + 1) for k, c in enumerate(p))


class Run:
    def __init__(self, problem, order, rtol, atol, largest=False):
        self.f, self.norm, self.k_max = rates(problem), Norm(rtol, atol, largest), order
        self.t, self.y = 0.0, problem.x + problem.v
        self.times, self.values = [0.0], [self.f(0.0, self.y)]  # newest first
        self.k, self.starting, self.equal, self.failures, self.h_before = 1, True, 0, 0, 0.0
        self.plan = None
        self.evidence, self.stiff = 0, False
        self.lower, self.error_k, self.error_below = False, 0.0, 0.0

    def begin(self, limit):
        slope = self.norm(self.values[0], self.y, self.y)
        self.h = min(0.25 / math.sqrt(slope), limit)

    def divided(self, times, values):
        """f[t_n], f[t_n, t_{n-1}], ..."""
        table, out = list(values), [values[0]]
        for order in range(1, len(times)):
            table = [[(a - b) / (times[i] - times[i + order]) for a, b in zip(table[i], table[i + 1])]
                     for i in range(len(table) - 1)]
            out.append(table[0])
        return out

    def attempt(self, limit):
        """One step of at most `limit`."""
        if self.plan is None:
            self.begin(limit)
        elif self.plan:
            self.values = [self.f(self.t, self.y)] + self.values
            self.watch()
            self.choose(*self.plan)
        self.plan = ()
        h, k, t = min(self.h, limit), self.k, self.t
        if not self.h < limit * (1 - 1e-9):
            h = limit
        times, values = self.times[:k], self.values[:k]
        newton = self.divided(times, values)
        # The polynomial of degree k - 1 through the known points, in u = time - t.
        predictor, basis = [], [1.0]
        for j in range(k):
            predictor.append((basis, newton[j]))
            basis = polynomial_product(basis, times[j] - t)
        y_p = add((1, self.y), *((integral(p, h), d) for p, d in predictor))
        rate = self.f(t + h, y_p)
        at_end = add(*((sum(c * h**m for m, c in enumerate(p)), d) for p, d in predictor))
        D = add((1, rate), (-1, at_end))
        # The corrector's polynomial takes in (t + h, rate): D times basis / basis(h).
        whole = sum(c * h**m for m, c in enumerate(basis))
        last = [c / whole for c in basis]
        y = add((1, y_p), (integral(last, h), D))
        # That of degree k - 1 through t + h and the k - 1 newest points.
        shorter = [1.0]
        for j in range(k - 1):
            shorter = polynomial_product(shorter, times[j] - t)
        shorter = [c / sum(q * h**m for m, q in enumerate(shorter)) for c in shorter]
        gap = integral(last, h) - integral(shorter, h)
        error = [gap * d for d in D]
        err = abs(gap) * self.norm(D, self.y, y_p)
        self.estimate(h, k, rate, y_p)
        if err > 1:
            return None, self.shorten(h)
        middle = add((1, self.y), *((integral(p, 0.4 * h), d) for p, d in predictor), (integral(last, 0.4 * h), D))
        row = {"t": t + h, "y": y, "error": error, "middle": middle, "order": k, "advised": self.stiff}
        self.t, self.y, self.failures = t + h, y, 0
        self.times = [self.t] + self.times
        self.plan, self.tried = (h, k), (D, rate, integral(last, h) / h, k)
        return row, 2 * h

    def watch(self):
        """h times the eigenvalue that rules the corrector, from f at y and at the predicted state, y - y_p = h g D: fifty
        steps of order 4 or less beyond -0.4 are stiffness; others count back twice."""
        D, predicted, g, k = self.tried
        w = [1 / (self.norm.atol + self.norm.rtol * abs(y))**2 for y in self.y]
        square = sum(a * d * d for a, d in zip(w, D))
        change = sum(a * d * (f - p) for a, d, f, p in zip(w, D, self.values[0], predicted))
        near = k <= 4 and square > 0 and change / (g * square) < -0.4
        self.evidence = self.evidence + 1 if near else max(0, self.evidence - 2)
        self.stiff = self.stiff or self.evidence >= 50

    def move(self, y):
        self.y = y

    def modified(self, times, values, j):
        """phi_{j+1}: the j-th divided difference times the products of spans, of the newest point."""
        d = self.divided(times[:j + 1], values[:j + 1])[j]
        scale = math.prod(times[0] - times[i] for i in range(1, j + 1))
        return [scale * x for x in d]

    def equal_step_error(self, h, j, times, phi, y_a, y_b):
        """|h sigma_j gamma*_j phi_j|: made into the difference of equal steps."""
        sigma = math.prod(i * h / (times[0] - times[i]) for i in range(1, j + 1))
        return abs(h * sigma * STAR[j]) * self.norm(phi, y_a, y_b)

    def estimate(self, h, k, rate, y_p):
        times, values = [self.t + h] + self.times, [rate] + self.values
        at = lambda j: self.equal_step_error(h, j, times, self.modified(times, values, j), self.y, y_p)
        self.error_k = at(k)
        self.error_below = at(k - 1) if k >= 2 else 0.0
        two_below = at(k - 2) if k >= 3 else 0.0
        self.lower = (k > 2 and max(self.error_below, two_below) <= self.error_k) or \
                     (k == 2 and self.error_below <= 0.5 * self.error_k)

    def choose(self, h, k):
        """Order and step behind an accepted one."""
        self.equal = self.equal + 1 if h == self.h_before else 1
        self.h_before = h
        error = self.error_k
        if self.lower or k >= self.k_max:
            self.starting = False
        if self.starting:
            self.k, self.h = k + 1, 2 * h
            return
        if self.lower:
            k, error = k - 1, self.error_below
        elif self.equal > k and k < self.k_max:
            phi = self.modified(self.times, self.values, k + 1)
            above = abs(h * STAR[k + 1]) * self.norm(phi, self.y, self.y)
            if k > 1 and self.error_below <= min(error, above):
                k, error = k - 1, self.error_below
            elif above < (error if k > 1 else 0.5 * error):
                k, error = k + 1, above
        factor = 2.0
        if not 0.5 >= error * 2**(k + 1):
            factor = 1.0 if error <= 0.5 else min(max((0.5 / error)**(1 / (k + 1)), 0.5), 0.9)
        self.k, self.h = k, max(factor * h, 4 * EPSILON * abs(self.t))

    def shorten(self, h):
        self.starting, self.equal, self.h_before = False, 0, 0.0
        self.failures += 1
        factor = 0.5
        if self.failures > 3 and 0.5 < 0.25 * self.error_k:
            factor = math.sqrt(0.5 / self.error_k)
        if self.failures >= 3:
            self.k = 1
        elif self.lower:
            self.k = max(1, self.k - 1)
        self.h = factor * h
        return self.h


class Unmoved(Run):
    """Stiffness shows in long rows of steps only."""
    move = None


def files():
    for name, problem, order, norm, (rtol, atol, h), count in (
            ("pendulum", Pendulum(), 12, "rms", (1e-6, 1e-7, 10.0), 60),
            ("tight", Pendulum(), 7, "max", (1e-9, 1e-9, 10.0), 60),
            ("stiff", Coupled(), 4, "rms", (1e-3, 1e-3, 10.0), 120),
            ("forced", Vibration(2, 0.05, 1, 3), 12, "rms", (1e-3, 1e-4, 10.0), 50)):
        run = (Unmoved if name == "stiff" else Run)(problem, order, rtol, atol, norm == "max")
        keys = {"type": "ddeabm", "max_order": order}
        yield f"ddeabm_{name}", keys, problem, {"rtol": rtol, "atol": atol, "norm": norm, "h": h}, run, count
