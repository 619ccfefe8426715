"""`trammel import` of nasty files: numbers, names and encodings that few write; inputs are kept; frames of SDF."""
import math
import os

from import_case import ADAMS, INERTIAL, JOINT, LINK, LossCase, SDF_JOINT, SDF_LINK, robot
from support import main


class Nasty(LossCase):
    def test_numbers_that_squares_do_not_bear(self):
        self.write(robot(LINK.format("a").replace('mass value="1"', 'mass value="1e308"'), JOINT.format("j", "continuous", "base", "a", "")), "h.urdf")
        self.refused("h.urdf", "h.urdf:3: <inertial>: the mass of 'a' is 1e+308: numbers beyond 1e60")
        self.write(robot(LINK.format("a"), JOINT.format("j", "continuous", "base", "a", '<origin xyz="1e300 0 0"/>')), "h.urdf")
        self.refused("h.urdf", "h.urdf:3: <inertial>: the distance from the origin of 'a' is 1e+300")
        for size in ("1e-160 1e-160 0", "1e200 1e200 0"):  # whose squares vanish or overflow, and whose direction does not
            self.write(robot(LINK.format("a"), JOINT.format("j", "continuous", "base", "a", f'<axis xyz="{size}"/>')), "h.urdf")
            axis = self.imported("h.urdf")[0]["system"]["constraints"]["j"]["axis_i"]
            for value, wanted in zip(axis, (math.sqrt(0.5), math.sqrt(0.5), 0)):
                self.assertAlmostEqual(value, wanted, delta=1e-15)

    def test_what_stands_twice_or_behind_the_end(self):
        self.write(robot(LINK.format("a"), JOINT.format("j", "continuous", "base", "a", '<axis xyz="0 0 1"/><axis xyz="0 1 0"/>')), "t.urdf")
        self.says("t.urdf", "t.urdf:4: <axis>: lost: stands here for the second time, the first one counts")
        self.write(ADAMS + "END\n! a comment\n\nJOINT/1, REV, I=20, J=1\n", "d.adm")
        self.says("d.adm", "d.adm:10: lost: what stands here, behind END")
        self.write(ADAMS + "END\nJOINT/1, REV, I=20, J=1\n", "d.adm")
        self.says("d.adm", "d.adm:8: lost: what stands here, behind END")

    def test_urdf_limits_that_say_nothing(self):
        self.write(robot(LINK.format("a"), JOINT.format("j", "revolute", "base", "a", '<limit lower="0" upper="0"/>')), "t.urdf")
        self.says("t.urdf", "t.urdf:4: <limit>: lost: limits 0 and 0 of joint 'j'")
        self.write(robot(LINK.format("a"), JOINT.format("j", "revolute", "base", "a", "")), "t.urdf")
        self.says("t.urdf", "t.urdf:4: <joint>: joint 'j' of type revolute has no <limit>")
        self.write(robot(LINK.format("a"), JOINT.format("j", "continuous", "base", "a", '<limit lower="-1" upper="1"/>')), "t.urdf")
        self.says("t.urdf", "t.urdf:4: <limit>: lost: limits of joint 'j': a continuous joint has none")

    def test_mjcf(self):
        body = f"<worldbody><body name='b'><joint name='j'/>{INERTIAL}</body></worldbody>"
        self.write("<mujoco wibble='1' model='other'><option gravity='0 0 -1'/></mujoco>", "part.xml")
        self.mjcf(f"<include file='part.xml' wobble='2'/>{body}")
        self.says("m.xml", "m.xml:2: <include>: lost: attribute 'wobble' (2) is unknown here",
                  "part.xml:1: <mujoco>: lost: attribute 'wibble' (1) is unknown here")
        self.write(robot(LINK.format("a")), "part.xml")
        self.refused("m.xml", "part.xml:1: <robot>: is no MJCF: the first element of an included file")
        for text, words in (("<worldbody><body><joint/><frame>" + INERTIAL + "</frame></body></worldbody>", "m.xml:2: <inertial>: stands within a <frame>"),
                            ("<worldbody><joint/><body><joint/>" + INERTIAL + "</body></worldbody>", "m.xml:2: <joint>: the world does not move"),
                            (body + "<compiler balanceinertia='yes'/>", "m.xml:2: <compiler>: attribute 'balanceinertia' must be one of true, false"),
                            ("", "m.xml:1: <mujoco>: holds no <body>"),
                            ("<worldbody><body><joint/><inertial mass='1' diaginertia='1 1 1'/></body></worldbody>", "<inertial>: has no attribute 'pos'"),
                            ("<worldbody><site name='s'/><site name='s'/></worldbody>", "m.xml:2: <site>: a second site 's'"),
                            (body + "<actuator><motor joint='j' ctrllimited='true'/></actuator>", "m.xml:2: <motor>: actuator '' is limited and has no ctrlrange")):
            self.mjcf(text)
            self.refused("m.xml", words)
        mesh = ("<asset><mesh name='t' vertex='0 0 0 1 0 0 0 1 0 0 0 1{}' face='0 2 1 0 1 3 0 3 2 1 2 {}'/></asset><worldbody><body><joint/>"
                "<geom type='mesh' mesh='t'/></body></worldbody>")
        for more, corner, words in ((" 9", "3", "both come in threes"), ("", "2.5", "a face with a corner that does not exist"),
                                    ("", "4", "a face with a corner that does not exist"), ("", "-1", "a face with a corner")):
            self.mjcf(mesh.format(more, corner))
            self.refused("m.xml", "m.xml:2: <mesh>: mesh 't' has", words)

    def test_sdf(self):
        link = SDF_LINK.format(1, "")
        for text, words in (("<static>yes</static>" + link, "m.sdf:3: <static>: must be true or false, not 'yes'"),
                            (SDF_LINK.format(1, "<gravity>maybe</gravity>"), "<gravity>: must be true or false"),
                            (link + SDF_JOINT.replace("world", "a").replace("<child>a", "<child>world"), "<child>: the child of a joint may not be the world"),
                            (link + "<frame name='f' attached_to='zz'/>", "<frame>: there is no link, joint or frame 'zz' in this model"),
                            (link + SDF_JOINT.replace("</axis>", "<mimic joint='j'/></axis>"), "<mimic>: joint 'j' mimics itself"),
                            ("<link name='a'><pose rotation_format='euler'>0 0 0 0 0 0</pose></link>", "<pose>: rotation_format must be euler_rpy or quat_xyzw")):
            self.sdf(text)
            self.refused("m.sdf", words)
        self.write("<sdf><model name='m'>" + link + "</model></sdf>", "m.sdf")
        self.says("m.sdf", "m.sdf:1: <sdf>: has no version: it is read as 1.7")
        self.write(f"<sdf version='1.10'><world name='w'><model name='m'>{link}</model>\n<joint name='q' type='fixed'><parent>world</parent>"
                   "<child>m::a</child></joint></world></sdf>", "m.sdf")
        self.missing("m.sdf", "m.sdf:2: <joint>: lost constraint: joint 'q' of the world, between models")


class Inputs(LossCase):
    def test_inputs_are_kept(self):
        """The run file never takes the place of what it comes from: by name, link, or as an included file or a mesh."""
        self.write("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n", "part.obj")
        self.write("<mujocoinclude><option gravity='0 0 -1'/></mujocoinclude>", "part.xml")
        self.mjcf("<include file='part.xml'/><asset><mesh name='t' file='part.obj'/></asset><worldbody><body><joint/><geom type='mesh' mesh='t'/></body></worldbody>")
        self.write("", "no.loops")
        os.symlink("m.xml", self.folder / "link.json")
        os.link(self.folder / "m.xml", self.folder / "hard.json")
        os.symlink("part.obj", self.folder / "mesh.json")
        self.write((self.folder / "m.xml").read_text(), "x.part")
        for output in ("m.xml", "./m.xml", "link.json", "hard.json", "part.xml", "part.obj", "mesh.json", "no.loops"):
            before = {f.name: f.read_bytes() for f in self.folder.iterdir()}
            result = self.trammel("import", "m.xml", "-o", output, *(["--loops", output] if output == "no.loops" else []))
            self.assertEqual(result.returncode, 1, result.stderr)
            self.assertIn("is read by this import", result.stderr)
            self.assertEqual(before, {f.name: f.read_bytes() for f in self.folder.iterdir()})
        result = self.trammel("import", "x.part", "-o", "x")  # what is half written goes beside the output
        self.assertEqual(result.returncode, 1, result.stderr)
        self.imported("m.xml")
        self.imported("m.xml")  # a run file of before is replaced


    def test_side_files_of_loops_are_read_or_refused(self):
        self.write("spherical a b\n", "side.loops")
        self.body()
        self.sdf(SDF_LINK.format(1, "") + SDF_JOINT)
        self.write(ADAMS + "END\n", "d.adm")
        for file in ("m.xml", "m.sdf", "d.adm"):
            self.refused(file, f"{file}: --loops goes with files of URDF", options=["--loops", "side.loops"])


class Frames(LossCase):
    def test_sdf_frames(self):
        """Joints between frames, frames on frames and on joints; each becomes a named point."""
        links = SDF_LINK.format(1, "<pose>0 0 1 0 0 0</pose>") + SDF_LINK.format(1, "<pose>0 2 1 0 0 0</pose>").replace("'a'", "'b'")
        frames = ("<frame name='f' attached_to='a'><pose>0 1 0 0 0 0</pose></frame><frame name='g' attached_to='f'><pose>0 0.5 0 0 0 0</pose></frame>"
                  "<frame name='h' attached_to='j'/><frame name='m0'/>")
        joint = "<joint name='j' type='revolute'><parent>g</parent><child>b</child><axis><xyz>1 0 0</xyz></axis></joint>"
        model, said = self.imported(self.sdf(links + frames + joint))
        j = model["system"]["constraints"]["j"]
        self.assertEqual((j["bodies"], j["point_i"], j["point_j"]), (["a", "b"], [0, 2, 0], [0, 0, 0]))
        points = model["system"]["points"]
        self.assertEqual({name: (p["body"], p["point"]) for name, p in points.items()},
                         {"f": ("a", [0, 1, 0]), "g": ("a", [0, 1.5, 0]), "h": ("b", [0, 0, 0]), "m0": ("a", [0, 0, -1])})
        self.assertIn("0 lost", said)
        child = "<joint name='j' type='ball'><parent>world</parent><child>g</child></joint>"
        j = self.imported(self.sdf(links + frames.replace("<frame name='h' attached_to='j'/>", "") + child))[0]["system"]["constraints"]["j"]
        self.assertEqual((j["bodies"], j["point_i"], j["point_j"]), (["ground", "a"], [0, 1.5, 1], [0, 1.5, 0]))
        self.sdf(links + frames + joint.replace(">g<", ">q<"))
        self.refused("m.sdf", "m.sdf:3: <parent>: there is no link, joint or frame 'q' in this model")
        self.sdf(links + "<frame name='f' attached_to='g'/><frame name='g' attached_to='f'/>" + joint)
        self.refused("m.sdf", "'g' is attached to itself")


main()
