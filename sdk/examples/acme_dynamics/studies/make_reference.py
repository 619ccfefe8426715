"""Writes slider_crank.csv: the crank's angle of ../maggi/cases/maggi.json from its single degree of freedom.

With sin phi = (r / l) sin theta the kinetic energy is I(theta) theta'^2 / 2 and the potential V(theta), so that

    theta'^2 = 2 (E - V(theta)) / I(theta)

as long as the crank turns one way. Classical Runge-Kutta steps of 5e-5 s: their error is below 1e-12.
"""
import math

r, l, g = 0.3, 0.8, 9.81
crank, crank_inertia, rod, rod_inertia, slider = 1.0, 0.02, 1.0, 0.06, 0.5


def inertia(theta):
    s, c = math.sin(theta), math.cos(theta)
    phi_s = r / l * s
    phi_c = math.sqrt(1 - phi_s * phi_s)
    phi_1 = r / l * c / phi_c                    # d phi / d theta
    x_slider = -r * s - l * phi_s * phi_1        # derivatives with respect to theta
    x_rod, y_rod = -r * s - l / 2 * phi_s * phi_1, r * c / 2
    return (crank_inertia + crank * (r / 2) ** 2 + rod * (x_rod**2 + y_rod**2) + rod_inertia * phi_1**2
            + slider * x_slider**2)


def potential(theta):
    return g * (crank * r / 2 + rod * r / 2) * math.sin(theta)


theta, rate = math.pi / 2, 12.0
energy = inertia(theta) * rate**2 / 2 + potential(theta)


def speed(angle):
    return math.sqrt(2 * (energy - potential(angle)) / inertia(angle))


h, per_row, rows = 5e-5, 400, 100
with open("slider_crank.csv", "w") as file:
    file.write("t,theta\n")
    for row in range(rows + 1):
        file.write(f"{row * h * per_row:.17g},{theta:.17g}\n")
        for _ in range(per_row):
            k1 = speed(theta)
            k2 = speed(theta + h / 2 * k1)
            k3 = speed(theta + h / 2 * k2)
            k4 = speed(theta + h * k3)
            theta += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
