#!/usr/bin/env python3
"""Errors of Figure 11's path by a program of its own, apart from Trammel: degree 5 with the weights of section 6.

top_path.py [STEP ...]    largest error of x, y or z at the times of spinning_top.csv, started with zero jerk and snap

Method and top are those of table_values.cpp, in Python's numbers; equations of the paper: (40) to (43), (68) to (72).
"""
import csv
import math
import pathlib
import sys

I1, I3, MGL, LENGTH = 5e-5, 2e-4, 0.02 * 9.81 * 0.05, 0.05
ALPHA, BETA, GAMMA, ZETA = 1.62, 1.03522, 1.0291293, 1.016


def acceleration(x, v):
    s, c = math.sin(x[1]), math.cos(x[1])
    w3 = v[2] + v[0] * c
    phi = (I3 * w3 * v[1] - 2 * I1 * v[0] * v[1] * c) / (I1 * s)
    return [phi, (I1 * v[0] ** 2 * s * c - I3 * w3 * v[0] * s + MGL * s) / I1, -phi * c + v[0] * v[1] * s]


def place(x):
    s = LENGTH * math.sin(x[1])
    return [s * math.sin(x[0]), -s * math.cos(x[0]), LENGTH * math.cos(x[1])]


def places(h, steps):
    """Of the centre of gravity after every step."""
    h2, h3, h4 = h * h / 2, h ** 3 / 6, h ** 4 / 24
    x, v = [0, math.pi / 6, 0], [0, 0, 4 * math.pi]
    a, j, s = acceleration(x, v), [0.0] * 3, [0.0] * 3
    yield place(x)
    ahead = [p + (h * q + h2 * r) for p, q, r in zip(x, v, a)]
    for _ in range(steps):
        x = ahead
        known = [v[i] + (h * a[i] + h2 * j[i] + h3 * (1 - BETA) * s[i]) for i in range(3)]
        v_new = [known[i] + h3 * BETA * s[i] for i in range(3)]
        for _ in range(40):
            a_new = acceleration(x, v_new)
            s_new = [((a_new[i] - a[i] - h * j[i]) / h2 - (1 - GAMMA) * s[i]) / GAMMA for i in range(3)]
            after = [known[i] + h3 * BETA * s_new[i] for i in range(3)]
            change = max(abs(p - q) for p, q in zip(after, v_new))
            v_new = after
            if change < 1e-13 * max(map(abs, v_new)):
                break
        j = [j[i] + h * ((1 - ZETA) * s[i] + ZETA * s_new[i]) for i in range(3)]
        ahead = [x[i] + (h * v_new[i] + h2 * a_new[i] + h3 * j[i] + h4 * ((1 - ALPHA) * s[i] + ALPHA * s_new[i]))
                 for i in range(3)]
        a, v, s = a_new, v_new, s_new
        yield place(x)


def largest_error(h):
    with open(pathlib.Path(__file__).with_name("spinning_top.csv"), encoding="ascii") as file:
        rows = {float(r["t"]): [float(r[k]) for k in ("xcg", "ycg", "zcg")] for r in csv.DictReader(file)}
    every = round(0.05 / h)
    end = max(t for t in rows if t <= 10)
    largest = 0.0
    for n, at in enumerate(places(h, round(end / h))):
        if n % every == 0:
            right = rows[round(n * h, 2)]
            largest = max(largest, *(abs(p - q) for p, q in zip(at, right)))
    return largest


for step in map(float, sys.argv[1:] or ["0.01", "0.005", "0.0025", "0.001"]):
    print(f"{step:g} {largest_error(step):.6g}")
