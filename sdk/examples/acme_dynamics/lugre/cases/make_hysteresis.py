"""Writes hysteresis.csv: closed forms of LuGre friction on a driven slide.

With g = F_c (no Stribeck effect) and sigma_1 = sigma_2 = 0 the deflection depends on the way alone, not on the speed:

    dz/dx = 1 - sigma_0 z sign(v) / F_c
    z = +-F_c / sigma_0 + (z_r -+ F_c / sigma_0) exp(-sigma_0 |x - x_r| / F_c)      from the last reversal x_r, z_r

on x = X sin(w t) (Dahl's hysteresis). Steady sliding at constant speed v and the way there from z = 0, with all terms:

    z = g(v) / sigma_0 (1 - exp(-sigma_0 |v| t / g(v))),   F = sigma_0 z + sigma_1 z' + sigma_2 v
"""
import math

sigma_0, F_c, X, w = 2000.0, 5.0, 0.005, 2 * math.pi
F_s, v_s, sigma_1, sigma_2, v = 8.0, 0.01, 4.0, 30.0, 0.015


def hysteresis(t):
    """Friction on the slide at t."""
    quarter = math.pi / (2 * w)
    z, x_r, end, sign = 0.0, 0.0, quarter, 1
    while True:
        x = X * math.sin(w * min(t, end))
        limit = sign * F_c / sigma_0
        now = limit + (z - limit) * math.exp(-sigma_0 * abs(x - x_r) / F_c)
        if t <= end:
            return -sigma_0 * now
        z, x_r, end, sign = now, x, end + 2 * quarter, -sign


def sliding(t):
    g = F_c + (F_s - F_c) * math.exp(-((v / v_s) ** 2))
    rest = math.exp(-sigma_0 * v * t / g)
    return -(g * (1 - rest) + sigma_1 * v * rest + sigma_2 * v)


with open("hysteresis.csv", "w") as file:
    file.write("t,hysteresis,sliding\n")
    for k in range(201):
        t = k / 100
        file.write(f"{t:.17g},{hysteresis(t):.17g},{sliding(t):.17g}\n")
