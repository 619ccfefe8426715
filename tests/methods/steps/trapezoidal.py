"""The implicit trapezoidal rule with the estimate of its local error -h^3/12 y''' (plugin's notes, (1) to (3)).

The problems are linear, so that Newton's iteration is exact. y''' of positions from two accelerations, of velocities from three, in the first step
from two and the total derivative of f; filtered by (I - h/2 f_y)^-1, that of the first step always.
"""
from newton import Newton
from problems import Coupled, Norm, Vibration, add, product, solved


def run(problem, steps, filtered):
    t, x, v = 0.0, problem.x, problem.v
    a = problem.f(t, x, v)
    J1, J2 = problem.J(t, x, v)
    drift = add((1, problem.f_t(t, x, v)), (1, product(J1, v)), (1, product(J2, a)))
    newton = Newton(problem, Norm(1e-6, 1e-8), 0)
    newton.jacobians = (J1, J2)
    h_before, a_before, rows = None, None, []
    for h in steps:
        newton.matrix_for(h / 2, None)
        p_dot, p = add((1, v), (h / 2, a)), add((1, x), (h / 2, v))
        a_1 = a
        for _ in range(6):
            v_1 = add((1, p_dot), (h / 2, a_1))
            x_1 = add((1, p), (h / 2, v_1))
            a_1 = add((1, a_1), (1, solved(newton.system(), add((1, problem.f(t + h, x_1, v_1)), (-1, a_1)))))
        rise = add((1, a_1), (-1, a))
        e_x = [h * h / 12 * r for r in rise]
        if h_before is None:
            e_v = add((h / 6, rise), (-h * h / 6, drift))
            e_x, e_v = newton.filtered(e_x, e_v)
        else:
            e_v = [h**3 / 6 * (r / h - (q - b) / h_before) / (h + h_before) for r, q, b in zip(rise, a, a_before)]
            if filtered:
                e_x, e_v = newton.filtered(e_x, e_v)
        s = 0.4
        middle = [(1 - 3 * s**2 + 2 * s**3) * x[i] + (s - 2 * s**2 + s**3) * h * v[i] + (3 * s**2 - 2 * s**3) * x_1[i]
                  + (s**3 - s**2) * h * v_1[i] for i in range(len(x))]
        middle += [v[i] + h * s * ((1 - s / 2) * a[i] + s / 2 * a_1[i]) for i in range(len(x))]
        rows.append({"t": t + h, "y": x_1 + v_1, "error": e_x + e_v, "middle": middle})
        h_before, a_before = h, a
        t, x, v, a = t + h, x_1, v_1, a_1
    return rows


STEPS = [0.02, 0.02, 0.035, 0.01, 0.025]


def files():
    for name, problem in (("stiff", Coupled()), ("forced", Vibration(5, 0.1, 1, 3))):
        for filtered in (True, False):
            rows = run(problem, STEPS * 3, filtered)
            keys = {"type": "trapezoidal", "error_filter": filtered}
            yield f"{name}{'_filtered' if filtered else ''}", keys, problem, {"fixed": True, "h": STEPS}, rows, len(rows)
