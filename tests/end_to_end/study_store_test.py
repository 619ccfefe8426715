"""study.db as it may be found: of another study, cut off, damaged, another program's, of a newer version.

Run as: /usr/bin/python3 study_store_test.py TRAMMEL
"""
import random
import shutil
import sqlite3

from support import Case, changed, main

PENDULUM = {
    "trammel": 2,
    "parameters": {"length": 1, "angle": -1},
    "system": {"type": "pendulum_angle", "length": "=length", "angle": "=angle"},
    "analysis": {"type": "dynamics", "duration": 0.1},
    "integrator": {"type": "rk4", "step": 0.01},
    "output": {"step": 0.1},
}
STUDY = {
    "trammel_study": 1,
    "base": "run.json",
    "sample": {"count": 40, "distributions": {"parameters.length": {"type": "uniform", "min": 0.7, "max": 1.3}}},
    "metrics": {"last": {"type": "final_value", "channel": "theta"}},
}
OTHER = changed(STUDY, sample={"count": 25, "distributions": {"parameters.angle": {"type": "normal", "mean": -1, "deviation": 0.1}}},
                metrics={"steps": {"type": "counter", "of": "steps"}, "last": {"type": "max", "channel": "theta"}})


class Store(Case):
    def setUp(self):
        super().setUp()
        self.write(PENDULUM)
        self.store = self.folder / "out" / "study.db"

    def study(self, study=STUDY, code=0, out="out"):
        result = self.trammel("study", self.write(study, "study.json"), "-o", out, "--quiet")
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result

    def dump(self, out="out"):
        result = self.trammel("study", "study.json", "-o", out, "--dump")
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def refused(self, *words):
        before = self.store.read_bytes()
        told = self.study(code=2).stderr
        self.assertEqual(told.count("\n"), 1, told)
        for word in ("out/study.db: ", *words):
            self.assertIn(word, told)
        self.assertEqual(self.store.read_bytes(), before, "a file that is not ours is left as it is")

    def test_of_another_study(self):
        self.study(OTHER)
        self.study()
        mixed = self.dump()
        self.study(out="alone")
        self.assertEqual(mixed, self.dump("alone"))
        self.study(OTHER)
        self.study(OTHER, out="other")
        self.assertEqual(self.dump(), self.dump("other"))

    def test_no_database(self):
        self.store.parent.mkdir()
        self.store.write_bytes(b"id,name\n" * 2000)
        self.refused("is damaged, or no database", "move it away")
        shown = self.trammel("study", "study.json", "-o", "out", "--show", "SELECT 1 FROM cases")
        self.assertIn("is damaged, or no database", shown.stderr)
        self.assertEqual(shown.returncode, 2)
        self.store.unlink()
        self.study()

    def test_an_empty_file_is_a_new_store(self):
        self.store.parent.mkdir()
        self.store.touch()
        self.study()
        self.assertEqual(self.dump().count("\ncase "), 39)

    def test_of_another_program(self):
        self.store.parent.mkdir()
        database = sqlite3.connect(self.store)
        database.execute("CREATE TABLE cases(id INTEGER, judge TEXT)")
        database.commit()
        database.close()
        self.refused("is a database of another program")

    def test_of_a_newer_version(self):
        self.study()
        database = sqlite3.connect(self.store)
        database.execute("PRAGMA user_version = 99")
        database.commit()
        database.close()
        self.refused("its version is 99")

    def test_cut_off(self):
        """Wherever the file ends, the study says so or comes to what it always does."""
        self.study()
        whole, dump = self.store.read_bytes(), self.dump()
        said = 0
        for part in (0.1, 0.3, 0.5, 0.7, 0.9, 0.999):
            self.store.write_bytes(whole[:int(part * len(whole))])
            result = self.trammel("study", "study.json", "-o", "out", "--quiet")
            if result.returncode == 0:
                self.assertEqual(self.dump(), dump)
                continue
            said += 1
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn("is damaged", result.stderr)
            self.store.unlink()
            self.study()
            self.assertEqual(self.dump(), dump)
        self.assertGreater(said, 3)

    def test_pages_of_rubbish(self):
        self.study()
        whole, dump = self.store.read_bytes(), self.dump()
        size, chance = 4096, random.Random(1)
        for page in range(1, len(whole) // size):
            rubbish = bytes(chance.randrange(256) for _ in range(size))
            self.store.write_bytes(whole[:page * size] + rubbish + whole[(page + 1) * size:])
            result = self.trammel("study", "study.json", "-o", "out", "--quiet")
            self.assertEqual(result.returncode, 2, f"page {page}: {result.stderr}")
            self.assertIn("is damaged", result.stderr)
        self.store.write_bytes(whole)
        self.assertEqual(self.dump(), dump)

    def test_folders_of_cases_outlive_the_store(self):
        study = {"trammel_study": 1, "base": "run.json", "vary": {"parameters.length": [0.8, 1, 1.2]}, "metrics": STUDY["metrics"]}
        self.study(study)
        dump = self.dump()
        times = {file: file.stat().st_mtime_ns for file in (self.folder / "out" / "cases").glob("*/case.json")}
        self.assertEqual(len(times), 3)
        self.store.unlink()
        self.study(study)
        self.assertEqual(self.dump(), dump)
        self.assertEqual({file: file.stat().st_mtime_ns for file in times}, times)

    def test_a_copy_is_as_good(self):
        self.study()
        shutil.copytree(self.folder / "out", self.folder / "copy")
        begin = (self.folder / "copy" / "study.db").read_bytes()
        self.assertTrue(begin)
        self.study(out="copy")
        self.assertEqual(self.dump("copy"), self.dump())


main()
