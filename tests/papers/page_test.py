"""The page of the papers' rows: what is missing, red, unexplained or unsupported is told, and nothing else."""
import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
from paper_figures import figures_of_test, rows_of_study  # noqa: E402
from paper_page import Page, deviates, obtained_text, rows_named_in, verdicts  # noqa: E402

ROWS = {"works": [{"name": "Book", "title": "A book", "rows": [
    {"row": "Table 1", "shows": "one", "why": [{"says": "Cut off.", "by": "book/table: case"}]},
    {"row": "Table 2", "shows": "two"}]}]}


def figure(row, **keys):
    return {"row": row, "what": "figure", "obtained": 1.0, "independent": 1.0, "tolerance": 1e-3, "verdict": "holds",
            "by": "configs/papers/book/table_study.json", **keys}


class PageTest(unittest.TestCase):
    def errors(self, figures, supports=lambda by: True):
        page = Page(ROWS, figures, [], {}, [], supports)
        text = page.text()
        return page.errors, verdicts(text)

    def test_green(self):
        errors, found = self.errors([figure("Book, Table 1"), figure("Book, Table 2"), figure("Book, Table 2")])
        self.assertEqual(errors, [])
        self.assertEqual(found, {"Table 1": "1 of 1 hold", "Table 2": "2 of 2 hold"})

    def test_missing(self):
        errors, _ = self.errors([figure("Book, Table 1"), figure("Book, Table 2", verdict="shown")])
        self.assertEqual(errors, ["Book, Table 2: nothing judges this row"])

    def test_red(self):
        errors, found = self.errors([figure("Book, Table 1"), figure("Book, Table 2", verdict="fails", obtained=2)])
        self.assertEqual(len(errors), 1)
        self.assertIn("Book, Table 2: figure: 2 for 1 ± 0.001", errors[0])
        self.assertIn("fails", found["Table 2"])

    def test_deviation_without_a_reason(self):
        different = {"printed": 1.25, "obtained": 1.26, "independent": 1.26}
        errors, _ = self.errors([figure("Book, Table 1", **different), figure("Book, Table 2", **different)])
        self.assertEqual(errors, ["Book, Table 2: figure: 1.26 is not the printed 1.25, and no reason is given"])
        self.assertFalse(deviates({"printed": 1.25, "obtained": 1.2549}))

    def test_reason_without_a_run(self):
        errors, _ = self.errors([figure("Book, Table 1"), figure("Book, Table 2")], lambda by: False)
        self.assertEqual(errors, ["Book, Table 1: no run 'book/table: case' supports its reason"])

    def test_row_that_is_not_listed(self):
        errors, _ = self.errors([figure(f"Book, Table {i}") for i in (1, 2, 3)])
        self.assertEqual(errors, ["configs/papers/book/table_study.json: there is no row 'Book, Table 3' in rows.json"])

    def test_digits_follow_the_tolerance(self):
        self.assertEqual(obtained_text(figure("", obtained=1.23456789)), "1.2346")
        self.assertEqual(obtained_text(figure("", obtained=3e-16, independent=0, tolerance=1e-10)), "< 1e-10")

    def test_lines_of_tests_and_rows_of_studies(self):
        line = ('x\npaper_row {"row": "a", "what": "b", "obtained": 1, "printed": 1, "tolerance": 0, "ok": true, '
                '"test": "t"}')
        self.assertEqual(figures_of_test(line)[0]["verdict"], "holds")
        study = '{\n  "row": "whole",\n  "expect": [{ "case": "c", "metric": "m", "row": "own" }]\n}'
        self.assertEqual(rows_of_study(study), ("whole", {("c", "m"): "own"}))
        self.assertEqual(rows_named_in(study), ["whole", "own"])


unittest.main()
