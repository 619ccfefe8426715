#!/usr/bin/env python3
"""Tables 1 and 2 of Sandu et al. (2001) by an implementation that shares nothing with Trammel: the values that
double_pendulum_planar_study.json expects, and those of double_pendulum_study.json with the Euler parameters e3 as
independent coordinates.

Lagrange's equations in both angles, Jacobians by complex steps, the method in the working form of the paper's Theorem 2.1
with the corrected coefficients, its controller (13) to (16). Errors are those at the method's own steps against
double_pendulum_rest.csv and double_pendulum.csv: quintic interpolation between the rows with accelerations from the
equations, and small Runge-Kutta steps before the first row, where the fast transient is.

Usage: double_pendulum_tables.py [parameters]
"""
import cmath
import csv
import math
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
GAMMA = 0.57281606
ALPHA = (0, 1.14563212, 0.65521497597313382947774817, 0.65521497597313382947774817)
GAMMAS = (0.57281606, -1.7691770671120139491705470, 0.75929396429320985367096873, -0.10489462149095580320674058)
A = ((), (2.0,), (1.8679481494982371323447677, 0.23444556851723885002321831),
     (1.8679481494982371323447677, 0.23444556851723885002321831, 0))
THETA = ((), (1.14563212,), (0.78950916281563862962697899, 0.13429418684250480014923082),
         (0.78950916281563862962697899, 0.13429418684250480014923082, 0))
C = ((), (-7.1376499433499798303693528,), (2.5809236665096577144879899, 0.65162988730203202338738613),
     (-2.1371152665066191168063766, -0.32146953133995107076924604, -0.69496604928244522515734368))
DELTA = ((), (-1.1963610071120139491705470,), (1.4702802544097807146338582, 0.34810583767920449001669190),
         (0.0037650943555561657989768111, -0.10976248675810325567539895, -0.22803103597313382947774817))
M = (2.2555662286045652437288472, 0.28705506319415760766263265, 0.43531196337998321340271439, 1.0935076564032478032148206)
M_HAT = (2.0683991605275837342586835, 0.23868135206753279795649538, 0.36337334543539170826175733,
         0.36655712793615514430918040)
MU = (1.5927508194095853420748989, 0.19593826631025060969332774, 0, 0.62637874732074217784116888)
MU_HAT = (1.4349039718482094726271088, 0.22297867258869836904515169, 0.12455968641470204977489700,
          0.20996980978930432131191614)
SAFETY, LEAST, MOST, FIRST_STEP, END = 0.9, 0.2, 5, 1e-5, 2


def acceleration(x, v):
    """Rods of 2 m and 3 m, 3 kg and 0.3 kg; springs and dampers 400, 15 and 3e5, 5e4."""
    d = x[0] - x[1]
    coupling, turn = 0.9 * cmath.cos(d), 0.9 * cmath.sin(d)
    inner = 3e5 * (x[1] - x[0]) + 5e4 * (v[1] - v[0])
    f_1 = -9.81 * 3.6 * cmath.cos(x[0]) - 400 * (x[0] - 1.5 * math.pi) - 15 * v[0] + inner - turn * v[1] ** 2
    f_2 = -9.81 * 0.45 * cmath.cos(x[1]) - inner + turn * v[0] ** 2
    det = 5.2 * 0.9 - coupling ** 2
    return (0.9 * f_1 - coupling * f_2) / det, (5.2 * f_2 - coupling * f_1) / det


def of_parameters(w, rate):
    """Angles and their rates of w = e3 of both rods: w_1 = sin(theta_1/2 - pi), w_2 = sin(theta_2/2) beyond pi/2."""
    c = (cmath.sqrt(1 - w[0] ** 2), -cmath.sqrt(1 - w[1] ** 2))
    theta = (2 * math.pi + 2 * cmath.asin(w[0]), 2 * math.pi - 2 * cmath.asin(w[1]))
    return theta, [2 * rate[k] / c[k] for k in range(2)], c


def acceleration_of_parameters(w, rate):
    theta, speed, c = of_parameters(w, rate)
    a = acceleration(theta, speed)
    return [c[k] * a[k] / 2 - w[k] * speed[k] ** 2 / 4 for k in range(2)]


def real(pair):
    return [value.real for value in pair]


def jacobians(f, x, v, tiny=1e-30):
    by_x, by_v = [], []
    for j in range(2):
        shift = [1j * tiny if i == j else 0 for i in range(2)]
        by_x.append([a.imag / tiny for a in f([x[0] + shift[0], x[1] + shift[1]], v)])
        by_v.append([a.imag / tiny for a in f(x, [v[0] + shift[0], v[1] + shift[1]])])
    return [[by_x[j][i] for j in range(2)] for i in range(2)], [[by_v[j][i] for j in range(2)] for i in range(2)]


def times(matrix, vector):
    return [sum(a * b for a, b in zip(row, vector)) for row in matrix]


def one_step(function, x, v, h):
    j_1, j_2 = jacobians(function, x, v)
    s = [[(i == j) - h * GAMMA * j_2[i][j] - (h * GAMMA) ** 2 * j_1[i][j] for j in range(2)] for i in range(2)]
    det = s[0][0] * s[1][1] - s[0][1] * s[1][0]
    z, f = [], None
    drift = times(j_1, v)
    for i in range(4):
        if i < 3:  # the fourth stage takes the third one's acceleration
            place = [x[k] + h * ALPHA[i] * v[k] + h * sum(THETA[i][j] * z[j][k] for j in range(i)) for k in range(2)]
            f = real(function(place, [v[k] + sum(A[i][j] * z[j][k] for j in range(i)) for k in range(2)]))
        before = times(j_1, [sum(DELTA[i][j] * z[j][k] for j in range(i)) for k in range(2)])
        r = [h * GAMMA * f[k] + h * h * GAMMA * GAMMAS[i] * drift[k] + GAMMA * sum(C[i][j] * z[j][k] for j in range(i))
             + h * h * GAMMA * before[k] for k in range(2)]
        z.append([(s[1][1] * r[0] - s[0][1] * r[1]) / det, (s[0][0] * r[1] - s[1][0] * r[0]) / det])

    def end(mu, m):
        return [x[k] + h * v[k] + h * sum(mu[i] * z[i][k] for i in range(4)) for k in range(2)] + \
               [v[k] + sum(m[i] * z[i][k] for i in range(4)) for k in range(2)]
    return end(MU, M), end(MU_HAT, M_HAT)


def run(speed_2, tolerance, parameters=False):
    t, y, h, after_rejection = 0.0, [2 * math.pi, 23 * math.pi / 12, 0.0, speed_2], FIRST_STEP, False
    function = acceleration_of_parameters if parameters else acceleration
    if parameters:
        y = [0.0, math.sin(y[1] / 2), 0.0, math.cos(y[1] / 2) * speed_2 / 2]
    path = []
    while t < END:
        left = END - t
        h = left if h >= left else left / 2 if 2 * h > left else h
        new, other = one_step(function, y[:2], y[2:], h)
        error = math.sqrt(sum(((a - b) / (tolerance * (1 + max(abs(a), abs(c))))) ** 2
                              for a, b, c in zip(new, other, y)) / 4)
        factor = min(MOST, max(LEAST, SAFETY * error ** -0.25))
        if error <= 1:
            t, y = (END if h == left else t + h), new
            if parameters:
                theta, rate, _ = of_parameters(y[:2], y[2:])
                path.append((t, theta[0].real, rate[0].real))
            else:
                path.append((t, y[0], y[2]))
            factor = min(factor, 1) if after_rejection else factor
        after_rejection = error > 1
        h *= factor
    return path


def reference(file):
    with open(HERE / file, newline="") as table:
        rows = [[float(number) for number in row] for row in list(csv.reader(table))[1:]]

    def at(t):
        """theta_1 and its rate."""
        k = min(int(t / 0.01 + 1e-9), len(rows) - 2)
        if k == 0:
            return transient(rows[0], t)
        h, s = rows[k + 1][0] - rows[k][0], (t - rows[k][0]) / (rows[k + 1][0] - rows[k][0])
        ends = [(row[1], row[2] * h, real(acceleration((row[1], row[3]), (row[2], row[4])))[0] * h * h)
                for row in (rows[k], rows[k + 1])]
        (p, v, a), (q, w, b) = ends
        rise, speed, bend = q - p - v - a / 2, w - v - a, b - a
        c = (10 * rise - 4 * speed + bend / 2, -15 * rise + 7 * speed - bend, 6 * rise - 3 * speed + bend / 2)
        return (p + v * s + a * s * s / 2 + c[0] * s ** 3 + c[1] * s ** 4 + c[2] * s ** 5,
                (v + a * s + 3 * c[0] * s ** 2 + 4 * c[1] * s ** 3 + 5 * c[2] * s ** 4) / h)
    return at


def transient(row, t):
    """By Runge-Kutta steps of a fortieth of the fast time constant, 1e-5 s, and of half of it after thirty of them."""
    y, fast = [row[1], row[3], row[2], row[4]], min(t, 3e-4)
    steps = [fast / math.ceil(fast / 2.5e-7)] * math.ceil(fast / 2.5e-7)
    if t > fast:
        steps += [(t - fast) / math.ceil((t - fast) / 5e-6)] * math.ceil((t - fast) / 5e-6)

    def rate(y):
        return y[2:] + real(acceleration(y[:2], y[2:]))
    for h in steps:
        k_1 = rate(y)
        k_2 = rate([a + h / 2 * b for a, b in zip(y, k_1)])
        k_3 = rate([a + h / 2 * b for a, b in zip(y, k_2)])
        k_4 = rate([a + h * b for a, b in zip(y, k_3)])
        y = [a + h / 6 * (b + 2 * c + 2 * d + e) for a, b, c, d, e in zip(y, k_1, k_2, k_3, k_4)]
    return y[0], y[2]


def main():
    for name, speed, file in (("rest", 0.0, "double_pendulum_rest.csv"), ("moving", 10.0, "double_pendulum.csv")):
        at, largest = reference(file), {}
        for k in (-2, -3, -4, -5):
            path = run(speed, 10.0 ** k, "parameters" in sys.argv[1:])
            exact = [at(t) for t, _, _ in path]
            for column, what in ((0, "theta_1"), (1, "theta_1'")):
                errors = [abs(row[1 + column] - value[column]) for row, value in zip(path, exact)]
                worst = errors.index(max(errors))
                mean = math.sqrt(sum(error ** 2 for error in errors) / len(errors))
                largest.setdefault(what, []).append(math.log10(errors[worst]))
                print(f"{name:6} 1e{k} {what:8} steps {len(path):3}, t* {path[worst][0]:.4f}, error {errors[worst]:.4g}, "
                      f"{100 * errors[worst] / abs(exact[worst][column]):.4g} %, mean {mean:.4g}")
        for what, logs in largest.items():
            slope = sum(x * y for x, y in zip((1.5, 0.5, -0.5, -1.5), logs)) / 5
            print(f"{name:6} {what}: error goes with the tolerance to the power {slope:.3f}")


main()
