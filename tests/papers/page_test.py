"""The page of the papers' rows: what is missing, red, unexplained or unsupported is told, and nothing else."""
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
SCRIPTS = HERE.parents[1] / "scripts"
sys.path.insert(0, str(SCRIPTS))
import paper_appendix  # noqa: E402
import paper_record  # noqa: E402
from paper_figures import figures_of_test  # noqa: E402
from paper_page import Page, deviates, independent_text, obtained_text, rows_named_in, verdicts  # noqa: E402

REASON = {"says": "Cut off.", "by": "book/table: case", "figures": ["table: case: figure"]}
ROWS = {"works": [{"name": "Book", "title": "A book", "rows": [
    {"row": "Table 1", "shows": "one", "why": [REASON]}, {"row": "Table 2", "shows": "two"}]}]}
DIFFERENT = {"printed": 1.25, "obtained": 1.26, "independent": 1.26}
NIGHTLY = "configs/papers/book/table_nightly_study.json"


def figure(row, **keys):
    return {"row": row, "what": "case: figure", "obtained": 1.0, "independent": 1.0, "tolerance": 1e-3,
            "verdict": "holds", "by": "configs/papers/book/table_study.json", **keys}


def explained(**keys):
    return figure("Book, Table 1", **DIFFERENT, **keys)


class PageTest(unittest.TestCase):
    def errors(self, figures, nightly=()):
        self.page = Page(ROWS, figures, list(nightly), [])
        text = self.page.text()
        return self.page.errors, verdicts(text)

    def test_green(self):
        errors, found = self.errors([explained(), figure("Book, Table 2"), figure("Book, Table 2")])
        self.assertEqual(errors, [])
        self.assertEqual(found, {"Table 1": "1 of 1 hold", "Table 2": "2 of 2 hold"})
        self.assertIn("2 rows: 2 hold, 0 fail, 0 wait for a nightly study, 0 are missing", self.page.summary)

    def test_missing(self):
        errors, _ = self.errors([explained(), figure("Book, Table 2", verdict="shown")])
        self.assertEqual(errors, ["Book, Table 2: nothing judges this row"])

    def test_red(self):
        errors, found = self.errors([explained(), figure("Book, Table 2", verdict="fails", obtained=2)])
        self.assertEqual(len(errors), 1)
        self.assertIn("Book, Table 2: case: figure: 2 for 1 ± 0.001", errors[0])
        self.assertIn("fails", found["Table 2"])

    def test_nightly_figure_turns_a_row_red(self):
        errors, found = self.errors([explained(), figure("Book, Table 2")],
                                    [figure("Book, Table 2", verdict="fails", obtained=2, by=NIGHTLY)])
        self.assertEqual(len(errors), 1)
        self.assertEqual(found["Table 2"], "1 of 1 hold; by night 0 of 1: **fails**")
        self.assertIn("1 hold, 1 fail", self.page.summary)

    def test_nightly_figure_that_no_run_has_left_is_pending(self):
        errors, found = self.errors([explained(), figure("Book, Table 2")],
                                    [figure("Book, Table 2", verdict="pending", obtained=None, by=NIGHTLY)])
        self.assertEqual(errors, [f"Book, Table 2: {NIGHTLY} has figures that tests/papers/nightly.json does not have"])
        self.assertEqual(found["Table 2"], "1 of 1 hold; by night 0 of 1: **pending**")
        self.assertIn("1 hold, 0 fail, 1 wait", self.page.summary)

    def test_deviation_without_a_reason(self):
        errors, _ = self.errors([explained(), figure("Book, Table 2", **DIFFERENT)])
        self.assertEqual(errors, ["Book, Table 2: table: case: figure: 1.26 is not the printed 1.25, "
                                  "and no reason is given"])
        self.assertFalse(deviates({"printed": 1.25, "obtained": 1.2549}))

    def test_reason_for_one_figure_does_not_silence_another(self):
        errors, _ = self.errors([explained(), explained(what="case: other"), figure("Book, Table 2")])
        self.assertEqual(len(errors), 1)
        self.assertIn("table: case: other: 1.26 is not the printed 1.25", errors[0])

    def test_nightly_deviation_without_a_reason(self):
        errors, _ = self.errors([explained(), figure("Book, Table 2")],
                                [figure("Book, Table 2", **DIFFERENT, by=NIGHTLY)])
        self.assertEqual(len(errors), 1)
        self.assertIn("table_nightly: case: figure: 1.26 is not the printed 1.25", errors[0])

    def test_pattern_that_matches_nothing(self):
        errors, _ = self.errors([figure("Book, Table 1"), figure("Book, Table 2")])
        self.assertEqual(errors, ["Book, Table 1: no figure that differs from the print matches 'table: case: figure'"])

    def test_reason_without_a_run_that_holds(self):
        missing = "Book, Table 1: no judged figure of 'book/table: case' that holds supports its reason"
        errors, _ = self.errors([figure("Book, Table 1", what="other: figure"), figure("Book, Table 2")])
        self.assertIn(missing, errors)
        errors, _ = self.errors([explained(verdict="fails"), figure("Book, Table 2")])
        self.assertIn(missing, errors)

    def test_times_are_explained_by_a_run_that_shows_them(self):
        errors, _ = self.errors([explained(verdict="shown"), figure("Book, Table 1", what="other: figure"),
                                 figure("Book, Table 2")])
        self.assertEqual(errors, [])

    def test_row_that_is_not_listed(self):
        errors, _ = self.errors([explained(), figure("Book, Table 2"), figure("Book, Table 3")])
        self.assertEqual(errors, ["configs/papers/book/table_study.json: there is no row 'Book, Table 3' in rows.json"])

    def test_time_that_is_not_judged_is_no_hold(self):
        time = figure("Book, Table 2", verdict="shown", independent=None, below=1.0, obtained=2.0, timing=True)
        self.assertEqual(independent_text(time), "≤ 1: shown, not judged")
        self.errors([explained(), figure("Book, Table 2"), time])
        self.assertIn("| ≤ 1: shown, not judged |  | shown, not judged |", paper_appendix.text(self.page))

    def test_digits_follow_the_tolerance(self):
        self.assertEqual(obtained_text(figure("", obtained=1.23456789)), "1.2346")
        self.assertEqual(obtained_text(figure("", obtained=3e-16, independent=0, tolerance=1e-10)), "< 1e-10")
        self.assertEqual(independent_text(figure("", tolerance=0.15)), "1 ± 0.15")
        self.assertEqual(independent_text(figure("", tolerance=3.5e-5)), "1 ± 3.5e-05")

    def test_lines_of_tests_and_rows_of_studies(self):
        line = ('x\npaper_row {"row": "a", "what": "b", "obtained": 1, "printed": 1, "tolerance": 0, "ok": true, '
                '"test": "t"}')
        self.assertEqual(figures_of_test(line)[0]["verdict"], "holds")
        study = '{\n  "row": "whole",\n  "expect": [{ "case": "c", "metric": "m", "row": "own" }]\n}'
        self.assertEqual(rows_named_in(study), ["whole", "own"])


class RecordTest(unittest.TestCase):
    STUDY = {"row": "Book, Table 2", "metrics": {"steps": {}, "work": {"type": "ratio", "of": "steps", "to": "b"}}}

    def figures(self, expectations, cases):
        record = {"cases": cases, "orders": []}
        return paper_record.figures_of_record(NIGHTLY, {**self.STUDY, "expect": expectations}, record)

    def test_judged_by_the_expectations_of_today(self):
        cases = {"a": {"status": "completed", "steps": 30}, "b": {"status": "completed", "steps": 10}}
        expected = [{"case": "a", "metric": "steps", "value": 30, "abs": 1}, {"case": "b", "metric": "steps", "below": 9},
                    {"case": "a", "metric": "steps", "printed": 31}, {"case": "a", "metric": "work", "value": 3, "rel": 0},
                    {"case": "c", "metric": "steps", "below": 9}, {"case": "a", "status": "completed"}]
        self.assertEqual([f["verdict"] for f in self.figures(expected, cases)],
                         ["holds", "fails", "shown", "holds", "pending", "holds"])
        self.assertEqual([f["verdict"] for f in self.figures([{"metric": "steps", "below": 99}], {})], ["pending"])

    def test_studies_that_are_not_there_keep_their_results(self):
        with tempfile.TemporaryDirectory() as folder:
            results = pathlib.Path(folder, "study.json")
            results.write_text(json.dumps({"cases": [{"name": "a", "status": "completed", "metrics": {"steps": 3}}]}))
            record = paper_record.merged({"other": {"cases": {}, "orders": []}}, NIGHTLY, results)
        self.assertEqual(set(record), {"other", NIGHTLY})
        self.assertEqual(json.loads(paper_record.written(record))["studies"], record)


class PapersTest(unittest.TestCase):
    def test_kept_results_older_than_what_made_them_are_refused(self):
        loader = importlib.machinery.SourceFileLoader("papers", str(SCRIPTS / "papers"))
        papers = importlib.util.module_from_spec(importlib.util.spec_from_loader("papers", loader))
        loader.exec_module(papers)
        with tempfile.TemporaryDirectory() as folder:
            build = pathlib.Path(folder)
            study = "configs/papers/wu/table_3_study.json"
            results = build / "tests" / "studies" / study.removesuffix(".json") / "study.json"
            plugin = build / "lib" / "trammel" / "plugins" / "adams.so"
            for path in (results, plugin, build / "bin" / "trammel"):
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text("")
            runs = papers.Collection(build, True)
            os.utime(results, (4e9, 4e9))
            self.assertEqual(runs.run_study(study), (study, results, None))
            os.utime(plugin, (5e9, 5e9))
            self.assertEqual(runs.run_study(study), (study, None, f"{study}: its kept results are older than adams.so"))

    def test_every_plant_has_its_outcome(self):
        plants = json.loads((HERE / "plants.json").read_text())["plants"]
        planted = json.loads((HERE / "planted.json").read_text())["planted"]
        self.assertEqual({(p["method"], p["error"], row) for p in plants for row in p["rows"]},
                         {(p["method"], p["error"], p["row"]) for p in planted})


unittest.main()
