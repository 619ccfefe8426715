"""Vectors and rotations of the generator, in plain Python."""
import math


def add(a, b):
    return [x + y for x, y in zip(a, b)]


def sub(a, b):
    return [x - y for x, y in zip(a, b)]


def scaled(a, factor):
    return [x * factor for x in a]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def norm(a):
    return math.sqrt(dot(a, a))


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def unit(a):
    return scaled(a, 1 / norm(a))


def matrix_of(axis, angle):
    """Rodrigues' formula."""
    x, y, z = unit(axis)
    c, s = math.cos(angle), math.sin(angle)
    return [[c + x * x * (1 - c), x * y * (1 - c) - z * s, x * z * (1 - c) + y * s],
            [y * x * (1 - c) + z * s, c + y * y * (1 - c), y * z * (1 - c) - x * s],
            [z * x * (1 - c) - y * s, z * y * (1 - c) + x * s, c + z * z * (1 - c)]]


def turn(matrix, vector):
    return [dot(row, vector) for row in matrix]


def transposed(matrix):
    return [list(column) for column in zip(*matrix)]


def product(a, b):
    return [[dot(row, column) for column in zip(*b)] for row in a]


def plane_matrix(angle):
    return [[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]]


def attitude(body, host):
    """Rotation matrix of a body of a run file, body to ground."""
    if host == "planar":
        return plane_matrix(body.get("angle", 0))
    rotation = body.get("rotation")
    if not rotation:
        return [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    if "matrix" in rotation:
        return rotation["matrix"]
    if "euler_parameters" in rotation:
        e0, e1, e2, e3 = rotation["euler_parameters"]
        return [[1 - 2 * (e2 * e2 + e3 * e3), 2 * (e1 * e2 - e0 * e3), 2 * (e1 * e3 + e0 * e2)],
                [2 * (e1 * e2 + e0 * e3), 1 - 2 * (e1 * e1 + e3 * e3), 2 * (e2 * e3 - e0 * e1)],
                [2 * (e1 * e3 - e0 * e2), 2 * (e2 * e3 + e0 * e1), 1 - 2 * (e1 * e1 + e2 * e2)]]
    return matrix_of(rotation["axis"], rotation["angle"])


def to_body(body, point, host):
    """Body-fixed coordinates of a global point."""
    return turn(transposed(attitude(body, host)), sub(point, body.get("position", [0] * len(point))))
