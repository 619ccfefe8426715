"""`trammel import`: whatever a file says and a run file does not is named, and constraints are never dropped."""
import math
import re

from import_case import ADAMS, INERTIAL, JOINT, LINK, LossCase, SDF_JOINT, SDF_LINK, robot
from support import main


class NothingIsSwallowed(LossCase):
    def test_every_attribute_of_every_element(self):
        """An attribute that nobody knows, put on every element of a file in turn, is named with its line."""
        mjcf = ("<mujoco model='m'>\n<compiler angle='radian'/>\n<option timestep='0.01'>\n<flag sensor='disable'/>\n</option>\n"
                "<default>\n<joint damping='1'/>\n<geom contype='0'/>\n<mesh scale='1 1 1'/>\n<motor gear='2'/>\n<equality active='true'/>\n"
                "<default class='c'>\n<site size='1'/>\n</default>\n</default>\n<asset>\n<material name='red' rgba='1 0 0 1'/>\n"
                "<mesh name='t' vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='0 2 1 0 1 3 0 3 2 1 2 3'/>\n</asset>\n<worldbody>\n"
                "<body name='b'>\n<joint name='j'/>\n<geom type='mesh' mesh='t'/>\n<site name='s'/>\n"
                "<body name='c'>\n<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>\n<joint name='k'/>\n</body>\n</body>\n"
                "<body name='f'>\n<freejoint/>\n<geom size='1'/>\n</body>\n</worldbody>\n<equality>\n<joint joint1='j' joint2='k'/>\n"
                "<connect body1='f' anchor='0 0 0'/>\n</equality>\n<actuator>\n<motor joint='j'/>\n<position joint='k' name='p'/>\n</actuator>\n"
                "<keyframe>\n<key name='q' qpos='0 0 0 0 0 1 0 0 0'/>\n</keyframe>\n</mujoco>\n")
        urdf = ('<robot name="r">\n<material name="m">\n<color rgba="1 0 0 1"/>\n</material>\n<link name="base"/>\n<link name="a">\n'
                '<inertial>\n<origin xyz="0 0 0"/>\n<mass value="1"/>\n<inertia ixx="1" iyy="1" izz="1"/>\n</inertial>\n<visual>\n'
                '<origin xyz="0 0 0"/>\n<geometry>\n<sphere radius="1"/>\n</geometry>\n<material name="m"/>\n</visual>\n</link>\n'
                '<joint name="j" type="revolute">\n<parent link="base"/>\n<child link="a"/>\n<origin xyz="0 0 0"/>\n<axis xyz="0 0 1"/>\n'
                '<limit lower="-1" upper="1"/>\n<dynamics damping="1"/>\n</joint>\n</robot>\n')
        sdf = ("<sdf version='1.9'>\n<world name='w'>\n<gravity>0 0 -9.8</gravity>\n<model name='m'>\n<link name='a'>\n<pose>0 0 0 0 0 0</pose>\n"
               "<inertial>\n<mass>1</mass>\n<inertia>\n<ixx>1</ixx>\n</inertia>\n</inertial>\n<visual name='v'>\n<geometry>\n<sphere>\n<radius>1</radius>\n"
               "</sphere>\n</geometry>\n<material>\n<diffuse>1 0 0 1</diffuse>\n</material>\n</visual>\n</link>\n<frame name='f'>\n<pose>0 0 1 0 0 0</pose>\n"
               "</frame>\n<joint name='j' type='revolute'>\n<parent>world</parent>\n<child>a</child>\n<axis>\n<xyz>0 0 1</xyz>\n<limit>\n<lower>-1</lower>\n"
               "<upper>1</upper>\n</limit>\n<dynamics>\n<damping>1</damping>\n</dynamics>\n</axis>\n</joint>\n</model>\n</world>\n</sdf>\n")
        for name, text, options in (("all.xml", mjcf, ["--set", "keyframe=q"]), ("all.urdf", urdf, []), ("all.sdf", sdf, [])):
            self.write(text, name)
            self.imported(name, *options)
            lines = text.split("\n")
            tagged = [k for k, line in enumerate(lines) if re.match(r"<[a-z]", line)]
            # All elements at once: the line of each must be among those that are told.
            odd = [re.sub(r"^<(\w+)", r'<\1 wibble="7"', line) if k in tagged else line for k, line in enumerate(lines)]
            self.write("\n".join(odd), name)
            _, said = self.imported(name, *options)
            told = {int(n) for n in re.findall(rf"{name}:(\d+): <\w+>: lost: attribute 'wibble' \(7\) is unknown here", said)}
            self.assertEqual(told, {k + 1 for k in tagged}, said)
            # And an element within each.
            odd = [re.sub(r"^(<(\w+)[^/]*?)(/>|>)(.*)$", lambda m: f"{m[1]}><wobble/>" + (f"</{m[2]}>" if m[3] == "/>" else m[4]), line)
                   if k in tagged and not re.search(r"</", line) else line for k, line in enumerate(lines)]
            self.write("\n".join(odd), name)
            result = self.trammel("import", name, *options)
            if name == "all.xml":
                continue  # unknown actuators and equalities are refused or lost in words of their own
            self.assertEqual(result.returncode, 0, result.stderr)
            told = {int(n) for n in re.findall(rf"{name}:(\d+): <wobble>: lost", result.stderr)}
            self.assertEqual(told, {k + 1 for k in tagged if "</" not in lines[k]}, result.stderr)

    def test_mjcf_settings(self):
        self.mjcf(f"<compiler angel='radian'/>\n<option timestep='0.001' integrator='RK4' wind='1 0 0'>\n<flag warmstart='disable' gravty='disable'/>\n"
                  f"</option>\n<default>\n<joint dampingg='1'/>\n</default>\n<worldbody><body name='b'><joint/>{INERTIAL}</body></worldbody>")
        self.says("m.xml", "m.xml:2: <compiler>: lost: attribute 'angel' (radian) is unknown here; did you mean 'angle'?",
                  "m.xml:3: <option>: lost: attribute 'timestep' (0.001): a setting of MuJoCo's solver",
                  "m.xml:3: <option>: lost: attribute 'integrator' (RK4)", "m.xml:3: <option>: lost: attribute 'wind' (1 0 0)",
                  "m.xml:4: <flag>: lost: attribute 'warmstart' (disable)",
                  "m.xml:4: <flag>: lost: attribute 'gravty' (disable) is unknown here; did you mean 'gravity'?",
                  "m.xml:7: <joint>: lost: attribute 'dampingg' (1) is unknown here; did you mean 'damping'?")
        self.mjcf(f"<compiler angle='rad'/><worldbody><body name='b'><joint/>{INERTIAL}</body></worldbody>")
        self.refused("m.xml", "m.xml:2: <compiler>: attribute 'angle' must be one of degree, radian, not 'rad'")

    def test_mjcf_pictures_are_counted(self):
        _, said = self.says(self.body(more="<site name='s' rgba='1 0 0 1' size='.1'/><site name='t' size='.2'/>"),
                            "3 attributes of pictures alone are not drawn: rgba (1), size (2)")
        self.assertIn("0 lost, 0 approximated", said)

    def test_mjcf_keyframe(self):
        key = "<keyframe><key name='k' time='3' qpos='0.5' mpos='1 2 3'/></keyframe>"
        self.says(self.body(rest=key), "<key>: lost: attribute 'time' (3): runs start at t = 0",
                  "<key>: lost: attribute 'mpos' (1 2 3)", options=["--set", "keyframe=k"])
        self.body(rest="<keyframe><key name='k' ctrl='1 2'/></keyframe><actuator><motor joint='j'/></actuator>")
        self.refused("m.xml", "m.xml:5: <key>: ctrl has 2 numbers, and the file 1 actuators", options=["--set", "keyframe=k"])

    def test_texts(self):
        """Text where none belongs, and text that a comment cuts in two."""
        self.write(robot(LINK.format("a"), JOINT.format("j", "continuous", "base", "a", "<origin>0 0 1</origin>")), "t.urdf")
        self.says("t.urdf", "t.urdf:4: <origin>: lost: its text '0 0 1' has no meaning here")
        self.sdf("<link name='a'><pose>0 0 <!-- up --> 1 0 0 0</pose><inertial><mass>1</mass></inertial></link>")
        self.assertEqual(self.imported("m.sdf")[0]["system"]["bodies"]["a"]["position"], [0, 0, 1])

    def test_pictures(self):
        material = '<material name="wood"><color rgba="0 1 0 1"/><texture filename="wood.png"/></material>'
        self.write(robot(material, LINK.format("a"), JOINT.format("j", "continuous", "base", "a", "")), "t.urdf")
        self.says("t.urdf", "t.urdf:3: <texture>: lost: 'wood.png' of material 'wood': textures are not drawn")
        visual = ("<visual name='v'><transparency>0.5</transparency><geometry><sphere><radius>1</radius></sphere></geometry>"
                  "<material><script>x</script><ambient>0 0 0 1</ambient><diffuse>0 0 1 1</diffuse></material></visual>")
        model, _ = self.says(self.sdf(SDF_LINK.format(1, visual)), "m.sdf:3: <material>: lost: of a picture: script, ambient are not drawn",
                             "m.sdf:3: <transparency>: lost")
        self.assertEqual(model["system"]["bodies"]["a"]["shape"]["color"], "#0000ff")

    def test_sdf_axes_of_joints_without_coordinate(self):
        axis = ("<axis{0}><xyz>0 0 1</xyz><limit><lower>-1</lower><upper>1</upper></limit>"
                "<dynamics><damping>0.1</damping><friction>0.2</friction></dynamics></axis{0}>")
        for kind, parts in (("ball", axis.format("")), ("fixed", axis.format("")),
                            ("universal", axis.format("") + axis.format("2").replace("0 0 1", "0 1 1"))):
            joint = f"<joint name='j' type='{kind}'><parent>world</parent><child>b</child>{parts}</joint>"
            two = SDF_LINK.format(1, "") + SDF_LINK.format(1, "").replace("'a'", "'b'")
            _, said = self.imported(self.sdf(two + joint))
            for what in ("limits", "damping", "friction"):
                self.assertEqual(len(re.findall(rf"<(limit|dynamics)>: lost: {what} of (the second axis of )?joint 'j'", said)),
                                 2 if kind == "universal" else 1, said)
            self.assertNotIn("unknown here", said)
        self.says(self.sdf(SDF_LINK.format(1, "") + SDF_JOINT.replace("</joint>", axis.format("2") + "</joint>")),
                  "<axis2>: lost: of joint 'j': a joint of type 'revolute' has no second axis")

    def test_sdf_versions(self):
        """1.10 comes after 1.9: axes are in the joint's frame, as since 1.5."""
        for version in ("1.9", "1.10"):
            joint = SDF_JOINT.replace("<parent>", "<pose>0 0 0 1.5707963267948966 0 0</pose><parent>")
            model, _ = self.imported(self.sdf(SDF_LINK.format(1, "") + joint, version))
            self.assertAlmostEqual(model["system"]["constraints"]["j"]["axis_i"][1], -1, delta=1e-15)
        self.sdf(SDF_LINK.format(1, ""), "2.x")
        self.refused("m.sdf", "m.sdf:1: <sdf>: version '2.x' is not known here")


class Values(LossCase):
    def test_bounds_of_the_joint_on_its_actuators(self):
        joint = "<joint name='j' actuatorfrcrange='-3 2'/>"
        for actuator, keys in (("<motor name='m' joint='j' gear='-2'/>", {"minimum": -1, "maximum": 1.5}),
                               ("<position name='m' joint='j' kp='4' forcerange='-1 9'/>", {"minimum": -1, "maximum": 2})):
            model, said = self.imported(self.body(joint, rest=f"<actuator>{actuator}</actuator>"))
            for key, value in keys.items():
                self.assertEqual(model["system"]["forces"]["m"][key], value)
            self.assertIn("0 lost", said)
        both = "<actuator><motor name='m' joint='j'/><motor name='n' joint='j'/></actuator>"
        self.says(self.body(joint, rest=both), "m.xml:3: <joint>: lost: actuatorfrcrange of joint 'j', which bounds 2 actuators together")
        off = joint.replace("/>", " actuatorfrclimited='false'/>")
        model, _ = self.says(self.body(off, rest=both), "actuatorfrcrange of joint 'j' bounds nothing: actuatorfrclimited is not true")
        self.assertNotIn("minimum", model["system"]["forces"]["m"])

    def test_actuators_share_their_defaults(self):
        rest = "<default><general gear='7'/></default><actuator><motor name='m' joint='j'/></actuator>"
        self.assertEqual(self.imported(self.body(rest=rest))[0]["system"]["forces"]["m"]["gear"], 7)

    def test_autolimits(self):
        joint = "<joint name='j' range='-1 1'/>"
        model, _ = self.imported(self.body(joint))
        self.assertIn("j_limit", model["system"]["forces"])
        for change in ("<compiler autolimits='false'/>", "<compiler autolimits='false'/><default><joint limited='auto'/></default>"):
            model, _ = self.says(self.body(joint, rest=change), "range of joint 'j' bounds nothing: limited is not true")
            self.assertNotIn("forces", model["system"])

    def test_flags(self):
        """A flag is said once, where it stands, and holds: constraint=disable switches limits and dry friction off."""
        joint = "<joint name='j' range='-1 1' damping='2' frictionloss='3'/>"
        options = "<option>\n<flag constraint='disable'/>\n</option>\n<option/>"
        model, said = self.says(self.body(joint, rest=options), "m.xml:6: <flag>: constraint=disable holds here too")
        self.assertEqual(said.count("constraint=disable"), 1)
        self.assertEqual(model["system"]["forces"], {"j_friction": {"type": "joint_friction", "joint": "j", "damping": [2]}})
        _, said = self.imported(self.body(more="<geom size='1'/>", rest="<option><flag contact='disable'/></option>"))
        self.assertNotIn("contact of geom", said)

    def test_inertia_of_a_mesh_surface(self):
        """A cube of plates: 6 a^2 of area, moments m (2 a^2/12 * ...) as plates have them."""
        a = 2.0
        corners = [(x, y, z) for x in (0, a) for y in (0, a) for z in (0, a)]
        faces = [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)]
        asset = ("<asset><mesh name='t' inertia='{}' vertex='" + " ".join(str(x) for c in corners for x in c) + "' face='" +
                 " ".join(str(k) for f in faces for k in f) + "'/></asset>")
        world = "<worldbody><body name='b'><joint/><geom type='mesh' mesh='t' density='3' contype='0' conaffinity='0'/></body></worldbody>"
        body = self.imported(self.mjcf(asset.format("shell") + world))[0]["system"]["bodies"]["b"]
        mass = 3 * 6 * a * a
        self.assertAlmostEqual(body["mass"], mass, delta=1e-12 * mass)
        # Two plates across the axis, m/6 a^2/6 each; four along it, m/6 (a^2/12 + a^2/4) each.
        moment = mass / 6 * a * a * (2 / 6 + 4 / 3)
        for k in range(3):
            self.assertAlmostEqual(body["inertia"][k], moment, delta=1e-12 * moment)
            self.assertAlmostEqual(body["position"][k], a / 2, delta=1e-12)
        body = self.imported(self.mjcf(asset.format("exact") + world))[0]["system"]["bodies"]["b"]
        self.assertAlmostEqual(body["mass"], 3 * a ** 3, delta=1e-6 * mass)
        self.mjcf(asset.format("convex") + world)
        self.refused("m.xml", "m.xml:2: <geom>: the mass of mesh 't' is that of its convex hull")
        self.mjcf(asset.format("shel") + world)
        self.refused("m.xml", "<mesh>: attribute 'inertia' must be one of legacy, exact, convex, shell, not 'shel'")

    def test_two_inertias(self):
        self.mjcf("<worldbody><body name='b'><joint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1' fullinertia='2 2 2 0 0 0'/></body></worldbody>")
        self.refused("m.xml", "m.xml:2: <inertial>: body 'b' has a fullinertia and a diaginertia")

    def test_negative_coefficients(self):
        for attribute in ("damping", "frictionloss", "stiffness", "armature"):
            self.body(f"<joint name='j' {attribute}='-1'/>")
            self.refused("m.xml", "m.xml:3: <joint>: ", "of joint 'j' may not be negative")
        self.sdf(SDF_LINK.format(1, "") + SDF_JOINT.replace("</axis>", "<dynamics><damping>-1</damping></dynamics></axis>"))
        self.refused("m.sdf", "m.sdf:3: <dynamics>: damping and friction of joint 'j' may not be negative")


class Starts(LossCase):
    """Where a joint starts outside of its limits is said, in every format, trees and loops."""

    def test_outside_of_limits(self):
        self.says(self.body("<joint name='j' range='10 20'/>"),
                  "m.xml:3: <joint>: joint 'j' starts at 0, below its lower limit 0.174533, which pushes at once")
        self.says(self.body("<joint name='j' type='slide' range='0 1'/>", rest="<keyframe><key name='k' qpos='1.5'/></keyframe>"),
                  "joint 'j' starts at 1.5, above its upper limit 1", options=["--set", "keyframe=k"])
        limit = "<limit><lower>0.5</lower><upper>1</upper></limit></axis>"
        self.says(self.sdf(SDF_LINK.format(1, "") + SDF_JOINT.replace("</axis>", limit)),
                  "m.sdf:3: <limit>: joint 'j' starts at 0, below its lower limit 0.5")
        self.write(robot(LINK.format("a"), JOINT.format("j", "revolute", "base", "a", '<limit lower="0.2" upper="1"/>')), "l.urdf")
        _, said = self.says("l.urdf", "l.urdf:4: <limit>: joint 'j' starts at its limit 0.2: zero lies outside of its limits")
        self.assertNotIn("pushes at once", said)

    def test_loops_beyond_limits(self):
        """A triangle of links 1, 1 and sqrt(2): the knee must bend by a right angle, its limits stop at 1."""
        knee = '<origin xyz="1 0 0"/><axis xyz="0 0 1"/><limit lower="0.5" upper="1"/>'
        parts = [LINK.format("a"), LINK.format("b"), JOINT.format("hip", "continuous", "base", "a", '<axis xyz="0 0 1"/>'),
                 JOINT.format("knee", "revolute", "a", "b", knee),
                 '<loop name="end" type="spherical"><predecessor link="b"><origin xyz="1 0 0"/></predecessor>'
                 f'<successor link="base"><origin xyz="{math.sqrt(2)!r} 0 0"/></successor></loop>']
        self.write(robot(*parts), "l.urdf")
        self.says("l.urdf", "<limit>: joint 'knee' starts at 1.5708, above its upper limit 1, which pushes at once")


class Constraints(LossCase):
    """A constraint that is not carried over is never dropped without being asked for."""

    def test_mjcf(self):
        two = "<worldbody>\n<body name='b'><joint name='j'/><joint name='k' axis='0 1 0'/>" + INERTIAL + "</body>\n</worldbody>\n"
        for equality, words in (("<joint joint1='j' joint2='k' polycoef='0 1 1'/>", "m.xml:6: <joint>: lost constraint: equality"),
                                ("<tendon tendon1='t'/>", "m.xml:6: <tendon>: lost constraint: equality '' of a kind that is not known"),
                                ("<wibble/>", "m.xml:6: <wibble>: lost constraint")):
            self.missing(self.mjcf(f"{two}\n<equality>{equality}</equality>"), words)
        _, said = self.says(self.mjcf(f"{two}\n<equality><connect name='c' active='false' body1='b' anchor='1 0 0'/></equality>"),
                            "<connect>: lost: equality 'c', which is not active", "1 lost, 0 approximated")
        off = "<option><flag equality='disable'/></option>"
        self.says(self.mjcf(f"{two}\n<equality><tendon name='t' tendon1='t'/></equality>{off}"),
                  "<tendon>: equality 't' is switched off by the <flag> in line 6", "0 lost")
        self.says(self.mjcf(f"<default><equality active='false'/></default>{two}<equality><connect name='c' body1='b' anchor='1 0 0'/></equality>"),
                  "equality 'c', which is not active")

    def test_a_joint_held_at_a_value(self):
        for kind, value in (("hinge", 0.4), ("slide", 0.3)):
            two = (f"<worldbody><body name='a'><joint name='i' axis='0 1 0'/>{INERTIAL}<body name='b' pos='0 0 -1' euler='10 20 30'>"
                   f"<joint name='j' type='{kind}' axis='1 0 1' ref='0.1'/>{INERTIAL}</body></body></worldbody>")
            model, _ = self.imported(self.mjcf(f"<compiler angle='radian'/>{two}<equality><joint name='held' joint1='j' polycoef='{value}'/></equality>"))
            model["analysis"]["duration"] = 0.2
            channel = "j.angle" if kind == "hinge" else "j.displacement"
            model["output"] = {"step": 0.1, "channels": [channel]}
            result = self.run_file(model, "--quiet")
            self.assertEqual(result.returncode, 0, result.stderr)
            for row in self.table()[1]:
                self.assertAlmostEqual(row[-1], 0.1 + value, delta=1e-9)

    def test_sdf(self):
        two = SDF_LINK.format(1, "") + SDF_LINK.format(1, "").replace("'a'", "'b'")
        gear = "<joint name='g' type='gearbox'><parent>a</parent><child>b</child></joint>"
        self.missing(self.sdf(two + SDF_JOINT + gear), "m.sdf:3: <joint>: lost constraint: joint 'g' of type 'gearbox'")
        mimic = "<axis><xyz>0 0 1</xyz><mimic joint='g'><multiplier>2</multiplier></mimic></axis>"
        ball = "<joint name='g' type='ball'><parent>a</parent><child>b</child></joint>"
        joint = SDF_JOINT.replace("<axis><xyz>0 0 1</xyz></axis>", mimic)
        self.missing(self.sdf(two + joint + ball), "<mimic>: lost constraint: of joint 'j': it, or 'g', has no coordinate")

    def test_urdf(self):
        self.write(robot(LINK.format("a"), LINK.format("b"), JOINT.format("j", "spherical", "base", "a", ""),
                         JOINT.format("k", "continuous", "base", "b", '<mimic joint="j"/>')), "m.urdf")
        self.missing("m.urdf", "m.urdf:6: <mimic>: lost constraint: joint 'k' or the one that it mimics has no coordinate")
        for k in (1, -1):  # a circle that contradicts itself, and one that does not
            self.write(robot(LINK.format("a"), LINK.format("b"), JOINT.format("j", "continuous", "base", "a", '<mimic joint="k"/>'),
                             JOINT.format("k", "continuous", "base", "b", f'<mimic joint="j" multiplier="{k}"/>')), "m.urdf")
            self.refused("m.urdf", "<mimic>: joints that mimic each other in a circle")
        self.write(robot(LINK.format("a"), LINK.format("b"), JOINT.format("j", "spherical", "base", "a", "")), "m.urdf")
        self.refused("m.urdf", "m.urdf:4: <inertial>: link 'b' is a second root beside 'base'")

    def test_free_joints_are_said(self):
        self.write(robot(LINK.format("a"), JOINT.format("j", "floating", "base", "a", "")), "m.urdf")
        self.says("m.urdf", "m.urdf:4: <joint>: joint 'j' lets its link move freely")
        self.says(self.body("<freejoint/>"), "m.xml:3: <freejoint>: body 'b' moves freely")

    def test_adams(self):
        for statement, words in (("CVCV/1, I=20, J=1\n", "<CVCV/1>: lost constraint: constraints of curves"),
                                 ("MARKER/21, PART=2\nJOINT/1, REV, I=20, J=21\nMOTION/1, JOINT=1, FUNC=TIME\n", "<MOTION/1>: lost constraint: JOINT/1, which it needs, is lost"),
                                 ("GCON/1, FUNCTION=DX(20,1)\n", "<GCON/1>: lost constraint: a constraint that is a formula of any markers"),
                                 ("PTCV/1, I=20, CURVE=1\n", "<PTCV/1>: lost constraint: its curve is a B-spline"),
                                 ("JOINT/1, REV, I=20, J=1\nMOTION/1, JOINT=1, FUNC=USER(1)\n", "<MOTION/1>: lost constraint: "),
                                 ("MOTION/1, I=20, J=1, B1, FUNC=TIME\n", "<MOTION/1>: lost constraint: motions of one of three angles")):
            self.write(ADAMS + statement + "END\n", "d.adm")
            self.missing("d.adm", words)

    def test_adams_joints_that_are_primitives(self):
        for word, element in (("INLINE", "in_line"), ("INPLANE", "in_plane"), ("ATPOINT", "spherical"), ("PERPENDICULAR", "dot1"),
                              ("PARALLEL_AXES", "parallel_axes"), ("ORIENTATION", "parallel_axes")):
            frame = ", REULER=0,90D,0" if word == "PERPENDICULAR" else ""
            self.write(ADAMS + f"MARKER/21, PART=2{frame}\nJOINT/1, {word}, I=21, J=1\nEND\n", "d.adm")
            model, said = self.imported("d.adm")
            self.assertEqual(model["system"]["constraints"]["joint_1"]["type"], element)
            self.assertIn("0 lost", said)

    def test_adams_rack_and_pinion(self):
        """A pinion of radius 0.5 above and below a rack along x: turned forward about y, it moves the rack back or forth."""
        for side in (1, -1):
            self.write("rack\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\n"
                       f"PART/2, QG=0,0,{0.5 * side}, MASS=1, CM=20, IP=1,1,1\nMARKER/20, PART=2\nMARKER/21, PART=2, REULER=0,-90D,0\n"
                       f"PART/3, MASS=1, CM=30, IP=1,1,1\nMARKER/30, PART=3\nMARKER/31, PART=3, REULER=90D,90D,0\n"
                       f"MARKER/11, PART=1, QP=0,0,{0.5 * side}, REULER=0,-90D,0\nMARKER/12, PART=1, REULER=90D,90D,0\n"
                       "JOINT/1, REV, I=21, J=11\nJOINT/2, TRANS, I=31, J=12\nJOINT/3, RACKPIN, I=21, J=31, PD=1\n"
                       "MOTION/1, JOINT=1, FUNCTION=0.3*TIME\nEND\n", "d.adm")
            model, said = self.imported("d.adm")
            self.assertIn("0 lost", said)
            model["analysis"]["duration"] = 1
            model["output"] = {"step": 1, "channels": ["part_3"]}
            result = self.run_file(model, "--quiet")
            self.assertEqual(result.returncode, 0, result.stderr)
            header, rows = self.table()
            # A wheel that turns about y by w carries what is below it towards -x: v = w x r, (0,w,0) x (0,0,-R) = (-wR, 0, 0).
            self.assertAlmostEqual(rows[-1][header.index("part_3.x")], -side * 0.5 * 0.3, delta=1e-8)
        text = (self.folder / "d.adm").read_text()
        self.write(text.replace("PD=1\n", "PD=1.2\n"), "d.adm")
        self.missing("d.adm", "<JOINT/3>: lost constraint: its rack lies 0.5 m from the pinion's axis, and PD/2 is 0.6 m")


class Places(LossCase):
    """What the kernel finds wrong is told with a place in the file."""

    def test_open_loops(self):
        far = '<loop name="end" type="spherical"><predecessor link="a"><origin xyz="1 0 0"/></predecessor><successor link="base"><origin xyz="3 0 0"/></successor></loop>'
        self.write(robot(LINK.format("a"), JOINT.format("j", "continuous", "base", "a", ""), far), "l.urdf")
        last = self.refused("l.urdf", "l.urdf:", "not imported: the model cannot be set up", "'end' by", "l.urdf:4: <joint>", "l.urdf:5: <loop>")
        self.assertRegex(last, r"l\.urdf:[45]: <(joint|loop)>: not imported")
        self.mjcf(f"<worldbody>\n<body name='a'><joint name='j'/>{INERTIAL}</body>\n</worldbody>\n<equality>\n<connect name='end' body1='a' anchor='1 0 0'/>\n"
                  "</equality>\n<keyframe><key name='k' qpos='10'/></keyframe>")
        self.imported("m.xml", "--set", "keyframe=k")  # closes: assembly turns it back
        drive = ADAMS + "MARKER/2, PART=1, QP=9,0,0\nMARKER/21, PART=2, QP=1,0,0\nJOINT/1, SPH, I=20, J=1\nJOINT/2, SPH, I=21, J=2\nEND\n"
        self.write(drive, "d.adm")
        self.refused("d.adm", "d.adm:", "<JOINT/1>", "<JOINT/2>")

    def test_nested_too_deeply(self):
        for depth, fits in ((80, True), (100, False), (490, False), (5000, False)):
            text = "<body><joint axis='0 1 0'/>" + INERTIAL.replace(" 0 0'", " 0 -1'")
            deep = f"<mujoco><worldbody>\n{text * 3}{'<frame>' * depth}{'</frame>' * depth}{'</body>' * 3}</worldbody></mujoco>"
            self.write(deep, "deep.xml")
            if fits:
                self.imported("deep.xml")
            else:
                self.refused("deep.xml", "deep.xml:2: ", "nested too deeply")


main()
