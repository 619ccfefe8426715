"""Radau IIA of order 5 with its embedded estimate, iteration and choice of steps (Hairer, Wanner, Solving ODEs II, IV.8).

On x'' = f: unknowns are the stages' accelerations U, V = x' + h A U, X = x + h A V. The simplified Newton iteration is solved
as one system of all stages, (I - h A (x) J2 - h^2 A^2 (x) J1) dU = f - U, without the transformation of the book.
"""
import math

from problems import Coupled, Norm, Pendulum, Vibration, add, product, solved

R = math.sqrt(6)
C = [(4 - R) / 10, (4 + R) / 10, 1.0]
GAMMA = 30 / (6 + 3 ** (4 / 3) - 3 ** (2 / 3))
EPSILON = 2.0**-52
MOST = 10


def lagrange(j):
    """Coefficients of l_j(s), from the constant on."""
    p = [1.0]
    for k in range(3):
        if k != j:
            p = [(a - C[k] * b) / (C[j] - C[k]) for a, b in zip([0.0] + p, p + [0.0])]
    return p


BASIS = [lagrange(j) for j in range(3)]


def weights(s, integrals):
    """l_j(s), or its first or second integral from 0."""
    out = []
    for p in BASIS:
        scale = [math.prod(range(k + 1, k + integrals + 1)) for k in range(3)]
        out.append(sum(c / f * s ** (k + integrals) for k, (c, f) in enumerate(zip(p, scale))))
    return out


A = [weights(c, 1) for c in C]


def stages(matrix, vectors):
    return [add(*zip(row, vectors)) for row in matrix]


class Run:
    def __init__(self, problem, keys, rtol, atol, largest=False):
        self.problem, self.kappa, self.slowest = problem, keys["newton_tolerance"], keys["slowest_contraction"]
        self.norm_of, self.largest = Norm(rtol, atol, largest), largest
        self.t, self.x, self.v, self.n = 0.0, problem.x, problem.v, len(problem.x)
        self.f_0 = problem.f(0.0, self.x, self.v)
        self.J, self.fresh, self.factorized = None, False, None
        self.contraction, self.eta = 0.0, 0.0
        self.h_before, self.e_before, self.U_before = None, 0.0, None
        self.rejected = False

    def norm(self, e_x, e_v):
        return self.norm_of(e_x + e_v, self.x + self.v, self.x + self.v)

    def joined(self, pairs):
        parts = [self.norm(*p) for p in pairs]
        return max(parts) if self.largest else math.sqrt(sum(p * p for p in parts) / 3)

    def place(self, h, U):
        V = [add((1, self.v), (h, k)) for k in stages(A, U)]
        return [add((1, self.x), (h, k)) for k in stages(A, V)], V

    def iterate(self, h):
        """Stages and the number of iterations; None and a factor for the step where they fail."""
        n, problem = self.n, self.problem
        if self.J is None:
            self.J, self.fresh = problem.J(self.t, self.x, self.v), True
            self.eta = self.eta or 1.0
        J1, J2 = self.J
        A2 = [[sum(A[i][k] * A[k][j] for k in range(3)) for j in range(3)] for i in range(3)]
        matrix = [[(i == j and r == c) - h * A[i][j] * J2[r][c] - h * h * A2[i][j] * J1[r][c]
                   for j in range(3) for c in range(n)] for i in range(3) for r in range(n)]
        if self.h_before is None:
            U = [self.f_0] * 3
        else:
            U = [add(*zip(weights(1 + c * h / self.h_before, 0), self.U_before)) for c in C]
        self.contraction = 0.0
        rounding = 32 * EPSILON * self.norm(self.x, self.v)
        eta, before, theta_before = max(self.eta, EPSILON) ** 0.8, 0.0, 0.0
        for k in range(MOST):
            X, V = self.place(h, U)
            residual = [q for c, x, v, u in zip(C, X, V, U) for q in add((1, problem.f(self.t + c * h, x, v)), (-1, u))]
            d = solved(matrix, residual)
            dU = [d[i * n:(i + 1) * n] for i in range(3)]
            U = [add((1, u), (1, w)) for u, w in zip(U, dU)]
            dV = [[h * q for q in w] for w in stages(A, dU)]
            dX = [[h * q for q in w] for w in stages(A, dV)]
            size = self.joined(zip(dX, dV))
            if size <= rounding:
                return U, k + 1
            if k > 0:
                now = size / before
                theta = now if k == 1 else math.sqrt(now * theta_before)
                theta_before = now
                self.contraction = max(self.contraction, theta)
                if theta < 1:
                    eta = theta / (1 - theta)
                if theta >= 0.99:
                    break
                more = MOST - 1 - k
                q = eta * size / self.kappa * theta**more
                if q > 1:
                    self.contraction = self.eta = 1.0
                    return None, 0.8 * min(q, 20.0) ** (-1 / (4 + more))
            before = size
            if eta * size <= self.kappa:
                self.eta = eta
                return U, k + 1
        self.contraction = self.eta = 1.0
        return None, 0.5

    def estimate(self, h, U, V, x_dot, f_0):
        """(gamma/h I - J)^-1 (f_0 + sum e_i Z_i / h) of y = (x, x'), Z those of the stages."""
        e = [(-13 - 7 * R) / 3, (-13 + 7 * R) / 3, -1 / 3]
        row = [sum(e[i] * A[i][j] for i in range(3)) for j in range(3)]  # Z / h = A K
        n, (J1, J2) = self.n, self.J
        right = add((1, x_dot), *zip(row, V)) + add((1, f_0), *zip(row, U))
        f_y = [[0.0] * n + [float(i == j) for j in range(n)] for i in range(n)] + [J1[i] + J2[i] for i in range(n)]
        return solved([[GAMMA / h * (i == j) - f_y[i][j] for j in range(2 * n)] for i in range(2 * n)], right)

    def attempt(self, h):
        n = self.n
        U, k = self.iterate(h)
        if U is None and not self.fresh:
            self.J = None
            U, k = self.iterate(h)
        if U is None:
            self.rejected = True
            return None, k * h
        X, V = self.place(h, U)
        error = self.estimate(h, U, V, self.v, self.f_0)
        e, first = self.norm(error[:n], error[n:]), self.h_before is None
        if e >= 1 and (first or self.rejected):
            x, v = add((1, self.x), (1, error[:n])), add((1, self.v), (1, error[n:]))
            error = self.estimate(h, U, V, v, self.problem.f(self.t, x, v))
            e = self.norm(error[:n], error[n:])
        factor = 0.9 * (2 * MOST + 1) / (2 * MOST + k) * max(e, 1e-10) ** -0.25
        factor = min(max(factor, 0.2), 8.0)
        if e >= 1:
            self.rejected = True
            return None, h * (0.1 if first else min(factor, 0.9))
        if self.e_before > 0:
            predicted = 0.9 * h / self.h_before * (self.e_before / max(e, 1e-10) ** 2) ** 0.25
            factor = min(factor, min(max(predicted, 0.2), 8.0))
        if self.rejected:
            factor = min(factor, 1.0)
        s = 0.4
        middle = add((1, self.x), (s * h, self.v), *((h * h * w, u) for w, u in zip(weights(s, 2), U)))
        middle += add((1, self.v), *((h * w, u) for w, u in zip(weights(s, 1), U)))
        row = {"t": self.t + h, "y": X[2] + V[2], "error": error, "middle": middle, "iterations": k}
        self.t, self.x, self.v, self.f_0 = self.t + h, X[2], V[2], U[2]
        self.h_before, self.e_before, self.U_before = h, max(e, 1e-2), U
        self.rejected = self.fresh = False
        if self.contraction > self.slowest:
            self.J = None
        return row, h * factor


def files():
    for name, problem, keys, norm, (rtol, atol, h), count in (
            ("pendulum", Pendulum(), (0.003, 0.05), "rms", (1e-5, 1e-6, 1e-2), 40),
            ("long", Pendulum(), (0.03, 0.3), "max", (1e-3, 1e-3, 5.0), 25),
            ("stiff", Coupled(), (0.003, 0.05), "rms", (1e-4, 1e-6, 1e-1), 25),
            ("forced", Vibration(2, 0.05, 1, 3), (0.01, 0.05), "max", (1e-6, 1e-6, 1e-1), 25)):
        keys = {"type": "radau_iia", "newton_tolerance": keys[0], "slowest_contraction": keys[1]}
        run = Run(problem, keys, rtol, atol, norm == "max")
        yield f"radau_{name}", keys, problem, {"rtol": rtol, "atol": atol, "norm": norm, "h": h}, run, count
