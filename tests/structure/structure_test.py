"""The rules of the house hold, and a planted breach of each is found. Arguments: SOURCE layers|classes."""
import pathlib
import shutil
import sys
import tempfile
import unittest

import rules

SOURCE = pathlib.Path(sys.argv.pop(1))
SKIPPED = 77


class House(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name)
        (self.root / "framework/src/model").mkdir(parents=True)
        shutil.copy(SOURCE / "framework/CMakeLists.txt", self.root / "framework")

    def plant(self, text, name="planted.h"):
        (self.root / "framework/src/model" / name).write_text(text)

    def none(self, found):
        self.assertEqual(found, [], "\n" + "\n".join(found))


class Layers(House):
    def test_includes_run_downwards(self):
        table = rules.layers(SOURCE)
        source = SOURCE / "framework/src"
        folders = {path.relative_to(source).as_posix() for path in source.rglob("*") if path.is_dir()}
        self.assertEqual(set(table), folders)
        self.none(rules.broken_layers(SOURCE))

    def test_planted_include_upwards(self):
        self.plant('#include "linalg/rank.h"\n#include "run/stepping/engine.h"\n')
        self.assertEqual(rules.broken_layers(self.root),
                         ["model/planted.h:2: model does not use run/stepping (run/stepping/engine.h)"])
        self.plant('#include "trammel/host/simulation.h"\n')
        self.assertEqual(len(rules.broken_layers(self.root)), 1)

    def test_planted_cycle_of_folders(self):
        file = self.root / "framework/CMakeLists.txt"
        file.write_text(file.read_text().replace("trammel_folder(model USES", "trammel_folder(model USES run"))
        self.assertEqual(rules.broken_layers(self.root), ["model USES run, which does not stand below it"])

    def test_length_of_files(self):
        self.none(rules.long_files(SOURCE))
        self.plant("\n" * (rules.LONGEST_FILE + 1))
        self.assertEqual(len(rules.long_files(self.root)), 1)

    def test_friends(self):
        self.none(rules.friends(SOURCE, rules.FRIENDS))
        place = "framework/src/model/planted.h"
        for friend in ("friend class B;", "friend struct B;", "friend B;", "friend class other::B;", "friend B<int>;"):
            self.plant("class A {\n  " + friend + "\n};\n")
            self.assertEqual(len(rules.friends(self.root)), 1, friend)
            self.assertTrue(rules.friends(self.root)[0].startswith(place + ": a friend, "))
        self.plant("class A {\n  // friend B;\n  friend A operator+(const A& a, const A& b) { return a; }\n"
                   "  friend void swap(A& a, A& b);\n};\n")
        self.none(rules.friends(self.root))
        self.assertEqual(rules.friends(self.root, {(place, "B")}),
                         [place + ": B is no friend any more; take it out of FRIENDS"])
        for folder in ("framework/include/trammel", "sdk/include/trammel/sdk", "plugins/forces/planted"):
            (self.root / folder).mkdir(parents=True)
            (self.root / folder / "planted.h").write_text("class A {\n  friend B;\n};\n")
        self.assertEqual(len(rules.friends(self.root)), 3)


class Sizes(House):
    def test_sizes_of_classes(self):
        self.none(rules.large_classes(SOURCE))

    def test_planted_fields(self):
        fields = "".join(f"  int field_{i}_ = 0;\n" for i in range(rules.MOST_MEMBERS))
        self.plant("class Large {\n" + fields + "};\n")
        self.none(rules.large_classes(self.root))
        self.plant("class Large {\n struct Part {\n  int one;\n };\n" + fields + "};\n")
        self.assertEqual(rules.large_classes(self.root), ["Large: 41 fields, 0 methods; at most 40"])
        self.plant("struct Base {\n  int one;\n};\nclass Large : public Base {\n" + fields + "};\n")
        self.assertEqual(rules.large_classes(self.root), ["Large: 41 fields, 0 methods; at most 40"])

    def test_planted_fields_of_a_struct_elsewhere(self):
        fields = "".join(f"  int field_{i}_ = 0;\n" for i in range(rules.MOST_MEMBERS - 2))
        large = "class Large {\n" + fields + "  Part part_;\n  Part again_;\n};\n}\n"
        self.plant("namespace trammel {\nstruct Part {\n  int one;\n  Inner inner;\n};\n}\n", "part.h")
        self.plant("namespace trammel {\nstruct Inner {\n  int one;\n};\n}\n", "inner.h")
        self.plant("namespace trammel {\n" + large)
        self.assertEqual(rules.large_classes(self.root), ["Large: 43 fields, 0 methods; at most 40"])
        # Another Part is nearer, and has methods: it is no plain struct.
        other = "namespace trammel {\nnamespace own {\nstruct Part {\n  int one;\n  void look();\n};\n"
        self.plant(other + large + "}\n")
        self.none(rules.large_classes(self.root))
        self.plant("namespace trammel {\nnamespace own {\nusing Part = double;\n" + large + "}\n")  # an alias is
        self.none(rules.large_classes(self.root))
        pointer = large.replace("Part part_", "Part* part_").replace("Part again_", "int one_")
        self.plant("namespace trammel {\n" + pointer)
        self.none(rules.large_classes(self.root))

    def test_ceilings(self):
        self.none(rules.above_ceilings(SOURCE))
        self.assertEqual(len(rules.above_ceilings(self.root)), len(rules.CEILINGS))
        most = rules.CEILINGS["Engine"]
        self.plant("class Engine {\n" + "".join(f"  int field_{i}_;\n" for i in range(most + 1)) + "};\n")
        self.assertIn(f"Engine: {most + 1} fields; at most {most}", rules.above_ceilings(self.root))

    def test_planted_methods(self):
        methods = "".join(f"  void method_{i}();\n" for i in range(rules.MOST_MEMBERS + 1))
        self.plant("class Large {\n public:\n" + methods + "};\n")
        self.assertEqual(rules.large_classes(self.root), ["Large: 0 fields, 41 methods; at most 40"])


if __name__ == "__main__":
    part = sys.argv.pop(1)
    if part == "classes" and shutil.which("ctags") is None:
        print("SKIPPED: there is no ctags (Debian: universal-ctags), so NO CLASS WAS MEASURED", file=sys.stderr)
        sys.exit(SKIPPED)
    unittest.main(defaultTest={"layers": "Layers", "classes": "Sizes"}[part], verbosity=2)
