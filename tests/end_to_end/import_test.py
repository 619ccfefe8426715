"""`trammel import`: URDF and MJCF, what is said of losses, loops that close, broken files."""
import json
import math
import random
import re
import struct

from import_case import CASES, ImportCase, JOINT, LINK, MODELS, SDF_JOINT, SDF_LINK, robot
from support import main


class Urdf(ImportCase):
    def test_an_arm(self):
        model, said = self.imported(CASES / "arm.urdf")
        system = model["system"]
        self.assertEqual(list(system["bodies"]), ["upper_arm", "fore_arm", "left_jaw", "right_jaw", "wheel"])
        self.assertEqual(list(system["points"]), ["base_link", "tool"])
        arm = system["bodies"]["upper_arm"]
        # Rz(0.3) J Rz(-0.3) by hand; the centre of mass turns with the joint's frame, pitch 0.2.
        c, s = math.cos(0.3), math.sin(0.3)
        xx, yy, zz, xy, xz, yz = 0.02, 0.03, 0.012, 0.001, 0, -0.002
        expected = [c * c * xx - 2 * c * s * xy + s * s * yy, s * s * xx + 2 * c * s * xy + c * c * yy, zz,
                    c * s * (xx - yy) + (c * c - s * s) * xy, c * xz - s * yz, s * xz + c * yz]
        for value, wanted in zip(arm["inertia"], expected):
            self.assertAlmostEqual(value, wanted, delta=1e-16)
        for value, wanted in zip(arm["position"], [0.15 * math.sin(0.2), 0, 0.1 + 0.15 * math.cos(0.2)]):
            self.assertAlmostEqual(value, wanted, delta=1e-15)
        for value, wanted in zip(arm["rotation"]["euler_parameters"], [math.cos(0.1), 0, math.sin(0.1), 0]):
            self.assertAlmostEqual(value, wanted, delta=1e-15)
        self.assertEqual(system["constraints"]["right_mimic"],
                         {"type": "coupler", "first": "left", "second": "right", "ratio": 1, "offset": 0})
        self.assertEqual(system["forces"]["shoulder_friction"],
                         {"type": "joint_friction", "joint": "shoulder", "damping": [0.4], "friction": [0.1],
                          "friction_speed": 0.001})
        self.assertEqual(system["forces"]["shoulder_limit"]["upper"], 1.5)
        for words in ("arm.urdf:21: <limit>: lost: effort limit 50 of joint 'shoulder'", "is smoothed over a rate of 0.001",
                      "5 bodies, 6 constraints, 4 forces; 0 moved by assembly; 6 lost, 4 approximated"):
            self.assertIn(words, said)
        text = (self.folder / "model.json").read_text()
        self.assertIn('"name": "upper.arm"', text)
        result = self.trammel("run", "model.json", "-o", "out", "--set", "analysis.duration=0.1", "--quiet")
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_strict(self):
        self.refused(CASES / "arm.urdf", "--strict, and 10 parts are not carried over exactly", options=["--strict"])
        self.write(robot(LINK.format("a"), JOINT.format("j", "continuous", "base", "a", "")), "plain.urdf")
        self.imported("plain.urdf", "--strict")

    def test_limits(self):
        limited = JOINT.format("j", "revolute", "base", "a", '<limit lower="0.2" upper="1"/>')
        self.write(robot(LINK.format("a"), limited), "limited.urdf")
        model, _ = self.imported("limited.urdf", "--set", "limits=rigid", "--strict")
        self.assertEqual(model["system"]["constraints"]["j_lower"],
                         {"type": "joint_impact", "joint": "j", "lower": 0.2, "restitution": 0})
        # Zero lies outside: the joint starts at its limit.
        self.assertAlmostEqual(model["system"]["bodies"]["a"]["rotation"]["euler_parameters"][1], math.sin(0.1), delta=1e-15)
        # The angle counts between the frames of the file.
        joint = model["system"]["constraints"]["j"]
        self.assertEqual(joint["reference_i"], joint["reference_j"])

    def test_base(self):
        self.write('<robot name="r">' + LINK.format("b") + LINK.format("a") + JOINT.format("j", "spherical", "b", "a", "") +
                   "</robot>", "free.urdf")
        model, said = self.imported("free.urdf")
        self.assertEqual(list(model["system"]["bodies"]), ["a"])
        self.assertIn("stands still; --set base=free lets it move", said)
        model, _ = self.imported("free.urdf", "--set", "base=free")
        self.assertEqual(list(model["system"]["bodies"]), ["b", "a"])

    def test_side_file(self):
        self.write(robot(LINK.format("a"), LINK.format("b"), JOINT.format("j", "continuous", "base", "a", '<axis xyz="0 1 0"/>'),
                         JOINT.format("k", "continuous", "a", "b", '<origin xyz="1 0 0" rpy="0 1.2 0"/><axis xyz="0 1 0"/>')),
                   "two.urdf")
        self.write("# the end of b, six digits\nspherical b base name=end first_xyz=1,0,0 second_xyz=1.362358,0,-0.932039\n",
                   "two.loops")
        model, said = self.imported("two.urdf", "--loops", "two.loops")
        self.assertEqual(model["system"]["constraints"]["end"]["type"], "spherical")
        self.assertIn("2 moved by assembly", said)
        self.write("spherical b nowhere\n", "bad.loops")
        self.refused("two.urdf", "bad.loops:1: there is no link 'nowhere'", options=["--loops", "bad.loops"])
        # Three metres are too far for two links of one.
        self.write("spherical b base name=end first_xyz=1,0,0 second_xyz=3,0,0\n", "far.loops")
        last = self.refused("two.urdf", "cannot be set up", options=["--loops", "far.loops"])
        self.assertIn("'end' by", last)

    def test_massless_links(self):
        self.write(robot('<link name="cross"/>', LINK.format("a"), '<link name="idle"/>',
                         JOINT.format("x", "continuous", "base", "cross", ""),
                         JOINT.format("y", "continuous", "cross", "a", '<axis xyz="0 1 0"/>'),
                         JOINT.format("z", "continuous", "a", "idle", "")), "cross.urdf")
        model, said = self.imported("cross.urdf")
        self.assertEqual(model["system"]["bodies"]["cross"]["type"], "massless")
        self.assertIn("joint 'z' moves link 'idle', which has no mass and carries none", said)
        result = self.trammel("run", "model.json", "-o", "out", "--set", "analysis.duration=0.1", "--quiet")
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_broken_files(self):
        def check(text, *words, name="bad.urdf"):
            self.write(text, name)
            return self.refused(name, *words)
        check("", "holds no element")
        check("<robot name='r'>\n<link name='a'>\n</robot>", "bad.urdf:", "is no XML")
        check("<robot name='r'><link name='a'/></robot><x/>", "a second element beside the first")
        check(robot("<link/>"), "bad.urdf:3: <link>: has no attribute 'name'")
        check(robot(LINK.format("a"), LINK.format("a")), "bad.urdf:4: <link>: a second link 'a'")
        check(robot(LINK.format("a"), JOINT.format("j", "hinge", "base", "a", "")), "bad.urdf:4: <joint>: 'hinge' is no type")
        check(robot(LINK.format("a"), JOINT.format("j", "fixed", "base", "b", "")), "bad.urdf:4: <joint>: there is no link 'b'")
        check(robot(LINK.format("a"), JOINT.format("j", "revolute", "base", "a", '<axis xyz="0 0 0"/>')),
              "the axis of joint 'j' may not be zero")
        check(robot(LINK.format("a"), JOINT.format("j", "revolute", "base", "a", '<origin xyz="0 0"/>')),
              "attribute 'xyz' must have 3 numbers, has 2: '0 0'")
        check(robot(LINK.format("a"), JOINT.format("j", "revolute", "base", "a", '<origin xyz="0 0 nan"/>')),
              "must consist of finite numbers, not '0 0 nan'")
        check(robot(LINK.format("a"), LINK.format("b"), JOINT.format("j", "fixed", "b", "a", ""),
                    JOINT.format("k", "fixed", "a", "b", "")), "closes a circle")
        check(robot(LINK.format("a"), JOINT.format("j", "fixed", "base", "a", ""), JOINT.format("k", "fixed", "base", "a", "")),
              "link 'a' is the child of joint 'j' already", "--loops")
        check(robot('<link name="a"><inertial><mass value="-1"/></inertial></link>'), "the mass of link 'a' is negative")
        check(robot(LINK.format("a").replace('ixx="1"', 'ixx="-1"'), JOINT.format("j", "continuous", "base", "a", "")),
              "principal moments of 'a' may not be negative")
        check(robot(LINK.format("a"), JOINT.format("j", "continuous", "base", "a", '<mimic joint="k"/>')),
              "there is no joint 'k'")
        check('<robot name="r" xmlns:xacro="http://ros.org/wiki/xacro"><xacro:property name="x" value="1"/></robot>',
              "<xacro:property>: a macro of xacro, which is not read", name="bad.xacro")
        check(robot(LINK.format("a").replace("<inertial>", "<inertial>" * 200).replace("</inertial>", "</inertial>" * 200)),
              "nested too deeply")
        self.refused("nowhere.urdf", "nowhere.urdf: cannot be read")
        self.write("just text", "some.thing")
        self.refused("some.thing", "is of no format that an importer recognises", "--type")

    def test_what_is_named(self):
        odd = LINK.format("a").replace(
            "</link>", '<visual><geometry><mesh filename="package://p/a.stl"/></geometry></visual>'
                       '<collision><geometry><sphere radius="1"/></geometry></collision><smell/></link>')
        self.write(robot(odd.replace('izz="1"', 'izz="3"'), JOINT.format("j", "continuous", "base", "a", ""),
                         '<transmission name="t"/>', "<gazebo/>"), "odd.urdf")
        _, said = self.imported("odd.urdf")
        for words in ("odd.urdf:3: <mesh>: lost: picture of link 'a': 'package://p/a.stl': there is no file",
                      "<collision>: lost: collision shape of link 'a'", "odd.urdf:3: <smell>: lost: unknown here",
                      "<transmission>: lost: transmission 't'", "<gazebo>: lost: settings of the simulator",
                      "approximated: no body has the principal moments of 'a', 1, 1, 3"):
            self.assertIn(words, said)
        (self.folder / "p").mkdir()
        (self.folder / "p" / "a.stl").write_text("solid")
        _, said = self.imported("odd.urdf", "--package-path", ".")
        self.assertIn("'package://p/a.stl': it has no faces, or is broken off", said)

    def test_meshes_are_drawn(self):
        """STL and OBJ, as text and binary, in the run file, the page and the glTF file."""
        corners = [(0, 0, 0), (100, 0, 0), (0, 200, 0), (0, 0, 300)]
        faces = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
        self.write("".join("v {} {} {}\n".format(*c) for c in corners) +
                   "".join("f {} {} {}\n".format(*(k + 1 for k in f)) for f in faces), "a.obj")
        vertex = "vertex {} {} {}\n"
        self.write("solid a\n" + "".join("facet normal 0 0 0\nouter loop\n" + "".join(vertex.format(*corners[k]) for k in f) +
                                         "endloop\nendfacet\n" for f in faces) + "endsolid\n", "a.stl")
        (self.folder / "b.stl").write_bytes(b"\0" * 80 + struct.pack("<I", 4) + b"".join(
            struct.pack("<12fH", 0, 0, 0, *(x for k in f for x in corners[k]), 0) for f in faces))
        for file in ("a.obj", "a.stl", "b.stl"):
            visual = (f'<visual><origin xyz="0 0 0.1" rpy="0.3 0 0"/><geometry><mesh filename="{file}" '
                      'scale="0.001 0.001 0.001"/></geometry><material name="m"><color rgba="1 0 0 1"/></material></visual>'
                      '</link>')
            self.write(robot(LINK.format("a").replace("</link>", visual), JOINT.format("j", "continuous", "base", "a", "")),
                       "mesh.urdf")
            model, said = self.imported("mesh.urdf", "--strict")
            shape = model["system"]["bodies"]["a"]["shape"]
            self.assertEqual((shape["type"], shape["scale"], shape["center"]), ("mesh", [0.001] * 3, [0, 0, 0.1]))
            self.assertTrue(shape["file"].endswith("/" + file))
            result = self.trammel("run", "model.json", "-o", "out", "--quiet", "--set", "analysis.duration=0.1", "--report")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn('"solid":"mesh"', (self.folder / "out" / "report.html").read_text())
            result = self.trammel("report", "out", "--gltf", "a.gltf")
            self.assertEqual(result.returncode, 0, result.stderr)
            gltf = json.loads((self.folder / "a.gltf").read_text())
            mesh, = [m for m in gltf["meshes"] if m.get("name") == "mesh"]
            positions = gltf["accessors"][mesh["primitives"][0]["attributes"]["POSITION"]]
            self.assertEqual((positions["count"], positions["min"], positions["max"]), (12, [-0.5] * 3, [0.5] * 3))
            node, = [n for n in gltf["nodes"] if n.get("mesh") == gltf["meshes"].index(mesh)]
            # Columns: the file's axes, turned by 0.3 about x, times its extents in metres; then its middle.
            c, s = math.cos(0.3), math.sin(0.3)
            expected = [0.1, 0, 0, 0, 0, 0.2 * c, 0.2 * s, 0, 0, -0.3 * s, 0.3 * c, 0,
                        0.05, 0.1 * c - 0.15 * s, 0.1 + 0.1 * s + 0.15 * c, 1]
            for value, wanted in zip(node["matrix"], expected):
                self.assertAlmostEqual(value, wanted, delta=1e-7)
        self.write("<mujoco><asset><mesh name='m' file='b.stl' scale='.001 .001 .001'/></asset><worldbody><body name='a'><joint/>"
                   "<geom type='mesh' mesh='m' pos='0 0 1' rgba='1 0 0 1'/></body></worldbody></mujoco>", "mesh.xml")
        drawn = self.imported("mesh.xml")[0]["system"]["bodies"]["a"]
        self.assertEqual((drawn["shape"]["type"], drawn["shape"]["scale"]), ("mesh", [0.001] * 3))
        for value, wanted in zip(map(sum, zip(drawn["position"], drawn["shape"]["center"])), (0, 0, 1)):
            self.assertAlmostEqual(value, wanted, delta=1e-15)
        visual = "<visual name='v'><geometry><mesh><uri>model://p/b.stl</uri></mesh></geometry></visual>"
        self.write("<sdf version='1.9'><model name='m'>" + SDF_LINK.format(1, visual) + "</model></sdf>", "mesh.sdf")
        drawn = self.imported("mesh.sdf", "--package-path", ".")[0]["system"]["bodies"]["a"]["shape"]
        self.assertEqual(drawn["type"], "mesh")
        shape["file"] = "gone.stl"
        result = self.run_file(model)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("/system/bodies/a/shape/file: there is no file", result.stderr)


class Machines(ImportCase):
    """Loops with six decimals: they close, run 10 s, and keep constraints and energy."""

    def runs(self, file, redundant):
        self.imported(MODELS / file)
        result = self.trammel("run", "model.json", "-o", "out", "--quiet", "--set", "output.step=0.1")
        self.assertEqual(result.returncode, 0, result.stderr)
        summary = self.summary()
        self.assertEqual(summary["status"], "completed")
        self.assertLess(summary["max"]["constraint_position"], 1e-10)
        self.assertLess(summary["max"]["energy_drift"], 1e-6)
        self.assertEqual(any(f"{redundant} of " in w and "are redundant" in w for w in summary["warnings"]), redundant > 0)

    def test_gripper(self):
        self.runs("gripper.urdf", 6)
        self.runs("gripper.xml", 2)

    def test_delta(self):
        self.runs("delta.urdf", 0)
        self.runs("delta.xml", 0)

    def test_leg(self):
        self.runs("leg.urdf", 9)
        self.runs("leg.xml", 3)

    def test_one_to_six_loops(self):
        """Parallelograms side by side, each of three rows too many in space."""
        tip = "0.171010 0 0.469846"  # 0.5 m long, 20 degrees from the vertical
        revolute = '<origin xyz="{}"/><axis xyz="0 1 0"/>'
        for loops in range(1, 7):
            parts = []
            for k in range(loops + 1):
                foot = JOINT.format(f"foot{k}", "continuous", "base", f"crank{k}", revolute.format(f"{k} 0 0"))
                parts += [LINK.format(f"crank{k}"), foot]
            for k in range(loops):
                hip = JOINT.format(f"hip{k}", "continuous", f"crank{k}", f"bar{k}", revolute.format(tip))
                parts += [LINK.format(f"bar{k}"), hip,
                          f'<loop name="end{k}" type="revolute"><predecessor link="bar{k}"><origin xyz="1 0 0"/></predecessor>'
                          f'<successor link="crank{k + 1}"><origin xyz="{tip}"/></successor><axis xyz="0 1 0"/></loop>']
            self.write(robot(*parts), "row.urdf")
            self.imported("row.urdf")
            result = self.trammel("run", "model.json", "-o", "out", "--quiet", "--set", "analysis.duration=0.5")
            self.assertEqual(result.returncode, 0, result.stderr)
            summary = self.summary()
            self.assertLess(summary["max"]["constraint_position"], 1e-10)
            self.assertLess(summary["max"]["energy_drift"], 1e-6)
            said = summary["warnings"]
            self.assertTrue(any(f"{3 * loops} of " in w and "are redundant" in w for w in said), said)

    def test_how_far_it_moved(self):
        _, said = self.imported(MODELS / "leg.urdf")
        ways = [float(w) for w in re.findall(r"assembly moved \w+: (\S+) m", said)]
        self.assertEqual(len(ways), 8)
        self.assertLess(max(ways), 1e-5)
        self.assertGreater(max(ways), 1e-9)
        # A second assembly has nothing to move.
        result = self.trammel("run", "model.json", "-o", "out", "--quiet", "--set", "analysis.duration=0.01")
        self.assertNotIn("violated the constraints", result.stderr)


class Mjcf(ImportCase):
    def model(self, body, rest=""):
        self.write(f"<mujoco model='m'>\n<worldbody>\n{body}\n</worldbody>\n{rest}\n</mujoco>\n", "m.xml")

    def test_a_chain(self):
        model, said = self.imported(CASES / "chain.xml", "--set", "keyframe=bent")
        system = model["system"]
        self.assertEqual(list(system["bodies"]), ["root", "root_frame", "root_frame2", "slider", "bob", "arm", "yaw_rotor",
                                                  "pitch_rotor", "roll_rotor", "slide_rotor", "swing_rotor"])
        self.assertEqual([system["bodies"][b]["type"] for b in ("root_frame", "root_frame2")], ["massless"] * 2)
        self.assertEqual(system["constraints"]["geared"],
                         {"type": "coupler", "first": "yaw", "second": "swing", "ratio": 2, "offset": 0})
        self.assertEqual(system["forces"]["hold"],
                         {"type": "servo", "joint": "pitch", "position": {"type": "input", "name": "hold", "value": 0},
                          "stiffness": 20, "gear": 2})
        self.assertEqual(system["forces"]["push"]["maximum"], 1)
        self.assertAlmostEqual(system["forces"]["pitch_spring"]["free_position"], math.radians(10), delta=1e-16)
        self.assertIn("tip", system["points"])
        result = self.trammel("run", "model.json", "-o", "out", "--quiet", "--set", "analysis.duration=0.1")
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_refused(self):
        self.model("<body><geom size='1'/><composite type='rope'/></body>")
        self.refused("m.xml", "m.xml:3: <composite>: bodies that MuJoCo makes from this element")
        self.model("<body><joint/><geom size='1'/></body>", "<actuator><muscle joint='j'/></actuator>")
        self.refused("m.xml", "m.xml:5: <muscle>")
        self.model("<include file='m.xml'/>")
        self.refused("m.xml", "m.xml:3: <include>: file 'm.xml' is included for the second time, or by itself")
        self.model("<include file='nowhere.xml'/>")
        self.refused("m.xml", "<include>: there is no file")
        self.model("<body><joint/><geom class='c' size='1'/></body>")
        self.refused("m.xml", "m.xml:3: <geom>: there is no class 'c' of defaults")
        self.model("<body><joint/><geom type='mesh' mesh='a'/></body>", "<asset><mesh name='a' file='a.stl'/></asset>")
        self.refused("m.xml", "m.xml:5: <mesh>: 'a.stl': there is no such file")
        self.model("<body><joint axis='0 0 0' name='j'/><geom size='1'/></body>")
        self.refused("m.xml", "the axis of joint 'j' may not be zero")
        self.model("<body><joint/><geom type='capsule' size='0.1'/></body>")
        self.refused("m.xml", "m.xml:3: <geom>: the size of geom of 'body1' must be above zero")
        self.model("<body/>")
        self.refused("m.xml", "there is nothing to simulate")

    def test_what_is_named(self):
        self.model("<body name='b'><joint name='j' type='ball' range='0 1'/><geom size='1' odd='2'/><camera name='c'/></body>",
                   "<tendon><spatial name='t'/></tendon><sensor><clock name='s'/></sensor><strange/>")
        _, said = self.imported("m.xml")
        for words in ("limit of joint 'j': it has no coordinate for it", "contact of geom of 'b'",
                      "attribute 'odd' (2) is unknown here", "'c': views are not carried over", "<spatial>: lost: tendon 't'",
                      "<clock>: lost: sensor 's'", "m.xml:5: <strange>: lost: unknown here"):
            self.assertIn(words, said)


class BadInput(ImportCase):
    """The same mistakes in every format: a line with file, line and tag, and never a half-read model that runs."""

    URDF = '<robot name="r">\n<link name="base"/>\n{}\n</robot>\n'
    MJCF = "<mujoco>\n<worldbody>\n{}\n</worldbody>\n</mujoco>\n"
    SDF = "<sdf version='1.9'>\n<model name='m'>\n{}\n</model>\n</sdf>\n"

    def test_broken_xml(self):
        for name, whole in (("x.urdf", self.URDF.format(LINK.format("a"))), ("x.xml", self.MJCF.format("<body><geom size='1'/></body>")),
                            ("x.sdf", self.SDF.format(SDF_LINK.format(1, "")))):
            for text in (whole[:-10], whole.replace("/>", ">", 1), whole.replace("<", "<<", 1), "\xff" + whole[5:], whole + "<more/>"):
                if text == whole:
                    continue
                self.write(text, name)
                last = self.refused(name, name)
                self.assertRegex(last, rf"{name}(:\d+)?: |is of no format")

    def test_missing_mesh(self):
        visual = "<visual name='v'><geometry><mesh><uri>model://no/such.stl</uri></mesh></geometry></visual>"
        self.write(self.SDF.format(SDF_LINK.format(1, visual) + SDF_JOINT), "m.sdf")
        _, said = self.imported("m.sdf")
        self.assertIn("m.sdf:3: <visual>: lost: picture of link 'a': 'model://no/such.stl': there is no file", said)
        self.refused("m.sdf", "--strict", options=["--strict"])

    def test_unknown_tag(self):
        for name, text in (("t.urdf", self.URDF.format(LINK.format("a") + JOINT.format("j", "continuous", "base", "a", "") + "<wibble/>")),
                           ("t.xml", self.MJCF.format("<body><joint/><geom size='1'/><wibble/></body>")),
                           ("t.sdf", self.SDF.format(SDF_LINK.format(1, "<wibble/>") + SDF_JOINT))):
            self.write(text, name)
            _, said = self.imported(name)
            self.assertIn(f"{name}:3: <wibble>: lost: unknown here", said)

    def test_zero_inertia(self):
        """Kept and said; what cannot move by its equations is refused, by import or by the run, and named."""
        zero = LINK.format("a").replace('"1"', '"0"').replace('mass value="0"', 'mass value="1"')
        for name, text in (("z.urdf", self.URDF.format(zero + JOINT.format("j", "continuous", "base", "a", ""))),
                           ("z.xml", self.MJCF.format("<body name='a'><joint/><inertial pos='0 0 0' mass='1' diaginertia='0 0 0'/></body>")),
                           ("z.sdf", self.SDF.format(SDF_LINK.format(0, "") + SDF_JOINT))):
            self.write(text, name)
            (self.folder / "model.json").unlink(missing_ok=True)
            result = self.trammel("import", name, "-o", "model.json")
            self.assertIn(result.returncode, (0, 2), result.stderr)
            tag = {"z.urdf": r"3: <inertial>", "z.xml": r"3: <inertial>", "z.sdf": r"3: <link>"}[name]
            self.assertRegex(result.stderr, rf"{name}:{tag}: the inertia of 'a' is zero: kept")
            if result.returncode == 2:
                last = result.stderr.strip().split("\n")[-1]
                self.assertRegex(last, rf"{name}:{tag}: not imported: .*'a'")
            else:
                run = self.trammel("run", "model.json", "-o", "out", "--quiet")
                self.assertEqual(run.returncode, 4, run.stdout + run.stderr)
                self.assertIn("'a'", run.stderr)

    def test_fuzz(self):
        """Cut off anywhere, bytes changed, lines left out: refused with a reason or read as a whole, never a crash or a hang."""
        rng = random.Random(3)
        files = [*sorted(CASES.iterdir()), *sorted(f for f in MODELS.iterdir() if f.suffix in (".urdf", ".xml", ".sdf"))]
        for file in files:
            if not file.is_file():
                continue
            text = file.read_bytes()
            for k in range(9):
                at = rng.randrange(len(text))
                changed = text[:at] + bytes([rng.randrange(1, 256)]) + text[at + 1:]
                if k % 3 == 0:
                    changed = text[:at]
                elif k % 3 == 1:
                    lines = text.split(b"\n")
                    del lines[rng.randrange(len(lines))]
                    changed = b"\n".join(lines)
                name = "fuzz" + file.suffix
                (self.folder / name).write_bytes(changed)
                (self.folder / "fuzz.json").unlink(missing_ok=True)
                result = self.trammel("import", name, "-o", "fuzz.json")
                with self.subTest(file=file.name, at=at, kind=k % 3):
                    self.assertIn(result.returncode, (0, 2), result.stderr)
                    self.assertEqual(result.returncode == 0, (self.folder / "fuzz.json").exists())
                    self.assertTrue(result.stderr.strip())


main()
