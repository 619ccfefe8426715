"""Newmark, HHT, generalized-alpha and Wilson's theta method, on second-order and on index-3 equations.

Newmark's formulas with accelerations a of the method, M a weighted: (1 - alpha_m) a_1 + alpha_m a_0 = (1 - alpha_f) u_1 +
alpha_f u_0 with u those of the equations (Arnold, Bruls, Multibody Syst. Dyn. 18 (2007) 185-202). The equations of a step are
solved to rounding. Estimates: Zienkiewicz, Xie (1991) for positions; for velocities the leading terms of what Taylor's formula
makes of the second of Newmark's formulas, which the notes of the plugin derive.
"""
from problems import Coupled, Pendulum, PinnedArm, Vibration, add, product, solved


def quintic(h, s, begin, end):
    """x and its rate at s of the step, of the polynomial with these (x, v, a) at both ends."""
    (x0, v0, a0), (x1, v1, a1) = begin, end
    # x = x0 + h v0 s + h^2 a0 s^2 / 2 + c3 s^3 + c4 s^4 + c5 s^5
    P, Q, R = x1 - x0 - h * v0 - h * h * a0 / 2, h * (v1 - v0) - h * h * a0, h * h * (a1 - a0)
    c3, c4, c5 = 10 * P - 4 * Q + R / 2, -15 * P + 7 * Q - R, 6 * P - 3 * Q + R / 2
    return (x0 + h * v0 * s + h * h * a0 * s * s / 2 + c3 * s**3 + c4 * s**4 + c5 * s**5,
            v0 + h * a0 * s + (3 * c3 * s**2 + 4 * c4 * s**3 + 5 * c5 * s**4) / h)


def quintic_middle(h, begin, end):
    pairs = [quintic(h, 0.4, (a, b, c), (d, e, f)) for a, b, c, d, e, f in zip(*begin, *end)]
    return [p[0] for p in pairs] + [p[1] for p in pairs]


class Scheme:
    def __init__(self, alpha_m, alpha_f, beta=None, gamma=None):
        self.m, self.f = alpha_m, alpha_f
        self.gamma = 0.5 + alpha_f - alpha_m if gamma is None else gamma
        self.beta = (0.5 + self.gamma)**2 / 4 if beta is None else beta

    def weighted(self, u_1, u_0, a_0):
        return [((1 - self.f) * p + self.f * q - self.m * r) / (1 - self.m) for p, q, r in zip(u_1, u_0, a_0)]

    def errors(self, h, h_before, a_before, a_0, a_1):
        share = (1 - self.f) / (1 - self.m)
        delta = self.f - self.m
        rise = add((1, a_1), (-1, a_0))
        e_x = [h * h * (self.beta - 1 / (6 * share)) * r for r in rise]
        C = 1 / 12 + delta / 2 - self.f * delta
        first = self.gamma - 0.5 - delta
        first = 0 if abs(first) < 1e-12 else first
        if h_before is None:
            return e_x, [h * (C + first) * r for r in rise]
        bend = [2 / (h + h_before) * (r / h - (q - p) / h_before) for r, q, p in zip(rise, a_0, a_before)]
        return e_x, [h * first * r + C * h**3 * b for r, b in zip(rise, bend)]


def second_order(problem, scheme, steps, estimate=True):
    t, x, v = 0.0, problem.x, problem.v
    u = a = problem.f(t, x, v)
    h_before, a_before, rows = None, None, []
    for h in steps:
        u_1 = u
        for _ in range(20):
            a_1 = scheme.weighted(u_1, u, a)
            x_1 = add((1, x), (h, v), (h * h * (0.5 - scheme.beta), a), (h * h * scheme.beta, a_1))
            v_1 = add((1, v), (h * (1 - scheme.gamma), a), (h * scheme.gamma, a_1))
            J1, J2 = problem.J(t + h, x_1, v_1)
            share = (1 - scheme.f) / (1 - scheme.m)
            n = len(x)
            matrix = [[(i == j) - h * scheme.gamma * share * J2[i][j] - h * h * scheme.beta * share * J1[i][j]
                       for j in range(n)] for i in range(n)]
            u_1 = add((1, u_1), (1, solved(matrix, add((1, problem.f(t + h, x_1, v_1)), (-1, u_1)))))
        row = {"t": t + h, "y": x_1 + v_1, "middle": quintic_middle(h, (x, v, a), (x_1, v_1, a_1))}
        if estimate:
            e_x, e_v = scheme.errors(h, h_before, a_before, a, a_1)
            row["error"] = e_x + e_v
        rows.append(row)
        h_before, a_before = h, a
        t, x, v, a, u = t + h, x_1, v_1, a_1, u_1
    return rows


def constrained(problem, scheme, steps):
    """M u + Phi_q^T lambda = Q, Phi = 0 at the end of each step."""
    t, q, v = 0.0, problem.x, problem.v
    u = a = problem.accelerations(q, v)[0]
    h_before, a_before, rows = None, None, []
    lam = problem.accelerations(q, v)[1]
    for h in steps:
        u_1 = u
        for _ in range(30):
            a_1 = scheme.weighted(u_1, u, a)
            q_1 = add((1, q), (h, v), (h * h * (0.5 - scheme.beta), a), (h * h * scheme.beta, a_1))
            v_1 = add((1, v), (h * (1 - scheme.gamma), a), (h * scheme.gamma, a_1))
            c_0 = h * h * scheme.beta * (1 - scheme.f) / (1 - scheme.m)
            du, dlam = problem.kkt(q_1, problem.unbalanced(q_1, v_1, u_1, lam), [-p / c_0 for p in problem.Phi(q_1)])
            u_1, lam = add((1, u_1), (1, du)), add((1, lam), (1, dlam))
        e_x, e_v = scheme.errors(h, h_before, a_before, a, a_1)
        rows.append({"t": t + h, "y": q_1 + v_1, "error": e_x + problem.tangent(q_1, e_v),
                     "middle": quintic_middle(h, (q, v, a), (q_1, v_1, a_1))})
        h_before, a_before = h, a
        t, q, v, a, u = t + h, q_1, v_1, a_1, u_1
    return rows


def wilson(problem, theta, steps):
    t, x, v = 0.0, problem.x, problem.v
    a = problem.f(t, x, v)
    rows = []
    for h in steps:
        T, a_t = theta * h, a
        for _ in range(40):
            x_t = add((1, x), (T, v), (T * T / 6, a_t), (T * T / 3, a))
            v_t = add((1, v), (T / 2, a_t), (T / 2, a))
            J1, J2 = problem.J(t + T, x_t, v_t)
            n = len(x)
            matrix = [[(i == j) - T / 2 * J2[i][j] - T * T / 6 * J1[i][j] for j in range(n)] for i in range(n)]
            a_t = add((1, a_t), (1, solved(matrix, add((1, problem.f(t + T, x_t, v_t)), (-1, a_t)))))
        a_1 = add((1, a), (1 / theta, a_t), (-1 / theta, a))
        x, v = add((1, x), (h, v), (h * h / 6, a_1), (h * h / 3, a)), add((1, v), (h / 2, a_1), (h / 2, a))
        t, a = t + h, a_1
        rows.append({"t": t, "y": x + v})
    return rows


STEPS = [0.02, 0.02, 0.035, 0.01, 0.025, 0.04]
SCHEMES = {
    "generalized_alpha": ({"rho_infinity": 0.62}, Scheme((2 * 0.62 - 1) / 1.62, 0.62 / 1.62)),
    "hht": ({"alpha": -0.23}, Scheme(0, 0.23)),
    "newmark": ({"beta": 0.31, "gamma": 0.58}, Scheme(0, 0, 0.31, 0.58)),
}


def files():
    def one(name, keys, problem, rows):
        return name, {"type": keys.pop("type"), **keys, "tolerance": 1e-13}, problem, {"fixed": True, "h": STEPS}, rows, len(rows)
    count = 3 * len(STEPS)
    for method, (keys, scheme) in SCHEMES.items():
        for name, problem in (("pendulum", Pendulum()), ("stiff", Coupled()), ("forced", Vibration(5, 0.1, 1, 3))):
            yield one(f"{method}_{name}", {"type": method, **keys}, problem, second_order(problem, scheme, STEPS * 3))
        yield one(f"{method}_pinned", {"type": method, **keys}, PinnedArm(), constrained(PinnedArm(), scheme, STEPS * 3))
    yield one("hht_i3_pinned", {"type": "hht_i3", "alpha": -0.17}, PinnedArm(),
              constrained(PinnedArm(), Scheme(0, 0.17), STEPS * 3))
    for name, problem in (("pendulum", Pendulum()), ("stiff", Coupled()), ("forced", Vibration(5, 0.1, 1, 3))):
        yield one(f"wilson_theta_{name}", {"type": "wilson_theta", "theta": 1.47}, problem, wilson(problem, 1.47, STEPS * 3))
