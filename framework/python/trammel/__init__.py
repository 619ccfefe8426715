"""Trammel from Python: load a run, change it, step or run it, read states, multipliers and channels.

    import trammel
    sim = trammel.Simulation("slider_crank.json", set={"system.bodies.crank.mass": 2.0})
    history = sim.record(["crank.phi", "energy.total"])
    sim.run()
    print(history["crank.phi"][-1], sim.summary["statistics"]["steps"])

Positions, velocities, accelerations and multipliers are read-only NumPy views of the kernel's own memory: they show new
numbers after each step, and keep the simulation alive. Where NumPy is not installed they are memoryviews, and columns of
recordings and results are array.array("d"): same numbers, same indexing, no arithmetic. Threads take turns: one at a time is inside the kernel, and Python
goes on meanwhile. While one runs a simulation, calls on it from others raise Error; recordings may be read. For runs at the
same time, use processes.
"""
import json
import os

from . import _kernel
from ._arrays import demand_numpy
from ._kernel import Error
from .results import Results, read_results, read_study

__all__ = ["Error", "Recording", "Results", "Simulation", "read_results", "read_study"]


def _plain(value):
    """Numbers and arrays of NumPy and of the standard library as JSON knows them."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    raise TypeError(f"a value of a run is a number, a text, a list or a dict, not {type(value).__name__}")


def _json(value, subject):
    try:
        return json.dumps(value, default=_plain, allow_nan=False)
    except ValueError as error:
        raise Error(f"{subject}: {error}", 2) from None


class Recording:
    """Channels of a run as arrays, as far as the run has come: recording["crank.x"], recording.t."""

    def __init__(self, kernel_recording):
        self._recording = kernel_recording
        self._columns = ("t", *kernel_recording.names)

    @property
    def channels(self):
        """Names of the channels, without t."""
        return list(self._columns[1:])

    @property
    def t(self):
        """Times of the samples, s."""
        return self["t"]

    def __getitem__(self, channel):
        if channel not in self._columns:
            raise KeyError(channel)
        return self._recording.column(self._columns.index(channel))

    def to_dict(self):
        """All columns by name, t among them."""
        return dict(zip(self._columns, self._recording.all_columns()))

    def to_array(self):
        """A structured array with one field per column."""
        demand_numpy("a structured array")
        import numpy
        rows = self._recording.rows()
        return numpy.ascontiguousarray(rows).view([(name, float) for name in self._columns])[:, 0]


class Simulation(_kernel.Simulation):
    """One run.

    source: a run file's path, or its content as a dict. set: values at dotted paths that differ from it
    ({"integrator.rtol": 1e-6}). plugin_path: folders with plugins, in addition to those that are always searched.
    trust: load plugins of folders that the run file names (plugins.search), although nobody has trusted them.

    Reads and checks the run, loads its plugins and makes the initial state consistent. Raises Error with the message of the
    command line.
    """

    def __init__(self, source, set=None, plugin_path=(), trust=False):
        settings = [f"{path}={_json(value, path)}" for path, value in (set or {}).items()]
        folders = [os.fspath(folder) for folder in plugin_path]
        if isinstance(source, dict):
            super().__init__(_json(source, "description"), "description", settings, folders, bool(trust))
        else:
            super().__init__(os.fspath(source), settings, folders, bool(trust))

    def run(self, progress=None):
        """To the end: 'completed', or 'interrupted' where progress said so. Raises Error if the computation fails.

        progress(t, t_end, h, steps) is called after every step; if it returns False, the run is interrupted. Ctrl-C raises
        KeyboardInterrupt after the step that is being taken; the run can go on afterwards.
        """
        return super().run(progress)

    def advance_to(self, t, landing="dense_output", progress=None):
        """Steps up to time t; time, positions and all else show the state there. False: the run was over before.

        'dense_output' takes the steps that `run` takes and interpolates; 'step_end' lets the last step end at t, which inputs
        that change there need.
        """
        return super().advance_to(t, landing, progress)

    def record(self, channels=None, at="output", times=()):
        """Keeps channels (None: those of `channels`) while the run goes on; before the first step, any number of times.

        at: 'output', the rows of results.csv; 'steps', every accepted step; 'times', the ascending `times`.
        """
        names = list(self.channels if channels is None else channels)
        kept = [float(t) for t in times]
        if kept and at == "output":
            at = "times"
        return Recording(super().record(names, at, kept))

    @property
    def summary(self):
        """summary.json as it stands, as a dict."""
        return json.loads(self.summary_json())
