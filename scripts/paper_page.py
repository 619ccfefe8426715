"""The text of docs/papers.md from figures, and what is missing in it; for scripts/papers."""
import fnmatch
import math
import re
from decimal import Decimal

FIGURES_SHOWN = 4  # per row: one of each study or test


def rows_named_in(text):
    return re.findall(r'"row": *"([^"]*)"', text)


def verdicts(text):
    """{row: verdict} of a page."""
    found = {}
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if line.startswith("| **") and len(cells) == 7:
            found[cells[0].split("**")[1]] = cells[5]
    return found


def digits_of(number):
    """The unit of the last digit with which a number is written."""
    decimal = Decimal(repr(number)).normalize()
    return float(Decimal(1).scaleb(decimal.as_tuple().exponent))


def deviates(figure):
    """Whether the obtained figure does not have the printed digits, as far as double precision carries them."""
    printed, obtained = figure.get("printed"), figure.get("obtained")
    if printed is None or not isinstance(obtained, (int, float)):
        return False
    return abs(obtained - printed) > max(0.5001 * digits_of(printed), 2e-15 * abs(printed))


def plain(number, digits=15):
    """So many digits, without an exponent where the number has less than eight digits before the point."""
    if number is None:
        return ""
    text = f"{number:.{digits}g}"
    return f"{float(text):.0f}" if "e+0" in text and abs(number) < 1e7 else text


def obtained_text(figure):
    """Rounded to one digit beyond the tolerance, so that the page is the same on every machine."""
    value, tolerance = figure.get("obtained"), figure.get("tolerance") or 0
    if not isinstance(value, (int, float)):
        return "-" if value is None else str(value)
    if not tolerance or value == 0 or figure["verdict"] == "shown":
        return plain(value) if float(value).is_integer() else plain(value, 3)
    if figure.get("independent") == 0 and abs(value) <= tolerance:
        return f"< {plain(tolerance, 2)}"
    if tolerance > abs(value):
        return plain(value, 1)
    return plain(value, min(math.floor(math.log10(abs(value))) - math.floor(math.log10(tolerance)) + 2, 15))


def independent_text(figure):
    """What the verdict goes by: an independent value or the printed one, with its tolerance; bounds; or a status."""
    if figure.get("status"):
        return figure["status"]
    value, tolerance = figure.get("independent"), figure.get("tolerance") or 0
    within = f"± {plain(tolerance, 2)}" if tolerance else "exactly"
    bounds = ", ".join(f"{sign} {plain(figure[key])}" for sign, key in (("≥", "above"), ("≤", "below"))
                       if figure.get(key) is not None)
    known = "known: " if figure.get("source", "").startswith(("as obtained", "open: ")) else ""
    judged_by = f"{known}{plain(value)} {within}" if value is not None else bounds
    if figure["verdict"] == "shown":  # a bound on a time, where times are not judged, is no verdict
        return f"{judged_by}: shown, not judged" if judged_by else "shown, not judged"
    return judged_by or f"print {within}"


def sharpness(figure):
    """Order in which figures are shown: what fails, then those with print and value, the sharpest first."""
    value, tolerance = figure.get("independent"), figure.get("tolerance") or 0
    share = tolerance / abs(value) if value else 1.0
    return (("fails", "pending", "holds", "shown").index(figure["verdict"]), figure.get("printed") is None, value is None, share)


def name_of(path):
    name = path.split("/")[-1]
    return re.sub(r"(_study\.json|_test\.(cpp|py)|\.h)$", "", name)


def link(path):
    if path.startswith("tests/"):  # not installed
        return f"`{path}`"
    return f"[{name_of(path)}](../{path})"


def label(figure):
    """What a reason's patterns are matched with: "table_4: alpha_1: error"."""
    return f"{name_of(figure['by'])}: {figure['what']}"


def matches(figure, patterns):
    return any(fnmatch.fnmatchcase(label(figure), pattern) for pattern in patterns)


def by_night(figure):
    return figure["by"].endswith("_nightly_study.json")


def runs_of(figure):
    """Names by which a reason may call the run: "wu/table_3: case", or a test's path."""
    study = "/".join(figure["by"].split("/")[-2:]).removesuffix("_study.json")
    return figure["by"], f"{study}: {figure['what'].rpartition(': ')[0]}"


def judged(figures):
    return [f for f in figures if f["verdict"] != "shown"]


def count(figures):
    return f"{sum(f['verdict'] == 'holds' for f in figures)} of {len(judged(figures))}"


class Page:
    """All figures by row: those of the day, and those of the nightly studies as last run."""

    def __init__(self, rows, figures, nightly, planted):
        self.rows, self.planted, self.errors = rows, planted, []
        names = [f"{work['name']}, {row['row']}" for work in rows["works"] for row in work["rows"]]
        self.by_row = {name: [] for name in names}
        for figure in figures + nightly:
            if figure["row"] in self.by_row:
                self.by_row[figure["row"]].append(figure)
            else:
                self.errors.append(f"{figure['by']}: there is no row '{figure['row']}' in rows.json")
        states = [self.state(name) for name in names]
        self.summary = (f"{len(names)} rows: {states.count('holds')} hold, {states.count('fails')} fail, "
                        f"{states.count('pending')} wait for a nightly study, {states.count('missing')} are missing; "
                        f"{count(figures)} figures hold by day, {count(nightly)} by night")

    def state(self, name):
        """Figures of the night count as those of the day; one that no run has left yet does not hold."""
        found = {f["verdict"] for f in judged(self.by_row[name])}
        return next((state for state in ("fails", "pending", "holds") if state in found), "missing")

    def verdict(self, name):
        figures, state = self.by_row[name], self.state(name)
        if state == "missing":
            self.errors.append(f"{name}: nothing judges this row")
            return state
        day, night = [f for f in figures if not by_night(f)], [f for f in figures if by_night(f)]
        text = f"{count(day)} hold" if judged(day) else ""
        shown = sum(f["verdict"] == "shown" for f in figures)
        text += f", {shown} shown" if shown else ""
        text += ("; " if text and judged(night) else "") + (f"by night {count(night)}" if judged(night) else "")
        for figure in figures:
            if figure["verdict"] == "fails":
                self.errors.append(f"{name}: {figure['what']}: {figure['obtained']} for {independent_text(figure)} "
                                   f"({figure['by']})")
        waiting = dict.fromkeys(f["by"] for f in figures if f["verdict"] == "pending")
        self.errors += [f"{name}: {path} has figures that tests/papers/nightly.json does not have" for path in waiting]
        return text + {"holds": "", "fails": ": **fails**", "pending": ": **pending**"}[state]

    def shown(self, row, name):
        figures = sorted(self.by_row[name], key=sharpness)
        if "show" in row:
            chosen = [next((f for f in figures if f["what"] == wanted), None) or
                      next((f for f in figures if wanted in f["what"]), None) for wanted in row["show"]]
            self.errors += [f"{name}: no figure '{w}' to show" for w, f in zip(row["show"], chosen) if f is None]
            return [f for f in chosen if f]
        day, night = ([f for f in figures if by_night(f) == is_night] for is_night in (False, True))
        return list(self.first_of_each(day).values())[:FIGURES_SHOWN] + list(self.first_of_each(night).values())

    @staticmethod
    def first_of_each(figures):
        first = {}
        for figure in figures:
            first.setdefault(figure["by"], figure)
        return first

    def lines_of(self, work, row):
        name = f"{work['name']}, {row['row']}"
        verdict = self.verdict(name)
        paths = list(dict.fromkeys(f["by"] for f in self.by_row[name]))
        links = ", ".join(link(p) + (" (nightly)" if p.endswith("_nightly_study.json") else "") for p in paths)
        lines = []
        for i, figure in enumerate(self.shown(row, name) or [None]):
            what = figure["what"].replace("integrator.", "").replace("|", "/") if figure else ""
            what += " (by night)" if figure and by_night(figure) else ""
            cells = [f"**{row['row']}**<br>{row['shows']}" if i == 0 else "", what,
                     plain(figure.get("printed")) if figure else "", obtained_text(figure) if figure else "",
                     independent_text(figure) if figure else "", verdict if i == 0 else "", links if i == 0 else ""]
            lines.append("| " + " | ".join(cells) + " |")
        return lines

    def reasons_of(self, work, row):
        """Every figure that differs from the print needs a reason whose patterns match it, and every reason a run."""
        name = f"{work['name']}, {row['row']}"
        figures, reasons = self.by_row[name], row.get("why", [])
        differing = [f for f in figures if deviates(f)]
        matched = [{label(f) for f in differing if matches(f, reason.get("figures", []))} for reason in reasons]
        lines = []
        for figure in differing:
            if not any(label(figure) in found for found in matched):
                self.errors.append(f"{name}: {label(figure)}: {figure['obtained']} is not the printed "
                                   f"{figure['printed']}, and no reason is given")
        for reason, found in zip(reasons, matched):
            for pattern in reason.get("figures", []):
                if not any(fnmatch.fnmatchcase(text, pattern) for text in found):
                    self.errors.append(f"{name}: no figure that differs from the print matches '{pattern}'")
            run = [f["verdict"] for f in figures if reason["by"] in runs_of(f)]
            # Figures that judge nothing, as times do, are explained by a run that shows them.
            enough = {"holds", "shown"} if found and not judged(
                [f for f in differing if label(f) in found]) else {"holds"}
            if not enough & set(run) or {"fails", "pending"} & set(run):
                self.errors.append(f"{name}: no judged figure of '{reason['by']}' that holds supports its reason")
            of = f", for {len(found)} figure{'s' if len(found) > 1 else ''}" if found else ""
            lines.append(f"- **{row['row']}**: {reason['says']} (`{reason['by']}`{of})")
        return lines

    def planted_lines(self):
        if not self.planted:
            return []
        lines = ["## Planted errors", "",
                 "An error of 1 %, or of one order, planted in a copy of the method turns its row red:",
                 "`tests/papers/planted.py`, by night. How many of the row's figures fail, and the first of them:", "",
                 "| method | error | row | fail | first | obtained | expected |",
                 "|---|---|---|---|---|---|---|"]
        for p in self.planted:
            if p["row"] not in self.by_row:
                self.errors.append(f"planted.json: there is no row '{p['row']}'")
            cells = [p[key] for key in ("method", "error", "row", "failing", "what", "obtained", "expected")]
            lines.append("| " + " | ".join(cells).replace("integrator.", "") + " |")
        return lines + [""] + self.unplanted_lines()

    def unplanted_lines(self):
        """The rows that no planted error turns red, and why that is."""
        red = {p["row"] for p in self.planted}
        lines, weak = [], 0
        for work in self.rows["works"]:
            for row in work["rows"]:
                name = f"{work['name']}, {row['row']}"
                if name in red:
                    continue
                weak += "exact" not in row
                lines.append(f"- **{name}**: {row.get('exact', 'no error is planted yet')}.")
        rows = len(self.by_row)
        head = (f"Planted errors turn {rows - len(lines)} of the {rows} rows red; {len(lines) - weak} are judged exactly or "
                f"by no method's numbers; for {weak} no error is planted:")
        return [head, "", *lines, ""] if lines else [head[:-1] + ".", ""]

    def text(self):
        lines = ["# The papers' tables and figures", "",
                 "Written by `scripts/papers BUILD` from the studies and tests that judge each row; rows and reasons",
                 "are those of `tests/papers/rows.json`. Of studies and tests that judge a row telling figures are",
                 "given; [all of them](papers_figures.md) have a page of their own. \"Independent\" is a value computed",
                 "apart from Trammel, with the tolerance of the verdict, or a bound; \"known\" is one that Trammel has",
                 "obtained before and nothing else confirms. Figures that are \"shown\" stand beside the print and judge",
                 "nothing: times of another computer, and what its rounding made.", ""]
        body = []
        for work in self.rows["works"]:
            body += [f"## {work['name']}", "", work["title"], "",
                     "| row | figure | printed | obtained | independent | verdict | judged by |",
                     "|---|---|---|---|---|---|---|"]
            for row in work["rows"]:
                body += self.lines_of(work, row)
            reasons = [line for row in work["rows"] for line in self.reasons_of(work, row)]
            body.append("")
            if reasons:
                body += ["Where the print differs, and the run that shows it:", "", *reasons, ""]
        return "\n".join(lines + [self.summary + ".", ""] + body + self.planted_lines()).rstrip() + "\n"
