"""Figures of printed works in what studies and tests leave; for scripts/papers and tests/papers."""
import json
import re


def rows_of_study(text):
    """What a study file says of rows: that of the study, and those of its expectations by case and metric."""
    own = {}
    for expectation in re.findall(r"\{[^{}]*\"row\"[^{}]*\}", text):
        found = dict(re.findall(r'"(case|metric|row)": *"([^"]*)"', expectation))
        own[found.get("case"), found.get("metric")] = found["row"]
    whole = re.search(r'^  "row": *"([^"]*)"', text, re.M)
    return whole[1] if whole else None, own


def figures_of_study(path, results, text=""):
    """The figures of one study.json, and the cases that ended as expected; rows, where it has none, as in `text`."""
    study = json.loads(results.read_text())
    whole, own = rows_of_study(text)
    figures = []
    for e in study["expectations"]:
        row = e.get("row") or own.get((e["case"], e.get("metric")), whole)
        if not row:
            continue
        figures.append({
            "row": row, "what": ": ".join(filter(None, [e["case"], e.get("metric", "status")])),
            "printed": e.get("printed"), "obtained": e["obtained"], "independent": e.get("value"),
            "tolerance": max(e.get("abs", 0), e.get("rel", 0) * abs(e.get("value", 0))),
            "below": e.get("below"), "above": e.get("above"), "status": e.get("status"),
            "verdict": {"met": "holds", "missed": "fails"}.get(e["verdict"], "shown"), "by": path})
    wrong = set(study["unexpected_failures"])
    return figures, {case["name"] for case in study["cases"] if case["name"] not in wrong}


def figures_of_test(text):
    figures = []
    for line in text.splitlines():
        if not line.startswith("paper_row "):
            continue
        e = json.loads(line[len("paper_row "):])
        figures.append({"row": e["row"], "what": e["what"], "printed": e.get("printed"), "obtained": e["obtained"],
                        "independent": e.get("independent"), "tolerance": e["tolerance"],
                        "verdict": "holds" if e["ok"] else "fails", "by": e["test"]})
    return figures
