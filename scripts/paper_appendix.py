"""The text of docs/papers_figures.md: every figure of every row, and how near each is to its bound; for scripts/papers."""
from paper_page import by_night, deviates, independent_text, link, obtained_text, plain

WORDS = {"holds": "holds", "fails": "**fails**", "pending": "**pending**", "shown": "shown, not judged"}


def use_of(figure):
    """Which part of its tolerance or bound a figure uses: far below 1, the bound may be a weak one."""
    obtained, value, tolerance = figure.get("obtained"), figure.get("independent"), figure.get("tolerance")
    if figure["verdict"] != "holds" or not isinstance(obtained, (int, float)) or figure.get("status"):
        return None
    if figure.get("below") is None and figure.get("above") is None:
        value = figure.get("printed") if value is None else value
        return abs(obtained - value) / tolerance if tolerance and value is not None else None
    uses = [abs(obtained / figure["below"])] if figure.get("below") else []
    uses += [abs(figure["above"] / obtained)] if figure.get("above") and obtained else []
    return max(uses) if uses else None


def text(page):
    lines = ["# Every figure of the papers' rows", "",
             "Written by `scripts/papers BUILD` with [the papers' page](papers.md), which has the rows' verdicts and the",
             "reasons where the print differs (here: ≠). \"Used\": the part of the bound, or of the tolerance, that is used.",
             ""]
    for work in page.rows["works"]:
        lines += [f"## {work['name']}", ""]
        for row in work["rows"]:
            figures = page.by_row[f"{work['name']}, {row['row']}"]
            lines += [f"### {row['row']}", "", f"{row['shows']}.", ""]
            for path in dict.fromkeys(f["by"] for f in figures):
                of_path = [f for f in figures if f["by"] == path]
                lines += [f"{link(path)}{' (nightly, as last run)' if by_night(of_path[0]) else ''}:", "",
                          "| figure | printed | obtained | independent, or bound | used | verdict |", "|---|---|---|---|---|---|"]
                for f in of_path:
                    use = use_of(f)
                    cells = [f["what"].replace("integrator.", "").replace("|", "/"),
                             plain(f.get("printed")) + (" ≠" if deviates(f) else ""), obtained_text(f),
                             "" if f["verdict"] == "shown" and f.get("independent") is None and f.get("below") is None
                             else independent_text(f), "" if use is None else f"{use:.1g}", WORDS[f["verdict"]]]
                    lines.append("| " + " | ".join(cells) + " |")
                lines.append("")
    return "\n".join(lines).rstrip() + "\n"
