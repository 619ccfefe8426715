#!/usr/bin/env python3
"""Largest |x| at the steps of the vibrations of Figures 5, 6 and 8: Eqs. 15, 16 (degree 3) and 40 to 42 (degree 4) of
Fernandez de Bustos et al. (2024) on x'' = -x + sin(w t), written down again apart from Trammel; started with zero jerk,
as printed."""
import math


def degree_3(alpha, beta, h, steps, w, v):
    x, a, before, largest = 0.0, 0.0, 0.0, 0.0
    for i in range(1, steps + 1):
        x += h * v + h * h / 2 * (alpha * a + (1 - alpha) * before)
        new = -x + math.sin(w * i * h)
        v += h * ((1 - beta) * a + beta * new)
        before, a = a, new
        largest = max(largest, abs(x))
    return largest


def degree_4(alpha, beta, gamma, h, steps, w, v):
    x, a, s, before, largest = 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(1, steps + 1):
        x += h * v + h * h / 2 * a + h ** 3 / 6 * (alpha * s + (1 - alpha) * before)
        new = -x + math.sin(w * i * h)
        s_new = ((new - a) / h - (1 - gamma) * s) / gamma
        v += h * a + h * h / 2 * ((1 - beta) * s + beta * s_new)
        before, s, a = s, s_new, new
        largest = max(largest, abs(x))
    return largest


def main():
    slow = 1 / (1 / 0.01 - 0.01)  # of the forced vibration alone
    for name, alpha in (("alpha_1", 1), ("alpha_4_3", 4 / 3), ("alpha_2", 2)):
        for h in (2.0, 1.54):
            print(f"Figures 5, 6: {name}, h = {h}: {degree_3(alpha, 0.5, h, int(500 / h), 0.01, slow):.12g}")
    fast = 10 / (1 - 100)
    for beta, gamma, h, duration in ((1 / 3, 0.5, 0.1, 1000), (1 / 3, 0.5, 0.01, 1000), (1 / 3, 0.5, 0.01, 10000),
                                     (1 / 3 + 0.01, 0.5 + 0.0005, 0.01, 10000)):
        largest = degree_4(1.25, beta, gamma, h, round(duration / h), 10, fast)
        print(f"Figure 8: beta = {beta:.6g}, gamma = {gamma}, h = {h}, {duration} s: {largest:.12g}")


main()
