"""The Verlet family, with equations for velocities solved to rounding; rattle as velocity Verlet with multipliers.

Swope et al. (1982), Beeman (1976), Yoshida (1990), Park and Underwood (1980), Andersen (1983); the rules by which the step of
Park and Underwood's method follows its apparent frequency are those of the plugin's notes.
"""
import math

from problems import Coupled, Pendulum, PinnedArm, Vibration, add, product
from structural import quintic_middle


def settled(problem, t, x, base, c):
    """a = f(t, x, base + c a)."""
    a = problem.f(t, x, base)
    for _ in range(300):
        a = problem.f(t, x, add((1, base), (c, a)))
    return a


def kick_drift_kick(problem, t, x, v, a, h):
    x_1 = add((1, x), (h, v), (h * h / 2, a))
    base = add((1, v), (h / 2, a))
    a_1 = settled(problem, t + h, x_1, base, h / 2)
    return x_1, add((1, base), (h / 2, a_1)), a_1


def velocity_verlet(problem, steps, parts=(1,)):
    t, x, v, rows = 0.0, problem.x, problem.v, []
    a = problem.f(t, x, v)
    for h in steps:
        begin, at = (x, v, a), t
        for part in parts:
            x, v, a = kick_drift_kick(problem, at, x, v, a, part * h)
            at += part * h
        t += h
        rows.append({"t": t, "y": x + v, "middle": quintic_middle(h, begin, (x, v, a))})
    return rows


def leapfrog(problem, steps):
    t, x, v, rows = 0.0, problem.x, problem.v, []
    for h in steps:
        middle = add((1, x), (h / 2, v))
        a = settled(problem, t + h / 2, middle, v, h / 2)
        v = add((1, v), (h, a))
        x, t = add((1, middle), (h / 2, v)), t + h
        rows.append({"t": t, "y": x + v})
    return rows


def beeman(problem, h, count):
    t, x, v, rows = 0.0, problem.x, problem.v, []
    a = before = problem.f(t, x, v)
    for _ in range(count):
        x_1 = add((1, x), (h, v), (h * h * 4 / 6, a), (-h * h / 6, before))
        base = add((1, v), (h * 5 / 6, a), (-h / 6, before))
        a_1 = settled(problem, t + h, x_1, base, h / 3)
        v_1 = add((1, base), (h / 3, a_1))
        t += h
        rows.append({"t": t, "y": x_1 + v_1, "middle": quintic_middle(h, (x, v, a), (x_1, v_1, a_1))})
        x, v, a, before = x_1, v_1, a_1, a
    return rows


def central_differences(problem, h, count):
    t, x, v, rows = 0.0, problem.x, problem.v, []
    a = problem.f(t, x, v)
    x_1 = add((1, x), (h, v), (h * h / 2, a))
    for _ in range(count):
        t += h
        base = [(p - q) / h for p, q in zip(x_1, x)]
        a_1 = settled(problem, t, x_1, base, h / 2)
        ahead = add((2, x_1), (-1, x), (h * h, a_1))
        v_1 = [(p - q) / (2 * h) for p, q in zip(ahead, x)]
        rows.append({"t": t, "y": x_1 + v_1, "middle": quintic_middle(h, (x, v, a), (x_1, v_1, a_1))})
        x, v, a, x_1 = x_1, v_1, a_1, ahead
    return rows


class ParkUnderwood:
    def __init__(self, problem, limit, h):
        self.problem, self.limit = problem, limit
        self.t, self.x, self.v = 0.0, problem.x, problem.v
        self.a = problem.f(0.0, self.x, self.v)
        self.largest, self.proposed = [0.0] * len(self.x), h

    def attempt(self, h):
        x, v, a = kick_drift_kick(self.problem, self.t, self.x, self.v, self.a, h)
        largest, square = list(self.largest), 0.0
        for i, move in enumerate(abs(p - q) for p, q in zip(x, self.x)):
            largest[i] = max(move, 0.95 * largest[i])
            if move > 0.1 * largest[i]:
                square = max(square, abs(a[i] - self.a[i]) / move)
        frequency = math.sqrt(square)
        void = h * frequency > 1.25 * self.limit
        before = h if void else max(h, self.proposed)
        after = before
        if before * frequency > self.limit:
            after = 0.85 * self.limit / frequency
        elif before * frequency <= 0.7 * self.limit:
            after = min(1.5 * before, 0.85 * self.limit / frequency if frequency > 0 else math.inf)
        if void:
            self.proposed = 0
            return None, after
        self.t, self.x, self.v, self.a, self.largest, self.proposed = self.t + h, x, v, a, largest, after
        return {"t": self.t, "y": x + v}, after


def rattle(problem, steps):
    t, q, v, rows = 0.0, problem.x, problem.v, []
    for h in steps:
        # Multipliers at the begin hold the positions at the end.
        lam = problem.accelerations(q, v)[1]
        P = problem.Phi_q(q)
        for _ in range(60):
            a = [u / m for u, m in zip(problem.unbalanced(q, v, [0.0] * 3, lam), problem.M)]
            q_1 = add((1, q), (h, v), (h * h / 2, a))
            # Newton's method with Phi_q of the begin: what lambda changes of a is -M^-1 Phi_q^T.
            da, dlam = problem.kkt(q, [0, 0, 0], [-2 / (h * h) * p for p in problem.Phi(q_1)])
            lam = add((1, lam), (1, dlam))
        # v_1 = v + h/2 (a + a_1), Phi_q v_1 = 0 at the end
        P_1 = problem.Phi_q(q_1)
        half = add((1, v), (h / 2, a))
        a_1, _ = problem.kkt(q_1, problem.Q, [-2 / h * r for r in product(P_1, half)])
        q, v, t = q_1, add((1, half), (h / 2, a_1)), t + h
        rows.append({"t": t, "y": q + v})
    return rows


STEPS = [0.01, 0.013, 0.02, 0.008, 0.016]
THIRD = 1 / (2 - 2 ** (1 / 3))


def files():
    for name, problem in (("pendulum", Pendulum()), ("damped", Vibration(5, 0.1, 1, 3))):
        for method, rows, h in (
                ("velocity_verlet", velocity_verlet(problem, STEPS * 4), STEPS),
                ("yoshida4", velocity_verlet(problem, STEPS * 4, (THIRD, 1 - 2 * THIRD, THIRD)), STEPS),
                ("leapfrog", leapfrog(problem, STEPS * 4), STEPS),
                ("beeman", beeman(problem, 0.012, 20), [0.012]),
                ("central_differences", central_differences(problem, 0.012, 20), [0.012])):
            yield f"{method}_{name}", {"type": method, "tolerance": 1e-14}, problem, {"h": h}, rows, len(rows)
    for name, problem, limit, h in (("pendulum", Pendulum(), 0.05, 0.2), ("damped", Vibration(5, 0.1, 1, 3), 0.3, 0.001)):
        run = ParkUnderwood(problem, limit, h)
        keys = {"type": "park_underwood", "frequency_limit": limit, "tolerance": 1e-14}
        yield f"park_underwood_{name}", keys, problem, {"h": h}, run, 80
    rows = rattle(PinnedArm(), STEPS * 4)
    yield "rattle_pinned", {"type": "rattle", "tolerance": 1e-14}, PinnedArm(), {"h": STEPS}, rows, len(rows)
