"""Values that studies here expect, computed apart from Trammel: angles at rest of the lamp by bisection, and frequencies of the
planar chain of 64 links by Jacobi's rotations. Prints lines "study case metric value"."""
import math

G = 9.81


def lamp(stiffness):
    """Angle where the slope of the potential energy changes its sign, and the energy there."""
    h, c, length, free = 0.15, 0.2, 0.5, 0.05
    weight = G * (0.4 * length / 2 + 0.25 * length)

    def spring(phi):
        return math.hypot(c * math.cos(phi), c * math.sin(phi) - h)

    def slope(phi):  # s ds/dphi = -h c cos phi
        return weight * math.cos(phi) - stiffness * (1 - free / spring(phi)) * h * c * math.cos(phi)

    low, high = -math.pi / 2 + 1e-9, math.pi / 2 - 1e-9
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if slope(middle) < 0 else (low, middle)
    return low, weight * math.sin(low) + stiffness / 2 * (spring(low) - free) ** 2


def chain_frequencies(n=64, mass=0.05, length=0.1):
    """Eigenvalues of M x = x / omega^2 K in absolute angles, K diagonal, by cyclic rotations."""
    k = [mass * G * length * (n - i + 0.5) for i in range(1, n + 1)]
    a = [[mass * length**2 * (n - max(i, j) + (1 / 3 if i == j else 0.5)) / math.sqrt(k[i - 1] * k[j - 1])
          for j in range(1, n + 1)] for i in range(1, n + 1)]
    for _ in range(12):
        for p in range(n):
            for q in range(p + 1, n):
                if abs(a[p][q]) < 1e-18 * math.sqrt(abs(a[p][p] * a[q][q])):
                    continue
                theta = (a[q][q] - a[p][p]) / (2 * a[p][q])
                t = math.copysign(1, theta) / (abs(theta) + math.hypot(theta, 1))
                c = 1 / math.hypot(t, 1)
                s = t * c
                for row in a:
                    row[p], row[q] = c * row[p] - s * row[q], s * row[p] + c * row[q]
                a[p], a[q] = ([c * x - s * y for x, y in zip(a[p], a[q])], [s * x + c * y for x, y in zip(a[p], a[q])])
    return sorted(1 / math.sqrt(a[i][i]) for i in range(n))


def main():
    for stiffness in (90, 100, 110):
        angle, energy = lamp(stiffness)
        case = f"parameters.stiffness={stiffness},analysis.method=minimum_potential"
        print("balanced_lamp_study.json", case, "angle", repr(angle))
        if stiffness == 110:
            print("balanced_lamp_study.json", case, "energy", repr(energy))
    omega = chain_frequencies()
    for metric, value in (("first", omega[0]), ("second", omega[1]), ("last", omega[-1])):
        print("chain_modes_study.json", "planar", metric, repr(value))


main()
