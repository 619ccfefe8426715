"""The examples that are not C++, sdk/examples/c_and_rust: copied out of an installed tree, built and tested.

Arguments: TRAMMEL BUILD_FOLDER [unittest arguments]
"""
import csv
import math
import pathlib
import re
import shutil
import subprocess
import sys

import support
from support import Case, main

BUILD = pathlib.Path(sys.argv.pop(1))


def setUpModule():
    global PREFIX
    PREFIX = support.install(BUILD)


class NotCpp(Case):
    def test_out_of_tree(self):
        folder = self.folder / "c_and_rust"
        shutil.copytree(PREFIX / "share" / "trammel" / "sdk" / "examples" / "c_and_rust", folder)
        told = support.build_and_test(folder, PREFIX, "-DCMAKE_C_FLAGS=-Wall -Wextra -Wpedantic -Werror")
        self.assertRegex(told, "100% tests passed, 0 tests failed out of ")
        self.assertEqual(set(re.findall(r"Test +#\d+: (\S+)", told)),
                         {"check/acme.centre_spring", "run/centre_spring", "run/centre_spring_spatial", "check/acme.logistic"})
        for library in ("acme.centre_spring.so", "acme.logistic.so"):
            needed = subprocess.run(["readelf", "-d", folder / "build/plugins" / library], capture_output=True, text=True, check=True)
            self.assertNotIn("libstdc++", needed.stdout)
        result = self.trammel("run", folder / "cases/centre_spring.json", "-o", "out", "--plugin-path", folder / "build/plugins")
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(self.folder / "out/results.csv", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                t = float(row["t"])
                self.assertAlmostEqual(float(row["mass.x"]), math.cos(3 * t), delta=1e-7)
                self.assertAlmostEqual(float(row["mass.y"]), math.sin(3 * t) / 3, delta=1e-7)
        # The width is refused by the table, the body by the code in C.
        ground = self.trammel("run", folder / "cases/centre_spring.json", "-o", "ground", "--plugin-path", folder / "build/plugins",
                              "--set", "system.forces.pull.body=ground")
        self.assertEqual(ground.returncode, 2)
        self.assertIn("ground is held already", ground.stderr)


if __name__ == "__main__":
    main()
