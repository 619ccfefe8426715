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
