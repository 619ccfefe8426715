#!/usr/bin/env python3
"""Writes pendulum.csv, clamped.csv and free.csv: references for the modal beams of this folder that know no multibody code.

Pendulum: with e along the beam and n across it, the tip is at l e + eta n (psi(l) = 1), and the bob is a particle there: its pin
transmits no torque. Lagrange's equations in (phi, eta), all integrals with the bob's share:
    [I + c2 eta^2   d1] [phi'']   [-2 c2 eta eta' phi' + S n.g - c1 eta e.g + F.(l n - eta e)]
    [d1             c2] [eta''] = [c2 eta phi'^2 + c1 n.g - k eta + F.n                      ]
with F the spring's force at the tip; classical Runge-Kutta steps of 2e-5 s. The integrals are closed forms of the first clamped
mode: of a shape with psi(l) = 1, int psi^2 = l / 4, int psi = 2 s l / (2 b), int x psi = l^2 / b^2, s = (cosh b + cos b) / (sinh b +
sin b), cos b cosh b = -1 (R. E. D. Bishop, D. C. Johnson, The Mechanics of Vibration (1960), tables of chapter 7).

The others: eta = eta_0 cos(omega t), omega = (b / l)^2 sqrt(E I l / m), b = 1.87510407, and 4.73004074 for a free beam.
"""
import math
import pathlib

MASS, LENGTH, BENDING, BOB, G = 1.0, 1.2, 20.0, 0.5, 9.81
CLAMPED, FREE = 1.8751040687119611, 4.730040744862704
ANCHOR, STIFFNESS, UNSTRETCHED = (0.5, -2.0), 15.0, 1.0

b = CLAMPED
sigma = (math.cosh(b) + math.cos(b)) / (math.sinh(b) + math.sin(b))
S = MASS * LENGTH / 2 + BOB * LENGTH
I = MASS * LENGTH**2 / 3 + BOB * LENGTH**2
C1 = MASS * sigma / b + BOB
D1 = MASS * LENGTH / b**2 + BOB * LENGTH
C2 = MASS / 4 + BOB
K = (b / LENGTH) ** 4 * (BENDING * LENGTH / MASS) * MASS / 4


def rates(y):
    phi, eta, w, u = y
    e, n = (math.cos(phi), math.sin(phi)), (-math.sin(phi), math.cos(phi))
    tip = [LENGTH * e[k] + eta * n[k] for k in (0, 1)]
    d = [ANCHOR[k] - tip[k] for k in (0, 1)]
    length = math.hypot(*d)
    force = [STIFFNESS * (length - UNSTRETCHED) * x / length for x in d]
    fe, fn = force[0] * e[0] + force[1] * e[1], force[0] * n[0] + force[1] * n[1]
    ge, gn = -G * e[1], -G * n[1]
    f = -2 * C2 * eta * u * w + S * gn - C1 * eta * ge + LENGTH * fn - eta * fe
    g = C2 * eta * w * w + C1 * gn - K * eta + fn
    A = I + C2 * eta * eta
    det = A * C2 - D1 * D1
    return [w, u, (C2 * f - D1 * g) / det, (A * g - D1 * f) / det]


def step(y, h):
    add = lambda k, x: [p + x * r for p, r in zip(y, k)]
    k1 = rates(y)
    k2 = rates(add(k1, h / 2))
    k3 = rates(add(k2, h / 2))
    k4 = rates(add(k3, h))
    return [p + h / 6 * (r1 + 2 * r2 + 2 * r3 + r4) for p, r1, r2, r3, r4 in zip(y, k1, k2, k3, k4)]


def write(name, lines):
    pathlib.Path(__file__).with_name(name).write_text("\n".join(lines) + "\n")


y, lines = [0.0, 0.02, 0.0, 0.0], ["t,phi,eta"]
for i in range(101):
    lines.append(f"{i * 0.01:.2f},{y[0]:.15g},{y[1]:.15g}")
    for _ in range(500):
        y = step(y, 2e-5)
write("pendulum.csv", lines)
for name, beta, rows, dt in (("clamped.csv", CLAMPED, 101, 0.01), ("free.csv", FREE, 101, 0.005)):
    omega = (beta / LENGTH) ** 2 * math.sqrt(BENDING * LENGTH / MASS)
    write(name, ["t,eta"] + [f"{i * dt:.3f},{0.02 * math.cos(omega * i * dt):.15g}" for i in range(rows)])
