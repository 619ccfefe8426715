"""Imported models beside MuJoCo: accelerations at random states."""
import json
import os
import pathlib
import re
import subprocess
import sys

MUJOCO = sys.argv.pop(2) if len(sys.argv) > 2 and not sys.argv[2].startswith("-") else ""  # program mujoco_states

from import_case import CASES, ImportCase, MODELS, SAMPLES, robot
from support import main


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
        keys = "\n".join('<key name="s{}" qpos="{}" qvel="{}"/>'.format(k, *(" ".join(map(repr, s[w])) for w in ("qpos", "qvel")))
                         for k, s in enumerate(states["states"]))
        self.write(f'<mujoco><include file="{pathlib.Path(file).name}"/><option><flag equality="disable"/></option>'
                   f"<keyframe>{keys}</keyframe></mujoco>", "wrapped.xml")
        worst = 0.0
        for k, state in enumerate(states["states"]):
            model, _ = self.imported("wrapped.xml", "--set", f'keyframe="s{k}"', "--set", "limits=none")
            names, unnamed = [], 0
            for body in state["bodies"]:
                unnamed += not body["name"]
                name = re.sub(r"\W", "_", body["name"] or f"body{unnamed}")
                names.append("_" + name if name[0].isdigit() else name)
            present = [n for n in names if n in model["system"]["bodies"]]
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

    def test_humanoid(self):
        self.beside(SAMPLES / "humanoid" / "humanoid.xml", 100)

    def test_22_humanoids(self):
        self.beside(SAMPLES / "humanoid" / "22_humanoids.xml", 3)

    def test_humanoid100(self):
        self.beside(SAMPLES / "humanoid100" / "humanoid100.xml", 10)

    def test_slider_crank(self):
        self.beside(SAMPLES / "slider_crank" / "slider_crank.xml", 100, passive=True)

    def test_mug(self):
        self.beside(SAMPLES / "mug" / "mug.xml", 100, bound=1e-8)

    def test_chain(self):
        self.beside(CASES / "chain.xml", 100)

    def tree(self, file, reference, count=100, fuse=True):
        """A tree of URDF or SDF at the states of a URDF that MuJoCo reads; mimics and dry friction left out, which yield there."""
        text = pathlib.Path(reference).read_text()
        if not fuse:
            text = re.sub(r"(<robot [^>]*>)", r'\1<mujoco><compiler fusestatic="false"/></mujoco>', text)
        self.write(text, "reference.urdf")
        states = json.loads(subprocess.run([MUJOCO, self.folder / "reference.urdf", str(count), "1"], capture_output=True, text=True,
                                           check=True).stdout)["states"]
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

    def test_leg_without_its_loops(self):
        text = (MODELS / "leg.urdf").read_text()
        self.write(re.sub(r"<loop .*?</loop>", "", text, flags=re.S), "tree.urdf")
        self.tree(self.folder / "tree.urdf", self.folder / "tree.urdf")

    def test_others_are_refused(self):
        for name, words in (("tendon_arm/arm26", "<muscle>"), ("flag/flag", "<composite>"), ("hammock/hammock", "<composite>"),
                            ("composite/rope", "<composite>"), ("adhesion/active_adhesion", "<composite>")):
            self.refused(SAMPLES / (name + ".xml"), words)


main()
