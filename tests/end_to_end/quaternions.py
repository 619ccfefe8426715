"""Turns by quaternions (w, x, y, z), independent of the program."""
import math


def product(a, b):
    return [a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
            a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]]


def turn(axis, angle):
    return [math.cos(angle / 2), *(math.sin(angle / 2) * x for x in axis)]


def turned(p, v):
    return product(product(p, [0, *v]), [p[0], -p[1], -p[2], -p[3]])[1:]
