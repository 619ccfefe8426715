"""The text of docs/papers.md from figures, and what is missing in it; for scripts/papers."""
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
    """Whether the obtained figure does not have the printed digits."""
    printed, obtained = figure.get("printed"), figure.get("obtained")
    if printed is None or not isinstance(obtained, (int, float)):
        return False
    return abs(obtained - printed) > 0.5001 * digits_of(printed)


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
        return plain(value) if float(value).is_integer() else plain(value, 2)
    if figure.get("independent") == 0 and abs(value) <= tolerance:
        return f"< {plain(tolerance, 1)}"
    if tolerance > abs(value):
        return plain(value, 1)
    return plain(value, min(math.floor(math.log10(abs(value))) - math.floor(math.log10(tolerance)) + 2, 15))


def independent_text(figure):
    """What the verdict goes by: an independent value or the printed one, with its tolerance; bounds; or a status."""
    if figure.get("status"):
        return figure["status"]
    value, tolerance = figure.get("independent"), figure.get("tolerance") or 0
    within = f"± {plain(tolerance, 1)}" if tolerance else "exactly"
    if value is not None:
        return f"{plain(value)} {within}"
    bounds = [f"≥ {plain(figure['above'])}" if figure.get("above") is not None else "",
              f"≤ {plain(figure['below'])}" if figure.get("below") is not None else ""]
    if any(bounds):
        return ", ".join(filter(None, bounds))
    return f"print {within}" if figure["verdict"] != "shown" else ""


def sharpness(figure):
    """Order in which figures are shown: what fails, then those with print and value, the sharpest first."""
    value, tolerance = figure.get("independent"), figure.get("tolerance") or 0
    share = tolerance / abs(value) if value else 1.0
    return (("fails", "holds", "shown").index(figure["verdict"]), figure.get("printed") is None, value is None, share)


def name_of(path):
    name = path.split("/")[-1]
    return re.sub(r"(_study\.json|_test\.(cpp|py)|\.h)$", "", name)


def link(path):
    if path.startswith("tests/"):  # not installed
        return f"`{path}`"
    return f"[{name_of(path)}](../{path})"


class Page:
    def __init__(self, rows, figures, by_night, pending, planted, supports):
        self.rows, self.pending, self.planted, self.supports = rows, pending, planted, supports
        self.errors = []
        names = {f"{work['name']}, {row['row']}" for work in rows["works"] for row in work["rows"]}
        self.by_row = {name: [] for name in names}
        self.by_night = {name: [] for name in names}
        for found, into in ((figures, self.by_row), (by_night, self.by_night)):
            for figure in found:
                if figure["row"] in names:
                    into[figure["row"]].append(figure)
                else:
                    self.errors.append(f"{figure['by']}: there is no row '{figure['row']}' in rows.json")
        held = sum(self.holds(name) for name in names)
        judged = [f for f in figures if f["verdict"] != "shown"]
        self.summary = (f"{len(names)} rows: {held} hold, {len(names) - held} do not; "
                        f"{sum(f['verdict'] == 'holds' for f in judged)} of {len(judged)} figures hold")

    def holds(self, name):
        judged = [f["verdict"] for f in self.by_row[name] if f["verdict"] != "shown"]
        return bool(judged) and all(v == "holds" for v in judged)

    def verdict(self, name):
        def count(figures):
            judged = [f["verdict"] for f in figures if f["verdict"] != "shown"]
            return f"{judged.count('holds')} of {len(judged)}"
        if not any(f["verdict"] != "shown" for f in self.by_row[name]):
            self.errors.append(f"{name}: nothing judges this row")
            return "missing"
        text = count(self.by_row[name]) + (" hold" if self.holds(name) else " hold: **fails**")
        if not self.holds(name):
            self.errors += [f"{name}: {f['what']}: {f['obtained']} for {independent_text(f)} ({f['by']})"
                            for f in self.by_row[name] if f["verdict"] == "fails"]
        shown = sum(f["verdict"] == "shown" for f in self.by_row[name])
        text += f", {shown} shown" if shown else ""
        if self.by_night[name]:
            text += f"; by night {count(self.by_night[name])}"
        return text

    def shown(self, row, name):
        figures = sorted(self.by_row[name], key=sharpness)
        if "show" in row:
            chosen = [next((f for f in figures if f["what"] == wanted), None) or
                      next((f for f in figures if wanted in f["what"]), None) for wanted in row["show"]]
            self.errors += [f"{name}: no figure '{w}' to show" for w, f in zip(row["show"], chosen) if f is None]
            chosen = [f for f in chosen if f]
        else:
            chosen = list(self.first_of_each(figures).values())[:FIGURES_SHOWN]
        return chosen + list(self.first_of_each(sorted(self.by_night[name], key=sharpness)).values())

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
        links = ", ".join([link(p) for p in paths] + [link(p) + " (nightly)" for p in self.pending.get(name, [])])
        lines = []
        for i, figure in enumerate(self.shown(row, name) or [None]):
            what = figure["what"].replace("integrator.", "").replace("|", "/") if figure else ""
            what += " (by night)" if figure and figure["by"].endswith("_nightly_study.json") else ""
            cells = [f"**{row['row']}**<br>{row['shows']}" if i == 0 else "", what,
                     plain(figure.get("printed")) if figure else "", obtained_text(figure) if figure else "",
                     independent_text(figure) if figure else "", verdict if i == 0 else "", links if i == 0 else ""]
            lines.append("| " + " | ".join(cells) + " |")
        return lines

    def reasons_of(self, work, row):
        name = f"{work['name']}, {row['row']}"
        differing = [f for f in self.by_row[name] if deviates(f)]
        if differing and "why" not in row:
            worst = differing[0]
            self.errors.append(f"{name}: {worst['what']}: {worst['obtained']} is not the printed {worst['printed']}, "
                               "and no reason is given")
        lines = []
        for reason in row.get("why", []):
            if not self.supports(reason["by"]):
                self.errors.append(f"{name}: no run '{reason['by']}' supports its reason")
            lines.append(f"- **{row['row']}**: {reason['says']} (`{reason['by']}`)")
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
        return lines + [""]

    def text(self):
        lines = ["# The papers' tables and figures", "",
                 "Written by `scripts/papers BUILD` from the studies and tests that judge each row; rows and reasons",
                 "are those of `tests/papers/rows.json`. Of studies and tests that judge a row telling figures are",
                 "shown. \"Independent\" is a value computed apart from Trammel, with the tolerance of the verdict, or",
                 "a bound. Figures that are \"shown\" stand beside the print and judge nothing: times of another",
                 "computer, and what its rounding made.", ""]
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
