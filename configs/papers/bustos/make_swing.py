"""A pendulum's swing from -0.7 rad with 1.1 rad/s, theta'' = -9.81 cos theta: Taylor series of order 24 in steps of 0.05 s,
good to rounding, apart from Trammel. Prints swing.csv."""

ORDER, STEP, STEPS = 24, 0.05, 100


def series(theta, rate):
    """Coefficients of theta(t); with c = cos theta, s = sin theta: c' = -s theta', s' = c theta'."""
    import math
    x, c, s = [theta, rate], [math.cos(theta)], [math.sin(theta)]
    for k in range(ORDER):
        x.append(-9.81 * c[k] / ((k + 1) * (k + 2)))
        c.append(-sum((j + 1) * x[j + 1] * s[k - j] for j in range(k + 1)) / (k + 1))
        s.append(sum((j + 1) * x[j + 1] * c[k - j] for j in range(k + 1)) / (k + 1))
    return x


print("t,theta,rate")
theta, rate = -0.7, 1.1
for n in range(STEPS + 1):
    print(f"{n * STEP:.2f},{theta:.15e},{rate:.15e}")
    x = series(theta, rate)
    theta = sum(a * STEP**k for k, a in reversed(list(enumerate(x))))
    rate = sum(k * a * STEP ** (k - 1) for k, a in reversed(list(enumerate(x))) if k > 0)
