"""The crank-rocker of configs/examples/planar_four_bar.json, apart from Trammel: as the crank turns all the way round, its
rate follows from its angle by the energy, M(c) c'^2 / 2 + V(c) = E, with the loop in closed form and rates by Freudenstein's
relations; time is the integral of dc / c' by Gauss' rule, and Newton's method finds the angle of a time. No error grows from
step to step. Prints four_bar.csv, good to 1e-12."""
import math

A, B, C, D, RHO, G = 0.15, 0.40, 0.30, 0.45, 2.0, 9.81
STEP, STEPS, POINTS = 0.01, 500, 16


def angles(crank):
    """Of coupler and rocker."""
    s, c = math.sin(crank), math.cos(crank)
    e = math.hypot(D - A * c, A * s)
    coupler = math.atan2(-A * s, D - A * c) + math.acos((B**2 + e**2 - C**2) / (2 * B * e))
    rocker = math.atan2(A * s + B * math.sin(coupler), A * c + B * math.cos(coupler) - D)
    return coupler, rocker


def inertia_and_potential(crank):
    """M, twice the kinetic energy at unit rate of the crank, and V."""
    coupler, rocker = angles(crank)
    k3 = A / B * math.sin(rocker - crank) / math.sin(coupler - rocker)
    k4 = A / C * math.sin(coupler - crank) / math.sin(coupler - rocker)
    vx = -A * math.sin(crank) - k3 * B / 2 * math.sin(coupler)
    vy = A * math.cos(crank) + k3 * B / 2 * math.cos(coupler)
    inertia = RHO * A**3 / 3 + RHO * B * (vx * vx + vy * vy) + RHO * B**3 / 12 * k3 * k3 + RHO * C**3 / 3 * k4 * k4
    potential = G * (RHO * A * A / 2 * math.sin(crank) + RHO * C * C / 2 * math.sin(rocker)
                     + RHO * B * (A * math.sin(crank) + B / 2 * math.sin(coupler)))
    return inertia, potential


def gauss(n):
    """Nodes and weights on [-1, 1]: zeros of the Legendre polynomial by Newton's method."""
    rule = []
    for i in range(n):
        x = math.cos(math.pi * (i + 0.75) / (n + 0.5))
        for _ in range(8):
            p, before = x, 1.0
            for k in range(2, n + 1):
                p, before = ((2 * k - 1) * x * p - (k - 1) * before) / k, p
            slope = n * (x * p - before) / (x * x - 1)
            x -= p / slope
        rule.append((x, 2 / ((1 - x * x) * slope * slope)))
    return rule


RULE = gauss(POINTS)


def rate(crank):
    inertia, potential = inertia_and_potential(crank)
    return math.sqrt(2 * (ENERGY - potential) / inertia)


def duration(begin, end):
    middle, half = (begin + end) / 2, (end - begin) / 2
    return half * math.fsum(w / rate(middle + half * x) for x, w in RULE)


crank = math.pi / 3
inertia, potential = inertia_and_potential(crank)
ENERGY = inertia * 10.0**2 / 2 + potential
print("t,crank,coupler,rocker,crank_rate")
for n in range(STEPS + 1):
    coupler, rocker = angles(crank)
    print(f"{n * STEP:.17g},{crank:.17g},{coupler:.17g},{rocker:.17g},{rate(crank):.17g}")
    end = crank + STEP * rate(crank)
    for _ in range(6):
        end -= (duration(crank, end) - STEP) * rate(end)
    crank = end
