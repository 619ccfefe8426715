"""The pages on the run file are what the program says: tables of keys, recipes with their results, printed outputs.

Arguments: TRAMMEL [unittest arguments]
"""
import csv
import math
import re
import shutil
import subprocess

from support import SOURCE, TRAMMEL, Case, main

RECIPES = SOURCE / "configs" / "recipes"
PAGES = [SOURCE / "docs" / name for name in ("run_file.md", "recipes.md")]


def rounded(text):
    """Lines whose numbers have six digits, so that rounding does not count."""
    return [re.sub(r"-?\d+\.?\d*(e[-+]?\d+)?", lambda number: f"{float(number[0]):.6g}", line).rstrip() for line in text.splitlines()]


class RunFilePage(Case):
    def write(self, tree, *options):
        return subprocess.run(["/usr/bin/python3", tree / "scripts" / "run_file_page", TRAMMEL, *options], capture_output=True, text=True)

    def test_sections_are_those_of_the_program(self):
        result = self.write(SOURCE, "--check")
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_a_stale_section_is_found_and_mended(self):
        for part in ("scripts/run_file_page", "docs/run_file.md"):
            (self.folder / part).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(SOURCE / part, self.folder / part)
        (self.folder / "docs" / "recipes.md").write_text("No sections.\n")
        shutil.copytree(RECIPES, self.folder / "configs" / "recipes")
        page = self.folder / "docs" / "run_file.md"
        right = page.read_text()
        page.write_text(right.replace("Simulated time;", "Simulated hours;"))
        self.assertNotEqual(page.read_text(), right)
        result = self.write(self.folder, "--check")
        self.assertEqual(result.returncode, 1)
        self.assertIn("Simulated hours;", result.stderr)
        self.assertIn("--target run_file_page", result.stderr)
        self.assertEqual(self.write(self.folder).returncode, 0)
        self.assertEqual(page.read_text(), right)

    def test_every_recipe_is_on_a_page_with_a_check(self):
        text = "".join(page.read_text() for page in PAGES)
        recipes = [file.stem for file in RECIPES.glob("*.json") if not file.stem.endswith("_study")]
        self.assertGreater(len(recipes), 8)
        for recipe in recipes:
            self.assertIn(f"<!-- written: file {recipe} -->", text)
            self.assertIn(f"<!-- written: result {recipe} -->", text)
            self.assertIn(f"`configs/recipes/{recipe}.json`", text)

    def test_what_the_pages_print_is_printed(self):
        printed = []
        for recipe in ("every_section", "record_torque"):
            result = self.trammel("run", RECIPES / f"{recipe}.json", "-o", recipe)
            self.assertEqual(result.returncode, 0, result.stderr)
            printed += rounded(result.stdout) + rounded((self.folder / recipe / "results.csv").read_text())
        for page in PAGES:
            blocks = re.findall(r"(?ms)^```(\w*)\n(.*?)^```$", page.read_text())
            told = "".join(block for language, block in blocks if not language)
            self.assertTrue(told)
            for line in rounded(told):
                self.assertIn(line, printed, page.name)

    def test_tables_are_what_the_page_says(self):
        """torque.csv is what record_torque.json writes, road.csv the two waves that measured_road_study.json knows."""
        self.assertEqual(self.trammel("run", RECIPES / "record_torque.json", "-o", "record", "--quiet").returncode, 0)
        written, kept = (list(csv.DictReader(file.read_text().splitlines()))
                         for file in (self.folder / "record" / "results.csv", RECIPES / "torque.csv"))
        self.assertEqual([len(written), list(written[0])], [len(kept), list(kept[0])])
        for fresh, stored in zip(written, kept):
            for column in fresh:
                self.assertAlmostEqual(float(fresh[column]), float(stored[column]), delta=1e-9)
        lines = [line for line in (RECIPES / "road.csv").read_text().splitlines() if not line.startswith("#")]
        for row in csv.DictReader(lines):
            x = float(row["x"])
            height = 0.01 * math.sin(2 * math.pi * x / 10) + 0.004 * math.sin(2 * math.pi * x / 4 + 1)
            self.assertAlmostEqual(float(row["height"]), height, delta=1e-9)


main()
