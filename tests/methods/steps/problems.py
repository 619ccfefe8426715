"""Problems x'' = f(t, x, x') for programs of methods, in plain Python; vectors are lists."""
import math

GRAVITY = 9.81


def add(*terms):
    """Sum of weighted vectors, (weight, vector) each."""
    return [sum(w * x[i] for w, x in terms) for i in range(len(terms[0][1]))]


def product(A, x):
    return [sum(a * b for a, b in zip(row, x)) for row in A]


def solved(A, b):
    """A^-1 b by elimination with row exchanges; entries may be complex."""
    n = len(b)
    rows = [list(A[i]) + [b[i]] for i in range(n)]
    for k in range(n):
        best = max(range(k, n), key=lambda i: abs(rows[i][k]))
        rows[k], rows[best] = rows[best], rows[k]
        for i in range(k + 1, n):
            factor = rows[i][k] / rows[k][k]
            for j in range(k, n + 1):
                rows[i][j] -= factor * rows[k][j]
    x = [0] * n
    for i in reversed(range(n)):
        x[i] = (rows[i][n] - sum(rows[i][j] * x[j] for j in range(i + 1, n))) / rows[i][i]
    return x


class Pendulum:
    """theta'' = -g/L cos theta from the horizontal."""
    json = {"type": "pendulum_angle", "angle": 0.4, "rate": 0.7}
    x, v = [0.4], [0.7]
    mass = [[1.0]]

    def f(self, t, x, v):
        return [-GRAVITY * math.cos(x[0])]

    def J(self, t, x, v):
        """df/dx and df/dv."""
        return [[GRAVITY * math.sin(x[0])]], [[0.0]]

    def f_t(self, t, x, v):
        return [0.0]


class Vibration:
    """x'' = -omega^2 x - 2 zeta omega x' + sin(nu t) for the omega, zeta and nu given; the linear problem for all methods."""
    x, v = [1.0], [0.3]
    mass = [[1.0]]

    def __init__(self, omega, zeta=0.0, forcing=0.0, nu=0.5):
        self.omega, self.zeta, self.forcing, self.nu = omega, zeta, forcing, nu
        self.json = {"type": "vibration", "omega": omega, "damping_ratio": zeta, "position": 1, "velocity": 0.3}
        if forcing:
            self.json.update({"forcing": forcing, "forcing_omega": nu})

    def f(self, t, x, v):
        return [-self.omega**2 * x[0] - 2 * self.zeta * self.omega * v[0] + self.forcing * math.sin(self.nu * t)]

    def J(self, t, x, v):
        return [[-self.omega**2]], [[-2 * self.zeta * self.omega]]

    def f_t(self, t, x, v):
        return [self.forcing * self.nu * math.cos(self.nu * t)]


class Coupled:
    """M x'' + C x' + K x = 0 of two masses, one of its rates fast."""
    M, C, K = [1.0, 2.0], [[300.0, -2.0], [-1.0, 0.1]], [[2e4, -150.0], [-100.0, 40.0]]
    json = {"type": "linear", "coordinates": ["a", "b"], "mass": [1, 2], "damping": [300, -2, -1, 0.1],
            "stiffness": [2e4, -150, -100, 40], "position": [0.1, 0.2], "velocity": [1, -0.5]}
    x, v = [0.1, 0.2], [1.0, -0.5]
    mass = [[1.0, 0.0], [0.0, 2.0]]

    def f(self, t, x, v):
        return [-(c + k) / m for c, k, m in zip(product(self.C, v), product(self.K, x), self.M)]

    def J(self, t, x, v):
        over_mass = lambda A: [[-a / m for a in row] for row, m in zip(A, self.M)]
        return over_mass(self.K), over_mass(self.C)

    def f_t(self, t, x, v):
        return [0.0, 0.0]


def rates(problem):
    """y' of y = (x, x')."""
    n = len(problem.x)
    return lambda t, y: y[n:] + problem.f(t, y[:n], y[n:])


class Norm:
    """|e| = sqrt(mean (e_i / (atol + rtol max(|a_i|, |b_i|)))^2), or the largest of them."""
    def __init__(self, rtol, atol, largest=False):
        self.rtol, self.atol, self.largest = rtol, atol, largest

    def __call__(self, e, a, b):
        scaled = [abs(x) / (self.atol + self.rtol * max(abs(p), abs(q))) for x, p, q in zip(e, a, b)]
        return max(scaled) if self.largest else math.sqrt(sum(x * x for x in scaled) / len(scaled))


class PinnedArm:
    """A planar body turning about a pin at its end: coordinates x, y, phi, constraints r - A(phi) (1/2, 0) = 0."""
    json = {"type": "planar", "gravity": [0, -GRAVITY],
            "bodies": {"arm": {"mass": 2, "inertia": 0.1, "position": [0.5, 0], "angular_velocity": 1, "velocity": [0, 0.5]}},
            "constraints": {"pin": {"type": "revolute", "bodies": ["ground", "arm"], "at": [0, 0]}}}
    x, v = [0.5, 0.0, 0.0], [0.0, 0.5, 1.0]
    M, Q = [2.0, 2.0, 0.1], [0.0, -2 * GRAVITY, 0.0]

    def Phi(self, q):
        return [q[0] - 0.5 * math.cos(q[2]), q[1] - 0.5 * math.sin(q[2])]

    def Phi_q(self, q):
        return [[1, 0, 0.5 * math.sin(q[2])], [0, 1, -0.5 * math.cos(q[2])]]

    def gamma(self, q, v):
        """Phi_q a = gamma where Phi stays zero."""
        return [-0.5 * math.cos(q[2]) * v[2]**2, -0.5 * math.sin(q[2]) * v[2]**2]

    def unbalanced(self, q, v, a, lam):
        """Q - M a - Phi_q^T lambda."""
        P = self.Phi_q(q)
        return [self.Q[i] - self.M[i] * a[i] - sum(P[r][i] * lam[r] for r in range(2)) for i in range(3)]

    def kkt(self, q, force, rows):
        """a and lambda of M a + Phi_q^T lambda = force, Phi_q a = rows."""
        P = self.Phi_q(q)
        matrix = [[self.M[i] * (i == j) for j in range(3)] + [P[0][i], P[1][i]] for i in range(3)]
        matrix += [P[r] + [0, 0] for r in range(2)]
        found = solved(matrix, list(force) + list(rows))
        return found[:3], found[3:]

    def accelerations(self, q, v):
        return self.kkt(q, self.Q, self.gamma(q, v))

    def tangent(self, q, v):
        """v without what is off the constraints, by M."""
        moved, _ = self.kkt(q, [0, 0, 0], [-r for r in product(self.Phi_q(q), v)])
        return add((1, v), (1, moved))

    def jerk(self, q, v):
        """d/dt of the accelerations along the motion through (q, v)."""
        a, lam = self.accelerations(q, v)
        c, s, w = 0.5 * math.cos(q[2]), 0.5 * math.sin(q[2]), v[2]
        force = [0, 0, -(c * w * lam[0] + s * w * lam[1])]
        # d/dt of Phi_q a = gamma
        rows = [-(2 * c * w * a[2] - s * w**3) - c * w * a[2], -(2 * s * w * a[2] + c * w**3) - s * w * a[2]]
        return self.kkt(q, force, rows)[0]

    def stiffness(self, q, lam):
        """d/dq of Phi_q^T lambda."""
        K = [[0.0] * 3 for _ in range(3)]
        K[2][2] = 0.5 * math.cos(q[2]) * lam[0] + 0.5 * math.sin(q[2]) * lam[1]
        return K


class Decay:
    """y' = -40 y, a problem of first order."""
    json = {"type": "exponential", "rate": -40, "initial": 1.5}
    x, v = [1.5], []

    def f(self, t, y, none):
        return [-40 * y[0]]

    def J(self, t, y, none):
        return [[-40.0]]
