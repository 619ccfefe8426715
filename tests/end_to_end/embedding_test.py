"""The programs of sdk/examples/embedding, built out of tree against an installed and moved tree, and what docs/embedding.md
shows of them.

Arguments: TRAMMEL BUILD_FOLDER [unittest arguments]
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

import support
from support import Case, EXAMPLES, SOURCE, main

BUILD = pathlib.Path(sys.argv.pop(1))
PROGRAMS = SOURCE / "sdk" / "examples" / "embedding"
PYTHON = BUILD / "python" / "trammel"


def setUpModule():
    global PREFIX, BIN
    PREFIX = support.install(BUILD)
    BIN = PREFIX.parent / "embedding_build"
    for command in (["cmake", "-G", "Ninja", "-S", PROGRAMS, "-B", BIN, f"-DCMAKE_PREFIX_PATH={PREFIX}",
                     "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Wpedantic -Werror", "-DCMAKE_C_FLAGS=-Wall -Wextra -Wpedantic -Werror"],
                    ["cmake", "--build", BIN]):
        result = subprocess.run(command, capture_output=True, text=True, timeout=250)
        if result.returncode != 0:
            raise RuntimeError(result.stdout + result.stderr)


class Programs(Case):
    def program(self, *arguments, code=0, **options):
        result = subprocess.run([str(argument) for argument in arguments], cwd=self.folder, capture_output=True, text=True,
                                timeout=100, **options)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result.stdout if code == 0 else result.stderr

    def test_the_real_time_loop_balances_its_pole(self):
        lines = self.program(BIN / "balance", PROGRAMS / "cart_pole.json").splitlines()
        self.assertEqual(lines[0].split(), ["t", "x", "phi", "push"])
        rows = [[float(cell) for cell in line.split()] for line in lines[1:]]
        self.assertEqual([row[0] for row in rows], [0.5 * i for i in range(len(rows))])
        self.assertGreaterEqual(len(rows), 10)
        self.assertEqual(rows[0][2], 0.1)
        self.assertLess(abs(rows[-1][1]) + abs(rows[-1][2]), 0.02)  # without the controller it falls within a second
        fallen = self.trammel("run", PROGRAMS / "cart_pole.json", "-o", "out")
        self.assertEqual(fallen.returncode, 0, fallen.stderr)
        header, rows = self.table()
        self.assertGreater(max(abs(row[header.index("pole.phi")]) for row in rows), 3)

    def test_the_model_in_code_is_the_run_file_that_it_saves(self):
        told = self.program(BIN / "model_in_code", "chain.json")
        last = [line for line in told.splitlines() if "pin0" in line][-1].split()
        result = self.trammel("run", "chain.json", "-o", "out", "--set", 'output.channels=["link2"]')
        self.assertEqual(result.returncode, 0, result.stderr)
        final = self.summary()["final"]
        self.assertEqual(float(last[0]), 2)
        self.assertEqual([last[2], last[4]], [f"{final['channels'][name]:.6f}" for name in ("link2.x", "link2.y")])

    def test_small_motions_of_the_pole(self):
        lines = self.program(BIN / "small_motions", PROGRAMS / "cart_pole.json").splitlines()
        rows = {line.split("' =")[0].strip(): [float(cell) for cell in line.split("' =")[1].replace("|", " ").split()]
                for line in lines if "' =" in line}
        self.assertEqual(len(rows), 4)
        for name, row in rows.items():
            if not name.startswith("rate of"):
                self.assertEqual(sorted(row), [0, 0, 0, 0, 1])
        # The pole falls by itself, and the push moves the cart.
        rates = [row for name, row in rows.items() if name.startswith("rate of")]
        self.assertGreater(max(max(row[:4]) for row in rates), 1)
        self.assertGreater(max(abs(row[4]) for row in rates), 0.1)

    def test_a_number_of_the_pole_is_set_and_differentiated(self):
        def at(mass):
            lines = self.program(BIN / "small_motions", PROGRAMS / "cart_pole.json", "system.bodies.pole.mass", str(mass)).splitlines()
            words = [line.split() for line in lines if " per unit of " in line]
            return {w[0]: (float(w[2].rstrip(",")), float(w[5])) for w in words}
        low, here, high = at(0.25), at(0.3), at(0.35)
        self.assertEqual(len(here), 6)
        for name, (_, change) in here.items():
            self.assertAlmostEqual(change, (high[name][0] - low[name][0]) / 0.1, delta=2e-3 + 0.02 * abs(change))
        self.assertGreater(max(abs(change) for _, change in here.values()), 0.1)

    def test_the_program_in_c_shows_what_results_csv_has(self):
        run_file = EXAMPLES / "slider_crank.json"
        lines = self.program(BIN / "in_c", run_file, "analysis.duration=1.25").splitlines()
        result = self.trammel("run", run_file, "-o", "out", "--set", "analysis.duration=1.25", "--set", "output.step=0.125", "--set",
                              'output.channels="all"')
        self.assertEqual(result.returncode, 0, result.stderr)
        header, rows = self.table()
        self.assertEqual(len(lines), 10)
        for line, row in zip(lines, rows[1:]):
            cells = line.split()
            self.assertEqual(float(cells[1]), round(row[0], 4))
            self.assertEqual(float(cells[3]), row[header.index("crank.x")])
            self.assertEqual(float(cells[5]), row[header.index("pin.lambda.0")])
        self.assertIn("/no/such.json: ", self.program(BIN / "in_c", "/no/such.json", code=2))
        self.assertIn("did you mean", self.program(BIN / "in_c", run_file, "integrator.rtoll=1", code=2))

    @unittest.skipUnless(PYTHON.is_dir(), "the Python package is not built")
    def test_python_from_the_installed_tree(self):
        environment = {**os.environ, "PYTHONPATH": str(PREFIX / "lib" / "trammel" / "python")}
        lines = self.program("/usr/bin/python3", PROGRAMS / "sweep.py", EXAMPLES / "slider_crank.json", env=environment).splitlines()
        self.assertEqual([line.split()[:2] for line in lines], [[f"{mass:.2f}", "kg"] for mass in (0.5, 1, 1.5, 2)])
        forces = [float(line.split()[2]) for line in lines]
        self.assertEqual(len(set(forces)), 4)
        self.assertEqual(self.program("/usr/bin/python3", "-c", "import trammel; print(trammel.__file__)", env=environment).strip(),
                         str(PREFIX / "lib" / "trammel" / "python" / "trammel" / "__init__.py"))
        self.assertIn("/no/such.json", self.program("/usr/bin/python3", PROGRAMS / "sweep.py", "/no/such.json", env=environment, code=2))

    def test_a_program_in_c_alone(self):
        """A project that knows no C++, on a machine without Eigen, finds and links the library all the same."""
        shutil.copy(PROGRAMS / "in_c.c", self.folder)
        (self.folder / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.22)\nproject(alone LANGUAGES C)\nfind_package(Trammel CONFIG REQUIRED COMPONENTS c)\n"
            "add_executable(alone in_c.c)\ntarget_link_libraries(alone PRIVATE trammel::c)\n")
        self.program("cmake", "-G", "Ninja", "-B", "build", f"-DCMAKE_PREFIX_PATH={PREFIX}", "-DCMAKE_DISABLE_FIND_PACKAGE_Eigen3=ON")
        self.program("cmake", "--build", "build")
        self.assertIn("t ", self.program("build/alone", EXAMPLES / "spring_mass.json"))

    def test_the_page_shows_what_the_programs_say(self):
        page = (SOURCE / "docs" / "embedding.md").read_text()
        plain = lambda text: re.sub(r"\s+", " ", text).strip()
        programs = [plain(file.read_text()) for file in PROGRAMS.iterdir()]
        blocks = re.findall(r"```(cpp|c|python|cmake)\n(.*?)```", page, re.DOTALL)
        self.assertGreaterEqual(len(blocks), 4)
        for _, block in blocks:
            self.assertTrue(any(plain(block) in program for program in programs), block)


main()
