"""Wrong run files and arguments: exit code, message, and results of an earlier run left as they are."""
import re

from support import Case, DROP, PENDULUM, changed, main

PLANAR = {
    "trammel": 2,
    "system": {
        "type": "planar",
        "bodies": {"arm": {"mass": 1, "inertia": 0.1, "position": [1, 0]}},
        "constraints": {"pin": {"type": "revolute", "bodies": ["ground", "arm"], "at": [0, 0]}},
    },
    "analysis": {"type": "dynamics", "duration": 0.2},
    "formulation": {"type": "projection"},
    "integrator": {"type": "dopri5"},
}
EXPONENTIAL = {
    "trammel": 2,
    "system": {"type": "exponential"},
    "analysis": {"type": "dynamics", "duration": 1},
    "integrator": {"type": "rk4", "step": 0.1},
}
SWING = {
    "trammel": 2,
    "system": {"type": "pendulum_angle", "length": 1, "mass": 1, "gravity": 9.81, "angle": 0},
    "analysis": {"type": "dynamics", "duration": 1},
    "integrator": {"type": "conditionally_explicit", "step": 0.01},
}
REVOLUTE = {"type": "revolute", "bodies": ["ground", "arm"], "at": [0, 0, 0.3], "axis": [0, 0, 1]}
OFF_BY_A_TENTH = {"type": "revolute", "bodies": ["ground", "arm"], "point_i": [0.1, 0, 0], "point_j": [-0.5, 0, 0],
                  "axis_i": [0, 0, 1], "axis_j": [0, 0, 1]}
FAR_WALL = {"type": "dot2", "bodies": ["ground", "arm"], "axis_i": [0, 1, 0], "point_i": [0, 3, 0],
            "point_j": [0.5, 0, 0]}

def pin(model, **keys):
    """The model with its pin replaced by another joint."""
    return changed(model, system__constraints__pin={"bodies": ["ground", "arm"], **keys})


# What is wrong; the document or text; the exit code; the path that the message names; words of the message.
FEEDBACK = {"type": "baumgarte", "alpha_h": 0.3}

def driver(*coefficients):
    return {"type": "angle_driver", "bodies": ["ground", "arm"], "function": {"type": "polynomial", "coefficients": list(coefficients)}}


FOREARM = {"mass": 1, "inertia": 0.1, "position": [3, 0]}
ELBOW = {"type": "revolute", "bodies": ["arm", "forearm"], "at": [2, 0]}

WRONG = [
    # What users write on their first day: place, problem and mend
    ("rows without end", changed(PENDULUM, output__step=1e-9), 2, "/output/step", "5e+08 rows, more than 1e+08; give a longer step"),
    ("rows of no length", changed(PENDULUM, output__step=1e-300), 2, "/output/step", "rows, more than 1e+08"),
    ("products of inertia", changed(PENDULUM, system__bodies__arm__inertia=[1, 1, 1.5, 2, 0, 0]), 2, "/system/bodies/arm/inertia",
     "the products of inertia are too large for the moments"),
    ("velocity that does not fit", changed(PENDULUM, system__bodies__arm__velocity=[3, 0, 0]), 2, None,
     "make 'velocity' and 'angular_velocity' of all bodies fit the joints and drivers"),
    ("two drivers of one angle", changed(PLANAR, system__constraints__m=driver(0, 1), system__constraints__m2=driver(0, 2)), 2, None,
     "the drivers contradict each other: 'm2' moves what 'm' moves, and disagrees with it by 1 per second; leave one of these "
     "drivers out"),
    ("two drivers of one angle, kinematics", changed(
        PLANAR, system__bodies__forearm=FOREARM, system__constraints__elbow=ELBOW, system__constraints__m=driver(0, 1),
        system__constraints__m2=driver(0, 2), analysis__type="kinematics", formulation=DROP, integrator=DROP), 2,
     "/system/constraints/m", "the drivers 'm', 'm2' contradict each other: they move one and the same thing, and demand different "
     "rates; leave all but one of them out"),
    ("drawing in degrees", changed(PLANAR, system__bodies__arm__angle=90, system__constraints__pin={
        "type": "revolute", "bodies": ["ground", "arm"], "point_i": [0, 0], "point_j": [-1, 0]}), 2, "/system/constraints/pin",
     '/system/bodies/arm/angle: 90 rad is more than a turn; angles are in radians, 90 degrees are written "=90*pi/180"'),
    ("natural logarithm", changed(PENDULUM, system__bodies__arm__mass="=ln(3)"), 2, "/system/bodies/arm/mass",
     "unknown function 'ln' at column 2; the natural logarithm is log"),
    ("law with a name of another", changed(PENDULUM, system__forces__spring={"type": "tsda", "bodies": ["ground", "arm"],
                                                                           "law": "3*(x - 1)"}), 2, "/system/forces/spring/law",
     "unknown name 'x' at column 4; this formula knows l, length, rate, t, parameters, and signals, which may name channels"),
    ("law with =", changed(PENDULUM, parameters={"L": 1}, system__forces__spring={"type": "tsda", "bodies": ["ground", "arm"],
                                                                                  "law": "=3*(l - L)"}), 2,
     "/system/forces/spring/law", "did you mean 'L'?; behind '=' stand parameters only"),
    ("far from every key", changed(PENDULUM, system__forces__spring__color="red"), 2, "/system/forces/spring/color",
     "unknown key for type 'tsda'"),
    # Feedback that grows with 1/h, where it would make an error that no shorter step reduces
    ("alpha_h with stages", changed(PENDULUM, formulation=FEEDBACK, integrator={"type": "rk4", "step": 0.01}), 2,
     "/formulation/alpha_h", "'rk4' evaluates rates inside its steps"),
    ("alpha_h of the hybrid", changed(PENDULUM, formulation=dict(FEEDBACK, type="hybrid"),
                                      integrator={"type": "heun", "step": 0.01}), 2,
     "/formulation/alpha_h", "give \"alpha\", or take a method of Adams"),
    # Text that is no run file
    ("malformed", '{"trammel": 1,\n "system": {"type": }}', 2, None, "run.json:2: no valid JSON: unexpected '}'"),
    ("comma at the end", '{"trammel": 1,}', 2, None, "a comma before '}'"),
    ("cut off", '{"trammel": 1', 2, None, "run.json:1: "),
    ("empty", "", 2, None, "the file is empty"),
    ("duplicate key", '{"trammel": 1,\n"title": "a",\n"title": "b"}', 2, None,
     "run.json:3: duplicate key 'title'; it stands in line 2 already"),
    ("no object", "[1]", 2, None, "a run file is a JSON object, not an array"),
    ("no version", changed(PENDULUM, trammel=DROP), 2, None, "missing key 'trammel'"),
    # Types of values
    ("text for a number", changed(PENDULUM, system__bodies__arm__mass="two"), 2, "/system/bodies/arm/mass",
     "must be a number, not the text 'two'"),
    ("true for a number", changed(PENDULUM, system__bodies__arm__mass=True), 2, "/system/bodies/arm/mass",
     "must be a number, not true"),
    ("fraction for an integer", changed(PENDULUM, integrator={"type": "adams", "order": 3.9, "step": 0.01}), 2,
     "/integrator/order", "integer"),
    ("vector of two", changed(PENDULUM, system__gravity=[0, 1]), 2, "/system/gravity", "must be an array of 3 numbers"),
    ("unknown key", changed(PENDULUM, system__forces__spring__stifness=1), 2, "/system/forces/spring/stifness",
     "unknown key for type 'tsda'; did you mean 'stiffness'?"),
    ("missing duration", changed(PENDULUM, analysis__duration=DROP), 2, "/analysis", "missing key 'duration'"),
    ("unknown name in an expression", changed(PENDULUM, system__bodies__arm__mass="=2*mm"), 2,
     "/system/bodies/arm/mass", "unknown name 'mm'"),
    ("expression without value", changed(PENDULUM, system__bodies__arm__mass="=1/0"), 2, "/system/bodies/arm/mass",
     "no finite value"),
    # Linear solvers
    ("misspelt solver", changed(PENDULUM, analysis__solver="spars"), 3, "/analysis/solver",
     "there is no linear_solver type 'spars'; did you mean 'sparse'?"),
    ("solver that is no name", changed(PENDULUM, analysis__solver="Range Space"), 2, "/analysis/solver",
     "must be the name of a type, [vendor.]snake_case, not the text 'Range Space'"),
    ("misspelt auto", changed(PENDULUM, analysis__solver="aut"), 3, "/analysis/solver", "did you mean 'auto'?"),
    ("unknown key of a solver", changed(PENDULUM, analysis__solver={"type": "dense", "digits": 3}), 2,
     "/analysis/solver/digits", "unknown key for type 'dense'"),
    ("keys for auto", changed(PENDULUM, analysis__solver={"type": "auto"}), 2, "/analysis/solver/type",
     "\"auto\" has no keys"),
    ("number for a solver", changed(PENDULUM, analysis__solver=3), 2, "/analysis/solver",
     "must be \"auto\", a type of linear solver, or an object with one, not"),
    ("writer for a solver", changed(PENDULUM, analysis__solver="csv"), 3, "/analysis/solver", "it is a writer"),
    # Bodies
    ("no bodies", changed(PENDULUM, system={"type": "spatial"}), 2, "/system", 'a model needs "bodies"'),
    ("body that is not there", changed(PENDULUM, system__constraints__pin__bodies=["ground", "amr"]), 2,
     "/system/constraints/pin/bodies/1", "there is no body 'amr'; did you mean 'arm'?"),
    ("the same body twice", changed(PENDULUM, system__constraints__pin__bodies=["arm", "arm"]), 2,
     "/system/constraints/pin/bodies/1", "the body 'arm' is named twice"),
    ("mass zero", changed(PENDULUM, system__bodies__arm__mass=0), 2, "/system/bodies/arm/mass", "must be > 0 kg, not 0"),
    ("mass negative", changed(PLANAR, system__bodies__arm__mass=-1), 2, "/system/bodies/arm/mass",
     "must be > 0 kg, not -1"),
    ("inertia negative", changed(PLANAR, system__bodies__arm__inertia=-1), 2, "/system/bodies/arm/inertia",
     "must be >= 0 kg m^2, not -1"),
    ("inertia of no body", changed(PENDULUM, system__bodies__arm__inertia=[0.1, 0.1, 0.5]), 2,
     "/system/bodies/arm/inertia", "the sum of the two smaller ones must reach the largest"),
    ("inertia tensor with a negative moment", changed(PENDULUM, system__bodies__arm__inertia=[0.1, 0.1, 0.1, 0.2, 0, 0]),
     2, "/system/bodies/arm/inertia", "principal moments may not be negative"),
    ("rotation about no axis", changed(PENDULUM, system__bodies__arm__rotation={"axis": [0, 0, 0], "angle": 1}), 2,
     "/system/bodies/arm/rotation/axis", "the axis has length zero"),
    ("motion without inertia", changed(PLANAR, system__bodies__arm__inertia=0, system__constraints=DROP), 2, "/system",
     "body 'arm' can move in a direction in which it has no inertia"),
    # Constraints
    ("zero axis", changed(PENDULUM, system__constraints__pin__axis=[0, 0, 0]), 2, "/system/constraints/pin/axis",
     "the axis has length zero"),
    ("coincident distance points", changed(
        PENDULUM, system__constraints__rod={"type": "distance", "bodies": ["ground", "arm"], "point_j": [-0.5, 0, 0]}),
     2, "/system/constraints/rod/length", "the distance must be positive; for coincident points use 'point'"),
    ("screw without a pitch", pin(PENDULUM, type="screw", at=[0, 0, 0], axis=[0, 0, 1]), 2, "/system/constraints/pin",
     "missing key 'pitch'"),
    ("screw whose pitch is a text", pin(PENDULUM, type="screw", at=[0, 0, 0], axis=[0, 0, 1], pitch="fine"), 2,
     "/system/constraints/pin/pitch", "must be a number, not the text 'fine'"),
    ("planar joint without an axis", pin(PENDULUM, type="planar_joint", at=[0, 0, 0]), 2, "/system/constraints/pin/axis",
     "needs 'axis' (global), or both 'axis_i' and 'axis_j' (body-fixed)"),
    ("planar joint with half a point", pin(PENDULUM, type="planar_joint", point_i=[0, 0, 0], axis_i=[0, 0, 1],
                                           axis_j=[0, 0, 1]), 2, "/system/constraints/pin/point_j",
     "needs 'at' (global), or both 'point_i' and 'point_j' (body-fixed)"),
    ("planar fixed joint with a point in space", pin(PLANAR, type="fixed", at=[0, 0, 0]), 2,
     "/system/constraints/pin/at", "must be an array of 2 numbers"),
    ("planar fixed joint with half a point", pin(PLANAR, type="fixed", point_i=[0, 0]), 2,
     "/system/constraints/pin/point_j", "needs 'at' (global), or both 'point_i' and 'point_j' (body-fixed)"),
    ("revolute-translational without a direction", pin(PLANAR, type="revolute_translational"), 2,
     "/system/constraints/pin/axis", "needs 'axis' (global) or 'axis_i' (fixed in the first body), not both"),
    ("revolute-translational with a text for a distance", pin(PLANAR, type="revolute_translational", axis=[1, 0],
                                                              distance="far"), 2,
     "/system/constraints/pin/distance", "must be a number, not the text 'far'"),
    ("spline in space with a coordinate missing", pin(PENDULUM, type="point_on_spline", points=[0, 0, 0, 1, 0]), 2,
     "/system/constraints/pin/points", "needs 3 numbers for each point, has 5 numbers"),
    ("spline in space that repeats a point", pin(PENDULUM, type="point_on_spline", points=[0, 0, 0, 1, 0, 0, 1, 0, 0]),
     2, "/system/constraints/pin/points", "point 3 repeats the one before it"),
    ("joint far from assembled", changed(PENDULUM, system__constraints__pin=OFF_BY_A_TENTH), 2, "/system/constraints/pin",
     "'pin[0]' by 0.1; satisfying all of them moves arm.x by 0.1, more than analysis.correction_limit"),
    ("constraints that cannot all hold", changed(PENDULUM, system__constraints__wall=FAR_WALL), 2,
     "/system/constraints/wall",
     "the initial positions cannot be made consistent"),
    ("velocities against the constraints", changed(PENDULUM, system__bodies__arm__velocity=[1, 0, 0]), 2, "/system",
     "the initial velocities violate the constraints by 1"),
    # Types
    ("plugin that is not there", changed(PENDULUM, system__constraints__pin__type="revolut"), 3,
     "/system/constraints/pin/type", "there is no constraint type 'revolut' for spatial models; did you mean 'revolute'?"),
    ("joint of the other host", changed(PENDULUM, system__constraints__pin__type="point_on_line"), 3,
     "/system/constraints/pin/type", "it exists for planar models"),
    ("integrator that is not there", changed(PENDULUM, integrator={"type": "dopri6"}), 3, "/integrator/type",
     "did you mean 'dopri5'?"),
    # Methods that do not go together
    ("formulation without constraints", changed(EXPONENTIAL, formulation={"type": "direct"}), 2, "/formulation",
     "a system of type 'exponential' has no constraints: leave the formulation out"),
    ("bodies without a host", changed(EXPONENTIAL, system__bodies={}), 2, "/system/bodies", "has no bodies"),
    ("fixed steps with tolerances", changed(PENDULUM, integrator={"type": "dopri5", "step": 0.01, "rtol": 1e-6}), 2,
     "/integrator/step", 'cannot stand beside "rtol" or "atol"'),
    ("no step for a fixed-step method", changed(PENDULUM, integrator={"type": "rk4"}), 2, "/integrator/type",
     "'rk4' has no error estimate: give \"step\""),
    ("no tolerance at all", changed(PENDULUM, integrator={"type": "dopri5", "rtol": 0, "atol": 0}), 2,
     "/integrator/rtol", "may not both be zero"),
    ("relative tolerance below rounding", changed(PENDULUM, integrator={"type": "dopri5", "rtol": 1e-17, "atol": 0}), 2,
     "/integrator/rtol", "is below the rounding of that number"),
    ("absolute tolerance below rounding", changed(PENDULUM, integrator={"type": "dopri5", "rtol": 0, "atol": 1e-18}), 2,
     "/integrator/rtol", "in 'arm.x' = 0.5 is below the rounding"),
    ("iterations that end at anything", changed(PENDULUM, integrator={"type": "conditionally_explicit", "step": 0.01,
                                                                      "tolerance": 1.0}), 2,
     "/integrator/tolerance", "must be <= 0.001"),
    ("null-space basis without constraints", changed(SWING, integrator__solver="null_space"), 2, "/integrator/solver",
     "is for constrained systems"),
    ("rows at the iterate without constraints", changed(SWING, integrator__newton_matrix="iterate"), 2,
     "/integrator/newton_matrix", "is for constrained systems"),
    ("rows at the iterate behind a formulation",
     changed(PENDULUM, formulation={"type": "coordinate_partitioning"},
             integrator={"type": "conditionally_explicit", "step": 0.01, "newton_matrix": "iterate"}), 2,
     "/integrator/newton_matrix", "is for constrained systems"),
    ("linearized velocities at index 3",
     changed(PENDULUM, formulation=DROP, integrator={"type": "conditionally_explicit", "step": 0.01, "iteration": "linearized"}), 2,
     "/integrator/iteration", "is for second-order systems"),
    ("partition that cannot be had", changed(PENDULUM, formulation={"type": "coordinate_partitioning",
                                                                    "independent": ["arm.z"]}), 2,
     "/formulation/independent", "have rank 5 for 6 independent rows; row 'pin[2]' ties them"),
    ("partition of a coordinate that is not there", changed(PENDULUM, formulation={"type": "hybrid",
                                                                                   "independent": ["arm.e7"]}), 2,
     "/formulation/independent", "there is no coordinate 'arm.e7'"),
    ("partition into too many", changed(PENDULUM, formulation={"type": "coordinate_partitioning",
                                                               "independent": ["arm.x", "arm.y"]}), 2,
     "/formulation/independent", "names 2 coordinates; the model has 1 degree of freedom"),
    ("too many tolerances", changed(PENDULUM, integrator={"type": "dopri5", "rtol": [1e-6, 1e-6]}), 2,
     "/integrator/rtol", "has 2 entries; this run integrates 14 components"),
    ("step limits the wrong way round", changed(PENDULUM, integrator={"type": "dopri5", "min_step": 1, "max_step": 0.1}),
     2, "/integrator/min_step", '"min_step" 1 is larger than "max_step" 0.1'),
    ("fixed step longer than the run", changed(PENDULUM, integrator={"type": "rk4", "step": 3}), 2, "/integrator/step",
     "the fixed step of 3 s is longer than the run, 0.5 s"),
    ("view that the formulation lacks", changed(PENDULUM, integrator={"type": "newmark", "step": 0.01}), 2, "/formulation",
     "offers no second-order view, which integrator 'newmark' needs; those that do: 'coordinate_partitioning'"),
    # Output
    ("unknown owner of a channel", changed(PENDULUM, output__channels=["armm"]), 2, "/output/channels/0",
     "did you mean 'arm'?"),
    ("unknown channel", changed(PENDULUM, output__channels=["arm", "pin.forse"]), 2, "/output/channels/1",
     "there is no channel 'pin.forse'; did you mean 'pin.force'?"),
    ("step and at", changed(PENDULUM, output={"step": 0.1, "at": "steps"}), 2, "/output/at", "not both"),
]


PRESSED = {"type": "stop", "bodies": ["ground", "arm"], "point_i": [1, 0.1], "axis_i": [0, 1], "point_j": [0, 0], "stiffness": 1e6}
SPLINE = {"type": "spline", "x": [0, 0.05, 0.1, 0.15], "y": [0, 1, 0, 1]}
CRANK = {
    "trammel": 2,
    "system": {
        "type": "spatial",
        "bodies": {"m": {"mass": 1, "inertia": [1, 1, 1], "rotation": {"axis": [0, 0, 1], "angle": 0.5}}},
        "constraints": {
            "p": {"type": "revolute", "bodies": ["ground", "m"], "at": [0, 0, 0], "axis": [0, 0, 1]},
            "r": {"type": "angle_driver", "bodies": ["ground", "m"], "axis_i": [0, 0, 1], "axis_j": [0, 0, 1], "function": 0.1},
        },
    },
    "analysis": {"type": "kinematics", "duration": 1},
    "output": {"step": 0.5},
}

# What is legal but hardly meant; the document; words of the warning, or None where there must be none.
HARDLY_MEANT = [
    ("parameter that no formula uses", changed(PLANAR, parameters={"k": 1}), "/parameters/k: no formula uses this parameter"),
    ("parameter used through another that is not used", changed(PLANAR, parameters={"k": 1, "m": "=2*k"}), "/parameters/k: "),
    ("parameter used through another", changed(PLANAR, parameters={"k": 1, "m": "=2*k"}, system__bodies__arm__mass="=m"), None),
    ("parameter of a formula without '='", changed(
        PLANAR, parameters={"k": 1}, analysis__events={"low": {"when": "arm.y + k"}}), None),
    ("degrees", changed(PLANAR, system__bodies__arm__angle=90), "/system/bodies/arm/angle: 90 rad is more than a turn"),
    ("two turns", changed(PLANAR, system__bodies__arm__angle="=4*pi"), None),
    ("two turns in digits", changed(PLANAR, system__bodies__arm__angle=12.566370614359172), None),
    ("no digit asked for", changed(PLANAR, integrator__rtol=1), "/integrator/rtol: a relative tolerance of 1"),
    ("rows closer than fixed steps", changed(PLANAR, integrator={"type": "rk4", "step": 0.05}, output={"step": 0.01}),
     "/integrator/step: 0.05 s is longer than the output step, 0.01 s"),
    ("rows further apart than the run is long", changed(PLANAR, output={"step": 5}), "/output/step: 5 s is longer than the run"),
    ("stop pressed in", changed(PLANAR, system__forces={"wall": PRESSED}), "'wall' is pressed in by 0.1 m at the start"),
    ("stop pressed in by a few weights", changed(PLANAR, system__gravity=[0, -9.81], system__forces={
        "wall": {**PRESSED, "point_i": [1, 0.003]}}), "'wall' is pressed in by 0.003 m at the start"),
    ("stop pressed in without gravity", changed(PLANAR, system__forces={"wall": {**PRESSED, "point_i": [1, 0.0004]}}),
     "and nothing presses against it"),
    ("degrees through a function", changed(PLANAR, system__forces={"k": {
        "type": "rsda", "bodies": ["ground", "arm"], "stiffness": 1, "free_angle": {"type": "step", "begin": 0, "end": 0.5, "to": 90}}}),
     "/system/forces/k/free_angle/to: 90 rad is more than a turn"),
    ("degrees through a constant", changed(PLANAR, system__forces={"k": {
        "type": "rsda", "bodies": ["ground", "arm"], "stiffness": 1, "free_angle": {"type": "constant", "value": 45}}}),
     "/system/forces/k/free_angle/value: 45 rad is more than a turn"),
    ("a turn through a function", changed(PLANAR, system__forces={"k": {
        "type": "rsda", "bodies": ["ground", "arm"], "stiffness": 1, "free_angle": {"type": "step", "begin": 0, "end": 0.5, "to": 1.5}}}),
     None),
    ("table that the run does not reach", changed(PLANAR, system__forces={"motor": {
        "type": "applied_torque", "body": "arm", "torque": 1, "function": {**SPLINE, "x": [5, 6, 7, 8], "outside": "linear"}}}),
     "/system/forces/motor/function/x: the run, from 0 to 0.2 s, lies outside of the table, from 5 to 8"),
    ("table that goes on straight", changed(PLANAR, system__forces={"motor": {
        "type": "applied_torque", "body": "arm", "torque": 1, "function": {**SPLINE, "outside": "linear"}}}), None),
    ("event that cannot happen", changed(PLANAR, analysis__events={"up": {"when": "arm.y^2 + 1"}}),
     "/analysis/events/up/when: never passes zero: the formula stays above 1, whatever its columns are"),
    ("stop that carries", changed(PLANAR, system__gravity=[0, -9.81], system__forces={"wall": {**PRESSED, "point_i": [1, 0.0004]}}),
     None),
    ("body that nothing holds", changed(PLANAR, system__gravity=[0, -9.81],
                                        system__bodies__loose={"mass": 1, "inertia": 1, "position": [3, 0]}),
     "/system/bodies/loose: no constraint and no force element acts on this body"),
    ("degrees in an event", changed(PLANAR, analysis__events={"up": {"when": "arm.phi - 90", "action": "stop"}}),
     "event 'up' never happened: 'arm.phi - 90' stayed between -90 and -90; angles are in radians"),
    ("event that did not happen", changed(PLANAR, analysis__events={"up": {"when": "arm.y - 90", "action": "stop"}}), None),
    ("driver that counts from a sketch", CRANK, "/system/constraints/r: this driver counts from the drawing"),
    ("driver with its value in the drawing", changed(CRANK, system__constraints__r__initial_angle=0.5), None),
]


class HardlyMeant(Case):
    def test_warnings(self):
        for name, content, words in HARDLY_MEANT:
            with self.subTest(name):
                self.succeed(content, "--quiet")
                warnings = "\n".join(self.summary()["warnings"])
                if words is None:
                    self.assertEqual(warnings, "")
                else:
                    self.assertIn(words, warnings)

    def test_starts_in_degrees_are_told(self):
        words = ('/analysis/conditions/0/value: {0} rad is more than a turn; angles are in radians, {0} degrees are written '
                 '"={0}*pi/180"')
        for value, code in ((7, 0), (100, 2)):  # as far as assembly turns, and where it gives up
            result = self.run_file(changed(PLANAR, analysis__conditions=[{"of": "pin.angle", "value": value}]))
            self.assertEqual(result.returncode, code, result.stderr)
            self.assertIn(words.format(value), result.stderr)
        result = self.run_file(changed(PLANAR, analysis__conditions=[{"of": "pin.angle", "value": "=100*deg", "rate": 100}]))
        self.assertNotIn("more than a turn", result.stderr)

    def test_an_event_that_never_happened_is_noted(self):
        result = self.succeed(changed(PLANAR, analysis__events={"up": {"when": "arm.y - 90", "action": "stop"}}))
        self.assertIn("event 'up' never happened: 'arm.y - 90' stayed between -90 and -90", result.stdout)

    def test_a_table_that_ends_is_named(self):
        torque = {"type": "applied_torque", "body": "arm", "torque": 1, "function": SPLINE}
        result = self.run_file(changed(PLANAR, system__forces={"motor": torque}))
        self.assertEqual(result.returncode, 4, result.stderr)
        self.assertEqual(result.stderr.count("the function 'forces/motor/function' is defined up to t = 0.15 only, the run lasts 0.2 s"), 2)

    def test_drivers_in_degrees_are_named_where_they_are_refused(self):
        for function, words in (({"type": "harmonic", "amplitude": 30, "frequency": 1}, "/function/amplitude: 30 rad is more"),
                                ({"type": "expression", "formula": "45*t"}, "it begins with 45, and angles are in radians")):
            driver = {"type": "angle_driver", "bodies": ["ground", "arm"], "function": function}
            result = self.run_file(changed(PLANAR, system__constraints__motor=driver))
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn(words, result.stderr)

    def test_idle_settings_are_refused(self):
        self.write(changed(PLANAR, parameters={"k": 1}, system__bodies__arm__mass="=k"))
        result = self.trammel("run", "run.json", "--set", "parameters.K=3")
        self.assertEqual(result.returncode, 2)
        self.assertIn("--set parameters.K=3: /parameters/K: no formula uses the parameter 'K'", result.stderr)
        self.assertIn("did you mean 'k'?", result.stderr)
        study = {"trammel_study": 1, "base": "run.json", "metrics": {"m": {"type": "energy_drift"}}}
        self.write({**study, "vary": {"parameters.K": [1, 2]}}, "study.json")
        result = self.trammel("study", "study.json", "-o", "st", "--quiet")
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("did you mean 'k'?", result.stderr)
        # Without effect in one case, with effect in another: that is a comparison.
        self.write({**study, "vary": {"parameters.k": [1, 2], "system.bodies.arm.mass": [1, "=k"]}}, "study.json")
        result = self.trammel("study", "study.json", "-o", "st", "--quiet")
        self.assertEqual(result.returncode, 0, result.stderr)


class WrongFile(Case):
    def test_every_message(self):
        for name, content, code, path, words in WRONG:
            with self.subTest(name):
                out = self.folder / "out"
                out.mkdir(exist_ok=True)
                for file in ("results.csv", "summary.json"):
                    (out / file).write_text("of an earlier run")
                result = self.run_file(content)
                self.assertEqual(result.returncode, code, result.stderr)
                self.assertEqual(result.stdout, "")
                first = result.stderr.splitlines()[0]
                self.assertIn(words, first)
                self.assertRegex(first, r"^run\.json:[0-9]+: " + (re.escape(path) + ": " if path else ""))
                if code == 3:
                    self.assertIn("searched, in this order:\n  ", result.stderr)
                self.assertEqual(sorted(file.name for file in out.iterdir()), ["results.csv", "summary.json"])
                for file in out.iterdir():
                    self.assertEqual(file.read_text(), "of an earlier run")

    def test_no_folder_is_made(self):
        self.run_file(changed(PENDULUM, system__bodies__arm__mass=0))
        self.assertFalse((self.folder / "out").exists())

    def test_redundant_joints_are_named(self):
        result = self.run_file(changed(PENDULUM, system__constraints__pin2=REVOLUTE))
        if result.returncode == 0:  # a kernel that copes with redundancy reports it instead
            self.assertGreater(self.summary()["dimensions"]["redundant"], 0)
            return
        self.assertEqual(result.returncode, 2)
        self.assertIn("'pin2", result.stderr)
        self.assertIn("'pin", result.stderr)
        self.assertIn("redundant", result.stderr)

    def test_all_errors_at_once(self):
        result = self.run_file(changed(PENDULUM, system__bodies__arm__mass=0, system__constraints__pin__axis=[0, 0, 0],
                                       integrator__rtoll=1))
        lines = result.stderr.splitlines()
        self.assertEqual(len(lines), 3, result.stderr)
        numbers = [int(line.split(":")[1]) for line in lines]
        self.assertEqual(numbers, sorted(numbers))

    def test_what_follows_from_a_wrong_parameter_is_not_told(self):
        for parameters in ({"m": "=sqrt(-1)"}, {"m": "=2*k", "k": "=m/2"}, {"m": "=k", "k": "=1/0"}):
            result = self.run_file(changed(PENDULUM, parameters=parameters, system__bodies__arm__mass="=m"))
            self.assertEqual(result.returncode, 2)
            self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
            self.assertIn("/parameters/", result.stderr)

    def test_two_drivers_of_one_freedom(self):
        motor = {"type": "angle_driver", "bodies": ["ground", "arm"], "axis": [0, 0, 1], "function": 0}
        self.succeed(changed(PENDULUM, system__constraints__motor=motor, system__constraints__other=motor))
        [warning] = [w for w in self.summary()["warnings"] if "redundant" in w]
        self.assertRegex(warning, "leave the driver '(motor|other)' out, for the others move what it moves")

    def test_a_law_that_ends(self):
        result = self.run_file(changed(PENDULUM, system__forces__spring={"type": "tsda", "bodies": ["ground", "arm"],
                                                                         "point_i": [0, 1, 0], "law": "sqrt(0.3 - t)"}))
        self.assertEqual(result.returncode, 4)
        self.assertIn("at 'spring' (type 'tsda'); look for roots and logarithms of negative numbers", result.stderr)


class WrongArguments(Case):
    def check(self, code, words, *arguments):
        result = self.trammel(*arguments)
        self.assertEqual(result.returncode, code, result.stderr)
        self.assertIn(words, result.stderr)
        self.assertEqual(result.stdout, "")

    def test_usage(self):
        self.write(PENDULUM)
        self.check(1, "RUN is required", "run")
        self.check(1, "--frobnicate", "run", "run.json", "--frobnicate")
        self.check(1, "expected PATH=VALUE", "run", "run.json", "--set", "nonsense")
        self.check(2, "nope.json: no such file", "run", "nope.json")
        self.assertFalse((self.folder / "results").exists())

    def test_set(self):
        self.write(PENDULUM)
        self.check(2, "--set system.bodies.arm.mas=3: /system/bodies/arm/mas: unknown key for a body; did you mean 'mass'?",
                   "run", "run.json", "--set", "system.bodies.arm.mas=3")
        self.check(2, "must be > 0 kg, not -3", "run", "run.json", "--set", "system.bodies.arm.mass=-3")


main()
