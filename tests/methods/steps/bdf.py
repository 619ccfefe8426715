"""BDF of variable order and step (Shampine, Reichelt, SIAM J. Sci. Comput. 18 (1997), 2.1 to 2.3, with kappa = 0).

Safety factors of the choice of order and step: those of the article for this order and below, 1.2 and 1.3, and 1.4 above; a
change waits for k + 1 equal steps. A rejected step is shortened to 0.1 to 0.9, from the second time on to 0.5 at most.
"""
import math

from newton import Newton
from problems import Coupled, Norm, Pendulum, add, solved

HIGHEST = 5


def gamma(k):
    return sum(1 / i for i in range(1, k + 1))


def factor(error, k, safety):
    return min(1 / (safety * error ** (1 / (k + 1))), 10.0) if error > 0 else 10.0


def stretched(D, k, r):
    """Differences for steps r h: those of the interpolating polynomial, sampled there."""
    def value(s):
        y, weight = D[0], 1.0
        for j in range(1, k + 1):
            weight *= (s + j - 1) / j
            y = add((1, y), (weight, D[j]))
        return y
    table = [value(-r * i) for i in range(k + 1)]
    new = [table[0]]
    for _ in range(k):
        table = [add((1, a), (-1, b)) for a, b in zip(table, table[1:])]
        new.append(table[0])
    return new + D[k + 1:]


class Run:
    def __init__(self, problem, order, newton_tolerance, rtol, atol, h):
        self.problem, self.highest = problem, order
        self.norm = Norm(rtol, atol)
        self.newton = Newton(problem, self.norm, newton_tolerance)
        self.n, self.t = len(problem.x), 0.0
        y = problem.x + problem.v
        rate = problem.v + problem.f(0, problem.x, problem.v)
        zero = [0.0] * len(y)
        self.D = [y, [h * r for r in rate]] + [zero] * (HIGHEST + 1)
        self.k, self.h, self.equal, self.failures = 1, h, 0, 0

    def attempt(self, h):
        """(row of the step, or None where it is rejected; the next step)"""
        n, k = self.n, self.k
        h_grid = self.h if abs(h - self.h) < 1e-10 * abs(h) else h
        D, equal = self.D, self.equal
        if h_grid != self.h:
            D, equal = stretched(D, k, h / self.h), 0
        y_p = add(*((1, D[j]) for j in range(k + 1)))
        psi = add(*((gamma(j) / gamma(k), D[j]) for j in range(1, k + 1)))
        c = h_grid / gamma(k)
        p, y_0 = add((1, y_p), (-1, psi)), self.D[0]
        x, v, _, iterations = self.newton.solve(c, (self.t, y_0[:n], y_0[n:]), self.t + h, p[:n], p[n:],
                                                [q / c for q in psi[n:]])
        d = add((1, x + v), (-1, y_p))
        size = lambda e: self.norm(e, y_0, y_0)
        error = size(d) / (k + 1)
        if error > 1:
            best = factor(error, k, 1.2)
            if k > 1:
                other = factor(size(add((1, D[k]), (1, d))) / k, k - 1, 1.3)
                if other > best:
                    self.k, best = k - 1, other
            self.failures += 1
            if self.failures > 1:
                best = min(best, 0.5)
            return None, h * min(max(best, 0.1), 0.9)
        new = list(D)
        new[k + 2] = add((1, d), (-1, D[k + 1]))
        new[k + 1] = d
        for j in range(k, -1, -1):
            new[j] = add((1, D[j]), (1, new[j + 1]))
        order, h_next = 0, h_grid
        if equal >= k + 1:
            best, chosen = factor(error, k, 1.2), k
            for j, safety in ((k - 1, 1.3), (k + 1, 1.4)):
                if 1 <= j <= self.highest:
                    other = factor(size(new[j + 1]) / (j + 1), j, safety)
                    if other > best:
                        best, chosen = other, j
            if best > 1:
                order, h_next = chosen, h_grid * best
        middle, weight = new[0], 1.0
        for j in range(1, k + 1):
            weight *= (-0.6 + j - 1) / j
            middle = add((1, middle), (weight, new[j]))
        self.t += h
        row = {"t": self.t, "y": x + v, "error": [e / (k + 1) for e in d], "middle": middle, "order": k,
               "iterations": iterations}
        self.D, self.h, self.failures, self.equal = new, h_grid, 0, equal + 1
        self.newton.accepted()
        if order:
            self.k, self.equal = order, 0
        return row, h_next

    def move(self, y):
        """A projection moved the end of the step."""
        self.D = [y] + self.D[1:]


SDIRK = [[1 / 4], [1 / 2, 1 / 4], [17 / 50, -1 / 25, 1 / 4], [371 / 1360, -137 / 2720, 15 / 544, 1 / 4],
         [25 / 24, -49 / 48, 125 / 16, -85 / 12, 1 / 4]]  # Hairer, Wanner, Solving ODEs II, IV.6, (6.16)


def sdirk(problem, t, x, v, h):
    """A step of the starter; equations solved to rounding."""
    X, V, a = [], [], []
    for row in SDIRK:
        c = h / 4
        p_dot = add((1, v), *((h * w, k) for w, k in zip(row[:-1], a)))
        p = add((1, x), *((h * w, k) for w, k in zip(row[:-1], V)))
        z = solved_to_rounding(problem, t + sum(row) * h, p, p_dot, c, a[-1] if a else problem.f(t, x, v))
        V.append(add((1, p_dot), (c, z)))
        X.append(add((1, p), (c, V[-1])))
        a.append(z)
    return X[-1], V[-1]


def solved_to_rounding(problem, t, p, p_dot, c, z):
    for _ in range(12):
        v = add((1, p_dot), (c, z))
        x = add((1, p), (c, v))
        J1, J2 = problem.J(t, x, v)
        n = len(x)
        matrix = [[(i == j) - c * J2[i][j] - c * c * J1[i][j] for j in range(n)] for i in range(n)]
        z = add((1, z), (1, solved(matrix, add((1, problem.f(t, x, v)), (-1, z)))))
    return z


def fixed(problem, k, h, count):
    """Steps of one order on one grid, from values of the starter: sum_j nabla^j y_1 / j = h f_1."""
    n, t, y = len(problem.x), 0.0, problem.x + problem.v
    known, rows = [y], []
    for _ in range(count):
        if len(known) < k:
            x, v = sdirk(problem, t, y[:n], y[n:], h)
        else:
            # y_1 = sum_i w_i y_{1-i} + h / gamma f_1
            w = [0.0] * (k + 1)
            for j in range(1, k + 1):
                for i in range(j + 1):
                    w[i] -= (-1) ** i * math.comb(j, i) / j / gamma(k)
            past = add(*((w[i], known[i - 1]) for i in range(1, k + 1)))
            c = h / gamma(k)
            z = solved_to_rounding(problem, t + h, past[:n], past[n:], c, problem.f(t, y[:n], y[n:]))
            v = add((1, past[n:]), (c, z))
            x = add((1, past[:n]), (c, v))
        y, t = x + v, t + h
        known.insert(0, y)
        rows.append({"t": t, "y": y})
    return rows


def files():
    for name, problem, keys, control, count in (
            ("pendulum", Pendulum(), {"order": 5, "newton_tolerance": 0.01}, (1e-5, 1e-6, 1e-3), 90),
            ("stiff", Coupled(), {"order": 4, "newton_tolerance": 0.01}, (1e-3, 1e-5, 1e-2), 60)):
        rtol, atol, h = control
        run = Run(problem, keys["order"], keys["newton_tolerance"], rtol, atol, h)
        yield f"bdf_{name}", {"type": "bdf", **keys}, problem, {"rtol": rtol, "atol": atol, "h": h}, run, count
    for k in (2, 3, 5):
        for name, problem in (("pendulum", Pendulum()), ("stiff", Coupled())):
            rows = fixed(problem, k, 0.02, 14)
            keys = {"type": "bdf", "order": k, "control": "fixed"}
            yield f"fixed_{k}_{name}", keys, problem, {"fixed": True, "h": [0.02]}, rows, len(rows)
