"""The conditionally explicit family of Fernandez de Bustos et al., Mathematics 12 (2024) 2862, of any degree N.

Derivatives d_0 ... d_{N-1} = s of the motion; (1) and (2) of the plugin's notes, the equations of a step solved to rounding:
on second-order problems by fixed-point iterations, under constraints by Newton's method with all derivatives.
"""
import math

from problems import Pendulum, PinnedArm, Vibration, add, product, solved
from structural import quintic_middle

SETS = {
    "central_differences": [1, 1 / 2], "alpha_4_3": [4 / 3, 1 / 2], "alpha_2": [2, 1 / 2], "alpha_1_4": [1 / 4, 1 / 3, 1 / 2],
    "alpha_3_4": [3 / 4, 1 / 3, 1 / 2], "alpha_5_4": [5 / 4, 1 / 3, 1 / 2], "stabilized": [5 / 4, 1 / 3 + 0.01, 0.5005],
    "alpha_4_5": [4 / 5, 1, 1, 1], "ones": [1, 1, 1, 1], "top": [1.62, 1.03522, 1.0291293, 1.016],
    "taylor_5": [6 / 5, 1 / 4, 1 / 3, 1 / 2], "taylor_6": [7 / 6, 1 / 5, 1 / 4, 1 / 3, 1 / 2], "balanced_4": [4 / 3, 1 / 2, 2 / 3],
    "balanced_5": [1.02, 0.61, 0.59, 0.55], "stable_6": [2, 5, 6, 11 / 3, 2],
}


def taylor(h, m):
    return h**m / math.factorial(m)


class Derivatives:
    """d_1 ... d_{N-1} at one time and s of the time before; the sums of a step that do not need the new s."""
    def __init__(self, w, h):
        self.w, self.h, self.N = w, h, len(w) + 1

    def known(self, d, k):
        h, m = self.h, self.N - 1 - k
        terms = [(taylor(h, i), d[k + i]) for i in range(m)] + [(taylor(h, m) * (1 - self.w[k]), d[self.N - 1])]
        return add(*terms)

    def gain(self, k):
        m = self.N - 1 - k
        return 1.0 if m == 0 else taylor(self.h, m) * self.w[k]

    def ahead(self, d, s_before):
        h, N = self.h, self.N
        terms = [(taylor(h, i), d[i]) for i in range(N - 1)]
        return add(*terms, (taylor(h, N - 1) * (1 - self.w[0]), s_before), (taylor(h, N - 1) * self.w[0], d[N - 1]))


def start(N, jerk, x, v, a, h, keys, t=0.0):
    """d_3 ... d_{N-1}."""
    n, higher = len(x), []
    if N > 3:
        kind = keys.get("start", "exact")
        if kind == "zero":
            higher = [[0.0] * n] * (N - 3)
        elif kind == "given":
            higher = [keys["jerk"] * n, keys.get("snap", [0.0]) * n, [0.0] * n][:N - 3]
        else:
            j = jerk(t, x, v)
            at = lambda dt: jerk(t + dt, add((1, x), (dt, v), (dt**2 / 2, a), (dt**3 / 6, j)),
                                 add((1, v), (dt, a), (dt**2 / 2, j)))
            half, full = at(h / 2), at(h)
            higher = [j, add((4 / h, half), (-3 / h, j), (-1 / h, full)),
                      add((4 / h**2, full), (-8 / h**2, half), (4 / h**2, j))][:N - 3]
    return higher


def second_order(problem, w, h, count, keys):
    D = Derivatives(w, h)
    N, t, x, v = D.N, 0.0, problem.x, problem.v

    def jerk(t, x, v):
        J1, J2 = problem.J(t, x, v)
        return add((1, problem.f_t(t, x, v)), (1, product(J1, v)), (1, product(J2, problem.f(t, x, v))))

    a = problem.f(t, x, v)
    d = [x, v, a] + start(N, jerk, x, v, a, h, keys)
    s_before, rows = d[N - 1], []
    for _ in range(count):
        x_1 = D.ahead(d, s_before)
        v_1, b_1 = d[1], D.known(d, 1)
        for _ in range(200):
            if keys.get("analytic_jerk"):
                s = jerk(t + h, x_1, v_1)
            else:
                s = problem.f(t + h, x_1, v_1)
                if N > 3:
                    s = [(p - q) / D.gain(2) for p, q in zip(s, D.known(d, 2))]
            v_1 = add((1, b_1), (D.gain(1), s))
        a_1 = problem.f(t + h, x_1, v_1)
        new = [x_1, v_1, a_1] + [add((1, D.known(d, k)), (D.gain(k), s)) for k in range(3, N - 1)] + ([s] if N > 3 else [])
        rows.append({"t": t + h, "y": x_1 + v_1, "middle": quintic_middle(h, (d[0], d[1], d[2]), (x_1, v_1, a_1))})
        s_before, d, t = d[N - 1], new, t + h
    return rows


def constrained(problem, w, h, count, keys):
    D = Derivatives(w, h)
    N, t, q, v = D.N, 0.0, problem.x, problem.v
    a = problem.accelerations(q, v)[0]
    d = [q, v, a] + start(N, lambda t, q, v: problem.jerk(q, v), q, v, a, h, keys)
    ahead = add(*((taylor(h, k), d[k]) for k in range(N)))
    for _ in range(8):  # onto the constraints, by the smallest correction
        P = problem.Phi_q(ahead)
        lam = solved([[sum(a * b for a, b in zip(r, c)) for c in P] for r in P], problem.Phi(ahead))
        ahead = add((1, ahead), *((-m, r) for m, r in zip(lam, P)))
    rows = []
    for _ in range(count):
        q_1 = ahead
        # Everything at t_1 and the positions at t_2 as sums without and with the new s.
        b = [None] + [D.known(d, k) for k in range(1, N - 1)]
        without = [q_1] + b[1:N - 1] + [[0.0] * 3]
        b_0 = add(*((taylor(h, i), without[i]) for i in range(N - 1)), (taylor(h, N - 1) * (1 - w[0]), d[N - 1]))
        beta_0 = taylor(h, N - 1) * w[0] + sum(taylor(h, k) * D.gain(k) for k in range(1, N - 1))
        s, lam = d[N - 1], [0.0, 0.0]
        for _ in range(30):
            q_2, v_1 = add((1, b_0), (beta_0, s)), add((1, b[1]), (D.gain(1), s))
            a_1 = add((1, b[2]), (D.gain(2), s)) if N > 3 else s
            P_1, P_2, g = problem.Phi_q(q_1), problem.Phi_q(q_2), D.gain(2)
            matrix = [[problem.M[i] * g * (i == j) for j in range(3)] + [P_1[0][i], P_1[1][i]] for i in range(3)]
            matrix += [[beta_0 * p for p in P_2[r]] + [0, 0] for r in range(2)]
            step = solved(matrix, problem.unbalanced(q_1, v_1, a_1, lam) + [-p for p in problem.Phi(q_2)])
            s, lam = add((1, s), (1, step[:3])), add((1, lam), (1, step[3:]))
        q_2, v_1 = add((1, b_0), (beta_0, s)), add((1, b[1]), (D.gain(1), s))
        a_1 = add((1, b[2]), (D.gain(2), s)) if N > 3 else s
        new = [q_1, v_1, a_1] + [add((1, b[k]), (D.gain(k), s)) for k in range(3, N - 1)] + ([s] if N > 3 else [])
        rows.append({"t": t + h, "y": q_1 + v_1, "middle": quintic_middle(h, (d[0], d[1], d[2]), (q_1, v_1, a_1))})
        d, ahead, t = new, q_2, t + h
    return rows


def files():
    damped, free = Vibration(5, 0.1, 1, 3), Pendulum()
    runs = [
        ("weights", damped, {"weights": [1.02, 0.61, 0.59, 0.55]}),
        ("three", damped, {"weights": [1.35, 0.51]}),
        ("six", damped, {"weights": [1.9, 4.5, 5.5, 3.5, 1.9]}),
        ("given", damped, {"weights": [1.02, 0.61, 0.59, 0.55], "start": "given", "jerk": [7.5], "snap": [66.0],
                           "iteration": "linearized"}),
        ("fixed_point", damped, {"weights": [1.35, 0.51, 0.67], "iteration": "fixed_point"}),
        ("linearized", damped, {"weights": [2, 5, 6, 3.5, 2.1], "iteration": "linearized", "start": "zero"}),
        ("jerk", damped, {"set": "balanced_4", "analytic_jerk": True}),
        ("differenced", damped, {"set": "alpha_3_4", "differenced_jerk": True}),
    ] + [(name, free, {"set": name}) for name in SETS]
    for name, problem, keys in runs:
        w = list(keys.get("weights") or SETS[keys["set"]])
        if keys.get("differenced_jerk"):
            w[2] = 1
        rows = second_order(problem, w, 0.01, 12 if problem is damped else 7, keys)  # some sets are unstable
        yield name, {"type": "conditionally_explicit", **keys}, problem, {"h": [0.01]}, rows, len(rows)
    for name, keys in (("full", {"set": "balanced_5"}), ("null_space", {"set": "balanced_4", "solver": "null_space"}),
                       ("iterate", {"set": "stable_6", "newton_matrix": "iterate"}), ("zero", {"set": "ones", "start": "zero"}),
                       ("central", {"set": "alpha_4_3"})):
        rows = constrained(PinnedArm(), SETS[keys["set"]], 0.01, 12, keys)
        yield f"pinned_{name}", {"type": "conditionally_explicit", **keys}, PinnedArm(), {"h": [0.01], "rel": 1e-8}, rows, len(rows)
