"""Columns of numbers: NumPy's arrays where NumPy is installed, else the standard library's."""
import array

from . import _kernel

if _kernel.has_numpy:
    import numpy


def column(numbers):
    """A new column of floats."""
    return numpy.array(numbers, dtype=float) if _kernel.has_numpy else array.array("d", numbers)


def demand_numpy(what):
    if not _kernel.has_numpy:
        raise ImportError(f"{what} needs NumPy (Debian: python3-numpy)", name="numpy")
