"""Imported models beside MuJoCo: accelerations at random states."""
import json
import math
import os
import pathlib
import re
import subprocess
import sys

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
        for other in pathlib.Path(file).parent.iterdir():
            target = self.folder / other.name
            if not target.exists():
                os.symlink(other, target)
        arguments = [str(count), "1", str(options.get("scale", 1))] + (["no_actuation"] if options.get("passive") else [])
        states = json.loads(subprocess.run([MUJOCO, str(file), *arguments], capture_output=True, text=True, check=True).stdout)
        worst = 0.0
        for state in states["states"]:
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
        """22 humanoids apart from each other, each in a state of its own: five states of the file are 110 of a humanoid."""
        self.beside(SAMPLES / "humanoid" / "22_humanoids.xml", 5)

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

    def test_chain(self):
        self.beside(CASES / "chain.xml", 100)

    def tree(self, file, reference, count=100, fuse=True):
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
