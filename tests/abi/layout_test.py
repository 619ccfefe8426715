"""abidiff on what plugins and embedding programs were compiled against: the frozen headers beside this tree's, and the kernel's symbols.

layout_test.py CXX FROZEN SOURCE_DIR KERNEL_LIBRARY
Types and tables of virtual functions: a program that uses every type of the frozen headers is compiled with both sets of headers.
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

CXX, FROZEN, SOURCE, KERNEL = sys.argv[1], *(pathlib.Path(p) for p in sys.argv[2:5])
TODAY = SOURCE / "framework/include"
FLAGS = ["-std=c++20", "-g", "-O0", "-fPIC", "-shared", "-fno-eliminate-unused-debug-types", "-femit-class-debug-always",
         "-DEIGEN_MAX_ALIGN_BYTES=16", "-DEIGEN_MALLOC_ALREADY_ALIGNED=0", "-isystem", "/usr/include/eigen3"]
TYPE = re.compile(r"^(?:class|struct|enum class) (\w+)(?: final)?(?: : [^{;]*)?\s*\{", re.M)


def witness(folder):
    """A function per public type, so that each is reached from an exported symbol."""
    headers = sorted((FROZEN / "include/trammel").glob("*.h"))
    types = dict.fromkeys(name for header in headers for name in TYPE.findall(header.read_text()))
    lines = [f'#include "trammel/{header.name}"' for header in headers] + ["using namespace trammel;"]
    lines += [f'extern "C" void witness_{name}(const {name}&) {{}}' for name in types]
    source = folder / "witness.cpp"
    source.write_text("\n".join(lines) + "\n")
    return source, list(types)


def compiled(source, headers, library):
    subprocess.run([CXX, *FLAGS, "-I", headers, source, "-o", library], check=True)
    return library


def abidiff(*arguments):
    done = subprocess.run(["abidiff", "--no-added-syms", *map(str, arguments)], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


class Layout(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        root = pathlib.Path(cls.folder.name)
        cls.source, cls.types = witness(root)
        cls.frozen = compiled(cls.source, FROZEN / "include", root / "frozen.so")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def changes(self, headers, name):
        library = compiled(self.source, headers, pathlib.Path(self.folder.name) / name)
        return abidiff("--headers-dir1", FROZEN / "include/trammel", "--headers-dir2", headers / "trammel", self.frozen, library)

    def test_every_interface_is_witnessed(self):
        for name in ("System", "Constraint", "ForceElement", "Formulation", "Integrator", "Function", "Metric", "ModelInfo",
                     "ConstrainedSystem", "KktSolver", "PluginDescriptor", "ParameterRecord", "Simulation"):
            self.assertIn(name, self.types)

    def test_layouts_and_virtual_tables(self):
        code, text = self.changes(TODAY, "today.so")
        self.assertEqual(code, 0, "an interface changed within its epoch (docs/abi.md):\n" + text)

    def test_it_can_fail(self):
        """A virtual function more, or a member more, is found."""
        for header, old, new in (("function.h", "class Function : public Extensible {\n public:", "\n  virtual int more() { return 0; }"),
                                 ("force.h", "struct ForceEnergy {", "\n  double more = 0;")):
            with self.subTest(header=header):
                headers = pathlib.Path(self.folder.name) / f"changed_{header}"
                subprocess.run(["cp", "-r", TODAY, headers], check=True)
                text = (headers / "trammel" / header).read_text()
                self.assertIn(old, text)
                (headers / "trammel" / header).write_text(text.replace(old, old + new))
                code, text = self.changes(headers, "changed.so")
                self.assertNotEqual(code, 0, text)

    def test_symbols_of_the_kernel(self):
        """A program linked to libtrammel of that minor finds its functions."""
        suppressions = ["--suppressions", FROZEN / "kernel_symbols.ini"]
        frozen = FROZEN / "kernel.abi"
        code, text = abidiff(*suppressions, frozen, KERNEL)
        self.assertEqual(code, 0, text)
        self.assertIn("_ZN7trammel10Simulation4stepEv", frozen.read_text())
        renamed = pathlib.Path(self.folder.name) / "renamed.abi"
        renamed.write_text(frozen.read_text().replace("Simulation4stepEv", "Simulation4stopEv"))
        self.assertNotEqual(abidiff(*suppressions, renamed, KERNEL)[0], 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
