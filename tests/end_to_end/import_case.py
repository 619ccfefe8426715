"""What the tests of importers share."""
import json
import pathlib
import re

from support import Case, SOURCE

MODELS = SOURCE / "tests" / "import" / "models"
CASES = SOURCE / "plugins" / "importers" / "robot_xml" / "cases"
SAMPLES = pathlib.Path("/usr/share/mujoco/model")  # Debian: libmujoco-samples
LINK = '<link name="{0}"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>'
JOINT = '<joint name="{0}" type="{1}"><parent link="{2}"/><child link="{3}"/>{4}</joint>'
SDF_LINK = ("<link name='a'><inertial><mass>1</mass><inertia><ixx>{0}</ixx><iyy>{0}</iyy><izz>{0}</izz></inertia></inertial>{1}"
            "</link>")
SDF_JOINT = "<joint name='j' type='revolute'><parent>world</parent><child>a</child><axis><xyz>0 0 1</xyz></axis></joint>"
ADAMS = ("deck\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\nPART/1, GROUND\nMARKER/1, PART=1\n"
         "PART/2, MASS=2, CM=20, IP=1,2,2.5\nMARKER/20, PART=2\n")
INERTIAL = "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"


def robot(*parts):
    return '<robot name="r">\n<link name="base"/>\n' + "\n".join(parts) + "\n</robot>\n"


def uncommented(text):
    return json.loads(re.sub(r"^\s*//.*$", "", text, flags=re.M))


class ImportCase(Case):
    def imported(self, file, *options):
        """The run file, and what was said."""
        result = self.trammel("import", file, "-o", "model.json", *options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return uncommented((self.folder / "model.json").read_text()), result.stderr

    def refused(self, file, *words, options=()):
        """One line with file and line, exit code 2, and no run file."""
        (self.folder / "model.json").unlink(missing_ok=True)
        result = self.trammel("import", file, "-o", "model.json", *options)
        self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
        self.assertFalse((self.folder / "model.json").exists())
        last = result.stderr.strip().split("\n")[-1]
        for word in words:
            self.assertIn(word, last)
        return last


class LossCase(ImportCase):
    def mjcf(self, text, name="m.xml"):
        self.write(f"<mujoco model='m'>\n{text}\n</mujoco>\n", name)
        return name

    def body(self, joint="<joint name='j'/>", more="", rest=""):
        return self.mjcf(f"<worldbody>\n<body name='b'>{joint}{INERTIAL}{more}</body>\n</worldbody>\n{rest}")

    def sdf(self, inner, version="1.9"):
        self.write(f"<sdf version='{version}'>\n<model name='m'>\n{inner}\n</model>\n</sdf>\n", "m.sdf")
        return "m.sdf"

    def says(self, file, *words, options=()):
        model, said = self.imported(file, *options)
        for word in words:
            self.assertIn(word, said)
        return model, said

    def missing(self, file, *words):
        """Refused because of a constraint, which the option lets go, and named in both cases."""
        for word in words:
            result = self.trammel("import", file, "-o", "model.json")
            self.assertIn(word, result.stderr)
        self.refused(file, "constraint", "not carried over", "--allow-missing-constraints")
        return self.says(file, *words, options=["--allow-missing-constraints"])
