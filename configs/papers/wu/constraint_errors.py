"""Constraint errors of the slider-crank of Wu, Chiou and Lin (2000), section V, apart from Trammel: Table 3, the largest
errors of Figures 5 to 7, and those of the orders 4 and 5.

The four coordinates q = (theta, phi, x, y) and the three rows of (35), accelerations from Phi'' + 2 alpha Phi' + alpha^2 Phi = 0,
the appendix's formulas in ordinates (MAMPC_m is the corrector of order m + 1), PECE, starting values of RK4 steps so short that
their error is rounding. Prints constraint_errors.csv, whose figures the studies beside it judge:

  python3 constraint_errors.py > constraint_errors.csv
"""
import math

from stability_regions import BASHFORTH, MOULTON

J1, J2, MASS, R, L, L1, GRAVITY = 0.045, 33 / 4800, 1.0, 0.3, 0.5, 0.3, 9.81
DURATION = 10.0
START_PARTS = 500  # RK4 steps within one step of the method
GONE = 1.0         # m: a run with this violation has diverged


def solve_3(A, b):
    """Cramer's rule."""
    def determinant(m):
        return (m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
                + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]))
    whole = determinant(A)
    return [determinant([[b[i] if j == column else A[i][j] for j in range(3)] for i in range(3)]) / whole for column in range(3)]


def violations(y):
    theta, phi, x, height = y[:4]
    return (R * math.cos(theta) + L1 * math.cos(phi) - x, R * math.sin(theta) + L1 * math.sin(phi) - height,
            (L - L1) * math.sin(phi) + height)


def rates(y, alpha):
    theta, phi = y[0], y[1]
    v = y[4:]
    s, c, sp, cp = math.sin(theta), math.cos(theta), math.sin(phi), math.cos(phi)
    Phi_q = ((-R * s, -L1 * sp, -1, 0), (R * c, L1 * cp, 0, -1), (0, (L - L1) * cp, 0, 1))
    gamma = (R * c * v[0] ** 2 + L1 * cp * v[1] ** 2, R * s * v[0] ** 2 + L1 * sp * v[1] ** 2, (L - L1) * sp * v[1] ** 2)
    Phi = violations(y)
    inverse = (1 / J1, 1 / J2, 1 / MASS, 1 / MASS)
    free = (0, 0, 0, -GRAVITY)  # M^-1 F
    right = [sum(row[k] * free[k] for k in range(4)) - gamma[i] + 2 * alpha * sum(row[k] * v[k] for k in range(4))
             + alpha ** 2 * Phi[i] for i, row in enumerate(Phi_q)]
    A = [[sum(a[k] * inverse[k] * b[k] for k in range(4)) for b in Phi_q] for a in Phi_q]
    multipliers = solve_3(A, right)
    return v + [free[k] - inverse[k] * sum(multipliers[i] * Phi_q[i][k] for i in range(3)) for k in range(4)]


def rk4(y, h, alpha):
    add = lambda k, share: [a + share * h * b for a, b in zip(y, k)]
    k1 = rates(y, alpha)
    k2 = rates(add(k1, 0.5), alpha)
    k3 = rates(add(k2, 0.5), alpha)
    k4 = rates(add(k3, 1), alpha)
    return [a + h / 6 * (p + 2 * q + 2 * r + s) for a, p, q, r, s in zip(y, k1, k2, k3, k4)]


def norms(predictor, corrector, h, alpha):
    """The norm of the three rows at every step; ends where the run has diverged."""
    b, c = BASHFORTH[predictor], MOULTON[corrector]
    theta, phi = math.asin(5 / 6), -math.pi / 6
    y = [theta, phi, R * math.cos(theta) + L1 * math.cos(phi), R * math.sin(theta) + L1 * math.sin(phi), 0.0, 0.0, 0.0, 0.0]
    past = [rates(y, alpha)]  # f_n, f_{n-1}, ...
    result = [math.hypot(*violations(y))]
    for step in range(round(DURATION / h)):
        if step < predictor - 1:
            for _ in range(START_PARTS):
                y = rk4(y, h / START_PARTS, alpha)
        else:
            predicted = [a + h * sum(w * f[i] for w, f in zip(b, past)) for i, a in enumerate(y)]
            used = [rates(predicted, alpha)] + past[:len(c) - 1]
            y = [a + h * sum(w * f[i] for w, f in zip(c, used)) for i, a in enumerate(y)]
        past = [rates(y, alpha)] + past[:predictor - 1]
        result.append(math.hypot(*violations(y)))
        if not result[-1] < GONE:
            break
    return result


RUNS = [("ampc", 3, 0.01, 5), ("ampc", 3, 0.001, 5), ("mampc", 3, 0.01, 5), ("mampc", 3, 0.001, 5),
        ("ampc", 3, 0.01, 167), ("ampc", 3, 0.01, 168), ("mampc", 3, 0.01, 168), ("mampc", 3, 0.01, 188),
        ("mampc", 3, 0.01, 189), ("mampc", 3, 0.01, 190),
        ("ampc", 4, 0.005, 5), ("mampc", 4, 0.005, 5), ("ampc", 5, 0.005, 5), ("mampc", 5, 0.005, 5),
        ("ampc", 4, 0.01, 132), ("mampc", 4, 0.01, 132),
        ("mampc", 3, 0.01, 50), ("mampc", 3, 0.001, 500)]  # alpha h = 0.5: ../haug/step_feedback_study.json

if __name__ == "__main__":
    print("method,order,step,alpha,mean,largest,time")
    for method, m, h, alpha in RUNS:
        errors = norms(m, m + (method == "mampc"), h, alpha)
        largest = max(errors)
        told = (f"{sum(errors) / len(errors):.3e},{largest:.3e},{errors.index(largest) * h:.6g}" if largest < GONE
                else "diverges,diverges,")  # when, and how far, is a matter of the last bit
        print(f"{method},{m},{h},{alpha},{told}")
