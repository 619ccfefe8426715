"""Results that runs left in folders, as arrays of NumPy where it is installed."""
import collections.abc
import contextlib
import json
import math
import pathlib
import sqlite3

from ._arrays import column


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
    """Reads the rows and summary.json of a folder that a run wrote: results.csv, or results.h5 where that is not there,
    which needs h5py. The numbers are those the run had, bit by bit."""
    folder = pathlib.Path(folder)
    only_hdf5 = (folder / "results.h5").is_file() and not (folder / "results.csv").exists()
    columns = _hdf5_columns(folder / "results.h5") if only_hdf5 else _csv_columns(folder / "results.csv")
    summary = folder / "summary.json"
    content = json.loads(summary.read_text(encoding="utf-8")) if summary.is_file() else {}
    return Results(columns, content)


def _csv_columns(path):
    with open(path, encoding="utf-8") as file:
        names = file.readline().rstrip("\n").split(",")
        # A run that was killed while it wrote leaves its last row unfinished; float() rounds correctly.
        rows = [[float(cell) for cell in line.split(",")] for line in file if line.endswith("\n")]
    if any(len(row) != len(names) for row in rows):
        raise ValueError(f"{path}: a row has not as many numbers as the header has names")
    return {name: column([row[i] for row in rows]) for i, name in enumerate(names)}


def _hdf5_columns(path):
    try:
        import h5py
        import numpy
    except ImportError as error:
        raise ImportError(f"{path}: reading this file needs h5py (Debian: python3-h5py)") from error
    with h5py.File(path, "r", swmr=True) as file:
        values = file["values"][:]
        # Rows without a time were not finished when the run was killed.
        rows = values.shape[1] - int(numpy.isnan(values[0])[::-1].cumprod().sum())
        return {name: values[i, :rows].copy() for i, name in enumerate(file["names"].asstr()[:])}


def read_study(folder):
    """Numbers of a study's cases by column, from study.db of its folder (DIR): {"name": [...], "parameters.k": [...]}.
    Columns of numbers are arrays, NaN where a case has none; the others are lists. While the study runs, its file cannot
    be read; after it was killed, where the folder can be written."""
    file = pathlib.Path(folder) / "study.db"
    if not file.is_file():
        raise FileNotFoundError(f"{file}: there is none; run the study first")
    with contextlib.closing(sqlite3.connect(file)) as database:
        try:
            cursor = database.execute("SELECT * FROM results ORDER BY id")
            names = [column[0] for column in cursor.description]
            rows = cursor.fetchall()
        except sqlite3.OperationalError as error:
            if not file.with_name("study.db-wal").exists() or "locked" in str(error):
                raise
            raise sqlite3.OperationalError(
                f"{file}: the study was ended while it wrote, and what its journal (-wal) has can be taken in only where "
                f"files can be written: copy the folder there ({error})") from error
    table = {}
    for name, values in zip(names, zip(*rows) if rows else [()] * len(names)):
        if all(value is None or isinstance(value, (int, float)) for value in values):
            table[name] = column([math.nan if value is None else value for value in values])
        else:
            table[name] = list(values)
    return table
