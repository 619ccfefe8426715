"""`trammel import` of SDF: loops, frames, included models, limits, what is refused."""
import math

from import_case import CASES, ImportCase, SDF_JOINT, SDF_LINK
from support import main

INERTIA = "<inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>"


class Sdf(ImportCase):
    def test_a_loop(self):
        model, said = self.imported(CASES / "slider_crank.sdf")
        self.assertEqual(len(model["system"]["constraints"]), 4)
        self.assertIn("0 moved by assembly", said)  # both frames of a joint come from one pose
        result = self.trammel("run", "model.json", "-o", "out", "--quiet", "--set", "analysis.duration=1")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertLess(self.summary()["max"]["constraint_position"], 1e-10)

    def test_refused(self):
        for inner, words in (("<include><uri>model://x</uri></include>", "<uri>: there is no model 'model://x'; --package-path"),
                             ("<model name='m'><link name='a'/><link name='a'/></model>", "a second link, joint or frame 'a'"),
                             ("<model name='m'><link name='a'><pose>1 2</pose></link></model>", "must have 6 numbers, has 2"),
                             ("<model name='m'><link name='a'><pose relative_to='f'/></link><frame name='f' attached_to='a'/>"
                              "</model>", "is relative to itself"), ("", "holds no <model> with links")):
            self.write(f"<sdf version='1.9'>\n{inner}\n</sdf>\n", "bad.sdf")
            self.refused("bad.sdf", words)


    def test_included_models(self):
        """Where the <include> says, by a frame of their own if it says so; light and floor of Gazebo's library are named."""
        link = "<link name='{}'><pose>{}</pose>" + INERTIA + "</link>"
        (self.folder / "library" / "cart").mkdir(parents=True)
        self.write("<sdf version='1.9'><model name='cart'><pose>9 9 9 0 0 0</pose>" + link.format("box", "0 0 1 0 0 0") +
                   "<frame name='hook'><pose>0 2 0 0 0 1.5707963267948966</pose></frame></model></sdf>", "library/cart/model.sdf")
        self.write("<sdf version='1.9'><world name='yard'>\n<include><uri>model://sun</uri></include>\n"
                   "<include><uri>model://cart</uri><pose>5 0 0 0 0 0</pose></include>\n"
                   "<include><uri>model://cart</uri><name>second</name><placement_frame>hook</placement_frame></include>\n"
                   "</world></sdf>", "yard.sdf")
        model, said = self.imported("yard.sdf", "--package-path", "library")
        first, second = model["system"]["bodies"].values()
        self.assertEqual(first["position"], [5, 0, 1])
        # The hook comes to (9, 9, 9), unturned: the box stands two to its left, turned back by a quarter.
        for value, wanted in zip(second["position"], (9 - 2, 9, 9 + 1)):
            self.assertAlmostEqual(value, wanted, delta=1e-14)
        self.assertAlmostEqual(second["rotation"]["euler_parameters"][3], -math.sqrt(0.5), delta=1e-15)
        self.assertIn("yard.sdf:2: <include>: lost: 'sun' of Gazebo's library", said)
        self.refused("yard.sdf", "yard.sdf:3: <uri>: there is no model 'model://cart'")
        again = "<include><uri>model://cart</uri></include><frame"
        self.write((self.folder / "library/cart/model.sdf").read_text().replace("<frame", again), "library/cart/model.sdf")
        self.refused("yard.sdf", "model.sdf:1: <include>: a model within a model", options=["--package-path", "library"])

    def test_poses(self):
        """What a pose is relative to is followed or said, never passed over."""
        part = "<model name='m'><pose relative_to='p'>1 0 0 0 0 0</pose>" + SDF_LINK.format(1, "") + "</model>"
        self.write(f"<sdf version='1.9'>{part}</sdf>", "posed.sdf")
        self.refused("posed.sdf", "posed.sdf:1: <pose>: is relative to 'p'")
        visual = ("<visual name='v'><pose relative_to='a'>1 0 0 0 0 0</pose><geometry><box><size>1 1 1</size></box></geometry>"
                  "</visual>")
        self.write(f"<sdf version='1.9'><model name='m'>{SDF_LINK.format(1, visual)}</model></sdf>", "posed.sdf")
        _, said = self.imported("posed.sdf")
        self.assertIn("posed.sdf:1: <visual>: lost: picture of link 'a': its pose is relative to 'a'", said)

    def test_limits_without_bound(self):
        """Gazebo writes inf, 1e16, or the largest double."""
        for lower, upper, kept in (("-inf", " INF ", False), ("-1e16", "1e16", False), ("-1.79769e+308", "1.79769e+308", False),
                                   ("-inf", "1.5", True)):
            limit = f"<limit><lower>{lower}</lower><upper>{upper}</upper><effort>inf</effort><velocity>-1</velocity></limit>"
            joint = SDF_JOINT.replace("</axis>", limit + "</axis>")
            self.write("<sdf version='1.9'><model name='m'>" + SDF_LINK.format(1, "") + joint + "</model></sdf>", "free.sdf")
            model, said = self.imported("free.sdf")
            self.assertEqual(model["system"].get("forces", {}).get("j_limit", {}).get("upper"), 1.5 if kept else None)
            self.assertNotIn(": lost: effort", said)


main()
