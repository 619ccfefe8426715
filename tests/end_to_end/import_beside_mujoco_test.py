"""Imported models beside MuJoCo: accelerations at random states."""
import json
import math
import os
import pathlib
import re
import subprocess
import sys

BY_NIGHT = "TRAMMEL_BY_DAY" not in os.environ  # all states; else a tenth of them
MUJOCO = sys.argv.pop(2) if len(sys.argv) > 2 and not sys.argv[2].startswith("-") else ""  # program mujoco_states

from import_case import CASES, ImportCase, MODELS, SAMPLES, robot
from support import main


def drop_small_turns(body):
    """mju_eig3 of MuJoCo 2.2 ends where the next turn's cosine is above 1 - 1e-12."""
    inertia = body["inertia"]
    for place, (i, j) in zip((3, 4, 5), ((0, 1), (0, 2), (1, 2))):
        if abs(inertia[place]) < math.sqrt(2e-12) * abs(inertia[i] - inertia[j]):
            inertia[place] = 0


class BesideMujoco(ImportCase):
    """Accelerations at random states against MuJoCo's, for models that nobody here wrote and our own trees."""

    def setUp(self):
        super().setUp()
        if not MUJOCO or not SAMPLES.is_dir():
            self.skipTest("MuJoCo is not here (Debian: libmujoco-dev, libmujoco-samples; scripts/extras installs them)")

    def beside(self, file, count, bound=1e-9, **options):
        if not BY_NIGHT and count == 100:
            count = options.get("by_day", 10)
        for other in pathlib.Path(file).parent.iterdir():
            target = self.folder / other.name
            if not target.exists():
                os.symlink(other, target)
        arguments = [str(count), "1", str(options.get("scale", 1))] + (["no_actuation"] if options.get("passive") else [])
        states = json.loads(subprocess.run([MUJOCO, str(file), *arguments], capture_output=True, text=True, check=True).stdout)
        worst = 0.0
        for state in filter(options.get("where"), states["states"]):
            key = '<key name="state" qpos="{}" qvel="{}"/>'.format(*(" ".join(map(repr, state[w])) for w in ("qpos", "qvel")))
            self.write(f'<mujoco><include file="{pathlib.Path(file).name}"/><option><flag equality="disable"/></option>'
                       f"<keyframe>{key}</keyframe></mujoco>", "wrapped.xml")
            model, _ = self.imported("wrapped.xml", "--set", 'keyframe="state"', "--set", "limits=none")
            names, unnamed = [], 0
            for body in state["bodies"]:
                unnamed += not body["name"]
                name = re.sub(r"\W", "_", body["name"] or f"body{unnamed}")
                names.append("_" + name if name[0].isdigit() else name)
            present = [n for n in names if n in model["system"]["bodies"]]
            for name in present if options.get("without_small_turns") else ():
                drop_small_turns(model["system"]["bodies"][name])
            model["analysis"] = {"type": "dynamics", "duration": 1e-9}
            model["output"] = {"at": "steps", "channels": [c for n in present for c in (n, n + ".acceleration")]}
            result = self.run_file(model, "--quiet")
            self.assertEqual(result.returncode, 0, result.stderr)
            header, rows = self.table()
            row = dict(zip(header, rows[0]))
            size = max(abs(x) for b in state["bodies"] for x in b["acceleration"] + b["alpha"])
            for name, body in zip(names, state["bodies"]):
                for i, c in enumerate("xyz" if name in present else ""):
                    self.assertLess(abs(row[f"{name}.{c}"] - body["position"][i]), 1e-9)
                    worst = max(worst, abs(row[f"{name}.a{c}"] - body["acceleration"][i]) / size,
                                abs(row[f"{name}.alpha{c}"] - body["alpha"][i]) / size)
        print(f"{pathlib.Path(file).name}: {count} states, largest relative difference of accelerations {worst:.2g}",
              file=sys.stderr)
        self.assertLess(worst, bound)
        return worst

    def test_humanoid(self):
        self.beside(SAMPLES / "humanoid" / "humanoid.xml", 100)

    def test_22_humanoids(self):
        """22 humanoids apart from each other, each in a state of its own: 100 states of the file are 2200 of a humanoid."""
        self.beside(SAMPLES / "humanoid" / "22_humanoids.xml", 100, by_day=1)

    def test_humanoid100(self):
        self.beside(SAMPLES / "humanoid100" / "humanoid100.xml", 100)

    def test_slider_crank(self):
        self.beside(SAMPLES / "slider_crank" / "slider_crank.xml", 100, passive=True)

    def test_mug(self):
        """MuJoCo takes principal axes that stand off by less than 1.4 urad for the body's: 4e-9 of the mug's accelerations."""
        self.beside(SAMPLES / "mug" / "mug.xml", 5, bound=1e-8)
        self.beside(SAMPLES / "mug" / "mug.xml", 100, without_small_turns=True)

    def test_small_turns_of_principal_axes(self):
        """The same with given numbers: import keeps them; MuJoCo does where one turn finds the axes and is not too small."""
        for products, least, most in (((1e-6, 0, 0), 1e-8, 1e-5), ((1e-5, 0, 0), 0, 1e-9), ((0.02, 0.01, 0), 1e-8, 1e-5)):
            tensor = [2, 3, 4, *products]
            self.write("<mujoco><worldbody><body name='b'><freejoint/><inertial pos='0 0 0' mass='1' "
                       f"fullinertia='{' '.join(map(str, tensor))}'/></body></worldbody></mujoco>", "turned.xml")
            model, _ = self.imported("turned.xml")
            self.assertEqual(model["system"]["bodies"]["b"]["inertia"], tensor)
            self.assertGreaterEqual(self.beside(self.folder / "turned.xml", 5, bound=most), least)

    def test_defaults_and_the_compiler(self):
        """What counts where an element and its defaults, or several settings, say different things."""
        joint = "<joint axis='1 .3 .2' pos='.1 .2 .3' stiffness='5'/>"
        inertial = "<inertial pos='.1 .2 .3' mass='2' diaginertia='{}'/>"
        box = "<default><geom {} type='box' size='.1 .2 .3'/></default><worldbody><body name='b'>" + joint + "<geom {}/></body></worldbody>"
        nested = ("<default><geom type='box' size='.1 .2 .3' quat='.3 .1 0 1'/><default class='c'><geom axisangle='1 2 3 40'/></default></default>"
                  "<worldbody><body name='b'>" + joint + "<geom class='c' {}/></body></worldbody>")
        texts = [box.format("quat='.7 .7 0 .1'", "euler='10 20 30'"), box.format("euler='10 20 30'", "quat='.9 .1 .3 0'"),
                 box.format("zaxis='1 2 3'", "euler='10 20 30'"), box.format("axisangle='1 2 3 40'", "xyaxes='1 1 0 0 1 1'"),
                 nested.format(""), nested.format("euler='10 20 30'"),
                 "<compiler settotalmass='10'/><worldbody><body name='a'><geom size='.1'/><body name='b'>" + joint +
                 "<geom size='.1' pos='1 0 0'/></body></body><body name='w' mocap='true'><geom size='.2'/></body></worldbody>",
                 "<compiler boundmass='3'/><worldbody><body name='b'>" + joint + inertial.format("1 1 1.5") + "</body></worldbody>"]
        texts += [f"<compiler {more}/><worldbody><body name='b'>" + joint + inertial.format("1 1 3") + "</body></worldbody>"
                  for more in ("balanceinertia='true' boundinertia='1.2'", "balanceinertia='true' boundinertia='1.6'")]
        texts += [f"<compiler inertiafromgeom='true' inertiagrouprange='0 1'/><worldbody><body name='b'>" + joint + inertial.format("1 1 1.5") +
                  geom + "</body></worldbody>" for geom in ("", "<geom size='.3' pos='1 0 0' group='2'/>", "<geom size='.3' pos='1 0 0' group='1'/>")]
        mirrored = "vertex='.1 .2 .3 1.1 .7 0 0 1 .3 .2 0 1.3' face='0 2 1 0 1 3 0 3 2 1 2 3'"
        texts += [f"<asset><mesh name='t' scale='{scale}' {mirrored}/></asset><worldbody><body name='b'>" + joint +
                  "<geom type='mesh' mesh='t' mass='4' pos='1 2 3'/></body></worldbody>" for scale in (".1 -.2 .3", "-.1 -.2 -.3", ".1 .2 .3")]
        for k, text in enumerate(texts):
            with self.subTest(text=text):
                self.write(f"<mujoco>{text}</mujoco>", f"defaults{k}.xml")
                self.beside(self.folder / f"defaults{k}.xml", 3)

    def test_springs_and_dampers_without_a_coordinate(self):
        """Of a ball and of a body that moves freely, at states where the ball is turned by less than 168 degrees."""
        inertial = "<inertial pos='.1 .2 .3' mass='2' diaginertia='1 1.1 1.2'/>"
        for k, (joint, place) in enumerate((("<joint type='ball' pos='.1 .2 .3' stiffness='4' damping='3'/>", 0),
                                            ("<joint type='free' stiffness='4' damping='3'/>", 3))):
            self.write(f"<mujoco><worldbody><body name='b' pos='1 2 3' euler='10 20 30'>{joint}{inertial}</body></worldbody></mujoco>", f"ball{k}.xml")

            def near(state):
                """The quaternion of the turn from where the file has the body."""
                w, x, y, z = state["qpos"][place:place + 4]
                if place == 3:
                    a, b, c = (math.radians(t) / 2 for t in (10, 20, 30))
                    s = [(math.cos(a), math.sin(a), 0, 0), (math.cos(b), 0, math.sin(b), 0), (math.cos(c), 0, 0, math.sin(c))]
                    q = s[0]
                    for r in s[1:]:
                        q = (q[0] * r[0] - q[1] * r[1] - q[2] * r[2] - q[3] * r[3], q[0] * r[1] + q[1] * r[0] + q[2] * r[3] - q[3] * r[2],
                             q[0] * r[2] - q[1] * r[3] + q[2] * r[0] + q[3] * r[1], q[0] * r[3] + q[1] * r[2] - q[2] * r[1] + q[3] * r[0])
                    return abs(w * q[0] + x * q[1] + y * q[2] + z * q[3]) > 0.1
                return abs(w) > 0.1
            self.beside(self.folder / f"ball{k}.xml", 20, where=near)

    def test_chain(self):
        self.beside(CASES / "chain.xml", 100)

    def tree(self, file, reference, count=100 if BY_NIGHT else 10, fuse=True):
        """A tree of URDF or SDF at the states of a URDF that MuJoCo reads; without mimics and dry friction, which yield there."""
        text = pathlib.Path(reference).read_text()
        if not fuse:
            text = re.sub(r"(<robot [^>]*>)", r'\1<mujoco><compiler fusestatic="false"/></mujoco>', text)
        self.write(text, "reference.urdf")
        states = json.loads(subprocess.run([MUJOCO, self.folder / "reference.urdf", str(count), "1"], capture_output=True,
                                           text=True, check=True).stdout)["states"]
        model, _ = self.imported(file, "--set", "limits=none")
        system = model["system"]
        system["constraints"] = {k: c for k, c in system["constraints"].items() if c["type"] != "coupler"}
        for force in system.get("forces", {}).values():
            force.pop("friction", None), force.pop("friction_speed", None)
        names = list(system["bodies"])
        self.assertGreaterEqual(len(names), 4)
        model["analysis"] = {"type": "dynamics", "duration": 1e-9}
        model["output"] = {"at": "steps", "channels": [c for n in names for c in (n, n + ".acceleration")]}
        worst = 0.0
        for state in states:
            bodies = {re.sub(r"\W", "_", b["name"]): b for b in state["bodies"]}
            for name in names:
                b = bodies[name]
                system["bodies"][name].update(position=b["position"], rotation={"euler_parameters": b["quaternion"]},
                                              velocity=b["velocity"], angular_velocity=b["omega"])
            result = self.run_file(model, "--quiet")
            self.assertEqual(result.returncode, 0, result.stderr)
            header, rows = self.table()
            row = dict(zip(header, rows[0]))
            size = max(abs(x) for n in names for x in bodies[n]["acceleration"] + bodies[n]["alpha"])
            for name in names:
                for i, c in enumerate("xyz"):
                    self.assertLess(abs(row[f"{name}.{c}"] - bodies[name]["position"][i]), 1e-9)
                    worst = max(worst, abs(row[f"{name}.a{c}"] - bodies[name]["acceleration"][i]) / size,
                                abs(row[f"{name}.alpha{c}"] - bodies[name]["alpha"][i]) / size)
        print(f"{pathlib.Path(file).name}: {count} states, largest relative difference of accelerations {worst:.2g}",
              file=sys.stderr)
        self.assertLess(worst, 1e-9)

    def test_arm(self):
        self.tree(CASES / "arm.urdf", CASES / "arm.urdf")

    def test_walker(self):
        self.tree(MODELS / "walker.urdf", MODELS / "walker.urdf", fuse=False)

    def test_crane_of_sdf(self):
        self.tree(MODELS / "crane.sdf", MODELS / "crane.urdf")

    def test_leg_without_its_loops(self):
        text = (MODELS / "leg.urdf").read_text()
        self.write(re.sub(r"<loop .*?</loop>", "", text, flags=re.S), "tree.urdf")
        self.tree(self.folder / "tree.urdf", self.folder / "tree.urdf")

    def test_what_is_lost_of_samples(self):
        for name, tags in (("humanoid/humanoid", ("geom", "camera")), ("humanoid/22_humanoids", ("geom", "camera")),
                           ("humanoid100/humanoid100", ("geom", "camera")), ("slider_crank/slider_crank", ("light", "position")),
                           ("mug/mug", ("geom", "texture"))):
            _, said = self.imported(SAMPLES / (name + ".xml"))
            for tag in tags:
                self.assertTrue(re.search(rf"xml:\d+: <{tag}>: lost: ", said), (name, tag))

    def test_others_are_refused(self):
        composite = ["composite/" + name for name in ("cloth", "grid2pin", "loop", "particle", "rope", "softbox")]
        refused = {name: "<composite>" for name in ("flag/flag", "hammock/hammock", "adhesion/active_adhesion", *composite)}
        refused["tendon_arm/arm26"] = "<muscle>"
        for name, words in refused.items():
            self.refused(SAMPLES / (name + ".xml"), words)


main()
