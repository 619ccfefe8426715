#!/usr/bin/env python3
"""What figure_4_study.json and methods_study.json judge, apart from Trammel.

Figure 4: where Adams-Bashforth 4 ends on the imaginary axis, how far the radius of order 5 exceeds 1, radii of HHT.
Orders: degree 5 with the weights of section 6 on the swing of swing.csv, h = 0.005 and 0.0025.
"""
import cmath
import csv
import math
import pathlib

BASHFORTH = {4: [55 / 24, -59 / 24, 37 / 24, -9 / 24], 5: [w / 720 for w in (1901, -2774, 2616, -1274, 251)]}


def roots(p):
    """Of a monic polynomial, coefficients in descending order, by the Durand-Kerner iteration."""
    found = [(0.4 + 0.9j) ** k for k in range(len(p) - 1)]
    for _ in range(500):
        for i, z in enumerate(found):
            value = 0
            for c in p:
                value = value * z + c
            for k, other in enumerate(found):
                if k != i:
                    value /= z - other
            found[i] = z - value
    return found


def bashforth_radius(order, omega):
    """zeta^k = zeta^(k-1) + i omega sum b_j zeta^(k-1-j)."""
    p = [1] + [-1j * omega * b for b in BASHFORTH[order]]
    p[1] -= 1
    return max(map(abs, roots(p)))


def bashforth_limit(order):
    """Up to which every step is stable: the least omega beyond which a radius leaves 1."""
    low, high = 0.3, 0.6
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if bashforth_radius(order, middle) <= 1 else (low, middle)
    return low


def hht_radius(alpha, omega):
    """Hilber, Hughes, Taylor (1977) on x'' = -omega^2 x, h = 1; beta = (1 - alpha)^2/4, gamma = 1/2 - alpha:
    a1 = -omega^2 [(1 + alpha) x1 - alpha x0], x1 = x0 + v0 + (1/2 - beta) a0 + beta a1, v1 = v0 + (1 - gamma) a0 + gamma a1."""
    beta, gamma, w2 = (1 - alpha) ** 2 / 4, 0.5 - alpha, omega ** 2
    columns = []
    for x0, v0, a0 in ((1, 0, 0), (0, 1, 0), (0, 0, 1)):
        known = x0 + v0 + (0.5 - beta) * a0
        a1 = -w2 * ((1 + alpha) * known - alpha * x0) / (1 + w2 * (1 + alpha) * beta)
        columns.append((known + beta * a1, v0 + (1 - gamma) * a0 + gamma * a1, a1))
    (a, d, g), (b, e, h), (c, f, i) = columns
    trace = a + e + i
    minors = a * e - b * d + a * i - c * g + e * i - f * h
    determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    return max(map(abs, roots([1, -trace, minors, -determinant])))


def swing_errors(weights, h):
    """Largest error of theta at the times of swing.csv: (68) to (72) from the exact jerk and snap."""
    alpha, beta, gamma, zeta = weights
    with open(pathlib.Path(__file__).with_name("swing.csv"), encoding="ascii") as file:
        exact = [float(row["theta"]) for row in csv.DictReader(file)]
    h2, h3, h4 = h * h / 2, h ** 3 / 6, h ** 4 / 24
    x, v = -0.7, 1.1
    a, j = -9.81 * math.cos(x), 9.81 * math.sin(x) * v
    s = 9.81 * (math.cos(x) * v * v + math.sin(x) * a)
    before, largest, every = s, 0.0, round(0.05 / h)
    for n in range(1, round(5 / h) + 1):
        x += h * v + h2 * a + h3 * j + h4 * ((1 - alpha) * before + alpha * s)
        a_new = -9.81 * math.cos(x)
        s_new = ((a_new - a - h * j) / h2 - (1 - gamma) * s) / gamma
        v += h * a + h2 * j + h3 * ((1 - beta) * s + beta * s_new)
        j += h * ((1 - zeta) * s + zeta * s_new)
        before, s, a = s, s_new, a_new
        if n % every == 0:
            largest = max(largest, abs(x - exact[n // every]))
    return largest


def main():
    print(f"Figure 4: AB4 ends at {bashforth_limit(4):.10f}")
    excess = [bashforth_radius(5, omega) - 1 for omega in (0.02, 0.04)]
    print(f"Figure 4: AB5, radius - 1 = c omega^p: p = {math.log2(excess[1] / excess[0]):.4f}, c = {excess[0] / 0.02 ** 6:.6f}; "
          f"by the error constant p = 6, c = 95/288 = {95 / 288:.6f}; at 0.1: {bashforth_radius(5, 0.1) - 1:.6e}")
    for omega in (1, 2, 4, 1000):
        print(f"Figure 4: HHT, alpha = -0.05, radius at {omega}: {hht_radius(-0.05, omega):.10f}")
    for name, weights in (("top", (1.62, 1.03522, 1.0291293, 1.016)), ("ones", (1, 1, 1, 1))):
        errors = [swing_errors(weights, h) for h in (0.005, 0.0025)]
        print(f"order of {name}: {math.log2(errors[0] / errors[1]):.4f}, errors {errors[0]:.6e}, {errors[1]:.6e}")


main()
