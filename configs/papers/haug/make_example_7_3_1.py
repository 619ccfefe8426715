"""The pendulum of Example 7.3.1, (J' + m) phi'' = -m g cos phi from phi = 3 pi/2 with 1 rad/s: Taylor series of order 24 in
steps of 0.01 s, good to rounding, apart from Trammel. Prints example_7_3_1.csv, whose own digits come from elliptic functions."""
import math

ORDER, STEP, STEPS = 24, 0.01, 1000
FACTOR = 2 * 9.81 / (0.5 + 2)


def series(phi, rate):
    """Coefficients of phi(t); with c = cos phi, s = sin phi: c' = -s phi', s' = c phi'."""
    x, c, s = [phi, rate], [math.cos(phi)], [math.sin(phi)]
    for k in range(ORDER):
        x.append(-FACTOR * c[k] / ((k + 1) * (k + 2)))
        c.append(-sum((j + 1) * x[j + 1] * s[k - j] for j in range(k + 1)) / (k + 1))
        s.append(sum((j + 1) * x[j + 1] * c[k - j] for j in range(k + 1)) / (k + 1))
    return x


print("t,phi,rate,x,y,fx,fy")
phi, rate = 3 * math.pi / 2, 1.0
for n in range(STEPS + 1):
    c, s, a = math.cos(phi), math.sin(phi), -FACTOR * math.cos(phi)
    fx, fy = 2 * (-c * rate**2 - s * a), 2 * (-s * rate**2 + c * a) + 2 * 9.81  # of the pin on the rod
    print(f"{n * STEP:.17g},{phi:.17g},{rate:.17g},{c:.17g},{s:.17g},{fx:.15g},{fy:.15g}")
    x = series(phi, rate)
    phi = sum(a * STEP**k for k, a in reversed(list(enumerate(x))))
    rate = sum(k * a * STEP ** (k - 1) for k, a in reversed(list(enumerate(x))) if k > 0)
