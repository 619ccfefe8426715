"""Simplified Newton iteration for x = p + c x', x' = p' + c z, z = f(t, x, x') (Hairer, Wanner, Solving ODEs II, IV.8).

Iterations end when theta / (1 - theta) |change| <= tolerance, or at rounding. Jacobians are kept until theta exceeds 0.1.
"""
import sys

from problems import add, product, solved

EPSILON = sys.float_info.epsilon


class Newton:
    def __init__(self, problem, norm, tolerance):
        self.problem, self.norm, self.tolerance = problem, norm, tolerance
        self.jacobians = None
        self.c, self.theta, self.fresh = None, 0.0, False

    def matrix_for(self, c, state):
        if self.jacobians is None:
            self.jacobians = self.problem.J(*state)
            self.fresh, self.c = True, None
        if self.c != c:
            self.c, self.theta = c, 0.0

    def accepted(self):
        self.fresh = False
        if self.theta > 0.1:
            self.jacobians = None

    def system(self):
        J1, J2 = self.jacobians
        n = len(J1)
        return [[(i == j) - self.c * J2[i][j] - self.c**2 * J1[i][j] for j in range(n)] for i in range(n)]

    def solve(self, c, state, t, p, p_dot, z):
        """x, x', z and the number of iterations; once more with new Jacobians where old ones do not do. `state`: (t, x, x')
        of the step's begin."""
        self.matrix_for(c, state)
        found, first = self.iterate(state, t, p, p_dot, z)
        if found is None and not self.fresh:
            self.jacobians = None
            self.matrix_for(c, state)
            found, again = self.iterate(state, t, p, p_dot, z)
            first += again
        assert found is not None, "no convergence"
        return (*found, first)

    def iterate(self, state, t, p, p_dot, z):
        c, matrix = self.c, self.system()
        before, rate = 0.0, self.theta
        for m in range(10):
            v = add((1, p_dot), (c, z))
            x = add((1, p), (c, v))
            d = solved(matrix, add((1, self.problem.f(t, x, v)), (-1, z)))
            z = add((1, z), (1, d))
            size = self.size([c * c * k for k in d] + [c * k for k in d], state)
            rounding = 32 * EPSILON * self.size(x + v, state)
            if m > 0 and size > rounding:
                rate = self.theta = max(0.3 * self.theta, size / before)
            if size <= rounding or (0 < rate < 1 and rate / (1 - rate) * size <= self.tolerance):
                v = add((1, p_dot), (c, z))
                return (add((1, p), (c, v)), v, z), m + 1
            if m > 0 and not size < before:
                break
            before = size
        self.theta = 1
        return None, m + 1

    def size(self, e, state):
        at = state[1] + state[2]
        return self.norm(e, at, at)

    def filtered(self, e_x, e_v):
        """(I - c f_y)^-1 e of the first-order form."""
        e_v = solved(self.system(), add((1, e_v), (self.c, product(self.jacobians[0], e_x))))
        return add((1, e_x), (self.c, e_v)), e_v
