"""Stability regions of Figures 1 to 3 of Wu, Chiou and Lin (2000), apart from Trammel: the appendix's formulas in
ordinates, and the Schur-Cohn criterion for all roots of the characteristic polynomial in PECE mode. Prints
stability_regions.csv: where the region ends, per direction of h lambda (degrees from the positive real axis).
With the argument `areas` it prints the areas of the regions, which regions_study.json judges."""
import cmath
import sys

BASHFORTH = {3: [23 / 12, -16 / 12, 5 / 12], 4: [55 / 24, -59 / 24, 37 / 24, -9 / 24],
             5: [w / 720 for w in (1901, -2774, 2616, -1274, 251)]}
MOULTON = {3: [5 / 12, 8 / 12, -1 / 12], 4: [9 / 24, 19 / 24, -5 / 24, 1 / 24],
           5: [w / 720 for w in (251, 646, -264, 106, -19)],
           6: [w / 1440 for w in (475, 1427, -798, 482, -173, 27)]}


def characteristic(predictor, corrector, z):
    """Ascending coefficients; y_{n+1} = y_n + z (c_0 y^p + sum c_j y_{n+1-j}), y^p = y_n + z sum b_j y_{n-j}."""
    b, c = BASHFORTH[predictor], MOULTON[corrector]
    a = [z * (c[j + 1] if j + 1 < len(c) else 0) + z * z * c[0] * b[j] for j in range(predictor)]
    a[0] += 1 + z * c[0]
    return [-entry for entry in reversed(a)] + [1]


def inside_unit_circle(p):
    while len(p) > 1:
        if abs(p[0]) >= abs(p[-1]):
            return False
        n, first, last = len(p) - 1, p[0], p[-1]
        p = [last.conjugate() * p[j + 1] - first * p[n - j - 1].conjugate() for j in range(n)]
        scale = max(abs(entry) for entry in p)
        p = [complex(entry) / scale for entry in p]
    return True


def boundary(predictor, corrector, degrees):
    direction = cmath.exp(1j * cmath.pi * degrees / 180)
    stable = lambda r: inside_unit_circle([complex(x) for x in characteristic(predictor, corrector, r * direction)])
    inside, outside = 0.0, 0.01
    while stable(outside):
        inside, outside = outside, outside + 0.01
    for _ in range(45):
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if stable(middle) else (inside, middle)
    return inside


def area(predictor, corrector, left=-2.2, right=0.4, top=2.0, columns=520, rows=100):
    """Of both halves; along the middle of each column the edges are found by bisection, so lobes count too."""
    stable = lambda re, im: inside_unit_circle([complex(x) for x in characteristic(predictor, corrector, complex(re, im))])
    width, height, whole = (right - left) / columns, top / rows, 0.0
    for column in range(columns):
        re = left + (column + 0.5) * width
        at, here = 0.0, stable(re, 0.0)
        for row in range(1, rows + 1):
            to, there = row * height, stable(re, row * height)
            if here and there:
                whole += height
            elif here != there:
                low, high = at, to
                for _ in range(20):
                    middle = (low + high) / 2
                    low, high = (middle, high) if stable(re, middle) == here else (low, middle)
                whole += low - at if here else to - low
            at, here = to, there
    return 2 * width * whole


METHODS = [(name, m, m + raised) for m in (3, 4, 5) for name, raised in (("ampc", 0), ("mampc", 1))]

if __name__ == "__main__" and sys.argv[1:] == ["areas"]:
    for name, m, c in METHODS:
        print(f"{name}_{m} {area(m, c):.6f} {area(m, c, columns=260):.6f} with half the columns")
elif __name__ == "__main__":
    print("degrees," + ",".join(f"{name}_{m}" for name, m, _ in METHODS))
    for angle in range(95, 181, 5):
        print(f"{angle}," + ",".join(f"{boundary(m, c, angle):.8f}" for _, m, c in METHODS))
