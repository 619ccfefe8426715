"""Radau IIA of order 5 with its embedded estimate, iteration and choice of steps (Hairer, Wanner, Solving ODEs II, IV.8).

On x'' = f: unknowns are the stages' accelerations U, V = x' + h A U, X = x + h A V. The simplified Newton iteration is solved
as one system of all stages, (I - h A (x) J2 - h^2 A^2 (x) J1) dU = f - U, without the transformation of the book.
"""
import math

from problems import Coupled, Decay, Norm, Pendulum, PinnedArm, Vibration, add, product, solved

R = math.sqrt(6)
C = [(4 - R) / 10, (4 + R) / 10, 1.0]
GAMMA = 30 / (6 + 3 ** (4 / 3) - 3 ** (2 / 3))
E = [(-13 - 7 * R) / 3, (-13 + 7 * R) / 3, -1 / 3]  # of the estimate
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
A2 = [[sum(A[i][k] * A[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


def stages(matrix, vectors):
    return [add(*zip(row, vectors)) for row in matrix]


class Run:
    kept_step = 1.0  # steps longer by less are not worth a new factorization

    def __init__(self, problem, keys, rtol, atol, largest=False):
        self.problem, self.kappa, self.slowest = problem, keys["newton_tolerance"], keys["slowest_contraction"]
        self.norm_of, self.largest = Norm(rtol, atol, largest), largest
        self.t, self.x, self.v, self.n = 0.0, problem.x, problem.v, len(problem.x)
        self.f_0 = problem.f(0.0, self.x, self.v)
        self.J, self.fresh, self.factorized = None, False, None
        self.contraction, self.eta = 0.0, 0.0
        self.h_before, self.e_before, self.U_before = None, 0.0, None
        self.rejected, self.proposed = False, 0.0

    def norm(self, e_x, e_v):
        return self.norm_of(e_x + e_v, self.x + self.v, self.x + self.v)

    def joined(self, pairs):
        parts = [self.norm(*p) for p in pairs]
        return max(parts) if self.largest else math.sqrt(sum(p * p for p in parts) / 3)

    def place(self, h, U):
        V = [add((1, self.v), (h, k)) for k in stages(A, U)]
        return [add((1, self.x), (h, k)) for k in stages(A, V)], V

    def jacobian(self):
        return self.problem.J(self.t, self.x, self.v)

    def first_guess(self):
        return self.f_0

    def matrix(self, h):
        n, (J1, J2) = self.n, self.J
        return [[(i == j and r == c) - h * A[i][j] * J2[r][c] - h * h * A2[i][j] * J1[r][c]
                 for j in range(3) for c in range(n)] for i in range(3) for r in range(n)]

    def residual(self, h, U):
        X, V = self.place(h, U)
        return [q for c, x, v, u in zip(C, X, V, U)
                for q in add((1, self.problem.f(self.t + c * h, x, v)), (-1, u))]

    def changes(self, h, dU):
        """Of positions and velocities of the stages."""
        dV = [[h * q for q in w] for w in stages(A, dU)]
        return zip([[h * q for q in w] for w in stages(A, dV)], dV)

    def finish(self, h, U):
        """x and x' at the end."""
        X, V = self.place(h, U)
        return X[2], V[2]

    def estimate_again(self, h, U, V, error):
        n = self.n
        x, v = add((1, self.x), (1, error[:n])), add((1, self.v), (1, error[n:]))
        return self.estimate(h, U, V, v, self.problem.f(self.t, x, v))

    def middle(self, h, U, x_1, v_1, s=0.4):
        x = add((1, self.x), (s * h, self.v), *((h * h * w, u) for w, u in zip(weights(s, 2), U)))
        return x + add((1, self.v), *((h * w, u) for w, u in zip(weights(s, 1), U)))

    def iterate(self, h):
        """Stages and the number of iterations; None and a factor for the step where they fail."""
        if self.J is None:
            self.J, self.fresh = self.jacobian(), True
            self.eta = self.eta or 1.0
        matrix = self.matrix(h)
        if self.h_before is None:
            U = [self.first_guess()] * 3
        else:
            U = [add(*zip(weights(1 + c * h / self.h_before, 0), self.U_before)) for c in C]
        self.contraction = 0.0
        rounding = 32 * EPSILON * self.norm(self.x, self.v)
        eta, before, theta_before = max(self.eta, EPSILON) ** 0.8, 0.0, 0.0
        for k in range(MOST):
            d = solved(matrix, self.residual(h, U))
            m = len(d) // 3
            dU = [d[i * m:(i + 1) * m] for i in range(3)]
            U = [add((1, u), (1, w)) for u, w in zip(U, dU)]
            size = self.joined(self.changes(h, dU))
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
        row = [sum(E[i] * A[i][j] for i in range(3)) for j in range(3)]  # Z / h = A K
        n, (J1, J2) = self.n, self.J
        right = add((1, x_dot), *zip(row, V)) + add((1, f_0), *zip(row, U))
        f_y = [[0.0] * n + [float(i == j) for j in range(n)] for i in range(n)] + [J1[i] + J2[i] for i in range(n)]
        return solved([[GAMMA / h * (i == j) - f_y[i][j] for j in range(2 * n)] for i in range(2 * n)], right)

    def to_rounding(self, h):
        self.J = self.jacobian()
        U, matrix = [self.first_guess()] * 3, self.matrix(h)
        for _ in range(40):
            d = solved(matrix, self.residual(h, U))
            m = len(d) // 3
            U = [add((1, u), (1, d[i * m:(i + 1) * m])) for i, u in enumerate(U)]
        return U

    def attempt(self, h):
        n = self.n
        U, k = self.iterate(h)
        if U is None and not self.fresh:
            self.J = None
            U, k = self.iterate(h)
        if U is None:
            self.rejected, self.proposed = True, 0.0
            return None, k * h
        V = self.place(h, U)[1]
        x_1, v_1 = self.finish(h, U)
        error = self.estimate(h, U, V, self.v, self.f_0)
        e, first = self.norm(error[:n], error[n:]), self.h_before is None
        if e >= 1 and (first or self.rejected):
            error = self.estimate_again(h, U, V, error)
            e = self.norm(error[:n], error[n:])
        factor = 0.9 * (2 * MOST + 1) / (2 * MOST + k) * max(e, 1e-10) ** -0.25
        factor = min(max(factor, 0.2), 8.0)
        if e >= 1:
            self.rejected, self.proposed = True, 0.0
            return None, h * (0.1 if first else min(factor, 0.9))
        if self.e_before > 0:
            predicted = 0.9 * h / self.h_before * (self.e_before / max(e, 1e-10) ** 2) ** 0.25
            factor = min(factor, min(max(predicted, 0.2), 8.0))
        if self.rejected:
            factor = min(factor, 1.0)
        if self.contraction <= self.slowest and 1 <= factor <= self.kept_step:
            factor = 1.0
        row = {"t": self.t + h, "y": x_1 + v_1, "error": error, "middle": self.middle(h, U, x_1, v_1), "iterations": k}
        self.t, self.x, self.v, self.f_0 = self.t + h, x_1, v_1, U[2][:n]
        self.h_before, self.e_before, self.U_before = h, max(e, 1e-2), U
        self.rejected = self.fresh = False
        if self.contraction > self.slowest:
            self.J = None
        h_next = h * factor
        if h < 0.999 * self.proposed:
            h_next = max(h_next, self.proposed)
        self.proposed = h_next
        return row, h_next


class Free(Run):
    """Of second order, whose states may be moved."""
    def move(self, y):
        self.x, self.v = y[:self.n], y[self.n:]
        self.f_0 = self.problem.f(self.t, self.x, self.v)


class FirstOrder(Run):
    """y' = f(t, y)."""
    kept_step = 1.2

    def norm(self, e_x, e_v):
        return self.norm_of(e_x, self.x, self.x)

    def place(self, h, U):
        return [add((1, self.x), (h, k)) for k in stages(A, U)], [[]] * 3

    def matrix(self, h):
        n = self.n
        return [[(i == j and r == c) - h * A[i][j] * self.J[r][c] for j in range(3) for c in range(n)]
                for i in range(3) for r in range(n)]

    def changes(self, h, dU):
        return [([h * q for q in w], []) for w in stages(A, dU)]

    def estimate(self, h, U, V, x_dot, f_0):
        row = [sum(E[i] * A[i][j] for i in range(3)) for j in range(3)]
        n = self.n
        return solved([[GAMMA / h * (i == j) - self.J[i][j] for j in range(n)] for i in range(n)],
                      add((1, f_0), *zip(row, U)))

    def estimate_again(self, h, U, V, error):
        return self.estimate(h, U, V, None, self.problem.f(self.t, add((1, self.x), (1, error)), None))

    def middle(self, h, U, x_1, v_1, s=0.4):
        return add((1, self.x), *((h * w, u) for w, u in zip(weights(s, 1), U)))


class Constrained(Run):
    """M q'' + Phi_q^T lambda = Q, Phi = 0 at the stages; ends put onto the constraints (notes of the plugin, (3), (4))."""
    kept_step = 1.2

    def __init__(self, problem, *rest):
        self.a, self.lam = problem.accelerations(problem.x, problem.v)
        problem.f = lambda t, q, v: problem.accelerations(q, v)[0]
        super().__init__(problem, *rest)

    def jacobian(self):
        self.lam_of_J, self.prepared = self.lam, None
        return self.problem.stiffness(self.x, self.lam)

    def prepare(self, h):
        """The matrix holds M, Phi_q and K of the start of the step for which it was made, K with the lambda of J."""
        if self.prepared is None or self.prepared[0] != h:
            self.prepared = h, self.problem.Phi_q(self.x), self.problem.stiffness(self.x, self.lam_of_J)
        return self.prepared[1:]

    def first_guess(self):
        return self.a + self.lam

    def place(self, h, U):
        return super().place(h, [u[:3] for u in U])

    def matrix(self, h):
        M, (P, K) = self.problem.M, self.prepare(h)
        rows = []
        for i in range(3):
            rows += [[q for j in range(3) for q in [M[r] * (i == j and r == c) + h * h * A2[i][j] * K[r][c] for c in range(3)]
                      + [P[c][r] * (i == j) for c in range(2)]] for r in range(3)]
            rows += [[q for j in range(3) for q in [h * h * A2[i][j] * P[r][c] for c in range(3)] + [0.0, 0.0]]
                     for r in range(2)]
        return rows

    def residual(self, h, U):
        X, V = self.place(h, U)
        return [q for x, v, u in zip(X, V, U)
                for q in self.problem.unbalanced(x, v, u[:3], u[3:]) + [-p for p in self.problem.Phi(x)]]

    def changes(self, h, dU):
        return super().changes(h, [u[:3] for u in dU])

    def finish(self, h, U):
        X, V = self.place(h, U)
        q, problem = X[2], self.problem
        v = problem.tangent(q, V[2])
        moved, _ = problem.kkt(q, [0.0] * 3, [-p for p in problem.Phi(q)])
        return add((1, q), (1, moved)), v

    def estimate_again(self, h, U, V, error):
        q, v = add((1, self.x), (1, error[:3])), add((1, self.v), (1, error[3:]))
        return self.estimate(h, U, V, v, self.problem.accelerations(q, v)[0], q)

    def estimate(self, h, U, V, x_dot, f_0, at=None):
        row = [sum(E[i] * A[i][j] for i in range(3)) for j in range(3)]
        c, problem = h / GAMMA, self.problem
        r_q = [c * p for p in add((1, x_dot), *zip(row, V))]
        r_v = [c * p for p in add((1, f_0), *zip(row, [u[:3] for u in U]))]
        right = [m * p - c * k for m, p, k in zip(problem.M, r_v, product(self.J, r_q))]
        P, K = self.prepare(h)
        matrix = [[problem.M[r] * (r == s) + c * c * K[r][s] for s in range(3)] + [P[0][r], P[1][r]] for r in range(3)]
        matrix += [P[r] + [0, 0] for r in range(2)]
        e_v = solved(matrix, right + [0.0, 0.0])[:3]
        e_q = add((1, r_q), (c, e_v))
        # What is off the constraints, at the end or where f_0 was evaluated again, does not count.
        at = at or self.finish(h, U)[0]
        return problem.tangent(at, e_q) + problem.tangent(at, e_v)

    def middle(self, h, U, x_1, v_1, s=0.4):
        U = [u[:3] for u in U]
        y = super().middle(h, U, x_1, v_1, s)
        X, V = self.place(h, U)
        moved = add((s**3, x_1 + v_1), (-s**3, X[2] + V[2]))
        return add((1, y), (1, moved))

    def attempt(self, h):
        row, h_next = super().attempt(h)
        if row is not None:
            self.a, self.lam = self.problem.accelerations(self.x, self.v)
        return row, h_next


def fixed(run, h, count):
    """Steps of one length; iterations go on to rounding."""
    run.kappa, rows = 0.0, []
    for _ in range(count):
        run.J = None
        U = run.to_rounding(h)
        x, v = run.finish(h, U)
        rows.append({"t": run.t + h, "y": x + v, "middle": run.middle(h, U, x, v)})
        run.t, run.x, run.v = run.t + h, x, v
        run.f_0 = run.problem.f(run.t, x, v)
        if isinstance(run, Constrained):
            run.a, run.lam = run.problem.accelerations(x, v)
    return rows


def files():
    for name, problem, keys, norm, (rtol, atol, h), count in (
            ("pendulum", Pendulum(), (0.003, 0.05), "rms", (1e-5, 1e-6, 1e-2), 40),
            ("long", Pendulum(), (0.03, 0.3), "max", (1e-3, 1e-3, 5.0), 40),
            ("stiff", Coupled(), (0.003, 0.05), "rms", (1e-4, 1e-6, 1e-1), 40),
            ("forced", Vibration(2, 0.05, 1, 3), (0.01, 0.05), "max", (1e-6, 1e-6, 1e-1), 40)):
        keys = {"type": "radau_iia", "newton_tolerance": keys[0], "slowest_contraction": keys[1]}
        run = Free(problem, keys, rtol, atol, norm == "max")
        yield f"radau_{name}", keys, problem, {"rtol": rtol, "atol": atol, "norm": norm, "h": h}, run, count
    keys = {"type": "radau_iia", "newton_tolerance": 0.003, "slowest_contraction": 0.05}
    for name, make, problem, (rtol, atol, h), rel, count in (
            ("decay", FirstOrder, Decay(), (1e-5, 1e-6, 0.1), 1e-9, 25),
            ("pinned", Constrained, PinnedArm(), (1e-5, 1e-6, 0.01), 1e-8, 30)):
        if name == "pinned":
            keys = {**keys, "slowest_contraction": 0.0}  # where K of a kept linearization is evaluated is the model's affair
        run = make(problem, keys, rtol, atol)
        yield f"radau_{name}", keys, problem, {"rtol": rtol, "atol": atol, "h": h, "rel": rel}, run, count
    for name, make, problem, h in (("pendulum", Run, Pendulum(), 0.1), ("stiff", Run, Coupled(), 0.05),
                                   ("decay", FirstOrder, Decay(), 0.05), ("pinned", Constrained, PinnedArm(), 0.05)):
        rows = fixed(make(problem, keys, 1e-6, 1e-8), h, 12)
        yield f"fixed_{name}", {"type": "radau_iia", "control": "fixed"}, problem, {"fixed": True, "h": [h]}, rows, 12
