"""`trammel import` of what other people's programs write: habits of exporters, defaults of defaults, models beside models."""
import math
import os
import stat
import subprocess

from import_case import ADAMS, INERTIAL, JOINT, LINK, LossCase, SDF_JOINT, SDF_LINK, robot
from support import main

AXIS = '<axis xyz="0 0 1"/>'


def two_links(link=SDF_LINK):
    return link.format(1, "") + link.format(1, "").replace("'a'", "'b'")


class Urdf(LossCase):
    def urdf(self, *parts):
        self.write(robot(*parts), "t.urdf")
        return "t.urdf"

    def test_joints_without_axis(self):
        """Exporters of CAD programs write an axis of zero where a joint has none; elsewhere it is a mistake."""
        hand = LINK.format("a") + JOINT.format("j", "continuous", "base", "a", AXIS) + LINK.format("b")
        for kind in ("fixed", "floating", "spherical"):
            _, said = self.imported(self.urdf(hand, JOINT.format("k", kind, "a", "b", '<axis xyz="0 0 0"/>')))
            self.assertIn("0 lost", said)
        self.urdf(hand, JOINT.format("k", "planar", "a", "b", '<axis xyz="0 0 0"/>'))
        self.refused("t.urdf", "t.urdf:4: <axis>: the axis of joint 'k' may not be zero")

    def test_loops_of_gazebo(self):
        """Joints that close a loop in Gazebo only are constraints, and other settings are named by their tags."""
        self.urdf(LINK.format("a"), JOINT.format("j", "continuous", "base", "a", AXIS), '<gazebo>\n<joint name="end" type="revolute"/>\n</gazebo>',
                  '<gazebo reference="a"><mu1>1</mu1><turnGravityOff>true</turnGravityOff></gazebo>')
        self.missing("t.urdf", "t.urdf:6: <joint>: lost constraint: joint 'end', which Gazebo adds to the tree",
                     "t.urdf:8: <gazebo>: lost: settings of the simulator Gazebo for 'a': mu1, turnGravityOff")

    def test_limits_that_are_left_out(self):
        self.says(self.urdf(LINK.format("a"), JOINT.format("j", "prismatic", "base", "a", AXIS)),
                  "t.urdf:4: <joint>: joint 'j' of type prismatic has no <limit>")
        self.says(self.urdf(LINK.format("a"), JOINT.format("j", "revolute", "base", "a", AXIS + '<limit effort="3"/>')),
                  "t.urdf:4: <limit>: lost: limits 0 and 0 of joint 'j', which stand for none here (what a <limit> without lower and upper says)")

    def test_numbers_and_texts(self):
        tiny = LINK.format("a").replace('ixy="0"', 'ixy="1e-400"')
        model, said = self.imported(self.urdf(tiny, JOINT.format("j", "continuous", "base", "a", AXIS)))
        self.assertEqual(model["system"]["bodies"]["a"]["inertia"], [1, 1, 1])
        for wrong, words in (("1e400", "finite numbers, not '1e400'"), ("${m}", "which is for xacro to replace; run xacro first")):
            self.urdf(LINK.format("a").replace('mass value="1"', f'mass value="{wrong}"'), JOINT.format("j", "continuous", "base", "a", AXIS))
            self.refused("t.urdf", words)
        # Line ends and colours of terminals in a name stay out of what is said.
        _, said = self.imported(self.urdf(LINK.format("a"), JOINT.format("j&#10;t.urdf:1: x&#27;[31m", "continuous", "base", "a", AXIS + '<limit lower="0" upper="1"/>')))
        self.assertEqual(len(said.strip().split("\n")), 2)
        self.assertNotIn("\x1b", said)
        self.write(robot(LINK.format("a"), JOINT.format("j", "continuous", "base", "a", AXIS)).replace("<robot", '<robot xmlns="http://www.ros.org" xmlns:xacro="x"')
                   .replace("<mass", '<mass xmlns:y="z"'), "t.urdf")
        self.assertIn("0 lost", self.imported("t.urdf")[1])

    def test_pictures_refuse_no_model(self):
        visual = '<visual>{}<material name="steel"/></visual>'
        ball = '<geometry><sphere radius="1"/></geometry>'
        self.urdf(LINK.format("a").replace("</link>", visual.format("") + visual.format(ball) + visual.format(ball).replace("steel", "wood") + "</link>"),
                  LINK.format("b").replace("</link>", visual.format(ball).replace("/></visual>", '><color rgba="1 0 0 1"/></material></visual>') + "</link>"),
                  JOINT.format("j", "continuous", "base", "a", AXIS), JOINT.format("k", "continuous", "a", "b", AXIS))
        model, said = self.says("t.urdf", "t.urdf:3: <visual>: lost: picture of link 'a': it has no <geometry>",
                                "t.urdf:3: <material>: lost: colour of a picture: no <material> of the name 'wood' has one")
        self.assertEqual([s.get("color") for s in model["system"]["bodies"]["a"]["shape"]], ["#ff0000", None])

    def test_names_with_blanks_in_side_files(self):
        self.urdf(LINK.format("left arm"), JOINT.format("j", "continuous", "base", "left arm", AXIS))
        self.write('spherical "left arm" base first_xyz=0,0,1 second_xyz=0,0,1\n', "side.loops")
        model, _ = self.imported("t.urdf", "--loops", "side.loops")
        self.assertEqual(model["system"]["constraints"]["loop_1"]["bodies"], ["left_arm", "ground"])

    def test_universal_axes(self):
        links = [LINK.format("a"), LINK.format("b"), JOINT.format("j", "continuous", "base", "a", AXIS)]
        more = '<axis xyz="0 1 0"/>{}'
        model, _ = self.imported(self.urdf(*links, JOINT.format("u", "universal", "a", "b", more.format('<axis2 xyz="0 0 2"/>'))))
        self.assertEqual(model["system"]["constraints"]["u"]["axis_j"], [0, 0, 1])
        self.urdf(*links, JOINT.format("u", "universal", "a", "b", more.format("")))
        self.refused("t.urdf", "t.urdf:6: <joint>: the second axis of the universal joint 'u'", "is not perpendicular")

    def test_long_chains_of_followers(self):
        """Each follows the one before, listed from the last one on: values come through, in a time that grows with their number."""
        count = 600
        links = [LINK.format(f"a{k}") for k in range(count)]
        joints = [JOINT.format(f"j{k}", "continuous", "base", f"a{k}", AXIS + (f'<mimic joint="j{k - 1}" offset="0.001"/>' if k else "")) for k in reversed(range(count))]
        model, _ = self.imported(self.urdf(*links, *joints))
        angle = 2 * math.acos(model["system"]["bodies"][f"a{count - 1}"]["rotation"]["euler_parameters"][0])
        self.assertAlmostEqual(angle, 0.001 * (count - 1), delta=1e-9)


class Mjcf(LossCase):
    def test_keyframes_by_number(self):
        """A text of the importer needs no quotes, whatever it looks like."""
        self.body(rest="<keyframe><key qpos='0.25'/><key name='7' qpos='0.5'/></keyframe>")
        for given, angle in (("0", 0.25), ("7", 0.5), ('"7"', 0.5)):
            model, _ = self.imported("m.xml", "--set", "keyframe=" + given)
            self.assertAlmostEqual(2 * math.asin(model["system"]["bodies"]["b"]["rotation"]["euler_parameters"][3]), angle, delta=1e-14)
        self.says("m.xml", "m.xml:5: <key>: not used: --set 'keyframe=0' starts from it")

    def test_what_is_said_twice(self):
        box = "<geom type='box' size='.1 .2 .3' {}/>"
        inertial = "<inertial pos='0 0 0' mass='1' fullinertia='1 1 1 0 0 0' euler='1 0 0'/>"
        for part, words in ((box.format("euler='1 2 3' quat='1 0 0 1'"), "<geom>: has more than one orientation"),
                            (box.format("fromto='0 0 0 1 1 1' pos='1 0 0'"), "<geom>: geom of 'b' has a fromto and a pos"),
                            ("<geom size='.1' fromto='0 0 0 1 1 1'/>", "<geom>: fromto of geom of 'b': a sphere has no ends"),
                            (inertial, "<inertial>: body 'b' has a fullinertia and an orientation of it")):
            self.mjcf(f"<worldbody>\n<body name='b'><joint/>{part}</body>\n</worldbody>")
            self.refused("m.xml", "m.xml:3: " + words)
        self.mjcf(f"<worldbody><body name='world'><joint/>{INERTIAL}</body></worldbody>")
        self.refused("m.xml", "<body>: 'world' is the name of what does not move")
        self.mjcf(f"<worldbody><body childclass='zz'><joint class='main'/>{INERTIAL}</body></worldbody>")
        self.refused("m.xml", "m.xml:2: <body>: there is no class 'zz' of defaults")
        self.body(rest="<actuator><motor name='m' joint='j'/>\n<motor name='m' joint='j'/></actuator>")
        self.refused("m.xml", "m.xml:6: <motor>: a second actuator 'm'")

    def test_joints_within_a_frame(self):
        """A joint in a <frame> is that joint in the body, moved and turned by it; its class is the frame's."""
        inside = ("<default><default class='stiff'><joint damping='3'/></default></default><worldbody><body name='b'>\n<frame pos='1 2 3' euler='0 0 90'>"
                  "<frame pos='1 0 0' childclass='stiff'><joint name='j' type='hinge' axis='1 0 0' pos='0 0 1'/></frame></frame>"
                  "<joint name='k' type='slide' axis='0 1 0'/>" + INERTIAL + "</body></worldbody>")
        plain = ("<worldbody><body name='b'>\n<joint name='j' type='hinge' axis='0 1 0' pos='1 3 4' damping='3'/>"
                 "<joint name='k' type='slide' axis='0 1 0'/>" + INERTIAL + "</body></worldbody>")
        systems = [self.imported(self.mjcf(text))[0]["system"] for text in (inside, plain)]
        self.assertEqual(list(systems[0]["constraints"]), list(systems[1]["constraints"]))
        self.assertEqual(systems[0]["forces"], systems[1]["forces"])
        for name, constraint in systems[1]["constraints"].items():
            for key in ("type", "bodies", "point_i", "point_j", "axis_i", "axis_j"):
                value = constraint[key]
                for a, b in zip(value, systems[0]["constraints"][name][key]):
                    self.assertEqual(a, b) if isinstance(a, str) else self.assertAlmostEqual(a, b, delta=1e-15)

    def test_orientation_beside_fromto(self):
        self.says(self.body(more="<geom type='capsule' size='.1' fromto='0 0 0 1 1 1' euler='1 2 3'/>"),
                  "m.xml:3: <geom>: lost: attribute 'euler' (1 2 3) has no meaning for this element")

    def test_words_that_were_told_before_a_refusal(self):
        """A misspelt word may be why there is nothing to simulate."""
        self.mjcf(f"<worldbody><body name='b'><jiont/>{INERTIAL}</body></worldbody>")
        result = self.trammel("import", "m.xml")
        self.assertEqual(result.returncode, 2)
        self.assertRegex(result.stderr, r"(?s)m\.xml:2: <jiont>: lost: unknown here\n.*nothing to simulate")

    def test_actuators_that_are_switched_off(self):
        model, said = self.says(self.body(rest="<option><flag actuation='disable'/></option><actuator>\n<motor name='m' joint='j'/>\n</actuator>"),
                                "m.xml:6: <motor>: actuator 'm' is switched off by the <flag> in line 5", "0 lost")
        self.assertNotIn("forces", model["system"])

    def test_stl_in_single_precision(self):
        """A cube of 0.3 m in a binary STL, whose corners no float says exactly: masses are those of the file, to 1e-7, and said so."""
        import struct
        a = 0.3
        corners = [(x, y, z) for x in (0, a) for y in (0, a) for z in (0, a)]
        faces = [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)]
        data = b"\0" * 80 + struct.pack("<I", len(faces))
        for face in faces:
            data += struct.pack("<12fH", 0, 0, 0, *(x for k in face for x in corners[k]), 0)
        (self.folder / "cube.stl").write_bytes(data)
        self.mjcf("<asset><mesh name='t' file='cube.stl' inertia='exact'/></asset><worldbody><body name='b'><joint/>\n"
                  "<geom type='mesh' mesh='t' density='1000' contype='0' conaffinity='0'/></body></worldbody>")
        model, _ = self.says("m.xml", "m.xml:3: <geom>: mass and inertia of geom of 'b' from corners in single precision, as MuJoCo has them: to about 1e-7")
        body, mass = model["system"]["bodies"]["b"], 1000 * a ** 3
        self.assertAlmostEqual(body["mass"], mass, delta=3e-7 * mass)
        self.assertNotEqual(body["mass"], mass)
        for k in range(3):
            self.assertAlmostEqual(body["inertia"][k], mass * a * a / 6, delta=1e-6 * mass * a * a)
        # The same corners in the file itself are the same floats.
        self.mjcf(f"<asset><mesh name='t' inertia='exact' vertex='{' '.join(str(x) for c in corners for x in c)}' face='{' '.join(str(k) for f in faces for k in f)}'/></asset>"
                  "<worldbody><body name='b'><joint/>\n<geom type='mesh' mesh='t' density='1000' contype='0' conaffinity='0'/></body></worldbody>")
        self.assertEqual(self.imported("m.xml")[0]["system"]["bodies"]["b"]["mass"], body["mass"])


class Files(LossCase):
    def test_meshes_that_are_broken_off(self):
        facet = "facet normal 0 0 1\nouter loop\nvertex {}\nvertex {}\nvertex {}\nendloop\nendfacet\n"
        corners = ["0 0 0", "1 0 0", "0 1 0", "0 0 1"]
        whole = "solid t\n" + "".join(facet.format(*(corners[k] for k in face)) for face in ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)))
        self.mjcf("<asset><mesh name='t' file='t.stl'/></asset><worldbody><body name='b'><joint/><geom type='mesh' mesh='t'/></body></worldbody>")
        for end in ("endsolid t\n", "endsolid\n", "endsolid a name of many words\n"):
            self.write(whole + end, "t.stl")
            self.imported("m.xml")
        for text in (whole, whole[:-40], whole + "endsolid\n" + whole):
            self.write(text, "t.stl")
            self.refused("m.xml", "t.stl': it is broken off: there is no endsolid")

    def test_pipes_and_devices(self):
        """A pipe can be read once only, and a device in the place of the output is no file that may be replaced."""
        self.body()
        os.mkfifo(self.folder / "pipe.xml")
        self.refused("pipe.xml", "pipe.xml: is a pipe or a device")
        os.mkfifo(self.folder / "out")
        reader = subprocess.Popen(["cat", "out"], cwd=self.folder, stdout=subprocess.PIPE, text=True)
        result = self.trammel("import", "m.xml", "-o", "out")
        text = reader.communicate(timeout=60)[0]
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn('"trammel": 2', text)
        self.assertTrue(stat.S_ISFIFO(os.stat(self.folder / "out").st_mode))
        os.mkfifo(self.folder / "mesh.stl")
        for mesh in ("/dev/zero", "mesh.stl"):
            self.mjcf(f"<asset><mesh name='t' file='{mesh}'/></asset><worldbody><body name='b'><joint/><geom type='mesh' mesh='t'/></body></worldbody>")
            self.refused("m.xml", "<mesh>: ", f"{mesh}': there is no such file, or it cannot be read")


class Sdf(LossCase):
    def test_models_with_the_same_names(self):
        """A follower follows the joint of its own model."""
        joint = SDF_JOINT + SDF_JOINT.replace("'j'", "'k'").replace("<child>a", "<child>b").replace("</axis>", "<mimic joint='j'/></axis>")
        models = "".join(f"<model name='m{k}'><pose>0 {k} 0 0 0 0</pose>{two_links()}{joint}</model>" for k in range(2))
        self.write(f"<sdf version='1.9'><world name='w'>{models}</world></sdf>", "m.sdf")
        constraints = self.imported("m.sdf")[0]["system"]["constraints"]
        couplers = [(c["first"], c["second"]) for c in constraints.values() if c["type"] == "coupler"]
        self.assertEqual(couplers, [("j", "k"), ("j_joint", "k_joint")])
        self.write(f"<sdf version='1.9'><world name='w'><model name='n'>{SDF_LINK.format(1, '')}{SDF_JOINT}</model><model name='m'>"
                   f"{two_links()}{joint.replace(SDF_JOINT, '')}</model></world></sdf>", "m.sdf")
        self.refused("m.sdf", "<mimic>: there is no joint 'j' in this model")

    def test_long_chains_of_poses(self):
        """No stack is deep enough for a frame on a frame on a frame of other people's programs."""
        count = 20000
        frames = "".join(f"<frame name='f{k}' attached_to='{f'f{k + 1}' if k + 1 < count else 'a'}'><pose>0 0 1 0 0 0</pose></frame>" for k in range(count))
        model, _ = self.imported(self.sdf(SDF_LINK.format(1, "") + frames))
        self.assertEqual(model["system"]["points"]["f0"]["point"], [0, 0, count])

    def test_axes_of_a_cross(self):
        """Limits, springs and friction of both axes; axes that are not at a right angle keep their angle."""
        part = ("<axis{0}><xyz>{1}</xyz><limit><lower>-1</lower><upper>{2}</upper></limit><dynamics><damping>{2}</damping><friction>0.5</friction>"
                "<spring_stiffness>{3}</spring_stiffness><spring_reference>0.1</spring_reference></dynamics></axis{0}>")
        for kind in ("universal", "revolute2"):
            joint = f"<joint name='j' type='{kind}'><parent>a</parent><child>b</child>{part.format('', '0 0 1', 2, 3)}{part.format('2', '0 1 0', 4, 5)}</joint>"
            model, said = self.imported(self.sdf(two_links() + joint))
            self.assertIn("0 lost, 4 approximated", said)
            forces = model["system"]["forces"]
            self.assertEqual(forces["j_first_axis"], {"type": "joint_spring", "joint": "j", "coordinate": "angle", "damping": 2, "stiffness": 3,
                                                      "free_position": 0.1, "friction": 0.5, "friction_speed": 0.001})
            self.assertEqual((forces["j_second_axis"]["coordinate"], forces["j_second_axis"]["damping"]), ("second_angle", 4))
            self.assertEqual((forces["j_limit"]["upper"], forces["j_second_limit"]["upper"], forces["j_second_limit"]["coordinate"]), (2, 4, "second_angle"))
            self.assertEqual((model["system"]["constraints"]["j"]["reference_i"], model["system"]["constraints"]["j"]["reference_j"]), ([0, 1, 0], [0, 0, 1]))
        bare = "<joint name='j' type='universal'><parent>world</parent><child>a</child><axis><xyz>0 0 1</xyz></axis>{}</joint>"
        model, said = self.imported(self.sdf(SDF_LINK.format(1, "") + bare.format("<axis2><xyz>0 4 3</xyz></axis2>")))
        self.assertIn("0 moved by assembly; 0 lost", said)
        self.assertAlmostEqual(model["system"]["constraints"]["j_axes"]["value"], 0.6, delta=1e-15)
        for second, words in (("", "has no <axis2>"), ("<axis2><xyz>0 0 2</xyz></axis2>", "the two axes of joint 'j' are parallel")):
            self.sdf(SDF_LINK.format(1, "") + bare.format(second))
            self.refused("m.sdf", "m.sdf:3: <joint>: ", words)

    def test_a_cross_beside_two_hinges(self):
        """Springs, dampers and limits of a universal joint do what they do on two hinges in a row: signs and zeros of both angles."""
        axis = ("<axis{0}><xyz>{1}</xyz><limit><lower>-0.2</lower><upper>0.3</upper></limit><dynamics><damping>{2}</damping>"
                "<spring_stiffness>{3}</spring_stiffness><spring_reference>{4}</spring_reference></dynamics></axis{0}>")
        link = ("<link name='a'><inertial><pose>0.1 0.2 0.3 0 0 0</pose><mass>2</mass><inertia><ixx>1</ixx><iyy>1.1</iyy><izz>1.2</izz></inertia>"
                "</inertial></link>")
        joint = ("<joint name='j' type='universal'><pose>0.1 0 0 0 0 0.4</pose><parent>world</parent><child>a</child>" +
                 axis.format("", "1 0 0", 0.2, 30, 0.4) + axis.format("2", "0 1 0", 0.3, 20, -0.5) + "</joint>")
        self.write(f"<sdf version='1.9'><world name='w'><gravity>0 0 -9</gravity><model name='m'>{link}{joint}</model></world></sdf>", "m.sdf")
        c, s = math.cos(0.4), math.sin(0.4)
        hinge = "<joint name='{}' axis='{} {} 0' pos='0.1 0 0' range='-0.2 0.3' damping='{}' stiffness='{}' springref='{}'/>"
        self.mjcf("<compiler angle='radian'/><option gravity='0 0 -9'/><worldbody><body name='a'>" + hinge.format("h", c, s, 0.2, 30, 0.4) +
                  hinge.format("k", -s, c, 0.3, 20, -0.5) + "<inertial pos='0.1 0.2 0.3' mass='2' diaginertia='1 1.1 1.2'/></body></worldbody>")
        ends = []
        for file, channels in (("m.sdf", ("j.angle", "j.second_angle")), ("m.xml", ("h.angle", "k.angle"))):
            model, said = self.imported(file)
            self.assertIn("0 lost, 2 approximated", said)
            model["analysis"]["duration"] = 1.5
            model["integrator"] = {"type": "dopri853", "rtol": 1e-10, "atol": 1e-12}
            model["output"] = {"step": 0.1, "channels": list(channels)}
            result = self.run_file(model, "--quiet")
            self.assertEqual(result.returncode, 0, result.stderr)
            header, rows = self.table()
            ends.append([[row[header.index(name)] for name in channels] for row in rows])
        self.assertGreater(max(max(x - 0.3, -0.2 - x) for row in ends[0] for x in row), 0)  # limits were reached
        for one, other in zip(*ends):
            for a, b in zip(one, other):
                self.assertAlmostEqual(a, b, delta=1e-7)

    def test_motion_about_a_skew_cross(self):
        """A body about two axes at 53 degrees, driven by springs that vanish: its energy and the angle between its axes stay."""
        joint = ("<joint name='j' type='universal'><pose>0 0 0.3 0 0 0</pose><parent>world</parent><child>a</child><axis><xyz>1 0 0</xyz></axis>"
                 "<axis2><xyz>0.6 0.8 0</xyz></axis2></joint>")
        model, _ = self.imported(self.sdf(SDF_LINK.format(1, "") + joint))
        model["system"]["bodies"]["a"]["angular_velocity"] = [1, 0, 0]
        model["system"]["bodies"]["a"]["velocity"] = [0, 0.3, 0]
        model["analysis"]["duration"] = 2
        model["output"] = {"step": 0.5, "channels": ["a", "energy"]}
        result = self.run_file(model, "--quiet")
        self.assertEqual(result.returncode, 0, result.stderr)
        header, rows = self.table()
        for row in rows:
            p = dict(zip(header, row))
            w, x, y, z = (p[f"a.p{k}"] if f"a.p{k}" in p else p[f"a.e{k}"] for k in range(4))
            # x of the body's second axis (0.6, 0.8, 0), turned, stays 0.6.
            turned = (1 - 2 * (y * y + z * z)) * 0.6 + 2 * (x * y - w * z) * 0.8
            self.assertAlmostEqual(turned, 0.6, delta=1e-9)

    def test_what_is_one_only(self):
        world = "<world name='{}'><model name='m'>" + SDF_LINK.format(1, "") + "</model></world>"
        self.write(f"<sdf version='1.9'>\n{world.format('v')}\n{world.format('w')}</sdf>", "m.sdf")
        self.refused("m.sdf", "m.sdf:3: <world>: a second world beside that of line 2")
        self.write(f"<sdf version='1.9'><model name='m' canonical_link='zz'>{SDF_LINK.format(1, '')}</model></sdf>", "m.sdf")
        self.refused("m.sdf", "m.sdf:1: <model>: its canonical_link 'zz' is no link of it")


class Adams(LossCase):
    def test_statements_cut_too_short(self):
        self.write(ADAMS + "CO/1, JOINTS=1,2, SCALES=1,1\nEND\n", "d.adm")
        self.refused("d.adm", "d.adm:7: <CO>: is short for more than one statement; write more letters of CONTACT, CONTROL, COUPLER")

    def test_constant_velocity(self):
        """Two shafts at an angle through a CONVEL: they turn equally fast at every moment, and carry the torque of a spring; markers point
        away from each other or the same way, and the bend lies in any plane."""
        for away in (True, False):
            for plane in (0.0, 0.7):
                bend = 0.5
                # The driving shaft along z; the other one is turned by `bend` about an axis in x-y, at `plane` from x.
                turned = f"{plane},{bend},{-plane}"
                marker = f"{plane},{bend},{-plane}" if not away else f"{plane},{bend + math.pi},{plane}"
                # Rz(p) Rx(b + pi) Rz(p): the same direction of x and a z that points the other way.
                deck = ("cv\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\nMARKER/1, PART=1\n"
                        "PART/2, MASS=1, CM=20, IP=1,1,2\nMARKER/20, PART=2\n"
                        f"PART/3, MASS=1, CM=30, IP=2,2,3\nMARKER/30, PART=3, REULER={turned}\nMARKER/31, PART=3, REULER={marker}\n"
                        f"MARKER/2, PART=1, REULER={turned}\n"
                        "JOINT/1, REVOLUTE, I=20, J=1\nJOINT/2, REVOLUTE, I=30, J=2\nJOINT/3, CONVEL, I=31, J=20\n"
                        "MOTION/1, JOINT=1, FUNCTION=2*TIME+TIME**2\nEND\n")
                self.write(deck, "cv.adm")
                model, said = self.imported("cv.adm")
                self.assertIn("0 lost, 0 approximated", said)
                model["analysis"]["duration"] = 3
                model["integrator"] = {"type": "dopri853", "rtol": 1e-10, "atol": 1e-12}
                model["output"] = {"step": 0.1, "channels": ["joint_1", "joint_2", "motion_1.effort"]}
                result = self.run_file(model, "--quiet")
                self.assertEqual(result.returncode, 0, result.stderr)
                header, rows = self.table()
                for row in rows:
                    p = dict(zip(header, row))
                    angle = 2 * p["t"] + p["t"] ** 2
                    self.assertAlmostEqual(p["joint_1.angle"], angle, delta=1e-8)
                    self.assertAlmostEqual(p["joint_2.angle"], angle, delta=1e-7)
                    # Both rotors speed up at 2 rad/s^2: (2 + 3) kg m^2 of them.
                    self.assertAlmostEqual(p["motion_1.effort"], 2 * (2 + 3), delta=1e-6)
        self.write(deck.replace("JOINT=1,", "JOINT=3,"), "cv.adm")
        self.refused("cv.adm", "<MOTION/1>: JOINT/3 has no coordinate to drive or couple")

    def test_why_constraints_are_not_carried_over(self):
        for statement, words in (("GCON/1, FUNCTION=DX(20,1)\n", "<GCON/1>: lost constraint: a constraint that is a formula of any markers"),
                                 ("PTCV/1, I=20, CURVE=1, RM=1\n", "<PTCV/1>: lost constraint: its curve is a B-spline in a parameter of its own")):
            self.write(ADAMS + statement + "END\n", "d.adm")
            self.missing("d.adm", words)


main()
