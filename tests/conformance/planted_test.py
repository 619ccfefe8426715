"""Every check of the conformance kit can fail, and of the checks only the intended one does: plugins with one mistake each.

Arguments: TRAMMEL FOLDER_OF_THE_PLANTED_PLUGINS [unittest arguments]
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

TRAMMEL, FOLDER = sys.argv.pop(1), pathlib.Path(sys.argv.pop(1))
PLUGIN_FOLDER = pathlib.Path(TRAMMEL).resolve().parent.parent / "lib/trammel/plugins"

ANALYSIS = {"type": "dynamics", "duration": 1}
DOPRI5 = {"type": "dopri5", "rtol": 1e-6, "atol": 1e-8}


def element(section, **keys):
    """A model with one element of the type between ground and a body, assembled."""
    def case(kind_of_element):
        return {"trammel": 1, "system": {
            "type": "planar", "gravity": [0, -9.81],
            "bodies": {"arm": {"mass": 2, "inertia": 0.1, "position": [0.4, -0.2], "angular_velocity": 1, "velocity": [0.2, 0]}},
            section: {"it": {"type": kind_of_element, "bodies": ["ground", "arm"], **keys}}},
            "analysis": ANALYSIS, "formulation": {"type": "projection"}, "integrator": DOPRI5}
    return case


def function(kind_of_function):
    return {"trammel": 1, "system": {
        "type": "planar", "bodies": {"mass": {"mass": 1, "inertia": 1}},
        "forces": {"push": {"type": "applied_force", "body": "mass", "force": [1, 0],
                            "function": {"type": kind_of_function}}}},
        "analysis": ANALYSIS, "formulation": {"type": "direct"}, "integrator": DOPRI5}


def formulation(kind_of_formulation):
    return {"trammel": 1, "system": {
        "type": "planar", "gravity": [0, -9.81], "bodies": {"arm": {"mass": 2, "inertia": 0.1, "position": [0.5, 0]}},
        "constraints": {"pin": {"type": "revolute", "bodies": ["ground", "arm"], "at": [0, 0]}}},
        "analysis": ANALYSIS, "formulation": {"type": kind_of_formulation}, "integrator": DOPRI5}


def problem(kind_of_system):
    return {"trammel": 1, "system": {"type": kind_of_system}, "analysis": ANALYSIS, "integrator": DOPRI5}


def integrator(kind_of_integrator):
    return {"trammel": 1, "system": {"type": "pendulum_angle"}, "analysis": ANALYSIS,
            "integrator": {"type": kind_of_integrator, "step": 0.01}}


def bodies(kind_of_system):
    """A free body: no constraint stands between a mistake of its host and the motion."""
    return {"trammel": 1, "system": {
        "type": kind_of_system, "gravity": [0, -9.81], "bodies": {"stone": {"mass": 2, "inertia": 0.1, "velocity": [1, 2]}}},
        "analysis": ANALYSIS, "formulation": {"type": "direct"}, "integrator": DOPRI5}


def steps(kind_of_integrator, h=0.1, count=3):
    """Steps of Bogacki and Shampine's method on x' = -x: 1 - h + h^2/2 - h^3/6 with an error of (b - b^) k."""
    k = [-1, -1 + h / 2, -1 + 3 * h / 4 - 3 * h * h / 8, -1 + h - h * h / 2 + h**3 / 6]
    error = h * sum(d * r for d, r in zip((-5 / 72, 1 / 12, 1 / 9, -1 / 8), k))
    x = 1 - h + h * h / 2 - h**3 / 6
    rows = [{"t": (i + 1) * h, "y": [x**(i + 1)], "error": [error * x**i]} for i in range(count)]
    return {"integrator": {"type": kind_of_integrator}, "system": {"type": "exponential", "rate": -1, "initial": 1}, "h": [h],
            "steps": rows, "source": "by hand"}


def writer(kind_of_writer):
    return {**problem("pendulum_angle"), "output": {"step": 0.1, "writers": ["csv", {"type": kind_of_writer}]}}


def analysis(kind_of_analysis):
    """Without gravity, so that a body that is moved by hand along its rail has no other reason to move."""
    falls = kind_of_analysis == "bad_rest"
    rail = {"rail": {"type": "translational", "bodies": ["ground", "block"], "at": [0, 0], "axis": [1, 0]}}
    return {"trammel": 1, "system": {"type": "planar", "gravity": [0, -9.81 if falls else 0],
                                     "bodies": {"block": {"mass": 2, "inertia": 0.1}},
                                     "constraints": {} if falls else rail},
            "analysis": {"type": kind_of_analysis, "duration": 1}}


def linear_solver(kind_of_solver):
    """A free body, whose motion no mistake with rows spoils."""
    return {**bodies("planar"), "analysis": {**ANALYSIS, "solver": {"type": kind_of_solver}}}


def drag(kind_of_force):
    """A force on one body, in space."""
    return {"trammel": 2, "system": {
        "type": "spatial", "gravity": [0, 0, -9.81],
        "bodies": {"arm": {"mass": 2, "inertia": [0.1, 0.1, 0.1], "velocity": [1, 0.5, 0]}},
        "forces": {"it": {"type": kind_of_force, "body": "arm"}}},
        "analysis": ANALYSIS, "formulation": {"type": "direct"}, "integrator": DOPRI5}


def study(base):
    """A mass pushed by t^2 from 1 s on."""
    return {"trammel_study": 1, "title": "Push", "base": base,
            "cases": [{"name": "push", "set": {"analysis.duration": 2}}],
            "metrics": {"v": {"type": "final_value", "channel": "mass.vx"}},
            "expect": [{"metric": "v", "value": 7 / 3, "abs": 1e-4, "source": "the integral of the force"}]}


CASES = {"writer": writer, "analysis": analysis, "linear_solver": linear_solver, "constraint": element("constraints", length=0.5), "force": element("forces", stiffness=100), "function": function,
         "formulation": formulation, "system": problem, "integrator": integrator}

# Types whose name does not say which check has to fail, and words of the message there.
# What a run of the model finds as well: linear solvers that work on a wrong reduction solve other equations.
# Random velocities of bodies keep to no row but that of Euler parameters.
ALSO = {"system/bad_body_reduction": ["contract.modes"], "system/bad_body_rows": ["math.body_power"]}
INTENDED = {"function/bad_shapes": ("contract.run", "writes more values than it was asked for"),
            "function/bad_break_points": ("contract.shapes", "break_points()"),
            "constraint/bad_hang": ("contract.create", "does not return within 5 s"),
            "constraint/bad_crash": ("contract.create", "SIGSEGV"),
            "force/bad_count": ("contract.create", "internal_states() is 1000000000; valid are 0 to 100000"),
            "system/bad_coordinates": ("contract.create", "bodies of 4 coordinates deform, but the system has no frames"),
            "constraint/bad_numbers": ("math.parameters", "the derivative of Phi with respect to length differs"),
            "force/bad_numbers": ("math.parameters", "the derivative of Q with respect to stiffness differs"),
            "system/bad_numbers": ("math.parameters", "the derivative of M a - Q with respect to inertia differs"),
            "constraint/bad_beyond": ("contract.shapes", "evaluate writes more than rows() = 1 entries"),
            "constraint/bad_strides": ("contract.shapes", "evaluate (Phi_q) writes outside its blocks"),
            "integrator/bad_next": ("contract.memory", "writes behind the new state"),
            "integrator/bad_inside": ("math.dense_order", "inside one step from an exact state"),
            "function/bad_study": ("math.study", "'v' of case 'push' is 2.3566"),
            "force/bad_late": ("math.stiffness", "of its motion: dQ/dq differs"),
            "force/bad_channels": ("math.channels", "positive in tension"),
            "force/bad_channel_gradients": ("math.channel_gradients", "the derivative of channel 'length' by coordinate 2 of body 2"),
            "force/bad_written": ("math.channel_gradients", "the derivative of channel 'length' by coordinate 0 of body 2"),
            "force/bad_closed_path": ("math.closed_path", "there and back, it gives"),
            "force/bad_damper": ("math.closed_path", "there and back, it gives"),
            "force/bad_slip": ("math.closed_path", "there and back, it gives"),
            "force/bad_torque": ("math.closed_path", "there and back, it gives"),
            "force/bad_heading": ("math.gravity_axis", "turning its body about the direction of gravity"),
            "force/bad_side": ("math.closed_path", "there and back, it gives"),
            "metric/bad_declares": ("contract.declares", "no column and no formula of columns"),
            "integrator/bad_steps": ("math.steps", "step 1: error[0] is"),
            "integrator/bad_low_order": ("math.order", "on every problem: the claim is too low"),
            "constraint/bad_run": ("contract.run", "no_such_integrator"),
            "constraint/bad_parameters": ("fuzz.parameters", "SIGABRT"),
            "constraint/bad_states": ("fuzz.states", "SIGABRT"),
            "function/bad_arguments": ("fuzz.arguments", "SIGABRT"),
            "analysis/bad_completes": ("contract.run", "a search by chance"),
            "analysis/bad_between": ("math.between", "a state inside a step violates the constraints by"),
            "analysis/bad_files": ("math.files", "line 2, cell 2 of numbers.csv is -0.5; 0.50 was expected"),
            "analysis/bad_pictures": ("math.pictures", "labels of the vertical axis are not the values at their lines"),
            "integrator/bad_stumbling": ("fuzz.stumbling", "numbers that are not finite is called ok")}
PLUGINS = ["constraints", "forces", "claims", "tyre", "metrics", "integrators", "systems", "treatments", "two_views", "writers", "linear_solvers", "analyses", "reductions"]


class Planted(unittest.TestCase):
    maxDiff = None

    def judge(self, plugin, level=3, types=(), timeout=5):
        """Checks the plugin with a case for each of its types; compares what fails with what has to."""
        options = [word for kind_of in types for word in ("--type", kind_of)]
        manifest = json.loads((FOLDER / f"{plugin}.trammel.json").read_text())
        with tempfile.TemporaryDirectory(prefix="trammel_test_") as name:
            folder = pathlib.Path(name)
            components = [c for c in manifest["components"] if not types or c["type"] in types]
            for component in components:
                hosts_bodies = component["kind"] == "system" and component["host"] != "any"
                if component["kind"] == "metric":
                    continue  # made from its defaults
                make = bodies if hosts_bodies else drag if component["host"] == "spatial" else CASES[component["kind"]]
                case = make(component["type"])
                if component["type"] == "bad_run":
                    case["integrator"] = {"type": "no_such_integrator"}
                name = f"{component['kind']}_{component['type']}"
                (folder / f"{name}.json").write_text(json.dumps(case))
                if component["kind"] == "analysis":
                    expected = folder / "expected" / name
                    expected.mkdir(parents=True)
                    (expected / "numbers.csv").write_text("name,number\nhalf,0.50\n")
                    if component["type"] == "good":  # where the tick's label is wrong no point can be read
                        (expected / "line.svg.csv").write_text("frame,curve,x,y\n1,a < b,1,0\n1,a < b,3,20\n")
                if name in ("integrator_good", "integrator_bad_steps"):
                    (folder / "expected").mkdir(exist_ok=True)
                    (folder / "expected" / f"{name}.json").write_text(json.dumps(steps(component["type"])))
                if name in ("function_good", "function_bad_study"):
                    (folder / f"{name}_study.json").write_text(json.dumps(study(f"{name}.json")))
            result = subprocess.run([TRAMMEL, "check", FOLDER / f"{plugin}.so", "--case", folder, "--level", str(level), "--json",
                                     "--timeout", str(timeout), *options], capture_output=True, text=True, timeout=280)
        self.assertEqual(result.returncode, 4, result.stderr)
        report = json.loads(result.stdout)
        for component in components:
            kind, kind_of = component["kind"], component["type"]
            failed = [check for check in report["checks"] if check["outcome"] == "failed"
                      and check["component"] == f"{kind}/{component['host']}/{kind_of}"]
            with self.subTest(f"{kind}/{kind_of}"):
                ids = [check["id"] for check in failed]
                name, words = INTENDED.get(f"{kind}/{kind_of}", (kind_of[len("bad_"):], ""))
                if kind_of.startswith("good") or (name.startswith("fuzz.") and level < 4):
                    self.assertEqual(failed, [])
                    continue
                intended = [check for check in failed if check["id"] in (name, f"contract.{name}", f"math.{name}")]
                self.assertEqual(len(intended), 1, failed)
                self.assertEqual(ids, [*ALSO.get(f"{kind}/{kind_of}", []), intended[0]["id"]], failed)
                self.assertIn(words, intended[0]["message"])
                self.assertTrue(intended[0]["cause"])
        return report

    def test_constraints(self):
        self.judge("planted_constraints")

    def test_wild_input(self):
        self.judge("planted_constraints", 4, ("good", "bad_parameters", "bad_states"))
        self.judge("planted_treatments", 4, ("bad_arguments",))
        self.judge("planted_integrators", 4, ("bad_stumbling",))

    def test_forces(self):
        self.judge("planted_forces")

    def test_forces_as_a_whole(self):
        self.judge("planted_claims")

    def test_tyres(self):
        self.judge("planted_tyre")

    def test_metrics(self):
        report = self.judge("planted_metrics")
        self.assertIn("math.sampling", [check["id"] for check in report["checks"] if check["outcome"] == "passed"])

    def test_integrators(self):
        self.judge("planted_integrators")

    def test_integrators_of_two_views(self):
        self.judge("planted_two_views", timeout=30)

    def test_formulations_functions_problems(self):
        self.judge("planted_treatments")

    def test_second_order_views(self):
        self.judge("planted_reductions")

    def test_writers(self):
        self.judge("planted_writers")

    def test_analyses(self):
        self.judge("planted_analyses")

    def outcomes(self, plugin, folder, *options):
        """Of the checks of one of our own plugins with these cases: id -> outcome and message."""
        result = subprocess.run([TRAMMEL, "check", PLUGIN_FOLDER / f"{plugin}.so", "--case", folder, "--json", *options],
                                capture_output=True, text=True, timeout=100)
        return {check["id"]: (check["outcome"], check.get("message", "")) for check in json.loads(result.stdout)["checks"]}

    def test_importers(self):
        link = '<link name="arm"><inertial><mass value="2"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>'
        joint = '<joint name="j" type="{}"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/></joint>'
        with tempfile.TemporaryDirectory(prefix="trammel_test_") as name:
            folder = pathlib.Path(name)
            (folder / "arm.urdf").write_text(f'<robot name="r"><link name="base"/>{link}{joint.format("continuous")}</robot>')
            (folder / "expected").mkdir()
            for expected, said in (({"system": {"bodies": {"arm": {"mass": 2}}, "forces": None}}, ""),
                                   ({"system": {"bodies": {"arm": {"mass": 3}}}}, "/system/bodies/arm/mass is 2; 3 was expected"),
                                   ({"system": {"bodies": {"arm": {"mass": None}}}}, "/system/bodies/arm/mass was not expected"),
                                   ({"system": {"constraints": {"j": {"axis_i": [0, 0, 1]}}}}, "axis_i/1 is 1; 0 was expected")):
                text = json.dumps({"type": "urdf", "file": "arm.urdf", "with": {"gravity": [0, 0, -1]}, "becomes": expected})
                (folder / "expected" / "arm.json").write_text(text)
                outcome, message = self.outcomes("robot_xml", folder, "--type", "urdf", "--include", "importer.")["importer.becomes"]
                self.assertEqual(outcome, "failed" if said else "passed", message)
                self.assertIn(said, message)

    def test_metrics_of_late_parts_of_a_run(self):
        metric = {"type": "mean", "channel": "x", "from": 9, "until": 11}
        with tempfile.TemporaryDirectory(prefix="trammel_test_") as name:
            base = {"trammel": 2, "system": {"type": "vibration", "omega": 2, "position": 1}, "analysis": {"type": "dynamics", "duration": 12},
                    "integrator": {"type": "dopri5"}}
            (pathlib.Path(name) / "base.json").write_text(json.dumps(base))
            (pathlib.Path(name) / "late_study.json").write_text(
                json.dumps({"trammel_study": 1, "base": "base.json", "metrics": {"late": metric}, "expect": [{"metric": "late", "below": 1}]}))
            found = self.outcomes("channel_statistics", name, "--type", "mean", "--include", "contract.", "--include", "math.sampling")
        for other in ("contract.keys", "contract.curve"):  # it has more of them, and no curve
            self.assertEqual(found.pop(other)[0], "skipped")
        self.assertEqual({outcome for outcome, _ in found.values()}, {"passed"}, found)

    def test_analyses_of_one_state_hide_no_motion(self):
        with tempfile.TemporaryDirectory(prefix="trammel_test_") as name:
            for file, search in (("a_state.json", True), ("b_motion.json", False)):
                case = analysis("bad_between")
                case["analysis"]["search"] = search
                if search:
                    del case["analysis"]["duration"]
                (pathlib.Path(name) / file).write_text(json.dumps(case))
            result = subprocess.run([TRAMMEL, "check", FOLDER / "planted_analyses.so", "--type", "bad_between",
                                     "--case", name, "--level", "3", "--json"], capture_output=True, text=True, timeout=100)
        outcomes = {check["id"]: check["outcome"] for check in json.loads(result.stdout)["checks"]}
        self.assertEqual((outcomes["math.checkpoint"], outcomes["math.between"]), ("passed", "failed"), result.stdout)

    def test_linear_solvers(self):
        self.judge("planted_linear_solvers")

    def test_hosts_of_bodies(self):
        self.judge("planted_systems")

    def test_libraries(self):
        for mistake, words in (("symbols", "planted_extra_symbol"), ("modes", "flush")):
            with self.subTest(mistake):
                result = subprocess.run([TRAMMEL, "check", FOLDER / mistake / f"planted_{mistake}.so", "--level", "1", "--json"],
                                        capture_output=True, text=True, timeout=60)
                self.assertEqual(result.returncode, 4, result.stderr)
                failed = [check for check in json.loads(result.stdout)["checks"] if check["outcome"] == "failed"]
                self.assertEqual([check["id"] for check in failed], [f"load.{mistake}"], failed)
                self.assertIn(words, failed[0]["message"])

    def test_every_check_is_planted(self):
        """No check of components without a mistake that it finds."""
        seen = set()
        for plugin in PLUGINS:
            manifest = json.loads((FOLDER / f"planted_{plugin}.trammel.json").read_text())
            for component in manifest["components"]:
                seen.add(INTENDED.get(f"{component['kind']}/{component['type']}", (component["type"][4:],))[0])
        source = pathlib.Path(__file__).resolve().parents[2] / "framework" / "src" / "check"
        unplanted = set()
        for file in source.glob("*_checks.cpp"):
            if file.name == "load_checks.cpp":
                continue  # tests/plugin has those
            for line in file.read_text().split('"'):
                if line.startswith(("math.", "contract.", "fuzz.")) and " " not in line:
                    short = line.split(".", 1)[1]
                    if not {short, line} & seen and short:
                        unplanted.add(line)
        # Plugins that do something to the process, and wrong break points: tests/plugin has those.
        self.assertEqual(unplanted - {"contract.process", "contract.keys", "math.break_points"}, set())


unittest.main(verbosity=1)
