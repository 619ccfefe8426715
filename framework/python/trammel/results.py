"""Results that runs left in folders, as NumPy arrays."""
import collections.abc
import json
import pathlib

import numpy


class Results(collections.abc.Mapping):
    """What a run left in a folder: results["crank.x"], results.t; results.summary is summary.json, {} if there is none."""

    def __init__(self, columns, summary):
        self._columns = columns
        self.summary = summary

    def __getitem__(self, channel):
        return self._columns[channel]

    def __iter__(self):
        return iter(self._columns)

    def __len__(self):
        return len(self._columns)

    @property
    def channels(self):
        """Names of the columns, without t."""
        return [name for name in self._columns if name != "t"]

    @property
    def t(self):
        """Times of the rows, s."""
        return self._columns["t"]


def read_results(folder):
    """Reads results.csv and summary.json of a folder that a run wrote. The numbers are those the run had, bit by bit."""
    folder = pathlib.Path(folder)
    with open(folder / "results.csv", encoding="utf-8") as file:
        names = file.readline().rstrip("\n").split(",")
        # A run that was killed while it wrote leaves its last row unfinished; float() rounds correctly.
        rows = [[float(cell) for cell in line.split(",")] for line in file if line.endswith("\n")]
    table = numpy.array(rows, dtype=float).reshape(len(rows), len(names))
    summary = folder / "summary.json"
    content = json.loads(summary.read_text(encoding="utf-8")) if summary.is_file() else {}
    return Results({name: table[:, i].copy() for i, name in enumerate(names)}, content)
