"""Wrong signals: exit code, place and words of the message; checkpoints of runs with states and held values."""
import copy
import re

from support import Case, changed, main

RAIL = {
    "trammel": 2,
    "signals": {"e": "1 - rail.displacement", "u": "10*e - 2*mass.vx"},
    "system": {
        "type": "planar",
        "bodies": {"mass": {"mass": 2, "inertia": 1}},
        "constraints": {"rail": {"type": "translational", "bodies": ["ground", "mass"], "at": [0, 0], "axis": [1, 0]}},
        "forces": {"push": {"type": "applied_force", "body": "mass", "force": [1, 0], "function": "u"}},
    },
    "analysis": {"type": "dynamics", "duration": 1},
    "formulation": {"type": "projection"},
    "integrator": {"type": "dopri5"},
    "output": {"step": 0.1},
}


def signals(**own):
    model = copy.deepcopy(RAIL)
    model["signals"].update(own)
    return model


SPRING = {"type": "tsda", "bodies": ["ground", "mass"], "point_i": [-2, 0], "stiffness": 5}


def signals_of_force(kind, channel):
    """`push` or `spring` follows `channel` by the signal u."""
    model = signals(u=channel, w="spring.force")
    forces = model["system"]["forces"]
    forces["spring"] = dict(SPRING)
    if kind in ("push", "both"):
        forces["spring"]["law"] = "u"
        del forces["push"]
    if kind in ("both", "chain"):
        forces["other"] = dict(SPRING, point_i=[-3, 0], law="w")
    if kind == "lag":
        forces["other"] = {"type": "actuator", "bodies": ["ground", "mass"], "point_i": [-3, 0], "law": "x", "lag": 0.2}
    if kind == "drag":
        forces["other"] = {"type": "aerodynamic_drag", "body": "mass", "area": 0, "coefficient": 0, "linear": 0.2}
    return model


WRONG = [
    ("unknown name", signals(u="10*err"), "/signals/u", "there is no signal or parameter 'err'"),
    ("syntax", signals(u="10*(e"), "/signals/u", "column"),
    ("loop", signals(u="e + w", w="2*v", v="u/3"), "/signals/u",
     "algebraic loop: these signals follow from each other at the same time: 'u' -> 'w' -> 'v' -> 'u'"),
    ("loop through a direct controller", signals(u={"type": "pid", "input": "e - u", "kp": 1}), "/signals/u",
     "'u' -> 'u'"),
    ("type", signals(u={"type": "pdi", "input": "e"}), "/signals/u/type",
     "there is no signal type 'pdi'; did you mean 'pid'?"),
    ("key", signals(u={"type": "pid", "input": "e", "kpp": 2}), "/signals/u/kpp", "did you mean 'kp'?"),
    ("a list", signals(u=[1, 2]), "/signals/u", "a signal is a number, a formula"),
    ("derivative without filter", signals(u={"type": "pid", "input": "e", "kd": 2}), "/signals/u/kd", "'filter'"),
    ("improper filter", signals(u={"type": "transfer_function", "input": "e", "numerator": [1, 1, 1],
                                   "denominator": [1, 1]}), "/signals/u/numerator", "differentiates its input"),
    ("name of a body", signals(mass="1"), "/signals/mass", "is taken already by"),
    ("name of a parameter", changed(RAIL, parameters={"u": 1}), "/signals/u", "is that of a parameter"),
    ("channel that is none", signals(e="1 - rail.angle"), "/signals/e", "of 'rail' these are displacement, speed"),
    ("owner that is none", signals(e="1 - rial.displacement"), "/signals/e", "did you mean 'rail'?"),
    ("energy in a force", signals(e="1 - energy.kinetic"), "/signals/e", "'energy.kinetic' cannot act on a force"),
    ("channel of nothing", signals(other="nothing.x"), "/signals/other", "there is no channel 'nothing.x'"),
    ("end of a step", signals(other="2*energy.work"), "/signals/other", "known at the ends of steps only"),
    ("driver of the motion", changed(RAIL, system__constraints__drive={
        "type": "translation_driver", "bodies": ["ground", "mass"], "at": [0, 0], "axis": [1, 0], "function": "u"}),
     "/system/constraints/drive/function", "is no function of time: it depends on 'mass.vx'"),
    ("misspelt in a function", changed(RAIL, system__forces__push__function="uu"), "/system/forces/push/function",
     "there is no signal 'uu'"),
    ("misspelt in a law", changed(RAIL, system__forces__push=dict(SPRING, law="-uu")), "/system/forces/push/law",
     "unknown name 'uu'"),
    ("function of a stretch", changed(RAIL, system__forces__push=dict(SPRING, spring="u")), "/system/forces/push",
     "a signal has no argument"),
    ("name of a variable", changed(RAIL, signals={"rate": "1"}, system__forces__push=dict(SPRING, law="rate")),
     "/system/forces/push/law", "'rate' is a variable of this formula and the name of a signal"),
    ("delay without the past", signals(u={"type": "delay", "input": "e", "time": 0.1}), "/signals/u", "needs 'initial'"),
    ("past of the motion", signals(u={"type": "delay", "input": "e", "time": 0.1, "initial": "mass.x"}),
     "/signals/u/initial", "may depend on t alone: it depends on 'mass.x'"),
    ("past that has no value", signals(u={"type": "delay", "input": "e", "time": 0.1, "initial": "sqrt(t)"}),
     "/signals/u/initial", "has no finite value at t = "),
    ("past of time that has no value", signals(u={"type": "delay", "input": "sqrt(t)", "time": 0.1}), "/signals/u",
     "has no value somewhere in the 0.1 s before the start"),
    ("delay by nothing", signals(u={"type": "delay", "input": "e", "time": 0, "initial": 0}), "/signals/u/time", "must be > 0"),
    ("force that feeds itself", signals_of_force("push", "spring.force"), "/signals/u",
     "a loop: the force 'spring' follows from its own channel: 'spring' -> 'u' -> 'spring.force'"),
    ("forces that feed each other", signals_of_force("both", "other.force"), "/signals/u",
     "a loop: the force 'other' follows from its own channel: 'other' -> 'w' -> 'spring.force' -> 'other.force'"),
    ("force that reads signals", signals_of_force("chain", "other.force"), "/signals/u", "'other' reads the signal 'w' itself"),
    ("force with states", signals_of_force("lag", "other.force"), "/signals/u", "the force has states of its own"),
    ("force without derivatives", signals_of_force("drag", "other.force"), "/signals/u",
     "its type gives no derivatives of this channel"),
    ("channel that a force has not", signals_of_force("chain", "spring.lenght"), "/signals/u",
     "of 'spring' these are length, rate, force"),
    ("inside of a function", changed(RAIL, system__forces__push__function={"type": "sum", "of": ["u", 1]}),
     "/system/forces/push/function/of/0", "inside of another function no signal can stand"),
]


class Signals(Case):
    def test_wrong_files(self):
        for name, content, path, words in WRONG:
            with self.subTest(name):
                result = self.run_file(content)
                self.assertEqual(result.returncode, 2, result.stderr)
                first = result.stderr.splitlines()[0]
                self.assertIn(words, first)
                self.assertRegex(first, r"(^|: )run\.json:[0-9]+: " + re.escape(path) + ": ")

    def test_states_without_bodies(self):
        result = self.run_file({
            "trammel": 2, "signals": {"slow": {"type": "transfer_function", "input": "x", "numerator": [1],
                                               "denominator": [1, 1]}},
            "system": {"type": "exponential"}, "analysis": {"type": "dynamics", "duration": 1},
            "integrator": {"type": "rk4", "step": 0.1}})
        self.assertEqual(result.returncode, 2)
        self.assertIn("systems without bodies", result.stderr)

    def test_a_delay_that_loses_its_input(self):
        """A jump along the delay is a warning; a smooth value, one that never moves, and one of time alone are none."""
        swing = {"force": [1, 0], "type": "applied_force", "body": "mass", "function": "pull"}
        for name, past, warned in (("begins with a jump", "3", True), ("is at rest before", "1", False),
                                   ("goes over", "cos(3*t)", False)):
            with self.subTest(name):
                model = signals(e="9*late", u="0", pull="-18*mass.x",
                                late={"type": "delay", "input": "mass.x", "time": 0.2, "initial": past})
                model["system"]["bodies"]["mass"]["position"] = [1, 0]
                model["system"]["forces"]["swing"] = swing
                result = self.run_file(model)
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertEqual("the delay 'late' does not follow its input" in result.stderr, warned, result.stderr)

    def test_good_file(self):
        result = self.run_file(RAIL)
        self.assertEqual(result.returncode, 0, result.stderr)
        header = (self.folder / "out" / "results.csv").read_text().splitlines()[0].split(",")
        self.assertIn("u", header)
        self.assertIn("e", header)

    def test_a_restart_goes_on_with_what_signals_hold(self):
        """Held samples, controllers at their limits and limited rates, from between two samples."""
        push = {"type": "applied_force", "body": "m", "force": [1, 0]}
        self.write({
            "trammel": 2,
            "signals": {"u": {"type": "sample_and_hold", "input": "-8*m.x - 3*m.vx + 4*sin(3*t)", "period": 0.1},
                        "r": {"type": "rate_limit", "input": "sin(7*t)", "rising": 2.0, "lag": 0.05},
                        "d": {"type": "delay", "input": "m.x", "time": 0.15, "initial": 0},
                        "c": {"type": "pid", "input": "1 - m.x", "kp": 20, "ki": 30, "kd": 2, "rate": "-m.vx", "minimum": -6,
                              "maximum": 6}},
            "system": {"type": "planar", "bodies": {"m": {"mass": 2, "inertia": 0.1}},
                       "constraints": {"rail": {"type": "translational", "bodies": ["ground", "m"], "at": [0, 0], "axis": [1, 0]}},
                       "forces": {"by_" + name: dict(push, function=name) for name in "ucrd"}},
            "analysis": {"type": "dynamics", "duration": 2}, "formulation": {"type": "projection"},
            "integrator": {"type": "dopri5", "rtol": 1e-9, "atol": 1e-11}, "output": {"step": 0.05}})
        for every in ("0.33", "1.61"):
            with self.subTest(every):
                for arguments in (("-o", "whole", "--checkpoint-every", every),
                                  ("-o", "rest", "--restart", "whole/checkpoint.json")):
                    result = self.trammel("run", "run.json", "--quiet", *arguments)
                    self.assertEqual(result.returncode, 0, result.stderr)
                self.assertEqual((self.folder / "rest" / "results.csv").read_bytes(),
                                 (self.folder / "whole" / "results.csv").read_bytes())


main()
